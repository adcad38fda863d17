"""The operation that moves a rally point token (JA-234, JA-235)."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import status
from domain.joan_of_arc.cards.hooks import MoveRallyPoint
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.state.events import RallyPointMoved
from domain.joan_of_arc.state.queries import setting_of, table_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, only, step


class CarryBanner(Choice, frozen=True):
    """Move this rally point token there."""

    start: AreaId
    end: AreaId


class LeaveBanner(Choice, frozen=True):
    """Leave the rally point tokens where they are."""


class RallyPointMove(Decision, frozen=True):
    """JA-D02 The destination of a rally point token of the side, over at most this many adjacent areas."""

    rule = "JA-234"

    most: int

    def form(self, state: JoanState) -> One:
        """JA-235: never into an enemy area; JA-237: units with Rally are no tokens."""
        return only((LeaveBanner(), *banner_moves(state, self.by, self.most)))

    def resolve(self, r: Resolver[JoanState], choice: CarryBanner | LeaveBanner) -> Flow:
        """The token moves there."""
        if isinstance(choice, CarryBanner):
            r.emit(RallyPointMoved(setting_of(r.state).sides[self.by], choice.start, choice.end))
        return NEXT


def banner_moves(state: JoanState, seat: Seat, most: int) -> Iterator[CarryBanner]:
    """The moves of the tokens of a seat's side: to ground areas near enough, never to an enemy area."""
    table, side = table_of(state), setting_of(state).sides[seat]
    for start in dict.fromkeys(state.rallies.get(side, ())):
        for end in table.board.within(start, most):
            if not table.board.areas[end].impassable and status(table, end, side) != "enemy":
                yield CarryBanner(start, end)


class MovingRallyPoint(Procedure, frozen=True):
    """JA-234: a card moves a rally point token of the player's side."""

    seat: Seat
    most: int

    @step("JA-234")
    def move(self, r: Resolver[JoanState]) -> Flow:
        """The owner chooses."""
        return ask(RallyPointMove(self.seat, self.most))

    @step("JA-235")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """A token cannot be destroyed."""
        return DONE


def move_rally_point(r: Resolver[JoanState], context: Context, effect: MoveRallyPoint) -> Procedure:
    """The player is asked for the destination."""
    return MovingRallyPoint(context.seat, effect.max_areas)


OPERATIONS: Final[Operations] = {MoveRallyPoint: move_rally_point}
