"""`load thinking`: how long a choice takes with and without bots that think and hints that are computed meanwhile."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from scripts.benchmarks.load import played
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.player_processes import Measured
from scripts.benchmarks.servers import Served, serving, started
from scripts.benchmarks.sockets import allow_files
from scripts.benchmarks.thinkers import What
from scripts.benchmarks.weights import family_cpu_s

SETTLES_S: Final = 1.5
"""After the last match with thinking has ended, work under way continues for a moment."""
WAITING: Final = 2
"""Matches for each process that thinks, so that the process always has work."""

ALONE: Final = "nothing is thought about"


class Wish(Struct, frozen=True):
    """The measurement: matches at once, choices per second, seconds of each part, rounds, processes that think."""

    game: str
    matches: int
    rate: float
    seconds: float
    rounds: int
    workers: int


class Part(Struct, frozen=True):
    """The results of one part: the matches, and the answers and processor time of the thinking, per second."""

    measured: Measured
    thoughts: float = 0.0
    cores: float = 0.0

    @property
    def p50_ms(self) -> float:
        """Half of the choices were accepted within this time."""
        return self.measured.accepted_ms[0]

    @property
    def p99_ms(self) -> float:
        """99 of a hundred choices were accepted within this time."""
        return self.measured.accepted_ms[1]


class Thoughts:
    """Answers per second, and processor time per second, of the processes that think."""

    def __init__(self, server: Served) -> None:
        self.rate, self.cores, self.seconds = 0.0, 0.0, 0.0
        self._pid, self._begun, self._spent = server.pid, time.perf_counter(), family_cpu_s(server.pid, itself=False)

    def end(self) -> None:
        """Note the resources spent since the beginning."""
        self.seconds = time.perf_counter() - self._begun
        self.cores = (family_cpu_s(self._pid, itself=False) - self._spent) / self.seconds


@contextmanager
def thinking(server: Served, game: str, what: What, workers: int) -> Iterator[Thoughts]:
    """The server thinks while the context lasts."""
    child = started("thinkers", server.url, game, what, str(WAITING * max(1, workers)))
    assert child.stdout is not None
    if not child.stdout.readline():
        raise RuntimeError(f"nothing thinks of {game} ({what}): the process that asks has ended")
    thoughts = Thoughts(server)
    try:
        yield thoughts
    finally:
        thoughts.end()
        told, _ = child.communicate(timeout=120)
        thoughts.rate = int(told or 0) / thoughts.seconds
        time.sleep(SETTLES_S)


def part(server: Served, wish: Wish, what: What | None) -> Part:
    """Measure the matches at their rate, with or without thinking beside them."""
    if what is None:
        return Part(played(server, wish.game, wish.matches, wish.seconds, wish.rate))
    with thinking(server, wish.game, what, wish.workers) as thoughts:
        measured = played(server, wish.game, wish.matches, wish.seconds, wish.rate)
    return Part(measured, thoughts.rate, thoughts.cores)


def parts(wish: Wish) -> dict[str, list[Part]]:
    """Measure every part in turn, in each round: other programs on the machine then affect all parts equally."""
    found: dict[str, list[Part]] = {}
    kinds: tuple[tuple[str, What | None], ...] = (
        (ALONE, None), ("bots think", "bots"), ("hints are worked out", "hints"))  # fmt: skip
    with serving("herald", workers=wish.workers) as server, serving("herald") as bare:
        for _ in range(wish.rounds):
            for name, what in kinds:
                found.setdefault(name, []).append(part(server, wish, what))
            found.setdefault("bots think in threads", []).append(part(bare, wish, "bots"))
    return found


def thinking_report(wish: Wish) -> Report:
    """The best round of each part, beside the best round without thinking."""
    allow_files(16_384)
    found = {name: sorted(rounds, key=lambda one: one.p99_ms) for name, rounds in parts(wish).items()}
    alone = found[ALONE][0]
    others = "; ".join(f"{name}: {', '.join(f'{one.p99_ms:.1f}' for one in found[name][1:])}" for name in found)
    return Report(
        f"load thinking --game {wish.game} --matches {wish.matches} --rate {wish.rate:g} --bot-workers {wish.workers}",
        f"{wish.matches:,} matches of people at once, {alone.measured.rate:,.0f} choices/s, each at its own moment;"
        f" beside them matches against the strongest bot, or matches in which hints are requested all the time; the"
        f" best of {wish.rounds} rounds" + (f"; p99 in ms of the other rounds: {others}" if wish.rounds > 1 else ""),
        tuple(figure for name, rounds in found.items() for figure in _figures(name, rounds[0], alone)),
    )


def _figures(name: str, found: Part, alone: Part) -> Iterator[Figure]:
    for which in ("p50_ms", "p99_ms"):
        told, value, raw = f"{name}, choose to accepted, {which[:3]}", getattr(found, which), getattr(alone, which)
        yield Figure(told, value, "ms") if found is alone else Figure(told, value, "ms", ALONE, raw)
    if found is not alone:
        yield Figure(f"{name}, answers thought about", found.thoughts, "a second")
    if found.cores:
        yield Figure(f"{name}, processor for it", found.cores * 100, "% of a core")
