"""Games as OpenSpiel games: its own random simulations pass, chance is spelled out, players see their seats' views."""

from itertools import product

import numpy as np
import pyspiel
import pytest

from projections.plain import plain_face
from projections.registry import add
from server.research.spiel import TableState, _Fallen, load
from tests.skirmish.game import GAME as SKIRMISH


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._ADDED", {})
    add(plain_face(SKIRMISH))


@pytest.mark.parametrize("game", ["skirmish", "war_for_edadh", "vera_discordia", "joan_of_arc"])
def test_random_simulations_pass(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=False, verbose=False)


@pytest.mark.whole
@pytest.mark.parametrize("game", ["war_for_edadh", "vera_discordia", "joan_of_arc", "disciples_legacy"])
def test_random_simulations_pass_that_write_down_each_moment_and_find_it_again(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


def test_every_moment_is_written_down_and_found_again() -> None:
    pyspiel.random_sim_test(load("skirmish"), num_sims=3, serialize=True, verbose=False)


def test_options_are_part_of_a_game() -> None:
    game = load("joan_of_arc", {"seats": 4})
    assert game.num_players() == 4
    assert pyspiel.load_game(str(game)).num_players() == 4


def test_every_order_of_a_shuffle_falls_once() -> None:
    falls = product(range(4), range(3), range(2))
    orders = [_Fallen(fall, 0, 0).shuffle(4).values for fall in falls]
    assert len(set(orders)) == len(orders) == 24
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)


def to_a_question(state: TableState, falls: int = 0) -> TableState:
    while state.is_chance_node():
        state.apply_action(min(falls, len(state.chance_outcomes()) - 1))
    return state


def test_what_falls_is_even() -> None:
    state = load("skirmish").new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    assert len({chance for _, chance in outcomes}) == 1


def test_the_same_path_leads_to_the_same_moment_and_another_to_another() -> None:
    game = load("skirmish")
    one, same, other = (to_a_question(game.new_initial_state(), falls) for falls in (0, 0, 1))
    assert np.array_equal(one.observation(0), same.observation(0))
    assert not np.array_equal(one.observation(0), other.observation(0))


def test_a_player_is_not_told_what_another_chose_in_secret() -> None:
    game = load("skirmish")
    found = []
    for number in (0, 1):
        state = to_a_question(game.new_initial_state())
        state.apply_action(state.legal_actions()[number])
        assert state.current_player() == 1
        found.append((state.observation_string(1), tuple(state.observation_tensor(1)), state.observation_string(0)))
    assert found[0][:2] == found[1][:2]
    assert found[0][2] != found[1][2]


def test_a_copy_goes_its_own_way() -> None:
    state = to_a_question(load("skirmish").new_initial_state())
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert (state.current_player(), copy.current_player()) == (0, 1)
