"""Many matches at once, played by a separate process: both seats of each match answer their questions at bare sockets.

`python -m scripts.benchmarks.contest PORT PID GAME MATCHES SECONDS RATE [DATABASE]` plays waves of matches until the
seconds have passed, and prints its measurements as one line of JSON. If SECONDS is 0, it plays until it is told to
stop; see `together`. RATE: choices per second, each at a moment that does not depend on earlier choices; 0: each choice
as soon as it is asked for. PID is the server's process, the first if it has several; DATABASE is the process of the
database server that it uses, if any.

From the first to the last moment that counts, MATCHES of a wave are played at once. All of them have begun before, each
some choices further than the previous match. A match that ends is replaced by a waiting match, which everybody has
already entered. The measurement ends after the given seconds, or when a match ends and no other match waits.
"""

import asyncio
import gc
import random
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from domain.kernel import Game
from scripts.benchmarks.matches import game_of, play
from scripts.benchmarks.player_processes import Alone, Measured, Together, half_and_most
from scripts.benchmarks.players import Ticket, Times, tickets
from scripts.benchmarks.sockets import Socket, allow_files
from scripts.benchmarks.weights import family_cpu_s
from server.wire.addresses import SOCKET, socket_path
from server.wire.client import View
from server.wire.protocol import (
    Accepted,
    Choose,
    Events,
    Hello,
    Refused,
    ServerMessage,
    Welcome,
    read_server_message,
    write_client_message,
)
from tests.skirmish.game import GAME as SKIRMISH

AT_ONCE = 200
AHEAD = 8
"""When counting begins, some matches of a wave are up to this many choices ahead of others: first choices are less
work than later ones."""
WORTH = 25
"""The number of choices, per match that is played at once, for which a wave has enough matches: waiting matches replace
those that end.
"""
PATIENCE_S = 60.0
REST_S = 0.1
"""The pause between the part that does not count and the part that does."""


class _Line(Struct, frozen=True, array_like=True):
    v: int
    mid: str
    seq: int
    at: int
    type: str
    rules: str
    actor: int
    cause: str
    payload: msgspec.Raw
    seals: msgspec.Raw


class _Asked(Struct, frozen=True):
    seat: int
    number: int


class _Decisions(Struct, frozen=True):
    asked: tuple[_Asked, ...]


class _Answered(Struct, frozen=True):
    number: int


_LINE = msgspec.json.Decoder(_Line)
_DECISIONS = msgspec.json.Decoder(_Decisions)
_ANSWERED = msgspec.json.Decoder(_Answered)


Choosing = Callable[[float], None]
"""Makes a choice; its argument is the number of seconds by which the choice is late."""


