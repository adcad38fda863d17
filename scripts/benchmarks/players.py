"""Scripted players: two websockets per match that answer at once, and note how long everything takes."""

import asyncio
import random
import time
from typing import Any

import msgspec
from msgspec import Raw, Struct

from domain.kernel import Asked, Game
from server.wire.client import Client, View, connected, enter
from server.wire.protocol import Accepted, Choose, Create, Created, Events, Refused, SeatWish
from tests.skirmish.game import GAME as SKIRMISH

TICKET_S = 60.0
_LINE = msgspec.json.Decoder(tuple[int, str, int, int, str, str, int, str, Raw, Raw])


class Opened(Struct, frozen=True):
    """The fields of `DecisionsOpened` that a scripted player reads."""

    asked: tuple[Asked, ...]


class Answered(Struct, frozen=True):
    """The fields of `Chosen` that a scripted player reads."""

    number: int


_CHOSEN = msgspec.json.Decoder(Answered)
_OPENED = msgspec.json.Decoder(Opened)


class Times(Struct):
    """Seconds from sending a choice to its acceptance, and to its display at the opponent."""

    accepted: list[float] = msgspec.field(default_factory=list)
    shown: list[float] = msgspec.field(default_factory=list)


class Ticket(Struct, frozen=True):
    """A match and its seats' tokens."""

    match: str
    tokens: dict[str, str]


async def tickets(url: str, game: Game[Any], count: int) -> list[Ticket]:
    """New matches with both seats taken."""
    made = []
    wishes = tuple(SeatWish("me", f"Player {seat}") for seat in range(game.seats))
    async with connected(url) as client:
        for _ in range(count):
            created = await client.ask(Create(game.name, wishes, listed=False), Created)
            made.append(Ticket(created.match, created.tokens))
    return made


class Player:
    """One seat of one match at one websocket."""

    def __init__(self, client: Client, game: Game[Any], seat: int, times: Times, sent: dict[int, float]) -> None:
        self._client = client
        self._game = game
        self._seat = seat
        self._times = times
        self._sent = sent
        self._view: View | None = None
        self._answered = 0
        self._unaccepted = 0
        self._random = random.Random(seat)  # noqa: S311 - repeatable on purpose
        self.is_over = False

    async def enter(self, ticket: Ticket) -> None:
        """Take the seat."""
        welcome = await enter(self._client, ticket.match, ticket.tokens[str(self._seat)])
        self._view = None if self._game is SKIRMISH else View(self._game, welcome)

    async def play(self) -> None:
        """Play the match to its end."""
        while not self.is_over or self._unaccepted:
            message = await self._client.receive()
            now = time.perf_counter()
            match message:
                case Events():
                    await self._take(message, now)
                case Accepted(id=number):
                    self._unaccepted -= 1
                    self._times.accepted.append(now - self._sent[int(number)])
                case Refused(why=why):
                    raise RuntimeError(f"a scripted choice was refused: {why}")

    async def _take(self, events: Events, now: float) -> None:
        """Record whose choice is shown, and answer questions."""
        opened: tuple[Asked, ...] = ()
        for text, _ in events.items:
            _, _, _, _, kind, _, actor, _, payload, _ = _LINE.decode(text)
            if kind == "Chosen" and actor != self._seat:
                self._times.shown.append(now - self._sent[_CHOSEN.decode(payload).number])
            elif kind == "DecisionsOpened":
                opened = _OPENED.decode(payload).asked
            elif kind == "MatchEnded":
                self.is_over = True
        if self._view is not None:
            self._view.take(events)
            opened = self._view.asked()
        for asked in opened:
            if asked.seat == self._seat and asked.number > self._answered and not self.is_over:
                self._answered = asked.number
                await self._choose(asked)

    async def _choose(self, asked: Asked) -> None:
        choice: Any = 0
        if self._view is not None:
            form = self._game.revive_decision(asked).form(self._view.state)
            choice = msgspec.to_builtins(form.sample(self._random.randrange))
        self._unaccepted += 1
        self._sent[asked.number] = time.perf_counter()
        await self._client.send(Choose(str(asked.number), asked.number, choice))


async def play_lane(url: str, game: Game[Any], queue: list[Ticket], times: Times, start: asyncio.Barrier) -> None:
    """Enter a match, wait until all have entered, then play matches one after another, both seats of each at once."""
    async with connected(url) as first, connected(url) as second:
        is_first = True
        while queue:
            ticket = queue.pop()
            sent: dict[int, float] = {}
            players = [Player(client, game, seat, times, sent) for seat, client in enumerate((first, second))]
            for player in players:
                await player.enter(ticket)
            if is_first:
                await start.wait()
            is_first = False
            async with asyncio.timeout(TICKET_S), asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(player.play())
