"""What a question of Joan of Arc is about, beside its options: what wins the match, and what it follows."""

from typing import Final

from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.hooks import Order
from domain.joan_of_arc.state import NOWHERE
from domain.kernel import Asked
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.texts import ORDERS
from projections.games.joan_of_arc.words import View, area_name
from projections.plain import player

ALONE: Final = {
    "LegendOffer": "None of your legend cards can be played now.",
    "OrderChoice": "No order that you hold can be placed any more.",
    "Upkeep": "You have no XP to keep the level with.",
    "FrightChoice": "No other attacker can be frightened.",
}
"""Why there is one answer, where there is one."""


def at_stake(view: View, asked: Asked) -> str:
    """What the first question's match is won by, and after which order an interrupt is offered (JA-071)."""
    if asked.kind == "CouncilPick" and view.round == 1:
        return " ".join(goals(view))
    if asked.kind == "InterruptOffer" and view.turn is not None and (last := _last(view)):
        order, area = last
        return f"{player(view, view.turn)} plays a {ORDERS[order]} on {area_name(view, area)}.".replace(
            "a interrupt", "an interrupt"
        )
    return ""


def _last(view: View) -> tuple[Order, AreaId] | None:
    """The order just played; None where several lie on another area, so that which came last cannot be seen."""
    *before, (area, lie) = view.placed.items() or [(NOWHERE, ())]
    return (lie[-1], area) if lie and all(len(other) == 1 for _, other in before) else None
