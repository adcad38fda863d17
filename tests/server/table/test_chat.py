"""Chat: a room for the players, one for the spectators, beside the record and erasable."""

from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner

from replay.store.memory import MemoryStore
from replay.store.sqlite.schema import Waits
from replay.store.sqlite.store import SqliteStore
from server.operations.settings import Limits
from server.table.chat import Paces
from server.wire.client import Client
from server.wire.protocol import Chat, ChatLine, Created, Error, Grant, Granted, Hello, Mute, Ping, Pong, Said, Welcome
from tests.server.tabletop import Table, live, table


async def listeners(at: Table) -> tuple[Created, Client, Client, Client, Client]:
    """A match with two players and two spectators."""
    created = await at.create()
    ada, bo = await at.player(created, 0), await at.player(created, 1)
    first, second = await at.spectator(created), await at.spectator(created)
    return created, ada.client, bo.client, first.client, second.client


async def heard(client: Client) -> list[ChatLine]:
    """What a client has been told up to now."""
    await client.send(Ping(9))
    lines: list[ChatLine] = []
    while not isinstance(message := await client.receive(), Pong):
        lines += message.lines if isinstance(message, Said) else ()
    return lines


def words(lines: list[ChatLine]) -> list[str]:
    return [line.text for line in lines]


@live
async def test_players_and_spectators_do_not_hear_each_other() -> None:
    async with table() as at:
        created, ada, bo, first, second = await listeners(at)
        await ada.send(Chat("to the players"))
        await first.send(Chat("to the gallery"))
        assert words((await bo.expect(Said)).lines) == ["to the players"]  # type: ignore[arg-type]
        assert words((await second.expect(Said)).lines) == ["to the gallery"]  # type: ignore[arg-type]
        assert words(await heard(ada)) == ["to the players"]
        assert words(await heard(first)) == ["to the gallery"]
        assert words(await heard(bo)) == words(await heard(second)) == []
        late = await at.spectator(created)
        assert words(await heard(late.client)) == ["to the gallery"]


@live
async def test_a_caster_neither_speaks_nor_hears() -> None:
    async with table() as at:
        created, ada, _, first, _ = await listeners(at)
        token = (await ada.ask(Grant(), Granted)).token
        await ada.send(Chat("players only"))
        await first.send(Chat("spectators only"))
        client = await at.client()
        await client.ask(Hello(created.match, token), Welcome)
        await client.send(Chat("I see the hand"))
        assert (await client.expect(Error)).code == "chat-refused"
        assert await heard(client) == []


@live
async def test_chat_is_no_part_of_the_record() -> None:
    async with table() as at:
        created, ada, bo, *_ = await listeners(at)
        before = at.store.head(created.match)
        await ada.send(Chat("hello"))
        await bo.expect(Said)
        assert at.store.head(created.match) == before


@pytest.mark.parametrize(
    ("given", "shown"),
    [("e\u0301t\u00e9", "\u00e9t\u00e9"), ("a\u202eb\u2066c\u200bd\x07", "abcd"), ("  two\n lines\t", "two lines")],
)
@live
async def test_what_is_said_is_one_line_of_what_can_be_seen(given: str, shown: str) -> None:
    async with table() as at:
        _, ada, bo, *_ = await listeners(at)
        await ada.send(Chat(given))
        (line,) = (await bo.expect(Said)).lines
        assert (line.text, line.who, line.n) == (shown, "seat0", 1)


@pytest.mark.parametrize("text", ["\u202e\u200b", " \n ", "x" * 11])
@live
async def test_a_line_that_is_empty_or_too_long_is_refused(text: str) -> None:
    async with table(limits=Limits(chat_characters=10)) as at:
        _, ada, bo, *_ = await listeners(at)
        await ada.send(Chat(text))
        assert (await ada.expect(Error)).code == "chat-refused"
        assert await heard(bo) == []


@live
async def test_a_speaker_has_a_pace_that_no_new_connection_resets() -> None:
    async with table(limits=Limits(chat_per_minute=0.01, chat_burst=2)) as at:
        created, ada, bo, *_ = await listeners(at)
        for n in range(2):
            await ada.send(Chat(f"line {n}"))
        again = (await at.player(created, 0)).client
        for client in (ada, again):
            await client.send(Chat("and more"))
            assert (await client.expect(Error)).code == "chat-refused"
        await bo.send(Chat("mine"))
        assert words(await heard(bo)) == ["line 0", "line 1", "mine"]


