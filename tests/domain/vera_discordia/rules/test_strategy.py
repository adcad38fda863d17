"""Section F and 6.4: Generals, star and diamond Strategies, hook by hook."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.commons.cards import known
from domain.kernel import Seat
from domain.vera_discordia.cards.cards import (
    Ability,
    AnyHook,
    DrawCards,
    Mend,
    MoraleBonus,
    OrderType,
    Reissue,
    Sabotage,
    Shift,
    Spy,
    StrikeHook,
    Train,
)
from domain.vera_discordia.rules.counterattack import StrikeBack
from domain.vera_discordia.rules.launch import Reroll
from domain.vera_discordia.rules.orders import Declare
from domain.vera_discordia.rules.resolution import OrderExecution, Resolution
from domain.vera_discordia.rules.round import Round
from domain.vera_discordia.rules.strategy import (
    DeclineStrategy,
    Designate,
    ShiftPair,
    ShiftUnit,
    StopShifting,
    UseStrategy,
)
from domain.vera_discordia.state.events import (
    CaptureLost,
    LifeRegained,
    MoraleChecked,
    MoraleRaised,
    OrderDeckShuffled,
    OrderDiscarded,
    OrderExamined,
    StrategyResumed,
    StrategyUsed,
    UnitMoved,
    UnitsSwapped,
    UnitTookOrder,
)
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.queries import profile
from domain.vera_discordia.state.state import Space
from tests.domain.vera_discordia.table import Piece, Table, blue, execute, general, given, lay, move, red, u

Sides = tuple[dict[str, Any], dict[str, Any]]
AS_DEFENSE: Sides = ({"declared": OrderType.DEFENSE}, {})
AS_ATTACK: Sides = ({"declared": OrderType.ATTACK}, {})


def star(hook: AnyHook, *others: Piece, declared: Sides = AS_DEFENSE, **more: Any) -> Table:
    """The Tactic on 0V1 is executed and the Strategy used."""
    pieces = (red("V1", "tactic", dice="mm"), *others)
    table = given(*pieces, generals=(general(star=[hook]), general()), sides=declared, **more)
    return table.when(0, execute("0V1")).when(0, UseStrategy())


def turn(hook: AnyHook, *pieces: Piece, **more: Any) -> Table:
    """A diamond Strategy of the own turn is used."""
    table = given(*pieces, generals=(general(diamond=[hook]), general()), **more)
    return table.when(0, UseStrategy())


def moment(name: str, hook: AnyHook, at: str, pieces: Sequence[Piece], dice: Sequence[int] = (), **more: Any) -> Table:
    """A round from a step on, seat 0 having a diamond Strategy for this moment."""
    state = lay(
        *pieces, generals=(general(diamond=[hook], moment=name), general()), round_number=1, waiting=False, **more
    )
    return Table(replace(state, stack=state.stack[:1])).start(Round(1), at, dice)


def test_vd_065_a_diamond_is_used_once_a_game() -> None:
    table = turn(Shift(1), red("V1", "support"), red("V2", "support"), blue("V1", "support"))
    assert table.one(StrategyUsed).spent
    assert table.side(0).strategy_spent
    table.when(0, StopShifting())
    assert UseStrategy() not in table.options(0)


def test_vd_065_as_long_as_it_is_unused_it_is_offered_at_every_such_moment() -> None:
    pieces = (red("V1", "support"), red("V2", "support"), blue("V1", "support"))
    table = given(*pieces, generals=(general(diamond=[Shift(1)]), general()))
    assert UseStrategy() in table.options(0)
    table.when(0, execute("0V1")).when(1, execute("1V1"))
    assert UseStrategy() in table.options(0)


def test_vd_065_at_turn_it_comes_before_a_link_action() -> None:
    pieces = (red("V1", "support", "link"), red("V2", "attack", "link"))
    table = given(*pieces, generals=(general(diamond=[Shift(1)]), general()))
    linking = next(c for c in table.options(0) if type(c).__name__ == "ExchangeOrders")
    table.when(0, linking)
    assert UseStrategy() not in table.options(0)


def test_vd_065_if_both_have_the_moment_the_holder_decides_first() -> None:
    both = general(diamond=[DrawCards(1)], moment="draw")
    state = lay(red("V1"), blue("V1"), generals=(both, both), first=1, round_number=1, waiting=False)
    table = Table(replace(state, stack=state.stack[:1])).start(Round(1), "VD-137")
    assert table.asks() == [(1, "DiamondStrategy")]
    assert table.when(1, DeclineStrategy()).asks() == [(0, "DiamondStrategy")]


def test_vd_287_without_generals_there_are_no_hooks() -> None:
    options = Options(without_generals=True)
    table = given(red("V1", "support"), generals=(general(diamond=[Shift(1)]), general()), options=options)
    assert UseStrategy() not in table.options(0)


def test_a_strategy_may_be_declined() -> None:
    pieces = (red("V1", "tactic", dice="mm"),)
    table = given(*pieces, generals=(general(star=[DrawCards(3)]), general()), sides=AS_DEFENSE)
    table.when(0, execute("0V1")).when(0, DeclineStrategy())
    assert table.side(0).hand_size == 0


def test_all_hooks_of_a_strategy_are_used_in_list_order() -> None:
    pieces = (red("V1", "tactic"), red("V2", life=3))
    table = given(*pieces, generals=(general(star=[DrawCards(1), Mend(1, 1, "army")]), general()), sides=AS_DEFENSE)
    table.when(0, execute("0V1")).when(0, UseStrategy())
    assert table.side(0).hand_size == 1
    assert table.asks() == [(0, "Mending")]


def test_vd_062_losing_an_ability_the_unit_does_not_have_is_ignored() -> None:
    """The General's Unit loses Flying; without Flying nothing changes."""
    table = given(red("V1", "", "bravery", general=True), red("V2", "", "flying", general=False))
    assert profile(table.state, table.unit("0V1")).abilities == {Ability.BRAVERY}


