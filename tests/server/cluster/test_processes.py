"""The processes of one server among themselves: messages with open files, hints, inboxes that outlive their readers."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import anyio
import pytest

from server.cluster.processes import AT_ONCE, LONGEST
from tests.server.cluster.processes import Family
from tests.server.tabletop import live


async def until(heard: Sequence[object], count: int = 1) -> None:
    while len(heard) < count:
        await anyio.sleep(0.001)


@live
async def test_a_message_comes_with_its_open_files(tmp_path: Path) -> None:
    with ExitStack() as stack:
        family = Family(stack)
        one, two = family.member(0), family.member(1)
        heard: list[tuple[bytes, list[int]]] = []
        two.take(b"k", lambda message, files: heard.append((message, files)))
        two.listen()
        file = stack.enter_context((tmp_path / "a").open("w+b"))
        assert one.tell(1, b"k", b"said", [file.fileno()])
        await until(heard)
        ((message, (there,)),) = heard
        os.write(there, b"written there")
        os.close(there)
        assert (message, (tmp_path / "a").read_bytes()) == (b"said", b"written there")
        two.stop()


@live
async def test_what_was_sent_to_one_that_died_is_taken_by_the_one_in_its_place() -> None:
    with ExitStack() as stack:
        family = Family(stack)
        one, heard = family.member(0), list[bytes]()
        assert all(one.tell(1, b"k", b"%d" % number) for number in range(3 * AT_ONCE))
        late = family.member(1)
        late.take(b"k", lambda message, _: heard.append(message))
        late.listen()
        await until(heard, 3 * AT_ONCE)
        assert heard == [b"%d" % number for number in range(3 * AT_ONCE)]
        late.stop()


@live
async def test_files_of_a_message_that_nobody_takes_are_closed(tmp_path: Path) -> None:
    with ExitStack() as stack:
        family = Family(stack)
        one, two, heard = family.member(0), family.member(1), list[bytes]()
        two.take(b"k", lambda message, _: heard.append(message))
        two.listen()
        reading, writing = os.pipe()
        assert one.tell(1, b"?", b"", [writing])
        os.close(writing)
        assert one.tell(1, b"k", b"")
        await until(heard)
        assert os.read(reading, 1) == b""
        os.close(reading)
        two.stop()


@pytest.mark.parametrize(("size", "is_sent"), [(LONGEST - 1, True), (LONGEST, False)])
def test_a_message_has_a_greatest_length(size: int, *, is_sent: bool) -> None:
    with ExitStack() as stack:
        assert Family(stack).member(0).tell(1, b"k", bytes(size)) is is_sent


def test_a_full_inbox_takes_nothing_and_nobody_waits() -> None:
    with ExitStack() as stack:
        one = Family(stack).member(0)
        while one.tell(1, b"k", bytes(LONGEST // 2)):
            pass
        assert not one.tell(1, b"k", bytes(LONGEST // 2))


@live
async def test_hints_reach_all_others_and_not_oneself() -> None:
    with ExitStack() as stack:
        family = Family(stack, 3)
        members = [family.member(number) for number in range(3)]
        heard: list[dict[str, int]] = []
        for member in members:
            await member.start(lambda lines: heard.append(dict(lines)))
            member.listen()
        members[0].give({"A": 7})
        await until(heard, 2)
        await members[1].close()
        members[0].give({"A": 8})
        await until(heard, 3)
        await anyio.sleep(0.01)
        assert heard == [{"A": 7}, {"A": 7}, {"A": 8}]
        for member in members:
            member.stop()
