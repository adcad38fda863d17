"""Matches that make a server think, played in a separate process until standard input ends.

`python -m scripts.benchmarks.thinkers URL GAME WHAT COUNT` plays this many matches at once: in a match of `bots`, a
person who answers at once plays the bot that looks ahead for longest; in a match of `hints`, two people ask for a hint
before each of a few choices. The program prints a line at the first answer that the server computed, and the number of
such answers when its input ends.
"""

import asyncio
import random
import sys
from threading import Thread
from typing import Any, Final, Literal

import msgspec

from domain.kernel import Asked, Game
from scripts.benchmarks.matches import game_of
from server.wire.act_messages import Hint, Resign
from server.wire.client import Client, View, connected, enter
from server.wire.hint_messages import Hinted
from server.wire.protocol import Accepted, Choose, Create, Created, Error, Events, Refused, SeatWish

What = Literal["bots", "hints"]
BOT: Final = "strong-5"
FEW: Final = 8
"""Hints per match: a seat may ask for six at once."""
PERSON: Final = SeatWish("me", "Ada")


class Count:
    """The number of answers that the server has computed."""

    def __init__(self) -> None:
        self.thoughts = 0

    def add(self) -> None:
        """Count one more answer; the first is printed at once."""
        self.thoughts += 1
        if self.thoughts == 1:
            print("thinks", flush=True)


class Person:
    """One seat that answers at random."""

    def __init__(self, client: Client, game: Game[Any], view: View, count: Count) -> None:
        self._client, self._game, self._view, self._count = client, game, view, count
        self._random = random.Random(1)  # noqa: S311 - repeatable on purpose
        self._answered = 0

    async def next_question(self) -> Asked | None:
        """The next question, or None when the match is over; choices of a bot are counted."""
        while True:
            state = self._view.state
            if state is not None and state.result is not None:
                return None
            for asked in self._view.asked():
                if asked.number > self._answered:
                    self._answered = asked.number
                    return asked
            message = await self._client.receive()
            if isinstance(message, Events):
                for _, event, _ in self._view.take(message):
                    if getattr(event, "by", "") == "bot":
                        self._count.add()

    async def choose(self, asked: Asked) -> None:
        """Answer at random."""
        form = self._game.revive_decision(asked).form(self._view.state)
        choice = msgspec.to_builtins(form.sample(self._random.randrange))
        await self._client.send(Choose(f"c{asked.number}", asked.number, choice))

    async def hint(self, asked: Asked) -> None:
        """Ask for the search's choice, and wait for the answer or the refusal."""
        await self._client.send(Hint(id=f"h{asked.number}", decision=asked.number))
        while True:
            message = await self._client.receive()
            if isinstance(message, Events):
                self._view.take(message)
            elif isinstance(message, Hinted):
                self._count.add()
                return
            elif isinstance(message, Refused | Error):
                return

    async def resign(self) -> None:
        """Resign, so that no bot thinks in vain."""
        await self._client.send(Resign(id="end"))
        await self._client.expect(Accepted | Refused)  # type: ignore[arg-type]


async def seated(client: Client, game: Game[Any], created: Created, seat: int, count: Count) -> Person:
    """Somebody at a seat."""
    welcome = await enter(client, created.match, created.tokens[str(seat)])
    return Person(client, game, View(game, welcome), count)


async def against_bots(url: str, game: Game[Any], count: Count) -> None:
    """Matches against the bot, one after another."""
    seats = (PERSON, *(SeatWish("bot", bot=BOT) for _ in range(game.seats - 1)))
    while True:
        async with connected(url) as client:
            person = await seated(client, game, await client.ask(Create(game.name, seats), Created), 0, count)
            try:
                while (asked := await person.next_question()) is not None:
                    await person.choose(asked)
            except asyncio.CancelledError:
                await person.resign()
                raise


async def with_hints(url: str, game: Game[Any], count: Count) -> None:
    """Play the beginnings of matches, and ask for a hint at every question."""
    while True:
        async with connected(url) as one, connected(url) as other:
            seats = tuple(SeatWish("me", f"Player {seat}") for seat in range(game.seats))
            created = await one.ask(Create(game.name, seats, hints=True), Created)
            people = [await seated(client, game, created, seat, count) for seat, client in enumerate((one, other))]
            async with asyncio.TaskGroup() as tasks:
                for person in people:
                    tasks.create_task(asks_for_some(person))


async def asks_for_some(person: Person) -> None:
    """A few questions, each with a hint."""
    for _ in range(FEW // 2):
        asked = await person.next_question()
        if asked is None:
            return
        await person.hint(asked)
        await person.choose(asked)


async def think(url: str, name: str, what: What, count: int) -> int:
    """See the module; returns how often the server has thought."""
    play = against_bots if what == "bots" else with_hints
    counted = Count()
    tasks = [asyncio.create_task(play(url, game_of(name), counted)) for _ in range(count)]
    ends, loop = asyncio.Event(), asyncio.get_running_loop()

    def read() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(ends.set)

    # a thread of its own, since the loop waits for its threads: a failure must end this process while its input is open
    Thread(target=read, daemon=True).start()
    await asyncio.wait([*tasks, asyncio.create_task(ends.wait())], return_when=asyncio.FIRST_COMPLETED)
    thoughts = counted.thoughts
    for task in tasks:
        task.cancel()
    wrong = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(one, Exception)]
    if wrong:
        raise wrong[0]
    return thoughts


if __name__ == "__main__":
    url, name, what, count = sys.argv[1:]
    print(asyncio.run(think(url, name, what, int(count))))  # type: ignore[arg-type]
