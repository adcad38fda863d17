"""The rows that the commits of one transaction add to a PostgreSQL database; one statement writes each table."""

from typing import Final

from msgspec.structs import astuple
from psycopg.types.numeric import Int8

from replay.store.log import Commit
from replay.store.matches import due_value
from replay.store.postgres.schema import Line

SEAT: Final = """INSERT INTO seats (match, seat, name, kind, bot, token_hash) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (match, seat) DO UPDATE
SET name = excluded.name, kind = excluded.kind, bot = excluded.bot,
token_hash = CASE WHEN length(excluded.token_hash) = 0 THEN seats.token_hash ELSE excluded.token_hash END"""
_RECORDS: Final = """INSERT INTO records (match, seq, at, type, actor, line)
SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::text[], %b::bigint[], %b::text[])"""
_OPENINGS: Final = """INSERT INTO openings (match, seq, slot, value)
SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::text[])"""
_CHECKPOINTS: Final = """INSERT INTO checkpoints (match, seq, signed)
SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bytea[])"""
_ADVANCE: Final = """UPDATE matches SET seq = n.seq, head = n.head, changed_ms = n.at
FROM unnest(%b::text[], %b::bigint[], %b::bytea[], %b::bigint[]) AS n (match, seq, head, at)
WHERE matches.match = n.match"""
_STATUS: Final = "UPDATE matches SET status = coalesce(%s, status), result = coalesce(%s, result) WHERE match = %s"

_DUES: Final = """UPDATE matches SET due = n.due FROM unnest(%b::text[], %b::bigint[]) AS n (match, due)
WHERE matches.match = n.match"""
_REMINDERS: Final = """INSERT INTO calls SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[])
ON CONFLICT (match, seq) DO UPDATE SET held = excluded.held"""


class Rows:
    """The rows, by table, column by column."""

    __slots__ = ("_advances", "_checkpoints", "_dues", "_openings", "_records", "_reminders", "_seats", "_statuses")

    def __init__(self) -> None:
        self._records: list[tuple[str, int, int, str, int, str]] = []
        self._openings: list[tuple[str, int, int, str]] = []
        self._checkpoints: list[tuple[str, int, bytes]] = []
        self._advances: dict[str, tuple[str, int, bytes, int]] = {}
        self._statuses: list[tuple[str | None, str | None, str]] = []
        self._dues: dict[str, tuple[str, int | None]] = {}
        self._reminders: list[tuple[str, int, int]] = []
        self._seats: list[tuple[object, ...]] = []

    def __bool__(self) -> bool:
        return bool(self._records)

    def add(self, commit: Commit) -> int:
        """Add the lines, openings and head of a commit; returns its last line."""
        match = commit.match
        for e in commit.entries:
            self._records.append((match, e.seq, e.at, e.type, e.actor, e.line.decode()))
            for slot, value in enumerate(e.openings):
                self._openings.append((match, e.seq, slot, value.decode()))
        last = commit.entries[-1]
        self._advances[match] = (match, last.seq, commit.head, last.at)
        if commit.status is not None or commit.result is not None:
            self._statuses.append((commit.status, commit.result, match))
        if commit.due is not None:
            self._dues[match] = (match, due_value(commit.due))
        if commit.reminder:
            self._reminders.append((match, last.seq, commit.reminder))
        if commit.seat is not None:
            self._seats.append((match, *astuple(commit.seat)))
        self._checkpoints.extend((match, seq, signed) for seq, signed in commit.earlier)
        if commit.checkpoint is not None:
            self._checkpoints.append((match, last.seq, commit.checkpoint))
        return last.seq

    def send(self, line: Line) -> None:
        """Send the gathered rows in a pipeline: first the lines, whose numbers are the compare-and-set.

        The rows are in the order of matches in every program, so that two programs never wait for each other.
        """
        self._records.sort(key=_place)
        for sql, rows in (
            (_RECORDS, self._records),
            (_OPENINGS, self._openings),
            (_ADVANCE, sorted(self._advances.values())),
            (_DUES, [self._dues[match] for match in sorted(self._dues)]),
            (_CHECKPOINTS, self._checkpoints),
            (_REMINDERS, self._reminders),
        ):
            if rows:
                line.execute(sql, [_column(values) for values in zip(*rows, strict=True)])
        for sql, values in ((_STATUS, self._statuses), (SEAT, self._seats)):
            for row in values:
                line.execute(sql, row)


def _place(row: tuple[str, int, int, str, int, str]) -> tuple[str, int]:
    return row[0], row[1]


def _column(values: tuple[object, ...]) -> list[object]:
    """The values of a column with one type, whatever the numbers are, so that the statement is prepared once."""
    return [Int8(value) if isinstance(value, int) else value for value in values]
