"""The supervisor of a server's processes: it starts them, replaces one that dies, and ends them together.

It reads no socket, opens no database and runs no thread, so that almost nothing can make it fail.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from server.errors import place_of
from server.operations import logs

LOG = logging.getLogger(__name__)
STEADY_S: Final = 10.0
"""A process that has run for this long, in seconds, is replaced at once."""
FIRST_S: Final = 0.5
LONGEST_S: Final = 30.0
"""A process that died sooner is replaced after a pause in seconds, which doubles from the first value up to the
second.
"""
SIGNALS: Final = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGALRM)
FAULT: Final = 70
"""The exit status of a process that ended by an exception that nothing caught (EX_SOFTWARE of sysexits.h)."""


class ProcessStart(Struct, frozen=True):
    """The start of a process: its number, whether it replaces another, and a file that ends with the supervisor."""

    number: int
    is_again: bool
    parent: int


Work = Callable[[ProcessStart], int]
"""The work of a process, from its fork to its exit status; status 0 is a requested stop."""


class Supervisor:
    """Keeps `count` processes at `work`. A process that ends with the status `fatal` ends all of them."""

    def __init__(self, count: int, work: Work, fatal: int, steady_s: float = STEADY_S) -> None:
        self._steady_s = steady_s
        self._count, self._work, self._fatal = count, work, fatal
        self._begun: dict[int, tuple[int, float]] = {}
        """By process id: the process's number and start time."""
        self._due: dict[int, float] = {}
        """By process number: the time at which the next process replaces it."""
        self._pauses = [0.0] * count
        self._status = 0
        self._is_stopping = False

    def run(self, begun: Callable[[], None], stopping: Callable[[], None]) -> int:
        """Run until SIGTERM or SIGINT, then send SIGTERM to all processes; returns the exit status.

        `begun` is called once all processes have started, and `stopping` when they are signalled to end.
        """
        reading, writing = os.pipe()
        # The signal needs a handler; otherwise, a system may drop it although `sigwait` waits for it.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            for number in range(self._count):
                self._begin(ProcessStart(number, False, reading), writing, mask)
            begun()
            while self._begun or self._due:
                signal.setitimer(signal.ITIMER_REAL, self._wait_s())
                taken = signal.sigwait(SIGNALS)
                self._bury()
                if taken in {signal.SIGTERM, signal.SIGINT} or (self._status and not self._is_stopping):
                    self._stop(stopping)
                for number in [number for number, at in self._due.items() if at <= time.monotonic()]:
                    del self._due[number]
                    self._begin(ProcessStart(number, True, reading), writing, mask)
            return self._status
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.close(reading)
            os.close(writing)

    def _wait_s(self) -> float:
        """The longest wait for a signal; 0 means no limit."""
        return max(0.001, min(self._due.values()) - time.monotonic()) if self._due else 0.0

    def _begin(self, beginning: ProcessStart, writing: int, mask: set[signal.Signals | int]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child:
            self._begun[child] = (beginning.number, time.monotonic())
            LOG.info("process %d has the id %d", beginning.number, child)
            return
        status = FAULT
        try:
            # Only the supervisor gets Ctrl-C and passes it on to its processes; a second signal would kill a process
            # that is stopping.
            os.setpgid(0, 0)
            os.close(writing)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            logs.process = str(beginning.number)
            status = self._work(beginning)
        except BaseException as wrong:
            LOG.error("nothing has caught: %s", place_of(wrong))
        finally:
            logging.shutdown()
            sys.stdout.flush()
            # Nothing that the parent does on exit may also be done here.
            os._exit(status)

    def _bury(self) -> None:
        """Find out which processes have ended."""
        while self._begun:
            try:
                child, ended = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not child:
                return
            if child in self._begun:
                self._ended(*self._begun.pop(child), os.waitstatus_to_exitcode(ended))

    def _ended(self, number: int, begun: float, status: int) -> None:
        if status == self._fatal:
            self._status = status
        if self._is_stopping:
            # A process that was killed has lost nothing that was accepted.
            if status < 0 or status == FAULT:
                LOG.warning("process %d was ended as it stopped: %s", number, _how(status))
            return
        if self._status:
            return
        lived = time.monotonic() - begun
        longer = min(LONGEST_S, max(FIRST_S, 2 * self._pauses[number]))
        self._pauses[number] = 0.0 if lived >= self._steady_s else longer
        # After its first death, a process is replaced at once, because somebody may have killed it.
        pause = 0.0 if self._pauses[number] <= FIRST_S else self._pauses[number]
        LOG.error("process %d has ended (%s); another takes its place in %.1f s", number, _how(status), pause)
        self._due[number] = time.monotonic() + pause

    def _stop(self, stopping: Callable[[], None]) -> None:
        if not self._is_stopping:
            self._is_stopping = True
            stopping()
        self._due.clear()
        for child in self._begun:
            os.kill(child, signal.SIGTERM)


def _how(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
