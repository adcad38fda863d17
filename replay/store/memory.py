"""A store in memory, for tests and simulations; it gives the same guarantees except durability."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from msgspec.structs import replace

from replay.store.combined_reads import entrance_of, whole_of
from replay.store.errors import MatchExists, NoSuchMatch
from replay.store.health import Pulse
from replay.store.log import (
    Append,
    Commit,
    Committed,
    Conflict,
    Done,
    Entrance,
    Entry,
    Follower,
    Head,
    Keys,
    Whole,
    tell,
)
from replay.store.matches import AT_ONCE, NEVER, Brief, Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.side_tables import (
    calendars,
    moderation,
    notices,
    opponents,
    rated_players,
    rulings,
    seat_entries,
    standing,
)
from replay.store.side_tables.analysis import MemoryAnalyses
from replay.store.side_tables.calendars import SqlCalendars
from replay.store.side_tables.chat import MemoryChat
from replay.store.side_tables.claims import SqlClaims
from replay.store.side_tables.devices import SqlDevices
from replay.store.side_tables.moderation import SqlModeration
from replay.store.side_tables.notices import SqlNotices
from replay.store.side_tables.opponents import SqlOpponents
from replay.store.side_tables.passkeys import SqlPasskeys
from replay.store.side_tables.people import SqlPeople
from replay.store.side_tables.presence import MemoryPresence
from replay.store.side_tables.rated_players import SqlRatedPlayers
from replay.store.side_tables.ratings import MemoryRatedResults
from replay.store.side_tables.rulings import SqlRulings
from replay.store.side_tables.seat_entries import SqlSeatEntries
from replay.store.side_tables.standing import SqlStandingAnswers
from replay.store.side_tables.webhooks import MemoryWebhooks
from replay.store.sqlite.memory_tables import MemoryTables
from replay.store.sqlite.schema import CLAIMS, PEOPLE


@dataclass
class _Match:
    header: Header
    keys: Keys
    seats: dict[int, SeatRow]
    entries: list[Entry] = field(default_factory=list)
    head: bytes = b""
    checkpoints: list[tuple[int, bytes]] = field(default_factory=list)
    watchers: list[WatchRow] = field(default_factory=list)
    due: int = AT_ONCE

    def sit(self, row: SeatRow) -> None:
        """Set the holder of a seat; without a hash, the seat's token stays as it is."""
        former = self.seats.get(row.seat, row)
        self.seats[row.seat] = replace(row, token_hash=row.token_hash or former.token_hash)


class _Shelf:
    """The matches by name, and the lock under which they change."""

    def __init__(self) -> None:
        self.matches: dict[str, _Match] = {}
        self.lock = threading.Lock()

    def find(self, match: str) -> _Match:
        found = self.matches.get(match)
        if found is None:
            raise NoSuchMatch(f"there is no match {match!r}")
        return found

    def all(self) -> list[_Match]:
        return list(self.matches.values())


