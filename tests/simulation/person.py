"""A client like people's programs: it verifies its messages, and loses its connection, its patience and its memory.

Written against the protocol alone (docs/protocol.md); it knows nothing of the server but its messages.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from domain.kernel.table import GoOn, Pause, TakeBack
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from projections.scene import merge
from replay.audit.verify import Verifier
from replay.record import keychain, sealing
from replay.store.log import Entry
from server.table.audience import wire_item
from server.wire.act_messages import Agree, Decline, Offer, TableMessage, Vacation
from server.wire.client import View
from server.wire.protocol import (
    Accepted,
    Chat,
    Choose,
    Error,
    Events,
    Grant,
    Granted,
    Hello,
    Mute,
    Need,
    Ping,
    Refused,
    Reveal,
    Revoke,
    ServerMessage,
    Snapshot,
    Welcome,
    read_server_message,
    write_client_message,
)
from tests.simulation.network import Gone, Link
from tests.simulation.witness import NEVER, SAID, TRY_AGAIN
from tests.skirmish.game import GAME

if TYPE_CHECKING:
    from tests.simulation.world import World

FACE = plain_face(GAME)
SHARED = 3
"""The number of times that a seat shares its view at most."""
BROKEN = ("", "{", '{"t":"nonsense"}', '{"t":"choose","id":"x","decision":1}', b"\x00", "[" * 3000)


class Person:
    """Somebody at a match: a seat with its token, a caster with one that a seat gave, or a spectator without.

    `share` is a seat's own share of chance; `caster_of` the seat through whose eyes a caster watches.
    """

    def __init__(
        self,
        world: "World",
        name: str,
        match: str,
        token: str,
        *,
        scenes: bool,
        share: bytes = b"",
        caster_of: int | None = None,
    ) -> None:
        self.name = name
        self.match = match
        self.done = False
        self._world = world
        self._rng = world.rng
        self._token = token
        self._share = share
        self._scenes = scenes
        self._caster_of = caster_of
        self._is_seat = bool(token) and caster_of is None
        self._is_sent_away = False
        self._given = 0
        self._lines_said = 0
        self._link: Link | None = None
        self._made = 0
        self._acts = 0
        self.is_forgetful = True
        self._forget()

    def _forget(self) -> None:
        """The program is restarted: only the token is left, as in a page's address."""
        self.is_forgetful = False
        self._lines: list[Any] = []
        self._view: View | None = None
        self._verifier: Verifier | None = None
        self._pending: Choose | None = None
        self._scene: dict[str, Any] = {}
        self._scene_seq = 0

    @property
    def link(self) -> Link | None:
        """The connection, while there is one."""
        return self._link

    async def run(self) -> None:
        """Reconnect until the match is over and all of it is known."""
        while not self.done:
            try:
                await self._visit()
            except (Gone, TimeoutError):
                await asyncio.sleep(self._rng.uniform(0.01, 2))
            finally:
                if self._link is not None:
                    self._link.drop()
                    self._link = None

    async def _enter(self) -> Link:
        """A new connection that has said hello. Raises `Gone`."""
        link = self._world.connect(self.name)
        since = None if not self._lines or self._rng.random() < 0.2 else len(self._lines)
        caps = ("scene",) if self._scenes else ()
        link.tokens.add(self._token)
        self._say(link, Hello(self.match, self._token, "" if self._token else "spectator", since, caps))
        return link

    def _say(self, link: Link, message: Any) -> None:
        frame = write_client_message(message)
        self._world.trace(f"{link.name} > {frame}")
        link.up.send(frame)

    async def _visit(self) -> None:
        if self.is_forgetful:
            self._forget()
        link = self._link = await self._enter()
        entered = False
        while not self.done:
            message = await self._receive(link, 8 if entered else 20)
            if message is None:
                if not entered:
                    raise TimeoutError
                self._try_again(link)
                continue
            entered = entered or isinstance(message, Welcome)
            self._take(link, message)
            if entered:
                self._act(link)

    async def _receive(self, link: Link, patience_s: float) -> ServerMessage | None:
        try:
            frame = await asyncio.wait_for(link.down.receive(), self._rng.uniform(1, patience_s))
        except TimeoutError:
            if self._rng.random() < 0.2:
                raise
            return None
        return read_server_message(frame)

    def _try_again(self, link: Link) -> None:
        if self._pending is not None:
            self._say(link, self._pending)
        self._ask_for_more(link)
        self._say(link, Ping(1))

    def _ask_for_more(self, link: Link) -> None:
        self._say(link, Need(len(self._lines)))

    def _take(self, link: Link, message: ServerMessage) -> None:
        match message:
            case Welcome():
                if self._view is None:
                    self._view = View(GAME, message)
                    keys = {int(mask): sealing.unb64(key) for mask, key in message.keys.items()}
                    self._verifier = Verifier(self.match, keys)
            case Granted(token):
                self._world.cast(self, token)
            case Error("try-again") if self._world.loses:
                # Perhaps it was the hello, also where it was welcomed: the lines could not be read then.
                raise TimeoutError
            case Error(code) if self._caster_of is not None and code == "not-admitted":
                assert (self.match, self._caster_of) in self._world.witness.revoking, (
                    "a token that was given is no good"
                )
                self._is_sent_away = self.done = True
            case Events():
                self._take_events(link, message)
            case Snapshot(seq, scene):
                if seq >= self._scene_seq:
                    self._scene, self._scene_seq = scene, seq
                if seq > len(self._lines):
                    self._ask_for_more(link)
                self._finish(link)
            case Accepted(name) if self._pending is not None and name == self._pending.id:
                self._pending = None
            case Refused(name, code, why):
                assert code not in NEVER or name.startswith("bad"), f"{self.name}: {code}: {why}"
                if self._pending is not None and name == self._pending.id and code not in TRY_AGAIN:
                    self._pending = None

    def _take_events(self, link: Link, events: Events) -> None:
        assert self._view is not None
        assert self._verifier is not None
        if events.first > len(self._lines) + 1:
            self._ask_for_more(link)
            return
        for seq, (text, openings) in enumerate(events.items, events.first):
            if seq <= len(self._lines):
                assert self._lines[seq - 1] == (text, openings), f"line {seq} has become another"
                continue
            # A caster has no keys to try openings with, and sees what the seat does all the same.
            held = openings if self._caster_of is None else ()
            self._verifier.take(text.encode(), {slot: value.encode() for slot, value in held})
            self._lines.append((text, openings))
        self._view.take(events)
        if events.steps and events.last > self._scene_seq:
            self._step(link, events)
        self._finish(link)

    def _step(self, link: Link, events: Events) -> None:
        """Patch the Scene; steps fit only the Scene before the frame's first line, and any other needs a new Scene."""
        if events.first - 1 != self._scene_seq:
            self._world.faults["a Scene that steps do not fit"] += 1
            self._ask_for_more(link)
            return
        for step in events.steps:
            self._scene = merge(self._scene, step["set"])
        self._scene_seq = events.last

    def _finish(self, link: Link) -> None:
        state = None if self._view is None else self._view.state
        if state is not None and state.result is not None:
            if self._scenes and self._scene_seq < len(self._lines):
                self._ask_for_more(link)
            self.done = not self._scenes or self._scene_seq == len(self._lines)

    def _act(self, link: Link) -> None:
        """Answer the questions; now and then do something that no program should."""
        if self._rng.random() < self._world.mischief:
            self._misbehave(link)
        view = self._view
        if view is None or view.state is None or self.done:
            return
        if self._rng.random() < self._world.sociable:
            self._be_sociable(link, view)
        if not self._is_seat:
            return
        state = view.state
        seat = view.viewer.seat
        fixed = not state.begun and len(state.committed) == GAME.seats
        if self._share and fixed and all(revealed != seat for revealed, _ in state.entropy):
            self._say(link, Reveal(sealing.b64(self._share)))
        if self._world.is_timed and self._rng.random() < 0.1:
            self._be_at_the_table(link, view)
        if self._pending is None and view.asked() and not state.table.paused:
            self._decide(link, view)

    def _be_sociable(self, link: Link, view: View) -> None:
        """Say something, or share the own view, or take it back."""
        what, witness, seat = self._rng.randrange(6), self._world.witness, view.viewer.seat
        if self._is_seat and seat is not None and what == 0 and self._given < SHARED:
            self._given += 1
            self._say(link, Grant())
        elif self._is_seat and seat is not None and what == 1 and self._rng.random() < 0.3:
            witness.revoke(self.match, seat)
            self._say(link, Revoke())
        elif what == 2:
            self._say(link, Mute(self._rng.choice(("*", "seat0", "s1")), self._rng.random() < 0.5))
        elif self._caster_of is None:
            self._lines_said += 1
            role = "seat" if self._is_seat else "spectator"
            self._say(link, Chat(witness.speak(self.match, role, f"{self.name}-{self._lines_said}")))
        else:
            # In no room: whoever hears it is found out.
            self._say(link, Chat(f"{SAID}{self.name}"))

    def _be_at_the_table(self, link: Link, view: View) -> None:
        """Answer the other seat's offers, or offer something."""
        table, seat = view.state.table, view.viewer.seat
        self._acts += 1
        name = f"{self.name}-t{self._acts}"
        theirs = next((offer for offer in table.offers if offer.seat != seat), None)
        message: TableMessage
        if theirs is not None:
            message = (Agree if self._rng.random() < 0.7 else Decline)(name, theirs.number)
        elif table.paused:
            message = Offer(name, GoOn())
        elif table.control.vacation_ms and self._rng.random() < 0.3:
            message = Vacation(name, self._rng.choice((0, 1)))
        else:
            message = Offer(name, self._rng.choice((Pause(2_000), Pause(20_000), TakeBack())))
        for _ in range(self._rng.choice((1, 1, 2))):
            self._say(link, message)

    def _decide(self, link: Link, view: View) -> None:
        """Choose, and send it one to five times over one to three connections."""
        assert self._verifier is not None
        asked = view.asked()[0]
        options = tuple(GAME.revive_decision(asked).form(view.state))
        at = self._rng.randrange(len(options))
        choice: Any = at if self._rng.random() < 0.5 else to_builtins(options[at])
        self._made += 1
        ack = (self._verifier.seq, sealing.b64(self._verifier.head)) if self._rng.random() < 0.7 else (0, "")
        self._pending = Choose(f"{self.name}-{self._made}", asked.number, choice, *ack)
        copies = self._rng.choice((1, 1, 1, 2, 3, 4, 5))
        for _ in range(self._rng.choice((0, 0, 0, 1, 2)) if copies > 1 else 0):
            share = self._rng.randint(0, copies - 1)
            copies -= share
            if share:
                self._world.spawn(self._send_elsewhere(self._pending, share))
        for _ in range(copies):
            self._say(link, self._pending)

    async def _send_elsewhere(self, message: Choose, copies: int) -> None:
        """The same choice over another connection, perhaps long after it was answered."""
        await asyncio.sleep(self._rng.choice((0, 0.01, 0.3, 20)))
        try:
            link = await self._enter()
        except Gone:
            return
        for _ in range(copies):
            self._say(link, message)
        try:
            for _ in range(self._rng.randint(1, 20)):
                await asyncio.wait_for(link.down.receive(), 5)
        except (Gone, TimeoutError):
            pass
        link.drop()

    def _misbehave(self, link: Link) -> None:
        what = self._rng.randrange(5)
        self._world.trace(f"{link.name} misbehaves {what}")
        match what:
            case 0:
                link.up.send(self._rng.choice(BROKEN))
            case 1:
                number = self._rng.randrange(40)
                self._say(link, Choose(f"bad-{self._rng.getrandbits(32)}", 1000 + number, {"do": "Play", "card": 9}))
            case 2 if self._caster_of is None:
                self._say(link, Hello(self.match, "x" * 43))
            case 3:
                self._ask_for_more(link)
                self._say(link, Need(0))
            case 4 if self._view is not None and self._view.state is not None:
                for asked in self._view.state.asked:
                    if asked.seat != self._view.viewer.seat or not self._is_seat:
                        self._say(link, Choose(f"bad-{self._rng.getrandbits(32)}", asked.number, 0))

    def judge(self, entries: list[Entry]) -> None:
        """Check that all connections together have shown what one unbroken connection would have shown."""
        view = self._view
        if self._is_sent_away and view is None:
            return
        assert view is not None
        viewer = view.viewer
        if self._is_sent_away:
            entries = entries[: len(self._lines)]
        assert viewer == SPECTATOR or isinstance(viewer, Viewer)
        assert [tuple(line) for line in self._lines] == [wire_item(entry, viewer) for entry in entries]
        held = [(entry, dict(wire_item(entry, viewer)[1])) for entry in entries]
        assert len(held) == len(self._lines)
        if self._scenes and not self._is_sent_away:
            shown = {key: value for key, value in self._scene.items() if key not in {"log", "seq"}}
            assert shown == FACE.scene(view.state, viewer.seat), f"{self.name} is shown another Scene"


def commitment_of(share: bytes) -> str:
    """The commitment to a seat's own share of chance, before it is revealed."""
    return sealing.b64(keychain.entropy_commitment(share))
