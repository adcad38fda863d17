"""Rows of three and four players: seats, sides, shared forces."""

from typing import Any, get_args

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS, Scenario
from domain.joan_of_arc.checks.scenario_checks import option_defects, scenario_defects
from domain.joan_of_arc.state.events import InterruptOffered, OrderPlayed, PointsScored, TurnBegan, UnitsActivated
from domain.joan_of_arc.state.options import Options, ScenarioName, scenario_of, seats_of, sides_of
from server.conformance.walks import Walk
from tests.domain.joan_of_arc.fixtures import L0, L1
from tests.domain.joan_of_arc.table import given

NAMES = get_args(ScenarioName)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [3, 4])
def test_ja_036_ja_037_ja_q91_a_scenario_for_two_is_one_for_three_and_four_without_a_defect(
    name: ScenarioName, seats: int
) -> None:
    options = Options(name, seats=seats)  # type: ignore[arg-type]  # one of the numbers
    found = scenario_of(options)
    assert scenario_of(options) is found
    assert not list(option_defects(options))
    assert not [defect for defect in scenario_defects(found, "shared") if not defect.advice]
    assert [player.side for player in found.players] == [found.players[at % 2].side for at in range(seats)]
    assert (seats_of(options), len(sides_of(options))) == (seats, 2)


@pytest.mark.parametrize("name", NAMES)
def test_ja_q91_forces_and_tokens_of_a_side_are_shared_and_none_is_lost(name: ScenarioName) -> None:
    plain, four = SHIPPED_SCENARIOS[name], scenario_of(Options(name, seats=4))
    assert sorted(unit[1:] for unit in plain.units) == sorted(unit[1:] for unit in four.units)

    def total(scenario: Scenario, side: str) -> tuple[int, ...]:
        seats = [player.seat for player in scenario.players if player.side == side]
        given = [scenario.resources[seat] for seat in seats]
        return tuple(sum(getattr(each, name) for each in given) for name in ("xp", "legend", "reroll", "legend_cards"))

    for side in ("english", "french"):
        assert total(plain, side) == total(four, side)
    assert {owner for owner, _, _ in four.units} == {"P1", "P2", "P3", "P4"}


def test_ja_037_a_scenario_for_three_is_not_shared_out() -> None:
    own = scenario_of(Options(seats=3))
    assert list(option_defects(Options(own=own, seats=4))) == [f"seats: {own.id} is for 3 players, not for 4"]


def test_ja_034_ja_035_ja_036_each_player_has_a_turn_in_order_before_the_camp_phase() -> None:
    walk = Walk(GAME, 4, {"seats": 3})
    list(walk.steps())
    turns = [event.seat for event in walk.events if isinstance(event, TurnBegan)]
    assert turns[:6] == [0, 1, 2, 0, 1, 2]


def three(**ours: Any) -> dict[str, Any]:
    units = ["e1: e_billmen @L0"]
    return {
        "seat0": {"orders": "1 command, 1 reactivation", "units": units, **ours},
        "seat1": {"orders": "1 interrupt", "units": ["f1: f_voulgiers @L4"]},
        "seat2": {"orders": "1 interrupt", "units": ["e2: e_billmen @L0"]},
    }


def test_ja_179_equipment_is_handed_to_a_team_mates_character() -> None:
    seats = three(units=["t: e_talbot @L0 +et_great_shield"])
    seats["seat2"]["units"] = ["b: e_fastolf @L0"]
    table = given(**seats).do("GiveEquipment t b et_great_shield")
    assert (table.unit("t").equipment, table.unit("b").equipment) == ((), ("et_great_shield",))


def test_ja_q08_an_order_activates_only_the_units_of_its_player_and_team_mates_areas_are_allied() -> None:
    table = given(**three()).do(f"PlayOrder command {L0}")
    assert [event.units for event in table.of(UnitsActivated)] == [("e1",)]
    table.do(f"Move {L1}")
    joined = given(**three() | {"seat2": {"units": ["e2: e_billmen @L1"]}}).do(f"PlayOrder command {L0}")
    assert f"Move {L1}" in joined.offers()


def test_ja_071_ja_q12_opponents_are_asked_and_team_mates_are_not() -> None:
    table = given(**three()).do(f"PlayOrder command {L0}", "Wait")
    assert [event.seat for event in table.of(InterruptOffered)] == [1]
    assert table.kinds() == ["1 InterruptOffer"]


def test_ja_072_the_first_yes_closes_the_window_for_other_opponents() -> None:
    seats = three() | {"seat3": {"orders": "1 interrupt", "units": ["f2: f_voulgiers @L3"]}}
    table = given(**seats).do(f"PlayOrder command {L0}", "Wait", "1: Interrupt 4,0:a", "Wait")
    assert [event.seat for event in table.of(InterruptOffered)] == [1]
    assert [event.seat for event in table.of(OrderPlayed)] == [0, 1]


def test_ja_247_ja_q91_a_side_wins_with_all_its_seats_and_vp_are_the_sides() -> None:
    victory = {
        "camp": [{"if": {"area_held": "0,0:a"}, "vp": 1}],
        "instant": [{"if": {"vp_at_least": 1}, "winner": "P3"}],
    }
    table = given(start="Camp", victory=victory, **three())
    assert [(event.side, event.points) for event in table.of(PointsScored)] == [("english", 1)]
    assert table.state.result is not None
    assert table.state.result.won == (0, 2)
