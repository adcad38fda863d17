"""A match's table state: its time, its due events, absences, and offers."""

from collections.abc import Collection
from typing import Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import Act, Asked, Event, Seat, ServerReturned, State
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from server.table.clocks import GONE_LEAST_MS, ServerTime, time_over
from server.table.frame_times import NO_TIMES, FrameTimes
from server.wire.act_messages import TableMessage
from server.wire.acts import act_of, table_info
from server.wire.clock_readings import clock_infos
from server.wire.protocol import TableInfo

S = TypeVar("S", bound=State)


def waited_for(state: State) -> tuple[Asked, ...]:
    """The decisions that may be answered now."""
    return () if state.table.paused else state.asked


class TableState(Generic[S]):
    """Time and table acts of one match."""

    def __init__(self, referee: Referee[S], time: ServerTime) -> None:
        self._referee = referee
        self._time = time
        # A wall clock that was set back while the server was down must not stop the clocks until it has caught up.
        self._ahead_ms = max(0, referee.at - time.now())
        self._away: dict[int, int] = {}
        self._opened_ms = self._resumed_ms = self.now()
        self._told = referee.state.table
        self._preparation = Preparation(referee)
        self._owing = self._preparation.owing
        self.was_away = referee.clocks is not None and referee.at < time.back_ms

    def now(self) -> int:
        """The time in ms, never earlier than the last line's time."""
        return self._time.now() + self._ahead_ms

    def present(self, seats: Collection[int]) -> None:
        """Note that the holders of these seats, and of no others, are connected."""
        for seat in range(len(self._referee.state.players)):
            if seat in seats:
                self._away[seat] = 0
            elif not self._away.get(seat, self._opened_ms):
                self._away[seat] = self.now()

    def absent_ms(self, seat: int) -> int:
        """How long a seat has been absent, in ms; 0 while it has a connection.

        Counted since the match was opened here, excluding the time in which nobody had to be present: before play
        began, during the last pause, and on vacation.
        """
        since, clocks = self._away.get(seat, self._opened_ms), self._referee.clocks
        if not since:
            return 0
        excused = (clocks.heard[seat], clocks.away[seat]) if clocks is not None else ()
        return max(0, self.now() - max(since, self._resumed_ms, *excused))

    def due(self) -> Event | None:
        """The ruling that is due by time before anything else; None if none is due."""
        clocks = self._referee.clocks
        if clocks is None and not self.was_away:
            return None
        at = self.now()
        if self.was_away:
            # A sign of life later than now was given before the wall clock was set back, and proves nothing.
            sign = self._time.gone_ms if self._time.gone_ms <= self._time.back_ms else 0
            gone, back = max(self._referee.at, sign), min(self._time.back_ms, at)
            if clocks is not None and clocks.runs and back - gone >= GONE_LEAST_MS:
                return ServerReturned(gone, back)
            # This is reset only after that line is written, because nobody must lose the time of the absence by a
            # failed write.
            self.was_away = False
        return time_over(self._referee.state, clocks, at)

    def act(self, seat: Seat, message: TableMessage) -> Act:
        """The act that a message asks for. Raises `NotNow` if it is not possible now."""
        return act_of(message, seat, self._referee.game.name, self._referee.state, self.absent_ms)

    def times(self) -> FrameTimes:
        """The table state that is sent to every viewer on entering."""
        clocks, state, at = self._referee.clocks, self._referee.state, self.now()
        table = self._table(at)
        return FrameTimes(clock_infos(clocks, state, at), None if table == TableInfo() else table)

    def news(self) -> FrameTimes:
        """The clocks and table state that go with a commit; the table state only if it has changed."""
        clocks, state = self._referee.clocks, self._referee.state
        changed, former, self._told = state.table is not self._told, self._told, state.table
        owing = self._preparation.owing
        changed, self._owing = changed or owing != self._owing, owing
        if former.paused and not state.table.paused:
            self._resumed_ms = self.now()
        if clocks is None and not changed:
            return NO_TIMES
        at = self.now()
        return FrameTimes(clock_infos(clocks, state, at), self._table(at) if changed else None)

    def _table(self, at: int) -> TableInfo:
        """The open offers and pauses, and the seats whose share of chance is missing."""
        info, owing = table_info(self._referee.clocks, self._referee.state, at), self._preparation.owing
        if not owing:
            return info
        left = 0 if self._referee.state.shares else max(1, self._preparation.void_at - at)
        return replace(info, reveal=owing, reveal_ms=left)
