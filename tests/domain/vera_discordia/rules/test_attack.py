"""Sections U, V, W, AA and AF: types and targets of attacks, Openings, Supports, Indirect Attacks, Terrain."""

import pytest

from domain.vera_discordia.cards.cards import OrderType
from domain.vera_discordia.rules.attack import Target
from domain.vera_discordia.rules.counterattack import StrikeBack
from domain.vera_discordia.state.events import (
    AttackDeclared,
    AttackFailed,
    MoraleChecked,
    OrderDiscarded,
    PlayerGrounded,
    SupportsCommitted,
    UnitOpened,
)
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.queries import direct_targets
from domain.vera_discordia.state.state import AttackKind
from tests.domain.vera_discordia.table import (
    Piece,
    Table,
    aerial,
    blue,
    direct,
    execute,
    given,
    indirect,
    lay,
    red,
    support,
    target,
)

BACK = StrikeBack("VD-227")


def launch(attacker: Piece, *others: Piece, dice: tuple[int, ...] = (), **more: object) -> Table:
    """The first piece executes its Attack."""
    return given(attacker, *others, **more).when(0, execute(attacker.id), dice)  # type: ignore[arg-type]


def reachable(table: Table, seat: int = 0) -> list[str]:
    return [choice.unit for choice in table.offers(seat, Target)]  # type: ignore[attr-defined]


def test_vd_185_vd_081_the_card_is_discarded_first_and_a_closed_attacker_opens() -> None:
    table = launch(red("V1", "attack", dice="", closed=True), blue("V1"))
    kinds = [type(event) for event in table.plain()]
    assert kinds.index(OrderDiscarded) < kinds.index(UnitOpened) < kinds.index(AttackDeclared)
    assert table.one(UnitOpened).rule == "VD-050"


def test_vd_050_it_opens_before_the_type_is_chosen() -> None:
    table = launch(red("V1", "attack", dice="r", closed=True), blue("V1"), blue("R1"))
    assert table.asks() == [(0, "AttackSelection")]
    assert table.unit("0V1").open


def test_vd_186_vd_188_with_several_types_the_player_chooses_one_of_them() -> None:
    table = launch(red("V1", "attack", "flying", dice="r"), blue("V1"), blue("R1"))
    assert table.options(0) == [direct(), indirect(), aerial()]
    assert table.when(0, indirect(), [1]).one(AttackDeclared).kind is AttackKind.INDIRECT


def test_vd_187_the_only_possible_type_is_obligatory() -> None:
    table = launch(red("R1", "attack", dice="r"), blue("V1"), dice=(1,))
    assert table.one(AttackDeclared).kind is AttackKind.INDIRECT


def test_vd_189_vd_050_without_any_type_the_card_is_spent_and_the_unit_is_open() -> None:
    table = launch(red("R1", "attack", closed=True), blue("V1"))
    assert table.one(AttackFailed).unit == "0R1"
    assert table.unit("0R1").open
    assert table.side(0).top is OrderType.ATTACK
    assert table.asks() == [(1, "OrderExecution")]


def test_vd_190_the_attacker_is_exhausted() -> None:
    assert launch(red("V1", "attack", dice=""), blue("V1")).unit("0V1").order is None


def test_vd_q69_a_rearguard_archer_with_a_closed_unit_in_front_learns_nothing() -> None:
    table = launch(red("R1", "attack", dice="r", closed=True), blue("V1", "attack", closed=True))
    assert table.one(AttackFailed)
    assert not table.unit("1V1").open
    held = table.unit("1V1").order
    assert held is not None
    assert not held.seen


def test_vd_191_only_a_vanguard_unit_attacks_directly() -> None:
    assert launch(red("R1", "attack"), blue("V1")).of(AttackFailed)
    assert launch(red("V1", "attack", dice=""), blue("V1")).one(AttackDeclared).kind is AttackKind.DIRECT