class Schedule:
    """Decides when each choice is made: at the intervals of the rate, or at once if the rate is 0.

    A question waits for the next moment, first come, first served. A moment without a question waits for one, and the
    choice counts as late by that time.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._given = 0
        self._begun = 0.0
        self._waiting: deque[Choosing] = deque()
        self._missed: deque[float] = deque()

    @property
    def is_bounded(self) -> bool:
        """Whether the rate sets the moment of each choice."""
        return self._rate > 0

    def begin(self, now: float) -> None:
        """Begin the schedule: its first moment is now."""
        self._begun, self._given = now, 0

    def add(self, choosing: Choosing, now: float) -> None:
        """A seat is asked: make its choice now or at a later moment."""
        if not self._rate:
            choosing(0.0)
        elif self._missed:
            choosing(now - self._missed.popleft())
        else:
            self._waiting.append(choosing)

    def give(self, now: float) -> float:
        """Give out the moments that are due; returns the number of seconds until the next one."""
        while self._given <= (now - self._begun) * self._rate:
            self._given += 1
            if self._waiting:
                self._waiting.popleft()(0.0)
            else:
                self._missed.append(now)
        return self._begun + self._given / self._rate - now


class Wave:
    """The matches that are played at once, and those that follow them."""

    def __init__(self, game: Game[Any], at_once: int, waiting: int, rate: float, times: Times) -> None:
        self.game = game
        self.schedule = Schedule(rate)
        self.times = times
        self.sent: list[dict[int, float]] = [{} for _ in range(at_once + waiting)]
        self.entered = self.unanswered = 0
        self.ahead = [number % AHEAD for number in range(at_once)] + [0] * waiting
        """The number of choices by which each match has still to get ahead."""
        self.waiting = deque(range(at_once, at_once + waiting))
        self.over: set[int] = set()
        self.is_short = asyncio.Event()
        self.is_measured = False
        self.players: list[Player] = []

    def may_choose(self, match: int) -> bool:
        """Whether a seat may answer. Before counting begins, a seat may answer only a few times in each match."""
        if match in self.over:
            return False
        if not self.is_measured:
            self.ahead[match] -= 1
            return self.ahead[match] >= 0
        return True

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait. Raises `RuntimeError` when it takes too long."""
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > until:
                raise RuntimeError(f"{self.entered} of {2 * len(self.sent)} seats entered, {self.unanswered} wait")
            await asyncio.sleep(0.01)

    def is_ahead(self) -> bool:
        """Whether every choice due before the counted part has been made."""
        owed = any(left > 0 for match, left in enumerate(self.ahead) if match not in self.over)
        return not owed and not self.unanswered

    def end(self, match: int) -> None:
        """Replace a match that is over with a waiting match."""
        if match in self.over:
            return
        self.over.add(match)
        if self.waiting:
            self.start(self.waiting.popleft())
        else:
            self.is_short.set()

    def start(self, match: int) -> None:
        """Let both seats of a match answer from now on."""
        for player in self.players[2 * match : 2 * match + 2]:
            player.answer()

    async def give(self) -> None:
        """Give out moments for as long as this runs."""
        while True:
            await asyncio.sleep(self.schedule.give(time.perf_counter()))


class Player(Socket):
    """One seat of one match."""

    def __init__(self, wave: Wave, number: int, seat: int, ticket: Ticket) -> None:
        super().__init__()
        self.path = socket_path(ticket.match)
        self._wave = wave
        self._number = number
        self._seat = seat
        self._hello = write_client_message(Hello(ticket.match, ticket.tokens[str(seat)])).encode()
        self._view: View | None = None
        self._asked: tuple[Any, ...] = ()
        self._answered = 0
        self._has_begun = False
        self._random = random.Random(f"{number}-{seat}")  # noqa: S311 - repeatable on purpose

    def opened(self) -> None:
        """Send the seat's hello."""
        self.send(self._hello)

    def text(self, payload: bytes) -> None:
        """Note the time of a message; answer its questions."""
        now = time.perf_counter()
        wave = self._wave
        message: ServerMessage = read_server_message(payload.decode())
        match message:
            case Events():
                self._take(message, now)
            case Accepted(id=number):
                wave.unanswered -= 1
                if wave.is_measured and int(number) in wave.sent[self._number]:
                    wave.times.accepted.append(now - wave.sent[self._number][int(number)])
            case Welcome():
                self._view = None if wave.game is SKIRMISH else View(wave.game, message)
            case Refused(why=why):
                raise RuntimeError(f"a scripted choice was refused: {why}")

    def _take(self, events: Events, now: float) -> None:
        wave = self._wave
        for text, _ in events.items:
            if self._view is None and '"DecisionsOpened"' in text:
                self._asked = _DECISIONS.decode(_LINE.decode(text).payload).asked
            elif '"Chosen"' in text and wave.is_measured:
                line = _LINE.decode(text)
                begun = wave.sent[self._number].get(_ANSWERED.decode(line.payload).number)
                if line.actor != self._seat and begun is not None:
                    wave.times.shown.append(now - begun)
            elif '"MatchEnded"' in text:
                self._asked = ()
                wave.end(self._number)
        if self._view is not None:
            self._view.take(events)
            self._asked = self._view.asked()
        if not self._has_begun:
            self._has_begun = True
            wave.entered += 1
        else:
            self.answer()

    def answer(self) -> None:
        """Answer the decisions that are open."""
        wave, now = self._wave, time.perf_counter()
        for asked in self._asked:
            if asked.seat == self._seat and asked.number > self._answered and wave.may_choose(self._number):
                self._answered = asked.number
                if wave.is_measured:
                    wave.schedule.add(partial(self._choose, asked), now)
                else:
                    self._choose(asked)

    def _choose(self, asked: Any, late_s: float = 0.0) -> None:
        choice: Any = 0
        if self._view is not None:
            form = self._wave.game.revive_decision(asked).form(self._view.state)
            choice = msgspec.to_builtins(form.sample(self._random.randrange))
        frame = write_client_message(Choose(str(asked.number), asked.number, choice)).encode()
        if self._wave.is_measured:
            self._wave.sent[self._number][asked.number] = time.perf_counter() - late_s
        self._wave.unanswered += 1
        self.send(frame)


