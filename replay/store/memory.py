"""A store in memory, for tests and simulations; it keeps the same promises but the disk's."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from msgspec.structs import replace

from replay.store.errors import MatchExists, NoSuchMatch
from replay.store.hooks import MemoryHooks
from replay.store.log import (
    AT_ONCE,
    NEVER,
    Append,
    ChatRow,
    Commit,
    Committed,
    Conflict,
    Done,
    Entry,
    Follower,
    Head,
    Header,
    Keys,
    Pulse,
    SeatRow,
    WatchRow,
    tell,
)


@dataclass
class _Match:
    header: Header
    keys: Keys
    seats: dict[int, SeatRow]
    entries: list[Entry] = field(default_factory=list)
    head: bytes = b""
    checkpoints: list[tuple[int, bytes]] = field(default_factory=list)
    watchers: list[WatchRow] = field(default_factory=list)
    chat: list[ChatRow] = field(default_factory=list)
    due: int = AT_ONCE


def _is_full(match: _Match) -> bool:
    return match.header.status == "open" and all(row.kind for row in match.seats.values())


def _seat(match: _Match, row: SeatRow) -> None:
    """Who holds a seat from now on; without a hash the seat's token stays as it is."""
    former = match.seats.get(row.seat, row)
    match.seats[row.seat] = replace(row, token_hash=row.token_hash or former.token_hash)


class MemoryStore:
    """See `Store`."""

    def __init__(self) -> None:
        self.hooks = MemoryHooks()
        self._matches: dict[str, _Match] = {}
        self._lock = threading.Lock()
        self._followers: list[Follower] = []
        self._analyses: dict[tuple[str, str], str] = {}
        self._attendance: dict[str, dict[str, str]] = {}
        self._there: dict[str, int] = {}

    def _find(self, match: str) -> _Match:
        found = self._matches.get(match)
        if found is None:
            raise NoSuchMatch(f"there is no match {match!r}")
        return found

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Store`."""
        with self._lock:
            if header.match in self._matches:
                raise MatchExists(f"the match {header.match!r} exists already")
            self._matches[header.match] = _Match(header, keys, {row.seat: row for row in seats})
        return self.append(commit)

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Store`."""
        future: Future[Append] = Future()
        try:
            future.set_result(self.append(commit))
        except NoSuchMatch as wrong:
            future.set_exception(wrong)
        return future

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Store`; here `submit` does not wait either."""
        del commits, done
        return False

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        with self._lock:
            match = self._find(commit.match)
            if len(match.entries) != commit.expected:
                return Conflict(len(match.entries))
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
                _seat(match, commit.seat)
            if commit.due is not None:
                match.due = commit.due
            if commit.call:
                self.hooks.call(commit.match, last.seq, commit.call)
            match.checkpoints.extend(commit.earlier)
            if commit.checkpoint is not None:
                match.checkpoints.append((last.seq, commit.checkpoint))
        tell(self._followers, commit.match, last.seq)
        return Committed(last.seq)

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        entries = self._find(match).entries
        return entries[after : None if limit is None else after + limit]

    def head(self, match: str) -> Head:
        """See `Store`."""
        found = self._find(match)
        return Head(len(found.entries), found.head)

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Store`."""
        return {match: len(self._matches[match].entries) for match in matches if match in self._matches}

    def header(self, match: str) -> Header:
        """See `Store`."""
        return self._find(match).header

    def keys(self, match: str) -> Keys:
        """See `Store`."""
        return self._find(match).keys

    def seats(self, match: str) -> tuple[SeatRow, ...]:
        """See `Store`."""
        seats = self._find(match).seats
        return tuple(seats[seat] for seat in sorted(seats))

    def set_seat(self, match: str, row: SeatRow) -> None:
        """See `Store`."""
        _seat(self._find(match), row)

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """See `Store`."""
        with self._lock:
            seats = self._find(match).seats
            found = seats.get(seat)
            if found is None or found.token_hash != former:
                return False
            seats[seat] = replace(found, token_hash=token_hash)
            return True

    def disclose(self, match: str) -> None:
        """See `Store`."""
        found = self._find(match)
        found.header = replace(found.header, closed=False)

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """See `Store`."""
        found = self._matches.get(match)
        return tuple(found.watchers) if found else ()

    def grant(self, match: str, row: WatchRow) -> None:
        """See `Store`."""
        self._find(match).watchers.append(row)

    def revoke(self, match: str, seat: int) -> None:
        """See `Store`."""
        found = self._find(match)
        found.watchers = [row for row in found.watchers if row.seat != seat]

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """See `Store`."""
        found = self._find(match)
        last = max((line.n for line in found.chat if line.room == row.room), default=0)
        row = replace(row, n=max(row.n, last + 1))
        gone = row.n - keep
        found.chat = [*(line for line in found.chat if line.room != row.room or line.n > gone), row]
        return row.n

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """See `Store`."""
        found = self._matches.get(match)
        return [line for line in found.chat if line.room == room][-limit:] if found else []

    def erase_chat(self, match: str) -> bool:
        """See `Store`."""
        self._find(match).chat = []
        return True

    def analysis(self, match: str, terms: str) -> str | None:
        """See `Store`."""
        return self._analyses.get((match, terms))

    def keep_analysis(self, match: str, terms: str, found: str) -> None:
        """See `Store`."""
        self._analyses[match, terms] = found

    def attend(self, server: str, at: int, told: Mapping[str, str]) -> None:
        """See `Store`."""
        with self._lock:
            self._there[server] = at
            said = {**self._attendance.get(server, {}), **told}
            self._attendance[server] = {match: words for match, words in said.items() if words}

    def attended(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `Store`."""
        with self._lock:
            there = [(server, said) for server, said in self._attendance.items() if self._there[server] >= since]
            return [(match, server, said[match]) for server, said in there for match in matches if match in said]

    def leave(self, server: str, before: int) -> None:
        """See `Store`."""
        with self._lock:
            self._there = {each: at for each, at in self._there.items() if each != server and at >= before}
            self._attendance = {each: said for each, said in self._attendance.items() if each in self._there}

    def matches(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `Store`."""
        found = [m.header for m in self._matches.values() if status is None or m.header.status == status]
        return sorted(found, key=lambda header: -header.created_ms)[:limit]

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """See `Store`."""
        return [(header, self.seats(header.match)) for header in self.matches(status, limit)]

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Store`."""
        return list(self._find(match).checkpoints)

    def unfinished(self) -> list[Header]:
        """See `Store`."""
        found = [m for m in list(self._matches.values()) if m.header.status == "running" or _is_full(m)]
        return sorted((m.header for m in found), key=lambda header: -header.changed_ms)

    def due(self, until_ms: int) -> list[Header]:
        """See `Store`."""
        going = (m for m in list(self._matches.values()) if m.header.status != "finished")
        found = [m.header for m in going if m.due < NEVER and m.due <= until_ms]
        return sorted(found, key=lambda header: -header.changed_ms)

    def set_due(self, match: str, seq: int, due: int) -> None:
        """See `Store`."""
        with self._lock:
            found = self._find(match)
            if len(found.entries) == seq:
                found.due = due

    def counts(self) -> dict[str, int]:
        """See `Store`."""
        return dict(Counter(m.header.status for m in list(self._matches.values())))

    def pulse(self) -> Pulse:
        """See `Store`."""
        return Pulse()

    def probe(self) -> None:
        """Memory always takes what comes."""

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Memory has no disk that could fail."""

    def follow(self, follower: Follower) -> None:
        """See `Store`."""
        self._followers.append(follower)

    def close(self) -> None:
        """Nothing is waiting."""