def test_vd_192_the_unit_in_front_is_the_only_target() -> None:
    table = launch(red("V2", "attack", dice=""), blue("V1"), blue("V2"), blue("V3"))
    assert table.one(AttackDeclared).target == "1V2"


def test_vd_193_vd_d20_through_an_opening_the_attacker_names_one_target() -> None:
    table = launch(red("V2", "attack", dice=""), blue("V1"), blue("V3"), blue("R2"))
    assert table.asks() == [(0, "TargetSelection")]
    assert reachable(table) == ["1V1", "1V3", "1R2"]
    table.when(0, target("1V3"))
    assert table.one(AttackDeclared).target == "1V3"


def test_vd_194_vd_195_reach_goes_through_a_chain_of_openings_vanguard_and_rearguard() -> None:
    table = launch(red("V1", "attack", dice=""), blue("V3"), blue("R2"), blue("R4"))
    assert reachable(table) == ["1V3", "1R2"]  # V1 - V2 - V3, V1 - R1 - R2; R3 is behind R2 and V3


def test_vd_194_an_opening_that_is_not_connected_gives_no_reach() -> None:
    table = launch(red("V1", "attack", dice=""), blue("V2"), blue("R1"), blue("R3"))
    assert reachable(table) == ["1V2", "1R1"]


def test_vd_196_vd_090_own_openings_give_no_reach() -> None:
    """The attacker's own side is empty around it; that helps nothing."""
    table = launch(red("V1", "attack", dice=""), blue("V1"), blue("V4"))
    assert table.one(AttackDeclared).target == "1V1"


def test_vd_197_reach_is_not_symmetric() -> None:
    """0V1 reaches 1V2 through the Opening 1V1; 1V2 has 0V2 before it and reaches nobody else."""
    table = Table(lay(red("V1"), red("V2"), blue("V2"), blue("R1"), blue("R2"), waiting=False))
    assert [unit.id for unit in direct_targets(table.state, table.unit("0V1"))] == ["1V2", "1R1"]
    assert [unit.id for unit in direct_targets(table.state, table.unit("1V2"))] == ["0V2"]


def test_vd_198_an_opening_counts_one_support_however_long_the_chain() -> None:
    table = launch(red("V1", "attack", dice="m"), blue("V4", "defense"), blue("R4"))
    table.when(0, target("1V4"), [3, 1, 1])
    assert table.parts("VD-217") == {"VD-017": 1, "VD-198": 1}
    assert [(p.rule, p.value) for p in table.one(MoraleChecked).parts] == [("VD-198", -1)]
    assert not table.one(MoraleChecked).passed


@pytest.mark.parametrize(
    ("piece", "helps"),
    [
        (red("V1", "support", up=True), True),
        (red("V3", "support", up=True), True),
        (red("V1", "support"), False),
        (red("V1", "defense", up=True), False),
        (red("V4", "support", up=True), False),
        (red("R2", "support", up=True), False),
        (red("R1", "support", up=True), False),
    ],
)
def test_vd_201_vd_159_vd_q67_who_can_support(piece: Piece, helps: bool) -> None:
    """Beside the attacker in the Vanguard, with a face-up Support."""
    table = launch(red("V2", "attack", dice=""), piece, blue("V2"))
    assert (table.asks() == [(0, "SupportSelection")]) is helps


def test_vd_201_a_tactic_declared_support_serves() -> None:
    pieces = (red("V2", "attack", dice=""), red("V1", "tactic", up=True), blue("V2"))
    table = launch(*pieces, sides=({"declared": OrderType.SUPPORT}, {}))
    assert table.asks() == [(0, "SupportSelection")]


def test_vd_202_vd_053_a_support_used_is_discarded_and_its_closed_unit_stays_closed() -> None:
    pieces = (red("V2", "attack", dice=""), red("V1", "support", up=True, closed=True), blue("V2"))
    table = launch(*pieces).when(0, support("0V1"), [])
    assert table.unit("0V1").order is None
    assert not table.unit("0V1").open
    assert table.side(0).top is OrderType.SUPPORT


