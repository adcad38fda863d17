"""`load restart`: how soon a server is ready when many matches are stored, and some of them are not over."""

import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from pathlib import Path
from typing import Any

import anyio
from msgspec.structs import replace

from domain.kernel import Game
from replay.record import sealing
from replay.record.creation import new_match_id
from replay.record.referee import Referee
from replay.store.log import Commit
from replay.store.seats import SeatRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.servers import ROOT
from server.wire.client import connected, enter
from tests.replay.matches import played

READY_FLOOR_S = 3.0
TEMPLATES = 20
LIVE_CHOICES = 40
AT_ONCE = 64
PATIENCE_S = 55.0
"""Less than the time after which a match that nobody watches leaves memory again."""


def going_on(game: Game[Any], live: int) -> Iterator[tuple[Store, Referee[Any]]]:
    """Matches in the middle of play, each made by itself."""
    made = (played(seed, game=game, most=LIVE_CHOICES) for seed in count(1))
    return islice((one for one in made if one[1].state.result is None), live)


def fill(path: Path, game: Game[Any], stored: int, live: int) -> list[str]:
    """Make a database of matches, of which `live` are not over; returns the ids of the unfinished matches.

    Finished matches are copies of a few matches under other ids: nobody opens them, and playing all would take minutes.
    """
    whole = (played(seed, game=game) for seed in range(1, TEMPLATES + 1))
    ended = [one for one in whole if one[1].state.result is not None]
    store = SqliteStore(path)
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            going = [_put(store, sealing.unb64(one[1].match), *one) for one in going_on(game, live)]
            over = (ended[number % len(ended)] for number in range(stored - live))
            list(pool.map(lambda one: _put(store, new_match_id(), *one), over))
    finally:
        store.close()
    return going


def _put(store: SqliteStore, mid: bytes, source: Store, referee: Referee[Any]) -> str:
    match, header, entries = sealing.b64(mid), source.header(referee.match), tuple(source.read(referee.match))
    head = sealing.genesis(mid)
    for entry in entries:
        head = sealing.link(head, entry.line)
    rows = tuple(SeatRow(seat, f"Player {seat}", "person", "", os.urandom(32)) for seat in range(referee.game.seats))
    commit = Commit(match, 0, entries, head, None, header.status, header.result)
    store.create(replace(header, match=match), referee.keys, rows, commit)
    return match


def restart_report(name: str, stored: int, live: int) -> Report:
    """Start the program on such a database, as an operator does."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        path = Path(folder) / "many.sqlite"
        going = fill(path, game_of(name), stored, live)
        begun = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "server.cli",
            "serve",
            "--port",
            "0",
            "--db",
            str(path),
            "--log-level",
            "error",
        ]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                figures = _started(process, begun, going)
            finally:
                process.terminate()
    return Report(
        f"load restart --stored {stored} --live {live}",
        f"{stored:,} matches stored, of which {live:,} are not over; the times since the command",
        figures,
    )


def _started(process: "subprocess.Popen[str]", begun: float, going: list[str]) -> tuple[Figure, ...]:
    assert process.stdout is not None
    found = re.search(r"http://([\d.]+):(\d+)/", process.stdout.readline())
    assert found, "the server did not start"
    port = int(found[2])
    assert _until(lambda: _get(port, "/readyz")[0] == 200), "the server was never ready"
    ready = time.perf_counter()
    anyio.run(_enter, port, going[-1])
    entered = time.perf_counter()
    is_whole = _until(lambda: f"herald_matches_in_memory {len(going)}\n" in _get(port, "/metrics")[1])
    folded = time.perf_counter()
    figures = (
        Figure("ready", ready - begun, "s", floor=READY_FLOOR_S),
        Figure("from then on until a spectator has the Scene of a match", (entered - ready) * 1000, "ms"),
    )
    return (*figures, Figure("every match that goes on is in memory", folded - begun, "s")) if is_whole else figures


async def _enter(port: int, match: str) -> None:
    async with connected(f"ws://127.0.0.1:{port}/ws") as client:
        await enter(client, match, caps=("scene",))
        await client.receive()


def _until(done: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text
