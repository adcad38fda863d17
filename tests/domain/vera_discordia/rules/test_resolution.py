"""Sections G, R and S: orders and their states, turns, Support and Defense, the Tactic, Link, Rage."""

import pytest

from domain.commons.cards import known
from domain.kernel import Seat
from domain.vera_discordia.cards.cards import DrawCards, OrderType
from domain.vera_discordia.rules.maneuver import Capture, Castle, DoNothing, Move
from domain.vera_discordia.rules.orders import Declare
from domain.vera_discordia.rules.resolution import (
    ConvertOrder,
    ExchangeCard,
    ExchangeOrders,
    KeepOrder,
    ReclaimOrder,
    Resolution,
)
from domain.vera_discordia.rules.strategy import UseStrategy
from domain.vera_discordia.state.events import (
    AbilityShown,
    AttackDeclared,
    CardExchanged,
    OrderConverted,
    OrderDiscarded,
    OrderReclaimed,
    OrdersExchanged,
    OrderTurnedUp,
    PhaseBegan,
    PlayerGrounded,
    RoundEnded,
    StrategyUsed,
    TacticDeclared,
    UnitMoved,
    UnitOpened,
)
from domain.vera_discordia.state.queries import is_prepared, order_type
from domain.vera_discordia.state.state import Held, Phase
from tests.domain.vera_discordia.table import (
    Table,
    blue,
    castle,
    execute,
    general,
    given,
    indirect,
    lay,
    move,
    red,
    target,
    u,
)


def test_vd_151_vd_136_the_holder_has_the_first_turn_and_turns_alternate() -> None:
    table = given(red("V1", "support"), red("V2", "support"), blue("V1", "support"), turn=1)
    assert table.asks() == [(1, "OrderExecution")]
    assert table.when(1, execute("1V1")).asks() == [(0, "OrderExecution")]
    assert table.when(0, execute("0V1")).asks() == [(1, "OrderExecution")]


def test_vd_152_vd_078_only_prepared_units_execute() -> None:
    table = given(red("V1", "support"), red("V2", "defense", up=True), red("V3"))
    assert table.options(0) == [execute("0V1"), execute("0R4")]


def test_vd_153_there_is_no_passing() -> None:
    table = given(red("V1", "attack"), red("R4"), blue("V1"))
    assert table.options(0) == [execute("0V1")]


def test_vd_154_a_player_with_prepared_units_takes_consecutive_turns() -> None:
    table = given(red("V1", "support"), red("V2", "support"), red("V3", "support"), blue("R4"))
    table.when(0, execute("0V1")).when(0, execute("0V2"))
    assert table.asks() == [(0, "OrderExecution")]


def test_vd_q24_the_holder_without_a_prepared_unit_has_no_turn() -> None:
    assert given(red("R4"), blue("V1", "support")).asks() == [(1, "OrderExecution")]


def test_vd_155_vd_156_when_nobody_is_prepared_the_round_is_cleaned_up() -> None:
    table = given(red("R4", "support"), red("V1", "defense", up=True), blue("R4"))
    table.when(0, execute("0R4"), [1, 2])
    assert PhaseBegan(Phase.CLEAN_UP, 2) in table.events
    assert [event.unit for event in table.of(OrderDiscarded)] == ["0V1", "0R4"]
    assert RoundEnded(2) in table.events
    assert PhaseBegan(Phase.BEGINNING, 3) in table.events


def test_vd_q24_with_no_prepared_unit_at_all_the_phase_ends_at_once() -> None:
    table = Table(lay(red("R4"), blue("R4"))).start(Resolution(Seat(0)), dice=[1, 2])
    assert RoundEnded(2) in table.events


def test_vd_q13_clean_up_discards_v1_to_r4() -> None:
    pieces = [red(space, "support", up=True) for space in ("R2", "V3", "R1", "V1")]
    table = given(*pieces, red("R4", "defense"), blue("R4")).when(0, execute("0R4"), [1, 2])
    assert [event.unit for event in table.of(OrderDiscarded)] == ["0V1", "0V3", "0R1", "0R2", "0R4"]


def test_vd_157_cards_in_hand_stay_between_rounds() -> None:
    table = given(red("R4", "defense"), blue("R4"), sides=({"hand": ("tactic",)}, {}))
    table.when(0, execute("0R4"), [1, 2])
    assert OrderType.TACTIC in known(table.side(0).hand)


@pytest.mark.parametrize("order", ["support", "defense"])
def test_vd_158_vd_160_vd_079_support_and_defense_stay_face_up_and_the_turn_ends(order: str) -> None:
    table = given(red("V1", order)).when(0, execute("0V1"))
    assert table.unit("0V1").order == Held(OrderType(order), up=True, seen=True)
    assert table.asks() == [(1, "OrderExecution")]


