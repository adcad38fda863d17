"""An attacker between a server and one player, who changes things that no line proves (docs/security.md)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import pytest
from conftest import live
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from herald_client import Asked, Broken, Key, Lines, Match, Offered, Server, Shown, Tabled, friend, me, some

pytestmark = pytest.mark.xdist_group("herald-client")  # one server for all
GAME = "war_for_edadh"
PAUSE: Final = {"is": "pause", "length_ms": 600_000}
PROTOCOL: Final = [Subprotocol("herald.v1+json")]
Change = Callable[[dict[str, Any]], None]


@asynccontextmanager
async def between(url: str, change: Change) -> AsyncIterator[str]:
    """The address of a way to a server on which every message of the server's is changed."""

    async def carry(near: ServerConnection) -> None:
        assert near.request is not None
        async with connect(f"ws{url.removeprefix('http')}{near.request.path}", subprotocols=PROTOCOL) as far:
            await asyncio.wait(
                [asyncio.create_task(_changed(far, near)), asyncio.create_task(_passed(near, far))],
                return_when=asyncio.FIRST_COMPLETED,
            )

    async def _passed(near: ServerConnection, far: Any) -> None:
        with suppress(ConnectionClosed):
            async for frame in near:
                await far.send(frame)

    async def _changed(far: Any, near: ServerConnection) -> None:
        async for frame in far:
            message = json.loads(frame)
            change(message)
            with suppress(ConnectionClosed):
                await near.send(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    async with serve(carry, "127.0.0.1", 0, subprotocols=PROTOCOL) as listening:
        yield f"http://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"


@asynccontextmanager
async def two(server: Server, change: Change) -> AsyncIterator[tuple[Match, Match]]:
    """Ada at the server, and Bo with somebody between."""
    keys = Key(), Key()
    created = await server.create(GAME, [me("Ada", key=keys[0]), friend("Bo")])
    async with (
        between(server.url.removesuffix("/ws").replace("ws://", "http://"), change) as url,
        server.play(created.match, created.tokens["0"], key=keys[0]) as ada,
        Server(url).play(created.match, created.tokens["1"], key=keys[1]) as bo,
    ):
        yield ada, bo


async def news(match: Match, kind: type[Any]) -> Any:
    async for told in match:
        if isinstance(told, kind):
            return told
    raise AssertionError(f"the match ended without {kind.__name__}")


def pause_for_draw(message: dict[str, Any]) -> None:
    """Every offer is told to be a pause."""
    for offer in (message.get("table") or {}).get("offers", ()):
        offer["terms"] = PAUSE


def pause_in_lines_too(message: dict[str, Any]) -> None:
    """The line of the offer says so as well."""
    pause_for_draw(message)
    for item in message.get("items", ()):
        item[0] = item[0].replace('{"is":"draw"}', json.dumps(PAUSE, separators=(",", ":")))


@live
async def test_an_offer_is_what_its_line_says_whatever_the_table_says(server: Server) -> None:
    async with two(server, pause_for_draw) as (ada, bo):
        await news(ada, Asked)
        await ada.offer("draw")
        offer = (await news(bo, Offered)).offer
        assert (offer.terms, offer.seat, offer.asked) == ({"is": "draw"}, 0, (1,))
        await bo.agree(offer.number)
        assert (await news(ada, Lines)).lines
        while ada.result is None:
            await news(ada, Lines)
        assert ada.result.reason == "draw agreed"


@live
async def test_who_changes_the_line_too_is_found_and_nothing_is_signed(server: Server) -> None:
    async with two(server, pause_in_lines_too) as (ada, bo):
        await news(ada, Asked)
        await ada.offer("draw")
        with pytest.raises(Broken):
            await news(bo, Offered)
        with pytest.raises(Broken):
            await bo.agree(1)
        assert ada.result is None


def invented(message: dict[str, Any]) -> None:
    """Agreements, holders of seats and offers are told as the server likes."""
    if "table" in message or message["t"] in ("events", "welcome"):
        offer = {"number": 1, "seat": 0, "terms": PAUSE, "asked": [1]}
        told = {"offers": [offer], "paused_ms": 5000, "reveal": [1], "hints": True, "hinted": [1]}
        message["table"] = told
    for seat in message.get("seats", ()) if message["t"] in ("welcome", "seats") else ():
        seat |= {"name": "Eve", "kind": "bot"}


@live
async def test_what_no_line_says_of_the_table_and_the_seats_is_not_so(server: Server) -> None:
    async with two(server, invented) as (ada, bo):
        prompt = (await news(bo, Asked)).prompt
        table = bo.table
        assert (table.offers, table.paused_ms, table.reveal, table.hints, table.hinted) == ((), 0, (), False, ())
        assert [(seat.name, seat.kind) for seat in bo.seats] == [("Ada", "person"), ("Bo", "person")]
        await bo.answer(some(prompt["fields"][0], lambda below: 0))
        await ada.offer("pause", length_ms=5000)
        await news(bo, Tabled)
        assert [offer.terms["length_ms"] for offer in bo.table.offers] == [5000]


def another_question(message: dict[str, Any]) -> None:
    """The question has the number of one that nobody asks."""
    for scene in (message.get("scene") or {}, *(step.get("set", {}) for step in message.get("steps", ()))):
        if "prompt" in scene:
            scene["prompt"]["id"] = str(int(scene["prompt"]["id"] or 0) + 1)


@live
async def test_a_question_that_no_line_asks_is_none(server: Server) -> None:
    async with two(server, another_question) as (ada, bo):
        await news(ada, Asked)
        await news(bo, Shown)
        while not bo.is_up_to_date:
            await news(bo, Lines)
        assert bo.prompt is not None
        assert bo.prompt["mode"] == "you"
        assert bo.question is None
