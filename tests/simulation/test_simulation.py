"""The server's core over virtual time, network and disk: what was accepted is kept, whatever goes wrong.

What a run checks is said in docs/testing.md. A failure names its seed; `./scripts/faults simulate --seed N` shows the
run again, step by step.
"""

import gc
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, deque
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from replay.store.log import Append, Commit, Committed
from replay.store.matches import Header
from replay.store.sqlite.store import SqliteStore
from replay.store.sqlite.tasks import Task
from server.gate.dispatcher import welcome_to
from server.table.admission import Admission
from server.table.audience import SplitLine
from server.table.broadcaster import Broadcaster
from server.table.clocks import SteadyClock
from server.table.connections import Connections
from server.table.delay import Backlog
from server.table.guests import Guest
from server.table.live_match import LiveMatch
from server.table.seats import Seats
from server.table.views import ViewAnswers
from server.wire.protocol import Events, HeadInfo, Snapshot
from tests.simulation.loop import Stuck
from tests.simulation.person import Person
from tests.simulation.world import Failed, run

ROOT = Path(__file__).parents[2]
TRACES = "from tests.simulation.world import run\nfor seed in (3, 14, 15): print(run(seed).trace)"


WHOLE = pytest.param(range(10, 35), marks=pytest.mark.whole)
DEEP = [
    pytest.param(range(first, first + 25), marks=[pytest.mark.deep, pytest.mark.timeout(1200)])
    for first in range(35, 210, 25)
]


@pytest.mark.parametrize("seeds", [range(10), WHOLE, *DEEP], ids=str)
def test_nothing_accepted_is_lost_doubled_or_reordered_whatever_goes_wrong(seeds: range) -> None:
    outcomes = [run(seed) for seed in seeds]
    assert sum(outcome.choices for outcome in outcomes) > len(seeds)
    times = sum((Counter(outcome.times) for outcome in outcomes), Counter[str]())
    assert sum(count for what, count in times.items() if what.startswith("time-outs")) > 0
    faults = sum((Counter(outcome.faults) for outcome in outcomes), Counter[str]())
    assert min(faults["hint lost"], faults["hint late"], faults["hint doubled"]) > 0
    assert min(faults["disk lost"], faults["disk lost-after"]) > 0


@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("block", range(10))
def test_nothing_is_lost_in_thousands_of_runs(block: int) -> None:
    for seed in range(1000 + block * 500, 1500 + block * 500):
        run(seed)


def test_steps_are_put_to_no_scene_but_the_one_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # A spectator has seen line 36; after a restart with the wall clock set back he may see up to 31 only.
    asked: list[Any] = []
    monkeypatch.setattr(Person, "_ask_for_more", lambda _, link: asked.append(link))
    world: Any = SimpleNamespace(rng=random.Random(1), faults=Counter())
    link: Any = "link"
    watcher = Person(world, "w", "m", "", scenes=True)
    watcher._take(link, Snapshot(36, {"a": 36}, HeadInfo(36, "")))
    watcher._take(link, Snapshot(31, {"a": 31}, HeadInfo(31, "")))
    asked.clear()
    watcher._step(link, Events(32, 37, (), HeadInfo(37, ""), ({"set": {"a": 37}},)))
    assert (watcher._scene, asked) == ({"a": 36}, [link])
    watcher._take(link, Snapshot(37, {"a": 37}, HeadInfo(37, "")))
    watcher._step(link, Events(38, 40, (), HeadInfo(40, ""), ({"set": {"a": 40}},)))
    assert watcher._scene == {"a": 40}
    run(702022)


def open_files() -> list[int]:
    gc.collect()
    found = []
    for number in range(1024):
        with suppress(OSError):
            os.fstat(number)
            found.append(number)
    return found


@pytest.mark.whole
def test_a_run_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    run(0)
    before = open_files()
    assert sum(run(seed).faults.get("crash", 0) for seed in range(1, 6)) > 5
    assert open_files() == before
    monkeypatch.setattr(Backlog, "_is_due", lambda *_: True)
    assert "are to be kept back" in first_failure()
    assert open_files() == before


