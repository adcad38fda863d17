"""The refs of things on the table of Joan of Arc in prompts: areas of both maps, units, cards of the viewer's hand."""

from collections.abc import Iterable

from domain.joan_of_arc.state.state import UnitId
from domain.kernel import Hidden, Seat
from projections.games.joan_of_arc.words import View, unit_ref


def area_ref(id_: str) -> str:
    """An area, of the ground or of the sky."""
    return f"{'sky' if id_.startswith('sky:') else 'map'}#{id_}"


def is_shown(view: View, id_: str) -> bool:
    """Whether a unit has a piece: units that left the game and dead civilians without an owner have none."""
    unit = view.field.units.get(UnitId(id_))
    if unit is None or unit.spot == "removed":
        return False
    return unit.spot == "board" or unit.owner is not None


def unit_refs(view: View, ids: Iterable[str]) -> list[str]:
    """The pieces of units; units without a piece are left out."""
    return [unit_ref(id_) for id_ in ids if is_shown(view, id_)]


def hand_refs(view: View, seat: Seat, card: str) -> list[str]:
    """A card of a hand, if the viewer sees it."""
    hand = view.boards[seat].hand
    return [] if isinstance(hand, Hidden) or card not in hand else [f"h{hand.index(card)}"]


def river_refs(view: View, card: str) -> list[str]:
    """A card of the war council."""
    return [f"r{view.river.index(card)}"] if card in view.river else []
