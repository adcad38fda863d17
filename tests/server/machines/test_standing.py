"""Servers are killed while answers that seats have signed ahead are due: each question is answered once, and holds."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from herald_client import Created, HeraldError, Key, Server, friend, me
from replay.audit.match_audit import audit
from replay.files import export
from replay.store.postgres.store import PostgresStore
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.postgres import Instance
from tests.replay.verifiers import TABLES
from tests.server.machines.checker import Records, of_database, of_file
from tests.server.machines.club import LOST, Kill, Place, Servers
from tests.server.machines.fleet import Node
from tests.server.machines.workers import household
from tests.server.table.standing import TAKE
from tests.server.tabletop import live
from tests.skirmish.game import GAME

AGAIN = (*LOST, HeraldError)
Read = Callable[[], Records]
HASTE: Final = ("--set", "guest_links=true")
"""Any flag has a process take up soon what was left; this one changes nothing else here."""


def chosen(records: Records, match: str) -> list[tuple[int, str]]:
    """The decisions of a record that were answered, and the author of each answer."""
    facts = [line[8] for line in map(json.loads, records.lines[match]) if "Chosen" in line[:8]]
    return [(fact["number"], fact.get("by", "seat")) for fact in facts]


async def created(where: Place) -> Created:
    while True:
        with suppress(*AGAIN):
            return await Server(where.urls()[0]).create(GAME.name, [me("Ada"), friend("Bo")])
        await anyio.sleep(0.05)


async def by_hand(where: Place, made: Created, seat: int, key: Key) -> bool:
    """A seat plays its card by hand, signs ahead what it does if it may pursue, and goes; whether the match goes on."""
    while True:
        with suppress(*AGAIN):
            url = where.urls()[0]
            options: dict[str, Any] = {"key": key, "lines": TABLES["games"]["skirmish"]}
            with anyio.fail_after(20):
                async with Server(url).play(made.match, made.tokens[str(seat)], **options) as player:
                    return await carded(player, seat)
        await anyio.sleep(0.05)


async def carded(player: Any, seat: int) -> bool:
    async for _ in player:
        if player.result is not None:
            return False
        asked = {one["seat"]: one["kind"] for one in player.verifier.asked} if player.is_up_to_date else {}
        if asked.get(seat) == "CardSelection" and player.question is not None:
            await player.answer(player.question["fields"][0]["options"][0]["id"])
            await player.keep_ahead(TAKE, times=4)
            return True
        if asked and "Pursuit" not in asked.values() and seat not in asked:
            await player.keep_ahead(TAKE, times=4)
            return True
    raise OSError("the connection is gone")


async def answered(where: Place, kill: Kill, read: Read) -> str:
    """A match in which all pursuits are answered with nobody there; which one it was."""
    rng, keys = random.Random(3), [Key(), Key()]
    made = await created(where)
    number = 0
    while all([await by_hand(where, made, seat, keys[seat]) for seat in (0, 1)]):
        await anyio.sleep(rng.random() * 0.4)
        await anyio.to_thread.run_sync(kill, number % 2)
        number += 1
        with anyio.fail_after(60):
            while [by for _, by in chosen(read(), made.match)].count("standing") < number:
                await anyio.sleep(0.05)
    return made.match


def assert_holds(store: Store, records: Records, match: str) -> None:
    made = chosen(records, match)
    assert len({number for number, _ in made}) == len(made), "each decision is answered once"
    assert [by for _, by in made].count("standing") == 3, "one pursuit a round"
    assert audit(GAME, export.from_store(store, match, None)).fault is None
    assert store.standing.looked() == []
    store.close()


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_process_of_two_that_is_killed_answers_once_what_was_signed_ahead(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    address = "" if kind == "sqlite" else request.getfixturevalue("postgres").emptied()
    with household(tmp_path, workers=2, store=address, flags=HASTE) as where:
        read: Read = lambda: of_database(address) if address else of_file(where.db)  # noqa: E731
        match = live_match(where, where.kill, read)
        assert "Traceback" not in where.log
    assert_holds(PostgresStore(address) if address else SqliteStore(where.db), read(), match)


@pytest.mark.deep
@pytest.mark.postgres
def test_a_server_of_two_that_is_killed_answers_once_what_was_signed_ahead(tmp_path: Path, postgres: Instance) -> None:
    address = postgres.emptied()
    nodes = [Node(tmp_path / f"node{number}", address, flags=HASTE) for number in range(2)]
    for node in nodes:
        node.start()

    def kill(number: int) -> None:
        nodes[number].end()
        nodes[number].start()

    try:
        match = live_match(Servers(nodes), kill, lambda: of_database(address))
        assert [fault for node in nodes for fault in node.faults()] == []
    finally:
        for node in nodes:
            node.end()
    assert_holds(PostgresStore(address), of_database(address), match)


def live_match(where: Place, kill: Kill, read: Read) -> str:
    """See `answered`."""
    found: list[str] = []

    @live
    async def played() -> None:
        found.append(await answered(where, kill, read))

    played()
    return found[0]