def traces(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", TRACES], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.whole
def test_one_seed_is_one_run_to_the_last_byte() -> None:
    assert run(5) == run(5)
    assert traces("1") == traces("2")


def test_another_seed_is_another_run() -> None:
    assert run(5).trace != run(6).trace


def first_failure(seeds: range = range(30)) -> str:
    """What the simulation says of a server that breaks a promise, within thirty runs or so."""
    for seed in seeds:
        try:
            run(seed)
        except Failed as failed:
            if not isinstance(failed.__cause__, Stuck):
                return f"{failed} {failed.__cause__!r}"
    return "nothing was noticed"


def test_a_server_that_tells_before_it_has_written_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(self: SqliteStore, commit: Commit) -> "Future[Append]":
        assert self._writer is not None
        self._writer.submit(Task(commit))
        answered: Future[Append] = Future()
        answered.set_result(Committed(commit.entries[-1].seq))
        return answered

    monkeypatch.setattr(SqliteStore, "submit", submit)
    found = first_failure()
    assert re.search(r"seed \d+; the last of its \d+ steps", found)
    assert "on the disk" in found


def test_a_server_that_forgets_what_it_accepted_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Seats, "_note", lambda *_: None)
    assert first_failure() != "nothing was noticed"


def test_a_server_that_leaves_out_the_end_of_what_another_wrote_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = Broadcaster.tell

    def short(self: Any, entries: Any, events: Any, told: Any, *, is_news: bool = False) -> None:
        last = -1 if is_news and len(entries) > 1 else None
        tell(self, entries[:last], events[:last], told[:last], is_news=is_news)

    monkeypatch.setattr(Broadcaster, "tell", short)
    assert "on the disk" in first_failure(range(3, 33))


def test_a_server_that_shows_a_secret_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(self: SplitLine, viewer: object) -> Any:
        return (self.text, tuple((slot, value.decode()) for slot, value in enumerate(self.openings)))

    monkeypatch.setattr(SplitLine, "item", everything)
    assert first_failure() != "nothing was noticed"


def test_a_server_that_lifts_a_delay_too_soon_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Backlog, "_is_due", lambda *_: True)
    assert "are to be kept back" in first_failure()


def test_a_server_that_counts_a_delay_from_a_second_too_late_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    due = Backlog.due

    def early(self: Backlog, *, lifted: bool = False) -> Any:
        self._held = deque(replace(held, due=held.due - 1) for held in self._held)
        return due(self, lifted=lifted)

    monkeypatch.setattr(Backlog, "due", early)
    assert "s old" in first_failure(range(60))


@pytest.mark.whole
def test_a_server_whose_clocks_follow_a_wall_clock_that_is_set_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SteadyClock, "__call__", lambda _: time.time_ns() // 1_000_000)
    # Few runs have a limit that runs while the clock is set: the first of these has.
    assert "ran out after" in first_failure(range(60, 120))


def test_a_server_that_tells_who_is_kept_behind_what_the_clocks_show_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ViewAnswers, "times_for", lambda self, _: self._table_state.times())
    assert "told of the clocks" in first_failure(range(60))


def test_a_server_that_tells_who_is_kept_behind_who_is_there_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Admission, "presence_for", lambda self, _: self._connections.presence())
    assert "who is connected" in first_failure()


def test_a_server_that_lets_one_room_hear_the_other_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.table.admission.room_of", lambda _: "players")
    assert "another room" in first_failure()


def test_a_server_that_forgets_to_send_casters_away_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connections, "unshare", lambda *_: None)
    assert "token was taken back" in first_failure(range(60))


def test_a_server_that_gives_casters_keys_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def generous(live_match: LiveMatch[Any], header: Header, guest: Guest) -> Any:
        return replace(welcome_to(live_match, header, guest), keys=live_match.views.keys_of(guest.viewer))

    monkeypatch.setattr("server.gate.dispatcher.welcome_to", generous)
    assert "a caster is given keys" in first_failure()


def test_a_disk_that_loses_what_it_kept_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.simulation.disk import Connection

    def commit(self: Connection) -> Any:
        self._disk.durable.keep(self._records)
        return self._real.execute("ROLLBACK" if self._disk._rng.random() < 0.05 else "COMMIT")

    monkeypatch.setattr(Connection, "_commit", commit)
    # Without seed 0, which takes a minute and a half until it is found never to end.
    assert first_failure(range(1, 31)) != "nothing was noticed"
