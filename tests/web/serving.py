"""A server in a process of its own, which tests may kill and start again."""

import os
import random
import secrets
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.web.node import ROOT
from tests.web.serve import STARTS, WORD

OURS = (10_000, 30_000)
START_S = 180
TRACKED = "ignore:resource_tracker:UserWarning"
"""A server that is killed leaves the semaphores of the processes in which bots think. Python's tracker clears them away
and warns of it, amid the results of the tests."""


def free_port() -> int:
    """A port that nothing listens on.

    It is below those that the system gives to connections: while the server is down, none may take it.
    """
    while True:
        port = random.SystemRandom().randrange(*OURS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Served:
    """`herald serve` on a port that stays the same over restarts."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self._flags = flags
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.db = folder / "web.db"
        self.word = folder / "word"
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.repeat(secrets.token_hex(8))

    def repeat(self, word: str) -> None:
        """Make the draws from now on follow from a word."""
        self.word.write_text(word)

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [sys.executable, "-m", "tests.web.serve", "serve", "--db", str(self.db), "--port", str(self.port)]
        environment = {**os.environ, WORD: str(self.word), STARTS: str(self._starts), "PYTHONWARNINGS": TRACKED}
        self._starts += 1
        self._process = subprocess.Popen(
            [*command, "--bot-delay", "0", *self._flags], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urlopen(f"{self.url}/healthz", timeout=60):
                    return
            except (URLError, OSError):
                time.sleep(0.05)
        raise AssertionError(f"the server did not start: status {self._process.poll()}")

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
