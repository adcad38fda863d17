"""The table of Vera Discordia as plain text, at most 100 columns."""

from domain.kernel import Hidden, Seat
from domain.vera_discordia.queries import foe, unit_at
from domain.vera_discordia.state import Space, Unit, VeraState
from projections.games.vera_discordia_words import ORDER_NAMES, TERRAIN_NAMES, held_name, unit_title
from projections.plain import player
from projections.words import count

CELL = 23
RULE = "+" + ("-" * CELL + "+") * 4


def board(view: VeraState, viewer: Seat | None) -> str:
    """Both armies over the Terrain, the viewer's own below; then hand and piles."""
    below = Seat(0) if viewer is None else viewer
    lines = [_plate(view, foe(below))]
    if view.units or view.terrain:
        lines += _rows(view, foe(below), "RV")
        lines += _terrain(view)
        lines += _rows(view, below, "VR")
    lines.append(_plate(view, below))
    hand = view.sides[below].hand
    if viewer is not None and not isinstance(hand, Hidden) and hand:
        lines.append("Hand: " + ", ".join(ORDER_NAMES[card] for card in hand))
    return "\n".join(lines)


def _plate(view: VeraState, seat: Seat) -> str:
    side = view.sides[seat]
    parts = [
        player(view, seat),
        side.faction or "no faction yet",
        f"Motivation {side.motivation}",
        f"hand {side.hand_size}",
        f"deck {side.deck_size}",
        f"discard {side.pile_size}" + (f" ({ORDER_NAMES[side.top]})" if side.top else ""),
    ]
    if view.initiative == seat:
        parts.append("initiative")
    if side.declared:
        parts.append(f"Tactic is {ORDER_NAMES[side.declared]}")
    return " | ".join(parts)


def _rows(view: VeraState, seat: Seat, rows: str) -> list[str]:
    lines = [RULE]
    for row in rows:
        cells = [_cell(view, unit_at(view, seat, Space(f"{row}{column}")), f"{row}{column}") for column in range(1, 5)]
        lines += ["|" + "|".join(f"{cell[i]:<{CELL}.{CELL}}" for cell in cells) + "|" for i in range(2)]
        lines.append(RULE)
    return lines


def _cell(view: VeraState, unit: Unit | None, space: str) -> tuple[str, str]:
    if unit is None:
        return f" {space} -", ""
    marks = "*" if unit.general else ""
    marks += "?" if not unit.open else ""
    marks += "^" if unit.capture else ""
    life = unit.marker if isinstance(unit.life, Hidden) else unit.life
    held = unit.order
    order = "no order" if held is None else held_name(view, unit.seat, held) + (" up" if held.up else "")
    shown = f" {life} LP," if life is not None else ""
    return f" {space} {unit_title(view, unit)}{marks}", f"   {unit.id}{shown} {order}"


def _terrain(view: VeraState) -> list[str]:
    names = [TERRAIN_NAMES[terrain][0] for terrain in view.terrain] or ["face down"] * 4
    return ["|" + "|".join(f"{name:^{CELL}}" for name in names) + "|"]


LEGEND = "* General, ? Closed, ^ holds the Terrain"


def cards_left(view: VeraState, seat: Seat) -> str:
    """How many Units a player still has to place."""
    side = view.sides[seat]
    return count(len(side.reserve) + side.covert_count, "Unit")
