"""A map drawn in plain text. Rows of bricks are shifted by half a brick; therefore bricks touch as hexes do."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.board import PLACES, TILES
from domain.joan_of_arc.board.hexes import Hex
from domain.joan_of_arc.board.maps import AreaPlan, HexPlan, Map
from domain.joan_of_arc.board.terrain import AREA_CAPACITY, BUILDINGS

WIDTH: Final = 28
"""Columns from one brick to the next; even, as rows are shifted by half of it."""
HEIGHT: Final = 8
"""Lines from one row to the next."""
NAMES: Final = ("E", "NE", "NW", "W", "SW", "SE")
"""The edges in words."""
LINES_OF_THINGS: Final = {1: 5, 2: 2, 3: 1}
"""Lines for the contents of an area, by the number of areas of its hex."""
MARKS: Final = {"stakes": "^", "wall": "#"}

Canvas = dict[tuple[int, int], str]


def drawn(plan: Map) -> str:
    """The map with its terrain, elements, buildings, stakes and walls, and the sky where it is planned."""
    canvas: Canvas = {}
    for each in plan.hexes:
        _brick(canvas, (each.q, each.r), list(_lines(each)))
    for found in plan.edge_features:
        for spot in _edge((found.q, found.r), found.edge):
            canvas[spot] = MARKS[found.feature]
    parts = [_text(canvas), "Each area: its letter, terrain, spaces and edges; (2): the room inside a building."]
    if plan.edge_features:
        parts.append("^ stakes   # wall")
    if plan.sky is not None:
        parts.append("The sky:\n" + _sky(plan) if plan.sky.mode == "plan" else "The sky is drawn by chance.")
    return "\n\n".join(parts)


def _corner(at: Hex) -> tuple[int, int]:
    """Column and line of a brick's upper left corner."""
    return (2 * at[0] + at[1]) * WIDTH // 2, at[1] * HEIGHT


def _brick(canvas: Canvas, at: Hex, lines: list[str]) -> None:
    left, top = _corner(at)
    for x in range(left, left + WIDTH + 1):
        canvas[x, top] = canvas[x, top + HEIGHT] = "-"
    for y in range(top, top + HEIGHT + 1):
        end = "+" if y in {top, top + HEIGHT} else "|"
        canvas[left, y] = canvas[left + WIDTH, y] = end
    for number, line in enumerate(lines[: HEIGHT - 1], 1):
        for column, letter in enumerate(line[: WIDTH - 3], left + 2):
            canvas[column, top + number] = letter


def _edge(at: Hex, edge: int) -> Iterator[tuple[int, int]]:
    """The place where a brick shows an edge: its sides, and the halves of its top and bottom."""
    left, top = _corner(at)
    if edge in {0, 3}:
        column = left + WIDTH if edge == 0 else left
        yield from ((column, y) for y in range(top + 1, top + HEIGHT))
        return
    start = left if edge in {2, 4} else left + WIDTH // 2
    line = top if edge in {1, 2} else top + HEIGHT
    yield from ((x, line) for x in range(start + 1, start + WIDTH // 2))


def _lines(plan: HexPlan) -> Iterator[str]:
    yield f"{plan.q},{plan.r}"
    room = AREA_CAPACITY[len(plan.areas)]
    for area in plan.areas:
        edges = "" if len(plan.areas) == 1 else " " + " ".join(NAMES[edge] for edge in area.edges)
        yield f"{area.id} {area.terrain} {room}{edges}"
        yield from _filled(list(_within(area)), LINES_OF_THINGS[len(plan.areas)])


def _within(area: AreaPlan) -> Iterator[str]:
    """The contents of an area, in words; a building with the room inside."""
    if area.impassable:
        yield "impassable"
    if area.building is not None:
        yield f"{area.building.replace('_', ' ')} ({BUILDINGS[area.building].capacity})"
    for name, number in area.elements.items():
        yield name.replace("_", " ") + (f" x{number}" if number > 1 else "")


def _filled(things: list[str], most: int) -> list[str]:
    """At most this many lines of words with commas; a list that is too long ends in dots."""
    lines = [""]
    for thing in things:
        longer = f"{lines[-1]}, {thing}" if lines[-1] else thing
        if len(longer) > WIDTH - 6 and lines[-1]:
            lines[-1] += ","
            lines.append(thing)
        else:
            lines[-1] = longer
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + ".."]
    return [f"  {line}" for line in lines] + [""] * (most - len(lines))


def _sky(plan: Map) -> str:
    canvas: Canvas = {}
    tiles = plan.sky.tiles if plan.sky is not None else ()
    for place, name in zip(PLACES, tiles, strict=False):
        areas = TILES[name].areas
        lines = [f"sky:{place[0]},{place[1]} ({name})"]
        for letter, edges, terrain in areas:
            told = "" if len(areas) == 1 else " " + " ".join(NAMES[edge] for edge in edges)
            lines += [f"{letter} {terrain.replace('_', ' ')} {AREA_CAPACITY[len(areas)]}{told}", ""]
        _brick(canvas, place, lines)
    return _text(canvas)


def _text(canvas: Canvas) -> str:
    columns, lines = [x for x, _ in canvas], [y for _, y in canvas]
    if not canvas:
        return ""
    width = range(min(columns), max(columns) + 1)
    rows = ("".join(canvas.get((x, y), " ") for x in width).rstrip() for y in range(min(lines), max(lines) + 1))
    return "\n".join(rows)
