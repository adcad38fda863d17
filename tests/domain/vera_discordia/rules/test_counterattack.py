"""Section Z: the Counterattack; Reflexes, Riposte, Chaos and Rage in it."""

import pytest

from domain.vera_discordia.cards.cards import DrawCards, OrderType
from domain.vera_discordia.rules.counterattack import HoldBack, StrikeBack
from domain.vera_discordia.rules.strategy import DeclineStrategy, UseStrategy
from domain.vera_discordia.state.events import (
    AttackEnded,
    CounterattackDeclared,
    CounterattackRefused,
    MoraleChecked,
    OrderConverted,
    OrderDiscarded,
    OrderTurnedUp,
    SupportsCommitted,
)
from tests.domain.vera_discordia.table import (
    Piece,
    Table,
    aerial,
    blue,
    execute,
    general,
    given,
    red,
    support,
    target,
    u,
)

Sides = tuple[dict[str, OrderType], dict[str, OrderType]]
BACK = StrikeBack("VD-227")


def struck(defender: Piece, *dice: int, attacker: Piece | None = None, **more: object) -> Table:
    """A Direct Attack without dice (unless an attacker is given) on the Unit."""
    striker = attacker or red("V1", "attack", dice="")
    return given(striker, defender, **more).when(0, execute(striker.id), dice)  # type: ignore[arg-type]


@pytest.mark.parametrize(("order", "dice"), [("attack", []), ("defense", [3])])
def test_vd_227_a_survivor_with_attack_or_defense_must_counterattack_or_check(order: str, dice: list[int]) -> None:
    table = struck(blue("V1", order), *dice)
    assert table.options(1) == [BACK, HoldBack()]


@pytest.mark.parametrize(("order", "dice"), [("maneuver", [3]), ("support", [3]), ("", [])])
def test_vd_228_other_orders_do_not_counterattack(order: str, dice: list[int]) -> None:
    assert struck(blue("V1", order), *dice).asks() == [(1, "OrderExecution")]


def test_vd_229_vd_250_an_indirect_attack_is_never_counterattacked() -> None:
    table = struck(blue("V1", "attack"), 1, attacker=red("R1", "attack", dice="r"))
    assert table.asks() == [(1, "OrderExecution")]
    assert table.one(AttackEnded).landed


def test_vd_230_vd_241_it_happens_inside_the_attackers_turn() -> None:
    table = struck(blue("V1", "attack", dice="")).when(1, BACK)
    assert table.asks() == [(1, "OrderExecution")]
    assert [choice.unit for choice in table.options(1)] == ["1R4"]  # type: ignore[attr-defined]


def test_vd_231_it_hits_the_attacker_even_out_of_reach() -> None:
    """The target stands in the Rearguard of another column."""
    pieces = (red("V1", "attack", dice=""), blue("R2", "attack", dice="m"))
    table = given(*pieces, blue("R3"), blue("V2")).when(0, execute("0V1")).when(0, target("1R2"))
    assert table.when(1, BACK).parts("VD-238") == {"VD-017": 1, "VD-199": -1}
    assert table.rolls() == [("VD-238", 0)]


def test_vd_232_a_counterattack_may_be_supported() -> None:
    pieces = (blue("V1", "attack", dice="m"), blue("V2", "support", up=True), red("V1", "attack", dice=""))
    table = given(*pieces).when(0, execute("0V1")).when(1, BACK)
    assert table.asks() == [(1, "SupportSelection")]
    table.when(1, support("1V2"), [1, 1]).then(SupportsCommitted((u("1V2"),), True))
    assert table.row("VD-238") == "mm"


@pytest.mark.parametrize(("face", "strikes"), [(2, True), (3, False)])
def test_vd_233_refusing_needs_a_passed_check(face: int, strikes: bool) -> None:
    table = struck(blue("V1", "attack", dice="")).when(1, HoldBack(), [face])
    assert table.one(MoraleChecked).rule == "VD-233"
    assert bool(table.of(CounterattackDeclared)) is strikes
    assert (table.unit("1V1").order is None) is strikes


