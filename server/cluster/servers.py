"""Other servers over the same store: their lines are taken in, and the matches that they leave are taken over.

A notification says which match continues and up to which line, and nothing else; the lines come from the store. Line 0
means news beside the record (`server.lobby.presence_exchange`). Without notifications, or when one is lost, the server
asks the store at intervals: slower, never wrong. The server that appends first has decided.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Protocol

from replay.errors import RecordError
from replay.store.errors import StoreFailed
from server.errors import place_of
from server.lobby.lobby import Lobby
from server.lobby.presence_exchange import BESIDE
from server.table.live_match import LiveMatch

LOG = logging.getLogger(__name__)
AT_ONCE: Final = 16
"""The number of matches whose news are read together."""
Notified = Callable[[Mapping[str, int]], None]
"""A function that is called on the event loop with matches and their last lines."""


class PubSub(Protocol):
    """Carries notifications between servers. It may lose them, double them and deliver them late."""

    @property
    def is_connected(self) -> bool:
        """Whether notifications of others arrive at this moment, as far as is known."""
        ...

    def give(self, lines: Mapping[str, int]) -> None:
        """Tell the other servers about matches and their last lines; never waits and never fails."""
        ...

    async def start(self, notified: Notified) -> None:
        """Begin to listen; returns at once, even if no server can be reached yet."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class OtherServers:
    """Keeps a match lobby up to date with the lines of other servers. `pubsub` is None without notifications.

    `processes` carry the notifications of the other processes of this server.
    """

    def __init__(self, lobby: Lobby, pubsub: PubSub | None = None, processes: PubSub | None = None) -> None:
        self._lobby, self._intervals = lobby, lobby.intervals
        self._channels = [each for each in (pubsub, processes) if each is not None]
        self._processes = processes
        self._written: dict[str, int] = {}
        self._is_due = False
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._opening: set[asyncio.Task[bool]] = set()
        self._stood: dict[str, int] = {}
        self._taken_up: dict[str, int] = {}

    async def run(self) -> None:
        """Run until cancelled."""
        loop = asyncio.get_running_loop()
        if self._channels:
            self._lobby.store.follow(lambda match, seq: self._wrote(loop, match, seq))
        for pubsub in self._channels:
            self._lobby.presence.tell_through(self._give_all)
            await pubsub.start(self.notified if pubsub is not self._processes else self.told_by_process)
        # Sweeping has a separate task, so that a server still says that it is alive while it folds a thousand matches.
        sweeping = loop.create_task(self._sweep_again_and_again())
        try:
            while True:
                is_told = bool(self._channels) and all(pubsub.is_connected for pubsub in self._channels)
                await asyncio.sleep(self._intervals.calm_s if is_told else self._intervals.poll_s)
                await self._in_peace(self.look_round())
        finally:
            sweeping.cancel()
            for pubsub in self._channels:
                await pubsub.close()

    async def _sweep_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(self._intervals.sweep_s)
            await self._in_peace(self.sweep())

    async def _in_peace(self, work: Awaitable[object]) -> bool:
        """Returns whether the work is settled; it is not while the store is unavailable, so that it is tried again."""
        try:
            await work
        except RecordError as wrong:
            LOG.warning("news of other servers cannot be read: %s", place_of(wrong))
            return not isinstance(wrong, StoreFailed)
        except Exception as wrong:
            LOG.error("news of other servers cannot be taken in: %s", place_of(wrong))
        return True

    def _wrote(self, loop: asyncio.AbstractEventLoop, match: str, seq: int) -> None:
        """Called in the writer's thread after a write: one notification covers everything that was written together."""
        self._written[match] = seq
        if not self._is_due:
            self._is_due = True
            loop.call_soon_threadsafe(self._give)

    def _give(self) -> None:
        self._is_due = False
        written, self._written = self._written, {}
        self._give_all(written)

    def _give_all(self, written: Mapping[str, int]) -> None:
        for pubsub in self._channels:
            pubsub.give(written)

    def told_by_process(self, lines: Mapping[str, int]) -> None:
        """Take in another process's report of lines, and open those of its matches that this process plays."""
        for match, seq in lines.items():
            if seq != BESIDE and self._lobby.placement.has(match) and self._lobby.registry.found(match) is None:
                task = asyncio.get_running_loop().create_task(self._in_peace(self._lobby.registry.open(match)))
                self._opening.add(task)
                task.add_done_callback(self._opening.discard)
        self.notified(lines)

    def notified(self, lines: Mapping[str, int]) -> None:
        """Take in another server's report that it wrote these lines."""
        self._lobby.presence.notified(match for match, seq in lines.items() if seq == BESIDE)
        for match, seq in lines.items():
            live_match = self._lobby.registry.found(match)
            if live_match is None or seq <= live_match.visible_head.seq:
                continue
            if match in self._refreshing:
                # The present read may have begun before these lines were written, so another follows it.
                self._again.add(match)
            else:
                self._refreshing[match] = asyncio.get_running_loop().create_task(self._refresh(live_match))

    async def _refresh(self, live_match: LiveMatch[Any]) -> None:
        try:
            await self._in_peace(live_match.refresh())
            while live_match.match in self._again:
                self._again.discard(live_match.match)
                await self._in_peace(live_match.refresh())
        finally:
            self._again.discard(live_match.match)
            self._refreshing.pop(live_match.match, None)

    async def look_round(self) -> None:
        """Take in the lines of other servers in matches that are in memory here."""
        heads = await asyncio.to_thread(self._lobby.store.heads, self._lobby.registry.in_memory())
        hosts = [(self._lobby.registry.found(match), seq) for match, seq in heads.items()]
        behind = [
            live_match for live_match, seq in hosts if live_match is not None and seq > live_match.visible_head.seq
        ]
        for some in _portions(behind):
            await asyncio.gather(*map(self._refresh, some))
        await self._lobby.presence.look_round(self._lobby.registry.in_memory())
        # Casters must not keep the view of a seat that has taken its tokens back at another server.
        near = map(self._lobby.registry.found, self._lobby.registry.in_memory())
        for some in _portions(
            [live_match for live_match in near if live_match is not None and live_match.admission.has_casters]
        ):
            await asyncio.gather(*(live_match.admission.look_at_grants() for live_match in some))

    async def sweep(self) -> None:
        """Take over matches in which something is due, that have not changed since the last look, and are not here.

        They are not taken over again before somebody has continued them, or before something else is due.
        """
        known = {*self._lobby.registry.in_memory()}
        seen = {
            match: live_match.visible_head.seq
            for match in known
            if (live_match := self._lobby.registry.found(match)) is not None
        }
        left = await asyncio.to_thread(self._lobby.takeover.due)
        away = [
            header.match
            for header in left
            if header.match not in known
            and header.game in self._lobby.faces
            and self._lobby.placement.has(header.match)
        ]
        heads = await asyncio.to_thread(self._lobby.store.heads, away)
        still = [match for match, seq in heads.items() if self._stood.get(match) == seq != self._taken_up.get(match)]
        self._stood = heads
        taken_up = {match: seq for match, seq in self._taken_up.items() if heads.get(match) == seq}
        self._taken_up = {**taken_up, **seen}
        for match in still:
            # A broken record is not tried again; a record that could not be read is tried again once the store is back.
            if await self._in_peace(self._lobby.takeover.take_up(match)):
                self._taken_up[match] = heads[match]


def _portions(hosts: Iterable[LiveMatch[Any]]) -> Iterable[list[LiveMatch[Any]]]:
    waiting = list(hosts)
    return [waiting[first : first + AT_ONCE] for first in range(0, len(waiting), AT_ONCE)]
