"""Acts at the table and time-outs: through the referee into the record, and through the audit again."""

import random
from itertools import permutations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Agreed,
    Chosen,
    ClocksSet,
    Declined,
    Draw,
    Event,
    GoOn,
    MatchOver,
    MatchPaused,
    MatchResumed,
    MatchStopped,
    NotNow,
    Offered,
    OutOfTime,
    Pause,
    Refusal,
    Replace,
    Resigned,
    Result,
    Seat,
    ServerReturned,
    TakeBack,
    TimeControl,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel import act as kernel_act
from domain.kernel.act import line_before, numbers_of
from domain.kernel.table import DAY_MS, OfferTerms
from projections.table_words import narrate_table
from replay.audit.match_audit import audit
from replay.audit.report import AuditReport
from replay.files import export
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from replay.store.store import Store
from tests.replay.matches import START, begun, created, put
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
SECOND = 1_000
T0 = START + 10 * SECOND


def bank(then: Any = "default", limit: int = 60) -> TimeControl:
    return TimeControl("bank", limit * SECOND, on_timeout=then)


class Played:
    """A match of two people with a control, and what is done in it."""

    def __init__(self, control: TimeControl | None = None, *kinds: str, version: int = 2) -> None:
        self.store: Store = MemoryStore()
        self.referee: Referee[Any] = begun(self.store, control=control, kinds=kinds, version=version)

    def act(self, act: Event, at: int = 0) -> list[str]:
        """An act; the kinds of its events."""
        ruling = self.referee.act(act, T0 + at, self.past)
        put(self.store, self.referee, ruling)
        return [type(event).__name__ for event in ruling.events]

    def refused(self, act: Event, at: int = 0) -> str:
        with pytest.raises(Refusal) as refused:
            self.referee.act(act, T0 + at, self.past)
        return refused.value.why

    def past(self) -> list[Event]:
        return [read_event(GAME, entry) for entry in self.store.read(self.referee.match)]

    def choose(self, seat: Seat, at: int = 0) -> None:
        asked = next(asked for asked in self.referee.state.asked if asked.seat == seat)
        choice = GAME.revive_decision(asked).form(self.referee.state).sample(random.Random(1).randrange)
        put(self.store, self.referee, self.referee.choose(seat, asked.number, choice, Chosen(seat, 0), T0 + at))

    def number(self, seat: Seat) -> int:
        number: int = next(asked.number for asked in self.referee.state.asked if asked.seat == seat)
        return number

    def audited(self) -> AuditReport:
        """The audit's report; opening the record anew comes to the same state and clocks."""
        again = Referee.open(GAME, self.store, self.referee.match)
        assert (again.state, again.clocks) == (self.referee.state, self.referee.clocks)
        return audit(GAME, export.from_store(self.store, self.referee.match))

    @property
    def result(self) -> Result | None:
        result: Result | None = self.referee.state.result
        return result


def offered(seat: Seat, number: int, terms: OfferTerms) -> Offered:
    return Offered(seat, number=number, terms=terms)


def test_clocks_are_set_in_the_second_line() -> None:
    match = Played(bank())
    second = read_event(GAME, match.store.read(match.referee.match)[1])
    assert second == ClocksSet(replace(bank(), taken_back="returned"))
    assert match.refused(ClocksSet(bank())) == "The time control is fixed already."
    assert match.audited().ok


def test_a_control_that_cannot_be_is_not_recorded() -> None:
    with pytest.raises(ValueError, match="needs a limit"):
        created(MemoryStore(), control=TimeControl("bank"))


def test_who_resigns_loses() -> None:
    match = Played()
    assert match.act(Resigned(BO, "r1")) == ["Resigned", "MatchEnded"]
    assert match.result == Result(0, "resigned")
    assert match.refused(Resigned(ADA)) == "The match is over."
    assert match.audited().ok
    assert match.store.header(match.referee.match).result == "seat 0: resigned"


