"""Matches that the host ends: whoever holds them writes the line, the table is told, and every verifier holds it."""

import anyio
import pytest

from replay.audit.match_audit import audit
from replay.files import export
from replay.store.memory import MemoryStore
from replay.store.side_tables.rulings import RulingRow
from server.cli.errors import Amiss
from server.cli.ruling import read_winners, rule
from server.wire.protocol import Create, Created, SeatWish
from tests.server.tabletop import Table, live, table, two_servers
from tests.skirmish.game import GAME

WHY = "The players agreed by mail."


async def ruled(at: Table, match: str, winners: str = "", void: int = 0, why: str = WHY) -> bool:
    await anyio.to_thread.run_sync(at.store.rulings.note, RulingRow(match, why, winners, void, 1))
    return bool(await at.lobby.rulings.carry_out())


def held(at: Table, match: str) -> list[str]:
    """The kinds of a record's last lines, once its audit has found nothing."""
    record = export.from_store(at.store, match)
    report = audit(GAME, record)
    assert report.fault is None
    assert any("the host's own word" in each for each in report.unchecked)
    return [entry.type for entry in at.store.read(match)[-2:]]


@live
async def test_a_match_that_the_host_ends_is_told_at_the_table_and_holds_in_its_audit() -> None:
    async with table() as at:
        made = await at.create()
        ada, _ = await at.player(made, 0), await at.player(made, 1)
        assert await ruled(at, made.match, "1")
        await ada.until(ada.is_over)
        assert ada.view.state is not None
        assert (ada.view.state.result.won, ada.view.state.result.reason) == ((1,), "ended by the host")
        assert held(at, made.match) == ["OperatorRuled", "MatchEnded"]
        assert at.store.header(made.match).result == "seat 1: ended by the host"
        assert at.store.rulings.waiting() == []


@live
async def test_a_match_is_void_by_the_host_before_it_begins_too() -> None:
    async with table() as at:
        client = await at.client()
        made = await client.ask(Create(GAME.name, (SeatWish("me", "Ada"), SeatWish("invited", "Bo"))), Created)
        assert not await ruled(at, made.match, "1")
        assert at.store.header(made.match).status == "open"
        assert await ruled(at, made.match, void=1)
        assert at.store.header(made.match).result == "draw: void: by the host"
        assert held(at, made.match) == ["OperatorRuled", "MatchEnded"]


@live
async def test_a_ruling_on_what_is_over_or_not_there_is_dropped() -> None:
    async with table() as at:
        made = await at.create()
        assert await ruled(at, made.match, void=1)
        for match in (made.match, "A" * 22):
            assert not await ruled(at, match, void=1)
            assert at.store.rulings.waiting() == []


@live
async def test_of_two_servers_each_may_end_a_match_and_both_tell_it() -> None:
    store = MemoryStore()
    async with two_servers(store) as (one, two):
        made = await one.create()
        ada, bo = await one.player(made, 0), await two.player(made, 1)
        assert await ruled(two, made.match, "0")
        await bo.until(bo.is_over)
        await ada.until(ada.is_over)
        assert held(one, made.match) == ["OperatorRuled", "MatchEnded"]


def test_a_command_says_what_cannot_be_ruled() -> None:
    for text, seats, won in (("draw", 2, ()), ("2", 2, (1,)), ("1, 3", 4, (0, 2))):
        assert read_winners(text, seats) == won
    for text in ("0", "3", "1 2", "one", ""):
        with pytest.raises(Amiss, match="seats that win, from 1 to 2"):
            read_winners(text, 2)


@live
async def test_a_command_waits_until_a_server_has_written_the_line_and_refuses_a_second() -> None:
    async with table() as at:
        made = await at.create()
        row = RulingRow(made.match, WHY, "0", 0, 1)
        assert await anyio.to_thread.run_sync(rule, at.store, made.match, row) == "seat 0: ended by the host"
        with pytest.raises(Amiss, match="over already"):
            await anyio.to_thread.run_sync(rule, at.store, made.match, row)
