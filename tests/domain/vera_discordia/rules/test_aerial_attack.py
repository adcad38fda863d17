"""Sections AB, AC and AD: the Aerial Attack, Interception, Aerial Consistency."""

from typing import Any

import pytest

from domain.kernel import DiceRolled
from domain.vera_discordia.cards.cards import OrderType
from domain.vera_discordia.rules.attack import Target
from domain.vera_discordia.rules.counterattack import HoldBack, StrikeBack
from domain.vera_discordia.rules.interception import Intercept, StopIntercepting
from domain.vera_discordia.state.events import (
    AttackDeclared,
    AttackEnded,
    AttackFailed,
    CaptureLost,
    Disrupted,
    HitsCounted,
    LifeRegained,
    MoraleChecked,
    OrderDiscarded,
    OrderExamined,
    TacticDeclared,
    UnitDamaged,
    UnitOpened,
)
from domain.vera_discordia.state.options import Options
from tests.domain.vera_discordia.table import (
    Piece,
    Table,
    aerial,
    blue,
    execute,
    general,
    given,
    intercept,
    red,
    target,
)

STOP = StopIntercepting()


def flyer(space: str = "R2", *abilities: str, dice: str = "mm", **more: object) -> Piece:
    return red(space, "attack", "flying", *abilities, dice=dice, **more)


def aimed(attacker: Piece, *others: Piece, at: str = "1V2", dice: tuple[int, ...] = (), **more: object) -> Table:
    """The flyer attacks the Unit; the enemy has a Unit without an order on R4 to aim at as well."""
    table = given(attacker, *others, blue("R4"), **more)  # type: ignore[arg-type]
    table.when(0, execute(attacker.id))
    if aerial() in table.options(0):
        table.when(0, aerial())
    return table.when(0, target(at), dice)


def test_vd_252_vd_256_a_flyer_attacks_from_vanguard_or_rearguard() -> None:
    table = given(flyer("R1"), blue("V1"), blue("R4")).when(0, execute("0R1"))
    assert table.asks() == [(0, "TargetSelection")]
    table = given(flyer("V1"), blue("V1"), blue("R4")).when(0, execute("0V1"))
    assert aerial() in table.options(0)


@pytest.mark.parametrize(("ability", "leads"), [("glide", False), ("flying", True)])
def test_vd_252_vd_060_vd_329_not_by_gliding_nor_with_the_general(ability: str, leads: bool) -> None:
    table = given(red("R1", "attack", ability, general=leads), blue("V1")).when(0, execute("0R1"))
    assert table.of(AttackFailed)


def test_vd_288_without_flying_attacks_flying_is_gliding() -> None:
    table = given(flyer("R1"), blue("V1"), options=Options(without_flying=True)).when(0, execute("0R1"))
    assert table.of(AttackFailed)


def test_vd_253_not_after_another_order_on_an_own_turn() -> None:
    pieces = (flyer(), red("V1", "support"), blue("V1", "defense"), blue("V2", "defense"), blue("R4", "defense"))
    table = given(*pieces).when(0, execute("0V1")).when(1, execute("1V1")).when(0, execute("0R2"))
    assert table.of(AttackFailed)


def test_vd_255_several_aerial_attacks_in_a_round() -> None:
    pieces = (flyer("R2", dice=""), flyer("R3", dice=""), blue("V1", "defense"), blue("V3"), blue("R4"))
    table = given(*pieces).when(0, execute("0R2")).when(0, target("1V3")).when(1, execute("1V1"))
    table.when(0, execute("0R3"))
    assert table.asks() == [(0, "TargetSelection")]


def test_vd_254_a_counterattack_on_the_enemys_turn_does_not_prevent_it() -> None:
    pieces = (red("V1", "attack", dice=""), flyer("R1"), blue("V1", "attack", dice=""), blue("R4"))
    table = given(*pieces, turn=1).when(1, execute("1V1")).when(0, StrikeBack("VD-227")).when(0, execute("0R1"))
    assert table.asks() == [(0, "TargetSelection")]


