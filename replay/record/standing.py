"""Answers that a seat has signed for questions to come (RECORD 5, *Standing answers*): one answer is used once."""

from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Asked, Chosen
from domain.kernel.table import STANDING
from replay.errors import RecordInvalid
from replay.record import canonical_json, sealing, signing

TEXT_BYTES: Final = 2_048
"""No instruction is longer."""
_encode: Final = msgspec.json.Encoder(order="sorted").encode


class Instruction(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a seat to a question to come: asked a decision of this `kind`, whose `terms` include these, with a
    number of `until` at most, it chooses `then`, a choice with its name in `do`."""

    kind: str
    terms: dict[str, Any]
    until: int
    then: dict[str, Any]

    def fits(self, asked: Asked) -> bool:
        """Whether the instruction speaks of this question."""
        terms = asked.terms
        named = all(name in terms and _same(terms[name], value) for name, value in self.terms.items())
        return asked.kind == self.kind and asked.number <= self.until and named


def _same(one: object, other: object) -> bool:
    """Whether two values are one in JSON: Python's True is 1."""
    return _encode(one) == _encode(other)


def read_instruction(text: str) -> Instruction | None:
    """The instruction in a text; None if there is none."""
    data = text.encode()
    try:
        canonical_json.check(data)  # so that no two readers read it otherwise
        return msgspec.json.decode(data, type=Instruction)
    except (RecordInvalid, msgspec.MsgspecError, ValueError, RecursionError):
        return None


def commitment(mid: bytes, seat: int, salt: bytes, text: bytes) -> bytes:
    """c: a seat's commitment to an instruction, which is JSON."""
    return sealing.tagged_hash("standing", salt, mid, bytes([seat]), text)


def message(mid: bytes, seat: int, ack_seq: int, ack_head: str, name: str, committed: bytes) -> bytes:
    """The message that a seat signs ahead: the seat, the line seen then, and c. Raises `ValueError` as
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
    """Whether salt and text are those of the commitment."""
    if not isinstance(note.signed, tuple):
        return False
    salt, text = note.signed
    try:
        made = commitment(mid, note.seat, sealing.unb64(salt), text.encode())
        return len(sealing.unb64(salt)) == signing.SALT_BYTES and sealing.b64(made) == note.commitment
    except (ValueError, OverflowError):
        return False


def meaning_fault(asked: Asked | None, mid: bytes, note: Chosen, choice: object) -> str:
    """Why the instruction does not lead to the choice, as a sentence; empty where it does. `choice`: as plain data."""
    if not opens(mid, note) or not isinstance(note.signed, tuple):
        return "Salt and instruction are not those of the commitment."
    said = read_instruction(note.signed[1])
    if said is None:
        return "The signed instruction is none."
    if asked is None or not said.fits(asked):
        return "The signed instruction speaks of another question."
    return "" if _same(said.then, choice) else "The signed instruction says another choice."


def signed_ahead(match: str, note: Chosen, salt: str, text: str, signature: str) -> Chosen:
    """The note of an answer with the commitment that its salt and text make, under a signature as it was given.

    Raises `ValueError` for a salt that is no base64url.
    """
    made = commitment(sealing.unb64(match), note.seat, sealing.unb64(salt), text.encode())
    return replace(note, by=STANDING, commitment=sealing.b64(made), signature=signature, signed=(salt, text))
