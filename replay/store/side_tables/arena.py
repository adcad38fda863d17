"""Contests between bots, stored beside the matches in a database: the plan, and the result of each match.

A contest is a row of `contests`, under its name; each match that was played for it is a row of `contest_matches`, under
its number. The first contest makes the tables.
"""

from collections.abc import Iterable
from typing import Final

from replay.store.side_tables.sql import Tables

TABLES: Final = {
    "contests": "contest TEXT PRIMARY KEY, game TEXT NOT NULL, made_ms INTEGER NOT NULL, terms TEXT NOT NULL",
    "contest_matches": "contest TEXT NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL,"
    " PRIMARY KEY (contest, number)",
}
"""The tables and their columns. `terms` and `outcome` are JSON of the program that runs the contest."""
MADE: Final = {name: f"CREATE TABLE {name} ({columns}) STRICT, WITHOUT ROWID" for name, columns in TABLES.items()}
"""How the tables are made in SQLite."""


class Contests:
    """The contests of a database. Every method raises `StoreFailed` if the database cannot be used."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        missing = [made for name, made in MADE.items() if not tables.has(name)]
        if missing:
            tables.change([(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1), ()) for made in missing])

    def terms(self, contest: str) -> str | None:
        """The plan of a contest; None if there is none with this name."""
        rows = self._tables.ask("SELECT terms FROM contests WHERE contest = ?", contest)
        return str(rows[0][0]) if rows else None

    def begin(self, contest: str, game: str, terms: str, now_ms: int) -> None:
        """Keep a new contest; an existing one with the same name stays as it is."""
        sql = "INSERT INTO contests VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        self._tables.change([(sql, (contest, game, now_ms, terms))])

    def outcomes(self, contest: str) -> dict[int, str]:
        """The outcomes of the matches that were played, by number."""
        sql = "SELECT number, outcome FROM contest_matches WHERE contest = ? ORDER BY number"
        return dict(self._tables.ask(sql, contest))

    def keep(self, contest: str, outcomes: Iterable[tuple[int, str]]) -> None:
        """Keep outcomes of matches, all or none; a match that is there already stays as it was."""
        sql = "INSERT INTO contest_matches VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self._tables.change([(sql, (contest, number, outcome)) for number, outcome in outcomes])
