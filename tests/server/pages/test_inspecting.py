"""The inspector for authors: only where it is asked for, and nothing of it but what its connection gets."""

import http.client
import json
from typing import Any

import anyio.to_thread
import msgspec
import pytest

from server.pages.serving import page
from server.wire.protocol import Create, Created
from tests.server.tabletop import TWO_PEOPLE, Player, Table, live, table
from tests.skirmish.game import GAME

PATHS = (
    "/inspect",
    "/inspect/",
    "/inspect/index.html",
    "/inspect/inspect.js",
    "/inspect/inspect.css",
    "//inspect/inspect.js",
    "/%69nspect/inspect.js",
    "/inspect%2Finspect.js",
)


def status(path: str, *, develop: bool) -> int:
    return page(path, lambda *_: None, develop=develop).status_code


@pytest.mark.parametrize("path", PATHS)
def test_a_server_without_the_flag_has_no_inspector(path: str) -> None:
    assert status(path, develop=False) == 404


@pytest.mark.parametrize("path", ["/inspect", "/inspect/inspect.js", "/inspect/inspect.css"])
def test_a_server_with_the_flag_has_one(path: str) -> None:
    assert status(path, develop=True) == 200


async def view(at: Table, match: str, token: str = "", seq: str = "") -> tuple[int, Any]:
    """What the inspector is told of a view."""

    def ask() -> tuple[int, Any]:
        connection = http.client.HTTPConnection(at.http.removeprefix("http://"), timeout=60)
        try:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request("GET", f"/inspect/view?m={match}{seq and f'&seq={seq}'}", headers=headers)
            response = connection.getresponse()
            body = response.read()
            return response.status, json.loads(body) if response.status == 200 else None
        finally:
            connection.close()

    return await anyio.to_thread.run_sync(ask)


def folded(player: Player) -> Any:
    """The view as the player's own client folds it, out of what it was sent."""
    return json.loads(msgspec.json.encode(player.view.state))


@live
async def test_the_view_is_what_a_client_folds_of_what_it_was_sent() -> None:
    async with table(develop=True) as at:
        created = await at.create()
        ada, bo = [await at.player(created, seat) for seat in range(2)]
        eve = await at.spectator(created)
        await ada.until(lambda: bool(ada.view.asked()))
        assert (await ada.choose()).id
        seen = []
        for player, token in ((ada, created.tokens["0"]), (bo, created.tokens["1"]), (eve, "")):
            await player.reach(ada.view.seq)
            code, told = await view(at, created.match, token, str(player.view.seq))
            assert code == 200
            assert told == {"seq": player.view.seq, "view": folded(player)}
            seen.append(told)
        assert seen[0] != seen[1] != seen[2], "each sees something else"


@live
async def test_who_is_not_let_in_is_told_nothing() -> None:
    async with table(develop=True) as at:
        created = await at.create()
        assert (await view(at, created.match, "no-such-token"))[0] == 404
        assert (await view(at, "no-such-match"))[0] == 404
        assert (await view(at, created.match, created.tokens["0"], "x"))[0] == 404
    async with table() as at:
        created = await at.create()
        assert (await view(at, created.match, created.tokens["0"]))[0] == 404


@live
async def test_spectators_of_a_delayed_match_are_shown_no_more_than_the_stream_gives_them() -> None:
    async with table(develop=True) as at:
        created = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, delay_events=1000), Created)
        bo = await at.player(created, 1)
        await bo.until(lambda: bool(bo.view.asked()))
        eve = await at.spectator(created)
        assert await view(at, created.match) == (200, {"seq": eve.view.seq, "view": folded(eve)})
        assert eve.view.seq < bo.view.seq
        assert (await view(at, created.match, seq=str(bo.view.seq)))[1]["seq"] == eve.view.seq


@live
async def test_spectators_of_a_closed_match_are_shown_nothing() -> None:
    async with table(develop=True) as at:
        created = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        assert (await view(at, created.match))[0] == 404
        assert (await view(at, created.match, created.tokens["0"]))[0] == 200
