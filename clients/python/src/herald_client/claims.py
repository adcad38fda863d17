"""Persons behind seats (docs/record.md 5, *Persons*): making a claim, and checking the opening of one."""

import secrets
from typing import Final

from msgspec import Struct

from herald_client.keys import Key, is_signed
from herald_client.record import KEY_BYTES, b64, tagged, u32, unb64

SALT_BYTES: Final = 32


class Opening(Struct, frozen=True):
    """The opening of a claim: match, line, the server's name as its person calls it, the person's key, salt and the
    key's signature."""

    match: str
    line: int
    site: str
    key: str
    salt: str
    signature: str

    def __repr__(self) -> str:
        return f"Opening({self.line})"


class SeatClaim(Struct, frozen=True):
    """The statement of a line `SeatClaimed`: the seat, the key that signs for it, and the commitment to a person."""

    seat: int
    key: str
    commitment: str

    def fault(self, match: str, opening: Opening) -> str:
        """The reason why an opening does not fit the claim, as a sentence; "" if it fits."""
        if opening.match != match:
            return "what is opened is a claim of another match"
        try:
            salt, key, signature = unb64(opening.salt), unb64(opening.key), unb64(opening.signature)
        except ValueError:
            return "the opening of a claim is no base64url"
        if len(salt) != SALT_BYTES or len(key) != KEY_BYTES:
            return "the opening of a claim has a salt and a key of 32 bytes"
        if not is_signed(key, claim_message(opening.site, match, self.seat, self.key, opening.salt), signature):
            return f"the person's key did not sign the key of seat {self.seat} for this match and server"
        if b64(tagged("person/seat", salt, key, signature)) != self.commitment:
            return f"what was opened is not what line {opening.line} committed to"
        return ""


def claim_message(site: str, match: str, seat: int, seat_key: str, salt: str) -> bytes:
    """The 32 bytes that a person's key signs: this seat key is mine, at this seat of this match of this server."""
    parts = [part.encode() for part in (site, match, str(seat), seat_key, salt)]
    return tagged("person/claim", *(u32(len(part)) + part for part in parts))


def claimed(person: Key, site: str, match: str, seat: int, seat_key: str) -> tuple[str, Opening]:
    """A commitment to the person for the record, and its opening, whose line is 0 until the record has the claim."""
    salt = b64(secrets.token_bytes(SALT_BYTES))
    signature = person.sign(claim_message(site, match, seat, seat_key, salt))
    made = b64(tagged("person/seat", unb64(salt), unb64(person.public), unb64(signature)))
    return made, Opening(match, 0, site, person.public, salt, signature)
