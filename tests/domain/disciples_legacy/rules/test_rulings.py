"""Section 4 of the ledger, and the ends of a match."""

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import SHIPPED, index_of
from domain.disciples_legacy.cards.hooks import OPS, Window
from domain.disciples_legacy.rules.turn import strength
from domain.disciples_legacy.state.events import (
    AbilityUsed,
    CreditGiven,
    ItemMoved,
    ItemsBought,
    MembersDamaged,
    PartiesTraded,
    PlayerToAct,
    TurnBegan,
)
from domain.disciples_legacy.state.evolve import player_to_act
from domain.disciples_legacy.state.options import Options
from domain.kernel import Resigned, Seat
from domain.kernel.act import carry_out
from tests.domain.disciples_legacy.table import Table, fight, given

INDEX = index_of(None)
LONE = {"parties": [{"2": "K: knight_captain"}]}
FOE = {"parties": [{"2": "D: dread_duke"}]}


def last_turn(ours: str, theirs: str) -> Table:
    """Turn 3 of 3, in which both have one Leader left to act."""
    sides = ({"parties": [{"2": ours}]}, {"parties": [{"2": theirs}]})
    table = given(*sides, options={"turn_limit": 3}, turn=3)
    return table.do("RecruitCity K market_town", "RecruitCity D ash_town")


def test_dl_237_dl_f13_how_a_leader_comes_by_items() -> None:
    ours = {
        "parties": [{"2": "K: knight_captain +fire_orb"}, {"2": "R: longbow_ranger"}, {"2": "T: empire_thief"}],
        "hand": ["market_town", "tower_shield"],
    }
    table = given(
        ours, {"parties": [{"2": "D: dread_duke +hell_mail"}, {"2": "E: imp_herald"}, {"2": "F: arch_fiend"}]}
    )
    table.do("Shop R tower_shield", "RecruitCity D ash_town", "UseAbility T 0 D/hell_mail R", "RecruitCity E ash_town")
    table.do("Trade K R", "GiveItem K fire_orb", "SettleTrade")
    assert len(table.all(ItemsBought)) == len(table.all(ItemMoved)) == len(table.all(PartiesTraded)) == 1
    assert set(table.member("R").items) == {"tower_shield", "hell_mail", "fire_orb"}


def test_dl_f04_abilities_are_spent_or_tapped_for() -> None:
    windows = {ability.window for abilities in INDEX.abilities.values() for ability in abilities}
    assert {"S", "T"} <= windows <= set(get_args(Window))


def test_dl_f08_leaders_units_and_items_have_a_cost() -> None:
    costs = [leader.cost for leader in SHIPPED.major_leaders], [unit.cost for unit in SHIPPED.units]
    assert min(*costs[0], *costs[1], *(item.cost for item in SHIPPED.items)) == 1


def test_dl_f17_the_effects_that_the_rules_hint_at_are_there() -> None:
    assert {"unspend", "maxhp", "revive", "steal_item"} <= set(OPS)


def test_dl_q48_both_lose_their_last_living_member_at_once() -> None:
    table = fight([{"2": "K: knight_captain hp:1 poison:1x1 tapped"}], [{"2": "D: dread_duke hp:1 poison:1x1 tapped"}])
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.rule) == (None, "DL-Q48")


@pytest.mark.parametrize("table", [given(LONE, FOE), fight([{"2": "K: knight_captain"}], [{"2": "D: dread_duke"}])])
def test_dl_q49_dl_d28_who_concedes_at_any_time_loses(table: Table) -> None:
    match = replace(table.state, players=("Ann", "Ben"))
    over = carry_out(GAME, match, None, Resigned(Seat(1)), 0, table.chance)
    assert over.state.result is not None
    assert over.state.result.winner == 0


