"""Sections B, I, U, V, W, Y, Z: room, whose an area is, what stands in it, and where units may go."""

import pytest
from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import AreaPlan, HexPlan, Map
from domain.joan_of_arc.board.table import (
    Bar,
    EdgeStanding,
    Furnishing,
    Table,
    adjacent,
    barricade_fits,
    collapsed,
    collapses,
    destinations,
    edge_between,
    entry_bar,
    follow_up_barred,
    furnishing,
    gigantic_destinations,
    high,
    interior_of,
    laid_out,
    left,
    move_bar,
    push_destinations,
    status,
    stops_shots,
    units_in,
    used,
    wooded_or_built,
)
from tests.domain.joan_of_arc.fixtures import (
    FLOWER,
    L0,
    L1,
    L2,
    L3,
    L4,
    NE,
    NW,
    SA,
    SB,
    SE,
    SPLIT,
    SW,
    C,
    E,
    W,
    feature,
    lie,
    line,
    stand,
    table,
    unit,
)

VILLAGE = line(L2={"terrain": "village", "building": "church", "elements": {"well": 1}})
CHURCH = AreaId("2,0:a/church")
SKY = AreaId("sky:0,0:a")


def test_ja_021_ja_022_ja_305_units_elements_building_and_barricade_use_spaces() -> None:
    found = table(VILLAGE, {L2: "2 e_billmen m_tarasque"})
    assert used(found, L2) == 2 + 3 + 1 + 2
    assert left(lie(table(VILLAGE), L2, barricade="english"), L2) == 8 - 1 - 2 - 1


def test_ja_023_fire_and_damage_use_no_space() -> None:
    assert used(lie(table(VILLAGE), L2, fire=True, damage=2), L2) == used(table(VILLAGE), L2)


def test_ja_306_ja_q02_who_is_inside_uses_the_insides_room() -> None:
    found = table(VILLAGE, {CHURCH: "3 e_billmen"})
    assert used(found, L2) == 3
    assert left(found, CHURCH) == 2


def test_ja_259_a_carried_unit_uses_its_spaces() -> None:
    found = table(line(), {L0: "e_billmen"})
    carried = tuple(replace(each, carried=True) for each in units_in(found, L0))
    assert used(replace(found, standing={L0: carried}), L0) == 1


def test_ja_368_a_gigantic_creature_leaves_no_space() -> None:
    assert left(table(line(), {L0: "m_dragon"}), L0) == 0


def test_ja_027_ja_q03_free_allied_and_enemy() -> None:
    found = table(line(), {L0: "e_billmen"}, {L1: "f_knights"})
    found = replace(found, standing={**found.standing, L2: (unit("c c_villager", None),)})
    assert [status(found, area, "english") for area in (L0, L1, L2, L3)] == ["allied", "enemy", "free", "free"]
    assert status(found, L1, "french") == "allied"


def test_ja_029_an_interior_is_never_an_enemy_area_and_holds_both_sides() -> None:
    found = table(VILLAGE, {}, {CHURCH: "2 f_voulgiers"})
    assert status(found, CHURCH, "english") == "free"
    assert move_bar(found, L2, CHURCH, (unit("e e_billmen"),), "english") is None


def test_ja_032_both_sides_share_an_interiors_capacity() -> None:
    group = tuple(unit(f"e{n} e_billmen") for n in range(3))
    for french, bar in ((2, None), (3, Bar.CAPACITY)):
        found = table(VILLAGE, {}, {CHURCH: f"{french} f_voulgiers"})
        assert move_bar(found, L2, CHURCH, group, "english") is bar


def test_ja_028_ja_092_nobody_enters_an_enemy_area() -> None:
    found = table(line(), {L0: "e_billmen"}, {L1: "f_knights"})
    assert move_bar(found, L0, L1, units_in(found, L0), "english") is Bar.ENEMY_AREA
    assert move_bar(found, L0, L1, units_in(found, L0), "french") is None


def test_ja_092_ja_x06_a_group_needs_room_for_all() -> None:
    ground = Map("wood", "Wood", (replace(SPLIT.hexes[0], areas=_wooded()), *SPLIT.hexes[1:]))
    found = table(ground, {SB: "4 e_billmen"})
    group = units_in(found, SB)
    assert move_bar(found, SB, SA, group, "english") is Bar.CAPACITY
    assert move_bar(found, SB, SA, group[:3], "english") is None


def _wooded() -> tuple[AreaPlan, ...]:
    first, *others = SPLIT.hexes[0].areas
    return (replace(first, terrain="forest", elements={"tree": 1}), *others)


def test_ja_091_ja_x08_a_move_crosses_one_border() -> None:
    found = table(SPLIT, {SA: "e_billmen"})
    group = units_in(found, SA)
    assert move_bar(found, SA, NW, group, "english") is Bar.NOT_ADJACENT
    assert move_bar(found, SA, NE, group, "english") is None
    assert set(destinations(found, SA, group, "english")) == {E, NE, SB, AreaId("0,0:c")}


