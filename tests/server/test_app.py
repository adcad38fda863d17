"""The server's socket: frames as RFC 6455 has them, what is written in one turn of the loop, what is put back."""

import asyncio
import gc
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import to_builtins
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.app import WebSocket, rare_collections, serialized
from server.metrics import Meters
from server.protocol import Accepted, Choose, Events, Presence
from tests.server.table import live, table


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
@pytest.mark.parametrize("letter", ["x", "ð"])
def test_rfc_6455_frames_are_those_of_the_library(size: int, letter: str) -> None:
    frame = letter * size
    assert serialized(frame) == Frame(Opcode.TEXT, frame.encode()).serialize(mask=False)


class Transport:
    """What is written, call by call."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return 7


def socket(state: State = State.OPEN) -> tuple[WebSocket, Transport, Counter[int]]:
    transport, closed = Transport(), Counter[int]()

    async def close(code: int, reason: str) -> None:
        closed[code] = len(transport.written)

    connection: Any = SimpleNamespace(
        protocol=SimpleNamespace(state=state), transport=transport, loop=asyncio.get_running_loop(), close=close
    )
    return WebSocket(connection, Meters()), transport, closed


@pytest.mark.anyio
async def test_what_is_written_soon_goes_with_what_follows_at_once_and_in_order() -> None:
    made, transport, _ = socket()
    made.write_soon("one")
    made.write_soon("two")
    assert made.waiting() == 7 + 2 * len(serialized("one"))
    made.write("three")
    made.write("four")
    together = serialized("one") + serialized("two") + serialized("three")
    assert transport.written == [together, serialized("four")]
    await asyncio.sleep(0)
    assert len(transport.written) == 2


@pytest.mark.anyio
async def test_what_is_written_soon_goes_when_the_loop_comes_round() -> None:
    made, transport, _ = socket()
    made.write_soon("one")
    assert transport.written == []
    await asyncio.sleep(0)
    assert transport.written == [serialized("one")]
    made.write_soon("two")
    await asyncio.sleep(0)
    assert transport.written == [serialized("one"), serialized("two")]


@pytest.mark.anyio
async def test_what_is_written_soon_goes_before_the_connection_is_closed() -> None:
    made, transport, closed = socket()
    made.write_soon("one")
    await made.close(4013)
    assert (transport.written, closed) == ([serialized("one")], {4013: 1})


@pytest.mark.anyio
async def test_nothing_is_written_into_a_connection_that_is_closed() -> None:
    made, transport, _ = socket(State.CLOSED)
    made.write("one")
    made.write_soon("two")
    await asyncio.sleep(0)
    assert transport.written == []


@live
async def test_who_chooses_has_the_lines_before_the_answer() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        await ada.client.send(Choose("c1", ada.asked().number, to_builtins(ada.options()[0])))
        kinds: list[type] = []
        while Accepted not in kinds:
            kinds.append(type(await ada.client.receive()))
        assert [kind for kind in kinds if kind is not Presence] == [Events, Accepted]


def test_garbage_collection_is_put_back_as_it_was() -> None:
    former, frozen = gc.get_threshold(), gc.get_freeze_count()
    with rare_collections():
        assert gc.get_freeze_count() > frozen
        assert gc.get_threshold()[2] > 1_000_000
    assert (gc.get_threshold(), gc.get_freeze_count()) == (former, 0)
