"""What must hold of every state: cards, Stratagems and points are conserved."""

from collections import Counter
from collections.abc import Iterator

from domain.commons.rows import BOTH
from domain.kernel import Hidden
from domain.war_for_edadh.state.queries import everyone
from domain.war_for_edadh.state.state import WarState


def invariants(state: WarState) -> Iterator[str]:
    """Sentences about everything that is wrong; of a whole state, not of a view."""
    for seat in BOTH:
        yield from _troops(state, seat)
        yield from _stratagems(state, seat)
        side = state.sides[seat]
        # WE-050: the Dmg Counter never goes below 0.
        if side.dmg < 0:
            yield f"seat {seat} has {side.dmg} Dmg"
        if set(side.standards_used) - set(side.standards) or len(set(side.standards_used)) < len(side.standards_used):
            yield f"seat {seat}: a Standard is used that is not there, or twice"
        if side.promoted and side.battle_flipped:
            yield f"seat {seat}: the Battle Master is Promoted and flipped"


def _troops(state: WarState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    places = Counter((*everyone(side), *side.pile, *side.removed, *side.retired))
    for troop, found in places.items():
        if found > 1:
            yield f"{troop} is in {found} places"
        if state.troops[troop].seat != seat:
            yield f"{troop} stands with the enemy"
    if state.options.game == "unit" and len(places) != sum(1 for t in state.troops.values() if t.seat == seat):
        yield f"seat {seat}: Troops are not conserved"


def _stratagems(state: WarState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    if isinstance(side.deck, Hidden) or isinstance(side.holding, Hidden):
        yield f"seat {seat}: the deck is hidden"
        return
    if len(side.deck) != side.deck_size or len(side.holding) != side.holding_count:
        yield f"seat {seat}: Stratagems are counted wrongly"
    cards = Counter((*side.deck, *side.holding, *(lying.code for lying in side.in_play), *side.countered))
    if any(found > 1 for found in cards.values()):
        yield f"seat {seat}: a Stratagem is in two places"
