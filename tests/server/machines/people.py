"""People who play while servers come and go, and the messages they received."""

import random
import sys
from collections import Counter, defaultdict
from typing import Any, Protocol

import anyio
from msgspec import to_builtins
from websockets.exceptions import WebSocketException

from server.wire.client import View, connected, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import Accepted, Create, Created, SeatWish
from tests.server.machines.checker import Told
from tests.server.tabletop import FACES, Player
from tests.skirmish.game import GAME

BOTS = (SeatWish("bot"), SeatWish("bot"))
GONE = (OSError, WebSocketException, NotAdmitted, TimeoutError)
"""The errors of a client whose server is away, or whose server's store is."""
PATIENCE_S = 12.0
"""How long a client waits for a move before connecting anew, perhaps elsewhere."""


class Where(Protocol):
    """Servers, or processes of one."""

    def urls(self, match: str = "") -> list[str]:
        """The addresses at which a match can be entered; any creates one."""
        ...


class Diary:
    """The messages that clients received."""

    def __init__(self) -> None:
        self.accepted: dict[tuple[str, int, str], set[int]] = defaultdict(set)
        self.told: list[Told] = []
        self.met: Counter[str] = Counter()


class Person:
    """Somebody at a match, now at this server, now at that one, until it is over. Without a seat, a spectator."""

    THINKS_S: float = 0.6
    """The longest time that the person thinks."""

    def __init__(self, where: Where, diary: Diary, created: Created, seat: int | None, rng: random.Random) -> None:
        self._where, self._diary, self._created, self._seat, self._rng = where, diary, created, seat, rng
        self._token = "" if seat is None else created.tokens[str(seat)]

    async def run(self) -> None:
        """Continue, whatever happens."""
        is_over = False
        while not is_over:
            try:
                async with connected(self._rng.choice(self._where.urls(self._created.match))) as client:
                    with anyio.fail_after(PATIENCE_S):
                        welcome = await enter(client, self._created.match, self._token)
                    player = Player(client, View(FACES[welcome.game].game, welcome))
                    try:
                        is_over = await self._stay(player)
                    finally:
                        lines = [sys.intern(text) for text, _ in player.items]
                        self._diary.told.append((self._created.match, player.view.viewer.label, lines))
            except GONE as wrong:
                self._diary.met[type(wrong).__name__] += 1
                await anyio.sleep(self._rng.uniform(0.05, 0.4))

    async def _stay(self, player: Player) -> bool:
        """Whether the match is over; False where one connects anew for no reason."""
        for _ in range(self._rng.choice((3, 8, 99))):
            with anyio.fail_after(PATIENCE_S):
                await player.until(lambda: player.is_over() or bool(player.view.asked()))
            if player.is_over():
                return True
            assert self._seat is not None
            await anyio.sleep(self._rng.uniform(0.0, self.THINKS_S))
            asked = player.asked()
            name = f"{self._seat}-{asked.number}"
            with anyio.fail_after(PATIENCE_S):
                answer = await player.client.choose(asked, self._choice(player), id=name)
            if isinstance(answer, Accepted):
                self._diary.accepted[self._created.match, self._seat, name].add(answer.seq)
                with anyio.fail_after(PATIENCE_S):
                    await player.reach(answer.seq)
            else:
                self._diary.met[f"refused: {answer.code}"] += 1
                await anyio.sleep(0.1)
                return False
        return False

    def _choice(self, player: Player) -> Any:
        """The first option, always: sent again, it is the same choice."""
        return to_builtins(player.options()[0])


async def made(where: Where, seats: tuple[SeatWish, ...], game: str = GAME.name) -> Created:
    """A match at any address that answers."""
    with anyio.fail_after(200):
        while True:
            try:
                async with connected(random.choice(where.urls())) as client:
                    return await client.ask(Create(game, seats), Created)
            except GONE:
                await anyio.sleep(0.1)
