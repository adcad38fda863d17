"""Section D: Morale Checks."""

from enum import StrEnum
from typing import Final

from domain.kernel import Part, Resolver, total
from domain.vera_discordia.cards.cards import Ability, MoraleBonus
from domain.vera_discordia.state.events import AbilityShown, MoraleChecked
from domain.vera_discordia.state.queries import has, leadership, neighbours, profile
from domain.vera_discordia.state.state import Unit, UnitId, VeraState


class Check(StrEnum):
    """VD-042: the only Morale Checks there are, each by the row that calls for it."""

    CLOSE_RANKS = "VD-212"
    DISORGANISATION = "VD-214"
    ROUT = "VD-221"
    REFUSAL = "VD-233"
    CONSISTENCY = "VD-272"
    TERROR = "VD-358"


TITLES: Final = {
    Check.CLOSE_RANKS: "Close Ranks",
    Check.DISORGANISATION: "Disorganisation",
    Check.ROUT: "Rout",
    Check.REFUSAL: "Refusal",
    Check.CONSISTENCY: "Aerial Consistency",
    Check.TERROR: "Terror",
}
DISCORDANT: Final = (Check.CLOSE_RANKS, Check.DISORGANISATION, Check.ROUT)  # VD-324, VD-325, VD-Q06
CALM: Final = (Check.ROUT, Check.TERROR)  # VD-040, VD-357, VD-359
PASS: Final = 3


def _ability_parts(state: VeraState, unit: Unit, check: Check) -> list[tuple[Ability, Part]]:
    parts = []
    if has(state, unit, Ability.BRAVERY):  # VD-313
        parts.append((Ability.BRAVERY, Part("VD-038", 1)))
    if has(state, unit, Ability.COWARDICE):  # VD-323
        parts.append((Ability.COWARDICE, Part("VD-039", -1)))
    if has(state, unit, Ability.TENACIOUS) and check not in CALM:
        parts.append((Ability.TENACIOUS, Part("VD-041", -2)))
    return parts


def _near_general(state: VeraState, unit: Unit) -> bool:
    return unit.general or any(other.general for other in neighbours(state, unit))


def _public_parts(state: VeraState, unit: Unit, check: Check, discord: str) -> list[Part]:
    """Discord with the row that gives it, and the General's words (VD-K09)."""
    parts = [Part(discord, -1, "Discord")] if discord and check in DISCORDANT else []
    for hook in leadership(state, unit.seat, MoraleBonus):
        if hook.scope == "army" or _near_general(state, unit):
            parts.append(Part("VD-K09", hook.bonus, "Leadership"))
    if unit.morale:
        parts.append(Part("VD-K09", unit.morale, "Strategy"))
    return parts


def own_parts(state: VeraState, unit: Unit, check: Check) -> list[Part]:
    """The modifiers by the Unit's own abilities, whether or not they are known (VD-038, VD-039, VD-041)."""
    return [part for _, part in _ability_parts(state, unit, check)]


def needed(parts: list[Part]) -> int:
    """The lowest face that passes a check with these parts: at least 2 (VD-037); a 6 always passes (VD-036)."""
    return next(face for face in range(1, 7) if passes(face, parts))


def passes(natural: int, parts: list[Part]) -> bool:
    """VD-035: the die with its parts is 3 or more; VD-036 a natural 6 passes, VD-037 a natural 1 fails."""
    if natural in {1, 6}:
        return natural == 6
    return natural + total(parts) >= PASS


def check_morale(r: Resolver[VeraState], unit_id: UnitId, check: Check, *, discord: str = "") -> bool:
    """Make a Morale Check (VD-035 to VD-041). Returns whether it is passed. All modifiers add up (VD-Q07, VD-Q01).

    `discord` is the row that gives the enemy Discord, if any; it touches three of the checks only (VD-325).
    """
    state = r.state
    unit = state.units[unit_id]
    if check in CALM and Ability.TENACIOUS in profile(state, unit).abilities:  # VD-040
        r.emit(MoraleChecked(unit_id, check.value, True, None, (Part("VD-040", 0, "Tenacious"),)))
        return True
    public = _public_parts(state, unit, check, discord)
    private = _ability_parts(state, unit, check)
    told = public + [part for ability, part in private if unit.open or ability in unit.shown]
    (natural,) = r.roll(1, check.value, TITLES[check], seat=unit.seat, about=(unit_id,), parts=told)
    whole = public + [part for _, part in private]
    passed = passes(natural, whole)
    if passed != passes(natural, told):
        _name_abilities(r, unit, private, passed=passed)
        shown = r.state.units[unit_id].shown
        told = public + [part for ability, part in private if ability in shown]
    r.emit(MoraleChecked(unit_id, check.value, passed, natural, tuple(told)))
    return passed


def _name_abilities(r: Resolver[VeraState], unit: Unit, private: list[tuple[Ability, Part]], *, passed: bool) -> None:
    """6.4, 5: an ability of a Closed Unit that visibly changed a check is named (VD-Q55)."""
    for ability, part in private:
        if (part.value > 0) == passed and ability not in unit.shown:
            r.emit(AbilityShown(unit.id, ability))
