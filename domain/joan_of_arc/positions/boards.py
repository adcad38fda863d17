"""The boards of positions: the fixtures of ledger 0.2, with short names of areas, and the game's maps."""

import re
from typing import Final

from msgspec.structs import replace

from domain.commons.notation import Fields, check_keys, convert, one_of
from domain.joan_of_arc.board.hexes import STEPS, AreaId, border, edge_to
from domain.joan_of_arc.board.maps import SHIPPED_MAPS, AreaPlan, HexPlan, Map
from domain.joan_of_arc.board.terrain import GroundTerrain
from domain.joan_of_arc.state.queries import border_name, border_of

EDGE: Final = re.compile(r"-?\d+,-?\d+/[0-2]")
ALL: Final = (0, 1, 2, 3, 4, 5)
RING: Final = ("E", "NE", "NW", "W", "SW", "SE")


def _plain(q: int, r: int) -> HexPlan:
    return HexPlan(q, r, (AreaPlan("a", "plain", ALL),))


_RING: Final = tuple(_plain(q, r) for q, r in STEPS)
_THIRDS: Final = (AreaPlan("a", "plain", (0, 1)), AreaPlan("b", "plain", (2, 3)), AreaPlan("c", "plain", (4, 5)))
FIXTURES: Final = {
    "line": Map("line", "Line", tuple(_plain(q, 0) for q in range(5))),
    "flower": Map("flower", "Flower", (_plain(0, 0), *_RING)),
    "split": Map("split", "Split", (HexPlan(0, 0, _THIRDS), *_RING)),
}
"""Ledger 0.2: LINE, FLOWER and SPLIT."""
_ROUND: Final = {name: AreaId(f"{q},{r}:a") for name, (q, r) in zip(RING, STEPS, strict=True)}
NAMES: Final[dict[str, dict[str, AreaId]]] = {
    "line": {f"L{q}": AreaId(f"{q},0:a") for q in range(5)},
    "flower": {"C": AreaId("0,0:a"), **_ROUND},
    "split": {"Sa": AreaId("0,0:a"), "Sb": AreaId("0,0:b"), "Sc": AreaId("0,0:c"), **_ROUND},
}


class Ground:
    """The map of a position, and the names of its areas: by id, and on a fixture by the short names too."""

    def __init__(self, ground: Map) -> None:
        self.map = ground
        self.short = NAMES.get(ground.id, {})
        self.said = {area: short for short, area in self.short.items()}

    def area(self, place: str, word: object) -> AreaId:
        """An area by its id or its short name; `L2/church` is inside. Raises `ValueError`."""
        around, slash, building = str(word).partition("/")
        known = {AreaId(f"{plan.q},{plan.r}:{area.id}") for plan in self.map.hexes for area in plan.areas}
        if around in self.short or around in known or around.startswith("sky:"):
            return AreaId(f"{self.short.get(around, around)}{slash}{building}")
        one_of(place, around, (*self.short, *known))
        raise AssertionError

    def say(self, area: str) -> str:
        """The name of an area in positions."""
        around, slash, building = area.partition("/")
        return f"{self.said.get(AreaId(around), around)}{slash}{building}"

    def edge(self, place: str, word: str) -> str:
        """`L1-L2`, the edge between two areas, or `1,0/0`, as the state names it. Raises `ValueError`."""
        if EDGE.fullmatch(word):
            return border_name(border_of(word))
        first, _, second = word.partition("-") if word.count("-") == 1 else word.partition(" ")
        here, there = (_hex(self.area(place, name)) for name in (first, second))
        edge = edge_to(here, there)
        if edge is None:
            raise ValueError(f"{place}: {word!r}: the two areas share no edge")
        return border_name(border(here, edge))

    def furnish(self, areas: dict[str, Fields]) -> "Ground":
        """The map with other terrain and buildings in some areas; buildings decide which interiors exist."""
        changed = {self.area(f"areas.{name}", name): fields for name, fields in areas.items()}
        plans = tuple(
            replace(plan, areas=tuple(_planned(plan, area, changed) for area in plan.areas)) for plan in self.map.hexes
        )
        return Ground(replace(self.map, hexes=plans))


def ground_of(given: object) -> Ground:
    """A fixture or a map of the game by its name, or the position's own map as in ledger 6.11. Raises `ValueError`."""
    if not isinstance(given, dict):
        name = one_of("map", given, (*FIXTURES, *SHIPPED_MAPS))
        return Ground(FIXTURES.get(name) or SHIPPED_MAPS[name])
    own: Map = convert("map", {"id": "own", "name": "Own", **given}, Map)
    if own.id in FIXTURES:
        raise ValueError(f"map.id: {own.id} is the name of a fixture; leave it out")
    return Ground(own)


PLANNED: Final = ("terrain", "building", "impassable")
LYING: Final = ("elements", "damage", "rubble", "barricade", "fire", "razed")


def _planned(plan: HexPlan, area: AreaPlan, changed: dict[AreaId, Fields]) -> AreaPlan:
    place = f"{plan.q},{plan.r}:{area.id}"
    given = check_keys(f"areas.{place}", changed.get(AreaId(place), {}), (*PLANNED, *LYING))
    terrain: GroundTerrain = given.get("terrain", area.terrain)
    fields = {name: given[name] for name in PLANNED if name in given} | {"terrain": terrain}
    plain = {"id": area.id, "edges": area.edges, "building": area.building, "elements": area.elements} | fields
    return convert(f"areas.{place}", plain, AreaPlan)


def _hex(area: AreaId) -> tuple[int, int]:
    q, _, r = area.partition(":")[0].partition(",")
    return int(q), int(r)
