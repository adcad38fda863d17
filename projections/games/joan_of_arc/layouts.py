"""The places of the zones of Joan of Arc: the map at the left, the players' boards right of it, hand and dice below."""

from typing import Any, Final

from domain.kernel import Seat
from projections.blocks.zones import layout
from projections.games.joan_of_arc.words import View

WIDE: Final = (136.0, 88.0)
SIDE: Final = 105.0
"""The left edge of the players' boards, at the right of the map."""
COUNCIL: Final = 17.0
"""The room that the war council needs in that column."""
COUNCIL_WIDE: Final = WIDE[0] - SIDE
COUNCIL_HIGH: Final = COUNCIL - 4.4
COUNCIL_TALL: Final = 16.0
TALL: Final = 60.0
"""The width of a phone's table."""
EMPTY: Final = 1.0
"""The room on a phone for a hand without cards, and for the tray before the first roll."""
SKY: Final = (26.0, 30.0)
"""The width and height of the sky, which lies beside the map."""

At = dict[str, list[float]]


def layouts(view: View, viewer: Seat | None, zones: dict[str, Any]) -> dict[str, Any]:
    """Both layouts; the viewer's board is lowest, nearest to the viewer's plate.

    Spectators have the first seat's layouts.
    """
    own = 0 if viewer is None else int(viewer)
    order = [*(seat for seat in range(len(view.boards)) if seat != own), own]
    wide, tall = _wide(order, zones), _tall(order, zones, _filled(view, viewer, zones))
    height = max(box[1] + box[3] for box in tall.values()) + 1
    return {"wide": layout(*WIDE, wide), "tall": layout(TALL, height, tall)}


def _wide(order: list[int], zones: dict[str, Any]) -> At:
    has_sky = "sky" in zones
    at: At = {
        "map": [0, 0, 102 - (SKY[0] + 1 if has_sky else 0), 71],
        "hand": [0, 74, 33, 14],
        "tray": [35, 74, 43, 14],
    }
    if has_sky:
        at["sky"] = [102 - SKY[0], 8, *SKY]
    at |= _decks(zones, 80.5, 77.5, 4.5, 3.9, 7)
    width, each = WIDE[0] - SIDE, (WIDE[1] - COUNCIL) / len(order)
    y = 0.0
    for number, seat in enumerate(order):
        if number == len(order) // 2:
            at["council"] = [SIDE, y + 2.4, COUNCIL_WIDE, COUNCIL_HIGH]
            y += COUNCIL
        at |= _player_at(seat, SIDE, y + 2.2, width, each - 2.2)
        y += each
    return {name: box for name, box in at.items() if name in zones}


def _player_at(seat: int, x: float, y: float, width: float, height: float) -> At:
    """Orders, board and units that are away, one below the other; side by side if many players share the column."""
    if height < 22:
        half = width / 2 - 0.6
        above: At = {f"orders{seat}": [x, y, half, 4.2], f"away{seat}": [x + half + 1.2, y, half, 4.2]}
        return {**above, f"board{seat}": [x, y + 5.2, width, min(12, height - 5.4)]}
    return {
        f"orders{seat}": [x, y, width, 5.4],
        f"board{seat}": [x, y + 6.8, width, 11.4],
        f"away{seat}": [x, y + 21, width, 5],
    }


def _decks(zones: dict[str, Any], x: float, y: float, step: float, width: float, height: float) -> At:
    piles = [name for name in zones if name.startswith("deck-")]
    return {name: [x + step * at, y, width, height] for at, name in enumerate(piles)}


def _filled(view: View, viewer: Seat | None, zones: dict[str, Any]) -> set[str]:
    """The hand and the tray, each only if it is not empty."""
    mine = None if viewer is None else view.boards[viewer]
    held = "hand" in zones if mine is None else mine.hand_size + mine.holds_intrigue
    rolled = view.roll or (view.attack and (view.attack.attack_dice or view.attack.defence_dice))
    return {name for name, found in (("hand", held), ("tray", rolled)) if found}


def _tall(order: list[int], zones: dict[str, Any], filled: set[str]) -> At:
    x0, y0, x1, y1 = zones["map"]["geom"]["box"]
    turned = x1 - x0 > y1 - y0
    across, along = (y1 - y0, x1 - x0) if turned else (x1 - x0, y1 - y0)
    height = round(min(TALL * along / across, 90.0), 1)
    at: At = {"map": [0, 0, TALL, height, *([1] if turned else [])]}
    y = height
    if "sky" in zones:
        at["sky"] = [TALL - 32, y + 3, 32, 30]
        y += 33
    for name, full in (("hand", 17), ("tray", 12)):
        needed = full if name in filled else EMPTY
        at[name] = [0, y + 3, TALL, needed]
        y += 3 + needed
    at["council"] = [0, y + 3, TALL, COUNCIL_TALL]
    at |= _decks(zones, 0, y + 22, 12, 10, 12)
    y += 34
    for seat in reversed(order):
        at[f"orders{seat}"] = [0, y + 3, TALL / 2 - 1, 7]
        at[f"away{seat}"] = [TALL / 2 + 1, y + 3, TALL / 2 - 1, 7]
        at[f"board{seat}"] = [0, y + 11, TALL, 13]
        y += 24
    return {name: box for name, box in at.items() if name in zones}