def test_a_draw_needs_the_other() -> None:
    match = Played()
    assert match.act(offered(ADA, 1, Draw())) == ["Offered"]
    assert "not asked for" in match.refused(Agreed(ADA, number=1))
    assert match.act(Agreed(BO, number=1)) == ["Agreed", "OfferAccepted", "MatchEnded"]
    assert match.result == Result(None, "draw agreed")
    assert match.audited().acts == 2


def test_a_choice_declines_the_draw_that_another_offered() -> None:
    match = Played()
    match.act(offered(ADA, 1, Draw()))
    match.choose(ADA)
    assert match.referee.state.table.offer(1) is not None
    match.choose(BO)
    assert match.referee.state.table.offer(1) is None
    assert "not open" in match.refused(Agreed(BO, number=1))
    assert match.audited().ok


def test_what_was_declined_is_not_offered_again_before_the_next_choice() -> None:
    match = Played()
    match.act(offered(ADA, 1, Draw()))
    assert "an offer open" in match.refused(offered(ADA, 2, Abandon()))
    match.act(Declined(BO, number=1))
    assert "declined" in match.refused(offered(ADA, 2, Draw()))
    match.choose(ADA)
    match.act(offered(ADA, 2, Draw()))
    assert match.audited().ok


def test_an_offer_is_taken_back_by_who_made_it() -> None:
    match = Played()
    match.act(offered(ADA, 1, Abandon()))
    match.act(Declined(ADA, number=1))
    assert match.referee.state.table.offers == ()
    assert match.audited().ok


def test_an_offer_has_the_next_number() -> None:
    assert "number 1" in Played().refused(offered(ADA, 2, Draw()))


def test_abandoned_matches_are_void() -> None:
    match = Played()
    match.act(offered(ADA, 1, Abandon()))
    match.act(Agreed(BO, number=1))
    assert match.result == Result(None, "void: abandoned")
    assert match.audited().ok


def test_against_bots_nobody_needs_to_agree_but_no_bot_takes_a_draw() -> None:
    match = Played(None, "person", "bot")
    assert match.act(offered(ADA, 1, Pause(60 * SECOND))) == ["Offered", "OfferAccepted", "MatchPaused"]
    assert match.act(offered(ADA, 2, GoOn())) == ["Offered", "OfferAccepted", "MatchResumed"]
    assert "bot" in match.refused(offered(ADA, 3, Draw()))
    assert match.audited().ok


def test_in_a_pause_nobody_chooses_and_no_time_passes() -> None:
    match = Played(bank())
    before = match.referee.clocks
    assert before is not None
    match.act(offered(ADA, 1, Pause(100 * SECOND)), 0)
    assert match.act(Agreed(BO, number=1), 0)[-1] == "MatchPaused"
    with pytest.raises(MatchStopped):
        match.choose(ADA, 5 * SECOND)
    assert match.referee.clocks is not None
    assert match.referee.clocks.out(T0 + 99 * SECOND) == ()
    assert "not over" in match.refused(MatchResumed(), 99 * SECOND)
    match.act(MatchResumed(), 100 * SECOND)
    match.choose(ADA, 101 * SECOND)
    assert match.referee.clocks.left_at(BO, T0 + 101 * SECOND) == before.left_at(BO, T0 + SECOND)
    assert match.audited().ok


def test_a_pause_in_a_match_without_clocks_ends_by_itself() -> None:
    match = Played()
    match.act(offered(ADA, 1, Pause(100 * SECOND)))
    match.act(Agreed(BO, number=1))
    match.act(MatchResumed(), 100 * SECOND)
    match.choose(ADA, 100 * SECOND)
    assert match.audited().ok


def test_a_time_out_must_be_due() -> None:
    match = Played(bank())
    act = TimeRanOut(ADA, match.number(ADA), "default")
    assert "not over" in match.refused(act, 49 * SECOND)
    assert "means default" in match.refused(TimeRanOut(ADA, match.number(ADA), "random"), 60 * SECOND)


