"""The operation that activates units without an order (ledger 6.13 `activate_area`)."""

from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import ActivateArea
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.state.events import EffectSkipped, UnitsActivated
from domain.joan_of_arc.state.queries import own_units_in, setting_of, units_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import (
    DONE,
    NEXT,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)


class ActivateHere(Choice, frozen=True):
    """Activate units of this area."""

    area: AreaId


class AreaChoice(Decision, frozen=True):
    """JA-D02 The player's own area in which a card activates units."""

    rule = "ledger 6.13"

    most: int

    def form(self, state: JoanState) -> One:
        """The areas in which the player has units that can act."""
        return only(tuple(ActivateHere(area) for area in own_areas(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: ActivateHere) -> Flow:
        """Then its units are chosen."""
        return Goto("JA-Q36", Mustering(self.by, self.most, choice.area))


class ActivateThese(Choice, frozen=True):
    """Activate these units."""

    units: tuple[str, ...]


class UnitsChoice(Decision, frozen=True):
    """JA-D02 The units of the area that are activated."""

    rule = "ledger 6.13"

    area: AreaId
    most: int

    def form(self, state: JoanState) -> Pick:
        """At least one of them, at most the number on the card."""
        units = own_units_in(state, self.area, self.by)
        return Pick(ActivateThese, units, 1, min(self.most, len(units)))

    def resolve(self, r: Resolver[JoanState], choice: ActivateThese) -> Flow:
        """As by a command order, but without one."""
        named = tuple(unit for unit in own_units_in(r.state, self.area, self.by) if unit in choice.units)
        r.emit(UnitsActivated(self.by, "command", self.area, named))
        return NEXT


def own_areas(state: JoanState, seat: Seat) -> tuple[AreaId, ...]:
    """The areas in which a player has units to activate, in board order."""
    return setting_of(state).board.in_order({unit.area for unit in units_of(state, seat) if not unit.carrier})


class Mustering(Procedure, frozen=True):
    """Units of one area of the player's are activated; they act when the effect is over."""

    seat: Seat
    most: int
    area: AreaId | None = None

    @step("JA-160")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """JA-161: skipped if the player has no unit on the board."""
        if own_areas(r.state, self.seat):
            return ask(AreaChoice(self.seat, self.most))
        r.emit(EffectSkipped(self.seat, "activate_area", "JA-161"))
        return DONE

    @step("JA-Q36")
    def name(self, r: Resolver[JoanState]) -> Flow:
        """A single unit needs no question."""
        assert self.area is not None, "it was chosen just now"
        units = own_units_in(r.state, self.area, self.seat)
        if len(units) > 1:
            return ask(UnitsChoice(self.seat, self.area, self.most))
        r.emit(UnitsActivated(self.seat, "command", self.area, units))
        return NEXT

    @step("JA-170")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """No order token is placed."""
        return DONE


def activate_area(r: Resolver[JoanState], context: Context, effect: ActivateArea) -> Procedure:
    """The player is asked for the area and the units."""
    return Mustering(context.seat, effect.max_units)


OPERATIONS: Final[Operations] = {ActivateArea: activate_area}
