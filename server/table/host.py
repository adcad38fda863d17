"""A match in play: its offices, put together, and what concerns several of them."""

import time
from typing import Generic, TypeVar

from msgspec import Struct

from domain.kernel import State
from projections.face import Face
from replay.record.referee import Referee
from replay.store.log import Entry
from replay.store.matches import Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.store import Store
from server.bots.workers import Workers
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.arrivals import Arrivals
from server.table.bench import Bench
from server.table.bot_players import BotPlayers
from server.table.chat import Chat
from server.table.clocks import ServerTime
from server.table.counsel import Counsel
from server.table.crier import Crier
from server.table.crowd import Crowd, Listener
from server.table.delay import Backlog, delay_of
from server.table.desk import Desk
from server.table.docket import Docket
from server.table.foresight import Foresight
from server.table.horizon import Horizon
from server.table.muster import Muster
from server.table.roll import Roll
from server.table.seating import Seating
from server.table.summons import Notify, Summons
from server.table.timekeeper import Timekeeper
from server.table.usher import Changed, Usher
from server.table.views import Views
from server.table.weakly import weakly

S = TypeVar("S", bound=State)


class Kept(Struct, frozen=True):
    """What the store keeps of a match beside its keys. `signed`: the last signature, with its line."""

    entries: tuple[Entry, ...]
    header: Header
    rows: tuple[SeatRow, ...]
    watchers: tuple[WatchRow, ...] = ()
    signed: tuple[int, bytes] | None = None

    @classmethod
    def of(cls, store: Store, match: str, seq: int) -> "Kept":
        """As it is in the store, up to a line; to be asked in a thread. Raises what the store raises."""
        entries, signed = tuple(store.read(match, limit=seq)), store.checkpoints(match)
        return cls(
            entries,
            store.header(match),
            store.seats.holders(match),
            store.seats.watchers(match),
            next(reversed(signed), None),
        )


class Host(Generic[S]):
    """Holds one match. Each of its attributes is an office with a module of its own (ARCHITECTURE.md, a choice)."""

    def __init__(
        self,
        face: Face[S],
        store: Store,
        referee: Referee[S],
        kept: Kept,
        *,
        bot_delay_s: float = 0.0,
        arrivals: Arrivals | None = None,
        limits: Limits = DEFAULT_LIMITS,
        time_of: ServerTime | None = None,
        meters: Meters | None = None,
        notify: Notify | None = None,
        workers: Workers | None = None,
        changed: Changed | None = None,
    ) -> None:
        match, entries, header = referee.match, kept.entries, kept.header
        delay = delay_of(header)
        self.face, self.match, self._referee = face, match, referee
        time_of = time_of or ServerTime()
        self.desk = desk = Desk(referee, time_of)
        self.crowd = crowd = Crowd(row.seat for row in kept.watchers)
        self.chat = Chat(store, match, limits)
        self.roll = roll = Roll(face.game, match, store, kept.rows, entries)
        self.horizon = horizon = Horizon(referee, Backlog(delay, match, entries, time_of.now()) if delay else None)
        self.views = views = Views(face, store, referee, horizon, roll, desk)
        self.foresight = Foresight(face, referee, views, roll)
        self.counsel = Counsel(referee, views, roll)
        self.usher = Usher(store, match, crowd, self.chat, horizon, desk, changed)
        self.summons = Summons(referee, header.title or face.game.spec.title, crowd, notify)
        self.crier = crier = Crier(referee, crowd, views, horizon, desk, self.usher, self.summons)
        horizon.sign_as_stored(kept.signed)
        meters = meters or Meters()
        self.docket = docket = Docket(
            referee,
            store,
            arrivals or Arrivals(store),
            Bench(referee, desk, store),
            crier,
            roll,
            horizon,
            meters,
            weakly(self.wake),
        )
        self.muster = Muster(referee, docket, desk)
        self.seating = Seating(referee, docket, roll, crier, self.muster, desk)
        self.timekeeper = Timekeeper(referee, docket, desk)
        self.bot_players = BotPlayers(referee, docket, roll, views, meters, bot_delay_s, workers, self.usher.think)
        self._left_at = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return self._referee.state.result is not None

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches, no bot is at work, no limit runs and nothing is being decided."""
        busy = self.crowd or self.bot_players.are_at_work or self.timekeeper.is_busy or self.muster.is_waiting
        return not busy and not self.docket.lock.locked()

    @property
    def idle_since(self) -> float:
        """When something was last told, a bot rested or a connection left, by the monotonic clock."""
        return max(self._left_at, self.docket.told_at, self.bot_players.rested_at)

    def enter(self, listener: Listener) -> None:
        """A connection watches from now on."""
        self.usher.enter(listener)
        if listener.guest.role == "spectator":
            self.crier.release()

    def leave(self, listener: Listener) -> None:
        """A connection watches no longer."""
        self._left_at = time.monotonic()
        self.usher.leave(listener)

    async def refresh(self) -> None:
        """Take in what another server appended, unless a choice is being decided, which does the same.

        Who is kept behind is shown what they may see by now.
        """
        self._left_at = time.monotonic()  # somebody comes: the match stays in memory
        if not self.docket.lock.locked():
            async with self.docket.lock:
                await self.docket.fold_news()
        self.crier.release()

    def wake(self) -> None:
        """Start what the open decisions need: time limits, shares of chance, and bots.

        Where the match lives in another process of this server, that one does.
        """
        if self.docket.lives_here is False:
            return
        self.timekeeper.watch()
        self.muster.watch()
        self.bot_players.wake()

    def resume(self) -> None:
        """Go on after a restart."""
        if self.docket.lives_here is False:
            return
        self.wake()
        self.timekeeper.resume()
        self.muster.resume()

    def heartbeat(self) -> None:
        """Tell who came and went, and what time it is where nothing happens.

        What the server had to do and could not write, for a full disk perhaps, is tried again.
        """
        if self.docket.is_unwritten and not self.docket.lock.locked():
            self.docket.is_unwritten = False
            self.resume()
        self.usher.look_round()
        self.crier.tell_time()

    async def close(self) -> None:
        """Stop the bots and wait for a commit that is under way."""
        self.timekeeper.stop()
        self.horizon.stop()
        self.muster.stop()
        self.bot_players.stop()
        async with self.docket.lock:
            pass