@pytest.mark.parametrize("order", ["support", "defense"])
def test_vd_049_they_do_not_open_a_closed_unit(order: str) -> None:
    table = given(red("V1", order, closed=True)).when(0, execute("0V1"))
    assert not table.unit("0V1").open


def test_vd_q60_a_rearguard_unit_may_execute_a_support() -> None:
    table = given(red("R1", "support")).when(0, execute("0R1"))
    held = table.unit("0R1").order
    assert held is not None
    assert held.up


def test_vd_076_vd_378_executing_turns_the_order_up_for_all_to_see() -> None:
    table = given(red("V1", "support")).when(0, execute("0V1"))
    assert OrderTurnedUp(u("0V1"), OrderType.SUPPORT) in table.seen_by(1)


def test_vd_080_vd_081_attack_and_maneuver_leave_the_unit_exhausted() -> None:
    assert given(red("R1", "attack"), blue("V1")).when(0, execute("0R1")).unit("0R1").order is None
    assert given(red("R1", "maneuver")).when(0, execute("0R1")).unit("0R1").order is None


def test_vd_072_vd_073_vd_380_a_discarded_order_lies_on_top_of_the_pile_for_all() -> None:
    table = given(red("R1", "maneuver"), sides=({"pile": ("attack",)}, {})).when(0, execute("0R1"))
    assert (table.side(0).top, table.side(0).pile_size) == (OrderType.MANEUVER, 2)
    assert table.one(OrderDiscarded) in table.seen_by(None)


def test_vd_069_vd_070_the_tactic_is_declared_when_executed() -> None:
    table = given(red("V1", "tactic")).when(0, execute("0V1"))
    assert table.asks() == [(0, "TacticDeclaration")]
    table.when(0, Declare(OrderType.SUPPORT))
    assert TacticDeclared(table.unit("0V1").seat, OrderType.SUPPORT) in table.seen_by(1)
    held = table.unit("0V1").order
    assert held is not None
    assert order_type(table.side(0), held) is OrderType.SUPPORT


def test_vd_071_vd_389_the_declaration_holds_for_the_round_and_no_longer() -> None:
    table = given(red("V1", "tactic"), sides=({"declared": OrderType.MANEUVER}, {})).when(0, execute("0V1"))
    assert table.asks() == [(0, "ManeuverChoice")]
    ended = given(red("R4", "support"), blue("R4"), sides=({"declared": OrderType.MANEUVER}, {}))
    assert ended.when(0, execute("0R4"), [1, 2]).side(0).declared is None


def test_vd_064_vd_q11_vd_d15_the_star_strategy_is_offered_when_the_tactic_is_executed() -> None:
    star = (general(star=[DrawCards(2)]), general())
    table = given(red("V1", "tactic"), generals=star).when(0, execute("0V1"))
    table.when(0, Declare(OrderType.DEFENSE))
    assert table.asks() == [(0, "StarStrategy")]
    table.when(0, UseStrategy())
    assert table.one(StrategyUsed).unit == "0V1"
    assert table.side(0).hand_size == 2


def test_vd_064_the_strategy_comes_after_a_closed_attacker_opened_and_before_the_attack() -> None:
    star = (general(star=[DrawCards(1)]), general())
    pieces = (red("V1", "tactic", closed=True), blue("V1"))
    table = given(*pieces, generals=star, sides=({"declared": OrderType.ATTACK}, {})).when(0, execute("0V1"))
    assert table.asks() == [(0, "StarStrategy")]
    assert table.unit("0V1").open
    assert table.of(AttackDeclared) == []


def test_vd_q11_no_strategy_when_a_passive_tactic_is_discarded_in_a_castling() -> None:
    star = (general(star=[DrawCards(1)]), general())
    pieces = (red("V2", "maneuver"), red("V1", "tactic"))
    table = given(*pieces, generals=star, sides=({"declared": OrderType.MANEUVER}, {})).when(0, execute("0V2"))
    assert table.when(0, castle("0V1")).asks() == [(1, "OrderExecution")]


def test_vd_q68_a_direct_attack_by_charge_grounds_the_player() -> None:
    table = given(red("V1", "attack", dice="", charge=True), blue("V1")).when(0, execute("0V1"))
    assert table.one(PlayerGrounded).seat == 0


HAND: tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]] = (
    {"hand": ("maneuver", "maneuver", "support")},
    {},
)


