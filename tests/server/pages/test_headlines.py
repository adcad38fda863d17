"""Headlines tell of listed matches alone, and of none earlier than its spectators may know."""

import json
from typing import Any

import anyio
import pytest

from projections.redaction import SPECTATOR
from server.operations.bounds import Bounds
from server.operations.intervals import Intervals
from server.pages.headlines import Headline, HeadlineFeed
from server.wire.protocol import Created
from tests.server.pages.headlines import played
from tests.server.pages.serving import get
from tests.server.tabletop import Table, live, play_out, table
from tests.skirmish.game import GAME

AT_ONCE = Intervals(listed_s=0)


class Reader:
    """Somebody who reads a feed; `told` are the headlines so far."""

    def __init__(self, at: Table) -> None:
        self.feed = HeadlineFeed(at.lobby, every_s=0.01, hold_s=0.05)
        self.told: list[Headline] = []
        self._last = 0

    async def read(self, times: int = 3) -> list[Headline]:
        """What is told in some looks from now on."""
        fresh: list[Headline] = []
        for _ in range(times):
            found = await self.feed.since(self._last)
            self._last = found[-1][0] if found else self._last
            fresh += [one for _, one in found]
        self.told += fresh
        return fresh

    def of(self, created: Created) -> list[Headline]:
        """What was told of a match."""
        return [one for one in self.told if one.match == created.match]


@live
async def test_a_match_is_told_from_its_beginning_to_its_end() -> None:
    async with table(intervals=AT_ONCE) as at:
        reader = Reader(at)
        before, _ = await played(at)
        assert [(one.match, one.kind) for one in await reader.read(1)] == [(before.match, "running")]
        created, people = await played(at)
        await reader.read()
        await play_out(people)
        await reader.read()
        kinds = [one.kind for one in reader.of(created)]
        assert (kinds.count("begins"), kinds[-1], kinds.count("ends")) == (1, "ends", 1)
        assert kinds.index("begins") < kinds.index("ends") - 1, "play is told too"
        assert [one.players for one in reader.of(created)] == [("Ada", "Bo")] * len(kinds)
        assert await reader.read() == [], "an end is told once"
        await reader.feed.close()


@pytest.mark.parametrize("options", [{"listed": False}, {"closed": True}])
@live
async def test_a_match_that_is_not_for_everybody_is_never_told(options: dict[str, bool]) -> None:
    async with table(intervals=AT_ONCE) as at:
        reader = Reader(at)
        hidden, people = await played(at, **options)
        await reader.read()
        other, others = await played(at)
        for pair in (people, others):
            await play_out(pair)
            await reader.read()
        assert reader.of(other)
        assert reader.of(hidden) == []
        await reader.feed.close()


@live
async def test_a_match_whose_spectators_are_behind_is_told_as_late_as_to_them() -> None:
    async with table(intervals=AT_ONCE) as at:
        reader = Reader(at)
        await reader.read(1)
        created, people = await played(at, delay_events=6)
        head = at.lobby.registry.live_match(created.match).visible_head
        seen = 0
        while not people[0].is_over():
            await play_out(people, most=1)
            await reader.read(2)
            lines = [one.line for one in reader.of(created)]
            if at.store.header(created.match).status != "finished":
                assert max(lines, default=0) <= head.seq_for(SPECTATOR) <= max(head.seq - 6, 3)
                seen = max(lines, default=0)
        assert seen > 3, "something was told meanwhile"
        await reader.read()
        assert reader.of(created)[-1].kind == "ends"
        await reader.feed.close()


@live
async def test_two_matches_that_differ_beyond_the_delay_alone_are_told_alike() -> None:
    told = []
    for more in (0, 1):
        async with table(intervals=AT_ONCE) as at:
            reader = Reader(at)
            await reader.read(1)
            created, people = await played(at, delay_s=3600)
            await play_out(people, most=2 + more)
            await reader.read()
            told.append([(one.line, one.kind, one.text) for one in reader.of(created)])
            await reader.feed.close()
    assert told[0] == told[1]


@live
async def test_what_is_kept_and_what_waits_is_bounded() -> None:
    async with table(intervals=AT_ONCE, bounds=Bounds(headlines=3, feed_readers=0)) as at:
        reader = Reader(at)
        await reader.feed.since(0)
        _, people = await played(at)
        await play_out(people)
        while not (found := await reader.feed.since(0)) or found[-1][1].kind != "ends":
            await anyio.sleep(0.01)
        assert [number for number, _ in found] == [reader.feed.last - 2, reader.feed.last - 1, reader.feed.last]
        assert await reader.feed.since(reader.feed.last) == [], "no place to wait"
        await reader.feed.close()


def events(body: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The events of an answer: id and data."""
    found = []
    for part in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in part.split("\n") if ": " in line)
        if "data" in fields:
            found.append((fields["id"], json.loads(fields["data"])))
    return found


@live
async def test_the_feed_goes_on_behind_the_last_event_that_a_client_has() -> None:
    async with table(intervals=AT_ONCE) as at:
        for _ in range(2):
            await played(at)
        status, headers, body = await get(at, "/feed")
        assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "text/event-stream", "no-store")
        assert body.startswith(b"retry: ")
        (first, one), (second, _) = events(body)
        assert (one["title"], one["lang"], one["text"]) == (GAME.spec.title, "en", "The match is under way.")
        _, _, later = await get(at, "/feed", **{"Last-Event-ID": first})
        assert [name for name, _ in events(later)] == [second]
        _, _, elsewhere = await get(at, "/feed?lang=de", **{"Last-Event-ID": "00000000-7"})
        assert [name for name, _ in events(elsewhere)] == [first, second], "an id of another process means nothing"
