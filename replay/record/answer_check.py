"""Checks the author, the signature and the acknowledged line of a choice or an act, before the rules decide it."""

import unicodedata
from typing import Final, Generic, TypeVar

from domain.kernel import (
    Act,
    Agreed,
    Choice,
    Chosen,
    Declined,
    EntropyCommitted,
    Game,
    Hidden,
    NotAChoice,
    NotNow,
    NotYours,
    Seat,
    SeatKeyed,
    Signed,
    State,
)
from domain.kernel.state import plain
from domain.kernel.table import STANDING
from replay.record import sealing, signing, standing
from replay.record.acknowledged_lines import ASKS, AcknowledgedLines
from replay.record.errors import NotAcknowledged, NotSigned
from replay.store.log import Entry

S = TypeVar("S", bound=State)

HEADS_KEPT: Final = 1024
"""How many of the latest heads are kept to compare acknowledgements with; older lines cannot be acknowledged."""
NAME_LIMIT: Final = 64


class AnswerCheck(Generic[S]):
    """Follows the lines of one match, and refuses choices and acts that a verifier would refuse (docs/record.md 5)."""

    def __init__(self, game: Game[S], match: str, seq: int, head: bytes) -> None:
        """`seq`, `head`: the last line, and the chain's hash after it."""
        self._game = game
        self._match = match
        self._mid = sealing.unb64(match)
        self._seq = seq
        self._heads: dict[int, bytes] = {seq: head}
        self._asked_at = 0
        self._reach = AcknowledgedLines()
        self.committed_at = 0
        """The time of the last share of chance that was fixed, in ms; 0 before the first."""

    def head_at(self, seq: int) -> bytes | None:
        """The chain's hash after one of the last lines; None for a line that is too old or does not exist."""
        return self._heads.get(seq)

    def follow(self, entry: Entry, head: bytes) -> None:
        """Continue after a line; `head` is the chain's hash after it."""
        self._seq = entry.seq
        self._heads[entry.seq] = head
        self._heads.pop(entry.seq - HEADS_KEPT, None)
        self._reach.follow(entry.type, entry.seq)
        if entry.type == SeatKeyed.__name__ or (entry.type == Chosen.__name__ and not _has_by(entry)):
            self._reach.end_standing(entry.actor, entry.seq)
        if entry.type in ASKS:
            self._asked_at = entry.at
        elif entry.type == EntropyCommitted.__name__:
            self.committed_at = entry.at

    def check_act(self, state: S, act: Act) -> None:
        """Refuse an act that its seat has not signed, or that acknowledges a different record. Raises `Refusal`."""
        _check_id(act.id)
        if act.seat in state.table.bots:
            raise NotYours("A bot plays this seat now.")
        self._check_acknowledged(state, act)
        key = next((key for taken, key in state.taken if taken == act.seat), "")
        if state.record == 1 or not key:
            if act.signature:
                raise NotSigned("The seat has no key here that signs what it does.")
        else:
            self._check_signed(state, act, key)

    def _check_signed(self, state: S, act: Act, key: str) -> None:
        answered = None
        if state.record >= signing.BINDS and isinstance(act, Agreed | Declined):
            offer = state.table.offer(act.number)
            if offer is None:
                raise NotNow("This offer is not open any more.")
            answered = offer.terms
        if not signing.is_said_by(self._mid, key, act, answered):
            raise NotSigned("This seat signs what it does, and this is not signed with its key.")
        self._check_reach(state, act)

    def _check_reach(self, state: S, note: Chosen | Act) -> None:
        """Check, since version 3, that a signature reaches the line that it answers; else it could answer another."""
        least = self._reach.least(note)
        if state.record >= signing.BINDS and note.ack_seq < least:
            raise NotAcknowledged(
                f"A seat's signature acknowledges the line that the seat answers; this is line {least}."
            )

    def check_choice(self, state: S, choice: Choice, note: Chosen, at: int) -> None:
        """Refuse a choice that its seat has not made; `at` is its time in ms since 1970. Raises `Refusal`."""
        _check_id(note.id)
        text = note.signed.text if isinstance(note.signed, Signed) else ""
        if isinstance(note.signed, tuple):
            text = note.signed[1]
        if not unicodedata.is_normalized("NFC", text):
            raise NotAChoice("The text that is signed must be in Unicode's form NFC.")
        self._check_acknowledged(state, note)
        self._check_by(state, choice, note, at)
        key = next((key for taken, key in state.taken if taken == note.seat), "")
        if note.by == STANDING:
            self._check_ahead(state, choice, note, key)
        elif key and note.by == "seat":
            why = signing.fault(self._game, state, self._match, key, note, choice)
            if why:
                raise NotSigned(why)
            self._check_reach(state, note)
        elif state.record > 1 and (note.commitment or note.signature or not isinstance(note.signed, Hidden)):
            raise NotSigned("The seat has no key, so its choices cannot be signed.")

    def holds_ahead(self, seat: Seat, ack_seq: int) -> bool:
        """Whether an answer that a seat signed ahead after a line is still valid: nothing has ended it since."""
        return ack_seq in self._heads and ack_seq >= self._reach.least(Chosen(seat, 0, by=STANDING))

    def check_kept(self, state: S, note: Chosen) -> None:
        """Refuse an answer signed ahead that no verifier would accept. Raises `Refusal`."""
        _check_id(note.id)
        key = next((key for taken, key in state.taken if taken == note.seat), "")
        if state.record < signing.BINDS or not key or note.seat in state.table.bots:
            raise NotSigned("Only a seat with a key answers ahead, in a record of version 3.")
        self._check_acknowledged(state, note)
        self._check_reach(state, note)
        if not standing.is_instructed(self._mid, key, note) or not standing.opens(self._mid, note):
            raise NotSigned("The instruction is not signed with this seat's key.")
        said = standing.read_instruction(note.signed[1]) if isinstance(note.signed, tuple) else None
        if said is None:
            raise NotAChoice("An instruction has kind, terms, until and then, and is written as the record writes.")
        self._game.read_choice(said.then)

    def _check_ahead(self, state: S, choice: Choice, note: Chosen, key: str) -> None:
        """Refuse an answer ahead to another question, from before the seat's last choice, or without a signature."""
        if state.record < signing.BINDS or not key:
            raise NotSigned("Only a seat with a key answers ahead, in a record of version 3.")
        if not standing.is_instructed(self._mid, key, note):
            raise NotSigned("The signature is not this seat's.")
        asked = next((asked for asked in state.asked if asked.number == note.number), None)
        why = standing.meaning_fault(asked, self._mid, note, plain(choice))
        if why:
            raise NotSigned(why)
        self._check_reach(state, note)

    def _check_by(self, state: S, choice: Choice, note: Chosen, at: int) -> None:
        """Check that by the record the author may answer for the seat: its person, its bot, or a clock that is due."""
        is_bots = note.seat in state.table.bots
        if note.by == "clock":
            why = clock_fault(self._game, state, note.number, choice, at - self._asked_at)
            if why:
                raise NotNow(why)
        elif note.by not in (("bot",) if is_bots else ("seat", STANDING)):
            raise NotYours("A bot plays this seat now." if is_bots else "A person plays this seat.")

    def _check_acknowledged(self, state: S, note: Chosen | Act) -> None:
        if bool(note.ack_seq) != bool(note.ack_head):
            raise NotAcknowledged("A line is acknowledged with its head, 32 bytes, and no line with none.")
        if note.ack_seq > self._seq or note.ack_seq < 0:
            raise NotAcknowledged(f"Line {note.ack_seq} is acknowledged; the record has {self._seq}.")
        if note.ack_seq:
            # An unchecked acknowledgement could be false, and would make every audit fail.
            head = self._heads.get(note.ack_seq)
            if head is None:
                raise NotAcknowledged(f"Line {note.ack_seq} is long past; acknowledge a later one, or none.")
            if note.ack_head != sealing.b64(head):
                raise NotAcknowledged(
                    f"At line {note.ack_seq} your record has another head: {sealing.b64(head)} is this one's."
                )
        elif note.ack_head and state.record > 1:
            raise NotAcknowledged("The head of no line is acknowledged; name the line.")


def clock_fault(game: Game[S], state: S, number: int, choice: Choice, waited_ms: int) -> str:
    """The reason why the rules' own clock may not choose this after this time; empty if it may."""
    asked = next((asked for asked in state.asked if asked.number == number), None)
    if asked is None:
        # The decision itself gives the reason: the question is answered, or was never asked.
        return ""
    limit_ms = asked.limit_ms if state.record > 1 else round(game.limit_s(asked, state) * 1000)
    if not limit_ms or waited_ms < limit_ms:
        return "The time that the rules give for this decision is not over."
    default = game.revive_decision(asked).default(state)
    return "" if plain(choice) == plain(default) else "The clock chooses nothing but the decision's default."


def _check_id(name: str) -> None:
    if len(name) > NAME_LIMIT or not unicodedata.is_normalized("NFC", name):
        raise NotAChoice(f"The id has at most {NAME_LIMIT} characters, in Unicode's form NFC.")


def _has_by(entry: Entry) -> bool:
    """Whether the line of a choice names its author; the seat's own hand is the default and is left out."""
    # The quotation marks of a text inside are escaped, so these bytes can only be the field.
    return b',"by":"' in entry.line
