"""Sections C and Y: losing and regaining life, destruction, Routing, Motivation, and section AE: victory."""

from typing import Final

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import Resolver
from domain.vera_discordia.cards.cards import Ability
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.state.events import (
    LifeRegained,
    MotivationLost,
    OrderDiscarded,
    UnitDamaged,
    UnitDestroyed,
)
from domain.vera_discordia.state.queries import has, is_decimated, profile
from domain.vera_discordia.state.state import Unit, UnitId, VeraState

COST: Final = 2
COST_PROMINENT: Final = 4
COST_EXPENDABLE: Final = 1


def motivation_cost(state: VeraState, unit: Unit) -> int:
    """VD-225: 2 points; 4 for Prominent (VD-344), which wins over Expendable (VD-Q45); 1 for Expendable (VD-327)."""
    if has(state, unit, Ability.PROMINENT):
        return COST_PROMINENT
    return COST_EXPENDABLE if has(state, unit, Ability.EXPENDABLE) else COST


def lose_life(r: Resolver[VeraState], unit_id: UnitId, lost: int, *, by: UnitId, discord: str = "") -> None:
    """VD-026, VD-219: take life from a Unit, with all that follows: destruction, Decimated, the Rout check.

    VD-221 to VD-224: the check is made whenever the Unit passes from not Decimated to Decimated.
    """
    if not lost:
        return
    before = known(r.state.units[unit_id].life)
    life = max(0, before - lost)
    r.emit(UnitDamaged(unit_id, before - life, life))
    if life == 0:  # VD-030
        destroy(r, unit_id, "VD-220", by=by)
    elif is_decimated(life) and not is_decimated(before):
        _mourn_prominent(r, unit_id)
        if not check_morale(r, unit_id, Check.ROUT, discord=discord):
            destroy(r, unit_id, "VD-222", by=by)


def pays_when_decimated(state: VeraState, unit: Unit) -> bool:
    """VD-345: a Prominent Unit with the General costs 4 when it becomes Decimated, once a game (VD-Q45)."""
    return unit.general and not unit.paid and has(state, unit, Ability.PROMINENT)


def _mourn_prominent(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-345."""
    unit = r.state.units[unit_id]
    if not pays_when_decimated(r.state, unit):
        return
    left = max(0, r.state.sides[unit.seat].motivation - COST_PROMINENT)
    r.emit(MotivationLost(unit.seat, unit_id, "VD-345", COST_PROMINENT, left))
    _end_without_motivation(r, unit)


def _end_without_motivation(r: Resolver[VeraState], unit: Unit) -> None:
    if r.state.sides[unit.seat].motivation <= 0:
        r.end(foe(unit.seat), "no Motivation left", "VD-284")


def destroy(r: Resolver[VeraState], unit_id: UnitId, rule: str, *, by: UnitId) -> None:
    """VD-030, VD-226: the Unit leaves the field. In this order, until the match ends (VD-285): VD-Q47.

    One destruction comes after another, so both players never lose at once (VD-Q48).
    """
    state = r.state
    unit = state.units[unit_id]
    motivation = state.sides[unit.seat].motivation
    cost = 0 if unit.general else motivation_cost(state, unit)
    r.emit(UnitDestroyed(unit_id, unit.seat, rule, cost, max(0, motivation - cost), by))
    if unit.order is not None:  # VD-Q12
        r.emit(OrderDiscarded(unit_id, unit.seat, known(unit.order.type), "VD-Q12", virtual=unit.order.virtual))
    if unit.general:  # VD-067
        r.end(foe(unit.seat), "the General fell", "VD-283")
    _end_without_motivation(r, unit)
    _devour(r, by)


def _devour(r: Resolver[VeraState], by: UnitId) -> None:
    """VD-362, VD-363: Voracious, by hits or by the Rout check they cause; in every kind of fight (VD-Q44)."""
    victor = r.state.units.get(by)
    if victor is not None and has(r.state, victor, Ability.VORACIOUS):
        regain_life(r, by, 1, "VD-362")


def regain_life(r: Resolver[VeraState], unit_id: UnitId, gained: int, rule: str) -> None:
    """Give life back, never above the initial quantity (VD-029); with 3 or more it is no longer Decimated (VD-033).

    VD-365: the opponent sees the life of a Closed Unit only while it is damaged.
    """
    unit = r.state.units[unit_id]
    before, most = known(unit.life), profile(r.state, unit).max_life
    life = min(most, before + gained)
    if life <= before:
        return
    if unit.open:
        r.emit(LifeRegained(unit_id, unit.seat, rule, life - before, life))
    else:
        marker = None if life == most else life
        told = 0 if marker is None else life - before
        r.emit(LifeRegained(unit_id, unit.seat, rule, told, marker, life))
