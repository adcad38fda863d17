"""The server's socket: frames as RFC 6455 has them, what is written, what is put back."""

import gc
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from msgspec import to_builtins
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.gate.app import _beat, _sweep
from server.gate.match_listener import MatchListener
from server.gate.sockets import WebSocket, serialized
from server.operations.garbage import rare_collections
from server.operations.intervals import Intervals
from server.operations.metrics import Meters
from server.wire.protocol import Accepted, Choose, Events, Presence
from tests.server.tabletop import live, table


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


def socket(state: State) -> tuple[WebSocket, Transport]:
    transport = Transport()
    connection: Any = SimpleNamespace(protocol=SimpleNamespace(state=state), transport=transport)
    return WebSocket(connection, Meters()), transport


def test_what_is_written_into_an_open_connection_goes_at_once() -> None:
    made, transport = socket(State.OPEN)
    made.write("one")
    assert transport.written == [serialized("one")]


def test_nothing_is_written_into_a_connection_that_is_closed() -> None:
    made, transport = socket(State.CLOSED)
    made.write("one")
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


@live
async def test_who_does_not_read_that_it_is_closed_is_cut_off() -> None:
    async with table(intervals=Intervals(close_s=0.05)) as at:
        created = await at.create()
        watcher = await at.spectator(created)
        watcher.client.connection.transport.pause_reading()
        (listener,) = at.lobby.registry.live_match(created.match).connections
        assert isinstance(listener, MatchListener)
        while listener.waiting() < 1 << 20:
            listener.send('{"t":"pong","n":1}'.ljust(1 << 20))
        listener.dismiss(4013)
        with anyio.fail_after(10):  # else the next ping finds that it is gone, after 20 seconds
            while listener.waiting():
                await anyio.sleep(0.01)
        watcher.client.connection.transport.abort()


def test_garbage_collection_is_put_back_as_it_was() -> None:
    former, frozen = gc.get_threshold(), gc.get_freeze_count()
    with rare_collections():
        assert gc.get_freeze_count() > frozen
        assert gc.get_threshold()[2] > 1_000_000
    assert (gc.get_threshold(), gc.get_freeze_count()) == (former, 0)


@live
async def test_others_have_their_turn_between_the_heartbeats_of_a_few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(intervals=Intervals(beats_at_once=2)) as at:
        for _ in range(5):
            await at.create()
        beaten = list[str]()
        for match in at.lobby.registry.in_memory():
            monkeypatch.setattr(
                at.lobby.registry.live_match(match), "heartbeat", lambda match=match: beaten.append(match)
            )
        assert [len(beaten) for _ in at.lobby.registry.heartbeats()] == [2, 4]
        assert beaten == at.lobby.registry.in_memory()


class Swept(Exception):
    """So often it was looked round."""


@live
async def test_all_objects_are_walked_only_after_very_many_have_left_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, walked = iter(((20, 5), (20, 6), (21, 30), (21, 31))), list[int]()
    lobby: Any = SimpleNamespace(
        registry=SimpleNamespace(forget_idle=lambda: 0, forgotten=0), intervals=Intervals(collect_after=26)
    )
    connections: Any = SimpleNamespace()

    async def sleep(seconds: float) -> None:
        del seconds
        left = next(gone, None)
        if left is None:
            raise Swept
        lobby.registry.forgotten, connections.gone = left

    monkeypatch.setattr("server.gate.app.asyncio.sleep", sleep)
    monkeypatch.setattr(
        "server.operations.garbage.gc", SimpleNamespace(collect=lambda: walked.append(connections.gone))
    )
    with pytest.raises(Swept):
        await _sweep(lobby, connections)
    assert walked == [6, 31]


class Beaten(Exception):
    """The first beat has been measured."""


@live
@pytest.mark.parametrize(("late_s", "told"), [(0.25, 0.25), (0.0, 0.0), (-0.25, 0.0)])
async def test_a_beat_tells_how_late_it_came(monkeypatch: pytest.MonkeyPatch, late_s: float, told: float) -> None:
    now = 100.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds + late_s

    def beaten() -> list[None]:
        raise Beaten

    monkeypatch.setattr("server.gate.app.time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr("server.gate.app.asyncio.sleep", sleep)
    lobby: Any = SimpleNamespace(meters=Meters(), registry=SimpleNamespace(heartbeats=beaten), intervals=Intervals())
    with pytest.raises(Beaten):
        await _beat(lobby)
    assert lobby.meters.lag_s == pytest.approx(told)
