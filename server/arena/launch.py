"""Starts a program with less than its user may use: memory, processor time, size of files.

`python -I launch.py MEMORY CPU FILE COMMAND...`: bytes of memory, seconds of the processor, bytes of a file. It is run
as a separate program, so that nothing has to be done between fork and exec; it uses only the standard library.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1
OPEN_FILES = 256


def _limit(what: int, most: int) -> None:
    """Lower a limit as far as the system allows; not every system has each limit."""
    _, hard = resource.getrlimit(what)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(what, (least, least))


def _die_with_parent() -> None:
    """Be killed when the parent process is gone. Linux only; elsewhere the program notices the end of its input."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def launch(memory: int, cpu: int, file: int, command: list[str]) -> None:
    """Become the command."""
    _die_with_parent()
    # Memory that is reserved and never used must not count, as it would by RLIMIT_AS: Node.js reserves gigabytes.
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_CPU, cpu)
    _limit(resource.RLIMIT_FSIZE, file)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    os.execvp(command[0], command)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    launch(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
