"""A whole `herald serve` whose disk fails with EIO: how it ends, and whether everything it sent is there afterwards."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import anyio
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed

from replay.audit.match_audit import audit
from replay.files import export
from replay.store.sqlite.store import SqliteStore
from server.wire.client import View, connected, enter
from server.wire.protocol import Accepted
from tests.server.faults.nursery import FOR_EVER, SYNCS, WRITES
from tests.server.faults.trials import environment
from tests.server.faults.tried import Tried
from tests.server.gate.restart import ROOT, Accounts, create, play, play_to_the_end, recorded
from tests.server.tabletop import Player, live
from tests.skirmish.game import GAME

FAULTS = {
    "the next write": (WRITES, 1, 1),
    "every write from the sixth on": (WRITES, 6, FOR_EVER),
    "the next sync": (SYNCS, 1, 1),
    "every sync from the third on": (SYNCS, 3, FOR_EVER),
}
DISK_FAILED: Final = 74
"""The exit status of a server whose disk has failed."""
Process = subprocess.Popen[str]


@contextmanager
def failing(db: Path, fault: tuple[int, int, int]) -> Iterator[tuple[Process, str]]:
    """A server whose database fails once it is told to, and its websocket's address."""
    command = [sys.executable, "-m", "tests.server.faults.serving", "serve", "--port", "0", "--db", str(db)]
    disk = {"HERALD_TEST_DISK": json.dumps([f"{db}-wal", *fault]), "HERALD_TEST_ARMED": f"{db}.armed"}
    surroundings = {**environment(), **disk, "NO_COLOR": "1", "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://([\d.]+:\d+)/", process.stdout.readline())
            assert found
            yield process, f"ws://{found[1]}/ws"
        finally:
            process.kill()


async def fail(process: Process, db: Path) -> None:
    """Let the disk fail from now on."""
    process.send_signal(signal.SIGUSR1)
    while not Path(f"{db}.armed").exists():
        await anyio.sleep(0.001)


async def go_on(player: Player, accounts: Accounts) -> None:
    """Play, or watch, until the server goes; a choice that is refused is sent again, as the server asks."""
    with suppress(ConnectionClosed):
        while True:
            await player.until(lambda: bool(player.view.asked()))
            asked = player.asked()
            name = f"{player.view.viewer.seat}-{asked.number}"
            answer = await player.client.choose(asked, to_builtins(player.options()[0]), id=name)
            if isinstance(answer, Accepted):
                accounts.accepted[name] = answer.seq
                await player.reach(answer.seq)
            else:
                assert answer.code == "try-again"


def lines_of(db: Path, match: str) -> list[str]:
    """The lines in the database, which must stand an audit."""
    store = SqliteStore(db)
    try:
        assert audit(GAME, export.from_store(store, match)).ok
        return [entry.line.decode() for entry in store.read(match)]
    finally:
        store.close()


class Trial:
    """One server on a disk that fails with EIO, the match at it, and what its viewers were told."""

    def __init__(self, db: Path, fault: str) -> None:
        self.db = db
        self.fault = fault
        self.accounts = Accounts()
        self.told: list[Player] = []
        self.found = Tried(1)

    def note(self, wrong: str) -> None:
        """A check has failed."""
        self.found.note(self.fault, wrong)

    @live
    async def until_it_fails(self) -> None:
        """Play until the disk fails and the process ends."""
        with failing(self.db, FAULTS[self.fault]) as (process, url):
            self.made = await create(url)
            await play(url, self.made, 0, self.accounts, 1)
            async with connected(url) as one, connected(url) as two, connected(url) as three:
                tokens = (self.made.tokens["0"], self.made.tokens["1"], "")
                for client, token in zip((one, two, three), tokens, strict=True):
                    self.told.append(Player(client, View(GAME, await enter(client, self.made.match, token))))
                await fail(process, self.db)
                async with anyio.create_task_group() as tasks:
                    for player in self.told:
                        tasks.start_soon(go_on, player, self.accounts)
            status = await anyio.to_thread.run_sync(process.wait)
            assert process.stderr is not None
            self._judge_end(status, process.stderr.read())

    def _judge_end(self, status: int, said: str) -> None:
        self.found.came[f"ended with status {status}"] += 1
        self.note("" if status == DISK_FAILED else f"the status is {status}")
        in_words = "error:" in said and "disk I/O error" in said and "Traceback" not in said
        self.note("" if in_words else f"the server said {said!r}")

    def judge(self) -> list[str]:
        """Check that everything sent is in the database; returns its lines."""
        lines = lines_of(self.db, self.made.match)
        for player in self.told:
            name, items = player.view.viewer.label, player.items
            self.found.came["lines told"] += len(items)
            self.note("" if items else f"{name} was told nothing, so nothing could be lost")
            self.note("" if [text for text, _ in items] == lines[: len(items)] else f"{name} was told other lines")
        self.judge_accepted(self.accounts.accepted)
        return lines

    def judge_accepted(self, accepted: dict[str, int]) -> None:
        """Each of these choices is in the record, at its line."""
        kept = recorded(self.db, self.made.match)
        self.note("" if accepted else "nothing was accepted, so nothing could be lost")
        self.note("" if accepted.items() <= kept.items() else f"of {accepted} these are in the record: {kept}")

    def judge_after(self, lines: list[str], before: dict[str, int]) -> None:
        """The match goes on to its end after a restart, and what was there before is there still."""
        after = lines_of(self.db, self.made.match)
        self.judge_accepted(self.accounts.accepted)
        self.note("" if before.items() <= self.accounts.accepted.items() else "a choice is accepted no more")
        self.note("" if after[: len(lines)] == lines else "lines have become others")
        ended = '"MatchEnded"' in "".join(after)
        self.found.came["played to the end after a restart"] += ended
        self.note("" if ended else "the match did not come to its end")


def eio(db: Path, fault: str) -> Tried:
    """A server whose disk fails in one of the ways of `FAULTS`, then another on what is left."""
    trial = Trial(db, fault)
    trial.until_it_fails()
    lines = trial.judge()
    before = dict(trial.accounts.accepted)
    play_to_the_end(db, trial.made, trial.accounts)
    trial.judge_after(lines, before)
    return trial.found
