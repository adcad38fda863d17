"""Clocks fold from events and the times of their lines, and from nothing else."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import (
    Asked,
    Chosen,
    Clocks,
    ClocksSet,
    DecisionsOpened,
    Event,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    OutOfTime,
    Result,
    Seat,
    SeatTaken,
    ServerReturned,
    TakeBack,
    TimeControl,
    VacationEnded,
    VacationTaken,
    check_in_time,
    follow,
)
from domain.kernel.clock import NEVER
from domain.kernel.table import DAY_MS
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
BANK = TimeControl("bank", 60_000, 5_000)
SLOW = TimeControl("days", 3 * DAY_MS, vacation_ms=10 * DAY_MS)


def asks(number: int, *seats: Seat) -> DecisionsOpened:
    return DecisionsOpened(
        tuple(Asked(number + i, seat, "Pursuit", {"by": seat}) for i, seat in enumerate(seats)), True
    )


def clocks_after(control: TimeControl, *timed: tuple[int, Event]) -> Clocks:
    """A match that begins at 0, then these (time, event)."""
    events: list[tuple[int, Event]] = [
        (0, MatchCreated(GAME.name, {}, ("", ""))),
        (0, ClocksSet(control)),
        (0, SeatTaken(ADA, "Ada")),
        (0, SeatTaken(BO, "Bo")),
        (0, MatchBegun()),
        *timed,
    ]
    state: Any = None
    clocks = None
    for line, (at, event) in enumerate(events, 1):
        clocks = follow(GAME, clocks, state, (event,), at, line)
        state = GAME.fold((event,), state)
    assert clocks is not None
    return clocks


def test_without_a_control_there_are_no_clocks() -> None:
    assert follow(GAME, None, GAME.created(MatchCreated(GAME.name, {}, ("", ""))), (MatchBegun(),), 5, 2) is None


def test_who_is_asked_uses_up_time_and_who_answers_gets_the_increment() -> None:
    asked = clocks_after(BANK, (1_000, asks(1, ADA)))
    assert asked.runs == (ADA,)
    assert (asked.left_at(ADA, 1_000), asked.left_at(ADA, 11_000), asked.left_at(BO, 11_000)) == (
        60_000,
        50_000,
        60_000,
    )
    answered = clocks_after(BANK, (1_000, asks(1, ADA)), (11_000, Chosen(ADA, 1)))
    assert answered.left == (55_000, 60_000)
    assert answered.runs == ()


def test_simultaneous_decisions_run_every_pending_seat() -> None:
    both = clocks_after(BANK, (0, asks(1, ADA, BO)))
    assert both.runs == (ADA, BO)
    one = clocks_after(BANK, (0, asks(1, ADA, BO)), (20_000, Chosen(ADA, 1)))
    assert one.runs == (BO,)
    assert (one.left_at(ADA, 30_000), one.left_at(BO, 30_000)) == (45_000, 30_000)


def test_a_limit_per_decision_begins_anew_with_each() -> None:
    control = TimeControl("decision", 30_000)
    again = clocks_after(control, (0, asks(1, ADA)), (29_000, Chosen(ADA, 1)), (29_000, asks(2, ADA)))
    assert again.left == (30_000, 30_000)


def test_a_choice_by_the_clock_earns_no_increment() -> None:
    late = clocks_after(BANK, (0, asks(1, ADA)), (70_000, Chosen(ADA, 1, by="clock")))
    assert late.left == (0, 60_000)


def test_time_is_over_at_its_last_millisecond() -> None:
    clocks = clocks_after(BANK, (0, asks(1, ADA, BO)))
    assert clocks.next_due() == 60_000
    assert clocks.out(59_999) == ()
    assert clocks.out(60_000) == (ADA, BO)
    check_in_time(clocks, ADA, 59_999)
    with pytest.raises(OutOfTime):
        check_in_time(clocks, ADA, 60_000)


def test_who_ran_out_first_comes_first() -> None:
    clocks = clocks_after(BANK, (0, asks(1, ADA)), (9_000, Chosen(ADA, 1)), (9_000, asks(2, BO, ADA)))
    assert clocks.out(100_000) == (ADA, BO)


def test_what_a_choice_earned_goes_back_with_it() -> None:
    chosen = (10_000, Chosen(ADA, 1))
    back = (12_000, OfferAccepted(1, ADA, (), TakeBack(5)))
    assert clocks_after(BANK, (0, asks(1, ADA, BO)), chosen).left[ADA] == 55_000
    assert clocks_after(BANK, (0, asks(1, ADA, BO)), chosen, back).left[ADA] == 50_000


ALL_BANK = TimeControl("bank", 60_000, 5_000, taken_back="all")
ALL_EACH = TimeControl("decision", 60_000, taken_back="all")
FIRST, SECOND = (10_000, Chosen(ADA, 1)), (11_000, Chosen(ADA, 2))
"""The lines 7 and 9, each after a line that asks: Ada has 60 s at 0, and chooses at 10 s and at 11 s."""


def taken_back(control: TimeControl, at: int, line: int) -> Clocks:
    """Both choices made, then all taken back that came after the line."""
    back = (at, OfferAccepted(1, ADA, (), TakeBack(line)))
    return clocks_after(control, (0, asks(1, ADA)), FIRST, (10_000, asks(2, ADA)), SECOND, (11_000, asks(3, ADA)), back)


def test_nobody_gains_time_by_choosing_and_taking_back_from_a_bank() -> None:
    assert taken_back(ALL_BANK, 12_000, 6).left[ADA] == 48_000
    assert taken_back(ALL_BANK, 12_000, 8).left[ADA] == 53_000


def test_nobody_gains_time_by_choosing_and_taking_back_a_decision() -> None:
    assert taken_back(ALL_EACH, 12_000, 6).left[ADA] == 48_000
    assert taken_back(ALL_EACH, 12_000, 8).left[ADA] == 58_000
    assert taken_back(ALL_EACH, 80_000, 6).left[ADA] == 0


def test_a_choice_that_stands_keeps_what_it_gained_when_a_later_one_is_taken_back() -> None:
    kept = taken_back(ALL_BANK, 12_000, 8)
    assert [(one.line, one.left) for one in kept.before] == [(7, 48_000)]


def test_once_another_seat_has_chosen_only_the_increment_is_taken_off_by_agreement() -> None:
    other, back = (11_000, Chosen(BO, 2)), (12_000, OfferAccepted(1, ADA, (BO,), TakeBack(6)))
    clocks = clocks_after(ALL_BANK, (0, asks(1, ADA, BO)), FIRST, other, back)
    assert clocks.left[ADA] == 50_000
    assert clocks.before == ()


RETURNED = TimeControl("bank", 60_000, 5_000, taken_back="returned")


def agreed(control: TimeControl, *seats: Seat, line: int = 6) -> Clocks:
    """Ada has chosen at 10 s; Bo has thought for 30 s, chosen, and thought again until 50 s, when all goes back."""
    played = (0, asks(1, ADA)), FIRST, (10_000, asks(2, BO)), (40_000, Chosen(BO, 2)), (40_000, asks(3, BO))
    return clocks_after(control, *played, (50_000, OfferAccepted(1, ADA, seats, TakeBack(line))))


def test_a_seat_that_agrees_to_a_takeback_has_again_what_it_had_there() -> None:
    assert agreed(RETURNED, BO).left == (50_000, 60_000)
    assert agreed(RETURNED, BO, line=8).left[BO] == 60_000
    assert agreed(RETURNED, BO, line=10).left[BO] == 35_000


def test_a_seat_that_was_not_asked_has_thought_for_itself() -> None:
    assert agreed(RETURNED).left[BO] == 25_000


def test_in_matches_of_before_a_seat_that_agrees_keeps_the_loss() -> None:
    assert agreed(replace(RETURNED, taken_back="all"), BO).left[BO] == 25_000
    assert agreed(replace(RETURNED, taken_back="all"), BO).marks == ()


def test_a_limit_per_decision_is_whole_again_for_the_seat_that_agrees() -> None:
    each = TimeControl("decision", 60_000, taken_back="returned")
    played = (0, asks(1, BO, ADA)), (10_000, Chosen(ADA, 2))
    back = (30_000, OfferAccepted(1, ADA, (BO,), TakeBack(6)))
    assert clocks_after(each, *played, back).left == (50_000, 60_000)


def test_no_clock_runs_in_a_pause() -> None:
    paused = clocks_after(BANK, (0, asks(1, ADA)), (10_000, MatchPaused(30_000)))
    assert (paused.runs, paused.next_due(), paused.left_at(ADA, 35_000)) == ((), 40_000, 50_000)
    resumed = clocks_after(BANK, (0, asks(1, ADA)), (10_000, MatchPaused(30_000)), (45_000, MatchResumed()))
    assert (resumed.runs, resumed.left_at(ADA, 46_000)) == ((ADA,), 49_000)


def test_time_without_the_server_is_nobodys() -> None:
    back = clocks_after(BANK, (0, asks(1, ADA)), (500_000, ServerReturned(10_000, 490_000)))
    assert back.left == (40_000, 60_000)


def test_a_clock_stands_on_vacation_which_is_used_up() -> None:
    away = clocks_after(SLOW, (0, asks(1, ADA)), (DAY_MS, VacationTaken(ADA, length_ms=4 * DAY_MS)))
    assert away.due_at(ADA) == (1 + 4 + 2) * DAY_MS
    assert away.left_at(ADA, 3 * DAY_MS) == 2 * DAY_MS
    assert away.vacation == (6 * DAY_MS, 10 * DAY_MS)


def test_who_is_back_early_keeps_the_rest_of_the_vacation() -> None:
    taken = (DAY_MS, VacationTaken(ADA, length_ms=4 * DAY_MS))
    back = clocks_after(SLOW, (0, asks(1, ADA)), taken, (2 * DAY_MS, VacationEnded(ADA)))
    assert back.vacation == (9 * DAY_MS, 10 * DAY_MS)
    assert back.due_at(ADA) == 4 * DAY_MS


def test_vacation_and_downtime_are_not_counted_twice() -> None:
    taken = (DAY_MS, VacationTaken(ADA, length_ms=2 * DAY_MS))
    back = (5 * DAY_MS, ServerReturned(2 * DAY_MS, 4 * DAY_MS))
    assert clocks_after(SLOW, (0, asks(1, ADA)), taken, back).left[ADA] == DAY_MS


def test_nothing_runs_when_the_match_is_over() -> None:
    over = clocks_after(BANK, (0, asks(1, ADA)), (1, MatchEnded(Result(None, "tie"))))
    assert (over.runs, over.next_due()) == ((), NEVER)


def test_a_time_before_the_last_line_gives_nothing_back() -> None:
    clocks = clocks_after(BANK, (10_000, asks(1, ADA)), (4_000, Chosen(ADA, 1)))
    assert (clocks.at, clocks.left[ADA]) == (10_000, 65_000)


@pytest.mark.parametrize(
    ("control", "fault"),
    [
        (TimeControl(), ""),
        (BANK, ""),
        (SLOW, ""),
        (TimeControl("bank"), "needs a limit"),
        (TimeControl("none", 5_000), "needs a limit"),
        (TimeControl("decision", 999), "at least a second"),
        (TimeControl("decision", 9_000, 1), "increment"),
        (TimeControl("bank", 9_000, vacation_ms=1), "vacation"),
        (TimeControl("bank", -1), "times of a match"),
    ],
)
def test_a_control_that_nobody_can_play_by_says_why(control: TimeControl, fault: str) -> None:
    assert fault in control.fault()
    assert bool(control.fault()) is bool(fault)
