"""A real server process, killed or stopped in the middle of a match, loses no accepted choice."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK

from replay.store.sqlite.store import SqliteStore
from server.wire.client import View, connected, enter
from server.wire.protocol import Accepted, Create, Created, Events
from tests.server.tabletop import TWO_PEOPLE, Player, live
from tests.skirmish.game import GAME

ROOT = Path(__file__).parents[3]


@contextmanager
def server(db: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process and its websocket's address."""
    command = [sys.executable, "-m", "tests.server.serving", "serve", "--port", "0", "--db", str(db)]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://([\d.]+:\d+)/", line)
            assert found, line + process.stdout.read()
            yield process, f"ws://{found[1]}/ws"
        finally:
            process.kill()


async def create(url: str) -> Created:
    async with connected(url) as client:
        return await client.ask(Create(GAME.name, TWO_PEOPLE), Created)


class Accounts:
    """What was accepted: choice ids and their lines."""

    def __init__(self) -> None:
        self.accepted: dict[str, int] = {}


async def play(url: str, created: Created, seat: int, accounts: Accounts, most: int) -> None:
    """One seat until the match is over, the server goes, or `most` choices were accepted by both."""
    async with connected(url) as client:
        player = Player(client, View(GAME, await enter(client, created.match, created.tokens[str(seat)])))
        try:
            while len(accounts.accepted) < most:
                await player.until(lambda: bool(player.view.asked()) or player.is_over())
                if player.is_over():
                    return
                asked = player.asked()
                name = f"{seat}-{asked.number}"
                answer = await client.choose(asked, to_builtins(player.options()[0]), id=name)
                assert isinstance(answer, Accepted)
                accounts.accepted[name] = answer.seq
                await player.reach(answer.seq)
        except ConnectionClosed:
            return


@live
async def play_to_the_end(db: Path, created: Created, accounts: Accounts) -> None:
    """Both seats go on at a server that is started anew, until the match is over."""
    with server(db) as (_, url):
        async with anyio.create_task_group() as tasks:
            for seat in (0, 1):
                tasks.start_soon(play, url, created, seat, accounts, 99)


def recorded(db: Path, match: str) -> dict[str, int]:
    """The choices in the database, by id."""
    store = SqliteStore(db)
    try:
        lines = [(entry.seq, entry.line.decode()) for entry in store.read(match) if entry.type == "Chosen"]
    finally:
        store.close()
    found = [(seq, re.search(r'"id":"([^"]+)"', line)) for seq, line in lines]
    return {name[1]: seq for seq, name in found if name}


@pytest.mark.parametrize(
    "accepted", [pytest.param(1, marks=pytest.mark.whole), 3, pytest.param(5, marks=pytest.mark.whole)]
)
def test_kill_9_loses_no_accepted_choice(tmp_path: Path, accepted: int) -> None:
    db = tmp_path / "herald.sqlite"
    accounts = Accounts()
    made: list[Created] = []

    @live
    async def until_killed() -> None:
        with server(db) as (process, url):
            created = await create(url)
            made.append(created)

            async def kill() -> None:
                while len(accounts.accepted) < accepted:
                    await anyio.sleep(0.001)
                process.send_signal(signal.SIGKILL)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(kill)
                for seat in (0, 1):
                    tasks.start_soon(play, url, created, seat, accounts, 99)

    until_killed()
    before = dict(accounts.accepted)
    assert before.items() <= recorded(db, made[0].match).items()

    play_to_the_end(db, made[0], accounts)
    assert before.items() <= accounts.accepted.items()
    assert accounts.accepted.items() <= recorded(db, made[0].match).items()


def test_a_stop_is_graceful_and_says_so(tmp_path: Path) -> None:
    db = tmp_path / "herald.sqlite"
    accounts = Accounts()

    @live
    async def stopped() -> None:
        with server(db) as (process, url):
            created = await create(url)
            await play(url, created, 0, accounts, 1)
            async with connected(url) as client:
                await enter(client, created.match)
                await client.expect(Events)
                process.send_signal(signal.SIGTERM)
                with pytest.raises(ConnectionClosedOK) as closed:
                    await client.expect(Created)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1001
            assert await anyio.to_thread.run_sync(process.wait) == 0
            assert accounts.accepted.items() <= recorded(db, created.match).items()

    stopped()
    assert len(accounts.accepted) == 1


def test_a_port_in_use_is_said_in_one_sentence(tmp_path: Path) -> None:
    with server(tmp_path / "a.sqlite") as (_, url):
        port = url.rpartition(":")[2].partition("/")[0]
        command = [sys.executable, "-m", "server.cli", "serve", "--port", port, "--db", str(tmp_path / "b.sqlite")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 1
    assert "error: Cannot listen on" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr
