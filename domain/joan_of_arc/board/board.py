"""The board: areas with their capacity and terrain, interiors, the sky, and adjacency (section B).

A `Board` is made once from a map and the drawn sky tiles, and does not change during a match. A `Table` (table.py)
holds everything on it.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from msgspec import Struct

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.board.hexes import (
    AreaId,
    Hex,
    across,
    edge_to,
    ground_id,
    interior_id,
    opposite,
    sky_id,
)
from domain.joan_of_arc.board.maps import SKY, HexPlan, Map, SkyTile, TileName
from domain.joan_of_arc.board.terrain import AREA_CAPACITY, BUILDINGS, BuildingType, Terrain

Level = Literal["ground", "interior", "sky"]
TILES: Final = {tile.id: tile for tile in SKY.tiles}
PLACES: Final = tuple(SKY.places.values())


class Layout(Struct, frozen=True):
    """The parts of a board: a map, and the sky tiles in the order in which they are laid (JA-Q74)."""

    map: Map
    sky: tuple[TileName, ...] = ()


class Area(Struct, frozen=True):
    """An area. For the interior of a `building`, `around` is the ground area around it; otherwise both are None."""

    id: AreaId
    level: Level
    hex: Hex
    letter: str
    capacity: int
    edges: tuple[int, ...] = ()
    terrain: Terrain | None = None
    impassable: bool = False
    around: AreaId | None = None
    building: BuildingType | None = None


class Board:
    """The areas by id, in board order (ledger 0.3), and their neighbours.

    `beside`: the areas of the same level that share a border with an area; for an interior the area around it.
    `interiors`: by ground area, the inside of its building. `hexes`: by level, the areas of each hex.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.areas: dict[AreaId, Area] = {area.id: area for area in _areas(layout)}
        self._order = {area: number for number, area in enumerate(self.areas)}
        self.interiors = {area.around: area.id for area in self.areas.values() if area.around is not None}
        self.hexes: dict[Level, dict[Hex, tuple[AreaId, ...]]] = {
            level: _by_hex(self.areas, level) for level in ("ground", "sky")
        }
        self.beside = {area.id: self.in_order(set(self._beside(area))) for area in self.areas.values()}

    def _beside(self, area: Area) -> Iterator[AreaId]:
        """JA-024, JA-025: areas of one hex, and areas on both sides of an edge; corners do not count. JA-026: an
        interior touches only the area around it, and no other interior (JA-Q04).
        """
        if area.around is not None:
            yield area.around
            return
        hexes = self.hexes[area.level]
        yield from (other for other in hexes[area.hex] if other != area.id)
        for edge in area.edges:
            there = hexes.get(across(area.hex, edge), ())
            yield from (other for other in there if opposite(edge) in self.areas[other].edges)

    def in_order(self, areas: Iterable[AreaId]) -> tuple[AreaId, ...]:
        """Areas in board order (ledger 0.3)."""
        return tuple(sorted(set(areas), key=self._order.__getitem__))

    def touch(self, area: AreaId, other: AreaId) -> bool:
        """JA-024: whether two areas share a border."""
        return other in self.beside[area] or area in self.beside[other]

    def shared_edge(self, area: AreaId, other: AreaId) -> tuple[Hex, int] | None:
        """JA-Q70: the hex edge between two ground areas, as the first one numbers it; None if there is none."""
        here, there = self.areas[area], self.areas[other]
        edge = edge_to(here.hex, there.hex)
        if edge is None or here.level != "ground" or there.level != "ground":
            return None
        return (here.hex, edge) if edge in here.edges and opposite(edge) in there.edges else None

    def within(self, area: AreaId, most: int) -> tuple[AreaId, ...]:
        """JA-Q39: the areas of the same board within this many steps between adjacent areas; no interiors."""
        steps = {area: 0}
        waiting = deque([area])
        while waiting:
            here = waiting.popleft()
            for there in self.beside[here] if steps[here] < most else ():
                if there not in steps:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return self.in_order(set(steps) - {area})


def _areas(layout: Layout) -> Iterator[Area]:
    for plan in sorted(layout.map.hexes, key=lambda plan: (plan.r, plan.q)):
        yield from _ground(plan)
    laid = [(place, TILES[name]) for place, name in zip(PLACES, layout.sky, strict=False)]
    for place, tile in sorted(laid, key=lambda each: (each[0][1], each[0][0])):
        yield from _sky(place, tile)


def _ground(plan: HexPlan) -> Iterator[Area]:
    """JA-018, JA-019, JA-020: the more areas a hex has, the smaller they are; JA-032: the sizes of interiors."""
    at = (plan.q, plan.r)
    for area in sorted(plan.areas, key=lambda area: area.id):
        name = ground_id(at, area.id)
        yield Area(
            name,
            "ground",
            at,
            area.id,
            AREA_CAPACITY[len(plan.areas)],
            area.edges,
            area.terrain,
            area.impassable,
        )
        if area.building is not None:
            inside = interior_id(name, area.building)
            room = BUILDINGS[area.building].capacity
            yield Area(inside, "interior", at, area.id, room, around=name, building=area.building)


def _sky(place: Hex, tile: SkyTile) -> Iterator[Area]:
    """JA-353: the same capacity and adjacency as on the ground."""
    for letter, edges, terrain in sorted(tile.areas):
        yield Area(sky_id(place, letter), "sky", place, letter, AREA_CAPACITY[len(tile.areas)], edges, terrain)


def _by_hex(areas: dict[AreaId, Area], level: Level) -> dict[Hex, tuple[AreaId, ...]]:
    found: dict[Hex, tuple[AreaId, ...]] = {}
    for area in areas.values():
        if area.level == level:
            found[area.hex] = (*found.get(area.hex, ()), area.id)
    return found


board_of = once_of(Board)
"""The board of a layout; it is made once."""