def supports_around(*, front: bool) -> Table:
    pieces = [red("V2", "attack", dice="m"), red("V1", "support", up=True), red("V3", "support", up=True)]
    enemies = [blue("V2", "defense")] if front else [blue("V1", "defense"), blue("V3"), blue("R2")]
    return launch(*pieces, *enemies)


def test_vd_203_vd_206_each_support_gives_a_die_left_and_right_and_the_opening() -> None:
    table = supports_around(front=False).when(0, target("1V1")).when(0, support("0V1", "0V3"), [3, 1, 1, 1, 1])
    assert table.parts("VD-217") == {"VD-017": 1, "VD-203": 2, "VD-198": 1}


def test_vd_204_supports_give_discord_once() -> None:
    table = supports_around(front=True).when(0, support("0V1", "0V3"), [3, 1, 1, 1])
    assert sum(part.value for part in table.one(MoraleChecked).parts) == -1


def test_vd_205_vd_d22_the_owner_chooses_which_supports_are_used() -> None:
    table = supports_around(front=True)
    assert [set(choice.units) for choice in table.options(0)] == [  # type: ignore[attr-defined]
        set(),
        {"0V1"},
        {"0V3"},
        {"0V1", "0V3"},
        {"0V1", "0V3"},
    ]
    table.when(0, support(), [3])
    assert table.of(SupportsCommitted) == []
    assert table.unit("0V1").order is not None


def test_vd_q13_supports_are_discarded_in_the_order_named() -> None:
    table = supports_around(front=True).when(0, support("0V3", "0V1"), [6, 1, 1])
    assert [event.unit for event in table.of(OrderDiscarded)] == ["0V3", "0V1"]


def test_vd_207_vd_390_supports_are_chosen_before_anything_of_the_target_is_seen() -> None:
    pieces = (red("V2", "attack", dice=""), red("V1", "support", up=True), blue("V2", "tactic", closed=True))
    table = launch(*pieces)
    assert table.asks() == [(0, "SupportSelection")]
    held = table.unit("1V2").order
    assert held is not None
    assert (table.unit("1V2").open, held.seen) == (False, False)


def test_vd_208_vd_q67_indirect_and_aerial_attacks_are_not_supported() -> None:
    pieces = (red("V2", "attack", "flying", dice="r"), red("V1", "support", up=True), blue("R2"), blue("V2"))
    assert launch(*pieces).when(0, indirect(), [1]).asks() == [(1, "OrderExecution")]
    table = launch(*pieces).when(0, aerial()).when(0, target("1V2"), [1])
    assert table.asks() == [(1, "OrderExecution")]


@pytest.mark.parametrize(("dice", "possible"), [("m", False), ("mr", True), ("a", True), ("gb", False)])
def test_vd_243_an_indirect_attack_needs_a_range_or_artillery_die(dice: str, possible: bool) -> None:
    table = given(red("R1", "attack", dice=dice), blue("V1")).when(0, execute("0R1"), [1] * possible)
    assert bool(table.of(AttackDeclared)) is possible


def test_vd_244_vd_246_from_the_vanguard_the_target_is_the_enemy_rearguard_of_the_column() -> None:
    table = launch(red("V1", "attack", dice="r"), blue("V1"), blue("R1"), blue("R2"), blue("V2"))
    assert table.options(0) == [direct(), indirect()]
    assert table.when(0, indirect(), [1]).one(AttackDeclared).target == "1R1"


def test_vd_244_from_the_rearguard_the_enemy_vanguard() -> None:
    table = given(red("R1", "attack", dice="r"), blue("V1"), blue("R1")).when(0, execute("0R1"), [1])
    assert table.one(AttackDeclared).target == "1V1"


def test_vd_245_vd_047_a_closed_unit_is_no_target() -> None:
    assert launch(red("R1", "attack", dice="r"), blue("V1", closed=True)).of(AttackFailed)


