"""Rows of fire, and what enemies remove who enter or cross."""

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.losses import Burnt, burns, crosses_stakes, in_the_fire, tears_down_barricade
from domain.joan_of_arc.board.table import EdgeStanding, collapsed, collapses, furnishing, units_in
from tests.domain.joan_of_arc.fixtures import FLOWER, L0, L1, NE, C, E, lie, line, stand, table

HOUSE = AreaId("1,0:a/small_house")
HAMLET = line(L1={"terrain": "village", "building": "small_house", "elements": {"tree": 2}})


def test_ja_239_ja_242_ja_243_ja_x21_a_fire_takes_one_of_each_kind_and_the_house_falls() -> None:
    found = lie(table(HAMLET), L1, barricade="english", fire=True)
    first = burns(found, L1)
    assert first == Burnt(("tree",), barricade=True, stakes=None, building=L1)
    lying = replace(furnishing(found, L1), elements=("tree",), barricade=None, damage=1)
    assert not collapses(lying)
    again = burns(replace(found, furnishings={L1: lying}), L1)
    assert again == Burnt(("tree",), barricade=False, stakes=None, building=L1)
    lying = replace(lying, elements=(), damage=2)
    assert collapses(lying)
    ruin = collapsed(lying)
    assert (ruin.elements, ruin.fire, ruin.rubble) == ((), False, True)
    assert burns(replace(found, furnishings={L1: ruin}), L1) == Burnt()


def test_ja_239_a_tree_and_a_bush_burn_together_and_a_well_does_not() -> None:
    found = table(line(L0={"elements": {"well": 1, "bush": 2, "tree": 1}}))
    assert burns(found, L0).elements == ("tree", "bush")


def test_ja_239_ja_q45_one_piece_of_stakes_on_an_edge_of_the_area_burns() -> None:
    found = stand(table(FLOWER), 0, 0, 1, EdgeStanding("stakes", "english"))
    found = stand(found, 0, 0, 0, EdgeStanding("stakes", "french"))
    assert burns(found, C).stakes == ((0, 0), 0)
    assert burns(found, NE).stakes is not None
    assert burns(stand(table(FLOWER), 0, 0, 0, EdgeStanding("wall")), C).stakes is None


def test_ja_242_ja_q45_a_fire_inside_damages_the_building_and_leaves_the_trees() -> None:
    inside = burns(lie(table(HAMLET), HOUSE, fire=True, barricade="french"), HOUSE)
    assert inside == Burnt((), barricade=True, stakes=None, building=L1)


def test_ja_240_ja_270_ja_q45_a_fire_burns_who_stands_in_its_area_and_is_not_fireproof() -> None:
    found = table(HAMLET, {L1: "2 e_billmen m_tarasque", HOUSE: "e_bowmen"})
    assert [unit.card.id for unit in in_the_fire(found, L1)] == ["e_billmen", "e_billmen"]
    assert [unit.card.id for unit in in_the_fire(found, HOUSE)] == ["e_bowmen"]


def test_ja_q56_who_is_carried_does_not_burn() -> None:
    found = table(HAMLET, {L0: "e_billmen"})
    carried = tuple(replace(unit, carried=True) for unit in units_in(found, L0))
    assert in_the_fire(replace(found, standing={L0: carried}), L0) == ()


def test_ja_220_ja_q43_an_enemy_tears_a_barricade_down_and_a_friend_does_not() -> None:
    found = lie(table(HAMLET), L1, barricade="english")
    assert tears_down_barricade(found, L1, "french")
    assert not tears_down_barricade(found, L1, "english")
    assert not tears_down_barricade(found, L0, "french")


def test_ja_333_ja_x14_an_enemy_who_crosses_removes_the_stakes() -> None:
    found = stand(table(FLOWER), 0, 0, 0, EdgeStanding("stakes", "english"))
    assert crosses_stakes(found, E, C, "french") == ((0, 0), 0)
    assert crosses_stakes(found, C, E, "french") == ((0, 0), 0)
    assert crosses_stakes(found, E, C, "english") is None
    assert crosses_stakes(found, NE, C, "french") is None
    assert crosses_stakes(stand(table(FLOWER), 0, 0, 0, EdgeStanding("wall")), E, C, "french") is None