def test_ja_095_an_impassable_area_is_not_entered() -> None:
    found = table(line(L1={"impassable": True}), {L0: "e_billmen"})
    assert move_bar(found, L0, L1, units_in(found, L0), "english") is Bar.IMPASSABLE
    assert destinations(found, L0, units_in(found, L0), "english") == ()


def test_ja_096_a_building_is_entered_and_left_through_its_own_area() -> None:
    found = table(VILLAGE, {L1: "e_billmen", CHURCH: "e_bowmen"})
    assert move_bar(found, L1, CHURCH, units_in(found, L1), "english") is Bar.NOT_ADJACENT
    assert destinations(found, CHURCH, units_in(found, CHURCH), "english") == (L2,)


@pytest.mark.parametrize(
    ("card", "bar"),
    [("e_billmen", None), ("e_knights", Bar.INTERIOR_RESTRICTED), ("m_tarasque", Bar.INTERIOR_RESTRICTED)],
)
def test_ja_097_ja_250_ja_308_only_infantry_without_big_goes_inside(card: str, bar: Bar | None) -> None:
    assert move_bar(table(VILLAGE), L2, CHURCH, (unit(f"u {card}"),), "english") is bar


def test_ja_248_big_needs_three_spaces() -> None:
    for others, bar in ((5, None), (6, Bar.CAPACITY)):
        found = table(line(), {L1: f"{others} e_billmen"})
        assert move_bar(found, L0, L1, (unit("t m_tarasque"),), "english") is bar


def test_ja_214_a_barricade_needs_a_forest_a_village_an_inside_or_a_building() -> None:
    ground = line(
        L0={"terrain": "forest"}, L1={"terrain": "village"}, L2={"building": "church"}, L3={"terrain": "hill"}
    )
    found = table(ground)
    assert [barricade_fits(found, area) for area in (L0, L1, L2, CHURCH)] == [True] * 4
    assert not barricade_fits(found, L3)
    assert not barricade_fits(found, L4)
    assert not barricade_fits(lie(found, L2, rubble=True), L2)


def test_ja_215_ja_216_one_barricade_and_only_with_a_space() -> None:
    wood = line(L0={"terrain": "forest"})
    assert not barricade_fits(lie(table(wood), L0, barricade="french"), L0)
    assert barricade_fits(table(wood, {L0: "7 e_billmen"}), L0)
    assert not barricade_fits(table(wood, {L0: "8 e_billmen"}), L0)


def test_ja_296_ja_297_ja_q66_a_wood_needs_a_tree_and_a_village_a_building() -> None:
    ground = line(
        L0={"terrain": "forest", "elements": {"tree": 1}},
        L1={"terrain": "forest", "elements": {"bush": 1}},
        L2={"terrain": "village", "building": "church"},
        L3={"terrain": "village"},
        L4={"terrain": "plain", "building": "church", "elements": {"tree": 1}},
    )
    found = table(ground)
    assert [wooded_or_built(found, area) for area in (L0, L1, L2, L3, L4)] == [True, False, True, False, False]
    assert not wooded_or_built(lie(found, L2, rubble=True), L2)
    assert stops_shots(found, L0)
    assert not stops_shots(found, L1)


def test_ja_118_ja_299_ja_q67_hill_and_rocks_stop_shots_and_an_outcrop_does_not() -> None:
    ground = line(L0={"terrain": "hill"}, L1={"terrain": "rocks"}, L2={"elements": {"rocky_outcrop": 1}})
    found = table(ground)
    assert [high(found, area) for area in (L0, L1, L2)] == [True, True, False]
    assert [stops_shots(found, area) for area in (L0, L1, L2, L3)] == [True, True, False, False]


@pytest.mark.parametrize(("damage", "falls"), [(2, False), (3, True), (4, True)])
def test_ja_307_ja_323_a_building_falls_when_damage_reaches_its_resistance(damage: int, *, falls: bool) -> None:
    assert collapses(Furnishing(building="church", damage=damage)) is falls


def test_ja_243_ja_322_ja_326_rubble_uses_one_space_and_bears_no_damage() -> None:
    burnt = Furnishing(("well",), "church", damage=3, fire=True)
    ruin = collapsed(burnt)
    assert (ruin.rubble, ruin.fire, ruin.damage) == (True, False, 0)
    assert not collapses(replace(ruin, damage=9))
    found = table(VILLAGE)
    after = replace(found, furnishings={L2: ruin})
    assert (used(found, L2), used(after, L2)) == (3, 2)


def test_ja_q69_rubble_holds_as_many_as_the_building_did() -> None:
    found = lie(table(VILLAGE, {CHURCH: "4 e_billmen"}), L2, rubble=True)
    assert interior_of(found, L2) == CHURCH
    assert left(found, CHURCH) == 1


def test_ja_026_without_a_building_there_is_no_inside() -> None:
    found = table(VILLAGE)
    assert adjacent(found, L2) == (L1, L3, CHURCH)
    assert adjacent(replace(found, furnishings={}), L2) == (L1, L3)
    assert CHURCH not in destinations(replace(found, furnishings={}), L2, (unit("e e_billmen"),), "english")


