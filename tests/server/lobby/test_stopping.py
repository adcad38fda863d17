"""How a server stops: drained on SIGTERM, at once when its disk fails; and when it says that it is ready."""

import asyncio
import http.client
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from websockets.exceptions import ConnectionClosed

from replay.record.referee import Referee
from replay.store.errors import StoreFailed
from replay.store.health import Pulse
from replay.store.matches import Header
from replay.store.memory import MemoryMatches, MemoryStore
from replay.store.sqlite.store import SqliteStore
from server.operations.intervals import Intervals
from server.operations.metrics import program_version
from server.wire.client import connected, enter
from server.wire.protocol import Choose, Created, Refused, SeatWish
from tests.server.gate.restart import ROOT, Accounts, create, play, recorded, server
from tests.server.tabletop import live, play_out, table


def get(url: str, path: str) -> tuple[int, str]:
    """Status and text of a page."""
    parts = urlsplit(url)
    asked = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    asked.request("GET", path)
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, text


async def fetch(url: str, path: str) -> tuple[int, str]:
    return await anyio.to_thread.run_sync(get, url, path)


@pytest.mark.parametrize("accepted", [pytest.param(1, marks=pytest.mark.whole), 4])
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
        at.lobby.is_draining = True
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
        while at.lobby.unready() == "starting":
            await asyncio.sleep(0.001)
        assert await fetch(at.http, "/readyz") == (200, "ready\n")
        at.lobby.takeover.is_listed = False
        assert await fetch(at.http, "/readyz") == (503, "starting\n")


class UnreadMatches(MemoryMatches):
    """A match list that cannot say `times` times what is due; `wrong` says why."""

    wrong: Exception = StoreFailed("away")
    times = 0

    def due(self, until_ms: int) -> list[Header]:
        self.times -= 1
        if self.times >= 0:
            raise self.wrong
        return super().due(until_ms)


class Unread(MemoryStore):
    """A store with such a list."""

    def __init__(self) -> None:
        super().__init__()
        self.matches: UnreadMatches = UnreadMatches(self._shelf)


@live
async def test_where_the_store_is_away_at_the_start_it_is_asked_again_what_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Unread()
    async with table(store, bot_delay_s=3600, intervals=Intervals(retry_s=0.01)) as at:
        created = await at.create(SeatWish("bot"), SeatWish("bot"))
    store.matches.times = 3
    async with table(store, intervals=Intervals(retry_s=0.01)) as at:
        assert at.lobby.unready() == "starting"
        while store.header(created.match).status != "finished":
            await asyncio.sleep(0.001)
        assert at.lobby.unready() == ""
    assert [message for level, message in told(caplog) if level == "ERROR" and "cannot be read yet" in message]


@live
async def test_where_nobody_can_say_what_goes_on_people_are_let_in_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Unread()
    store.matches.wrong, store.matches.times = ValueError("a secret"), 99
    async with table(store) as at:
        while at.lobby.unready():
            await asyncio.sleep(0.001)
        assert store.matches.times == 98
        await at.player(await at.create(), 0)
    assert [message for level, message in told(caplog) if level == "ERROR" and "could not be read" in message]
    assert "a secret" not in caplog.text


class Full(MemoryStore):
    """A store on a disk that is full until there is room."""

    refuses = "the disk is full"

    def __init__(self, *, has_room: bool) -> None:
        super().__init__()
        self.has_room = has_room

    def pulse(self) -> Pulse:
        return Pulse(self.refuses)

    def probe(self) -> None:
        if self.has_room:
            self.refuses = ""


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Level and message of each line."""
    return [(record.levelname, record.getMessage()) for record in caplog.records]


@contextmanager
def process(*words: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """A program of ours, with its two outputs apart."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "300", "PYTHONUNBUFFERED": "1", **more}
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@live
async def test_a_server_whose_store_refuses_is_not_ready_until_it_writes_again_and_logs_why_and_since_when(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "server")
    full = Full(has_room=False)
    async with table(full, intervals=Intervals(beat_s=0.01)) as at:
        while not at.lobby.takeover.is_listed:
            await asyncio.sleep(0.001)
        assert (await fetch(at.http, "/readyz"))[0] == 503
        assert ("ERROR", "the store takes nothing: the disk is full") in told(caplog)
        full.has_room = True
        while at.lobby.unready():
            await asyncio.sleep(0.01)
        assert (await fetch(at.http, "/readyz"))[0] == 200
    of_store = [line for line in told(caplog) if "the store" in line[1]]
    assert of_store == [
        ("ERROR", "the store takes nothing: the disk is full"),
        ("INFO", "the store takes choices again"),
    ]


