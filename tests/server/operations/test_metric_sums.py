"""One page of metrics out of several: what is added, what is not, and that the page is as the format wants it."""

import pytest

from replay.store.health import GROUP_BOUNDS, Pulse
from server.operations.metric_sums import LEAST, MOST, counted, joined, summed
from server.operations.metrics import Meters, RegistryState, exposition


def page(accepted: int, refused: dict[str, int], *, hosts: int = 1, is_ready: bool = True) -> str:
    meters = Meters()
    meters.accepted = accepted
    meters.refused.update(refused)
    meters.commit(0.002)
    pulse = Pulse("", 1, 5, (0,) * (len(GROUP_BOUNDS) + 1), 1000, 10)
    return exposition(meters, RegistryState(hosts, {"seat": 2}, 0, is_ready), {"running": 7}, pulse)


def values(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == len({line.rpartition(" ")[0] for line in lines})
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_what_each_process_counts_is_added() -> None:
    found = values(summed([page(3, {"stale": 1}, hosts=2), page(4, {"stale": 2, "other": 5})], 2))
    assert found["herald_choices_accepted_total"] == 7
    assert found['herald_choices_refused_total{code="stale"}'] == 3
    assert found['herald_choices_refused_total{code="other"}'] == 5
    assert found["herald_matches_in_memory"] == 3
    assert found['herald_connections{kind="seat"}'] == 4
    assert found["herald_commit_seconds_count"] == found['herald_commit_seconds_bucket{le="+Inf"}'] == 2
    assert found["herald_processes"] == 2


def test_what_all_tell_of_the_same_thing_is_not_added() -> None:
    found = values(summed([page(1, {}), page(1, {}, is_ready=False)], 2))
    assert found['herald_matches{status="running"}'] == 7
    assert found["herald_database_bytes"] == 1000
    assert found["herald_ready"] == 0


@pytest.mark.parametrize("name", [*MOST, *LEAST])
def test_the_exceptions_are_metrics_that_there_are(name: str) -> None:
    assert any(sample.partition("{")[0] == name for sample in values(page(1, {})))


def test_samples_stand_below_the_head_of_their_family() -> None:
    lines = joined([page(1, {}), page(1, {"late": 2})]).splitlines()
    at = lines.index('herald_choices_refused_total{code="late"} 2')
    assert lines[at - 1] == "# TYPE herald_choices_refused_total counter"
    assert sum(line.startswith("# TYPE herald_choices_refused_total ") for line in lines) == 1


def test_what_a_process_that_is_gone_has_counted_is_its_counters_and_histograms() -> None:
    told = page(3, {"stale": 1})
    found = values(counted(told))
    assert found["herald_choices_accepted_total"] == 3
    assert found['herald_choices_refused_total{code="stale"}'] == found["herald_commit_seconds_count"] == 1
    assert all("_total" in name or "_seconds_" in name or "_commits_" in name for name in found)
    assert values(told).keys() - found.keys() >= {"herald_ready", "herald_matches_in_memory"}
    assert values(joined([page(4, {}), counted(told)]))["herald_choices_accepted_total"] == 7
    assert joined([told, ""]) == joined([told])
