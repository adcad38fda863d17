"""Valid frames, changed at random, sent to a session: the server answers or refuses, never fails, and reveals nothing.

One seed is one run: time and chance come from the simulation's loop (tests/simulation/loop.py).
"""

import asyncio
import logging
import random
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain.kernel import Seat
from domain.kernel.table import Draw
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import sealing
from replay.store.memory import MemoryStore
from server.gate.session import Session
from server.lobby.lobby import Lobby
from server.operations.settings import Limits
from server.table.audience import wire_item
from server.wire.act_messages import Resign
from server.wire.codes import CODES
from server.wire.protocol import (
    Branch,
    Choose,
    ClientMessage,
    Create,
    Created,
    Events,
    Hello,
    Said,
    read_server_message,
    write_client_message,
)
from tests.server.tabletop import FACES, TWO_PEOPLE
from tests.simulation.loop import virtual
from tests.skirmish.game import GAME

EPOCH: Final = 2_500
"""Frames against one server, whose records are then judged."""
CONNECTION: Final = 120
"""Frames over one connection."""
RARE: Final = (Create, Branch, Resign)
"""Messages that would fill the server with matches, or end the one that is played."""
ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**400, 0.5, -0.0, 1e308, "", " ", "\0", "é",
    "e\u0301", "\ud800", "\u202e", "\ufeff", "x" * 33, "x" * 65, "A" * 43, "=" * 43, "../..", "__proto__", "%s%n", "{}",
    "' OR 1=1 --", "<script>", [], {}, [[]], {"do": 1}, {"do": "Play"}, {"do": "Play", "card": 9}, {"": ""}, [0] * 500,
)  # fmt: skip
PIECES: Final = (
    '"', "{", "}", "[", "]", ",", ":", "\\", "\\u0000", "\\ud800", "null", "-", "1e999", "\n", "\0", "\uffff", "𝕏",
    "//", '"t":', '"do":', '"id":', "[" * 2000, "9" * 5000, '{"a":' * 1000,
)  # fmt: skip


class Over(Exception):
    """The connection has sent all it had to send."""


class Thrown(Struct):
    """The results of a run: frames sent, changed ones by the kind they were made from, answers by kind and code, and
    faults (none)."""

    frames: int = 0
    changed: Counter[str] = msgspec.field(default_factory=Counter)
    answers: Counter[str] = msgspec.field(default_factory=Counter)
    wrong: list[str] = msgspec.field(default_factory=list)


class Thrower:
    """A connection's other side: changed frames in, every answer looked at."""

    def __init__(self, rng: random.Random, valid: list[ClientMessage], count: int, thrown: Thrown) -> None:
        self._rng = rng
        self._valid = valid
        self._left = count
        self._thrown = thrown
        self.told: list[str] = []
        self.last: str | bytes = ""

    async def recv(self) -> str | bytes:
        """The next frame. Raises `Over`."""
        if self._left <= 0:
            raise Over
        self._left -= 1
        self._thrown.frames += 1
        is_first = not self.last and self._rng.random() < 0.8
        self.last = write_client_message(self._valid[-1]) if is_first else self._frame()
        return self.last

    def _frame(self) -> str | bytes:
        message = self._rng.choice(self._valid)
        if isinstance(message, RARE) and self._rng.random() > 0.1:
            message = self._valid[0]
        frame = write_client_message(message)
        roll = self._rng.random()
        if roll < 0.15:
            return frame
        self._thrown.changed[type(message).__name__] += 1
        changed = changed_value(self._rng, frame) if roll < 0.6 else changed_text(self._rng, frame, self._valid)
        return changed.encode("utf-8", "surrogatepass") if roll > 0.99 else changed

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """The server closes."""
        self._thrown.answers[f"closed {code}"] += 1
        self._left = 0

    def write(self, *frames: str) -> None:
        """The server answers."""
        for frame in frames:
            self._read(frame)

    def _read(self, frame: str) -> None:
        self.told.append(frame)
        message = read_server_message(frame)
        self._thrown.answers[type(message).__name__] += 1
        code = getattr(message, "code", None)
        if code is not None:
            self._thrown.answers[code] += 1
            if code not in CODES or code == "server-fault":
                self._thrown.wrong.append(f"{code} after {self.last[:300]!r}")

    def waiting(self) -> int:
        """Everything is read at once."""
        return 0


