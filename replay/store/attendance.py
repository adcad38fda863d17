"""What servers over one database say of who is at a match, beside the record; nothing that would be missed.

A row is what one server says of one match. That a server is there is a row of no match. A SQLite database has the table
from the first time on that something was said.
"""

from collections.abc import Iterator, Mapping
from typing import Final

MADE: Final = {
    "attendance": "CREATE TABLE attendance (match TEXT NOT NULL, server TEXT NOT NULL, at INTEGER NOT NULL,"
    " told TEXT NOT NULL, PRIMARY KEY (match, server)) STRICT, WITHOUT ROWID"
}
"""How the table is made in SQLite. `told` is JSON, which who says it reads."""
MAKE: Final = MADE["attendance"].replace("TABLE ", "TABLE IF NOT EXISTS ", 1)
SELF: Final = ""
"""The match of the row which says that a server is there."""
KEEP: Final = """INSERT INTO attendance VALUES (?, ?, ?, ?)
ON CONFLICT (match, server) DO UPDATE SET at = excluded.at, told = excluded.told"""
DROP: Final = "DELETE FROM attendance WHERE match = ? AND server = ?"
LEAVE: Final = """DELETE FROM attendance WHERE server = ? OR server NOT IN (
  SELECT server FROM attendance WHERE match = '' AND at >= ?)"""
_ASKED: Final = """SELECT match, server, told FROM attendance WHERE match {}
AND server IN (SELECT server FROM attendance WHERE match = '' AND at >= {})"""
ASK: Final = _ASKED.format("IN (SELECT value FROM json_each(?))", "?")
ASK_ELSEWHERE: Final = _ASKED.format("= ANY(%s)", "%s")


def statements(server: str, at: int, told: Mapping[str, str]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """What keeps what a server says, and that it is there."""
    yield KEEP, (SELF, server, at, "")
    for match, words in told.items():
        yield (KEEP, (match, server, at, words)) if words else (DROP, (match, server))
