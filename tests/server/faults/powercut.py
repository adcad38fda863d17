"""The possible states of a disk after a power cut: everything synced, and any part of the writes since then.

Each write since its file's last sync is there, or is missing, or is there up to a sector, in any combination.
"""

import random
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

WRITES, SYNCS, REMOVALS = 1, 2, 4
SECTOR: Final = 512
_HEAD: Final = struct.Struct("=qqqq")


class Step(Struct, frozen=True):
    """A call that the disk saw; a write without data cuts the file off at `offset`."""

    kind: int
    path: Path
    data: bytes | None
    offset: int


def read_log(log: bytes) -> Iterator[Step]:
    """The calls that tests/server/faults/disk.c has written down."""
    at = 0
    while at < len(log):
        kind, named, size, offset = _HEAD.unpack_from(log, at)
        at += _HEAD.size
        path = Path(log[at : at + named].decode())
        at += named
        data = None if size < 0 else log[at : at + size]
        at += max(size, 0)
        yield Step(kind, path, data, offset)


def image(begun: Mapping[Path, bytes], steps: list[Step], rng: random.Random) -> dict[Path, bytes]:
    """The files after a power cut behind the steps."""
    files = {path: bytearray(data) for path, data in begun.items()}
    synced = {step.path: number for number, step in enumerate(steps) if step.kind == SYNCS}
    kept = rng.choice((0.0, 0.5, 0.9, 1.0))
    for number, step in enumerate(steps):
        if step.kind == REMOVALS:
            files.pop(step.path, None)
        elif step.kind == WRITES:
            is_safe = number < synced.get(step.path, -1)
            if is_safe or rng.random() < kept:
                _write(files.setdefault(step.path, bytearray()), step, None if is_safe else rng)
    return {path: bytes(data) for path, data in files.items() if not path.name.endswith("-shm")}


def _write(file: bytearray, step: Step, rng: random.Random | None) -> None:
    data = step.data
    if data is None:
        del file[step.offset :]
        return
    if rng is not None and rng.random() < 0.2:
        data = data[: rng.randrange(0, len(data) + 1, SECTOR)]
    if len(file) < step.offset:
        file.extend(bytes(step.offset - len(file)))
    file[step.offset : step.offset + len(data)] = data
