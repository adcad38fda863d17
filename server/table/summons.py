"""The summons of one match: word for people who are not looking that it is their move, or how it ended."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from domain.kernel import Event, Seat, State
from domain.kernel.clock import NEVER
from replay.record.referee import Referee
from server.table.crowd import Crowd
from server.table.desk import waited_for
from server.webhooks.delivery import Lapsed, Notice
from server.webhooks.notices import Calls
from server.wire.protocol import Turn

S = TypeVar("S", bound=State)
Notify = Callable[[Notice | Lapsed], None]


class Summons(Generic[S]):
    """Calls those the match waits for and who are not there. `notify` takes each notice, None where nobody does."""

    def __init__(self, referee: Referee[S], title: str, crowd: Crowd, notify: Notify | None) -> None:
        self._referee, self._title, self._crowd, self._notify = referee, title, crowd, notify
        self._calls = Calls(referee.match, referee.game.name, title, referee.state)

    def call(self, events: Sequence[Event], *, is_news: bool = False) -> None:
        """Say what a commit means to those who are not there; of news, only what has lapsed."""
        if self._notify is None:
            return
        referee, present = self._referee, self._crowd.presence().seats
        for notice in self._calls.after(events, referee.state, referee.clocks, referee.seq, present):
            if not is_news or isinstance(notice, Lapsed):
                self._notify(notice)

    def reminders(self) -> list[Notice]:
        """Whom the match waits for and who is not there, to be told once more."""
        referee, present = self._referee, self._crowd.presence().seats
        return self._calls.again(referee.state, referee.clocks, referee.seq, present)

    def turn(self, seat: Seat) -> Turn:
        """Whether the match waits for a seat, and until when."""
        referee, clocks = self._referee, self._referee.clocks
        asked = any(asked.seat == seat for asked in waited_for(referee.state))
        due = NEVER if clocks is None else clocks.due_at(seat)
        return Turn(referee.match, seat, referee.game.name, self._title, asked, 0 if due == NEVER else due)
