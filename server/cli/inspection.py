"""A viewer's stream, frame by frame: verified as far as its reader can, folded by the rules."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from projections.redaction import Viewer
from replay.audit.verify import Verifier, check_checkpoint
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.line import RecordLine
from replay.store.store import Store
from server.cli.common import face_of
from server.wire.client import View, connected
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    Checkpoint,
    Error,
    Events,
    Hello,
    Ping,
    Pong,
    ServerMessage,
    Welcome,
    read_server_message,
    write_client_message,
)
from server.wire.stream_file import read_link, stream_of

LAST: Final = 1
"""The number of the ping whose answer shows that nothing is left."""


class InspectedFrame(Struct, frozen=True):
    """One frame: its time ("" if unknown), whether it was sent or received, its text."""

    text: str
    out: bool = False
    at: str = ""


class Checked(Struct, frozen=True):
    """A verified line: its content, the chain's hash after it, the number of its secrets that were opened."""

    line: RecordLine
    head: str
    opened: int


class Inspection:
    """Takes in the frames that a viewer receives. `fault`: the first fault; after it no line is believed."""

    def __init__(self, upto: int | None = None) -> None:
        self.lines: list[Checked] = []
        self.fault: RecordInvalid | None = None
        self.signed_to = 0
        self.welcome: Welcome | None = None
        self.view: View | None = None
        self.verifier: Verifier | None = None
        self._upto = upto

    def take(self, text: str) -> ServerMessage:
        """One frame of the server. Raises `NotAdmitted` if the frame denies entry."""
        message = read_server_message(text)
        if isinstance(message, Error) and self.welcome is None:
            raise NotAdmitted(f"{message.code}: {message.why}")
        if isinstance(message, Welcome):
            self._enter(message)
        elif self.fault is None:
            try:
                self._check(message)
            except RecordInvalid as wrong:
                self.fault = wrong
        return message

    def _enter(self, welcome: Welcome) -> None:
        self.welcome = welcome
        game = face_of(welcome.game).game
        self.view = View(game, welcome)
        keys = {int(mask): sealing.unb64(key) for mask, key in welcome.keys.items()}
        self.verifier = Verifier(welcome.match, keys, None, game)

    def _check(self, message: ServerMessage) -> None:
        if isinstance(message, Events):
            self._events(self._cut(message))
        elif isinstance(message, Checkpoint):
            self._signed(message.seq, message.signed)

    def _cut(self, message: Events) -> Events:
        if self._upto is None or message.last <= self._upto:
            return message
        kept = message.items[: max(0, self._upto + 1 - message.first)]
        return msgspec.structs.replace(message, items=kept, last=self._upto)

    def _events(self, message: Events) -> None:
        assert self.verifier is not None, "lines come after a welcome"
        assert self.view is not None, "lines come after a welcome"
        for text, openings in message.items:
            line = self.verifier.take(text.encode(), {slot: value.encode() for slot, value in openings})
            self.lines.append(Checked(line, sealing.b64(self.verifier.head), len(openings)))
        self.view.take(message)
        head = message.head
        if head.seq <= self.verifier.seq:
            if sealing.b64(self.verifier.heads[head.seq]) != head.hash:
                raise RecordInvalid("the server states another hash for the chain here", head.seq, head.hash)
            self._signed(head.seq, head.signed)

    def _signed(self, seq: int, signed: str) -> None:
        if signed and self.verifier is not None and seq <= self.verifier.seq:
            check_checkpoint(self.verifier, seq, sealing.unb64(signed))
            self.signed_to = max(self.signed_to, seq)

    def prompt(self) -> dict[str, Any] | None:
        """The question as the viewer's Scene puts it, made from the folded view."""
        if self.view is None or self.view.state is None:
            return None
        found: dict[str, Any] = face_of(self.view.game).scene(self.view.state, self.view.viewer.seat)["prompt"]
        return found

    @property
    def is_caught_up(self) -> bool:
        """Whether all lines that existed on entering are here, or none is believed any more."""
        return self.fault is not None or (
            self.welcome is not None and self.verifier is not None and self.verifier.seq >= self._wanted(self.welcome)
        )

    def _wanted(self, welcome: Welcome) -> int:
        return welcome.head.seq if self._upto is None else min(welcome.head.seq, self._upto)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by the lines received so far."""
        return self.view is not None and self.view.state is not None and self.view.state.result is not None


def kept_frames(store: Store, match: str, viewer: Viewer) -> Iterator[InspectedFrame]:
    """The messages for a viewer who enters a match of the database now."""
    return (InspectedFrame(text) for text in stream_of(store, match, viewer))


async def live_frames(
    link: str, inspection: Inspection, *, scenes: bool, follow: bool
) -> AsyncIterator[InspectedFrame]:
    """The frames of a connection to a running match, each processed first.

    Ends when nothing is left to read; with `follow`, when the match has ended. Raises `NotAdmitted` if the server
    refuses, `Misconfigured` for a wrong address, and `OSError` if there is no server.
    """
    url, match, token = read_link(link)
    async with connected(url) as client:
        caps = ("scene",) if scenes else ()
        hello = Hello(match, token, "" if token else "spectator", 0, caps)
        for message in (hello, Ping(n=LAST)):
            await client.send(message)
            yield InspectedFrame(write_client_message(message), out=True, at=_now())
        is_said = False
        while True:
            text = await client.connection.recv()
            assert isinstance(text, str), "the protocol is text"
            heard = inspection.take(text)
            yield InspectedFrame(text, at=_now())
            is_said = is_said or isinstance(heard, Pong)
            if inspection.is_over or inspection.fault if follow else is_said and inspection.is_caught_up:
                return


def _now() -> str:
    return datetime.now(UTC).astimezone().strftime("%H:%M:%S.%f")[:-3]
