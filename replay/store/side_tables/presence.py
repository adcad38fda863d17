"""Presence at matches, as servers over one database announce it beside the record; its loss would do no harm.

A row is the announcement of one server about one match. A row without a match says that a server is there. The first
announcement makes the table in a SQLite database.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "attendance": "CREATE TABLE attendance (match TEXT NOT NULL, server TEXT NOT NULL, at INTEGER NOT NULL,"
    " told TEXT NOT NULL, PRIMARY KEY (match, server)) STRICT, WITHOUT ROWID"
}
"""How the table is made in SQLite. `told` is JSON of the servers."""
MAKE: Final = MADE["attendance"].replace("TABLE ", "TABLE IF NOT EXISTS ", 1)
SELF: Final = ""
"""The match in the row which says that a server is there."""
_KEEP: Final = """INSERT INTO attendance VALUES (?, ?, ?, ?)
ON CONFLICT (match, server) DO UPDATE SET at = excluded.at, told = excluded.told"""
_DROP: Final = "DELETE FROM attendance WHERE match = ? AND server = ?"
_LEAVE: Final = """DELETE FROM attendance WHERE server = ? OR server NOT IN (
  SELECT server FROM attendance WHERE match = '' AND at >= ?)"""
_ASK: Final = """SELECT match, server, told FROM attendance WHERE match {}
AND server IN (SELECT server FROM attendance WHERE match = '' AND at >= ?)"""


class PresenceStore(Protocol):
    """Presence at matches, as servers announce it. Every method may be called from any thread."""

    def announce(self, server: str, at: int, words: Mapping[str, str]) -> None:
        """Keep a server's announcements about these matches, and note that it is there at a time.

        The announcement "" removes the one about a match.
        """
        ...

    def announced(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """Announcements about these matches by servers that were there at a time or later: match, server, words."""
        ...

    def leave(self, server: str, before: int) -> None:
        """Delete all announcements of a server, and of servers that were last there before a time."""
        ...


class SqlPresence:
    """See `PresenceStore`; in a table of a database. `made`: the statements that make a table that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def announce(self, server: str, at: int, words: Mapping[str, str]) -> None:
        """See `PresenceStore`."""
        said: list[Statement] = [(_KEEP, (SELF, server, at, ""))]
        for match, told in words.items():
            said.append((_KEEP, (match, server, at, told)) if told else (_DROP, (match, server)))
        self._tables.change([*self._made, *said])

    def announced(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `PresenceStore`."""
        if not self._tables.has("attendance"):
            return []
        rows = self._tables.ask(_ASK.format(self._tables.among), self._tables.listed(matches), since)
        return [(match, server, told) for match, server, told in rows]

    def leave(self, server: str, before: int) -> None:
        """See `PresenceStore`."""
        if self._tables.has("attendance"):
            self._tables.change([(_LEAVE, (server, before))])


class MemoryPresence:
    """See `PresenceStore`; in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._words: dict[str, dict[str, str]] = {}
        self._there: dict[str, int] = {}

    def announce(self, server: str, at: int, words: Mapping[str, str]) -> None:
        """See `PresenceStore`."""
        with self._lock:
            self._there[server] = at
            said = {**self._words.get(server, {}), **words}
            self._words[server] = {match: told for match, told in said.items() if told}

    def announced(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `PresenceStore`."""
        with self._lock:
            there = [(server, said) for server, said in self._words.items() if self._there[server] >= since]
            return [(match, server, said[match]) for server, said in there for match in matches if match in said]

    def leave(self, server: str, before: int) -> None:
        """See `PresenceStore`."""
        with self._lock:
            self._there = {each: at for each, at in self._there.items() if each != server and at >= before}
            self._words = {each: said for each, said in self._words.items() if each in self._there}