def test_ja_330_ja_335_ja_q70_stakes_and_walls_stand_between_two_areas() -> None:
    ground = replace(SPLIT, edge_features=(feature(1, 0, 3, "stakes", "P1"), feature(0, 0, 5, "wall")))
    found = table(ground)
    assert edge_between(found, SA, E) == edge_between(found, E, SA) == EdgeStanding("stakes", "english")
    assert edge_between(found, AreaId("0,0:c"), SE) == EdgeStanding("wall", None)
    assert edge_between(found, SA, NE) is None
    assert edge_between(found, SB, E) is None


@pytest.mark.parametrize("kind", ["stakes", "wall"])
def test_ja_332_ja_337_ja_q71_who_attacked_across_does_not_follow_up(kind: str) -> None:
    found = stand(table(FLOWER), 0, 0, 0, EdgeStanding(kind, "english"))  # type: ignore[arg-type]  # a word of the test
    assert follow_up_barred(found, E, C, unit("k f_knights", "french"))
    assert not follow_up_barred(found, NE, C, unit("k f_knights", "french"))


def test_ja_218_ja_219_ja_329_a_barricade_stops_all_but_engineers() -> None:
    found = lie(table(line()), L1, barricade="french")
    assert follow_up_barred(found, L0, L1, unit("e e_billmen"))
    assert not follow_up_barred(found, L0, L1, unit("s e_sappers"))
    assert not follow_up_barred(found, L0, L3, unit("e e_billmen"))


def test_ja_138_ja_139_ja_x12_a_push_needs_a_free_or_own_area_with_room() -> None:
    cornered = table(line(), {L3: "e_billmen"}, {L4: "f_voulgiers"})
    assert push_destinations(cornered, L4, units_in(cornered, L4)[0]) == ()
    found = table(FLOWER, {W: "e_billmen"}, {C: "f_voulgiers", E: "8 f_peasants"})
    assert push_destinations(found, C, units_in(found, C)[0]) == (NW, NE, SW, SE)
    roomy = table(FLOWER, {W: "e_billmen"}, {C: "f_voulgiers", E: "7 f_peasants"})
    assert E in push_destinations(roomy, C, units_in(roomy, C)[0])


def test_ja_q25_a_push_leads_into_a_building_only_where_no_enemy_is() -> None:
    empty = table(VILLAGE, {L1: "e_billmen"}, {L2: "f_voulgiers"})
    assert push_destinations(empty, L2, units_in(empty, L2)[0]) == (CHURCH, L3)
    held = table(VILLAGE, {L1: "e_billmen", CHURCH: "e_bowmen"}, {L2: "f_voulgiers"})
    assert push_destinations(held, L2, units_in(held, L2)[0]) == (L3,)


def sky(english: dict[AreaId, str]) -> Table:
    return table(line(L2={"terrain": "village", "building": "church"}), english, sky=("sky1", "sky5"))


def test_ja_354_only_who_flies_goes_into_the_sky() -> None:
    found = sky({L0: "m_imps e_billmen"})
    imps, billmen = units_in(found, L0)
    assert move_bar(found, L0, SKY, (imps,), "english") is None
    assert move_bar(found, L0, SKY, (imps, billmen), "english") is Bar.FLYING_ONLY
    assert entry_bar(found, SKY, (billmen,), "english") is Bar.FLYING_ONLY


def test_ja_355_ja_356_ja_361_the_sky_touches_all_ground_and_no_inside() -> None:
    found = sky({SKY: "m_imps"})
    assert destinations(found, SKY, units_in(found, SKY), "english") == (L0, L1, L2, L3, L4, "sky:1,0:b")
    assert move_bar(found, CHURCH, SKY, units_in(found, SKY), "english") is Bar.NOT_ADJACENT


def test_ja_366_ja_367_no_push_leads_to_another_level() -> None:
    found = sky({SKY: "m_imps", L1: "m_imps"})
    assert push_destinations(found, SKY, units_in(found, SKY)[0]) == ("sky:1,0:b",)
    assert push_destinations(found, L1, units_in(found, L1)[0]) == (L0, L2)


def test_ja_372_a_gigantic_creature_goes_where_neither_units_nor_buildings_are() -> None:
    ground = Map("spots", "Spots", tuple(_spot(plan) for plan in FLOWER.hexes))
    found = table(ground, {C: "m_dragon", NE: "e_billmen"})
    assert set(gigantic_destinations(found, (0, 0), "ground")) == {(1, 0), (-1, 0), (-1, 1), (0, 1)}


def _spot(plan: HexPlan) -> HexPlan:
    """The flower with a house in the north-west and trees in the east."""
    area = plan.areas[0]
    at = (plan.q, plan.r)
    if at == (0, -1):
        area = replace(area, building="small_house")
    if at == (1, 0):
        area = replace(area, elements={"tree": 3})
    return replace(plan, areas=(area,))


def test_ja_003_a_table_is_laid_out_as_its_map_says() -> None:
    found = table(VILLAGE)
    assert furnishing(found, L2) == Furnishing(("well",), "church")
    assert furnishing(found, L0) == Furnishing()
    assert laid_out(found.board, {}).standing == {}
    assert SW in table(FLOWER).board.areas
