"""Sections B, Y and AG: the row of dice, hits, Ambush, Terror, Mastery."""

import pytest

from domain.vera_discordia.cards.cards import Die, Shields
from domain.vera_discordia.rules.counterattack import HoldBack, StrikeBack
from domain.vera_discordia.rules.launch import Reroll, Stand, dice_row, shield_against
from domain.vera_discordia.state.events import HitsCounted, MoraleChecked, SupportsCommitted, UnitDamaged, UnitOpened
from tests.domain.vera_discordia.table import (
    DICE,
    Piece,
    Table,
    blue,
    direct,
    execute,
    general,
    given,
    indirect,
    red,
    support,
    target,
    u,
)


def row(text: str) -> tuple[Die, ...]:
    return tuple(DICE[letter] for letter in text)


def attack(attacker: Piece, defender: Piece, dice: list[int], **more: object) -> Table:
    """The attacker, alone with the target, executes its order."""
    return given(attacker, defender, **more).when(0, execute(attacker.id), dice)  # type: ignore[arg-type]


def test_vd_017_dice_are_rolled_in_an_attack_and_in_a_counterattack() -> None:
    table = attack(red("V1", "attack", dice="mmm"), blue("V1", "attack", dice="gg"), [1, 1, 1])
    assert table.row("VD-217") == "mmm"
    assert table.when(1, StrikeBack("VD-227"), [1, 1]).row("VD-238") == "gg"


@pytest.mark.parametrize(
    ("net", "left"), [(0, "rmg"), (-1, "mg"), (-2, "g"), (-3, ""), (-4, ""), (1, "rrmg"), (2, "rrrmg")]
)
def test_vd_019_vd_020_vd_021_lose_from_the_left_gain_of_the_leftmost_type(net: int, left: str) -> None:
    assert dice_row(row("rmg"), net) == row(left)


def test_vd_q03_an_empty_row_gains_nothing() -> None:
    assert dice_row((), 2) == ()


def test_vd_021_vd_q03_gains_and_losses_are_one_net_number() -> None:
    """Support +1, River -1: the row is as printed, not one die lost and another gained."""
    pieces = (red("V1", "attack", dice="rm"), red("V2", "support", up=True), blue("V1"))
    table = given(*pieces, terrain="rppp").when(0, execute("0V1")).when(0, support("0V2"), [1, 1])
    assert table.row("VD-217") == "rm"
    assert table.parts("VD-217") == {"VD-017": 2, "VD-203": 1, "VD-297": -1}


@pytest.mark.parametrize(("face", "hits"), [(3, 0), (4, 1), (5, 1)])
def test_vd_022_a_die_hits_from_the_shield_value_on(face: int, hits: int) -> None:
    table = attack(red("V1", "attack", dice="m"), blue("V1", shields="4666"), [face])
    assert len(table.one(HitsCounted).hits) == hits


def test_vd_023_no_face_hits_an_immune_unit() -> None:
    table = attack(red("V1", "attack", dice="g"), blue("V1", shields="22X2"), [6])
    assert table.one(HitsCounted).hits == ()


def test_vd_024_vd_025_breaker_and_artillery_share_the_orange_shield() -> None:
    shields = Shields(2, 3, 4, 5)
    assert [shield_against(shields, die) for die in Die] == [2, 3, 4, 5, 5]


def test_vd_026_vd_219_each_hit_removes_one_life_after_all_are_counted() -> None:
    table = attack(red("V1", "attack", dice="mmm"), blue("V1"), [4, 3, 6])
    table.then(HitsCounted(u("0V1"), u("1V1"), (0, 2)), UnitDamaged(u("1V1"), 2, 4))


@pytest.mark.parametrize(("life", "dice"), [(3, "mr"), (2, "r"), (1, "r")])
def test_vd_031_vd_032_with_one_or_two_life_the_leftmost_die_is_lost(life: int, dice: str) -> None:
    table = attack(red("V1", "attack", dice="mr", life=life), blue("V1", shields="6666"), [1] * len(dice))
    assert table.row("VD-217") == dice


def test_vd_326_endurance_keeps_the_die_of_a_decimated_unit() -> None:
    table = attack(red("V1", "attack", "endurance", dice="mr", life=2), blue("V1"), [1, 1])
    assert table.row("VD-217") == "mr"


def test_vd_q46_a_unit_with_a_maximum_of_two_is_decimated_from_the_start_and_never_checks_for_rout() -> None:
    table = attack(red("V1", "attack", dice="mm", max_life=2), blue("V1", max_life=2), [6])
    assert table.row("VD-217") == "m"
    assert table.of(MoraleChecked) == []
    assert table.unit("1V1").life == 1


