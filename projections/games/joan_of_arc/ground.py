"""The hex map of Joan of Arc as the areas of a map zone: outlines, places of tokens and markers, and words.

One unit of length is the side of a hex; the middle of hex 0,0 is the origin, y grows downwards (docs/scene.md 3).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import atan2, cos, dist, pi, sin, sqrt
from typing import Any, Final

from domain.joan_of_arc.board.board import Area, Level
from domain.joan_of_arc.board.hexes import STEPS, AreaId, Hex
from domain.joan_of_arc.board.table import furnishing, used
from domain.joan_of_arc.board.terrain import BuildingType, Element
from domain.joan_of_arc.state.queries import border_of, card_of, setting_of, table_of
from projections.games.joan_of_arc.terms import EDGES, area_terms
from projections.games.joan_of_arc.texts import ORDERS
from projections.games.joan_of_arc.words import View, area_name, edge_name, plain_name, side_name
from projections.words import count, join, sentence

Point = tuple[float, float]
ROOM: Final = {1: [1.42, 1.02], 2: [0.95, 0.75], 3: [0.66, 0.6]}
"""The width and height for packing tokens, by the number of areas of a hex."""
COLOURS: Final = {"blue_sky": "sky"}
"""Terrain that has another name among the client's colours."""
HOUSES: Final[dict[BuildingType, str]] = {
    "small_house": "family-house",
    "big_house": "family-house",
    "church": "church",
    "small_cottage": "wood-cabin",
    "big_cottage": "wood-cabin",
    "shop": "anvil",
    "watermill": "river",
    "inn": "beer-stein",
    "keep": "white-tower",
    "ramparts": "castle",
    "gatehouse": "castle",
    "isolated_tower": "white-tower",
}
"""The picture of each building."""
SIGNS: Final[dict[Element, str]] = {
    "tree": "pine-tree",
    "bush": "high-grass",
    "rocky_outcrop": "peaks",
    "ruins": "tombstone",
    "shrine": "prayer",
    "well": "well",
}
"""The picture of each terrain element."""
MARKED: Final = 0.66
"""The position of markers between the middle of an area and its upper corner."""
CLEAR: Final = 0.28
"""The distance of pictures from a name."""
FAR: Final = (99.0, 99.0)
RIM: Final = 0.7
"""The position of pictures between the middle of an area and its corners."""
TAG_BELOW: Final = 0.06
"""The distance of an area's name below the room for units."""
TAG_ROOM: Final = 0.12
"""The room that a name needs about its middle."""
HOUSE: Final[tuple[Point, ...]] = ((-0.24, 0.2), (-0.24, -0.06), (0.0, -0.26), (0.24, -0.06), (0.24, 0.2))
RUBBLE: Final[tuple[Point, ...]] = ((-0.26, 0.2), (-0.2, 0.02), (-0.06, 0.08), (0.04, -0.06), (0.2, 0.04), (0.26, 0.2))
"""The outline of the rest of a hex."""
RAISED: Final = 0.22
"""The distance of a building above the middle of its area, and of units below it."""
PAD: Final = 0.1


def middle(at: Hex) -> Point:
    """The middle of a hex."""
    q, r = at
    return sqrt(3) * (q + r / 2), 1.5 * r


def corners(at: Hex, edge: int) -> tuple[Point, Point]:
    """The two ends of an edge, in order round the hex."""
    x, y = middle(at)
    dx, dy = middle(STEPS[edge])
    angle = atan2(dy, dx)
    first, last = ((round(x + cos(turn), 3), round(y + sin(turn), 3)) for turn in (angle - pi / 6, angle + pi / 6))
    return first, last


def polygon(area: Area) -> list[Point]:
    """The outline of an area: its own edges, and the middle of the hex if the area is only a part of it."""
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


def ground_geom(view: View, level: Level, named: Collection[str] = ()) -> dict[str, Any]:
    """The map of the ground with its interiors, or of the sky. `named`: edges that a question asks about, as
    `border_name` writes them.
    """
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
    geom: dict[str, Any] = {"type": "map", "box": box, "unit": 0.37, "areas": areas}
    return geom | ({"edges": _edges(view, named)} if level == "ground" else {"over": "map"})


def _edges(view: View, named: Collection[str]) -> dict[str, Any]:
    """The edges that carry something, and the edges that are asked about."""
    found = {}
    for name in dict.fromkeys((*view.field.edges, *named)):
        at, number = border_of(name)
        edge = view.field.edges.get(name)
        label = sentence(edge_name(name)).removesuffix(".")
        told: dict[str, Any] = {"line": list(corners(at, number)), "label": label, "terms": ["stakes"]}
        if edge is not None:
            whose = f" of {side_name(edge.side)}" if edge.side else ""
            told |= {"kind": str(edge.feature), "terms": [EDGES[edge.feature]]}
            told["label"] = sentence(f"{edge.feature}{whose} on {edge_name(name)}").removesuffix(".")
            told |= _owner(view, edge.side)
        found[edge_key(name)] = told
    return found


def _owner(view: View, side: str | None) -> dict[str, int]:
    seat = next((seat for seat, each in enumerate(setting_of(view).sides) if each == side), None)
    return {} if side is None or seat is None else {"owner": seat}


