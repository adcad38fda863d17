"""`search`: how fast a match is simulated to its end, from any state, without record, seals and audience."""

import random
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Game, Playout, State, begin
from scripts.benchmarks.matches import answer, created, game_of
from scripts.benchmarks.measure import Figure, Report
from server.bots import RANDOM, Bot, bots_of, make_bot
from server.bots.chance import SeededChance

GOALS: Final = {
    "vera_discordia": 25_000,
    "war_for_edadh": 25_000,
    "joan_of_arc": 10_000,
    "disciples_legacy": 10_000,
}
"""The goal, in decisions a second, for playouts between random bots on an idle core."""
PLAYOUT_FLOOR: Final = 1.2
"""The goal, as a multiple of the speed of recorded random play."""


class Pace(Struct, frozen=True):
    """The numbers of matches and decisions played in some seconds of processor time."""

    matches: int
    decisions: int
    spent_s: float

    @property
    def decisions_s(self) -> float:
        """Decisions per second."""
        return self.decisions / self.spent_s

    @property
    def matches_s(self) -> float:
        """Matches per second, from their beginning to their end."""
        return self.matches / self.spent_s


def paced(seconds: float, play: Callable[[random.Random], int]) -> Pace:
    """Play matches one after another until the processor time is spent; `play` returns the decisions of one."""
    source = random.Random(1)  # noqa: S311 - repeatable on purpose
    begun, matches, decisions = time.process_time(), 0, 0
    while True:
        decisions += play(source)
        matches += 1
        spent = time.process_time() - begun
        if spent >= seconds:
            return Pace(matches, decisions, spent)


def opened(game: Game[Any], chance: SeededChance, options: Mapping[str, Any] | None = None) -> State:
    """A match at its first question, with default options if none are given."""
    state: State = begin(game, game.created(created(game, options)), chance).state
    return state


def with_record(game: Game[Any], options: Mapping[str, Any] | None = None) -> Callable[[random.Random], int]:
    """Random play through `decide`, as in a live match."""

    def play(source: random.Random) -> int:
        chance = SeededChance(source)
        state, decisions = opened(game, chance, options), 0
        while state.result is None:
            state, decisions = answer(game, state, source, chance).state, decisions + 1
        return decisions

    return play


def in_thought(
    game: Game[Any], bots: tuple[Bot, ...], options: Mapping[str, Any] | None = None
) -> Callable[[random.Random], int]:
    """Playouts between these bots, which see the whole state."""

    def play(source: random.Random) -> int:
        chance, below, decisions = SeededChance(source), source.randrange, 0
        playout = Playout(game, opened(game, chance, options), chance)
        while not playout.is_over:
            asked = playout.state.asked[0]
            form = playout.form(asked)
            playout.choose(asked, bots[asked.seat].choose(playout.state, asked, form, below))
            decisions += 1
        return decisions

    return play


def search_report(name: str, seconds: float, options: Mapping[str, Any] | None = None) -> Report:
    """Decisions and matches per second of playouts, beside `decide` with the same random choices."""
    game = game_of(name)
    count = game.seats_of(dict(options or {}))
    decided = paced(seconds, with_record(game, options))
    idle = paced(seconds, in_thought(game, _bots(game, RANDOM, count), options))
    figures = [
        Figure(
            "playout, random",
            idle.decisions_s,
            "decisions/s",
            "decide, random",
            decided.decisions_s,
            PLAYOUT_FLOOR,
            "ratio",
            GOALS.get(name, 0),
        ),
        Figure("playout, random", idle.matches_s, "matches/s"),
    ]
    policy = next((bot for bot in bots_of(name) if bot == "steady"), None)
    if policy is not None:
        steady = paced(seconds, in_thought(game, _bots(game, policy, count), options))
        figures += [
            Figure(f"playout, {policy}", steady.decisions_s, "decisions/s"),
            Figure(f"playout, {policy}", steady.matches_s, "matches/s"),
        ]
    about = f"from the first question to the end, {idle.decisions:,} decisions, {seconds:g} s of processor time each"
    chosen = "".join(f" --option {option}={value}" for option, value in (options or {}).items())
    return Report(f"search --game {name}{chosen}", about, tuple(figures))


def _bots(game: Game[Any], name: str, count: int) -> tuple[Bot, ...]:
    return tuple(make_bot(game.name, name) for _ in range(count))
