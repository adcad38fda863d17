"""Invariants of every state: pieces, cards and points are conserved."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.kernel import Hidden
from domain.vera_discordia.state.queries import cards_of, profile
from domain.vera_discordia.state.state import COLUMNS, Phase, Unit, VeraState, place

SET_UP: Final = frozenset(list(Phase)[:5])
"""Before the first round."""
MOST_SUPPORTS: Final = 3
"""VD-206: at most one from the left, one from the right, and the Opening's."""
COUNTED: Final = ("vision", "stealth", "closed", "destroyed", "autonomous", "taken", "covert_count")


def invariants(state: VeraState) -> Iterator[str]:
    """A sentence for each violated invariant. Takes a whole state, not a view."""
    yield from _field(state)
    yield from _table(state)
    yield from _attack(state)
    for seat in BOTH:
        yield from _counters(state, seat)
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


def _table(state: VeraState) -> Iterator[str]:
    """The counts of the table; VD-131: rounds begin after set-up."""
    if state.round < 0 or (state.round == 0) != (state.phase in SET_UP):
        yield f"round {state.round} in the phase {state.phase.value}"
    if state.deployed < 0:
        yield f"{state.deployed} Units were deployed"


def _counters(state: VeraState, seat: int) -> Iterator[str]:
    side, index = state.sides[seat], cards_of(state)
    counted = {name: getattr(side, name) for name in COUNTED}
    for name, number in counted.items():
        if number < 0:
            yield f"seat {seat}: {name} is {number}"
    lists = (side.recruits, side.mustered, side.rest, side.reserve, side.covert)
    cards = [card for held in lists if not isinstance(held, Hidden) for card in held]
    for card in cards:
        if card not in index.types:
            yield f"seat {seat} has {card}, which is no card"
    for id_ in (side.inspired, side.deferred):
        if id_ is not None and (id_ not in state.units or state.units[id_].seat != seat):
            yield f"seat {seat}: a Strategy of {id_}, who is none of its Units"
    if sum(unit.general for unit in state.units.values() if unit.seat == seat) > 1:
        yield f"seat {seat} has two Generals"


def _attack(state: VeraState) -> Iterator[str]:
    """VD-186 to VD-193, VD-206: the attacker and its target, and the Supports spent for the attack."""
    attack = state.attack
    if attack is None:
        return
    attacker, target = state.units.get(attack.attacker), state.units.get(attack.target)
    if attacker is not None and target is not None and attacker.seat == target.seat:
        yield f"{attacker.id} attacks {target.id}, who is of its own side"
    if attack.column not in COLUMNS:
        yield f"an attack in the column {attack.column}"
    if not 0 <= attack.supports <= MOST_SUPPORTS or not 0 <= attack.counter_supports <= MOST_SUPPORTS:
        yield f"{attack.supports} and {attack.counter_supports} Supports were spent"
    if attack.disruptions < 0:
        yield f"{attack.disruptions} disruptions"


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
