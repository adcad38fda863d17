"""Answers to a prompt (docs/scene.md 4): those that fit its field, without knowing a game.

A field is plain JSON, as in `fields` of a Scene's prompt; the server refuses a wrong answer with a reason, so `fault`
only saves the round trip.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

Field = dict[str, Any]
Answer = str | list[str] | dict[str, str]
"""An option's id, a list of item ids, or the slot of each item."""
Below = Callable[[int], int]
"""`below(n)` gives a number from 0 to n - 1, as `random.randrange` does."""


def _ids(parts: list[Field]) -> list[str]:
    return [str(part["id"]) for part in parts]


def _options(field: Field) -> list[str]:
    """Options that are answered by their id alone: the answer to an option with a file is the file's content."""
    return [str(option["id"]) for option in field["options"] if "file" not in option and "off" not in option]


def first(field: Field) -> Answer:
    """An answer that fits and is the same each time: the first option, the first items, the draft."""
    match field["type"]:
        case "one":
            return _options(field)[0]
        case "many":
            return _ids(field["items"])[: field["min"]]
        case _ if field["fill"] == "items":
            return dict(field["draft"]) if "draft" in field else _placed(field, lambda _: 0)
        case _:
            return _filled(field, lambda _: 0)


def some(field: Field, below: Below) -> Answer:
    """A random answer that fits; not every answer is equally likely."""
    match field["type"]:
        case "one":
            options = _options(field)
            return options[below(len(options))]
        case "many":
            count = field["min"] + below(field["max"] - field["min"] + 1)
            return _drawn(_ids(field["items"]), count, below)
        case _ if field["fill"] == "items":
            return _placed(field, below)
        case _:
            return _filled(field, below)


def _drawn(items: list[str], count: int, below: Below) -> list[str]:
    left = list(items)
    return [left.pop(below(len(left))) for _ in range(min(count, len(left)))]


def _filled(field: Field, below: Below) -> dict[str, str]:
    """An item for each slot."""
    slots = _ids(field["slots"])
    return dict(zip(_drawn(_ids(field["items"]), len(slots), below), slots, strict=False))


def _placed(field: Field, below: Below) -> dict[str, str]:
    """Every piece on a place where it may stand; a piece without a place makes room by moving others."""
    legal: dict[str, list[str]] = field["legal"]
    held: dict[str, str] = {}
    for piece in _drawn(list(legal), len(legal), below):
        _settle(piece, legal, held, below, set())
    return {piece: place for place, piece in held.items()}


def _settle(piece: str, legal: dict[str, list[str]], held: dict[str, str], below: Below, tried: set[str]) -> bool:
    """Find a place for the piece, if need be by moving the piece that is there (an augmenting path); returns whether
    there was a place.
    """
    for place in _drawn(legal[piece], len(legal[piece]), below):
        if place in tried:
            continue
        tried.add(place)
        if place not in held or _settle(held[place], legal, held, below, tried):
            held[place] = piece
            return True
    return False


def fault(field: Field, answer: object) -> str:
    """The reason why an answer does not fit a field, as a sentence; empty if it does."""
    match field["type"]:
        case "one":
            options = _ids(field["options"])
            fits = isinstance(answer, str | int) and not isinstance(answer, bool) and str(answer) in options
            return "" if fits or isinstance(answer, dict) else f"One of {', '.join(options)} is needed."
        case "many":
            return _many_fault(field, answer)
        case _:
            return _assigned_fault(field, answer)


def _many_fault(field: Field, answer: object) -> str:
    if not isinstance(answer, list) or not set(answer) <= set(_ids(field["items"])):
        return "A list of items is needed."
    if len(set(answer)) < len(answer):
        return "Each item is named once."
    least, most = field["min"], field["max"]
    return "" if least <= len(answer) <= most else f"{least} to {most} items are needed."


def _assigned_fault(field: Field, answer: object) -> str:
    if not isinstance(answer, dict) or not set(answer) <= set(_ids(field["items"])):
        return "Items are needed, each with its slot."
    slots = _ids(field["slots"])
    used = Counter(answer.values())
    if not set(used) <= set(slots) or max(used.values(), default=0) > 1:
        return "Each slot takes one item."
    if field["fill"] == "slots":
        return "" if len(used) == len(slots) else "Every slot needs an item."
    if any(place not in field["legal"][piece] for piece, place in answer.items()):
        return "A piece stands where it may not."
    return "" if len(answer) >= field.get("min", 0) else f"{field['min']} pieces are needed."
