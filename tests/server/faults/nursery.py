"""Plays one scripted match after another, each in a child with a fault at another call, and examines what is left.

Run as a program with tests/server/faults/disk.c preloaded; prints one JSON object a case. The children are forked, so
that each costs a tenth of a second and not a second.
"""

import asyncio
import ctypes
import errno
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from replay.store.errors import StoreFailed
from replay.store.sqlite.store import SqliteStore
from tests.server.faults import powercut
from tests.server.faults.scripted import Ended, created_of, faults_of, play

KILL, TEAR, FAIL = 1, 2, 3
WRITES, SYNCS, REMOVALS = 1, 2, 4
FOR_EVER: Final = 1 << 40
MEMORY: Final = Path("/dev/shm")
"""A folder in which calls are as quick as possible; the duration of a sync does not matter here."""


class Fault(Struct, frozen=True):
    """The fault at the k-th call: `which` are counted, `calls` fail with `code`."""

    action: int
    which: int
    calls: int = 1
    code: int = 0


FAULTS: Final = {
    "killed": Fault(KILL, WRITES | SYNCS),
    "killed amid a write": Fault(TEAR, WRITES),
    "full for a while": Fault(FAIL, WRITES, 5, errno.ENOSPC),
    "full for ever": Fault(FAIL, WRITES, FOR_EVER, errno.ENOSPC),
    "a write fails": Fault(FAIL, WRITES, 1, errno.EIO),
    "a sync fails": Fault(FAIL, SYNCS, 1, errno.EIO),
    "every sync fails": Fault(FAIL, SYNCS, FOR_EVER, errno.EIO),
}


class Case(Struct):
    """One child: the frames it sent, how it ended (`killed`, `stopped`, `finished`), and its losses (none)."""

    fault: str
    at: int
    ended: str = ""
    told: int = 0
    lost: list[str] = []


def child(path: Path, pipe: int, fault: Fault, at: int, rounds: int, log: int = -1) -> None:
    """Play the script with the fault armed; never returns."""
    disk = ctypes.CDLL(None)
    disk.disk_count.restype = ctypes.c_long

    def tell(frame: str) -> None:
        os.write(pipe, f"{disk.disk_count()} {frame}\n".encode())

    code = 0
    try:
        disk.disk_arm(
            str(path.parent).encode(), fault.action, fault.which, ctypes.c_long(at), ctypes.c_long(fault.calls),
            fault.code, log,
        )  # fmt: skip
        asyncio.run(play(path, tell, rounds=rounds))
    except (Ended, StoreFailed):
        code = 3
    except Exception:
        os.write(pipe, f"! {json.dumps(traceback.format_exc())}\n".encode())
        code = 4
    os._exit(code)


def born(path: Path, fault: Fault, at: int, rounds: int, log: int = -1) -> tuple[int, list[tuple[int, str]]]:
    """Let a child play; its status as `os.waitpid` gives it, and what it told with the number of calls before."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        os.close(reading)
        child(path, writing, fault, at, rounds, log)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    status = os.waitpid(number, 0)[1]
    told = [line.partition(" ") for line in lines]
    assert all(count != "!" for count, _, _ in told), "".join(
        json.loads(text) for count, _, text in told if count == "!"
    )
    return os.waitstatus_to_exitcode(status), [(int(count), frame) for count, _, frame in told]


def new_folder() -> Path:
    """A folder for one database."""
    return Path(tempfile.mkdtemp(prefix="herald-fault-", dir=MEMORY if MEMORY.is_dir() else None))


def examine(path: Path, frames: list[str], rounds: int) -> list[str]:
    """Start again on what is left: nothing told is lost, the match goes on to its end, and that is true as well."""
    lost = faults_of(path, frames)
    more: list[str] = []
    asyncio.run(play(path, more.append, rounds=rounds, created=created_of(frames)))
    return lost + faults_of(path, frames + more)


def tried(fault: str, at: int, rounds: int) -> Case:
    """One child, and what is left of it."""
    folder = new_folder()
    try:
        path = folder / "herald.db"
        code, told = born(path, FAULTS[fault], at, rounds)
        frames = [frame for _, frame in told]
        ended = {0: "finished", 3: "stopped", -9: "killed"}.get(code, f"code {code}")
        return Case(fault, at, ended, len(frames), examine(path, frames, rounds))
    finally:
        shutil.rmtree(folder)


def cases(fault: str, rounds: int, stride: int) -> Iterator[Case]:
    """A child for every call of the script, or for every `stride`-th."""
    for at in range(1, calls(FAULTS[fault].which, rounds) + 1, stride):
        yield tried(fault, at, rounds)


_CALLS: dict[tuple[int, int], int] = {}


def calls(which: int, rounds: int) -> int:
    """The number of calls that the script makes when nothing fails."""
    if (which, rounds) not in _CALLS:
        folder = new_folder()
        told = born(folder / "herald.db", Fault(0, which), 0, rounds)[1]
        shutil.rmtree(folder)
        _CALLS[which, rounds] = told[-1][0]
    return _CALLS[which, rounds]


def power_cuts(rounds: int, images: int, seed: int) -> Iterator[Case]:
    """The disk as a power cut may leave it: what was synced, and of the rest any part, whole or torn."""
    folder = new_folder()
    path = folder / "herald.db"
    SqliteStore(path).close()
    begun = {path: path.read_bytes()}
    with tempfile.TemporaryFile() as log:
        _, told = born(path, Fault(0, WRITES | SYNCS), 0, rounds, log.fileno())
        log.seek(0)
        steps = list(powercut.read_log(log.read()))
    shutil.rmtree(folder)
    rng = random.Random(seed)
    for number in range(1, images + 1):
        at = rng.randrange(len(steps) + 1)
        done = sum(step.kind != REMOVALS for step in steps[:at])
        frames = [frame for count, frame in told if count <= done]
        folder.mkdir()
        try:
            for file, data in powercut.image(begun, steps[:at], rng).items():
                file.write_bytes(data)
            yield Case("power cut", number, "killed", len(frames), examine(path, frames, rounds))
        finally:
            shutil.rmtree(folder)


def main(fault: str, rounds: str, stride: str, seed: str = "1") -> None:
    """Print every case; for power cuts the third argument is how many."""
    logging.disable(logging.CRITICAL)
    given = (int(rounds), int(stride))
    for case in power_cuts(*given, int(seed)) if fault == "power cut" else cases(fault, *given):
        sys.stdout.write(msgspec.json.encode(case).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