def changed_value(rng: random.Random, frame: str) -> str:
    """The message with a value put in another's place, a field more or a field less."""
    message = msgspec.json.decode(frame)
    for _ in range(rng.choice((1, 1, 2))):
        where, key = _somewhere(rng, message)
        what = rng.randrange(5)
        if what == 0 and isinstance(where, dict):
            del where[key]
        elif what == 1 and isinstance(where, dict):
            where[rng.choice(("extra", "t", "do", "id", "choice", "token", ""))] = deepcopy(rng.choice(ODD))
        else:
            where[key] = deepcopy(rng.choice(ODD))
        if not message:
            break
    try:
        return msgspec.json.encode(message).decode()
    except (UnicodeEncodeError, OverflowError):
        return str(message).replace("'", '"')


def _somewhere(rng: random.Random, message: Any) -> tuple[Any, Any]:
    where, key = message, rng.choice(list(message))
    while isinstance(where[key], dict | list) and where[key] and rng.random() < 0.7:
        where = where[key]
        key = rng.choice(list(where)) if isinstance(where, dict) else rng.randrange(len(where))
    return where, key


def changed_text(rng: random.Random, frame: str, valid: list[ClientMessage]) -> str:
    """The frame's characters, cut, doubled, swapped, spliced with another's or with what parsers dislike."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(frame) + 1)
        end = min(len(frame), at + rng.choice((1, 1, 2, 8, 40)))
        match rng.randrange(6):
            case 0:
                frame = frame[:at] + frame[end:]
            case 1:
                frame = frame[:end] + frame[at:]
            case 2:
                frame = frame[:at] + rng.choice(PIECES) + frame[at:]
            case 3:
                frame = frame[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0xD800)))) + frame[at + 1 :]
            case 4:
                other = write_client_message(rng.choice(valid))
                frame = frame[:at] + other[rng.randrange(len(other)) :]
            case _:
                frame = frame[:at] + frame[at:end][::-1] + frame[end:]
    return frame


GUESSES: Final[dict[str, Any]] = {
    "name": "Bo", "id": "f1", "choice": 0, "since": 0, "n": 1, "entropy": "A" * 43, "key": "", "game": GAME.name,
    "seats": TWO_PEOPLE, "text": "hello", "seat": 0, "to": "players", "who": "1", "seq": 5, "days": 1, "number": 1,
    "session": "S" * 43, "code": "7K2M-Q8RT", "handle": "Bo", "group": "", "after": 0,
    "terms": Draw(), "signature": "", "url": "https://example.org/hook", "lang": "de", "language": "de",
    "track": "T" * 8, "report": "0" * 16, "opening": "0" * 16,
}  # fmt: skip


KINDS: Final = get_args(ClientMessage)
"""Every kind of message that a client may send, as the protocol itself has them."""
PLAIN: Final[tuple[Any, ...]] = ("x", 1, False, "A" * 43, "A" * 86, {}, None)
"""Values for fields of which nothing better is known."""


def valid_frames(lobby: Lobby, created: Created, seat: int) -> list[ClientMessage]:
    """Messages of each kind that the protocol has, as a client at this table might send them now: the shortest of the
    kind, and one with every field that it may have."""
    asked = lobby.registry.live_match(created.match)._referee.state.asked
    number = asked[0].number if asked else 1
    known = {**GUESSES, "match": created.match, "token": created.tokens[str(seat)], "decision": number}
    made = [message_of(kind, known, whole=whole) for kind in KINDS for whole in (False, True)]
    choices = [Choose(f"f{answer}-{number}", number, answer) for answer in range(3)]
    return [*choices * 15, *made, Hello(created.match, known["token"], "", 0, ("scene",))]


def message_of(kind: type[Any], known: dict[str, Any], *, whole: bool) -> Any:
    """A message of the kind. Raises `AssertionError` for one that the guesses do not fit."""
    return msgspec.convert({"t": kind.__struct_config__.tag, **_fields_of(kind, known, whole=whole)}, kind)


def _fields_of(kind: type[Any], known: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    fields = [field for field in msgspec.structs.fields(kind) if whole or field.required or field.name == "token"]
    return {field.encode_name: _value_of(hints[field.name], field.name, known) for field in fields}


def _value_of(hint: Any, name: str, known: dict[str, Any]) -> Any:
    """A value of the type: the one known by the field's name, one made of the type's parts, or a plain one."""
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    made: list[Any] = []
    if isinstance(plain, type) and issubclass(plain, Struct):
        made = [_fields_of(plain, known, whole=True)]
    elif get_origin(plain) is tuple:
        made = [[_value_of(get_args(plain)[0], name, known)] * 2]
    elif get_origin(plain) is Literal:
        made = [get_args(plain)[-1]]
    elif get_origin(plain) in {Union, UnionType}:
        made = [_value_of(part, name, known) for part in get_args(plain)]
    for value in (*(msgspec.to_builtins(known[found]) for found in (name,) if found in known), *made, *PLAIN):
        with suppress(msgspec.ValidationError):
            return msgspec.to_builtins(msgspec.convert(value, hint))
    raise AssertionError(f"GUESSES wants a value for {name}: {hint}")


async def _epoch(rng: random.Random, frames: int, thrown: Thrown) -> None:
    store = MemoryStore()
    limits = Limits(
        broken_messages=1000, refused_entries=1000, messages_per_s=1e6, message_burst=1e6, creations_per_minute=1e6
    )
    lobby = Lobby(store, FACES, bot_delay_s=0, limits=limits)
    created = await lobby.factory.create(Create(GAME.name, TWO_PEOPLE))
    told: dict[int | None, list[str]] = {0: [], 1: [], None: []}
    until = thrown.frames + frames
    while thrown.frames < until:
        seat = rng.randrange(2)
        thrower = Thrower(rng, valid_frames(lobby, created, seat), min(CONNECTION, until - thrown.frames), thrown)
        session = Session(lobby, thrower)
        try:
            await session.run()
        except Over:
            pass
        except Exception as wrong:
            thrown.wrong.append(f"{wrong!r} after {thrower.last[:300]!r}")
        told[seat] += thrower.told
        if lobby.registry.live_match(created.match).is_over:
            thrown.answers["matches played out"] += 1
            _judge(store, created, told, thrown)
            told = {0: [], 1: [], None: []}
            created = await lobby.factory.create(Create(GAME.name, TWO_PEOPLE))
    _judge(store, created, told, thrown)
    await lobby.close()


async def _end() -> None:
    """Nothing that a server has left running outlives its epoch."""
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            task.cancel()
    await asyncio.sleep(1)


def _judge(store: MemoryStore, created: Created, told: dict[int | None, list[str]], thrown: Thrown) -> None:
    """The record is true, and each seat was told its own part of it."""
    report = audit(GAME, export.from_store(store, created.match))
    if not report.ok:
        thrown.wrong.append(f"the audit says: {report.fault}")
    entries = store.read(created.match)
    for seat in (0, 1):
        viewers = (Viewer(Seat(seat)), SPECTATOR)
        items = [[wire_item(entry, viewer) for entry in entries] for viewer in viewers]
        text = "".join(told[seat])
        # A changed line of chat may hold the token of whoever says it: that is not the server's telling.
        unsaid = "".join(frame for frame in told[seat] if not isinstance(read_server_message(frame), Said))
        if created.tokens[str(1 - seat)] in unsaid or sealing.b64(store.keys(created.match).k_m) in text:
            thrown.wrong.append(f"seat {seat} was told a secret")
        for message in map(read_server_message, told[seat]):
            if isinstance(message, Events) and f'"{created.match}"' in message.items[0][0]:
                lines = list(message.items)
                if all(lines != held[message.first - 1 : message.last] for held in items):
                    thrown.wrong.append(f"seat {seat} was told lines {message.first} to {message.last} otherwise")


class Complaints(logging.Handler):
    """Errors that the server logs: a changed frame must not cause one."""

    def __init__(self, thrown: Thrown) -> None:
        super().__init__(logging.ERROR)
        self._thrown = thrown

    def emit(self, record: logging.LogRecord) -> None:
        """Note it."""
        self._thrown.wrong.append(record.getMessage())


def throw(frames: int, seed: int) -> Thrown:
    """Throw that many changed frames at a server."""
    thrown = Thrown()
    complaints = Complaints(thrown)
    logger = logging.getLogger("server")
    logger.addHandler(complaints)
    try:
        for first in range(0, frames, EPOCH):
            rng = random.Random(f"{seed}/{first}")
            with virtual(rng) as (loop, _):
                loop.run_until_complete(_epoch(rng, min(EPOCH, frames - first), thrown))
                loop.run_until_complete(_end())
    finally:
        logger.removeHandler(complaints)
    return thrown
