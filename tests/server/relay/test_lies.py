"""An origin that lies: nothing that does not follow from what was checked is shown, and the line is named."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection

from replay.record import sealing, statements
from server.direction.statements import About, signed
from server.relay.upstream import FRAME_BYTES
from server.wire.client import Client
from server.wire.direction_messages import Directed, Direction
from server.wire.protocol import (
    ChatLine,
    Checkpoint,
    Error,
    Events,
    HeadInfo,
    Hello,
    Need,
    Said,
    ServerMessage,
    ViewerInfo,
    Welcome,
    write_message,
)
from tests.replay.record.stating import sign
from tests.server.relay.liars import Truth, origin, tell, truth
from tests.server.relay.relayed import Relay, heard, of, relay
from tests.server.tabletop import live

SHOWN = 12
"""Lines that are true; the lie comes behind them."""


def with_line(true: Truth, change: Callable[[str], str], *, consistent: bool = False) -> Events:
    """The next lines, the last of which is changed; `consistent`: the head is that of the changed lines."""
    said = true.said(SHOWN + 1, SHOWN + 4)
    texts = [text for text, _ in said.items]
    texts[-1] = change(texts[-1])
    head = true.heads[SHOWN]
    for text in texts:
        head = sealing.link(head, text.encode())
    made = replace(said, items=tuple((text, ()) for text in texts))
    return replace(made, head=HeadInfo(said.last, sealing.b64(head))) if consistent else made


def other_number(text: str) -> str:
    line = msgspec.json.decode(text)
    line[3] += 1
    return msgspec.json.encode(line).decode()


def of_another_match(text: str) -> str:
    line = msgspec.json.decode(text)
    line[1] = "A" * 22
    return msgspec.json.encode(line).decode()


def with_a_field_more(text: str) -> str:
    line = msgspec.json.decode(text)
    line[8]["more"] = 1
    return msgspec.json.encode(line).decode()


def of_no_event(text: str) -> str:
    line = msgspec.json.decode(text)
    line[4] = "Nonsense"
    return msgspec.json.encode(line).decode()


def directed(true: Truth, match: str = "", viewers: str = "spectator") -> Directed:
    """A direction as a server signs it."""
    about = About(match or true.welcome.match, viewers, 5)
    return signed(Directed(Direction(line=SHOWN), "Cato"), about, lambda text: statements.stamped(sign, text))


LIES: dict[str, tuple[Callable[[Truth], ServerMessage | str | bytes], int, str]] = {
    "a line changed": (lambda t: with_line(t, other_number), SHOWN + 4, "does not come to the hash"),
    "a line left out": (lambda t: t.said(SHOWN + 2, SHOWN + 4), SHOWN + 1, "missing"),
    "a line of another match": (
        lambda t: with_line(t, of_another_match, consistent=True),
        SHOWN + 4,
        "belongs to another match",
    ),
    "a line of no event": (lambda t: with_line(t, of_no_event, consistent=True), SHOWN + 4, "there is no line"),
    "a line of the game out of its shape": (
        lambda t: with_line(t, with_a_field_more, consistent=True),
        SHOWN + 4,
        "CardShown has the field 'more'",
    ),
    "a line that is none": (lambda t: with_line(t, lambda _: "[1]", consistent=True), SHOWN + 4, "does not fit"),
    "a line written otherwise": (lambda t: with_line(t, lambda x: x.replace(",", ", ", 1)), SHOWN + 4, "does not fit"),
    "a line that is too long": (
        lambda t: with_line(t, lambda x: x.replace("{", '{"x":"' + "y" * 70_000 + '",', 1), consistent=True),
        SHOWN + 4,
        "longer than",
    ),
    "a line shown before, changed": (
        lambda t: replace(t.said(SHOWN, SHOWN), items=((other_number(t.lines[SHOWN - 1]), ()),)),
        SHOWN,
        "two different lines",
    ),
    "another hash": (
        lambda t: replace(t.said(SHOWN + 1, SHOWN + 2), head=HeadInfo(SHOWN + 2, "A" * 43)),
        SHOWN + 2,
        "does not come to the hash",
    ),
    "other numbers than lines": (
        lambda t: replace(t.said(SHOWN + 1, SHOWN + 2), last=SHOWN + 3),
        SHOWN + 1,
        "other lines than it has",
    ),
    "a secret": (
        lambda t: replace(t.said(SHOWN + 1, SHOWN + 1), items=((t.lines[SHOWN], ((0, '"secret"'),)),)),
        SHOWN + 1,
        "came with a secret",
    ),
    "Steps": (
        lambda t: replace(t.said(SHOWN + 1, SHOWN + 1), steps=({"set": {"seats": []}},)),
        SHOWN + 1,
        "came with Steps",
    ),
    "a word of the players' room": (
        lambda _: Said((ChatLine(1, 0, "seat0", "I have the Lancers"),)),
        SHOWN + 1,
        "the players' room",
    ),
    "a signature of something else": (
        lambda t: Checkpoint(SHOWN, sealing.b64(bytes(104))),
        SHOWN,
        "signature is not for this line",
    ),
    "a key": (lambda t: replace(t.welcomed(SHOWN), keys={"1": "A" * 43}), SHOWN + 1, "somebody else than a spectator"),
    "a seat": (
        lambda t: replace(t.welcomed(SHOWN), viewer=msgspec.convert({"as": "seat", "seat": 0}, type(t.welcome.viewer))),
        SHOWN + 1,
        "somebody else than a spectator",
    ),
    "a spectator at a seat": (
        lambda t: replace(t.welcomed(SHOWN), viewer=ViewerInfo("spectator", 0)),
        SHOWN + 1,
        "somebody else than a spectator",
    ),
    "no message": (lambda _: '{"t":"events","from":"x"}', SHOWN + 1, "no message"),
    "bytes": (lambda _: b"\xff\xfe", SHOWN + 1, "no message"),
    "a frame that is too long": (lambda _: " " * (FRAME_BYTES + 1), SHOWN + 1, "a frame of more than"),
    "a direction other than was signed": (
        lambda t: replace(directed(t), name="Eve"),
        SHOWN + 1,
        "another direction",
    ),
    "a direction changed with what was signed": (
        lambda t: replace(directed(t), said=directed(t).said.replace("Cato", "Eve"), name="Eve"),
        SHOWN + 1,
        "its signature does not hold",
    ),
    "a direction of another match": (
        lambda t: directed(t, match="A" * 22),
        SHOWN + 1,
        "signed for another match",
    ),
    "a direction for other viewers": (lambda t: directed(t, viewers="open"), SHOWN + 1, "or for other viewers"),
    "a chance to win as a direction": (
        lambda _: Directed(said="[]", signed=statements.stamped(sign, "[]")),
        SHOWN + 1,
        "is no direction",
    ),
    "a record that it has no more": (lambda _: Error("beyond-head", "?"), SHOWN, "has it no longer"),
}


async def lied_to(there: Relay, match: str) -> Client:
    """Somebody who watches while the origin lies."""
    client = await there.client()
    await client.ask(Hello(match, viewer="spectator", since=0), Welcome)
    return client


@pytest.mark.parametrize("lie", LIES)
def test_what_is_not_the_record_is_refused_and_its_line_named_and_what_was_true_stays(lie: str) -> None:
    made, line, why = LIES[lie]

    @live
    async def told() -> None:
        true = await truth()

        async def says(connection: ServerConnection, hello: Hello) -> None:
            await tell(connection, true.welcomed(SHOWN))
            if not hello.since:
                await tell(connection, true.said(1, SHOWN))
            if there.registry.shows and there.registry.shows[0].watchers:
                await lies(connection)
            else:
                waiting.append(connection)

        async def lies(connection: ServerConnection) -> None:
            message: Any = made(true)
            await connection.send(message if isinstance(message, str | bytes) else write_message(message))

        waiting: list[ServerConnection] = []
        async with origin(says) as url, relay(url) as there:
            client = await lied_to(there, true.welcome.match)
            await lies(waiting[0])
            while not isinstance(said := await client.receive(), Error):
                assert not isinstance(said, Events) or said.last == SHOWN
            assert said.code == "origin-broken"
            assert said.why.startswith(f"line {line}: ")
            assert why in said.why
            await client.send(Need(0))
            (again,) = of(Events, await heard(client))
            assert [text for text, _ in again.items] == true.lines[:SHOWN]
            assert there.registry.tally.broken >= 1
            late = await lied_to(there, true.welcome.match)
            assert [error.code for error in of(Error, await heard(late))] == ["origin-broken"]

    told()


@live
async def test_who_lied_once_and_says_the_truth_then_is_believed_again() -> None:
    true = await truth()
    lies = [with_line(true, other_number)]

    async def says(connection: ServerConnection, hello: Hello) -> None:
        since = hello.since or 0
        await tell(connection, true.welcomed(SHOWN))
        if not since:
            await tell(connection, true.said(1, SHOWN))
        await tell(connection, lies.pop() if since and lies else true.said(max(since, SHOWN) + 1, len(true.lines)))

    async with origin(says) as url, relay(url) as there:
        one = await there.spectator(true.welcome.match)
        await one.until(one.is_over)
        assert [text for text, _ in one.items] == true.lines
        assert there.registry.shows[0].trouble is None


@live
async def test_a_game_that_the_relay_has_not_is_named() -> None:
    true = await truth()

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, replace(true.welcomed(SHOWN), game="chess"), true.said(1, SHOWN))

    async with origin(says) as url, relay(url) as there:
        refused = await there.refusal(Hello(true.welcome.match, viewer="spectator"))
        assert (refused.code, "'chess'" in refused.why) == ("unknown-game", True)
        assert not there.registry.shows


@live
async def test_an_origin_that_lies_from_the_beginning_shows_nothing() -> None:
    true = await truth()

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcomed(SHOWN), replace(true.said(1, SHOWN), head=HeadInfo(SHOWN, "A" * 43)))

    async with origin(says) as url, relay(url) as there:
        refused = await there.refusal(Hello(true.welcome.match, viewer="spectator"))
        assert (refused.code, refused.why[:8]) == ("origin-broken", f"line {SHOWN}:")
        assert not there.registry.shows


@live
async def test_of_two_origins_the_one_that_is_true_is_followed() -> None:
    true = await truth()

    async def lies(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcomed(SHOWN), with_line(true, other_number))

    async def says(connection: ServerConnection, hello: Hello) -> None:
        await tell(connection, true.welcomed(len(true.lines)), true.said((hello.since or 0) + 1, len(true.lines)))

    async with origin(lies) as first, origin(says) as second, relay(first, second) as there:
        one = await there.spectator(true.welcome.match)
        assert [text for text, _ in one.items] == true.lines
