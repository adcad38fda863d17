"""The source of a relayed match: one connection to an origin, which is reopened when lost; its messages are checked."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any, Final

import msgspec
from msgspec import Struct
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from herald_client.links import socket_at
from projections.face import Face
from projections.redaction import SPECTATOR, Viewer
from server.errors import place_of
from server.gate.sockets import WIRE_LOG
from server.relay.errors import OriginAway, OriginBroken, OriginRefused, RelayFull, UnknownGame
from server.relay.head_inquiry import REACH, HeadInquiry
from server.relay.relayed_match import RelayedMatch
from server.wire.direction_messages import Directed
from server.wire.errors import BeyondHead
from server.wire.protocol import (
    SUBPROTOCOL,
    Checkpoint,
    Error,
    Events,
    Hello,
    Pong,
    Presence,
    Said,
    SeatsChanged,
    ViewerInfo,
    Welcome,
    write_client_message,
)

LOG = logging.getLogger(__name__)
FRAME_BYTES: Final = 4 << 20
"""The maximum size of an origin's frame. A frame for catching up has up to 128 KiB of lines, or one line of 64 KiB; the
frame of a commit has all the commit's lines.
"""
FIRST_S: Final = 0.2
MOST_S: Final = 10.0
"""The pauses between attempts to reach an origin: the first pause, which doubles up to the second value, less a random
part.
"""
TELL_AFTER: Final = 2
"""The number of failed attempts before viewers are informed; a connection that is reopened at once is no news."""
ASIDE: Final = 50
"""A frame with at least this many lines is checked in a thread, so that other matches continue in the meantime."""
OPTIONS: Final[dict[str, Any]] = {
    "subprotocols": [Subprotocol(SUBPROTOCOL)],
    "max_size": FRAME_BYTES,
    "compression": None,
    "open_timeout": 5,
    "ping_interval": 5,
    "ping_timeout": 10,
    "close_timeout": 1,
    "logger": WIRE_LOG,
}
GONE: Final = (OSError, WebSocketException, TimeoutError, OriginAway)
PASSING: Final = frozenset({"server-fault", "origin-away", "try-again", "too-often"})
"""Answers to a hello that may soon change: they do not mean that there is no such match."""
AWAY: Final = "The server that this match comes from cannot be reached; what is shown may be old. It is tried again."

Heard = Welcome | Events | Checkpoint | Presence | Said | Directed | SeatsChanged | Pong | Error
"""All kinds of messages that a relay uses; other messages from an origin are not even parsed."""
KINDS: Final = frozenset({"welcome", "events", "checkpoint", "presence", "said", "directed", "seats", "pong", "error"})
_heard: msgspec.json.Decoder[Heard] = msgspec.json.Decoder(Heard)


class _Kind(Struct, frozen=True):
    t: str


_kind = msgspec.json.Decoder(_Kind)


class UpstreamCounts:
    """Counts over all origins. `reached`: open connections."""

    def __init__(self) -> None:
        self.reached = self.lost = self.broken = self.lines = 0


class Upstream:
    """Follows one match. `show` is set once an origin has admitted the relay and has sent its lines so far."""

    def __init__(
        self,
        match: str,
        origins: Sequence[str],
        faces: Mapping[str, Face[Any]],
        tally: UpstreamCounts,
        room: "Callable[[Upstream, int], None]",
        viewer: Viewer = SPECTATOR,
    ) -> None:
        """`room`: makes room for this many bytes of a match's lines, or raises `RelayFull`.

        `viewer`: the kind of viewer that asks.
        """
        self.match, self.viewer = match, viewer
        self.ready: asyncio.Future[RelayedMatch] = asyncio.get_running_loop().create_future()
        self.show: RelayedMatch | None = None
        self._origins, self._faces, self._tally, self._room = origins, faces, tally, room
        self._target = 0
        self._is_reached = self._went_on = False
        self._inquiry = HeadInquiry(
            lambda: Hello(match, viewer="open" if viewer.sees_hands else "spectator", since=self._seq)
        )
        self.ready.add_done_callback(_looked_at)

    async def reach(self, since: int) -> bool:
        """Fetch the line `since` if the origin has it now; returns whether it has.

        Raises `HeadUnknown` if the origin cannot say.
        """
        return await self._inquiry.reach(since)

    async def run(self) -> None:
        """Run until cancelled, or until it is clear that there is nothing to show."""
        try:
            await self._run()
        except (OriginRefused, OriginBroken, UnknownGame, RelayFull, OriginAway) as wrong:
            self._give_up(wrong)
        except Exception as wrong:
            LOG.error("a relayed match failed: %s", place_of(wrong))
            self._give_up(OriginAway(AWAY))
        finally:
            if not self.ready.done():
                self.ready.set_exception(OriginAway(AWAY))

    def _give_up(self, wrong: Exception) -> None:
        if not self.ready.done():
            self.ready.set_exception(wrong)
        elif self.show is not None:
            for watcher in [*self.show.watchers]:
                watcher.dismiss(4013)

    async def _run(self) -> None:
        in_vain, met = 0, list[OriginAway | OriginRefused | OriginBroken | UnknownGame]()
        for origin in cycle(self._origins):
            begun, self._is_reached, self._went_on = time.monotonic(), False, False
            wrong = await self._followed(origin)
            has_held = self._went_on or (self._is_reached and time.monotonic() - begun > MOST_S)
            in_vain = 1 if has_held else in_vain + 1
            if self.ready.done():
                if self.show is not None and (in_vain >= TELL_AFTER or not isinstance(wrong, OriginAway)):
                    self.show.away(wrong.code, str(wrong))
                await asyncio.sleep(min(MOST_S, FIRST_S * 2 ** min(in_vain - 1, 10)) * random.uniform(0.5, 1))  # noqa: S311
            else:
                met.append(wrong)
                if len(met) == len(self._origins):
                    # An origin that cannot be reached may have the match.
                    raise next((one for one in met if isinstance(one, OriginAway)), met[0])

    async def _followed(self, origin: str) -> OriginAway | OriginRefused | OriginBroken | UnknownGame:
        """Follow the match at an origin as long as possible; returns why this ended.

        Raises `RelayFull` if memory is full.
        """
        try:
            await self._follow(origin)
        except OriginBroken as wrong:
            self._tally.broken += 1
            LOG.error("%s sent what is not the record of %s: %s", origin, self.match, wrong)
            return wrong
        except (OriginRefused, UnknownGame) as wrong:
            LOG.info("%s does not show %s: %s", origin, self.match, wrong)
            return wrong
        except ConnectionClosed as wrong:
            if wrong.sent is not None and wrong.sent.code == 1009 and not wrong.rcvd_then_sent:
                self._tally.broken += 1
                return OriginBroken(self._seq + 1, f"it came in a frame of more than {FRAME_BYTES} bytes")
        except GONE as wrong:
            LOG.debug("%s cannot be reached: %s", origin, place_of(wrong))
        finally:
            if self._is_reached:
                self._tally.lost += 1
                self._tally.reached -= 1
        return OriginAway(AWAY)

    @property
    def _seq(self) -> int:
        return self.show.copy.seq if self.show is not None else 0

    async def _follow(self, origin: str) -> None:
        socket = await connect(socket_at(origin, self.match), **OPTIONS)
        try:
            await self._inquiry.connected(lambda message: socket.send(write_client_message(message)))
            async for frame in socket:
                await self._take(frame)
        finally:
            self._inquiry.lost()
            await socket.close()

    async def _take(self, frame: str | bytes) -> None:
        message = read_heard(frame, self._seq + 1)
        match message:
            case Welcome():
                self._welcomed(message)
            case Error(code=code, id=name) if name == REACH:
                if code == BeyondHead.code:
                    self._inquiry.answered(is_there=False)
                else:
                    self._inquiry.unanswered()
            case Pong():
                self._inquiry.answered(is_there=True)
            case Error(code=code, why=why):
                raise _refused(code, why, self._seq)
            case Events() if self.show is not None:
                await self._lines(self.show, message)
            case Checkpoint() | Presence() | SeatsChanged() | Directed() | Said() if self.show is not None:
                self.show.hear(message)
            case _:
                return
        self._look_whether_ready()

    def _welcomed(self, welcome: Welcome) -> None:
        line = self._seq + 1
        if welcome.match != self.match or welcome.viewer != ViewerInfo(self.viewer.label) or welcome.keys:
            raise OriginBroken(line, "the origin let in somebody else than a spectator of this match")
        face = self._faces.get(welcome.game)
        if face is None:
            raise UnknownGame(f"This relay has no game {welcome.game!r}; watch at another server.")
        if self.show is None:
            self.show = RelayedMatch(face, welcome, self.viewer)
        elif self.show.face is not face:
            raise OriginBroken(line, "the match is of another game now")
        if not self._is_reached:
            self._is_reached = True
            self._tally.reached += 1
        self._target = welcome.head.seq
        self.show.welcomed(welcome)
        self._inquiry.welcomed(welcome.head.seq)

    async def _lines(self, show: RelayedMatch, message: Events) -> None:
        if len(message.items) < ASIDE:
            news = show.copy.check(message)
        else:
            news = await asyncio.to_thread(show.copy.check, message)
        self._room(self, news.size)
        self._tally.lines += len(news.lines)
        self._went_on = self._went_on or bool(news.lines)
        show.take(message, news)
        self._inquiry.reached(self._seq)
        if news.is_end and self.ready.done():
            # The spectators' delay, if there was one, has ended; a new hello fetches the clocks and the table state.
            await self._inquiry.say_hello()

    def _look_whether_ready(self) -> None:
        if self.show is not None and not self.ready.done() and self.show.copy.seq >= max(1, self._target):
            self.ready.set_result(self.show)


def _looked_at(ready: "asyncio.Future[RelayedMatch]") -> None:
    """Retrieve the reason why there is nothing to show, since nobody may be waiting for it by now."""
    if not ready.cancelled():
        ready.exception()


def read_heard(frame: str | bytes, line: int) -> Heard | None:
    """A message of an origin; None for a kind that a relay does not use.

    Raises `OriginBroken` if the frame is no message.
    """
    try:
        return _heard.decode(frame) if _kind.decode(frame).t in KINDS else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise OriginBroken(line, f"it came in what is no message: {type(wrong).__name__}") from wrong


def _refused(code: str, why: str, seq: int) -> OriginRefused | OriginBroken | OriginAway:
    if code == BeyondHead.code:
        return OriginBroken(seq, "the origin has it no longer")
    if code in PASSING:
        return OriginAway(AWAY)
    return OriginRefused(code, why)
