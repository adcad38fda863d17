"""Acts at the table: acts of a seat besides its choices, acts of the server because of time, and the host's ruling.

Only `carry_out` states which acts are possible: it returns the events, the act first, or refuses. Live play calls it
before an act is recorded, and an audit calls it again with the recorded act.
"""

from collections.abc import Callable, Sequence
from math import factorial
from typing import Final, TypeVar

from domain.kernel.chance import Chance
from domain.kernel.clock import Clocks, check_in_time
from domain.kernel.errors import MatchOver, NoHints, NotBegun, NotNow
from domain.kernel.events import (
    AbsenceClaimed,
    Act,
    Agreed,
    Chosen,
    ClocksSet,
    DecisionsOpened,
    Declined,
    DiceRolled,
    Event,
    HintAsked,
    MatchBegun,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    Offered,
    OperatorRuled,
    PositionSet,
    Resigned,
    SeatLeft,
    SeatReplaced,
    ServerReturned,
    Shuffled,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.form import Below
from domain.kernel.game import Game
from domain.kernel.history import restored, seats_in
from domain.kernel.play import Play, asked_of
from domain.kernel.position import is_pause
from domain.kernel.secret import Mask, Seat
from domain.kernel.state import Result, State, plain, result_of, sides_of
from domain.kernel.table import (
    DAY_MS,
    SECOND_MS,
    Abandon,
    Draw,
    GoOn,
    OfferTerms,
    OpenOffer,
    Pause,
    Replace,
    TakeBack,
    TimeControl,
    kind_of,
)

S = TypeVar("S", bound=State)
Past = Callable[[], Sequence[Event]]

LONGEST_PAUSE_MS: Final = 14 * DAY_MS
LOT: Final = 256
"""The size of the shuffle for a choice by lot. It is always the same, so that it reveals nothing about the choice."""
SPARE: Final = 1 << 64
"""The factor by which the range of the numbers that a shuffle still yields must exceed a bound.

It makes all numbers below the bound as good as equally likely.
"""
REASON_MOST: Final = 200
"""The most characters of the host's reason for ending a match."""
BY_HOST: Final = "ended by the host"
VOID_BY_HOST: Final = "void: by the host"
"""The reasons in the result of a match that the host has ended."""
LOT_RULE: Final = "clock"
"""The name in place of a rule id in the shuffle of a choice by lot."""


def carry_out(
    game: Game[S],
    state: S,
    clocks: Clocks | None,
    act: Event,
    at: int,
    chance: Chance,
    past: Past = tuple,
) -> Play[S]:
    """Carry out an act at the time `at`. Returns a play that holds the events, the act first.

    `past` returns every event of the record so far; it is called only for a takeback. Raises a `Refusal`, and then
    nothing has happened.
    """
    assert_possible(state, clocks, act, at)
    r = Play(game, state, chance)
    match act:
        case Resigned(seat):
            r.emit(act)
            _lose(r, (seat,), "resigned")
        case Offered():
            _offer(r, act, past)
        case Agreed(number=number):
            r.emit(act)
            _settle(r, number, past)
        case AbsenceClaimed():
            _claim(r, act)
        case TimeRanOut():
            assert clocks is not None, "a time is over"
            _time_out(r, clocks, act, at)
        case OperatorRuled():
            r.emit(act)
            _rule(r, act)
        case _:
            r.emit(act)
    return r


def assert_possible(state: State, clocks: Clocks | None, act: Event, at: int) -> None:
    """Raise a `Refusal` if public facts show that an act is impossible at the time `at`; anybody can call this.

    `carry_out` also checks conditions that need the past or the rules: the effect of a takeback, the choice of a clock.
    """
    if state.result is not None:
        raise MatchOver("The match is over.")
    if isinstance(act, Act) and act.seat in state.table.left:
        raise NotNow("Your seat has left the match; you may watch how it goes on.")
    match act:
        case Resigned():
            _begun(state)
        case Offered():
            _assert_offerable(state, clocks, act, at)
        case Agreed() | Declined():
            _assert_answerable(state, act)
        case AbsenceClaimed():
            _assert_absent(state, clocks, act, at)
        case VacationTaken() | VacationEnded():
            _assert_vacation(state, clocks, act, at)
        case HintAsked():
            _assert_hint(state, clocks, act, at)
        case TimeRanOut():
            _assert_out(state, clocks, act, at)
        case _:
            _assert_stated(state, clocks, act, at)


def _assert_stated(state: State, clocks: Clocks | None, act: Event, at: int) -> None:
    """Check an act by which the server states the time or the host ends the match."""
    why = f"{type(act).__name__} is no act at the table."
    match act:
        case ClocksSet(control):
            taken = state.table.control != TimeControl() or state.begun
            why = control.fault() or ("The time control is fixed already." if taken else "")
        case ServerReturned(gone, back):
            fits = clocks is not None and clocks.at <= gone <= back <= at
            why = "" if fits else "The server cannot have been away at that time."
        case MatchResumed():
            over = clocks is not None and 0 < clocks.paused_until <= at
            why = "" if over else "The pause is not over."
        case OperatorRuled():
            why = _ruling_fault(state, act)
    if why:
        raise NotNow(why)


def _ruling_fault(state: State, act: OperatorRuled) -> str:
    """The reason why the host cannot end a match in this way; "" if it is possible."""
    won, seats = act.winners, len(state.players)
    if not 0 < len(act.why) <= REASON_MOST:
        return f"The host's reason has 1 to {REASON_MOST} characters."
    if act.void:
        return "Nobody wins a void match." if won else ""
    if not state.begun:
        return "The match has not begun: it can be void, but it has no result."
    fits = len(won) < seats and list(won) == sorted(set(won)) and all(0 <= seat < seats for seat in won)
    return "" if fits else "The winners are seats of the match in order, and not all of them."


def ruled_result(act: OperatorRuled) -> Result:
    """The result that the host's ruling means."""
    return Result(None, VOID_BY_HOST) if act.void else result_of(act.winners, BY_HOST)


def _rule(r: Play[S], act: OperatorRuled) -> None:
    if act.void:
        r.emit(MatchEnded(ruled_result(act)))
    else:
        _end(r, ruled_result(act))


def _begun(state: State) -> None:
    if not state.begun:
        raise NotBegun("The match has not begun: it waits until every seat is taken.")


def _lose(r: Play[S], seats: tuple[Seat, ...], reason: str) -> None:
    """The seats are out. If only one side is left, it has won; otherwise the others play on (`GameSpec.leave`)."""
    gone, sides = {*seats, *r.state.table.left}, sides_of(r.state)
    standing = [side for side in sides if not gone.issuperset(side)]
    if len(standing) < min(2, len(sides)):
        _end(r, result_of(standing[0] if standing else (), reason))
        return
    # If several seats are out at once and others play on, each leaves in a line of its own.
    r.leave(seats[0], reason)
    r.stand_in()


def _end(r: Play[S], result: Result) -> None:
    """End a match by players, the clock or the host; the game first opens the things that it opens at every end."""
    opened = r.game.spec.opened_at_end
    if r.state.ends_open and opened is not None:
        for event in tuple(opened(r.state)):
            r.emit(event)
    r.emit(MatchEnded(result))


def voters(state: State, offer: OpenOffer) -> tuple[Seat, ...]:
    """The seats that must agree to an offer: all other persons who have not left, except one to be replaced as away."""
    away = offer.terms.seat if isinstance(offer.terms, Replace) and offer.terms.absent_ms else -1
    without = {offer.seat, away, *state.table.bots, *state.table.left}
    return tuple(Seat(seat) for seat, name in enumerate(state.players) if name and seat not in without)


def _assert_answerable(state: State, act: Agreed | Declined) -> None:
    offer = state.table.offer(act.number)
    if offer is None:
        raise NotNow("This offer is not open any more.")
    is_asked = act.seat in voters(state, offer)
    if isinstance(act, Agreed) and (not is_asked or act.seat in offer.agreed):
        raise NotNow("Your agreement is not asked for, or given already.")
    if not is_asked and act.seat != offer.seat:
        raise NotNow("You are not asked.")


def _assert_offerable(state: State, clocks: Clocks | None, act: Offered, at: int) -> None:
    table, kind = state.table, kind_of(act.terms)
    if act.number != table.last_offer + 1:
        raise NotNow(f"The next offer has number {table.last_offer + 1}.")
    if any(offer.seat == act.seat for offer in table.offers):
        raise NotNow("You have an offer open; take it back first.")
    if (act.seat, kind) in table.declined:
        raise NotNow("This was declined; offer it again after the next choice.")
    why = _hindrance(state, clocks, act.seat, act.terms, at)
    if why:
        raise NotNow(why)


def _offer(r: Play[S], act: Offered, past: Past) -> None:
    if isinstance(act.terms, TakeBack):
        _assert_restorable(r.game, past(), act.terms.line)
        _assert_chance_stays(r.state, past(), act)
    r.emit(act)
    _settle(r, act.number, past)


def _hindrance(state: State, clocks: Clocks | None, seat: Seat, terms: OfferTerms, at: int) -> str:
    """The reason why such an offer is not possible now; empty if it is possible."""
    table = state.table
    match terms:
        case GoOn():
            return "" if table.paused else "The match is not paused."
        case Abandon():
            return ""
        case _ if not state.begun:
            return "The match has not begun."
        case Pause(length):
            if table.paused:
                return "The match is paused already."
            fits = SECOND_MS <= length <= LONGEST_PAUSE_MS
            return "" if fits else "A pause is a second to fourteen days long."
        case TakeBack():
            return "The match is paused." if table.paused else ""
        case Draw():
            others = set(range(len(state.players))) - {seat, *table.left}
            return "A bot takes no draw; resign, or play on." if others & {*table.bots} else ""
        case Replace(other, absent_ms=absent):
            if not 0 <= other < len(state.players) or other in (*table.bots, *table.left):
                return "There is no person in this seat."
            return _not_absent(state, clocks, other, absent, at) if absent else ""


def _not_absent(state: State, clocks: Clocks | None, seat: Seat, absent_ms: int, at: int) -> str:
    """The reason why a seat's absence cannot be claimed; empty if it can."""
    need = state.table.control.absence_ms
    if not need or clocks is None:
        return "In this match nothing follows from being away."
    if not any(asked.seat == seat for asked in state.asked) or state.table.paused:
        return "The match does not wait for this seat."
    if clocks.away[seat] > at:
        return "The seat is on vacation."
    if absent_ms < need or at - clocks.heard[seat] < absent_ms:
        return f"The seat has to be away for {need // SECOND_MS} s."
    return ""


def _settle(r: Play[S], number: int, past: Past) -> None:
    """Carry out an offer once all have agreed, or at once if it takes back a choice that nobody else has learnt of."""
    offer = r.state.table.offer(number)
    assert offer is not None, "it was emitted just now"
    if set(voters(r.state, offer)) - {*offer.agreed}:
        line = offer.terms.line if isinstance(offer.terms, TakeBack) else 0
        if not line or offer.agreed or not is_unlearnt(r.game, past(), line, offer.seat):
            return
    r.emit(OfferAccepted(number, offer.seat, offer.agreed, offer.terms))
    match offer.terms:
        case Pause(length):
            r.emit(MatchPaused(length))
        case GoOn():
            r.emit(MatchResumed())
        case Draw():
            _end(r, Result(None, "draw agreed"))
        case Abandon():
            r.emit(MatchEnded(Result(None, "void: abandoned")))
        case Replace(seat, bot):
            r.emit(SeatReplaced(seat, bot))
        case TakeBack(line):
            for event in restored(r.game, [*past(), *r.events], line):
                r.emit(event)
            r.stand_in()


def _assert_restorable(game: Game[S], events: Sequence[Event], line: int) -> None:
    if not 0 < line < len(events) or not any(isinstance(event, Chosen) for event in events[line:]):
        raise NotNow("There is no choice to take back.")
    if any(isinstance(event, SeatLeft) for event in events[line:]):
        raise NotNow("A seat has left since, and cannot agree that it never did.")
    if not is_pause(game.fold(events[:line]), events[line - 1]):
        raise NotNow(f"After line {line} nobody was asked anything.")


def _assert_chance_stays(state: State, events: Sequence[Event], act: Offered) -> None:
    """Refuse to draw spent chance again unless all others consent; a bot cannot consent (in version 1 it did).

    A seat that has left cannot consent either: every other seat must be held by a person who agrees.
    """
    line = act.terms.line if isinstance(act.terms, TakeBack) else 0
    table = state.table
    silent = set(table.left) if table.left else set(table.bots) - {act.seat}
    if state.record > 1 and silent and any(map(spends_chance, events[line:])):
        who = "a seat that has left" if table.left else "a bot"
        raise NotNow(f"Chance was spent since, and {who} cannot agree that it is drawn again.")


def spends_chance(event: Event) -> bool:
    """Whether an event is a draw."""
    return isinstance(event, Shuffled) or (isinstance(event, DiceRolled) and bool(event.dice))


def line_before(events: Sequence[Event], seat: Seat) -> int:
    """The last pause of play before the seat's last choice that still counts, as a line; 0 if there is none."""
    line = len(events)
    while line:
        event = events[line - 1]
        if isinstance(event, PositionSet) and event.line:
            line = event.line
        elif isinstance(event, Chosen) and event.seat == seat and event.by == "seat":
            break
        else:
            line -= 1
    before = range(line - 1, 0, -1)
    asks = DecisionsOpened | MatchBegun | PositionSet | Chosen
    return next((at for at in before if isinstance(events[at - 1], asks)), 0)


KEPT_BY_THE_KERNEL: Final = frozenset(
    {"taken", "number", "asked", "answered", "sealed", "stack", "table", "briefed", "waiting"}
)
"""Fields that may differ although nobody has learnt anything: so far a choice has changed only the questions."""


def is_unlearnt(game: Game[S], events: Sequence[Event], line: int, seat: Seat) -> bool:
    """Whether nobody but the seat has learnt anything since `line`: only the seat itself has chosen, no chance was
    spent, and every other viewer's view shows the table as it was."""
    if any(isinstance(event, Chosen) and event.seat != seat for event in events[line:]):
        return False
    others: list[Mask] = [Mask(0), *(Mask(1 << other) for other in range(seats_in(events)) if other != seat)]
    for viewer in others:
        redacted = [game.redact(event, viewer) for event in events]
        then = game.fold(redacted[:line])
        now = game.fold(redacted[line:], then)
        names = (name for name in then.__struct_fields__ if name not in KEPT_BY_THE_KERNEL)
        if any(getattr(then, name) != getattr(now, name) for name in names):
            return False
    return True


def _assert_absent(state: State, clocks: Clocks | None, act: AbsenceClaimed, at: int) -> None:
    seats = len(state.players)
    if act.absent == act.seat or not 0 <= act.absent < seats:
        raise NotNow("Name the seat that is away.")
    if act.draw and seats - len(state.table.left) > 2:
        raise NotNow("Others play on; one seat's claim does not end the match as drawn. Claim that the seat is out.")
    why = _not_absent(state, clocks, act.absent, act.absent_ms, at)
    if why:
        raise NotNow(why)


def _claim(r: Play[S], act: AbsenceClaimed) -> None:
    r.emit(act)
    if act.draw:
        _end(r, Result(None, "absence"))
    else:
        _lose(r, (act.absent,), "absence")


def _assert_vacation(state: State, clocks: Clocks | None, act: VacationTaken | VacationEnded, at: int) -> None:
    _begun(state)
    if clocks is None or not state.table.control.vacation_ms:
        raise NotNow("In this match there is no vacation.")
    if isinstance(act, VacationTaken) and not SECOND_MS <= act.length_ms <= clocks.unused(act.seat, at):
        raise NotNow("Your vacation is not as long.")
    if isinstance(act, VacationEnded) and clocks.away[act.seat] <= at:
        raise NotNow("You are not on vacation.")


def _assert_hint(state: State, clocks: Clocks | None, act: HintAsked, at: int) -> None:
    if state.dealt:
        raise NoHints("This is a table of an event, whose players all think for themselves.")
    if not state.table.hints:
        raise NoHints("No hints were agreed on when this match was created.")
    asked_of(state, act.seat, act.number)
    check_in_time(clocks, act.seat, at)
    if act.number in state.table.hinted:
        raise NotNow("You have asked for a hint to this decision already.")


def _assert_out(state: State, clocks: Clocks | None, act: TimeRanOut, at: int) -> None:
    asked_of(state, act.seat, act.number)
    if clocks is None or act.seat not in clocks.out(at):
        raise NotNow("The seat's time is not over.")
    if act.then != state.table.control.on_timeout:
        raise NotNow(f"In this match a time-out means {state.table.control.on_timeout}.")
    if act.then != "forfeit" and act.seat != clocks.out(at)[0]:
        raise NotNow("Another seat's time was over before.")


def lost_by_time(clocks: Clocks, seat: Seat, at: int) -> tuple[Seat, ...]:
    """The seats that lose if a time-out of `seat` loses the match: all whose time ran out first, `seat` leading."""
    first = clocks.out(at)[0]
    due = clocks.due_at(first)
    lost = (one for one in clocks.out(at) if clocks.due_at(one) == due)
    return tuple(sorted(lost, key=lambda one: one != seat))


def _time_out(r: Play[S], clocks: Clocks, act: TimeRanOut, at: int) -> None:
    r.emit(act)
    if act.then == "forfeit":
        lost = lost_by_time(clocks, act.seat, at)
        _lose(r, lost, "out of time")
        if lost[0] != act.seat and r.state.result is None:
            raise NotNow("Another seat's time was over before.")
        return
    asked = asked_of(r.state, act.seat, act.number)
    decision = r.game.revive_decision(asked)
    by_lot = act.then == "random"
    choice = decision.form(r.state).sample(_lot(r, act.seat)) if by_lot else decision.default(r.state)
    r.answer(asked, choice, Chosen(act.seat, act.number, by="clock", choice=plain(choice)))


def _lot(r: Play[S], seat: Seat) -> Below:
    """A source of random numbers from one secret shuffle: nobody can compute the choice before the match is closed."""
    return numbers_of(r.shuffle(range(LOT), LOT_RULE, "Lot", seat=seat))


def numbers_of(order: Sequence[int]) -> Below:
    """Random numbers below any bound, from a shuffle that is read as one large number: its place among all orders of
    its size.

    A lot of 256 holds 1,684 bits; a choice that needs more starts with the same bits again.
    """
    whole, left = 0, list(order)
    for first in order:
        whole = whole * len(left) + sum(other < first for other in left)
        left.remove(first)
    number, size = whole, factorial(len(order))

    def below(bound: int) -> int:
        nonlocal number, size
        if size < bound * SPARE:
            number, size = whole, factorial(len(order))
        number, drawn = divmod(number, bound)
        size //= bound
        return drawn

    return below
