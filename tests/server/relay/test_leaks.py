"""What a relay does not have it cannot leak: what it loads, is sent, has in its memory, and sends."""

import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from msgspec import to_builtins

from projections.plain import plain_face
from replay.record import sealing
from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.relay import upstream
from server.relay.upstream import read_heard
from server.table.audience import SplitLine
from server.wire.client import View, connected, enter
from server.wire.protocol import Create, Created, Hello, SeatWish, Welcome
from tests.server.gate.restart import ROOT
from tests.server.relay.processes import started
from tests.server.relay.relayed import heard, relay
from tests.server.tabletop import Player, live
from tests.server.vault import CANARIES, GAME, Whisper

SEATS = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
FACES = {GAME.name: plain_face(GAME)}
HASHED = re.compile(r"[A-Za-z0-9_-]{22,139}|\d{13}")
"""Ids, hashes, seals, signatures, times in ms: what differs between any two matches, and tells of no secret."""
ALLOWED = {
    "replay.errors": "",
    "replay.record": "",
    "replay.record.sealing": "the chain",
    "replay.record.line": "lines, taken apart",
    "replay.record.canonical_json": "how a line is written",
    "replay.record.shapes": "what shape the lines of a game have",
    "replay.record.signing": "how a signature is checked",
    "replay.record.statements": "what a server says of a match, signed",
    "replay.record.seat_draw": "the shape of a message about drawn seats",
    "replay.store": "",
    "replay.store.errors": "",
    "replay.store.matches": "",
    "replay.store.seats": "",
    "replay.store.health": "",
    "replay.store.store": "what a store offers; no store",
    "replay.store.log": "what a stored line is; no store",
    "server.lobby": "",
    "server.lobby.connection_limits": "who has a place",
    "server.lobby.errors": "",
    "server.table": "",
    "server.table.audience": "a spectator's view, folded",
    "server.table.chat": "paces",
    "server.table.connections": "",
    "server.table.shared_presence": "how a crowd at another server is counted; a relay reads none",
    "server.table.errors": "",
    "server.table.guests": "who a spectator is",
    "server.table.frame_times": "what clocks show",
}
"""All that a relay loads of the record and of play, and what for: no store, referee, key ring, seat or bot."""
TEXTS_AND_ROWS = ("replay.scenarios", "replay.store.side_tables")
"""Texts of guides and lessons, which the pages load, and what a row of a side table holds; no store."""
LOADED = "import sys, server.relay.app; print(*(m for m in sys.modules if m.startswith(('replay', 'server.'))))"


def test_a_relay_loads_nothing_that_opens_a_record_or_decides() -> None:
    told = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rooms = ("replay.", "server.table", "server.lobby", "server.bots")
    loaded = {name for name in told.split() if name.startswith(rooms)}
    assert {name for name in loaded if not name.startswith(TEXTS_AND_ROWS)} == ALLOWED.keys()
    assert "server.relay.verified_lines" in told
    assert not {"sqlite3", "psycopg"} & set(told.split())


class Vault:
    """A server with one match whose every secret is a word that stands nowhere else, and its people."""

    def __init__(self, lobby: Lobby, port: int, created: Created) -> None:
        self.lobby, self.created = lobby, created
        self.http = f"http://127.0.0.1:{port}"
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.people: list[Player] = []

    async def play(self, most: int) -> None:
        """So many choices, in an order that is always the same."""
        for _ in range(most):
            head = max(one.view.seq for one in self.people)
            for one in self.people:
                await one.reach(head)
            seat, one = next((seat, one) for seat, one in enumerate(self.people) if one.view.asked())
            await one.choose(to_builtins(Whisper(one.view.state.held[seat])), id=f"c{one.asked().number}")

    def secrets(self) -> list[str]:
        """What nobody who watches may hold: words, tokens, keys in every form."""
        keys = self.lobby.store.keys(self.created.match)
        mid = sealing.unb64(self.created.match)
        raw = [keys.k_m, keys.k_n, keys.hid, *(sealing.audience_key(keys.k_m, mid, mask) for mask in range(4))]
        return [
            *CANARIES,
            *self.created.tokens.values(),
            *(text for key in raw for text in (key.hex(), sealing.b64(key))),
        ]


