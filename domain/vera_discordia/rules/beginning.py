"""Section P, Phase 0: the begin-of-round rolls (Chaos, Autonomy, Rage, Regeneration)."""

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import Resolver
from domain.vera_discordia.cards.cards import Ability
from domain.vera_discordia.rules.damage import regain_life
from domain.vera_discordia.rules.deployment import holder
from domain.vera_discordia.rules.orders import deal_order, show_ability
from domain.vera_discordia.rules.strategy import is_damaged
from domain.vera_discordia.state.events import UnitsRolled, UnitWentWild
from domain.vera_discordia.state.queries import army, profile
from domain.vera_discordia.state.state import UnitId, VeraState


def roll_beginning(r: Resolver[VeraState]) -> None:
    """VD-132, VD-043: one die per Unit and ability; the marker's holder first, V1 to R4 (VD-Q21), every round (VD-Q22).

    VD-055, VD-384: the rolls are open and name the Unit and the ability, not its identity.
    """
    first = holder(r.state)
    order = [unit.id for seat in (first, foe(first)) for unit in army(r.state, seat)]
    hurt = tuple(unit_id for unit_id in order if is_damaged(r.state, r.state.units[unit_id]))
    for unit_id in order:
        roll_unit(r, unit_id)
    r.emit(UnitsRolled(hurt))


def roll_unit(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-Q20: in this order; a Chaotic Unit makes no Autonomy roll."""
    abilities = profile(r.state, r.state.units[unit_id]).abilities
    if Ability.CHAOS in abilities:
        _roll_chaos(r, unit_id)
    if Ability.AUTONOMY in abilities and not r.state.units[unit_id].chaotic:
        _roll_autonomy(r, unit_id)
    if Ability.RAGE in abilities:
        _roll_rage(r, unit_id)
    if Ability.REGENERATION in abilities:
        _roll_regeneration(r, unit_id)


def _roll(r: Resolver[VeraState], unit_id: UnitId, ability: Ability, rule: str, need: int) -> int:
    show_ability(r, unit_id, ability)
    seat = r.state.units[unit_id].seat
    (face,) = r.roll(1, rule, ability.value.capitalize(), seat=seat, about=(unit_id,), needs=(need,))
    return face


def _roll_chaos(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-314: 2 or more is normal; VD-315: a 1 makes it Chaotic."""
    if _roll(r, unit_id, Ability.CHAOS, "VD-314", 2) == 1:
        r.emit(UnitWentWild(unit_id, Ability.CHAOS))


def _roll_autonomy(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-310: 3 or more obeys; VD-311, VD-383: otherwise the top card of the deck is its order."""
    if _roll(r, unit_id, Ability.AUTONOMY, "VD-310", 3) < 3:
        deal_order(r, unit_id, "VD-311")


def _roll_rage(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-346: 1 to 4 is normal; VD-347: 5 or 6 makes it Enraged."""
    if _roll(r, unit_id, Ability.RAGE, "VD-346", 5) >= 5:
        r.emit(UnitWentWild(unit_id, Ability.RAGE))


def _roll_regeneration(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-354: only below full life (VD-056); 4 or more gives 1 life back."""
    unit = r.state.units[unit_id]
    if known(unit.life) < profile(r.state, unit).max_life and _roll(r, unit_id, Ability.REGENERATION, "VD-354", 4) >= 4:
        regain_life(r, unit_id, 1, "VD-354")
