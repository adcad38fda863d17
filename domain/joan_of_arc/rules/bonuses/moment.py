"""When a unit may take a bonus action: before its action, or just after it, each kind once (JA-084, JA-085, JA-Q13)."""

from collections.abc import Iterator
from typing import Literal

from domain.joan_of_arc.queries import card_of, unit_of
from domain.joan_of_arc.state import Activation, JoanState, Unit

Bonus = Literal["command", "discuss", "upgrade"]


def able(state: JoanState, now: Activation, bonus: Bonus) -> Iterator[Unit]:
    """JA-087: the activated characters on the board that may take a bonus action of this kind now."""
    for name in now.units:
        unit = unit_of(state, name)
        timely = name not in now.done or name in now.latest
        here = unit.spot == "board" and not unit.carrier and f"{name} {bonus}" not in now.bonuses
        if timely and here and card_of(state, unit).kind == "character":
            yield unit