def test_vd_234_the_attacker_has_no_reaction() -> None:
    """Not even with a Defense order in reach of the rules: it is Exhausted, and nothing is checked."""
    table = struck(blue("V1", "attack", dice="m")).when(1, BACK, [1])
    assert table.of(MoraleChecked) == []


def test_vd_235_an_attack_order_is_discarded() -> None:
    table = struck(blue("V1", "attack", dice="")).when(1, BACK)
    assert table.one(OrderDiscarded).rule == "VD-235"
    assert table.unit("1V1").order is None


def test_vd_236_a_defense_order_lies_face_up_and_serves_again() -> None:
    pieces = (red("V1", "attack", dice=""), red("V2", "attack", dice=""), blue("V1", "defense", dice=""))
    table = given(*pieces, blue("V2", "attack", dice="")).when(0, execute("0V1"), [3]).when(1, BACK)
    held = table.unit("1V1").order
    assert held is not None
    assert held.up
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_236_it_may_counterattack_any_number_of_times() -> None:
    for up in (False, True):
        table = struck(blue("V1", "defense", dice="", up=up), 3).when(1, BACK)
        assert table.of(CounterattackDeclared)


def test_vd_237_vd_q11_a_face_down_order_is_executed_by_it_a_face_up_one_was_before() -> None:
    star = (general(), general(star=[DrawCards(1)]))
    declared: Sides = ({}, {"declared": OrderType.DEFENSE})
    first = struck(blue("V1", "tactic", dice=""), 3, generals=star, sides=declared).when(1, BACK)
    assert first.one(OrderTurnedUp).by_counter
    assert first.asks() == [(1, "StarStrategy")]
    again = struck(blue("V1", "tactic", dice="", up=True), 3, generals=star, sides=declared).when(1, BACK)
    assert again.of(OrderTurnedUp) == []
    assert again.of(CounterattackDeclared)


def test_vd_239_a_target_just_decimated_rolls_a_die_less() -> None:
    table = struck(blue("V1", "attack", dice="mm", life=3), 6, 3, attacker=red("V1", "attack", dice="m"))
    assert table.when(1, BACK, [1]).row("VD-238") == "m"


def test_vd_239_a_target_just_destroyed_does_not_counterattack() -> None:
    table = struck(blue("V1", "attack", life=1), 6, attacker=red("V1", "attack", dice="m"))
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_240_the_attacker_is_damaged_and_may_rout() -> None:
    table = struck(blue("V1", "attack", dice="m"), attacker=red("V1", "attack", dice="", life=3))
    table.when(1, BACK, [6, 2])
    assert not table.has("0V1")


def test_vd_242_a_counterattack_is_never_counterattacked() -> None:
    table = struck(blue("V1", "attack", dice="")).when(1, BACK)
    assert len([e for e in table.told if isinstance(e, CounterattackDeclared)]) == 1
    assert table.one(AttackEnded)


def test_vd_199_vd_209_no_support_through_an_opening_and_a_die_less() -> None:
    pieces = (red("V1", "attack", dice=""), blue("V2", "attack", dice="mm"), blue("V3", "support", up=True))
    table = given(*pieces).when(0, execute("0V1")).when(0, target("1V2")).when(1, BACK, [1])
    assert table.row("VD-238") == "m"
    assert table.of(SupportsCommitted) == []


def test_vd_209_vd_280_vd_281_vd_282_the_counterattack_to_an_aerial_attack() -> None:
    """It is a duty; no Support, no Terrain, and the flyer does not react."""
    flyer = red("V2", "attack", "flying", dice="")
    pieces = (flyer, blue("V1", "attack", dice="mm"), blue("V2", "support", up=True, dice="m"))
    table = given(*pieces, blue("R4"), terrain="mfff").when(0, execute("0V2"))
    table.when(0, aerial()).when(0, target("1V1"))
    assert table.options(1) == [BACK, HoldBack()]
    table.when(1, BACK, [1, 1])
    assert table.parts("VD-238") == {"VD-017": 2}


