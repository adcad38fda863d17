"""Servers are killed while people who are away are told of their moves: none is lost, and a doubled one has one id."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import anyio
import pytest

from tests.postgres import Instance
from tests.server.machines.club import Kill, Place, Servers, Told, begun, moved
from tests.server.machines.fleet import Node
from tests.server.machines.workers import household
from tests.server.notifications.postbox import postbox
from tests.server.tabletop import live
from tests.server.webhooks.delivery import Receiver

ROUNDS = 6


@pytest.fixture
def told() -> Iterator[Told]:
    with ExitStack() as stack:
        push, hook = Receiver(), Receiver()
        for each in (push, hook):
            stack.callback(each.close)
            each.statuses = [201] * 1_000
        yield Told(stack.enter_context(postbox()), push, hook)


async def told_all(where: Place, told: Told, kill: Kill) -> None:
    """Each move that is asked of somebody who is away comes over every way, whoever is killed as it becomes due."""
    rng, made = random.Random(5), await begun(where, told)
    asked = await moved(where, made, 1)
    seen: dict[int, set[int]] = {0: set(), 1: set()}
    for number in range(ROUNDS):
        before = {seat: told.counts(seat) for seat in (0, 1)}
        async with anyio.create_task_group() as tasks:
            seat = min(asked)
            after = await moved(where, made, seat)
            await anyio.sleep(rng.random() * 0.15)
            tasks.start_soon(anyio.to_thread.run_sync, kill, number % 2)
        fresh = {who for who, decision in after.items() if asked.get(who) != decision and who != seat}
        for who in fresh:
            await until_told(told, who, after[who], before[who])
            seen[who].add(after[who])
        asked = after
    hooked = {(who, decision) for who, decision, _ in told.hooked()}
    assert {(who, decision) for who, decisions in seen.items() for decision in decisions} <= hooked
    assert len(hooked) == len(told.hooked()), "each decision has one id"


async def until_told(told: Told, who: int, decision: int, before: tuple[int, int, int]) -> None:
    with anyio.fail_after(60):
        while (who, decision) not in {(seat, number) for seat, number, _ in told.hooked()}:
            await anyio.sleep(0.02)
        while any(now == then for now, then in zip(told.counts(who), before, strict=True)):
            await anyio.sleep(0.02)


@pytest.mark.deep
@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_process_of_two_that_is_killed_loses_no_notice(
    tmp_path: Path, told: Told, store: str, request: pytest.FixtureRequest
) -> None:
    address = "" if store == "sqlite" else request.getfixturevalue("postgres").emptied()
    with household(tmp_path, workers=2, store=address, flags=told.flags()) as where:
        live(told_all)(where, told, where.kill)
        assert "Traceback" not in where.log


@pytest.mark.deep
@pytest.mark.parametrize(("store", "count"), [("sqlite", 1), pytest.param("postgres", 2, marks=pytest.mark.postgres)])
def test_a_server_that_is_killed_loses_no_notice(
    tmp_path: Path, told: Told, store: str, count: int, request: pytest.FixtureRequest
) -> None:
    address = str(tmp_path / "herald.db")
    if store == "postgres":
        instance: Instance = request.getfixturevalue("postgres")
        address = instance.emptied()
    nodes = [Node(tmp_path / f"node{number}", address, flags=told.flags()) for number in range(count)]
    for node in nodes:
        node.start()

    def kill(number: int) -> None:
        nodes[number % count].end()
        nodes[number % count].start()

    try:
        live(told_all)(Servers(nodes), told, kill)
        assert [fault for node in nodes for fault in node.faults()] == []
    finally:
        for node in nodes:
            node.end()
