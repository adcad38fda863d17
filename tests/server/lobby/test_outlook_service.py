"""Chances to win are worked out for whoever asks, from lines that spectators may see, and not for a closed match."""

import asyncio
from typing import Any

import msgspec
import pytest

from server.analysis.outlook import Outlook, Watched
from server.bots.workers import Workers
from server.lobby import outlook_service
from server.lobby.outlook_service import OutlookService, StatedOutlook
from server.wire.protocol import Create, Created
from tests.server.pages.serving import get
from tests.server.tabletop import TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME

FOUND = Outlook(3, 24, ((0,), (1,)), (0.75, 0.25), (0.55, 0.12), (0.88, 0.45))


async def begun(at: Table, **wishes: Any) -> Created:
    """A match with some choices made."""
    created = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, **wishes), Created)
    await play_out([await at.player(created, seat) for seat in range(2)], 3, most=3)
    return created


def service(at: Table, monkeypatch: pytest.MonkeyPatch) -> tuple[OutlookService, list[Watched]]:
    """A service whose work is noted, in a server that runs."""
    asked: list[Watched] = []

    def noted(watched: Watched) -> Outlook:
        asked.append(watched)
        return FOUND

    monkeypatch.setattr(outlook_service, "looked_ahead", noted)
    at.lobby.outlooks = OutlookService(at.store, Workers(0), at.lobby.registry.broadcast_end)
    return at.lobby.outlooks, asked


async def known(outlooks: OutlookService, match: str) -> StatedOutlook:
    while (found := await outlooks.ask(match)) is None:
        await asyncio.sleep(0)
    return found


@live
async def test_whoever_asks_is_answered_at_once_and_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created = await begun(at)
        outlooks, asked = service(at, monkeypatch)
        assert await outlooks.ask(created.match) is None
        assert (await known(outlooks, created.match)).outlook == FOUND
        assert len(asked) == 1, "it is fresh for a while"
        status, _, body = await get(at, f"/api/outlook/{created.match}")
        assert (status, msgspec.json.decode(body)["sides"][0]) == (
            200,
            {"seats": [0], "share": 0.75, "low": 0.55, "high": 0.88},
        )


@live
async def test_no_line_goes_into_it_that_spectators_may_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created = await begun(at, delay_s=3600)
        outlooks, asked = service(at, monkeypatch)
        await known(outlooks, created.match)
        end = await asyncio.to_thread(at.lobby.registry.spectators_end, created.match)
        assert end is not None
        assert asked[0].line == end < at.store.head(created.match).seq
        assert asked[0].whole.data.count(b"\n") < at.store.head(created.match).seq


@live
async def test_a_closed_match_and_one_that_is_over_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created = await begun(at)
        closed = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        _, asked = service(at, monkeypatch)
        assert (await get(at, f"/api/outlook/{closed.match}"))[0] == 404
        assert (await get(at, "/api/outlook/nothing"))[0] == 404
        await play_out([await at.player(created, seat) for seat in range(2)], 3)
        assert (await get(at, f"/api/outlook/{created.match}"))[2] == b"{}"
        assert asked == []


@live
async def test_a_delayed_broadcast_has_chances_of_its_own_moment_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created = await begun(at, delay_s=3600)
        outlooks, asked = service(at, monkeypatch)
        await play_out([await at.player(created, seat) for seat in range(2)], 3)
        await known(outlooks, created.match)
        entries = at.store.read(created.match)
        (watched,) = asked
        assert watched.line < len(entries)
        assert entries[watched.line].at > at.lobby.registry.time.roughly() - 3600 * 1000
        assert watched.whole.data.count(b"\n") < len(entries)