def test_vd_355_vd_q38_riposte_may_strike_back_with_two_dice_less_without_a_check() -> None:
    table = struck(blue("V1", "", "riposte", dice="mmm"))
    assert table.options(1) == [StrikeBack("VD-355"), HoldBack()]
    table.when(1, StrikeBack("VD-355"), [1])
    assert table.parts("VD-238") == {"VD-017": 3, "VD-355": -2}


def test_vd_355_vd_d25_riposte_may_hold_back_without_a_check() -> None:
    table = struck(blue("V1", "", "riposte")).when(1, HoldBack())
    table.then(CounterattackRefused(u("1V1"), "VD-355"))
    assert table.of(MoraleChecked) == []


def test_vd_q39_riposte_keeps_a_maneuver_or_support_and_may_be_supported() -> None:
    pieces = (red("V1", "attack", dice=""), blue("V1", "maneuver", "riposte", dice="m"))
    table = given(*pieces, blue("V2", "support", up=True)).when(0, execute("0V1"), [3])
    table.when(1, StrikeBack("VD-355")).when(1, support("1V2"))
    assert table.unit("1V1").order is not None


def test_vd_355_riposte_is_not_needed_with_an_attack_order() -> None:
    table = struck(blue("V1", "attack", "riposte", dice="mmm")).when(1, BACK, [1, 1, 1])
    assert table.row("VD-238") == "mmm"


def test_vd_317_a_chaotic_unit_counterattacks_without_an_order() -> None:
    table = struck(blue("V1", "", "riposte", chaotic=True, dice="m"))
    assert table.options(1) == [StrikeBack("VD-317"), HoldBack()]
    assert table.when(1, StrikeBack("VD-317"), [1]).row("VD-238") == "m"


@pytest.mark.parametrize(("face", "strikes"), [(2, True), (3, False)])
def test_vd_q38_a_chaotic_unit_may_refuse_by_a_check(face: int, strikes: bool) -> None:
    table = struck(blue("V1", "", chaotic=True, dice="")).when(1, HoldBack(), [face])
    assert bool(table.of(CounterattackDeclared)) is strikes


@pytest.mark.parametrize("order", ["maneuver", "support"])
def test_vd_349_vd_d26_an_enraged_vanguard_unit_may_convert_and_strike_back(order: str) -> None:
    table = struck(blue("V1", order, enraged=True, dice="m"), 3)
    assert table.options(1) == [StrikeBack("VD-349"), HoldBack()]
    table.when(1, StrikeBack("VD-349"), [1])
    table.then(OrderConverted(u("1V1"), OrderType.ATTACK))
    assert table.one(OrderDiscarded).rule == "VD-349"
    assert table.row("VD-238") == "m"


def test_vd_q41_a_face_up_order_is_not_converted_nor_one_in_the_rearguard() -> None:
    assert struck(blue("V1", "support", enraged=True, up=True), 3).asks() == [(1, "OrderExecution")]
    pieces = (red("V1", "attack", dice=""), blue("R1", "maneuver", enraged=True), blue("V2"))
    table = given(*pieces, blue("R2")).when(0, execute("0V1")).when(0, target("1R1"), [3])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q41_the_reaction_uses_the_original_type() -> None:
    table = struck(blue("V1", "maneuver", enraged=True), 2)
    assert table.unit("1V1").order is None
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q39_with_rage_and_riposte_the_owner_chooses() -> None:
    table = struck(blue("V1", "maneuver", "riposte", enraged=True, dice="mmm"), 3)
    assert table.options(1) == [StrikeBack("VD-349"), StrikeBack("VD-355"), HoldBack()]
    assert table.when(1, StrikeBack("VD-349"), [1, 1, 1]).row("VD-238") == "mmm"


def test_vd_351_reflexes_strike_before_the_attack() -> None:
    table = struck(blue("V1", "attack", "reflexes", dice="m"), attacker=red("V1", "attack", dice="m"))
    assert table.rolls() == []
    table.when(1, BACK, [1, 1])
    assert [rule for rule, _ in table.rolls()] == ["VD-238", "VD-217"]


