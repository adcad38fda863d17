"""The table of Vera Discordia as plain text, at most 100 columns."""

from typing import Final

from domain.commons.rows import foe
from domain.kernel import Hidden, Seat
from domain.vera_discordia.cards.cards import IMMUNE, CardKey, Die
from domain.vera_discordia.rules.recruiting import recruits
from domain.vera_discordia.state.queries import cards_of, general_of, profile, unit_at
from domain.vera_discordia.state.state import COLUMNS, Column, Held, Space, Unit, VeraState
from projections.games.vera_discordia.words import ORDER_NAMES, TERRAIN_NAMES, card_of, held_name, unit_title
from projections.words import count, join, player

CELL: Final = 23
RULE: Final = "+" + ("-" * CELL + "+") * 4
LETTERS: Final = {Die.MELEE: "M", Die.RANGE: "R", Die.MAGIC: "G", Die.BREAKER: "B", Die.ARTILLERY: "A"}
LEGEND: Final = (
    "Life left/full, dice (M melee, R range, G magic, B breaker, A artillery),\n"
    "shields against M, R, G, B or A.\n"
    "* General, ? Closed, ^ holds the Terrain, ! Enraged, ~ Chaotic."
)


def board(view: VeraState, viewer: Seat | None) -> str:
    """Both armies over the Terrain, the viewer's own below; then the viewer's hand."""
    below = Seat(0) if viewer is None else viewer
    lines = _plate(view, foe(below))
    if view.units or view.terrain:
        lines += _rows(view, foe(below), "RV")
        lines += _terrain(view, viewer)
        lines += _rows(view, below, "VR")
    lines += _plate(view, below)
    if viewer is not None:
        lines += _held(view, viewer)
    if view.units:
        lines.append(LEGEND)
    return "\n".join(lines)


def _plate(view: VeraState, seat: Seat) -> list[str]:
    side = view.sides[seat]
    faction, general = cards_of(view).factions.get(side.faction), general_of(view, seat)
    who = [player(view, seat)]
    if faction is not None and general is not None:
        who.append(f"{general.name} of {faction.name}")
    if view.initiative == seat:
        who.append("initiative")
    if side.declared:
        who.append(f"Tactic: {ORDER_NAMES[side.declared]}")
    top = f" ({ORDER_NAMES[side.top]} on top)" if side.top else ""
    counts = f"Motivation {side.motivation} | hand {side.hand_size} | deck {side.deck_size}"
    return [" | ".join(who)[:100], f"{counts} | discard {side.pile_size}{top}"]


def _rows(view: VeraState, seat: Seat, rows: str) -> list[str]:
    lines = [RULE]
    for row in rows:
        cells = [_cell(view, unit_at(view, seat, Space(f"{row}{column}")), f"{row}{column}") for column in COLUMNS]
        lines += ["|" + "|".join(f"{cell[i]:<{CELL}.{CELL}}" for cell in cells) + "|" for i in range(3)]
        lines.append(RULE)
    return lines


def _cell(view: VeraState, unit: Unit | None, space: str) -> tuple[str, str, str]:
    if unit is None:
        return f" {space}", f"{'Opening' if view.round else '':^{CELL}}", ""
    marks = "".join(
        mark
        for mark, shown in (
            ("*", unit.general),
            ("?", not unit.open),
            ("^", unit.capture),
            ("!", unit.enraged),
            ("~", unit.chaotic),
        )
        if shown
    )
    return f" {space} {unit_title(view, unit)}{marks}", f" {_values(view, unit)}", f" {_order(view, unit)}"


def _values(view: VeraState, unit: Unit) -> str:
    if isinstance(unit.card, Hidden) or isinstance(unit.life, Hidden):
        return "" if unit.marker is None else f"{unit.marker} life left"
    whole = profile(view, unit)
    return f"{unit.life}/{whole.max_life} {_dice(whole.dice)} {_shields(view, unit.card)}"


def _dice(dice: tuple[Die, ...]) -> str:
    return "".join(LETTERS[die] for die in dice) or "-"


def _shields(view: VeraState, card: CardKey) -> str:
    shields = card_of(view, card).shields
    values = (shields.melee, shields.range, shields.magic, shields.orange)
    return " ".join("X" if value == IMMUNE else str(value) for value in values)


def _order(view: VeraState, unit: Unit) -> str:
    held: Held | None = unit.order
    if held is None:
        return ""
    if isinstance(held.type, Hidden):
        return "[face down]"
    name = held_name(view, unit.seat, held)
    return name.upper() if held.up else f"[{name}]"


def _terrain(view: VeraState, viewer: Seat | None) -> list[str]:
    return ["|" + "|".join(f"{_terrain_name(view, column, viewer):^{CELL}}" for column in COLUMNS) + "|"]


def _terrain_name(view: VeraState, column: Column, viewer: Seat | None) -> str:
    if view.terrain:
        return TERRAIN_NAMES[view.terrain[column - 1]][0]
    looked = None if viewer is None else view.looked.get(f"{viewer}{column}")
    return "face down" if looked is None or isinstance(looked, Hidden) else f"[{TERRAIN_NAMES[looked][0]}]"


def _held(view: VeraState, viewer: Seat) -> list[str]:
    """The hand, or the Units not yet placed, each with its printed values."""
    side = view.sides[viewer]
    lines: list[str] = []
    if not isinstance(side.hand, Hidden) and side.hand:
        names = [ORDER_NAMES[card] for card in side.hand]
        lines.append("Hand: " + join([count(names.count(name), name, name) for name in dict.fromkeys(names)]))
    if side.recruits and not isinstance(side.recruits, Hidden):
        lines += [_card_line(view, card, f"c{i}") for i, card in enumerate(recruits(view, viewer), 1)]
    lines += [_card_line(view, card, "Open") for card in side.reserve]
    if not isinstance(side.covert, Hidden):
        lines += [_card_line(view, card, "Closed") for card in side.covert]
    return lines


def _card_line(view: VeraState, card: CardKey, mark: str) -> str:
    printed = card_of(view, card)
    values = f"{printed.max_lp} {_dice(printed.dice):<5} {_shields(view, card)}"
    line = f"{mark:<6} {printed.name:<20} {printed.rank.value:<9} {values}  "
    return line + _fitting([ability.value for ability in printed.abilities], 100 - len(line))


def _fitting(names: list[str], room: int) -> str:
    """As many whole names as there is room for."""
    shown = ", ".join(names)
    while len(shown) > room:
        names = names[:-1]
        shown = ", ".join([*names, "..."])
    return shown
