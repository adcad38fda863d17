"""Events at the table in words: offers, pauses, time, bots in place of people."""

from typing import Any

from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Agreed,
    ClocksSet,
    Declined,
    Draw,
    Event,
    GoOn,
    HintAsked,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    Offered,
    OfferTerms,
    OperatorRuled,
    Pause,
    Replace,
    Resigned,
    SeatClaimed,
    SeatKeyed,
    SeatLeft,
    SeatReplaced,
    ServerReturned,
    TakeBack,
    TimeControl,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
    sides_of,
)
from projections.words import count

_UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))


def length(time_ms: int) -> str:
    """A length of time in words: `3 days`, `1 hour 30 minutes`; its two largest units."""
    told, left = [], time_ms
    for size, word in _UNITS:
        number, left = divmod(left, size)
        if number:
            told.append(count(number, word))
    return " ".join(told[:2]) or "no time"


def control_words(control: TimeControl) -> str:
    """A time control in words."""
    limit = length(control.limit_ms)
    match control.kind:
        case "none":
            told = "no clock"
        case "decision":
            told = f"{limit} for each decision"
        case "bank":
            more = f" and {length(control.increment_ms)} more for each answer" if control.increment_ms else ""
            told = f"{limit} for the match{more}"
        case "days":
            away = f", {length(control.vacation_ms)} of vacation" if control.vacation_ms else ""
            told = f"{limit} for each move{away}"
    then = {"default": "the safe choice is made", "random": "a choice is made by lot", "forfeit": "the match is lost"}
    return told if control.kind == "none" else f"{told}; when time is over, {then[control.on_timeout]}"


def terms_words(view: Any, terms: OfferTerms) -> str:
    """The terms of the offer."""
    match terms:
        case Pause(length_ms):
            return f"a pause of {length(length_ms)}"
        case GoOn():
            return "to go on"
        case Draw():
            return "a draw"
        case Abandon():
            return "to abandon the match"
        case TakeBack(line):
            return f"to go back to an earlier moment (line {line})"
        case Replace(seat, bot, absent):
            away = f", who has been away for {length(absent)}" if absent else ""
            return f"that the {bot} bot plays for {_player(view, seat)}{away}"


def _player(view: Any, seat: int) -> str:
    names = view.players
    return (names[seat] if seat < len(names) else "") or f"Seat {seat + 1}"


def narrate_table(before: Any, view: Any, event: Event) -> str | None:
    """A sentence about an event at the table; None for any other event, "" if there is nothing to say."""
    match event:
        case Offered(seat, terms=terms):
            return f"{_player(view, seat)} offers {terms_words(view, terms)}."
        case Agreed(seat):
            return f"{_player(view, seat)} agrees."
        case Declined(seat, number=number):
            offer = before.table.offer(number)
            own = offer is not None and offer.seat == seat
            return f"{_player(view, seat)} {'takes the offer back' if own else 'declines'}."
        case OfferAccepted():
            return ""
        case Resigned(seat):
            return f"{_player(view, seat)} resigns."
        case AbsenceClaimed(seat, absent=absent, absent_ms=time, draw=draw):
            claim = "a draw" if draw else "the match" if len(sides_of(before)) == 2 else "that the match goes on"
            return f"{_player(view, seat)} claims {claim}: {_player(view, absent)} has been away for {length(time)}."
        case VacationTaken(seat, length_ms=time):
            return f"{_player(view, seat)} is on vacation for {length(time)}."
        case VacationEnded(seat):
            return f"{_player(view, seat)} is back from vacation."
        case HintAsked(seat):
            return f"{_player(view, seat)} asks for a hint."
        case SeatLeft(seat):
            return f"{_player(view, seat)} is out of the match; the others play on."
        case SeatClaimed(seat):
            return f"A person with an account stands behind the key of {_player(view, seat)}."
        case SeatKeyed(seat, signature=signature):
            return f"{_player(view, seat)} {_keyed(before, seat, signature)}."
    return _narrate_time(view, event)


def _keyed(view: Any, seat: int, signature: str) -> str:
    """The meaning of a seat's new key, by the facts in the record. `view`: the view before it."""
    if not dict(view.taken).get(seat):
        return "signs from here on"
    if signature:
        return "signs with another key from here on, and the former one vouches for it"
    return (
        "signs with another key from here on; no former key vouches for it: another device of theirs,"
        " or somebody else who has their link"
    )


def _narrate_time(view: Any, event: Event) -> str | None:
    match event:
        case ClocksSet(control):
            return f"Time: {control_words(control)}."
        case TimeRanOut(seat):
            return f"{_player(view, seat)}'s time is over."
        case ServerReturned(gone, back):
            return f"The server was away for {length(back - gone)}; no clock ran."
        case OperatorRuled(why, void=void):
            return f"The host {'makes the match void' if void else 'ends the match'}: {why}"
        case MatchPaused(time):
            return f"The match is paused for {length(time)}."
        case MatchResumed():
            return "The match goes on."
        case SeatReplaced(seat, bot):
            return f"The {bot} bot plays for {_player(view, seat)} from now on."
    return None
