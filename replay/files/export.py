"""A record outside its store: a file of JSON lines, each with one line of the record (docs/record.md).

There are two kinds. An export begins with a `record` message and is strict: every byte of it is checked. A saved stream
holds the protocol's own messages, beginning with `welcome`; messages that are not part of the record are ignored.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct, field

from domain.kernel import MatchCreated, Seat
from projections.redaction import SEAT_BITS, SPECTATOR, Viewer, openings_for
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.bulk_structs import without_collecting
from replay.record.dealt_chance import is_held
from replay.record.line import read_line
from replay.store.log import Entry, Head, Keys, Log
from replay.store.matches import Header

EVERYTHING: Final = "all"
Line = tuple[str, tuple[tuple[int, str], ...]]


class _Message(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    pass


class HeadOf(Struct, frozen=True, forbid_unknown_fields=True):
    """A line and the chain's hash after it."""

    seq: int
    hash: str


class RecordBegins(_Message, frozen=True, tag="record"):
    """The first line of an export; `view` is all, spectator or a seat; `keys` are audience keys by mask."""

    v: int
    match: str
    game: str
    view: str
    head: HeadOf
    keys: dict[str, str]

    def __repr__(self) -> str:
        return f"RecordBegins({self.match}, {self.view!r})"


class Lines(_Message, frozen=True, tag="events", rename={"first": "from", "last": "to"}):
    """Lines of the record."""

    first: int
    last: int
    items: tuple[Line, ...]
    head: HeadOf

    def __repr__(self) -> str:
        return f"Lines({self.first}, {self.last})"


class CheckpointLine(_Message, frozen=True, tag="checkpoint"):
    """The server's signature at a line: time, public key and signature, as stored."""

    seq: int
    signed: str


class ClosingLine(_Message, frozen=True, tag="closing"):
    """The secrets of a closed match: K_m, k_N and hid."""

    k_m: str
    k_n: str
    hid: str

    def __repr__(self) -> str:
        return "Closing(...)"


Message = RecordBegins | Lines | CheckpointLine | ClosingLine
_MESSAGE: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_encode = msgspec.json.Encoder().encode
_BROKEN: Final = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, OverflowError)
"""The errors of decoding untrusted bytes."""
_EXPECTED: Final = 'a file of `herald export` or `herald save`, which begins with "record" or "welcome"'
U32_DIGITS: Final = 10


class _Begins(Struct, frozen=True):
    """The fields that show the kind of a file: the kind of its first message, and the version of an export."""

    t: str
    v: int = 0


_BEGINS: msgspec.json.Decoder[_Begins] = msgspec.json.Decoder(_Begins)


class Held(Struct, frozen=True, gc=False):
    """A line of the record, with the openings held by slot."""

    line: bytes
    openings: dict[int, bytes]

    def __repr__(self) -> str:
        return f"Held({len(self.openings)} openings)"


class Record(Struct):
    """A match's record as one viewer holds it.

    `heads` are the claimed hashes by line; `checkpoints` are (line, stored bytes); `keys` are audience keys by mask;
    `secrets` are held by viewers who may see everything; `end` is the last line, None when unknown.
    """

    match: str
    game: str
    view: str
    end: int | None = None
    held: list[Held] = field(default_factory=list)
    heads: dict[int, str] = field(default_factory=dict)
    checkpoints: list[tuple[int, bytes]] = field(default_factory=list)
    keys: dict[int, bytes] = field(default_factory=dict)
    secrets: Keys | None = None
    result: str | None = None

    def __repr__(self) -> str:
        return f"Record({self.match}, {self.view!r}, {len(self.held)} lines)"


