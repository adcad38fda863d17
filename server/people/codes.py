"""Codes that people copy by hand: recovery codes, codes for new devices, and the number both devices show."""

import secrets
from typing import Final

from replay.record import sealing

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O and U, which are read as others."""
_ALIKE: Final = str.maketrans({"I": "1", "L": "1", "O": "0"})
RECOVERY_BITS: Final = 160
PAIRING_BITS: Final = 100
GROUP: Final = 4


def new_code(bits: int) -> str:
    """This many random bits, a multiple of 20, as groups of four letters and digits."""
    drawn = secrets.randbits(bits)
    letters = "".join(ALPHABET[drawn >> at & 31] for at in range(0, bits, 5))
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def code_hash(purpose: str, code: str) -> bytes:
    """The hash of a code that the store keeps; spelling and spaces do not matter."""
    plain = "".join(char for char in code.upper() if char.isalnum()).translate(_ALIKE)
    return sealing.tagged_hash(f"person/{purpose}", plain.encode())


def pairing_number(code: str, key: str) -> str:
    """Twelve digits that the old and the new device both show, if the same key asked by the same code."""
    digest = code_hash("pairing-number", code) + key.encode()
    number = int.from_bytes(sealing.tagged_hash("person/pairing-number", digest)[:8]) % 10**12
    digits = f"{number:012}"
    return " ".join(digits[at : at + 4] for at in range(0, 12, 4))
