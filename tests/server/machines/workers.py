"""Shared by `test_workers` and other tests: Household, household."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from server.wire.addresses import socket_path
from tests.postgres import free_port
from tests.server.gate.restart import ROOT
from tests.server.serving import HASTE

WORKERS = 3


class Household:
    """`herald serve --workers`, on a port that it keeps."""

    def __init__(self, folder: Path, workers: int = WORKERS, store: str = "", flags: Sequence[str] = ()) -> None:
        """`store`: a database, in the place of a file in the folder. `flags`: with any, what was left is taken soon."""
        self.db, self._log, self._port = folder / "herald.db", folder / "log", free_port()
        self._at, self._workers = f"ws://127.0.0.1:{self._port}", workers
        kept = ["--store", store] if store else ["--db", str(self.db)]
        self._command = [sys.executable, "-m", "tests.server.serving", "serve", "--port", str(self._port),
                         *kept, "--workers", str(workers), "--bot-delay", "0.1", *flags]  # fmt: skip
        self._haste = {HASTE: "1"} if flags else {}
        self._process: subprocess.Popen[bytes] | None = None

    def urls(self, match: str = "") -> list[str]:
        """The plain address, and for a match the address that leads to its process."""
        return [f"{self._at}/ws", *([f"{self._at}{socket_path(match)}"] if match else [])]

    def start(self) -> None:
        """Start, or start again."""
        environment = {**os.environ, "HERALD_DATA": str(self.db.parent), "NO_COLOR": "1", "COLUMNS": "200"}
        environment |= self._haste
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End the parent; its exit status."""
        assert self._process is not None
        self._process.send_signal(how)
        return self._process.wait(60)

    def end_each(self) -> int:
        """Tell parent and processes to stop, as systemd does, so that each is told twice; the parent's exit status."""
        assert self._process is not None
        self._process.terminate()
        for each in self.ids().values():
            with suppress(ProcessLookupError):
                os.kill(each[-1], signal.SIGTERM)
        return self._process.wait(60)

    @property
    def log(self) -> str:
        """The log."""
        return self._log.read_text()

    def ids(self) -> dict[int, list[int]]:
        """The process ids that each of them has had, by its number."""
        found: dict[int, list[int]] = {number: [] for number in range(self._workers)}
        for number, process in re.findall(r"process (\d) has the id (\d+)", self.log):
            found[int(number)].append(int(process))
        return found

    def kill(self, number: int) -> None:
        """Kill one of them, and wait until another has its place."""
        before = len(self.ids()[number])
        os.kill(self.ids()[number][-1], signal.SIGKILL)
        while len(self.ids()[number]) == before:
            time.sleep(0.01)

    def is_open(self) -> bool:
        """Whether anybody listens there."""
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self._port)) == 0

    def left(self) -> int:
        """How many matches are not finished."""
        with closing(sqlite3.connect(f"{self.db.as_uri()}?mode=ro", uri=True)) as line:
            return int(line.execute("SELECT count(*) FROM matches WHERE status <> 'finished'").fetchone()[0])


@contextmanager
def household(folder: Path, workers: int = WORKERS, store: str = "", flags: Sequence[str] = ()) -> Iterator[Household]:
    """It runs while the context lasts."""
    found = Household(folder, workers, store, flags)
    found.start()
    try:
        yield found
    finally:
        found.end()
