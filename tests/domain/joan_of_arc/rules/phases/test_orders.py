"""Rows of orders, interrupts and the reserve phase."""

from typing import Any

from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.state.events import (
    InterruptDeclined,
    InterruptOffered,
    OrderDiscarded,
    OrderPlayed,
    OrderReturned,
    OrdersReserved,
    OrdersReturned,
    TurnBegan,
    UnitsActivated,
    UnitsMoved,
)
from tests.domain.joan_of_arc.fixtures import L0, L1, L3, L4
from tests.domain.joan_of_arc.table import Table, given

COMMAND, CHARGE, AGAIN = (f"PlayOrder {order} {L0}" for order in ("command", "charge", "reactivation"))


def turn(orders: str, theirs: str = "", **position: Any) -> Table:
    """The first player's turn with a unit on L0 against one on L4."""
    ours = {"orders": orders, "units": ["e1: e_billmen @L0"]}
    return given(**{"seat0": ours, "seat1": {"orders": theirs, "units": ["f1: f_voulgiers @L4"]}, **position})


def test_ja_058_ja_065_ja_067_ja_076_ja_077_ja_078_ja_079_ja_x04_orders_on_one_area_then_the_reserve() -> None:
    table = turn("6 command, 1 charge, 1 reactivation").do(COMMAND, "Wait")
    assert table.refused(CHARGE) == "JA-058"
    table.do(AGAIN, "Wait")
    assert table.of(OrdersReturned)[0].areas == (L0,)
    reserved = table.of(OrdersReserved)[0]
    assert (reserved.kept, reserved.returned) == (OrdersHeld(3, 1), OrdersHeld(2))
    assert table.state.placed == {}


def test_ja_080_stored_orders_are_there_in_the_next_round() -> None:
    table = turn("2 command", "1 command").do(COMMAND, "Wait")
    assert table.kinds() == ["1 OrderChoice"]
    assert table.state.boards[0].orders == OrdersHeld(1)


def test_ja_054_ja_055_ja_d04_the_turn_ends_after_one_order_at_the_earliest() -> None:
    table = turn("2 command")
    assert "EndTurn" not in table.offers()
    assert table.refused("EndTurn") == "JA-054"
    table.do(COMMAND, f"Move {L1}")
    assert table.offers() == [f"PlayOrder command {L1}", "EndTurn"]


def test_ja_q09_ja_q86_who_has_no_order_or_nobody_to_order_passes() -> None:
    table = turn("", "1 command")
    assert [event.seat for event in table.of(TurnBegan)] == [0, 1]
    assert table.kinds() == ["1 OrderChoice"]
    gone = turn("3 command", "1 command", seat0={"orders": "3 command", "units": ["e1: e_billmen disrupted"]})
    assert gone.kinds() == ["1 OrderChoice"]


def test_ja_052_ja_053_ja_057_ja_061_an_order_activates_all_own_units_of_the_area_again_and_again() -> None:
    units = ["e1: e_billmen @L0", "e2: e_bowmen @L0", "e3: e_billmen @L1"]
    table = turn("1 command, 1 reactivation", seat0={"orders": "1 command, 1 reactivation", "units": units})
    table.do(COMMAND, "Wait", "Wait", "Resolve e2", AGAIN)
    assert [event.units for event in table.of(UnitsActivated)] == [("e1", "e2"), ("e1", "e2")]
    assert table.kinds() == ["0 Declaration"]


def test_ja_059_ja_062_ja_063_ja_066_ja_q10_ja_q11_any_order_serves_as_a_plain_one_in_the_own_turn() -> None:
    table = turn("1 charge, 1 reactivation, 1 interrupt")
    assert table.offers() == [f"PlayOrder {order} {L0}" for order in ("charge", "reactivation", "interrupt")]
    table.do(f"PlayOrder interrupt {L0}", "Wait")
    assert not table.of(OrderReturned)
    assert table.state.placed == {L0: ("interrupt",)}


def test_ja_068_ja_069_ja_070_ja_072_ja_074_ja_402_ja_d11_ja_x05_one_interrupt() -> None:
    table = turn("2 command, 1 reactivation", "2 interrupt")
    assert not table.of(InterruptOffered)
    table.do(COMMAND, "Wait")
    assert table.kinds() == ["1 InterruptOffer"]
    table.do(f"Interrupt {L4}", f"Move {L3}")
    assert [(event.seat, event.order, event.interrupt) for event in table.of(OrderPlayed)][1] == (1, "interrupt", True)
    assert [(event.units, event.path) for event in table.of(UnitsMoved)] == [(("f1",), (L3,))]
    assert [(event.order, event.area) for event in table.of(OrderReturned)] == [("interrupt", L4)]
    assert table.kinds() == ["0 OrderChoice"]
    assert len(table.of(InterruptOffered)) == 1


def test_ja_071_ja_405_who_by_public_facts_cannot_interrupt_is_answered_for() -> None:
    table = turn("1 command").do(COMMAND, "Wait")
    assert [event.seat for event in table.of(InterruptOffered)] == [1]
    assert [event.seat for event in table.of(InterruptDeclined)] == [1]


def test_ja_073_an_interrupt_order_needs_an_area_without_an_order() -> None:
    table = turn("1 command", "1 interrupt", placed={"L4": ["command"]}).do(COMMAND, "Wait")
    assert [event.seat for event in table.of(InterruptDeclined)] == [1]


def test_ja_075_ja_q12_ending_the_turn_opens_no_window_and_the_last_order_has_had_its_own() -> None:
    table = turn("1 command", "1 interrupt").do(COMMAND, "Wait", "1: LetPass")
    assert len(table.of(InterruptOffered)) == 1
    assert [event.seat for event in table.of(InterruptDeclined)] == [1]
    assert [event.seat for event in table.of(TurnBegan)] == [0, 1]


def test_ja_369_ja_370_ja_d05_a_gigantic_creature_costs_a_second_order_of_any_type() -> None:
    flower: dict[str, Any] = {"map": "flower", "seat1": {"units": ["f1: f_voulgiers @E"]}}
    one = given(**flower, seat0={"orders": "1 command", "units": ["d: m_dragon @C"]})
    assert not one.of(OrderPlayed)
    assert one.kinds() == ["0 CouncilPick"]
    two = given(**flower, seat0={"orders": "1 command, 1 charge", "units": ["d: m_dragon @C"]})
    assert two.offers() == [f"PlayOrder command {L0} charge", f"PlayOrder charge {L0} command"]
    two.do(f"PlayOrder command {L0} charge")
    assert [(event.seat, event.order) for event in two.of(OrderDiscarded)] == [(0, "charge")]


def test_ja_371_an_order_on_its_hex_bars_a_gigantic_creature_but_for_a_reactivation() -> None:
    seat0 = {"orders": "2 command, 1 reactivation", "units": ["d: m_dragon @Sa"]}
    table = given(map="split", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, placed={"Sc": ["command"]})
    assert table.offers() == [f"PlayOrder reactivation 0,0:{area} command" for area in "abc"]


def test_ja_369_the_order_of_a_gigantic_creature_lies_in_whichever_area_of_its_hex_its_owner_likes() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @Sa"]}
    table = given(map="split", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]})
    assert table.offers() == [f"PlayOrder command 0,0:{area} command" for area in "abc"]
    table.do("PlayOrder command 0,0:b command")
    assert [(event.order, event.area) for event in table.of(OrderPlayed)] == [("command", "0,0:b")]
    assert [event.units for event in table.of(UnitsActivated)] == [("d",)]
