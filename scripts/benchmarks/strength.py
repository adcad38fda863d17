"""The strength of the bot that looks ahead, by its budget: matches against a game's own bot, in a series that can be
continued.

A budget is processor time, so that other programs on the machine do not reduce it. Every deal is played from all sides.
"""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Game, MatchCreated, Seat, begin
from domain.kernel.history import views_of
from scripts.benchmarks.matches import created, game_of
from scripts.benchmarks.measure import Strength
from server.analysis.simulation import likely, play_on
from server.bots import Bot, bots_of, horizon_of, make_bot, sketch_of
from server.bots.chance import SeededChance
from server.bots.strong.bot import LEVELS, Level, StrongBot
from server.bots.strong.search import Budget

MOST: Final = LEVELS[4].most
"""The largest number of choices that are tried, whatever the budget."""


class Task(Struct, frozen=True):
    """A match to be played: its game, the budget in ms, and its number; matches of other numbers have other deals.

    `options`: the options of the match, as JSON.
    """

    game: str
    budget_ms: float
    number: int
    options: str = "{}"


class Met(Struct, frozen=True):
    """A match that was played, and the score of the bot that looks ahead: 1, 0, or 0.5 if nobody won alone."""

    task: Task
    share: float


def usual(game: str) -> str:
    """The game's own bot, which is the opponent of the bot that looks ahead."""
    return bots_of(game)[0]


def met(task: Task) -> Met:
    """Play a match."""
    game = game_of(task.game)
    first = created(game, msgspec.json.decode(task.options))
    seats = len(first.seats)
    sides = game.sides_of(first.options) or tuple((Seat(seat),) for seat in range(seats))
    deal, turn = divmod(task.number, len(sides))
    source = random.Random(f"strength:{deal}")  # noqa: S311 - repeatable on purpose
    bots = [_bot(game, task.budget_ms if seat in sides[turn] else 0) for seat in range(seats)]
    won = play_on(game, _opened(game, first, source), bots, source)
    ahead = [any(seat in won for seat in side) for side in sides]
    return Met(task, ahead[turn] / sum(ahead) if any(ahead) else 1 / len(sides))


def _opened(game: Game[Any], first: MatchCreated, source: random.Random) -> Any:
    opening = begin(game, game.created(first), SeededChance(source))
    return views_of(game, [first, *opening.events])


def _bot(game: Game[Any], budget_ms: float) -> Bot:
    policy = partial(make_bot, game.name, usual(game.name))
    if not budget_ms:
        return policy()
    level = Level(Budget(budget_ms), most=MOST)
    return StrongBot(
        game, policy, level, clock=time.thread_time, sketch=sketch_of(game.name), visible_head=horizon_of(game.name)
    )


def strengths(
    game: str,
    budgets_ms: Sequence[float],
    matches: int,
    jobs: int = 1,
    kept: Path | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[Strength]:
    """The share won at each budget, in matches with these options.

    `kept`: a file of matches, one per line, that is read first and extended.
    """
    given = msgspec.json.encode(options or {}, order="sorted").decode()
    wanted = [Task(game, float(budget), number, given) for number in range(matches) for budget in budgets_ms]
    found = {one.task: one.share for one in _kept(kept)}
    for one in _played([task for task in wanted if task not in found], jobs):
        found[one.task] = one.share
        if kept is not None:
            with kept.open("ab") as file:
                file.write(msgspec.json.encode(one) + b"\n")
    return [
        _summed(float(budget), [found[task] for task in wanted if task.budget_ms == budget]) for budget in budgets_ms
    ]


def _kept(file: Path | None) -> Iterable[Met]:
    if file is None or not file.exists():
        return []
    return [msgspec.json.decode(line, type=Met) for line in file.read_bytes().splitlines()]


def _played(tasks: Sequence[Task], jobs: int) -> Iterator[Met]:
    """Matches as they end; when the caller stops, the matches that have not begun are dropped."""
    if jobs == 1:
        yield from map(met, tasks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            for future in as_completed([pool.submit(met, task) for task in tasks]):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _summed(budget_ms: float, shares: Sequence[float]) -> Strength:
    mean = sum(shares) / len(shares)
    return Strength(budget_ms, len(shares), mean, *likely(mean, len(shares)))