def test_vd_060_flying_with_the_general_is_gliding() -> None:
    table = given(red("V1", "", "flying", general=True))
    assert profile(table.state, table.unit("0V1")).abilities == {Ability.GLIDE}


def test_vd_061_an_ability_gained_twice_counts_once() -> None:
    table = given(
        red("V1", "attack", dice=""),
        blue("V1", "defense", "bravery", general=True),
        generals=(general(), general("bravery")),
    )
    table.when(0, execute("0V1"), [2])
    assert sum(part.value for part in table.one(MoraleChecked).parts) == 1


def test_vd_058_heroism_is_for_the_generals_unit_alone() -> None:
    table = given(red("V1", general=True), red("V2"), generals=(general("rage"), general()))
    assert Ability.RAGE in profile(table.state, table.unit("0V1")).abilities
    assert Ability.RAGE not in profile(table.state, table.unit("0V2")).abilities


def test_vd_k08_train_gives_units_of_the_types_the_ability() -> None:
    leader = general(leads=[Train(("v1",), Ability.RIPOSTE)])
    table = given(red("V1"), red("V2"), blue("V1"), generals=(leader, general()))
    found = [Ability.RIPOSTE in profile(table.state, table.unit(unit)).abilities for unit in ("0V1", "0V2", "1V1")]
    assert found == [True, False, False]


def test_vd_k08_vd_054_a_trained_ability_of_a_closed_unit_is_named_when_used() -> None:
    leader = general(leads=[Train(("r4",), Ability.GLIDE)])
    table = given(red("R4", "maneuver", closed=True), generals=(leader, general())).when(0, execute("0R4"))
    assert table.when(0, move("V1")).unit("0R4").shown == (Ability.GLIDE,)


def test_vd_k09_the_bonus_of_a_strategy_lasts_to_the_end_of_the_round() -> None:
    table = star(MoraleBonus(1, "army"), blue("V1", "attack", dice=""), red("R4"))
    assert table.one(MoraleRaised).units == ("0V1", "0R4")
    table.when(1, execute("1V1"), [2])
    assert table.one(MoraleChecked).passed
    table.when(0, StrikeBack("VD-227"), [1, 1]).when(1, execute("1R4"), [1, 2])
    assert table.unit("0V1").morale == 0


@pytest.mark.parametrize(("face", "passed"), [(1, False), (2, True)])
def test_vd_k09_natural_one_still_fails(face: int, passed: bool) -> None:
    table = star(MoraleBonus(2, "army"), blue("V1", "attack", dice="")).when(1, execute("1V1"), [face])
    assert table.one(MoraleChecked).passed is passed


