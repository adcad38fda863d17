"""Chances to win, line by line: bots play on from moments of a match, many times, on all cores (docs/replay.md)."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from math import sqrt
from multiprocessing import get_context
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct

from domain.kernel import Event, Game, Mask, MatchEnded, Play, Seat, decide
from domain.kernel.history import pauses, seats_in, taken_back, views_of
from domain.kernel.position import Views
from projections.face import Face
from projections.redaction import Viewer
from projections.registry import faces
from replay.playback.branch import Trunk, drawn
from server.bots import Bot, bots_of, looks_ahead, make_bot, with_procedures
from server.bots.chance import SeededChance
from server.errors import Misconfigured

CHUNK: Final = 4
"""The number of samples that a process plays before it reports the results."""
DECISIONS: Final = 20_000
"""A limit above the number of decisions in any match."""
Z95: Final = 1.959964
"""The number of standard deviations to either side that contain 95 of 100 results."""
T = TypeVar("T")
Every = Literal["turn", "choice"]


Won = tuple[Seat, ...]
"""The winners of a match: none in a draw."""


class Estimate(Struct, frozen=True):
    """The results of the samples from one line: matches won by each seat, and drawn.

    `label` says the position of the match.
    """

    line: int
    won: tuple[int, ...]
    drawn: int
    label: str = ""
    played: int = 0

    @property
    def samples(self) -> int:
        """The number of matches played; several seats can win one."""
        return self.played or sum(self.won) + self.drawn

    def share(self, seat: int) -> float:
        """How often the seat won, a draw counting half to each of two."""
        return (self.won[seat] + self.drawn / len(self.won)) / self.samples

    def band(self, seat: int) -> tuple[float, float]:
        """The 95 percent bounds of the share if the number of samples were unlimited (Wilson's score interval)."""
        return likely(self.share(seat), self.samples)


def likely(p: float, n: int) -> tuple[float, float]:
    """The 95 percent bounds of a share if the number of samples were unlimited (Wilson's score interval)."""
    middle = (p + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * sqrt(p * (1 - p) / n + Z95**2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def play_on(game: Game[Any], views: Views[Any], bots: Sequence[Bot], source: random.Random) -> Won:
    """Play from a moment to the end between bots that see only their seats' views; returns the winners."""
    chance = SeededChance(source, views.world.draws, views.world.shuffles)
    state = views.world
    for made in played(game, views, bots, chance, source):
        state = made.state
    return () if state.result is None else state.result.won


def played(
    game: Game[Any], views: Views[Any], bots: Sequence[Bot], chance: SeededChance, source: random.Random
) -> Iterator[Play[Any]]:
    """The decisions from a moment to the end, one after another, between bots that see only their seats' views."""
    state, seats = views.world, list(views.seats)
    for _ in range(DECISIONS):
        asked = state.asked[0]
        view, bot = seats[asked.seat], bots[asked.seat]
        form = game.revive_decision(asked).form(view)
        known = with_procedures(view, state) if looks_ahead(bot) else view
        choice = bot.choose(known, asked, form, source.randrange)
        made = decide(game, state, asked.seat, asked.number, choice, chance)
        for seat in range(len(seats)):
            seats[seat] = game.fold((game.redact(event, Mask(1 << seat)) for event in made.events), seats[seat])
        state = made.state
        yield made
        if state.result is not None:
            return
    raise AssertionError(f"a match of {game.name} between bots does not end")


class Job(Struct, frozen=True):
    """Some samples from one line: from the true world (`eyes` None), or from worlds drawn anew from a viewer's
    knowledge.
    """

    line: int
    eyes: Viewer | None
    bots: tuple[str, ...]
    seed: int
    first: int
    count: int


_TRUNK: list[tuple[Game[Any], Trunk]] = []
"""The match a process analyses."""


def _begin(face: Face[Any], trunk: Trunk) -> None:
    _TRUNK[:] = [(face.game, trunk)]
    _views.cache_clear()


def _begin_named(game: str, trunk: Trunk) -> None:
    _begin(faces()[game], trunk)


@lru_cache(maxsize=4)
def _views(line: int) -> Views[Any]:
    game, trunk = _TRUNK[0]
    return views_of(game, trunk.events[:line])


def _play(job: Job) -> tuple[int, list[Won]]:
    """The line, and the winners of each sample."""
    game, _ = _TRUNK[0]
    winners = []
    for number in range(job.first, job.first + job.count):
        source = random.Random(f"{job.seed}:{job.line}:{number}")  # noqa: S311 - repeatable on purpose
        views = _views(job.line)
        if job.eyes is not None:
            views = drawn(game, views, job.eyes, source.randrange)
        winners.append(play_on(game, views, [make_bot(game.name, bot) for bot in job.bots], source))
    return job.line, winners


class Plan(Struct, frozen=True):
    """The plan of an analysis: the lines to start from, the view, the bots, and the number of matches."""

    lines: tuple[int, ...]
    eyes: Viewer | None
    bots: tuple[str, ...]
    samples: int
    seed: int
    jobs: int = 0

    def split(self) -> Iterator[Job]:
        """The plan in pieces, each with a few samples from every line."""
        for first in range(0, self.samples, CHUNK):
            count = min(CHUNK, self.samples - first)
            yield from (Job(line, self.eyes, self.bots, self.seed, first, count) for line in self.lines)


def estimates(face: Face[Any], trunk: Trunk, plan: Plan, progress: Callable[[int], None]) -> list[Estimate]:
    """Play the plan on all cores; `progress` is called with the number of samples that are done.

    Raises `CannotBranch` if no world can be drawn for the view.
    """
    winners: dict[int, list[Won]] = {line: [] for line in plan.lines}
    done = 0
    for line, won in _played(face, trunk, plan):
        winners[line] += won
        done += len(won)
        progress(done)
    labels = moments(face, trunk)
    return [_counted(line, won, seats_in(trunk.events), labels.get(line, "")) for line, won in winners.items()]


def _played(face: Face[Any], trunk: Trunk, plan: Plan) -> Iterator[tuple[int, list[Won]]]:
    jobs = plan.jobs or os.cpu_count() or 1
    if jobs == 1:
        _begin(face, trunk)
        yield from map(_play, plan.split())
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin_named, (face.game.name, trunk)) as pool:
        try:
            yield from pool.map(_play, plan.split())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _counted(line: int, winners: Sequence[Won], seats: int, label: str) -> Estimate:
    won = tuple(sum(seat in one for one in winners) for seat in range(seats))
    return Estimate(line, won, sum(not one for one in winners), label, len(winners))


def choose_lines(face: Face[Any], events: Sequence[Event], every: Every, most: int = 0) -> tuple[int, ...]:
    """The lines to play from: every pause, or the first after each heading of the chronicle, thinned evenly to `most`.

    Moments that were taken back are left out.
    """
    undone = taken_back(events)
    found = [line for line in pauses(face.game, events) if line not in undone]
    if every == "turn":
        heads = [line for line, event in enumerate(events, 1) if type(event) in face.headings and line not in undone]
        firsts = {next((line for line in found if line >= head), 0) for head in heads} - {0}
        found = sorted(firsts) or found
    return tuple(dict.fromkeys(thinned(found, most) if most else found))


def thinned(found: Sequence[T], most: int) -> list[T]:
    """At most this many items (at least 1), spread evenly from the first to the last."""
    if len(found) <= most:
        return list(found)
    return [found[i * (len(found) - 1) // max(1, most - 1)] for i in range(most)]


def moments(face: Face[Any], trunk: Trunk) -> dict[int, str]:
    """The text of the last heading before each line."""
    game, label, labels = face.game, "", {}
    state = game.fold(trunk.events[:1])
    for line, event in enumerate(trunk.events[1:], 2):
        after = game.fold((event,), state)
        if type(event) in face.headings:
            label = face.narrate(state, after, event, None).rstrip(".") or label
        labels[line] = label
        state = after
    return labels


def ended(trunk: Trunk, seats: int) -> Estimate | None:
    """The end of the match itself, as an estimate of one sample; None while it continues."""
    for line, event in enumerate(trunk.events, 1):
        if isinstance(event, MatchEnded):
            return _counted(line, [event.result.won], seats, event.result.reason)
    return None


def read_bots(game: str, text: str, seats: int) -> tuple[str, ...]:
    """Bots by seat, as in `steady,random`; a single name stands for all of them. Raises `Misconfigured`."""
    known = bots_of(game)
    names = tuple(text.split(",")) if text else (known[0],)
    names = names * seats if len(names) == 1 else names
    if len(names) != seats or any(name not in known for name in names):
        raise Misconfigured(f"--bots names one, or {seats}, of: {', '.join(known)}.")
    return names
