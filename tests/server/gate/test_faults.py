"""What goes wrong inside a server stays where it went wrong: a face, a bot, a disk, another writer."""

import asyncio
import logging
import re
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from domain.kernel import AnyForm, Asked, Below, Choice, Game, Seat
from herald_client import Key
from projections.plain import plain_face
from replay.record.preparation import Preparation
from replay.store.errors import StoreFailed
from replay.store.log import Append, Commit, Unknown
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from replay.store.sqlite.store import SqliteStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.table.errors import CannotSit
from server.table.guests import new_token
from server.wire.client import View, connected, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    Accepted,
    Choose,
    Create,
    Error,
    Events,
    Hello,
    Join,
    Joined,
    Need,
    Refused,
    SeatWish,
    SetKey,
    Snapshot,
)
from tests.replay.matches import START, put, sit
from tests.replay.matches import created as waiting
from tests.server.tabletop import FACES, Player, live, play_out, table
from tests.skirmish.game import GAME, Take

BOT = (SeatWish("me", "Ada"), SeatWish("bot", "Robin"))


class NoStore(MemoryStore):
    """A store that fails as long as `broken` says how."""

    broken: str = ""
    only: str = ""

    def submit(self, commit: Commit) -> "Future[Append]":
        if not self.broken or not any(self.only in entry.type for entry in commit.entries):
            return super().submit(commit)
        future: Future[Append] = Future()
        if self.broken == "unknown":
            future.set_result(Unknown("the disk is slow"))
        elif self.broken == "written":
            super().submit(commit)
            future.set_result(Unknown("the disk is slow"))
        else:
            future.set_exception(StoreFailed("the disk is full"))
        return future


@pytest.mark.parametrize("how", ["unknown", "failed"])
@live
async def test_a_choice_that_cannot_be_written_is_refused_and_can_be_sent_again(how: str) -> None:
    store = NoStore()
    async with table(store) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        head = store.head(created.match)
        store.broken = how
        message = Choose("once", ada.asked().number, 0)
        await ada.client.send(message)
        assert (await ada.client.expect(Refused)).code == "try-again"
        assert store.head(created.match) == head
        store.broken = ""
        assert await ada.client.ask(message, Accepted) == Accepted("once", head.seq + 1)


@pytest.mark.parametrize("how", ["unknown", "failed"])
@live
async def test_a_key_that_cannot_be_written_is_sent_again_over_another_connection(how: str) -> None:
    """Clients send it once in a connection, and would wait for its line for ever."""
    store = NoStore()
    async with table(store) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        key = Key().public
        store.broken = how
        await ada.client.send(SetKey(key, id="named"))
        told = await ada.client.expect(Error)
        assert (told.id, told.code) == ("named", "try-again")
        await ada.client.send(SetKey(key))
        with pytest.raises(ConnectionClosed) as closed:
            await ada.client.expect(Accepted)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        store.broken = ""
        ada = await at.player(created, 0)
        assert isinstance(await ada.client.ask(SetKey(key, id="later"), Accepted), Accepted)


@live
async def test_missing_lines_that_cannot_be_read_are_sent_over_another_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client that has asked for them shows nothing until they come."""
    store = NoStore()
    async with table(store) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        with monkeypatch.context() as away:
            away.setattr(store, "read", _failing)
            await ada.client.send(Need(0))
            with pytest.raises(ConnectionClosed) as closed:
                await ada.client.expect(Accepted)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        ada = await at.player(created, 0)
        assert ada.view.seq == store.head(created.match).seq


def _failing(*_: object, **__: object) -> None:
    raise StoreFailed("the database is away")


@pytest.mark.parametrize("reads", [0, 1, 2, 3])
@live
async def test_who_enters_while_the_record_cannot_be_read_connects_again_and_is_in(
    reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the reads fails: nobody is left at a table that tells nothing."""
    store = NoStore()
    async with table(store) as at:
        created = await at.create()
        left = [reads]

        def failing(part: object, method: str) -> None:
            whole = getattr(part, method)

            def read(*given: Any, **named: Any) -> Any:
                left[0] -= 1
                if left[0] < 0:
                    raise StoreFailed("the database is away")
                return whole(*given, **named)

            monkeypatch.setattr(part, method, read)

        for part, method in ((store, "header"), (store.seats, "holders"), (store, "read")):
            failing(part, method)
        client = await at.client()
        await client.send(Hello(created.match, created.tokens["0"]))
        with pytest.raises(ConnectionClosed) as closed:
            await client.expect(Snapshot)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        monkeypatch.undo()
        ada = await at.player(created, 0)
        await ada.until(lambda: bool(ada.view.asked()))


