"""Section T: Maneuver orders; Charge, Mobility, flight."""

import pytest

from domain.commons.cards import known
from domain.vera_discordia.cards.cards import OrderType
from domain.vera_discordia.rules.counterattack import StrikeBack
from domain.vera_discordia.rules.maneuver import Capture, Castle, DoNothing, Move
from domain.vera_discordia.rules.orders import Declare
from domain.vera_discordia.state.events import (
    AbilityShown,
    AttackFailed,
    CaptureLost,
    ManeuverPassed,
    MoraleChecked,
    OrderDiscarded,
    OrderExamined,
    TerrainCaptured,
    UnitCharged,
    UnitMoved,
    UnitsSwapped,
)
from tests.domain.vera_discordia.table import Piece, Table, blue, castle, execute, general, given, move, red


def moving(piece: Piece, *others: Piece, **more: object) -> Table:
    """The piece executes its Maneuver; nothing is chosen yet."""
    return given(piece, *others, **more).when(0, execute(piece.id))  # type: ignore[arg-type]


def spaces(table: Table) -> list[str]:
    return [choice.to for choice in table.offers(0, Move)]  # type: ignore[attr-defined]


def partners(table: Table) -> list[str]:
    return [choice.unit for choice in table.offers(0, Castle)]  # type: ignore[attr-defined]


def test_vd_162_vd_081_the_card_is_discarded_before_the_choice() -> None:
    table = moving(red("V2", "maneuver"))
    assert table.side(0).top is OrderType.MANEUVER
    assert table.asks() == [(0, "ManeuverChoice")]


def test_vd_163_vd_d16_doing_nothing_is_always_allowed_and_ends_the_turn() -> None:
    table = moving(red("V2", "maneuver")).when(0, DoNothing())
    assert table.one(ManeuverPassed).unit == "0V2"
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_164_vd_086_vd_088_vd_d17_movement_to_an_adjacent_empty_own_space() -> None:
    table = moving(red("V2", "maneuver"), red("V1"))
    assert spaces(table) == ["V3", "R2"]
    table.when(0, move("R2"))
    assert table.unit("0V2").space == "R2"
    assert table.state.at["0R2"] == "0V2"
    assert "0V2" not in table.state.at


def test_vd_084_vd_085_eight_spaces_in_four_columns_and_diagonals_are_not_adjacent() -> None:
    assert spaces(moving(red("R1", "maneuver"))) == ["V1", "R2"]
    assert spaces(moving(red("V4", "maneuver"))) == ["V3"]


@pytest.mark.parametrize("ability", ["flying", "glide"])
def test_vd_165_vd_328_vd_329_a_flyer_moves_to_any_empty_own_space(ability: str) -> None:
    table = moving(red("R4", "maneuver", ability), red("V4"), red("R3"))
    assert spaces(table) == ["V1", "V2", "V3", "R1", "R2"]
    assert table.when(0, move("V1")).one(UnitMoved).rule == "VD-165"


def test_vd_166_vd_168_castling_with_an_adjacent_own_unit() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "maneuver"), red("R1"), red("V3"), blue("V2"))
    assert partners(table) == ["0V1", "0V3"]


def test_vd_167_both_flyers_castle_over_any_distance() -> None:
    pieces = (red("V1", "maneuver", "glide"), red("R4", "maneuver", "flying"), red("R3", "maneuver"))
    assert partners(moving(*pieces)) == ["0R4"]
    assert partners(moving(red("V1", "maneuver"), red("R4", "maneuver", "flying"))) == []


def test_vd_169_vd_170_vd_171_two_maneuvers_are_spent_and_the_units_swap() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "maneuver")).when(0, castle("0V1"))
    examined, discarded = table.one(OrderExamined), table.one(OrderDiscarded)
    assert (examined.unit, examined.rule) == ("0V1", "VD-170")
    assert examined in table.seen_by(1)
    assert discarded.rule == "VD-171"
    assert (table.unit("0V2").space, table.unit("0V1").space) == ("V1", "V2")
    assert table.unit("0V1").order is None


