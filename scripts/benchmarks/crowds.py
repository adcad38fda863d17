"""`scale spectators`: one match, its players at one server, its spectators at others, in several processes.

The other servers are plain servers over the same store, or programs that a command starts and that accept spectators of
another server's matches.
"""

import asyncio
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Asked
from scripts.benchmarks.farm import Farm, farm
from scripts.benchmarks.load import settled_bytes
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, percentile
from scripts.benchmarks.players import Player, Ticket, Times, tickets
from scripts.benchmarks.servers import ROOT, Served, started
from scripts.benchmarks.sockets import allow_files
from scripts.benchmarks.watching import Seen
from scripts.benchmarks.weights import cpu_s
from server.wire.client import connected
from server.wire.protocol import Hello, write_client_message
from tests.postgres import free_port

STARTS_S: Final = 60.0
PAUSE_S: Final = 0.05
"""The time between choices while their display is measured; this many spectators cannot follow a faster match."""


class Wish(Struct, frozen=True):
    """The numbers of spectators, of their processes, and of servers that do nothing else.

    `through`: a command that starts one such server, with {url} of the server of the players, {store}, {hints} and
    {port}, where it is to listen; empty for plain servers over the store.
    """

    game: str
    spectators: int
    processes: int
    servers: int
    through: str


class Paced(Player):
    """Thinks for a while before each choice."""

    async def _choose(self, asked: Asked) -> None:
        await asyncio.sleep(PAUSE_S)
        await super()._choose(asked)


@contextmanager
def command(through: str, where: Farm, store: str, players: Served) -> Iterator[Served]:
    """A server that a command starts. Raises `RuntimeError` if it does not listen."""
    port = free_port()
    words = through.format(url=players.url, store=store, hints=where.nats.address, port=port)
    with program(shlex.split(words), port) as served:
        yield served


@contextmanager
def program(words: Sequence[str], port: int) -> Iterator[Served]:
    """A program that serves websockets on a port during the context. Raises `RuntimeError` if it does not listen."""
    child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + STARTS_S
        while not _listens(port):
            if child.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nothing listens after {shlex.join(words)!r}")
            time.sleep(0.05)
        yield Served(f"ws://127.0.0.1:{port}/ws", child.pid)
    finally:
        child.terminate()
        child.wait(STARTS_S)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def crowd_servers(where: Farm, store: str, players: Served, wish: Wish) -> Iterator[list[Served]]:
    """The servers of the spectators."""
    with ExitStack() as stack:
        if not wish.through:
            yield stack.enter_context(where.nodes(store, wish.servers))
            return
        yield [stack.enter_context(command(wish.through, where, store, players)) for _ in range(wish.servers)]


class Watched(Struct, frozen=True):
    """The frames that the spectators saw, the processor seconds of their servers, and the time of each choice."""

    seen: list[Seen]
    server_s: list[float]
    sent: dict[int, float]
    begun: float
    took_bytes: int

    @property
    def frames(self) -> int:
        """To all."""
        return sum(one.frames for one in self.seen)

    @property
    def bytes_each(self) -> float:
        """The bytes of one frame."""
        return sum(one.bytes for one in self.seen) / self.frames

    @property
    def seconds(self) -> float:
        """The time from the first choice until the last spectator was shown the end."""
        return max(one.last for one in self.seen) - self.begun

    def lags_ms(self) -> list[float]:
        """The time from sending a choice until the last spectator anywhere was shown it."""
        return [
            (max(one.shown[number] for one in self.seen) - at) * 1000
            for number, at in self.sent.items()
            if all(number in one.shown for one in self.seen)
        ]


def _crowd(servers: list[Served], ticket: Ticket, wish: Wish) -> "list[subprocess.Popen[str]]":
    hello = write_client_message(Hello(ticket.match, viewer="spectator"))
    each = max(1, wish.spectators // wish.processes)
    children = [
        started("watching", str(servers[number % len(servers)].port), str(each), hello)
        for number in range(wish.processes)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "ready", "the spectators could not connect"
    return children


async def _play(url: str, game: Any, ticket: Ticket, kind: type[Player]) -> tuple[float, dict[int, float]]:
    """Play the match; returns when it began, and when each decision's choice was sent."""
    sent: dict[int, float] = {}
    async with connected(url) as first, connected(url) as second:
        players = [kind(client, game, seat, Times(), sent) for seat, client in enumerate((first, second))]
        for player in players:
            await player.enter(ticket)
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for player in players:
                tasks.create_task(player.play())
    return begun, sent


def watched(where: Farm, store: str, players: Served, wish: Wish, kind: type[Player]) -> Watched:
    """Play a match before this many spectators."""
    game = game_of(wish.game)
    ticket = asyncio.run(tickets(players.url, game, 1))[0]
    with crowd_servers(where, store, players, wish) as servers:
        before = sum(settled_bytes(server.pid) for server in servers)
        children = _crowd(servers, ticket, wish)
        after = sum(settled_bytes(server.pid) for server in servers)
        used = [cpu_s(server.pid) for server in servers]
        begun, sent = asyncio.run(_play(players.url, game, ticket, kind))
        seen = [msgspec.json.decode(child.communicate()[0], type=Seen) for child in children]
        spent = [cpu_s(server.pid) - former for server, former in zip(servers, used, strict=True)]
    return Watched(seen, spent, sent, begun, after - before)


def spectators_report(wish: Wish) -> Report:
    """The report."""
    allow_files(32_768)
    with farm() as where:
        store = where.store()
        with where.nodes(store) as (players,):
            paced = watched(where, store, players, wish, Paced)
            full = watched(where, store, players, wish, Player)
    count = wish.processes * max(1, wish.spectators // wish.processes)
    lags, us = paced.lags_ms(), 1e6 * sum(full.server_s) / full.frames
    kind = f"started by `{wish.through}`" if wish.through else "plain servers over the same store"
    return Report(
        f"scale spectators --game {wish.game} --spectators {wish.spectators} --processes {wish.processes}"
        f" --servers {wish.servers}" + (f" --through {shlex.quote(wish.through)}" if wish.through else ""),
        f"one match at one server, {count:,} spectators in {wish.processes} processes at {wish.servers} others, {kind};"
        f" at full speed {full.frames / count:.0f} frames of {full.bytes_each:,.0f} bytes to each; choices"
        f" {PAUSE_S:g} s apart where it is measured when they are shown",
        (
            Figure("deliveries at full speed", full.frames / full.seconds, "frames/s"),
            Figure("processor time of the spectators' servers a delivery", us, "µs"),
            Figure("sent to the last spectator's screen, p50", percentile(lags, 0.5), "ms"),
            Figure("sent to the last spectator's screen, p99", percentile(lags, 0.99), "ms"),
            Figure("memory of the spectators' servers for each", paced.took_bytes / count / 1000, "kB"),
            Figure(
                "processor time of the spectators' servers meanwhile",
                100 * sum(paced.server_s) / paced.seconds,
                "% of a core",
            ),
        ),
    )
