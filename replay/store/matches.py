"""The match list: a store's entries about whole matches, and the time at which each needs a server."""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from replay.store.errors import NoSuchMatch
from replay.store.seats import SeatRow
from replay.store.side_tables.sql import Tables

AT_ONCE: Final = 0
"""Due at once: already due, or the due time is unknown."""
NEVER: Final = 1 << 62
"""Never due by itself, because people are asked or the match is over."""

COLUMNS: Final = (
    "match, game, rules, created_ms, title, listed, status, result, changed_ms, closed, delay_events, delay_s"
)
"""The columns of `matches` that hold a header."""
_FULL: Final = "NOT EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = '')"


class Header(Struct, frozen=True):
    """A match's entry in the match list. `status`: open, running or finished.

    `closed`: nobody may watch without a token. `delay_events`, `delay_s`: the delay of spectators until it ends.
    """

    match: str
    game: str
    rules: str
    created_ms: int
    title: str = ""
    listed: bool = True
    status: str = "open"
    result: str = ""
    changed_ms: int = 0
    closed: bool = False
    delay_events: int = 0
    delay_s: int = 0


class Brief(Struct, frozen=True):
    """The parts of a header for finding and sorting a match."""

    match: str
    status: str
    changed_ms: int
    title: str
    game: str
    result: str


class MatchStore(Protocol):
    """All matches of a store, by status, age and due time. Every method may be called from any thread."""

    def latest(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """Matches, latest first."""
        ...

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """Listed matches of a status that everybody may watch, latest first, with the holders of their seats.

        Other matches take no place from these, so that the list tells nothing of their number.
        """
        ...

    def named(self, matches: Sequence[str]) -> list[Header]:
        """These matches, as far as they exist, in any order."""
        ...

    def briefs(self, matches: Sequence[str]) -> list[Brief]:
        """Parts of the headers of these matches, as far as they exist, in any order."""
        ...

    def players(self, matches: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The players of these matches, as far as they exist, by seat; the name of a free seat is empty."""
        ...

    def named_players(self, matches: Sequence[str]) -> list[tuple[str, str]]:
        """The match and the name of every player in these matches, in any order."""
        ...

    def dues(self, matches: Sequence[str]) -> dict[str, int]:
        """The due times of these matches, in ms; matches without one are left out."""
        ...

    def unfinished(self) -> list[Header]:
        """Every match that may continue by itself: running, or open with all seats taken; the latest changed first."""
        ...

    def due(self, until_ms: int) -> list[Header]:
        """Every unfinished match that is due by itself at a time or before, the latest changed first.

        With `NEVER` as the time, every match that is due at all.
        """
        ...

    def set_due(self, match: str, seq: int, due: int) -> None:
        """Note when a match is due by itself, unless it has continued since line `seq`."""
        ...

    def counts(self) -> dict[str, int]:
        """The number of matches, by status."""
        ...

    def disclose(self, match: str) -> None:
        """Let everybody see a match that was closed. Raises `NoSuchMatch`."""
        ...


class SqlMatches:
    """See `MatchStore`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def latest(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `MatchStore`."""
        if status is None:
            return self._headers("ORDER BY created_ms DESC, match LIMIT ?", limit)
        return self._headers("WHERE status = ? ORDER BY created_ms DESC, match LIMIT ?", status, limit)

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """See `MatchStore`."""
        headers = self._headers(
            "WHERE status = ? AND listed AND NOT closed ORDER BY created_ms DESC, match LIMIT ?", status, limit
        )
        rows: dict[str, list[SeatRow]] = {header.match: [] for header in headers}
        sql = (
            f"SELECT match, seat, name, kind, bot, token_hash FROM seats WHERE match {self._tables.among} ORDER BY seat"  # noqa: S608
        )
        for match, *row in self._tables.ask(sql, self._tables.listed(list(rows))) if rows else ():
            rows[match].append(SeatRow(*row))
        return [(header, tuple(rows[header.match])) for header in headers]

    def named(self, matches: Sequence[str]) -> list[Header]:
        """See `MatchStore`."""
        return self._headers(f"WHERE match {self._tables.among}", self._tables.listed(matches)) if matches else []

    def briefs(self, matches: Sequence[str]) -> list[Brief]:
        """See `MatchStore`."""
        columns = ", ".join(Brief.__struct_fields__)
        sql = f"SELECT {columns} FROM matches WHERE match {self._tables.among}"  # noqa: S608
        rows = self._tables.ask(sql, self._tables.listed(matches)) if matches else ()
        return [Brief(*row) for row in rows]

    def players(self, matches: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See `MatchStore`."""
        found: dict[str, tuple[str, ...]] = {}
        sql = f"SELECT match, name, kind FROM seats WHERE match {self._tables.among} ORDER BY match, seat"  # noqa: S608
        for match, name, kind in self._tables.ask(sql, self._tables.listed(matches)) if matches else ():
            found[match] = (*found.get(match, ()), name if kind else "")
        return found

    def named_players(self, matches: Sequence[str]) -> list[tuple[str, str]]:
        """See `MatchStore`."""
        sql = f"SELECT match, name FROM seats WHERE match {self._tables.among} AND kind <> ''"  # noqa: S608
        return [*self._tables.ask(sql, self._tables.listed(matches))] if matches else []

    def dues(self, matches: Sequence[str]) -> dict[str, int]:
        """See `MatchStore`."""
        sql = f"SELECT match, due FROM matches WHERE match {self._tables.among} AND due > ?"  # noqa: S608
        rows = self._tables.ask(sql, self._tables.listed(matches), AT_ONCE) if matches else ()
        return {str(match): int(due) for match, due in rows}

    def unfinished(self) -> list[Header]:
        """See `MatchStore`."""
        return self._headers(f"WHERE status = 'running' OR (status = 'open' AND {_FULL}) ORDER BY changed_ms DESC")

    def due(self, until_ms: int) -> list[Header]:
        """See `MatchStore`."""
        return self._headers("WHERE due <= ? AND status <> 'finished' ORDER BY changed_ms DESC", until_ms)

    def set_due(self, match: str, seq: int, due: int) -> None:
        """See `MatchStore`."""
        sql = "UPDATE matches SET due = ? WHERE match = ? AND seq = ?"
        self._tables.change([(sql, (due_value(due), match, seq))])

    def counts(self) -> dict[str, int]:
        """See `MatchStore`."""
        return dict(self._tables.ask("SELECT status, count(*) FROM matches GROUP BY status"))

    def disclose(self, match: str) -> None:
        """See `MatchStore`."""
        sql = "UPDATE matches SET closed = ? WHERE match = ? RETURNING match"
        if not self._tables.change([(sql, (False, match))]):
            raise NoSuchMatch(f"there is no match {match!r}")

    def _headers(self, where: str, *values: object) -> list[Header]:
        sql = f"SELECT {COLUMNS} FROM matches {where}"  # noqa: S608
        return [header_of(row) for row in self._tables.ask(sql, *values)]


def header_of(row: tuple[object, ...]) -> Header:
    """A row of `matches` as a header."""
    match, game, rules, created, title, listed, status, result, changed, closed, *delay = row
    return Header(match, game, rules, created, title, bool(listed), status, result, changed, bool(closed), *delay)  # type: ignore[arg-type]


def due_value(due: int) -> int | None:
    """A due time as a column holds it: null if the match is never due."""
    return None if due >= NEVER else due
