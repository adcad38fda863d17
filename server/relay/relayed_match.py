"""One match at a relay: its public lines, other messages of its origin, and the spectators here."""

import logging
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, Protocol

from msgspec.structs import replace

from projections.face import Face
from projections.languages import ENGLISH
from projections.redaction import SPECTATOR, Viewer
from server.direction.statements import fault
from server.errors import place_of
from server.relay.clock_times import RelayedClocks
from server.relay.errors import OriginBroken
from server.relay.fan_out import FanOut
from server.relay.verified_lines import NewLines, VerifiedLines, frame_of
from server.table.audience import Audience
from server.table.connections import NAMES
from server.wire.direction_messages import Directed
from server.wire.protocol import (
    ChatLine,
    Checkpoint,
    Error,
    Events,
    Presence,
    Said,
    SeatsChanged,
    ServerMessage,
    Welcome,
    write_message,
)

LOG = logging.getLogger(__name__)
SAID: Final = 50
"""The number of chat lines that are sent to a new spectator."""
NOBODY: Final = Presence((), 0)


class Watcher(Protocol):
    """A connection that watches; see `Outbox`."""

    wants_scenes: bool
    language: str
    name: str
    seq: int
    is_behind: bool

    def send(self, frame: str, seq: int = 0) -> None:
        """Send soon; never waits. `seq` is the last line in the frame, 0 if the frame has no lines."""
        ...

    def send_all(self, frames: Sequence[str], seq: int = 0) -> None:
        """Send several frames soon, in the way of `send`."""
        ...

    def heard(self, lines: Sequence[ChatLine]) -> str:
        """Lines of chat without those of muted speakers, as a frame; "" if none is left."""
        ...

    def fall_behind(self) -> None:
        """Omit frames from now on, until the other side has read the earlier ones."""
        ...

    def warning(self, trouble: Error) -> str:
        """A frame with an error message in the connection's language."""
        ...

    def dismiss(self, code: int) -> None:
        """Close soon with a code."""
        ...


