"""Delayed spectators: the commits that a match's delay lets them see, and the time at which they can see more.

Only complete commits are shown. The creation of a match and the taking of seats before play are not delayed, because
the lobby also shows them.
"""

import time
from collections import deque
from collections.abc import Sequence
from itertools import groupby

import msgspec
from msgspec import Struct

from domain.kernel import OpenCards
from replay.record import sealing
from replay.record.line import read_line
from replay.store.log import Entry
from replay.store.matches import Header
from server.wire.protocol import Delay

SETUP = ("MatchCreated", "SeatTaken")
BEGINNING = "MatchBegun"


def delay_of(header: Header) -> Delay | None:
    """The delay of the match's spectators now; None if there is none, or if it has ended."""
    if header.status == "finished" or not (header.delay_events or header.delay_s):
        return None
    return Delay(header.delay_events, header.delay_s)


def open_delay_of(header: Header, entries: Sequence[Entry]) -> Delay | None:
    """The delay of spectators of open cards now; None if there are no such spectators, or if their delay has ended."""
    agreed = open_cards_of(entries)
    if agreed is None or header.status == "finished":
        return None
    return Delay(agreed.events, agreed.s, agreed.phase)


def open_cards_of(entries: Sequence[Entry]) -> OpenCards | None:
    """The open cards that line 1 states; None if it states none."""
    if not entries or b'"open_cards"' not in entries[0].line:
        return None
    return _FIRST.decode(read_line(entries[0].line).payload).open_cards


class _First(Struct, frozen=True):
    open_cards: OpenCards | None = None


_FIRST = msgspec.json.Decoder(_First)


def visible_end(entries: Sequence[Entry], delay: Delay, now_ms: int, phases: frozenset[str] = frozenset()) -> int:
    """The last line of a record that spectators may see, at the end of a commit.

    All lines of a commit have the same time; lines with the same time are shown together. `phases`: the types of the
    lines that begin a phase.
    """
    end = max(len(entries) - delay.events, 0)
    if delay.phase:
        end = min(end, _phase_end(entries, phases))
    while delay.s and end and entries[end - 1].at > now_ms - delay.s * 1000:
        end -= 1
    while 0 < end < len(entries) and entries[end].at == entries[end - 1].at:
        end -= 1
    return max(end, _setup_end(entries))


def _phase_end(entries: Sequence[Entry], phases: frozenset[str]) -> int:
    """The last line before the current phase; 0 if no phase has begun."""
    return next((entry.seq - 1 for entry in reversed(entries) if entry.type in phases), 0)


def _setup_end(entries: Sequence[Entry]) -> int:
    last = 0
    for entry in entries:
        if entry.type == BEGINNING:
            break
        if entry.type in SETUP:
            last = entry.seq
    return last


class ShownCommit(Struct, frozen=True):
    """A commit that spectators may see now, and the chain's hash after it."""

    entries: tuple[Entry, ...]
    head: bytes


class _Held(Struct, frozen=True):
    entries: tuple[Entry, ...]
    due: float


class Backlog:
    """The lines that spectators may not see yet, and the end of their record: line `seq`, hash `head`.

    A commit made here is delayed by the monotonic clock, so that a jump of the wall clock releases nothing. A commit
    read from the record is delayed by the record's time.
    """

    def __init__(
        self,
        delay: Delay,
        match: str,
        entries: Sequence[Entry],
        now_ms: int,
        phases: frozenset[str] = frozenset(),
    ) -> None:
        """`phases`: the types of the lines that begin a phase."""
        self.delay = delay
        self._phases = phases
        self._phase_end = _phase_end(entries, phases)
        self.seq = visible_end(entries, delay, now_ms, phases)
        self.head = sealing.genesis(sealing.unb64(match))
        for entry in entries[: self.seq]:
            self.head = sealing.link(self.head, entry.line)
        self._newest = len(entries)
        self._free = _setup_end(entries)
        self._begun = any(entry.type == BEGINNING for entry in entries)
        now = time.monotonic()
        self._held: deque[_Held] = deque()
        for at, lines in groupby(entries[self.seq :], key=lambda entry: entry.at):
            left = max(0.0, (at - now_ms) / 1000 + delay.s) if delay.s else 0.0
            self._held.append(_Held(tuple(lines), now + left))

    def add(self, entries: Sequence[Entry]) -> None:
        """Takes new lines: a commit of this server, or lines that another server appended."""
        for entry in entries:
            self._begun = self._begun or entry.type == BEGINNING
            if not self._begun and entry.type in SETUP:
                self._free = entry.seq
        self._newest = entries[-1].seq
        self._phase_end = max(self._phase_end, _phase_end(entries, self._phases))
        # Another server's news can be several commits, of which only the first can be from before play.
        for _, lines in groupby(entries, key=lambda entry: entry.at):
            self._held.append(_Held(tuple(lines), time.monotonic() + self.delay.s))

    def due(self, *, lifted: bool = False) -> list[ShownCommit]:
        """The commits that may be seen from now on; all of them once the match has ended."""
        shown: list[ShownCommit] = []
        while self._held and (lifted or self._is_due(self._held[0])):
            entries = self._held.popleft().entries
            for entry in entries:
                self.head = sealing.link(self.head, entry.line)
            self.seq = entries[-1].seq
            shown.append(ShownCommit(entries, self.head))
        return shown

    def _is_due(self, held: _Held) -> bool:
        last = held.entries[-1].seq
        in_time = held.due <= time.monotonic()
        return last <= self._free or (last <= self._last and in_time)

    @property
    def _last(self) -> int:
        """The last line that may be seen as soon as it is old enough."""
        last = self._newest - self.delay.events
        return min(last, self._phase_end) if self.delay.phase else last

    def wait_s(self) -> float | None:
        """The number of seconds until time alone releases more; None when something else has to happen first."""
        if not self._held or self._held[0].entries[-1].seq > self._last:
            return None
        return max(0.0, self._held[0].due - time.monotonic())
