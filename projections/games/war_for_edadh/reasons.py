"""Why a bot's move in War for Edaðh makes sense, judged only by the view before the move."""

from typing import Final

from domain.commons.rows import foe
from domain.kernel import Event
from domain.war_for_edadh.state.events import CardLaid, TroopChosen
from domain.war_for_edadh.state.queries import cards_of
from domain.war_for_edadh.state.state import WarState
from projections.games.war_for_edadh.words import troop_name

HIGH: Final = 9
LOW: Final = 3


def reason(view: WarState, event: Event) -> str:
    """A sentence about a player's event; empty if the event is clear by itself."""
    match event:
        case CardLaid(laid=laid):
            return _card(view, laid.cv)
        case TroopChosen(seat=seat, by=by) if by == seat:
            answered = view.round.chosen[foe(seat)]
            if answered:
                return f"Why: it chose after {troop_name(view, answered)}, and could look for an answer."
            return "Why: it has to choose first, and takes what suffers least from the answers it can get."
    return ""


def _card(view: WarState, cv: int) -> str:
    pays = f"its MP Value is {cards_of(view).ends[cv].mp}"
    if cv >= HIGH:
        return f"Why: a high card mostly makes the Attacker, who strikes; {pays}."
    if cv <= LOW:
        return f"Why: a low card saves MP for the rounds to come; {pays}."
    return ""
