"""The places of a Scene's zones and pieces, in board units, for pictures that no browser draws (docs/scene.md 3).

It follows `server/web/js/geom.js` and `mapgeom.js` as far as a still picture needs it: the wide layout, no camera.
"""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, Final

from msgspec import Struct

from projections.face import Scene

CARD: Final = 0.72
DOCK: Final = {
    "tl": (0.0, 0.0),
    "t": (0.5, 0.0),
    "tr": (1.0, 0.0),
    "l": (0.0, 0.5),
    "c": (0.5, 0.5),
    "r": (1.0, 0.5),
    "bl": (0.0, 1.0),
    "b": (0.5, 1.0),
    "br": (1.0, 1.0),
}
SHRINK: Final = 0.93
MOST_TRIES: Final = 40
Geom = dict[str, Any]
Pieces = list[tuple[str, dict[str, Any]]]


class Rect(Struct, frozen=True):
    """A rectangle in board units."""

    x: float
    y: float
    w: float
    h: float

    def padded(self, pad: float) -> "Rect":
        """The rectangle inside a margin."""
        return Rect(self.x + pad, self.y + pad, max(0.0, self.w - 2 * pad), max(0.0, self.h - 2 * pad))

    def containing(self, aspect: float | None) -> "Rect":
        """The largest rectangle of an aspect in the middle of this one."""
        if not aspect:
            return self
        w, h = (self.h * aspect, self.h) if self.w / aspect > self.h else (self.w, self.w / aspect)
        return Rect(self.x + (self.w - w) / 2, self.y + (self.h - h) / 2, w, h)


class MapPlace(Struct, frozen=True):
    """The place of a map: `x`, `y` of the map's origin and `k` board units for each of its own; `turn`: a
    quarter turn.
    """

    x: float
    y: float
    k: float
    turn: bool

    def at(self, point: Sequence[float]) -> tuple[float, float]:
        """A point of the map in board units."""
        x, y = (point[1], -point[0]) if self.turn else (point[0], point[1])
        return self.x + x * self.k, self.y + y * self.k


class Arrangement(Struct, frozen=True):
    """`size` of the board; the rectangles of zones and pieces, the latter in the order of drawing."""

    size: tuple[float, float]
    zones: dict[str, Rect]
    pieces: dict[str, Rect]
    maps: dict[str, MapPlace]


def arranged(scene: Scene) -> Arrangement:
    """The places of everything in a Scene in its wide layout, or in its only one."""
    layouts = scene["layouts"]
    layout = layouts.get("wide") or next(iter(layouts.values()))
    zones, maps = {}, {}
    found: dict[str, Rect] = {}
    for name, zone in scene["zones"].items():
        if name not in layout["at"]:
            continue
        x, y, w, h, *turn = layout["at"][name]
        zones[name] = Rect(x, y, w, h)
        mine = [one for one in scene["pieces"].items() if one[1].get("zone") == name and not one[1].get("on")]
        inner = zones[name].padded(zone["geom"].get("pad") or 0)
        if zone["geom"]["type"] == "map":
            maps[name] = _map_place(zone["geom"], inner, turn=bool(turn and turn[0]))
            found.update(_on_map(zone["geom"], maps[name], mine))
        else:
            found.update(_in_zone(zone["geom"], inner, mine))
    _dock(scene["pieces"], found)
    return Arrangement((layout["size"][0], layout["size"][1]), zones, found, maps)


def _in_zone(geom: Geom, inner: Rect, mine: Pieces) -> Iterator[tuple[str, Rect]]:
    kind = geom["type"]
    if kind == "grid":
        for name, piece in mine:
            column, row = (int(part) for part in str(piece["slot"]).split(","))
            yield name, _cell(geom, inner, column, row, *piece.get("span", ()))
    elif kind in ("row", "col", "fan"):
        mine = sorted(mine, key=lambda one: (float(one[1].get("slot") or 0), one[0]))
        boxes = _line(geom, inner, len(mine), is_vertical=kind == "col")
        yield from ((name, box) for (name, _), box in zip(mine, boxes, strict=True))
    elif kind == "pile":
        yield from ((name, inner.containing(geom.get("aspect") or CARD)) for name, _ in mine)


def _cell(geom: Geom, inner: Rect, column: int, row: int, across: int = 1, down: int = 1) -> Rect:
    gx, gy = geom.get("gap") or (0.8, 0.8)
    w = (inner.w - gx * (geom["cols"] - 1)) / geom["cols"]
    h = (inner.h - gy * (geom["rows"] - 1)) / geom["rows"]
    box = Rect(
        inner.x + column * (w + gx),
        inner.y + row * (h + gy),
        w * across + gx * (across - 1),
        h * down + gy * (down - 1),
    )
    aspect = geom.get("aspect")
    return box.containing(aspect and aspect * across / down)


