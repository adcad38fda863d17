"""Consequences of a seat's choice: from the seat's own view, in a thread, without changing the match."""

import asyncio
from typing import Final, Generic, TypeVar

from domain.kernel import Hidden, NotPending, Seat, State, asked_of
from projections.face import Face
from projections.foresight import foresee
from projections.redaction import Viewer
from replay.record.referee import Referee
from server.table.decider import read_choice
from server.table.seats import Seats
from server.table.views import ViewAnswers
from server.wire.foresight_messages import Foresee, Foreseen

S = TypeVar("S", bound=State)

NEVER: Final = "It cannot be taken back."
BY_LEAVE: Final = "It can be taken back only if everybody agrees."


class Foresight(Generic[S]):
    """Answers `foresee`, only for the seat that is asked.

    From the true state it takes only the procedures, which are public.
    """

    def __init__(self, face: Face[S], referee: Referee[S], views: ViewAnswers[S], seats: Seats) -> None:
        self._face, self._referee, self._views, self._seats = face, referee, views, seats

    async def foresee(self, seat: Seat, message: Foresee) -> Foreseen:
        """The consequences of the choice, as far as the seat knows. Raises `Refusal` if the choice is not allowed."""
        view = (await self._views.audience(Viewer(seat))).view
        state = self._referee.state
        asked = asked_of(view, seat, message.decision)
        if state.asked != view.asked or isinstance(state.stack, Hidden):
            raise NotPending("The match has just gone on; ask again.")
        choice = read_choice(self._face.game, view, asked, message.choice)
        found = await asyncio.to_thread(foresee, self._face, view, state.stack, asked, choice)
        final = (NEVER if self._seats.bots else BY_LEAVE) if found.chance else ""
        return Foreseen(message.id, asked.number, found.lines, found.roll, found.lost, found.vain, final)
