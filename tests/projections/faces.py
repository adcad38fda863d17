"""Shared by `test_faces` and other tests: terms_in, unnamed."""

from collections.abc import Iterator
from typing import Any


def unnamed(scene: dict[str, Any]) -> Iterator[str]:
    """What a Scene shows without a term for it: pieces, zones that are named, numbers and signs of plates."""
    for ref, piece in scene["pieces"].items():
        if not piece.get("terms"):
            yield f"piece {ref}"
    for name, zone in scene["zones"].items():
        if zone["geom"]["type"] != "free" and not zone.get("terms"):
            yield f"zone {name}"
    for seat, plate in scene["seats"].items():
        yield from (f"{seat}/{name}" for name, c in (plate["counters"] | plate["marks"]).items() if not c.get("term"))


def terms_in(value: object) -> Iterator[str]:
    """The terms anywhere in a Scene."""
    if isinstance(value, dict):
        yield from value.get("terms", ())
        yield from (value["term"] for _ in range("term" in value))
        for inner in value.values():
            yield from terms_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from terms_in(inner)
