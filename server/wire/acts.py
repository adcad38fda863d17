"""Acts at the table: the act in a client's message, and the messages to every viewer about clocks and offers."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from domain.kernel import (
    AbsenceClaimed,
    Act,
    Agreed,
    Clocks,
    Declined,
    Event,
    HintAsked,
    NotNow,
    Offered,
    OfferTerms,
    Replace,
    Resigned,
    Seat,
    State,
    TakeBack,
    VacationEnded,
    VacationTaken,
    voters,
)
from domain.kernel.act import line_before
from domain.kernel.table import DAY_MS
from replay.record.referee import Referee, Ruling, read_event
from replay.store.log import Log
from server.bots import bots_of
from server.wire.act_messages import Agree, Claim, Decline, Hint, Offer, Resign, TableMessage, Vacation
from server.wire.errors import PastAsked
from server.wire.protocol import OfferInfo, TableInfo

S = TypeVar("S", bound=State)
Absence = Callable[[int], int]
"""How long a seat has had no connection, in ms; 0 while it has one."""


def unread() -> Sequence[Event]:
    """A substitute for the record's events, for callers that must not read them: raises `PastAsked`."""
    raise PastAsked


def act_on_past(referee: Referee[S], store: Log, act: Event, at: int) -> Ruling[S]:
    """Do the same as `Referee.act`, but read the record once; call it in a thread. A takeback to line 0 undoes the
    seat's own last choice.
    """
    events = [read_event(referee.game, entry) for entry in store.read(referee.match, limit=referee.seq)]
    if isinstance(act, Offered) and isinstance(act.terms, TakeBack) and not act.terms.line:
        act = replace(act, terms=TakeBack(line_before(events, act.seat)))
    return referee.act(act, at, lambda: events)


def meant(message: TableMessage, seat: Seat) -> Act:
    """The act that a message asks for, without the additions of the match and the server."""
    match message:
        case Resign(id=name):
            return Resigned(seat, name)
        case Offer(id=name, terms=terms):
            return Offered(seat, name, number=0, terms=_unsaid(terms))
        case Agree(id=name, number=number):
            return Agreed(seat, name, number=number)
        case Decline(id=name, number=number):
            return Declined(seat, name, number=number)
        case Claim(id=name, seat=absent, draw=draw):
            return AbsenceClaimed(seat, name, absent=Seat(absent), absent_ms=0, draw=draw)
        case Vacation(id=name, days=0):
            return VacationEnded(seat, name)
        case Vacation(id=name, days=days):
            return VacationTaken(seat, name, length_ms=days * DAY_MS)
        case Hint(id=name, decision=number):
            return HintAsked(seat, name, number=number)


def _unsaid(terms: OfferTerms) -> OfferTerms:
    """The terms of a message without default values: a line leaves those out, and so does the signed text.

    An encoder leaves out a string only if it is the very object that is the default.
    """
    if isinstance(terms, Replace) and terms.bot == Replace(terms.seat).bot:
        return Replace(terms.seat, absent_ms=terms.absent_ms)
    return terms


def act_of(message: TableMessage, seat: Seat, game: str, state: State, absent_ms: Absence) -> Act:
    """The act that a message asks for; a takeback to line 0 is left as it is. Raises `NotNow` for an unknown bot."""
    act = _unsigned(message, seat, game, state, absent_ms)
    return replace(act, ack_seq=message.ack_seq, ack_head=message.ack_head, signature=message.signature)


def _unsigned(message: TableMessage, seat: Seat, game: str, state: State, absent_ms: Absence) -> Act:
    act = meant(message, seat)
    if isinstance(message, Agree | Decline):
        _assert_seen(message, state)
    if isinstance(act, AbsenceClaimed):
        return replace(act, absent_ms=absent_ms(act.absent))
    if not isinstance(act, Offered):
        return act
    terms = act.terms
    if isinstance(terms, Replace):
        if terms.bot not in bots_of(game):
            raise NotNow(f"There is no bot {terms.bot!r}; there are {', '.join(bots_of(game))}.")
        terms = replace(terms, absent_ms=_claimable(state, terms.seat, absent_ms))
    return replace(act, number=state.table.last_offer + 1, terms=terms)


def _assert_seen(message: Agree | Decline, state: State) -> None:
    """Check that a client that answers an offer has seen this very offer. Raises `NotNow` if it has not."""
    offer = state.table.offer(message.number)
    if offer is not None and message.terms not in (None, offer.terms):
        raise NotNow("Something else is offered than what you answer; look at the offer again.")


def _claimable(state: State, seat: int, absent_ms: Absence) -> int:
    """The time for which a seat has been away, in ms, if it is long enough to make the seat's agreement unnecessary;
    otherwise 0.
    """
    need, away = state.table.control.absence_ms, absent_ms(seat)
    return away if need and away >= need else 0


def table_info(clocks: Clocks | None, state: State, at: int) -> TableInfo:
    """The time control, the pause, the open offers, and the hints."""
    table = state.table
    left = 0 if clocks is None or not table.paused else max(1, clocks.paused_until - at)
    offers = tuple(
        OfferInfo(offer.number, offer.seat, offer.terms, offer.agreed, voters(state, offer)) for offer in table.offers
    )
    hinted = tuple(asked.number for asked in state.asked if asked.number in table.hinted)
    return TableInfo(table.control, left, offers, hints=table.hints, hinted=hinted)
