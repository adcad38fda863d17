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

from herald_client import Asked, Broken, Key, Lines, Match, Offered, Pointed, Server, Shown, Tabled, friend, me, some

pytestmark = pytest.mark.xdist_group("herald-client")  # one server for all
GAME = "war_for_edadh"
PAUSE: Final = {"is": "pause", "length_ms": 600_000}
PROTOCOL: Final = [Subprotocol("herald.v1+json")]
Change = Callable[[dict[str, Any]], None]


@asynccontextmanager
async def between(url: str, change: Change) -> AsyncIterator[str]:
    """The address of a proxy that changes every message of a server."""

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
    """Every offer is reported as a pause."""
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
    """The server reports invented agreements, holders of seats and offers."""
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
    """The prompt has the number of a question that nobody asks."""
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


def stripped(message: dict[str, Any]) -> None:
    """A direction loses its signature, and points elsewhere."""
    if message["t"] == "directed":
        message["direction"] = {"note": "lie"}
        message.pop("said"), message.pop("signed")


def other_words(message: dict[str, Any]) -> None:
    """The signed words are changed."""
    if message["t"] == "directed":
        message["said"] = message["said"].replace("truth", "lie")


def beside(message: dict[str, Any]) -> None:
    """Another direction stands beside the one that was signed."""
    if message["t"] == "directed":
        message["direction"] = {"note": "lie"}


@asynccontextmanager
async def directing(server: Server, match: str, token: str) -> AsyncIterator[Callable[[str], Any]]:
    """A director, who writes notes."""
    async with connect(f"ws{server.url.removeprefix('http')}/ws", subprotocols=PROTOCOL) as socket:
        await socket.send(json.dumps({"t": "hello", "match": match, "token": token, "as": "spectator", "name": "Cato"}))

        async def write(note: str) -> None:
            await socket.send(json.dumps({"t": "direct", "direction": {"note": note}}))

        yield write


@pytest.mark.parametrize("change", [stripped, other_words, beside])
@live
async def test_a_direction_that_was_not_signed_so_is_told_as_a_lie(server: Server, change: Change) -> None:
    created = await server.create(GAME, [me("Ada"), friend("Bo")])
    async with (
        between(server.url, change) as url,
        server.play(created.match, created.tokens["0"]) as ada,
        directing(server, created.match, await ada.grant(directs=True)) as write,
        server.watch(created.match) as true,
        Server(url).watch(created.match) as lied_to,
    ):
        await write("truth")
        told, found = await news(true, Pointed), await news(lied_to, Pointed)
        assert (told.direction, told.name, told.proof) == ({"note": "truth"}, "Cato", "server")
        if change is beside:
            assert found == told, "what was signed counts, whatever stands beside it"
        else:
            assert (found.direction, found.proof) == (None, "false")


@live
async def test_an_older_direction_that_comes_again_is_a_lie_and_the_same_one_is_no_news(server: Server) -> None:
    heard: list[dict[str, Any]] = []

    def again(message: dict[str, Any]) -> None:
        if message["t"] == "directed":
            heard.append(dict(message))
            message |= heard[0 if len(heard) > 2 else -1]

    created = await server.create(GAME, [me("Ada"), friend("Bo")])
    async with (
        between(server.url, again) as url,
        server.play(created.match, created.tokens["0"]) as ada,
        directing(server, created.match, await ada.grant(directs=True)) as write,
        Server(url).watch(created.match) as watching,
    ):
        for note in ("one", "two", "three"):
            await write(note)
        told = [await news(watching, Pointed) for _ in range(3)]
        assert [one.direction for one in told] == [{"note": "one"}, {"note": "two"}, None]
        assert told[2].why == "it is older than the one before it"
