"""Lines of JSON to a program's standard input, and back from its standard output, bounded in size and time.

The program may do what it likes: it can never lose more than its match.
"""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from server.arena import launch
from server.arena.errors import Forfeit

LINE_BYTES: Final = 65_536
"""The longest line that a program may write; a longer one loses the match."""
PORTION: Final = 65_536
PARTING_S: Final = 0.25
"""How long a program may take to end by itself when its match is over."""
ENDED_S: Final = 2.0
"""How long a killed program may take to be gone."""
GOING_S: Final = 0.01
"""The interval of the check for processes that have ended."""
ENDED: Final = frozenset({b"Z", b"X"})
"""The states of a process that has ended and is still listed."""
PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""The environment variables that a program gets; the others may hold secrets."""
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class ProgramLimits(Struct, frozen=True):
    """Limits of a program. `choice_s`, `match_s`: seconds to answer a question, and for a whole match.

    `start_s`: seconds until it says hello. `memory`: the most bytes of memory. `file`: the most bytes of a file that
    the program writes.
    """

    choice_s: float = 5.0
    match_s: float = 600.0
    start_s: float = 20.0
    memory: int = 1 << 30
    file: int = 64 << 20


def begun(
    command: Sequence[str],
    bounds: ProgramLimits,
    pipe: int,
    *,
    hears_errors: bool = False,
    told: Mapping[str, str] = NOTHING,
) -> "subprocess.Popen[bytes]":
    """The process of a program with less than its user may use. Raises `Forfeit` if it cannot be started.

    `pipe`: its standard input and output; `hears_errors`: its standard error is this program's; `told`: more of its
    environment, which, unlike its command, no other user of the machine can read.
    """
    if shutil.which(command[0]) is None:
        raise Forfeit(f"there is no program {command[0]}")
    limits = (bounds.memory, int(bounds.match_s + bounds.start_s) + 1, bounds.file)
    try:
        return subprocess.Popen(  # noqa: S603 - the command is what the operator names
            [sys.executable, "-IS", launch.__file__, *map(str, limits), *command],
            stdin=pipe,
            stdout=pipe,
            stderr=None if hears_errors else subprocess.DEVNULL,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ} | dict(told),
            cwd=Path.cwd(),
            start_new_session=True,
            bufsize=0,
        )
    except OSError as wrong:
        raise Forfeit(f"it could not be begun: {wrong.strerror}") from wrong


def end(process: "subprocess.Popen[bytes]", patience_s: float) -> None:
    """Wait this long, and end a program with its whole session; elsewhere than on Linux, with its process group."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(patience_s)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    _end_session(process.pid)
    if process.stdout is not None:
        process.stdout.close()
    # The wait is limited: a command such as sudo runs as a user whose programs this one may not end.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(ENDED_S)


def _end_session(session: int) -> None:
    """Kill all processes of a session, repeatedly until none is left: one of them may have just started another."""
    until = time.monotonic() + ENDED_S
    while [process for process in _members(session) if _is_killed(process)] and time.monotonic() < until:
        time.sleep(GOING_S)


def _is_killed(process: int) -> bool:
    """Kill a process; returns whether it was there and could be killed."""
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _members(session: int) -> Iterator[int]:
    """The processes of a session that have not ended; none except on Linux, because other systems do not list them."""
    if sys.platform != "linux":
        return
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Behind the name, which may hold anything: state, parent, process group, session (man 5 proc).
            state, _, _, of = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:4]
            if int(of) == session and state not in ENDED:
                yield int(folder.name)


def how_it_ended(code: int) -> str:
    """The exit status in words."""
    return f"it was ended by {_named(-code)}" if code < 0 else f"it ended with code {code}"


class Program:
    """A program that runs; `close` it. Raises `Forfeit` if it cannot be started.

    `hears_errors`: its standard error is this program's; otherwise it is discarded.
    """

    def __init__(self, command: Sequence[str], bounds: ProgramLimits, *, hears_errors: bool = False) -> None:
        self._process = begun(command, bounds, subprocess.PIPE, hears_errors=hears_errors)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._unsent = bytearray()
        self._read = bytearray()

    def say(self, message: Any) -> None:
        """Queue a line for the program, which is sent with the next question."""
        self._unsent += msgspec.json.encode(message) + b"\n"

    def ask(self, message: Any, seconds: float) -> bytes:
        """The line with which the program answers. Raises `Forfeit`."""
        self._assert_silent()
        self.say(message)
        until = time.monotonic() + seconds
        while b"\n" not in self._read:
            left = until - time.monotonic()
            if left <= 0:
                raise Forfeit(f"it took longer than {seconds:g} s")
            self._exchange(left)
        line, _, more = bytes(self._read).partition(b"\n")
        self._read.clear()
        if more:
            raise Forfeit("it said more than one line to a question")
        return line

    def _assert_silent(self) -> None:
        """Raise `Forfeit` for a program that says something unasked."""
        if self._readable(0) and self._take():
            raise Forfeit("it spoke unasked")

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self._out], [], [], seconds)[0])

    def _exchange(self, seconds: float) -> None:
        """Write or read once, as far as the pipes are ready."""
        writes = [self._in] if self._unsent else []
        readable, writable, _ = select.select([self._out], writes, [], seconds)
        if writable:
            self._send()
        if readable and not self._take():
            raise Forfeit(self._how_it_ended())

    def _send(self) -> None:
        try:
            del self._unsent[: os.write(self._in, self._unsent[:PORTION])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # The program has stopped reading. `_take` finds out whether it has ended or still writes.
            self._unsent.clear()

    def _take(self) -> bool:
        """Read a portion; returns whether there was one. Raises `Forfeit` for a line without an end."""
        try:
            portion = os.read(self._out, PORTION)
        except BlockingIOError:
            return True
        self._read += portion
        if len(self._read) > LINE_BYTES and b"\n" not in self._read[: LINE_BYTES + 1]:
            raise Forfeit(f"it sent a line of more than {LINE_BYTES} bytes")
        return bool(portion)

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return how_it_ended(self._process.wait(PARTING_S))
        return "it closed its output"

    def close(self, message: Any = None) -> None:
        """Send a last line, wait a moment, and `end` the program."""
        if message is not None:
            self.say(message)
            with contextlib.suppress(OSError):
                self._send()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        end(self._process, PARTING_S if message is not None else 0)


def _named(number: int) -> str:
    """A signal's name; signals for a program's own use have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