def from_store(store: Log, match: str, viewer: Viewer | None = None, *, upto: int | None = None) -> Record:
    """The record of a match with everything (`viewer` None), or as a viewer holds it.

    `upto`: the last line to include; a record of a signed match ends at the last signed line up to there. Raises
    `NoSuchMatch`.
    """
    header, head = settled(store, match)
    checkpoints = store.checkpoints(match)
    if upto is not None and upto < head.seq:
        # The file ends at a line that the server has signed, unless it has signed none.
        head = Head(max([seq for seq, _ in checkpoints if seq <= upto], default=upto), b"")
    keys = store.keys(match)
    entries = store.read(match, limit=head.seq)
    record = Record(match, header.game, EVERYTHING if viewer is None else viewer.label, head.seq)
    masks = [read_line(entry.line).masks if viewer and entry.openings else () for entry in entries]
    record.held = [_held(entry, audiences, viewer) for entry, audiences in zip(entries, masks, strict=True)]
    record.heads = {head.seq: sealing.b64(head.hash)} if head.hash else {}
    record.checkpoints = [(seq, signed) for seq, signed in checkpoints if seq <= head.seq]
    if viewer is None:
        record.secrets = keys
        record.result = header.result if header.status == "finished" else ""
    elif viewer.mask:
        held = {viewer.mask, *(mask for audiences in masks for mask in audiences if mask & viewer.mask)}
        record.keys = {mask: sealing.audience_key(keys.k_m, sealing.unb64(match), mask) for mask in sorted(held)}
    return record


def settled(store: Log, match: str) -> tuple[Header, Head]:
    """The match list's entry and the end of the record at one moment; a live match may change between two reads.

    Raises `NoSuchMatch`.
    """
    head = store.head(match)
    while True:
        header, again = store.header(match), store.head(match)
        if again == head:
            return header, head
        head = again


def _held(entry: Entry, masks: Sequence[int], viewer: Viewer | None) -> Held:
    if viewer is None:
        return Held(entry.line, dict(enumerate(entry.openings)))
    return Held(entry.line, dict(openings_for(masks, entry.openings, viewer)))


def write(record: Record) -> Iterator[bytes]:
    """The lines of an export, each with its line break."""
    head, heads = sealing.genesis(sealing.unb64(record.match)), []
    for held in record.held:
        head = sealing.link(head, held.line)
        heads.append(sealing.b64(head))
    messages: list[Message] = [
        RecordBegins(
            sealing.FILE_VERSION,
            record.match,
            record.game,
            record.view,
            HeadOf(len(heads), heads[-1]),
            {str(mask): sealing.b64(key) for mask, key in sorted(record.keys.items())},
        )
    ]
    for seq, (held, hashed) in enumerate(zip(record.held, heads, strict=True), 1):
        openings = tuple((slot, value.decode()) for slot, value in sorted(held.openings.items()))
        messages.append(Lines(seq, seq, ((held.line.decode(), openings),), HeadOf(seq, hashed)))
    messages += [CheckpointLine(seq, sealing.b64(signed)) for seq, signed in record.checkpoints]
    if record.secrets is not None:
        secrets = record.secrets
        messages.append(ClosingLine(sealing.b64(secrets.k_m), sealing.b64(secrets.k_n), sealing.b64(secrets.hid)))
    yield from (_encode(message) + b"\n" for message in messages)


def read(lines: Iterable[bytes]) -> Record:
    """Read a record from the lines of a file, each with its line break. Raises `RecordInvalid` that names the line."""
    with without_collecting():
        return _read(iter(lines))


def _read(rest: Iterator[bytes]) -> Record:
    first = next(rest, b"")
    if not first:
        raise RecordInvalid("the file is empty")
    try:
        begins = _BEGINS.decode(first)
    except _BROKEN as wrong:
        raise RecordInvalid(f"the file's first line is not a message: {wrong}", expected=_EXPECTED) from wrong
    if begins.t == "welcome":
        return _read_stream(first, rest)
    if begins.t != "record":
        raise RecordInvalid(f"the file begins with a message {begins.t[:40]!r}", expected=_EXPECTED)
    if begins.v != sealing.FILE_VERSION:
        raise RecordInvalid(
            f"the file has version {str(begins.v)[:40]} of the record, which a newer Herald may read",
            expected=f"version {sealing.FILE_VERSION}",
        )
    message = _message(first, 0)
    assert isinstance(message, RecordBegins), "by its tag"
    return _read_export(message, rest)


def _message(line: bytes, seq: int) -> Message:
    if not line.endswith(b"\n"):
        raise RecordInvalid("the file is cut in the middle of a line", seq)
    data = line[:-1]
    try:
        message = _MESSAGE.decode(data)
        again = _encode(message)
    except _BROKEN as wrong:
        raise RecordInvalid(f"the file holds what is not a message of an export: {wrong}", seq) from wrong
    if again != data:
        raise RecordInvalid("the message is not written in the one canonical way", seq)
    return message


