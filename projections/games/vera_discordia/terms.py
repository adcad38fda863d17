"""The terms of the glossary for what the Scene of Vera Discordia shows of Units and Generals."""

from typing import Final

import msgspec

from domain.kernel import Hidden
from domain.vera_discordia.cards.cards import IMMUNE, GeneralCard, UnitType
from domain.vera_discordia.state.state import Profile, Unit

WEAK: Final = 2
"""A Unit with so much life is Decimated (VD-031)."""
HOOK_TERMS: Final = {"initiative": "initiative-bonus"}
"""Hooks whose word is another's name in the glossary."""


def printed_terms(printed: UnitType) -> list[str]:
    """A Unit's card: what it can do, its rank, and the numbers on it."""
    return [*sorted(printed.abilities), printed.rank.value, *_numbers(printed, printed), "unit"]


def unit_terms(unit: Unit, printed: UnitType, whole: Profile) -> list[str]:
    """A Unit in play whose face is seen: how it lies and stands, then what it is."""
    weak = not isinstance(unit.life, Hidden) and unit.life <= WEAK
    states = (("decimated", weak), ("chaotic", unit.chaotic), ("enraged", unit.enraged), ("flag", bool(unit.capture)))
    now = [term for term, holds in states if holds]
    lies = "open" if unit.open else "closed"
    return [*now, *sorted(whole.abilities), printed.rank.value, lies, *_numbers(printed, whole), "unit"]


def _numbers(printed: UnitType, of: UnitType | Profile) -> list[str]:
    immune = ["immune"] if IMMUNE in msgspec.structs.astuple(printed.shields) else []
    return ["life", "shield", *immune, *(f"die-{die.value}" for die in dict.fromkeys(of.dice))]


def general_terms(general: GeneralCard) -> list[str]:
    """A General's card: its parts, and what each of them does."""
    hooks = (*general.leadership.hooks, *general.strategy.hooks)
    tags = [str(hook.__struct_config__.tag) for hook in hooks]
    parts = ["general-card", "heroism", *sorted(general.heroism.abilities)]
    parts += [f"die-{die.value}" for die in general.heroism.dice]
    parts += ["leadership", f"strategy-{general.strategy.icon}", *(HOOK_TERMS.get(tag, tag) for tag in tags)]
    return list(dict.fromkeys(parts))
