"""Ledger 0.1, 0.3 and section B: hexes, areas, interiors, sky, and what is adjacent."""

import pytest

from domain.joan_of_arc.board.board import Board, Layout, board_of
from domain.joan_of_arc.board.hexes import AreaId, across, border, consecutive, distance, edge_to, opposite
from domain.joan_of_arc.board.maps import SHIPPED_MAPS, SKY
from tests.domain.joan_of_arc.fixtures import FLOWER, L0, L1, L2, NE, NW, SA, SB, SC, SE, SPLIT, SW, C, E, W, line

MARKET = Board(Layout(SHIPPED_MAPS["market_day"]))


def test_the_edges_go_round_from_the_east() -> None:
    assert [across((0, 0), edge) for edge in range(6)] == [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    assert all(across(across((2, 3), edge), opposite(edge)) == (2, 3) for edge in range(6))


@pytest.mark.parametrize("edge", range(6))
def test_an_edge_has_one_name_from_both_sides(edge: int) -> None:
    there = across((1, 1), edge)
    assert border((1, 1), edge) == border(there, opposite(edge))
    assert edge_to((1, 1), there) == edge
    assert edge_to((1, 1), across(there, edge)) is None


@pytest.mark.parametrize(("other", "hexes"), [((0, 0), 0), ((1, 0), 1), ((1, 1), 2), ((2, -1), 2), ((-3, 3), 3)])
def test_ja_q05_distance_is_counted_in_hexes(other: tuple[int, int], hexes: int) -> None:
    assert distance((0, 0), other) == distance(other, (0, 0)) == hexes


@pytest.mark.parametrize(
    ("edges", "together"),
    [((0, 1), True), ((5, 0), True), ((4, 5, 0), True), ((0, 2), False), ((0, 0), False), ((), False), ((5, 6), False)],
)
def test_the_edges_of_an_area_follow_each_other(edges: tuple[int, ...], *, together: bool) -> None:
    assert consecutive(edges) is together
    assert consecutive((0, 1, 2, 3, 4, 5))


def test_ja_018_ja_019_ja_020_capacity_follows_from_the_areas_of_the_hex() -> None:
    capacities = {area.id: area.capacity for area in MARKET.areas.values()}
    assert [capacities[AreaId(name)] for name in ("0,-1:a", "1,-1:a", "1,0:c")] == [8, 6, 4]


def test_ja_032_the_inside_has_the_buildings_capacity() -> None:
    assert MARKET.areas[AreaId("1,-1:a/church")].capacity == 5
    assert MARKET.areas[AreaId("2,0:b/inn")].capacity == 7


def test_ja_024_ja_025_ja_x08_areas_touch_along_edges_and_not_at_corners() -> None:
    split = Board(Layout(SPLIT))
    assert set(split.beside[SA]) == {E, NE, SB, SC}
    assert set(split.beside[SB]) == {NW, W, SA, SC}
    assert split.touch(SC, SE)
    assert not split.touch(SA, NW)
    assert not split.touch(SA, SE)


def test_ja_024_the_middle_of_the_flower_touches_all_and_each_petal_three() -> None:
    flower = Board(Layout(FLOWER))
    assert set(flower.beside[C]) == {E, NE, NW, W, SW, SE}
    assert set(flower.beside[E]) == {C, NE, SE}


def test_ja_026_ja_q04_an_interior_touches_only_what_surrounds_it() -> None:
    church = AreaId("1,-1:a/church")
    assert MARKET.beside[church] == (AreaId("1,-1:a"),)
    houses = [area.id for area in MARKET.areas.values() if area.level == "interior"]
    assert len(houses) == 6
    assert not any(MARKET.touch(one, other) for one in houses for other in houses)
    assert MARKET.touch(AreaId("1,-1:a"), church)
    assert not MARKET.touch(AreaId("1,-1:b"), church)


def test_board_order_goes_by_r_then_q_then_letter_with_interiors_after_their_area() -> None:
    order = list(MARKET.areas)
    assert order[:4] == ["0,-1:a", "1,-1:a", "1,-1:a/church", "1,-1:b"]
    assert order[-1] == "1,2:a"
    sky = Board(Layout(SHIPPED_MAPS["wyrm_of_rougemont"], ("sky1", "sky5", "sky2")))
    assert list(sky.areas)[-5:] == ["sky:1,-1:a", "sky:0,0:a", "sky:1,0:a", "sky:1,0:b", "sky:1,0:c"]


def test_ja_353_sky_areas_have_capacity_and_neighbours_as_on_the_ground() -> None:
    sky = Board(Layout(line(), ("sky1", "sky5")))
    start, second = AreaId("sky:0,0:a"), [AreaId(f"sky:1,0:{letter}") for letter in "abc"]
    assert [sky.areas[area].capacity for area in (start, *second)] == [8, 4, 4, 4]
    assert sky.beside[start] == (second[1],)
    assert not sky.touch(start, L0)


def test_ja_q74_every_place_of_the_sky_touches_an_earlier_one() -> None:
    places = list(SKY.places.values())
    assert len(places) == 7
    for number, place in enumerate(places[1:], 1):
        assert min(distance(place, earlier) for earlier in places[:number]) == 1


@pytest.mark.parametrize(("areas", "there"), [(0, set()), (1, {L1}), (2, {L1, L2})])
def test_ja_q39_a_jump_is_measured_by_the_shortest_chain(areas: int, there: set[AreaId]) -> None:
    assert set(Board(Layout(line())).within(L0, areas)) == there


def test_ja_q39_no_chain_goes_through_a_building() -> None:
    assert not [area for area in MARKET.within(AreaId("0,-1:a"), 9) if "/" in area]


def test_ja_q70_two_areas_are_across_the_edge_that_both_own() -> None:
    split = Board(Layout(SPLIT))
    assert split.shared_edge(SA, E) == ((0, 0), 0)
    assert split.shared_edge(E, SA) == ((1, 0), 3)
    assert split.shared_edge(SA, SB) is None
    assert split.shared_edge(SA, NW) is None


def test_a_board_is_made_once() -> None:
    layout = Layout(FLOWER)
    assert board_of(layout) is board_of(layout)
