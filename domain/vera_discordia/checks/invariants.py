"""What must hold of every state: pieces, cards and points are conserved."""

from collections import Counter
from collections.abc import Iterator

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.kernel import Hidden
from domain.vera_discordia.state.queries import cards_of, profile
from domain.vera_discordia.state.state import Unit, VeraState, place


def invariants(state: VeraState) -> Iterator[str]:
    """Sentences about everything that is wrong; of a whole state, not of a view."""
    yield from _field(state)
    for seat in BOTH:
        side = state.sides[seat]
        if not 0 <= side.motivation <= 10:
            yield f"seat {seat} has {side.motivation} Motivation"
        if side.deck_size + side.pile_size + side.hand_size:
            yield from _orders(state, seat)


def _field(state: VeraState) -> Iterator[str]:
    stands = {place(unit.seat, unit.space): unit.id for unit in state.units.values()}
    if stands != state.at:
        yield "units and spaces disagree"
    for unit in state.units.values():
        yield from _unit(state, unit)
    for seat in BOTH:
        held = Counter(u.space[1] for u in state.units.values() if u.capture and u.seat == seat)
        other = {u.space[1] for u in state.units.values() if u.capture and u.seat != seat}
        if set(held) & other or any(number > 1 for number in held.values()):
            yield "a Terrain card is held twice"


def _unit(state: VeraState, unit: Unit) -> Iterator[str]:
    life = known(unit.life)
    if not 1 <= life <= profile(state, unit).max_life:
        yield f"{unit.id} has {life} life"
    if unit.capture and unit.space[0] != "V":
        yield f"{unit.id} holds Terrain from the Rearguard"
    if unit.chaotic and unit.order is not None:
        yield f"{unit.id} is Chaotic and has an order"


def _orders(state: VeraState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    sizes = {
        "deck": (side.deck, side.deck_size),
        "hand": (side.hand, side.hand_size),
        "pile": (side.pile, side.pile_size),
    }
    cards = Counter(
        known(u.order.type) for u in state.units.values() if u.seat == seat and u.order and not u.order.virtual
    )
    for name, (held, size) in sizes.items():
        if isinstance(held, Hidden) or len(held) != size:
            yield f"seat {seat}: the {name} does not have {size} cards"
        else:
            cards += Counter(held)
    if cards != Counter(cards_of(state).order_deck):
        yield f"seat {seat}: order cards are not conserved"
