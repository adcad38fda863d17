"""Section X: the reaction of the target, and Metamorphosis."""

import pytest

from domain.vera_discordia.cards.cards import Ability, DrawCards, OrderType, Train
from domain.vera_discordia.rules.counterattack import StrikeBack
from domain.vera_discordia.rules.orders import Declare
from domain.vera_discordia.state.events import (
    ChrysalisMet,
    MoraleChecked,
    OrderDiscarded,
    OrderExamined,
    RanksClosed,
    TacticDeclared,
    UnitOpened,
    UnitTransformed,
)
from domain.vera_discordia.state.queries import profile
from tests.domain.vera_discordia.table import (
    Piece,
    Table,
    aerial,
    blue,
    execute,
    general,
    given,
    indirect,
    red,
    support,
    target,
    u,
)


def attacked(defender: Piece, *dice: int, **more: object) -> Table:
    """A Direct Attack without dice on the Unit."""
    table = given(red("V1", "attack", dice=""), defender, **more)  # type: ignore[arg-type]
    return table.when(0, execute("0V1"), dice)


def test_vd_210_vd_379_the_order_is_examined_by_both_and_a_closed_target_opens() -> None:
    table = attacked(blue("V1", "attack", closed=True))
    table.then(OrderExamined(u("1V1"), OrderType.ATTACK, "VD-210"))
    assert table.one(UnitOpened).rule == "VD-051"
    assert OrderExamined(u("1V1"), OrderType.ATTACK, "VD-210") in table.seen_by(None)
    assert table.unit("1V1").order is not None
    assert not table.unit("1V1").order.up  # type: ignore[union-attr]


def test_vd_051_a_closed_target_opens_after_supports_are_committed() -> None:
    pieces = (red("V1", "attack", dice=""), red("V2", "support", up=True), blue("V1", "", closed=True))
    table = given(*pieces).when(0, execute("0V1"))
    assert not table.unit("1V1").open
    assert table.when(0, support()).unit("1V1").open


def test_vd_075_examining_a_face_up_order_changes_nothing() -> None:
    table = attacked(blue("V1", "defense", up=True), 3)
    assert table.of(OrderExamined) == []


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize(("face", "closed"), [(2, False), (3, True)])
def test_vd_212_vd_161_defense_face_down_or_up_checks_to_close_ranks(up: bool, face: int, closed: bool) -> None:
    table = given(red("V1", "attack", dice="m"), blue("V1", "defense", up=up, shields="6666"))
    table.when(0, execute("0V1"), [face] if closed else [face, 1])
    assert bool(table.of(RanksClosed)) is closed
    assert table.row("VD-217") == ("" if closed else "m")


def test_vd_213_close_ranks_is_checked_anew_for_every_attack() -> None:
    pieces = (red("V1", "attack", dice="r"), red("R1", "attack", dice="r"), blue("V1", "defense", up=True, dice=""))
    table = given(*pieces).when(0, execute("0V1"), [3]).when(1, StrikeBack("VD-227"))
    table.when(1, execute("1R4")).when(0, execute("0R1"), [2, 1])
    assert table.one(MoraleChecked).rule == "VD-212"
    assert table.row("VD-217") == "r"


@pytest.mark.parametrize("order", ["maneuver", "support"])
@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize(("face", "stays"), [(2, False), (3, True)])
def test_vd_214_failed_check_discards_the_order(order: str, up: bool, face: int, stays: bool) -> None:
    table = attacked(blue("V1", order, up=up), face)
    held = table.unit("1V1").order
    assert (held is not None) is stays
    assert held is None or held.up is up


def test_vd_214_vd_077_the_discarded_order_was_never_executed() -> None:
    """A Tactic that is Disorganised carries no Strategy."""
    table = attacked(blue("V1", "tactic"), generals=(general(), general(star=[DrawCards(1)])))
    table.when(1, Declare(OrderType.SUPPORT), [2])
    table.then(OrderDiscarded(u("1V1"), table.unit("1R4").seat, OrderType.TACTIC, "VD-214"))
    assert table.side(1).hand_size == 0
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_215_an_attack_order_stays_without_a_check() -> None:
    table = attacked(blue("V1", "attack"))
    assert table.of(MoraleChecked) == []
    assert table.unit("1V1").order is not None


def test_vd_216_an_exhausted_target_makes_no_check() -> None:
    assert attacked(blue("V1")).of(MoraleChecked) == []


def test_vd_211_vd_249_the_reaction_is_the_same_for_an_indirect_attack() -> None:
    table = given(red("R1", "attack", dice="r"), blue("V1", "support")).when(0, execute("0R1"), [2, 1])
    assert table.unit("1V1").order is None


def test_vd_211_vd_277_the_reaction_is_the_same_for_an_aerial_attack() -> None:
    table = given(red("R1", "attack", "flying"), blue("V1", "support", dice="m"), blue("R4"), waiting=True)
    table.when(0, execute("0R1")).when(0, target("1V1"), [2, 1, 1])
    assert table.unit("1V1").order is None


def test_vd_070_vd_q09_a_tactic_that_is_examined_is_declared_by_its_owner_after_the_supports() -> None:
    pieces = (red("V1", "attack", dice=""), red("V2", "support", up=True), blue("V1", "tactic"))
    table = given(*pieces).when(0, execute("0V1")).when(0, support("0V2"))
    assert table.asks() == [(1, "TacticDeclaration")]
    table.when(1, Declare(OrderType.ATTACK)).then(TacticDeclared(table.unit("1V1").seat, OrderType.ATTACK))
    assert table.asks() == [(1, "Counterattacking")]


