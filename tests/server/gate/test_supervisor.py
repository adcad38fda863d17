"""The parent of several processes: another for each that dies, one status, one stop; in a program of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from server.gate.supervisor import LONGEST_S, Supervisor
from tests.server.gate.restart import ROOT

PROGRAM = """
import os, select, signal, sys
from server.gate.supervisor import Supervisor
from server.operations import logs

def say(line):
    os.write(1, f"{line}\\n".encode())  # in one piece, for others write there too

def work(beginning):
    stop = []
    signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
    signal.signal(signal.SIGUSR1, lambda *_: os._exit(74))
    signal.signal(signal.SIGUSR2, lambda *_: 1 / 0)
    say(f"begun {beginning.number} {os.getpid()} {beginning.is_again}")
    while not stop:
        if select.select([beginning.parent], [], [], 0.01)[0]:
            break
    say(f"stopped {beginning.number}")
    return 0

logs.start()
status = Supervisor(2, work, 74).run(lambda: say("all begun"), lambda: say("stopping"))
say("done")
sys.exit(status)
"""


class Told:
    """What the program prints, line by line, and waits for."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.ids: dict[int, int] = {}
        self.lines: list[str] = []

    def until(self, wanted: Callable[[], bool]) -> None:
        """Read until something has been printed. Fails when the program ends before."""
        assert self.process.stdout is not None
        while not wanted():
            line = self.process.stdout.readline()
            assert line, self.lines
            self.lines.append(line.strip())
            if found := re.match(r"begun (\d) (\d+)", line):
                self.ids[int(found[1])] = int(found[2])

    def begun(self) -> int:
        """How many processes were begun so far."""
        return sum(line.startswith("begun ") for line in self.lines)


@contextmanager
def program() -> Iterator[Told]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        told = Told(process)
        try:
            told.until(lambda: told.begun() == 2 and "all begun" in told.lines)
            yield told
        finally:
            process.kill()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_all_of_them(how: signal.Signals) -> None:
    with program() as told:
        told.process.send_signal(how)
        told.until(lambda: "done" in told.lines)
        assert {"stopped 0", "stopped 1", "stopping"} <= {*told.lines}
        assert told.process.wait(60) == 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGUSR2])
def test_another_takes_the_place_of_one_that_ends_however_it_does(how: signal.Signals) -> None:
    with program() as told:
        first = told.ids[1]
        os.kill(first, how)
        told.until(lambda: told.begun() == 3)
        assert told.ids[1] != first
        assert told.lines[-1].startswith("begun 1 ")
        assert told.lines[-1].endswith("True")
        told.process.terminate()
        told.until(lambda: "done" in told.lines)
        assert told.process.wait(60) == 0


def test_where_one_cannot_go_on_because_of_the_disk_all_end_and_none_is_begun_again() -> None:
    with program() as told:
        os.kill(told.ids[0], signal.SIGUSR1)
        told.until(lambda: "done" in told.lines)
        assert "stopped 1" in told.lines
        assert told.begun() == 2
        assert told.process.wait(60) == 74


def test_processes_end_with_a_parent_that_is_killed() -> None:
    with program() as told:
        told.process.kill()
        told.until(lambda: {"stopped 0", "stopped 1"} <= {*told.lines})


def test_one_that_dies_over_and_over_is_begun_ever_later() -> None:
    parent = Supervisor(1, lambda _: 0, 74, steady_s=1e9)
    pauses = []
    for _ in range(9):
        now = time.monotonic()
        parent._ended(0, now, 1)
        pauses.append(round(parent._due[0] - now))
    assert pauses == [0, 1, 2, 4, 8, 16, LONGEST_S, LONGEST_S, LONGEST_S]
    steady = Supervisor(1, lambda _: 0, 74, steady_s=0.0)
    for _ in range(3):
        steady._ended(0, time.monotonic(), 1)
    assert steady._due[0] <= time.monotonic()
