"""Challenges that a device signs to prove that it has its key: random, short, used once, on one connection."""

import secrets
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from replay.record import sealing

CHALLENGE_BYTES: Final = 32
CHALLENGE_S: Final = 60.0
"""How long a challenge may be answered, by a clock that nobody can set."""


class SigningPlace(Struct, frozen=True):
    """The place where a connection was opened: the server's name that the client used, and the page's origin if any."""

    site: str
    origin: str = ""


class Challenges:
    """The challenge of one connection: only the last one, and only until it is answered, rightly or not."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open = ""
        self._until = 0.0

    def draw(self) -> str:
        """A new challenge as base64url; the former challenge is void."""
        self._open = sealing.b64(secrets.token_bytes(CHALLENGE_BYTES))
        self._until = self._clock() + CHALLENGE_S
        return self._open

    def take(self) -> str:
        """The open challenge, which is void from now on; empty if there is none."""
        found, self._open = self._open, ""
        return found if self._clock() < self._until else ""


def signed_message(purpose: str, place: SigningPlace, challenge: str, *said: str) -> bytes:
    """The 32 bytes that a device signs for a purpose (docs/people.md).

    A tagged hash of the site, the origin, the challenge and the other statements, each with its length before it: a
    signature for one purpose, place or challenge fits no other.
    """
    parts = [part.encode() for part in (place.site, place.origin, challenge, *said)]
    return sealing.tagged_hash(f"person/{purpose}", *(sealing.u32(len(part)) + part for part in parts))
