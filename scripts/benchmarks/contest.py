"""Many matches at once in a process of its own: both seats of each, at bare sockets, answer as soon as they are asked.

`python -m scripts.benchmarks.contest PORT PID GAME MATCHES SECONDS RATE` plays waves of so many matches at once until
the seconds have passed, and prints what it measured as one line of JSON. RATE bounds the choices a second, and then the
matches of a wave begin one after another over two seconds, for first choices are not as much work as later ones; 0: no
bound, and all at once.
What counts is the time from the start of a wave, when every seat has entered, until half of its matches are over, or
the seconds have passed.
"""

import asyncio
import gc
import random
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import Game
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import percentile
from scripts.benchmarks.players import Ticket, Times, tickets
from scripts.benchmarks.sockets import Socket, allow_files
from scripts.benchmarks.weights import cpu_s
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
SPREAD_S = 2.0
PATIENCE_S = 60.0


class Measured(Struct, frozen=True):
    """Choices accepted, the seconds they took, times in ms (p50, p99), processor seconds of players and server."""

    choices: int
    seconds: float
    accepted_ms: tuple[float, float]
    shown_ms: tuple[float, float]
    players_s: float
    server_s: float


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


class Pace:
    """Gives each choice its moment, so that no more than `rate` are made a second."""

    def __init__(self, rate: float) -> None:
        self.is_bounded = rate > 0
        self._step = 1 / rate if rate else 0.0
        self._next = 0.0

    def delay_s(self) -> float:
        """How long the next choice has to wait."""
        if not self._step:
            return 0.0
        now = time.perf_counter()
        self._next = max(now, self._next + self._step)
        return self._next - now


class Wave:
    """Matches that are played at once."""

    def __init__(self, game: Game[Any], matches: int, pace: Pace, times: Times) -> None:
        self.game = game
        self.pace = pace
        self.times = times
        self.sent: list[dict[int, float]] = [{} for _ in range(matches)]
        self.entered = 0
        self.over: set[int] = set()
        self.half_over = asyncio.Event()
        self.is_measured = False

    def enter(self) -> None:
        """One more seat has entered."""
        self.entered += 1

    async def until_entered(self, seats: int) -> None:
        """Wait until so many seats have entered. Raises `RuntimeError` when some do not."""
        until = time.monotonic() + PATIENCE_S
        while self.entered < seats:
            if time.monotonic() > until:
                raise RuntimeError(f"{seats - self.entered} seats have not entered")
            await asyncio.sleep(0.01)

    def end(self, match: int) -> None:
        """A match is over."""
        self.over.add(match)
        if 2 * len(self.over) >= len(self.sent):
            self.half_over.set()


class Player(Socket):
    """One seat of one match."""

    def __init__(self, wave: Wave, number: int, seat: int, ticket: Ticket) -> None:
        super().__init__()
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
        """Say who it is."""
        self.send(self._hello)

    def text(self, payload: bytes) -> None:
        """Note times; answer what is asked."""
        now = time.perf_counter()
        wave = self._wave
        message: ServerMessage = read_server_message(payload.decode())
        match message:
            case Events():
                self._take(message, now)
            case Accepted(id=number):
                if wave.is_measured:
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
                if line.actor != self._seat:
                    wave.times.shown.append(now - wave.sent[self._number][_ANSWERED.decode(line.payload).number])
            elif '"MatchEnded"' in text:
                self._asked = ()
                wave.end(self._number)
        if self._view is not None:
            self._view.take(events)
            self._asked = self._view.asked()
        if not self._has_begun:
            self._has_begun = True
            wave.enter()
        elif wave.is_measured:
            self.answer()

    def answer(self) -> None:
        """Answer the decisions that are open."""
        for asked in self._asked:
            if asked.seat == self._seat and asked.number > self._answered and self._number not in self._wave.over:
                self._answered = asked.number
                delay = self._wave.pace.delay_s()
                if delay:
                    asyncio.get_running_loop().call_later(delay, self._choose, asked)
                else:
                    self._choose(asked)

    def _choose(self, asked: Any) -> None:
        choice: Any = 0
        if self._view is not None:
            form = self._wave.game.revive_decision(asked).form(self._view.state)
            choice = msgspec.to_builtins(form.sample(self._random.randrange))
        frame = write_client_message(Choose(str(asked.number), asked.number, choice)).encode()
        self._wave.sent[self._number][asked.number] = time.perf_counter()
        self.send(frame)


class Spent(Struct, frozen=True):
    """Seconds on the clock, and of the processor for players and server."""

    clock_s: float
    players_s: float
    server_s: float


def _now(pid: int) -> Spent:
    return Spent(time.perf_counter(), time.process_time(), cpu_s(pid))


async def play_wave(port: int, pid: int, wave: Wave, made: list[Ticket], most_s: float) -> Spent:
    """Play the matches; what was spent from the start until half of them were over, or the time was."""
    loop = asyncio.get_running_loop()
    players = [Player(wave, number, seat, ticket) for number, ticket in enumerate(made) for seat in (0, 1)]
    for first in range(0, len(players), AT_ONCE):
        group = players[first : first + AT_ONCE]
        await asyncio.gather(*(loop.create_connection(lambda p=p: p, "127.0.0.1", port) for p in group))  # type: ignore[misc]
        await wave.until_entered(first + len(group))
    wave.is_measured = True
    begun = _now(pid)
    spread_s = SPREAD_S / len(players) if wave.pace.is_bounded else 0.0
    for number, player in enumerate(players):
        loop.call_later(number * spread_s, player.answer)
    with suppress(TimeoutError):
        await asyncio.wait_for(wave.half_over.wait(), most_s)
    ended = _now(pid)
    wave.is_measured = False
    for player in players:
        player.transport.abort()
    return Spent(ended.clock_s - begun.clock_s, ended.players_s - begun.players_s, ended.server_s - begun.server_s)


async def contest(port: int, pid: int, name: str, matches: int, seconds: float, rate: float) -> Measured:
    """See the module."""
    game, times, pace = game_of(name), Times(), Pace(rate)
    spent: list[Spent] = []
    while sum(one.clock_s for one in spent) < seconds:
        made = await tickets(f"ws://127.0.0.1:{port}/ws", game, matches)
        spent.append(await play_wave(port, pid, Wave(game, matches, pace, times), made, seconds))
    return Measured(
        len(times.accepted),
        sum(one.clock_s for one in spent),
        _ms(times.accepted),
        _ms(times.shown),
        sum(one.players_s for one in spent),
        sum(one.server_s for one in spent),
    )


def _ms(values: list[float]) -> tuple[float, float]:
    return percentile(values, 0.5) * 1000, percentile(values, 0.99) * 1000


if __name__ == "__main__":
    allow_files(16_384)
    # Nobody's answer may look late because this process walks its garbage meanwhile.
    gc.disable()
    port, pid, name, matches, seconds, rate = sys.argv[1:]
    told = asyncio.run(contest(int(port), int(pid), name, int(matches), float(seconds), float(rate)))
    print(msgspec.json.encode(told).decode())
