"""A match in memory: its parts, and the operations that concern several parts."""

import time
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import State
from projections.face import Face
from projections.redaction import OPEN, SPECTATOR, Viewer
from replay.record.referee import Referee
from replay.store.errors import NoSuchMatch
from replay.store.log import Entry, Whole
from replay.store.matches import Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.store import Store
from server.bots.workers import Workers
from server.direction.directions import Directions
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.admission import Admission, Changed
from server.table.bot_players import BotPlayers
from server.table.broadcaster import Broadcaster
from server.table.chance_setup import ChanceSetup
from server.table.chat import ChatRooms
from server.table.clocks import ServerTime
from server.table.command_queue import CommandQueue
from server.table.connections import Connections, Listener
from server.table.decider import Decider
from server.table.delay import Backlog, delay_of, open_cards_of, open_delay_of
from server.table.devices import SeatDevices
from server.table.foresight import Foresight
from server.table.group_commit import GroupCommit
from server.table.hint_source import HintSource
from server.table.reminders import Notify, Reminders
from server.table.seating import Seating
from server.table.seats import Seats
from server.table.shared_presence import Elsewhere, ServerPresence
from server.table.standing_answers import StandingAnswers
from server.table.table_state import TableState
from server.table.timers import Timers
from server.table.views import ViewAnswers
from server.table.visible_head import VisibleHead
from server.table.weak_callbacks import weak_callback
from server.wire.direction_messages import Direct
from server.wire.protocol import write_message

S = TypeVar("S", bound=State)


class StoredMatch(Struct, frozen=True):
    """A match as it is stored, without its keys. `signed`: the last signature, with its line."""

    entries: tuple[Entry, ...]
    header: Header
    rows: tuple[SeatRow, ...]
    watchers: tuple[WatchRow, ...] = ()
    signed: tuple[int, bytes] | None = None

    @classmethod
    def read(cls, store: Store, match: str, whole: Whole) -> "StoredMatch":
        """The match as it is stored, with a record that was already read; call it in a thread. Raises the store's
        errors.
        """
        asked = store.entrance(match)
        if asked.header is None:
            raise NoSuchMatch(f"there is no match {match!r}")
        return cls(whole.entries, asked.header, asked.rows, asked.watchers, next(reversed(whole.checkpoints), None))