def test_vd_247_only_range_and_artillery_dice_are_used() -> None:
    table = launch(red("R1", "attack", dice="mrga"), blue("V1"), dice=(1, 1))
    assert table.row("VD-217") == "ra"


def test_vd_248_gains_and_losses_apply_to_the_filtered_row() -> None:
    table = launch(red("R1", "attack", dice="mra"), blue("V1"), dice=(1,), terrain="fppp")
    assert table.row("VD-217") == "a"


@pytest.mark.parametrize(("life", "abilities", "possible"), [(3, (), True), (2, (), False), (2, ("endurance",), True)])
def test_vd_251_vd_q08_an_archer_that_lost_its_only_die_is_incapable(
    life: int, abilities: tuple[str, ...], possible: bool
) -> None:
    piece = red("R1", "attack", *abilities, dice="mr", life=life)
    table = given(piece, blue("V1")).when(0, execute("0R1"), [1] * possible)
    assert bool(table.of(AttackDeclared)) is possible


def test_vd_q08_terrain_may_leave_an_indirect_attack_without_dice() -> None:
    table = launch(red("R1", "attack", dice="r"), blue("V1"), terrain="fppp")
    assert table.rolls() == [("VD-217", 0)]


ROW = {"pppp": "mm", "fppp": "mm", "rppp": "m", "mppp": "m"}


@pytest.mark.parametrize(("terrain", "dice"), ROW.items())
def test_vd_296_vd_297_vd_298_vd_300_terrain_in_a_direct_attack(terrain: str, dice: str) -> None:
    table = launch(red("V1", "attack", dice="mm"), blue("V1"), dice=(1,) * len(dice), terrain=terrain)
    assert table.row("VD-217") == dice


@pytest.mark.parametrize(("terrain", "dice"), {"pppp": "rr", "fppp": "r", "rppp": "rr", "mppp": "r"}.items())
def test_vd_293_vd_298_vd_300_terrain_in_an_indirect_attack(terrain: str, dice: str) -> None:
    table = launch(red("R1", "attack", dice="rr"), blue("V1"), dice=(1,) * len(dice), terrain=terrain)
    assert table.row("VD-217") == dice


@pytest.mark.parametrize(
    ("terrain", "dice"), {"pppp": "mm", "pfpp": "m", "prpp": "mm", "pmpp": "mm", "fppp": "mm"}.items()
)
def test_vd_294_vd_298_vd_300_an_aerial_attack_takes_place_over_the_target(terrain: str, dice: str) -> None:
    pieces = (red("R1", "attack", "flying", dice="mm"), blue("V2"), blue("R4"))
    table = launch(*pieces, terrain=terrain).when(0, target("1V2"), [1] * len(dice))
    assert table.row("VD-217") == dice


def test_vd_291_a_direct_attack_takes_place_in_the_attackers_column() -> None:
    pieces = (red("V1", "attack", dice="mm"), blue("V2"), blue("R1"))
    table = launch(*pieces, terrain="prpp").when(0, target("1V2"), [1, 1, 1])
    assert "VD-297" not in table.parts("VD-217")


@pytest.mark.parametrize("terrain", ["rppp", "mppp"])
def test_vd_292_the_counterattack_stands_in_the_same_terrain(terrain: str) -> None:
    table = launch(red("V1", "attack", dice=""), blue("V1", "attack", dice="mm"), terrain=terrain)
    assert table.when(1, BACK, [1]).row("VD-238") == "m"


def test_vd_295_no_terrain_penalty_for_the_counterattack_to_an_aerial_attack() -> None:
    pieces = (red("R1", "attack", "flying", dice=""), blue("V1", "attack", dice="mm"), blue("R4"))
    table = launch(*pieces, terrain="fppp").when(0, target("1V1")).when(1, BACK, [1, 1])
    assert table.row("VD-238") == "mm"