def test_vd_q13_active_then_passive_card_is_on_top() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "tactic"), sides=({"declared": OrderType.MANEUVER}, {}))
    table.when(0, castle("0V1"))
    assert table.side(0).top is OrderType.TACTIC


@pytest.mark.parametrize("order", ["attack", "defense", "support"])
def test_vd_172_another_order_makes_the_castling_fail_and_stays_face_down(order: str) -> None:
    table = moving(red("V2", "maneuver"), red("V1", order)).when(0, castle("0V1"))
    assert table.one(ManeuverPassed).failed
    held = table.unit("0V1").order
    assert held is not None
    assert (held.type, held.up) == (OrderType(order), False)
    assert table.unit("0V2").space == "V2"
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_172_vd_q27_vd_d18_castling_with_an_exhausted_unit_may_be_declared_and_fails() -> None:
    table = moving(red("V2", "maneuver"), red("V1")).when(0, castle("0V1"))
    assert table.one(ManeuverPassed).failed


def test_vd_q27_castling_out_of_position_is_refused() -> None:
    table = moving(red("V2", "maneuver"), red("V4", "maneuver"))
    table.refuses(0, castle("0V4"), "VD-166")


def test_vd_090_units_parted_by_an_own_opening_are_not_adjacent() -> None:
    assert partners(moving(red("V2", "maneuver"), red("V4", "maneuver"))) == []


@pytest.mark.parametrize(("order", "up"), [("", False), ("support", True), ("attack", False), ("maneuver", False)])
def test_vd_173_vd_343_a_passive_unit_with_mobility_keeps_its_order(order: str, up: bool) -> None:
    table = moving(red("V2", "maneuver"), red("V1", order, "mobility", up=up)).when(0, castle("0V1", mobility=True))
    assert table.unit("0V1").space == "V2"
    held = table.unit("0V1").order
    assert (None if held is None else (held.type, held.up)) == ((OrderType(order), up) if order else None)
    assert table.of(OrderExamined) == []


def test_vd_174_mobility_of_the_active_unit_has_no_effect() -> None:
    table = moving(red("V2", "maneuver", "mobility"), red("V1"))
    assert castle("0V1", mobility=True) not in table.options(0)
    assert table.when(0, castle("0V1")).one(ManeuverPassed).failed


def test_vd_q28_the_active_player_chooses_whether_mobility_is_used() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "maneuver", "mobility"))
    assert table.offers(0, Castle) == [castle("0V1"), castle("0V1", mobility=True)]
    assert table.when(0, castle("0V1")).unit("0V1").order is None


def test_vd_q61_mobility_does_not_replace_adjacency() -> None:
    assert partners(moving(red("V1", "maneuver"), red("V3", "", "mobility"))) == []
    pieces = (red("V1", "maneuver", "glide"), red("V3", "", "mobility", "glide"))
    assert castle("0V3", mobility=True) in moving(*pieces).options(0)


def test_vd_175_capture_from_the_vanguard_only() -> None:
    assert Capture() in moving(red("V2", "maneuver")).options(0)
    assert Capture() not in moving(red("R2", "maneuver")).options(0)


def test_vd_176_vd_177_the_capture_succeeds_and_the_unit_stays_in_its_space() -> None:
    table = moving(red("V2", "maneuver")).when(0, Capture())
    assert table.one(TerrainCaptured).column == 2
    assert (table.unit("0V2").capture, table.unit("0V2").space) == (True, "V2")


def test_vd_178_vd_180_while_an_enemy_holds_the_terrain_he_is_only_expelled() -> None:
    table = moving(red("V2", "maneuver"), blue("V2", capture=True)).when(0, Capture())
    lost = table.one(CaptureLost)
    assert (lost.unit, lost.rule) == ("1V2", "VD-180")
    assert not table.unit("0V2").capture


