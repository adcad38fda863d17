"""How balanced the scenarios of a game of sides are, with `steady` in all seats: results by side, lengths and times.

`python -m scripts.benchmarks.scenarios --matches 100 --seed 2000` plays Joan of Arc on one core and prints the
tables of docs/balance.md. `--scenario NAME` plays one scenario alone; `--seats 3` or `4` shares out its forces.
"""

import random
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, Final

from msgspec import Struct

from domain.joan_of_arc import GAME
from domain.kernel import AnyForm, Asked, Below, Choice, MatchCreated, begin
from domain.kernel.history import views_of
from scripts.benchmarks.decks import rate
from server.analysis.simulation import played
from server.bots import Bot, make_bot
from server.bots.chance import SeededChance

SIDES: Final = ("english", "french")
"""The sides in the order in which the game names them: in every scenario, the English come first."""
SCENARIOS: Final = ("s1_ford_at_brossay", "s2_market_day", "s3_wyrm_of_rougemont")


class Timed:
    """A bot, and the processor time that each of its decisions took, in ms."""

    def __init__(self, bot: Bot, times: list[float]) -> None:
        self.bot = bot
        self.times = times

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """Answers as the bot would."""
        began = process_time()
        choice = self.bot.choose(view, asked, form, below)
        self.times.append(1000 * (process_time() - began))
        return choice


class Outcome(Struct, frozen=True):
    """A match: the side that won, why, in which round; its VP, decisions and events."""

    side: str
    reason: str
    round: int
    scores: dict[str, int]
    decisions: int
    events: int


def play(options: dict[str, Any], seed: int, times: list[float]) -> Outcome:
    """A match."""
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, options, tuple(f"P{seat + 1}" for seat in range(GAME.seats_of(options))))
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    bots = [Timed(make_bot(GAME.name, "steady"), times) for _ in created.seats]
    decisions, events = 0, 1 + len(opening.events)
    state = opening.state
    for made in played(GAME, views, bots, chance, source):
        decisions, events, state = decisions + 1, events + len(made.events), made.state
    assert state.result is not None, "what is played is played to its end"
    side = next(number for number, seats in enumerate(GAME.sides_of(options)) if state.result.won[0] in seats)
    return Outcome(SIDES[side], state.result.reason, state.round, state.scores, decisions, events)


def spread(numbers: Sequence[int]) -> str:
    """The least, the middle and the greatest of the values, as text."""
    found = sorted(numbers)
    return f"{found[0]}, {found[len(found) // 2]}, {found[-1]}"


def report(name: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A row for each side, and one on the matches."""
    won = Counter(outcome.side for outcome in outcomes)
    for side in SIDES:
        vp = sum(outcome.scores.get(side, 0) for outcome in outcomes) / len(outcomes)
        yield f"| {name} | {side} | {rate(won[side], len(outcomes))} | {vp:.1f} |"
    yield f"ended by: {dict(Counter(outcome.reason for outcome in outcomes))}"
    yield f"last round: {sorted(Counter(outcome.round for outcome in outcomes).items())}"
    yield f"decisions: {spread([outcome.decisions for outcome in outcomes])}"
    yield f"events: {spread([outcome.events for outcome in outcomes])}"


def pace(times: Sequence[float]) -> str:
    """The time that a decision took."""
    found = sorted(times)
    mean, rare = sum(found) / len(found), found[-len(found) // 100]
    return f"ms a decision: {mean:.1f} on average, {rare:.1f} in 99 of 100, {found[-1]:.1f} at most"


def main() -> None:
    """Play and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--scenario", choices=SCENARIOS, action="append")
    given = parser.parse_args()
    times: list[float] = []
    for name in given.scenario or SCENARIOS:
        options = {"scenario": name, "seats": given.seats}
        outcomes = [play(options, given.seed + number, times) for number in range(given.matches)]
        print("\n".join(report(name, outcomes)), flush=True)
    print(pace(times))


if __name__ == "__main__":
    main()
