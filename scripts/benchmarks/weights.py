"""What another process uses, as Linux tells it in /proc."""

import os
import re
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
