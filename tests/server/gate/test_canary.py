"""No secret is in anything but what its owner is sent: no log, traceback, error, export, metric or page of others."""

import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.kernel import Event, Seat
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from replay.files import export
from replay.record import sealing
from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.settings import Limits
from server.wire.client import Client, View, connected
from server.wire.protocol import (
    Chat,
    Choose,
    Create,
    Created,
    Error,
    Events,
    Grant,
    Granted,
    Hello,
    Need,
    Ping,
    Pong,
    SeatWish,
    ServerMessage,
    Welcome,
    read_server_message,
)
from server.wire.stream_file import stream_of
from tests.server import vault
from tests.server.pages.serving import get
from tests.server.tabletop import live
from tests.server.vault import CANARIES, GAME, Stumble, Whisper

SEATS = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
PAGES = ("/", "/play", "/watch", "/healthz", "/readyz", "/metrics", "/nothing", "/api/bundle/{m}", "/api/record/{m}")


TOLD = ('{"t":"created"', '{"t":"granted"')


def failing_face() -> Any:
    """A face whose every third sentence about a whisper fails with the words of the view."""
    plain, told = plain_face(GAME), iter(range(10**9))

    def narrate(before: Any, after: Any, event: Event, viewer: Seat | None) -> str:
        if isinstance(event, vault.Whispered) and next(told) % 3 == 0:
            raise ValueError(f"no words for {before.held} and {event}")
        return plain.narrate(before, after, event, viewer)

    return replace(plain, narrate=narrate)


class Ear(Client):
    """A client that keeps every frame as it came."""

    def __init__(self, client: Client) -> None:
        super().__init__(client.connection)
        self.frames: list[str] = []

    async def receive(self) -> ServerMessage:
        """The next message, kept."""
        if self._unread:
            return self._unread.popleft()
        frame = str(await self.connection.recv())
        self.frames.append(frame)
        return read_server_message(frame)

    async def heard(self) -> list[ServerMessage]:
        """Everything that has been sent up to now."""
        await self.send(Ping(0))
        messages: list[ServerMessage] = []
        while not isinstance(message := await self.receive(), Pong):
            messages.append(message)
        return messages


class Secrets(Struct):
    """What one match must not give away, and where each part of it may be."""

    match: str
    tokens: tuple[str, ...]
    keys: tuple[str, ...]
    words: tuple[tuple[str, int], ...]