def _keys(given: dict[str, str]) -> dict[int, bytes]:
    """Audience keys by mask; the file writes a mask as a u32 in decimal."""
    for mask in given:
        if not (mask.isascii() and mask.isdecimal() and len(mask) <= U32_DIGITS and str(int(mask)) == mask):
            raise RecordInvalid(f"{mask[:40]!r} is no audience", expected="a number of 32 bits")
    return {int(mask): _secret(key) for mask, key in given.items()}


def _secret(text: str, seq: int = 0) -> bytes:
    """A key or a secret of the match."""
    found = _bytes(text, seq)
    if len(found) != sealing.KEY_BYTES:
        raise RecordInvalid(f"a key of {len(found)} bytes stands in the file", seq, f"{sealing.KEY_BYTES} bytes")
    return found


def _bytes(text: str, seq: int = 0) -> bytes:
    try:
        return sealing.unb64(text)
    except ValueError as wrong:
        raise RecordInvalid(f"{text!r} is {wrong}", seq) from wrong


def _read_export(begins: RecordBegins, rest: Iterable[bytes]) -> Record:
    record = Record(begins.match, begins.game, begins.view, begins.head.seq)
    record.heads = {begins.head.seq: begins.head.hash}
    record.keys = _keys(begins.keys)
    for line in rest:
        seq = len(record.held)
        message = _message(line, seq + 1 if seq < begins.head.seq else 0)
        if record.secrets is not None:
            raise RecordInvalid("the file goes on after its closing", seq)
        match message:
            case Lines():
                if record.checkpoints:
                    raise RecordInvalid("a line stands after the checkpoints", seq + 1)
                _take_line(record, message)
            case CheckpointLine(at, signed):
                _take_checkpoint(record, at, signed)
            case ClosingLine(k_m, k_n, hid):
                if record.view != EVERYTHING:
                    raise RecordInvalid(f"a closing stands in a file of the view {record.view}", seq, "none")
                record.secrets = Keys(_secret(k_m, seq), _secret(k_n, seq), _secret(hid, seq))
            case RecordBegins():
                raise RecordInvalid("a second record begins in the file", seq + 1)
    _check_whole(record)
    own = _own_masks(record)
    if own is not None and list(record.keys) != sorted(own):
        raise RecordInvalid(f"the file holds the keys of audiences {list(record.keys)}", expected=f"{sorted(own)}")
    return record


def _own_masks(record: Record) -> set[int] | None:
    """The audiences whose keys a view holds: its seat alone, and each group of seats with it for which a line has a
    seal. None for an unknown view, which the audit refuses."""
    if record.view in (EVERYTHING, SPECTATOR.label):
        return set()
    seat = next((seat for seat in map(Viewer, map(Seat, range(SEAT_BITS))) if seat.label == record.view), None)
    if seat is None or list(record.keys) == [seat.mask]:
        # A missing key is found when a line is opened without it.
        return None if seat is None else {int(seat.mask)}
    sealed = (mask for held in record.held for mask in read_line(held.line).masks)
    return {int(seat.mask), *(mask for mask in sealed if mask & seat.mask)}


def _check_whole(record: Record) -> None:
    """Check that the end of a file is present: the closing if it has one, and the server's signature for the last
    line.
    """
    if record.view == EVERYTHING and record.secrets is None:
        raise RecordInvalid("the file is cut: the closing is missing", len(record.held))
    if record.checkpoints and record.checkpoints[-1][0] != len(record.held):
        last = record.checkpoints[-1][0]
        raise RecordInvalid(f"the file's last checkpoint is of line {last}", last + 1, f"of line {len(record.held)}")


def _take_checkpoint(record: Record, at: int, signed: str) -> None:
    seq = len(record.held)
    before = record.checkpoints[-1][0] if record.checkpoints else 0
    if not before < at <= seq:
        raise RecordInvalid(f"a checkpoint stands at line {at}", seq, f"one from {before + 1} to {seq}")
    record.checkpoints.append((at, _bytes(signed, at)))


def _take_line(record: Record, lines: Lines) -> None:
    seq = len(record.held) + 1
    if len(lines.items) != 1:
        raise RecordInvalid(f"a message of the file has {len(lines.items)} lines", seq, "one")
    ((line, openings),) = lines.items
    record.held.append(_held_of(line, openings, seq))
    if (lines.first, lines.last, lines.head.seq) != (seq, seq, seq):
        raise RecordInvalid(f"the file says lines {lines.first} to {lines.last}", seq, f"{seq} to {seq}")
    if record.heads.setdefault(seq, lines.head.hash) != lines.head.hash:
        raise RecordInvalid("the file claims two heads for the line", seq, record.heads[seq])