def _area(view: View, area: Area, shared: int) -> dict[str, Any]:
    points = polygon(area)
    x, y = _centre(points)
    lying = furnishing(table_of(view), area.id)
    at = max(points, key=lambda point: (abs(point[0] - x), -point[1]))
    terrain, tag = str(area.terrain), _tag(area, points, shared)
    return {
        "poly": points,
        "c": [round(x, 3), round(y + RAISED * (lying.building is not None), 3)],
        "room": ROOM[shared],
        "at": [round(x + (at[0] - x) * MARKED, 3), round(y + (at[1] - y) * MARKED, 3)],
        "terrain": COLOURS.get(terrain, terrain),
        **tag,
        **_signs(lying.elements, points, at, tag.get("tagAt", FAR)),
        **words_of(view, area),
    }


def _tag(area: Area, points: list[Point], shared: int) -> dict[str, Any]:
    """The coordinates of an area in small letters beside its units; its letter if the hex has several areas."""
    x, y = _centre(points)
    wide, high = ROOM[shared][0] / 2, ROOM[shared][1] / 2 + TAG_BELOW
    places = [
        (x, y + high),
        (x, y - high),
        (x - wide / 2, y + high),
        (x + wide / 2, y + high),
        (x - wide, y),
        (x + wide, y),
    ]
    place = next((at for at in places if all(holds(points, near) for near in _around(at))), None)
    if place is None:
        return {}
    q, r = area.hex
    return {"tag": f"{q},{r}{f' {area.letter}' if shared > 1 else ''}", "tagAt": [round(each, 3) for each in place]}


def _around(at: Point) -> list[Point]:
    x, y = at
    return [(x + dx, y + dy) for dx in (-TAG_ROOM, TAG_ROOM) for dy in (-TAG_ROOM, TAG_ROOM)]


def holds(points: list[Point], point: Point) -> bool:
    """Whether a convex outline has a point inside."""
    px, py = point
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    turns = [(bx - ax) * (py - ay) - (by - ay) * (px - ax) for (ax, ay), (bx, by) in pairs]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


def _signs(elements: tuple[Element, ...], points: list[Point], taken: Point, tag: Sequence[float]) -> dict[str, Any]:
    """Terrain elements, each near a corner of the area, the lowest first, but never over markers or the name."""
    x, y = _centre(points)
    free = sorted((point for point in points if point != taken), key=lambda point: (-point[1], point[0]))
    near = [[round(x + (cx - x) * RIM, 3), round(y + (cy - y) * RIM, 3)] for cx, cy in free]
    places = sorted(near, key=lambda at: dist(at, tag) < CLEAR)
    found = [{"g": SIGNS[name], "at": at} for name, at in zip(elements, places, strict=False)]
    return {"signs": found} if found else {}


def _interior(view: View, id_: AreaId, around: dict[str, Any]) -> dict[str, Any]:
    area = table_of(view).board.areas[id_]
    x, y = around["c"][0], around["c"][1] - 2 * RAISED
    ruined = area.around is not None and furnishing(table_of(view), area.around).rubble
    picture = {} if ruined or area.building is None else {"glyph": HOUSES[area.building], "gs": 0.3}
    return {
        "poly": [(round(x + dx, 3), round(y + dy, 3)) for dx, dy in (RUBBLE if ruined else HOUSE)],
        "c": [round(x, 3), round(y, 3)],
        "room": [0.44, 0.36],
        "at": [round(x + 0.2, 3), round(y, 3)],
        "terrain": "rubble" if ruined else "interior",
        "upright": True,
        **picture,
        **words_of(view, area),
    }


def words_of(view: View, area: Area) -> dict[str, Any]:
    """The words for an area: its name and everything in it, on the screen and for screen readers."""
    name = sentence(area_name(view, area.id)).removesuffix(".")
    lying = lying_words(view, area.id)
    room = f"{used(table_of(view), area.id)} of {area.capacity} spaces in use"
    told = [*lying, *(["impassable"] if area.impassable else [])]
    here = [ORDERS[order] for order in view.placed.get(area.id, ())] + standing_words(view, area.id)
    return {"label": name, "sub": join(told), "aria": "; ".join([name, room, *told, *here]), "tip": [room, *here]} | {
        "terms": area_terms(view, area)
    }


def standing_words(view: View, id_: AreaId) -> list[str]:
    """The units in an area, those of one name and side together: "2 English Bowmen of the English"."""
    units = [unit for unit in view.field.units.values() if unit.spot == "board" and unit.area == id_]
    sides = setting_of(view).sides
    alike = Counter((card_of(view, unit).name, unit.owner) for unit in units)
    told = []
    for (printed, owner), number in alike.items():
        name = plain_name(printed)
        said = owner is None or printed.lower().startswith(sides[owner])
        whose = "" if said else f" of {side_name(sides[owner])}"  # type: ignore[index]  # an owner of None counts as said
        told.append(f"{name if number == 1 else f'{number} {name}'}{whose}")
    return told


def edge_key(name: str) -> str:
    """An edge as a place of the map; the id of a ground area begins with its hex."""
    return f"edge:{name}"


def lying_words(view: View, id_: AreaId) -> list[str]:
    """The things in an area other than units."""
    found = furnishing(table_of(view), id_)
    told = [element.replace("_", " ") for element in found.elements]
    if found.building and "/" not in id_:
        damage = f" with {count(found.damage, 'damage', 'damage')}" if found.damage else ""
        told.append("rubble" if found.rubble else f"{found.building.replace('_', ' ')}{damage}")
    told += [f"barricade of {side_name(found.barricade)}"] if found.barricade else []
    return [*told, "fire"] if found.fire else told
