"""Learn how positions stand: `python -m scripts.judgements GAME` plays matches between bots and keeps the weights.

The bots are a game's own, which slip now and then so that uneven positions come about. Positions on the way are set
beside how the match ended, and a weight for each number of a position is found by logistic regression. A fifth of the
matches is not learned from and says how good the weights are.
"""

import random
from collections import Counter
from collections.abc import Iterator
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, Final

import click
from msgspec import Struct

from domain.kernel import Choice, Game, Playout, begin
from domain.kernel.state import sides_of
from projections.registry import games
from scripts.benchmarks.matches import created
from server.bots import bots_of, make_bot
from server.bots.chance import SeededChance
from server.bots.strong.features import features
from server.bots.strong.judgement import Judgement, encoded

FOLDER: Final = Path(__file__).parents[1] / "server" / "bots" / "strong" / "judgements"
SLIPS: Final = (0.0, 0.1, 0.3)
"""How often the bots of a match choose at random."""
EACH: Final = 20
"""Positions that are taken of a match, about."""
SEEN: Final = 0.02
"""A number that stands in a smaller part of the positions is not learned."""
ROUNDS: Final = 8
RIDGE: Final = 0.01
HELD_BACK: Final = 5

Numbers = dict[str, float]


class Example(Struct, frozen=True):
    """A position as the difference between two sides, and how the match ended for the first: 1, 0.5 or 0."""

    match: int
    numbers: Numbers
    won: float


def examples(game: Game[Any], match: int, seed: int) -> Iterator[Example]:
    """Positions of one match between the strongest bot of the game's own and itself."""
    source = random.Random(f"{seed}:{match}")  # noqa: S311 - repeatable on purpose
    chance, slip = SeededChance(source), SLIPS[match % len(SLIPS)]
    playout = Playout(game, begin(game, game.created(created(game)), chance).state, chance)
    name = next(bot for bot in bots_of(game.name) if bot in {"steady", "random"})
    bots = [make_bot(game.name, name) for _ in range(game.seats)]
    taken: list[list[Numbers]] = []
    while not playout.is_over:
        asked = playout.state.asked[0]
        form = playout.form(asked)
        choice: Choice = (
            form.sample(source.randrange)
            if source.random() < slip
            else bots[asked.seat].choose(playout.state, asked, form, source.randrange)
        )
        playout.choose(asked, choice)
        taken.append(features(playout.state)) if not playout.is_over else None
    result, sides = playout.state.result, sides_of(playout.state)
    assert result is not None
    won = [any(seat in result.won for seat in side) for side in sides]
    for numbers in source.sample(taken, min(EACH, len(taken))):
        first, second = numbers[0], numbers[1]
        difference = {name: first.get(name, 0.0) - second.get(name, 0.0) for name in {*first, *second}}
        yield Example(match, difference, 0.5 if won[0] == won[1] else float(won[0]))


def learn(found: list[Example], *, words: bool) -> dict[str, float]:
    """Weights by logistic regression with a ridge: Newton's method. `words`: also how often each word stands there."""
    counts = Counter(name for example in found for name, value in example.numbers.items() if value)
    names = sorted(n for n, count in counts.items() if count >= SEEN * len(found) and (words or "=" not in n))
    place = {name: number for number, name in enumerate(names)}
    squares = [0.0] * len(names)
    for example in found:
        for name, value in example.numbers.items():
            if name in place:
                squares[place[name]] += value * value
    scale = [sqrt(square / len(found)) for square in squares]
    rows = [([(place[n], v / scale[place[n]]) for n, v in e.numbers.items() if v and n in place], e.won) for e in found]
    weights = [0.0] * len(names)
    for _ in range(ROUNDS):
        slopes, curves = _slopes(rows, weights)
        weights = [weight - step for weight, step in zip(weights, _solved(curves, slopes), strict=True)]
    return {name: weights[number] / scale[number] for number, name in enumerate(names)}


Rows = list[tuple[list[tuple[int, float]], float]]
Matrix = list[list[float]]


def _slopes(rows: Rows, weights: list[float]) -> tuple[list[float], Matrix]:
    """The slope of the loss at the weights, and how it bends."""
    slopes = [RIDGE * weight for weight in weights]
    curves = [[RIDGE * (one == other) for other in range(len(weights))] for one in range(len(weights))]
    for numbers, won in rows:
        share = _share(sum(weights[at] * value for at, value in numbers))
        wrong, bend = (share - won) / len(rows), share * (1 - share) / len(rows)
        for at, value in numbers:
            slopes[at] += wrong * value
            row, part = curves[at], bend * value
            for other, another in numbers:
                row[other] += part * another
    return slopes, curves


def _solved(matrix: Matrix, right: list[float]) -> list[float]:
    """Gaussian elimination; the matrix is positive definite, so no pivot is looked for."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, row in enumerate(rows):
        by = row[at]
        row[at:] = [cell / by for cell in row[at:]]
        for other in rows:
            if other is not row and other[at]:
                factor = other[at]
                other[at:] = [cell - factor * mine for cell, mine in zip(other[at:], row[at:], strict=True)]
    return [row[-1] for row in rows]


def _share(score: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def loss(weights: dict[str, float], found: list[Example]) -> float:
    """The mean of -ln of what was given to how it ended."""
    total = 0.0
    for example in found:
        share = _share(sum(weights.get(name, 0.0) * value for name, value in example.numbers.items()))
        share = min(1 - 1e-9, max(1e-9, share))
        total -= example.won * log(share) + (1 - example.won) * log(1 - share)
    return total / len(found)


def _learned(found: list[Example]) -> Iterator[tuple[bool, dict[str, float]]]:
    """Weights without words and with them: where there are few matches words are learned by heart."""
    for words in (False, True):
        yield words, learn(found, words=words)


@click.command()
@click.argument("name", metavar="GAME", type=click.Choice([*games()]))
@click.option("--matches", default=300, show_default=True, type=click.IntRange(10), help="How many are played.")
@click.option("--seed", default=1, show_default=True, help="To repeat a run.")
def main(name: str, matches: int, seed: int) -> None:
    """Learn how positions of GAME stand, and keep it for the bot `strong`."""
    game = games()[name]
    found = [example for match in range(matches) for example in examples(game, match, seed)]
    kept = [example for example in found if example.match % HELD_BACK]
    others = [example for example in found if not example.match % HELD_BACK]
    missed, _, weights = min((loss(made, others), words, made) for words, made in _learned(kept))
    FOLDER.mkdir(exist_ok=True)
    rounded = {key: round(value, 4) for key, value in weights.items() if abs(value) >= 5e-5}
    (FOLDER / f"{name}.json").write_bytes(encoded(Judgement(rounded, matches, round(missed, 4))))
    click.echo(f"{name}: {len(found):,} positions, {len(rounded)} weights; loss {missed:.3f} (ln 2 is {log(2):.3f})")


if __name__ == "__main__":
    main()