@pytest.mark.parametrize("how", ["unknown", "failed"])
@live
async def test_a_beginning_that_cannot_be_written_is_written_later(how: str) -> None:
    store = NoStore()
    store.broken, store.only = how, "MatchBegun"
    async with table(store) as at:
        created = await at.create()
        assert store.header(created.match).status == "open"
        store.broken = ""
        at.lobby.registry.heartbeat()
        ada = await at.player(created, 0)
        await ada.until(lambda: bool(ada.view.asked()))


@pytest.mark.parametrize("how", ["unknown", "failed"])
@live
async def test_a_bot_whose_choice_cannot_be_written_chooses_again_later(how: str) -> None:
    store = NoStore()
    async with table(store, bot_delay_s=0.05) as at:
        created = await at.create(*BOT)
        store.broken, store.only = how, "Chosen"
        live_match = at.lobby.registry.live_match(created.match)
        while live_match.bot_players.are_at_work:
            await asyncio.sleep(0.01)
        store.broken = ""
        at.lobby.registry.heartbeat()
        while not any(entry.actor == 1 and entry.type == "Chosen" for entry in store.read(created.match)):
            await asyncio.sleep(0.01)


@live
async def test_a_choice_that_was_written_without_an_answer_is_found_and_made_once() -> None:
    store = NoStore()
    async with table(store) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        head = store.head(created.match)
        store.broken = "written"
        assert await ada.client.ask(Choose("once", ada.asked().number, 0), Accepted) == Accepted("once", head.seq + 1)
        assert store.head(created.match).seq == head.seq + 1


@live
async def test_a_choice_whose_sender_is_cancelled_is_written_whole_and_the_match_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "herald.sqlite")
    async with table(store) as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            choosing = asyncio.create_task(
                at.lobby.registry.live_match(created.match).command_queue.choose(
                    Seat(0), Choose("a", ada.asked().number, 0)
                )
            )
            await asyncio.sleep(0.05)
            choosing.cancel()
            await asyncio.sleep(0.05)
            other.execute("COMMIT")
        assert isinstance(await bo.choose(), Accepted)
        assert [e.type for e in store.read(created.match)].count("Chosen") == 2
        await ada.reach(bo.view.seq)
        assert await ada.client.ask(Choose("a", 1, 0), Accepted)
    store.close()


@live
async def test_two_servers_of_one_record_fold_each_others_news_and_decide_again() -> None:
    store = MemoryStore()
    async with table(store) as at, running(Lobby(store, FACES)) as second:
        created = await at.create()
        ada = await at.player(created, 0)
        async with connected(f"ws://127.0.0.1:{port_of(second)}/ws") as client:
            bo = Player(client, View(GAME, await enter(client, created.match, created.tokens["1"])))
            await bo.until(lambda: bool(bo.view.asked()))
            assert isinstance(await ada.choose(), Accepted)
            assert isinstance(await bo.choose(), Accepted)
            assert bo.view.seq == store.head(created.match).seq
            await ada.client.send(Choose("late", bo.view.state.number, 99))
            assert isinstance(await ada.client.expect(Refused), Refused)
            await ada.reach(bo.view.seq)
            assert isinstance(await (ada if ada.view.asked() else bo).choose(), Accepted)
            watcher = await at.spectator(created)
            assert watcher.view.seq == store.head(created.match).seq