class MemoryMatches:
    """See `MatchStore`."""

    def __init__(self, shelf: _Shelf) -> None:
        self._shelf = shelf

    def latest(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `MatchStore`."""
        found = [m.header for m in self._shelf.all() if status is None or m.header.status == status]
        return sorted(found, key=lambda header: -header.created_ms)[:limit]

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """See `MatchStore`."""
        shown = [
            header for header in self.latest(status, len(self._shelf.matches)) if header.listed and not header.closed
        ]
        return [(header, _holders(self._shelf.find(header.match))) for header in shown[:limit]]

    def named(self, matches: Sequence[str]) -> list[Header]:
        """See `MatchStore`."""
        there = self._shelf.matches
        return [there[match].header for match in matches if match in there]

    def briefs(self, matches: Sequence[str]) -> list[Brief]:
        """See `MatchStore`."""
        found = self.named(matches)
        return [Brief(one.match, one.status, one.changed_ms, one.title, one.game, one.result) for one in found]

    def players(self, matches: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See `MatchStore`."""
        there = self._shelf.matches
        return {
            match: tuple(row.name if row.kind else "" for row in _holders(there[match]))
            for match in matches
            if match in there
        }

    def named_players(self, matches: Sequence[str]) -> list[tuple[str, str]]:
        """See `MatchStore`."""
        return [(match, name) for match, names in self.players(matches).items() for name in names if name]

    def dues(self, matches: Sequence[str]) -> dict[str, int]:
        """See `MatchStore`."""
        there = self._shelf.matches
        return {match: there[match].due for match in matches if match in there and AT_ONCE < there[match].due < NEVER}

    def unfinished(self) -> list[Header]:
        """See `MatchStore`."""
        found = [m for m in self._shelf.all() if m.header.status == "running" or _is_full(m)]
        return sorted((m.header for m in found), key=lambda header: -header.changed_ms)

    def due(self, until_ms: int) -> list[Header]:
        """See `MatchStore`."""
        going = (m for m in self._shelf.all() if m.header.status != "finished")
        found = [m.header for m in going if m.due < NEVER and m.due <= until_ms]
        return sorted(found, key=lambda header: -header.changed_ms)

    def set_due(self, match: str, seq: int, due: int) -> None:
        """See `MatchStore`."""
        with self._shelf.lock:
            found = self._shelf.find(match)
            if len(found.entries) == seq:
                found.due = due

    def counts(self) -> dict[str, int]:
        """See `MatchStore`."""
        return dict(Counter(m.header.status for m in self._shelf.all()))

    def disclose(self, match: str) -> None:
        """See `MatchStore`."""
        with self._shelf.lock:
            found = self._shelf.find(match)
            found.header = replace(found.header, closed=False)


def _is_full(match: _Match) -> bool:
    return match.header.status == "open" and all(row.kind for row in match.seats.values())


def _holders(match: _Match) -> tuple[SeatRow, ...]:
    return tuple(match.seats[seat] for seat in sorted(match.seats))


class MemorySeats:
    """See `Seats`."""

    def __init__(self, shelf: _Shelf) -> None:
        self._shelf = shelf

    def holders(self, match: str) -> tuple[SeatRow, ...]:
        """See `Seats`."""
        return _holders(self._shelf.find(match))

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """See `Seats`."""
        with self._shelf.lock:
            seats = self._shelf.find(match).seats
            found = seats.get(seat)
            if found is None or found.token_hash != former:
                return False
            seats[seat] = replace(found, token_hash=token_hash)
            return True

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """See `Seats`."""
        found = self._shelf.matches.get(match)
        return tuple(found.watchers) if found else ()

    def grant(self, match: str, row: WatchRow) -> None:
        """See `Seats`."""
        self._shelf.find(match).watchers.append(row)

    def revoke(self, match: str, seat: int) -> None:
        """See `Seats`."""
        found = self._shelf.find(match)
        found.watchers = [row for row in found.watchers if row.seat != seat]


class MemoryStore:
    """See `Store`."""

    def __init__(self) -> None:
        self._shelf = _Shelf()
        self._followers: list[Follower] = []
        self.matches = MemoryMatches(self._shelf)
        self.seats = MemorySeats(self._shelf)
        self.chat = MemoryChat()
        self.analyses = MemoryAnalyses()
        self.presence = MemoryPresence()
        self.webhooks = MemoryWebhooks()
        self._tables = MemoryTables(PEOPLE + CLAIMS + ";".join((*notices.MAKE, *seat_entries.MAKE)))
        self.devices = SqlDevices(self._tables)
        self.claims = SqlClaims(self._tables)
        self.passkeys = SqlPasskeys(self._tables)
        self.people = SqlPeople(self._tables, lambda: True)
        self.ratings = MemoryRatedResults(self._finished)
        self.rated_players = SqlRatedPlayers(MemoryTables(";".join(rated_players.MAKE)))
        self.opponents = SqlOpponents(MemoryTables(";".join(opponents.MAKE)))
        beside = MemoryTables(";".join((*rulings.MAKE, *moderation.MAKE, *calendars.MAKE, *standing.MAKE)))
        self.rulings = SqlRulings(beside)
        self.standing = SqlStandingAnswers(beside)
        self.calendars = SqlCalendars(beside)
        self.seat_entries = SqlSeatEntries(self._tables)
        self.notices = SqlNotices(self._tables)
        self.moderation = SqlModeration(beside)

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Log`."""
        with self._shelf.lock:
            if header.match in self._shelf.matches:
                raise MatchExists(f"the match {header.match!r} exists already")
            self._shelf.matches[header.match] = _Match(header, keys, {row.seat: row for row in seats})
        return self.append(commit)

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Log`."""
        future: Future[Append] = Future()
        try:
            future.set_result(self.append(commit))
        except NoSuchMatch as wrong:
            future.set_exception(wrong)
        return future

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Log`; here `submit` does not wait either."""
        del commits, done
        return False

    def append(self, commit: Commit) -> Append:
        """See `Log`."""
        with self._shelf.lock:
            match = self._shelf.find(commit.match)
            if len(match.entries) != commit.expected:
                return Conflict(len(match.entries))
            last = _extend(match, commit)
            if commit.reminder:
                self.webhooks.remind(commit.match, last.seq, commit.reminder)
        tell(self._followers, commit.match, last.seq)
        return Committed(last.seq)

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Log`."""
        entries = self._shelf.find(match).entries
        return entries[after : None if limit is None else after + limit]

    def head(self, match: str) -> Head:
        """See `Log`."""
        found = self._shelf.find(match)
        return Head(len(found.entries), found.head)

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Log`."""
        there = self._shelf.matches
        return {match: len(there[match].entries) for match in matches if match in there}

    def header(self, match: str) -> Header:
        """See `Log`."""
        return self._shelf.find(match).header

    def keys(self, match: str) -> Keys:
        """See `Log`."""
        return self._shelf.find(match).keys

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Log`."""
        return list(self._shelf.find(match).checkpoints)

    def whole(self, match: str) -> Whole:
        """See `Log`."""
        return whole_of(self, match)

    def entrance(self, match: str) -> Entrance:
        """See `Log`."""
        return entrance_of(self, match)

    def follow(self, follower: Follower) -> None:
        """See `Log`."""
        self._followers.append(follower)

    def _finished(self) -> list[str]:
        return [match.header.match for match in self._shelf.all() if match.header.status == "finished"]

    def pulse(self) -> Pulse:
        """See `Store`."""
        return Pulse()

    def probe(self) -> None:
        """Memory always takes a commit."""

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Memory has no disk that could fail."""

    def close(self) -> None:
        """Nothing is waiting."""
        self._tables.close()


def _extend(match: _Match, commit: Commit) -> Entry:
    match.entries.extend(commit.entries)
    match.head = commit.head
    last = match.entries[-1]
    match.header = replace(
        match.header,
        status=commit.status or match.header.status,
        result=match.header.result if commit.result is None else commit.result,
        changed_ms=last.at,
    )
    if commit.seat is not None:
        match.sit(commit.seat)
    if commit.due is not None:
        match.due = commit.due
    match.checkpoints.extend(commit.earlier)
    if commit.checkpoint is not None:
        match.checkpoints.append((last.seq, commit.checkpoint))
    return last
