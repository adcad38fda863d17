"""The operation that places a fire token (ledger 6.13)."""

from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import adjacent, furnishing
from domain.joan_of_arc.cards.hooks import PlaceToken
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.state.events import EffectSkipped, FirePlaced
from domain.joan_of_arc.state.queries import areas_under, card_of, setting_of, table_of, units_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import DONE, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, only, step


class BurnArea(Choice, frozen=True):
    """Place the fire token in this area."""

    area: AreaId


class FireChoice(Decision, frozen=True):
    """JA-D02 The area in which a card places a fire token."""

    rule = "ledger 6.13"

    def form(self, state: JoanState) -> One:
        """JA-223: an area without one."""
        return only(tuple(BurnArea(area) for area in burnable(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: BurnArea) -> Flow:
        """JA-Q45: the token's owner is recorded."""
        r.emit(FirePlaced(self.by, choice.area))
        return DONE


def burnable(state: JoanState, seat: Seat) -> tuple[AreaId, ...]:
    """The areas on the ground or in buildings that are adjacent to one of a player's units and do not burn."""
    table = table_of(state)
    setting = setting_of(state)
    stands = {at for unit in units_of(state, seat) for at in areas_under(setting, unit, card_of(state, unit))}
    near = {area for at in stands for area in adjacent(table, at)}
    found = table.board.in_order(near)
    return tuple(area for area in found if table.board.areas[area].level != "sky" and not furnishing(table, area).fire)


class PlacingFire(Procedure, frozen=True):
    """A fire token is placed."""

    seat: Seat

    @step("JA-223")
    def place(self, r: Resolver[JoanState]) -> Flow:
        """JA-161: skipped if no area takes one."""
        if burnable(r.state, self.seat):
            return ask(FireChoice(self.seat))
        r.emit(EffectSkipped(self.seat, "place_token", "JA-161"))
        return DONE


def place_token(r: Resolver[JoanState], context: Context, effect: PlaceToken) -> Procedure:
    """The player is asked where."""
    return PlacingFire(context.seat)


OPERATIONS: Final[Operations] = {PlaceToken: place_token}
