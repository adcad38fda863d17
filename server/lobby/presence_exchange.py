"""Presence across servers over one store: each server writes its own presence, and reads the others' entries.

Presence is kept in the store, which is trusted; a notification states only that there is news beside a match. Without
notifications, the store is read at intervals, which is slower but never wrong. A server that gives no sign of life for
a while counts as gone, with everybody who was connected to it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final

from replay.errors import RecordError
from replay.store.store import Store
from server.errors import place_of
from server.lobby.rematch_votes import RematchVotes
from server.operations.intervals import INTERVALS, Intervals
from server.table.admission import Changed
from server.table.clocks import ServerTime
from server.table.live_match import LiveMatch
from server.table.shared_presence import ServerPresence, read

LOG = logging.getLogger(__name__)
BESIDE: Final = 0
"""A value sent in place of a line's number: there is news beside the record, but not in it."""
FORGOTTEN_MS: Final = 600_000
"""How long a server has to be gone before the presence that it reported is forgotten."""
Found = Callable[[str], LiveMatch[Any] | None]
Says = Callable[[LiveMatch[Any]], bool]
TookIn = Callable[[LiveMatch[Any]], Awaitable[None]]
Tell = Callable[[Mapping[str, int]], None]
"""Informs other servers which matches have news, and up to which line."""


class PresenceExchange:
    """The presence that this server writes, and the presence that it has read."""

    def __init__(
        self,
        store: Store,
        found: Found,
        now: ServerTime,
        says: Says | None,
        took_in: TookIn | None = None,
        intervals: Intervals = INTERVALS,
    ) -> None:
        """`found`: looks up a match in memory; `says`: announces that this match has news, None if there are no other
        servers; `took_in`: called with a match once it has applied the entries of other servers.
        """
        self.is_on = says is not None
        self.server = secrets.token_hex(8)
        self.rematches = RematchVotes(store, self.server)
        self._took_in = took_in or self.rematches.take_in
        self._intervals = intervals
        self._tell_others: list[Tell] = []
        self._store, self._found, self._time, self._says = store, found, now, says
        self._first = 1000 * secrets.randbelow(1_000_000) if self.is_on else 0
        self._due: set[str] = set()
        self._asked: set[str] = set()
        self._written: dict[str, str] = {}
        self._signed_at = time.monotonic()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._reading = asyncio.Lock()
        self._is_failing = False

    def callback_for(self, match: str) -> Changed | None:
        """A callback for news about the match that other servers need; None if there are no other servers."""
        return partial(self.changed, match) if self.is_on else None

    def tell_through(self, tell: Tell) -> None:
        """Register another callback that carries news to other servers."""
        self._tell_others.append(tell)

    def begin(self, live_match: LiveMatch[Any]) -> None:
        """Handle a match that is now in memory: no name in its chat may already be used at another server."""
        live_match.connections.count_from(self._first)

    def changed(self, match: str) -> None:
        """Inform the other servers soon about a match, if there is news."""
        if self.is_on:
            self._due.add(match)
            self._run("write", self._write)

    def notified(self, matches: Iterable[str]) -> None:
        """Look for news of these matches, which another server has announced."""
        self._asked.update(match for match in matches if self._found(match) is not None)
        if self._asked and self.is_on:
            self._run("read", self._read)

    def _run(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = self._tasks.get(name)
        if task is None or task.done():
            self._tasks[name] = asyncio.get_running_loop().create_task(work())

    async def _write(self) -> None:
        while self._due:
            due, self._due = self._due, set()
            told = {match: words for match in due if (words := self._words(match)) != self._written.get(match, "")}
            if told and not await self._in_peace(self._attend(told)):
                self._due |= due  # presence that could not be written is written at the next check
                return

    def _words(self, match: str) -> str:
        live_match = self._found(match)
        is_said = live_match is not None and self._says is not None and self._says(live_match)
        if live_match is None or not is_said:
            return ""
        return self.rematches.attendance(live_match, live_match.attendance()).written()

    async def _attend(self, told: Mapping[str, str]) -> None:
        await asyncio.to_thread(self._store.presence.announce, self.server, self._time.roughly(), told)
        self._signed_at = time.monotonic()
        kept = {**self._written, **told}
        self._written = {match: words for match, words in kept.items() if words}
        if told:
            for tell in self._tell_others:
                tell(dict.fromkeys(told, BESIDE))

    async def _read(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, set()
            await self._in_peace(self.look(asked))

    async def look(self, matches: Collection[str]) -> None:
        """Apply the entries of other servers about matches that are in memory. Raises the store's errors."""
        if not self.is_on:
            return
        # Reads follow one another, so that an older result never replaces a newer one.
        async with self._reading:
            since = self._time.roughly() - self._intervals.gone_ms
            found: dict[str, dict[str, ServerPresence]] = {match: {} for match in matches}
            for match, server, words in await asyncio.to_thread(self._store.presence.announced, since, list(matches)):
                if server != self.server:
                    found[match][server] = read(words)
            for match, elsewhere in found.items():
                live_match = self._found(match)
                if live_match is not None and (elsewhere or live_match.connections.elsewhere):
                    await live_match.take_in(elsewhere)
                    await self._took_in(live_match)

    async def look_round(self, matches: Collection[str]) -> None:
        """Announce this server and any news that could not be written before, and check all matches."""
        if not self.is_on:
            return
        silent_s = time.monotonic() - self._signed_at
        if self._written and silent_s > FORGOTTEN_MS / 2000:
            self._due |= self._written.keys()
            self._written = {}
        elif self._written and silent_s >= self._intervals.sign_s:
            await self._attend({})
        if self._due:
            self._run("write", self._write)
        await self.look(matches)

    async def close(self) -> None:
        """Inform the other servers that nobody is connected here any more, because this server stops."""
        if not self.is_on:
            return
        self.is_on = False
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await self._in_peace(
            asyncio.to_thread(self._store.presence.leave, self.server, self._time.roughly() - FORGOTTEN_MS)
        )

    async def _in_peace(self, work: Awaitable[None]) -> bool:
        """Returns whether the work was done: the store may be unavailable for a while. The first failure is logged."""
        try:
            await work
        except RecordError as wrong:
            (LOG.debug if self._is_failing else LOG.warning)("who is where cannot be told: %s", place_of(wrong))
            self._is_failing = True
        else:
            self._is_failing = False
            return True
        return False
