"""Checks of maps (ledger 6.11): every defect with hex and rule, all at once, beside a drawing of the map."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.files import assert_sound, document, shape_defects
from domain.joan_of_arc.board.board import PLACES, Board, Layout
from domain.joan_of_arc.board.hexes import EDGES, AreaId, Border, across, border, consecutive
from domain.joan_of_arc.board.map_text import drawn
from domain.joan_of_arc.board.maps import EdgeFeature, HexPlan, Map
from domain.joan_of_arc.board.table import laid_out, left
from domain.joan_of_arc.errors import MapInvalid

RULE: Final = "ledger 6.11"
LETTERS: Final = "abc"
FIRST_TILES: Final = 2
"""The sky tiles that are drawn if no unit is gigantic."""


def check_map(text: bytes, file: str) -> tuple[tuple[Defect, ...], str]:
    """The defects of a map, or of the map of a scenario, and a drawing of it if it can be read."""
    try:
        given = document(text, file)
    except GivenInvalid as wrong:
        return wrong.defects, ""
    if isinstance(given, dict) and isinstance(given.get("map"), dict):
        given = given["map"]
    defects = [*shape_defects(file, "", Map, given)]
    if defects:
        return tuple(defects), ""
    plan = msgspec.convert(given, Map)
    return tuple(map_defects(plan, file)), drawn(plan)


def read_map_file(text: bytes, file: str) -> Map:
    """The map of a file. Raises `MapInvalid` with every defect."""
    defects, _ = check_map(text, file)
    assert_sound(defects, MapInvalid)
    given: Any = document(text, file)
    return msgspec.convert(given["map"] if isinstance(given.get("map"), dict) else given, Map)


def map_defects(plan: Map, file: str) -> list[Defect]:
    """The defects that a well-shaped map can still have."""
    broken = [*_twice(plan, file), *(defect for each in plan.hexes for defect in _hex(each, file))]
    defects = [*broken, *_edge_features(plan, file), *_sky(plan, file)]
    if not broken:
        board = Board(Layout(plan))
        defects += [*_room(board, file), *_connected(board, file)]
    return defects


def _at(plan: HexPlan) -> str:
    return f"hex {plan.q},{plan.r}"


def _twice(plan: Map, file: str) -> Iterator[Defect]:
    for (q, r), number in Counter((each.q, each.r) for each in plan.hexes).items():
        if number > 1:
            yield Defect(file, f"hex {q},{r}", "", f"{number} tiles in one place", "one", RULE)


def _hex(plan: HexPlan, file: str) -> Iterator[Defect]:
    """Letters are in order, and every edge belongs to one area; an area's edges are neighbours."""
    at, letters = _at(plan), [area.id for area in plan.areas]
    if letters != list(LETTERS[: len(letters)]):
        yield Defect(file, at, "areas", ", ".join(letters), ", ".join(LETTERS[: len(letters)]), RULE)
    owners = Counter(edge for area in plan.areas for edge in area.edges)
    for edge in EDGES:
        if owners[edge] != 1:
            yield Defect(file, at, "edges", f"edge {edge} is owned {owners[edge]} times", "once", "ledger 0.1")
    for area in plan.areas:
        if not consecutive(area.edges):
            found = ", ".join(map(str, area.edges))
            yield Defect(file, at, f"{area.id}.edges", found, "edges that follow each other, each once", "ledger 0.1")


def _edge_features(plan: Map, file: str) -> Iterator[Defect]:
    """JA-330, JA-335: stakes and walls stand on edges between two hexes, one on each edge."""
    hexes = {(each.q, each.r) for each in plan.hexes}
    seen: set[Border] = set()
    for number, found in enumerate(plan.edge_features):
        field, at = f"edge_features[{number}]", (found.q, found.r)
        if at not in hexes or across(at, found.edge) not in hexes:
            said = f"edge {found.edge} of hex {found.q},{found.r}"
            yield Defect(file, "", field, said, "an edge between two hexes of the map", RULE)
        elif border(at, found.edge) in seen:
            yield Defect(file, "", field, "a second thing on this edge", "one, named from either side", RULE)
        seen.add(border(at, found.edge))
        yield from _owner(found, field, file)


def _owner(found: EdgeFeature, field: str, file: str) -> Iterator[Defect]:
    if (found.owner is None) == (found.feature == "stakes"):
        allowed = "a seat for stakes" if found.feature == "stakes" else "none for a wall"
        yield Defect(file, "", f"{field}.owner", repr(found.owner), allowed, RULE)


def _sky(plan: Map, file: str) -> Iterator[Defect]:
    if plan.sky is None:
        return
    tiles = plan.sky.tiles
    if plan.sky.mode == "random" and tiles:
        yield Defect(file, "", "sky.tiles", f"{len(tiles)} tiles", "none where they are drawn", RULE)
    if plan.sky.mode == "plan" and not FIRST_TILES <= len(tiles) <= len(PLACES):
        yield Defect(file, "", "sky.tiles", f"{len(tiles)} tiles", f"{FIRST_TILES} to {len(PLACES)}", RULE)
    if len(set(tiles)) < len(tiles):
        yield Defect(file, "", "sky.tiles", ", ".join(tiles), "each tile once", RULE)


def _room(board: Board, file: str) -> Iterator[Defect]:
    """JA-022: the contents of an area leave a space for units."""
    if len([area for area in board.areas.values() if area.level == "ground"]) < 2:
        yield Defect(file, "", "hexes", "one area", "at least two", RULE)
    table = laid_out(board, {})
    for area in board.areas.values():
        if area.level == "ground" and left(table, area.id) < 1:
            found = f"{area.capacity - left(table, area.id)} of {area.capacity} spaces used"
            yield Defect(file, f"area {area.id}", "", found, "at least 1 free", "JA-022")


def _connected(board: Board, file: str) -> Iterator[Defect]:
    ground = [area.id for area in board.areas.values() if area.level == "ground" and not area.impassable]
    if not ground:
        yield Defect(file, "", "hexes", "no area that may be entered", "at least two", RULE)
        return
    reached, waiting = {ground[0]}, [ground[0]]
    while waiting:
        for there in board.beside[waiting.pop()]:
            if there not in reached and not board.areas[there].impassable:
                reached.add(there)
                waiting.append(there)
    lost: list[AreaId] = [area for area in ground if area not in reached]
    if lost:
        told = ", ".join(lost[:6]) + (f" and {len(lost) - 6} more" if len(lost) > 6 else "")
        yield Defect(file, "", "hexes", f"no way from {ground[0]} to {told}", "a connected board", RULE)
