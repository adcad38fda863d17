"""What a question of Joan of Arc is about, beside its options: what wins the match, and what it follows."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.hooks import Order
from domain.joan_of_arc.queries import setting_of
from domain.joan_of_arc.rules.camp import is_last
from domain.joan_of_arc.state import NOWHERE
from domain.kernel import Asked, Hidden
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.texts import ORDERS, WHEN
from projections.games.joan_of_arc.words import View, area_name, plain_name
from projections.plain import player
from projections.words import count

ALONE: Final = {
    "LegendOffer": "None of your legend cards can be played now.",
    "EndTurn": "Every area of yours has its order, or you hold none that it takes.",
    "PlayOrder": "No other order can be placed, and on no other area.",
    "Revert": "You have no XP to keep the level with.",
    "FrightChoice": "No other attacker can be frightened.",
}
"""Why there is one answer, where there is one."""
LAST: Final = "This is the last round: at its end whoever is in an infirmary counts as destroyed"
"""What decides many a match, and comes without a further question (JA-233)."""


def at_stake(view: View, asked: Asked) -> str:
    """What the match is won by, where the first question is asked; what the last round ends with (JA-233); after which
    order an interrupt is offered (JA-071); why legend cards are not offered now (JA-189, JA-190).
    """
    if asked.kind == "CouncilPick" and view.round == 1:
        return " ".join(goals(view))
    if asked.kind == "CouncilPick" and is_last(view):
        return f"{LAST}."
    if asked.kind == "InterruptOffer" and view.turn is not None and (last := _last(view)):
        order, area = last
        return f"{player(view, view.turn)} plays a {ORDERS[order]} on {area_name(view, area)}.".replace(
            "a interrupt", "an interrupt"
        )
    return " ".join(_unplayed(view, asked)) if asked.kind == "LegendOffer" else ""


def _unplayed(view: View, asked: Asked) -> Iterator[str]:
    """Why cards of the own hand are not offered: they are for another moment, or cost too much."""
    board, cards = view.boards[asked.seat], setting_of(view).index.legend
    for name in () if isinstance(board.hand, Hidden) else dict.fromkeys(board.hand):
        card = cards[name]
        if card.timing != asked.terms["timing"]:
            yield f"{plain_name(card.name)} is played {WHEN[card.timing]}."
        elif card.cost > board.legend:
            yield f"{plain_name(card.name)} costs {count(card.cost, 'legend token')}, you have {board.legend}."


def _last(view: View) -> tuple[Order, AreaId] | None:
    """The order just played; None where several lie on another area, so that which came last cannot be seen."""
    *before, (area, lie) = view.placed.items() or [(NOWHERE, ())]
    return (lie[-1], area) if lie and all(len(other) == 1 for _, other in before) else None
