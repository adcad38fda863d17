"""The sentences that a question of Joan of Arc adds to its options: how to win the match, and why it is asked now."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import Order
from domain.joan_of_arc.rules.attacks.applying import is_tough
from domain.joan_of_arc.rules.attacks.following import followers
from domain.joan_of_arc.rules.attacks.results import disrupt, kill, may_stay
from domain.joan_of_arc.rules.bonuses.commanding import subjects
from domain.joan_of_arc.rules.capturing import may_capture
from domain.joan_of_arc.rules.phases.camp import is_last
from domain.joan_of_arc.rules.phases.orders import can_play
from domain.joan_of_arc.state.queries import card_of, orders_held, setting_of, unit_of, units_of
from domain.joan_of_arc.state.state import NOWHERE, UnitId
from domain.kernel import Asked, Hidden, Seat
from projections.games.joan_of_arc.acting import targets_of
from projections.games.joan_of_arc.goals import goals, standing, tie
from projections.games.joan_of_arc.texts import ORDERS, WHEN
from projections.games.joan_of_arc.words import View, area_name, plain_name, unit_name
from projections.words import count, player

ALONE: Final = {
    "LegendOffer": "None of your legend cards can be played now.",
    "EndTurn": "Every area of yours has its order, or you hold none that it takes.",
    "PlayOrder": "No other order can be placed, and on no other area.",
    "Revert": "You have no XP to keep the level with.",
    "FrightChoice": "No other attacker can be frightened.",
}
"""The reasons why there is only one answer."""
STAYING: Final = (
    "As your units stand, no further order of yours can be placed this turn. "
    "A unit that moves to an area without an order can be ordered there again"
)
"""Why a turn ends with orders in the hand (JA-058), told while the player can still avoid it."""
LAST: Final = "This is the last round: at its end whoever is in an infirmary counts as destroyed"
"""A rule that decides many matches and applies without a further question (JA-233)."""


def at_stake(view: View, asked: Asked) -> str:
    """The stakes of a question: the aim of the match, at the first question; the effect of the last round's end
    (JA-233); the order after which an interrupt is offered (JA-071); the reason why legend cards are not offered now
    (JA-189, JA-190); a warning, while it can still be avoided, that no order can follow or that nobody can be commanded
    from elsewhere; the attacks that are ruled out; the effect of a disrupt on a unit with several HPs.
    """
    if asked.kind == "CouncilPick" and view.round == 1:
        return " ".join(goals(view))
    if asked.kind == "CouncilPick" and is_last(view):
        return f"{LAST}. {standing(view)} {tie(view)}"
    if asked.kind == "InterruptOffer" and view.turn is not None and (last := _last(view)):
        order, area = last
        return f"{player(view, view.turn)} plays a {ORDERS[order]} on {area_name(view, area)}.".replace(
            "a interrupt", "an interrupt"
        )
    more = {
        "LegendOffer": _unplayed,
        "Declaration": _declaring,
        "FollowUpChoice": _unheard,
        "ImpetuousChoice": _unheard,
        "RollEffects": _borne,
    }
    return " ".join(more[asked.kind](view, asked)) if asked.kind in more else ""


def _declaring(view: View, asked: Asked) -> Iterator[str]:
    """The facts that a unit should know when it declares, beside its options."""
    yield from _barred(view, asked)
    yield from _unfollowed(view, asked)


def _barred(view: View, asked: Asked) -> Iterator[str]:
    """The areas that the unit could attack if they were not declared for the other kind of attack (JA-105, JA-Q15)."""
    now, unit = view.activations[-1], unit_of(view, UnitId(str(asked.terms["unit"])))
    free, shot_at = replace(now, plans=()), {plan.target for plan in now.plans if plan.action == "shooting"}
    fought = {plan.target for plan in now.plans if plan.action in {"melee", "charge"} and plan.target}
    for plan in now.plans:
        if plan.target in shot_at and plan.target in targets_of(view, unit, free, "melee"):
            shot_at.discard(plan.target)
            yield f"No melee against {area_name(view, plan.target)}: in this activation it is shot at."
        elif plan.target in fought and plan.target in targets_of(view, unit, free, "shooting"):
            fought.discard(plan.target)
            yield f"No shot at {area_name(view, plan.target)}: in this activation it is attacked in melee."


def _borne(view: View, _: Asked) -> Iterator[str]:
    """The effect of a disrupt on each defender with several HPs: a wound or more, by the HPs left (JA-136, JA-137). The
    effect of a kill is added if it certainly ends the defender (JA-134, not JA-293, JA-347).
    """
    if view.attack is None:
        return
    dodged = set(view.attack.dodged)
    for unit in (unit_of(view, UnitId(name)) for name in view.attack.defenders):
        card = card_of(view, unit)
        if unit.spot != "board" or unit.id in dodged or not may_stay(card) or card.hp is None:
            continue
        left, last = card.hp - unit.wounds, disrupt(card, card.hp - 1)
        ends = "destroys it" if last.fate == "destroyed" else "sends it to the infirmary"
        has = f"{unit_name(view, unit.id)} has {left} of {card.hp} HP"
        if left > 1:
            yield f"{has}: a disrupt takes 1, and at the last HP {ends}."
            continue
        killed = kill(card, unit.wounds)
        sure = killed.fate == "destroyed" and not is_tough(view, unit) and not may_capture(view, unit, killed)
        also = ", a kill destroys it" if sure and last.fate != killed.fate else ""
        yield f"{has}: a disrupt {ends}{also}."


def _unfollowed(view: View, asked: Asked) -> Iterator[str]:
    """A warning that no further order can be placed while all units stay, if an order is left (JA-058). It is given in
    the player's own turn until a unit of the order is to move, but not with gigantic creatures, which may need two
    orders (JA-369).
    """
    seat = Seat(asked.seat)
    stays = (
        view.turn == seat and len(view.activations) == 1 and not any(plan.path for plan in view.activations[0].plans)
    )
    if not stays or not orders_held(view.boards[seat]) or can_play(view, seat):
        return
    if not any(
        card.gigantic or card.activation_cost > 1 for card in (card_of(view, own) for own in units_of(view, seat))
    ):
        yield f"{STAYING}."


def _unheard(view: View, asked: Asked) -> Iterator[str]:
    """The units that may still command, but could command nobody from the area that they may enter (JA-165, JA-166)."""
    now, area = view.activations[-1], AreaId(str(asked.terms["area"]))
    if now.order != "command" or now.commander:
        return
    for unit in (unit_of(view, name) for name in followers(view, area)):
        card = card_of(view, unit)
        may = card.kind == "character" and card.command is not None and f"{unit.id} command" not in now.bonuses
        if may and subjects(view, now, unit) and not subjects(view, now, replace(unit, area=area)):
            yield f"{unit_name(view, unit.id)} can command nobody from {area_name(view, area)}."


def _unplayed(view: View, asked: Asked) -> Iterator[str]:
    """The reasons why cards of the viewer's hand are not offered: they belong to another moment, or cost too much."""
    board, cards = view.boards[asked.seat], setting_of(view).index.legend
    for name in () if isinstance(board.hand, Hidden) else dict.fromkeys(board.hand):
        card = cards[name]
        if card.timing != asked.terms["timing"]:
            yield f"{plain_name(card.name)} is played {WHEN[card.timing]}."
        elif card.cost > board.legend:
            yield f"{plain_name(card.name)} costs {count(card.cost, 'legend token')}, you have {board.legend}."


def _last(view: View) -> tuple[Order, AreaId] | None:
    """The order just played; None if another area has several orders, because then the last one is unknown."""
    *before, (area, lie) = view.placed.items() or [(NOWHERE, ())]
    return (lie[-1], area) if lie and all(len(other) == 1 for _, other in before) else None
