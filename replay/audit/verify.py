"""The checks that a viewer can make alone, line by line, without the game's rules (docs/record.md 8).

They cover numbering and time, the profile, the chain, every opening held, every public die, acknowledgements and
signatures.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    Act,
    Chosen,
    Event,
    Game,
    KernelError,
    MatchCreated,
    RulesChanged,
    Seat,
    SecretsOpened,
    Signed,
)
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.table import STANDING
from projections.redaction import SEAT_BITS
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, Record
from replay.record import canonical_json, sealing, shapes, standing
from replay.record.draws import Draws
from replay.record.line import RecordLine, Seals, read_line
from replay.record.line_order import LineOrder
from replay.record.public_state import PublicState
from replay.record.rulesversion import number_of
from replay.record.seat_holders import SeatHolders
from replay.record.seat_proof import SeatProof
from replay.record.serverkey import is_stamped
from replay.record.signing import choice_message_1, is_signed_text, opens

SERVER: Final = -1
_KERNEL: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    event.__name__: msgspec.json.Decoder(event) for event in KERNEL_EVENTS
}
_PLAIN: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder()
_CHOICE_SLOT: Final = 0
_SIGNED_SLOT: Final = 1
_SIGNED: "msgspec.json.Decoder[Signed | tuple[str, str] | None]" = msgspec.json.Decoder(Signed | tuple[str, str] | None)
_COMMITMENT_CHARS: Final = 43
"""32 bytes as base64url."""


class Verifier:
    """Follows one match. `keys` are the audience keys held, by mask; `root` is K_m, for viewers of everything.

    If the `game` is known, the verifier also checks the shapes of its lines, and that the versions of its rules exist.
    """

    def __init__(
        self, match: str, keys: Mapping[int, bytes], root: bytes | None = None, game: Game[Any] | None = None
    ) -> None:
        self.match = match
        self.seq = 0
        self.at = 0
        self.rules = ""
        self.game = ""
        self.reveal = ""
        self.openings = 0
        self.seats = 0
        self._former_signatures = 0
        self._mid = _mid(match)
        self._root = root
        self._keys = frozenset(keys)
        self._own = reduce(and_, self._keys) if self._keys else 0
        self._sealer = sealing.Sealer(self._mid, root or b"", keys)
        self.heads: list[bytes] = [sealing.genesis(self._mid)]
        self.draws = Draws(self._mid)
        self.seating = SeatProof(self._mid)
        self._game = game
        self._shapes = shapes_of(game)
        self._order = LineOrder(PublicState(None if game is None else self._sides))
        self._cause = ""
        self._last_type = ""
        self.commits: list[int] = []
        """Lines that certainly ended a commit, because a seat's own choice or act follows them."""

    @property
    def holders(self) -> SeatHolders:
        """The holders of the seats so far."""
        return self.seating.holders

    @property
    def is_unfinished(self) -> bool:
        """Whether the last line is in the middle of a commit: another line must still follow from it."""
        return self.holders.version > 1 and self._order.is_unfinished

    @property
    def signatures(self) -> int:
        """The number of seats' signatures that were checked."""
        return self._former_signatures + self.holders.signatures

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self.heads[-1]

    def take(self, data: bytes, openings: Mapping[int, bytes]) -> RecordLine:
        """Check the next line and the openings held for it; returns the parts of the line. Raises `RecordInvalid`."""
        seq = self.seq + 1
        try:
            line = self._take(seq, data, openings)
        except RecordInvalid as wrong:
            raise RecordInvalid(wrong.why, seq, wrong.expected) from wrong
        self.seq, self.at, self.rules = seq, line.at, line.rules
        self.heads.append(sealing.link(self.head, data))
        return line

    def _take(self, seq: int, data: bytes, openings: Mapping[int, bytes]) -> RecordLine:
        line = read_line(data)
        self._place(seq, line)
        canonical_json.check(data)
        event = kernel_event(line)
        self._version_of(line, event)
        self._rules_of(line, event)
        self._check_cause(line)
        if isinstance(event, MatchCreated):
            self._seat(event)
        self._check_shape(line)
        if not SERVER <= line.actor < self.seats:
            raise RecordInvalid(f"the line is by {line.actor}", expected=f"{SERVER} to {self.seats - 1}")
        self._open(seq, line.seals, openings)
        self._check_opened(line, openings)
        if event is not None:
            self._kernel(event, openings, line.at)
        if line.version > 1:
            self._order.take(line, event)
        if isinstance(event, Act) or (isinstance(event, Chosen) and event.by in ("seat", "bot", STANDING)):
            # The commit that first draws from a new key chain also announces it.
            self.commits.append(seq - 2 if self._last_type == "ChanceAnchored" else seq - 1)
        self._last_type = line.type
        # The consequences of a choice follow it directly.
        self._cause = self._cause_behind(line, data)
        return line

    def _place(self, seq: int, line: RecordLine) -> None:
        if line.seq != seq:
            raise RecordInvalid(f"the line has number {line.seq}", expected=str(seq))
        if line.mid != self.match:
            raise RecordInvalid(f"the line is of match {line.mid}", expected=self.match)
        if line.at < self.at:
            raise RecordInvalid(f"the line has the time {line.at}", expected=f"{self.at} or later")
        if (line.type == "MatchCreated") != (seq == 1):
            raise RecordInvalid(f"the line is {line.type}", expected="MatchCreated as line 1 and nowhere else")

    def _version_of(self, line: RecordLine, event: Event | None) -> None:
        said = event.record if isinstance(event, MatchCreated) else self.holders.version
        if line.version != said:
            raise RecordInvalid(f"the line has version {line.version} of the record", expected=str(said))

    def _rules_of(self, line: RecordLine, event: Event | None) -> None:
        if isinstance(event, RulesChanged):
            if (event.was, event.now) != (self.rules, line.rules):
                raise RecordInvalid(f"the rules change from {event.was}", expected=self.rules)
        elif self.seq and line.rules != self.rules:
            raise RecordInvalid(f"the line is under the rules {line.rules}", expected=self.rules)
        if not self.seq or isinstance(event, RulesChanged):
            self._assert_known_rules(line, event)

    def _assert_known_rules(self, line: RecordLine, event: Event | None) -> None:
        """Check that the rules are known, because anything could follow from unknown rules, and that none is older."""
        name = event.game if isinstance(event, MatchCreated) else self.game
        least = number_of(self.rules) + 1 if self.seq else 0
        most = None if self._game is None else int(self._game.rules)
        number = number_of(line.rules)
        known = self._game is None or name == self._game.name
        if not known or line.rules != f"{name}/{number}" or number < least or (most is not None and number > most):
            newest = "" if most is None else f" to {most}"
            raise RecordInvalid(
                f"the rules {line.rules} are none that this program knows here", expected=f"{name}/{least}{newest}"
            )

    def _sides(self, event: MatchCreated) -> Sequence[Sequence[Seat]]:
        assert self._game is not None, "only then it is asked"
        try:
            return self._game.sides_of(event.options)
        except (msgspec.ValidationError, KernelError) as wrong:
            raise RecordInvalid(f"the match cannot be created: {wrong}") from wrong

    def _check_shape(self, line: RecordLine) -> None:
        why = self._shapes.fault(line.type, _decode(_PLAIN, line.payload), line.masks, self.seats)
        if why:
            raise RecordInvalid(why)

    def _check_opened(self, line: RecordLine, openings: Mapping[int, bytes]) -> None:
        for slot, value in openings.items():
            why = self._shapes.opened_fault(line.type, slot, _decode(_PLAIN, value))
            if why:
                raise RecordInvalid(why)

    def _check_cause(self, line: RecordLine) -> None:
        if line.cause and (line.type == "Chosen" or line.cause != self._cause):
            raise RecordInvalid(f"the line's cause is {line.cause}", expected=self._cause or "none")

    @staticmethod
    def _cause_behind(line: RecordLine, data: bytes) -> str:
        """The cause that the next line may name. A question ends the consequences of a choice."""
        if line.type == "Chosen":
            return sealing.choice_cause(data)
        return "" if line.type == "DecisionsOpened" else line.cause

    def _seat(self, event: MatchCreated) -> None:
        self.seats = len(event.seats)
        strange = [mask for mask in self._keys if mask >> self.seats]
        if strange:
            raise RecordInvalid(f"a key of audience {strange[0]} is held", expected=f"{self.seats} seats")

    def _open(self, seq: int, seals: Seals, openings: Mapping[int, bytes]) -> None:
        for mask, commitment in seals:
            if not 0 <= mask < 1 << self.seats or len(commitment) != _COMMITMENT_CHARS:
                raise RecordInvalid(
                    f"[{mask}, {commitment!r}] is no seal",
                    expected=f"an audience of {self.seats} seats and 32 bytes as base64url",
                )
        demanded = [slot for slot, (mask, _) in enumerate(seals) if self._holds(mask)]
        if list(openings) != demanded:
            raise RecordInvalid(f"the slots {list(openings)} are opened", expected=f"{demanded}, what this view holds")
        for slot, value in openings.items():
            mask, sealed = seals[slot]
            if value != b"null":
                canonical_json.check(value)
            made = sealing.b64(self._sealer_of(mask).seal(seq, slot, mask, value))
            if made != sealed:
                raise RecordInvalid(f"the opening of slot {slot} makes the seal {made}", expected=sealed)
            self.openings += 1

    def _holds(self, mask: int) -> bool:
        """Whether the holder of these keys can open an audience's seals."""
        return self._root is not None or bool(mask & self._own)

    def _sealer_of(self, mask: int) -> sealing.Sealer:
        if self._root is None and mask not in self._keys:
            raise RecordInvalid(f"an opening for audience {mask} is held without its key")
        return self._sealer

    def _kernel(self, event: Event, openings: Mapping[int, bytes], at: int) -> None:
        self.draws.take(event)
        self.seating.take(self.seq + 1, at, event, self.heads)
        match event:
            case Chosen():
                if _SIGNED_SLOT in openings and event.by == STANDING:
                    self._opened_instruction(event, openings)
                elif _SIGNED_SLOT in openings:
                    self._opened_choice(event, openings[_SIGNED_SLOT])
            case SecretsOpened():
                raise RecordInvalid("sealed slots are opened to everybody, and no game says that everybody knew them")
            case MatchCreated(game=game, reveal=reveal):
                self.game, self.reveal = game, reveal

    def _opened_instruction(self, event: Chosen, openings: Mapping[int, bytes]) -> None:
        """Check that the instruction that the seat has signed fits this question and gives this choice."""
        signed = _decode(_SIGNED, openings[_SIGNED_SLOT])
        note = replace(event, signed=HIDDEN if signed is None else signed)
        asked = next((one for one in self._order.asked if one.number == event.number), None)
        why = standing.meaning_fault(asked, self._mid, note, _decode(_PLAIN, openings.get(_CHOICE_SLOT, b"null")))
        if why:
            raise RecordInvalid(f"seat {event.seat} is said to have answered ahead: {why}")

    def _opened_choice(self, event: Chosen, value: bytes) -> None:
        """Check the seat's slot beside the choice: in version 1 a signature, in later versions an opening."""
        signed = _decode(_SIGNED, value)
        if self.holders.version > 1:
            if not opens(self._mid, replace(event, signed=HIDDEN if signed is None else signed)):
                raise RecordInvalid(f"salt and answer of seat {event.seat} do not open its choice's commitment")
            return
        held = self.holders.seats.get(event.seat)
        if held is None or not held.key or event.by != "seat":
            return
        message = choice_message_1(signed.text) if isinstance(signed, Signed) else b""
        if not isinstance(signed, Signed) or not is_signed_text(held.key, message, signed.signature):
            raise RecordInvalid(f"the choice is not signed by seat {event.seat}", expected=f"a signature of {held.key}")
        self._former_signatures += 1


