"""Contests between bots, kept beside the matches in a database: what was to be played, and how each match went.

A contest is a row of `contests`, under its name; each match that was played for it a row of `contest_matches`, under
its number. A database has the tables from its first contest on.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from replay.store.schema import connect
from replay.store.turns import Turns

TABLES: Final = {
    "contests": "contest TEXT PRIMARY KEY, game TEXT NOT NULL, made_ms INTEGER NOT NULL, terms TEXT NOT NULL",
    "contest_matches": "contest TEXT NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL,"
    " PRIMARY KEY (contest, number)",
}
"""The tables and their columns. `terms` and `outcome` are JSON, which who keeps the contest reads."""
MADE: Final = {name: f"CREATE TABLE {name} ({columns}) STRICT, WITHOUT ROWID" for name, columns in TABLES.items()}
"""How the tables are made."""


class Contests:
    """The contests of a database that exists; close it after use. Raises `StoreFailed` for one that cannot be read."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path, readonly=False)
        self._turns = Turns(path)
        there = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        with self._turns.committing():
            for name, made in MADE.items():
                if name not in there:
                    self._connection.execute(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1))

    def terms(self, contest: str) -> str | None:
        """What a contest is to play; None where there is none of the name."""
        row = self._connection.execute("SELECT terms FROM contests WHERE contest = ?", (contest,)).fetchone()
        return None if row is None else str(row[0])

    def begin(self, contest: str, game: str, terms: str, now_ms: int) -> None:
        """Keep a new contest; one of the same name stays as it is."""
        with self._turns.committing():
            self._connection.execute(
                "INSERT OR IGNORE INTO contests VALUES (?, ?, ?, ?)", (contest, game, now_ms, terms)
            )

    def outcomes(self, contest: str) -> dict[int, str]:
        """How the matches went that were played, by number."""
        sql = "SELECT number, outcome FROM contest_matches WHERE contest = ? ORDER BY number"
        return dict(self._connection.execute(sql, (contest,)))

    def keep(self, contest: str, outcomes: Iterable[tuple[int, str]]) -> None:
        """Keep how matches went, all or none; a match that is there already stays as it was."""
        rows = [(contest, number, outcome) for number, outcome in outcomes]
        with self._turns.committing():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR IGNORE INTO contest_matches VALUES (?, ?, ?)", rows)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
        self._turns.close()