class LiveMatch(Generic[S]):
    """Holds one match. Each attribute is a part with a module of its own (ARCHITECTURE.md, the path of a choice)."""

    def __init__(
        self,
        face: Face[S],
        store: Store,
        referee: Referee[S],
        kept: StoredMatch,
        *,
        bot_delay_s: float = 0.0,
        group_commit: GroupCommit | None = None,
        limits: Limits = DEFAULT_LIMITS,
        time_of: ServerTime | None = None,
        meters: Meters | None = None,
        notify: Notify | None = None,
        workers: Workers | None = None,
        changed: Changed | None = None,
        intervals: Intervals = INTERVALS,
        bounds: Bounds = BOUNDS,
    ) -> None:
        match, entries, header = referee.match, kept.entries, kept.header
        self.open_cards = open_cards_of(entries)
        delays = {SPECTATOR: delay_of(header), OPEN: open_delay_of(header, entries)}
        phases = frozenset(event.__name__ for event in face.headings)
        self.face, self.match, self._referee = face, match, referee
        time_of = time_of or ServerTime()
        self.table_state = table_state = TableState(referee, time_of)
        self.connections = connections = Connections(row.seat for row in kept.watchers)
        self.directions, self.chat = Directions[Viewer](match, referee.sign), ChatRooms(store, match, limits)
        self.seats = seats = Seats(face.game, match, store, kept.rows, entries)
        self.visible_head = visible_head = VisibleHead(
            referee,
            {
                viewer: Backlog(delay, match, entries, time_of.now(), phases)
                for viewer, delay in delays.items()
                if delay
            },
            intervals.heartbeat_s,
        )
        self.views = views = ViewAnswers(face, store, referee, visible_head, seats, table_state, bounds)
        self.foresight = Foresight(face, referee, views, seats)
        self.hint_source = HintSource(referee, views, seats)
        devices = SeatDevices(store, referee, connections, seats)
        self.admission = Admission(store, match, connections, self.chat, visible_head, table_state, devices, changed)
        self.reminders = Reminders(
            referee, header.title or face.game.spec.title, connections, notify, intervals.held_ms
        )
        self.broadcaster = broadcaster = Broadcaster(
            referee, connections, views, visible_head, table_state, self.admission, self.reminders
        )
        visible_head.sign_as_stored(kept.signed)
        meters = meters or Meters()
        self.command_queue = command_queue = CommandQueue(
            referee,
            store,
            group_commit or GroupCommit(store),
            Decider(referee, table_state, store),
            broadcaster,
            seats,
            visible_head,
            meters,
            weak_callback(self.wake),
            intervals,
        )
        self.chance_setup = ChanceSetup(referee, command_queue, table_state)
        self.seating = Seating(referee, command_queue, seats, broadcaster, self.chance_setup, table_state)
        self.timers = Timers(referee, command_queue, table_state)
        self.bot_players = BotPlayers(
            referee, command_queue, seats, views, meters, bot_delay_s, workers, self.admission.think
        )
        self.standing = StandingAnswers(referee, store, command_queue, seats, self.foresight)
        self._left_at = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return self._referee.state.result is not None

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches, no bot is choosing, no limit runs and nothing is being decided."""
        busy = self.connections or self.bot_players.are_at_work or self.timers.is_busy or self.chance_setup.is_waiting
        return not busy and not self.command_queue.lock.locked()

    @property
    def idle_since(self) -> float:
        """The last time, by the monotonic clock, at which a message arrived, a bot stopped or a connection ended."""
        return max(self._left_at, self.command_queue.told_at, self.bot_players.rested_at)

    def enter(self, listener: Listener) -> None:
        """Add a connection to those that watch."""
        self.admission.enter(listener)
        present = self.directions.shown_to(listener.guest.viewer)
        if present is not None and present.direction is not None:
            listener.send(write_message(present))
        if listener.guest.viewer in self.visible_head.behind:
            self.broadcaster.release()

    def direct(self, director: Listener, message: Direct) -> None:
        """Show the spectators who follow a director something that they can see.

        Raises `DirectionRefused` if they cannot.
        """
        viewer = director.guest.viewer
        end, sees = self.visible_head.seq_for(viewer), viewer.sees_hands
        frame = write_message(self.directions.direct(viewer, director.name, message, end, sees_hands=sees))
        for listener in self.connections.seeing_as(viewer):
            listener.send(frame)
        self.admission.tell_others()

    def attendance(self) -> ServerPresence:
        """The presence, and the direction given here, for other servers."""
        directed = {viewer.label: pointed for viewer, pointed in self.directions.own().items()}
        return replace(self.admission.attendance(), directed=directed)

    async def take_in(self, elsewhere: Elsewhere) -> None:
        """Apply the current reports of all other servers. Raises the store's errors."""
        await self.admission.take_in(elsewhere)
        for viewer in (SPECTATOR, OPEN):
            told = [there.directed[viewer.label] for there in elsewhere.values() if viewer.label in there.directed]
            for pointed in sorted(told, key=lambda one: one.at)[-1:]:
                directed = self.directions.hear(viewer, pointed, self.visible_head.seq_for(viewer))
                if directed is not None:
                    frame = write_message(directed)
                    for listener in self.connections.seeing_as(viewer):
                        listener.send(frame)

    def leave(self, listener: Listener) -> None:
        """Remove a connection from those that watch."""
        self._left_at = time.monotonic()
        self.admission.leave(listener)
        if listener.guest.role == "seat" and listener.guest.viewer.seat is not None:
            self.reminders.departed(listener.guest.viewer.seat)

    async def note_due(self) -> None:
        """Store the time at which something is due in the match. Raises `RecordError` if the store fails."""
        await self.command_queue.note_due()

    async def refresh(self) -> None:
        """Apply the lines that another server appended, unless a choice is being decided, which itself applies them.

        Delayed spectators get the lines that they may see by now.
        """
        self._left_at = time.monotonic()  # somebody is arriving, so the match stays in memory
        if not self.command_queue.lock.locked():
            async with self.command_queue.lock:
                await self.command_queue.fold_news()
        self.broadcaster.release()

    def wake(self) -> None:
        """Start whatever the open decisions need: time limits, shares of chance, and bots.

        If the match lives in another process of this server, that process does it.
        """
        if self.command_queue.lives_here is False:
            return
        self.timers.watch()
        self.chance_setup.watch()
        self.bot_players.wake()

    def resume(self) -> None:
        """Continue after a restart."""
        if self.command_queue.lives_here is False:
            return
        self.wake()
        self.timers.resume()
        self.chance_setup.resume()

    def heartbeat(self) -> None:
        """Send the presence after arrivals and departures, and the time if nothing else happens.

        Writes that failed, for example on a full disk, are tried again.
        """
        if self.command_queue.may_retry():
            self.resume()
        self.admission.look_round()
        self.broadcaster.tell_time()

    async def close(self) -> None:
        """Stop the bots, and wait for a commit in progress."""
        self.timers.stop()
        self.visible_head.stop()
        self.chance_setup.stop()
        self.bot_players.stop()
        async with self.command_queue.lock:
            pass