class Run:
    """A server with its log at its loudest, and everything that came out of it."""

    def __init__(self, lobby: Lobby, port: int, log: io.StringIO) -> None:
        self.lobby = lobby
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.http = f"http://127.0.0.1:{port}"
        self.log = log
        self.matches = 0
        self.searched = 0

    async def match(self, *, to_the_end: bool) -> None:
        """One match, with everything done wrong that its people can do wrong."""
        known = set(CANARIES)
        async with connected(self.url) as maker, connected(self.url) as a, connected(self.url) as b:
            public, players = Ear(maker), (Ear(a), Ear(b))
            reveal = "auditor" if to_the_end else "public"
            created = await maker.ask(Create(GAME.name, SEATS, reveal=reveal), Created)  # type: ignore[arg-type]
            views = [await self._enter(ear, created, seat) for seat, ear in enumerate(players)]
            granted = (await players[0].ask(Grant(), Granted)).token
            async with connected(self.url) as c:
                caster = Ear(c)
                await caster.ask(Hello(created.match, granted, "", None, ("scene",)), Welcome)
                await public.ask(Hello(created.match, "", "spectator", None, ("scene",)), Welcome)
                await self._trouble(public, created)
                await self._play(players, views, 99 if to_the_end else 4)
                for ear in (public, caster, *players):
                    await ear.heard()
            words = tuple((word, seat) for word, seat in CANARIES.items() if word not in known)
            kept = self.lobby.store.keys(created.match)
            keys = tuple(
                text for key in (kept.k_m, kept.k_n, kept.hid) for text in (key.hex(), sealing.b64(key), str(key))
            )
            secret = Secrets(created.match, (*created.tokens.values(), granted), keys, words)
        heard = {-1: public.frames, 0: [*players[0].frames, *caster.frames], 1: players[1].frames}
        # A token is told once, to the client that asked for it.
        frames = {seat: [text for text in texts if not text.startswith(TOLD)] for seat, texts in heard.items()}
        await self._search(secret, frames)
        self.matches += 1

    async def _enter(self, ear: Ear, created: Created, seat: int) -> View:
        welcome = await ear.ask(Hello(created.match, created.tokens[str(seat)], "", 0, ("scene",)), Welcome)
        return View(GAME, welcome)

    async def _trouble(self, ear: Ear, created: Created) -> None:
        """A spectator's attempts, with a token where none belongs."""
        token = created.tokens["0"]
        for frame in (
            f'{{"t":"hello","match":"{created.match}","token":"{token}","extra":"{token}"}}',
            f'{{"t":"hello","match":"{token}","token":"{token}"}}',
            f'{{"t":"{token}"}}',
            f'{{"t":"choose","id":"{token}',
            token,
        ):
            await ear.connection.send(frame)
            await ear.expect(Error | Error)  # type: ignore[arg-type]
        for message in (Choose("x", 1, {"do": "Whisper", "word": "?"}), Grant(), Need(0), Chat("hello")):
            await ear.send(message)

    async def _play(self, players: tuple[Ear, Ear], views: list[View], most: int) -> None:
        made = 0
        while made < most:
            for ear, view in zip(players, views, strict=True):
                for message in await ear.heard():
                    if isinstance(message, Events):
                        view.take(message)
            able = [n for n in (0, 1) if views[n].asked()]
            if not able:
                return
            ear, view = players[able[0]], views[able[0]]
            asked = view.asked()[0]
            await ear.send(Choose("stumble", asked.number, to_builtins(Stumble())))
            await ear.send(Choose("wrong", asked.number, to_builtins(Whisper("nothing like it"))))
            whisper = to_builtins(Whisper(view.state.held[able[0]]))
            await ear.send(Choose(f"c{asked.number}", asked.number, whisper))
            made += 1

    async def _search(self, secret: Secrets, frames: dict[int, list[str]]) -> None:
        everywhere, exports = await self._public(secret.match), self._exports(secret.match)
        for seat, heard in frames.items():
            held = "\n".join([*heard, exports[seat]])
            for word, owner in secret.words:
                assert word not in everywhere, "a secret is on a page or in the log"
                assert owner == seat or word not in held, f"a secret of {owner} is in what {seat} was sent"
            for token in (*secret.tokens, *secret.keys):
                assert token not in everywhere, "a token or key is on a page or in the log"
                assert token not in held, f"a token or key is in what {seat} was sent"
            own = [word for word, owner in secret.words if owner == seat >= 0]
            assert all(word in held for word in own), "the search finds what is there"
            self.searched += len(held)
        self.searched += len(everywhere)
        self.log.seek(0)
        self.log.truncate()

    async def _public(self, match: str) -> str:
        """The pages that anybody may ask for, the log, and what is printed of the store's rows."""
        pages = [(await get(self, page.format(m=match)))[2].decode() for page in PAGES]  # type: ignore[arg-type]
        store = self.lobby.store
        shown = map(
            repr, (*store.seats.holders(match), *store.seats.watchers(match), store.keys(match), store.header(match))
        )
        return "\n".join([*pages, self.log.getvalue(), *shown])

    def _exports(self, match: str) -> dict[int, str]:
        """A match's files as each viewer may save them."""
        store, made = self.lobby.store, {}
        for seat, viewer in ((-1, SPECTATOR), (0, Viewer(Seat(0))), (1, Viewer(Seat(1)))):
            record = b"".join(export.write(export.for_viewer(store, match, viewer))).decode()
            made[seat] = record + "".join(stream_of(store, match, viewer))
        return made


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged, at every level, with tracebacks."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    # The client of the test logs what it sends.
    handler.addFilter(lambda record: not record.name.startswith("websockets.client"))
    root = logging.getLogger()
    former = root.level, root.handlers[:]
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(former[0])
    root.handlers[:] = former[1]


@pytest.mark.parametrize("matches", [6, pytest.param(1000, marks=[pytest.mark.deep, pytest.mark.timeout(3600)])])
def test_no_secret_of_many_matches_is_where_it_does_not_belong(
    matches: int, tmp_path: Path, log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    CANARIES.clear()

    async def go() -> Run:
        store = SqliteStore(tmp_path / "herald.db")
        sign = KeyRing.beside(tmp_path / "herald.db").current.stamp
        lobby = Lobby(store, {GAME.name: failing_face()}, sign=sign, limits=Limits(creations_per_minute=1e6))
        async with running(lobby) as server:
            run = Run(lobby, port_of(server), log)
            for n in range(matches):
                await run.match(to_the_end=n % 2 == 0)
                CANARIES.clear()
        store.close()
        return run

    run = anyio.run(go)
    assert run.matches == matches
    assert run.searched > 10_000 * matches
    printed = "".join(capfd.readouterr())
    assert not re.search("canary[0-9a-f]{16}", printed)


@live
async def test_the_faults_that_the_search_provokes_do_happen(tmp_path: Path, log: io.StringIO) -> None:
    store = SqliteStore(tmp_path / "herald.db")
    lobby = Lobby(store, {GAME.name: failing_face()})
    async with running(lobby) as server:
        run = Run(lobby, port_of(server), io.StringIO())
        await run.match(to_the_end=True)
    store.close()
    told = log.getvalue()
    assert "Choose failed: RuntimeError at vault.py" in told
    assert "failed: ValueError at test_canary.py" in told
    assert CANARIES
    assert not any(word in told for word in CANARIES)
