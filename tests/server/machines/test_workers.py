"""One server of several processes, each of which is killed in turn while people play: nothing is lost."""

import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import anyio
import pytest

from server.table.placement import Placement
from server.wire.addresses import socket_path
from tests.postgres import free_port
from tests.server.gate.test_restart import ROOT
from tests.server.machines.checker import faults, of_file
from tests.server.machines.people import BOTS, Diary, Person, made
from tests.server.tabletop import TWO_PEOPLE, live

WORKERS = 3


class Household:
    """`herald serve --workers`, on a port that it keeps."""

    def __init__(self, folder: Path, workers: int = WORKERS, store: str = "") -> None:
        """`store`: a database, in the place of a file in the folder."""
        self.db, self._log, self._port = folder / "herald.db", folder / "log", free_port()
        self._at, self._workers = f"ws://127.0.0.1:{self._port}", workers
        kept = ["--store", store] if store else ["--db", str(self.db)]
        self._command = [sys.executable, "-m", "tests.server.serving", "serve", "--port", str(self._port),
                         *kept, "--workers", str(workers), "--bot-delay", "0.1"]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def urls(self, match: str = "") -> list[str]:
        """The plain address, and for a match the one that leads to where it lives."""
        return [f"{self._at}/ws", *([f"{self._at}{socket_path(match)}"] if match else [])]

    def start(self) -> None:
        """Start, or start again."""
        environment = {**os.environ, "HERALD_DATA": str(self.db.parent), "NO_COLOR": "1", "COLUMNS": "200"}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End the parent; its exit status."""
        assert self._process is not None
        self._process.send_signal(how)
        return self._process.wait(60)

    def end_each(self) -> int:
        """Tell parent and processes to stop, as systemd does, so that each is told twice; the parent's exit status."""
        assert self._process is not None
        self._process.terminate()
        for each in self.ids().values():
            with suppress(ProcessLookupError):
                os.kill(each[-1], signal.SIGTERM)
        return self._process.wait(60)

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._log.read_text()

    def ids(self) -> dict[int, list[int]]:
        """The process ids that each of them has had, by its number."""
        found: dict[int, list[int]] = {number: [] for number in range(self._workers)}
        for number, process in re.findall(r"process (\d) has the id (\d+)", self.log):
            found[int(number)].append(int(process))
        return found

    def kill(self, number: int) -> None:
        """Kill one of them, and wait until another has its place."""
        before = len(self.ids()[number])
        os.kill(self.ids()[number][-1], signal.SIGKILL)
        while len(self.ids()[number]) == before:
            time.sleep(0.01)

    def is_open(self) -> bool:
        """Whether anybody listens there."""
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self._port)) == 0

    def left(self) -> int:
        """How many matches are not finished."""
        with closing(sqlite3.connect(f"{self.db.as_uri()}?mode=ro", uri=True)) as line:
            return int(line.execute("SELECT count(*) FROM matches WHERE status <> 'finished'").fetchone()[0])


@contextmanager
def household(folder: Path, workers: int = WORKERS, store: str = "") -> Iterator[Household]:
    """It runs while the context lasts."""
    found = Household(folder, workers, store)
    found.start()
    try:
        yield found
    finally:
        found.end()


async def trouble(where: Household, done: Counter[str]) -> None:
    """Each process is killed in turn, then the parent, whose children end with it."""
    for number in range(WORKERS):
        await anyio.sleep(0.6)
        await anyio.to_thread.run_sync(where.kill, number)
        done["a process is killed"] += 1
    await anyio.sleep(0.6)
    await anyio.to_thread.run_sync(where.end)
    while where.is_open():
        await anyio.sleep(0.01)
    where.start()
    done["the parent is killed"] += 1


@pytest.mark.whole
def test_whichever_process_is_killed_no_accepted_choice_is_lost_doubled_or_shown_before_it_lasts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diary, done, rng = Diary(), Counter[str](), random.Random(23)
    matches = 8

    @live
    async def played(where: Household) -> None:
        async with anyio.create_task_group() as tasks:
            created = [await made(where, TWO_PEOPLE) for _ in range(matches)]
            for _ in range(4):
                await made(where, BOTS)
            for each in created:
                for seat in (0, 1, None):
                    tasks.start_soon(Person(where, diary, each, seat, random.Random(rng.random())).run)
            tasks.start_soon(trouble, where, done)
        with anyio.fail_after(200):
            while await anyio.to_thread.run_sync(where.left):
                await anyio.sleep(0.2)

    with household(tmp_path) as where:
        played(where)
        assert where.end_each() == 0
        assert len(re.findall(r"SIGTERM: what is being written is finished.* process=\d", where.log)) >= WORKERS
        assert "was ended as it stopped" not in where.log
        wrong = re.findall(r"Traceback.*|.*nothing has caught.*|.*TypeError.*|.*AssertionError.*", where.log)
    records = of_file(where.db)
    found = list(faults(records, diary.accepted, diary.told))
    with capsys.disabled():
        sys.stdout.write(f"\n{matches} matches of people and 4 of bots at {WORKERS} processes; tried: {dict(done)};")
        sys.stdout.write(f" clients met {dict(diary.met)}; {len(diary.accepted)} choices accepted, lost or wrong:")
        sys.stdout.write(f" {len(found)}\n")
    assert not found
    assert not wrong
    assert done == {"a process is killed": WORKERS, "the parent is killed": 1}
    assert len(records.heads) == matches + 4
    assert len({Placement(0, WORKERS).has(match) for match in records.heads}) == 2
    assert len(diary.accepted) > 4 * matches
