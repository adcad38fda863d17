"""Seeded random walks through any game, and the games there are."""

import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from domain.kernel import (
    Asked,
    Choice,
    Event,
    Game,
    HiddenDraw,
    Mask,
    MatchCreated,
    Play,
    PublicDraw,
    Seat,
    SeatTaken,
    begin,
    decide,
)
from domain.kernel.history import pauses, restored
from projections import registry
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

AnyGame = Game[Any]
CHOICES = 20_000
"""More choices than any match takes: a walk that meets the bound has found a match that does not end."""


def games() -> list[AnyGame]:
    """Every game that a package of `domain` exports as `GAME`, and the example games."""
    return [SKIRMISH, PENNANTS, *registry.games().values()]


OPTIONS: dict[str, list[dict[str, Any]]] = {
    "skirmish": [{"rounds": 1}],
    "pennants": [{"seats": 2}, {"seats": 4, "allied": True}, {"allied": True, "rounds": 1}],
    "disciples_legacy": [{"turn_limit": 3}],
    "joan_of_arc": [
        {"scenario": "s2_market_day", "forced_march": "on", "concentrated_fire": "on", "ransom": "on"},
        {"scenario": "s3_wyrm_of_rougemont", "cavalry_breakthrough": "on", "ransom": "off"},
        {"seats": 3},
        {"scenario": "s2_market_day", "seats": 4},
        {"scenario": "s3_wyrm_of_rougemont", "seats": 3},
    ],
    "vera_discordia": [
        {"competitive": True, "without_legendary": True},
        {"generals": ["orrin", "sevhal"], "same_faction": True},
        {"generals": ["skrell", "isaut"], "championship": True, "hurry_up_s": 60},
        {"without_generals": True, "without_flying": True, "without_terrain": True},
    ],
    "war_for_edadh": [
        {"game": "best_of_3"},
        {"quick_start": True},
        {"without_combat_masters": True},
        {"without_standards": True},
        {"without_stratagems": True},
        {"without_compositions": True},
        {"without_support": True},
        {
            "without_combat_masters": True,
            "without_standards": True,
            "without_stratagems": True,
            "without_compositions": True,
            "without_support": True,
        },
        {"game": "best_of_3", "without_support": True, "without_stratagems": True},
        {"terrain": "TE04", "tcts_rule": "always", "cap": 100},
    ],
}
"""Per game the options tried besides its defaults."""


class Table(NamedTuple):
    """A game and the options it is played with."""

    game: AnyGame
    options: dict[str, Any]

    def walk(self, seed: int) -> "Walk":
        """A random match."""
        return Walk(self.game, seed, self.options)


IN_EVERY_RUN: Final = 2
"""How many of a game's options to try belong to every run beside its defaults; the whole suite has them all."""


def tables() -> list[Any]:
    """Every game with its defaults and with the options to try, as parameters of tests."""
    found = [
        (Table(game, options), number > IN_EVERY_RUN)
        for game in games()
        for number, options in enumerate([{}, *OPTIONS.get(game.name, [])])
    ]
    return [
        pytest.param(table, id="-".join([table.game.name, *table.options]), marks=[pytest.mark.whole] * seldom)
        for table, seldom in found
    ]


def seeds(in_every_run: int, whole: int) -> list[Any]:
    """Seeds from 0 on as parameters of tests: how many belong to every run, and how many the whole suite has."""
    return [pytest.param(seed, marks=[pytest.mark.whole] * (seed >= in_every_run)) for seed in range(whole)]


def viewers(game: AnyGame, options: dict[str, Any] | None = None) -> list[Seat | None]:
    """Every seat of a match with these options, and a spectator (None)."""
    return [*(Seat(seat) for seat in range(game.seats_of(options or {}))), None]


def mask(viewer: Seat | None) -> Mask:
    """The viewer's bits."""
    return Mask(0 if viewer is None else 1 << viewer)


class Seeded:
    """Chance out of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.draws = self.shuffles = 0

    def dice(self, count: int, sides: int) -> PublicDraw:
        self.draws += 1
        return PublicDraw(self.draws, "", tuple(self.random.randint(1, sides) for _ in range(count)))

    def shuffle(self, size: int) -> HiddenDraw:
        self.shuffles += 1
        return HiddenDraw(self.shuffles, tuple(self.random.sample(range(size), size)))


def seated(game: AnyGame, options: dict[str, Any]) -> list[Event]:
    """The first lines of a match: everybody has sat down."""
    names = tuple(f"Player {seat}" for seat in range(game.seats_of(options)))
    taken = (SeatTaken(Seat(seat), name, "bot") for seat, name in enumerate(names))
    return [MatchCreated(game.name, options, names), *taken]


class Walk:
    """A random match under way: every event so far and the state they fold to."""

    def __init__(self, game: AnyGame, seed: int, options: dict[str, Any] | None = None) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.chance = Seeded(seed + 1)
        self.events = seated(game, options or {})
        resolver = begin(game, game.fold(self.events), self.chance)
        self.events += resolver.events
        self.state = resolver.state

    @property
    def over(self) -> bool:
        return self.state.result is not None

    def pick(self) -> tuple[Asked, Choice]:
        """An open decision and one of its choices."""
        asked = self.random.choice(self.state.asked)
        form = self.game.revive_decision(asked).form(self.state)
        return asked, form.sample(self.random.randrange)

    def step(self) -> Play[Any]:
        """Make a random choice."""
        return self.make(*self.pick())

    def make(self, asked: Asked, choice: Choice) -> Play[Any]:
        """Make this choice."""
        resolver: Play[Any] = decide(self.game, self.state, asked.seat, asked.number, choice, self.chance)
        self.events += resolver.events
        self.state = resolver.state
        return resolver

    def take_back(self) -> None:
        """Put everybody back to an earlier pause, where there is one."""
        found = [line for line in pauses(self.game, self.events) if line < len(self.events)]
        events = restored(self.game, self.events, self.random.choice(found)) if found else ()
        self.events += events
        self.state = self.game.fold(events, self.state)

    def steps(self, most: int = CHOICES) -> Iterator[Play[Any]]:
        """Random choices until the match is over, or `most` of them."""
        for _ in range(most):
            if self.over:
                return
            yield self.step()