def check_checkpoint(verifier: Verifier, seq: int, signed: bytes, trusted: Sequence[bytes] = ()) -> None:
    """Check a stored checkpoint against the chain; `trusted`: public keys that may sign, any key when empty.

    Raises `RecordInvalid`.
    """
    check_signed(verifier._mid, verifier.heads, seq, signed)
    stamp = signed[8:]
    if trusted and stamp[:32] not in trusted:
        raise RecordInvalid(f"the checkpoint is signed with {sealing.b64(stamp[:32])}", seq, "one of the server's keys")


def check_signed(mid: bytes, heads: Sequence[bytes], seq: int, signed: bytes) -> None:
    """Check that a stored checkpoint has a valid signature for a line; `heads`: the chain's hashes, genesis first.

    Raises `RecordInvalid`.
    """
    if not 0 < seq < len(heads):
        raise RecordInvalid(f"a checkpoint stands at line {seq}, which there is not")
    at, stamp = int.from_bytes(signed[:8], "big"), signed[8:]
    if not is_stamped(sealing.checkpoint_message(mid, seq, heads[seq], at), stamp):
        raise RecordInvalid("the server's signature is not for this head", seq, sealing.b64(heads[seq]))


def verify(record: Record, trusted: Sequence[bytes] = (), game: Game[Any] | None = None) -> Verifier:
    """Check everything that the holder of a record can check without the game's rules. Raises `RecordInvalid`."""
    check_begin(record)
    root = None if record.secrets is None else record.secrets.k_m
    verifier = Verifier(record.match, record.keys, root, game)
    for held in record.held:
        verifier.take(held.line, held.openings)
        check_head(record, verifier)
    check_end(record, verifier, trusted)
    return verifier


