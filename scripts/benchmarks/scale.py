"""`scale nodes`: one, two and three servers over one database, beside one over SQLite, and beside bare inserts."""

import os
from typing import Final

import msgspec
import psycopg
from msgspec import Struct

from scripts.benchmarks.farm import Farm, farm
from scripts.benchmarks.inserts import Bare, bare_inserts
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.player_processes import Measured
from scripts.benchmarks.servers import Served, started
from scripts.benchmarks.shares import held, room, share_told
from scripts.benchmarks.sockets import allow_files

NODES: Final = (0, 1, 2, 3)
"""Servers over PostgreSQL; 0 is the one over SQLite."""
BESIDE_SQLITE_FLOOR: Final = 0.6
ALONE_FLOOR: Final = 3.0
TWO_FLOOR: Final = 1.6
CORES_FOR_TWO: Final = 6
"""The cores for two servers, two processes of players, and the database: with fewer, a second server adds nothing."""
BARE: Final = "bare inserts of the same rows, 50 choices a COMMIT"


class Run(Struct, frozen=True):
    """The measurements of several processes of players, at as many servers at the same time."""

    parts: tuple[Measured, ...]

    @property
    def rate(self) -> float:
        """Choices per second."""
        return sum(one.choices / one.seconds for one in self.parts)

    @property
    def p50_ms(self) -> float:
        """The time from a choice to its acceptance, at the slowest of the servers."""
        return max(one.accepted_ms[0] for one in self.parts)

    @property
    def p99_ms(self) -> float:
        """As `p50_ms`."""
        return max(one.accepted_ms[1] for one in self.parts)

    @property
    def server_us(self) -> float:
        """Processor time of the servers per choice, in µs."""
        return 1e6 * sum(one.server_s for one in self.parts) / self.choices

    @property
    def database_us(self) -> float:
        """Processor time of the database per choice, in µs. Each part measured the database's whole use, of which this
        takes the mean.
        """
        cores = sum(one.database_s / one.seconds for one in self.parts) / len(self.parts)
        return 1e6 * cores / self.rate

    @property
    def choices(self) -> int:
        """Choices accepted."""
        return sum(one.choices for one in self.parts)

    @property
    def players_cores(self) -> float:
        """Cores that the players' processes used."""
        return sum(one.players_s / one.seconds for one in self.parts)


class Wish(Struct, frozen=True):
    """The matches to play: the game, the number of matches at once in all, the seconds, and the rounds.

    `share`: the part of a core that each server may use; 0: no limit.
    """

    game: str
    matches: int
    seconds: float
    rounds: int
    share: float = 0.0


