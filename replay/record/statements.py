"""Statements that a server makes beside a record and signs (docs/record.md 5), such as a director's directions and
chances to win.

A statement is a text: a JSON array that begins with its kind and the match. Line 1 names the key.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from replay.record import sealing
from replay.record.signing import is_signed

DIRECTED: Final = "directed"
CHANCE: Final = "chance"
FRONT: Final = b"hr3/said\0"
SIGNATURE_BYTES: Final = 64
Sign = Callable[[bytes], bytes]
_encode = msgspec.json.Encoder().encode


def said(*words: Any) -> str:
    """A statement's text, made of its kind, the match, and the contents."""
    return _encode(words).decode()


def stamped(sign: Sign | None, text: str) -> str:
    """The server's key and its signature over a statement, as base64url; "" without a key."""
    return "" if sign is None else sealing.b64(sign(FRONT + text.encode()))


def signer(text: str, stamp: str) -> str:
    """The public key that signed a statement; "" if the stamp is not for it."""
    try:
        data = sealing.unb64(stamp)
    except ValueError:
        return ""
    key, signature = data[: sealing.KEY_BYTES], data[sealing.KEY_BYTES :]
    is_right = len(data) == sealing.KEY_BYTES + SIGNATURE_BYTES and is_signed(key, FRONT + text.encode(), signature)
    return sealing.b64(key) if is_right else ""
