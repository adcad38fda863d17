"""The servers that are measured, each in a separate process: Herald, and bare `websockets` for comparison.

`python -m scripts.benchmarks.servers KIND [DATABASE [WORKERS]]` prints its port and serves until its input is closed.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

from projections.plain import plain_face
from projections.registry import faces
from replay.record.referee import Sign
from replay.record.serverkey import KeyRing
from replay.store.memory import MemoryStore
from replay.store.sqlite.store import SqliteStore
from scripts.benchmarks.duel import GAME as DUEL
from server.bots.workers import BEHIND, Workers
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.garbage import rare_collections
from server.operations.settings import Limits
from tests.skirmish.game import GAME as SKIRMISH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WATCH = "watch"
IN_MEMORY = Path("memory")
"""Given in place of a database: matches are kept only in memory."""
ROOT = Path(__file__).resolve().parents[2]


@asynccontextmanager
async def herald(database: Path, workers: int) -> "AsyncIterator[Server]":
    """Herald as it is served, with the example game; scripted players may send as fast as they can.

    `workers`: processes in which bots think and hints are worked out; 0: the server's own.
    """
    unpaced = Limits(messages_per_s=1_000_000, message_burst=1_000_000, creations_per_minute=1_000_000)
    store = MemoryStore() if database == IN_MEMORY else SqliteStore(database)
    known = {**faces(), SKIRMISH.name: plain_face(SKIRMISH), DUEL.name: plain_face(DUEL)}
    lobby = Lobby(store, known, bot_delay_s=0, sign=_signer(database), limits=unpaced,
                workers=Workers(workers, patience=BEHIND))  # fmt: skip
    with rare_collections():
        async with running(lobby) as server:
            yield server
    store.close()


def _signer(database: Path) -> Sign:
    """The stamp of a key that is stored beside the database, or, for matches in memory, of a key that is forgotten with
    them.
    """
    if database != IN_MEMORY:
        return KeyRing.beside(database).current.stamp
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        return KeyRing(Path(folder) / "keys").current.stamp


async def echo(connection: ServerConnection) -> None:
    """Send each frame back."""
    with suppress(ConnectionClosed):
        async for frame in connection:
            await connection.send(frame)


@asynccontextmanager
async def bare(kind: str) -> "AsyncIterator[Server]":
    """Bare `websockets`: `echo`, or `broadcast` of each message to all connections."""
    watchers: set[ServerConnection] = set()

    async def relay(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in connection:
                if frame == WATCH:
                    watchers.add(connection)
                else:
                    broadcast(watchers, frame)
                await connection.send(frame)

    shared = {"compression": None, "ping_interval": None, "backlog": 4096}
    async with serve(echo if kind == "echo" else relay, "127.0.0.1", 0, **shared) as server:  # type: ignore[arg-type]
        yield server


async def serve_until_closed(kind: str, database: str = "", workers: str = "0") -> None:
    """Print the port, serve until standard input ends."""
    context = herald(Path(database), int(workers)) if kind == "herald" else bare(kind)
    async with context as server:
        print(port_of(server), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


class Served(Struct, frozen=True):
    """A server in another process: its address and its process."""

    url: str
    pid: int

    @property
    def port(self) -> int:
        """The port on which the server listens."""
        return urlsplit(self.url).port or 0


@contextmanager
def serving(kind: str, database: Path | None = None, workers: int = 0) -> Iterator[Served]:
    """A server of the kind in another process; a given database is not deleted. `workers`: see `herald`."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        child = started("servers", kind, str(database or f"{folder}/bench.sqlite"), str(workers))
        try:
            assert child.stdout is not None
            port = child.stdout.readline().strip()
            yield Served(f"ws://127.0.0.1:{port}/ws", child.pid)
        finally:
            child.communicate(timeout=30)


@contextmanager
def served(kind: str) -> Iterator[str]:
    """The address of a server of the kind in another process."""
    with serving(kind) as server:
        yield server.url


def started(module: str, *arguments: str) -> "subprocess.Popen[str]":
    """Run a module of this package as another process, connected by pipes."""
    command = [sys.executable, "-m", f"scripts.benchmarks.{module}", *arguments]
    pipe: int | IO[str] = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


if __name__ == "__main__":
    asyncio.run(serve_until_closed(*sys.argv[1:]))
