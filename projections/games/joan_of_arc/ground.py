"""The hex map of Joan of Arc as the areas of a map zone: outlines, where tokens and markers stand, what is said.

One unit of length is the side of a hex; the middle of hex 0,0 is the origin, y grows downwards (docs/scene.md 3).
"""

from math import atan2, cos, pi, sin, sqrt
from typing import Any, Final

from domain.joan_of_arc.board import Area, Level
from domain.joan_of_arc.hexes import STEPS, AreaId, Hex
from domain.joan_of_arc.queries import table_of
from domain.joan_of_arc.table import furnishing
from projections.games.joan_of_arc.words import View, area_name, side_name
from projections.words import count, join, sentence

Point = tuple[float, float]
ROOM: Final = {1: [1.42, 1.02], 2: [0.95, 0.75], 3: [0.66, 0.6]}
"""Width and height in which tokens are packed, by the number of areas of a hex."""
COLOURS: Final = {"blue_sky": "water", "clouds": "plain", "rainbow": "field"}
"""Terrain of the sky in the colours that there are."""
HOUSE: Final[tuple[Point, ...]] = ((-0.24, 0.2), (-0.24, -0.06), (0.0, -0.26), (0.24, -0.06), (0.24, 0.2))
RAISED: Final = 0.22
"""How far a building stands above the middle of its area, and units below it."""
PAD: Final = 0.1


def middle(at: Hex) -> Point:
    """Where the middle of a hex lies."""
    q, r = at
    return sqrt(3) * (q + r / 2), 1.5 * r


def corners(at: Hex, edge: int) -> tuple[Point, Point]:
    """The two ends of an edge, as one goes round the hex."""
    x, y = middle(at)
    dx, dy = middle(STEPS[edge])
    angle = atan2(dy, dx)
    first, last = ((round(x + cos(turn), 3), round(y + sin(turn), 3)) for turn in (angle - pi / 6, angle + pi / 6))
    return first, last


def polygon(area: Area) -> list[Point]:
    """The outline of an area: the edges that it owns, and the middle of the hex where it is a part of it."""
    x, y = middle(area.hex)
    ends = {end for edge in area.edges for end in corners(area.hex, edge)}
    if len(area.edges) == len(STEPS):
        return sorted(ends, key=lambda end: atan2(end[1] - y, end[0] - x))
    turns = [atan2(*reversed(_towards(area.hex, edge))) for edge in area.edges]
    start = atan2(sum(map(sin, turns)), sum(map(cos, turns)))

    def turn(end: Point) -> float:
        return (atan2(end[1] - y, end[0] - x) - start + pi) % (2 * pi)

    return [(round(x, 3), round(y, 3)), *sorted(ends, key=turn)]


def _towards(at: Hex, edge: int) -> Point:
    (ax, ay), (bx, by) = corners(at, edge)
    x, y = middle(at)
    return (ax + bx) / 2 - x, (ay + by) / 2 - y


def _centre(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def ground_geom(view: View, level: Level) -> dict[str, Any]:
    """The map of the ground with its interiors, or of the sky."""
    board = table_of(view).board
    areas: dict[str, Any] = {}
    for at, ids in board.hexes[level].items():
        for number, id_ in enumerate(ids):
            areas[id_] = _area(view, board.areas[id_], len(ids))
            if number == 0:
                ends = {end for edge in range(len(STEPS)) for end in corners(at, edge)}
                x, y = middle(at)
                areas[id_]["outer"] = sorted(ends, key=lambda end: atan2(end[1] - y, end[0] - x))
            inside = board.interiors.get(id_)
            if inside is not None and furnishing(table_of(view), id_).building is not None:
                areas[inside] = _interior(view, inside, areas[id_])
    points = [point for area in areas.values() for point in area["poly"]]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = [round(value, 3) for value in (min(xs) - PAD, min(ys) - PAD, max(xs) + PAD, max(ys) + PAD)]
    return {"type": "map", "box": box, "unit": 0.37, "areas": areas}


def _area(view: View, area: Area, shared: int) -> dict[str, Any]:
    points = polygon(area)
    x, y = _centre(points)
    has_house = furnishing(table_of(view), area.id).building is not None
    at = max(points, key=lambda point: (abs(point[0] - x), -point[1]))
    terrain = str(area.terrain)
    return {
        "poly": points,
        "c": [round(x, 3), round(y + RAISED * has_house, 3)],
        "room": ROOM[shared],
        "at": [round(x + (at[0] - x) * 0.5, 3), round(y + (at[1] - y) * 0.5, 3)],
        "terrain": COLOURS.get(terrain, terrain),
        **words_of(view, area),
    }


def _interior(view: View, id_: AreaId, around: dict[str, Any]) -> dict[str, Any]:
    x, y = around["c"][0], around["c"][1] - 2 * RAISED
    return {
        "poly": [(round(x + dx, 3), round(y + dy, 3)) for dx, dy in HOUSE],
        "c": [round(x, 3), round(y, 3)],
        "room": [0.44, 0.36],
        "at": [round(x + 0.2, 3), round(y, 3)],
        "terrain": "interior",
        **words_of(view, table_of(view).board.areas[id_]),
    }


def words_of(view: View, area: Area) -> dict[str, Any]:
    """What is said of an area: its name, and all that lies in it, for who sees it and for who hears it."""
    name = sentence(area_name(view, area.id)).removesuffix(".")
    units = len(table_of(view).standing.get(area.id, ()))
    lying = lying_words(view, area.id)
    told = [name, f"room for {area.capacity}", *lying, *([count(units, "unit")] if units else [])]
    told += ["impassable"] if area.impassable else []
    return {"label": name, "sub": join(lying), "aria": ", ".join(told)}


def lying_words(view: View, id_: AreaId) -> list[str]:
    """What lies in an area beside units."""
    found = furnishing(table_of(view), id_)
    told = [element.replace("_", " ") for element in found.elements]
    if found.building and "/" not in id_:
        damage = f" with {count(found.damage, 'damage', 'damage')}" if found.damage else ""
        told.append("rubble" if found.rubble else f"{found.building.replace('_', ' ')}{damage}")
    told += [f"barricade of {side_name(found.barricade)}"] if found.barricade else []
    return [*told, "fire"] if found.fire else told
