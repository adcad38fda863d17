"""The server's core over virtual time, network and disk: what was accepted is kept, whatever goes wrong.

What a run checks is said in docs/testing.md. A failure names its seed; `./scripts/faults simulate --seed N` shows the
run again, step by step.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from replay.sqlite import SqliteStore, _Task
from replay.store import Append, Commit, Committed, Entry
from server.host import Host
from tests.simulation.loop import Stuck
from tests.simulation.world import Failed, run

ROOT = Path(__file__).parents[2]
BLOCK = 20
TRACES = "from tests.simulation.world import run\nfor seed in (3, 14, 15): print(run(seed).trace)"


@pytest.mark.parametrize("block", range(10))
def test_nothing_accepted_is_lost_doubled_or_reordered_whatever_goes_wrong(block: int) -> None:
    choices = sum(run(seed).choices for seed in range(block * BLOCK, (block + 1) * BLOCK))
    assert choices > BLOCK


@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("block", range(10))
def test_nothing_is_lost_in_thousands_of_runs(block: int) -> None:
    for seed in range(1000 + block * 500, 1500 + block * 500):
        run(seed)


def traces(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", TRACES], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_one_seed_is_one_run_to_the_last_byte() -> None:
    assert run(5) == run(5)
    assert traces("1") == traces("2")


def test_another_seed_is_another_run() -> None:
    assert run(5).trace != run(6).trace


def first_failure() -> str:
    """What the simulation says of a server that breaks a promise, within thirty runs."""
    for seed in range(30):
        try:
            run(seed)
        except Failed as failed:
            if not isinstance(failed.__cause__, Stuck):
                return f"{failed} {failed.__cause__!r}"
    return "nothing was noticed"


def test_a_server_that_tells_before_it_has_written_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(self: SqliteStore, commit: Commit) -> "Future[Append]":
        self._put(_Task(commit))
        answered: Future[Append] = Future()
        answered.set_result(Committed(commit.entries[-1].seq))
        return answered

    monkeypatch.setattr(SqliteStore, "submit", submit)
    found = first_failure()
    assert re.search(r"seed \d+; the last of its \d+ steps", found)
    assert "on the disk" in found


def test_a_server_that_forgets_what_it_accepted_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "_note", lambda *_: None)
    assert first_failure() != "nothing was noticed"


def test_a_server_that_shows_a_secret_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(entry: Entry, viewer: object) -> Any:
        return (entry.line.decode(), tuple((slot, value.decode()) for slot, value in enumerate(entry.openings)))

    monkeypatch.setattr("server.host.wire_item", everything)
    assert first_failure() != "nothing was noticed"


def test_a_disk_that_loses_what_it_kept_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.simulation.disk import Connection

    def commit(self: Connection) -> Any:
        self._disk.durable.keep(self._records)
        return self._real.execute("ROLLBACK" if self._disk._rng.random() < 0.05 else "COMMIT")

    monkeypatch.setattr(Connection, "_commit", commit)
    assert first_failure() != "nothing was noticed"
