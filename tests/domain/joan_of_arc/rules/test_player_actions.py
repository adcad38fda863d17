"""Rows of player actions: legend cards, intrigue effects, tokens; equipment for a single use."""

from typing import Any

from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.state.events import (
    EquipmentDiscarded,
    IntrigueTriggered,
    LegendPassed,
    LegendPlayed,
    OrdersGained,
    ResourceGained,
)
from domain.kernel import HIDDEN, Seat
from tests.domain.joan_of_arc.fixtures import L0, L4
from tests.domain.joan_of_arc.table import Table, given

ORDER = f"PlayOrder command {L0}"


def turn(theirs: dict[str, Any] | None = None, **ours: Any) -> Table:
    """The first player's turn, with two orders and what else is named."""
    seat0 = {"orders": "1 command, 1 reactivation", "units": ["e1: e_black_prince_1 @L0"], **ours}
    return given(seat0=seat0, seat1={"units": ["f1: f_voulgiers @L4"], **(theirs or {})})


def test_ja_187_ja_189_ja_190_ja_d48_a_legend_card_is_played_between_orders_and_paid() -> None:
    table = turn(legend=2, hand=["lt_second_wind", "lt_volley"])
    assert [text for text in table.offers() if "Legend" in text] == ["PlayLegend lt_second_wind"]
    table.do("PlayLegend lt_second_wind")
    assert [(event.card, event.cost) for event in table.of(LegendPlayed)] == [("lt_second_wind", 2)]
    board = table.state.boards[0]
    assert (board.hand, board.hand_size, board.legend, board.orders.reactivation) == (("lt_volley",), 1, 0, 2)
    assert table.state.piles["legend"].discards == ("lt_second_wind",)
    assert table.kinds() == ["0 OrderChoice"]


def test_ja_188_a_card_too_dear_is_paid_with_a_swapped_token() -> None:
    table = turn(legend=1, intrigue=1, hand=["lt_second_wind"])
    assert "PlayLegend lt_second_wind" not in table.offers()
    table.do("ExchangeForLegend", "PlayLegend lt_second_wind")
    assert (table.state.boards[0].legend, table.state.boards[0].intrigue) == (0, 0)


def test_ja_405_ja_q84_who_holds_any_card_and_could_pay_the_cheapest_is_asked_whatever_it_is() -> None:
    idle: dict[str, Any] = {"orders": "", "units": ["e1: e_billmen @L0"]}
    assert turn(hand=["lt_volley"], legend=1, **idle).kinds() == ["0 OrderChoice"]
    assert turn(hand=["lt_volley"], intrigue=1, **idle).kinds() == ["0 OrderChoice"]
    assert turn(hand=["lt_volley"], **idle).kinds() != ["0 OrderChoice"]
    assert turn(legend=1, **idle).kinds() != ["0 OrderChoice"]


def test_ja_q82_before_the_doom_dice_cards_are_asked_for_until_all_have_passed() -> None:
    units = {"units": ["e1: e_billmen @L0", "e2: e_billmen disrupted"]}
    table = given(
        "doom=death",
        start="Camp",
        seat0={"legend": 2, "hand": ["lt_field_surgeon", "lt_volley"], **units},
        seat1={"legend": 1, "hand": ["lm_bless"], "units": ["f1: f_voulgiers @L4"]},
    )
    assert table.kinds() == ["0 LegendOffer"]
    assert table.offers() == ["KeepLegends", "PlayLegend lt_field_surgeon"]
    table.do("KeepLegends")
    assert (table.kinds(), table.offers()) == (["1 LegendOffer"], ["KeepLegends"])
    table.do("KeepLegends")
    assert [event.seat for event in table.of(LegendPassed)] == [0, 1]
    assert table.at("e2") == "graveyard"


def test_ja_192_ja_193_ja_194_ja_d49_an_intrigue_effect_triggers_once() -> None:
    table = turn(intrigue=2, intrigue_card="i_english")
    assert [text for text in table.offers() if "Trigger" in text] == ["TriggerIntrigue 1", "TriggerIntrigue 2"]
    table.do("TriggerIntrigue 1")
    assert [(event.seat, event.slot.slot) for event in table.of(IntrigueTriggered)] == [(0, 1)]
    assert [(event.order, event.count) for event in table.of(OrdersGained)] == [("interrupt", 1)]
    assert (table.state.boards[0].intrigue, table.kinds()) == (1, ["0 OrderChoice"])
    assert "TriggerIntrigue 1" not in table.offers()


def test_ja_195_ja_x19_intrigue_as_an_interrupt_closes_the_window() -> None:
    theirs = {"orders": "1 interrupt", "intrigue": 2, "intrigue_card": "i_french"}
    table = turn(theirs).do(ORDER, "Wait")
    assert table.offers() == ["LetPass", f"Interrupt {L4}", "TriggerIntrigue 1", "TriggerIntrigue 2"]
    table.do("TriggerIntrigue 1")
    assert [(event.seat, event.resource, event.count) for event in table.of(ResourceGained)] == [(1, "legend", 2)]
    assert table.kinds() == ["0 OrderChoice"]
    table.do(f"PlayOrder reactivation {L0}", "Wait")
    assert table.offers() == ["LetPass", f"Interrupt {L4}"]


def test_ja_192_an_effect_of_the_own_turn_is_no_interrupt() -> None:
    theirs = {"intrigue": 4, "intrigue_card": "i_french"}
    assert turn(theirs).do(ORDER, "Wait").offers() == ["LetPass", "TriggerIntrigue 1", "TriggerIntrigue 2"]


def test_ja_399_ja_392_others_see_that_there_is_a_card_and_how_many_not_which() -> None:
    table = turn(intrigue_card="i_english", hand=["lt_volley"])
    for viewer in (Seat(1), None):
        board = POSITIONS.view(table.state, viewer).boards[0]
        assert (board.intrigue_card, board.holds_intrigue, board.hand, board.hand_size) == (HIDDEN, True, HIDDEN, 1)
    assert POSITIONS.view(table.state, Seat(0)).boards[0] == table.state.boards[0]


def test_ja_180_ja_395_equipment_for_a_single_use_is_discarded_after_it() -> None:
    table = turn(units=["e1: e_black_prince_1 @L0 +et_war_horn +et_great_shield"])
    assert [text for text in table.offers() if "Use" in text] == ["UseEquipment e1 et_war_horn"]
    table.do("UseEquipment e1 et_war_horn")
    assert [(event.unit, event.deck, event.card) for event in table.of(EquipmentDiscarded)] == [
        ("e1", "tactics", "et_war_horn")
    ]
    assert table.state.boards[0].orders.command == 2
    assert table.unit("e1").equipment == ("et_great_shield",)


def test_ja_192_an_intrigue_effect_may_be_triggered_before_any_action_of_an_activation() -> None:
    table = turn(intrigue=1, intrigue_card="i_english").do("PlayOrder command 0,0:a")
    assert table.kinds() == ["0 Declaration"]
    table.do("Wait")
    assert (table.kinds(), "TriggerIntrigue 1" in table.offers()) == (["0 NextAction"], True)
    table.do("TriggerIntrigue 1")
    assert table.state.boards[0].orders.interrupt == 1


def test_ja_192_in_an_interrupt_of_the_own_no_effect_is_triggered() -> None:
    theirs = {"orders": "1 interrupt", "intrigue": 2, "intrigue_card": "i_french"}
    table = turn(theirs=theirs).do("PlayOrder command 0,0:a", "Wait", "Interrupt 4,0:a", "1: Wait")
    assert "1 NextAction" not in table.kinds()