def linked(*, hand: bool = True) -> Table:
    pieces = (red("V1", "attack", "link"), red("V2", "defense", "link"), red("V3", "attack"), red("V4", "", "link"))
    return given(*pieces, sides=HAND) if hand else given(*pieces)


def test_vd_331_vd_332_vd_333_vd_334_vd_d11_what_link_offers() -> None:
    """Prepared Link Units only; giving back needs an empty hand."""
    offers = [choice for choice in linked().options(0) if type(choice).__name__ != "Execute"]
    m, s = OrderType.MANEUVER, OrderType.SUPPORT
    assert offers == [
        *(ExchangeCard(u(unit), card) for unit in ("0V1", "0V2") for card in (m, s)),
        ExchangeOrders(u("0V1"), u("0V2")),
    ]
    offers = [choice for choice in linked(hand=False).options(0) if type(choice).__name__ != "Execute"]
    assert offers == [ExchangeOrders(u("0V1"), u("0V2")), ReclaimOrder(u("0V1")), ReclaimOrder(u("0V2"))]


def test_vd_332_vd_q56_a_card_of_the_hand_for_the_order_and_what_was_known_is_cleared() -> None:
    pieces = (red("V1", "attack", "link", seen=True),)
    table = given(*pieces, sides=HAND).when(0, ExchangeCard(u("0V1"), OrderType.SUPPORT))
    assert table.unit("0V1").order == Held(OrderType.SUPPORT)
    assert sorted(known(table.side(0).hand)) == ["attack", "maneuver", "maneuver"]


def test_vd_333_vd_q25_vd_q56_two_orders_are_exchanged_and_knowledge_goes_with_the_card() -> None:
    pieces = (red("V1", "attack", "link", seen=True), red("V2", "defense", "link"))
    table = given(*pieces).when(0, ExchangeOrders(u("0V1"), u("0V2")))
    assert table.unit("0V1").order == Held(OrderType.DEFENSE)
    assert table.unit("0V2").order == Held(OrderType.ATTACK, seen=True)


def test_vd_334_the_order_goes_back_to_the_empty_hand() -> None:
    table = linked(hand=False).when(0, ReclaimOrder(u("0V1")))
    assert known(table.side(0).hand) == (OrderType.ATTACK,)
    assert table.unit("0V1").order is None


def test_vd_331_vd_q25_one_action_per_turn_and_then_an_order_is_executed() -> None:
    table = linked().when(0, ExchangeOrders(u("0V1"), u("0V2")))
    assert table.asks() == [(0, "OrderExecution")]
    assert all(type(choice).__name__ == "Execute" for choice in table.options(0))


def test_vd_q25_without_a_prepared_unit_left_the_turn_ends_without_an_execution() -> None:
    table = given(red("V1", "attack", "link"), red("R4")).when(0, ReclaimOrder(u("0V1")))
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q25_orders_of_charge_are_not_touched_autonomous_ones_are() -> None:
    table = given(red("V1", "attack", "link", charge=True), red("V2", "defense", "link", dealt=True))
    assert table.offers(0, ReclaimOrder) == [ReclaimOrder(u("0V2"))]


def test_vd_q09_a_declared_tactic_keeps_its_type_through_link() -> None:
    pieces = (red("V1", "tactic", "link", seen=True), red("V2", "defense", "link"))
    table = given(*pieces, sides=({"declared": OrderType.SUPPORT}, {})).when(0, ExchangeOrders(u("0V1"), u("0V2")))
    assert table.when(0, execute("0V2")).asks() == [(1, "OrderExecution")]


def test_vd_386_a_link_action_is_seen_its_cards_are_not_and_closed_units_name_link() -> None:
    pieces = (red("V1", "attack", "link", closed=True),)
    table = given(*pieces, sides=HAND).when(0, ExchangeCard(u("0V1"), OrderType.SUPPORT))
    assert table.one(AbilityShown).ability == "link"
    told = [event for event in table.seen_by(1) if isinstance(event, CardExchanged)]
    assert (told[0].unit, repr(told[0].order), repr(told[0].hand)) == ("0V1", "HIDDEN", "HIDDEN")
    both = linked().when(0, ExchangeOrders(u("0V1"), u("0V2"))).seen_by(1)
    assert [(e.first, e.second) for e in both if isinstance(e, OrdersExchanged)] == [("0V1", "0V2")]
    taken = linked(hand=False).when(0, ReclaimOrder(u("0V1"))).seen_by(1)
    assert [repr(e.hand) for e in taken if isinstance(e, OrderReclaimed)] == ["HIDDEN"]


