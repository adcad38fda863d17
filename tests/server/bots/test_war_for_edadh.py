"""The steady bot of War for Edaðh: it mixes well, keeps to its options, is quick, and beats random play."""

import random
import time
from typing import Any

import pytest

from domain.kernel import MatchCreated, Seat, decide
from domain.war_for_edadh import GAME
from domain.war_for_edadh.positions import POSITIONS
from domain.war_for_edadh.state import WarState
from server.bots import make_bot
from server.bots.war_for_edadh import lay_matrix, mixture
from tests.skirmish.test_game import Dice

SLOWEST_S = 0.25
"""Far above the 50 ms meant, so that a busy machine fails no test."""


def duel(seed: int, names: tuple[str, str], options: dict[str, Any]) -> tuple[int | None, float]:
    """The winner, and the longest any decision took."""
    rng, chance = random.Random(seed), Dice(seed)
    bots = [make_bot(GAME.name, name) for name in names]
    state = GAME.begin(GAME.created(MatchCreated(GAME.name, options, ("a", "b"))), chance).state
    slowest = 0.0
    while state.asked:
        asked = rng.choice(state.asked)
        view = POSITIONS.view(state, asked.seat)
        form = GAME.revive_decision(asked).form(view)
        before = time.perf_counter()
        choice = bots[asked.seat].choose(view, asked, form, rng.randrange)
        slowest = max(slowest, time.perf_counter() - before)
        state = decide(GAME, state, asked.seat, asked.number, choice, chance).state
    assert state.result is not None
    return state.result.winner, slowest


def test_a_known_game_is_solved() -> None:
    """Stone, paper and scissors with a stone that wins double: a quarter, a half, a quarter."""
    found = mixture([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 20_000)
    assert found == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_the_mixture_of_a_round_can_hardly_be_exploited() -> None:
    state, _ = POSITIONS.read({}, {})
    matrix = lay_matrix(state, Seat(0))
    mine = mixture(matrix)
    worst = min(sum(p * row[column] for p, row in zip(mine, matrix, strict=True)) for column in range(12))
    theirs = mixture([[-matrix[row][column] for row in range(12)] for column in range(12)])
    best = max(sum(p * cell for p, cell in zip(theirs, row, strict=True)) for row in matrix)
    assert best - worst < 2.5


def test_what_a_pair_is_worth_is_the_same_from_both_sides() -> None:
    state, _ = POSITIONS.read({}, {})
    ours, theirs = lay_matrix(state, Seat(0)), lay_matrix(state, Seat(1))
    for own in range(12):
        for enemy in range(12):
            assert isinstance(state, WarState)
            assert ours[own][enemy] == pytest.approx(-theirs[enemy][own])


@pytest.mark.parametrize("options", [{}, {"quick_start": True}, {"game": "best_of_3"}])
def test_steady_plays_every_game_to_its_end(options: dict[str, Any]) -> None:
    _, slowest = duel(5, ("steady", "steady"), options)
    assert slowest < SLOWEST_S


def test_steady_beats_random() -> None:
    won = 0
    for seed in range(24):
        names = ("steady", "random") if seed % 2 == 0 else ("random", "steady")
        winner, _ = duel(seed, names, {})
        won += winner == seed % 2
    assert won >= 17