def test_vd_257_vd_d21_any_enemy_unit_in_any_column_and_row_open_or_closed() -> None:
    pieces = (flyer(), blue("V1"), blue("V4", closed=True), blue("R1"), blue("R4"))
    table = given(*pieces).when(0, execute("0R2"))
    assert [choice.unit for choice in table.offers(0, Target)] == [  # type: ignore[attr-defined]
        "1V1",
        "1V4",
        "1R1",
        "1R4",
    ]


def test_vd_258_a_unit_receives_at_most_one_aerial_attack_a_round() -> None:
    pieces = (flyer("R2", dice=""), flyer("R3", dice=""), blue("V1"), blue("V3"), blue("R4", "defense"))
    table = given(*pieces).when(0, execute("0R2")).when(0, target("1V3")).when(1, execute("1R4"))
    table.when(0, execute("0R3"))
    assert [choice.unit for choice in table.offers(0, Target)] == ["1V1", "1R4"]  # type: ignore[attr-defined]


def test_vd_259_an_aerial_attack_rolls_all_dice() -> None:
    table = aimed(flyer(dice="mra"), blue("V2"), dice=(1, 1, 1))
    assert table.row("VD-217") == "mra"


def test_vd_183_vd_q31_taking_off_loses_the_capture_even_if_the_attack_is_aborted() -> None:
    pieces = (flyer("V1", capture=True), blue("V1"), blue("V2", "attack", dice="r"), blue("R4"))
    table = given(*pieces, terrain="fppp").when(0, execute("0V1")).when(0, aerial()).when(0, target("1V2"))
    assert table.one(CaptureLost).rule == "VD-183"
    table.when(1, intercept("1V2"), [4, 1])
    assert not table.unit("0V1").capture


def test_vd_260_only_aerial_attacks_are_intercepted() -> None:
    table = given(red("V1", "attack", dice="", shields="2222"), blue("V1", "attack", dice="rr"))
    table.when(0, execute("0V1"))
    assert table.asks() == [(1, "Counterattacking")]


def offered(*pieces: Piece, **more: Any) -> list[Intercept]:
    """Who may Intercept an attack on the Unit."""
    table = aimed(flyer(), *pieces, **more)
    if table.asks()[0] != (1, "InterceptionOffer"):
        return []
    return [choice for choice in table.options(1) if isinstance(choice, Intercept)]


def test_vd_261_the_target_and_its_neighbours_may_intercept() -> None:
    pieces = [blue(space, "attack", dice="r") for space in ("V1", "V2", "V3", "R2", "R1", "R3", "V4")]
    assert [choice.unit for choice in offered(*pieces)] == ["1V1", "1V2", "1V3", "1R2"]


@pytest.mark.parametrize(("dice", "abilities", "able"), [("r", (), True), ("a", (), False), ("a", ("accuracy",), True)])
def test_vd_262_vd_302_a_range_die_is_needed_or_accuracy(dice: str, abilities: tuple[str, ...], able: bool) -> None:
    pieces = (blue("V2", "attack", "riposte", dice="m"), blue("V1", "attack", *abilities, dice=dice))
    table = given(flyer(dice=""), *pieces, blue("R4")).when(0, execute("0R2")).when(0, target("1V2"))
    assert (table.asks() == [(1, "InterceptionOffer")]) is able


@pytest.mark.parametrize(
    ("order", "up", "able"), [("attack", False, True), ("support", True, True), ("", False, False)]
)
def test_vd_263_it_must_have_an_order_face_down_or_up(order: str, up: bool, able: bool) -> None:
    pieces = (blue("V2"), blue("V1", order, dice="r", up=up))
    table = given(flyer(dice=""), *pieces, blue("R4")).when(0, execute("0R2")).when(0, target("1V2"))
    assert (table.asks() == [(1, "InterceptionOffer")]) is able


def test_vd_264_vd_392_the_order_is_discarded_and_the_unit_exhausted() -> None:
    table = aimed(flyer(), blue("V2", "maneuver", dice="r")).when(1, intercept("1V2"), [1, 1, 1])
    discarded = table.one(OrderDiscarded)
    assert (discarded.unit, discarded.order) == ("1V2", OrderType.MANEUVER)
    assert discarded in table.seen_by(0)
    assert table.unit("1V2").order is None


