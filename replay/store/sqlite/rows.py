"""Commits, heads and seats as rows of the SQLite store's tables, and the statements that write them."""

import sqlite3
from typing import Final

from msgspec.structs import astuple

from replay.store.log import Commit
from replay.store.matches import Header, due_value
from replay.store.seats import SeatRow
from replay.store.side_tables.webhooks import REMIND

ADVANCE: Final = "UPDATE matches SET seq = ?, head = ?, changed_ms = ? WHERE match = ?"
STATUS: Final = "UPDATE matches SET status = coalesce(?, status), result = coalesce(?, result) WHERE match = ?"
"""Separate from the frequent statement, because setting the status also writes the index."""
DUE: Final = "UPDATE matches SET due = ? WHERE match = ?"
SEAT: Final = """INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (match, seat) DO UPDATE SET name = excluded.name, kind = excluded.kind, bot = excluded.bot,
token_hash = CASE WHEN length(excluded.token_hash) = 0 THEN seats.token_hash ELSE excluded.token_hash END"""


class Rows:
    """The rows that the commits of one group add, gathered so that one statement writes each table."""

    __slots__ = ("advances", "checkpoints", "dues", "opened", "openings", "records", "reminders", "seats", "statuses")

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self.records: list[tuple[object, ...]] = []
        self.openings: list[tuple[object, ...]] = []
        self.advances: list[tuple[object, ...]] = []
        self.statuses: list[tuple[object, ...]] = []
        self.dues: list[tuple[object, ...]] = []
        self.reminders: list[tuple[object, ...]] = []
        self.seats: list[tuple[object, ...]] = []
        self.checkpoints: list[tuple[object, ...]] = []

    def add(self, commit: Commit) -> int:
        """Add the lines, openings and head of a commit; returns its last line."""
        match = commit.match
        for e in commit.entries:
            slots = len(e.openings)
            first = self.opened + 1 if slots else 0
            self.records.append((match, e.seq, e.at, e.type, e.actor, e.line.decode(), first, slots))
            for slot, value in enumerate(e.openings):
                self.opened += 1
                self.openings.append((self.opened, match, e.seq, slot, value.decode()))
        last = commit.entries[-1]
        self.advances.append((last.seq, commit.head, last.at, match))
        if commit.status is not None or commit.result is not None:
            self.statuses.append((commit.status, commit.result, match))
        if commit.due is not None:
            self.dues.append((due_value(commit.due), match))
        if commit.reminder:
            self.reminders.append((match, last.seq, commit.reminder))
        if commit.seat is not None:
            self.seats.append(seat_values(match, commit.seat))
        self.checkpoints.extend((match, seq, signed) for seq, signed in commit.earlier)
        if commit.checkpoint is not None:
            self.checkpoints.append((match, last.seq, commit.checkpoint))
        return last.seq

    def flush(self, connection: sqlite3.Connection) -> None:
        """Write the gathered rows."""
        for sql, rows in (
            ("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self.records),
            ("INSERT INTO openings VALUES (?, ?, ?, ?, ?)", self.openings),
            (ADVANCE, self.advances),
            (STATUS, self.statuses),
            (DUE, self.dues),
            (REMIND, self.reminders),
            (SEAT, self.seats),
            ("INSERT INTO checkpoints VALUES (?, ?, ?)", self.checkpoints),
        ):
            if rows:
                connection.executemany(sql, rows)
                rows.clear()


def header_values(header: Header) -> tuple[object, ...]:
    """The columns of `matches` that a header fills."""
    return tuple(int(value) if isinstance(value, bool) else value for value in astuple(header))


def seat_values(match: str, row: SeatRow) -> tuple[object, ...]:
    """A seat as a row of `seats`."""
    return (match, row.seat, row.name, row.kind, row.bot, row.token_hash)