@pytest.mark.parametrize("choice", [DoNothing(), move("V3"), castle("0V1")])
def test_vd_182_any_maneuver_of_the_holder_loses_its_capture(choice: DoNothing | Move | Castle) -> None:
    table = moving(red("V2", "maneuver", capture=True), red("V1"))
    assert table.one(CaptureLost).rule == "VD-182"
    assert not table.when(0, choice).unit("0V2").capture


def test_vd_q29_a_holder_that_captures_again_loses_and_regains_it() -> None:
    table = moving(red("V2", "maneuver", capture=True))
    assert not table.unit("0V2").capture
    assert table.when(0, Capture()).unit("0V2").capture


@pytest.mark.parametrize(("order", "kept"), [("maneuver", False), ("attack", True)])
def test_vd_q29_the_passive_unit_loses_its_capture_only_when_the_castling_succeeds(order: str, kept: bool) -> None:
    table = moving(red("V2", "maneuver"), red("V1", order, capture=True)).when(0, castle("0V1"))
    assert table.unit("0V1").capture is kept


@pytest.mark.parametrize("terrain", ["pppp", "prpp"])
def test_vd_q29_plains_and_rivers_may_be_captured(terrain: str) -> None:
    assert moving(red("V2", "maneuver"), terrain=terrain).when(0, Capture()).unit("0V2").capture


@pytest.mark.parametrize(("ability", "name"), [("flying", "flying"), ("glide", "glide")])
def test_vd_054_vd_387_vd_q55_a_closed_unit_that_flies_names_it_and_stays_closed(ability: str, name: str) -> None:
    table = moving(red("R4", "maneuver", ability, closed=True)).when(0, move("V1"))
    assert table.one(AbilityShown).ability == name
    assert table.one(AbilityShown) in table.seen_by(1)
    assert not table.unit("0R4").open


def test_vd_q55_flying_with_the_general_is_named_gliding() -> None:
    table = moving(red("R4", "maneuver", "flying", closed=True, general=True)).when(0, move("V1"))
    assert table.one(AbilityShown).ability == "glide"


def test_vd_387_a_flyer_that_steps_to_an_adjacent_space_names_nothing() -> None:
    table = moving(red("R4", "maneuver", "flying", closed=True)).when(0, move("V4"))
    assert table.of(AbilityShown) == []
    assert table.one(UnitMoved).rule == "VD-164"


def test_vd_387_closed_units_that_castle_over_a_distance_both_name_their_flight() -> None:
    pieces = (red("V1", "maneuver", "glide", closed=True), red("R4", "maneuver", "flying", closed=True))
    table = moving(*pieces).when(0, castle("0R4"))
    assert [(event.unit, event.ability) for event in table.of(AbilityShown)] == [("0V1", "glide"), ("0R4", "flying")]
    near = moving(red("V1", "maneuver", "glide", closed=True), red("R1", "maneuver", "glide", closed=True))
    assert near.when(0, castle("0R1")).of(AbilityShown) == []


def test_vd_387_a_closed_passive_unit_names_its_mobility() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "", "mobility", closed=True)).when(0, castle("0V1", mobility=True))
    assert table.one(AbilityShown).ability == "mobility"


def test_vd_049_a_maneuver_does_not_open_a_closed_unit() -> None:
    assert not moving(red("V2", "maneuver", closed=True)).when(0, move("V1")).unit("0V2").open


def test_vd_070_a_passive_tactic_appears_and_is_declared() -> None:
    table = moving(red("V2", "maneuver"), red("V1", "tactic")).when(0, castle("0V1"))
    assert table.asks() == [(0, "TacticDeclaration")]
    assert table.when(0, Declare(OrderType.MANEUVER)).of(UnitsSwapped)


def charging(*others: Piece, **more: object) -> Table:
    return moving(red("R1", "maneuver", "charge"), *others, **more)


