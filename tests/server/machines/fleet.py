"""Three servers, their database and the carrier of their hints, each of which may be killed and come back."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.nats import Server as Nats
from tests.postgres import Instance, free_port, instance
from tests.server.gate.restart import ROOT
from tests.server.machines.proxy import Network, Way
from tests.server.serving import CLOCK, HASTE

CLOCKS_S = (0.0, -170.0, 230.0)
"""The error of each server's wall clock, in seconds."""


class Node:
    """One `herald serve`, on a port that it keeps."""

    def __init__(
        self,
        folder: Path,
        store: str,
        hints: str = "",
        clock_s: float = 0.0,
        source: Path = ROOT,
        flags: Sequence[str] = (),
    ) -> None:
        """`store`: an address, or a SQLite file; `hints`: where NATS is; `clock_s`: how far its wall clock is off.

        `source`: the tree whose program it is. `flags`: with any, what was left is taken soon.
        """
        self._clock_s, self.source = clock_s, source
        self.port = free_port()
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self._folder = folder
        named = "--store" if "://" in store else "--db"
        self._command = [sys.executable, "-m", "tests.server.serving", "serve", "--port", str(self.port),
                         named, store, *(["--pubsub", hints] if hints else []), "--bot-delay", "0.1",
                         *flags]  # fmt: skip
        self._haste = {HASTE: "1"} if flags else {}
        self._process: subprocess.Popen[bytes] | None = None
        self._is_wanted = False

    def start(self) -> None:
        """Start, or start again; it may take a while until it listens."""
        self._is_wanted = True
        self._folder.mkdir(exist_ok=True)
        environment = {**os.environ, "HERALD_DATA": str(self._folder), "NO_COLOR": "1", "COLUMNS": "200"}
        environment |= {CLOCK: str(self._clock_s), **self._haste}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (self.source, self.source / "clients/python/src")))
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self.source, env=environment, stdout=log, stderr=log)

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End it; its exit status."""
        self._is_wanted = False
        assert self._process is not None
        self._process.send_signal(how)
        return self._process.wait(60)

    def revive(self) -> bool:
        """Start it again, as a service manager does, if it has ended by itself: it needs its database to start."""
        is_gone = self._is_wanted and self._process is not None and self._process.poll() is not None
        if is_gone:
            self.start()
        return is_gone

    def faults(self) -> list[str]:
        """Tracebacks and faults of ours that it has logged."""
        text = (self._folder / "log").read_text()
        return re.findall(r"Traceback.*|.*nothing has caught.*|.*TypeError.*|.*AssertionError.*", text)


class Fleet:
    """All of them."""

    def __init__(self, folder: Path, database: Instance, nats: Nats, network: Network) -> None:
        self.database, self.nats = database, nats
        self.store = database.emptied("fleet")
        self.network = network
        self.ways: list[Way] = []
        self.nodes: list[Node] = []
        for number, clock_s in enumerate(CLOCKS_S):
            way = network.way()
            self.ways.append(way)
            address = self.store.replace(f":{database.port}/", f":{way.port}/")
            self.nodes.append(Node(folder / f"node{number}", address, nats.address, clock_s))

    def urls(self, match: str = "") -> list[str]:
        """The addresses at which a match can be entered."""
        del match
        return [node.url for node in self.nodes]


@contextmanager
def fleet(folder: Path) -> Iterator[Fleet]:
    """All of them run while the context lasts."""
    with ExitStack() as stack:
        database, nats = stack.enter_context(instance()), Nats()
        nats.start()
        stack.callback(nats.kill)
        network = Network(database.port, seed=23)
        network.start()
        stack.callback(network.close)
        made = Fleet(folder, database, nats, network)
        for node in made.nodes:
            node.start()
            stack.callback(node.end)
        yield made
