"""Pieces: cards and tiles, and the smaller pieces on them (docs/scene.md 4)."""

from typing import Any

from domain.kernel import Seat
from projections.blocks.zones import BACK

Piece = dict[str, Any]


def card(kind: str, zone: str, slot: str | int | None, owner: Seat | None = None, **more: Any) -> Piece:
    """A card in a zone: `slot` is its place there; `more` its face, title and label."""
    return {
        "shape": "card",
        "kind": kind,
        "zone": zone,
        **({} if slot is None else {"slot": slot}),
        **({} if owner is None else {"owner": owner}),
        **more,
    }


def docked(kind: str, on: str, dock: str, size: float, hang: float, owner: Seat, **more: Any) -> Piece:
    """A small piece that hangs on another: `dock` is the corner, `size` its share of the other's height."""
    at = {"on": on, "dock": dock, "dockSize": size, "hang": hang}
    return {"shape": more.pop("shape", "card"), "kind": kind, **at, "owner": owner, **more}


def down(title: str, label: str, seat: Seat | None = None) -> Piece:
    """The face of a card that shows only its back."""
    back = {} if seat is None else {"back": {"seat": seat, "g": BACK}}
    return {"face": "down", **back, "backTitle": title, "label": label}


def state(*words: str) -> Piece:
    """The present state of a piece, such as `hot` or `used`; empty if no word is given."""
    told = [word for word in words if word]
    return {"state": told} if told else {}
