"""Which commits are worth a word to people who are not looking: it is their move, or the match has ended."""

from collections.abc import Collection, Sequence

from domain.kernel import Clocks, Event, MatchEnded, Seat, State
from domain.kernel.clock import NEVER
from server.webhook import Notice


class Calls:
    """What is to be told of one match; each decision once, to persons without a connection."""

    def __init__(self, match: str, game: str, title: str, state: State) -> None:
        self._match, self._game, self._title = match, game, title
        self._number = state.number

    def after(
        self, events: Sequence[Event], state: State, clocks: Clocks | None, line: int, present: Collection[int]
    ) -> list[Notice]:
        """The notices of a commit whose last line is `line`; `state` and `clocks` are as after it."""
        ended = next((event for event in events if isinstance(event, MatchEnded)), None)
        if ended is not None:
            winner = ended.result.winner
            result = f"{'draw' if winner is None else f'seat {winner}'}: {ended.result.reason}"
            return [Notice("result", self._match, self._game, self._title, line, result=result)]
        new = [asked for asked in state.asked if asked.number > self._number]
        self._number = max(self._number, state.number)
        seats = {asked.seat for asked in new} - {*present, *state.table.bots}
        return [self._move(seat, state, clocks, line) for seat in sorted(seats)]

    def _move(self, seat: Seat, state: State, clocks: Clocks | None, line: int) -> Notice:
        due = NEVER if clocks is None else clocks.due_at(seat)
        name = state.players[seat]
        return Notice("your-move", self._match, self._game, self._title, line, seat, name, 0 if due == NEVER else due)