def check_head(record: Record, verifier: Verifier) -> None:
    """Check the head claimed for the last line taken, if one is claimed. Raises `RecordInvalid`."""
    claimed = record.heads.get(verifier.seq)
    if claimed is not None and claimed != sealing.b64(verifier.head):
        raise RecordInvalid(f"the chain gives the head {sealing.b64(verifier.head)}", verifier.seq, claimed)


def check_length(record: Record, verifier: Verifier) -> None:
    """Check that nothing is cut off. Raises `RecordInvalid`."""
    if not verifier.seq:
        raise RecordInvalid("the record is empty")
    if record.end is not None and record.end != verifier.seq:
        raise RecordInvalid("the record ends before this line", verifier.seq + 1, f"{record.end} lines")


def check_begin(record: Record) -> None:
    """Check the holder of the record, and that it holds only that viewer's keys. Raises `RecordInvalid`."""
    own = {EVERYTHING: 0, "spectator": 0, **{f"seat{seat}": 1 << seat for seat in range(SEAT_BITS)}}.get(record.view)
    if own is None:
        raise RecordInvalid(f"the view is {record.view!r}", expected="all, spectator or a seat")
    strange = [mask for mask in record.keys if not mask & own or own not in record.keys]
    if strange:
        raise RecordInvalid(f"the view {record.view} holds the key of audience {strange[0]}")


