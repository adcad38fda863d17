"""Herald Record 1: tagged hashes, keys, seals (docs/record.md 1 to 3)."""

import hmac
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _hashlib import HASH

VERSION: Final = 3
"""The version of the record for new matches."""
VERSIONS: Final = (1, 2, 3)
FILE_VERSION: Final = 1
"""The version of the file format for records."""
MID_BYTES: Final = 16
KEY_BYTES: Final = 32
LINE_LIMIT: Final = 64 * 1024
DEPTH_LIMIT: Final = 16
INTEGER_LIMIT: Final = 2**53 - 1
BLOCK_BYTES: Final = 64
"""The block size of SHA-256."""
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")


def b64(data: bytes) -> str:
    """base64url without padding."""
    return b2a_base64(data, newline=False).translate(_URL_SAFE).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of `b64`. Raises `ValueError` for anything else."""
    # The checks of `base64` are not needed: the comparison below accepts only a text that the bytes give again.
    data = a2b_base64(text.encode("ascii").translate(_STANDARD) + b"==")
    if b64(data) != text:
        raise ValueError("not base64url without padding")
    return data


def u32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Eight bytes, big-endian."""
    return number.to_bytes(8, "big")


@lru_cache(maxsize=32)
def _prefix(tag: str) -> bytes:
    return sha256(b"hr1/" + tag.encode()).digest() * 2


@lru_cache(maxsize=32)
def _hasher(tag: str) -> "HASH":
    return sha256(_prefix(tag))


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """TH (docs/record.md 1): the hash of the parts under a tag."""
    state = _hasher(tag).copy()
    state.update(b"".join(parts))
    return state.digest()


def chained(key: bytes, times: int) -> bytes:
    """TH("chain", ..) applied to a key a number of times (docs/record.md 4)."""
    begun = _hasher("chain")
    for _ in range(times):
        state = begun.copy()
        state.update(key)
        key = state.digest()
    return key


def prf(key: bytes, label: str, *parts: bytes) -> bytes:
    """PRF (docs/record.md 1): HMAC-SHA256 of the parts under a label."""
    return hmac.digest(key, b"hr1/" + label.encode() + b"\0" + b"".join(parts), "sha256")


def genesis(mid: bytes) -> bytes:
    """h_0, the beginning of the chain of a match."""
    return tagged_hash("genesis", mid)


def link(head: bytes, line: bytes) -> bytes:
    """h_n from h_{n-1} and the line's bytes."""
    return linked(head, (line,))


def linked(head: bytes, lines: Iterable[bytes]) -> bytes:
    """h after the lines: `link` applied to each in turn."""
    begun = _hasher("link")
    for line in lines:
        state = begun.copy()
        state.update(head)
        state.update(line)
        head = state.digest()
    return head


def choice_cause(choice: bytes) -> str:
    """The cause of a line: the first 16 bytes of the choice's hash."""
    return b64(tagged_hash("choice", choice)[:16])


def checkpoint_message(mid: bytes, seq: int, head: bytes, at_ms: int) -> bytes:
    """The message that the server signs for a checkpoint (docs/record.md 5)."""
    return b"hr1/checkpoint\0" + mid + u64(seq) + head + u64(at_ms)


class Sealer:
    """Makes the seals of one match from its K_m; keys and their HMAC states are made once per audience."""

    __slots__ = ("_begun", "_keys", "_root", "_salts", "mid")

    def __init__(self, mid: bytes, root: bytes, keys: Mapping[int, bytes] = MappingProxyType({})) -> None:
        """`keys` are the audience keys that are known without K_m."""
        self.mid = mid
        self._root = root
        self._keys: dict[int, bytes] = dict(keys)
        self._begun = sha256(_prefix("seal"))
        self._salts: dict[int, tuple[HASH, HASH]] = {}

    def key(self, mask: int) -> bytes:
        """K_A, the key of an audience."""
        found = self._keys.get(mask)
        if found is None:
            found = self._keys[mask] = audience_key(self._root, self.mid, mask)
        return found

    def salt(self, seq: int, slot: int, mask: int) -> bytes:
        """The salt of one slot."""
        return slot_salt(self.key(mask), seq, slot)

    def seal(self, seq: int, slot: int, mask: int, value: bytes) -> bytes:
        """C, the commitment to a slot's value: `commitment` with its `salt`, computed in one go for speed."""
        place = seq.to_bytes(8, "big") + slot.to_bytes(1, "big")
        inner, outer = self._salts.get(mask) or self._salted(mask)
        inner, outer, state = inner.copy(), outer.copy(), self._begun.copy()
        inner.update(place)
        outer.update(inner.digest())
        state.update(outer.digest() + self.mid + place + mask.to_bytes(4, "big") + value)
        return state.digest()

    def _salted(self, mask: int) -> "tuple[HASH, HASH]":
        """HMAC's two hashes (RFC 2104), begun with an audience's key; `hmac.digest` would begin them for each seal."""
        key = self.key(mask).ljust(BLOCK_BYTES, b"\0")
        inner, outer = sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))
        inner.update(b"hr1/salt\0")
        self._salts[mask] = inner, outer
        return inner, outer


def audience_key(root: bytes, mid: bytes, mask: int) -> bytes:
    """K_A from K_m."""
    return prf(root, "aud", mid, u32(mask))


def slot_salt(key: bytes, seq: int, slot: int) -> bytes:
    """The salt of a slot, known to holders of the audience's key."""
    return hmac.digest(key, b"hr1/salt\0" + seq.to_bytes(8, "big") + slot.to_bytes(1, "big"), "sha256")


def commitment(mid: bytes, salt: bytes, seq: int, slot: int, mask: int, value: bytes) -> bytes:
    """C (docs/record.md 3), which anyone with salt and value can compute again."""
    place = seq.to_bytes(8, "big") + slot.to_bytes(1, "big") + mask.to_bytes(4, "big")
    return tagged_hash("seal", salt, mid, place, value)
