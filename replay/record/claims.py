"""Persons behind seats (docs/record.md 5, *Persons*): the commitment in the record, and the opening beside it.

The record holds a commitment and never a person. Anybody who sees the opening can check that the person's key has
signed the seat's key for this match, seat and server.
"""

from typing import Final

from msgspec import Struct

from replay.record import sealing
from replay.record.ed25519 import is_public_key
from replay.record.signing import is_signed_text

SALT_BYTES: Final = 32


class SeatClaim(Struct, frozen=True):
    """The statement of a line `SeatClaimed`: the seat, the key that signs for it, and the commitment to a person."""

    seat: int
    key: str
    commitment: str

    @property
    def place(self) -> tuple[int, str]:
        """The seat and its key; one person is behind them."""
        return self.seat, self.key


class OpenedClaim(Struct, frozen=True):
    """The opening of a claim: match and line, the person's name for the server, the person's key, a salt of 32 bytes,
    and the key's signature. All fields except line and site are base64url."""

    match: str
    line: int
    site: str
    key: str
    salt: str
    signature: str

    def __repr__(self) -> str:
        return f"Opening({self.line})"


def message(site: str, match: str, seat: int, seat_key: str, salt: str) -> bytes:
    """The 32 bytes that a person's key signs: this seat key is mine, for this seat of this match on this server."""
    parts = [part.encode() for part in (site, match, str(seat), seat_key, salt)]
    return sealing.tagged_hash("person/claim", *(sealing.u32(len(part)) + part for part in parts))


def commitment(salt: str, key: str, signature: str) -> str:
    """The commitment in the record. Raises `ValueError` for invalid base64url."""
    return sealing.b64(sealing.tagged_hash("person/seat", *map(sealing.unb64, (salt, key, signature))))


def is_commitment(text: str) -> bool:
    """Whether a text can be a commitment."""
    return _length(text) == sealing.KEY_BYTES


def fault(match: str, claim: SeatClaim, opening: OpenedClaim) -> str:
    """Why an opening does not open a claim of a match, as a sentence; empty if it does."""
    if opening.match != match:
        return "what is opened is a claim of another match"
    if _length(opening.salt) != SALT_BYTES or _length(opening.key) != sealing.KEY_BYTES:
        return "the opening of a claim has a salt and a key of 32 bytes"
    if not is_public_key(sealing.unb64(opening.key)):
        return "the person's key is none, or one that a single signature fits"
    signed = message(opening.site, match, claim.seat, claim.key, opening.salt)
    if not is_signed_text(opening.key, signed, opening.signature):
        return f"the person's key did not sign the key of seat {claim.seat} for this match and server"
    if commitment(opening.salt, opening.key, opening.signature) != claim.commitment:
        return f"what was opened is not what line {opening.line} committed to"
    return ""


def _length(text: str) -> int:
    """The number of bytes of a base64url text; -1 for any other text."""
    try:
        return len(sealing.unb64(text))
    except (ValueError, TypeError):
        return -1
