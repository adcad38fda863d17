"""Lines of the record: an event as bytes, and back (docs/record.md 2, 3)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import force_setattr

from domain.kernel import HIDDEN, Event, Game, Mask, State
from domain.kernel.secret import conceal
from replay.errors import RecordInvalid
from replay.record import canonical_json, sealing
from replay.store.log import Entry

S = TypeVar("S", bound=State)

Seals = tuple[tuple[int, str], ...]
LineTuple = tuple[int, str, int, int, str, str, int, str, Raw, Seals]
Decode = Callable[[bytes], Any]
_LINE: msgspec.json.Decoder[LineTuple] = msgspec.json.Decoder(LineTuple)
_encode = msgspec.json.Encoder().encode
_BROKEN = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError, KeyError)
"""The errors of reading untrusted bytes; `KeyError`: a secret for something that is no seat."""


class RecordLine(Struct, frozen=True, gc=False):
    """A decoded line. `payload` is the JSON of the public fields, `seals` are (audience, commitment) per slot.

    `version` is the version of the record.
    """

    mid: str
    seq: int
    at: int
    type: str
    rules: str
    actor: int
    cause: str
    payload: bytes
    seals: Seals
    version: int = 1

    @property
    def masks(self) -> tuple[int, ...]:
        """The audience of each slot."""
        return tuple(mask for mask, _ in self.seals)


def read_line(data: bytes) -> RecordLine:
    """Decode a line. Raises `RecordInvalid` for bytes that are no line."""
    if len(data) > sealing.LINE_LIMIT:
        raise RecordInvalid(f"a line has at most {sealing.LINE_LIMIT} bytes, this one {len(data)}")
    try:
        version, mid, seq, at, kind, rules, actor, cause, payload, seals = _LINE.decode(data)
    except _BROKEN as wrong:
        raise RecordInvalid(f"not a line of the record: {wrong}") from wrong
    if version not in sealing.VERSIONS:
        raise RecordInvalid(f"version {version} of the record is not known; this program reads versions 1 and 2")
    return RecordLine(mid, seq, at, kind, rules, actor, cause, bytes(payload), seals, version)


def _line_decoder(event: type[Event]) -> "msgspec.json.Decoder[Any]":
    """A decoder from a stored line of one event type directly to its event: folding needs nothing else of a line."""
    ahead: list[tuple[str, type]] = [("v", int), ("mid", str), ("seq", int), ("at", int), ("type", str)]
    ahead += [("rules", str), ("actor", int), ("cause", str), ("event", event)]
    return msgspec.json.Decoder(msgspec.defstruct(f"{event.__name__}Line", ahead, array_like=True, gc=False))


class Codec(Generic[S]):
    """Turns the events of one game into lines and back."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.rules = f"{game.name}/{game.rules}"
        canonical_json.check(f'"{self.rules}"'.encode())
        self._payloads: dict[str, msgspec.json.Decoder[Any]] = {
            name: msgspec.json.Decoder(event) for name, event in game.events.items()
        }
        self._lines: dict[str, Decode] = {name: _line_decoder(event).decode for name, event in game.events.items()}
        self._values: dict[str, tuple[tuple[str, Decode], ...]] = {
            name: tuple((slot.name, msgspec.json.Decoder(slot.type).decode) for slot in game.slots[event])
            for name, event in game.events.items()
        }

    def payload(self, event: Event) -> bytes:
        """The public fields as JSON."""
        slots = self.game.slots[type(event)]
        return _encode(conceal(event, slots, Mask(0)) if slots else event)

    def slots(self, event: Event) -> list[tuple[int, bytes]]:
        """(audience, value as JSON) of every slot; an absent secret is null."""
        found: list[tuple[int, bytes]] = []
        for slot in self.game.slots[type(event)]:
            value = getattr(event, slot.name)
            assert value is not None, f"{type(event).__name__}.{slot.name}: null in a slot means that there is nothing"
            found.append((slot.mask(event), b"null" if value is HIDDEN else _encode(value)))
        return found

    def read(self, kind: str, payload: bytes, openings: tuple[bytes | None, ...]) -> Event:
        """The event of a line, with the openings that are held; other secrets stay hidden.

        Raises `RecordInvalid` for an unknown type or impossible fields.
        """
        decoder = self._payloads.get(kind)
        if decoder is None:
            raise RecordInvalid(f"{self.game.name} has no event {kind!r}")
        try:
            event: Event = decoder.decode(payload)
            self._fill(event, kind, openings)
        except _BROKEN as wrong:
            raise RecordInvalid(f"{kind}: {wrong}") from wrong
        return event

    def _fill(self, event: Event, kind: str, openings: tuple[bytes | None, ...]) -> None:
        for (name, decode), opening in zip(self._values[kind], openings, strict=False):
            if opening is not None and opening != b"null":
                force_setattr(event, name, decode(opening))

    def read_entry(self, entry: Entry, viewer: Mask | None = None) -> Event:
        """The event of a stored line: whole, or as a viewer holds it, in which case closed slots are not read.

        Raises `RecordInvalid`.
        """
        (event,) = self.read_entries((entry,), viewer)
        return event

    def read_entries(self, entries: Iterable[Entry], viewer: Mask | None = None) -> list[Event]:
        """The events of stored lines, each as `read_entry` reads it. Raises `RecordInvalid`."""
        lines, values, events = self._lines, self._values, list[Event]()
        for entry in entries:
            try:
                event: Event = lines[entry.type](entry.line).event
                if entry.openings and viewer is None:
                    # The code of `_fill` inlined, because this is the inner loop of opening a match.
                    for (name, decode), opening in zip(values[entry.type], entry.openings):  # noqa: B905
                        if opening != b"null":
                            force_setattr(event, name, decode(opening))
                elif entry.openings and viewer:
                    self._unseal(event, entry, viewer)
            except _BROKEN as wrong:
                if entry.type not in lines:
                    raise RecordInvalid(f"{self.game.name} has no event {entry.type!r}", entry.seq) from wrong
                raise RecordInvalid(f"{entry.type}: {wrong}", entry.seq) from wrong
            events.append(event)
        return events

    def _unseal(self, event: Event, entry: Entry, viewer: Mask) -> None:
        values = self._values[entry.type]
        for slot, opening in zip(self.game.slots[type(event)], entry.openings, strict=False):
            if opening != b"null" and slot.mask(event) & viewer:
                force_setattr(event, slot.name, values[slot.number][1](opening))


