"""Server, relay and caster are killed in mid-broadcast: viewers come back, and have each line once and in order."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import anyio
import pytest
from websockets.exceptions import WebSocketException

from domain.kernel import OpenCards
from herald_client.verifier import Verifier
from replay.store.sqlite.store import SqliteStore
from server.wire.client import connected, enter
from server.wire.direction_messages import Directed
from server.wire.protocol import Create, Created, Error, Events, Grant, Granted, Hello
from tests.server.gate.restart import ROOT, Accounts, play
from tests.server.tabletop import TWO_PEOPLE, live
from tests.skirmish.game import GAME
from tests.web.serving import free_port

BEHIND = 6
"""Lines by which viewers of open cards are kept behind."""


class Program:
    """A program at a port that stays the same; it may be killed and started again."""

    def __init__(self, stack: ExitStack, *words: str) -> None:
        self.port = free_port()
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self._words = [sys.executable, "-m", "tests.server.serving", *words, "--port", str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None
        stack.callback(self.kill)

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(self._words, cwd=ROOT, env=os.environ, **quiet)  # type: ignore[call-overload]
        while True:
            try:
                await (await anyio.connect_tcp("127.0.0.1", self.port)).aclose()
            except OSError:
                assert self._process.poll() is None, "it ended"
                await anyio.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """End it as kill -9 does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def caster(*words: str) -> Iterator[None]:
    """A caster's program, which is killed in the end."""
    command = [sys.executable, "-m", "tests.server.direction.caster", *words]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            yield
        finally:
            process.kill()


class Follower:
    """A viewer of open cards at a relay, who comes back by itself and checks each line."""

    def __init__(self, url: str, match: str, store: SqliteStore) -> None:
        self._url, self._match, self._store = url, match, store
        self.verifier = Verifier(match, sees_hands=True)
        self.lines: list[str] = []
        self.notes: list[str] = []
        self.connections = 0

    async def follow(self) -> None:
        """Until the match is over."""
        while self.verifier.result is None:
            try:
                async with connected(self._url) as client:
                    await client.send(Hello(self._match, viewer="open", since=self.verifier.seq))
                    self.connections += 1
                    while self.verifier.result is None:
                        self._take(await client.receive())
            except (OSError, WebSocketException):
                await anyio.sleep(0.05)

    def _take(self, message: object) -> None:
        match message:
            case Events():
                self._check(message)
            case Directed(direction=direction):
                self.notes.append("" if direction is None else direction.note)
            case Error(code=code):
                assert code in {"origin-away", "try-again"}
                if not self.lines:
                    raise OSError  # not in the match yet

    def _check(self, events: Events) -> None:
        assert events.first == self.verifier.seq + 1, "each line once, and in order"
        salts = events.salts or ((),) * len(events.items)
        for (text, openings), held in zip(events.items, salts, strict=True):
            self.verifier.take(text, openings, held)
            self.lines.append(text)
        head = self._store.head(self._match)
        is_over = self._store.header(self._match).status == "finished"
        assert is_over or self.verifier.seq <= max(head.seq - BEHIND, self.setup), "nothing beyond the delayed end"

    @property
    def setup(self) -> int:
        """Lines before play, which nobody is kept from."""
        return sum(any(kind in line for kind in ('"MatchCreated"', '"SeatTaken"')) for line in self.lines)


async def created_at(url: str) -> tuple[Created, str]:
    """A match with open cards, and a director's token."""
    async with connected(url) as client:
        wish = Create(GAME.name, TWO_PEOPLE, open_cards=OpenCards(0, BEHIND), open_cards_sooner=True)
        created = await client.ask(wish, Created)
    async with connected(url) as client:
        await enter(client, created.match, created.tokens["0"])
        return created, (await client.ask(Grant(directs=True), Granted)).token


async def played(url: str, created: Created, accounts: Accounts, most: int) -> None:
    """Both seats, until so many choices were accepted in all, or the match is over."""

    async def until_enough() -> None:
        while len(accounts.accepted) < most:
            await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()  # a seat may wait for the other one, which plays no more

    async with anyio.create_task_group() as tasks:
        async with anyio.create_task_group() as seats:
            tasks.start_soon(until_enough)
            for seat in (0, 1):
                seats.start_soon(play, url, created, seat, accounts, most)
        tasks.cancel_scope.cancel()


async def until_noted(follower: Follower, note: str, times: int) -> None:
    while follower.notes.count(note) < times:
        await anyio.sleep(0.02)


@pytest.mark.whole
@live
async def test_a_broadcast_goes_on_after_server_relay_and_caster_were_killed(tmp_path: Path) -> None:
    accounts = Accounts()
    with ExitStack() as stack:
        server = Program(stack, "serve", "--db", str(tmp_path / "cast.db"))
        relay = Program(stack, "relay", f"http://127.0.0.1:{server.port}")
        await server.start()
        await relay.start()
        created, token = await created_at(server.url)
        store = SqliteStore(tmp_path / "cast.db")
        stack.callback(store.close)
        follower = Follower(relay.url, created.match, store)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follower.follow)
            with caster(server.url, created.match, token, "Look"):
                await until_noted(follower, "Look", 1)
                await played(server.url, created, accounts, 3)
                server.kill()
                await server.start()
                await until_noted(follower, "Look", 2)
                await played(server.url, created, accounts, 5)
                relay.kill()
                await relay.start()
                await until_noted(follower, "Look", 3)
            with caster(server.url, created.match, token, "Back"):
                await until_noted(follower, "Back", 1)
                await played(server.url, created, accounts, 999)
        assert follower.connections >= 2
        assert follower.lines == [entry.line.decode() for entry in store.read(created.match)]
        assert follower.verifier.openings > 0
