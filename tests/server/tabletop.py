"""A server on a free port with the example game, and players at it."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec

import anyio
from anyio.from_thread import start_blocking_portal
from msgspec import to_builtins

from domain.kernel import Asked, Choice
from projections.plain import plain_face
from replay.record.referee import Sign
from replay.store.memory import MemoryStore
from replay.store.store import Store
from server.cluster.servers import OtherServers, PubSub
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.operations.settings import DEFAULT_LIMITS, Limits, NoticeSettings, Webhook
from server.table.clocks import LifeSign
from server.wire.client import Client, View, connected, enter
from server.wire.protocol import Accepted, Create, Created, Events, Refused, SeatWish
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME

P = ParamSpec("P")
AT_ONCE = {"submit", "stage", "pulse", "follow", "on_failure"}
"""The operations of a store that never wait."""
PARTS = {
    "matches",
    "seats",
    "chat",
    "analyses",
    "presence",
    "webhooks",
    "people",
    "devices",
    "ratings",
    "rated_players",
    "opponents",
    "claims",
    "passkeys",
    "rulings",
    "standing",
    "moderation",
    "calendars",
    "seat_entries",
    "notices",
}
"""The parts of a store beside its log."""
FACES = {game.name: plain_face(game) for game in (GAME, PENNANTS)}
TWO_PEOPLE = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
PATIENCE_S = 240.0
"""A test that takes this long hangs, on any machine."""


def live(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test on an event loop; one that hangs fails."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def bounded() -> None:
            with anyio.fail_after(PATIENCE_S):
                await test(*args, **kwargs)

        anyio.run(bounded)

    return run


@contextmanager
def address_of(store: Store, notices: NoticeSettings | None = None) -> Iterator[str]:
    """The address of a server in a thread of its own, for fixtures that several asynchronous tests share."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running(Lobby(store, FACES, notices=notices))) as served,
    ):
        yield f"http://127.0.0.1:{port_of(served)}"


class Aside:
    """A store as a server may use it: every operation that may wait for a disk or a network must run in a thread."""

    def __init__(self, store: object, parts: AbstractSet[str] = PARTS) -> None:
        self._store, self._parts = store, parts

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name in self._parts:
            return Aside(found, frozenset())
        return found if name in AT_ONCE else partial(_ask, found)


def _ask(asked: Callable[..., Any], *given: Any, **named: Any) -> Any:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asked(*given, **named)
    raise AssertionError(f"{asked} holds the event loop up")


class Table:
    """A server with its store; connections close with it."""

    def __init__(self, lobby: Lobby, store: Store, port: int, stack: AsyncExitStack) -> None:
        self.lobby = lobby
        self.store = store
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.http = f"http://127.0.0.1:{port}"
        self._stack = stack

    async def client(self) -> Client:
        """A new connection."""
        return await self._stack.enter_async_context(connected(self.url))

    async def create(self, *seats: SeatWish, **options: Any) -> Created:
        """A match; of two people unless seats are named."""
        client = await self.client()
        return await client.ask(Create(GAME.name, seats or TWO_PEOPLE, options), Created)

    async def player(self, created: Created, seat: int) -> "Player":
        """Somebody in a seat, with what has happened so far."""
        return await self._sit(created.match, created.tokens[str(seat)])

    async def spectator(self, created: Created) -> "Player":
        """Somebody who watches."""
        return await self._sit(created.match, "")

    async def _sit(self, match: str, token: str) -> "Player":
        client = await self.client()
        welcome = await enter(client, match, token)
        player = Player(client, View(FACES[welcome.game].game, welcome))
        await player.reach(welcome.head.seq)
        return player


class Player:
    """A client and its view."""

    def __init__(self, client: Client, view: View) -> None:
        self.client = client
        self.view = view
        self.items: list[Any] = []

    async def until(self, done: Callable[[], bool]) -> None:
        """Read until something holds."""
        while not done():
            message = await self.client.receive()
            if isinstance(message, Events):
                assert message.first <= len(self.items) + 1, "a gap"
                self.items += message.items[len(self.items) + 1 - message.first :]
                self.view.take(message)

    async def reach(self, seq: int) -> None:
        """Read until a line is in the view."""
        await self.until(lambda: self.view.seq >= seq)

    def is_over(self) -> bool:
        """Whether the match has a result, as far as this player knows."""
        return self.view.state is not None and self.view.state.result is not None

    def asked(self) -> Asked:
        """The decision that is this player's."""
        return self.view.asked()[0]

    def options(self) -> tuple[Choice, ...]:
        """The possible choices, from the player's own view."""
        game = FACES[self.view.game].game
        return tuple(game.revive_decision(self.asked()).form(self.view.state))

    async def choose(self, choice: Any = None, *, id: str = "") -> Accepted | Refused:  # noqa: A002
        """Answer the decision; with the first option unless a choice is given. Reads on until it is in the view."""
        given = to_builtins(self.options()[0]) if choice is None else choice
        answer = await self.client.choose(self.asked(), given, id=id)
        if isinstance(answer, Accepted):
            await self.reach(answer.seq)
        return answer


@asynccontextmanager
async def table(
    store: Store | None = None,
    *,
    bot_delay_s: float = 0.0,
    limits: Limits = DEFAULT_LIMITS,
    sign: Sign | None = None,
    develop: bool = False,
    hints: PubSub | None = None,
    is_shared: bool = False,
    webhook: Webhook | None = None,
    notices: NoticeSettings | None = None,
    life_sign: LifeSign | None = None,
    intervals: Intervals = INTERVALS,
    bounds: Bounds = BOUNDS,
    commentary: Path | None = None,
) -> AsyncIterator[Table]:
    """A server that runs while the context lasts."""
    kept = store or MemoryStore()
    aside: Any = Aside(kept)
    lobby = Lobby(
        aside,
        FACES,
        bot_delay_s=bot_delay_s,
        limits=limits,
        sign=sign,
        is_shared=is_shared,
        webhook=webhook,
        notices=notices,
        life_sign=life_sign,
        intervals=intervals,
        bounds=bounds,
        commentary=commentary,
    )
    other_servers = OtherServers(lobby, hints) if is_shared else None
    async with running(lobby, develop=develop, other_servers=other_servers) as server, AsyncExitStack() as stack:
        yield Table(lobby, kept, port_of(server), stack)


@asynccontextmanager
async def two_servers(
    store: Store,
    hints: tuple[PubSub | None, PubSub | None] = (None, None),
    intervals: Intervals = INTERVALS,
) -> AsyncIterator[tuple[Table, Table]]:
    """Two servers over one store, and the carrier of hints for each."""
    async with (
        table(store, hints=hints[0], is_shared=True, intervals=intervals) as one,
        table(store, hints=hints[1], is_shared=True, intervals=intervals) as two,
    ):
        yield one, two


async def play_out(players: list[Player], seed: int = 1, most: int = 1000) -> int:
    """Make random choices until the match is over or `most` are made; returns their number."""
    rng = random.Random(seed)
    made = 0
    while made < most:
        head = max(player.view.seq for player in players)
        for player in players:
            await player.reach(head)
        able = [player for player in players if player.view.asked()]
        if not able:
            break
        mover = rng.choice(able)
        answer = await mover.choose(to_builtins(rng.choice(mover.options())))
        assert isinstance(answer, Accepted), answer
        made += 1
    return made


Stop = Callable[[], Awaitable[None]]
