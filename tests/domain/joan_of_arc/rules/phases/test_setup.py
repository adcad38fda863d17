"""Rows of set-up and of the structure of rounds."""

from typing import Any, Final, get_args

import pytest
from msgspec import ValidationError, convert

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from domain.joan_of_arc.cards.cards import SHIPPED
from domain.joan_of_arc.state.events import (
    BoardLaid,
    LegendDrawn,
    PhaseBegan,
    PileShuffled,
    RallyPointPlaced,
    ResourcesTaken,
    TurnBegan,
    UnitsPlaced,
)
from domain.joan_of_arc.state.options import Options, ScenarioName, rules_of, scenario_of
from domain.joan_of_arc.state.state import UnitId
from domain.kernel import Event, Shuffled
from server.conformance.walks import Walk

FORD: Final = "s1_ford_at_brossay"
MARKET: Final = "s2_market_day"
WYRM: Final = "s3_wyrm_of_rougemont"


def begun(name: str, seed: int = 1) -> Walk:
    """A match of a scenario at its first question."""
    return Walk(GAME, seed, {"scenario": name})


def of(walk: Walk, kind: type[Event]) -> list[Any]:
    return [event for event in walk.events if isinstance(event, kind)]


def test_ja_001_ja_338_one_scenario_fixes_all_and_optional_rules_are_switched_one_by_one() -> None:
    assert scenario_of(Options(FORD)).id == FORD
    assert rules_of(Options(FORD)).cavalry_breakthrough
    switched = rules_of(Options(FORD, cavalry_breakthrough="off", ransom="on"))
    assert (switched.cavalry_breakthrough, switched.ransom, switched.forced_march) == (False, True, False)
    assert tuple(SHIPPED_SCENARIOS) == get_args(ScenarioName) == (FORD, MARKET, WYRM)
    with pytest.raises(ValidationError, match=r"Invalid enum value 'nowhere' - at `\$\.scenario`"):
        convert({"scenario": "nowhere"}, Options)


def test_ja_002_ja_035_ja_034_ja_039_the_scenarios_first_player_goes_first_in_every_round() -> None:
    walk = begun(FORD)
    list(walk.steps())
    turns = [event.seat for event in of(walk, TurnBegan)]
    assert turns[:4] == [1, 0, 1, 0]
    phases = [event.phase for event in of(walk, PhaseBegan)]
    assert phases[:7] == ["council", "orders", "reserve", "orders", "reserve", "camp", "council"]


def test_ja_003_ja_008_ja_009_ja_010_board_units_and_rally_points_stand_as_the_scenario_says() -> None:
    walk = begun(FORD)
    laid = of(walk, BoardLaid)[0]
    assert laid.lying["0,0:a"].elements == ("tree", "tree")
    assert len(laid.edges) == 2
    units = walk.state.field.units
    assert len(units) == 14
    prince = units[UnitId("e_black_prince_1#1")]
    assert (prince.owner, prince.area, prince.card) == (0, "-1,0:a", "e_black_prince_1")
    assert units[UnitId("e_bowmen#3")].area == "-1,1:a"
    assert [(event.side, event.area) for event in of(walk, RallyPointPlaced)] == [
        ("english", "-1,0:a"),
        ("french", "2,0:a"),
    ]


def test_ja_004_ja_005_ja_006_ja_013_decks_lie_shuffled_face_down() -> None:
    walk = begun(FORD)
    sizes = {event.pile: event.count for event in of(walk, PileShuffled)}
    tactics = sum(card.type == "T" for card in SHIPPED.legend)
    assert sizes == {"council": 16, "rounds": 5, "legend": tactics, "tactics": 3, "myth": 3}
    assert len(of(walk, Shuffled)) == 5
    assert sorted(begun(FORD, 2).state.piles["council"].cards) != list(begun(FORD, 3).state.piles["council"].cards)


def test_ja_007_discussion_cards_of_whom_one_can_talk_to_are_kept_by_the_board() -> None:
    sizes = {event.pile: event.count for event in of(begun(MARKET), PileShuffled)}
    assert {name: size for name, size in sizes.items() if ":" in name} == {
        "c_blacksmith:1": 4,
        "c_blacksmith:2": 1,
        "c_priest:1": 4,
        "c_priest:2": 1,
    }


def test_ja_011_ja_012_ja_015_each_player_has_the_listed_resources_cards_and_stakes() -> None:
    walk = begun(FORD)
    taken = {event.seat: event for event in of(walk, ResourcesTaken)}
    assert (taken[0].xp, taken[0].legend, taken[0].reroll, taken[0].orders.interrupt) == (3, 2, True, 1)
    assert (taken[0].stakes, taken[1].stakes) == (1, 0)
    assert {event.seat: event.count for event in of(walk, LegendDrawn)} == {0: 2, 1: 2}
    assert not any(board.holds_intrigue for board in walk.state.boards)
    assert [board.intrigue_card for board in begun(MARKET).state.boards] == ["i_english", "i_french"]


def test_ja_014_civilians_are_nobodys_and_hold_the_tokens_of_their_discussion() -> None:
    walk = begun(MARKET)
    placed = next(event for event in of(walk, UnitsPlaced) if event.owner is None)
    assert [(unit.id, unit.tokens) for unit in placed.units][:2] == [("c_priest#1", 2), ("c_blacksmith#1", 1)]


@pytest.mark.parametrize(("name", "tiles"), [(FORD, 0), (WYRM, 3)])
def test_ja_016_ja_351_ja_403_two_sky_tiles_and_one_for_each_gigantic_creature_if_anything_flies(
    name: str, tiles: int
) -> None:
    walk = begun(name)
    assert len(of(walk, BoardLaid)[0].sky) == tiles == len(set(walk.state.sky))
    assert not hasattr(of(walk, BoardLaid)[0], "away")


def test_ja_368_a_gigantic_creature_stands_in_its_hex_from_the_start() -> None:
    assert begun(WYRM).state.field.units[UnitId("m_dragon#1")].area == "-1,0:a"


def test_ja_244_the_match_ends_with_the_round_in_which_the_round_deck_is_empty() -> None:
    walk = begun(FORD)
    list(walk.steps())
    result = walk.state.result
    assert result.rule in {"JA-245", "JA-247"}
    assert walk.state.round <= 5
