"""A match at a small server of its own: a program that speaks the server's protocol takes a seat as in any live match.

Players in this process choose through the same server; therefore every seat gets the messages of a seat, and no more.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from threading import Condition
from typing import Any, Final

import anyio.from_thread
from anyio.from_thread import BlockingPortal

from domain.kernel import Asked, Choice, Event, Seat, TimeControl
from domain.kernel.state import plain
from projections.face import Face
from replay.maintenance.copy_matches import MatchCopy
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from server.arena.errors import Forfeit
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.wire.act_messages import Resign
from server.wire.protocol import Choose, Create, Created, Refused, SeatWish

HOST: Final = "127.0.0.1"
LOOK_S: Final = 0.1
"""How often the arena checks whether a program has ended."""
SLOW_S: Final = 10.0
"""A clock that has run out is noticed within this time."""


class ArenaSeat:
    """A seat of such a match, for a bot that enters by its link."""

    def __init__(self, hosted: "Hosted", link: str) -> None:
        self._hosted, self.link = hosted, link

    def is_answered(self, number: int, seconds: float, *, goes_on: Callable[[], bool]) -> bool:
        """Wait until a question is no longer asked, at most for this many seconds and while `goes_on`; returns whether
        it is so.
        """
        until = time.monotonic() + seconds
        while not self._hosted.is_past(number, min(LOOK_S, until - time.monotonic())):
            if time.monotonic() >= until or not goes_on():
                return self._hosted.is_past(number, 0)
        return True


class Hosted:
    """The match and its server, which `close` ends; see `Recorded`. Its dice are those of its record.

    `limit_s`: after this long the server's clock decides a question as lost; this also removes a seat with a key whose
    program is gone, because nobody else can resign for it.
    """

    def __init__(self, face: Face[Any], options: dict[str, Any], limit_s: float) -> None:
        self._limit_s = max(1.0, limit_s)
        self._face, self._game, self._options = face, face.game, options
        self._store, self._news = MemoryStore(), Condition()
        self._read, self._unseen = 0, list[Event]()
        self._ahead: Any = None
        self._created = Created("", {})
        self.state: Any = None
        self._stack = ExitStack()
        self._portal: BlockingPortal = self._stack.enter_context(anyio.from_thread.start_blocking_portal())
        self._lobby = self._portal.call(self._made)
        server = self._stack.enter_context(self._portal.wrap_async_context_manager(running(self._lobby, HOST)))
        self._at = f"http://{HOST}:{port_of(server)}"

    async def _made(self) -> Lobby:
        return Lobby(self._store, {self._game.name: self._face})

    @property
    def record(self) -> MatchCopy:
        """All data that a store has about the match."""
        return MatchCopy.read_from(self._store, self._created.match)

    def open(self, names: Sequence[str]) -> list[Event]:
        """Begin; returns all events up to the first question."""
        seats = tuple(SeatWish("me", name) for name in names)
        title = " against ".join(dict.fromkeys(names))
        control = TimeControl("decision", round(self._limit_s * 1000), on_timeout="forfeit")
        wish = Create(self._game.name, seats, self._options, listed=False, title=title[:80], time=control)
        self._created = self._portal.call(self._lobby.factory.create, wish)
        self._store.follow(self._written)
        return [*self._told()]

    def place(self, seat: Seat) -> ArenaSeat:
        """A seat, for a program of somebody's."""
        token = self._created.tokens[str(int(seat))]
        return ArenaSeat(self, f"{self._at}/play#m={self._created.match}&t={token}")

    def _written(self, match: str, seq: int) -> None:
        del match, seq
        with self._news:
            self._news.notify_all()

    def is_past(self, number: int, seconds: float) -> bool:
        """Wait until a question is no longer asked, at most for its time limit; returns whether that has happened."""
        with self._news:
            return self._news.wait_for(lambda: self._is_past(number), max(0.0, seconds))

    def _is_past(self, number: int) -> bool:
        self._catch_up()
        return self._ahead.result is not None or all(asked.number != number for asked in self._ahead.asked)

    def _catch_up(self) -> None:
        lines = self._store.read(self._created.match, after=self._read)
        events = [read_event(self._game, line) for line in lines]
        self._ahead = self._game.fold(events) if self._ahead is None else self._game.fold(events, self._ahead)
        self._read += len(lines)
        self._unseen += events

    def _told(self) -> Sequence[Event]:
        """The events since the last question."""
        with self._news:
            self._catch_up()
            events, self._unseen, self.state = self._unseen, [], self._ahead
        return events

    def choose(self, asked: Asked, choice: Choice | None) -> Sequence[Event]:
        """Carry out a choice, or none if the seat has chosen at the server. Raises `Forfeit`."""
        if choice is not None:
            message = Choose(f"arena-{asked.number}", asked.number, plain(choice))
            answer = self._portal.call(self._live_match().command_queue.choose, asked.seat, message)
            # If somebody has given up meanwhile, an answer comes too late without a fault.
            if isinstance(answer, Refused) and not self.is_past(asked.number, 0):
                raise Forfeit(f"its answer breaks a rule: {answer.why}")
        return self._told()

    def resign(self, seat: Seat) -> Sequence[Event]:
        """The seat resigns, or loses by its time."""
        answer = self._portal.call(self._live_match().command_queue.act, seat, Resign(f"arena-out-{seat}"))
        if isinstance(answer, Refused):
            number = next((asked.number for asked in self.state.asked if asked.seat == seat), 0)
            self.is_past(number, self._limit_s + SLOW_S)
        return self._told()

    def _live_match(self) -> Any:
        return self._portal.call(self._lobby.registry.open, self._created.match)

    def close(self) -> None:
        """End the server."""
        self._stack.close()
