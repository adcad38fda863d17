"""How even the scenarios are: a match, and what is counted of several."""

from scripts.benchmarks.scenarios import Outcome, pace, play, report


def test_a_match_tells_who_won_and_how_long_it_took() -> None:
    times: list[float] = []
    outcome = play({"scenario": "s1_ford_at_brossay"}, 4, times)
    assert outcome.side in {"english", "french"}
    assert (outcome.decisions, outcome.round <= 5) == (len(times), True)
    assert outcome.events > outcome.decisions


def test_a_report_counts_by_side() -> None:
    won = Outcome("english", "most VP", 5, {"english": 7, "french": 3}, 200, 900)
    lost = Outcome("french", "victory condition", 3, {"english": 1, "french": 10}, 120, 600)
    lines = list(report("s1", [won, won, won, lost]))
    assert lines[0].startswith("| s1 | english | 3 | 4 | 75.0% |")
    assert lines[0].endswith("| 5.5 |")
    assert "last round: [(3, 1), (5, 3)]" in lines
    assert "decisions: 120, 200, 200" in lines


def test_the_pace_of_decisions_names_the_slowest() -> None:
    assert pace([1.0] * 99 + [5.0]) == "ms a decision: 1.0 on average, 5.0 in 99 of 100, 5.0 at most"
