"""Figures of a position of Vera Discordia that the rules work out for players and scenarios (docs/scenarios.md)."""

from msgspec.structs import asdict

from domain.commons.notation import Fields
from domain.kernel import Hidden
from domain.vera_discordia.cards.cards import IMMUNE
from domain.vera_discordia.state.queries import decimated_die, profile
from domain.vera_discordia.state.state import Unit, VeraState


def figures(state: VeraState) -> Fields:
    """For each Unit with a known card: effective dice, shields, abilities, maximum life, and missing dice."""
    return {
        "units": {unit.id: _unit(state, unit) for unit in state.units.values() if not isinstance(unit.card, Hidden)}
    }


def _unit(state: VeraState, unit: Unit) -> Fields:
    found = profile(state, unit)
    return {
        "dice": [die.value for die in found.dice],
        "shields": {kind: "X" if value == IMMUNE else value for kind, value in asdict(found.shields).items()},
        "abilities": frozenset(ability.value for ability in found.abilities),
        "max_life": found.max_life,
        "lacks": None if isinstance(unit.life, Hidden) else decimated_die(state, unit),
    }