class Spent(Struct, frozen=True):
    """Seconds on the clock, and processor seconds of the players, the server and the database."""

    clock_s: float
    players_s: float
    server_s: float
    database_s: float


class Watched(Struct, frozen=True):
    """Processes whose time counts: the server, and the first of the database's, 0 if it has none."""

    server: int
    database: int

    def now(self) -> Spent:
        """The processor seconds that were spent up to now."""
        database_s = family_cpu_s(self.database) if self.database else 0.0
        return Spent(time.perf_counter(), time.process_time(), family_cpu_s(self.server), database_s)


async def enter(port: int, wave: Wave, made: list[Ticket]) -> None:
    """Let every seat of every match enter, then let the matches get ahead of each other."""
    loop = asyncio.get_running_loop()
    seats = [(number, seat, ticket) for number, ticket in enumerate(made) for seat in (0, 1)]
    players = wave.players = [Player(wave, *one) for one in seats]
    for first in range(0, len(players), AT_ONCE):
        group = players[first : first + AT_ONCE]
        await asyncio.gather(*(loop.create_connection(lambda p=p: p, "127.0.0.1", port) for p in group))  # type: ignore[misc]
        await wave.until(lambda: wave.entered >= first + len(group))  # noqa: B023
    for match in range(len(made)):
        wave.start(match)
    await wave.until(wave.is_ahead)
    await asyncio.sleep(REST_S)


async def play_wave(port: int, watched: Watched, wave: Wave, made: list[Ticket], turns: Alone | Together) -> Spent:
    """Play the matches, and return the resources spent on the counted part."""
    await enter(port, wave, made)
    await turns.begin()
    running = [match for match in range(len(made)) if match not in wave.over and match not in wave.waiting]
    wave.is_measured = True
    begun = watched.now()
    wave.schedule.begin(begun.clock_s)
    for match in running:
        wave.start(match)
    giving = asyncio.create_task(wave.give()) if wave.schedule.is_bounded else None
    await turns.end(wave.is_short)
    ended = watched.now()
    wave.is_measured = False
    if giving is not None:
        giving.cancel()
    for player in wave.players:
        player.transport.abort()
    return Spent(*(after - before for before, after in zip(astuple(begun), astuple(ended), strict=True)))


async def contest(port: int, watched: Watched, name: str, matches: int, seconds: float, rate: float) -> Measured:
    """See the module."""
    game, times = game_of(name), Times()
    waiting = max(matches * WORTH // play(game, 1).decisions, matches // 10, 1)
    spent: list[Spent] = []
    turns = Alone(seconds) if seconds else Together()
    while not spent or await turns.goes_on():
        made = await tickets(f"ws://127.0.0.1:{port}{SOCKET}", game, matches + waiting)
        spent.append(await play_wave(port, watched, Wave(game, matches, waiting, rate, times), made, turns))
    return Measured(
        rate,
        len(times.accepted),
        sum(one.clock_s for one in spent),
        half_and_most(times.accepted),
        half_and_most(times.shown),
        sum(one.players_s for one in spent),
        sum(one.server_s for one in spent),
        sum(one.database_s for one in spent),
    )


if __name__ == "__main__":
    allow_files(16_384)
    # No answer may look late because this process collects its garbage meanwhile.
    gc.disable()
    port, pid, name, matches, seconds, rate, *database = sys.argv[1:]
    watched = Watched(int(pid), int(database[0]) if database else 0)
    told = asyncio.run(contest(int(port), watched, name, int(matches), float(seconds), float(rate)))
    print(msgspec.json.encode(told).decode())
