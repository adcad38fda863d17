"""Rows of the council phase: round card, river, upkeep."""

from typing import Any

from domain.joan_of_arc.state.events import (
    CharacterReverted,
    CouncilCardDrawn,
    EffectSkipped,
    LegendDrawn,
    OrdersGained,
    RallyPointMoved,
    RiverCleared,
    RoundCardFlipped,
    UnitDestroyed,
    UpkeepPaid,
    WarCouncilChosen,
)
from tests.domain.joan_of_arc.fixtures import L3, L4
from tests.domain.joan_of_arc.table import Table, given

RIVER = ["wc_muster", "wc_spurs", "wc_drill"]


def council(**position: Any) -> Table:
    """The council phase, with a river of muster, spurs and drill unless it says otherwise."""
    decks = {"council": RIVER, "rounds": ["round_a"], **position.pop("decks", {})}
    units = {"seat0": {"units": ["e1: e_billmen @L0"]}, "seat1": {"units": ["f1: f_voulgiers @L4"]}}
    return given(start="Council", decks=decks, **{**units, **position})


def test_ja_040_ja_041_ja_x01_a_round_card_gives_orders_without_a_cap() -> None:
    table = council(
        seat0={"orders": "2 command, 1 charge", "units": ["e1: e_billmen @L0"]}, seat1={"orders": "3 command"}
    )
    assert [event.card for event in table.of(RoundCardFlipped)] == ["round_a"]
    assert [(event.seat, event.count) for event in table.of(OrdersGained)] == [(0, 3), (1, 3)]
    shown = table.shown()
    assert (shown["seat0"]["orders"], shown["seat1"]["orders"]) == ("5 command, 1 charge", "6 command")


def test_ja_042_ja_043_ja_044_ja_045_ja_x02_a_river_of_three_different_cards_stays_for_both() -> None:
    table = council(decks={"council": ["wc_muster", "wc_muster", "wc_spurs", "wc_banners"]})
    assert [(event.card, event.kept) for event in table.of(CouncilCardDrawn)] == [
        ("wc_muster", True),
        ("wc_muster", False),
        ("wc_spurs", True),
        ("wc_banners", True),
    ]
    assert table.state.piles["council"].discards == ("wc_muster",)
    assert table.kinds() == ["0 CouncilPick"]
    assert table.refused("TakeCouncilCard wc_drill") == "JA-044"
    table.do("TakeCouncilCard wc_spurs")
    assert table.kinds() == ["1 CouncilPick"]
    table.do("TakeCouncilCard wc_spurs")
    assert [event.seat for event in table.of(WarCouncilChosen)] == [0, 1]
    assert [board.orders.charge for board in table.state.boards] == [1, 1]
    assert table.state.river == ("wc_muster", "wc_spurs", "wc_banners")


def test_ja_046_ja_q07_last_rounds_river_goes_before_the_next_is_drawn() -> None:
    table = council(river=["wc_spies", "wc_spies"], decks={"council": ["wc_ballad", "wc_drill", "wc_ambush"]})
    assert len(table.of(RiverCleared)) == 1
    assert table.state.river == ("wc_ballad", "wc_drill", "wc_ambush")
    assert table.state.piles["council"].discards == ("wc_spies", "wc_spies")


def test_ja_q07_an_empty_council_deck_is_made_of_its_discards() -> None:
    drawn = ["wc_muster", "wc_spurs"]
    rest = [f"2 {name}" for name in ("wc_countermarch", "wc_ambush", "wc_ballad", "wc_banners", "wc_spies", "wc_drill")]
    table = council(decks={"council": drawn}, discards={"council": [*rest, *drawn]})
    assert len(table.state.river) == 3
    assert table.state.piles["council"].discards == ()


def test_ja_d01_ja_392_a_ballad_draws_a_legend_card() -> None:
    table = council(decks={"council": ["wc_ballad", "wc_drill", "wc_spies"], "legend": ["lm_bless"]})
    table.do("TakeCouncilCard wc_ballad")
    assert [(event.seat, event.count) for event in table.of(LegendDrawn)] == [(0, 1)]
    assert table.state.boards[0].hand == ("lm_bless",)
    assert table.state.boards[0].legend == 1


