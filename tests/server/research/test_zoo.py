"""Games as PettingZoo environments: its own tests pass, and an agent sees what its seat sees."""

import json
import random
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from projections.plain import plain_face
from projections.registry import add, faces
from server.research.zoo import env, raw_env
from tests.skirmish.game import GAME as SKIRMISH

GAMES = ["vera_discordia", "war_for_edadh", "disciples_legacy", "joan_of_arc"]
CYCLES = 40


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    add(plain_face(SKIRMISH))


@pytest.fixture
def _observations_may_be_dicts() -> Iterator[None]:
    """PettingZoo's tests warn of every observation with a mask that is not of its own games."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        yield


def test_the_games_are_all_there_are() -> None:
    assert {*GAMES, "skirmish"} == set(faces())


@pytest.mark.usefixtures("_observations_may_be_dicts")
@pytest.mark.parametrize("game", [*GAMES, "skirmish"])
def test_an_environment_passes_the_test_of_the_interface(game: str) -> None:
    api_test(env(game), num_cycles=CYCLES)


@pytest.mark.usefixtures("_observations_may_be_dicts")
@pytest.mark.whole
@pytest.mark.parametrize("game", [*GAMES, "skirmish"])
def test_a_thousand_cycles_pass_too(game: str) -> None:
    api_test(env(game), num_cycles=1000)


@pytest.mark.parametrize("game", [*GAMES, "skirmish"])
def test_the_same_seed_plays_the_same_match(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=CYCLES)


def test_another_seed_plays_another_match() -> None:
    table = raw_env("skirmish")
    seen = []
    for seed in (1, 1, 2):
        table.reset(seed=seed)
        seen.append(table.observe("player_0")["observation"])
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0], seen[2])


def test_one_match_after_another_differs_and_a_seed_repeats_them_all() -> None:
    table = raw_env("skirmish")
    table.reset(seed=5)
    first = [_hand(table), *(_hand(table, again=True) for _ in range(2))]
    table.reset(seed=5)
    assert [_hand(table), *(_hand(table, again=True) for _ in range(2))] == first
    assert len(set(first)) > 1


def _hand(table: Any, *, again: bool = False) -> str:
    if again:
        table.reset()
    return json.dumps(table.seen("player_0")) + json.dumps(table.seen("player_1"))


def test_the_benchmark_of_performance_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock on which its five seconds are soon over."""
    ticks = iter(range(0, 1000, 3))
    monkeypatch.setattr(time, "time", lambda: float(next(ticks)))
    performance_benchmark(env("skirmish"))
    assert "turns per second" in capsys.readouterr().out


def test_an_agent_sees_its_own_hand_and_no_other() -> None:
    table = raw_env("skirmish")
    table.reset(seed=1)
    seen = table.seen("player_0")
    assert seen["view"]["hands"][1] == {"is": "hidden"}
    assert seen["view"]["hands"][0] != {"is": "hidden"}


def test_what_another_chose_in_secret_changes_nothing_that_an_agent_sees() -> None:
    """Both lay a card at once; the first has chosen, the second is asked."""
    found = []
    for number in (0, 1):
        table = raw_env("skirmish")
        table.reset(seed=3)
        assert table.agent_selection == "player_0"
        table.step(number)
        assert table.agent_selection == "player_1"
        found.append((table.observe("player_1"), table.seen("player_1"), table.seen("player_0")))
    (one, said, own), (other, same, otherwise) = found
    assert said == same
    assert all(np.array_equal(one[key], other[key]) for key in one)
    assert own != otherwise, "who chose knows what"


def test_what_was_said_towards_a_choice_is_seen_by_who_said_it() -> None:
    table = raw_env("vera_discordia")
    table.reset(seed=1)
    source = random.Random(1)
    for agent in table.agent_iter(400):
        if table.terminations[agent]:
            break
        before = table.observe(agent)["observation"]
        table.step(int(source.choice(np.flatnonzero(table.action_mask(agent)))))
        if table.position.said:
            assert table.agent_selection == agent
            assert len(table.seen(agent)["said"]) == len(table.position.said)
            assert not np.array_equal(before, table.observe(agent)["observation"])
            return
    pytest.fail("no wide form was met")


@pytest.mark.parametrize("number", [-1, 127])
def test_a_number_that_stands_for_nothing_is_refused_and_ends_the_match_where_it_is_enforced(number: int) -> None:
    table = raw_env("skirmish")
    table.reset(seed=1)
    with pytest.raises(IndexError):
        table.step(number)
    assert table.action_mask("player_0")[number] == 0


def test_who_wins_gets_one_and_who_loses_minus_one() -> None:
    table = raw_env("skirmish")
    found = set()
    for seed in range(20):
        table.reset(seed=seed)
        source = random.Random(seed)
        while table.position.won is None:
            agent = table.agent_selection
            table.step(int(source.choice(np.flatnonzero(table.action_mask(agent)))))
        found.add(tuple(table.rewards.values()))
        assert all(table.terminations.values())
    assert {(1.0, -1.0), (-1.0, 1.0)} <= found <= {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}


def test_the_table_is_drawn_for_who_is_asked() -> None:
    table = raw_env("skirmish", render_mode="ansi")
    table.reset(seed=1)
    drawn = table.render()
    assert drawn
    assert raw_env("skirmish").render() is None
    table.close()


def test_four_may_play_where_a_game_has_room() -> None:
    table = raw_env("joan_of_arc", {"seats": 4})
    table.reset(seed=1)
    assert table.agents == ["player_0", "player_1", "player_2", "player_3"]
