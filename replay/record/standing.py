"""Answers that a seat has signed for future questions (docs/record.md 5, *Standing answers*); each answer is used
once.
"""

from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Asked, Chosen
from domain.kernel.table import STANDING
from replay.errors import RecordInvalid
from replay.record import canonical_json, sealing, signing

TEXT_BYTES: Final = 2_048
"""The greatest length of an instruction."""
_encode: Final = msgspec.json.Encoder(order="sorted").encode


class Instruction(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's answer to a future question.

    If the seat is asked a decision of this `kind` whose `terms` include these and whose number is at most `until`, it
    chooses `then`, a choice with its name in `do`.
    """

    kind: str
    terms: dict[str, Any]
    until: int
    then: dict[str, Any]

    def fits(self, asked: Asked) -> bool:
        """Whether the instruction fits this question."""
        terms = asked.terms
        named = all(name in terms and _same(terms[name], value) for name, value in self.terms.items())
        return asked.kind == self.kind and asked.number <= self.until and named


def _same(one: object, other: object) -> bool:
    """Whether two values are the same in JSON; in Python, True equals 1."""
    return _encode(one) == _encode(other)


def read_instruction(text: str) -> Instruction | None:
    """The instruction in a text; None if there is none."""
    data = text.encode()
    try:
        canonical_json.check(data)  # so that all readers read it alike
        return msgspec.json.decode(data, type=Instruction)
    except (RecordInvalid, msgspec.MsgspecError, ValueError, RecursionError):
        return None


def commitment(mid: bytes, seat: int, salt: bytes, text: bytes) -> bytes:
    """c: a seat's commitment to an instruction; the instruction is JSON."""
    return sealing.tagged_hash("standing", salt, mid, bytes([seat]), text)


def message(mid: bytes, seat: int, ack_seq: int, ack_head: str, name: str, committed: bytes) -> bytes:
    """The message that a seat signs ahead: the seat, the last line it saw, and c. Raises `ValueError` as
    `signing.choice_message` does."""
    return b"hr2/standing\0" + signing.signed_part(mid + bytes([seat]), ack_seq, ack_head, name, committed)


def is_instructed(mid: bytes, key: str, note: Chosen) -> bool:
    """Whether the seat with this key has signed the commitment to the instruction behind a choice."""
    try:
        committed = sealing.unb64(note.commitment)
        signed = message(mid, note.seat, note.ack_seq, note.ack_head, note.id, committed)
    except (ValueError, OverflowError):
        return False
    return len(committed) == sealing.KEY_BYTES and signing.is_signed_text(key, signed, note.signature)


def opens(mid: bytes, note: Chosen) -> bool:
    """Whether salt and text fit the commitment."""
    if not isinstance(note.signed, tuple):
        return False
    salt, text = note.signed
    try:
        made = commitment(mid, note.seat, sealing.unb64(salt), text.encode())
        return len(sealing.unb64(salt)) == signing.SALT_BYTES and sealing.b64(made) == note.commitment
    except (ValueError, OverflowError):
        return False


def meaning_fault(asked: Asked | None, mid: bytes, note: Chosen, choice: object) -> str:
    """Why the instruction does not lead to the choice, as a sentence; empty if it does. `choice`: as plain data."""
    if not opens(mid, note) or not isinstance(note.signed, tuple):
        return "Salt and instruction are not those of the commitment."
    said = read_instruction(note.signed[1])
    if said is None:
        return "The signed instruction is none."
    if asked is None or not said.fits(asked):
        return "The signed instruction speaks of another question."
    return "" if _same(said.then, choice) else "The signed instruction says another choice."


def signed_ahead(match: str, note: Chosen, salt: str, text: str, signature: str) -> Chosen:
    """The note of an answer, with the commitment that follows from its salt and text, and the given signature.

    Raises `ValueError` for a salt that is not base64url.
    """
    made = commitment(sealing.unb64(match), note.seat, sealing.unb64(salt), text.encode())
    return replace(note, by=STANDING, commitment=sealing.b64(made), signature=signature, signed=(salt, text))
