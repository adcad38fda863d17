"""The notation of the record (docs/record.md 1 to 5): base64url, tagged hashes, chance, the parts of a line."""

import hmac
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from _hashlib import HASH

MID_BYTES: Final = 16
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
LINE_LIMIT: Final = 64 * 1024
DEPTH_LIMIT: Final = 16
INTEGER_LIMIT: Final = 2**53 - 1
SERVER: Final = -1
"""The actor in the server's own lines."""


def b64(data: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of `b64`. Raises `ValueError` for anything else."""
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64(data) != text:
        raise ValueError("not base64url without padding")
    return data


def unb64_key(text: str) -> bytes:
    """The 32 bytes of a key, a hash or a share of chance as `b64`. Raises `ValueError` for anything else."""
    data = unb64(text)
    if len(data) != KEY_BYTES:
        raise ValueError(f"{len(data)} bytes in place of {KEY_BYTES}")
    return data


def u8(number: int) -> bytes:
    """One byte."""
    return number.to_bytes(1, "big")


def u32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Eight bytes, big-endian."""
    return number.to_bytes(8, "big")


@lru_cache(maxsize=32)
def _begun(tag: str) -> "HASH":
    return sha256(sha256(b"hr1/" + tag.encode()).digest() * 2)


def tagged(tag: str, *parts: bytes) -> bytes:
    """TH: the hash of the parts under a tag."""
    state = _begun(tag).copy()
    state.update(b"".join(parts))
    return state.digest()


def prf(key: bytes, label: str, *parts: bytes) -> bytes:
    """PRF: HMAC-SHA256 of the parts under a label."""
    return hmac.digest(key, b"hr1/" + label.encode() + b"\0" + b"".join(parts), "sha256")


def link(head: bytes, text: bytes) -> bytes:
    """h_n from h_{n-1} and the line as it was received."""
    return tagged("link", head, text)


def seal(mid: bytes, salt: bytes, seq: int, slot: int, mask: int, value: bytes) -> bytes:
    """C: the seal of a secret."""
    return tagged("seal", salt, mid, u64(seq), u8(slot), u32(mask), value)


def slot_salt(key: bytes, seq: int, slot: int) -> bytes:
    """The salt of a slot, known to holders of the key of its audience."""
    return prf(key, "salt", u64(seq), u8(slot))


def _numbers(key: bytes, mixed: bytes, draw: int) -> Iterator[int]:
    block = 0
    while True:
        made = prf(key, "draw", mixed, u32(draw), u32(block))
        yield from (int.from_bytes(made[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def below(key: bytes, mixed: bytes, draw: int) -> Callable[[int], int]:
    """Even numbers below a bound, one after another, from a draw's key (docs/record.md 4)."""
    numbers = _numbers(key, mixed, draw)

    def drawn(bound: int) -> int:
        limit = 2**64 // bound * bound
        return next(number for number in numbers if number < limit) % bound

    return drawn


class Result(Struct, frozen=True):
    """The end of a match: the seat that won alone; the reason, in words; the rule behind it; all seats that won, if
    any.
    """

    winner: int | None = None
    reason: str = ""
    rule: str = ""
    won: tuple[int, ...] = ()


class Line(Struct, frozen=True):
    """A line of the record: an event with its public fields, and the secrets in it that the viewer holds, by slot.

    `at` is in ms since 1970; `actor` the seat that acted, -1 for the server; `text` the line as it was received and
    `openings` the slots as they were. A public field at its default is not among `fields`.
    """

    seq: int
    at: int
    type: str
    rules: str
    actor: int
    cause: str
    fields: dict[str, Any]
    secrets: dict[int, Any]
    text: str
    openings: tuple[tuple[int, str], ...] = ()


_Parts = tuple[int, str, int, int, str, str, int, str, dict[str, Any], tuple[tuple[int, str], ...]]
_decoder: msgspec.json.Decoder[_Parts] = msgspec.json.Decoder(_Parts)
_any = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode


def parts_of(text: str) -> _Parts:
    """The ten parts of a line. Raises `ValueError` for a text that is no line, or is not written in the
    only valid way.
    """
    check_written(text)
    return _decoder.decode(text)


def check_written(text: str) -> Any:
    """The value of a JSON text that is written as the record writes it. Raises `ValueError`."""
    data = text.encode()
    if len(data) > LINE_LIMIT:
        raise ValueError(f"longer than {LINE_LIMIT} bytes")
    value = _any.decode(data)
    if _encode(value) != data:
        raise ValueError("not written in the one way there is")
    _check_value(value, DEPTH_LIMIT)
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("a string is not NFC")
    return value


def _check_value(value: Any, depth: int) -> None:
    if isinstance(value, float) or (type(value) is int and abs(value) > INTEGER_LIMIT):
        raise ValueError(f"{value} is no integer within 2^53-1")
    if isinstance(value, dict | list):
        if not depth:
            raise ValueError(f"nested deeper than {DEPTH_LIMIT}")
        for one in value.values() if isinstance(value, dict) else value:
            _check_value(one, depth - 1)
