"""JA-033, JA-109 to JA-117, JA-Q05, JA-Q16, JA-Q18: ranges, lines of sight, reach in melee."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import SHIPPED_MAPS, AreaPlan, HexPlan, Map
from domain.joan_of_arc.board.sight import ShotBar, clear, in_range, melee_reach, shot_bar
from domain.joan_of_arc.cards.cards import index_of
from domain.joan_of_arc.cards.units import Shooting
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
    SPLIT,
    C,
    E,
    W,
    lie,
    line,
    plain,
    table,
)

CHURCH = AreaId("2,0:a/church")
WOOD = line(L1={"terrain": "forest", "elements": {"tree": 1}})


def shooting(card: str) -> Shooting:
    found = index_of(None).units[card].shoot
    assert found is not None
    return found


BOWS, CROSSBOWS, SLINGS = (shooting(card) for card in ("e_bowmen", "f_crossbowmen", "e_skirmishers"))


@pytest.mark.parametrize(("range_hexes", "reached"), [(1, False), (2, True)])
def test_ja_033_ja_114_a_range_is_counted_in_hexes(range_hexes: int, *, reached: bool) -> None:
    assert in_range(table(line()), L0, L2, range_hexes) is reached


def test_ja_033_every_area_of_a_near_hex_is_in_range() -> None:
    found = table(SPLIT)
    assert in_range(found, SA, W, 1)
    assert not in_range(found, E, W, 1)
    assert in_range(found, E, SB, 1)
    assert in_range(found, SA, SB, 0)


def test_ja_116_ja_117_ja_x09_arcing_shots_pass_what_direct_shots_stop_at() -> None:
    found = table(WOOD)
    told = [shot_bar(found, L0, area, CROSSBOWS) for area in (L1, L2, L3)]
    assert told == [None, ShotBar.LINE_BLOCKED, ShotBar.OUT_OF_RANGE]
    assert [shot_bar(found, L0, area, BOWS) for area in (L1, L2, L3)] == [None, None, ShotBar.OUT_OF_RANGE]


@pytest.mark.parametrize(("terrain", "passes"), [("plain", True), ("swamp", True), ("hill", False), ("rocks", False)])
def test_ja_117_ja_118_what_lies_between_may_stop_a_direct_shot(terrain: str, *, passes: bool) -> None:
    assert clear(table(line(L1={"terrain": terrain})), L0, L2) is passes
    assert clear(table(line(L0={"terrain": terrain}, L2={"terrain": terrain})), L0, L2)


def test_ja_q18_the_best_of_the_shortest_lines_counts() -> None:
    hill: dict[str, Any] = {"terrain": "hill"}
    spots: dict[tuple[int, int], dict[str, Any]] = {(0, 0): {}, (1, 0): hill, (0, 1): {}, (1, 1): {}}
    one = Map("one", "One", tuple(plain(*spot, **area) for spot, area in spots.items()))
    assert clear(table(one), AreaId("0,0:a"), AreaId("1,1:a"))
    both = Map(
        "both", "Both", tuple(plain(*spot, **(hill if spot == (0, 1) else area)) for spot, area in spots.items())
    )
    assert not clear(table(both), AreaId("0,0:a"), AreaId("1,1:a"))


def test_ja_q18_no_line_goes_a_longer_way_round() -> None:
    flower = Map("f", "F", tuple(plain(q, r, terrain="hill" if (q, r) == (0, 0) else "plain") for q, r in FLOWER_SPOTS))
    assert not clear(table(flower), W, E)
    assert clear(table(FLOWER), W, E)


FLOWER_SPOTS = [(plan.q, plan.r) for plan in FLOWER.hexes]


def test_ja_q18_a_line_may_go_through_another_area_of_the_same_hex() -> None:
    def ground(between: str) -> Map:
        parts = (AreaPlan("a", "plain", (5, 0, 1)), AreaPlan("b", between, (2, 3, 4)))  # type: ignore[arg-type]
        return Map("two", "Two", (plain(-1, 0), HexPlan(0, 0, parts)))

    start, near, far = AreaId("-1,0:a"), AreaId("0,0:b"), AreaId("0,0:a")
    assert clear(table(ground("plain")), start, far)
    assert not clear(table(ground("hill")), start, far)
    assert clear(table(ground("hill")), start, near)


def test_ja_q18_where_there_is_no_hex_there_is_no_line() -> None:
    torn = Map("torn", "Torn", (plain(0, 0), plain(2, 0), plain(0, 1), plain(1, 1)))
    assert not clear(table(torn), AreaId("0,0:a"), AreaId("2,0:a"))
    assert shot_bar(table(torn), AreaId("0,0:a"), AreaId("2,0:a"), BOWS) is None


def test_ja_300_from_a_hill_a_shot_goes_one_hex_farther() -> None:
    hill, plains = table(line(L0={"terrain": "hill"})), table(line())
    assert shot_bar(plains, L0, L3, BOWS) is ShotBar.OUT_OF_RANGE
    assert shot_bar(hill, L0, L3, BOWS) is None
    assert shot_bar(hill, L0, L4, BOWS) is ShotBar.OUT_OF_RANGE


def test_ja_109_ja_q16_nobody_shoots_into_a_building_from_farther_away() -> None:
    found = table(line(L2={"terrain": "village", "building": "church"}))
    assert shot_bar(found, L2, CHURCH, BOWS) is None
    assert shot_bar(found, CHURCH, CHURCH, BOWS) is None
    assert shot_bar(found, L1, CHURCH, BOWS) is ShotBar.WALLS_BETWEEN
    assert shot_bar(found, CHURCH, L2, BOWS) is None
    assert shot_bar(found, CHURCH, L1, BOWS) is ShotBar.WALLS_BETWEEN


def test_ja_111_ja_112_melee_reaches_adjacent_areas_whatever_they_are() -> None:
    found = table(line(L1={"terrain": "hill"}))
    assert melee_reach(found, L0, L1)
    assert not melee_reach(found, L0, L2)
    assert not melee_reach(found, L0, L0)


def test_ja_030_ja_109_those_in_one_building_reach_each_other() -> None:
    found = table(line(L2={"terrain": "village", "building": "church"}))
    assert melee_reach(found, CHURCH, CHURCH)
    assert melee_reach(found, L2, CHURCH)
    assert not melee_reach(found, L1, CHURCH)
    assert not melee_reach(replace(found, furnishings={}), L2, CHURCH)
    assert melee_reach(lie(found, L2, rubble=True), L2, CHURCH)


def test_ja_363_ja_364_ja_365_ja_q75_shots_cross_levels_and_melee_does_not() -> None:
    found = table(line(L1={"terrain": "hill"}), sky=("sky1", "sky5"))
    sky, next_sky = AreaId("sky:0,0:a"), AreaId("sky:1,0:b")
    assert not melee_reach(found, sky, L0)
    assert melee_reach(found, sky, next_sky)
    assert [shot_bar(found, sky, area, SLINGS) for area in (L0, L4, AreaId("sky:1,0:a"))] == [None, None, None]
    assert shot_bar(found, L4, sky, SLINGS) is None
    assert shot_bar(found, L4, L0, SLINGS) is ShotBar.OUT_OF_RANGE


def test_ja_033_petals_are_two_hexes_apart_where_they_do_not_touch() -> None:
    found = table(FLOWER)
    assert in_range(found, NE, NW, 1)
    assert not in_range(found, NE, W, 1)
    assert in_range(found, NE, C, 1)


@pytest.mark.parametrize("name", SHIPPED_MAPS)
def test_ja_024_ja_q18_what_touches_or_sees_is_touched_and_seen(name: str) -> None:
    found = table(SHIPPED_MAPS[name])
    ground = [area for area in found.board.areas.values() if area.level == "ground"]
    for one in ground:
        for other in ground:
            assert found.board.touch(one.id, other.id) is found.board.touch(other.id, one.id)
            if one != other:
                assert clear(found, one.id, other.id) is clear(found, other.id, one.id)
            if other.id in found.board.beside[one.id]:
                assert one.id in found.board.beside[other.id]
                assert clear(found, one.id, other.id)