def test_vd_k09_around_the_general_at_the_moment_of_use() -> None:
    pieces = (red("V2", general=True), red("V3"), red("V4"))
    table = star(MoraleBonus(1, "general"), *pieces)
    assert table.one(MoraleRaised).units == ("0V1", "0V2", "0V3")


def test_vd_k10_strike_gives_dice_and_an_ability_to_the_attack_of_the_tactic() -> None:
    pieces = (red("V1", "tactic", dice="m"), blue("V1"))
    table = given(*pieces, generals=(general(star=[StrikeHook(2, "mastery")]), general()), sides=AS_ATTACK)
    table.when(0, execute("0V1")).when(0, UseStrategy(), [1, 1, 1])
    assert table.parts("VD-217") == {"VD-017": 1, "VD-K10": 2}
    assert table.asks() == [(0, "Mastery")]
    table.when(0, Reroll(), [1, 1, 1])


@pytest.mark.parametrize(("face", "passed"), [(3, False), (4, True)])
def test_vd_k10_strike_may_give_discord(face: int, passed: bool) -> None:
    pieces = (red("V1", "tactic", dice=""), blue("V1", "defense", dice=""))
    table = given(*pieces, generals=(general(star=[StrikeHook(0, "discord")]), general()), sides=AS_ATTACK)
    table.when(0, execute("0V1")).when(0, UseStrategy(), [face])
    assert table.one(MoraleChecked).passed is passed


def test_vd_k10_in_a_counterattack_it_takes_effect_at_once() -> None:
    pieces = (red("V1", "attack", dice=""), blue("V1", "tactic", dice="m"))
    table = given(
        *pieces, generals=(general(), general(star=[StrikeHook(1, "none")])), sides=(AS_ATTACK[1], AS_ATTACK[0])
    )
    table.when(0, execute("0V1")).when(1, StrikeBack("VD-227")).when(1, UseStrategy(), [1, 1])
    assert table.parts("VD-238") == {"VD-017": 1, "VD-K10": 1}


def test_vd_k10_a_tactic_executed_as_defense_gains_nothing() -> None:
    table = star(StrikeHook(3, "discord"), blue("V1", "attack", dice=""))
    table.when(1, execute("1V1"), [3]).when(0, StrikeBack("VD-227"), [1, 1])
    assert table.parts("VD-238") == {"VD-017": 2}


def test_vd_k11_mend_heals_different_damaged_units_up_to_their_maximum() -> None:
    table = star(Mend(2, 2, "army"), red("V2", life=5), red("R1", life=2), red("R2"), red("V3", life=1))
    assert {unit for choice in table.options(0) for unit in choice.units} == {"0V2", "0V3", "0R1"}  # type: ignore[attr-defined]
    assert max(len(choice.units) for choice in table.options(0)) == 2  # type: ignore[attr-defined]
    table.when(0, Designate(("0V2", "0R1")))
    assert [(event.unit, event.gained) for event in table.of(LifeRegained)] == [("0V2", 1), ("0R1", 2)]


@pytest.mark.parametrize(("reach", "units"), [("self", set()), ("adjacent", {"0V2", "0R1"})])
def test_vd_k11_the_reach_is_measured_from_the_executing_unit(reach: Any, units: set[str]) -> None:
    table = star(Mend(1, 4, reach), red("V2", life=5), red("R1", life=5), red("V3", life=5))
    if not units:
        assert table.asks() == [(1, "OrderExecution")]
        return
    assert {unit for choice in table.options(0) for unit in choice.units} == units  # type: ignore[attr-defined]


def test_vd_k11_self_heals_the_executing_unit() -> None:
    pieces = (red("V1", "tactic", life=3),)
    table = given(*pieces, generals=(general(star=[Mend(1, 1, "self")]), general()), sides=AS_DEFENSE)
    table.when(0, execute("0V1")).when(0, UseStrategy()).when(0, Designate(("0V1",)))
    assert table.unit("0V1").life == 4


