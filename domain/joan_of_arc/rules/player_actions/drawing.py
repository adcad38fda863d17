"""Drawing from decks; discards become the deck again when it is empty (JA-191, JA-Q87).

JA-404: chance comes from the resolver, which gives results and hides their source.
"""

from domain.commons.cards import known
from domain.joan_of_arc.state.events import LegendDrawn, PileShuffled
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Resolver, Seat


def replenish(r: Resolver[JoanState], pile: str, rule: str = "JA-Q87") -> bool:
    """Whether a card can be drawn from a deck; an empty one is made of its discards first."""
    found = r.state.piles[pile]
    if not found.left and found.discards:
        cards = r.shuffle(found.discards, rule, pile)
        r.emit(PileShuffled(pile, len(cards), cards))
    return bool(r.state.piles[pile].left)


def top_card(state: JoanState, pile: str) -> str:
    """The top card of a deck, which a rule is about to turn up."""
    return known(state.piles[pile].cards)[0]


def draw_legend(r: Resolver[JoanState], seat: Seat, count: int) -> None:
    """JA-191, JA-392: this many legend cards go into a hand, as far as there are any."""
    left = count
    while left and replenish(r, "legend", "JA-191"):
        cards = known(r.state.piles["legend"].cards)[:left]
        r.emit(LegendDrawn(seat, len(cards), cards))
        left -= len(cards)
