"""Open cards of a new match: a check that anybody can watch them, and that they are not shown too soon for the game."""

from typing import Any, Final

from domain.kernel import OpenCards
from projections.face import Face
from server.lobby.errors import CannotCreate
from server.wire.protocol import Create

MOST_S: Final = 86_400
MOST_EVENTS: Final = 1_000


def check_open_cards(wish: Create, face: Face[Any]) -> None:
    """Raise `CannotCreate` for open cards that nobody could watch, or that are shown too soon for the game."""
    agreed = wish.open_cards
    if agreed is None:
        return
    if wish.closed:
        raise CannotCreate("Nobody watches a closed match, so its cards are open to nobody; leave out one of the two.")
    some = agreed.s + agreed.events or agreed.phase
    if not (0 <= agreed.s <= MOST_S and 0 <= agreed.events <= MOST_EVENTS and some):
        raise CannotCreate(f"Open cards come 1 to {MOST_S} seconds, 1 to {MOST_EVENTS} lines or a phase later.")
    if agreed.phase and not face.headings:
        raise CannotCreate("This game has no phases that end; delay open cards by seconds or lines.")
    if agreed.s < wish.delay_s or agreed.events < wish.delay_events:
        raise CannotCreate("All hands may not be seen sooner than the table without them; delay open cards by more.")
    _check_delay(agreed, face, sooner=wish.open_cards_sooner)


def _check_delay(agreed: OpenCards, face: Face[Any], *, sooner: bool) -> None:
    least = face.open_cards_s
    if agreed.s < least and not sooner:
        raise CannotCreate(
            f"In {face.game.spec.title} all hands are seen {least} seconds later or more; delay them longer, or insist."
        )
