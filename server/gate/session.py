"""One connection: its first message within five seconds, its pace, its match; never in the match's way."""

import asyncio
import logging
import time
from typing import Any, Protocol

from domain.kernel import Refusal, Seat, TakeBack
from server.errors import place_of
from server.hall.admission import is_local
from server.hall.branching import branch
from server.hall.errors import CannotCreate, ServerFull, TooOften
from server.hall.matches import Hall
from server.operations import logs
from server.table.chat import room_of
from server.table.errors import CannotSit, ChatRefused, GrantRefused
from server.table.guests import WATCHER, Guest
from server.table.host import Host
from server.webhooks.errors import HookRefused
from server.wire.errors import BadMessage, NotAdmitted
from server.wire.protocol import (
    CLOSE_CODES,
    Accepted,
    Agree,
    Branch,
    Chat,
    ChatLine,
    Choose,
    Claim,
    ClientMessage,
    Create,
    Decline,
    Error,
    Grant,
    Granted,
    Hello,
    Join,
    ListGames,
    ListMatches,
    ListTurns,
    Mute,
    Need,
    Notified,
    Notify,
    Offer,
    Ping,
    Pong,
    Refused,
    Resign,
    Reveal,
    Revoke,
    Revoked,
    Said,
    SeatsChanged,
    ServerMessage,
    TableMessage,
    Vacation,
    ViewerInfo,
    Welcome,
    read_message,
    write_message,
)
from server.wire.text import visible

MUTED = 100
"""Speakers that one connection may mute."""
LOG = logging.getLogger(__name__)

COSTLY = 20.0
"""What a message that makes the server write or fold a match counts as: one of `WORK`, or an offer to take back."""
WORK = Create | Branch | Join | Hello | Need | Grant | Revoke | Notify
POLL_S = 0.05


class Socket(Protocol):
    """What a session needs of a websocket."""

    async def recv(self) -> str | bytes:
        """The next frame."""
        ...

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code."""
        ...

    def write(self, *frames: str) -> None:
        """Put frames into the socket's buffer; never waits."""
        ...

    def waiting(self) -> int:
        """Bytes in the buffer."""
        ...