@asynccontextmanager
async def vault() -> AsyncIterator[Vault]:
    """The server runs while the context lasts."""
    CANARIES.clear()
    lobby = Lobby(MemoryStore(), FACES)
    async with running(lobby) as server, AsyncExitStack() as stack:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"
        clients = [await stack.enter_async_context(connected(url)) for _ in range(2)]
        created = await clients[0].ask(Create(GAME.name, SEATS, reveal="auditor"), Created)
        made = Vault(lobby, port_of(server), created)
        for seat, client in enumerate(clients):
            welcome = await enter(client, created.match, created.tokens[str(seat)])
            made.people.append(Player(client, View(GAME, welcome)))
            await made.people[-1].reach(welcome.head.seq)
        yield made


@pytest.mark.whole
def test_in_the_memory_of_a_relay_there_is_no_secret() -> None:
    @live
    async def looked_into() -> None:
        async with vault() as at:
            process = await started(at.http, "tests.server.relay.vaulting")
            await at.play(3)
            async with connected(process.url) as client:
                hello = Hello(at.created.match, viewer="spectator", caps=("scene",), name="Eve the watcher")
                await client.ask(hello, Welcome)
                await at.play(3)
                await heard(client)
                await client.send(Hello(at.created.match, "a-token-that-somebody-sends-here"))
                memory = b"".join(process.memory())
            found = [secret for secret in at.secrets() if secret.encode() in memory]
            assert not found
            assert len(CANARIES) > 5
            for public in (at.created.match, "Eve the watcher", "Vault"):
                assert public.encode() in memory, "the search finds what is there"
            assert await process.end(signal.SIGTERM) == 0

    looked_into()


async def frames(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str], list[str]]:
    """All that a relay is sent of a match, and all that it sends; and the match's secrets."""
    received: list[str] = []

    def read(frame: str | bytes, line: int) -> object:
        received.append(str(frame))
        return read_heard(frame, line)

    monkeypatch.setattr(upstream, "read_heard", read)
    async with vault() as at, relay(at.url, faces=FACES) as there:
        client = await there.client()
        sent: list[str] = []
        await client.send(Hello(at.created.match, viewer="spectator", since=0, caps=("scene",)))
        awaited = '"t":"snapshot"'
        for choices in (2, 2, 2, 2, 0):
            while not any(word in "".join(sent[-1:]) for word in (awaited, '"t":"error"')):
                sent.append(str(await client.connection.recv()))
            await at.play(choices)
            awaited = f'"to":{at.lobby.registry.live_match(at.created.match).visible_head.seq},'
        return received, sent, at.secrets()


def masked(told: list[str]) -> list[str]:
    """Frames without what differs between any two matches; presence comes when it comes."""
    return [HASHED.sub("~", text) for text in told if '"t":"presence"' not in text and '"t":"checkpoint"' not in text]


@live
async def test_what_a_relay_is_sent_and_sends_is_the_same_whatever_is_hidden() -> None:
    with pytest.MonkeyPatch.context() as patch:
        worlds = [await frames(patch) for _ in range(3)]
    for received, sent, secrets in worlds:
        assert masked(received) == masked(worlds[0][0])
        assert masked(sent) == masked(worlds[0][1])
        assert not [secret for secret in secrets if secret in "".join([*received, *sent])]
    assert len({word for _, _, secrets in worlds for word in secrets}) > 30
    assert len("".join(masked(worlds[0][1]))) > 5_000


@live
async def test_a_server_that_leaks_shows_in_those_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SplitLine, "item", lambda told, _: (told.text, [(0, v.decode()) for v in told.openings[:1]]))
    received, sent, secrets = await frames(monkeypatch)
    assert [secret for secret in secrets if secret in "".join(received)]
    assert not [secret for secret in secrets if secret in "".join(sent)]
