"""All matches of a relay: fetched from an origin on request, and dropped some time after the last viewer has left."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from websockets.asyncio.client import connect

from projections.face import Face
from projections.redaction import SPECTATOR, Viewer
from replay.record import sealing
from server.lobby.connection_limits import ConnectionLimits
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.relay.errors import HeadUnknown, OriginAway, OriginRefused, RelayFull
from server.relay.head_inquiry import UNKNOWN
from server.relay.relayed_match import RelayedMatch
from server.relay.upstream import AWAY, GONE, OPTIONS, Upstream, UpstreamCounts
from server.wire.protocol import Games, ListGames, ListMatches, Matches, read_server_message, write_client_message

M = TypeVar("M", Games, Matches)

PATIENCE_S: Final = 20.0
"""How long a client waits for the existing lines of a match."""
ASKED_AT_ONCE: Final = 32
"""The limit on requested matches that have not yet arrived."""
LISTED_S: Final = 1.0
"""How long everybody gets the same list of matches."""
NO_MATCH: Final = "There is no such match, or not with this token."


class RelayLimits(Struct, frozen=True):
    """Limits of memory: `matches`, `bytes` of their lines; `idle_s`: how long a match stays after the last viewer."""

    matches: int = 1_000
    bytes: int = 256 << 20
    idle_s: float = 300.0


class RelayRegistry:
    """The state that connections share. `origins`: addresses of websockets, tried in this order."""

    def __init__(
        self,
        origins: Sequence[str],
        faces: Mapping[str, Face[Any]],
        *,
        limits: Limits = DEFAULT_LIMITS,
        bounds: RelayLimits = RelayLimits(),  # noqa: B008 - frozen
        home: str = "",
    ) -> None:
        """`home`: the address at which browsers reach the server where people play."""
        self.origins, self.home = tuple(origins), home
        self.limits, self.bounds = limits, bounds
        self.admission = ConnectionLimits(limits)
        self.meters = Meters()
        self.tally = UpstreamCounts()
        self.is_draining = False
        self._faces = faces
        self._sources: dict[tuple[str, Viewer], tuple[Upstream, asyncio.Task[None]]] = {}
        self._asking = asyncio.Semaphore(ASKED_AT_ONCE)
        self._lists: dict[type[Any], tuple[float, Any]] = {}
        self._listing = asyncio.Lock()

    @property
    def shows(self) -> list[RelayedMatch]:
        """The matches that are in memory."""
        return [source.show for source, _ in self._sources.values() if source.show is not None]

    @property
    def bytes(self) -> int:
        """The number of bytes of lines in memory."""
        return sum(show.copy.bytes for show in self.shows)

    async def open(self, match: str, viewer: Viewer = SPECTATOR) -> RelayedMatch:
        """The match, fetched from an origin if it is not here.

        If that fails, it raises `OriginRefused`, `OriginAway`, `OriginBroken`, `UnknownGame` or `RelayFull`.
        """
        if not _is_match(match):
            raise OriginRefused("not-admitted", NO_MATCH)
        which = match, viewer
        if which in self._sources:
            return await self._ready(self._sources[which][0])
        async with self._asking:
            source = self._sources[which][0] if which in self._sources else self._begun(match, viewer)
            return await self._ready(source)

    async def has(self, show: RelayedMatch, line: int) -> bool:
        """Whether a match has a line; the origin is asked about a line that is not here.

        Raises `HeadUnknown` if it cannot say.

        If spectators are delayed, the answer is never that there is no such line, because a hidden line may exist.
        """
        if line <= show.copy.seq or show.welcome().delay is not None:
            return True
        source = self._sources.get((show.match, show.viewer))
        if source is None or source[0].show is not show:
            raise HeadUnknown(UNKNOWN)  # it has just been dropped
        return await source[0].reach(line)

    async def _ready(self, source: Upstream) -> RelayedMatch:
        try:
            async with asyncio.timeout(PATIENCE_S):
                # A client that stops waiting does not cancel the fetch for the others.
                return await asyncio.shield(source.ready)
        except TimeoutError as wrong:
            raise OriginAway(AWAY) from wrong
        finally:
            if not source.ready.done() or source.ready.exception() is not None:
                self._drop(source)

    def _begun(self, match: str, viewer: Viewer) -> Upstream:
        if len(self._sources) >= self.bounds.matches and not self._drop_one():
            raise RelayFull("No place is left for one more match; try again later.")
        source = Upstream(match, self.origins, self._faces, self.tally, self._room, viewer)
        self._sources[match, viewer] = source, asyncio.get_running_loop().create_task(source.run())
        return source

    def _room(self, whose: Upstream, size: int) -> None:
        """Make room for this many bytes of a match's lines. Raises `RelayFull` if that is impossible."""
        while self.bytes + size > self.bounds.bytes:
            if not self._drop_one(but=whose):
                raise RelayFull("No place is left for more lines; try again later.")

    def _drop_one(self, but: Upstream | None = None) -> bool:
        """Drop the match that nobody has watched for longest; returns False if every match is watched or awaited."""
        here = [source for source, _ in self._sources.values() if source.ready.done() and source is not but]
        free = [source for source in here if source.show is not None and not source.show.watchers]
        oldest = min(free, key=lambda source: source.show.left_at if source.show else 0.0, default=None)
        if oldest is None:
            return False
        self._drop(oldest)
        return True

    def _drop(self, source: Upstream) -> None:
        which = source.match, source.viewer
        if which in self._sources and self._sources[which][0] is source:
            self._sources.pop(which)[1].cancel()

    def sweep(self) -> None:
        """Drop the matches that nobody has watched for a while, and those whose source has ended."""
        before = time.monotonic() - self.bounds.idle_s
        for source, following in [*self._sources.values()]:
            show = source.show
            if following.done() or (show is not None and not show.watchers and show.left_at < before):
                self._drop(source)

    def look_round(self) -> None:
        """Inform everybody about arrivals and departures."""
        for show in self.shows:
            show.look_round()

    async def games(self) -> Games:
        """The matches of the first origin that answers. Raises `OriginAway` if none does."""
        return await self._listed(ListGames(), Games)

    async def matches(self) -> Matches:
        """The matches that an origin lists. Raises `OriginAway` if the origin does not answer."""
        return await self._listed(ListMatches(), Matches)

    async def _listed(self, message: ListGames | ListMatches, kind: type[M]) -> M:
        async with self._listing:
            at, found = self._lists.get(kind, (float("-inf"), None))
            if time.monotonic() - at >= LISTED_S:
                found = await self._asked(message, kind)
                self._lists[kind] = time.monotonic(), found
            told: M = found
            return told

    async def _asked(self, message: ListGames | ListMatches, kind: type[M]) -> M:
        for origin in self.origins:
            try:
                async with connect(origin, **OPTIONS) as socket, asyncio.timeout(5):
                    await socket.send(write_client_message(message))
                    told = read_server_message(await socket.recv())
            except (*GONE, msgspec.MsgspecError):
                continue
            if isinstance(told, kind):
                return told
        raise OriginAway(AWAY)

    async def close(self) -> None:
        """Stop following all matches."""
        self.is_draining = True
        following = [task for _, task in self._sources.values()]
        self._sources.clear()
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)


def _is_match(match: str) -> bool:
    """Whether a match with this name can exist at all."""
    try:
        return len(sealing.unb64(match)) == sealing.MID_BYTES
    except ValueError:
        return False