_CODECS: dict[int, tuple[Game[Any], Codec[Any]]] = {}


def codec_of(game: Game[S]) -> Codec[S]:
    """The codec of a game, made once, because making it takes longer than reading a short match."""
    found = _CODECS.get(id(game))
    if found is None or found[0] is not game:
        found = _CODECS[id(game)] = (game, Codec(game))
    return found[1]


class LineWriter:
    """Writes the lines of one match, with their numbers, seals and chain."""

    def __init__(
        self,
        mid: bytes,
        root: bytes,
        rules: str,
        seq: int = 0,
        head: bytes = b"",
        at: int = 0,
        version: int = sealing.VERSION,
    ) -> None:
        self.version = version
        self.sealer = sealing.Sealer(mid, root)
        self.seq = seq
        self.head = head or sealing.genesis(mid)
        self.at = at
        self.rules = rules
        self.heads: list[bytes] = []
        """The head after each line that was written since the fork."""
        self._mid = sealing.b64(mid)

    def fork(self) -> "LineWriter":
        """A writer at the same place; writing with one does not change the other."""
        twin = object.__new__(LineWriter)
        for name in ("version", "sealer", "seq", "head", "at", "rules", "_mid"):
            setattr(twin, name, getattr(self, name))
        twin.heads = []
        return twin

    def take(self, entry: Entry) -> None:
        """Continue after the next line, which somebody else has written."""
        self.head, self.seq, self.at = sealing.link(self.head, entry.line), entry.seq, entry.at
        self.rules = read_line(entry.line).rules

    def write(
        self, kind: str, payload: bytes, slots: list[tuple[int, bytes]], actor: int, cause: str, at: int
    ) -> Entry:
        """Write the next line; times never decrease. Raises `RecordInvalid` for values that break the profile."""
        entry = self.write_unchecked(kind, payload, slots, actor, cause, at)
        self.check((entry,))
        return entry

    def write_unchecked(
        self, kind: str, payload: bytes, slots: list[tuple[int, bytes]], actor: int, cause: str, at: int
    ) -> Entry:
        """As `write`, without the check; `check` the lines of a commit together before using them."""
        seq = self.seq + 1
        self.at = max(self.at, at)
        front = f'[{self.version},"{self._mid}",{seq},{self.at},"{kind}","{self.rules}",{actor},"{cause}",'.encode()
        if slots:
            seal, b64 = self.sealer.seal, sealing.b64
            seals = [f'[{mask},"{b64(seal(seq, slot, mask, value))}"]' for slot, (mask, value) in enumerate(slots)]
            line = b"%b%b,[%b]]" % (front, payload, ",".join(seals).encode())
            openings = tuple([value for _, value in slots])
        else:
            line, openings = b"%b%b,[]]" % (front, payload), ()
        self.seq, self.head = seq, sealing.link(self.head, line)
        self.heads.append(self.head)
        return Entry(seq, self.at, kind, actor, line, openings)

    @staticmethod
    def check(entries: Sequence[Entry]) -> None:
        """Raise `RecordInvalid` for values that break the profile."""
        written = [entry.line for entry in entries]
        written += [value for entry in entries for value in entry.openings if value != b"null"]
        canonical_json.check_written(written, entries[-1].seq)