@live
async def test_a_seat_taken_at_one_server_is_admitted_at_the_other() -> None:
    store = MemoryStore()
    async with table(store) as at, running(Lobby(store, FACES)) as second:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        ada = await at.player(created, 0)
        async with connected(f"ws://127.0.0.1:{port_of(second)}/ws") as client:
            await enter(client, created.match, created.tokens["0"])
            joined = await ada.client.ask(Join(created.match, 1, "Bo"), Joined)
            welcome = await enter(client, created.match, joined.token)
            assert welcome.viewer.seat == 1


@live
async def test_of_two_who_take_a_seat_at_two_servers_at_once_only_the_first_ones_token_is_valid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tokens: list[str] = []

    def noted() -> str:
        tokens.append(new_token())
        return tokens[-1]

    monkeypatch.setattr("server.lobby.match_entry.new_token", noted)
    store, other = SqliteStore(tmp_path / "herald.sqlite"), SqliteStore(tmp_path / "herald.sqlite")
    lobbies = Lobby(store, FACES), Lobby(other, FACES)
    created = await lobbies[0].factory.create(Create(GAME.name, (SeatWish("me", "Ada"), SeatWish("open"))))
    assert (await lobbies[1].registry.open(created.match)).seating.is_open(1)
    del tokens[:]
    joins = (lobby.entry.join(Join(created.match, 1, name)) for lobby, name in zip(lobbies, ("Bo", "Cy"), strict=True))
    came = await asyncio.gather(*joins, return_exceptions=True)
    (joined,) = (one for one in came if isinstance(one, Joined))
    assert sum(isinstance(one, CannotSit) for one in came) == 1
    (late,) = {*tokens} - {joined.token}
    for lobby in lobbies:
        assert (await lobby.entry.admit(Hello(created.match, joined.token)))[1].viewer.seat == 1
        with pytest.raises(NotAdmitted):
            await lobby.entry.admit(Hello(created.match, late))
        await lobby.close()
    store.close()
    other.close()


class Answerless(MemoryStore):
    """A store that writes the lines of who sits down and does not know whether it has."""

    def submit(self, commit: Commit) -> "Future[Append]":
        future = super().submit(commit)
        if commit.seat is None or commit.seat.name != "Bo":
            return future
        unknown: Future[Append] = Future()
        unknown.set_result(Unknown("the disk is slow"))
        return unknown


@live
async def test_who_sat_down_without_an_answer_from_the_disk_is_given_the_seat_once_it_is_found() -> None:
    async with table(Answerless()) as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        client = await at.client()
        joined = await client.ask(Join(created.match, 1, "Bo"), Joined)
        assert (await enter(client, created.match, joined.token)).viewer.seat == 1


@live
async def test_a_match_stopped_between_its_last_seat_and_its_beginning_begins_after_the_restart() -> None:
    store = MemoryStore()
    referee = waiting(store)
    for seat in (0, 1):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Robin {seat}", "bot", START + seat))
        sit(store, referee.match, SeatRow(seat, f"Robin {seat}", "bot", "random"))
    assert store.header(referee.match).status == "open"
    async with table(store):
        while store.header(referee.match).status != "finished":
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("begins", [False, True])
@live
async def test_a_match_goes_on_under_mended_rules_and_its_record_says_so(begins: bool) -> None:
    store = MemoryStore()
    referee = waiting(store)
    for seat in (0, 1):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Robin {seat}", "bot", START + seat))
        sit(store, referee.match, SeatRow(seat, f"Robin {seat}", "bot", "random"))
    if begins:
        put(store, referee, Preparation(referee).begin(START + 10))
    mended = Game(msgspec.structs.replace(GAME.spec, rules="2"))
    lobby = Lobby(store, {GAME.name: plain_face(mended)}, bot_delay_s=0)
    async with running(lobby):
        while store.header(referee.match).status != "finished":
            await asyncio.sleep(0.01)
    assert [entry.type for entry in store.read(referee.match)].count("RulesChanged") == 1