@pytest.mark.parametrize(
    ("ability", "terrain"),
    [("affinity_rivers", "rppp"), ("affinity_mountains", "mppp")],
)
def test_vd_304_vd_305_affinity_ignores_the_penalty_in_attack_and_counterattack(ability: str, terrain: str) -> None:
    pieces = (red("V1", "attack", ability, dice="mm"), blue("V1", "attack", ability, dice="mm"))
    table = launch(*pieces, dice=(1, 1), terrain=terrain).when(1, BACK, [1, 1])
    assert table.row("VD-238") == "mm"


@pytest.mark.parametrize(("ability", "terrain"), [("affinity_forests", "fppp"), ("affinity_mountains", "mppp")])
def test_vd_303_vd_305_affinity_in_an_indirect_attack(ability: str, terrain: str) -> None:
    table = launch(red("R1", "attack", ability, dice="r"), blue("V1"), dice=(1,), terrain=terrain)
    assert table.row("VD-217") == "r"


def test_vd_303_affinity_with_forests_in_an_aerial_attack() -> None:
    pieces = (red("R1", "attack", "flying", "affinity_forests", dice="mm"), blue("V1"), blue("R4"))
    table = launch(*pieces, terrain="fppp").when(0, target("1V1"), [1, 1])
    assert table.row("VD-217") == "mm"


def test_vd_301_vd_179_the_holder_of_a_mountain_ignores_its_penalty() -> None:
    table = launch(red("V1", "attack", dice="mm", capture=True), blue("V1"), dice=(1, 1), terrain="mppp")
    assert table.row("VD-217") == "mm"


def test_vd_301_in_a_counterattack_too() -> None:
    pieces = (red("V1", "attack", dice=""), blue("V1", "attack", dice="mm", capture=True))
    assert launch(*pieces, terrain="mppp").when(1, BACK, [1, 1]).row("VD-238") == "mm"


def test_vd_q30_a_captured_mountain_does_not_protect_against_another() -> None:
    """The attack comes from the Mountain of column 1; the target holds the Mountain of column 2."""
    pieces = (red("V1", "attack", dice=""), blue("V2", "attack", dice="mmm", capture=True), blue("R1"))
    table = launch(*pieces, terrain="mmpp").when(0, target("1V2")).when(1, BACK, [1])
    assert table.parts("VD-238") == {"VD-017": 3, "VD-199": -1, "VD-300": -1}


def test_vd_299_vd_179_the_holder_of_a_forest_has_reflexes() -> None:
    pieces = (red("V1", "attack", dice="m"), blue("V1", "attack", dice="m", capture=True))
    assert launch(*pieces, terrain="fppp").rolls() == []
    assert launch(*pieces, terrain="rppp").rolls() == [("VD-217", 0)]


def test_vd_289_without_terrain_all_is_plains() -> None:
    table = launch(
        red("V1", "attack", dice="mm"), blue("V1"), dice=(1, 1), terrain="mmmm", options=Options(without_terrain=True)
    )
    assert table.row("VD-217") == "mm"


def test_vd_q33_vd_253_an_attack_that_found_no_target_grounds_the_player() -> None:
    table = launch(red("R1", "attack"), blue("V1"))
    assert table.one(PlayerGrounded).seat == 0


def test_vd_184_attacks_and_counterattacks_keep_a_capture() -> None:
    table = launch(red("V1", "attack", dice="", capture=True), blue("V1"))
    assert table.unit("0V1").capture
    table = launch(red("V1", "attack", dice="r", capture=True), blue("V1"), blue("R1")).when(0, indirect(), [1])
    assert table.unit("0V1").capture
    pieces = (red("V1", "attack", dice=""), blue("V1", "attack", dice="", capture=True))
    assert launch(*pieces).when(1, BACK).unit("1V1").capture


def test_vd_d12_a_turn_offers_every_prepared_unit() -> None:
    table = given(red("V1", "attack"), red("V2", "support", up=True), red("V3"), red("R1", "defense"))
    assert [choice.unit for choice in table.options(0)] == ["0V1", "0R1", "0R4"]  # type: ignore[attr-defined]
