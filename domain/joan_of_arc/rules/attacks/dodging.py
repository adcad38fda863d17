"""Dodge (JA-266, JA-267): a unit that shows a blank may leave before the attack is resolved."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.rules.pushing import retreats
from domain.joan_of_arc.state.attack_events import UnitDodged
from domain.joan_of_arc.state.attack_state import Fighter
from domain.joan_of_arc.state.queries import card_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, Choice, Decision, Flow, Goto, One, Procedure, Resolver, ask, only, step


class DodgeTo(Choice, frozen=True):
    """Leave for this area."""

    area: AreaId


class StandFirm(Choice, frozen=True):
    """Do not dodge."""


class DodgeOffer(Decision, frozen=True):
    """JA-D19 Whether a unit dodges, and where to."""

    rule = "JA-266"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """JA-Q58: an adjacent area, free or allied, on the same level; or stay."""
        return only((StandFirm(), *(DodgeTo(area) for area in retreats(state, self.unit))))

    def resolve(self, r: Resolver[JoanState], choice: DodgeTo | StandFirm) -> Flow:
        """It takes no results; its dice stay in the roll."""
        if isinstance(choice, DodgeTo):
            r.emit(UnitDodged(Fighter(self.unit)))
            shift(r, (self.unit,), (choice.area,), "dodge")
        return Goto("JA-Q58")


def dodgers(state: JoanState) -> tuple[UnitId, ...]:
    """JA-266: the defenders with Dodge and a blank among their own dice; checked once, before any reroll."""
    blank = {die.unit for die in attack_of(state).defence_dice if die.face is Face.BLANK}
    return tuple(unit for unit in defenders(state) if unit in blank and _has_dodge(state, unit))


def _has_dodge(state: JoanState, unit: UnitId) -> bool:
    return card_of(state, unit_of(state, unit)).skills.dodge


class Dodging(Procedure, frozen=True):
    """Each of these may dodge, one after the other."""

    units: tuple[UnitId, ...]

    @step("JA-266", "JA-267")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """It must have a legal destination."""
        if not self.units:
            return DONE
        unit = unit_of(r.state, self.units[0])
        if unit.owner is None or not retreats(r.state, unit.id):
            return Goto("JA-Q58")
        return ask(DodgeOffer(unit.owner, unit.id))

    @step("JA-Q58")
    def next_unit(self, r: Resolver[JoanState]) -> Flow:
        """The next unit."""
        return Goto("JA-266", Dodging(self.units[1:]))
