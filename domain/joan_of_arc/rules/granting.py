"""Skills for a time (ledger 6.13 `grant_skill`)."""

from typing import Literal

from domain.joan_of_arc.state.events import GrantsEnded
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Resolver


def end_grants(r: Resolver[JoanState], until: Literal["end_of_attack", "end_of_turn"]) -> None:
    """End the grants that last until `until`."""
    if any(grant.until == until for unit in r.state.field.units.values() for grant in unit.grants):
        r.emit(GrantsEnded(until))
