"""Figures of a position of War for Edaðh that the rules work out for players and scenarios (docs/scenarios.md)."""

from typing import Final

from domain.commons.notation import Fields
from domain.commons.rows import BOTH
from domain.kernel import Seat, total
from domain.war_for_edadh.cards.cards import STATS
from domain.war_for_edadh.rules.terrain import terrain_guard, terrain_modifier, terrain_range
from domain.war_for_edadh.state.queries import everyone, half_cards, terrain_effects
from domain.war_for_edadh.state.state import WarState
from domain.war_for_edadh.state.stats import figure, mastery_of, plus_parts, row_of

OF_A_TROOP: Final = ("guard_value", "guard_penetration", "att", "att_dmg", "def", "def_dmg", "range")


def figures(state: WarState) -> Fields:
    """For each seat, its half of the Terrain and the figures of its Chosen Troop; for each Troop, its own figures."""
    seats = {f"seat{seat}": {"half": _half(state, seat), "chosen": _chosen(state, seat)} for seat in BOTH}
    standing = [troop for side in state.sides for troop in everyone(side)]
    return {**seats, "troops": {troop: _troop(state, troop) for troop in standing}}


def _half(state: WarState, seat: Seat) -> Fields:
    """WE-232 to WE-235: the sum of all cards of a half."""
    cards = half_cards(state, seat)
    return {
        "modifier": terrain_modifier(state, seat),
        "guard": terrain_guard(state, seat),
        "range": terrain_range(state, seat),
        "access": frozenset(f"{access.kind} {access.value}" for found in cards for access in found.access),
        "elements": frozenset(str(found.element) for found in cards),
        "effects": terrain_effects(state, seat),
    }


def _chosen(state: WarState, seat: Seat) -> Fields | None:
    if not state.round.chosen[seat]:
        return None
    return {stat: figure(state, seat, stat) for stat in STATS}


def _troop(state: WarState, troop: str) -> Fields:
    """WE-006, WE-160, WE-206: the stat row that counts, Mastery Level and Conflict Bonus with their additions."""
    row = row_of(state, troop)
    own: Fields = {name: row.stat(name) for name in OF_A_TROOP}
    return {**own, "ml": mastery_of(state, troop), "cb": row.stat("cb") + total(plus_parts(state, troop))}
