"""How a server stops: drained on SIGTERM, at once when its disk fails; and when it says that it is ready."""

import asyncio
import http.client
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from websockets.exceptions import ConnectionClosed

from replay.memory import MemoryStore
from replay.referee import Referee
from replay.sqlite import SqliteStore
from replay.store import Pulse
from server.client import connected, enter
from server.protocol import Choose, Created, Refused
from tests.server.table import live, play_out, table
from tests.server.test_restart import ROOT, Accounts, create, play, recorded, server


def get(url: str, path: str) -> tuple[int, str]:
    """Status and text of a page."""
    parts = urlsplit(url)
    asked = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    asked.request("GET", path)
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, text


async def fetch(url: str, path: str) -> tuple[int, str]:
    return await anyio.to_thread.run_sync(get, url, path)


@pytest.mark.parametrize("accepted", [1, 4])
def test_choices_made_during_sigterm_are_kept_or_made_again_and_both_clients_know(
    tmp_path: Path, accepted: int
) -> None:
    db = tmp_path / "herald.sqlite"
    accounts = Accounts()

    @live
    async def until_stopped() -> None:
        with server(db) as (process, url):
            created = await create(url)

            async def stop() -> None:
                while len(accounts.accepted) < accepted:
                    await anyio.sleep(0.001)
                process.send_signal(signal.SIGTERM)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(stop)
                for seat in (0, 1):
                    tasks.start_soon(play, url, created, seat, accounts, 99)
            assert await anyio.to_thread.run_sync(process.wait) == 0
        before = dict(accounts.accepted)
        assert before.items() <= recorded(db, created.match).items()
        with server(db) as (_, url):
            async with anyio.create_task_group() as tasks:
                for seat in (0, 1):
                    tasks.start_soon(play, url, created, seat, accounts, 99)
        assert before.items() <= accounts.accepted.items() <= recorded(db, created.match).items()

    until_stopped()


@live
async def test_what_comes_while_the_server_stops_is_left_unanswered() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        at.hall.is_draining = True
        assert await fetch(at.http, "/readyz") == (503, "stopping\n")
        assert (await fetch(at.http, "/healthz"))[0] == 200
        before = at.store.head(created.match)
        await ada.client.send(Choose("late", ada.asked().number, 0))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await ada.client.expect(Refused)
        assert at.store.head(created.match) == before


@live
async def test_a_server_is_ready_once_it_knows_what_goes_on() -> None:
    async with table() as at:
        while at.hall.unready() == "starting":
            await asyncio.sleep(0.001)
        assert await fetch(at.http, "/readyz") == (200, "ready\n")
        at.hall.is_listed = False
        assert await fetch(at.http, "/readyz") == (503, "starting\n")


class Full(MemoryStore):
    """A store on a full disk."""

    refuses = "the disk is full"

    def pulse(self) -> Pulse:
        return Pulse(self.refuses)

    def probe(self) -> None:
        self.refuses = ""


@live
async def test_a_server_whose_store_refuses_is_not_ready_until_it_writes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.app.BEAT_S", 0.3)
    async with table(Full()) as at:
        while not at.hall.is_listed:
            await asyncio.sleep(0.001)
        assert (await fetch(at.http, "/readyz"))[0] == 503
        while at.hall.unready():
            await asyncio.sleep(0.01)
        assert (await fetch(at.http, "/readyz"))[0] == 200


@live
async def test_a_match_that_waits_to_be_folded_can_be_entered_at_once() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], most=2)
    async with table(store) as at:
        ada = await at.player(created, 0)
        assert ada.view.seq == store.head(created.match).seq
        bo = await at.player(created, 1)
        assert await play_out([ada, bo], most=2) == 2


@live
async def test_a_match_that_many_enter_at_once_is_folded_once() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        await play_out([await at.player(created, 0), await at.player(created, 1)])
    folded, whole = 0, Referee.open

    def counted(*given: Any) -> Any:
        nonlocal folded
        folded += 1
        return whole(*given)

    async with table(store) as at:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Referee, "open", counted)
            clients = [await at.client() for _ in range(10)]
            await asyncio.gather(*(enter(client, created.match) for client in clients))
    assert folded == 1


def test_a_failed_sync_ends_the_process_with_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    db, fail = tmp_path / "herald.sqlite", tmp_path / "fail"
    accounts = Accounts()

    @live
    async def until_it_fails() -> None:
        command = [sys.executable, "-m", "tests.server.failing", "serve", "--port", "0", "--db", str(db)]
        environment = {**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "HERALD_TEST_FAIL": str(fail)}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            url = f"ws://{process.stdout.readline().split('http://')[1].split('/')[0]}/ws"
            created = await create(url)
            await play(url, created, 0, accounts, 1)
            fail.touch()
            async with connected(url) as client:
                await enter(client, created.match, created.tokens["1"])
                await client.send(Choose("lost", 2, 0))
                with pytest.raises(ConnectionClosed):
                    await client.expect(Created)
            assert await anyio.to_thread.run_sync(process.wait) == 74
            said = process.stderr.read()
        assert "error:" in said
        assert "disk I/O error" in said
        assert "start again" in said
        assert "Traceback" not in said

    until_it_fails()
    with sqlite3.connect(db) as read:
        (match,) = read.execute("SELECT match FROM matches").fetchone()
    read.close()
    assert accounts.accepted
    assert accounts.accepted.items() <= recorded(db, match).items()
    store = SqliteStore(db)
    assert store.pulse().refuses == ""
    store.close()
