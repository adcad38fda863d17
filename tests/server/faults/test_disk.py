"""A process that is killed, or whose disk fails, at its k-th write or sync: what it told is there after the restart."""

import pytest

from tests.server.faults.trials import trials

pytestmark = [pytest.mark.gcc, pytest.mark.timeout(600)]
ENDS = {
    "killed": "killed",
    "killed amid a write": "killed",
    "full for a while": "finished",
    "full for ever": "stopped",
    "a write fails": "stopped",
    "a sync fails": "stopped",
    "every sync fails": "stopped",
}


def endings(fault: str, **given: int) -> set[str]:
    """How the children ended; nothing was lost in any of them."""
    found = list(trials(fault, **given))
    assert len(found) > 3
    assert [case for case in found if case["lost"]] == []
    assert sum(case["told"] for case in found) > 0, "the fault never came late enough to find anything told"
    return {case["ended"] for case in found}


@pytest.mark.whole
def test_killed_at_a_write_or_sync_nothing_told_is_lost() -> None:
    assert "killed" in endings("killed", stride=4)


@pytest.mark.parametrize(
    ("fault", "stride"),
    [
        ("killed amid a write", 9),
        pytest.param("full for a while", 7, marks=pytest.mark.whole),
        pytest.param("full for ever", 17, marks=pytest.mark.whole),
    ],
)
def test_a_torn_write_or_a_full_disk_loses_nothing(fault: str, stride: int) -> None:
    assert ENDS[fault] in endings(fault, stride=stride)


@pytest.mark.parametrize(
    ("fault", "stride"),
    [
        ("a write fails", 9),
        *(
            pytest.param(f"{which} sync fails", stride, marks=pytest.mark.whole)
            for which, stride in (("a", 2), ("every", 3))
        ),
    ],
)
def test_after_a_disk_error_the_server_stops_and_nothing_told_is_lost(fault: str, stride: int) -> None:
    assert ENDS[fault] in endings(fault, stride=stride)


def test_a_power_cut_loses_nothing_told() -> None:
    assert endings("power cut", stride=60) == {"killed"}


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fault", ENDS)
def test_a_whole_match_with_a_fault_at_every_call(fault: str) -> None:
    assert ENDS[fault] in endings(fault, rounds=3)


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_a_thousand_power_cuts_lose_nothing_told() -> None:
    assert endings("power cut", rounds=3, stride=1000, seed=2) == {"killed"}