def test_a_pace_fills_again_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("server.table.chat.time.monotonic", lambda: now)
    paces = Paces(60, 2)
    assert [paces.may("a") for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [paces.may("a"), paces.may("a"), paces.may("b")] == [True, False, True]


@pytest.mark.parametrize("who", ["seat0", "*"])
@live
async def test_who_is_muted_is_not_heard_by_who_mutes(who: str) -> None:
    async with table() as at:
        created, ada, bo, *_ = await listeners(at)
        other = (await at.player(created, 1)).client
        await bo.send(Mute(who))
        assert await heard(bo) == []
        await ada.send(Chat("unheard"))
        assert words((await other.expect(Said)).lines) == ["unheard"]  # type: ignore[arg-type]
        assert await heard(bo) == []
        await bo.send(Mute(who, False))
        assert await heard(bo) == []
        await ada.send(Chat("heard"))
        assert words((await bo.expect(Said)).lines) == ["heard"]  # type: ignore[arg-type]


@live
async def test_a_room_keeps_its_last_lines_only_and_across_a_restart() -> None:
    store = MemoryStore()
    async with table(store, limits=Limits(chat_lines=3)) as at:
        created, ada, bo, *_ = await listeners(at)
        for n in range(5):
            await ada.send(Chat(f"line {n}"))
        while not (await bo.expect(Said)).lines[0].text.endswith("4"):
            pass
    async with table(store) as at:
        back = await at.player(created, 0)
        assert [(line.n, line.text) for line in await heard(back.client)] == [
            (3, "line 2"),
            (4, "line 3"),
            (5, "line 4"),
        ]
        await back.client.send(Chat("next"))
        assert (await back.client.expect(Said)).lines[0].n == 6


@live
async def test_what_is_erased_is_told_to_nobody_again() -> None:
    async with table() as at:
        created, ada, bo, *_ = await listeners(at)
        await ada.send(Chat("a secret"))
        await bo.expect(Said)
        at.store.chat.erase(created.match)
        assert await heard((await at.player(created, 1)).client) == []
        await ada.send(Chat("later"))
        assert (await bo.expect(Said)).lines[0].n == 2


@live
async def test_after_a_restart_chat_lines_have_the_names_that_they_were_said_under() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, ada, bo, first, _ = await listeners(at)
        await ada.send(Chat("to the players"))
        await bo.expect(Said)
        await first.send(Chat("to the gallery"))
        before = [
            (await heard((await at.player(created, 0)).client)),
            await heard((await at.spectator(created)).client),
        ]
    async with table(store) as at:
        after = []
        for hello in (Hello(created.match, created.tokens["0"]), Hello(created.match, viewer="spectator")):
            client = await at.client()
            welcome = await client.ask(hello, Welcome)
            assert [seat.name for seat in welcome.seats] == ["Ada", "Bo"]
            after.append(await heard(client))
    assert after == before
    assert [(line.who, line.text) for line in after[0]] == [("seat0", "to the players")]


def test_chat_is_shown_and_erased_at_the_command_line(tmp_path: Any) -> None:
    from replay.store.side_tables.chat import ChatRow
    from server.cli import main
    from tests.replay.matches import created

    db = tmp_path / "herald.db"
    store = SqliteStore(db)
    match = created(store).match
    store.chat.say(match, ChatRow(1, 0, "players", "seat0", "Ada", "[bold]well[/] met"), 9)
    store.close()
    shown = CliRunner().invoke(main, ["chat", "show", match, "--db", str(db)])
    assert "[bold]well[/] met" in shown.output
    erased = CliRunner().invoke(main, ["chat", "erase", match, "--db", str(db)])
    assert (erased.exit_code, "well" in erased.output) == (0, False)
    assert b"well" not in db.read_bytes()
    again = SqliteStore(db)
    assert (again.chat.said(match, "players", 9), again.head(match).seq) == ([], 1)
    again.close()


def test_it_is_said_where_erased_chat_is_still_in_the_log(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from replay.store.sqlite.schema import connect
    from server.cli import main
    from tests.replay.store.stored import create

    monkeypatch.setattr("server.cli.common.SqliteStore", partial(SqliteStore, waits=Waits(empty_log_s=0.0)))
    db = tmp_path / "herald.db"
    store = SqliteStore(db)
    create(store)
    reader = connect(db, readonly=True)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM chat").fetchone()
    erased = CliRunner().invoke(main, ["chat", "erase", "m1", "--db", str(db)])
    assert (erased.exit_code, "still in the database's log" in erased.output) == (0, True)
    reader.close()
    erased = CliRunner().invoke(main, ["chat", "erase", "m1", "--db", str(db)])
    assert (erased.exit_code, "log" in erased.output) == (0, False)
    store.close()