def test_vd_k11_deferred_to_the_end_of_the_attack_a_fallen_unit_finds_nothing() -> None:
    """With Reflexes the Counterattack comes first; then the Unit falls, and the Strategy has nobody to heal."""
    pieces = (red("V1", "attack", dice="m"), blue("V1", "tactic", "reflexes", life=1, dice=""), blue("V2", life=3))
    sides: Sides = ({}, {"declared": OrderType.ATTACK})
    table = given(*pieces, generals=(general(), general(star=[Mend(1, 1, "adjacent")])), sides=sides)
    table.when(0, execute("0V1")).when(1, StrikeBack("VD-227")).when(1, UseStrategy(), [6])
    assert table.of(StrategyResumed)
    assert table.of(LifeRegained) == []
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_k11_at_the_beginning_of_a_round_before_the_first_roll() -> None:
    table = moment("round_begin", Mend(1, 1, "army"), "", (red("V1", "", "regeneration", life=5), blue("V1")))
    assert table.asks() == [(0, "DiamondStrategy")]
    table.when(0, UseStrategy()).when(0, Designate(("0V1",)))
    assert table.rolls() == []
    assert table.unit("0V1").life == 6


def test_vd_k11_at_clean_up_before_the_discards() -> None:
    pieces = (red("V1", "support", up=True, life=5), blue("V1"))
    table = moment("clean_up", Mend(1, 1, "army"), "VD-156", pieces)
    assert table.of(OrderDiscarded) == []
    assert table.asks() == [(0, "DiamondStrategy")]


def test_vd_k12_draw_adds_cards_that_stay_until_placed() -> None:
    table = star(DrawCards(3))
    assert table.side(0).hand_size == 3
    drawn = moment("draw", DrawCards(2), "VD-137", (red("V1"), blue("V1"))).when(0, UseStrategy())
    assert drawn.side(0).hand_size == 3


def test_vd_k12_vd_q15_it_may_need_a_new_deck() -> None:
    sides: Sides = ({"declared": OrderType.DEFENSE, "deck": ("attack",)}, {})
    table = star(DrawCards(2), declared=sides)
    assert table.one(OrderDeckShuffled).reshuffled
    assert table.side(0).hand_size == 2


def test_vd_k13_vd_074_spy_examines_face_down_orders_and_the_units_stay_closed() -> None:
    table = star(Spy(2), blue("V1", "attack", closed=True), blue("V2", "defense", up=True), blue("V3"))
    assert {unit for choice in table.options(0) for unit in choice.units} == {"1V1", "1R4"}  # type: ignore[attr-defined]
    table.when(0, Designate(("1V1",)))
    assert table.one(OrderExamined) in table.seen_by(None)
    held = table.unit("1V1").order
    assert held is not None
    assert (held.up, held.seen, table.unit("1V1").open) == (False, True, False)


def test_vd_k13_a_tactic_appears_and_is_declared_by_its_owner() -> None:
    table = star(Spy(1), blue("V1", "tactic")).when(0, Designate(("1V1",)))
    assert table.asks() == [(1, "TacticDeclaration")]
    assert table.when(1, Declare(OrderType.ATTACK)).asks() == [(1, "OrderExecution")]


def test_vd_k13_after_phase_4_before_the_first_turn() -> None:
    pieces = (red("V1", "attack"), blue("V1", "attack"))
    table = moment("kept", Spy(1), "VD-146/kept", pieces)
    table.when(0, UseStrategy()).when(0, Designate(("1V1",)))
    assert table.asks() == [(0, "OrderExecution")]


def test_up_to_n_includes_none() -> None:
    assert star(Spy(1), blue("V1", "attack")).when(0, Designate(())).asks() == [(1, "OrderExecution")]


def test_vd_k14_reissue_makes_exhausted_units_prepared_again() -> None:
    table = star(Reissue(2), red("V2"), red("V3", chaotic=True), red("R1", "support", up=True))
    assert {unit for choice in table.options(0) for unit in choice.units} == {"0V2"}  # type: ignore[attr-defined]
    table.when(0, Designate(("0V2",)))
    held = table.unit("0V2").order
    assert held is not None
    assert (held.up, held.dealt) == (False, True)
    (told,) = [event for event in table.seen_by(1) if isinstance(event, UnitTookOrder)]
    assert (told.unit, repr(told.order)) == ("0V2", "HIDDEN")


def test_vd_k14_not_the_unit_that_executes_the_tactic() -> None:
    pieces = (red("V1", "tactic", dice=""), blue("V1"), red("R1"))
    table = given(*pieces, generals=(general(star=[Reissue(1)]), general()), sides=AS_ATTACK)
    table.when(0, execute("0V1")).when(0, UseStrategy())
    assert {unit for choice in table.options(0) for unit in choice.units} == {"0R1"}  # type: ignore[attr-defined]


