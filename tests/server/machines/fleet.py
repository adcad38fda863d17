"""Three servers, their database and what carries their hints, each of which may be killed and come back."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.nats import Server as Nats
from tests.postgres import Instance, free_port, instance
from tests.server.gate.test_restart import ROOT


class Node:
    """One `herald serve`, on a port that it keeps."""

    def __init__(self, folder: Path, store: str, hints: str) -> None:
        self.port = free_port()
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self._folder = folder
        self._command = [sys.executable, "-m", "tests.server.serving", "serve", "--port", str(self.port),
                         "--store", store, "--hints", hints, "--bot-delay", "0.1"]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again; it may take a while until it listens."""
        self._folder.mkdir(exist_ok=True)
        environment = {**os.environ, "HERALD_DATA": str(self._folder), "NO_COLOR": "1", "COLUMNS": "200"}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End it; its exit status."""
        assert self._process is not None
        self._process.send_signal(how)
        return self._process.wait(60)

    def faults(self) -> list[str]:
        """Tracebacks and faults of ours that it has logged."""
        text = (self._folder / "log").read_text()
        return re.findall(r"Traceback.*|.*nothing has caught.*|.*TypeError.*|.*AssertionError.*", text)


class Fleet:
    """All of them."""

    def __init__(self, folder: Path, database: Instance, nats: Nats) -> None:
        self.database, self.nats = database, nats
        self.store = database.emptied("fleet")
        self.nodes = [Node(folder / f"node{n}", self.store, nats.address) for n in range(3)]


@contextmanager
def fleet(folder: Path) -> Iterator[Fleet]:
    """All of them run while the context lasts."""
    with ExitStack() as stack:
        database, nats = stack.enter_context(instance()), Nats()
        nats.start()
        stack.callback(nats.kill)
        made = Fleet(folder, database, nats)
        for node in made.nodes:
            node.start()
            stack.callback(node.end)
        yield made
