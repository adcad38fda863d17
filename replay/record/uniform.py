"""Uniform numbers from a draw's key (docs/record.md 4)."""

from collections.abc import Callable
from typing import Final

from replay.record import sealing

SPAN: Final = 2**64


class UniformNumbers:
    """Uniform random numbers from a draw's key: eight bytes each; values that would be uneven are rejected."""

    def __init__(self, key: bytes, mixed: bytes, number: int) -> None:
        self._key = key
        self._front = mixed + sealing.u32(number)
        self._block = 0
        self._left = b""

    def below(self, bound: int) -> int:
        """A uniform number from 0 to bound - 1."""
        limit = SPAN // bound * bound
        while True:
            if not self._left:
                self._left = sealing.prf(self._key, "draw", self._front, sealing.u32(self._block))
                self._block += 1
            number = int.from_bytes(self._left[:8], "big")
            self._left = self._left[8:]
            if number < limit:
                return number % bound


def permutation(below: Callable[[int], int], size: int) -> tuple[int, ...]:
    """A shuffle of 0 to size - 1: each i, from the last down to 1, changes places with below(i + 1)."""
    items = list(range(size))
    for i in range(size - 1, 0, -1):
        j = below(i + 1)
        items[i], items[j] = items[j], items[i]
    return tuple(items)
