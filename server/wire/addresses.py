"""The websocket's addresses: `/ws`, and `/ws/HASH` to enter a match, whose process is found by the hash."""

import re
from typing import Final

SOCKET: Final = "/ws"
_AT_MATCH: Final = re.compile(r"/ws/([0-9a-f]{8})")


def short_hash(match: str) -> int:
    """A match's name hashed by FNV-1a to 32 bits: the log of a proxy may hold the hash, but not the name."""
    found = 0x811C9DC5
    for byte in match.encode():
        found = (found ^ byte) * 0x01000193 & 0xFFFFFFFF
    return found


def socket_path(match: str) -> str:
    """The path at which a match is entered."""
    return f"{SOCKET}/{short_hash(match):08x}"


def hash_in(path: str) -> int | None:
    """The hash in a socket's path; None if it has none."""
    found = _AT_MATCH.fullmatch(path)
    return None if found is None else int(found[1], 16)


def is_socket(path: str) -> bool:
    """Whether a path serves a websocket."""
    return path == SOCKET or hash_in(path) is not None