class RelayedMatch:
    """Holds nothing that its origin has not sent to spectators. `copy`: the lines; `watchers`: the spectators here.

    `viewer`: a spectator, or a spectator of open cards; a match that both kinds watch is relayed twice.
    """

    def __init__(self, face: Face[Any], welcome: Welcome, viewer: Viewer = SPECTATOR) -> None:
        self.face, self.viewer = face, viewer
        self.copy = VerifiedLines(welcome.match, face.game, viewer)
        self.watchers: list[Watcher] = []
        self.fan_out: FanOut[Watcher] = FanOut()
        self.trouble: Error | None = None
        """The reason why the data shown may be old."""
        self.left_at = time.monotonic()
        self._welcome = welcome
        self._times = RelayedClocks()
        self._there = self._told = NOBODY
        self._said: deque[ChatLine] = deque(maxlen=SAID)
        self.directed = Directed()
        self._audience: Audience[Any] | None = None
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether the end of the match is among the lines here."""
        return self._is_over

    @property
    def title(self) -> str:
        """The match's own title."""
        return self._welcome.title

    @property
    def match(self) -> str:
        """The match."""
        return self._welcome.match

    def welcomed(self, welcome: Welcome) -> None:
        """Apply the welcome of an origin that has admitted the relay, for the first time or again."""
        changed = welcome.seats != self._welcome.seats
        self._welcome = welcome
        if self.trouble is not None and self.trouble.code != OriginBroken.code:
            self.trouble = None
            self.tell(self.presence())  # this shows viewers that the origin continues
        self._times.take(welcome.clocks, welcome.table, anew=True)
        if changed:
            self.tell(SeatsChanged(welcome.seats))

    def take(self, message: Events, news: NewLines) -> None:
        """Accept checked lines, and send them to everybody."""
        self._times.take(message.clocks, message.table)
        if not news.lines:
            return
        self.trouble = None
        self.copy.add(news, message.head)
        self._is_over = self._is_over or news.is_end
        plain = frame_of(news.lines, message.head)
        self._show(replace(plain, clocks=message.clocks, table=message.table), news)

    def _show(self, plain: Events, news: NewLines) -> None:
        """Send lines to everybody, and Steps to clients that draw; each frame is encoded once."""
        audience, frame, steps = self._audience, write_message(plain), ""
        drawing = [watcher for watcher in self.watchers if watcher.wants_scenes]
        if audience is not None and not drawing:
            self._audience = audience = None  # nobody wants Scenes; the view is folded again when somebody does
        translated: dict[str, str] = {}
        if audience is not None:
            try:
                steps = audience.advance_told(plain, news.events)
                others = {watcher.language for watcher in drawing} - {ENGLISH}
                translated = {language: audience.last_in(language) for language in others}
            except Exception as wrong:
                # If a face fails, or if no rules could have made these lines, the lines are still sent and the view is
                # folded again.
                LOG.error("the view of %s failed: %s", self.match, place_of(wrong))
                self._audience, steps = None, ""

        def form_for(watcher: Watcher) -> str:
            return translated.get(watcher.language, steps) if watcher.wants_scenes and steps else frame

        self.fan_out.tell(form_for, plain.last)

    def hear(self, message: Checkpoint | Presence | SeatsChanged | Directed | Said) -> None:
        """Apply the origin's messages beside the lines. Raises `OriginBroken` if a message does not fit the record."""
        match message:
            case Checkpoint():
                self.signed(message)
            case Presence():
                self.present(message)
            case SeatsChanged():
                self.seated(message)
            case Directed():
                self.direct(message)
            case Said():
                self.heard(message)

    def signed(self, message: Checkpoint) -> None:
        """Apply the origin's new signature of its last line. Raises `OriginBroken` if it does not fit."""
        self.copy.sign(message.seq, message.signed)
        if message.seq == self.copy.seq:
            self.tell(message)

    def seated(self, message: SeatsChanged) -> None:
        """Apply the seats after somebody sat down."""
        self._welcome = replace(self._welcome, seats=message.seats)
        self.tell(message)

    def present(self, there: Presence) -> None:
        """Apply the presence at the origin."""
        self._there = there
        self.look_round()

    def direct(self, directed: Directed) -> None:
        """Pass on a director's choice of view. Raises `OriginBroken` if it refers to something that no spectator has,
        or if its signature does not fit.
        """
        if directed.direction is not None and max(directed.direction.lines) > self.copy.seq:
            raise OriginBroken(self.copy.seq + 1, "a director points at it, and the origin has not told it")
        if why := fault(directed, self.match, self.viewer.label):
            raise OriginBroken(self.copy.seq + 1, f"a director points at it, and {why}")
        self.directed = directed
        self.tell(directed)

    def heard(self, said: Said) -> None:
        """Apply the spectators' chat; known lines are not sent again.

        Raises `OriginBroken` if a line cannot be right.
        """
        if any(line.who.startswith("seat") for line in said.lines):
            raise OriginBroken(self.copy.seq + 1, "the origin told what was said in the players' room")
        last = self._said[-1].n if self._said else 0
        lines = [line for line in said.lines if line.n > last]
        self._said += lines
        if lines:
            self.fan_out.tell(lambda watcher: watcher.heard(lines))

    def away(self, code: str, why: str) -> None:
        """Note that the connection to every origin is lost, and inform everybody once."""
        if self.trouble is None:
            trouble = self.trouble = Error(code, why)
            self.fan_out.tell(lambda watcher: watcher.warning(trouble))

    def enter(self, watcher: Watcher) -> None:
        """Add a spectator, whose welcome has been sent, to those who watch."""
        self.watchers.append(watcher)
        self.fan_out.enter(watcher)
        watcher.send(write_message(self.presence()))
        if self.directed.direction is not None:
            watcher.send(write_message(self.directed))

    def leave(self, watcher: Watcher) -> None:
        """Remove a spectator from those who watch."""
        self.left_at = time.monotonic()
        self.fan_out.leave(watcher)
        if watcher in self.watchers:
            self.watchers.remove(watcher)

    def welcome(self) -> Welcome:
        """The messages for a spectator who enters."""
        welcome, times = self._welcome, self._times.now()
        if self._is_over:
            welcome = replace(welcome, status="finished", delay=None)
        return replace(welcome, head=self.copy.end, clocks=times.clocks, table=times.table)

    def presence(self) -> Presence:
        """The presence at the origin and here: the origin counts the relay itself as a spectator."""
        names = tuple(sorted({*self._there.names, *(one.name for one in self.watchers if one.name)})[:NAMES])
        watching = max(0, self._there.spectators - 1) + len(self.watchers)
        return replace(self._there, spectators=watching, names=names)

    def look_round(self) -> None:
        """Send the presence if anybody has arrived or left."""
        there = self.presence()
        if there != self._told:
            self._told = there
            self.tell(there)

    def tell(self, message: ServerMessage) -> None:
        """Send a message to everybody who watches here."""
        frame = write_message(message)
        self.fan_out.tell(lambda _: frame)

    def said(self) -> tuple[ChatLine, ...]:
        """The last lines of the spectators' chat room."""
        return tuple(self._said)

    def snapshot(self, language: str) -> str:
        """The Scene as a frame. Raises the face's errors."""
        if self._audience is None:
            self._audience = Audience(self.face, self.viewer, self.copy.events())
        end = self.copy.end
        return self._audience.snapshot(end.seq, self.copy.head, self._times.now(), language)
