"""A whole `herald serve` whose disk fails with EIO: it ends with status 74, and nothing that it told is lost."""

from pathlib import Path

import pytest

from server.wire.protocol import Created
from tests.server.faults import processes
from tests.server.faults.processes import FAULTS, Trial, eio

pytestmark = pytest.mark.gcc

FIRST, *OTHERS = FAULTS


@pytest.mark.parametrize("fault", [pytest.param(fault, marks=pytest.mark.whole) for fault in (FIRST, *OTHERS)])
def test_eio_ends_the_process_with_status_74_and_nothing_told_is_lost(tmp_path: Path, fault: str) -> None:
    found = eio(tmp_path / "herald.sqlite", fault)
    assert found.lost == []
    assert found.came["ended with status 74"] == 1
    assert found.came["played to the end after a restart"] == 1
    assert found.came["lines told"] > 0


def test_a_choice_that_is_not_in_the_record_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "recorded", lambda *_: {"0-1": 5})
    trial = Trial(tmp_path / "herald.sqlite", "the next write")
    trial.made = Created("m", {})
    trial.judge_accepted({"0-1": 5})
    assert trial.found.lost == []
    trial.judge_accepted({"0-1": 5, "1-2": 8})
    assert len(trial.found.lost) == 1
