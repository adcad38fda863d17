"""One connection: its first message within five seconds, its rate limit, and its match, which it never slows."""

import asyncio
import logging
import socket
import time
from typing import Final, Protocol

from domain.kernel import TakeBack
from replay.store.errors import StoreFailed
from server.direction.errors import CommentaryRefused, DirectionRefused
from server.errors import place_of
from server.gate.account_dispatcher import NOWHERE, AccountDispatcher
from server.gate.dispatcher import Dispatcher
from server.gate.forwarding import asked, carry
from server.gate.match_listener import MatchListener
from server.gate.opponent_dispatcher import OpponentDispatcher
from server.gate.outbox import Socket
from server.lobby.errors import CannotCreate, CannotJudge, CannotStudy, ServerFull, TooOften
from server.lobby.lobby import Lobby
from server.matchmaking.errors import CannotPair
from server.moderation.errors import SafetyRefused, Sanctioned
from server.notifications.errors import NoticeRefused
from server.people.challenges import SigningPlace
from server.people.errors import AccountRefused, SignInRefused
from server.table.errors import CannotSit, ChatRefused, GrantRefused
from server.webhooks.errors import HookRefused
from server.wire.account_messages import AccountMessage
from server.wire.act_messages import Hint, Offer, TableMessage
from server.wire.analysis_messages import Judge
from server.wire.direction_messages import Direct, Remark, Voice
from server.wire.errors import BadMessage, BeyondHead, NotAdmitted
from server.wire.foresight_messages import Foresee
from server.wire.inviting import ReadInvitation, Renew, Withdraw
from server.wire.lesson_messages import Consider, Study
from server.wire.notice_messages import NoticeMessage
from server.wire.opponent_messages import OpponentMessage
from server.wire.person_messages import ClaimSeat, ReadPersons
from server.wire.protocol import (
    Branch,
    Choose,
    ClientMessage,
    Create,
    Error,
    Grant,
    Hello,
    Join,
    ListTurns,
    Need,
    Notify,
    Refused,
    Reveal,
    Revoke,
    SetKey,
    Share,
    read_message,
)
from server.wire.safety_messages import Report, SafetyMessage
from server.wire.standing_messages import Ahead

LOG = logging.getLogger(__name__)
SENT_ONCE: Final = (Need, Reveal, SetKey, Share)
"""Messages that clients send once and do not repeat. If such a message has no id, only lines answer it."""

REFUSED = (
    BeyondHead,
    CannotSit,
    CannotCreate,
    CannotJudge,
    CannotPair,
    CannotStudy,
    TooOften,
    GrantRefused,
    HookRefused,
    NoticeRefused,
    ChatRefused,
    AccountRefused,
    SafetyRefused,
    Sanctioned,
    DirectionRefused,
    CommentaryRefused,
)
FAULT = "The server could not do this now; nothing has changed. Try again."
UNKNOWN = "The connection that was to begin the match has ended; look whether it has begun before you try again."
AGAIN = "The record could not be read or written now; send it again, with the same id."
THOUGHT = 4.0
"""The cost of a question about consequences, in messages; the question takes a thread some milliseconds."""
COSTLY = 20.0
"""The cost of a message that makes the server write or fold a match: one of `WORK`, or a takeback offer."""
ADMITTED = Hello | Join | Branch | ReadInvitation | Withdraw
"""Messages with a secret that opens a match if it is right."""
PERSONAL = AccountMessage | SafetyMessage | NoticeMessage
"""Messages of persons who are signed in or about to sign in."""
WORK = (
    ADMITTED
    | Create
    | Need
    | Grant
    | Revoke
    | Notify
    | SetKey
    | ClaimSeat
    | ReadPersons
    | Ahead
    | Renew
    | Judge
    | Hint
    | PERSONAL
    | Report
    | OpponentMessage
    | Direct
    | Remark
    | Voice
)


class Ways(Protocol):
    """The ways to other processes of this server."""

    def link(self, match: str, address: str) -> socket.socket | None:
        """The link to the process in which a match lives; None if that is this process."""
        ...

    def next(self, address: str) -> socket.socket | None:
        """The link to the process whose turn it is to begin a match; None if that is this process."""
        ...


