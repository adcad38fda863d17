"""Rated results, kept beside the matches in a database, so that each finished match is audited once.

A row of `rating_settled` says why a finished match does not count; the reason is empty if it counts. A row of
`rating_results` is a result that counts, under its time and id, which order all results. The first request for ratings
makes the tables in a SQLite database.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "rating_settled": "CREATE TABLE rating_settled (match TEXT PRIMARY KEY, why TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "rating_results": "CREATE TABLE rating_results (at INTEGER NOT NULL, match BLOB NOT NULL, result TEXT NOT NULL,"
    " PRIMARY KEY (at, match)) STRICT, WITHOUT ROWID",
}
"""How the tables are made in SQLite. `result` is JSON of the program that stores it; `match` in its table is the id in
ASCII as bytes, which every database sorts in the same order."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
_UNSETTLED: Final = """SELECT match FROM matches WHERE status = 'finished' AND match > ?
AND NOT EXISTS (SELECT 1 FROM rating_settled WHERE rating_settled.match = matches.match) ORDER BY match LIMIT ?"""
_ALL: Final = "SELECT match FROM matches WHERE status = 'finished' AND match > ? ORDER BY match LIMIT ?"
_AFTER: Final = """SELECT at, match, result FROM rating_results WHERE (at, match) > (?, ?) AND at <= ?
ORDER BY at, match LIMIT ?"""
_SETTLE: Final = "INSERT INTO rating_settled VALUES (?, ?) ON CONFLICT DO NOTHING"
_KEEP: Final = "INSERT INTO rating_results VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
Row = tuple[int, str, str]
"""The time at which a result counts, in ms; its id; the result."""


class RatedResults(Protocol):
    """The rated results of a server. Every method may be called from any thread."""

    def unsettled(self, after: str, limit: int) -> list[str]:
        """Finished matches that are not settled yet, by id, after a given id."""
        ...

    def settle(self, match: str, why: str, kept: Row | None = None) -> None:
        """Note that a match counts with this result, or why it does not. The first note stays."""
        ...

    def why(self, match: str) -> str | None:
        """Why a match does not count, empty if it does; None if it is not settled yet."""
        ...

    def results(self, after: tuple[int, str], until_ms: int, limit: int) -> list[Row]:
        """The results that count after a place in the order, up to a time, in order."""
        ...

    def count(self, last: tuple[int, str]) -> int:
        """The number of results up to and including a place in the order."""
        ...


class SqlRatedResults:
    """See `RatedResults`; in tables of a database. `made`: the statements that make tables that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def unsettled(self, after: str, limit: int) -> list[str]:
        """See `RatedResults`."""
        return [match for (match,) in self._tables.ask(_UNSETTLED if self._there else _ALL, after, limit)]

    def settle(self, match: str, why: str, kept: Row | None = None) -> None:
        """See `RatedResults`."""
        statements: list[Statement] = [(_SETTLE, (match, why))]
        if kept is not None:
            at, match_id, result = kept
            statements.append((_KEEP, (at, match_id.encode("ascii"), result)))
        self._tables.change([*self._made, *statements])

    def why(self, match: str) -> str | None:
        """See `RatedResults`."""
        sql = "SELECT why FROM rating_settled WHERE match = ?"
        rows = self._tables.ask(sql, match) if self._there else ()
        return str(rows[0][0]) if rows else None

    def results(self, after: tuple[int, str], until_ms: int, limit: int) -> list[Row]:
        """See `RatedResults`."""
        place = after[0], after[1].encode("ascii")
        rows = self._tables.ask(_AFTER, *place, until_ms, limit) if self._there else ()
        return [(int(at), bytes(match).decode("ascii"), str(result)) for at, match, result in rows]

    def count(self, last: tuple[int, str]) -> int:
        """See `RatedResults`."""
        sql = "SELECT count(*) FROM rating_results WHERE (at, match) <= (?, ?)"
        rows = self._tables.ask(sql, last[0], last[1].encode("ascii")) if self._there else ()
        return int(rows[0][0]) if rows else 0

    @property
    def _there(self) -> bool:
        return self._tables.has("rating_results")


class MemoryRatedResults:
    """See `RatedResults`; in memory. `finished` gives the finished matches."""

    def __init__(self, finished: Callable[[], list[str]]) -> None:
        self._finished = finished
        self._settled: dict[str, str] = {}
        self._results: dict[tuple[int, str], str] = {}

    def unsettled(self, after: str, limit: int) -> list[str]:
        """See `RatedResults`."""
        return sorted(m for m in self._finished() if m > after and m not in self._settled)[:limit]

    def settle(self, match: str, why: str, kept: Row | None = None) -> None:
        """See `RatedResults`."""
        self._settled.setdefault(match, why)
        if kept is not None:
            self._results.setdefault(kept[:2], kept[2])

    def why(self, match: str) -> str | None:
        """See `RatedResults`."""
        return self._settled.get(match)

    def results(self, after: tuple[int, str], until_ms: int, limit: int) -> list[Row]:
        """See `RatedResults`."""
        keys = sorted(key for key in self._results if key > after and key[0] <= until_ms)
        return [(*key, self._results[key]) for key in keys[:limit]]

    def count(self, last: tuple[int, str]) -> int:
        """See `RatedResults`."""
        return sum(key <= last for key in self._results)
