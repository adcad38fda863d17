"""Learn to judge positions: `python -m scripts.judgements GAME` plays matches between bots and keeps the weights.

The bots belong to the game, and sometimes choose at random so that uneven positions arise. Positions from each match
are compared with its result. Logistic regression computes two weights for each number of a position; the second one
applies to the number times the progress of the match. A fifth of the matches is not used for learning, and shows how
good the weights are.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from msgspec import Struct

from domain.kernel import Choice, Game, Playout, begin
from domain.kernel.state import sides_of
from projections.registry import games
from scripts.benchmarks.matches import created
from server.bots import bots_of, make_bot
from server.bots.chance import SeededChance
from server.bots.strong.features import features
from server.bots.strong.judgement import LATEST, Judgement, encoded

FOLDER: Final = Path(__file__).parents[1] / "server" / "bots" / "strong" / "judgements"
SLIPS: Final = (0.0, 0.1, 0.3)
"""How often the bots of a match choose at random."""
EACH: Final = 20
"""The approximate number of positions that are taken from a match."""
SEEN: Final = 0.02
"""A number that occurs in a smaller share of the positions is not learned."""
ROUNDS: Final = 8
RIDGE: Final = 0.001
TINY: Final = 1e-9
"""A summand that prevents a division by zero for numbers that never differ."""
HELD_BACK: Final = 5

Numbers = dict[str, float]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


class Example(Struct, frozen=True):
    """A position as the difference between two sides, and the result of the match for the first side: 1, 0.5 or 0.

    `number`: the number of the open question; `length`: the number of the last question in the match.
    """

    match: int
    numbers: Numbers
    won: float
    number: int
    length: int


def examples(game: Game[Any], match: int, seed: int) -> Iterator[Example]:
    """Positions of one match in which the game's strongest bot plays against itself."""
    source = random.Random(f"{seed}:{match}")  # noqa: S311 - repeatable on purpose
    chance, slip = SeededChance(source), SLIPS[match % len(SLIPS)]
    playout = Playout(game, begin(game, game.created(created(game)), chance).state, chance)
    name = next(bot for bot in bots_of(game.name) if bot in {"steady", "random"})
    bots = [make_bot(game.name, name) for _ in range(game.seats)]
    taken: list[tuple[int, list[Numbers]]] = []
    length = 1
    while not playout.is_over:
        asked = playout.state.asked[0]
        form = playout.form(asked)
        choice: Choice = (
            form.sample(source.randrange)
            if source.random() < slip
            else bots[asked.seat].choose(playout.state, asked, form, source.randrange)
        )
        playout.choose(asked, choice)
        if not playout.is_over:
            length = max(asked.number for asked in playout.state.asked)
            taken.append((length, features(playout.state)))
    result, sides = playout.state.result, sides_of(playout.state)
    assert result is not None
    won = [any(seat in result.won for seat in side) for side in sides]
    for number, (first, second, *_) in source.sample(taken, min(EACH, len(taken))):
        difference = {name: first.get(name, 0.0) - second.get(name, 0.0) for name in {*first, *second}}
        yield Example(match, difference, 0.5 if won[0] == won[1] else float(won[0]), number, length)


def match_of(name: str, seed: int, match: int) -> list[Example]:
    """The positions of one match, computed in a worker process."""
    return list(examples(games()[name], match, seed))


def named(found: Sequence[Example]) -> tuple[str, ...]:
    """The numbers that are learned: those that occur in enough of the positions, and do not stand for a word (`=` in
    the name).

    A search for the largest weights would pick numbers that go with winning without causing it, such as unit places.
    """
    counts = Counter(name for example in found for name, value in example.numbers.items() if value and "=" not in name)
    return tuple(sorted(name for name, count in counts.items() if count >= SEEN * len(found)))


def rows_of(found: Sequence[Example], names: Sequence[str], length: int) -> Matrix:
    """A row for each position: its numbers, and the same numbers multiplied by the progress of the match."""
    place = {name: at for at, name in enumerate(names)}
    plain = np.zeros((len(found), len(names)))
    for row, example in zip(plain, found, strict=True):
        for name, value in example.numbers.items():
            if name in place:
                row[place[name]] = value
    stages = np.array([min(LATEST, example.number / length) for example in found])
    return np.hstack([plain, plain * stages[:, None]])


def learn(rows: Matrix, won: Vector) -> Vector:
    """Weights by logistic regression with a ridge: Newton's method."""
    scale = np.sqrt((rows**2).mean(axis=0)) + TINY
    scaled = rows / scale
    weights = np.zeros(rows.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    for _ in range(ROUNDS):
        share = shares(scaled, weights)
        slopes = scaled.T @ (share - won) / len(won) + RIDGE * weights
        curves = (scaled * (share * (1 - share))[:, None]).T @ scaled / len(won) + ridge
        weights -= np.linalg.solve(curves, slopes)
    found: Vector = weights / scale
    return found


def shares(rows: Matrix, weights: Vector) -> Vector:
    """The share that the weights give to the first side."""
    found: Vector = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
    return found


def loss(rows: Matrix, weights: Vector, won: Vector) -> float:
    """The mean of -ln of the share given to the actual end."""
    share = np.clip(shares(rows, weights), 1e-9, 1 - 1e-9)
    return float(-(won * np.log(share) + (1 - won) * np.log(1 - share)).mean())


def learned(found: Sequence[Example], matches: int) -> Judgement:
    """Weights from four fifths of the matches, and how good they are in the fifth."""
    length = int(np.median(list({example.match: example.length for example in found}.values())))
    names = named(found)
    rows, won = rows_of(found, names, length), np.array([example.won for example in found])
    held_back = np.array([example.match % HELD_BACK == 0 for example in found])
    weights = learn(rows[~held_back], won[~held_back])
    missed = loss(rows[held_back], weights, won[held_back])
    now, later = (
        {name: round(float(weight), 4) for name, weight in zip(names, part, strict=True) if abs(weight) >= 5e-5}
        for part in np.split(weights, 2)
    )
    return Judgement(now, matches, round(missed, 4), later, length)


@click.command()
@click.argument("name", metavar="GAME", type=click.Choice([*games()]))
@click.option("--matches", default=2_000, show_default=True, type=click.IntRange(10), help="How many are played.")
@click.option("--seed", default=1, show_default=True, help="To repeat a run.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes that play them.")
def main(name: str, matches: int, seed: int, jobs: int) -> None:
    """Learn to judge positions of GAME, and keep the weights for the bot `strong`."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        played = pool.map(partial(match_of, name, seed), range(matches), chunksize=4)
        with click.progressbar(played, length=matches, label="matches", file=sys.stderr) as told:
            found = [example for match in told for example in match]
    judgement = learned(found, matches)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_bytes(encoded(judgement))
    click.echo(
        f"{name}: {len(found):,} positions, {len(judgement.weights)} weights; "
        f"loss {judgement.loss:.3f} (ln 2 is {log(2):.3f})"
    )


if __name__ == "__main__":
    main()