@live
async def test_a_refusal_is_logged_by_the_servers_own_beat(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "server")
    async with table(Full(has_room=True), intervals=Intervals(beat_s=0.01)):
        while ("INFO", "the store takes choices again") not in told(caplog):
            await asyncio.sleep(0.01)
    assert ("ERROR", "the store takes nothing: the disk is full") in told(caplog)


def test_a_server_logs_where_it_listens_what_it_was_told_by_and_how_it_stops(tmp_path: Path) -> None:
    db, file = tmp_path / "herald.sqlite", tmp_path / "herald.toml"
    file.write_text(f'port = 0\ndb = "{db}"\nlog.format = "json"\n')
    with process("tests.server.serving", "serve", "--config", str(file)) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        address = server.stdout.readline().split("listens on ")[1].strip()
        lines = [json.loads(server.stderr.readline())["message"] for _ in range(3)]
        # A server that answers after the first line takes signals too.
        assert get(address, "/healthz")[0] == 200
        server.send_signal(signal.SIGTERM)
        lines += [json.loads(line)["message"] for line in server.stderr.read().splitlines()]
        assert server.wait() == 0
    started = f"Herald {program_version()} listens on {address}, the settings are from {file}, the matches in {db}"
    assert started in lines
    assert any(line.startswith("of 0 matches in the database, 0 continue") for line in lines)
    assert lines[-2:] == [
        "SIGTERM: what is being written is finished, nothing more is taken",
        "stopped; every accepted choice is kept",
    ]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--host", "256.0.0.1"), "Cannot listen on 256.0.0.1"),
        (("--set", "prot=1"), "there is no setting prot"),
        (("--config", "there-is-none.toml"), "the file cannot be read"),
    ],
)
def test_beside_a_log_in_json_what_ends_the_server_is_a_line_of_it(
    tmp_path: Path, wrong: tuple[str, str], said: str
) -> None:
    given = ["--port", "0", "--db", str(tmp_path / "herald.sqlite"), "--log-format", "json", *wrong]
    with process("tests.server.serving", "serve", *given) as server:
        assert server.stderr is not None
        (line,) = map(json.loads, server.stderr.read().splitlines())
        assert server.wait() == 1
    assert line["level"] == "error"
    assert said in line["message"]


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
    folded, whole = 0, Referee.from_record

    def counted(*given: Any) -> Any:
        nonlocal folded
        folded += 1
        return whole(*given)

    async with table(store) as at:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Referee, "from_record", counted)
            clients = [await at.client() for _ in range(10)]
            await asyncio.gather(*(enter(client, created.match) for client in clients))
    assert folded == 1


@pytest.mark.parametrize("form", ["text", pytest.param("json", marks=pytest.mark.whole)])
def test_a_failed_sync_ends_the_process_with_one_sentence_and_loses_nothing(tmp_path: Path, form: str) -> None:
    db, fail = tmp_path / "herald.sqlite", tmp_path / "fail"
    accounts = Accounts()

    @live
    async def until_it_fails() -> None:
        given = ["serve", "--port", "0", "--db", str(db), "--log-format", form]
        with process("tests.server.failing", *given, HERALD_TEST_FAIL=str(fail)) as server:
            assert server.stdout is not None
            assert server.stderr is not None
            url = f"ws://{server.stdout.readline().split('http://')[1].split('/')[0]}/ws"
            created = await create(url)
            await play(url, created, 0, accounts, 1)
            fail.touch()
            async with connected(url) as client:
                await enter(client, created.match, created.tokens["1"])
                await client.send(Choose("lost", 2, 0))
                with pytest.raises(ConnectionClosed):
                    await client.expect(Created)
            assert await anyio.to_thread.run_sync(server.wait) == 74
            said = server.stderr.read()
        if form == "json":
            errors = [line for line in map(json.loads, said.splitlines()) if line["level"] == "error"]
            assert "start again" in errors[-1]["message"]
        else:
            assert "error:" in said
        assert "the store has failed for good: " in said
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