def test_vd_052_vd_307_vd_392_a_closed_interceptor_opens_before_its_dice_and_wastes_ambush() -> None:
    pieces = (blue("V2", "defense", "riposte", "ambush", dice="r", closed=True),)
    table = aimed(flyer(dice=""), *pieces).when(1, intercept("1V2"), [1])
    kinds = [type(event) for event in table.events]
    assert kinds.index(UnitOpened) < kinds.index(DiceRolled)
    assert table.row("VD-265") == "r"
    table.when(1, StrikeBack("VD-355"))
    assert table.parts("VD-238") == {"VD-017": 1, "VD-355": -2}


def test_vd_265_exactly_the_range_dice_are_rolled_even_when_decimated() -> None:
    table = aimed(flyer(dice=""), blue("V2", "defense", dice="mrrg", life=2)).when(1, intercept("1V2"), [1, 1])
    assert table.row("VD-265") == "rr"


def test_vd_265_vd_q36_range_dice_of_the_general_count() -> None:
    pieces = (blue("V2", "defense", dice="m", general=True),)
    table = aimed(flyer(dice=""), *pieces, generals=(general(), general(dice="r")))
    assert table.when(1, intercept("1V2"), [1]).row("VD-265") == "r"


@pytest.mark.parametrize(("face", "disruptions"), [(3, 0), (4, 1), (5, 1)])
def test_vd_266_a_die_from_the_range_shield_on_is_a_disruption(face: int, disruptions: int) -> None:
    table = aimed(flyer(dice=""), blue("V2", "defense", dice="r"))
    table.when(1, intercept("1V2"), [face, *[6] * disruptions])
    assert sum(event.count for event in table.of(Disrupted)) == disruptions
    assert table.unit("0R2").life == 6


def test_vd_267_a_six_is_a_hit_as_well() -> None:
    table = aimed(flyer(dice=""), blue("V2", "defense", dice="r")).when(1, intercept("1V2"), [6, 6])
    assert table.one(UnitDamaged).life == 5


def test_vd_q35_nothing_disrupts_a_flyer_immune_to_range() -> None:
    attacker = flyer(dice="", shields="4X44")
    table = aimed(attacker, blue("V2", "defense", dice="r")).when(1, intercept("1V2"), [6])
    assert table.of(Disrupted) == []
    assert table.of(UnitDamaged) == []


def test_vd_268_vd_269_vd_d23_one_unit_at_a_time_and_the_defender_may_stop() -> None:
    pieces = (blue("V2", "defense", dice="r"), blue("V1", "defense", dice="r"))
    table = aimed(flyer(dice=""), *pieces)
    assert table.options(1) == [STOP, intercept("1V1"), intercept("1V2")]
    table.when(1, intercept("1V1"), [1])
    assert table.options(1) == [STOP, intercept("1V2")]
    table.when(1, STOP, [3])
    assert table.unit("1V2").order is not None


@pytest.mark.parametrize(
    ("order", "up", "able"), [("support", False, True), ("support", True, True), ("attack", False, False)]
)
def test_vd_270_a_support_intercepts_diagonally(order: str, up: bool, able: bool) -> None:
    choices = offered(blue("V2", "defense", dice="r"), blue("R1", order, dice="r", up=up))
    assert (intercept("1R1") in choices) is able


def test_vd_271_every_disruption_of_a_support_is_a_hit() -> None:
    table = aimed(flyer(dice=""), blue("V2"), blue("V1", "support", dice="rr"))
    table.when(1, intercept("1V1"), [4, 5, 6, 6])
    assert table.unit("0R2").life == 4


def test_vd_q10_a_tactic_may_be_declared_support_for_it() -> None:
    table = aimed(flyer(dice=""), blue("V2"), blue("R1", "tactic", dice="r"))
    assert table.options(1) == [STOP, intercept("1R1", "support")]
    table.when(1, intercept("1R1", "support"), [4, 6])
    assert table.one(TacticDeclared).type is OrderType.SUPPORT
    assert table.unit("0R2").life == 5