@pytest.mark.parametrize("begins", [False, True])
@live
async def test_a_match_under_newer_rules_is_left_as_it_is_until_a_later_version_goes_on(begins: bool) -> None:
    store = MemoryStore()
    newer = Game(msgspec.structs.replace(GAME.spec, rules="2"))
    referee = waiting(store, newer)
    for seat in (0, 1):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Robin {seat}", "bot", START + seat))
        sit(store, referee.match, SeatRow(seat, f"Robin {seat}", "bot", "random"))
    if begins:
        put(store, referee, Preparation(referee).begin(START + 10))
    lobby = Lobby(store, {GAME.name: plain_face(GAME)}, bot_delay_s=0)
    async with running(lobby):
        live_match = await lobby.registry.open(referee.match)
        live_match.resume()
        assert not live_match.bot_players.are_at_work
        await live_match.chance_setup.begin()
        assert len(store.read(referee.match)) == referee.seq
    async with running(Lobby(store, {GAME.name: plain_face(newer)}, bot_delay_s=0)):
        while store.header(referee.match).status != "finished":
            await asyncio.sleep(0.01)
    assert [entry.type for entry in store.read(referee.match)].count("RulesChanged") == 0


class BrokenFace(Exception):
    """With a secret in its words."""


@live
async def test_a_face_that_fails_holds_nobody_up_and_its_words_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    armed = False

    def narrate(*words: Any) -> str:
        if armed:
            raise BrokenFace("secret-card-6")
        return ""

    face = msgspec.structs.replace(plain_face(GAME), narrate=narrate)
    lobby = Lobby(MemoryStore(), {GAME.name: face})
    caplog.set_level(logging.DEBUG)
    async with table() as at, running(lobby) as server:
        at.url = f"ws://127.0.0.1:{port_of(server)}/ws"
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        scenes = await at.client()
        await enter(scenes, created.match, created.tokens["1"], caps=("scene",))
        await scenes.expect(Snapshot)
        armed = True
        assert isinstance(await ada.choose(), Accepted)
        await bo.reach(ada.view.seq)
        assert (await scenes.expect(Events)).last == ada.view.seq
    assert "BrokenFace" in caplog.text
    assert "secret-card-6" not in caplog.text


class Stubborn:
    """Answers every question with the same wrong choice, or with an error."""

    def __init__(self, wrong: Exception | None) -> None:
        self._wrong = wrong

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        if self._wrong:
            raise self._wrong
        return Take()


@pytest.mark.parametrize("wrong", [None, ValueError("secret-card-6")])
@live
async def test_a_bot_that_fails_is_replaced_by_chance(
    wrong: Exception | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("server.table.seats.make_bot", lambda *_: Stubborn(wrong))
    async with table() as at:
        created = await at.create(*BOT)
        ada = await at.player(created, 0)
        while not ada.is_over():
            await ada.until(lambda: bool(ada.view.asked()) or ada.is_over())
            if ada.view.asked():
                await ada.choose()
    assert "the bot of seat 1" in caplog.text
    assert "secret-card-6" not in caplog.text


@live
async def test_nothing_logged_holds_a_token_or_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await players[0].client.send(Choose("bad", 99, {"do": "Play", "card": 6}))
        await players[0].client.expect(Refused)
        await play_out(players, 1)
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")]
    assert ours
    assert not any(token in text for token in created.tokens.values() for text in ours)
    assert not any('"do"' in text or "cards" in text for text in ours)


def test_the_bot_of_the_document_plays() -> None:
    page = (Path(__file__).parents[3] / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    first, second = blocks[0], next(block for block in blocks if "herald_client" in block)
    names: dict[str, Any] = {}
    exec(first, names)
    exec(second.replace("anyio.run(play", "(lambda *_: None)(play"), names)

    @live
    async def played() -> None:
        async with table() as at:
            created = await at.create(SeatWish("me", "Ada"), SeatWish("bot"))
            await names["play"](at.url, created.match, created.tokens["0"], Key())
            assert at.store.header(created.match).status == "finished"
            entries = at.store.read(created.match)
            chosen = [entry.line for entry in entries if entry.type == "Chosen" and entry.actor == 0]
            assert chosen
            assert all(b'"signature":' in line for line in chosen)

    played()
    view = GAME.created(GAME.events["MatchCreated"]("skirmish", {}, ("A", "B")))  # type: ignore[arg-type]
    assert names["FirstBot"]().choose(view, None, [Take()], None) == Take()
