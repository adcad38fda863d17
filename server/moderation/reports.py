"""Reports of messages and matches, with the lines as evidence, as the server holds them."""

import secrets
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from replay.store.side_tables.moderation import ReportRow
from replay.store.store import Store
from server.moderation.errors import SafetyRefused
from server.operations.bounds import BOUNDS, Bounds
from server.wire.text import visible

ID_BYTES: Final = 8
LINES_MOST: Final = 50


class Evidence(Struct, frozen=True, array_like=True):
    """A line of chat as the server held it when it was reported: its number, time, room, author, name and text."""

    n: int
    at: int
    room: str
    who: str
    name: str
    text: str


class Reporter(Struct, frozen=True):
    """The reporter: the chat room, the address, and the persons in the reporter's seat and in the reported seat."""

    room: str
    source: str
    person: str = ""


class Reports:
    """Takes reports, and reads them for the staff. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, store: Store, now: Callable[[], int], bounds: Bounds = BOUNDS) -> None:
        self._store, self._now, self._bounds = store, now, bounds

    def take(self, by: Reporter, match: str, who: str, why: str, lines: Sequence[int] = ()) -> str:
        """Store a report about somebody in a match; returns its id. The chat lines are the server's own copies, not the
        client's.

        Raises `SafetyRefused`.
        """
        said = visible(why)
        if not said:
            raise SafetyRefused("Say what happened, in a sentence.")
        if len(self._store.moderation.reports(1, after=self._bounds.reports - 1)):
            raise SafetyRefused("So many reports wait that no more are taken; tell the host of this server.")
        wanted = set(lines)
        rows = self._store.chat.said(match, by.room, 1_000) if wanted and by.room else []
        kept = [Evidence(row.n, row.at, row.room, row.who, row.name, row.text) for row in rows if row.n in wanted]
        name, person = self._reported(match, who, kept)
        row = ReportRow(
            secrets.token_hex(ID_BYTES),
            self._now(),
            by.person,
            by.person or by.source,
            match,
            who,
            name,
            person,
            said,
            msgspec.json.encode(kept[:LINES_MOST]).decode(),
            self._store.head(match).seq,
        )
        if not self._store.moderation.report(row, self._bounds.own_reports):
            raise SafetyRefused(f"{self._bounds.own_reports} of your reports wait already; the staff reads them.")
        return row.id

    def _reported(self, match: str, who: str, lines: Sequence[Evidence]) -> tuple[str, str]:
        """The name at the table and the person of somebody in a match; "" for the match itself, and for guests."""
        if not who:
            return "", ""
        if any(line.who != who for line in lines):
            raise SafetyRefused("These lines are not all of the one whom you report.")
        if not who.startswith("seat"):
            return next((line.name for line in lines), ""), ""
        seats = {f"seat{row.seat}": row for row in self._store.seats.holders(match)}
        if who not in seats:
            raise SafetyRefused("There is no such seat in this match.")
        seat = seats[who]
        noted = sorted((row.at, row.person) for row in self._store.people.at(match) if row.seat == seat.seat)
        return seat.name, noted[0][1] if noted else ""


def evidence_of(row: ReportRow) -> tuple[Evidence, ...]:
    """The lines that a report holds."""
    return msgspec.json.decode(row.lines, type=tuple[Evidence, ...])
