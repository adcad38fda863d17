"""Hold each process to a part of a core, so that a machine of few cores behaves like one of many slower cores.

Linux enforces the limit with the `cpu` controller of cgroup v1, or of v2 if the root group delegates it.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from scripts.benchmarks.weights import family

PERIOD_US: Final = 10_000
"""A process that has used up its share waits for the next period. Periods are short, so that no process waits long."""
V1: Final = Path("/sys/fs/cgroup/cpu")
V2: Final = Path("/sys/fs/cgroup")


class NoSharesError(RuntimeError):
    """This system, or this user, cannot hold a process to a part of a core."""


def room(cores: int, share: float) -> float:
    """The number of shares of this size in the machine; its number of cores if `share` is 0, which sets no limit."""
    return cores / share if share else cores


def share_told(share: float) -> str:
    """The share as an option of the reported command; empty if there is none."""
    return f" --share {share:g}" if share else ""


@contextmanager
def held(pids: Iterable[int], share: float) -> Iterator[None]:
    """Let each process, and each one that it has started, use this part of a core; 0: no limit.

    Raises `NoSharesError` if that is impossible.
    """
    made: list[Path] = []
    try:
        for each in sorted({one for pid in pids for one in family(pid)}) if share else ():
            made.append(_held(each, share))
        yield
    finally:
        for group in made:
            _let_go(group)


def _held(pid: int, share: float) -> Path:
    """The group that holds a process."""
    is_v1 = (V1 / "cpu.cfs_quota_us").exists()
    group = (V1 if is_v1 else V2) / f"herald-bench-{os.getpid()}-{pid}"
    quota = int(PERIOD_US * share)
    try:
        group.mkdir()
        if is_v1:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        (group / "cgroup.procs").write_text(str(pid))
    except OSError as wrong:
        with suppress(OSError):
            group.rmdir()
        raise NoSharesError(f"no process can be held to a part of a core here: {wrong}") from wrong
    return group


def _let_go(group: Path) -> None:
    """Remove the limit from every process that still runs."""
    for pid in (group / "cgroup.procs").read_text().split():
        with suppress(OSError):
            (group.parent / "cgroup.procs").write_text(pid)
    with suppress(OSError):
        group.rmdir()