def _held_of(line: str, openings: tuple[tuple[int, str], ...], seq: int) -> Held:
    slots = [slot for slot, _ in openings]
    if slots != sorted(set(slots)):
        raise RecordInvalid(f"the slots {slots} are opened", seq, "each once, in order")
    return Held(line.encode(), {slot: value.encode() for slot, value in openings})


class _Who(Struct, frozen=True):
    seat: int | None = None


class _StreamHead(Struct, frozen=True):
    seq: int
    hash: str
    signed: str = ""


class _Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    match: str
    game: str
    viewer: _Who
    keys: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"_Welcome({self.match})"


class _Events(Struct, frozen=True, tag_field="t", tag="events", rename={"first": "from"}):
    first: int
    items: tuple[Line, ...]
    head: _StreamHead | None = None

    def __repr__(self) -> str:
        return f"_Events({self.first})"


class _Signed(Struct, frozen=True, tag_field="t", tag="checkpoint"):
    seq: int
    signed: str


class _Kind(Struct, frozen=True):
    t: str


_STREAM: msgspec.json.Decoder[_Events | _Signed] = msgspec.json.Decoder(_Events | _Signed)
_KIND = msgspec.json.Decoder(_Kind)


def _read_stream(first: bytes, rest: Iterable[bytes]) -> Record:
    """Read a viewer's saved stream. Lines may be repeated after a reconnect, and must then be the same."""
    record = Record("", "", "")
    try:
        welcome = msgspec.json.decode(first, type=_Welcome)
        seat = welcome.viewer.seat
        record = Record(welcome.match, welcome.game, "spectator" if seat is None else f"seat{seat}")
        record.keys = _keys(welcome.keys)
        for line in rest:
            if _KIND.decode(line).t in {"events", "checkpoint"}:
                _take_stream(record, _STREAM.decode(line))
    except _BROKEN as wrong:
        raise RecordInvalid(f"not a message of the protocol: {wrong}", len(record.held) + 1) from wrong
    return record


def _take_stream(record: Record, message: _Events | _Signed) -> None:
    if isinstance(message, _Signed):
        _sign(record, message.seq, message.signed)
        return
    for seq, (line, openings) in enumerate(message.items, message.first):
        held = _held_of(line, openings, seq)
        if 0 < seq <= len(record.held):
            if record.held[seq - 1] != held:
                raise RecordInvalid("the stream shows two different lines with this number", seq)
        elif seq == len(record.held) + 1:
            record.held.append(held)
        else:
            raise RecordInvalid("lines are missing before this one", seq, f"line {len(record.held) + 1}")
    head = message.head
    if head is not None and head.seq == len(record.held):
        record.heads[head.seq] = head.hash
        if head.signed:
            _sign(record, head.seq, head.signed)


def _sign(record: Record, seq: int, signed: str) -> None:
    """Keep the last of several checkpoints of one line (heartbeats of an idle match)."""
    if record.checkpoints and record.checkpoints[-1][0] == seq:
        record.checkpoints.pop()
    record.checkpoints.append((seq, _bytes(signed, seq)))


def for_viewer(store: Log, match: str, viewer: Viewer, *, upto: int | None = None) -> Record:
    """The record that a viewer may save: its own view, or everything if the match is closed and its policy allows it.

    `upto`: the last line to include, for a delayed viewer.
    """
    first, header = created(store, match), store.header(match)
    opened = header.status == "finished" and not is_held(first, header)
    opened = opened and (first.reveal == "public" or (first.reveal == "seats" and viewer.seat is not None))
    return from_store(store, match, None if opened else viewer, upto=upto)


def created(store: Log, match: str) -> MatchCreated:
    """The contents of a match's line 1."""
    first = read_line(store.read(match, limit=1)[0].line)
    return msgspec.json.decode(first.payload, type=MatchCreated)


def created_in(record: Record) -> MatchCreated | None:
    """The contents of line 1 of an untrusted record; None if it cannot be read."""
    try:
        return msgspec.json.decode(read_line(record.held[0].line).payload, type=MatchCreated)
    except (IndexError, RecordInvalid, *_BROKEN):
        return None
