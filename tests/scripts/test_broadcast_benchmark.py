"""Viewers of a broadcast are counted line by line, and whatever is unlike the record ends the measurement."""

import json
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

from scripts.benchmarks.broadcast import Watched, Wish, broadcast_report, check
from scripts.benchmarks.goals import open_goals
from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.viewers import Crowd, Frame, Seen, Viewer
from server.wire.protocol import Events, Hello, Welcome, write_message
from tests.server.relay.relayed import heard, of
from tests.server.tabletop import live, play_out, table


def events(first: int, last: int) -> bytes:
    items = [[f"line {seq}", []] for seq in range(first, last + 1)]
    told = {"t": "events", "from": first, "to": last, "items": items, "head": {"seq": last, "hash": "x"}}
    return json.dumps(told, separators=(",", ":")).encode()


PRESENCE = b'{"t":"presence","seats":[]}'


def sent(*payloads: bytes) -> bytes:
    return b"".join(WebSocketFrame(Opcode.TEXT, payload).serialize(mask=False) for payload in payloads)


@pytest.mark.parametrize("cut", [1, 50, 1 << 20])
def test_a_viewer_who_misses_a_line_or_has_one_twice_is_counted(cut: int) -> None:
    crowd = Crowd("spectator")
    connection: Any = None  # nothing is answered
    one, two = [Viewer(crowd, connection) for _ in range(2)]

    def take(viewer: Viewer, data: bytes, at: float) -> None:
        for begin in range(0, len(data), cut):
            viewer.take(data[begin : begin + cut], at)

    for viewer in (one, two):
        take(viewer, sent(PRESENCE, events(1, 3)), 1)
    assert (crowd.greeted, crowd.unordered) == (2, 0)
    crowd.begin()
    take(one, sent(events(4, 4)), 2)
    take(one, sent(events(4, 4)), 3)
    take(two, sent(events(5, 5), events(6, 7)), 4)
    assert (crowd.greeted, crowd.unordered) == (2, 2)
    counted = {(frame.first, frame.last, frame.live): frame.times for frame in crowd.frames()}
    assert counted == {(1, 3, False): [1, 1], (4, 4, True): [2, 3], (5, 5, True): [4], (6, 7, True): [4]}


def test_a_frame_is_late_by_the_time_of_its_last_line_and_the_delay() -> None:
    frame = Frame("open", "", 1, 2, live=True, times=[12_100.0, 12_300.0])
    found = Watched([Seen([frame, replace(frame, live=False), replace(frame, kind="spectator")], 0, 0)], 1.0, 0.5)
    assert found.deliveries == 4
    stored = [Line(9_000), Line(10_000)]
    assert found.lags_ms("open", stored, 2) == [100, 300]  # type: ignore[arg-type]


class Line:
    def __init__(self, at: int) -> None:
        self.at = at


@live
async def test_what_is_unlike_the_record_is_an_error() -> None:
    async with table() as at:
        created = await at.create()
        await play_out([await at.player(created, 0), await at.player(created, 1)], 1)
        client = await at.client()
        welcome = await client.ask(Hello(created.match, viewer="spectator", since=0), Welcome)
        told = of(Events, await heard(client))
        stored = at.store.read(created.match)
    frames = [Frame("spectator", write_message(each), each.first, each.last, live=True, times=[1.0]) for each in told]
    assert check(welcome.match, Watched([Seen(frames, 0, 0)], 1, 0), stored) == len(frames)
    for seen in (Seen(frames, 1, 0), Seen(frames, 0, 1)):
        with pytest.raises(RuntimeError, match="once and in order"):
            check(welcome.match, Watched([seen], 1, 0), stored)
    other = replace(frames[-1], text=frames[-1].text.replace("MatchEnded", "MatchEnds"))
    with pytest.raises(RuntimeError, match="not as in the record"):
        check(welcome.match, Watched([Seen([*frames[:-1], other], 0, 0)], 1, 0), stored)


@pytest.mark.parametrize("name", ["processor time of the relays a delivery", "spectators behind the end, at most"])
def test_each_of_its_goals_has_a_reason_to_tell_where_it_is_open(name: str) -> None:
    figure = Figure(name, 31.0, "ms", goal=30)
    assert f"`scale broadcast`: {name}: " in open_goals([Report("scale broadcast", "", (figure,))])


@pytest.mark.deep
def test_a_broadcast_is_measured_at_relays_with_and_without_open_cards() -> None:
    report = broadcast_report(Wish("war_for_edadh", 8, 4, 2, 8.0))
    assert "each viewer had each line once" in report.about
    named = {figure.name: figure.value for figure in report.figures}
    assert named["processor time of the relays a delivery"] > 0
    assert named["spectators behind the end, at most"] > 0
    assert named["viewers of open cards behind the end, at most"] > 0
