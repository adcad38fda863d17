"""The player and the unit for whom an effect is carried out."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.joan_of_arc.cards.hooks import Effect
from domain.joan_of_arc.state.state import NO_UNIT, JoanState, UnitId
from domain.kernel import Procedure, Resolver, Seat


class Context(Struct, frozen=True):
    """The player of the effect, and its speaker, wearer or commander if there is one."""

    seat: Seat
    unit: UnitId = NO_UNIT


CarryOut = Callable[[Resolver[JoanState], Context, Any], Procedure | None]
Operations = Mapping[type[Effect], CarryOut]
"""Each function carries out its operation and returns None, or returns the procedure that asks a player first."""
