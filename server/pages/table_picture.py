"""A picture of the table at a moment, drawn from its Scene without a browser: SVG, and PNG if possible."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from projections.face import Scene
from server.pages.table_geometry import Arrangement, MapPlace, Rect, arranged

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size of pictures beside links (OpenGraph)."""
HEAD: Final = 84
FOOT: Final = 56
EDGE: Final = 24
SEATS: Final = ("#1e5c97", "#b8402a", "#1b7658", "#7a4a8a")
NOBODY: Final = "#7b6c53"
INK: Final = "#2a2018"
TERRAIN: Final = {
    "field": "#e7cf8c",
    "forest": "#b4c193",
    "village": "#dcc0a0",
    "hill": "#d2bd8e",
    "rocks": "#c8bca6",
    "swamp": "#b3bfa2",
    "water": "#abc4cc",
    "interior": "#f3e7cd",
}
GLYPH: Final = 512
"""The size of a glyph's own square."""
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""
ROUND: Final = frozenset({"disc", "coin"})
LETTER: Final = 0.56
"""The approximate width of a letter as a share of its height."""
PAINT: Final = (
    "import sys, resvg_py; sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode()))"
)
PATIENCE_S: Final = 30
FONT: Final = "DejaVu Sans, Noto Sans, Segoe UI, Helvetica, Arial, sans-serif"


