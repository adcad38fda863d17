"""The steady bot of War for Edaðh: it mixes well, keeps to its options and beats random play."""

import random
from typing import Any

import pytest

from domain.kernel import MatchCreated, Result, Seat, begin, decide
from domain.war_for_edadh import GAME
from domain.war_for_edadh.positions.positions import POSITIONS
from domain.war_for_edadh.state.state import WarState
from server.bots import make_bot
from server.bots.mixing import Matrix, mixture, turned
from server.bots.war_for_edadh import lay_matrix
from server.conformance.walks import Seeded, Walk


def duel(seed: int, names: tuple[str, str], options: dict[str, Any]) -> Result:
    """How the match ends."""
    rng, chance = random.Random(seed), Seeded(seed)
    bots = [make_bot(GAME.name, name) for name in names]
    state = begin(GAME, GAME.created(MatchCreated(GAME.name, options, ("a", "b"))), chance).state
    while state.asked:
        asked = rng.choice(state.asked)
        view = POSITIONS.view(state, asked.seat)
        form = GAME.revive_decision(asked).form(view)
        choice = bots[asked.seat].choose(view, asked, form, rng.randrange)
        state = decide(GAME, state, asked.seat, asked.number, choice, chance).state
    assert state.result is not None
    return state.result


def least(mine: list[float], matrix: Matrix) -> float:
    """What a mixture is worth against somebody who knows it."""
    return min(sum(p * row[n] for p, row in zip(mine, matrix, strict=True)) for n in range(len(matrix[0])))


def most(matrix: Matrix) -> float:
    """The most that any mixture can be worth: what the column player's best mixture concedes."""
    theirs = turned(matrix)
    return -least(mixture(theirs), theirs)


def test_a_game_that_is_turned_is_won_by_who_lost_it() -> None:
    assert turned([[1.0, -2.0, 0.0], [3.0, 4.0, 5.0]]) == [[-1.0, -3.0], [2.0, -4.0], [0.0, -5.0]]


def test_a_known_game_is_solved() -> None:
    """Stone, paper and scissors with a stone that wins double: a quarter, a half, a quarter."""
    assert mixture([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]) == pytest.approx([0.25, 0.5, 0.25])


@pytest.mark.parametrize("seed", range(60))
def test_no_mixture_can_be_exploited(seed: int) -> None:
    """The mixture is a Nash solution: against its best response it is worth the game's value, whatever the matrix."""
    rng = random.Random(seed)
    rows, columns = (12, 12) if seed % 2 else (rng.randint(1, 12), rng.randint(1, 12))
    cells = range(-3, 4) if seed % 3 else range(-40, 41)
    matrix = [[float(rng.choice(cells)) for _ in range(columns)] for _ in range(rows)]
    mine = mixture(matrix)
    assert sum(mine) == pytest.approx(1)
    assert min(mine) >= 0
    assert least(mine, matrix) == pytest.approx(most(matrix), abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_the_mixture_of_every_round_is_a_nash_solution_of_its_matrix(seed: int) -> None:
    walk = Walk(GAME, seed, {"game": "best_of_3"} if seed % 2 else {})
    rounds = 0
    for _ in walk.steps():
        for asked in walk.state.asked:
            if asked.kind == "MasteryLay":
                matrix = lay_matrix(POSITIONS.view(walk.state, asked.seat), asked.seat)
                assert least(mixture(matrix), matrix) == pytest.approx(most(matrix), abs=1e-6)
                rounds += 1
    assert rounds > 10


def test_what_a_pair_is_worth_is_the_same_from_both_sides() -> None:
    state, _ = POSITIONS.read({}, {})
    ours, theirs = lay_matrix(state, Seat(0)), lay_matrix(state, Seat(1))
    for own in range(12):
        for enemy in range(12):
            assert isinstance(state, WarState)
            assert ours[own][enemy] == pytest.approx(-theirs[enemy][own])


@pytest.mark.parametrize("options", [{}, {"quick_start": True}, {"game": "best_of_3"}])
def test_steady_plays_every_game_to_its_end(options: dict[str, Any]) -> None:
    assert duel(5, ("steady", "steady"), options).reason


def test_steady_beats_random() -> None:
    won = 0
    for seed in range(24):
        names = ("steady", "random") if seed % 2 == 0 else ("random", "steady")
        won += duel(seed, names, {}).winner == seed % 2
    assert won >= 17
