"""Builds the failing disk and runs the nursery with it; for the tests and for `scripts/faults`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

ROOT = Path(__file__).parents[3]
SOURCE = Path(__file__).with_name("disk.c")


@cache
def failing_disk() -> Path:
    """The library to preload, compiled once a process."""
    library = Path(mkdtemp(prefix="herald-disk-")) / "disk.so"
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return library


def environment() -> dict[str, str]:
    """The environment of a process with the failing disk, which does nothing until it is told to."""
    return {**os.environ, "LD_PRELOAD": str(failing_disk()), "PYTHONWARNINGS": "ignore"}


def trials(fault: str, *, rounds: int = 1, stride: int = 1, seed: int = 1) -> Iterator[dict[str, Any]]:
    """The cases of one kind of fault, as they end. `stride`: every how many calls; for power cuts, how many images."""
    command = [sys.executable, "-m", "tests.server.faults.nursery", fault, str(rounds), str(stride), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True) as nursery:
        assert nursery.stdout is not None
        for line in nursery.stdout:
            yield json.loads(line)
    assert nursery.returncode == 0, f"the nursery failed in {fault!r}"
