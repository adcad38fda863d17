"""A state as a position; reading it gives the same state. Only between orders, without activation or attack."""

from collections import Counter
from typing import Final

from domain.commons.notation import Fields
from domain.joan_of_arc.board.table import BARE, Furnishing, laid_out
from domain.joan_of_arc.positions.notation import say_orders
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState, PlayerBoard, Unit
from domain.kernel import HIDDEN

PLAIN: Final = ("round", "phase", "played", "scores")
TOKENS: Final = ("xp", "legend", "intrigue", "reroll", "stakes")


def written(state: JoanState) -> Fields:
    """A position, as `JoanPositions.read` takes it. Raises `ValueError` while a unit acts, while an attack is open, or
    if anything is hidden.
    """
    if state.activations or state.attack is not None:
        raise ValueError("somebody acts: a position is written between orders")
    if any(pile.cards is HIDDEN for pile in state.piles.values()):
        raise ValueError("only a whole state is written, not a view")
    given: Fields = {name: getattr(state, name) for name in PLAIN}
    given |= {"river": list(state.river), "sky": list(state.sky)}
    if state.turn is not None:
        given["turn"] = state.turn
    given["rallies"] = {side: list(areas) for side, areas in state.rallies.items()}
    given["placed"] = {area: list(orders) for area, orders in state.placed.items()}
    given["edges"] = {name: f"{edge.feature} {edge.side or ''}".strip() for name, edge in state.field.edges.items()}
    given["areas"] = _areas(state)
    given["decks"] = {name: list(pile.cards) for name, pile in state.piles.items()}  # type: ignore[arg-type]  # all is known
    given["discards"] = {name: list(pile.discards) for name, pile in state.piles.items()}
    given["civilians"] = _units(state, None)
    return given | {f"seat{seat}": _board(state, seat, board) for seat, board in enumerate(state.boards)}


def _areas(state: JoanState) -> Fields:
    """The differences from the bare map."""
    setting = setting_of(state)
    bare, lying = laid_out(setting.board, setting.owners).furnishings, state.field.lying
    changed = [area for area in {**bare, **lying} if bare.get(area, BARE) != lying.get(area, BARE)]
    return {area: _lying(state, area, bare.get(area, BARE), lying.get(area, BARE)) for area in changed}


def _lying(state: JoanState, area: str, before: Furnishing, found: Furnishing) -> Fields:
    given: Fields = {"elements": dict(Counter(found.elements)), "damage": found.damage, "rubble": found.rubble}
    if found.barricade:
        given["barricade"] = found.barricade
    if found.fire:
        given["fire"] = int(next(seat for place, seat in state.field.fires.items() if place == area))
    if before.building and not found.building:
        given["razed"] = True
    return given


def _units(state: JoanState, owner: int | None) -> list[str]:
    return [unit_text(unit) for unit in state.field.units.values() if unit.owner == owner]


def unit_text(unit: Unit) -> str:
    """A unit as `read_unit` reads it."""
    words = [f"@{unit.area}" if unit.spot == "board" else unit.spot]
    for name, value, usual in (
        ("wounds", unit.wounds, 0),
        ("tokens", unit.tokens, 1),
        ("sent_by", unit.sent_by, None),
        ("captor", unit.captor, None),
        ("carrier", unit.carrier, ""),
        ("closed", unit.closed, ""),
    ):
        words += [f"{name}:{value}"] if value != usual else []
    words += [f"+{card}" for card in unit.equipment]
    words += [*unit.marks, *(f"has:{grant.skill}:{grant.x}:{grant.until}" for grant in unit.grants)]
    return " ".join([f"{unit.id}: {unit.card}", *words])


def _board(state: JoanState, seat: int, board: PlayerBoard) -> Fields:
    given: Fields = {name: getattr(board, name) for name in TOKENS}
    given["orders"] = say_orders(board.orders)
    given["hand"] = list(board.hand)  # type: ignore[arg-type]  # all is known
    if board.holds_intrigue:
        given |= {"intrigue_card": board.intrigue_card, "slots": [slot.slot for slot in board.slots]}
    return given | {"units": _units(state, seat)}
