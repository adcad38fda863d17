"""The registry of matches in memory: it loads and unloads them, and runs their heartbeat."""

import asyncio
import logging
import time
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.kernel.clock import NEVER
from projections.face import Face
from projections.redaction import SPECTATOR
from replay.files.export import created
from replay.record.dealt_chance import event_words, is_held
from replay.record.referee import Referee, Sign
from replay.store.combined_reads import read_whole
from replay.store.errors import NoSuchMatch
from replay.store.matches import Header
from replay.store.store import Store
from server.bots.workers import Workers
from server.errors import place_of
from server.lobby.presence_exchange import PresenceExchange
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.clocks import ServerTime
from server.table.delay import delay_of, visible_end
from server.table.errors import GrantRefused
from server.table.group_commit import TRIES, GroupCommit
from server.table.guests import REFUSAL
from server.table.live_match import LiveMatch, StoredMatch
from server.table.placement import ALONE, Placement
from server.table.reminders import Notify
from server.wire.errors import NotAdmitted
from server.wire.protocol import Delay

LOG = logging.getLogger(__name__)

IDLE_S = 60.0
"""How long, in seconds, a match that nobody watches stays in memory."""


class HostingTerms(Struct, frozen=True):
    """Settings that all matches of a server share. `is_shared`: other servers may use the same store."""

    bot_delay_s: float = 0.4
    sign: Sign | None = None
    limits: Limits = DEFAULT_LIMITS
    is_shared: bool = False
    workers: Workers | None = None
    placement: Placement = ALONE
    intervals: Intervals = INTERVALS
    bounds: Bounds = BOUNDS