def test_ja_198_a_second_reroll_token_is_not_taken() -> None:
    units = ["e1: e_billmen @L0"]
    table = council(decks={"council": ["wc_spies", "wc_drill", "wc_spurs"]}, seat0={"reroll": True, "units": units})
    table.do("TakeCouncilCard wc_spies", "TakeCouncilCard wc_spies")
    assert [(event.seat, event.rule) for event in table.of(EffectSkipped)] == [(0, "JA-198")]
    assert [board.reroll for board in table.state.boards] == [True, True]
    assert [board.intrigue for board in table.state.boards] == [1, 1]


def test_ja_234_ja_235_ja_d02_a_rally_point_moves_over_two_areas_and_not_into_an_enemys() -> None:
    table = council(decks={"council": ["wc_banners", "wc_drill", "wc_spurs"]}, rallies={"english": ["L2"]})
    table.do("TakeCouncilCard wc_banners")
    assert table.kinds() == ["0 RallyPointMove"]
    assert f"CarryBanner 2,0:a {L4}" not in table.offers()
    table.do(f"CarryBanner 2,0:a {L3}")
    assert [(event.side, event.end) for event in table.of(RallyPointMoved)] == [("english", L3)]
    assert table.state.boards[0].legend == 1
    assert table.state.rallies == {"english": (L3,)}


def picks(table: Table) -> Table:
    return table.do("TakeCouncilCard wc_muster", "TakeCouncilCard wc_muster")


def test_ja_047_ja_186_ja_d03_a_level_2_character_is_kept_for_an_xp() -> None:
    table = picks(council(seat0={"xp": 1, "units": ["bp: e_black_prince_2 @L0"]}))
    assert table.kinds() == ["0 Upkeep"]
    table.do("PayUpkeep")
    assert [event.unit for event in table.of(UpkeepPaid)] == ["bp"]
    assert (table.unit("bp").card, table.state.boards[0].xp) == ("e_black_prince_2", 0)


def test_ja_049_ja_x03_upkeep_that_is_not_spent_turns_the_card_and_leaves_the_wounds() -> None:
    table = picks(council(seat0={"units": ["bp: e_black_prince_2 @L0 wounds:2"]}))
    assert table.refused("PayUpkeep") == "JA-047"
    table.do("Revert")
    assert [event.card for event in table.of(CharacterReverted)] == ["e_black_prince_1"]
    assert (table.unit("bp").wounds, table.at("bp")) == (2, "L0")


def test_ja_050_ja_q50_as_many_wounds_as_the_level_1_card_has_hps_destroy_without_a_reward() -> None:
    table = picks(council(seat0={"units": ["bp: e_black_prince_2 @L0 wounds:4"]}))
    table.do("Revert")
    assert [event.rule for event in table.of(UnitDestroyed)] == ["JA-050"]
    assert (table.at("bp"), table.state.scores) == ("graveyard", {})


def test_ja_048_ja_051_nothing_is_due_in_the_infirmary_or_at_level_1() -> None:
    units = ["bp: e_black_prince_2 disrupted", "gi: e_black_prince_1 @L0"]
    table = picks(council(seat0={"xp": 3, "units": units}))
    assert table.kinds() == ["0 OrderChoice"]
    assert not table.of(UpkeepPaid)


def test_ja_188_ja_d47_an_intrigue_token_is_swapped_to_pay_upkeep() -> None:
    table = picks(council(seat0={"intrigue": 1, "units": ["bp: e_black_prince_2 @L0"]}))
    assert "PayUpkeep" not in table.offers()
    table.do("ExchangeForXp", "PayUpkeep")
    board = table.state.boards[0]
    assert (board.intrigue, board.xp, table.unit("bp").card) == (0, 0, "e_black_prince_2")


def test_ja_q50_the_first_players_characters_come_first() -> None:
    table = picks(
        council(
            seat0={"xp": 1, "units": ["bp: e_black_prince_2 @L0"]},
            seat1={"xp": 1, "units": ["j: f_joan_2 @L4"]},
        )
    )
    assert table.kinds() == ["0 Upkeep"]
    table.do("PayUpkeep")
    assert table.kinds() == ["1 Upkeep"]
