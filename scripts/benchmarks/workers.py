"""`scale workers`: a server of one process and of two over SQLite, and, on request, boardgame.io for comparison."""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from scripts.benchmarks.command import commanded
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.peers import NAME as PEER
from scripts.benchmarks.peers import peer_measured
from scripts.benchmarks.player_processes import measured_together
from scripts.benchmarks.scale import Run
from scripts.benchmarks.servers import Served, started
from scripts.benchmarks.shares import held, room, share_told
from scripts.benchmarks.sockets import allow_files

WORKERS: Final = (1, 2)
TWO_FLOOR: Final = 1.7
PEER_FLOOR: Final = 1.0
PEER_GAME: Final = "skirmish"
"""The game that costs about as much work as the peer's game; for other games no rate relative to the peer is promised.
"""
CORES_FOR_TWO: Final = 4
"""The cores for two processes of the server and two of players, one each."""


class Wish(Struct, frozen=True):
    """The matches to play, and the number of rounds.

    `peer`: where boardgame.io is installed, if it is to be measured too. `share`: the part of a core that each process
    of the server may use, and the peer's; 0: no limit.
    """

    game: str
    matches: int
    seconds: float
    rounds: int
    peer: Path | None = None
    share: float = 0.0


class Shared(Run, frozen=True):
    """The measurements of several processes of players at one server: each of them measured the total use of the
    server.
    """

    @property
    def server_us(self) -> float:
        """Processor time of all the server's processes per choice, in µs."""
        return 1e6 * self.server_cores / self.rate

    @property
    def server_cores(self) -> float:
        """Cores that the server used."""
        return sum(one.server_s / one.seconds for one in self.parts) / len(self.parts)

    @property
    def busiest(self) -> float:
        """The part of a core that the busiest of the players' processes used."""
        return max(one.players_s / one.seconds for one in self.parts)


class Tried(Struct, frozen=True):
    """The results of a server at full speed, and at half of it."""

    full: Shared
    half: Shared


def cores() -> int:
    """Cores of this machine that this process may use."""
    return len(os.sched_getaffinity(0))


def has_room(share: float) -> bool:
    """Whether two processes of a server and their players have the cores that they may use."""
    return room(cores(), share) >= CORES_FOR_TWO


def players() -> int:
    """The number of processes of players: as few as can keep two processes of a server busy."""
    return 2 if has_room(0) else 1


