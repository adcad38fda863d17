"""The matches of every run of the tests in which every viewer tries to tell worlds apart."""

from collections.abc import Mapping, Sequence
from typing import Final

from server.conformance.walks import AnyGame, PlayedGame
from tests.conformance.walks import OPTIONS, tried

SEEDS: Final = range(3)
"""The matches of every run of the tests."""

FURTHER: Final[Mapping[str, Sequence[tuple[int, int]]]] = {
    "disciples_legacy": [(0, 6)],
    "vera_discordia": [(3, 25), (0, 35)],
}
"""Matches that reach situations that the others do not, by game: the number of the options to try, and the seed."""


def matches(game: AnyGame) -> list[tuple[PlayedGame, int]]:
    """The tables and seeds of every run of the tests."""
    options = [{}, *OPTIONS.get(game.name, [])]
    found = [(PlayedGame(game, given), seed) for _, given in tried(game) for seed in SEEDS]
    return [*found, *((PlayedGame(game, options[number]), seed) for number, seed in FURTHER.get(game.name, ()))]
