"""`load`: a complete server under load, with the clients in a separate process on the same machine."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from scripts.benchmarks import replay
from scripts.benchmarks.bare import choices_a_second
from scripts.benchmarks.holding import Held, Wish
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.player_processes import Measured
from scripts.benchmarks.players import Ticket, tickets
from scripts.benchmarks.servers import Served, serving, started
from scripts.benchmarks.sockets import allow_files
from scripts.benchmarks.weights import cpu_s, resident_bytes
from server.wire.protocol import Hello, write_client_message

SECONDS = 8.0
"""How long a part of a benchmark of matches at once lasts."""
RATE_FLOORS = {"skirmish": 0.2, "vera_discordia": 0.2}
RATE_GOALS = {"skirmish": 6000.0, "vera_discordia": 2000.0}
FLOOR_MATCHES = 200
"""The floors and goals for choices per second, and of the cost of a choice, hold for this many matches at once."""
P99_GOALS_MS = {200: 15.0, 1000: 25.0}
"""The goals, by the number of matches that are played at once."""
CPU_GOALS_US = {"skirmish": 160.0, "vera_discordia": 260.0}
IDLE_FLOOR = 1.5
MATCH_GOAL_KB = 70.0
JOIN_FLOOR_KB = 40.0
JOIN_FLOOR_MS = 5.0
JOINS = 200
BARE = "Ed25519 signature + 4 rows in a group of 50 + websockets echo"
MAIN_GAME = "vera_discordia"


def played(server: Served, game: str, matches: int, seconds: float, rate: float = 0) -> Measured:
    """The measurements of a contest."""
    child = started("contest", str(server.port), str(server.pid), game, str(matches), str(seconds), str(rate))
    told, _ = child.communicate()
    return msgspec.json.decode(told, type=Measured)


def _rate(measured: Measured) -> float:
    return measured.rate


def _p99_ms(measured: Measured) -> float:
    return measured.accepted_ms[1]


def _others(fulls: list[Measured], halves: list[Measured]) -> str:
    """The results of the rounds that are not shown otherwise, in words."""
    if not fulls:
        return ""
    rates = " and ".join(f"{one.rate:,.0f}" for one in fulls)
    costs = " and ".join(f"{one.server_us:.0f}" for one in fulls)
    times = " and ".join(f"{_p99_ms(one):.1f}" for one in halves)
    return (
        f". The best of {len(fulls) + 1} rounds of each is shown: the other ones came to {rates} choices/s and {costs}"
        f" µs a choice at full speed, and to {times} ms at p99 at half of it"
    )


def matches_report(game: str, matches: int, seconds: float, rounds: int = 1) -> Report:
    """Matches at once at full speed, then at half of it; the best round counts, as others use the machine too."""
    allow_files(16_384)
    with serving("herald") as server:
        fulls = sorted((played(server, game, matches, seconds) for _ in range(rounds)), key=_rate)
        full, rate = fulls[-1], fulls[-1].rate
        halves = sorted((played(server, game, matches, seconds, rate / 2) for _ in range(rounds)), key=_p99_ms)
    bare = choices_a_second(min(matches, FLOOR_MATCHES))
    return Report(
        f"load matches --game {game} --matches {matches}" + (f" --rounds {rounds}" if rounds > 1 else ""),
        f"{matches:,} matches at once, two websockets each; at full speed {full.choices:,} choices in"
        f" {full.seconds:.1f} s, signed and durable before anybody is told. All matches are in the middle of play, and"
        f" another one replaces a match that ends. The server was busy for {full.server_s / full.seconds:.0%} of the"
        f" time, the players' process for {full.players_s / full.seconds:.0%}. Half of full speed is"
        f" {rate / 2:,.0f} choices/s, each at a moment of its own"
        f"{_others(fulls[:-1], halves[1:])}",
        _matches_figures(game, matches, full, halves[0], bare),
    )


def _matches_figures(game: str, matches: int, full: Measured, half: Measured, bare: float) -> tuple[Figure, ...]:
    floor = RATE_FLOORS.get(game, 0.0) if matches == FLOOR_MATCHES else 0.0
    goal = RATE_GOALS.get(game, 0.0) if matches == FLOOR_MATCHES else 0.0
    cost = CPU_GOALS_US.get(game, 0.0) if matches == FLOOR_MATCHES else 0.0
    cpu = "server CPU a choice"
    return (
        Figure("choices at full speed", full.rate, "choices/s", BARE, bare, floor, "ratio", goal),
        Figure(f"full speed, {cpu}", full.server_us, "µs", goal=cost),
        Figure("full speed, choose to accepted, p50", full.accepted_ms[0], "ms"),
        Figure("full speed, choose to accepted, p99", full.accepted_ms[1], "ms"),
        Figure("half of it, choices", half.rate, "choices/s", "asked for", half.asked),
        Figure(f"half of it, {cpu}", half.server_us, "µs"),
        Figure("half of it, choose to accepted, p50", half.accepted_ms[0], "ms"),
        Figure("half of it, choose to accepted, p99", half.accepted_ms[1], "ms", goal=P99_GOALS_MS.get(matches, 0.0)),
        Figure("half of it, choose to opponent's screen, p99", half.shown_ms[1], "ms"),
    )


class Holding:
    """The process that holds connections."""

    def __init__(self, server: Served, wish: Wish) -> None:
        self._child = started("holding", str(server.port))
        self._write(msgspec.json.encode(wish).decode())
        self.held = self._read()

    def _write(self, line: str) -> None:
        assert self._child.stdin is not None
        print(line, file=self._child.stdin, flush=True)

    def _read(self) -> Held:
        assert self._child.stdout is not None
        return msgspec.json.decode(self._child.stdout.readline(), type=Held)

    def again(self) -> Held:
        """Drop all connections and connect again at once."""
        self._write("again")
        return self._read()

    def end(self) -> None:
        """End the process."""
        self._child.kill()
        self._child.communicate()


@contextmanager
def holding(server: Served, frames: list[str], answers: int) -> Iterator[Holding]:
    """Connections that have been answered."""
    held = Holding(server, Wish(frames, answers))
    try:
        yield held
    finally:
        held.end()


def settled_bytes(pid: int) -> int:
    """The memory of a process once it is idle."""
    last = 0
    for _ in range(40):
        time.sleep(0.25)
        now = resident_bytes(pid)
        if now == last:
            break
        last = now
    return last


def _watching(made: list[Ticket], count: int, *, scene: bool) -> list[str]:
    caps = ("scene",) if scene else ()
    hellos = [write_client_message(Hello(ticket.match, viewer="spectator", caps=caps)) for ticket in made]
    return [hellos[number % len(hellos)] for number in range(count)]


def new_matches(server: Served, game: str, count: int) -> list[Ticket]:
    """Make matches whose players are seated and have not chosen anything yet."""
    return asyncio.run(tickets(server.url, game_of(game), count))


def idle_report(connections: int) -> Report:
    """The cost of a connection that is idle: a spectator of one of ten matches in which nothing happens."""
    allow_files(16_384)
    each = _echo_kb(connections)
    with serving("herald") as server:
        made = new_matches(server, MAIN_GAME, 10)
        with holding(server, _watching(made, 100, scene=False), 2):
            before = settled_bytes(server.pid)
            with holding(server, _watching(made, connections, scene=False), 2) as held:
                after = settled_bytes(server.pid)
                used = cpu_s(server.pid)
                time.sleep(5)
                busy = (cpu_s(server.pid) - used) / 5
    return Report(
        f"load idle --connections {connections}",
        f"{connections:,} websockets of spectators, in whose matches nothing happens",
        (
            Figure(
                "memory a connection",
                (after - before) / connections / 1000,
                "kB",
                "websockets",
                each,
                IDLE_FLOOR,
                "ratio",
            ),
            Figure("until all were connected and shown the match", held.held.seconds, "s"),
            Figure("processor that the server uses meanwhile", busy * 100, "% of a core"),
        ),
    )


def _echo_kb(connections: int) -> float:
    """The memory that bare `websockets` uses for a connection over which one frame was sent back."""
    with serving("echo") as server, holding(server, ["x"] * 100, 1):
        before = settled_bytes(server.pid)
        with holding(server, ["x" * 100] * connections, 1):
            return (settled_bytes(server.pid) - before) / connections / 1000


def memory_report(game: str, matches: int) -> Report:
    """The cost of a match with two clients, in addition to the matches that exist already."""
    allow_files(16_384)
    with serving("herald") as server:
        _warm(server, game)
        before = settled_bytes(server.pid)
        made = new_matches(server, game, matches)
        hellos = [write_client_message(Hello(t.match, t.tokens[seat])) for t in made for seat in ("0", "1")]
        with holding(server, hellos, 2):
            after = settled_bytes(server.pid)
    return Report(
        f"load memory --game {game} --matches {matches}",
        f"{matches:,} matches that have begun, two websockets each, in memory",
        (Figure("memory a match with two clients", (after - before) / matches / 1000, "kB", goal=MATCH_GOAL_KB),),
    )


def _warm(server: Served, game: str) -> None:
    """Load everything that a server loads once for all matches."""
    made = new_matches(server, game, 20)
    hellos = [write_client_message(Hello(t.match, t.tokens[seat])) for t in made for seat in ("0", "1")]
    with holding(server, hellos, 2):
        settled_bytes(server.pid)


def storm_report(clients: int) -> Report:
    """All clients of a hundred matches reconnect at the same moment, and ask for the board."""
    allow_files(16_384)
    with serving("herald") as server:
        made = new_matches(server, MAIN_GAME, 100)
        with holding(server, _watching(made, clients, scene=True), 2) as held:
            used = cpu_s(server.pid)
            again = held.again()
            busy = cpu_s(server.pid) - used
    return Report(
        f"load storm --clients {clients}",
        f"{clients:,} browsers watch 100 matches of {MAIN_GAME}, lose the connection, and reconnect all at once",
        (
            Figure("until the last has its Scene", again.seconds, "s"),
            Figure("from connecting to the Scene, p50", again.p50_ms, "ms"),
            Figure("from connecting to the Scene, p99", again.p99_ms, "ms"),
            Figure("processor time of the server for each", busy * 1000 / clients, "ms"),
            Figure("sent to each", again.bytes / clients / 1000, "kB"),
        ),
    )


class Joined(Struct, frozen=True):
    """The cost of joining: bytes sent, milliseconds of processor time, milliseconds until everything has arrived."""

    kilobytes: float
    cpu_ms: float
    first_ms: float


def join_report(game: str) -> Report:
    """A spectator joins a long match."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        path = Path(folder) / "long.sqlite"
        store, match = replay.long_match(game_of(game), path)
        events = store.head(match).seq
        store.close()
        with serving("herald", path) as server:
            joined = _joins(server, match)
    return Report(
        "load join",
        f"a spectator's browser joins a match of {events:,} events; {JOINS} spectators do this, one after another",
        (
            Figure("sent to each", joined.kilobytes, "kB", floor=JOIN_FLOOR_KB),
            Figure("processor time of the server for each", joined.cpu_ms, "ms", floor=JOIN_FLOOR_MS),
            Figure("the first since the server's start, until it has the Scene", joined.first_ms, "ms"),
        ),
    )


def _joins(server: Served, match: str) -> Joined:
    hello = write_client_message(Hello(match, viewer="spectator", caps=("scene",)))
    with holding(server, [hello], 2) as first:
        used = cpu_s(server.pid)
        sent = [first.again().bytes for _ in range(JOINS)]
        cpu_ms = (cpu_s(server.pid) - used) * 1000 / JOINS
        return Joined(max(sent) / 1000, cpu_ms, first.held.p50_ms)
