"""The seats of one match: the holder of each seat, and facts about the seat's lines that are not in the state."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel import SEAT_ACTS, Act, Chosen, Event, Game, SeatReplaced, State
from replay.record.referee import read_event
from replay.store.log import Commit, Entry, Log
from replay.store.seats import SeatRow
from server.bots import Bot, GentleBot, make_bot
from server.table.deduplication import Answers
from server.wire.protocol import SeatInfo

NOTED: Final = frozenset[type[Event]]({Chosen, SeatReplaced, *SEAT_ACTS})
"""The events about which `Seats` remembers something."""
NOTED_NAMES: Final = frozenset(event.__name__ for event in NOTED)


class Seats:
    """The holders of the seats, the bots that play, and the line that answered each choice.

    `bots`: the bots that play, by seat. `answers`: the line of each choice and act.
    """

    def __init__(
        self, game: Game[Any], match: str, store: Log, rows: Iterable[SeatRow], entries: Iterable[Entry] = ()
    ) -> None:
        self._game = game
        self._rows: dict[int, SeatRow] = {row.seat: row for row in rows}
        self.answers = Answers(game, partial(_before, game, store, match))
        self._replaced: dict[int, int] = {}
        self.bots: dict[int, Bot] = {}
        for entry in entries:
            if entry.type in NOTED_NAMES:
                self._note(read_event(game, entry), entry.seq)
        self._seat_bots()

    def note(self, entries: Iterable[Entry], events: Iterable[Event]) -> None:
        """Remember facts about lines that were just written."""
        for entry, event in zip(entries, events, strict=True):
            if type(event) in NOTED:
                self._note(event, entry.seq)

    def _note(self, event: Event, seq: int) -> None:
        if isinstance(event, Chosen | Act):
            self.answers.note(event, seq)
        elif isinstance(event, SeatReplaced):
            self._replaced[event.seat] = seq
            self._replace(event)

    def _replace(self, event: SeatReplaced) -> None:
        if self._rows[event.seat].kind != "bot":
            self.enrol(self._handed_over(event))

    def _handed_over(self, event: SeatReplaced) -> SeatRow:
        return replace(self._rows[event.seat], kind="bot", bot=event.bot)

    def with_seat(self, commit: Commit, events: Sequence[Event]) -> Commit:
        """The commit, with the new holder of a seat that these events give to a bot.

        The stored token of the seat stays, because another server may have changed it.
        """
        handed = next((event for event in events if isinstance(event, SeatReplaced)), None)
        return commit if handed is None else replace(commit, seat=replace(self._handed_over(handed), token_hash=b""))

    def _seat_bots(self) -> None:
        for row in self._rows.values():
            if row.kind == "bot" and row.seat not in self.bots:
                self.bots[row.seat] = make_bot(self._game.name, row.bot)

    def enrol(self, row: SeatRow) -> None:
        """Note a seat's new holder, who is already stored."""
        self._rows[row.seat] = row
        self._seat_bots()

    def take(self, rows: Iterable[SeatRow]) -> None:
        """Apply the holders after another server has seated somebody, who may connect to this server with the token."""
        self._rows = {row.seat: row for row in rows}
        self._seat_bots()

    def explains(self, seat: int) -> bool:
        """Whether the chronicle explains the moves of the seat's bot. It does not for a bot that replaced a person,
        because the replacement may be news to the viewer.
        """
        return isinstance(self.bots.get(seat), GentleBot) and seat not in self._replaced

    def row(self, seat: int) -> SeatRow | None:
        """The store's row of a seat; None if there is no such seat."""
        return self._rows.get(seat)

    def infos(self, names: Sequence[str], end: int) -> tuple[SeatInfo, ...]:
        """The holders of the seats, with the names in the state, for a viewer who sees the record up to line `end`.

        A bot that replaced a person after that line is shown as a person, because the replacement may be news.
        """
        kinds = {
            row.seat: "person" if self._replaced.get(row.seat, 0) > end else row.kind for row in self._rows.values()
        }
        return tuple(SeatInfo(seat, names[seat], kinds[seat] if names[seat] else "") for seat in sorted(kinds))


async def _before(game: Game[Any], store: Log, match: str, seq: int) -> State:
    """The state before a line, folded in a thread."""
    return await asyncio.to_thread(_folded, game, store, match, seq)


def _folded(game: Game[Any], store: Log, match: str, seq: int) -> State:
    state: State = game.fold(read_event(game, entry) for entry in store.read(match, limit=seq - 1))
    return state
