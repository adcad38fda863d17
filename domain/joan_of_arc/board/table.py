"""The table: units, elements, buildings, barricades, stakes and walls on the board; the room they leave (JA-022),
the owner of an area (JA-027), and the ways of a group (section I). Pure functions of a `Table`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.board.board import Area, Board
from domain.joan_of_arc.board.hexes import AreaId, Border, Hex, border, distance
from domain.joan_of_arc.board.terrain import (
    BARRICADE_SIZE,
    BUILDINGS,
    ELEMENT_SIZE,
    HIGH,
    RUBBLE_SIZE,
    BuildingType,
    Element,
)
from domain.joan_of_arc.cards.units import UnitCard, spaces


class Standing(Struct, frozen=True):
    """A unit in an area, by its id. `side` None: a neutral civilian. A gigantic creature stands in all of its hex."""

    unit: str
    card: UnitCard
    side: str | None
    carried: bool = False


class Furnishing(Struct, frozen=True, omit_defaults=True):
    """The contents of an area besides units. A building has its `damage`; `rubble` is left by one that collapsed.

    `barricade`: the side that built it. In an interior only `barricade` and `fire` are used.
    """

    elements: tuple[Element, ...] = ()
    building: BuildingType | None = None
    damage: int = 0
    rubble: bool = False
    barricade: str | None = None
    fire: bool = False


class EdgeStanding(Struct, frozen=True):
    """JA-330, JA-335: stakes or a wall on a hex edge; stakes belong to a side."""

    feature: Literal["stakes", "wall"]
    side: str | None = None


class Table(Struct, frozen=True):
    """A board with everything on it. Areas and borders that are not listed are bare."""

    board: Board
    furnishings: Mapping[AreaId, Furnishing] = {}
    edges: Mapping[Border, EdgeStanding] = {}
    standing: Mapping[AreaId, tuple[Standing, ...]] = {}


BARE = Furnishing()
Status = Literal["free", "allied", "enemy"]


class Bar(StrEnum):
    """The reasons that bar a group from an area: the refusals of ledger 0.7."""

    NOT_ADJACENT = "NOT_ADJACENT"
    IMPASSABLE = "IMPASSABLE"
    ENEMY_AREA = "ENEMY_AREA"
    CAPACITY = "CAPACITY"
    INTERIOR_RESTRICTED = "INTERIOR_RESTRICTED"
    FLYING_ONLY = "FLYING_ONLY"
    GIGANTIC_BLOCKED = "GIGANTIC_BLOCKED"


def furnishing(table: Table, area: AreaId) -> Furnishing:
    """The contents of an area besides units."""
    return table.furnishings.get(area, BARE)


def units_in(table: Table, area: AreaId) -> tuple[Standing, ...]:
    """The units in an area, including neutral civilians."""
    return table.standing.get(area, ())


def laid_out(board: Board, owners: Mapping[str, str]) -> Table:
    """The board as the map shows it, before any unit stands there; `owners` names the side of each seat (JA-003)."""
    furnishings = {}
    for plan in board.layout.map.hexes:
        for area in plan.areas:
            elements = tuple(sorted(name for name, number in area.elements.items() for _ in range(number)))
            if elements or area.building:
                furnishings[AreaId(f"{plan.q},{plan.r}:{area.id}")] = Furnishing(elements, area.building)
    edges = {
        border((found.q, found.r), found.edge): EdgeStanding(found.feature, owners.get(found.owner or ""))
        for found in board.layout.map.edge_features
    }
    return Table(board, furnishings, edges)


def interior_of(table: Table, area: AreaId) -> AreaId | None:
    """The inside of the building or rubble in a ground area; None if there is none (any more)."""
    return table.board.interiors.get(area) if furnishing(table, area).building is not None else None


def adjacent(table: Table, area: AreaId) -> tuple[AreaId, ...]:
    """JA-024, JA-026: the areas that share a border with this one, on its own level or through a door."""
    inside = interior_of(table, area)
    return (*table.board.beside[area], *([inside] if inside else ()))


def used(table: Table, area: AreaId) -> int:
    """JA-022, JA-Q02: the spaces in use: units, elements, building or rubble, barricade; JA-023: nothing else.

    JA-368: a gigantic creature leaves none. JA-259: a carried unit uses its spaces like any other. Computed once for
    each area of a table, because a table never changes.
    """
    known = _used_in(table)
    found = known.get(area)
    if found is None:
        found = known[area] = _used(table, area)
    return found


def _nothing_reckoned(_: Table) -> dict[AreaId, int]:
    """The cache of the values computed for a table."""
    return {}


_used_in = once_of(_nothing_reckoned)


def _used(table: Table, area: AreaId) -> int:
    here, lying = table.board.areas[area], furnishing(table, area)
    if any(unit.card.gigantic for unit in units_in(table, area)):
        return here.capacity
    room = sum(spaces(unit.card) for unit in units_in(table, area))
    if lying.barricade is not None:
        room += BARRICADE_SIZE
    return room + _fixed(lying)


def _fixed(lying: Furnishing) -> int:
    """The spaces of elements and of a building (JA-305) or its rubble (JA-326); JA-031: a building keeps its size when
    units enter it and its interior is shown.
    """
    built = 0
    if lying.building is not None:
        built = RUBBLE_SIZE if lying.rubble else BUILDINGS[lying.building].size
    return ELEMENT_SIZE * len(lying.elements) + built


def left(table: Table, area: AreaId) -> int:
    """The spaces not in use; JA-306, JA-Q69: an interior has its building's capacity, also as rubble."""
    return table.board.areas[area].capacity - used(table, area)


