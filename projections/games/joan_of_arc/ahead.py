"""The steps before a roll that a choice leads to: actions that are resolved without a roll, and the end of an attack.

Without them, the attack that follows would seem to be the choice (JA-053, JA-082).
"""

from typing import Final

from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.attack_events import AttackEnded
from domain.kernel import Event

ACTIONS: Final[frozenset[type[Event]]] = frozenset(
    {AttackEnded, e.BarricadeBuilt, e.FirePlaced, e.FirePutOut, e.StakesPlaced, e.UnitHealed, e.UnitWaited}
)
WALKED: Final = frozenset({"move", "stride", "march", "haste", "jump", "charge", "fire_set"})
"""Movements that are declared as actions, not the movements that an attack causes."""


def ahead(event: Event) -> bool:
    """Whether the event is told before the roll."""
    match event:
        case e.UnitsMoved(kind=kind):
            return kind in WALKED
        case e.ResourceGained(rule=rule):
            return rule == "JA-210"
    return type(event) in ACTIONS