class Session:
    """A connection to the hall, and to a match once it has said hello. `address`: where it comes from, if known."""

    def __init__(self, hall: Hall, socket: Socket, address: str = "") -> None:
        self.guest: Guest = WATCHER
        self.wants_scenes = False
        self.address = address
        self.who = ""
        self.name = ""
        self._hall = hall
        self._limits = hall.limits
        self._socket = socket
        self._host: Host[Any] | None = None
        self._allowance = hall.limits.message_burst
        self._counted = time.monotonic()
        self._broken = 0
        self._refused = 0
        self._muted: frozenset[str] = frozenset()
        self._sent = 0
        self._held: list[str] | None = None
        self._is_behind = False
        self._heard = 0
        self._is_answered = False
        self._catching_up: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve until the connection ends; the caller sees the socket's own exceptions."""
        try:
            self._hall.admission.arrive(self)
        except ServerFull:
            await self._close(4013)
            return
        try:
            try:
                async with asyncio.timeout(self._limits.hello_s):
                    frame = await self._socket.recv()
            except TimeoutError:
                await self._close(4000)
                return
            while await self._take(frame) and await self._has_read():
                frame = await self._socket.recv()
        finally:
            self._stop_catching_up()
            if self._host is not None:
                self._host.leave(self)
            self._hall.admission.leave(self)

    async def _close(self, code: int) -> None:
        """Close with a code, or wait until it is closed with the one that was given first."""
        # Who stops waiting, as a catch-up does when the connection ends, does not stop the closing.
        await asyncio.shield(self._begin_closing(code))

    def dismiss(self, code: int) -> None:
        """Close soon with a code; nothing more is sent or taken meanwhile."""
        self._begin_closing(code)

    def _begin_closing(self, code: int) -> "asyncio.Task[None]":
        if self._closing is None:
            closing = self._socket.close(code, CLOSE_CODES[code])
            self._closing = asyncio.get_running_loop().create_task(closing)
        return self._closing

    def waiting(self) -> int:
        """Bytes that the other side has not read yet."""
        return self._socket.waiting()

    def send(self, frame: str, seq: int = 0) -> None:
        """Send soon, never wait: a viewer that reads too slowly misses frames, is caught up later, or is dropped."""
        if self._is_behind or self._closing is not None:
            return
        if self._socket.waiting() > self._limits.waiting_bytes:
            self._catch_up_later(None if self.wants_scenes else self._sent)
            return
        if self._held is None:
            self._socket.write(frame)
        else:
            self._held.append(frame)
        self._sent = seq or self._sent

    def hold(self) -> None:
        """Keep back what is sent until the next answer: one packet instead of two for who has chosen."""
        self._held = []

    def accept(self, accepted: Accepted) -> None:
        """See `Asker`."""
        self._is_answered = True
        self._tell(accepted)

    def hear(self, line: ChatLine, frame: str) -> None:
        """Send a line of chat as its frame, unless its speaker is muted."""
        if not self._is_muted(line):
            self.send(frame)
        if not self._is_behind:
            self._heard = line.n

    def _is_muted(self, line: ChatLine) -> bool:
        return bool(self._muted & {line.who, "*"})

    async def _has_read(self) -> bool:
        """Wait until little is waiting for the socket; False when it took too long and the connection is closed."""
        most = self._limits.waiting_bytes
        if self._socket.waiting() <= most:
            return True
        until = time.monotonic() + self._limits.slow_s
        while time.monotonic() < until:
            await asyncio.sleep(POLL_S)
            if self._socket.waiting() <= most // 4:
                return True
        await self._close(4008)
        return False

    def _catch_up_later(self, since: int | None) -> None:
        self._hall.meters.catch_ups += not self._is_behind
        self._is_behind = True
        self._stop_catching_up()
        self._catching_up = asyncio.get_running_loop().create_task(self._catch_up(since))

    def _stop_catching_up(self) -> None:
        if self._catching_up is not None:
            self._catching_up.cancel()
            self._catching_up = None

    async def _catch_up(self, since: int | None) -> None:
        """After frames were left out: the Scene as it is now, or the lines that were missed, and what else was."""
        if not await self._has_read() or self._host is None:
            return
        self._catching_up = None
        self._bring_up_to_date(self._host, since)

    def _bring_up_to_date(self, host: Host[Any], since: int | None) -> None:
        """The lines after `since`, as many as may wait for the socket, the others when it has read them; the Scene."""
        viewer = self.guest.viewer
        if since is not None:
            for frame, last in host.views.lines_since(viewer, since):
                self._socket.write(frame)
                if self._socket.waiting() > self._limits.waiting_bytes:
                    self._catch_up_later(last)
                    return
        if self.wants_scenes:
            self._socket.write(host.views.snapshot(viewer))
        self._sent = host.horizon.end_for(viewer).seq
        self._stop_catching_up()
        if self._is_behind:
            self._is_behind = False
            # What was left out is lost; only the record's lines can be asked for.
            self._socket.write(write_message(SeatsChanged(host.views.seats(viewer))))
            self._socket.write(write_message(host.usher.presence_for(viewer)))
            self._tell_what_was_said(host)

    def _tell_what_was_said(self, host: Host[Any]) -> None:
        """The last lines of the own room that have not been told here."""
        lines = host.chat.since(room_of(self.guest), self._heard)
        told = tuple(line for line in lines if not self._is_muted(line))
        if told:
            self._socket.write(write_message(Said(told)))
        if lines:
            self._heard = lines[-1].n

    def _tell(self, message: ServerMessage) -> None:
        held, self._held = self._held or (), None
        self._socket.write(*held, write_message(message))

    async def _pace(self, cost: float) -> None:
        """Take messages no faster than the rate: the connection waits, nobody else does."""
        now, rate = time.monotonic(), self._limits.messages_per_s
        self._allowance = min(self._limits.message_burst, self._allowance + (now - self._counted) * rate) - cost
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / rate)

    async def _take(self, frame: str | bytes) -> bool:
        """Serve a frame; False when the connection is closed for it."""
        if self._closing is not None:
            return False
        if self._hall.is_draining:
            # Unanswered, so that the client sends it again, with its id, to the server that comes next.
            return True
        try:
            message = read_message(frame)
        except BadMessage as wrong:
            self._broken += 1
            await self._pace(1)
            self._tell(Error(wrong.code, str(wrong)))
        else:
            await self._pace(_cost(message))
            await self._answer(message)
        for count, most, code in (
            (self._broken, self._limits.broken_messages, 4001),
            (self._refused, self._limits.refused_entries, 4003),
        ):
            if count >= most:
                await self._close(code)
                return False
        return True

    async def _answer(self, message: ClientMessage) -> None:
        try:
            await self._serve(message)
        except NotAdmitted as wrong:
            self._refused += 1
            self._tell(Error(wrong.code, str(wrong)))
        except ServerFull:
            self.dismiss(4013)
        except (CannotSit, CannotCreate, TooOften, GrantRefused, HookRefused, ChatRefused) as wrong:
            self._tell(Error(wrong.code, str(wrong)))
        except Exception as wrong:
            # The place only: a message or a value could hold a secret.
            LOG.error("%s failed: %s", type(message).__name__, place_of(wrong))
            why = "The server could not do this now; nothing has changed. Try again."
            if isinstance(message, Choose | TableMessage):
                self._tell(Refused(message.id, "server-fault", why))
            else:
                self._tell(Error("server-fault", why))

    async def _serve(self, message: ClientMessage) -> None:
        match message:
            case Choose() | Resign() | Offer() | Agree() | Decline() | Claim() | Vacation():
                await self._choose(message)
            case Hello():
                await self._hello(message)
            case Reveal(entropy):
                await self._reveal(entropy)
            case Need(since):
                self._need(since)
            case Grant() | Revoke() | Chat() | Mute() | Notify():
                await self._serve_aside(message)
            case ListTurns():
                self._tell(await self._hall.turns(message))
            case Ping(n):
                self._tell(Pong(n))
            case ListGames():
                self._tell(self._hall.games())
            case ListMatches():
                self._tell(self._hall.matches())
            case Create():
                self._hall.admission.assert_may_create(self.address)
                self._tell(await self._hall.create(message))
            case Branch():
                self._hall.admission.assert_may_create(self.address)
                self._tell(await branch(self._hall, message))
            case Join():
                self._tell(await self._hall.join(message))

    async def _serve_aside(self, message: Grant | Revoke | Chat | Mute | Notify) -> None:
        """What goes on beside the match: who else may see it, what is said."""
        match message:
            case Grant():
                host, seat = self._own_seat()
                self._tell(Granted(await host.usher.grant(seat)))
            case Revoke():
                host, seat = self._own_seat()
                await host.usher.revoke(seat)
                self._tell(Revoked())
            case Notify(url):
                host, seat = self._own_seat()
                self._tell(Notified(await asyncio.to_thread(self._hall.hooks.name, host.match, seat, url)))
            case Chat(text):
                await self._chat(text)
            case Mute(who, on):
                self._mute(who, on=on)

    async def _hello(self, hello: Hello) -> None:
        host, guest = await self._hall.admit(hello)
        if self._closing is not None:
            # Sent away while the match was folded: it must not take a place now.
            return
        if self._host is not None:
            self._host.leave(self)
            self._host = None
        self._hall.admission.enter(self, guest, host.match)
        self._host, self.guest = host, guest
        logs.MATCH.set(host.match)
        self.name = visible(hello.name) if guest.role == "spectator" else ""
        self.wants_scenes = "scene" in hello.caps
        self._tell(self._welcome(host))
        self._stop_catching_up()
        self._is_behind = False
        self._heard = 0
        self._bring_up_to_date(host, hello.since if self.wants_scenes else hello.since or 0)
        if not self._is_behind:
            self._tell_what_was_said(host)
        host.enter(self)

    def _welcome(self, host: Host[Any]) -> Welcome:
        header, viewer = self._hall.store.header(host.match), self.guest.viewer
        title = header.title or host.face.game.spec.title
        is_watching, times = self.guest.role == "spectator", host.views.times_for(viewer)
        return Welcome(
            host.match,
            header.game,
            title,
            header.rules,
            ViewerInfo(self.guest.role, viewer.seat),
            host.views.seats(viewer),
            host.horizon.end_for(viewer),
            # A caster whose token is taken back must not be able to try the seals of later lines.
            host.views.keys_of(viewer) if self.guest.role == "seat" else {},
            header.status,
            host.horizon.delay if is_watching else None,
            times.clocks,
            times.table,
        )

    def _need(self, since: int) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
        else:
            self._bring_up_to_date(self._host, since)

    def _own_seat(self) -> tuple[Host[Any], Seat]:
        if self._host is None or self.guest.role != "seat" or self.guest.viewer.seat is None:
            raise GrantRefused("This is for who holds a seat; take one.")
        return self._host, self.guest.viewer.seat

    async def _chat(self, text: str) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
            return
        if not room_of(self.guest):
            raise ChatRefused("Casters see what others must not know, and do not chat; watch as a spectator to talk.")
        speaker = self.who if self.guest.role == "seat" or is_local(self.address) else self.address
        if not self._hall.voices.may((self._host.match, speaker)):
            raise ChatRefused("That was too fast; wait a few seconds, then say it again.")
        await self._host.usher.say(self, text)

    def _mute(self, who: str, *, on: bool) -> None:
        if not on:
            self._muted -= {who}
        elif len(self._muted) < MUTED:
            self._muted |= {who}

    async def _reveal(self, entropy: str) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
        elif self.guest.role != "seat" or self.guest.viewer.seat is None:
            self._tell(Error("seat-refused", "Who watches has no share of chance; take a seat."))
        else:
            try:
                await self._host.muster.reveal(self.guest.viewer.seat, entropy)
            except Refusal as refusal:
                self._tell(Error(refusal.code, refusal.why))

    async def _choose(self, message: Choose | TableMessage) -> None:
        if self._host is None:
            self._tell(Refused(message.id, "no-match", "Say hello to a match first."))
        elif self.guest.role != "seat" or self.guest.viewer.seat is None:
            self._tell(Refused(message.id, "not-your-decision", "Who watches does not decide; take a seat to play."))
        else:
            seat, host = self.guest.viewer.seat, self._host
            self._is_answered = False
            if isinstance(message, Choose):
                answer = await host.docket.choose(seat, message, asker=self)
            else:
                answer = await host.docket.act(seat, message, self)
            meters = self._hall.meters
            if isinstance(answer, Refused):
                meters.refused[answer.code] += 1
            else:
                meters.accepted += 1
            if not self._is_answered:
                self._tell(answer)


def _cost(message: ClientMessage) -> float:
    if isinstance(message, ListTurns):
        return COSTLY * len(message.seats)
    is_dear = isinstance(message, WORK) or (isinstance(message, Offer) and isinstance(message.terms, TakeBack))
    return COSTLY if is_dear else 1