def test_vd_200_a_direct_attack_rolls_all_dice() -> None:
    table = given(red("V1", "attack", dice="mrab"), blue("V1")).when(0, execute("0V1"), [1] * 4)
    assert table.row("VD-217") == "mrab"


def test_vd_217_the_roll_tells_every_reason() -> None:
    pieces = (
        red("V1", "attack", "ambush", dice="mm", life=2, closed=True),
        blue("V1", "defense", "terror"),
        red("V2", "support", up=True),
    )
    table = given(*pieces, terrain="rppp").when(0, execute("0V1")).when(0, support("0V2"), [4, 1])
    assert table.parts("VD-217") == {
        "VD-017": 2,
        "VD-203": 1,
        "VD-212": -1,
        "VD-297": -1,
        "VD-032": -1,
        "VD-358": -2,
        "VD-306": 2,
    }


def test_vd_218_without_dice_the_target_is_opened_disorganised_and_strikes_back() -> None:
    table = attack(red("V1", "attack", dice=""), blue("V1", "attack", closed=True), [])
    assert table.one(UnitOpened).unit == "1V1"
    assert table.rolls() == [("VD-217", 0)]
    assert table.asks() == [(1, "Counterattacking")]


def test_vd_306_ambush_gives_two_dice_to_the_attack_that_opens_the_unit() -> None:
    table = attack(red("V1", "attack", "ambush", dice="m", closed=True), blue("V1"), [1, 1, 1])
    assert table.row("VD-217") == "mmm"


def test_vd_309_ambush_has_no_effect_once_the_unit_is_open() -> None:
    assert attack(red("V1", "attack", "ambush", dice="m"), blue("V1"), [1]).row("VD-217") == "m"


def test_vd_308_vd_361_ambush_gives_nothing_against_vision() -> None:
    table = attack(red("V1", "attack", "ambush", dice="m", closed=True), blue("V1", "", "vision"), [1])
    assert table.row("VD-217") == "m"


def test_vd_306_vd_q42_ambush_helps_the_counterattack_of_a_unit_opened_by_the_attack() -> None:
    table = attack(red("V1", "attack", dice="m"), blue("V1", "attack", "ambush", dice="g", closed=True), [1])
    assert table.when(1, StrikeBack("VD-227"), [1, 1, 1]).row("VD-238") == "ggg"


def test_vd_q42_ambush_counts_in_an_indirect_attack_on_the_filtered_row() -> None:
    table = attack(red("R1", "attack", "ambush", dice="mr", closed=True), blue("V1"), [1, 1, 1])
    assert table.row("VD-217") == "rrr"


@pytest.mark.parametrize(("face", "dice"), [(2, "m"), (3, "mmm")])
def test_vd_358_terror_costs_two_dice_when_the_check_fails(face: int, dice: str) -> None:
    table = attack(red("V1", "attack", dice="mmm"), blue("V1", "", "terror"), [face, *[1] * len(dice)])
    assert table.row("VD-217") == dice


def test_vd_358_terror_of_the_attacker_frightens_the_counterattacker() -> None:
    table = attack(red("V1", "attack", "terror", dice="m"), blue("V1", "attack", dice="ggg"), [1])
    assert table.when(1, StrikeBack("VD-227"), [2, 1]).row("VD-238") == "g"


def test_vd_360_indirect_attacks_are_not_affected_by_terror() -> None:
    table = attack(red("R1", "attack", dice="r"), blue("V1", "", "terror"), [1])
    assert table.rolls() == [("VD-217", 1)]


def test_vd_q04_vd_q05_terror_is_checked_after_the_reaction_even_if_no_die_is_left() -> None:
    table = attack(red("V1", "attack", dice="m"), blue("V1", "defense", "terror"), [3, 3])
    assert table.rolls() == [("VD-212", 1), ("VD-358", 1), ("VD-217", 0)]


def test_vd_q05_supports_stay_spent_when_terror_strikes() -> None:
    pieces = (red("V1", "attack", dice="m"), red("V2", "support", up=True), blue("V1", "", "terror"))
    table = given(*pieces).when(0, execute("0V1")).when(0, support("0V2"), [1])
    assert table.row("VD-217") == ""
    assert table.unit("0V2").order is None


def test_vd_335_mastery_may_reroll_all_dice_once_when_nothing_hit() -> None:
    table = attack(red("V1", "attack", "mastery", dice="mm"), blue("V1"), [3, 3])
    assert table.asks() == [(0, "Mastery")]
    table.when(0, Reroll(), [4, 3])
    assert table.unit("1V1").life == 5