def played(server: Served, wish: Wish, rate: float = 0) -> Shared:
    """The measurements at one server, by as many processes of players as there are cores for."""
    count = players()
    told = [wish.game, str(max(1, wish.matches // count)), "0", str(rate / count)]
    children = [started("contest", str(server.port), str(server.pid), *told) for _ in range(count)]
    return Shared(measured_together(children, wish.seconds))


def tried(workers: int, wish: Wish) -> Tried:
    """One round with this many processes."""
    with commanded(workers) as server, held([server.pid], wish.share):
        full = played(server, wish)
        return Tried(full, played(server, wish, full.rate / 2))


def best(rounds: list[Tried]) -> Tried:
    """The best round of each part, because other programs use the machine too."""
    full = max((one.full for one in rounds), key=lambda run: run.rate)
    return Tried(full, min((one.half for one in rounds), key=lambda run: run.p99_ms))


def workers_report(wish: Wish) -> Report:
    """The report; the rounds of all numbers of processes, and of the peer, alternate."""
    allow_files(16_384)
    rounds: dict[int, list[Tried]] = {count: [] for count in WORKERS}
    peers: list[Shared] = []
    for _ in range(wish.rounds):
        for count in WORKERS:
            rounds[count].append(tried(count, wish))
        if wish.peer is not None:
            peers.append(Shared(peer_measured(wish.peer, wish.matches, wish.seconds, players(), wish.share)))
    peer = max(peers, key=lambda run: run.rate, default=None)
    found = {count: best(rounds[count]) for count in WORKERS}
    return Report(_title(wish), _about(wish, rounds, found, peers), figures(wish, found, peer))


def _title(wish: Wish) -> str:
    title = f"scale workers --game {wish.game} --matches {wish.matches} --seconds {wish.seconds:g}"
    return f"{title} --rounds {wish.rounds}" + (" --peer FOLDER" if wish.peer else "") + share_told(wish.share)


def _name(count: int) -> str:
    return ("one process", "two processes")[count - 1]


def _about(wish: Wish, rounds: dict[int, list[Tried]], found: dict[int, Tried], peers: list[Shared]) -> str:
    rates = [f"{_name(count)} {_rates([one.full for one in rounds[count]])}" for count in WORKERS]
    if peers:
        rates.append(f"{PEER} {_rates(peers)}")
    busy = [f"{one.full.busiest:.0%} of a core beside {_name(count)}" for count, one in found.items()]
    told = [
        f"{wish.matches:,} matches at once, two websockets each at the address of its match, which each process"
        " of `herald serve --workers` serves in turn, over a new SQLite file, commits synced",
        f"The busiest process of players, of {players()}, used {' and '.join(busy)}",
        f"Rounds alternate, and the best of {wish.rounds} is shown; choices/s at full speed were {'; '.join(rates)}",
        _of_cores(wish.share),
        _of_peer(peers),
    ]
    return ". ".join(told)


def _rates(runs: list[Shared]) -> str:
    return " and ".join(f"{run.rate:,.0f}" for run in runs)


def _of_cores(share: float) -> str:
    if has_room(share):
        return f"Each process may use {share:.0%} of a core" if share else "Each process has a core of its own"
    return (
        f"Server and players share {cores()} of the {CORES_FOR_TWO} cores that two processes and their players need;"
        f" two processes are therefore not required to reach {TWO_FLOOR:g} times the rate of one"
    )


def _of_peer(peers: list[Shared]) -> str:
    if not peers:
        return "boardgame.io was left out: `--peer` names a folder where it is installed"
    busiest = max(peers, key=lambda run: run.rate).busiest
    return (
        "boardgame.io keeps nothing and signs nothing; its game is nine moves of a card and a die, at its own"
        f" websockets from processes of which the busiest used {busiest:.0%} of a core"
    )


def figures(wish: Wish, found: dict[int, Tried], peer: Shared | None) -> tuple[Figure, ...]:
    """The figures of each number of processes, of two beside one, and of both beside the peer."""
    one, two = (found[count].full.rate for count in WORKERS)
    floor = TWO_FLOOR if has_room(wish.share) else 0.0
    beside = Figure("two processes beside one", two, "choices/s", _name(1), one, floor, "ratio")
    own = [figure for count in WORKERS for figure in _figures(_name(count), found[count])]
    return (*own, beside, *(_peer_figures(wish.game, found, peer) if peer is not None else ()))


def _figures(name: str, mine: Tried) -> list[Figure]:
    full, half = mine.full, mine.half
    return [
        Figure(f"{name}, choices at full speed", full.rate, "choices/s"),
        Figure(f"{name}, full speed, server CPU a choice", full.server_us, "µs"),
        Figure(f"{name}, full speed, cores that the server used", full.server_cores, "cores"),
        Figure(
            f"{name}, half of it, choices", half.rate, "choices/s", "asked for", sum(one.asked for one in half.parts)
        ),
        Figure(f"{name}, half of it, choose to accepted, p50", half.p50_ms, "ms"),
        Figure(f"{name}, half of it, choose to accepted, p99", half.p99_ms, "ms"),
    ]


def _peer_figures(game: str, found: dict[int, Tried], peer: Shared) -> list[Figure]:
    count, mine = max(found.items(), key=lambda item: item[1].full.rate)
    floor = PEER_FLOOR if game == PEER_GAME else 0.0
    name = f"{_name(count)}, the best, beside boardgame.io"
    return [
        Figure(f"{name}, choices", mine.full.rate, "choices/s", PEER, peer.rate, floor, "ratio"),
        Figure(f"{name}, server CPU a choice", mine.full.server_us, "µs", PEER, peer.server_us),
    ]
