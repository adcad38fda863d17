"""Shared by `test_restart` and other tests: Accounts, ROOT, create, play, play_to_the_end, recorded."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed

from replay.store.sqlite.store import SqliteStore
from server.wire.client import View, connected, enter
from server.wire.protocol import Accepted, Create, Created
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
    """Both seats continue at a restarted server, until the match is over."""
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
