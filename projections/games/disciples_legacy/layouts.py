"""Where the zones of Disciples: Legacy lie: everybody side by side, or a Battle large between the others."""

from typing import Any, Final

from domain.commons.rows import foe
from domain.kernel import Seat
from projections.blocks.zones import layout
from projections.games.disciples_legacy.words import View

Boxes = dict[str, list[float]]
WIDE: Final = (136, 88)
CITIES_WIDE: Final = 15.6
"""The room that Cities have beside the board."""
WIDE_HAND: Final[Boxes] = {"hand": [0, 74, 67.6, 14], "hand2": [68.4, 74, 67.6, 14]}


def layouts(view: View, me: Seat, zones: dict[str, Any]) -> dict[str, Any]:
    """Both layouts, with the zones that are there."""
    if view.phase == "setup" and not view.parties:
        wide, tall, height = _setup()
    elif view.battle is not None:
        wide, tall, height = _battle(view, me)
    else:
        wide, tall, height = _strategic(view, me)
    there = [{name: box for name, box in boxes.items() if name in zones} for boxes in (wide, tall)]
    return {"wide": layout(*WIDE, there[0]), "tall": layout(60, height, there[1])}


def _setup() -> tuple[Boxes, Boxes, float]:
    wide: Boxes = {"field": [0, 0.4, 136, 71], "decks": [2, 2, 132, 32], "decks2": [2, 37.5, 132, 32], **WIDE_HAND}
    tall: Boxes = {"field": [0, 0.4, 60, 68], "decks": [1, 2, 58, 20], "decks2": [1, 24, 58, 20]}
    for number in range(3):
        wide[f"q{number}"] = [2 + 44.5 * number, 16, 43, 40]
        tall[f"q{number}"] = [1, 3 + 21.6 * number, 58, 18.4]
    tall |= {"hand": [0.4, 72, 59.2, 10], "hand2": [0.4, 82.6, 59.2, 10]}
    return wide, tall, 93


def _leaders(view: View, seat: Seat, fighting: frozenset[str]) -> tuple[list[str], list[str]]:
    """The zones of a side's Major and Minor Leaders that do not fight."""
    majors: list[str] = []
    minors: list[str] = []
    for leader, party in view.parties.items():
        if party.seat == seat and leader not in fighting:
            (majors if view.members[leader].kind == "major" else minors).append(f"p{leader}")
    return majors, minors


def _put(boxes: Boxes, zones: list[str], places: list[list[float]]) -> None:
    boxes.update(zip(zones, places, strict=False))


def _strategic(view: View, me: Seat) -> tuple[Boxes, Boxes, float]:
    wide: Boxes = {"field": [16.6, 0, 102.8, 71.4], **WIDE_HAND}
    tall: Boxes = {"hand": [0.4, 94, 59.2, 10], "hand2": [0.4, 104.6, 59.2, 10]}
    for seat, high, low in ((foe(me), 2.6, 2.2), (me, 38.8, 48.0)):
        majors, minors = _leaders(view, seat, frozenset())
        _put(wide, majors, [[17.2 + 34.2 * n, high, 33.2, 31.8] for n in range(3)])
        _put(wide, minors, [[120.6, high, 7.5, 13.4], [128.5, high, 7.5, 13.4]])
        wide |= {
            f"city{seat}": [0, high, CITIES_WIDE, 11.2],
            f"mana{seat}": [0, high + 14.4, 15.6, 5],
            f"disc{seat}": [0, high + 22.4, 6.7, 9.3],
            f"known{seat}": [120.6, high + 17.2, 15.4, 14.4],
        }
        row = low + 17.2
        _put(tall, majors, [[0.4, low, 29.3, 14.6], [30.3, low, 29.3, 14.6], [0.4, row, 29.3, 14.6]])
        _put(tall, minors, [[30.6, row, 9.4, 12], [40.6, row, 9.4, 12]])
        tall |= {
            f"disc{seat}": [51.5, row + 1, 7.5, 10],
            f"city{seat}": [0.4, row + 17.2, 40, 9],
            f"mana{seat}": [42, row + 18.4, 17.6, 5],
        }
    tall |= {f"known{seat}": [0.4, 117.4 + 19.4 * at, 59.2, 17] for at, seat in enumerate((foe(me), me))}
    return wide, tall, 155


def _battle(view: View, me: Seat) -> tuple[Boxes, Boxes, float]:
    battle = view.battle
    assert battle is not None
    fighting = frozenset({battle.attacker, battle.defender})
    top, low = (f"p{battle.party(seat)}" for seat in (foe(me), me))
    wide: Boxes = {
        "field": [29.4, 0.6, 77.2, 69.4],
        top: [30.8, 2, 74.4, 31],
        "line": [44, 33.6, 48, 3.6],
        low: [30.8, 37.6, 74.4, 31],
        **WIDE_HAND,
    }
    tall: Boxes = {
        "field": [0.4, 0.4, 59.2, 61.2],
        top: [1.2, 1.2, 57.6, 28],
        "line": [10, 29.4, 40, 3.2],
        low: [1.2, 32.8, 57.6, 28],
        "hand": [0.4, 126, 59.2, 10],
        "hand2": [0.4, 136.6, 59.2, 10],
    }
    for seat, high, cities, y in ((foe(me), 2.4, 20.8, 64), (me, 54.4, 37.4, 95)):
        majors, minors = _leaders(view, seat, fighting)
        _put(wide, majors, [[0, high, 28, 15.6], [108, high, 28, 15.6], [108, cities, 19, 11.4]])
        third = len(majors) > 2
        _put(wide, minors, [[128.4, cities, 7.6, 11.4], [120, cities, 7.6, 11.4]])
        wide |= {f"city{seat}": [0, cities, 28, 7.6], f"mana{seat}": [0, cities + 10.2, 28, 4]}
        if not third:
            wide[f"disc{seat}"] = [108, cities, 7, 9.4]
        row = y + 16.4
        _put(tall, majors, [[0.4, y, 29.3, 13.6], [30.3, y, 29.3, 13.6], [0.4, row, 29.3, 12]])
        x = 30.6 if third else 0.4
        _put(tall, minors, [[x, row, 9.4, 11.4], [x + 10, row, 9.4, 11.4]])
        if not third:
            tall |= {f"city{seat}": [21, row, 25, 8.6], f"mana{seat}": [47, row + 1, 12.6, 4.6]}
    return wide, tall, 147
