"""Players whose server is killed: how long until their matches accept a choice at another server.

`python -m scripts.benchmarks.failover GAME MATCHES PORT PID OTHER...` plays some choices in each match at the first
server, kills it with SIGKILL, lets everybody connect to the others at once, and prints one line of JSON: for each match
the ms from the kill to the next accepted choice.
"""

import asyncio
import os
import random
import signal
import sys
import time
from contextlib import AsyncExitStack
from typing import Any, Final

import msgspec
from websockets.exceptions import WebSocketException

from domain.kernel import Asked, Game
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.players import Ticket, tickets
from scripts.benchmarks.sockets import allow_files
from server.wire.client import Client, View, connected, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import Accepted, Events

CHOICES: Final = 6
"""The choices in each match before its server is killed."""
AGAIN_S: Final = 0.05
PATIENCE_S: Final = 60.0
AT_ONCE: Final = 25
GONE: Final = (OSError, WebSocketException, NotAdmitted)


class Side:
    """One seat of a match at one connection."""

    def __init__(self, client: Client, view: View) -> None:
        self.client, self.view = client, view

    async def reach(self, seq: int) -> None:
        """Read lines up to the line with this number."""
        while self.view.seq < seq:
            message = await self.client.receive()
            if isinstance(message, Events):
                self.view.take(message)


async def sit(stack: AsyncExitStack, port: int, game: Game[Any], ticket: Ticket) -> list[Side]:
    """Both seats of a match enter at a server, and receive its past lines."""
    sides = []
    for seat in range(game.seats):
        client = await stack.enter_async_context(connected(f"ws://127.0.0.1:{port}/ws"))
        welcome = await enter(client, ticket.match, ticket.tokens[str(seat)])
        sides.append(Side(client, View(game, welcome)))
        await sides[-1].reach(welcome.head.seq)
    return sides


async def choose(sides: list[Side], game: Game[Any], rng: random.Random) -> bool:
    """Answer for a seat that is asked, and read the answer at all seats; returns whether a seat was asked."""
    open_now: list[tuple[Side, Asked]] = [(side, asked) for side in sides for asked in side.view.asked()[:1]]
    if not open_now:
        return False
    side, asked = open_now[0]
    form = game.revive_decision(asked).form(side.view.state)
    answer = await side.client.choose(asked, msgspec.to_builtins(form.sample(rng.randrange)))
    if not isinstance(answer, Accepted):
        raise RuntimeError(f"a scripted choice was refused: {answer.why}")
    for each in sides:
        await each.reach(answer.seq)
    return True


class Lane:
    """One match."""

    def __init__(self, game: Game[Any], ticket: Ticket, number: int, ports: list[int]) -> None:
        self._game, self._ticket, self._ports = game, ticket, ports
        self._random = random.Random(number)  # noqa: S311 - repeatable on purpose
        self._number = number

    async def begin(self, port: int, stack: AsyncExitStack) -> bool:
        """Play at the server that will be killed; returns whether the match still continues."""
        sides = await sit(stack, port, self._game, self._ticket)
        going = True
        for _ in range(CHOICES):
            going = going and await choose(sides, self._game, self._random)
        return going and any(side.view.asked() for side in sides)

    async def again(self) -> float:
        """Connect elsewhere until a choice is accepted; returns the time of its acceptance."""
        port = self._ports[self._number % len(self._ports)]
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    async with AsyncExitStack() as stack:
                        sides = await sit(stack, port, self._game, self._ticket)
                        await choose(sides, self._game, self._random)
                        return time.perf_counter()
                except GONE:
                    await asyncio.sleep(AGAIN_S)


async def fell(game: Game[Any], matches: int, port: int, pid: int, others: list[int]) -> list[float]:
    """See the module."""
    made = await tickets(f"ws://127.0.0.1:{port}/ws", game, matches)
    lanes = [Lane(game, ticket, number, others) for number, ticket in enumerate(made)]
    stack = AsyncExitStack()
    going: list[bool] = []
    for first in range(0, len(lanes), AT_ONCE):
        going += await asyncio.gather(*(lane.begin(port, stack) for lane in lanes[first : first + AT_ONCE]))
    killed = time.perf_counter()
    os.kill(pid, signal.SIGKILL)
    again = [lane.again() for lane, goes_on in zip(lanes, going, strict=True) if goes_on]
    return [(ended - killed) * 1000 for ended in await asyncio.gather(*again)]


if __name__ == "__main__":
    allow_files(16_384)
    name, matches, port, pid, *others = sys.argv[1:]
    told = asyncio.run(fell(game_of(name), int(matches), int(port), int(pid), [int(one) for one in others]))
    sys.stdout.write(msgspec.json.encode(told).decode())
    sys.stdout.flush()
    os._exit(0)  # half the connections are to a server that is gone, and no connection has to be closed cleanly
