"""Zones: the places of a Scene's pieces (docs/scene.md 3)."""

from typing import Any, Final

from domain.kernel import Seat, State
from projections.scene import roll_of

Geom = dict[str, Any]
Zone = dict[str, Any]
Colours = dict[str, tuple[str, str, str]]
"""Tone, glyph and label by the kind of a die."""

BACK: Final = "wax-seal"
"""The glyph on the back of cards."""


def zone(geom: Geom, label: str | None = None, aria: str = "", **more: Any) -> Zone:
    """A zone of a shape; `aria` is its name for screen readers, if `label` does not give it."""
    said = ({} if label is None else {"label": label}) | ({"aria": aria} if aria else {})
    return {**said, **more, "geom": geom}


def field(style: str = "field") -> Zone:
    """The ground on which other zones lie."""
    return {"geom": {"type": "free"}, "style": style}


def grid(cols: int, rows: int, **more: Any) -> Geom:
    """Slots called `column,row`, counted from 0 at the top left."""
    return {"type": "grid", "cols": cols, "rows": rows, **more}


def row(**more: Any) -> Geom:
    """Pieces side by side, in the order of their slots 0, 1, 2."""
    return {"type": "row", **more}


def column(**more: Any) -> Geom:
    """Pieces one below the other, in the order of their slots 0, 1, 2."""
    return {"type": "col", **more}


def pile(count: int, seat: Seat, glyph: str = BACK, *, is_open: bool = False, **more: Any) -> Geom:
    """A deck, or an open pile whose top card is a piece of its own."""
    opened = {"open": True} if is_open else {}
    return {"type": "pile", "count": count, "back": {"seat": seat, "g": glyph}, **opened, **more}


def tray(view: State, colours: Colours, whose: str = "") -> Zone:
    """The last public roll: its dice, which of them succeed, and the reasons for their number."""
    return zone({"type": "tray", **roll_of(view, colours, whose)}, "", "Last roll", style="inlay", terms=["dice"])


def layout(width: float, height: float, at: dict[str, list[float]]) -> dict[str, Any]:
    """The places of the zones on a table of this size: left, top, width and height of each."""
    return {"size": [width, height], "at": at}
