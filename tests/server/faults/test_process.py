"""A whole `herald serve` whose disk fails with EIO: it ends with status 74, and nothing that it told is lost."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import pytest
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed

from replay import export
from replay.audit import audit
from replay.sqlite import SqliteStore
from server.client import View, connected, enter
from server.protocol import Accepted, Created
from tests.server.faults.nursery import FOR_EVER, SYNCS, WRITES
from tests.server.faults.trials import environment
from tests.server.table import Player, live
from tests.server.test_restart import ROOT, Accounts, create, play, play_to_the_end, recorded
from tests.skirmish.game import GAME

pytestmark = pytest.mark.gcc
FAULTS = {
    "the next write": (WRITES, 1, 1),
    "every write from the sixth on": (WRITES, 6, FOR_EVER),
    "the next sync": (SYNCS, 1, 1),
    "every sync from the third on": (SYNCS, 3, FOR_EVER),
}
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


@pytest.mark.parametrize("fault", FAULTS)
def test_eio_ends_the_process_with_status_74_and_nothing_told_is_lost(tmp_path: Path, fault: str) -> None:
    db = tmp_path / "herald.sqlite"
    accounts = Accounts()
    made: list[Created] = []
    told: list[Player] = []

    @live
    async def until_it_fails() -> None:
        with failing(db, FAULTS[fault]) as (process, url):
            made.append(await create(url))
            await play(url, made[0], 0, accounts, 1)
            async with connected(url) as one, connected(url) as two, connected(url) as three:
                for client, token in ((one, made[0].tokens["0"]), (two, made[0].tokens["1"]), (three, "")):
                    told.append(Player(client, View(GAME, await enter(client, made[0].match, token))))
                await fail(process, db)
                async with anyio.create_task_group() as tasks:
                    for player in told:
                        tasks.start_soon(go_on, player, accounts)
            assert await anyio.to_thread.run_sync(process.wait) == 74
            assert process.stderr is not None
            said = process.stderr.read()
        assert "error:" in said
        assert "disk I/O error" in said
        assert "Traceback" not in said

    until_it_fails()
    lines = lines_of(db, made[0].match)
    for player in told:
        assert player.items, "a viewer was told nothing, so nothing could be lost"
        assert [text for text, _ in player.items] == lines[: len(player.items)]
    before = dict(accounts.accepted)
    assert before
    assert before.items() <= recorded(db, made[0].match).items()

    play_to_the_end(db, made[0], accounts)
    assert before.items() <= accounts.accepted.items() <= recorded(db, made[0].match).items()
    assert lines_of(db, made[0].match)[: len(lines)] == lines
    assert '"MatchEnded"' in "".join(lines_of(db, made[0].match))
