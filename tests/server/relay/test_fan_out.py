"""Messages on their way to many viewers: each once, in order, and together where several wait for a viewer's turn."""

import asyncio
from collections.abc import Sequence

from server.relay.fan_out import FanOut
from tests.server.tabletop import live


class Viewer:
    """What somebody was sent, write by write."""

    def __init__(self) -> None:
        self.seq = 0
        self.told: list[tuple[str, ...]] = []

    def send_all(self, frames: Sequence[str], seq: int = 0) -> None:
        self.told.append(tuple(frames))
        self.seq = seq or self.seq


def crowd(many: int, portion: int = 100) -> tuple[FanOut[Viewer], list[Viewer]]:
    fan, viewers = FanOut[Viewer](portion), [Viewer() for _ in range(many)]
    for viewer in viewers:
        fan.enter(viewer)
    return fan, viewers


async def until_told(viewers: Sequence[Viewer], last: str) -> None:
    async with asyncio.timeout(120):
        while not all(viewer.told and viewer.told[-1][-1] == last for viewer in viewers):
            await asyncio.sleep(0)


@live
async def test_everybody_is_sent_each_message_once_and_in_order() -> None:
    fan, viewers = crowd(250)
    for seq in range(1, 4):
        fan.tell(lambda _, seq=seq: f"line {seq}", seq)  # type: ignore[misc]
        fan.tell(lambda _: "aside")
    await until_told(viewers, "aside")
    assert {viewer.told[0] for viewer in viewers} == {("line 1", "aside", "line 2", "aside", "line 3", "aside")}
    assert {(len(viewer.told), viewer.seq) for viewer in viewers} == {(1, 3)}


@live
async def test_a_message_that_comes_meanwhile_goes_along_and_nobody_waits_for_a_second_round() -> None:
    fan, viewers = crowd(40, portion=10)
    fan.tell(lambda _: "one", 1)
    while not viewers[9].told:
        await asyncio.sleep(0)
    fan.tell(lambda _: "two", 2)
    while len(viewers[9].told) < 2:
        await asyncio.sleep(0)
    assert [viewer.told for viewer in viewers] == [[("one",), ("two",)]] * 10 + [[("one", "two")]] * 30


@live
async def test_viewers_who_come_and_go_meanwhile_are_sent_what_is_theirs() -> None:
    fan, (one, two, three, four) = crowd(4, portion=2)
    fan.tell(lambda _: "one")
    while not one.told:
        await asyncio.sleep(0)
    fan.leave(three)
    late = Viewer()
    fan.enter(late)
    fan.tell(lambda _: "two")
    await until_told([one, two, four, late], "two")
    assert (three.told, late.told, four.told) == ([], [("two",)], [("one", "two")])
    assert one.told == two.told == [("one",), ("two",)]
    fan.leave(three)


@live
async def test_what_somebody_has_had_by_other_means_is_not_sent_again() -> None:
    fan, (asker, caught_up, other) = crowd(3)
    for seq in (1, 2):
        fan.tell(lambda _, seq=seq: f"line {seq}", seq)  # type: ignore[misc]
    fan.tell(lambda _: "aside")
    asker.seq = 1
    fan.tell_now(asker)
    fan.skip(caught_up)
    assert asker.told == [("line 2", "aside")]
    await until_told([other], "aside")
    await asyncio.sleep(0)
    assert (asker.told, caught_up.told) == ([("line 2", "aside")], [])


@live
async def test_each_is_sent_its_own_form_of_a_message_and_one_that_fails_holds_up_nobody() -> None:
    fan, (one, two, three) = crowd(3)

    def form(viewer: Viewer) -> str:
        if viewer is two:
            raise ValueError("no words")
        return "mine" if viewer is one else ""

    fan.tell(form)
    fan.tell(lambda _: "all")
    await until_told([one, two, three], "all")
    assert (one.told, two.told, three.told) == ([("mine", "all")], [("all",)], [("all",)])


@live
async def test_nothing_is_kept_of_what_everybody_has_had() -> None:
    fan, viewers = crowd(3, portion=1)
    for number in range(50):
        fan.tell(lambda _, number=number: str(number))  # type: ignore[misc]
        await asyncio.sleep(0)
        assert fan.waiting <= 4
    await until_told(viewers, "49")
    await asyncio.sleep(0)
    assert fan.waiting == 0
    fan.tell(lambda _: "alone")
    assert [sum(map(len, viewer.told)) for viewer in viewers] == [50, 50, 50]
