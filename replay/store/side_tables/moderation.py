"""Moderation: blocks and mutes of persons, reports, and the chained log of the staff's acts; side tables.

The log refers to persons by random names. A separate table links these names to persons. Deleting a person deletes the
link, and the log stays whole. Times are in ms since 1970. The first use makes the tables in a SQLite database.
"""

import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Statement, Tables

NAME_BYTES: Final = 12
MADE: Final = {
    "person_shuns": "CREATE TABLE person_shuns (person TEXT NOT NULL, other TEXT NOT NULL, kind TEXT NOT NULL,"
    " name TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID",
    "reports": "CREATE TABLE reports (id TEXT PRIMARY KEY, at INTEGER NOT NULL, person TEXT NOT NULL,"
    " source TEXT NOT NULL, match TEXT NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, about TEXT NOT NULL,"
    " why TEXT NOT NULL, lines TEXT NOT NULL, seq INTEGER NOT NULL, settled INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "staff_names": "CREATE TABLE staff_names (person TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "staff_log": "CREATE TABLE staff_log (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL,"
    " about TEXT NOT NULL, act TEXT NOT NULL, why TEXT NOT NULL, until INTEGER NOT NULL, report TEXT NOT NULL,"
    " hash BLOB NOT NULL) STRICT",
}
"""How the tables are made in SQLite."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
OPEN: Final = 0
"""The time of settlement of a report that waits."""


class ShunRow(Struct, frozen=True):
    """A person whom another blocks or mutes; `name`: as the blocking person knows the other."""

    person: str
    other: str
    kind: str
    name: str
    at: int


class ReportRow(Struct, frozen=True):
    """A report from a match. `person` made it, empty for a guest, and `source` is its origin. `who` is reported, named
    `name` at that table; `about` is that person, if known. `lines`: the chat at that time, as JSON; `seq`: the last
    line of the record then; `settled`: the time of settlement, 0 while it waits."""

    id: str
    at: int
    person: str
    source: str
    match: str
    who: str
    name: str
    about: str
    why: str
    lines: str
    seq: int
    settled: int = OPEN

    def __repr__(self) -> str:
        return f"ReportRow({self.id})"


class LogRow(Struct, frozen=True):
    """An entry of the staff's log. `author` and `about` are random names; `until`: when it ends, 0 for never."""

    n: int
    at: int
    author: str
    about: str
    act: str
    why: str
    until: int
    report: str
    hash: bytes


class Moderation(Protocol):
    """Shuns, reports and the staff's log. Every method may be called from any thread, and waits; see `Store`."""

    def shun(self, row: ShunRow, most: int) -> bool:
        """Block or mute somebody, in place of an earlier entry; False if there are `most` already."""
        ...

    def unshun(self, person: str, other: str) -> None:
        """Stop blocking or muting somebody."""
        ...

    def shuns(self, person: str) -> list[ShunRow]:
        """Everybody whom a person blocks or mutes, the earliest first."""
        ...

    def report(self, row: ReportRow, most: int) -> bool:
        """Keep a report; False if its source has `most` waiting reports already."""
        ...

    def reports(self, limit: int, *, after: int = 0, settled: bool = False) -> list[ReportRow]:
        """Reports that wait or are settled, the oldest first, skipping a number of them."""
        ...

    def reports_by(self, person: str) -> list[ReportRow]:
        """The reports that a person has made, the oldest first."""
        ...

    def found_report(self, name: str) -> ReportRow | None:
        """The report with an id."""
        ...

    def settle_report(self, name: str, at: int) -> bool:
        """Settle a report; False if it was settled before."""
        ...

    def drop_reports(self, before: int, *, dry: bool = False) -> int:
        """Delete the reports that were settled before a time; returns their number. `dry`: only count them."""
        ...

    def name_of(self, person: str) -> str:
        """The random name of a person in the log; if there is none yet, one is drawn."""
        ...

    def known_name(self, person: str) -> str:
        """The random name of a person; empty if the log has none."""
        ...

    def person_of(self, name: str) -> str:
        """The person behind a random name; empty if there is none any more."""
        ...

    def log(self, row: LogRow) -> None:
        """Append an entry. Raises `RowExists` if another has its number."""
        ...

    def entries(self, after: int = 0, limit: int = 1 << 31) -> list[LogRow]:
        """The entries of the log in order."""
        ...

    def about(self, name: str) -> list[LogRow]:
        """The entries about a random name in order."""
        ...

    def last(self) -> LogRow | None:
        """The last entry."""
        ...

    def forget(self, person: str) -> None:
        """Delete a person's blocks and mutes, those of others against the person, and reports about the person.

        The person's own reports stay without a name, and so does the person's random name in the log.
        """
        ...


class SqlModeration:
    """See `Moderation`; in tables of a database. `made`: the statements that make tables that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def _is_there(self) -> bool:
        return not self._made or self._tables.has("staff_log")

    def shun(self, row: ShunRow, most: int) -> bool:
        """See `Moderation`."""
        sql = """INSERT INTO person_shuns SELECT ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM person_shuns
        WHERE person = ? AND other <> ?) < ? ON CONFLICT (person, other) DO UPDATE
        SET kind = excluded.kind, name = excluded.name, at = excluded.at RETURNING other"""
        values = (*astuple(row), row.person, row.other, most)
        return bool(self._tables.change([*self._made, (sql, values)]))

    def unshun(self, person: str, other: str) -> None:
        """See `Moderation`."""
        if self._is_there():
            self._tables.change([("DELETE FROM person_shuns WHERE person = ? AND other = ?", (person, other))])

    def shuns(self, person: str) -> list[ShunRow]:
        """See `Moderation`."""
        sql = "SELECT person, other, kind, name, at FROM person_shuns WHERE person = ? ORDER BY at, other"
        return [ShunRow(*row) for row in self._tables.ask(sql, person)] if self._is_there() else []

    def report(self, row: ReportRow, most: int) -> bool:
        """See `Moderation`."""
        sql = """INSERT INTO reports SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
        WHERE (SELECT count(*) FROM reports WHERE source = ? AND settled = 0) < ? RETURNING id"""
        return bool(self._tables.change([*self._made, (sql, (*astuple(row), row.source, most))]))

    def reports(self, limit: int, *, after: int = 0, settled: bool = False) -> list[ReportRow]:
        """See `Moderation`."""
        compared = ">" if settled else "="
        sql = f"""SELECT id, at, person, source, match, who, name, about, why, lines, seq, settled FROM reports
        WHERE settled {compared} 0 ORDER BY at, id LIMIT ? OFFSET ?"""  # noqa: S608
        return [ReportRow(*row) for row in self._tables.ask(sql, limit, after)] if self._is_there() else []

    def reports_by(self, person: str) -> list[ReportRow]:
        """See `Moderation`."""
        sql = """SELECT id, at, person, source, match, who, name, about, why, lines, seq, settled FROM reports
        WHERE person = ? ORDER BY at, id"""
        return [ReportRow(*row) for row in self._tables.ask(sql, person)] if self._is_there() else []

    def found_report(self, name: str) -> ReportRow | None:
        """See `Moderation`."""
        sql = """SELECT id, at, person, source, match, who, name, about, why, lines, seq, settled FROM reports
        WHERE id = ?"""
        rows = self._tables.ask(sql, name) if self._is_there() else ()
        return ReportRow(*rows[0]) if rows else None

    def settle_report(self, name: str, at: int) -> bool:
        """See `Moderation`."""
        sql = "UPDATE reports SET settled = ? WHERE id = ? AND settled = 0 RETURNING id"
        return self._is_there() and bool(self._tables.change([(sql, (at, name))]))

    def drop_reports(self, before: int, *, dry: bool = False) -> int:
        """See `Moderation`."""
        if not self._is_there():
            return 0
        sql = "SELECT count(*) FROM reports WHERE settled > 0 AND settled < ?"
        ((found,),) = self._tables.ask(sql, before)
        if not dry:
            self._tables.change([("DELETE FROM reports WHERE settled > 0 AND settled < ?", (before,))])
        return int(found)

    def name_of(self, person: str) -> str:
        """See `Moderation`."""
        fresh = secrets.token_hex(NAME_BYTES)
        sql = "INSERT INTO staff_names (person, name) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._tables.change([*self._made, (sql, (person, fresh))])
        return self.known_name(person)

    def known_name(self, person: str) -> str:
        """See `Moderation`."""
        return self._one("SELECT name FROM staff_names WHERE person = ?", person)

    def person_of(self, name: str) -> str:
        """See `Moderation`."""
        return self._one("SELECT person FROM staff_names WHERE name = ?", name)

    def _one(self, sql: str, value: str) -> str:
        rows = self._tables.ask(sql, value) if self._is_there() else ()
        return str(rows[0][0]) if rows else ""

    def log(self, row: LogRow) -> None:
        """See `Moderation`."""
        sql = """INSERT INTO staff_log (n, at, author, about, act, why, until, report, hash)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        self._tables.change([*self._made, (sql, astuple(row))])

    def entries(self, after: int = 0, limit: int = 1 << 31) -> list[LogRow]:
        """See `Moderation`."""
        return self._rows("WHERE n > ? ORDER BY n LIMIT ?", after, limit)

    def about(self, name: str) -> list[LogRow]:
        """See `Moderation`."""
        return self._rows("WHERE about = ? ORDER BY n", name)

    def last(self) -> LogRow | None:
        """See `Moderation`."""
        rows = self._rows("WHERE n = (SELECT max(n) FROM staff_log)")
        return rows[0] if rows else None

    def _rows(self, where: str, *values: object) -> list[LogRow]:
        sql = f"SELECT n, at, author, about, act, why, until, report, hash FROM staff_log {where}"  # noqa: S608
        return [LogRow(*row) for row in self._tables.ask(sql, *values)] if self._is_there() else []

    def forget(self, person: str) -> None:
        """See `Moderation`."""
        if self._is_there():
            self._tables.change(
                [
                    ("DELETE FROM person_shuns WHERE person = ? OR other = ?", (person, person)),
                    ("DELETE FROM staff_names WHERE person = ?", (person,)),
                    ("UPDATE reports SET person = '', source = id WHERE person = ?", (person,)),
                    ("DELETE FROM reports WHERE about = ?", (person,)),
                ]
            )
