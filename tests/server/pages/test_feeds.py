"""The Atom feed of finished matches, and how often anybody may ask for headlines."""

from xml.etree import ElementTree

import pytest

from server.operations.bounds import Bounds
from server.operations.intervals import Intervals
from server.pages import feeds
from server.pages.feeds import atom
from server.wire.protocol import MatchInfo, SeatInfo
from tests.server.pages.headlines import played
from tests.server.pages.serving import get
from tests.server.tabletop import live, play_out, table

NAMES = {"a": "http://www.w3.org/2005/Atom"}


@live
async def test_finished_matches_that_are_listed_are_in_the_atom_feed() -> None:
    async with table(intervals=Intervals(listed_s=0)) as at:
        created, people = await played(at)
        hidden, others = await played(at, listed=False)
        await play_out(people)
        await play_out(others)
        running, _ = await played(at)
        status, headers, body = await get(at, "/feed.atom")
        assert (status, headers["Content-Type"]) == (200, "application/atom+xml")
        (entry,) = ElementTree.fromstring(body).findall("a:entry", NAMES)
        assert [link.get("href") for link in entry.findall("a:link", NAMES)] == [f"/replay#m={created.match}"]
        assert entry.findtext("a:title", "", NAMES).endswith(": Ada – Bo")
        assert hidden.match.encode() not in body
        assert running.match.encode() not in body


def test_texts_of_others_stay_texts() -> None:
    evil = "</title>\x00\ud800&<script>"
    info = MatchInfo("A" * 22, "skirmish", evil, 0, (SeatInfo(0, evil, "person"),), f"seat 0: {evil}")
    (entry,) = ElementTree.fromstring(atom("h", (info,), {"A" * 22: 5}, "en")).findall("a:entry", NAMES)
    assert entry.findtext("a:title", "", NAMES).startswith("</title>\ufffd\ufffd&<script>")
    assert entry.findtext("a:updated", "", NAMES) == "1970-01-01T00:00:00Z"


@live
async def test_an_address_that_asks_too_often_is_told_nothing_and_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "is_local", lambda _: False)
    async with table(bounds=Bounds(feed_requests=2)) as at:
        await played(at)
        answers = [(await get(at, "/feed"))[2] for _ in range(3)]
        assert all(b"data: " in body for body in answers[:2])
        assert answers[2] == b"retry: 60000\n: too often\n\n"
