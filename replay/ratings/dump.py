"""A file of ratings: JSON lines with every result that counts, every standing that follows, and a signature over all.

The first line has the version and numbers of the fold, and the time up to which results count. Then come the results
and the standings, each in their order, and the last line with the server's signature over the hash of all lines before
it (docs/ratings.md).
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from replay.errors import RecordInvalid
from replay.files.reading import FileLimits, lines_of
from replay.ratings.errors import RatingsInvalid
from replay.ratings.fold import Parameters, Ratings, Standing
from replay.ratings.results import LATEST_MS, RatedResult, check
from replay.record import sealing
from replay.record.referee import Sign
from replay.record.serverkey import PUBLIC_BYTES, is_stamped

LIMITS: Final = FileLimits(lines=4_000_000, size=2 << 30)
LINE_MOST: Final = 4096
SEALED: Final = b"hr1/ratings\0"
"""The prefix of the server's signed message about a file of ratings."""


class Begins(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="ratings"):
    """The first line: the numbers of the fold, and the time in ms up to which results count."""

    parameters: Parameters
    at_ms: int


class ResultLine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="result"):
    """A result that counts."""

    result: RatedResult


class StandingLine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="standing"):
    """The standing of a player that follows from the results."""

    standing: Standing


class Ends(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="end"):
    """The last line: the SHA-256 of all bytes before it, and the server's public key and signature over it."""

    hash: str
    signed: str


Message = Begins | ResultLine | StandingLine | Ends
_MESSAGE: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_encode = msgspec.json.Encoder().encode


def write(results: Iterable[RatedResult], at_ms: int, stamp: Sign) -> Iterator[bytes]:
    """The lines of a file, each with its line break. The results are folded as they are written."""
    hashed, ratings = hashlib.sha256(), Ratings()
    for message in _messages(results, ratings, at_ms):
        line = _encode(message) + b"\n"
        hashed.update(line)
        yield line
    end = hashed.digest()
    yield _encode(Ends(sealing.b64(end), sealing.b64(stamp(SEALED + end)))) + b"\n"


def _messages(results: Iterable[RatedResult], ratings: Ratings, at_ms: int) -> Iterator[Message]:
    yield Begins(Parameters(), at_ms)
    for result in results:
        ratings.add(result)
        yield ResultLine(result)
    yield from map(StandingLine, ratings.standings(at_ms))


class Dump:
    """Reads a file of ratings line by line, so that a large file takes little memory.

    Read `results`, then `standings`, then `key`. Each of them raises `RatingsInvalid` that names the line.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = _checked(lines)
        self._hashed = hashlib.sha256()
        self.number = 0
        """The number of the line that was read last, from 1."""
        begins = self._next()
        if not isinstance(begins, Begins):
            raise RatingsInvalid("line 1 is not the beginning of a file of ratings")
        if begins.parameters != Parameters():
            raise RatingsInvalid(f"line 1 has other numbers than {Parameters().version} is worked out with")
        if not 0 < begins.at_ms < LATEST_MS:
            raise RatingsInvalid("line 1 is of no time")
        self.at_ms = begins.at_ms
        self._message = self._next()

    def _next(self) -> Message:
        line = next(self._lines, b"")
        self.number += 1
        try:
            message = _MESSAGE.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
            why = f"is none of a file of ratings: {wrong}" if line else "is missing: the file is cut"
            raise RatingsInvalid(f"line {self.number} {why}") from wrong
        if _encode(message) + b"\n" != line:
            raise RatingsInvalid(f"line {self.number} is not written in the one canonical way")
        if not isinstance(message, Ends):
            self._hashed.update(line)
        return message

    def results(self) -> Iterator[RatedResult]:
        """The results, in their order; each must be possible for a match."""
        last = (0, "")
        while isinstance(self._message, ResultLine):
            result = self._message.result
            try:
                check(result)
            except RatingsInvalid as wrong:
                raise RatingsInvalid(f"line {self.number}: {wrong}") from wrong
            if result.key <= last:
                raise RatingsInvalid(f"line {self.number}: the result does not stand in the order of end and match")
            if result.end_ms > self.at_ms:
                raise RatingsInvalid(f"line {self.number}: the result ends after the time of the file")
            last = result.key
            yield result
            self._message = self._next()

    def standings(self) -> Iterator[Standing]:
        """The standings, in their order."""
        while isinstance(self._message, StandingLine):
            yield self._message.standing
            self._message = self._next()

    def key(self) -> bytes:
        """The public key that has signed the file; its signature is valid."""
        message = self._message
        if not isinstance(message, Ends):
            raise RatingsInvalid(f"line {self.number} stands where the end of the file should")
        end = self._hashed.digest()
        if message.hash != sealing.b64(end):
            raise RatingsInvalid(f"line {self.number}: the hash is not that of the lines before")
        try:
            stamp = sealing.unb64(message.signed)
        except ValueError:
            stamp = b""
        if not is_stamped(SEALED + end, stamp):
            raise RatingsInvalid(f"line {self.number}: the signature is not for this file")
        if next(self._lines, b""):
            raise RatingsInvalid(f"the file goes on after its end in line {self.number}")
        return stamp[:PUBLIC_BYTES]


def _checked(lines: Iterable[bytes]) -> Iterator[bytes]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_MOST:
                raise RatingsInvalid(f"line {number} has more than {LINE_MOST} bytes")
            yield line
    except RecordInvalid as wrong:
        raise RatingsInvalid(f"after line {number}: {wrong}") from wrong


@contextmanager
def opened(path: Path) -> Iterator[Dump]:
    """Open the file of ratings at a path, packed or not. Raises `RatingsInvalid`, `OSError`."""
    try:
        with lines_of(path, LIMITS) as lines:
            yield Dump(lines)
    except RecordInvalid as wrong:
        raise RatingsInvalid(wrong.why) from wrong
