"""The reminders of one match for people who are away: that it is their move, or that the match has ended."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from domain.kernel import Event, Seat, State
from domain.kernel.clock import NEVER
from replay.record.referee import Referee, Ruling
from server.operations.intervals import INTERVALS
from server.table.connections import Connections
from server.table.table_state import waited_for
from server.webhooks.delivery import Departed, Lapsed, Notice
from server.webhooks.reminder_rules import ReminderRules
from server.wire.protocol import Turn

S = TypeVar("S", bound=State)
Notify = Callable[[str, Sequence[Notice | Lapsed | Departed], int], None]
"""Takes a match, the notices of a commit, and the commit's line (0 if no call may be noted for it)."""


class Reminders(Generic[S]):
    """Reminds the absent players for whom the match waits. `notify`: None if nothing sends reminders."""

    def __init__(
        self,
        referee: Referee[S],
        title: str,
        connections: Connections,
        notify: Notify | None,
        held_ms: int = INTERVALS.held_ms,
    ) -> None:
        self._held_ms = held_ms
        self._referee, self._title, self._connections, self._notify = referee, title, connections, notify
        self._calls = ReminderRules(referee.match, referee.game.name, title, referee.state)
        self._noted = 0
        """The line for which a call was last noted, if that note was written."""

    def held_until(self, ruling: Ruling[S]) -> int:
        """The time in ms until which only this server sends a commit's notices; 0 if no absent person needs a
        notice.
        """
        self._noted = 0
        if self._notify is None:
            return 0
        if not self._calls.are_due(ruling.events, ruling.state, self._connections.attentive()):
            return 0
        self._noted = ruling.commit.entries[-1].seq
        return ruling.writer.at + self._held_ms

    def call(self, events: Sequence[Event], *, is_news: bool = False) -> None:
        """Notify absent people of a commit; for another server's commit, only report which notices have lapsed."""
        if self._notify is None:
            return
        referee, present = self._referee, self._connections.attentive()
        found = self._calls.after(events, referee.state, referee.clocks, referee.seq, present)
        lapsed = [each for each in found if isinstance(each, Lapsed)]
        is_noted = not is_news and (len(found) > len(lapsed) or self._noted == referee.seq)
        tidings = lapsed if is_news else found
        if tidings or is_noted:
            self._notify(referee.match, tidings, referee.seq if is_noted else 0)

    def departed(self, seat: int) -> None:
        """Report a seat's departure if its last connection has ended and the match waits for the seat."""
        asked = [one.number for one in waited_for(self._referee.state) if one.seat == seat]
        if self._notify is not None and asked and seat not in self._connections.attentive():
            self._notify(self._referee.match, [Departed(self._referee.match, seat, min(asked))], 0)

    def waits(self, seat: int, decision: int) -> bool:
        """Whether the match still waits for this decision."""
        state = self._referee.state
        return state.result is None and any(a.seat == seat and a.number == decision for a in state.asked)

    def reminders(self) -> list[Notice]:
        """Reminders for the absent players for whom the match waits."""
        referee, present = self._referee, self._connections.attentive()
        return self._calls.again(referee.state, referee.clocks, referee.seq, present)

    def turn(self, seat: Seat) -> Turn:
        """Whether the match waits for a seat, and until when."""
        referee, clocks = self._referee, self._referee.clocks
        asked = any(asked.seat == seat for asked in waited_for(referee.state))
        due = NEVER if clocks is None else clocks.due_at(seat)
        return Turn(referee.match, seat, referee.game.name, self._title, asked, 0 if due == NEVER else due)