def collapses(lying: Furnishing) -> bool:
    """JA-323: whether a building has as many damage tokens as its resistance, or more; rubble has none (JA-322)."""
    if lying.building is None or lying.rubble:
        return False
    return lying.damage >= BUILDINGS[lying.building].resistance


def collapsed(lying: Furnishing) -> Furnishing:
    """JA-243, JA-323: a building that collapsed leaves rubble and no fire."""
    return replace(lying, damage=0, rubble=True, fire=False)


def status(table: Table, area: AreaId, side: str) -> Status:
    """JA-027, JA-Q03: an area's status for a side; neutral civilians change nothing. JA-029: an interior is never an
    enemy area.
    """
    sides = {unit.side for unit in units_in(table, area)} - {None}
    if side in sides:
        return "allied"
    return "enemy" if sides and table.board.areas[area].level != "interior" else "free"


def wooded_or_built(table: Table, area: AreaId) -> bool:
    """JA-297: a forest with a tree, or a village with a building; rubble is none (JA-Q66)."""
    terrain, lying = table.board.areas[area].terrain, furnishing(table, area)
    if terrain == "forest":
        return "tree" in lying.elements
    return terrain == "village" and lying.building is not None and not lying.rubble


def high(table: Table, area: AreaId) -> bool:
    """Hill or rocks by terrain; a rocky outcrop alone is neither (JA-Q67)."""
    return table.board.areas[area].terrain in HIGH


def stops_shots(table: Table, area: AreaId) -> bool:
    """JA-115, JA-118, JA-296, JA-299: areas that direct shots reach and do not pass."""
    return wooded_or_built(table, area) or high(table, area)


def edge_between(table: Table, area: AreaId, other: AreaId) -> EdgeStanding | None:
    """JA-Q70: the stakes or the wall on the hex edge between two areas; None without either."""
    shared = table.board.shared_edge(area, other)
    return table.edges.get(border(*shared)) if shared is not None else None


def barricade_fits(table: Table, area: AreaId) -> bool:
    """JA-214: in a forest, a village, an interior or an area with a building; JA-215: one; JA-216: with a space."""
    here, lying = table.board.areas[area], furnishing(table, area)
    apt = here.level == "interior" or here.terrain in {"forest", "village"}
    apt = apt or (lying.building is not None and not lying.rubble)
    return apt and lying.barricade is None and left(table, area) >= BARRICADE_SIZE


def move_bar(table: Table, start: AreaId, end: AreaId, group: Collection[Standing], side: str) -> Bar | None:
    """The reason why a group may not move from one area into another in one step; None if it may (JA-091, JA-092).

    A change of level counts as one step (JA-355, JA-361); the limit of once per turn is not checked here.
    """
    here, there = table.board.areas[start], table.board.areas[end]
    if "sky" in {here.level, there.level} and not all(unit.card.flying or unit.carried for unit in group):
        return Bar.FLYING_ONLY  # JA-354
    if end not in adjacent(table, start) and not levels_touch(here, there):
        return Bar.NOT_ADJACENT
    return entry_bar(table, end, group, side)


def levels_touch(here: Area, there: Area) -> bool:
    """JA-355: for movement every sky area is adjacent to every ground area; JA-356: never to an interior."""
    return {here.level, there.level} == {"sky", "ground"}