class Session:
    """Takes the messages of a connection, one at a time. `address`: the address from which it comes, if known.

    `stream`: the messages to the client. `ways`: links to the other processes of this server; None if no process links
    to this one. `place`: the names by which the client addressed the server.
    """

    def __init__(
        self, lobby: Lobby, near: Socket, address: str = "", ways: Ways | None = None, place: SigningPlace = NOWHERE
    ) -> None:
        self._lobby, self._limits, self._socket, self._ways = lobby, lobby.limits, near, ways
        self.stream = MatchListener(near, lobby.limits, lobby.meters, address, lobby.intervals)
        self._dispatcher = Dispatcher(lobby, self.stream)
        self._accounts = AccountDispatcher(lobby, place, address)
        self._opponents = OpponentDispatcher(lobby, address)
        self._allowance = lobby.limits.message_burst
        self._counted = time.monotonic()
        self._broken = 0
        self._refused = 0
        self._far: socket.socket | None = None

    async def run(self) -> None:
        """Serve until the connection ends; the caller sees the socket's own exceptions.

        A client that enters a match of another process is served there from then on.
        """
        try:
            self._lobby.connection_limits.arrive(self.stream)
        except ServerFull:
            await self.stream.close(4013)
            return
        frame = await self._serve()
        if self._far is not None:
            await carry(self._socket, self._far, frame)

    async def _serve(self) -> str | bytes:
        """Serve the client here; returns the last frame."""
        frame: str | bytes = ""
        try:
            try:
                async with asyncio.timeout(self._limits.hello_s):
                    frame = await self._socket.recv()
            except TimeoutError:
                await self.stream.close(4000)
                return frame
            while await self._take(frame) and await self.stream.has_read():
                frame = await self._socket.recv()
        finally:
            self.stream.stop()
            self._dispatcher.leave()
            self._lobby.connection_limits.leave(self.stream)
        return frame

    async def _take(self, frame: str | bytes) -> bool:
        """Serve a frame; returns False if the connection is closed because of it."""
        if self.stream.is_closing:
            return False
        if self._lobby.is_draining:
            # The message stays unanswered, so that the client repeats it, with its id, at the next server.
            return True
        try:
            message = read_message(frame)
        except BadMessage as wrong:
            self._broken += 1
            await self._pace(1)
            self.stream.answer(Error(wrong.code, str(wrong), wrong.id))
        else:
            if self._ways is not None and isinstance(message, Hello | Join | ReadInvitation):
                self._far = self._ways.link(message.match, self.stream.address)
                if self._far is not None:
                    return False
            await self._pace(_cost(message))
            if self._ways is None or not isinstance(message, Create | Branch):
                await self._answer(message)
            else:
                await self._begin(message, frame, self._ways.next(self.stream.address))
        for count, most, code in (
            (self._broken, self._limits.broken_messages, 4001),
            (self._refused, self._limits.refused_entries, 4003),
        ):
            if count >= most:
                await self.stream.close(code)
                return False
        return True

    async def _begin(self, message: Create | Branch, frame: str | bytes, far: socket.socket | None) -> None:
        """Let the process whose turn it is create a match, because the match will live there. Otherwise, all matches of
        a client would live here.
        """
        if far is None:
            await self._answer(message)
            return
        try:
            self.stream.write(await asked(far, frame))
        except EOFError:
            self.stream.answer(Error("server-fault", UNKNOWN, message.id))

    async def _pace(self, cost: float) -> None:
        """Take messages no faster than the rate: only this connection waits."""
        now, rate = time.monotonic(), self._limits.messages_per_s
        self._allowance = min(self._limits.message_burst, self._allowance + (now - self._counted) * rate) - cost
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / rate)

    async def _answer(self, message: ClientMessage) -> None:
        try:
            if isinstance(message, PERSONAL):
                self.stream.answer(await self._accounts.serve(message))
            elif isinstance(message, OpponentMessage):
                self.stream.answer(await self._opponents.serve(message))
            else:
                await self._dispatcher.serve(message)
        except SignInRefused as wrong:
            self._refused += 1
            await asyncio.sleep(self._lobby.connection_limits.wrong_sign_in(self.stream.address))
            self.stream.answer(Error(wrong.code, str(wrong), message.id))
        except NotAdmitted as wrong:
            self._refused += 1
            named = message.match if isinstance(message, ADMITTED) else ""
            await asyncio.sleep(self._lobby.connection_limits.wrong_token(self.stream.address, named))
            self.stream.answer(Error(wrong.code, str(wrong), message.id))
        except ServerFull:
            self.stream.dismiss(4013)
        except REFUSED as wrong:
            self.stream.answer(Error(wrong.code, str(wrong), message.id))
        except StoreFailed as wrong:
            LOG.error("%s waits for the database: %s", type(message).__name__, place_of(wrong))
            if isinstance(message, Hello) or (isinstance(message, SENT_ONCE) and not message.id):
                # Without a close, the client would wait forever. When it reconnects, it receives everything and repeats
                # these messages.
                self.stream.dismiss(1013)
            else:
                self._fail(message, "try-again", AGAIN)
        except Exception as wrong:
            # Only the place is logged: a message or a value could hold a secret.
            LOG.error("%s failed: %s", type(message).__name__, place_of(wrong))
            self._fail(message, "server-fault", FAULT)

    def _fail(self, message: ClientMessage, code: str, why: str) -> None:
        if isinstance(message, Choose | TableMessage):
            self.stream.answer(Refused(message.id, code, why))
        else:
            self.stream.answer(Error(code, why, message.id))


def _cost(message: ClientMessage) -> float:
    if isinstance(message, Foresee):
        return THOUGHT
    if isinstance(message, Study | Consider):
        # After a restart, every choice of the lesson is replayed, and an attacker can cause the same at any time.
        return THOUGHT * (1 + len(message.choices))
    if isinstance(message, ListTurns):
        return COSTLY * len(message.seats)
    is_dear = isinstance(message, WORK) or (isinstance(message, Offer) and isinstance(message.terms, TakeBack))
    return COSTLY if is_dear else 1
