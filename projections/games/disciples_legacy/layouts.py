"""The places of the zones of Disciples: Legacy: all Parties side by side, or a large Battle between the others."""

from typing import Any, Final

from domain.commons.rows import foe
from domain.disciples_legacy.state.state import MemberId
from domain.kernel import Seat
from projections.blocks.zones import layout
from projections.games.disciples_legacy.pieces import reserves_of
from projections.games.disciples_legacy.words import View

Boxes = dict[str, list[float]]
WIDE: Final = (136, 92.6)
TALL: Final = 60
STRIP: Final = 6.2
"""The height of the zones beside the Parties: Cities, Mana, discard piles, Minor Leaders."""
NAME: Final = 2.4
"""The height of a zone's name above it."""
LINE: Final = {"wide": 4.4, "tall": 3.5}
"""The height of a card of the Reserves, which is drawn as a line: picture, name, numbers, price."""
CARDS: Final[Boxes] = {"hand": [0, 82.8, 136, LINE["wide"]], "hand2": [0, 87.9, 136, LINE["wide"]]}
PARTY_HIGH: Final = 27.8
SEEN: Final = 19.0
"""The width of the zone for seen cards of another player's Reserves, if there are any."""
SEEN_TALL: Final = 3.2
"""The height of each such card on a phone."""
COLUMN: Final = 29.4
"""Half of a phone's table."""


def layouts(view: View, me: Seat, zones: dict[str, Any], seen: dict[Seat, int]) -> dict[str, Any]:
    """Both layouts, with the zones in use; `seen`: the number of Reserves of each player that the viewer has seen."""
    lines = (len(reserves_of(view, me)) + 1) // 2 * (LINE["tall"] + 0.3) if "hand" in zones else 0.0
    if view.phase == "setup" and not view.parties:
        wide, tall, height = _setup(lines)
    elif view.battle is not None:
        wide, tall, height = _battle(view, me, lines)
    else:
        wide, tall, height = _strategic(view, me, seen, lines)
    there = [{name: box for name, box in boxes.items() if name in zones} for boxes in (wide, tall)]
    return {"wide": layout(*WIDE, there[0]), "tall": layout(TALL, height, there[1])}


def _setup(lines: float) -> tuple[Boxes, Boxes, float]:
    wide: Boxes = {"field": [0, 0.4, 136, 78], "decks": [2, 2, 132, 35], "decks2": [2, 40.5, 132, 35], **CARDS}
    tall: Boxes = {"field": [0, 0.4, 60, 68], "decks": [1, 2, 58, 20], "decks2": [1, 24, 58, 20]}
    for number in range(3):
        wide[f"q{number}"] = [2 + 44.5 * number, 18, 43, 44]
        tall[f"q{number}"] = [1, 3 + 21.6 * number, 58, 18.4]
    return wide, tall | _lines(72, lines), 73 + lines


def _lines(y: float, height: float) -> Boxes:
    return {"hand": [0.4, y, COLUMN, height], "hand2": [30.2, y, COLUMN, height]}


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


def _ranks(view: View, zone: str) -> int:
    """The number of rows in which a Party has members."""
    slots = view.parties[MemberId(zone.removeprefix("p"))].slots
    return max(1, sum(any(slots[row : row + 3]) for row in (0, 3)))


def _strategic(view: View, me: Seat, seen: dict[Seat, int], lines: float) -> tuple[Boxes, Boxes, float]:
    width = WIDE[0] - (SEEN + 1 if any(seen.values()) else 0)
    each = (width - 3) / 3
    wide: Boxes = {"field": [0, 9, width, 62.4], **CARDS}
    tall: Boxes = {}
    y = 0.0
    for seat, strip, high in ((foe(me), 2.2, 11.8), (me, 74, 42.4)):
        majors, minors = _leaders(view, seat, frozenset())
        _put(wide, majors, [[0.8 + (each + 0.7) * n, high, each, PARTY_HIGH] for n in range(3)])
        _put(wide, minors, [[72, strip, 15, STRIP], [88, strip, 15, STRIP]])
        wide |= {
            f"city{seat}": [0, strip, 50, STRIP],
            f"mana{seat}": [52, strip, 18, STRIP],
            f"disc{seat}": [104.4, strip, 14, STRIP],
            f"known{seat}": [WIDE[0] - SEEN, high, SEEN, PARTY_HIGH],
        }
        y = _tall_side(view, seat, tall, y, frozenset())
    tall |= _lines(y + NAME, lines)
    y += NAME + lines
    for seat in (foe(me), me):
        if seen[seat]:
            height = seen[seat] * (SEEN_TALL + 0.3)
            tall[f"known{seat}"] = [0.4, y + NAME, COLUMN, height]
            y += NAME + height
    return wide, tall, y + 1


def _tall_side(view: View, seat: Seat, tall: Boxes, y: float, fighting: frozenset[str]) -> float:
    """Lay out a side on a phone from a given height; returns its end.

    The viewer's own Parties are above the Cities and Mana.
    """
    majors, minors = _leaders(view, seat, fighting)
    rows = [majors[:2], majors[2:3]]
    for number, row in enumerate(rows):
        few = max((_ranks(view, zone) for zone in row), default=1) == 1
        height = 11.4 if few else 17.0
        y += NAME
        _put(tall, row, [[0.4, y, COLUMN, height], [30.2, y, COLUMN, height]])
        if number:
            _put(tall, minors, [[30.2, y, 14.4, 7], [45.2, y, 14.4, 7]])
        y += height
    y += NAME
    tall |= {
        f"city{seat}": [1.2, y, 30.6, 7],
        f"mana{seat}": [32.4, y, 13.6, 5],
        f"disc{seat}": [46.8, y, 12.8, 7],
    }
    return y + 7


def _battle(view: View, me: Seat, lines: float) -> tuple[Boxes, Boxes, float]:
    battle = view.battle
    assert battle is not None
    fighting = frozenset({battle.attacker, battle.defender})
    top, low = (f"p{battle.party(seat)}" for seat in (foe(me), me))
    wide: Boxes = {
        "field": [33.8, 0.6, 68.4, 79],
        top: [35, 2, 66, 35.4],
        "line": [44, 38.1, 48, 3.6],
        low: [35, 42.6, 66, 35.4],
        **CARDS,
    }
    tall: Boxes = {
        "field": [0.4, 0.4, 59.2, 61.2],
        top: [1.2, 1.2, 57.6, 28],
        "line": [10, 29.4, 40, 3.2],
        low: [1.2, 32.8, 57.6, 28],
        **_lines(64, lines),
    }
    y = 64 + lines
    for seat, high in ((foe(me), 2.6), (me, 43.2)):
        majors, minors = _leaders(view, seat, fighting)
        row = high + 18.4
        _put(wide, majors, [[0, high, 32.6, 16], [103.4, high, 32.6, 16], [103.4, row, 32.6, 16]])
        _put(wide, minors, [[0, row + 9, 15.8, STRIP], [16.8, row + 9, 15.8, STRIP]])
        wide |= {f"city{seat}": [0, row, 32.6, STRIP], f"mana{seat}": [103.4, row, 18, STRIP]}
        if len(majors) > 2:
            wide[f"mana{seat}"] = [0, row + 9, 32.6, STRIP]
        else:
            wide[f"disc{seat}"] = [122, row, 14, STRIP]
        y = _tall_side(view, seat, tall, y, fighting)
    return wide, tall, y + 1
