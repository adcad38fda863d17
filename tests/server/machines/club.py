"""Two persons whom every way tells of their moves, at servers that are killed: Kill, Place, Servers, Told, begun."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import anyio
from cryptography.exceptions import InvalidTag
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from domain.kernel import TimeControl
from projections.plain import plain_face
from server.wire.account_messages import Done
from server.wire.client import Client, View, connected, enter
from server.wire.notice_messages import ConfirmMail, HookNamed, NameHook, NameMail, NamePush, NoticesTold, SetQuiet
from server.wire.protocol import Accepted, Create, Created
from tests.server.gate.signing_up import noted
from tests.server.machines.fleet import Node
from tests.server.notifications.browsers import Browser
from tests.server.notifications.postbox import SITE, Postbox, link
from tests.server.tabletop import TWO_PEOPLE, Player
from tests.server.webhooks.delivery import Receiver
from tests.skirmish.game import GAME

LOST: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError)
DAYS: Final = TimeControl("days", 3 * 86_400_000)
FACE: Final = plain_face(GAME)
Kill = Callable[[int], None]
"""Kills one of the two and has another take its place, in a thread."""
TITLE: Final = "It is your move"


class Place(Protocol):
    """The place where people play: one server of several processes, or several servers."""

    def urls(self, match: str = "") -> list[str]:
        """The addresses to which a client may connect."""
        ...


class Servers:
    """Servers over one store."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    def urls(self, match: str = "") -> list[str]:
        """See `Place`."""
        del match
        return [node.url for node in self.nodes]


class Told:
    """The notices sent over each channel."""

    def __init__(self, box: Postbox, push: Receiver, hook: Receiver) -> None:
        self.box, self.push, self.hook = box, push, hook
        self.browsers = [Browser(), Browser()]

    def flags(self) -> tuple[str, ...]:
        """Those of a server that tells so."""
        return (
            *("--site", SITE, "--smtp", f"smtp://127.0.0.1:{self.box.port}", "--mail-from", "herald@club.example"),
            *("--push-contact", "mailto:host@club.example"),
            *("--set", "notices.webhooks=true", "--set", "notices.private=true"),
        )

    def hooked(self) -> Counter[tuple[int, int, str]]:
        """How often the webhooks told each seat's decision, under the id of its message."""
        bodies = [(json.loads(body), headers["Herald-Delivery"]) for headers, body in self.hook.got]
        return Counter((told["seat"], told["decision"], name) for told, name in bodies)

    def mailed(self) -> Counter[tuple[str, str]]:
        """How often each mail of a move came, by recipient and id."""
        mails = [mail for mail in self.box.mails if mail["Subject"] == f"Herald: {TITLE}"]
        return Counter((str(mail["To"]), str(mail["Message-ID"])) for mail in mails)

    def pushed(self, seat: int) -> int:
        """How many pushes of a move a seat's browser was sent."""
        found = 0
        for _, body in list(self.push.got):
            with suppress(InvalidTag):
                found += json.loads(self.browsers[seat].read(body))["title"] == TITLE
        return found

    def counts(self, seat: int) -> tuple[int, int, int]:
        """How many decisions or messages of a seat were told over each way, those that came again once."""
        address = address_of(seat)
        return (
            len({decision for who, decision, _ in self.hooked() if who == seat}),
            sum(to == address for to, _ in self.mailed()),
            self.pushed(seat),
        )


def address_of(seat: int) -> str:
    """Where a seat's person has mail."""
    return f"seat{seat}@home.example"


async def begun(where: Place, told: Told) -> Created:
    """A match of two persons who get notices over every channel and have left."""
    while True:
        try:
            async with connected(where.urls()[0]) as client:
                made = await client.ask(Create(GAME.name, TWO_PEOPLE, time=DAYS), Created)
                for seat in (0, 1):
                    await named(client, made, seat, told)
            break
        except LOST:
            await anyio.sleep(0.05)
    for seat in (0, 1):
        async with connected(where.urls(made.match)[-1]) as client:
            await enter(client, made.match, made.tokens[str(seat)])
    return made


async def named(client: Client, made: Created, seat: int, told: Told) -> None:
    """The person of a seat names every channel."""
    session = await noted(client, made, seat, f"Seat {'AB'[seat]}")
    keys = told.browsers[seat].subscription
    wish = NamePush(session=session, endpoint=told.push.url, p256dh=keys.p256dh, auth=keys.auth)
    await client.ask(wish, NoticesTold)
    await client.ask(NameHook(session=session, url=told.hook.url, form="plain"), HookNamed)
    await client.ask(NameMail(session=session, address=address_of(seat)), NoticesTold)
    await client.ask(ConfirmMail(token=link(await told.box.until(seat + 1), "confirm")), Done)
    await client.ask(SetQuiet(session=session, pace="move"), NoticesTold)


async def moved(where: Place, made: Created, seat: int) -> dict[int, int]:
    """A seat connects, answers once if it is asked, and leaves; returns the decision that each seat is then asked."""
    while True:
        with suppress(*LOST):
            async with connected(where.urls(made.match)[-1]) as client:
                welcome = await enter(client, made.match, made.tokens[str(seat)])
                player = Player(client, View(GAME, welcome))
                await player.reach(welcome.head.seq)
                if player.view.asked() and player.options():
                    assert isinstance(await player.choose(), Accepted)
                state = player.view.state
                assert state is not None
                return {asked.seat: asked.number for asked in state.asked}
        await anyio.sleep(0.05)
