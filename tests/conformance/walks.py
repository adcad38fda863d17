"""All games, and the tables at which they are tried."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from projections import registry
from server.conformance.walks import AnyGame, PlayedGame
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH


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


IN_EVERY_RUN: Final = 2
"""How many of a game's options to try belong to every run beside its defaults; the whole suite has most of them."""


NIGHTLY: Final[Mapping[str, frozenset[int]]] = {
    "joan_of_arc": frozenset({5}),
    "war_for_edadh": frozenset(range(3, 8)),
}
"""By game the numbers of options to try whose values others have too, together or apart: nightly runs have them all."""


def tried(game: AnyGame) -> list[tuple[int, dict[str, Any]]]:
    """A game's options of the whole suite, each with its number; 0 are the defaults."""
    numbered = list(enumerate([{}, *OPTIONS.get(game.name, [])]))
    return [(number, options) for number, options in numbered if number not in NIGHTLY.get(game.name, ())]


def tables() -> list[Any]:
    """Every game with its defaults and with the options to try, as parameters of tests."""
    return [
        pytest.param(PlayedGame(game, options), id="-".join([game.name, *options]), marks=_length(game, number))
        for game in games()
        for number, options in enumerate([{}, *OPTIONS.get(game.name, [])])
    ]


def _length(game: AnyGame, number: int) -> list[pytest.MarkDecorator]:
    if number in NIGHTLY.get(game.name, ()):
        return [pytest.mark.deep]
    return [pytest.mark.whole] * (number > IN_EVERY_RUN)


def seeds(in_every_run: int, whole: int, deep: int = 0) -> list[Any]:
    """Seeds from 0 on as parameters of tests: how many belong to every run, how many the whole suite has, and how many
    the nightly one, where those are more."""
    some = [pytest.param(seed, marks=[pytest.mark.whole] * (seed >= in_every_run)) for seed in range(whole)]
    return [*some, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(whole, deep))]