class MatchRegistry:
    """Holds the matches that are in memory."""

    def __init__(
        self,
        store: Store,
        faces: dict[str, Face[Any]],
        terms: HostingTerms,
        server_time: ServerTime,
        presence: PresenceExchange,
        notify: Notify | None,
        meters: Meters,
    ) -> None:
        self._store, self.faces, self._terms = store, faces, terms
        self.time, self._presence, self._notify, self._meters = server_time, presence, notify, meters
        self.is_shared, self.placement = terms.is_shared, terms.placement
        self._group_commit = GroupCommit(store, TRIES if self.placement.count > 1 else 0)
        self.forgotten = 0
        """The number of matches that have left memory because nobody watched them."""
        self._live_matches: dict[str, LiveMatch[Any]] = {}
        self._folding: dict[str, asyncio.Task[None]] = {}
        self._due: dict[str, int] = {}
        """The times, in ms, at which something is due in matches that have left memory."""
        self._taking_up: set[asyncio.Task[None]] = set()

    def in_memory(self) -> list[str]:
        """The matches that are in memory."""
        return list(self._live_matches)

    def found(self, match: str) -> LiveMatch[Any] | None:
        """A match, if it is in memory."""
        return self._live_matches.get(match)

    def live_match(self, match: str) -> LiveMatch[Any]:
        """A match in memory. Raises `NotAdmitted` when the match does not exist."""
        found = self._live_matches.get(match)
        if found is None:
            raise NotAdmitted(REFUSAL)
        return found

    async def open(self, match: str) -> LiveMatch[Any]:
        """The match, folded from its record if it is not in memory. Raises `NotAdmitted` if there is no such match."""
        if match not in self._live_matches:
            try:
                await self.fold(await asyncio.to_thread(self._store.header, match))
            except NoSuchMatch as wrong:
                raise NotAdmitted(REFUSAL) from wrong
        return self.live_match(match)

    async def fold(self, header: Header) -> None:
        """Load a match. It is folded once for all callers that wait for it, while live matches continue."""
        if header.match in self._live_matches or header.game not in self.faces:
            return
        folding = self._folding.get(header.match)
        if folding is None:
            folding = self._folding[header.match] = asyncio.get_running_loop().create_task(self._fold_aside(header))
        # A client that stops waiting does not cancel the read for the others.
        await asyncio.shield(folding)

    async def _fold_aside(self, header: Header) -> None:
        face = self.faces[header.game]
        try:
            referee, kept = await asyncio.to_thread(self._read, face, header.match)
            if header.match not in self._live_matches:
                live_match = self.take_in(face, referee, kept)
                live_match.command_queue.settle_where(is_elsewhere=self.is_shared)
                live_match.resume()
        finally:
            del self._folding[header.match]

    def _read(self, face: Face[Any], match: str) -> tuple[Referee[Any], StoredMatch]:
        whole = read_whole(self._store, match)
        referee = Referee.from_record(face.game, match, whole, self._terms.sign)
        return referee, StoredMatch.read(self._store, match, whole)

    def take_in(self, face: Face[Any], referee: Referee[Any], kept: StoredMatch) -> LiveMatch[Any]:
        """Hold a match in memory from now on; it was either read or just created."""
        self._due.pop(referee.match, None)
        live_match = self._live_matches[referee.match] = LiveMatch(
            face,
            self._store,
            referee,
            kept,
            bot_delay_s=self._terms.bot_delay_s,
            group_commit=self._group_commit,
            limits=self._terms.limits,
            time_of=self.time,
            meters=self._meters,
            notify=self._notify,
            workers=self._terms.workers,
            changed=self._presence.callback_for(referee.match),
            intervals=self._terms.intervals,
            bounds=self._terms.bounds,
        )
        self._presence.begin(live_match)
        if self.placement.count > 1 and not (self.is_shared and self.placement.has(referee.match)):
            # If there are several machines, the match lives in a process on each; the last line shows which machine
            # continues it.
            live_match.command_queue.lives_here = self.placement.has(referee.match)
        return live_match

    def is_elsewhere(self, live_match: LiveMatch[Any]) -> bool:
        """Whether somebody may be connected to the match through another server or, rarely, another process of this
        server.
        """
        return self.is_shared or not self.placement.has(live_match.match) or bool(live_match.connections.elsewhere)

    async def as_stored(self, match: str) -> LiveMatch[Any]:
        """A match with everything that is stored of it. Raises `NotAdmitted` if there is no such match."""
        live_match = await self.open(match)
        await live_match.refresh()
        return live_match

    @property
    def now_ms(self) -> int:
        """The server's time."""
        return self.time.now()

    def spectators_end(self, match: str) -> int | None:
        """The last line of the record that everybody may read; None if everybody may read all lines. Raises
        `NoSuchMatch` if there is no such match, or if it is closed.
        """
        return self._end_of(self._shown_header(match))

    def _shown_header(self, match: str) -> Header:
        header = self._store.header(match)
        if header.closed:
            raise NoSuchMatch(match)
        return header

    def _end_of(self, header: Header) -> int | None:
        delay, live_match = delay_of(header), self._live_matches.get(header.match)
        if delay is None:
            return None
        if live_match is not None:
            return live_match.visible_head.seq_for(SPECTATOR)
        return visible_end(self._store.read(header.match), delay, self.time.roughly())

    def broadcast_end(self, match: str) -> int | None:
        """The last line that a broadcast shows now; None if it shows all. Raises `NoSuchMatch` for a closed match too.

        After the end of a match everybody may read all of it, but a broadcast keeps its delay in seconds.
        """
        header, now = self._shown_header(match), self.time.roughly()
        if header.status != "finished" or now - header.changed_ms >= header.delay_s * 1000:
            return self._end_of(header)
        entries = self._store.read(match)
        shown = visible_end(entries, Delay(0, header.delay_s), now)
        return shown if shown < len(entries) else None

    async def assert_shown(self, match: str) -> None:
        """Raise `GrantRefused` if, for now, only the holder of the seat may see the match."""
        header = await asyncio.to_thread(self._store.header, match)
        first = await asyncio.to_thread(created, self._store, match)
        if is_held(first, header):
            raise GrantRefused(f"This is a table of {event_words(first)}, which is not closed yet; nobody watches it.")

    def heartbeat(self) -> None:
        """Carry out one heartbeat for all matches at once."""
        for _ in self.heartbeats():
            pass

    def heartbeats(self) -> Iterator[None]:
        """Sign idle matches again for their viewers, and load matches in which something is due.

        A few matches are handled at a time; after each few, other tasks have their turn.
        """
        self.time.beat()
        at = self.time.now()
        for match in [match for match, due in self._due.items() if due <= at]:
            del self._due[match]
            task = asyncio.get_running_loop().create_task(self._take_up(match))
            self._taking_up.add(task)
            task.add_done_callback(self._taking_up.discard)
        for number, (match, live_match) in enumerate(list(self._live_matches.items()), start=1):
            if self._live_matches.get(match) is live_match:
                live_match.heartbeat()
            if not number % self._terms.intervals.beats_at_once:
                yield

    async def _take_up(self, match: str) -> None:
        try:
            await self.open(match)
        except Exception as wrong:
            LOG.error("match %s cannot continue: %s", match, place_of(wrong))

    def forget_idle(self, after_s: float = IDLE_S) -> int:
        """Remove matches that nobody watches from memory; returns their number."""
        now = time.monotonic()
        idle = [
            m
            for m, live_match in self._live_matches.items()
            if live_match.is_idle and now - live_match.idle_since > after_s
        ]
        for match in idle:
            live_match = self._live_matches.pop(match)
            self._presence.changed(match)
            self._presence.rematches.forget(match)
            live_match.timers.stop()
            if live_match.timers.due_ms != NEVER and self.placement.has(match):
                self._due[match] = live_match.timers.due_ms
        self.forgotten += len(idle)
        return len(idle)

    async def close(self) -> None:
        """Stop the matches in memory: they accept no more choices, commits in progress finish, and nobody is present
        any more.
        """
        self.time.beat()
        await self._presence.close()
        for live_match in list(self._live_matches.values()):
            await live_match.close()
