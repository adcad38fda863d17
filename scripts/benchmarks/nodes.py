"""One of several servers over one store, in a separate process, with the example game among its games.

`python -m scripts.benchmarks.nodes STORE FOLDER [HINTS]` prints its port and serves until its input is closed. STORE is
a path or an address; FOLDER holds the keys with which this server signs.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from websockets.asyncio.server import Server

from projections.plain import plain_face
from projections.registry import faces
from replay.record.serverkey import KeyRing
from replay.store.opening import open_address
from replay.store.postgres.address import is_address
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from scripts.benchmarks.sockets import allow_files
from server.cluster.nats import NatsPubSub
from server.cluster.servers import OtherServers
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.garbage import rare_collections
from server.operations.settings import Limits
from server.table.clocks import LifeSign, SharedLife
from tests.skirmish.game import GAME as SKIRMISH

UNBOUNDED: Final = Limits(
    messages_per_s=1_000_000,
    message_burst=1_000_000,
    creations_per_minute=1_000_000,
    connections=100_000,
    spectators=100_000,
    spectators_per_match=100_000,
    strangers=100_000,
)
"""Scripted players may send as fast as they can, and as many may watch as the machine can take."""


def _opened(store: str) -> tuple[Store, LifeSign]:
    if not is_address(store):
        return SqliteStore(Path(store)), LifeSign()
    shared = open_address(store)
    return shared, SharedLife(shared.alive_ms(), shared.now_ms(), shared.live)


@asynccontextmanager
async def node(name: str, folder: Path, hints: str) -> AsyncIterator[Server]:
    """Herald as `herald serve` runs it."""
    store, life = _opened(name)
    known = {**faces(), SKIRMISH.name: plain_face(SKIRMISH)}
    sign, is_shared = KeyRing.beside(folder / "node").current.stamp, is_address(name)
    lobby = Lobby(store, known, bot_delay_s=0, sign=sign, limits=UNBOUNDED, life_sign=life, is_shared=is_shared)
    other_servers = OtherServers(lobby, NatsPubSub(hints) if hints else None) if is_shared else None
    with rare_collections():
        async with running(lobby, other_servers=other_servers) as server:
            yield server
    store.close()


async def serve_until_closed(name: str, folder: Path, hints: str) -> None:
    """See the module."""
    async with node(name, folder, hints) as server:
        print(port_of(server), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    allow_files(32_768)
    asyncio.run(serve_until_closed(sys.argv[1], Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""))