def test_dl_q52_nothing_but_an_attack_is_answered() -> None:
    ours = {
        "deck": "legions_a",
        "mana": ["red_mana"],
        "parties": [{"2": "K: dread_duke"}, {"2": "P: legions_rod_planter"}],
    }
    table = given(ours, FOE).do("Cast P fire_bolt D")
    assert table.kinds() == ["1 StrategicAction"]
    battle = fight([{"2": "K: knight_captain"}], [{"2": "D: dread_duke"}]).do("Strike K D")
    assert battle.kinds() == ["1 BattleAction"]


def test_dl_q60_a_match_is_over_after_20_turns_unless_agreed_otherwise() -> None:
    assert Options().turn_limit == 20
    assert Options(turn_limit=1).defects() == Options(turn_limit=60).defects() == []
    assert [Options(turn_limit=limit).defects() for limit in (0, 61)] == [["turn_limit: from 1 to 60 (DL-Q60)"]] * 2


@pytest.mark.parametrize(
    ("ours", "theirs", "winner"),
    [
        ("K: knight_captain hp:8", "D: dread_duke hp:8", None),
        ("K: knight_captain hp:7", "D: dread_duke hp:8", 1),
        ("K: knight_captain hp:1", "D: imp_herald hp:6", 0),
        ("K: knight_captain hp:8", "D: dread_duke hp:7", 0),
    ],
)
def test_dl_q60_after_the_last_turn_leaders_then_costs_then_hp_decide(
    ours: str, theirs: str, winner: int | None
) -> None:
    result = last_turn(ours, theirs).state.result
    assert result is not None
    assert (result.winner, result.rule) == (winner, "DL-Q60")
    decided = "both sides are equal" if winner is None else "more "
    assert result.reason.startswith(f"turn limit: {decided}")


def test_dl_q60_more_living_major_leaders_win_before_costs_count() -> None:
    ours = {"parties": [{"2": "K: banner_herald"}, {"2": "R: longbow_ranger spent hp:1"}]}
    theirs = {"parties": [{"2": "D: dread_duke", "1": "devil", "3": "devil"}]}
    table = given(ours, theirs, options={"turn_limit": 3}, turn=3)
    assert [strength(table.state, seat)[:2] for seat in (0, 1)] == [(2, 5), (1, 11)]
    table.do("RecruitCity K market_town", "RecruitCity D ash_town")
    assert table.state.result is not None
    assert table.state.result.winner == 0


def test_dl_q60_before_the_last_turn_play_goes_on() -> None:
    table = given(LONE, FOE, options={"turn_limit": 3}, turn=2)
    table.do("RecruitCity K market_town", "RecruitCity D ash_town")
    assert table.state.result is None
    assert table.one(TurnBegan).turn == 3


def test_dl_q68_what_a_card_text_does_cites_the_ruling_and_a_capital_its_own() -> None:
    thief = {"parties": [{"2": "K: dread_duke"}, {"2": "T: legions_thief"}]}
    table = given(thief, {"parties": [{"1": "S: squire", "2": "D: knight_captain"}]}).do("UseAbility T 1 S")
    assert table.one(AbilityUsed).ability == "S: damage(2)@enemy_unit"
    assert table.one(MembersDamaged).rule == "DL-Q68"
    healing = given({"parties": [{"2": "K: knight_captain hp:2"}]}, FOE, start="Healing")
    assert [(event.seat, event.rule) for event in healing.all(CreditGiven)] == [(0, "DL-Q51")]


def test_dl_q59_whoever_can_act_again_counts_as_skipped_no_more() -> None:
    ours = {"parties": [{"2": "K: knight_captain"}, {"2": "L: longbow_ranger"}]}
    theirs = {"parties": [{"2": "D: dread_duke spent"}]}
    table = given(ours, theirs).do("RecruitCity K market_town")
    assert table.side(1).skipped
    assert "Finish" in table.offers(0)
    again = player_to_act(table.state, PlayerToAct(Seat(1), able=True))
    assert not again.sides[1].skipped
