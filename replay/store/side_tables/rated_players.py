"""Persons as ratings know them: each by a random name, and by the seats taken in rated matches.

Both stay when a person gives up a seat. Deleting a person deletes the link to the name: the name and its seats stay,
and nobody can tell whose they were. The first rated seat makes the tables in a SQLite database.
"""

import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from replay.store.side_tables.sql import Statement, Tables

NAME_BYTES: Final = 12
MADE: Final = {
    "rating_names": "CREATE TABLE rating_names (person TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "rating_seats": "CREATE TABLE rating_seats (match TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,"
    " PRIMARY KEY (match, seat)) STRICT, WITHOUT ROWID",
}
"""How the tables are made in SQLite."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
_NAME: Final = "INSERT INTO rating_names VALUES (?, ?) ON CONFLICT DO NOTHING"
_SEAT: Final = """INSERT INTO rating_seats (match, seat, name) SELECT ?, ?, name FROM rating_names WHERE person = ?
ON CONFLICT DO NOTHING"""


class RatedPlayers(Protocol):
    """The persons of rated matches. Every method may be called from any thread."""

    def sit(self, person: str, match: str, seat: int) -> None:
        """Note that a seat of a rated match is a person's; the first note is final."""
        ...

    def pseudonym(self, match: str, seat: int) -> str:
        """The random name of the person with a seat; empty for a guest."""
        ...

    def name(self, person: str) -> str:
        """The random name of a person; empty if the person has none."""
        ...

    def person(self, name: str) -> str:
        """The person behind a random name; empty if there is none any more."""
        ...

    def sever(self, person: str) -> None:
        """Delete the link between a person and the name."""
        ...


class SqlRatedPlayers:
    """See `RatedPlayers`; in tables of a database. `made`: the statements that make tables that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def sit(self, person: str, match: str, seat: int) -> None:
        """See `RatedPlayers`."""
        fresh = secrets.token_hex(NAME_BYTES)
        self._tables.change([*self._made, (_NAME, (person, fresh)), (_SEAT, (match, seat, person))])

    def pseudonym(self, match: str, seat: int) -> str:
        """See `RatedPlayers`."""
        return self._one("SELECT name FROM rating_seats WHERE match = ? AND seat = ?", match, seat)

    def name(self, person: str) -> str:
        """See `RatedPlayers`."""
        return self._one("SELECT name FROM rating_names WHERE person = ?", person)

    def person(self, name: str) -> str:
        """See `RatedPlayers`."""
        return self._one("SELECT person FROM rating_names WHERE name = ?", name)

    def sever(self, person: str) -> None:
        """See `RatedPlayers`."""
        if self._tables.has("rating_names"):
            self._tables.change([("DELETE FROM rating_names WHERE person = ?", (person,))])

    def _one(self, sql: str, *values: object) -> str:
        rows = self._tables.ask(sql, *values) if self._tables.has("rating_names") else ()
        return str(rows[0][0]) if rows else ""
