"""The counters of each process of one server, in memory that all processes share; they outlive the process.

Each process has a place with two halves, which it writes alternately, so that one half is complete at any moment.
"""

import mmap
import os
import struct
import zlib
from typing import Final

from msgspec import Struct

HALF: Final = 128 * 1024
"""The bytes reserved for a page, with its head; unwritten bytes take no memory."""
HEAD: Final = struct.Struct("<QQII")
"""The number of the page, the process that wrote it, its length, and the checksum over the page and these fields."""


class KeptCounts(Struct, frozen=True):
    """A page of metrics, its number among the pages of its place, and the id of the process that wrote it."""

    number: int
    process: int
    page: str

    @property
    def is_over(self) -> bool:
        """Whether the process that wrote the page is gone."""
        try:
            os.kill(self.process, 0)
        except (ProcessLookupError, PermissionError):  # the id may belong to another process by now
            return True
        return False


class SharedCounters:
    """The last page of each of `count` processes. They must be made before the processes start."""

    def __init__(self, count: int) -> None:
        self._memory = mmap.mmap(-1, 2 * HALF * count)

    def keep(self, place: int, page: str) -> None:
        """Write this page at the process's own place; a page that is too long is dropped."""
        data = page.encode()
        if HEAD.size + len(data) > HALF:
            return
        last = self.last(place)
        number = 1 if last is None else last.number + 1
        at = (2 * place + number % 2) * HALF
        whole = HEAD.pack(number, os.getpid(), len(data), _sum(number, os.getpid(), data)) + data
        self._memory[at : at + len(whole)] = whole

    def last(self, place: int) -> KeptCounts | None:
        """The last page that any process wrote at a place; None if no page was written."""
        halves = [self._half((2 * place + half) * HALF) for half in range(2)]
        return max((half for half in halves if half is not None), key=lambda half: half.number, default=None)

    def _half(self, at: int) -> KeptCounts | None:
        """The page in one half of a place; None if nothing was written, or if the page is incomplete."""
        number, process, size, checksum = HEAD.unpack(self._memory[at : at + HEAD.size])
        data = self._memory[at + HEAD.size : at + HEAD.size + min(size, HALF)]
        if not number or _sum(number, process, data) != checksum:
            return None
        return KeptCounts(number, process, data.decode())


def _sum(number: int, process: int, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(b"%d %d" % (number, process)))
