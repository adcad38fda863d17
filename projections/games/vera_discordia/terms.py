"""The terms of the glossary for Units and Generals in the Scene of Vera Discordia."""

from typing import Final

import msgspec

from domain.kernel import Hidden
from domain.vera_discordia.cards.cards import IMMUNE, GeneralCard, UnitType
from domain.vera_discordia.state.state import Profile, Unit

WEAK: Final = 2
"""The life at which a Unit is Decimated (VD-031)."""
HOOK_TERMS: Final = {"initiative": "initiative-bonus"}
"""Hooks whose term in the glossary has another name."""


def printed_terms(printed: UnitType) -> list[str]:
    """The terms of a Unit's card: its abilities, its rank, and the numbers on it."""
    return [*sorted(printed.abilities), printed.rank.value, *_numbers(printed, printed), "unit"]


def unit_terms(unit: Unit, printed: UnitType, whole: Profile) -> list[str]:
    """The terms of a face-up Unit in play: first its state, then its card."""
    weak = not isinstance(unit.life, Hidden) and unit.life <= WEAK
    states = (("decimated", weak), ("chaotic", unit.chaotic), ("enraged", unit.enraged), ("flag", bool(unit.capture)))
    now = [term for term, holds in states if holds]
    lies = "open" if unit.open else "closed"
    return [*now, *sorted(whole.abilities), printed.rank.value, lies, *_numbers(printed, whole), "unit"]


def _numbers(printed: UnitType, of: UnitType | Profile) -> list[str]:
    immune = ["immune"] if IMMUNE in msgspec.structs.astuple(printed.shields) else []
    return ["life", "shield", *immune, *(f"die-{die.value}" for die in dict.fromkeys(of.dice))]


def general_terms(general: GeneralCard) -> list[str]:
    """The terms of a General's card: its parts and their effects."""
    hooks = (*general.leadership.hooks, *general.strategy.hooks)
    tags = [str(hook.__struct_config__.tag) for hook in hooks]
    parts = ["general-card", "heroism", *sorted(general.heroism.abilities)]
    parts += [f"die-{die.value}" for die in general.heroism.dice]
    parts += ["leadership", f"strategy-{general.strategy.icon}", *(HOOK_TERMS.get(tag, tag) for tag in tags)]
    return list(dict.fromkeys(parts))
