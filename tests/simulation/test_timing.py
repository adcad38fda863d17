"""The judge of a run's times: whose time ran out had all of it, before and after a takeback."""

import pytest

from domain.kernel import (
    Asked,
    ClocksSet,
    DecisionsOpened,
    Event,
    OfferAccepted,
    PositionSet,
    Seat,
    TakeBack,
    TimeControl,
    TimeRanOut,
)
from tests.simulation.timing import judge_times

ADA, BO = Seat(0), Seat(1)
TEN_S = TimeControl("decision", 10_000, taken_back="returned")


def asks(number: int, *seats: Seat) -> DecisionsOpened:
    return DecisionsOpened(tuple(Asked(number + i, seat, "Pursuit", {}) for i, seat in enumerate(seats)))


def taken_back(out: Seat, at: float) -> list[tuple[Event, float]]:
    """Both are asked at 1 s; Ada is asked again at 5 s, takes back at 6 s with Bo's agreement; then a time runs out."""
    return [
        (ClocksSet(TEN_S), 0),
        (asks(1, ADA, BO), 1),
        (asks(3, ADA), 5),
        (OfferAccepted(1, ADA, (BO,), TakeBack(2)), 6),
        (PositionSet({}, 2), 6),
        (TimeRanOut(out, 4, "default"), at),
    ]


def test_a_time_that_ran_out_early_is_found() -> None:
    with pytest.raises(AssertionError, match="ran out after"):
        judge_times([(ClocksSet(TEN_S), 0), (asks(1, ADA), 1), (TimeRanOut(ADA, 1, "default"), 10)])
    assert judge_times([(ClocksSet(TEN_S), 0), (asks(1, ADA), 1), (TimeRanOut(ADA, 1, "default"), 11)])


def test_a_seat_that_takes_back_has_what_it_used_up_before_counted_against_it() -> None:
    assert judge_times(taken_back(ADA, 11))["time-outs: default"] == 1
    with pytest.raises(AssertionError, match="ran out after"):
        judge_times(taken_back(ADA, 10))


def test_a_seat_that_agrees_has_its_time_again() -> None:
    assert judge_times(taken_back(BO, 16))["taken back"] == 1
    with pytest.raises(AssertionError, match="ran out after"):
        judge_times(taken_back(BO, 15))
