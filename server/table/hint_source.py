"""The source of a hint: the view of the seat that asks, and nothing else."""

from typing import Generic, TypeVar

from domain.kernel import Hidden, NotPending, Seat, State, asked_of
from projections.redaction import Viewer
from replay.record.referee import Referee
from server.analysis.hint_search import HintSearch, seed_of
from server.bots import with_procedures
from server.table.seats import Seats
from server.table.views import ViewAnswers

S = TypeVar("S", bound=State)


class HintSource(Generic[S]):
    """Builds the question. From the true state it takes only the procedures, which are public facts."""

    def __init__(self, referee: Referee[S], views: ViewAnswers[S], seats: Seats) -> None:
        self._referee, self._views, self._seats = referee, views, seats

    def is_asked_for(self, seat: Seat, number: int) -> bool:
        """Whether a line already states that the seat has asked for a hint for this decision."""
        return bool(self._seats.answers.hinted(seat, number))

    async def question(self, seat: Seat, number: int) -> HintSearch:
        """The question for which to search a hint, built only from the seat's knowledge.

        Raises `Refusal` if no hint is allowed.
        """
        view, state = (await self._views.audience(Viewer(seat))).view, self._referee.state
        asked = asked_of(view, seat, number)
        if state.asked != view.asked or isinstance(state.stack, Hidden):
            raise NotPending("The match has just gone on; ask again.")
        known = with_procedures(view, state)
        return HintSearch(self._referee.game.name, known, asked, seed_of(self._referee.match, number))
