"""The resources that another process uses, as Linux tells them in /proc."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """Memory that belongs to the process alone: what is in its anonymous pages. Raises `OSError` outside Linux."""
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    if found is None:
        raise OSError("this system does not tell what memory a process uses")
    return int(found[1]) * 1024


def cpu_s(pid: int) -> float:
    """Processor seconds the process has used, its own and the kernel's for it."""
    after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after[11]) + int(after[12])) / _TICKS


def family_cpu_s(pid: int, *, itself: bool = True) -> float:
    """Processor seconds of a process and of all that it has started, also of those that have ended; or these alone."""
    ticks = 0
    for other, after in _running():
        if other == pid:
            ticks += sum(map(int, after[11 if itself else 13 : 15]))
        elif int(after[1]) == pid:
            ticks += sum(map(int, after[11:13]))
    return ticks / _TICKS


def family(pid: int) -> list[int]:
    """A process and those that it has started and that run."""
    return [pid, *(other for other, after in _running() if int(after[1]) == pid)]


def _running() -> Iterator[tuple[int, list[str]]]:
    """Every process and what /proc tells of it behind its name. One that ends meanwhile counts with its parent."""
    for found in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield int(found.parent.name), found.read_text().rpartition(")")[2].split()
