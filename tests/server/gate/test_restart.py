"""A real server process, killed or stopped in the middle of a match, loses no accepted choice."""

import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from websockets.exceptions import ConnectionClosedOK

from server.wire.client import connected, enter
from server.wire.protocol import Created, Events
from tests.server.gate.restart import ROOT, Accounts, create, play, play_to_the_end, recorded, server
from tests.server.tabletop import live


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