def test_vd_071_a_declared_tactic_keeps_its_type_for_the_round() -> None:
    table = attacked(blue("V1", "tactic"), 3, sides=({}, {"declared": OrderType.DEFENSE}))
    assert table.of(RanksClosed) == [RanksClosed(u("1V1"))]


def test_vd_318_a_chaotic_unit_never_closes_ranks() -> None:
    assert attacked(blue("V1", "", chaotic=True)).of(MoraleChecked) == []


def chrysalis(space: str, order: str = "attack", **more: object) -> Piece:
    return red(space, order, "metamorphosis", dice="m", **more)


def test_vd_337_vd_339_the_attacking_chrysalis_becomes_a_copy_with_full_life() -> None:
    table = given(chrysalis("V1", life=2), blue("V1", "", "terror", dice="ggg", shields="3456", max_life=8, life=4))
    table.when(0, execute("0V1"), [3, 1, 1, 1])
    table.then(UnitTransformed(u("0V1"), table.state.units[u("1V1")].card, 8))  # type: ignore[arg-type]
    assert table.unit("0V1").changed


def test_vd_337_being_attacked_changes_it_before_any_check() -> None:
    pieces = (red("V1", "attack", dice="gg"), blue("V1", "defense", "metamorphosis"))
    table = given(*pieces).when(0, execute("0V1"), [2, 1, 1])
    kinds = [type(event) for event in table.plain()]
    assert kinds.index(UnitOpened if UnitOpened in kinds else UnitTransformed) < kinds.index(MoraleChecked)
    assert kinds.index(UnitTransformed) < kinds.index(MoraleChecked)


def test_vd_338_the_copy_takes_what_is_printed_not_the_heroism_of_the_enemy_general() -> None:
    pieces = (chrysalis("V1"), blue("V1", general=True, dice="g"))
    table = given(*pieces, generals=(general(), general("bravery", dice="b"))).when(0, execute("0V1"), [1])
    whole = profile(table.state, table.unit("0V1"))
    assert Ability.BRAVERY not in whole.abilities
    assert table.row("VD-217") == "g"


def test_vd_338_the_copy_does_not_take_what_leadership_adds() -> None:
    trained = general(leads=[Train(("v1",), Ability.BRAVERY)])
    table = given(chrysalis("V1"), blue("V1", dice="g"), generals=(trained, trained)).when(0, execute("0V1"), [1])
    assert Ability.BRAVERY in profile(table.state, table.unit("1V1")).abilities
    assert Ability.BRAVERY not in profile(table.state, table.unit("0V1")).abilities


def test_vd_q43_the_own_general_stays_on_top_and_flying_becomes_gliding() -> None:
    pieces = (chrysalis("V1", general=True), blue("V1", "", "flying", dice="g", max_life=4))
    table = given(*pieces, generals=(general("guards", dice="b"), general())).when(0, execute("0V1"), [1, 1])
    whole = profile(table.state, table.unit("0V1"))
    assert (table.row("VD-217"), whole.max_life, table.unit("0V1").life) == ("gb", 5, 5)
    assert Ability.GLIDE in whole.abilities
    assert Ability.FLYING not in whole.abilities


def test_vd_340_it_changes_only_once() -> None:
    table = given(chrysalis("V1"), blue("V1", dice="g"), red("R1", "attack", dice="r"))
    table.when(0, execute("0V1"), [1]).when(1, execute("1R4"))
    assert Ability.METAMORPHOSIS not in profile(table.state, table.unit("0V1")).abilities


def test_vd_341_an_unchanged_chrysalis_can_only_attack_directly() -> None:
    table = given(chrysalis("V1"), blue("V1"), blue("R1")).when(0, execute("0V1"), [1, 1])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_342_two_unchanged_chrysalis_stay_unchanged() -> None:
    table = given(chrysalis("V1"), blue("V1", "", "metamorphosis")).when(0, execute("0V1"))
    table.then(ChrysalisMet(u("0V1"), u("1V1")))
    assert table.of(UnitTransformed) == []
    assert table.rolls() == []


def test_vd_q71_a_chrysalis_copies_the_present_form_of_a_changed_one() -> None:
    changed = blue("V1", "", dice="ggg", changed=True)
    table = given(chrysalis("V1"), changed).when(0, execute("0V1"), [1, 1, 1])
    assert table.unit("0V1").card == table.unit("1V1").card


def test_vd_366_an_opened_unit_is_known_to_everybody() -> None:
    table = attacked(blue("V1", "", closed=True))
    opened = table.one(UnitOpened)
    assert opened in table.seen_by(0)
    assert (opened.card, opened.life) == (table.unit("1V1").card, 6)


def test_vd_d19_the_attacker_chooses_among_the_possible_types() -> None:
    table = given(red("V1", "attack", "flying", dice="r"), blue("V1"), blue("R1")).when(0, execute("0V1"))
    assert [str(choice.kind) for choice in table.options(0)] == ["direct", "indirect", "aerial"]  # type: ignore[attr-defined]
    assert table.options(0)[1:] == [indirect(), aerial()]


def test_vd_d14_any_of_the_four_types_may_be_declared() -> None:
    table = attacked(blue("V1", "tactic"))
    kinds = [choice.type for choice in table.options(1)]  # type: ignore[attr-defined]
    assert set(kinds) == {OrderType.ATTACK, OrderType.DEFENSE, OrderType.MANEUVER, OrderType.SUPPORT}
