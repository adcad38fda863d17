"""Sections 4 and 5 of docs/record.md over real websockets: a seat's own share of chance, signed choices, checkpoints of
the server.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel import EntropyCommitted, MatchBegun, Seat
from herald_client import Asked as AskedNow
from herald_client import Key, Match, Server
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import keychain, sealing
from replay.record.referee import read_event
from replay.record.serverkey import KeyRing
from replay.record.signing import SeatKey
from replay.store.errors import StoreFailed
from replay.store.log import Append, Commit, Head, Unknown
from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.intervals import Intervals
from server.pages.bundle import bundle
from server.table import clocks
from server.wire.act_messages import Resign
from server.wire.client import View, connected, enter
from server.wire.protocol import (
    Accepted,
    Checkpoint,
    Choose,
    Create,
    Created,
    Error,
    Events,
    Hello,
    Refused,
    Reveal,
    SeatWish,
    SetKey,
    Welcome,
    write_message,
)
from tests.server.tabletop import FACES, live, play_out, table
from tests.skirmish.game import GAME
from tests.web.node import ROOT, node

SHARE = bytes(range(32))
COMMITMENT = sealing.b64(keychain.entropy_commitment(SHARE))


def wishes(key: str = "") -> tuple[SeatWish, ...]:
    return SeatWish("me", "Ada", key=key, entropy=COMMITMENT), SeatWish("bot", bot="random")


@live
async def test_record_4_who_has_scenes_alone_is_told_what_is_waited_for_from_whom_and_how_long() -> None:
    async with table() as at:
        created = await at.create(*wishes())
        client = await at.client()
        await client.send(Hello(created.match, created.tokens["0"], caps=("scene",)))
        told = (await client.expect(Welcome)).table
        assert told is not None
        assert told.reveal == (0,)
        assert 0 < told.reveal_ms <= 60_000
        await client.send(Choose("a", 1, 0))
        refused = await client.expect(Refused)
        assert (refused.code, "seat 1 to reveal" in refused.why) == ("not-begun", True)
        await client.send(Reveal(sealing.b64(SHARE), id="r"))
        accepted = await client.expect(Accepted)
        entry = at.store.read(created.match)[accepted.seq - 1]
        assert (accepted.id, entry.type) == ("r", "EntropyRevealed")
        await client.send(Hello(created.match, created.tokens["0"], caps=("scene",)))
        after = (await client.expect(Welcome)).table
        assert after is None or after.reveal == ()


def test_record_4_the_time_left_for_a_share_goes_on_over_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    @live
    async def restart() -> None:
        store = MemoryStore()
        async with table(store) as at:
            created = await at.create(*wishes())
        monkeypatch.setattr(clocks, "SteadyClock", lambda *_: lambda: clocks.now_ms() + 30_000)
        async with table(store) as at:
            told = (await enter(await at.client(), created.match, created.tokens["0"])).table
        assert told is not None
        assert 0 < told.reveal_ms <= 30_000

    restart()


@live
async def test_record_4_a_match_that_waits_for_every_share_waits_without_end() -> None:
    async with table() as at:
        maker = await at.client()
        wish = Create(GAME.name, wishes(), shares=True)
        created = await maker.ask(wish, Created)
        told = (await enter(await at.client(), created.match, created.tokens["0"])).table
        assert told is not None
        assert (told.reveal, told.reveal_ms) == ((0,), 0)


@live
async def test_record_4_a_match_begins_when_its_seats_own_share_is_revealed() -> None:
    async with table() as at:
        created = await at.create(*wishes())
        ada = await at.player(created, 0)
        assert ada.view.state.committed
        assert not ada.view.state.begun
        await ada.client.send(Reveal(sealing.b64(SHARE)))
        await ada.until(lambda: bool(ada.view.state.begun))
        events = [read_event(GAME, entry) for entry in at.store.read(created.match)]
        assert [e.by for e in events if isinstance(e, EntropyCommitted)] == ["seat", "server"]
        assert any(isinstance(e, MatchBegun) for e in events)
        assert audit(GAME, export.from_store(at.store, created.match)).ok


@live
async def test_record_4_another_share_than_the_one_fixed_is_refused() -> None:
    async with table() as at:
        created = await at.create(*wishes())
        ada, watcher = await at.player(created, 0), await at.spectator(created)
        assert (await ada.client.ask(Reveal(sealing.b64(bytes(32))), Error)).code == "seat-refused"
        assert (await watcher.client.ask(Reveal(sealing.b64(SHARE)), Error)).code == "seat-refused"
        stranger = await at.client()
        assert (await stranger.ask(Reveal(sealing.b64(SHARE)), Error)).code == "no-match"


def test_record_4_a_share_that_is_never_revealed_voids_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.record.seat_proof.REVEAL_MS", 50)

    @live
    async def play() -> None:
        async with table() as at:
            created = await at.create(*wishes())
            ada = await at.player(created, 0)
            await ada.until(ada.is_over)
            assert ada.view.state.result.winner is None
            assert "never revealed" in at.store.header(created.match).result

    play()


class Doubtful(MemoryStore):
    """A store that once says of a match's end that nobody knows whether it was written, and cannot be read just then.

    `writes`: whether it was."""

    def __init__(self, *, writes: bool) -> None:
        super().__init__()
        self._writes, self._has_doubted, self._is_away = writes, False, False

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        if commit.status != "finished" or self._has_doubted:
            return super().append(commit)
        self._has_doubted = self._is_away = True
        if self._writes:
            super().append(commit)
        return Unknown("the connection was lost")

    def head(self, match: str) -> Head:
        """See `Store`."""
        if self._is_away:
            self._is_away = False
            raise StoreFailed("away")
        return super().head(match)


@pytest.mark.parametrize("writes", [True, False])
def test_record_4_a_match_whose_end_the_store_is_in_doubt_about_is_void_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, writes: bool
) -> None:
    monkeypatch.setattr("replay.record.seat_proof.REVEAL_MS", 50)

    @live
    async def play() -> None:
        async with table(Doubtful(writes=writes), intervals=Intervals(beat_s=0.05)) as at:
            created = await at.create(*wishes())
            ada = await at.player(created, 0)
            await ada.until(ada.is_over)
            assert "never revealed" in at.store.header(created.match).result
            assert not at.lobby.registry.live_match(created.match).chance_setup.is_waiting
            assert [entry.type for entry in at.store.read(created.match)].count("MatchEnded") == 1

    play()
    assert "a task failed" not in caplog.text
    assert "never retrieved" not in caplog.text


@live
async def test_record_5_a_seat_with_a_key_signs_what_it_does() -> None:
    key = Key()
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada", key=key.public), SeatWish("bot", bot="random"))
        ada = await at.player(created, 0)
        await ada.until(lambda: bool(ada.view.asked()))
        asked = ada.asked()
        assert (await ada.client.ask(Choose("plain", asked.number, 0), Refused)).code == "not-signed"
        assert (await ada.client.ask(Resign("plain"), Refused)).code == "not-signed"
        async with Server(at.http).play(created.match, created.tokens["0"], key=key) as match:
            await until_asked(match)
            await match.choose(asked.number, 0, id="signed")
            await match.offer("pause", length_ms=5000)
        report = audit(GAME, export.from_store(at.store, created.match))
        assert (report.fault, report.signatures, report.unproven) == (None, 2, [])


async def until_asked(match: Match) -> None:
    async for news in match:
        if isinstance(news, AskedNow):
            return


@live
async def test_record_4_a_match_waits_for_every_persons_client_and_says_whose_shares_there_are() -> None:
    async with table() as at:
        maker = await at.client()
        two = (SeatWish("me", "Abel"), SeatWish("friend", "Doviso"))
        created = await maker.ask(Create(GAME.name, two, shares=True), Created)
        server = Server(at.http)
        async with server.play(created.match, created.tokens["0"], key=Key()) as abel:
            while 0 not in abel.verifier.chance.committed:
                await asyncio.sleep(0.001)
            waits = not abel.verifier.is_begun
            assert waits
            async with server.play(created.match, created.tokens["1"], key=Key()) as doviso:
                while not (abel.verifier.is_begun and doviso.verifier.is_begun):
                    await asyncio.sleep(0.001)
        report = audit(GAME, export.from_store(at.store, created.match))
        assert (report.fault, report.chance) == (None, "proven: shares of both players and the server")
        assert report.unproven == []


@live
async def test_record_5_a_key_that_is_lost_is_replaced_and_everybody_sees_it() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada", key=SeatKey().public), SeatWish("bot", bot="random"))
        ada, watcher = await at.player(created, 0), await at.spectator(created)
        key = SeatKey()
        assert (await ada.client.ask(SetKey(key.public, "A" * 86), Error)).code == "seat-refused"
        assert (await watcher.client.ask(SetKey(key.public), Error)).code == "seat-refused"
        await ada.client.send(SetKey(key.public))
        await watcher.until(lambda: (0, key.public) in watcher.view.state.taken)


@pytest.mark.parametrize(("reveal", "views"), [("public", ["pub", "p0", "p1"]), ("seats", ["pub"])])
def test_record_3_the_creator_says_who_may_hold_every_secret_in_the_end(reveal: Any, views: list[str]) -> None:
    @live
    async def play() -> None:
        async with table() as at:
            two = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
            client = await at.client()
            created = await client.ask(Create(GAME.name, two, {}, reveal=reveal), Created)
            await play_out([await at.player(created, seat) for seat in (0, 1)])
            told = bundle(FACES[GAME.name], at.store, created.match)
            assert [name for name, _ in told["views"]] == views
            assert export.for_viewer(at.store, created.match, Viewer(Seat(0))).view == "all"
            assert (export.for_viewer(at.store, created.match, SPECTATOR).view == "all") == (reveal == "public")

    play()


def test_record_5_checkpoints_go_with_every_commit_and_beat_while_a_match_is_idle(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)

    @live
    async def play() -> None:
        lobby = Lobby(
            MemoryStore(),
            FACES,
            bot_delay_s=0.0,
            sign=ring.current.stamp,
            intervals=Intervals(heartbeat_s=0.0, beat_s=0.05),
        )
        async with running(lobby) as server, connected(f"ws://127.0.0.1:{port_of(server)}/ws") as client:
            two = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
            created = await client.ask(Create(GAME.name, two), Created)
            welcome = await enter(client, created.match, created.tokens["0"])
            assert welcome.head.signed
            saved: list[Any] = [welcome]
            view = View(GAME, welcome)
            while len([m for m in saved if isinstance(m, Checkpoint)]) < 2:
                message = await client.receive()
                saved.append(message)
                if isinstance(message, Events):
                    view.take(message)
            await client.send(Choose("one", view.asked()[0].number, 0))
            while not (isinstance(saved[-1], Events) and saved[-1].last > welcome.head.seq):
                saved.append(await client.receive())
            assert saved[-1].head.signed
            record = export.read([write_message(message).encode() + b"\n" for message in saved])
            report = audit(GAME, record, [ring.current.public])
            assert report.ok, report.fault
            # Heartbeats of one line count once: the last is kept.
            assert report.checkpoints == 2
            assert not audit(GAME, record, [bytes(32)]).ok
            file = tmp_path / "saved.jsonl"
            file.write_bytes(b"".join(write_message(message).encode() + b"\n" for message in saved))
            told = json.loads(node(ROOT / "scripts" / "verify-stream.mjs", "--json", str(file)))
            assert (told["lines"], told["head"]) == (report.lines, report.head)
            assert told["signatures"] >= 3
            forged = saved[-1].head.signed
            changed = forged[:70] + ("B" if forged[70] == "A" else "A") + forged[71:]
            file.write_bytes(file.read_bytes().replace(forged.encode(), changed.encode()))
            node(ROOT / "scripts" / "verify-stream.mjs", "--json", str(file), status=1)

    play()


@pytest.mark.parametrize("text", ["x", "=" * 43, "x" * 44])
def test_a_commitment_is_32_bytes(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "me", "entropy": text}, SeatWish)