def test_a_choice_after_the_time_is_refused() -> None:
    match = Played(bank())
    match.choose(ADA, 40 * SECOND)
    with pytest.raises(OutOfTime):
        match.choose(BO, 60 * SECOND)


def test_the_default_is_chosen_for_who_has_no_time_left() -> None:
    match = Played(bank())
    default = GAME.revive_decision(match.referee.state.asked[0]).default(match.referee.state)
    assert match.act(TimeRanOut(ADA, match.number(ADA), "default"), 60 * SECOND) == ["TimeRanOut", "Chosen"]
    chosen = read_event(GAME, match.store.read(match.referee.match)[-1])
    assert isinstance(chosen, Chosen)
    assert (chosen.by, chosen.choice) == ("clock", msgspec.to_builtins(default))
    assert match.act(TimeRanOut(BO, match.number(BO), "default"), 60 * SECOND)[:2] == ["TimeRanOut", "Chosen"]
    assert match.audited().ok


def test_a_choice_by_lot_is_recorded_chance_that_nobody_sees_before_the_close() -> None:
    match = Played(bank("random"))
    assert match.act(TimeRanOut(ADA, match.number(ADA), "random"), 60 * SECOND) == ["TimeRanOut", "Shuffled", "Chosen"]
    lot = match.store.read(match.referee.match)[-2]
    assert b'"order"' not in lot.line
    assert match.audited().ok


def test_who_runs_out_first_forfeits() -> None:
    match = Played(TimeControl("bank", 60 * SECOND, 1 * SECOND, "forfeit"))
    match.choose(ADA, 5 * SECOND)
    assert match.act(TimeRanOut(BO, match.number(BO), "forfeit"), 60 * SECOND) == ["TimeRanOut", "MatchEnded"]
    assert match.result == Result(0, "out of time")
    assert match.audited().ok


def test_who_run_out_at_once_draw() -> None:
    match = Played(bank("forfeit"))
    match.act(TimeRanOut(BO, match.number(BO), "forfeit"), 90 * SECOND)
    assert match.result == Result(None, "out of time")
    assert match.audited().ok


def test_a_takeback_that_nobody_agreed_to_is_found_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Played()
    match.choose(ADA)
    line = line_before(match.past(), ADA)
    match.choose(BO)
    assert match.act(offered(ADA, 1, TakeBack(line))) == ["Offered"]
    match.act(Declined(BO, number=1))
    match.choose(match.referee.state.asked[0].seat)
    with monkeypatch.context() as cheating:
        cheating.setattr(kernel_act, "is_unlearnt", lambda *_: True)
        kinds = match.act(offered(ADA, 2, TakeBack(line)))
    assert kinds[:2] == ["Offered", "OfferAccepted"]
    assert kinds[-1] == "PositionSet"
    report = match.audited()
    assert report.fault is not None
    assert "accepted without seat 1" in f"{report.fault}"


def test_a_takeback_goes_to_the_choice_before_one_that_is_taken_back_already() -> None:
    match = Played()
    match.choose(ADA)
    first = line_before(match.past(), ADA)
    assert match.act(offered(ADA, 1, TakeBack(first)))[1] == "OfferAccepted"
    assert line_before(match.past(), ADA) == 0
    match.choose(ADA)
    assert match.act(offered(ADA, 2, TakeBack(line_before(match.past(), ADA))))[1] == "OfferAccepted"
    assert match.audited().ok


@pytest.mark.parametrize(
    "control", [TimeControl("bank", 60 * SECOND, 5 * SECOND), TimeControl("decision", 60 * SECOND)]
)
def test_nobody_gains_time_by_choosing_and_taking_back_again_and_again(control: TimeControl) -> None:
    match = Played(control)
    assert match.referee.clocks is not None
    begun_at = match.referee.clocks.at
    for turn in range(1, 4):
        match.choose(ADA, 10 * SECOND * turn)
        back = TakeBack(line_before(match.past(), ADA))
        assert match.act(offered(ADA, turn, back), 10 * SECOND * turn)[1] == "OfferAccepted"
    assert match.referee.clocks.left[ADA] == 60 * SECOND - (match.referee.clocks.at - begun_at)
    assert match.audited().ok


