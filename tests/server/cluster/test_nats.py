"""Hints over NATS: to everybody else, and on again after the server was away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest

from server.cluster.nats import MOST, NatsPubSub, read, written
from tests.nats import Server
from tests.server.tabletop import live


def test_hints_are_read_as_they_were_written() -> None:
    lines = {f"match-{n}": n for n in range(2 * MOST + 1)}
    messages = list(written(lines))
    assert len(messages) == 3
    found: dict[str, int] = {}
    for message in messages:
        found |= read(message)
    assert found == lines


@pytest.mark.parametrize(
    "junk",
    [b"", b"\xff\xfe", b"m", b"m x", b"m -1", b"m 1 2", b" 4", b"m " + b"9" * 40, b"m" * 99 + b" 1", "m ²".encode()],
)
def test_what_is_no_hint_is_passed_over(junk: bytes) -> None:
    assert read(junk + b"\nmine 7") == {"mine": 7}


@asynccontextmanager
async def listening(address: str) -> AsyncIterator[tuple[NatsPubSub, dict[str, int]]]:
    heard: dict[str, int] = {}
    hints = NatsPubSub(address, again_s=0.05)
    await hints.start(heard.update)
    try:
        yield hints, heard
    finally:
        await hints.close()


async def until(done: Callable[[], bool]) -> None:
    with anyio.fail_after(60):
        while not done():
            await asyncio.sleep(0.01)


@pytest.mark.nats
@pytest.mark.xdist_group("postgres")
@live
async def test_everybody_else_hears_a_hint_and_again_after_the_server_was_away() -> None:
    server = Server()
    try:
        async with listening(server.address) as (one, own), listening(server.address) as (two, heard):
            assert not one.is_connected
            one.give({"m": 1})
            server.start()
            await until(lambda: one.is_connected and two.is_connected)
            one.give({"m": 2})
            await until(lambda: heard == {"m": 2})
            assert own == {}
            server.kill()
            await until(lambda: not one.is_connected and not two.is_connected)
            one.give({"m": 3})
            server.start()
            await until(lambda: one.is_connected and two.is_connected)
            one.give({"m": 4})
            await until(lambda: heard == {"m": 4})
    finally:
        server.kill()
