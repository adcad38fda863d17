"""The effect of each event on the state. The functions assign the event's values and decide nothing."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.commons.cards import without
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.evolve_attack import ATTACK_EVOLVE
from domain.joan_of_arc.state.evolve_state import less, with_acting, with_board, with_orders
from domain.joan_of_arc.state.evolve_units import UNIT_EVOLVE, without_marks
from domain.joan_of_arc.state.state import NOWHERE, TURN_MARKS, Activation, JoanState, Pile
from domain.kernel import Event


def unchanged(s: JoanState, event: Event) -> JoanState:
    """The consequences are separate events."""
    return s


def rally_point_placed(s: JoanState, event: e.RallyPointPlaced) -> JoanState:
    """A side may have several."""
    return replace(s, rallies={**s.rallies, event.side: (*s.rallies.get(event.side, ()), event.area)})


def rally_point_moved(s: JoanState, event: e.RallyPointMoved) -> JoanState:
    """One token of the side moves."""
    tokens = list(s.rallies[event.side])
    tokens[tokens.index(event.start)] = event.end
    return replace(s, rallies={**s.rallies, event.side: tuple(tokens)})


def resources_taken(s: JoanState, event: e.ResourcesTaken) -> JoanState:
    """The player board receives its resources."""
    return with_board(
        s,
        event.seat,
        xp=event.xp,
        legend=event.legend,
        intrigue=event.intrigue,
        reroll=event.reroll,
        stakes=event.stakes,
        orders=event.orders,
    )


def intrigue_card_taken(s: JoanState, event: e.IntrigueCardTaken) -> JoanState:
    """Everybody sees that the player holds one."""
    return with_board(s, event.seat, intrigue_card=event.card, holds_intrigue=True)


def pile_shuffled(s: JoanState, event: e.PileShuffled) -> JoanState:
    """The deck includes its discards."""
    return replace(s, piles={**s.piles, event.pile: Pile(event.cards, event.count)})


def _drawn(s: JoanState, name: str, count: int, *discards: str) -> JoanState:
    pile = s.piles[name]
    left = Pile(pile.cards[count:], pile.left - count, (*pile.discards, *discards))
    return replace(s, piles={**s.piles, name: left})


def legend_drawn(s: JoanState, event: e.LegendDrawn) -> JoanState:
    """From the top of the deck into the hand."""
    board = s.boards[event.seat]
    s = _drawn(s, "legend", event.count)
    return with_board(s, event.seat, hand=board.hand + event.cards, hand_size=board.hand_size + event.count)


def phase_began(s: JoanState, event: e.PhaseBegan) -> JoanState:
    """The phase of the round."""
    return replace(s, phase=event.phase, turn=None)


def round_began(s: JoanState, event: e.RoundBegan) -> JoanState:
    """The next round."""
    return replace(s, round=event.round)


def round_card_flipped(s: JoanState, event: e.RoundCardFlipped) -> JoanState:
    """The card lies beside its deck."""
    return _drawn(s, "rounds", 1, event.card)


def orders_gained(s: JoanState, event: e.OrdersGained) -> JoanState:
    """JA-041: no cap applies now."""
    return with_orders(s, event.seat, event.order, event.count)


def river_cleared(s: JoanState, event: e.RiverCleared) -> JoanState:
    """Its cards are discarded."""
    pile = s.piles["council"]
    piles = {**s.piles, "council": replace(pile, discards=(*pile.discards, *s.river))}
    return replace(s, river=(), piles=piles)


def council_card_drawn(s: JoanState, event: e.CouncilCardDrawn) -> JoanState:
    """Into the river or onto the discards."""
    if event.kept:
        return replace(_drawn(s, "council", 1), river=(*s.river, event.card))
    return _drawn(s, "council", 1, event.card)


def resource_gained(s: JoanState, event: e.ResourceGained) -> JoanState:
    """Tokens onto the player board."""
    return _more(s, event.seat, event.resource, event.count)


def resource_spent(s: JoanState, event: e.ResourceSpent) -> JoanState:
    """Tokens off the player board."""
    return _more(s, event.seat, event.resource, -event.count)


def _more(s: JoanState, seat: int, resource: str, count: int) -> JoanState:
    return with_board(s, seat, **{resource: getattr(s.boards[seat], resource) + count})


def points_scored(s: JoanState, event: e.PointsScored) -> JoanState:
    """VP belong to the side (JA-Q91)."""
    return replace(s, scores={**s.scores, event.side: s.scores.get(event.side, 0) + event.points})


def intrigue_exchanged(s: JoanState, event: e.IntrigueExchanged) -> JoanState:
    """One for one."""
    return _more(_more(s, event.seat, "intrigue", -1), event.seat, event.for_, 1)


def legend_played(s: JoanState, event: e.LegendPlayed) -> JoanState:
    """Out of the hand onto the table; the tokens are in the pool."""
    board = s.boards[event.seat]
    hand = without(board.hand, event.card)
    s = with_board(s, event.seat, hand=hand, hand_size=board.hand_size - 1, legend=board.legend - event.cost)
    return replace(s, in_play=(*s.in_play, event.card))


def legend_resolved(s: JoanState, event: e.LegendResolved) -> JoanState:
    """Onto the discards, face up (JA-393)."""
    pile = s.piles["legend"]
    s = replace(s, in_play=without(s.in_play, event.card))
    return replace(s, piles={**s.piles, "legend": replace(pile, discards=(*pile.discards, event.card))})


def intrigue_triggered(s: JoanState, event: e.IntrigueTriggered) -> JoanState:
    """The tokens stay on the slot (JA-194)."""
    board = s.boards[event.seat]
    return with_board(s, event.seat, intrigue=board.intrigue - event.slot.cost, slots=(*board.slots, event.slot))


def reroll_token_taken(s: JoanState, event: e.RerollTokenTaken) -> JoanState:
    """A player has at most one token."""
    return with_board(s, event.seat, reroll=True)


def reroll_token_used(s: JoanState, event: e.RerollTokenUsed) -> JoanState:
    """The token is gone."""
    return with_board(s, event.seat, reroll=False)


def upkeep_paid(s: JoanState, event: e.UpkeepPaid) -> JoanState:
    """1 XP of its owner."""
    owner = s.field.units[event.unit].owner
    assert owner is not None, "a character is somebody's"
    return _more(s, owner, "xp", -1)


def turn_began(s: JoanState, event: e.TurnBegan) -> JoanState:
    """Counts for the turn start again."""
    return without_marks(replace(s, turn=event.seat, played=0, handed=()), TURN_MARKS)


def order_played(s: JoanState, event: e.OrderPlayed) -> JoanState:
    """It goes from the player board onto the area."""
    s = with_orders(s, event.seat, event.order, -1)
    lie = (*s.placed.get(event.area, ()), event.order)
    return replace(s, placed={**s.placed, event.area: lie}, played=s.played + (not event.interrupt))


def order_discarded(s: JoanState, event: e.OrderDiscarded) -> JoanState:
    """It goes to the common pool."""
    return with_orders(s, event.seat, event.order, -1)


def order_returned(s: JoanState, event: e.OrderReturned) -> JoanState:
    """The area no longer holds the order."""
    lie = list(s.placed[event.area])
    lie.remove(event.order)
    placed = {**s.placed, event.area: tuple(lie)} if lie else less(s.placed, event.area)
    return replace(s, placed=placed)


def orders_returned(s: JoanState, event: e.OrdersReturned) -> JoanState:
    """No order lies on the board."""
    return replace(s, placed={})


def orders_reserved(s: JoanState, event: e.OrdersReserved) -> JoanState:
    """The rest is in the common pool."""
    return with_board(s, event.seat, orders=event.kept)


def units_activated(s: JoanState, event: e.UnitsActivated) -> JoanState:
    """The units act; after a command, inside the activation that gave it (JA-175)."""
    inner = Activation(event.seat, event.order, event.area, event.units, event.commander)
    if s.activations and event.commander:
        outer = s.activations[0]
        outer = replace(outer, commanded=(*outer.commanded, *event.units))
        return replace(s, activations=(outer, *s.activations[1:], inner))
    return replace(s, activations=(*s.activations, inner))


def action_declared(s: JoanState, event: e.ActionDeclared) -> JoanState:
    """The action is added to the declared ones."""
    return with_acting(s, plans=(*s.activations[-1].plans, event.plan))


def action_resolved(s: JoanState, event: e.ActionResolved) -> JoanState:
    """The units have acted."""
    s = replace(s, handed=()) if s.handed else s
    now = s.activations[-1]
    return with_acting(
        s,
        done=(*now.done, *event.units),
        latest=() if event.ends else event.units or now.latest,
        moved_to=(*now.moved_to, event.moved_to) if event.moved_to != NOWHERE else now.moved_to,
        attacked=(*now.attacked, event.attacked) if event.attacked != NOWHERE else now.attacked,
    )


def bonus_taken(s: JoanState, event: e.BonusTaken) -> JoanState:
    """The bonus action is not open again in this activation."""
    return with_acting(s, bonuses=(*s.activations[-1].bonuses, f"{event.unit} {event.bonus}"))


def discussion_card_drawn(s: JoanState, event: e.DiscussionCardDrawn) -> JoanState:
    """Its answer is not known yet."""
    return replace(s, talk_goes_on=False)


def card_handed_over(s: JoanState, event: e.CardHandedOver) -> JoanState:
    """The seat that reads the card out knows its back from now on."""
    return replace(s, reader=event.reader, talk_card=event.card, talk_back=event.answers)


def discussion_continued(s: JoanState, event: e.DiscussionContinued) -> JoanState:
    """Another card is due."""
    return replace(s, talk_goes_on=True)


def activation_ended(s: JoanState, event: e.ActivationEnded) -> JoanState:
    """The unit that gave a command continues."""
    return replace(s, activations=s.activations[:-1])


EVOLVE: dict[type[Event], Callable[[JoanState, Any], JoanState]] = {
    **UNIT_EVOLVE,
    **ATTACK_EVOLVE,
    e.RallyPointPlaced: rally_point_placed,
    e.RallyPointMoved: rally_point_moved,
    e.ResourcesTaken: resources_taken,
    e.IntrigueCardTaken: intrigue_card_taken,
    e.PileShuffled: pile_shuffled,
    e.LegendDrawn: legend_drawn,
    e.PhaseBegan: phase_began,
    e.RoundBegan: round_began,
    e.RoundCardFlipped: round_card_flipped,
    e.OrdersGained: orders_gained,
    e.RiverCleared: river_cleared,
    e.CouncilCardDrawn: council_card_drawn,
    e.WarCouncilChosen: unchanged,
    e.ResourceGained: resource_gained,
    e.ResourceSpent: resource_spent,
    e.PointsScored: points_scored,
    e.EffectSkipped: unchanged,
    e.IntrigueExchanged: intrigue_exchanged,
    e.LegendPlayed: legend_played,
    e.LegendResolved: legend_resolved,
    e.LegendPassed: unchanged,
    e.IntrigueTriggered: intrigue_triggered,
    e.RerollTokenTaken: reroll_token_taken,
    e.RerollTokenUsed: reroll_token_used,
    e.UpkeepPaid: upkeep_paid,
    e.TurnBegan: turn_began,
    e.TurnEnded: unchanged,
    e.OrderPlayed: order_played,
    e.OrderDiscarded: order_discarded,
    e.OrderReturned: order_returned,
    e.OrdersReturned: orders_returned,
    e.OrdersReserved: orders_reserved,
    e.InterruptOffered: unchanged,
    e.InterruptDeclined: unchanged,
    e.UnitsActivated: units_activated,
    e.ActionDeclared: action_declared,
    e.ActionResolved: action_resolved,
    e.UnitWaited: unchanged,
    e.BonusTaken: bonus_taken,
    e.DiscussionStarted: unchanged,
    e.DiscussionCardDrawn: discussion_card_drawn,
    e.QuestionChosen: unchanged,
    e.CardHandedOver: card_handed_over,
    e.AnswerRevealed: unchanged,
    e.DiscussionContinued: discussion_continued,
    e.DiscussionEnded: unchanged,
    e.ActivationEnded: activation_ended,
    e.UnitCalled: unchanged,
    e.DoomRolled: unchanged,
    e.RansomRefused: unchanged,
    e.RoundEnded: unchanged,
}