def test_vd_319_vd_320_vd_321_charge_gives_an_attack_order_of_the_pile() -> None:
    table = charging(sides=({"pile": ("attack", "support")}, {})).when(0, move("V1"))
    held = table.unit("0R1").order
    assert held is not None
    assert (held.type, held.up, held.charge, held.virtual) == (OrderType.ATTACK, False, True, False)
    assert table.one(UnitCharged).top is OrderType.MANEUVER
    assert OrderType.ATTACK not in known(table.side(0).pile)


def test_vd_319_not_from_vanguard_to_vanguard() -> None:
    table = moving(red("V1", "maneuver", "charge")).when(0, move("V2"))
    assert table.of(UnitCharged) == []


def test_vd_319_by_castling_too() -> None:
    assert charging(red("V1", "maneuver")).when(0, castle("0V1")).of(UnitCharged)


def test_vd_q26_only_the_active_unit_charges() -> None:
    table = moving(red("V1", "maneuver"), red("R1", "maneuver", "charge")).when(0, castle("0R1"))
    assert table.unit("0R1").space == "V1"
    assert table.of(UnitCharged) == []


def test_vd_320_vd_q26_without_a_true_attack_in_the_pile_a_marker_serves_and_disappears() -> None:
    table = charging(blue("V2"), sides=({"pile": ("tactic",)}, {})).when(0, move("V1"))
    assert table.one(UnitCharged).virtual
    pile = table.side(0).pile_size
    table.when(1, execute("1R4")).when(0, execute("0R1")).when(0, table.options(0)[0], [1, 1, 1])
    assert table.side(0).pile_size == pile


def test_vd_321_the_order_is_for_a_direct_attack_only() -> None:
    charged = red("V1", "attack", "flying", dice="r", charge=True)
    table = given(charged, blue("V1"), blue("R1")).when(0, execute("0V1"), [1])
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_q26_without_a_direct_attack_it_is_discarded_without_effect() -> None:
    charged = red("R1", "attack", dice="r", charge=True)
    assert given(charged, blue("V1")).when(0, execute("0R1")).of(AttackFailed)


def test_vd_321_vd_q26_it_counts_as_an_attack_order_when_attacked() -> None:
    pieces = (red("V1", "attack", dice="", charge=True), blue("V1", "attack", dice=""))
    table = given(*pieces, turn=1).when(1, execute("1V1"))
    assert table.of(MoraleChecked) == []
    assert table.options(0)[0] == StrikeBack("VD-227")


def test_vd_322_no_charge_when_mobility_was_used() -> None:
    passive = red("V1", "maneuver", "mobility")
    assert charging(passive).when(0, castle("0V1", mobility=True)).of(UnitCharged) == []
    assert charging(passive).when(0, castle("0V1")).of(UnitCharged)


def test_vd_q26_charge_is_not_optional_and_comes_last() -> None:
    table = charging(red("V1", "maneuver")).when(0, castle("0V1"))
    assert isinstance(table.plain()[-2], UnitCharged)


def test_vd_385_the_order_of_charge_is_known_and_so_is_the_ability() -> None:
    table = moving(red("R1", "maneuver", "charge", closed=True)).when(0, move("V1"))
    assert table.one(AbilityShown).ability == "charge"
    held = table.unit("0R1").order
    assert held is not None
    assert held.seen
    assert not table.unit("0R1").open


def test_vd_066_the_general_moves_with_his_unit() -> None:
    table = moving(red("V2", "maneuver", general=True), generals=(general(), general())).when(0, move("V1"))
    assert table.unit("0V2").general
    assert table.state.units[table.state.at["0V1"]].general


def test_vd_q68_a_maneuver_grounds_the_player() -> None:
    assert moving(red("V2", "maneuver")).side(0).grounded


@pytest.mark.parametrize("holds", [False, True])
def test_vd_q29_only_a_passive_unit_that_holds_a_capture_loses_it(*, holds: bool) -> None:
    table = moving(red("V2", "maneuver"), red("V1", "maneuver", capture=holds)).when(0, castle("0V1"))
    assert table.one(UnitsSwapped).second == "0V1"
    assert [lost.rule for lost in table.of(CaptureLost)] == (["VD-Q29"] if holds else [])
