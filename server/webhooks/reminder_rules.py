"""The commits that cause notices to people who are away: it is their move, or the match has ended."""

from collections.abc import Collection, Iterable, Sequence

from domain.kernel import Asked, Clocks, Event, State
from domain.kernel.clock import NEVER
from replay.record.referee import status_of
from server.webhooks.delivery import Lapsed, Notice


class ReminderRules:
    """The notices of one match; each decision once, to persons without a connection."""

    def __init__(self, match: str, game: str, title: str, state: State) -> None:
        self._match, self._game, self._title = match, game, title
        self._number = state.number
        self._open = _open(state)

    def after(
        self, events: Sequence[Event], state: State, clocks: Clocks | None, line: int, present: Collection[int]
    ) -> list[Notice | Lapsed]:
        """The notices of a commit whose last line is `line`, and the notices that lapse with it; `state` and `clocks`
        are as after it.
        """
        former, self._open = self._open, _open(state)
        lapsed = [Lapsed(self._match, seat, decision) for seat, decision in sorted(former - self._open)]
        _, result = status_of(events)
        if result is not None:
            return [*lapsed, Notice("result", self._match, self._game, self._title, line, result=result)]
        new = [asked for asked in state.asked if asked.number > self._number]
        self._number = max(self._number, state.number)
        return [*lapsed, *self._moves(new, state, clocks, line, present)]

    def are_due(self, events: Sequence[Event], state: State, present: Collection[int]) -> bool:
        """Whether a commit with these events and this state causes a notice to anybody."""
        if status_of(events)[1] is not None:
            return True
        left_out = {*present, *state.table.bots}
        return any(asked.number > self._number and asked.seat not in left_out for asked in state.asked)

    def again(self, state: State, clocks: Clocks | None, line: int, present: Collection[int]) -> list[Notice]:
        """The notices of the decisions that still wait, sent or not; none in a paused match."""
        waits = state.result is None and not state.table.paused
        return self._moves(state.asked, state, clocks, line, present) if waits else []

    def _moves(
        self, waiting: Iterable[Asked], state: State, clocks: Clocks | None, line: int, present: Collection[int]
    ) -> list[Notice]:
        first: dict[int, Asked] = {}
        for asked in sorted(waiting, key=lambda asked: (asked.seat, asked.number)):
            first.setdefault(asked.seat, asked)
        left_out = {*present, *state.table.bots}
        return [self._move(asked, state, clocks, line) for seat, asked in first.items() if seat not in left_out]

    def _move(self, asked: Asked, state: State, clocks: Clocks | None, line: int) -> Notice:
        due = NEVER if clocks is None else clocks.due_at(asked.seat)
        return Notice(
            "your-move",
            self._match,
            self._game,
            self._title,
            line,
            asked.seat,
            state.players[asked.seat],
            0 if due == NEVER else due,
            decision=asked.number,
        )


def _open(state: State) -> frozenset[tuple[int, int]]:
    """The decisions that wait for persons: seat and number."""
    if state.result is not None:
        return frozenset()
    return frozenset((asked.seat, asked.number) for asked in state.asked if asked.seat not in state.table.bots)
