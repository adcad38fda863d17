"""The balance of a game's ready decks: every pair meets, with `steady` in both seats, swapped every second round.

`python -m scripts.benchmarks.decks --matches 280 --seed 5000` plays on one core and prints the tables of
docs/balance.md.
"""

import random
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, count, islice
from math import sqrt
from typing import Any

from msgspec import Struct

from domain.disciples_legacy import GAME
from domain.kernel import AnyForm, Asked, Below, Choice, MatchCreated, begin
from domain.kernel.history import views_of
from server.analysis.simulation import played
from server.bots import Bot, make_bot
from server.bots.chance import SeededChance

Z95 = 1.96
DECKS = ("empire_a", "empire_b", "clans_a", "clans_b", "legions_a", "legions_b", "hordes_a", "hordes_b")


class WithDeck:
    """A bot that plays a given deck instead of choosing one."""

    def __init__(self, bot: Bot, deck: str) -> None:
        self.bot = bot
        self.deck = deck

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """Choose the deck, and leave every other choice to the bot."""
        if asked.kind == "DeckSelection":
            return next(choice for choice in form if getattr(choice, "deck", "") == self.deck)
        return self.bot.choose(view, asked, form, below)


class Outcome(Struct, frozen=True):
    """A match: the decks by seat, the winner, the turn on which it ended, the reason, and the number of decisions."""

    decks: tuple[str, str]
    winner: int | None
    turn: int
    reason: str
    decisions: int


def play(decks: tuple[str, str], seed: int) -> Outcome:
    """A match between these decks."""
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, {}, ("seat 1", "seat 2"))
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    bots = [WithDeck(make_bot(GAME.name, "steady"), deck) for deck in decks]
    states = [made.state for made in played(GAME, views, bots, chance, source)]
    result = states[-1].result
    assert result is not None, "what is played is played to its end"
    return Outcome(decks, result.winner, states[-1].turn, result.reason, len(states))


def plan(seed: int) -> Iterator[tuple[tuple[str, str], int]]:
    """The pairs of decks and the seeds, one round after another; every second round has the seats changed."""
    for number in count():
        for one, other in combinations(DECKS, 2):
            decks = (one, other) if number % 2 == 0 else (other, one)
            yield decks, seed + 1000 * number + 10 * DECKS.index(one) + DECKS.index(other)


def rate(won: float, of: int) -> str:
    """A share with the interval that contains the true share in 95 of 100 runs (Wilson's)."""
    share = won / of
    middle = (share + Z95**2 / (2 * of)) / (1 + Z95**2 / of)
    half = Z95 / (1 + Z95**2 / of) * sqrt(share * (1 - share) / of + Z95**2 / (4 * of**2))
    return f"{won:g} | {of} | {share:.1%} | {middle - half:.0%} to {middle + half:.0%}"


def report(outcomes: list[Outcome]) -> Iterator[str]:
    """The tables; a draw is half a match won."""
    won: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for outcome in outcomes:
        for seat, deck in enumerate(outcome.decks):
            of[deck] += 1
            won[deck] += 2 if outcome.winner == seat else outcome.winner is None
    yield from (f"| {deck} | {rate(won[deck] / 2, of[deck])} |" for deck in DECKS if of[deck])
    decided = [outcome for outcome in outcomes if outcome.winner is not None]
    yield f"first seat: {rate(sum(outcome.winner == 0 for outcome in decided), len(decided))}"
    yield f"last turn: {sorted(Counter(outcome.turn for outcome in outcomes).items())}"
    yield f"ended by: {dict(Counter(outcome.reason for outcome in outcomes))}"
    lengths = sorted(outcome.decisions for outcome in outcomes)
    yield f"decisions: {lengths[0]}, {lengths[len(lengths) // 2]}, {lengths[-1]}"
    for pair in combinations(DECKS, 2):
        both = [outcome for outcome in outcomes if set(outcome.decks) == set(pair)]
        first = sum(o.winner is not None and o.decks[o.winner] == pair[0] for o in both)
        yield f"| {pair[0]} | {pair[1]} | {first} | {len(both)} |"


def main() -> None:
    """Play and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=280)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    outcomes = [play(decks, seed) for decks, seed in islice(plan(given.seed), given.matches)]
    print("\n".join(report(outcomes)))


if __name__ == "__main__":
    main()
