"""When a unit may take a bonus action: before its action, or just after it, each kind once (JA-084, JA-085, JA-Q13)."""

from collections.abc import Iterator
from typing import Literal

from domain.joan_of_arc.rules.actions.declared import action_of
from domain.joan_of_arc.state.queries import card_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Unit

Bonus = Literal["command", "discuss", "upgrade"]


def due_next(now: Activation) -> frozenset[str]:
    """JA-Q13: the actions of units that have taken a bonus action and not acted yet: no other action may come first."""
    if not now.bonuses:
        return frozenset()
    early = {taken.partition(" ")[0] for taken in now.bonuses} - set(now.done)
    return frozenset(action_of(plan) for plan in now.plans if plan.unit in early)


def _is_due(now: Activation, name: str, due: frozenset[str]) -> bool:
    return name not in now.done and any(plan.unit == name and action_of(plan) in due for plan in now.plans)


def able(state: JoanState, now: Activation, bonus: Bonus) -> Iterator[Unit]:
    """JA-087: the activated characters on the board that may take a bonus action of this kind now."""
    due = due_next(now)
    for name in now.units:
        unit = unit_of(state, name)
        timely = _is_due(now, name, due) if due else name not in now.done or name in now.latest
        here = unit.spot == "board" and not unit.carrier and f"{name} {bonus}" not in now.bonuses
        if timely and here and card_of(state, unit).kind == "character":
            yield unit
