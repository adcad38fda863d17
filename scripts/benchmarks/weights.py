"""The resources that another process uses, as Linux shows them in /proc."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """The memory that belongs to the process alone: its anonymous pages. Raises `OSError` outside Linux."""
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    if found is None:
        raise OSError("this system does not tell what memory a process uses")
    return int(found[1]) * 1024


def cpu_s(pid: int) -> float:
    """The processor seconds that the process has used, in user mode and in the kernel."""
    after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after[11]) + int(after[12])) / _TICKS


def family_cpu_s(pid: int, *, itself: bool = True) -> float:
    """The processor seconds of a process and its children, or of the children alone; children that have ended are
    included.
    """
    ticks = 0
    for other, after in _running():
        if other == pid:
            ticks += sum(map(int, after[11 if itself else 13 : 15]))
        elif int(after[1]) == pid:
            ticks += sum(map(int, after[11:13]))
    return ticks / _TICKS


def family(pid: int) -> list[int]:
    """A process and its children that still run."""
    return [pid, *(other for other, after in _running() if int(after[1]) == pid)]


def _running() -> Iterator[tuple[int, list[str]]]:
    """Every process and the fields after its name in /proc. A process that ends meanwhile counts with its parent."""
    for found in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield int(found.parent.name), found.read_text().rpartition(")")[2].split()