def test_vd_q10_a_tactic_declared_otherwise_does_not_reach_diagonally() -> None:
    pieces = (blue("V2", "defense", dice="r"), blue("R1", "tactic", dice="r"))
    choices = offered(*pieces, sides=({}, {"declared": OrderType.ATTACK}))
    assert choices == [intercept("1V2")]


def test_vd_q36_mastery_and_discord_do_not_apply() -> None:
    table = aimed(flyer(dice="", life=3), blue("V2", "defense", "mastery", "discord", dice="r"))
    table.when(1, intercept("1V2"), [6, 3, 3])
    assert table.asks()[0][1] != "Mastery"
    assert table.has("0R2")


def test_vd_q36_terror_of_the_flyer_has_no_effect_on_interceptions() -> None:
    table = aimed(flyer("R2", "terror", dice=""), blue("V2", "defense", dice="r")).when(1, intercept("1V2"), [1])
    assert table.rolls() == [("VD-265", 1), ("VD-217", 0)]


def test_vd_q36_a_chaotic_unit_cannot_intercept() -> None:
    table = aimed(flyer(dice=""), blue("V2", "", dice="r", chaotic=True))
    assert table.asks() == [(1, "Counterattacking")]


def test_vd_272_vd_q37_one_consistency_check_per_disruption() -> None:
    table = aimed(flyer(dice=""), blue("V2", "defense", dice="rrr")).when(1, intercept("1V2"), [4, 4, 1, 3, 3])
    assert [check.rule for check in table.of(MoraleChecked)] == ["VD-272", "VD-272"]
    assert table.one(AttackEnded).landed


def test_vd_273_the_first_failure_aborts_the_attack_and_ends_the_turn() -> None:
    table = aimed(flyer(), blue("V2", "defense", dice="rr"), blue("V1", "defense")).when(1, intercept("1V2"), [4, 4, 2])
    assert table.one(AttackEnded).rule == "VD-273"
    assert len(table.of(MoraleChecked)) == 1
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_274_when_all_are_passed_the_attack_goes_on() -> None:
    table = aimed(flyer(), blue("V2", "defense", dice="r")).when(1, intercept("1V2"), [4, 3, 1, 1])
    assert table.row("VD-217") == "mm"


def test_vd_q37_vd_325_bravery_counts_and_discord_does_not() -> None:
    table = aimed(flyer("R2", "bravery", dice=""), blue("V2", "defense", "discord", dice="r"))
    assert table.when(1, intercept("1V2"), [4, 2]).one(AttackEnded).landed
    table = aimed(flyer("R2", "tenacious", dice=""), blue("V2", "defense", dice="r"))
    assert not table.when(1, intercept("1V2"), [4, 4]).one(AttackEnded).landed


def test_vd_275_vd_q34_a_flyer_destroyed_by_interception_cancels_the_attack_at_once() -> None:
    pieces = (blue("V2", "defense", dice="r"), blue("V1", "defense", dice="r"))
    table = aimed(flyer(life=1), *pieces).when(1, intercept("1V2"), [6])
    assert table.one(AttackEnded).rule == "VD-275"
    assert table.of(MoraleChecked) == []


@pytest.mark.parametrize(("face", "flies_on"), [(2, False), (3, True)])
def test_vd_275_vd_276_vd_q34_a_flyer_decimated_by_interception_may_rout(face: int, flies_on: bool) -> None:
    table = aimed(flyer(life=3), blue("V2", "defense", dice="r"))
    table.when(1, intercept("1V2"), [6, face, *([6, 1] if flies_on else [])])
    assert table.has("0R2") is flies_on
    if flies_on:
        assert table.row("VD-217") == "m"


def test_vd_q32_an_aborted_attack_was_not_received_but_was_an_aerial_attack() -> None:
    pieces = (flyer("R3"), blue("V2", "defense", dice="r"), blue("V1", "defense"))
    table = aimed(flyer(), *pieces).when(1, intercept("1V2"), [4, 2])
    assert not table.unit("1V2").struck_from_air
    assert not table.side(0).grounded
    table.when(1, execute("1V1")).when(0, execute("0R3"))
    assert target("1V2") in table.options(0)