def test_vd_k14_link_may_move_a_reissued_order() -> None:
    table = given(red("V1", "attack", "link", dealt=True), red("V2", "support", "link"))
    assert any(type(choice).__name__ == "ExchangeOrders" for choice in table.options(0))


@pytest.mark.parametrize(("face", "lost"), [(2, True), (3, False)])
@pytest.mark.parametrize("order", ["attack", "tactic"])
def test_vd_k15_sabotage_of_any_type_of_order(order: str, face: int, lost: bool) -> None:
    table = star(Sabotage(1), blue("V1", order, closed=True)).when(0, Designate(("1V1",)), [face])
    assert table.one(MoraleChecked).rule == "VD-214"
    assert (table.unit("1V1").order is None) is lost
    assert [event.order for event in table.of(OrderDiscarded)] == ([OrderType(order)] if lost else [])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_k15_passed_the_order_is_not_shown() -> None:
    table = star(Sabotage(1), blue("V1", "attack")).when(0, Designate(("1V1",)), [3])
    held = table.unit("1V1").order
    assert held is not None
    assert not held.seen


def test_vd_k15_dice_follow_in_the_order_of_naming() -> None:
    pieces = (red("V1", "support"), blue("V1", "attack"), blue("V2", "attack"))
    table = turn(Sabotage(3), *pieces).when(0, Designate(("1V2", "1V1")), [2, 3])
    assert [event.unit for event in table.of(MoraleChecked)] == ["1V2", "1V1"]
    assert table.unit("1V2").order is None
    assert table.unit("1V1").order is not None


@pytest.mark.parametrize(
    ("ability", "face", "named"), [("bravery", 2, True), ("bravery", 3, False), ("cowardice", 3, True)]
)
def test_vd_k15_an_ability_of_a_closed_unit_that_visibly_changed_the_check_is_named(
    ability: str, face: int, named: bool
) -> None:
    table = star(Sabotage(1), blue("V1", "attack", ability, closed=True)).when(0, Designate(("1V1",)), [face])
    assert (Ability(ability) in table.unit("1V1").shown) is named


def test_vd_k16_shift_moves_a_unit_one_space_or_exchanges_two_and_flight_does_not_help() -> None:
    table = star(Shift(2), red("V2", "", "flying", capture=True), red("R4"))
    options = table.options(0)
    assert ShiftUnit(u("0V2"), Space("V3")) in options
    assert ShiftUnit(u("0V2"), Space("R4")) not in options
    assert not any(isinstance(c, ShiftUnit) and c.unit == "0V2" and c.to in {"V4", "R3"} for c in options)
    assert ShiftPair(u("0V1"), u("0V2")) in options
    table.when(0, ShiftUnit(u("0V2"), Space("V3")))
    assert table.one(UnitMoved).rule == table.one(CaptureLost).rule == "VD-K16"
    table.when(0, StopShifting())
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_k16_two_moves_at_most_and_no_order_is_spent() -> None:
    table = star(Shift(2), red("V2", "attack"), red("R4"))
    table.when(0, ShiftPair(u("0V1"), u("0V2"))).when(0, ShiftUnit(u("0V2"), Space("R1")))
    assert table.unit("0V2").order is not None
    assert table.unit("0V2").space == "R1"
    assert table.asks() == [(1, "OrderExecution")]
    assert [event.rule for event in table.told if isinstance(event, UnitsSwapped)] == ["VD-K16"]


def test_a_hook_is_no_order_and_does_not_ground_the_player() -> None:
    table = turn(Shift(1), red("V1", "attack", "flying"), blue("V1"), blue("R4"))
    table.when(0, ShiftUnit(u("0V1"), Space("V2")))
    assert not table.side(0).grounded


def test_a_changed_chrysalis_belongs_to_no_type() -> None:
    leader = general(leads=[Train(("v1",), Ability.RIPOSTE)])
    table = given(red("V1", changed=True), generals=(leader, general()))
    assert Ability.RIPOSTE not in profile(table.state, table.unit("0V1")).abilities


def test_vd_083_the_owner_knows_the_own_face_down_orders() -> None:
    """The options of a turn are computed from them."""
    table = Table(lay(red("V1", "attack"), blue("V1"))).start(Resolution(Seat(0)))
    assert OrderExecution(Seat(0)).form(table.state).count() == 2
    held = table.unit("0V1").order
    assert held is not None
    assert known(held.type) is OrderType.ATTACK
