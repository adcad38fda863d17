"""`live`: matches played at once over websockets, beside a bare echo over as many websockets."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from websockets.asyncio.client import connect

from scripts.benchmarks.append import bare_commits
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, percentile
from scripts.benchmarks.players import Times, play_lane, tickets
from scripts.benchmarks.servers import Served, served, serving
from scripts.benchmarks.weights import cpu_s

ECHO_S = 2.0
ECHO_BYTES = 120
COMMIT_S = 1.0
ROUNDS = 3
SHOWN_FLOOR, SHOWN_GOAL_MS = 5.0, 0.6
SHOWN = "choose to opponent's screen"


async def echo_lane(url: str, until: float, times: list[float]) -> None:
    """Send a frame and await its echo, repeatedly, until the time is over."""
    async with connect(url, compression=None, ping_interval=None) as connection:
        frame = "x" * ECHO_BYTES
        while time.perf_counter() < until:
            begun = time.perf_counter()
            await connection.send(frame)
            await connection.recv()
            times.append(time.perf_counter() - begun)


async def echoes(url: str, connections: int) -> tuple[float, list[float]]:
    """Echoes per second, and how long each took."""
    times: list[float] = []
    until = time.perf_counter() + ECHO_S
    await asyncio.gather(*(echo_lane(url, until, times) for _ in range(connections)))
    return len(times) / ECHO_S, times


class Lanes(Struct, frozen=True):
    """Choices per second in matches that are played at once, the server's µs per choice, and how long choices take."""

    rate: float
    server_us: float
    times: Times


async def played(server: Served, name: str, lanes: int, each: int) -> Lanes:
    """Matches in lanes, `each` one after another. Counting begins when all have entered, and ends when the first lane
    ends.
    """
    game = game_of(name)
    queue = await tickets(server.url, game, lanes * each)
    times = Times()
    start, end = asyncio.Barrier(lanes + 1), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(lanes):
            tasks.create_task(play_lane(server.url, game, queue, times, start)).add_done_callback(lambda _: end.set())
        await start.wait()
        begun, used = time.perf_counter(), cpu_s(server.pid)
        await end.wait()
        count, took, used = len(times.accepted), time.perf_counter() - begun, cpu_s(server.pid) - used
    return Lanes(count / took, used * 1e6 / count, times)


def _ms(values: Sequence[float], part: float) -> float:
    return percentile(values, part) * 1000


def commit_ms() -> float:
    """The time that a bare SQLite commit of one row takes at this moment."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        return 1000 / bare_commits(Path(folder) / "bare.sqlite", COMMIT_S)


def live_report(name: str, lanes: int, each: int) -> Report:
    """The report: one match alone, then `lanes` at once."""
    with served("echo") as url:
        _, echo_alone = asyncio.run(echoes(url, 1))
        echo_rate, echo_times = asyncio.run(echoes(url, lanes))
    with serving("herald") as server:
        rounds = [asyncio.run(played(server, name, 1, each * 2)) for _ in range(ROUNDS)]
        best = min(rounds, key=lambda one: percentile(one.times.shown, 0.5))
        many = asyncio.run(played(server, name, lanes, each))
    alone, times = best.times, many.times
    told = " and ".join(f"{ms:.2f}" for ms in sorted(_ms(one.times.shown, 0.5) for one in rounds))
    echo, durable = "websockets echo", "websockets echo + SQLite commit"
    least = _ms(echo_alone, 0.5) + commit_ms()
    at_once = f"{lanes} matches"
    return Report(
        f"live --game {name} --matches {lanes} --each {each}",
        f"two websockets a match, {lanes} matches at once, {len(times.accepted):,} choices; each is durable before"
        f" anybody is told; the players share the machine. One match is the best of {ROUNDS} rounds, whose p50 to the"
        f" opponent's screen were {told} ms",
        (
            Figure("1 match, choose to accepted, p50", _ms(alone.accepted, 0.5), "ms", durable, least),
            Figure(
                f"1 match, {SHOWN}, p50",
                _ms(alone.shown, 0.5),
                "ms",
                durable,
                least,
                SHOWN_FLOOR,
                "ratio",
                SHOWN_GOAL_MS,
            ),
            Figure(f"1 match, {SHOWN}, p99", _ms(alone.shown, 0.99), "ms", durable, least),
            Figure("1 match, server CPU a choice", best.server_us, "µs"),
            Figure(f"{at_once}, choices", many.rate, "choices/s", echo, echo_rate),
            Figure(f"{at_once}, server CPU a choice", many.server_us, "µs"),
            Figure(f"{at_once}, choose to accepted, p50", _ms(times.accepted, 0.5), "ms", echo, _ms(echo_times, 0.5)),
            Figure(f"{at_once}, {SHOWN}, p50", _ms(times.shown, 0.5), "ms", echo, _ms(echo_times, 0.5)),
            Figure(f"{at_once}, {SHOWN}, p99", _ms(times.shown, 0.99), "ms", echo, _ms(echo_times, 0.99)),
        ),
    )