def test_vd_335_vd_q58_the_second_result_stands_and_there_is_no_third() -> None:
    table = attack(red("V1", "attack", "mastery", dice="m"), blue("V1"), [3]).when(0, Reroll(), [3])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q58_the_owner_may_leave_the_roll() -> None:
    table = attack(red("V1", "attack", "mastery", dice="m"), blue("V1"), [3]).when(0, Stand())
    assert table.unit("1V1").life == 6


@pytest.mark.parametrize(("dice", "faces"), [("mm", [4, 1]), ("", [])])
def test_vd_335_vd_q58_mastery_needs_dice_and_no_hit(dice: str, faces: list[int]) -> None:
    table = attack(red("V1", "attack", "mastery", dice=dice), blue("V1"), faces)
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_335_mastery_in_a_counterattack() -> None:
    table = attack(red("V1", "attack", dice=""), blue("V1", "attack", "mastery", dice="m"), [])
    table.when(1, StrikeBack("VD-227"), [1])
    assert table.asks() == [(1, "Mastery")]
    assert table.when(1, Reroll(), [6]).unit("0V1").life == 5


def test_vd_d28_mastery_offers_to_reroll_or_to_stand() -> None:
    table = attack(red("V1", "attack", "mastery", dice="m"), blue("V1"), [3])
    assert table.options(0) == [Reroll(), Stand()]


def test_vd_059_dice_of_the_general_stand_to_the_right() -> None:
    table = attack(
        red("V1", "attack", dice="m", general=True),
        blue("V1"),
        [1, 1],
        generals=(general(dice="b"), general()),
    )
    assert table.row("VD-217") == "mb"


def test_vd_q03_the_net_number_applies_to_card_and_heroism_together() -> None:
    pieces = (red("V1", "attack", dice="m", general=True), blue("V1"))
    table = attack(*pieces, [1], generals=(general(dice="b"), general()), terrain="rppp")
    assert table.row("VD-217") == "b"


def test_vd_238_a_counterattack_sums_opening_terrain_decimated_and_abilities() -> None:
    """Through an Opening, in a River, by a Decimated Unit against Terror."""
    pieces = (red("V1", "attack", "terror", dice=""), blue("V2", "attack", dice="mmmmmm", life=2))
    table = given(*pieces, terrain="rppp").when(0, execute("0V1")).when(0, target("1V2"))
    table.when(1, StrikeBack("VD-227"), [2, 1])
    assert table.parts("VD-238") == {"VD-017": 6, "VD-199": -1, "VD-297": -1, "VD-032": -1, "VD-358": -2}


def test_vd_q66_discord_of_a_support_stays_when_its_die_is_lost() -> None:
    pieces = (red("V1", "attack", dice="m"), red("V2", "support", up=True), blue("V1", "defense"))
    table = given(*pieces, terrain="rppp").when(0, execute("0V1")).when(0, support("0V2"), [3, 1])
    assert table.one(SupportsCommitted).units == ("0V2",)
    assert not table.one(MoraleChecked).passed
    assert table.row("VD-217") == "m"


def test_vd_342_vd_q43_unchanged_chrysalis_roll_neither_dice_nor_terror() -> None:
    pieces = (red("V1", "attack", "metamorphosis"), blue("V1", "defense", "metamorphosis", "terror"))
    table = given(*pieces).when(0, execute("0V1"), [4]).when(1, StrikeBack("VD-227"))
    assert [roll for roll in table.told if type(roll).__name__ == "DiceRolled"] == [
        table.told[i] for i in _rolls(table)
    ]
    assert len(_rolls(table)) == 1
    assert (table.unit("0V1").life, table.unit("1V1").life) == (6, 6)
    assert not table.unit("0V1").changed


def _rolls(table: Table) -> list[int]:
    return [i for i, event in enumerate(table.told) if type(event).__name__ == "DiceRolled"]


def test_vd_q04_dice_of_a_whole_direct_attack_in_their_order() -> None:
    pieces = (red("V1", "attack", "terror", dice="mmm", life=3), blue("V1", "defense", "terror", life=3))
    table = given(*pieces).when(0, execute("0V1"), [6, 6, 4, 1, 6]).when(1, HoldBack(), [1, 1])
    rolled = [table.told[i].rule for i in _rolls(table)]  # type: ignore[attr-defined]
    assert rolled == ["VD-212", "VD-358", "VD-217", "VD-221", "VD-233", "VD-358", "VD-238"]


def test_vd_q08_indirect_is_offered_beside_direct() -> None:
    table = given(red("V1", "attack", dice="r"), blue("V1"), blue("R1")).when(0, execute("0V1"))
    assert table.options(0) == [direct(), indirect()]


def test_targets_are_named_by_unit() -> None:
    table = given(red("V1", "attack", dice="m"), blue("V2"), blue("R1")).when(0, execute("0V1"))
    assert table.options(0) == [target("1V2"), target("1R1")]