def test_vd_352_an_attacker_decimated_by_reflexes_attacks_with_a_die_less() -> None:
    table = struck(blue("V1", "attack", "reflexes", dice="m"), attacker=red("V1", "attack", dice="mm", life=3))
    assert table.when(1, BACK, [6, 3, 1]).row("VD-217") == "m"


def test_vd_352_an_attacker_destroyed_by_reflexes_does_not_attack() -> None:
    table = struck(blue("V1", "attack", "reflexes", dice="m"), attacker=red("V1", "attack", dice="mm", life=1))
    table.when(1, BACK, [6])
    table.then(AttackEnded("VD-352", landed=False))
    assert table.rolls() == [("VD-238", 1)]


def test_vd_353_with_reflexes_on_both_the_attack_comes_first() -> None:
    attacker = red("V1", "attack", "reflexes", dice="m")
    table = struck(blue("V1", "attack", "reflexes", dice="m"), 1, attacker=attacker)
    assert table.rolls() == [("VD-217", 1)]


def test_vd_q40_reaction_comes_first_and_there_is_no_second_counterattack() -> None:
    table = struck(blue("V1", "defense", "reflexes", dice=""), 3, attacker=red("V1", "attack", dice="m"))
    table.when(1, BACK)
    assert table.row("VD-217") == ""
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q40_a_refused_counterattack_is_not_offered_again() -> None:
    table = struck(blue("V1", "attack", "reflexes", dice=""), attacker=red("V1", "attack", dice="m"))
    table.when(1, HoldBack(), [3, 1])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q40_the_target_counterattacks_at_its_strength_before_the_attack() -> None:
    table = struck(blue("V1", "attack", "reflexes", dice="mm", life=3), attacker=red("V1", "attack", dice="m"))
    assert table.when(1, BACK, [1, 1, 6, 3]).row("VD-238") == "mm"


def test_vd_q40_reflexes_hold_for_riposte_too() -> None:
    table = struck(blue("V1", "", "reflexes", "riposte", dice="mmm"), attacker=red("V1", "attack", dice="m"))
    table.when(1, StrikeBack("VD-355"), [1, 1])
    assert [rule for rule, _ in table.rolls()] == ["VD-238", "VD-217"]


def test_vd_d24_the_owner_decides_after_the_damage() -> None:
    table = struck(blue("V1", "attack"), 6, attacker=red("V1", "attack", dice="m"))
    assert table.unit("1V1").life == 5
    assert table.asks() == [(1, "Counterattacking")]


def test_vd_d27_the_counterattacker_chooses_any_of_its_supports() -> None:
    pieces = (blue("V2", "attack", dice=""), blue("V1", "support", up=True), blue("V3", "support", up=True))
    table = given(red("V2", "attack", dice=""), *pieces).when(0, execute("0V2")).when(1, BACK)
    assert len(table.options(1)) == 5


def test_vd_254_an_order_executed_by_a_counterattack_does_not_ground_the_player() -> None:
    table = struck(blue("V1", "attack", dice="")).when(1, BACK)
    assert not table.side(1).grounded
    assert table.side(0).grounded


def test_vd_064_the_star_strategy_waits_until_the_attack_is_over() -> None:
    star = (general(), general(star=[DrawCards(2)]))
    table = struck(blue("V1", "tactic", dice="m"), generals=star, sides=({}, {"declared": OrderType.ATTACK}))
    table.when(1, BACK).when(1, UseStrategy(), [1])
    kinds = [type(event).__name__ for event in table.plain()]
    assert kinds.index("AttackEnded") < kinds.index("StrategyResumed") < kinds.index("CardsDrawn")
    assert table.side(1).hand_size == 2


def test_vd_064_the_star_strategy_may_be_declined() -> None:
    star = (general(), general(star=[DrawCards(2)]))
    table = struck(blue("V1", "tactic", dice="m"), generals=star, sides=({}, {"declared": OrderType.ATTACK}))
    table.when(1, BACK).when(1, DeclineStrategy(), [1])
    assert table.side(1).hand_size == 0