def test_vd_277_vd_391_the_target_is_seen_only_when_the_attack_gets_through() -> None:
    pieces = (blue("V2", "attack", dice="", closed=True), blue("V1", "defense", dice="r"))
    table = aimed(flyer(), *pieces).when(1, intercept("1V1"), [4]).when(1, STOP, [2])
    assert not table.unit("1V2").open
    assert table.of(OrderExamined) == []
    table = aimed(flyer(dice=""), *pieces).when(1, intercept("1V1"), [4]).when(1, STOP, [3])
    assert table.unit("1V2").open
    assert table.one(OrderExamined).unit == "1V2"


def test_vd_278_closed_ranks_and_forest_count() -> None:
    table = aimed(flyer(dice="mmm"), blue("V2", "defense", dice=""), terrain="pfpp", dice=(3, 1))
    assert table.parts("VD-217") == {"VD-017": 3, "VD-212": -1, "VD-298": -1}


def test_vd_279_damage_and_rout_are_as_in_a_direct_attack() -> None:
    table = aimed(flyer(), blue("V2", dice="", life=3), dice=(6, 1, 2))
    assert table.fallen() == ["1V2"]


def test_vd_280_refusing_needs_a_check() -> None:
    table = aimed(flyer(dice=""), blue("V2", "attack", dice="")).when(1, HoldBack(), [2])
    assert not table.one(MoraleChecked).passed
    assert table.one(AttackEnded).landed


def test_vd_q40_reflexes_come_after_interception_and_consistency() -> None:
    pieces = (blue("V2", "attack", "reflexes", dice="m"), blue("V1", "defense", dice="r"))
    table = aimed(flyer(), *pieces).when(1, intercept("1V1"), [4, 3])
    assert table.rolls() == [("VD-265", 1), ("VD-272", 1)]
    table.when(1, StrikeBack("VD-227"), [6, 1, 1])
    assert [rule for rule, _ in table.rolls()] == ["VD-238", "VD-217"]


def test_vd_q44_voracious_gains_by_interception() -> None:
    table = aimed(flyer(life=1), blue("V2", "defense", "voracious", dice="r", life=4)).when(1, intercept("1V2"), [6])
    assert table.one(LifeRegained).gained == 1


def test_vd_q26_an_order_from_charge_cannot_be_spent_for_interception() -> None:
    charged = blue("V2", "attack", dice="r", charge=True)
    table = given(flyer(dice=""), charged, blue("R4")).when(0, execute("0R2")).when(0, target("1V2"))
    assert table.asks() == [(1, "Counterattacking")]


def test_vd_q70_vd_395_the_defender_is_asked_whenever_the_attacker_must_think_it_possible() -> None:
    """A Closed neighbour without a Range die: nothing but to stop, and the attacker cannot tell."""
    pieces = (blue("V2", dice=""), blue("V1", "attack", dice="m", closed=True))
    table = aimed(flyer(dice=""), *pieces)
    assert table.asks() == [(1, "InterceptionOffer")]
    assert table.options(1) == [STOP]


@pytest.mark.parametrize(
    ("piece", "asked"),
    [
        (blue("R1", "attack", dice="m", closed=True), True),
        (blue("R1", "attack", dice="m", closed=True, seen=True), False),
        (blue("R1", "support", dice="m", closed=True, seen=True), True),
        (blue("R1", "", dice="m", closed=True), False),
        (blue("R1", "attack", dice="m"), False),
        (blue("R4", "attack", dice="r", closed=True), False),
    ],
)
def test_vd_q70_diagonal_units_count_by_what_is_known_of_their_order(piece: Piece, asked: bool) -> None:
    others = [blue("V2", dice="")] + ([] if piece.space == "R4" else [blue("R4")])
    table = given(flyer(dice=""), piece, *others).when(0, execute("0R2")).when(0, target("1V2"))
    assert (table.asks() == [(1, "InterceptionOffer")]) is asked


def test_hits_of_an_interception_name_the_flyer() -> None:
    table = aimed(flyer(dice=""), blue("V2", "defense", dice="r")).when(1, intercept("1V2"), [6, 6])
    assert table.of(HitsCounted)[0].target == "0R2"
    assert [e.target for e in table.told if isinstance(e, AttackDeclared)] == ["1V2"]
