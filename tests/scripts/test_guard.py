"""The guard against getting slower: figures with floors of two trees, compared pair by pair."""

import json

import pytest

from scripts.benchmarks.guard import Measured, compared, figures_of
from scripts.benchmarks.measure import Figure, Report

RATE, TIME = ("b", "rate"), ("b", "time")


def pair(rate: tuple[float, float], time: tuple[float, float]) -> tuple[Measured, Measured]:
    return ({RATE: (rate[0], False), TIME: (time[0], True)}, {RATE: (rate[1], False), TIME: (time[1], True)})


def test_figures_with_a_floor_count_as_the_floor_is_meant() -> None:
    figures = (
        Figure("ratio", 50.0, "events/s", "bare", 200.0, floor=0.2, floor_of="ratio"),
        Figure("value", 3.0, "ms", "bare", 2.0, floor=5.0),
        Figure("free", 1.0, "ms"),
    )
    found = figures_of(Report("b", "about", figures).json())
    assert found == {("b", "ratio"): (0.25, False), ("b", "value"): (3.0, True)}
    assert json.loads(Report("b", "about", figures).json())["figures"][2]["name"] == "free"


@pytest.mark.parametrize(("now", "is_worse"), [(96.0, False), (94.0, True), (106.0, False)])
def test_a_rate_is_worse_from_5_percent_less_on(now: float, is_worse: bool) -> None:
    rate, time = compared([pair((100.0, now), (1.0, 1.0))] * 5)
    assert (rate.is_worse, time.is_worse) == (is_worse, False)


@pytest.mark.parametrize(("now", "is_worse"), [(1.04, False), (1.06, True), (0.94, False)])
def test_a_time_is_worse_from_5_percent_more_on(now: float, is_worse: bool) -> None:
    assert [each.is_worse for each in compared([pair((100.0, 100.0), (1.0, now))] * 5)] == [False, is_worse]


def test_the_median_of_the_pairs_counts_and_not_one_bad_moment() -> None:
    pairs = [pair((100.0, 99.0), (1.0, 1.0))] * 3 + [pair((100.0, 20.0), (1.0, 9.0))] * 2
    assert not any(each.is_worse for each in compared(pairs))


def test_a_figure_that_one_tree_lacks_is_left_out() -> None:
    before, now = pair((1.0, 1.0), (1.0, 1.0))
    del before[TIME]
    assert [each.name for each in compared([(before, now)])] == ["b: rate"]
