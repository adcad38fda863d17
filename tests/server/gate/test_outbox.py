"""The outbox: frames go out in order, at once or not at all, and a connection is closed once."""

import asyncio

import pytest

from server.gate.outbox import Outbox
from server.operations.settings import DEFAULT_LIMITS
from server.wire.protocol import Accepted, Pong
from tests.server.gate.outbox import Wire
from tests.server.tabletop import live


def test_what_is_held_goes_out_in_one_packet_with_the_answer() -> None:
    wire = Wire()
    out = Outbox(wire, DEFAULT_LIMITS)
    out.send("a")
    out.hold()
    out.send("b", 7)
    assert wire.packets == [("a",)]
    out.accept(Accepted("c", 7))
    assert out.is_answered
    assert [len(packet) for packet in wire.packets] == [1, 2]
    assert wire.packets[1][0] == "b"
    out.answer(Pong(1))
    assert len(wire.packets[2]) == 1


@pytest.mark.parametrize(("more", "is_sent"), [(0, True), (1, False)])
def test_a_frame_goes_out_while_no_more_waits_than_may(more: int, *, is_sent: bool) -> None:
    wire = Wire()
    out = Outbox(wire, DEFAULT_LIMITS)
    out.send("a", 3)
    wire.left = DEFAULT_LIMITS.waiting_bytes + more
    out.send("b", 4)
    assert (len(wire.packets) == 2) is is_sent
    assert out.is_behind is not is_sent
    assert out.seq == (4 if is_sent else 3)
    wire.left = 0
    out.send("c")
    assert (wire.packets[-1] == ("c",)) is is_sent, "a gap is closed by catching up alone"


@live
async def test_a_connection_is_closed_once_with_the_code_that_was_given_first() -> None:
    wire = Wire()
    out = Outbox(wire, DEFAULT_LIMITS)
    before = out.is_closing
    out.dismiss(4013)
    assert (before, out.is_closing) == (False, True)
    out.send("a")
    await out.close(4008)
    assert (wire.codes, wire.packets) == ([4013], [])


@live
async def test_who_reads_is_waited_for_and_who_does_not_is_dropped() -> None:
    wire = Wire()
    out = Outbox(wire, DEFAULT_LIMITS, drain_s=0.001)
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    reading = asyncio.create_task(out.has_read())
    await asyncio.sleep(0.005)
    assert not reading.done()
    wire.left = DEFAULT_LIMITS.waiting_bytes // 4
    assert await reading
    impatient = Outbox(wire, DEFAULT_LIMITS.__class__(slow_s=0.0))
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    assert not await impatient.has_read()
    assert wire.codes == [4008]
