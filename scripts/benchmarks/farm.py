"""A private PostgreSQL, a private NATS, and servers over them, for as long as a benchmark takes."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from replay.store.postgres.schema import bring_up_to_date
from scripts.benchmarks.servers import Served, started
from tests.nats import Server as Nats
from tests.postgres import Instance

STOPS_S: Final = 60.0
AS_IN_PRODUCTION: Final = ("shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=15min", "max_connections=90")
"""The settings of an operator; commits are synced before they are answered."""


class Node:
    """A server in another process."""

    def __init__(self, store: str, folder: Path, hints: str) -> None:
        self._child: subprocess.Popen[str] = started("nodes", store, str(folder), hints)

    def served(self) -> Served:
        """The server's address; waits until it listens. Raises `RuntimeError` if it does not."""
        assert self._child.stdout is not None
        port = self._child.stdout.readline().strip()
        if not port:
            raise RuntimeError("a server did not start")
        return Served(f"ws://127.0.0.1:{port}/ws", self._child.pid)

    def end(self) -> None:
        """End the process, unless it was killed already."""
        self._child.communicate(timeout=STOPS_S)


class Farm:
    """The PostgreSQL instance and the NATS that carries hints. Each store is a separate database."""

    def __init__(self, folder: Path, database: Instance, nats: Nats) -> None:
        self.folder, self.database, self.nats = folder, database, nats
        self._stores = 0

    def store(self) -> str:
        """The address of a new database with Herald's tables."""
        self._stores += 1
        address = self.database.database(f"bench{self._stores}")
        bring_up_to_date(address)
        return address

    def file(self) -> str:
        """A new SQLite file on the same disk, which its first user makes."""
        self._stores += 1
        return str(self.folder / f"bench{self._stores}.sqlite")

    @contextmanager
    def nodes(self, store: str, count: int = 1) -> Iterator[list[Served]]:
        """This many servers over a store."""
        made: list[Node] = []
        try:
            for number in range(count):
                made.append(Node(store, Path(mkdtemp(prefix=f"node{number}-", dir=self.folder)), self.nats.address))
            yield [each.served() for each in made]
        finally:
            for each in made:
                each.end()


@contextmanager
def farm() -> Iterator[Farm]:
    """A farm that exists while the context lasts."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="herald-bench-")))
        folder.chmod(0o755)  # PostgreSQL runs as another user if this one is root
        place = folder / "postgres"
        place.mkdir()
        database, nats = Instance(place, is_synced=True, settings=AS_IN_PRODUCTION), Nats()
        stack.callback(database.stop)
        database.start()
        stack.callback(nats.kill)
        nats.start()
        yield Farm(folder, database, nats)
