"""Strength by budget: every deal from all sides, matches that are kept are not played again."""

from pathlib import Path

import pytest

from scripts.benchmarks import strength
from scripts.benchmarks.measure import Report, Strength
from scripts.benchmarks.strength import Met, Task, met, strengths


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """What is played; the first of each two matches is won, with 100 ms the second too."""
    tasks: list[Task] = []

    def play(task: Task) -> Met:
        tasks.append(task)
        return Met(task, float(task.number % 2 == 0 or task.budget_ms == 100))

    monkeypatch.setattr(strength, "met", play)
    return tasks


def test_the_share_stands_beside_each_budget(played: list[Task]) -> None:
    low, high = strengths("vera_discordia", (10.0, 100.0), 4)
    assert (low.budget_ms, low.matches, low.share) == (10, 4, 0.5)
    assert (high.budget_ms, high.matches, high.share) == (100, 4, 1.0)
    assert 0 < low.low < 0.5 < low.high < 1
    assert {task.number for task in played} == {0, 1, 2, 3}


def test_it_goes_on_with_what_is_kept(played: list[Task], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    strengths("vera_discordia", (10.0,), 2, kept=kept)
    (more,) = strengths("vera_discordia", (10.0,), 3, kept=kept)
    assert [task.number for task in played] == [0, 1, 2]
    assert more.matches == 3
    assert more.share == pytest.approx(2 / 3)
    strengths("war_for_edadh", (10.0,), 1, kept=kept)
    assert len(played) == 4


def test_matches_with_other_options_are_other_matches(played: list[Task], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    strengths("war_for_edadh", (10.0,), 1, kept=kept)
    for _ in range(2):
        strengths("war_for_edadh", (10.0,), 1, kept=kept, options={"quick_start": True})
    assert [task.options for task in played] == ["{}", '{"quick_start":true}']


def test_a_match_is_won_lost_or_drawn() -> None:
    found = met(Task("vera_discordia", 0.01, 1))
    assert found.share in {0.0, 0.5, 1.0}
    assert met(Task("war_for_edadh", 0.01, 1, '{"quick_start":true}')).share in {0.0, 0.5, 1.0}


def test_the_table_and_the_json_hold_the_interval() -> None:
    report = Report("search", "about", (), (Strength(250, 10, 0.7, 0.4, 0.89),))
    assert report.text().splitlines()[-1].split() == ["250", "10", "70%", "40%", "to", "89%"]
    assert '"strengths": [{"budget_ms": 250, "matches": 10, "share": 0.7' in report.json()
