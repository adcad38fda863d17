"""`fanout`: one match with many spectators, beside a bare broadcast of as many frames of the same size."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.asyncio.client import connect

from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.players import Player, Times, tickets
from scripts.benchmarks.servers import WATCH, served, started
from scripts.benchmarks.sockets import allow_files
from server.wire.client import connected
from server.wire.protocol import Hello, write_client_message

RATIO_FLOOR = 0.8
FLOOR_FROM = 2000
"""The floor holds from this number of spectators; with fewer, deciding and disk writes take most of the time."""
HERALD_GREETING = 2
"""Frames that a spectator of Herald is sent before play: the welcome, and the lines so far."""


class Delivered(Struct, frozen=True):
    """One run: the frames sent to each spectator, the bytes of one frame, and the seconds that the run took."""

    frames: int
    frame_bytes: int
    seconds: float


class Crowd:
    """The spectators' process."""

    def __init__(self, child: "subprocess.Popen[str]", spectators: int) -> None:
        self._child = child
        self._spectators = spectators

    def delivered(self, frames: int, begun: float) -> Delivered:
        """Wait until each spectator has been sent this many frames since it was ready."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        print(frames, file=self._child.stdin, flush=True)
        last, size = self._child.stdout.readline().split()
        return Delivered(frames, int(size) // (frames * self._spectators), float(last) - begun)


@contextmanager
def crowd(url: str, spectators: int, greeting: int, frame: str) -> Iterator[Crowd]:
    """Spectators who are connected and greeted."""
    child = started("spectators", str(urlsplit(url).port), str(spectators), str(greeting), frame)
    try:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "ready", "the spectators could not connect"
        yield Crowd(child, spectators)
    finally:
        child.kill()
        child.communicate()


async def watched_match(url: str, name: str, spectators: int) -> Delivered:
    """Play a match that is watched, each choice as soon as it is asked for."""
    game = game_of(name)
    ticket = (await tickets(url, game, 1))[0]
    hello = write_client_message(Hello(ticket.match, viewer="spectator"))
    times, sent = Times(), dict[int, float]()
    with crowd(url, spectators, HERALD_GREETING, hello) as watching:
        async with connected(url) as first, connected(url) as second:
            players = [Player(client, game, seat, times, sent) for seat, client in enumerate((first, second))]
            for player in players:
                await player.enter(ticket)
            begun = time.perf_counter()
            async with asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(player.play())
            return watching.delivered(len(times.accepted), begun)


async def bare_broadcast(url: str, spectators: int, like: Delivered) -> Delivered:
    """Send as many frames of the same size with `websockets.broadcast`, each as soon as all have the previous one."""
    frame = "x" * like.frame_bytes
    with crowd(url, spectators, 1, WATCH) as watching:
        async with connect(url, compression=None, ping_interval=None) as connection:
            begun = time.perf_counter()
            for _ in range(like.frames):
                await connection.send(frame)
                await connection.recv()
            return watching.delivered(like.frames, begun)


def fanout_report(name: str, spectators: int) -> Report:
    """The report."""
    allow_files(8192)
    with served("herald") as url:
        ours = asyncio.run(watched_match(url, name, spectators))
    with served("broadcast") as url:
        bare = asyncio.run(bare_broadcast(url, spectators, ours))
    rate, raw = (spectators * run.frames / run.seconds for run in (ours, bare))
    floor = RATIO_FLOOR if spectators >= FLOOR_FROM else 0.0
    return Report(
        f"fanout --game {name} --spectators {spectators}",
        f"one match, {spectators:,} spectators, {ours.frames} frames of {ours.frame_bytes} bytes to each;"
        " each choice is durable before anybody is told",
        (Figure("deliveries", rate, "frames/s", "websockets broadcast", raw, floor, "ratio"),),
    )
