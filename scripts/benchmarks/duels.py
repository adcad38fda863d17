"""`peers`: one small game of hidden cards at Herald, boardgame.io and Colyseus, loaded by one driver in one run."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.servers import IN_MEMORY, Served, serving

SOURCE: Final = Path(__file__).with_name("duel_peers")
FOLDER: Final = Path(__file__).parents[2] / "dist" / "peers"
"""The folder in which the peers are installed, apart from everything else."""
PEERS: Final = {"boardgame": "boardgame.io", "colyseus": "Colyseus"}
OURS: Final = "herald"
STOPS_S: Final = 30.0
LONGEST_S: Final = 600.0


class NoPeersError(Exception):
    """The reason why the peers cannot be measured, as a sentence."""


class Duels(Struct, frozen=True):
    """The driver's result: the moves confirmed, the seconds they took, and the server's processor seconds.

    `p50_ms`, `p99_ms`: from a move to its confirmation. `match_bytes`: memory per match with two clients. `move_bytes`:
    TCP bytes, both ways, of both clients. `join_ms`, `join_bytes`: for a spectator who joins after `join_after` moves.
    """

    moves: int
    seconds: float
    server_s: float
    p50_ms: float
    p99_ms: float
    match_bytes: float
    move_bytes: float
    join_ms: float
    join_bytes: float
    join_after: float

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def installed(folder: Path) -> Path:
    """The folder with the driver and the peers, installed there if missing. Raises `NoPeersError` if that fails."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise NoPeersError("Node.js and npm are needed, and are not there")
    folder.mkdir(parents=True, exist_ok=True)
    lock, made = (SOURCE / "package-lock.json").read_bytes(), folder / "made-from"
    for file in SOURCE.iterdir():
        shutil.copy(file, folder / file.name)
    if not made.is_file() or made.read_bytes() != lock:
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoPeersError(f"npm ci failed in {folder}: {done.stderr[-300:].strip()}")
        made.write_bytes(lock)
    return folder


@contextmanager
def _peer(folder: Path, kind: str, log: Path | None) -> Iterator[Served]:
    pipe, environment = subprocess.PIPE, {**os.environ, "NODE_ENV": "production"}
    command = ["node", f"{kind}.mjs", *([str(log)] if log else [])]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as child:
        try:
            assert child.stdout is not None
            port = child.stdout.readline().strip()
            if not port.isdecimal():
                raise NoPeersError(f"{PEERS[kind]} did not start: {port}")
            yield Served(f"ws://127.0.0.1:{port}/", child.pid)
        finally:
            child.communicate(timeout=STOPS_S)


@contextmanager
def _served(folder: Path, kind: str, *, is_synced: bool) -> Iterator[Served]:
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as place:
        if kind == OURS:
            with serving("herald", Path(place) / "duels.sqlite" if is_synced else IN_MEMORY) as server:
                yield server
        else:
            with _peer(folder, kind, Path(place) / "moves.log" if is_synced else None) as server:
                yield server


def dueled(folder: Path, kind: str, matches: int, seconds: float, *, is_synced: bool) -> Duels:
    """Play this many matches at once at one server for some seconds. Raises `NoPeersError` if the driver fails."""
    with _served(folder, kind, is_synced=is_synced) as server:
        told = [kind, str(server.port), str(server.pid), str(matches), str(seconds)]
        done = subprocess.run(
            ["node", "driver.mjs", *told], cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
    try:
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=Duels)
    except (IndexError, msgspec.MsgspecError) as wrong:
        raise NoPeersError(f"the driver failed at {kind}: {done.stderr[-300:].strip()}") from wrong


def duels_report(folder: Path, matches: int, seconds: float, rounds: int) -> Report:
    """The report: each server in turn, in memory and synced. It shows each server's round with the most moves."""
    figures: list[Figure] = []
    for is_synced in (False, True):
        runs = [
            {kind: dueled(folder, kind, matches, seconds, is_synced=is_synced) for kind in (OURS, *PEERS)}
            for _ in range(rounds)
        ]
        best = {kind: max((run[kind] for run in runs), key=lambda one: one.rate) for kind in (OURS, *PEERS)}
        for kind, name in PEERS.items():
            figures += beside(best[OURS], best[kind], name, "synced" if is_synced else "in memory")
    return Report(
        f"peers --matches {matches} --seconds {seconds:g} --rounds {rounds}",
        f"one game, {matches} matches at once, both seats of each at a websocket, which move as soon as they are asked;"
        " Herald seals, signs and (when synced) commits each move; the others write a line with it and"
        " sync the line;"
        " seats have no keys; memory, CPU and bytes: less is better",
        tuple(figures),
    )


def beside(ours: Duels, theirs: Duels, peer: str, how: str) -> list[Figure]:
    """Herald's figures, each beside those of a peer in the same run."""
    told = (
        ("moves", ours.rate, theirs.rate, "moves/s"),
        ("server CPU a move", 1e6 * ours.server_s / ours.moves, 1e6 * theirs.server_s / theirs.moves, "µs"),
        ("move to confirmation, p50", ours.p50_ms, theirs.p50_ms, "ms"),
        ("move to confirmation, p99", ours.p99_ms, theirs.p99_ms, "ms"),
        ("memory a match with two clients", ours.match_bytes / 1000, theirs.match_bytes / 1000, "kB"),
        ("TCP a move, both clients", ours.move_bytes / 1000, theirs.move_bytes / 1000, "kB"),
        (
            f"late spectator, after {ours.join_after:,.0f} and {theirs.join_after:,.0f} moves",
            ours.join_ms,
            theirs.join_ms,
            "ms",
        ),
        ("TCP of a late spectator", ours.join_bytes / 1000, theirs.join_bytes / 1000, "kB"),
    )
    return [Figure(f"{how}: {name}", value, unit, peer, other) for name, value, other, unit in told]