def _line(geom: Geom, inner: Rect, n: int, *, is_vertical: bool) -> list[Rect]:
    """Equal boxes in a row or a column, which overlap if they do not fit."""
    aspect, gap = geom.get("aspect") or CARD, geom.get("gap", 0.6)
    long, cross = (inner.h, inner.w) if is_vertical else (inner.w, inner.h)
    size = min(cross / aspect if is_vertical else cross * aspect, geom.get("max") or inf)
    depth = size * aspect if is_vertical else size / aspect
    overlaps = n > 1 and n * size + (n - 1) * gap > long
    step = (long - size) / (n - 1) if overlaps else size + gap
    free = long - size - step * (n - 1)
    start = {"start": 0.0, "end": free}.get(geom.get("align", ""), free / 2)
    off = (cross - depth) / 2
    if is_vertical:
        return [Rect(inner.x + off, inner.y + start + i * step, depth, size) for i in range(n)]
    return [Rect(inner.x + start + i * step, inner.y + off, size, depth) for i in range(n)]


def _map_place(geom: Geom, inner: Rect, *, turn: bool) -> MapPlace:
    x0, y0, x1, y1 = geom.get("box") or (0, 0, 1, 1)
    left, top, w, h = (y0, -x1, y1 - y0, x1 - x0) if turn else (x0, y0, x1 - x0, y1 - y0)
    k = min(inner.w / w, inner.h / h)
    x, y = inner.x + (inner.w - w * k) / 2, inner.y + (inner.h - h * k) / 2
    return MapPlace(x - left * k, y - top * k, k, turn)


def _on_map(geom: Geom, place: MapPlace, mine: Pieces) -> Iterator[tuple[str, Rect]]:
    unit = (geom.get("unit") or 0.5) * place.k
    for name, area in (*geom.get("areas", {}).items(), *geom.get("edges", {}).items()):
        there = sorted(one for one in mine if one[1].get("slot") == name)
        if not there:
            continue
        c = area["c"] if "c" in area else [sum(point[i] for point in area["line"]) / 2 for i in (0, 1)]
        w, h = area.get("room") or (1, 1)
        yield from _packed(there, place.at(c), (w * place.k, h * place.k), unit)


def _packed(
    pieces: Pieces, c: tuple[float, float], room: tuple[float, float], unit: float
) -> Iterator[tuple[str, Rect]]:
    """Place tokens in rows about a point; all shrink until the rows fit the room."""
    size, n = unit, len(pieces)
    for _ in range(MOST_TRIES):
        across = max(1, int(room[0] / size))
        if -(-n // across) * size <= room[1]:
            break
        size *= SHRINK
    rows = -(-n // across)
    across = -(-n // rows)
    for i, (name, _) in enumerate(pieces):
        row, column = divmod(i, across)
        here = min(across, n - row * across)
        yield name, Rect(c[0] + (column - here / 2) * size, c[1] + (row - rows / 2) * size, size * 0.94, size * 0.94)


def _dock(pieces: dict[str, dict[str, Any]], found: dict[str, Rect]) -> None:
    """Place the pieces attached to others, then the pieces attached to those."""
    load: dict[tuple[str, str], int] = {}
    waiting = {name: piece for name, piece in pieces.items() if piece.get("on")}
    while ready := [name for name, piece in waiting.items() if piece["on"] in found]:
        for name in ready:
            piece = waiting.pop(name)
            corner = piece.get("dock") or "br"
            k = load[piece["on"], corner] = load.get((piece["on"], corner), -1) + 1
            found[name] = _docked(piece, found[piece["on"]], corner, k)


def _docked(piece: dict[str, Any], host: Rect, corner: str, k: int) -> Rect:
    fx, fy = DOCK[corner]
    h = min(host.h, host.w * 1.1) * (piece.get("dockSize") or 0.46)
    w = h * (CARD if piece["shape"] == "card" else 1)
    hang = piece.get("hang", 0.12)
    shift = (-1 if fx > 0.5 else 1) * k * w * 0.85
    x = host.x + (host.w - w) * fx + (fx - 0.5) * 2 * hang * w + shift
    return Rect(x, host.y + (host.h - h) * fy + (fy - 0.5) * 2 * hang * h, w, h)