def check_end(record: Record, verifier: Verifier, trusted: Sequence[bytes]) -> None:
    """Check the game's name and the checkpoints, and that nothing is cut off. Raises `RecordInvalid`."""
    check_length(record, verifier)
    if record.game != verifier.game:
        raise RecordInvalid(f"the game is said to be {record.game!r}", expected=repr(verifier.game))
    for seq, signed in record.checkpoints:
        check_checkpoint(verifier, seq, signed, trusted)


_SHAPES: dict[int, tuple[Game[Any] | None, shapes.Shapes]] = {}


def shapes_of(game: Game[Any] | None) -> shapes.Shapes:
    """The shapes of the kernel's lines and of a game's, made once."""
    found = _SHAPES.get(id(game))
    if found is None or found[0] is not game:
        made = shapes.Shapes(None if game is None else shapes.of_game(game))
        found = _SHAPES[id(game)] = (game, made)
    return found[1]


def kernel_event(line: RecordLine) -> Event | None:
    """The kernel's event of a line; None for a game's event."""
    decoder = _KERNEL.get(line.type)
    if decoder is None:
        return None
    event: Event = _decode(decoder, line.payload)
    return event


def _decode(decoder: "msgspec.json.Decoder[Any]", data: bytes) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError) as wrong:
        raise RecordInvalid(f"the fields do not fit: {wrong}") from wrong


def _unb64(text: str) -> bytes:
    try:
        return sealing.unb64(text)
    except ValueError as wrong:
        raise RecordInvalid(f"{text!r} is {wrong}") from wrong


def _mid(match: str) -> bytes:
    mid = _unb64(match)
    if len(mid) != sealing.MID_BYTES:
        raise RecordInvalid(f"{match!r} is no match id", expected=f"{sealing.MID_BYTES} bytes as base64url")
    return mid
