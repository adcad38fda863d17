"""Sections P, Q and R: the beginning rolls, initiative, drawing, issuing, keeping."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.commons.cards import known
from domain.kernel import DiceRolled, Event, Seat
from domain.vera_discordia.cards.cards import InitiativeBonus, OrderType, Reserves
from domain.vera_discordia.rules.issuing import (
    DiscardLeftovers,
    IssueOrders,
    KeepOrders,
    TakeBack,
)
from domain.vera_discordia.rules.resolution import KeepOrder, Resolution
from domain.vera_discordia.rules.round import Round, cards_to_draw
from domain.vera_discordia.state.events import (
    AbilityShown,
    CardsDrawn,
    InitiativeTaken,
    LeftoverDiscarded,
    LifeRegained,
    OrderDeckShuffled,
    OrdersIssued,
    OrderTakenBack,
    PhaseBegan,
    UnitTookOrder,
    UnitWentWild,
)
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.state import Phase
from tests.domain.vera_discordia.table import Piece, Table, blue, execute, general, lay, red, u


def round_of(*pieces: Piece, number: int = 1, dice: Sequence[int] = (), **more: Any) -> Table:
    """A round from its beginning on, up to the first question; round 1 rolls no initiative."""
    state = lay(*pieces, waiting=False, round_number=number, **more)
    state = replace(state, stack=state.stack[:1])
    return Table(state).start(Round(number), dice=dice)


def issue(table: Table, seat: int, *orders: str) -> Table:
    return table.when(seat, IssueOrders(orders))


BOTH = (red("V1"), blue("V1"))


def phases(table: Table) -> list[str]:
    return [event.phase.value for event in table.told if isinstance(event, PhaseBegan)]


def test_vd_131_phases_in_their_order() -> None:
    hands = ({"hand": ("support",)}, {"hand": ("support",)})
    table = round_of(*BOTH, number=2, dice=[5, 3], sides=hands)
    issue(table, 0, "support")
    issue(table, 1, "support")
    table.when(0, KeepOrders()).when(1, KeepOrders()).when(0, execute("0V1")).when(1, execute("1V1"), [1, 2])
    assert phases(table)[:7] == [
        "beginning",
        "initiative",
        "drawing",
        "issuing",
        "keeping",
        "resolution",
        "clean-up",
    ]
    assert phases(table)[7:9] == ["beginning", "initiative"]


def test_vd_132_vd_q22_phase_0_is_played_in_round_1_one_die_per_unit_and_ability() -> None:
    table = round_of(red("V1", "", "chaos", "rage"), blue("V1", "", "autonomy"), dice=[2, 1, 3])
    assert table.rolls() == [("VD-314", 1), ("VD-346", 1), ("VD-310", 1)]


def test_vd_q20_vd_q21_order_of_the_rolls() -> None:
    """The holder first, V1 to R4; on a Unit Chaos, Autonomy, Rage, Regeneration."""
    pieces = (
        red("R1", "", "rage"),
        red("V2", "", "regeneration", "rage", "autonomy", "chaos", life=3),
        blue("V1", "", "chaos"),
    )
    table = round_of(*pieces, first=1, dice=[6, 6, 6, 1, 1, 1])
    rolled = [(event.about, event.rule) for event in table.of(DiceRolled)]
    assert rolled == [
        (("1V1",), "VD-314"),
        (("0V2",), "VD-314"),
        (("0V2",), "VD-310"),
        (("0V2",), "VD-346"),
        (("0V2",), "VD-354"),
        (("0R1",), "VD-346"),
    ]


def test_vd_043_beginning_rolls_take_no_morale_modifiers() -> None:
    table = round_of(red("V1", "", "chaos", "cowardice"), blue("V1", "", "autonomy", "cowardice"), dice=[2, 3])
    assert table.of(UnitWentWild) == []
    assert table.of(UnitTookOrder) == []


@pytest.mark.parametrize(("face", "chaotic"), [(1, True), (2, False)])
def test_vd_314_vd_315_chaos_on_a_one(face: int, chaotic: bool) -> None:
    table = round_of(red("V1", "", "chaos"), red("V2"), blue("V1"), dice=[face])
    assert table.unit("0V1").chaotic is chaotic
    form = table.options(0)[0]
    assert len(form.orders) == (1 if chaotic else 2)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("face", "autonomous"), [(2, True), (3, False)])
def test_vd_310_vd_311_autonomy_on_a_one_or_two_deals_the_top_card(face: int, autonomous: bool) -> None:
    sides: Any = ({"deck": ("tactic", "attack", "support")}, {})
    table = round_of(red("V1", "", "autonomy"), red("V2"), blue("V1"), dice=[face], sides=sides)
    held = table.unit("0V1").order
    assert (held is not None) is autonomous
    if held:
        assert (held.type, held.up, held.dealt) == (OrderType.TACTIC, False, True)


def test_vd_312_vd_q17_one_card_less_is_drawn_for_each_autonomous_unit() -> None:
    pieces = (red("V1", "", "autonomy"), red("V2"), red("V3"), blue("V1"))
    assert round_of(*pieces, dice=[1]).side(0).hand_size == 2
    assert round_of(*pieces, dice=[3]).side(0).hand_size == 3


def test_vd_q65_vd_139_in_round_1_eight_cards_less_the_autonomous() -> None:
    pieces = [red(f"{row}{column}") for row in "VR" for column in (1, 2, 3)]
    table = round_of(*pieces, red("V4", "", "autonomy"), red("R4"), blue("V1"), dice=[2])
    assert (table.side(0).hand_size, table.side(0).deck_size) == (7, 19)


@pytest.mark.parametrize(("face", "angry"), [(4, False), (5, True)])
def test_vd_346_vd_347_rage_on_a_five_or_six(face: int, angry: bool) -> None:
    table = round_of(red("V1", "", "rage"), blue("V1"), dice=[face])
    assert table.unit("0V1").enraged is angry


@pytest.mark.parametrize(("face", "life"), [(3, 4), (4, 5)])
def test_vd_354_regeneration_on_a_four_or_more(face: int, life: int) -> None:
    table = round_of(red("V1", "", "regeneration", life=4), blue("V1"), dice=[face])
    assert table.unit("0V1").life == life


def test_vd_056_vd_354_a_unit_at_full_life_does_not_roll() -> None:
    table = round_of(red("V1", "", "regeneration", closed=True), blue("V1"))
    assert table.rolls() == []
    assert table.of(AbilityShown) == []


def test_vd_055_vd_384_rolls_of_a_closed_unit_are_open_and_name_the_ability_not_the_unit() -> None:
    table = round_of(red("V1", "", "chaos", closed=True), blue("V1"), dice=[1])
    assert table.one(AbilityShown).ability == "chaos"
    seen = table.seen_by(1)
    assert any(isinstance(event, DiceRolled) and event.about == ("0V1",) for event in seen)
    assert any(isinstance(event, UnitWentWild) for event in seen)
    assert not table.unit("0V1").open


def test_vd_q20_a_chaotic_unit_makes_no_autonomy_roll_but_a_rage_roll() -> None:
    table = round_of(red("V1", "", "chaos", "autonomy", "rage"), blue("V1"), dice=[1, 5])
    assert table.rolls() == [("VD-314", 1), ("VD-346", 1)]
    assert table.unit("0V1").order is None


def test_vd_365_a_damaged_closed_unit_that_is_whole_again_shows_no_life() -> None:
    table = round_of(red("V1", "", "regeneration", closed=True, life=5, marker=5), blue("V1"), dice=[4])
    event = table.one(LifeRegained)
    assert (event.marker, event.gained) == (None, 0)
    (told,) = [event for event in table.seen_by(1) if isinstance(event, LifeRegained)]
    assert repr(told.life) == "HIDDEN"


def test_vd_q15_vd_311_an_autonomous_card_may_come_from_a_new_deck() -> None:
    sides: Any = ({"deck": ()}, {})
    table = round_of(red("V1", "", "autonomy"), blue("V1"), dice=[1], sides=sides)
    assert table.one(OrderDeckShuffled).reshuffled
    assert table.unit("0V1").order is not None


@pytest.mark.parametrize(
    ("dice", "destroyed", "holder", "rule"),
    [
        ([4, 3], (0, 0), 0, "VD-133"),
        ([3, 4], (0, 0), 1, "VD-133"),
        ([3, 4], (2, 0), 0, "VD-133"),
        ([4, 5], (3, 2), 1, "VD-134"),
        ([5, 5], (0, 0), 1, "VD-134"),
    ],
)
def test_vd_133_vd_134_initiative(dice: list[int], destroyed: tuple[int, int], holder: int, rule: str) -> None:
    """A tie moves the marker, which seat 0 held."""
    sides: Any = ({"destroyed": destroyed[0]}, {"destroyed": destroyed[1]})
    taken = round_of(*BOTH, number=2, dice=dice, sides=sides).one(InitiativeTaken)
    assert (taken.seat, taken.rule) == (holder, rule)


def test_vd_k06_a_general_may_add_to_it() -> None:
    leader = general(leads=[InitiativeBonus(2)])
    taken = round_of(*BOTH, number=2, dice=[5, 4], generals=(general(), leader)).one(InitiativeTaken)
    assert (taken.seat, taken.totals) == (1, (5, 6))


def test_vd_135_vd_110_no_initiative_roll_in_round_1() -> None:
    table = round_of(*BOTH, first=1)
    assert table.of(InitiativeTaken) == []
    assert table.state.initiative == 1


def test_vd_137_vd_138_draw_up_to_the_number_of_own_units_in_secret() -> None:
    pieces = [red(f"V{column}") for column in (1, 2, 3)]
    table = round_of(*pieces, blue("V1"), sides=({"hand": ("tactic",)}, {}))
    drawn = next(event for event in table.of(CardsDrawn) if event.seat == 0)
    assert (drawn.count, drawn.hand_size) == (2, 3)
    (told,) = [e for e in table.seen_by(1) if isinstance(e, CardsDrawn) and e.seat == 0]
    assert (told.count, repr(told.hand)) == (2, "HIDDEN")


def test_vd_q16_a_hand_that_is_large_enough_draws_and_discards_nothing() -> None:
    table = round_of(*BOTH, sides=({"hand": ("tactic", "attack", "attack")}, {}))
    assert table.side(0).hand_size == 3
    assert cards_to_draw(table.state, Seat(0)) == 0


def test_vd_140_vd_q15_what_is_left_is_drawn_then_the_pile_becomes_the_deck() -> None:
    pieces = [red(f"V{column}") for column in (1, 2, 3)]
    sides: Any = ({"deck": ("tactic",)}, {})
    table = round_of(*pieces, blue("V1"), sides=sides)
    mine = [e for e in table.events if isinstance(e, CardsDrawn | OrderDeckShuffled) and e.seat == 0]
    assert [type(event).__name__ for event in mine] == ["CardsDrawn", "OrderDeckShuffled", "CardsDrawn"]
    assert known(table.side(0).hand)[0] is OrderType.TACTIC
    assert (table.side(0).hand_size, table.side(0).pile_size, table.side(0).deck_size) == (3, 0, 24)


def issuing(*extra: Piece, **more: Any) -> Table:
    hands = ({"hand": ("attack", "support")}, {"hand": ("defense", "maneuver")})
    pieces = (red("V1"), red("V2"), blue("V1"), blue("V2"), *extra)
    return round_of(*pieces, sides=hands, **more)


def test_vd_141_vd_142_vd_d09_one_order_of_the_hand_on_every_unit() -> None:
    table = issuing()
    assert table.asks() == [(0, "OrderIssue"), (1, "OrderIssue")]
    assert table.options(0) == [IssueOrders(("attack", "support")), IssueOrders(("support", "attack"))]
    table.refuses(0, IssueOrders(("attack", "attack")), "VD-142")
    table.refuses(0, IssueOrders(("attack",)), "VD-141")


def test_vd_143_vd_144_vd_148_vd_381_placements_are_secret_until_both_have_finished() -> None:
    table = issue(issuing(), 0, "attack", "support")
    assert table.of(OrdersIssued) == []
    assert table.unit("0V1").order is None
    assert table.asks() == [(1, "OrderIssue")]
    issue(table, 1, "maneuver", "defense")
    assert [event.seat for event in table.of(OrdersIssued)] == [0, 1]
    held = table.unit("1V1").order
    assert held is not None
    assert (held.type, held.up, held.seen) == (OrderType.MANEUVER, False, False)
    assert table.asks() == [(0, "OrderReturn"), (1, "OrderReturn")]


def test_vd_377_vd_381_the_other_player_sees_only_that_orders_lie_there() -> None:
    table = issue(issue(issuing(), 0, "attack", "support"), 1, "defense", "maneuver")
    (told,) = [event for event in table.seen_by(1) if isinstance(event, OrdersIssued) and event.seat == 0]
    assert (told.units, repr(told.orders), repr(told.hand)) == (("0V1", "0V2"), "HIDDEN", "HIDDEN")


def test_vd_145_vd_q59_hurry_up_leaves_what_is_not_placed_to_chance() -> None:
    table = issuing(options=Options(hurry_up_s=60))
    issue(table, 1, "defense", "maneuver")
    table.when(0, IssueOrders(("?", "attack")))
    (told,) = [event for event in table.of(OrdersIssued) if event.seat == 0]
    assert told.orders == (OrderType.SUPPORT, OrderType.ATTACK)


def test_vd_145_without_hurry_up_nothing_may_be_left() -> None:
    issuing().refuses(0, IssueOrders(("?", "attack")), "VD-145")


def test_vd_316_vd_q19_vd_d08_the_left_over_card_is_kept_or_discarded() -> None:
    table = issuing(red("V3", "", "chaos"), dice=[1])
    issue(issue(table, 0, "attack", "support"), 1, "defense", "maneuver")
    assert table.asks() == [(0, "LeftoverDisposal")]
    left = known(table.side(0).hand)
    assert len(left) == 1
    assert table.options(0) == [DiscardLeftovers(()), DiscardLeftovers((f"{left[0]}:0",))]
    table.when(0, DiscardLeftovers((f"{left[0]}:0",)))
    assert table.one(LeftoverDiscarded).order is left[0]
    assert table.side(0).top is left[0]
    kept = issuing(red("V3", "", "chaos"), dice=[1])
    issue(issue(kept, 0, "attack", "support"), 1, "defense", "maneuver").when(0, DiscardLeftovers(()))
    assert kept.side(0).hand_size == 1


def test_vd_316_who_has_a_card_left_but_no_chaotic_unit_is_asked_nothing() -> None:
    hands = ({"hand": ("attack", "support")}, {"hand": ("defense", "maneuver", "support")})
    pieces = (red("V1"), red("V2"), blue("V1"), blue("V2"), red("V3", "", "chaos"))
    table = issue(issue(round_of(*pieces, sides=hands, dice=[1]), 0, "attack", "support"), 1, "defense", "maneuver")
    assert table.side(1).hand_size == 1
    assert table.asks() == [(0, "LeftoverDisposal")]


def keeping(*extra: Piece, **more: Any) -> Table:
    return issue(issue(issuing(*extra, **more), 0, "attack", "support"), 1, "defense", "maneuver")


def test_vd_146_vd_147_vd_d10_one_order_may_be_taken_back_and_the_unit_is_exhausted() -> None:
    table = keeping()
    assert table.options(0) == [KeepOrders(), TakeBack(u("0V1")), TakeBack(u("0V2"))]
    table.when(0, TakeBack(u("0V1")))
    assert table.unit("0V1").order is None
    assert known(table.side(0).hand) == (OrderType.ATTACK,)
    assert table.asks() == [(1, "OrderReturn")]


def test_vd_146_only_one() -> None:
    table = keeping().when(0, TakeBack(u("0V1"))).when(1, KeepOrders())
    assert table.asks() == [(0, "OrderExecution")]


def test_vd_149_vd_q23_who_said_done_may_still_take_one_after_the_other_took() -> None:
    table = keeping().when(0, KeepOrders()).when(1, TakeBack(u("1V1")))
    assert table.asks() == [(0, "OrderReturn")]
    table.when(0, TakeBack(u("0V2")))
    assert table.asks() == [(0, "OrderExecution")]


def test_vd_q23_both_done_ends_the_phase() -> None:
    assert keeping().when(1, KeepOrders()).when(0, KeepOrders()).asks() == [(0, "OrderExecution")]


def test_vd_150_vd_382_the_other_sees_from_which_unit_not_which_card() -> None:
    table = keeping().when(0, TakeBack(u("0V1")))
    (told,) = [event for event in table.seen_by(1) if isinstance(event, OrderTakenBack)]
    assert (told.unit, repr(told.hand)) == ("0V1", "HIDDEN")


def test_vd_q18_an_autonomous_order_cannot_be_taken_back() -> None:
    sides: Any = ({"hand": ("attack", "support"), "deck": ("defense",)}, {"hand": ("defense",)})
    table = round_of(red("V1", "", "autonomy"), red("V2"), red("V3"), blue("V1"), sides=sides, dice=[1])
    issue(issue(table, 0, "attack", "support"), 1, "defense")
    assert TakeBack(u("0V1")) not in table.options(0)
    assert TakeBack(u("0V2")) in table.options(0)


def test_vd_k07_reserves_allow_more_each_from_another_unit() -> None:
    table = keeping(generals=(general(leads=[Reserves(1)]), general()))
    table.when(0, TakeBack(u("0V1"))).when(1, KeepOrders()).when(0, TakeBack(u("0V2")))
    assert table.side(0).hand_size == 2
    assert table.asks() == [(1, "OrderReturn")]


def test_vd_383_the_other_sees_that_a_unit_became_autonomous_not_its_order() -> None:
    table = round_of(red("V1", "", "autonomy"), red("V2"), blue("V1"), dice=[1])
    (told,) = [event for event in table.seen_by(1) if isinstance(event, UnitTookOrder)]
    assert (told.unit, repr(told.order)) == ("0V1", "HIDDEN")


def test_vd_376_vd_375_hands_and_decks_are_hidden_their_sizes_are_not() -> None:
    table = keeping()
    events: list[Event] = [e for e in table.seen_by(None) if isinstance(e, OrdersIssued)]
    assert [(e.hand_size, repr(e.hand)) for e in events] == [(0, "HIDDEN"), (0, "HIDDEN")]  # type: ignore[attr-defined]


def test_vd_156_chaos_rage_and_the_strikes_from_the_air_end_with_the_round() -> None:
    state = lay(red("R4", "support", chaotic=False, enraged=True), blue("R4", chaotic=True), waiting=False)
    table = Table(state).start(Resolution(Seat(0))).when(0, execute("0R4")).when(0, KeepOrder(), [1, 2])
    assert not table.unit("0R4").enraged
    assert not table.unit("1R4").chaotic
    assert table.state.phase is Phase.ISSUING