def test_absence_is_claimed_only_where_it_is_agreed_on_and_long_enough() -> None:
    assert "nothing follows" in Played(bank()).refused(AbsenceClaimed(ADA, absent=BO, absent_ms=99), 99)
    match = Played(TimeControl(absence_ms=60 * SECOND))
    match.choose(ADA, 1 * SECOND)
    assert "60 s" in match.refused(AbsenceClaimed(ADA, absent=BO, absent_ms=59 * SECOND), 80 * SECOND)
    assert "60 s" in match.refused(AbsenceClaimed(ADA, absent=BO, absent_ms=60 * SECOND), 49 * SECOND)
    assert "not wait" in match.refused(AbsenceClaimed(BO, absent=ADA, absent_ms=60 * SECOND), 80 * SECOND)
    assert "Name the seat" in match.refused(AbsenceClaimed(ADA, absent=ADA, absent_ms=60 * SECOND), 80 * SECOND)
    match.act(AbsenceClaimed(ADA, absent=BO, absent_ms=60 * SECOND), 80 * SECOND)
    assert match.result == Result(0, "absence")
    assert match.audited().ok


def test_absence_may_be_claimed_as_a_draw() -> None:
    match = Played(TimeControl(absence_ms=60 * SECOND))
    match.act(AbsenceClaimed(ADA, absent=BO, absent_ms=60 * SECOND, draw=True), 80 * SECOND)
    assert match.result == Result(None, "absence")
    assert match.audited().ok


def test_a_bot_takes_a_seat_by_consent_of_who_holds_it() -> None:
    match = Played()
    match.act(offered(ADA, 1, Replace(BO)))
    assert match.act(Agreed(BO, number=1)) == ["Agreed", "OfferAccepted", "SeatReplaced"]
    assert match.referee.state.table.bots == (BO,)
    assert "no person" in match.refused(offered(ADA, 2, Replace(BO)))
    assert match.audited().ok


def test_a_bot_takes_the_seat_of_who_is_away_without_asking() -> None:
    match = Played(TimeControl(absence_ms=60 * SECOND))
    away = offered(ADA, 1, Replace(BO, "random", 60 * SECOND))
    assert "60 s" in match.refused(away, 20 * SECOND)
    assert match.act(away, 61 * SECOND) == ["Offered", "OfferAccepted", "SeatReplaced"]
    assert match.audited().ok


