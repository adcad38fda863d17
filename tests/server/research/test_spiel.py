"""Games as OpenSpiel games: its own random simulations pass, chance is spelled out, players see their seats' views."""

import json
import pickle
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from projections import registry
from projections.plain import plain_face
from projections.registry import add
from server.research.spiel import SpielState, _Fallen, load
from tests.skirmish.game import GAME as SKIRMISH


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    add(plain_face(SKIRMISH))


@pytest.mark.parametrize("game", ["skirmish", "war_for_edadh", "vera_discordia", "joan_of_arc"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_random_simulations_pass(game: str, *, simultaneous: bool) -> None:
    pyspiel.random_sim_test(load(game, simultaneous=simultaneous), num_sims=1, serialize=False, verbose=False)


@pytest.mark.whole
@pytest.mark.parametrize(
    "game",
    [
        *("war_for_edadh", "vera_discordia", "joan_of_arc"),
        pytest.param("disciples_legacy", marks=pytest.mark.deep),  # whose matches are long
    ],
)
def test_random_simulations_pass_that_write_down_each_moment_and_find_it_again(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.whole
@pytest.mark.parametrize("game", ["war_for_edadh", "vera_discordia", "joan_of_arc", "disciples_legacy"])
def test_random_simulations_pass_whose_players_act_at_once(game: str) -> None:
    pyspiel.random_sim_test(load(game, simultaneous=True), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("simultaneous", [False, True])
def test_every_moment_is_written_down_and_found_again(*, simultaneous: bool) -> None:
    pyspiel.random_sim_test(load("skirmish", simultaneous=simultaneous), num_sims=3, serialize=True, verbose=False)


def test_options_are_part_of_a_game() -> None:
    game = load("joan_of_arc", {"seats": 4})
    assert game.num_players() == 4
    assert pyspiel.load_game(str(game)).num_players() == 4


def test_every_order_of_a_shuffle_falls_once() -> None:
    falls = product(range(4), range(3), range(2))
    orders = [_Fallen(fall, 0, 0).shuffle(4).values for fall in falls]
    assert len(set(orders)) == len(orders) == 24
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)


def to_a_question(state: SpielState, falls: int = 0) -> SpielState:
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


def together(game: str) -> SpielState:
    """A state at which two act at once."""
    state = load(game, simultaneous=True).new_initial_state()
    rng = Random(5)
    while not state.is_simultaneous_node():
        actions = state.legal_actions()
        state.apply_action(rng.choice(actions))
    return state


def test_who_chooses_at_once_acts_at_once_and_sees_nothing_of_the_other() -> None:
    found = []
    for number in (0, 1):
        state = together("skirmish")
        assert state.current_player() == pyspiel.PlayerId.SIMULTANEOUS
        assert all("options" in state.known(player) for player in (0, 1))
        state.apply_actions([state.legal_actions(0)[number], state.legal_actions(1)[0]])
        found.append(to_a_question(state).known(1))
    assert found[0] != found[1], "what was chosen is seen once all have chosen"


def test_a_choice_of_several_steps_takes_as_many_nodes_and_who_has_one_waits() -> None:
    state, waited, nodes = together("war_for_edadh"), 0, 0
    rng = Random(7)
    before = [state.known(player) for player in (0, 1)]
    while state.is_simultaneous_node():
        joint = [rng.choice(state.legal_actions(player)) for player in (0, 1)]
        waits = [state.action_to_string(player, joint[player]) == "wait" for player in (0, 1)]
        assert not all(waits)
        other = state.clone()
        if not any(waits):
            other.apply_actions([rng.choice(other.legal_actions(0)), joint[1]])
        state.apply_actions(joint)
        if state.is_simultaneous_node() and other.is_simultaneous_node() and not any(waits):
            assert state.known(1) == other.known(1)
            assert np.array_equal(state.observation(1), other.observation(1))
        waited += any(waits)
        nodes += 1
    assert nodes > 2
    assert waited
    assert before != [state.known(player) for player in (0, 1)]


def view(state: SpielState, player: int) -> Any:
    return json.loads(state.known(player) or "{}").get("view")


def test_at_once_and_one_after_another_come_to_the_same() -> None:
    joint, turns = (load("skirmish", simultaneous=mode).new_initial_state() for mode in (True, False))
    rng = Random(9)
    while not turns.is_terminal():
        if joint.is_simultaneous_node():
            both = [rng.choice(joint.legal_actions(player)) for player in (0, 1)]
            joint.apply_actions(both)
            for action in both:
                turns.apply_action(action)
            continue
        assert joint.current_player() == turns.current_player()
        action = rng.choice(turns.legal_actions())
        joint.apply_action(action)
        turns.apply_action(action)
        if not turns.is_chance_node():  # else what was known before the choices is shown until chance has fallen
            assert [view(joint, player) for player in (0, 1)] == [view(turns, player) for player in (0, 1)]
    assert joint.is_terminal()
    assert joint.returns() == turns.returns()


def test_who_waits_can_do_nothing_else() -> None:
    state = together("war_for_edadh")
    rng = Random(7)
    while state.is_simultaneous_node():
        for player in (0, 1):
            if state.action_to_string(player, 0) == "wait":
                assert state.legal_actions(player) == [0]
                with pytest.raises(IndexError):
                    state._moment.joint.after([1, 1])  # type: ignore[union-attr]
                return
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
    raise AssertionError("nobody waited")


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("name", ["vera_discordia", "joan_of_arc"])
def test_a_game_and_its_moments_survive_a_pickle(name: str, *, simultaneous: bool) -> None:
    game = load(name, simultaneous=simultaneous)
    again = pickle.loads(pickle.dumps(game))
    assert again.get_type().short_name == game.get_type().short_name
    assert again.num_players() == game.num_players()


def test_the_options_of_a_game_survive_a_pickle() -> None:
    game = load("vera_discordia", {"without_terrain": True})
    assert pickle.loads(pickle.dumps(game)).terms.options == {"without_terrain": True}


@pytest.mark.parametrize("name", sorted(registry.games()))
def test_a_state_drawn_anew_is_the_same_to_its_player_and_goes_on_to_the_end(name: str) -> None:
    source = Random(7)
    state, others = load(name).new_initial_state(), 0
    for number in range(60):
        while state.is_chance_node():
            state.apply_action(source.choice([action for action, _ in state.chance_outcomes()]))
        if state.is_terminal():
            break
        player = state.current_player()
        if number % 10 == 0:
            drawn = state.resample_from_infostate(player, source.random)
            assert drawn.known(player) == state.known(player)
            assert drawn.legal_actions() == state.legal_actions()
            others += any(drawn.known(seat) != state.known(seat) for seat in range(load(name).num_players()))
            while not drawn.is_terminal():
                chance = drawn.is_chance_node()
                offered = [action for action, _ in drawn.chance_outcomes()] if chance else drawn.legal_actions()
                drawn.apply_action(source.choice(offered))
        state.apply_action(source.choice(state.legal_actions()))
    assert others


def test_a_state_drawn_anew_has_no_history_and_is_drawn_only_where_a_seat_acts() -> None:
    state = load("skirmish").new_initial_state()
    assert state.is_chance_node()
    with pytest.raises(ValueError, match="where one seat is to act"):
        state.resample_from_infostate(0, Random(1).random)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    drawn = state.resample_from_infostate(state.current_player(), Random(1).random)
    with pytest.raises(TypeError, match="has no history"):
        pickle.dumps(drawn._moment)
