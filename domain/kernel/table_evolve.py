"""Folding of acts at the table: the effect of each on a state's `Table`. Pure, total, ignorant of rules."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.kernel.events import (
    AbsenceClaimed,
    Agreed,
    Chosen,
    ClocksSet,
    Declined,
    Event,
    HintAsked,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    Offered,
    OperatorRuled,
    Resigned,
    SeatLeft,
    SeatReplaced,
    SeatTaken,
    ServerReturned,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.state import State
from domain.kernel.table import RULES, Draw, OpenOffer, TakeBack, kind_of

S = TypeVar("S", bound=State)


def _with(state: S, **fields: object) -> S:
    return replace(state, table=replace(state.table, **fields))


def seated(state: S, event: SeatTaken) -> S:
    """If a bot takes the seat, offers do not wait for its agreement."""
    return state if event.kind != "bot" else _with(state, bots=(*state.table.bots, event.seat))


def chosen_on(state: S, event: Chosen) -> S:
    """A choice declines a draw that another seat has offered, unless the choosing seat has agreed.

    An offer to take back an earlier choice is now pointless, and is closed.
    """
    kept = tuple(
        offer
        for offer in state.table.offers
        if not isinstance(offer.terms, TakeBack)
        and (not isinstance(offer.terms, Draw) or event.seat in (offer.seat, *offer.agreed) or event.by == RULES)
    )
    return _with(state, offers=kept, declined=())


def clocks_set(state: S, event: ClocksSet) -> S:
    """The time control holds for the whole match."""
    return _with(state, control=event.control)


def offered(state: S, event: Offered) -> S:
    """The offer is open."""
    offers = (*state.table.offers, OpenOffer(event.number, event.seat, event.terms))
    return _with(state, offers=offers, last_offer=event.number)


def agreed(state: S, event: Agreed) -> S:
    """One more seat has agreed."""
    return _with(
        state,
        offers=tuple(
            replace(offer, agreed=(*offer.agreed, event.seat)) if offer.number == event.number else offer
            for offer in state.table.offers
        ),
    )


def declined(state: S, event: Declined) -> S:
    """The offer is closed; its kind cannot be offered again at once."""
    offer = state.table.offer(event.number)
    again = () if offer is None else ((offer.seat, kind_of(offer.terms)),)
    return _with(_closed(state, event.number), declined=(*state.table.declined, *again))


def offer_accepted(state: S, event: OfferAccepted) -> S:
    """The offer is closed; the events of the agreement follow."""
    return _closed(state, event.number)


def _closed(state: S, number: int) -> S:
    return _with(state, offers=tuple(offer for offer in state.table.offers if offer.number != number))


def match_paused(state: S, event: MatchPaused) -> S:
    """Nobody chooses; the questions stay open."""
    return _with(state, paused=True)


def match_resumed(state: S, event: MatchResumed) -> S:
    """The questions can be answered again; an offer to continue is closed."""
    kept = tuple(offer for offer in state.table.offers if kind_of(offer.terms) != "go_on")
    return _with(state, paused=False, offers=kept)


def seat_replaced(state: S, event: SeatReplaced) -> S:
    """A bot plays the seat; offers open with the person are closed."""
    bots = tuple(sorted({*state.table.bots, event.seat}))
    return _with(state, bots=bots, offers=())


def seat_left(state: S, event: SeatLeft) -> S:
    """The seat is not asked to agree any more; open offers are closed, because they may have waited for the seat."""
    return _with(state, left=(*state.table.left, event.seat), offers=())


def hint_asked(state: S, event: HintAsked) -> S:
    """The decision has its hint; hints of decisions that have been answered are forgotten."""
    kept = (asked.number for asked in state.asked if asked.number in state.table.hinted)
    return _with(state, hinted=(*kept, event.number))


def unchanged(state: S, event: Event) -> S:
    """Nothing to fold: clocks (`domain.kernel.clock`) or the following events reflect the event."""
    return state


def cleared(state: S) -> S:
    """The match is over: offers are closed, and a pause ends."""
    table = state.table
    return state if not table.offers and not table.paused else _with(state, offers=(), paused=False)


TABLE_EVOLVE: dict[type[Event], Callable[[Any, Any], Any]] = {
    ClocksSet: clocks_set,
    Offered: offered,
    Agreed: agreed,
    Declined: declined,
    OfferAccepted: offer_accepted,
    MatchPaused: match_paused,
    MatchResumed: match_resumed,
    SeatReplaced: seat_replaced,
    SeatLeft: seat_left,
    HintAsked: hint_asked,
    Resigned: unchanged,
    AbsenceClaimed: unchanged,
    VacationTaken: unchanged,
    VacationEnded: unchanged,
    TimeRanOut: unchanged,
    ServerReturned: unchanged,
    OperatorRuled: unchanged,
}