def entry_bar(table: Table, end: AreaId, group: Collection[Standing], side: str) -> Bar | None:
    """The reason why a group may not stand in an area, from any start; None if it may.

    JA-092: free or allied, or an interior, with room for all of them. JA-095: some areas are impassable; flying units
    are not stopped by the ground they fly over, but they cannot stand there either. JA-097, JA-308: only infantry
    without Big (JA-250) goes inside; JA-354: only flying units go into the sky.
    """
    there = table.board.areas[end]
    if there.impassable:
        return Bar.IMPASSABLE
    if there.level == "sky" and not all(unit.card.flying or unit.carried for unit in group):
        return Bar.FLYING_ONLY
    if there.level == "interior" and not all(unit.card.enters_buildings for unit in group):
        return Bar.INTERIOR_RESTRICTED
    if status(table, end, side) == "enemy":
        return Bar.ENEMY_AREA
    if sum(spaces(unit.card) for unit in group) > left(table, end):
        return Bar.CAPACITY
    return None


Reached = dict[tuple[AreaId, str, bool, int], tuple[UnitCard, tuple[AreaId, ...]]]


def _nowhere(_: Table) -> Reached:
    """The cache of moves of single units, by start, side, whether the unit is carried, and card."""
    return {}


_reached = once_of(_nowhere)


def destinations(table: Table, start: AreaId, group: Sequence[Standing], side: str) -> tuple[AreaId, ...]:
    """Where a group may move in one step, in board order; for a single unit computed once for its card."""
    if len(group) > 1:
        return _destinations(table, start, group, side)
    (unit,), known = group, _reached(table)
    key = (start, side, unit.carried, id(unit.card))
    found = known.get(key)
    if found is None or found[0] is not unit.card:
        found = known[key] = (unit.card, _destinations(table, start, group, side))
    return found[1]


def _destinations(table: Table, start: AreaId, group: Sequence[Standing], side: str) -> tuple[AreaId, ...]:
    near = set(adjacent(table, start))
    if all(unit.card.flying or unit.carried for unit in group):
        here = table.board.areas[start]
        near |= {there.id for there in table.board.areas.values() if levels_touch(here, there)}
    found = table.board.in_order(near)
    return tuple(end for end in found if _stands(table, end) and move_bar(table, start, end, group, side) is None)


def _stands(table: Table, area: AreaId) -> bool:
    """Whether an area exists: an interior exists as long as its building or rubble does."""
    around = table.board.areas[area].around
    return around is None or interior_of(table, around) is not None


def push_destinations(table: Table, start: AreaId, unit: Standing) -> tuple[AreaId, ...]:
    """JA-138: the adjacent areas, free or allied to the unit's side, with room for it, in board order.

    JA-Q25: into a building only where no enemy of the unit is inside. JA-366, JA-367: never to another level.
    """
    side = unit.side or ""
    near = table.board.in_order(adjacent(table, start))
    return tuple(
        end for end in near if entry_bar(table, end, (unit,), side) is None and not _hostile_inside(table, end, side)
    )


def _hostile_inside(table: Table, area: AreaId, side: str) -> bool:
    return any(unit.side not in {None, side} for unit in units_in(table, area))


def follow_up_barred(table: Table, start: AreaId, end: AreaId, unit: Standing) -> bool:
    """Whether an obstacle keeps an attacker from following up into the attacked area.

    JA-218, JA-329: a barricade; JA-219: not engineers. JA-332, JA-337, JA-Q71: stakes or a wall on the edge across
    which this unit attacked.
    """
    barricaded = furnishing(table, end).barricade is not None and not unit.card.skills.engineer
    return barricaded or edge_between(table, start, end) is not None


def gigantic_destinations(table: Table, at: Hex, level: Literal["ground", "sky"]) -> Iterator[Hex]:
    """JA-372: the adjacent hexes of the level that hold no unit and no building; terrain elements are no hindrance."""
    board = table.board
    for there, areas in board.hexes[level].items():
        if distance(at, there) == 1 and hex_is_empty(table, areas):
            yield there


def hex_is_empty(table: Table, areas: tuple[AreaId, ...]) -> bool:
    """Whether a hex can be filled by a gigantic creature: rubble counts as the building that it was."""
    inside = [table.board.interiors[area] for area in areas if area in table.board.interiors]
    if any(table.board.areas[area].impassable for area in areas):
        return False
    built = any(furnishing(table, area).building is not None for area in areas)
    return not built and not any(units_in(table, area) for area in (*areas, *inside))
