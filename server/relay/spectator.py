"""One connection at a relay: a spectator, who can read slowly without slowing others."""

import asyncio
import logging
import time
from collections.abc import Sequence

from msgspec.structs import replace

from projections.i18n.language import language_of
from projections.languages import ENGLISH, known_language
from server.errors import ServerError, place_of
from server.gate.outbox import Outbox, Socket
from server.lobby.errors import ServerFull
from server.relay.errors import OriginRefused, RelayFull, WatchOnly
from server.relay.registry import RelayRegistry
from server.relay.relayed_match import RelayedMatch
from server.table.guests import OPEN_WATCHER, WATCHER
from server.wire.errors import BadMessage, BeyondHead
from server.wire.protocol import (
    ChatLine,
    ClientMessage,
    Error,
    Hello,
    ListGames,
    ListMatches,
    Mute,
    Need,
    Ping,
    Pong,
    Said,
    SeatsChanged,
    ServerMessage,
    read_message,
    write_message,
)
from server.wire.text import visible

LOG = logging.getLogger(__name__)
COSTLY = 20.0
"""The cost of a message that makes the relay look for lines."""
MUTED = 100
FAULT = "The server could not do this now; nothing has changed. Try again."


class RelaySpectator(Outbox):
    """Takes the messages of a connection, and sends it the content that spectators may see. `address`: the address from
    which it comes.
    """

    def __init__(self, registry: RelayRegistry, socket: Socket, address: str = "") -> None:
        super().__init__(socket, registry.limits)
        self.guest, self.address = WATCHER, address
        self.name, self.language, self.wants_scenes = "", ENGLISH, False
        self._registry = registry
        self._show: RelayedMatch | None = None
        self._muted: frozenset[str] = frozenset()
        self._allowance, self._counted = registry.limits.message_burst, time.monotonic()
        self._broken = self._refused = 0
        self._catching_up: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve until the connection ends; the caller sees the socket's own exceptions."""
        admission = self._registry.admission
        try:
            admission.arrive(self)
        except ServerFull:
            await self.close(4013)
            return
        try:
            try:
                async with asyncio.timeout(self._limits.hello_s):
                    frame = await self._socket.recv()
            except TimeoutError:
                await self.close(4000)
                return
            while await self._take(frame) and await self.has_read():
                frame = await self._socket.recv()
        finally:
            self._leave()
            admission.leave(self)

    async def _take(self, frame: str | bytes) -> bool:
        """Serve a frame; returns False if the connection is closed because of it."""
        if self.is_closing:
            return False
        try:
            message = read_message(frame)
        except BadMessage as wrong:
            self._broken += 1
            await self._pace(1)
            self.answer(Error(wrong.code, str(wrong), wrong.id))
        else:
            await self._pace(COSTLY if isinstance(message, Hello | Need) else 1)
            await self._answer(message)
        for many, most, code in (
            (self._broken, self._limits.broken_messages, 4001),
            (self._refused, self._limits.refused_entries, 4003),
        ):
            if many >= most:
                await self.close(code)
                return False
        return True

    async def _pace(self, cost: float) -> None:
        """Take messages no faster than the rate: only this connection waits."""
        now, rate = time.monotonic(), self._limits.messages_per_s
        self._allowance = min(self._limits.message_burst, self._allowance + (now - self._counted) * rate) - cost
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / rate)

    async def _answer(self, message: ClientMessage) -> None:
        try:
            await self._serve(message)
        except OriginRefused as wrong:
            self._refused += 1
            named = message.match if isinstance(message, Hello) else ""
            await asyncio.sleep(self._registry.admission.wrong_token(self.address, named))
            self.answer(Error(wrong.code, str(wrong), message.id))
        except (ServerFull, RelayFull):
            self.dismiss(4013)
        except ServerError as wrong:
            self.answer(Error(wrong.code, str(wrong), message.id))
        except Exception as wrong:
            # Only the place is logged: the message could hold a token of another server.
            LOG.error("%s failed: %s", type(message).__name__, place_of(wrong))
            self.answer(Error("server-fault", FAULT, message.id))

    async def _serve(self, message: ClientMessage) -> None:
        match message:
            case Hello(token="", viewer="spectator" | "open"):
                await self._hello(message)
            case Need(since=since):
                await self._need(since, message.id)
            case Mute(who, on):
                self._mute(who, on=on)
            case Ping(n):
                self.answer(Pong(n))
            case ListGames():
                self.answer(await self._registry.games())
            case ListMatches():
                self.answer(await self._registry.matches())
            case _:
                raise WatchOnly("Here one only watches; seats, chat and new matches are at the server that plays.")

    async def _hello(self, hello: Hello) -> None:
        self.language = known_language(hello.lang)
        guest = OPEN_WATCHER if hello.viewer == "open" else WATCHER
        show = await self._registry.open(hello.match, guest.viewer)
        await self._assert_has(show, hello.since or 0)
        if self.is_closing:
            return
        self._leave()
        self._registry.admission.enter(self, guest, show.match)
        self.guest = guest
        self.name, self.wants_scenes = visible(hello.name), "scene" in hello.caps
        self._show, self.is_behind = show, False
        self.answer(show.welcome())
        show.enter(self)
        self._bring(show, hello.since if self.wants_scenes else hello.since or 0)
        if said := self.heard(show.said()):
            self.send(said)
        if show.trouble is not None:
            self.send(self.warning(show.trouble))

    async def _need(self, since: int, name: str) -> None:
        if self._show is None:
            self.answer(Error("no-match", "Say hello to a match first.", name))
            return
        await self._assert_has(self._show, since)
        self._bring(self._show, since)

    async def _assert_has(self, show: RelayedMatch, line: int) -> None:
        """Raise `BeyondHead` if the origin says that the match has no such line, and `HeadUnknown` if it cannot say."""
        if not await self._registry.has(show, line):
            raise BeyondHead(_beyond(show.copy.seq, line))

    def _mute(self, who: str, *, on: bool) -> None:
        if not on:
            self._muted -= {who}
        elif len(self._muted) < MUTED:
            self._muted |= {who}

    def _leave(self) -> None:
        """Leave the match, if the connection is in one."""
        if self._catching_up is not None:
            self._catching_up.cancel()
            self._catching_up = None
        if self._show is not None:
            self._show.leave(self)
            self._show = None

    def answer(self, message: ServerMessage) -> None:
        """Send a message after all earlier messages; its sentences are in the connection's language, as far as the
        catalogue has them.
        """
        if self._show is not None:
            self._show.fan_out.tell_now(self)
        super().answer(self._translated(message) if isinstance(message, Error) else message)

    def send_all(self, frames: Sequence[str], seq: int = 0) -> None:
        """Send several frames in one write, in the way of `send`; `seq` is the last line in the frames."""
        if self.is_closing or self.is_behind:
            return
        if self.is_full:
            self.fall_behind()
            return
        self.write(*frames)
        self.seq = seq or self.seq

    def warning(self, trouble: Error) -> str:
        """A frame with an error message in the connection's language."""
        return write_message(self._translated(trouble))

    def _translated(self, message: Error) -> Error:
        said = language_of(self._show.face.game.name if self._show is not None else "", self.language)
        if said is None:
            return message
        return replace(message, why=said.text(message.why), lang="" if said.has(message.why) else ENGLISH)

    def heard(self, lines: Sequence[ChatLine]) -> str:
        """Lines of chat without those of muted speakers, as a frame; "" if none is left."""
        told = tuple(line for line in lines if not self._muted & {line.who, "*"})
        return write_message(Said(told)) if told else ""

    def fall_behind(self) -> None:
        """Omit frames until the other side has read the earlier ones."""
        self._catch_up_later(None if self.wants_scenes else self.seq)

    def _catch_up_later(self, since: int | None) -> None:
        self._registry.meters.catch_ups += not self.is_behind
        self.is_behind = True
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.get_running_loop().create_task(self._catch_up(since))

    async def _catch_up(self, since: int | None) -> None:
        while self._show is not None and await self.has_read():
            last = self._brought(self._show, since)
            if last is None:
                self._tell_what_was_missed(self._show)
                return
            since = last

    def _bring(self, show: RelayedMatch, since: int | None) -> None:
        """Send what spectators may see now, as much as the socket may hold; the remaining lines follow later."""
        last = self._brought(show, since)
        if last is not None:
            self._catch_up_later(last)

    def _brought(self, show: RelayedMatch, since: int | None) -> int | None:
        """Returns None if everything was written, otherwise the last line that was written."""
        if since is not None:
            for frame, last in show.copy.frames(since):
                self.write(write_message(frame))
                self.seq = last
                if self.is_full:
                    return last
        if self.wants_scenes:
            self.write(show.snapshot(self.language))
        self.seq = show.copy.seq
        return None

    def _tell_what_was_missed(self, show: RelayedMatch) -> None:
        self.is_behind = False
        show.fan_out.skip(self)
        self.write(write_message(SeatsChanged(show.welcome().seats)))
        self.write(write_message(show.presence()))
        self.write(write_message(show.directed))


def _beyond(last: int, since: int) -> str:
    return f"The record has {last} lines, and line {since} is none of them; begin anew, without `since`."