def test_vacation_is_taken_as_long_as_there_is_some() -> None:
    match = Played(TimeControl("days", DAY_MS, vacation_ms=3 * DAY_MS))
    assert "not as long" in match.refused(VacationTaken(ADA, length_ms=4 * DAY_MS))
    assert "not on vacation" in match.refused(VacationEnded(ADA))
    match.act(VacationTaken(ADA, length_ms=2 * DAY_MS))
    assert match.referee.clocks is not None
    assert match.referee.clocks.out(T0 + 2 * DAY_MS) == (BO,)
    match.act(VacationEnded(ADA), DAY_MS // 2)
    assert match.referee.clocks.unused(ADA, T0 + DAY_MS) == 5 * DAY_MS // 2
    assert match.audited().ok
    assert "no vacation" in Played(bank()).refused(VacationTaken(ADA, length_ms=DAY_MS))


def test_the_time_without_the_server_is_between_the_last_line_and_now() -> None:
    match = Played(bank())
    assert "cannot have been" in match.refused(ServerReturned(START, T0 + SECOND), 2 * SECOND)
    assert "cannot have been" in match.refused(ServerReturned(T0, T0 + 3 * SECOND), 2 * SECOND)
    match.act(ServerReturned(T0 + SECOND, T0 + 500 * SECOND), 501 * SECOND)
    match.choose(ADA, 540 * SECOND)
    assert match.audited().ok


def test_nothing_is_acted_before_the_beginning_or_by_what_is_no_act() -> None:
    store = MemoryStore()
    referee = created(store)
    for act in (Resigned(ADA), VacationTaken(ADA, length_ms=DAY_MS), offered(ADA, 1, Draw()), MatchPaused(5)):
        with pytest.raises(Refusal):
            referee.act(act, T0)


@pytest.mark.parametrize("then", ["forfeit", "default", "random"])
def test_a_time_out_that_was_not_due_is_found_by_the_audit(then: Any) -> None:
    match = Played(bank(then))
    assert match.referee.clocks is not None
    match.referee.clocks = replace(match.referee.clocks, left=(0, 50 * SECOND))  # what a cheating server would do
    match.act(TimeRanOut(ADA, match.number(ADA), then), 30 * SECOND)
    report = audit(GAME, export.from_store(match.store, match.referee.match))
    assert report.fault is not None
    assert "time" in report.fault.wrong
    assert "is not over" in report.fault.wrong
    kinds = [entry.type for entry in match.store.read(match.referee.match)]
    assert kinds[report.fault.line - 1] == "TimeRanOut"


def test_a_choice_that_came_too_late_is_found_by_the_audit() -> None:
    match = Played(bank())
    assert match.referee.clocks is not None
    match.referee.clocks = replace(match.referee.clocks, left=(90 * SECOND, 90 * SECOND))
    match.choose(ADA, 70 * SECOND)
    report = audit(GAME, export.from_store(match.store, match.referee.match))
    assert report.fault is not None
    assert report.fault.wrong == "seat 0 chooses after its time was over"


@pytest.mark.parametrize("act", [Resigned(ADA), Agreed(ADA, number=1), GoOn])
def test_over_is_over(act: Any) -> None:
    match = Played()
    match.act(Resigned(BO))
    with pytest.raises(MatchOver):
        match.referee.act(offered(ADA, 1, act()) if act is GoOn else act, T0)


def test_a_lot_is_even_and_the_same_for_the_same_shuffle() -> None:
    rng = random.Random(4)
    orders = [rng.sample(range(256), 256) for _ in range(200)]
    drawn = [below(6) for order in orders for below in [numbers_of(order)] for _ in range(30)]
    assert drawn == [below(6) for order in orders for below in [numbers_of(order)] for _ in range(30)]
    assert all(900 < drawn.count(face) < 1_100 for face in range(6))


def test_every_order_is_another_lot() -> None:
    assert {numbers_of(order)(24) for order in permutations(range(4))} == set(range(24))


def test_every_act_is_told_in_a_sentence() -> None:
    match = Played(TimeControl("days", DAY_MS, vacation_ms=3 * DAY_MS, absence_ms=SECOND))
    match.act(VacationTaken(ADA, length_ms=DAY_MS))
    match.act(VacationEnded(ADA))
    match.act(offered(ADA, 1, Pause(SECOND)))
    match.act(Declined(BO, number=1))
    match.act(offered(ADA, 2, Replace(BO, absent_ms=SECOND)), 90 * SECOND)
    told = []
    state: Any = None
    for entry in match.store.read(match.referee.match):
        event = read_event(GAME, entry)
        after = GAME.fold((event,), state)
        told.append(narrate_table(state, after, event))
        state = after
    assert [line for line in told if line] == [
        "Time: 1 day for each move, 3 days of vacation; when time is over, the safe choice is made.",
        "Player 0 is on vacation for 1 day.",
        "Player 0 is back from vacation.",
        "Player 0 offers a pause of 1 second.",
        "Player 1 declines.",
        "Player 0 offers that the random bot plays for Player 1, who has been away for 1 second.",
        "The random bot plays for Player 1 from now on.",
    ]
    assert "" in told
    assert NotNow.code == "not-now"
