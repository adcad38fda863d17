"""Reads files of records line by line, packed or not, and within bounds because the files are untrusted.

The first bytes of a file decide its kind; its name does not. Nothing beyond the bounds is read into memory, so neither
an endless line nor a small file that unpacks to a huge one does harm.
"""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, Any, Final, Protocol

from msgspec import Struct

from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Record


class FileLimits(Struct, frozen=True):
    """The limits of a file. `line`: bytes of one line, which in a saved stream may hold a whole view; `size`: bytes of
    the unpacked file; `lines`: because many short lines would keep the reader busy for minutes; `xz_memory`: bytes
    for unpacking `.xz`, because a file can ask for 4 GiB."""

    line: int = 16 * 1024 * 1024
    size: int = 256 * 1024 * 1024
    lines: int = 1_000_000
    xz_memory: int = 128 * 1024 * 1024


FILE_LIMITS: Final = FileLimits()
_CHUNK: Final = 64 * 1024
_FOREIGN: Final = {
    b"SQLite format 3\0": "a database; name it with --db",
    b"PK\x03\x04": "a zip archive; unpack it and name what is in it",
    b"\x28\xb5\x2f\xfd": "packed with zstd; unpack it first",
    b"\x89PNG": "a picture",
    b"<!doctype html": "a page; open it in a browser",
}
_DAMAGED: Final = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, OSError)


class _Unpacker(Protocol):
    """Unpacks one stream, at most as many bytes at a time as requested."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class _Gzip:
    """Unpacks a gzip stream with the interface of `bz2` and `lzma`; checks its checksum and length."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._unpack.eof

    @property
    def needs_input(self) -> bool:
        return not self._unpack.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._unpack.unused_data

    def decompress(self, data: bytes, max_length: int = 0) -> bytes:
        return self._unpack.decompress(self._unpack.unconsumed_tail + data, max_length)


class _Packed(RawIOBase):
    """Unpacks the one stream in a file, with bounded memory; bytes after it are refused."""

    def __init__(self, file: IO[bytes], unpack: _Unpacker) -> None:
        self._file = file
        self._unpack = unpack

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpack.eof:
            packed = self._file.read(_CHUNK) if self._unpack.needs_input else b""
            if not packed and self._unpack.needs_input:
                raise EOFError("the file ends before the packed data does")
            made = self._unpack.decompress(packed, len(buffer))
            if made:
                buffer[: len(made)] = made
                return len(made)
        if self._unpack.unused_data or self._file.read(1):
            raise RecordInvalid("bytes stand behind the end of the packed data")
        return 0


_UNPACK: Final[dict[bytes, Callable[[FileLimits], _Unpacker]]] = {
    b"\x1f\x8b": lambda _: _Gzip(),
    b"BZh": lambda _: bz2.BZ2Decompressor(),
    b"\xfd7zXZ\0": lambda limits: lzma.LZMADecompressor(memlimit=limits.xz_memory),
}


@contextmanager
def lines_of(path: Path, limits: FileLimits = FILE_LIMITS) -> Iterator[Iterator[bytes]]:
    """The lines of a file, unpacked, each with its line break, within the limits.

    Raises `RecordInvalid` at once for a file that is no record, and during reading if the file is damaged or too large.
    """
    with path.open("rb") as file:
        front = file.read(16)
        file.seek(0)
        if not front:
            raise RecordInvalid("the file is empty")
        for magic, what in _FOREIGN.items():
            if front.lower().startswith(magic.lower()):
                raise RecordInvalid(f"the file is {what}", expected="a file of `herald export` or `herald save`")
        unpack = next((made for magic, made in _UNPACK.items() if front.startswith(magic)), None)
        yield _lines(file if unpack is None else BufferedReader(_Packed(file, unpack(limits))), limits)


def _lines(file: Any, limits: FileLimits) -> Iterator[bytes]:
    number = total = 0
    while True:
        try:
            line: bytes = file.readline(limits.line + 1)
        except _DAMAGED as wrong:
            raise RecordInvalid(f"the file is cut or damaged after its line {number}: {wrong}") from wrong
        if not line:
            return
        number, total = number + 1, total + len(line)
        if len(line) > limits.line:
            raise RecordInvalid(f"line {number} of the file has more than {limits.line >> 20} MiB")
        if number > limits.lines:
            raise RecordInvalid(f"the file has more than {limits.lines} lines")
        if total > limits.size:
            raise RecordInvalid(f"the file has more than {limits.size >> 20} MiB at its line {number}")
        yield line


def read_file(path: Path, limits: FileLimits = FILE_LIMITS) -> Record:
    """The record in a file. Raises `RecordInvalid` that names the place, `OSError` for a file that cannot be read."""
    with lines_of(path, limits) as lines:
        return export.read(lines)


def packer_of(name: str, *, compress: bool = False) -> Callable[[bytes], bytes]:
    """How to pack a file of this name: `.gz`, `.bz2`, `.xz`; gzip if it must be packed and the name has no ending."""
    suffix = Path(name).suffix
    if suffix == ".xz":
        return lzma.compress
    if suffix == ".bz2":
        return bz2.compress
    # Without a time, the same record gives the same bytes.
    return (lambda data: gzip.compress(data, mtime=0)) if compress or suffix == ".gz" else bytes


def is_record(path: Path) -> bool:
    """Whether the name of a file in a folder is that of a record."""
    return ".herald" in path.suffixes


def records_in(paths: Iterable[Path]) -> list[Path]:
    """The named files, and the records in the named folders, in order."""
    return [
        found for path in paths for found in (sorted(filter(is_record, path.rglob("*"))) if path.is_dir() else [path])
    ]
