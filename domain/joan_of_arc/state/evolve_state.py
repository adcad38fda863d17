"""Changes to parts of a state."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.commons.rows import change
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import BARE
from domain.joan_of_arc.cards.hooks import Order
from domain.joan_of_arc.state.state import Activation, JoanState, UnitId


def with_board(s: JoanState, seat: int, **fields: Any) -> JoanState:
    """The state with another player board of a seat."""
    return replace(s, boards=change(s.boards, seat, **fields))


def with_orders(s: JoanState, seat: int, order: Order, more: int) -> JoanState:
    """A player board with more orders of a type, or fewer."""
    orders = s.boards[seat].orders
    return with_board(s, seat, orders=replace(orders, **{order: getattr(orders, order) + more}))


def with_units(s: JoanState, units: Iterable[UnitId], **fields: Any) -> JoanState:
    """The state with the same fields of several units changed."""
    known = s.field.units
    changed = {unit: replace(known[unit], **fields) for unit in units}
    return with_field(s, units={**known, **changed})


def with_field(s: JoanState, **fields: Any) -> JoanState:
    """The state with changes on the board."""
    return replace(s, field=replace(s.field, **fields))


def with_lying(s: JoanState, area: AreaId, **fields: Any) -> JoanState:
    """The state with other contents of an area."""
    found = replace(s.field.lying.get(area, BARE), **fields)
    return with_field(s, lying={**s.field.lying, area: found})


def less(known: Mapping[Any, Any], *keys: str) -> dict[Any, Any]:
    """A table without some of its keys."""
    return {key: value for key, value in known.items() if key not in keys}


def with_acting(s: JoanState, **fields: Any) -> JoanState:
    """The state with a changed innermost activation."""
    changed: Activation = replace(s.activations[-1], **fields)
    return replace(s, activations=(*s.activations[:-1], changed))
