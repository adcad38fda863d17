"""How long matches are with `steady` in all seats, for each set of options that makes a match short or long.

`python -m scripts.benchmarks.lengths --matches 60 --seed 3000` prints the contents of `lengths.toml` beside each game's
words (docs/balance.md): rounds, and the number of decisions of one seat, without questions that have a single answer.
`--game NAME` plays only one game.
"""

import random
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel import AnyForm, Asked, Below, Choice, MatchCreated, begin
from domain.kernel.history import views_of
from projections.registry import faces
from replay.scenarios.guides import first, lengths
from scripts.benchmarks.scenarios import spread
from server.analysis.simulation import played
from server.bots import Bot, make_bot
from server.bots.chance import SeededChance

ROUNDS: Final = {
    "vera_discordia": "round",
    "war_for_edadh": "duration",
    "disciples_legacy": "turn",
    "joan_of_arc": "round",
}
"""The field of a game's state that counts the rounds or turns of its players."""


class Counted:
    """A bot that counts the questions with more than one answer that it was asked."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.asked = 0

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """Answers as the bot would."""
        self.asked += form.count() > 1
        return self.bot.choose(view, asked, form, below)


class Outcome(Struct, frozen=True):
    """A match: its last round, and the number of decisions of each seat."""

    rounds: int
    decisions: tuple[int, ...]


def play(name: str, options: dict[str, Any], seed: int) -> Outcome:
    """A match."""
    game = faces()[name].game
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    created = MatchCreated(name, options, tuple(f"P{seat + 1}" for seat in range(game.seats_of(options))))
    opening = begin(game, game.created(created), chance)
    bots = [Counted(make_bot(name, "steady")) for _ in created.seats]
    state, rounds = opening.state, 0
    for made in played(game, views_of(game, [created, *opening.events]), bots, chance, source):
        state = made.state
        rounds = max(rounds, getattr(state, ROUNDS[name]))
    return Outcome(rounds, tuple(bot.asked for bot in bots))


def report(options: str, outcomes: Sequence[Outcome]) -> str:
    """A row: the least, the middle and the greatest of the values."""
    asked = [number for outcome in outcomes for number in outcome.decisions]
    return f"| {options} | {spread([outcome.rounds for outcome in outcomes])} | {spread(asked)} |"


def main() -> None:
    """Play and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=sorted(ROUNDS), action="append")
    given = parser.parse_args()
    for name in given.game or sorted(ROUNDS):
        print(f"## {name}")
        begun, sizes = first(name), lengths(name)
        wanted = [(str(length.options or "the defaults"), length.options) for length in sizes.length] if sizes else []
        for label, options in [*wanted, *([("the first match", begun.options)] if begun else [])]:
            print(report(label, [play(name, options, given.seed + n) for n in range(given.matches)]), flush=True)


if __name__ == "__main__":
    main()