def svg(scene: Scene, event: str) -> str:
    """The table of a Scene as an SVG document; `event`: the last event."""
    places = arranged(scene)
    w, h = places.size
    k = min((WIDTH - 2 * EDGE) / w, (HEIGHT - HEAD - FOOT) / h)
    move = f"translate({_n((WIDTH - w * k) / 2)} {_n(HEAD + (HEIGHT - HEAD - FOOT - h * k) / 2)}) scale({k:.4f})"
    board = "".join((*_zones(scene, places), *_maps(scene, places), *_pieces(scene, places)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="{FONT}">{_symbols(scene["game"], board)}'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ddceac"/>{_head(scene)}'
        f'<g transform="{move}">{board}</g>{_text(event, EDGE, HEIGHT - 20, 24, WIDTH - 2 * EDGE)}</svg>\n'
    )


@cache
def can_paint() -> bool:
    """Whether this installation makes PNG: it does with the extra `pictures`."""
    return find_spec("resvg_py") is not None


@lru_cache(maxsize=64)
def png(drawing: str) -> bytes:
    """An SVG document as PNG; needs the extra `pictures`. Raises `subprocess.SubprocessError` if it fails.

    A separate process paints: the library blocks all threads of its process meanwhile, for some 0.3 s.
    """
    done = subprocess.run(  # noqa: S603 - our own program, with the drawing as its input
        [sys.executable, "-c", PAINT], input=drawing.encode(), capture_output=True, timeout=PATIENCE_S, check=True
    )
    return done.stdout


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _plain(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def _text(text: str, x: float, y: float, size: float, room: float, *, anchor: str = "start", fill: str = INK) -> str:
    """One line of text, cut if it does not fit."""
    most = max(1, int(room / (size * LETTER)))
    shown = text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{fill}"{at}>{_plain(shown)}</text>'


def _seat(seat: int | None) -> str:
    return SEATS[seat] if seat is not None and 0 <= seat < len(SEATS) else NOBODY


def _head(scene: Scene) -> str:
    plates = list(scene["seats"].items())
    room = (WIDTH - 2 * EDGE) / max(1, len(plates))
    parts = []
    for i, (seat, plate) in enumerate(plates):
        x = EDGE + i * room
        numbers = "   ".join(_number(one) for one in plate["counters"].values())
        parts.append(f'<rect x="{_n(x)}" y="12" width="8" height="54" fill="{_seat(int(seat))}"/>')
        parts.append(_text(plate["name"], x + 18, 38, 26, room - 30))
        parts.append(_text(numbers, x + 18, 62, 17, room - 30, fill="#574735"))
    return "".join(parts)


def _number(counter: dict[str, Any]) -> str:
    most = "" if counter.get("max") is None else f"/{counter['max']}"
    return f"{counter['label']} {counter['v']}{most}"


def _zones(scene: Scene, places: Arrangement) -> Iterator[str]:
    for name, box in places.zones.items():
        zone = scene["zones"][name]
        if zone.get("style", "none") in ("field", "battle", "ward", "inlay"):
            yield _box(box, "#ebdfc4", "#b59d6e", 0.12)
        geom, label = zone["geom"], zone.get("label") or ""
        if label and zone.get("style") != "bare":
            yield _text(label, box.x + 0.4, box.y - 0.3, 1.5, box.w, fill="#66543d")
        if geom["type"] == "pile" and geom.get("count"):
            card = box.containing(geom.get("aspect") or 0.72)
            yield _box(card, _seat((geom.get("back") or {}).get("seat")), INK, 0.1)
            yield _text(
                str(geom["count"]), card.x + card.w / 2, card.y + card.h / 2 + 0.8, 2.2, card.w, anchor="middle"
            )
        elif geom["type"] == "tray" and geom.get("roll"):
            yield from _roll(geom["roll"], box)


def _roll(roll: dict[str, Any], box: Rect) -> Iterator[str]:
    yield _text(roll["title"], box.x + 0.5, box.y + 1.8, 1.5, box.w)
    dice = [die for group in roll["groups"] for die in group["dice"]]
    size = min(box.h - 2.4, (box.w - 1) / max(1, len(dice)), 3.2)
    for i, die in enumerate(dice):
        cell = Rect(box.x + 0.5 + i * size, box.y + 2.3, size * 0.88, size * 0.88)
        yield _box(cell, "#fbf6e8", "#b8402a" if die.get("st") == "hit" else INK, 0.15)
        face = die.get("f", "")
        if isinstance(face, int) or str(face).isdecimal():
            yield _text(str(face), cell.x + cell.w / 2, cell.y + cell.h * 0.74, cell.h * 0.7, cell.w, anchor="middle")
        elif face or die.get("g"):
            yield _glyph(str(face or die["g"]), cell.padded(cell.w * 0.15), INK)


def _maps(scene: Scene, places: Arrangement) -> Iterator[str]:
    for name, place in places.maps.items():
        geom = scene["zones"][name]["geom"]
        for area in geom.get("areas", {}).values():
            yield from _area(area, place)
        for edge in geom.get("edges", {}).values():
            (ax, ay), (bx, by) = (place.at(point) for point in edge["line"])
            line = f'x1="{_n(ax)}" y1="{_n(ay)}" x2="{_n(bx)}" y2="{_n(by)}"'
            yield f'<line {line} stroke="{_seat(edge.get("owner"))}" stroke-width="0.6"/>'


def _area(area: dict[str, Any], place: MapPlace) -> Iterator[str]:
    points = " ".join(",".join(map(_n, place.at(point))) for point in area.get("poly") or area.get("outer") or ())
    if points:
        fill = TERRAIN.get(area.get("terrain") or "", "#e6d9b4")
        yield f'<polygon points="{points}" fill="{fill}" stroke="#927a4c" stroke-width="0.15"/>'


def _pieces(scene: Scene, places: Arrangement) -> Iterator[str]:
    for name, box in places.pieces.items():
        piece = scene["pieces"][name]
        if piece["shape"] in ("card", "tile"):
            yield from _card(piece, box)
        else:
            yield from _token(piece, box)


def _card(piece: dict[str, Any], box: Rect) -> Iterator[str]:
    back = piece.get("back") or {}
    owner = piece.get("owner", back.get("seat"))
    least = min(box.w, box.h)
    if piece.get("face", "up") == "down":
        yield _box(box, _seat(owner), INK, 0.12)
        middle = Rect(box.x + box.w / 2 - least * 0.25, box.y + box.h / 2 - least * 0.25, least / 2, least / 2)
        yield _glyph(back.get("g") or "crown", middle, "#fff8e6")
        return
    dim = ' opacity="0.55"' if {"used", "dead", "dim", "ghost"} & set(piece.get("state", ())) else ""
    yield f"<g{dim}>{_box(box, '#fdf9ef', _seat(owner), 0.3)}"
    side = min(least * 0.5, box.w * 0.34)
    sign = Rect(box.x + least * 0.08, box.y + box.h / 2 - side / 2, side, side)
    if piece.get("glyph"):
        yield _glyph(piece["glyph"], sign, _seat(owner))
    size = min(1.7, box.h * 0.2)
    x, room = sign.x + side + size * 0.3, box.w - side - least * 0.1 - size * 0.4
    title = piece.get("short") or piece.get("title") or ""
    yield _text(title, x, box.y + box.h * 0.42, size, room)
    bar = piece.get("bar")
    if bar:
        yield _text(f"{bar['v']}/{bar['max']}", x, box.y + box.h * 0.75, size, room, fill="#8c2415")
    yield "</g>"


def _token(piece: dict[str, Any], box: Rect) -> Iterator[str]:
    fill = _seat(piece.get("owner"))
    if piece["shape"] in ROUND:
        r = min(box.w, box.h) / 2
        at = f'cx="{_n(box.x + box.w / 2)}" cy="{_n(box.y + box.h / 2)}" r="{_n(r)}"'
        yield f'<circle {at} fill="{fill}" stroke="#fff8e6" stroke-width="0.12"/>'
    else:
        yield _box(box, fill, "#fff8e6", 0.12)
    if piece.get("glyph"):
        yield _glyph(piece["glyph"], box.padded(min(box.w, box.h) * 0.2), "#fff8e6")


def _box(box: Rect, fill: str, stroke: str, width: float) -> str:
    at = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.w)}" height="{_n(box.h)}" rx="0.5"'
    return f'<rect {at} fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'


def _glyph(name: str, box: Rect, fill: str) -> str:
    k = min(box.w, box.h) / GLYPH
    return (
        f'<use href="#g-{_plain(name)}" transform="translate({_n(box.x)} {_n(box.y)}) scale({k:.5f})" fill="{fill}"/>'
    )


@cache
def _sheet(name: str) -> dict[str, Any]:
    """The glyphs of a sheet; none if there is no such sheet."""
    path = files("server").joinpath("web", "glyphs", f"{name}.json")
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def _symbols(game: str, board: str) -> str:
    """The glyphs that a drawing uses."""
    sheets = _sheet("core") | (_sheet(game) if game.isidentifier() else {})
    used = sorted({name for name in re.findall(r'href="#g-([^"]+)"', board) if name in sheets})
    parts = []
    for name in used:
        paths = sheets[name] if isinstance(sheets[name], list) else [sheets[name]]
        parts.append(f'<g id="g-{name}">{"".join(f"<path d={json.dumps(path)}/>" for path in paths)}</g>')
    return f"<defs>{''.join(parts)}</defs>"