@pytest.mark.parametrize("choice", [ExchangeOrders(u("0V1"), u("0V2")), ReclaimOrder(u("0V1")), ReclaimOrder(u("0V2"))])
def test_vd_386_vd_054_every_closed_unit_in_a_link_action_names_link(choice: ExchangeOrders | ReclaimOrder) -> None:
    pieces = (red("V1", "attack", "link", closed=True), red("V2", "defense", "link", closed=True))
    table = given(*pieces).when(0, choice)
    named = [event.unit for event in table.of(AbilityShown)]
    assert named == ([choice.first, choice.second] if isinstance(choice, ExchangeOrders) else [choice.unit])


def test_vd_q70_an_army_without_link_is_asked_the_same_question() -> None:
    assert given(red("V1", "attack")).asks() == linked().asks()


def enraged(space: str, order: str, **more: object) -> Table:
    return given(red(space, order, enraged=True, **more), blue("V1")).when(0, execute(f"0{space}"))


def test_vd_348_vd_d13_an_enraged_unit_may_convert_or_keep_its_order() -> None:
    table = enraged("V1", "defense")
    assert table.options(0) == [KeepOrder(), ConvertOrder()]
    held = table.when(0, KeepOrder()).unit("0V1").order
    assert held is not None
    assert held.up


def test_vd_349_in_the_vanguard_it_becomes_a_direct_attack() -> None:
    table = given(red("V1", "support", "flying", enraged=True, dice="r", closed=True), blue("V1"), blue("R1"))
    table.when(0, execute("0V1")).when(0, ConvertOrder(), [1])
    assert table.one(OrderConverted).to is OrderType.ATTACK
    assert table.one(UnitOpened).rule == "VD-050"
    assert table.one(AttackDeclared).target == "1V1"
    assert table.side(0).top is OrderType.SUPPORT


def test_vd_349_an_original_attack_may_be_of_any_type() -> None:
    table = given(red("V1", "attack", enraged=True, dice="r"), blue("V1"), blue("R1")).when(0, execute("0V1"))
    assert indirect() in table.when(0, KeepOrder()).options(0)


def test_vd_350_vd_q41_in_the_rearguard_it_must_go_into_the_vanguard() -> None:
    table = given(red("R2", "attack", enraged=True), red("R1"), blue("V1")).when(0, execute("0R2"))
    table.when(0, ConvertOrder())
    assert table.options(0) == [move("V2")]
    table = given(red("R2", "attack", enraged=True), red("V2", "attack"), blue("V1")).when(0, execute("0R2"))
    table.when(0, ConvertOrder())
    assert table.options(0) == [castle("0V2")]
    assert not {DoNothing, Capture} & {type(choice) for choice in table.options(0)}
    assert table.when(0, castle("0V2")).unit("0R2").space == "R2"


def test_vd_350_with_flight_any_vanguard_space() -> None:
    table = given(red("R2", "defense", "glide", enraged=True)).when(0, execute("0R2")).when(0, ConvertOrder())
    assert {type(choice) for choice in table.options(0)} <= {Move, Castle}
    assert [choice.to for choice in table.offers(0, Move)] == ["V1", "V2", "V3", "V4"]  # type: ignore[attr-defined]
    assert table.when(0, move("V4")).of(UnitMoved)


def test_vd_q41_a_converted_tactic_is_not_declared_and_has_no_strategy() -> None:
    star = (general(star=[DrawCards(1)]), general())
    table = given(red("V1", "tactic", enraged=True, dice=""), blue("V1"), generals=star)
    table.when(0, execute("0V1")).when(0, ConvertOrder())
    assert table.side(0).declared is None
    assert table.of(AttackDeclared)
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q68_a_rage_conversion_grounds_the_player() -> None:
    table = enraged("R1", "attack").when(0, ConvertOrder())
    assert table.side(0).grounded


def test_vd_082_a_unit_has_at_most_one_order() -> None:
    """The state has room for one."""
    held = given(red("V1", "attack")).unit("0V1").order
    assert isinstance(held, Held)


def test_vd_078_prepared_means_a_face_down_order() -> None:
    table = given(red("V1", "defense"), red("V2", "defense", up=True), red("V3"))
    assert [is_prepared(table.unit(unit)) for unit in ("0V1", "0V2", "0V3")] == [True, False, False]


def test_vd_077_an_order_never_executed_leaves_aerial_attacks_open() -> None:
    """Losing an order by Disorganisation is no executed order (VD-253)."""
    pieces = (red("V1", "attack", dice=""), blue("V1", "maneuver"), blue("R1", "attack", "flying"), red("R1"))
    table = given(*pieces).when(0, execute("0V1"), [2]).when(1, execute("1R1"))
    assert target("0V1") in table.options(1)