def played(nodes: list[Served], database: int, wish: Wish, rate: float = 0) -> Run:
    """Play at all servers at once, each match at one of them; `database`: the database's process, 0 for none."""
    matches, share = max(1, wish.matches // len(nodes)), rate / len(nodes)
    told = [wish.game, str(matches), str(wish.seconds), str(share), str(database)]
    children = [started("contest", str(node.port), str(node.pid), *told) for node in nodes]
    return Run(tuple(msgspec.json.decode(child.communicate()[0], type=Measured) for child in children))


class Tried(Struct, frozen=True):
    """The results of one number of servers at full speed, at half of it, and, if there is one, with a match alone.

    `line_bytes`: the bytes that the database wrote into its log for each line of the record, everything included.
    """

    full: Run
    half: Run
    alone: Run | None
    store: str
    line_bytes: float = 0.0


def tried(where: Farm, count: int, wish: Wish) -> Tried:
    """One round with `count` servers over PostgreSQL, or with one over SQLite for 0."""
    store = where.store() if count else where.file()
    database = where.database.pid if count else 0
    before = logged(store)[0] if count else 0
    with where.nodes(store, max(count, 1)) as nodes, held([node.pid for node in nodes], wish.share):
        full = played(nodes, database, wish)
        half = played(nodes, database, wish, full.rate / 2)
        single = Wish(wish.game, 1, wish.seconds / 2, 1)
        alone = played(nodes, database, single) if count < 2 else None
    log, lines = logged(store) if count else (0, 1)
    return Tried(full, half, alone, store, (log - before) / lines)


def logged(store: str) -> tuple[int, int]:
    """The length of the log of a PostgreSQL database in bytes, and the number of lines of its records."""
    with psycopg.connect(store) as connection:
        found = connection.execute("SELECT pg_current_wal_lsn() - '0/0', (SELECT count(*) FROM records)").fetchone()
    assert found is not None, "a statement that always has one row"
    return int(found[0]), int(found[1])


def best(rounds: list[Tried]) -> Tried:
    """The best round of each part, because other programs use the machine too."""
    full = max(rounds, key=lambda one: one.full.rate)
    alone = [one.alone for one in rounds if one.alone is not None]
    return Tried(
        full.full,
        min((one.half for one in rounds), key=lambda run: run.p99_ms),
        min(alone, key=lambda run: run.p50_ms) if alone else None,
        full.store,
        full.line_bytes,
    )


def nodes_report(wish: Wish) -> Report:
    """The report; the rounds of all numbers of servers alternate."""
    allow_files(16_384)
    with farm() as where:
        rounds = [{count: tried(where, count, wish) for count in NODES} for _ in range(wish.rounds)]
        found = {count: best([one[count] for one in rounds]) for count in NODES}
        bare = bare_inserts(found[1].store, where.database.database("bare"), wish.seconds / 2)
    figures = [figure for count in NODES for figure in _figures(count, found, bare, wish.share)]
    return Report(
        f"scale nodes --game {wish.game} --matches {wish.matches} --seconds {wish.seconds:g} --rounds {wish.rounds}"
        + share_told(wish.share),
        f"{wish.matches:,} matches at once, two websockets each, each match at one server; PostgreSQL, NATS, servers"
        f" and players on {os.cpu_count()} cores, commits synced; {bare.lines:.1f} lines a choice; the players of one"
        f" server's matches used {found[1].full.players_cores:.0%} of a core. Rounds of all alternate, and the best of"
        f" {wish.rounds} is shown; the choices/s at full speed were {_rounds(rounds)}. {_cores(wish.share)}",
        tuple(figures),
    )


def has_room(share: float) -> bool:
    """Whether two servers, their players and the database have the cores that they may use."""
    return room(os.cpu_count() or 1, share) >= CORES_FOR_TWO


def _cores(share: float) -> str:
    cores = os.cpu_count() or 1
    if has_room(share):
        return f"Each server may use {share:.0%} of a core" if share else "Each server has cores of its own"
    return f"Several servers share {cores} cores with everything else, and therefore achieve no more together than one"


def _name(count: int) -> str:
    return ("one server over SQLite", "one server", "two servers", "three servers")[count]


def _rounds(rounds: list[dict[int, Tried]]) -> str:
    told = [f"{_name(n)} {' and '.join(f'{one[n].full.rate:,.0f}' for one in rounds)}" for n in NODES]
    return "; ".join(told)


def _figures(count: int, found: dict[int, Tried], bare: Bare, share: float) -> list[Figure]:
    name, mine, own = _name(count), found[count], "ms"
    over = (BARE, bare.rate) if count else ("", 0.0)
    figures = [
        Figure(f"{name}, choices at full speed", mine.full.rate, "choices/s", *over),
        Figure(f"{name}, full speed, choose to accepted, p50", mine.full.p50_ms, own),
        Figure(f"{name}, full speed, choose to accepted, p99", mine.full.p99_ms, own),
        Figure(f"{name}, half of it, p50", mine.half.p50_ms, own),
        Figure(f"{name}, half of it, p99", mine.half.p99_ms, own),
        Figure(f"{name}, processor time of the servers a choice", mine.full.server_us, "µs"),
    ]
    if count:
        figures.append(Figure(f"{name}, processor time of the database a choice", mine.full.database_us, "µs"))
        figures.append(Figure(f"{name}, log of the database a choice", mine.line_bytes * bare.lines / 1000, "kB"))
    figures += _beside(count, found, share)
    if mine.alone is not None:
        least = ("one bare COMMIT of the rows of a choice", bare.alone_ms) if count else ("", 0.0)
        floor = ALONE_FLOOR if count and not share else 0.0  # the promised times hold for a whole core
        figures.append(
            Figure(f"{name}, 1 match, choose to accepted, p50", mine.alone.p50_ms, own, *least, floor, "ratio")
        )
    return figures


def _beside(count: int, found: dict[int, Tried], share: float) -> list[Figure]:
    """The figures of several servers beside fewer; two servers are held to their floor if they have enough cores."""
    if count == 0:
        return []
    other, floor = (0, BESIDE_SQLITE_FLOOR) if count == 1 else (1, 0.0)
    if count == 2 and has_room(share):
        floor = TWO_FLOOR
    name = f"{_name(count)}, beside {_name(other)}"
    return [Figure(name, found[count].full.rate, "choices/s", _name(other), found[other].full.rate, floor, "ratio")]
