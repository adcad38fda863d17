"""The peer that Herald is compared with, if it is installed: boardgame.io, with its matches in memory."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scripts.benchmarks.player_processes import Child, Measured, measured_together
from scripts.benchmarks.servers import Served
from scripts.benchmarks.shares import held

NAME: Final = "boardgame.io in memory"
STOPS_S: Final = 30.0


def is_installed(folder: Path) -> bool:
    """Whether `npm ci` was run in the folder, which is `peer` beside this file or a copy of it."""
    return all((folder / name).exists() for name in ("server.mjs", "players.mjs", "node_modules/boardgame.io"))


def _node(folder: Path, *arguments: str) -> Child:
    environment = {**os.environ, "NODE_ENV": "production"}
    pipe = subprocess.PIPE
    return subprocess.Popen(["node", *arguments], cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True)


@contextmanager
def _served(folder: Path) -> Iterator[Served]:
    child = _node(folder, "server.mjs")
    try:
        assert child.stdout is not None
        port = child.stdout.readline().strip()
        if not port:
            raise RuntimeError("boardgame.io did not start")
        yield Served(f"ws://127.0.0.1:{port}/", child.pid)
    finally:
        child.communicate(timeout=STOPS_S)


def peer_measured(folder: Path, matches: int, seconds: float, players: int, share: float = 0.0) -> tuple[Measured, ...]:
    """Moves of several matches at once at full speed, by several processes of players; `share`: see `held`."""
    with _served(folder) as server, held([server.pid], share):
        told = [str(server.port), str(server.pid), str(max(1, matches // players))]
        children = [_node(folder, "players.mjs", *told) for _ in range(players)]
        return measured_together(children, seconds)
