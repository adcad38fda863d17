"""Operations on the infirmary (ledger 6.13)."""

from typing import Final

from domain.joan_of_arc.cards.hooks import InfirmaryToWaiting, TakeBackFromInfirmary
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.rules.phases.rallying import Rallying, rally_areas
from domain.joan_of_arc.state.events import EffectSkipped, UnitWaiting
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class CareFor(Choice, frozen=True):
    """Help this unit."""

    unit: UnitId


class CareForNobody(Choice, frozen=True):
    """Help no further unit."""


class PatientChoice(Decision, frozen=True):
    """JA-D02 The unit of the infirmary that a card helps. `rallies`: it comes back; `left`: how many still may."""

    rule = "ledger 6.13"

    rallies: bool
    left: int

    def form(self, state: JoanState) -> One:
        """The player's own units that the card can help, or none."""
        return only((CareForNobody(), *(CareFor(unit) for unit in patients(state, self.by, rallies=self.rallies))))

    def resolve(self, r: Resolver[JoanState], choice: CareFor | CareForNobody) -> Flow:
        """The unit waits, or comes back by the rules of rallying, without a roll."""
        if isinstance(choice, CareForNobody):
            return DONE
        after = Nursing(self.by, self.rallies, self.left - 1)
        if self.rallies:
            return Call(Rallying(choice.unit), after)
        r.emit(UnitWaiting(choice.unit))
        return Goto("JA-232", after)


def patients(state: JoanState, seat: Seat, *, rallies: bool) -> tuple[UnitId, ...]:
    """A player's units in the disrupted section; to come back, also waiting units, if an area allows it."""
    spots = {"disrupted", "waiting"} if rallies else {"disrupted"}
    found = (unit for unit in state.field.units.values() if unit.owner == seat and unit.spot in spots)
    return tuple(sorted(unit.id for unit in found if not rallies or rally_areas(state, unit)))


class Nursing(Procedure, frozen=True):
    """Units of the infirmary are helped, one by one."""

    seat: Seat
    rallies: bool
    left: int

    @step("JA-232")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """Up to the number on the card."""
        if self.left and patients(r.state, self.seat, rallies=self.rallies):
            return ask(PatientChoice(self.seat, self.rallies, self.left))
        return DONE

    @step("JA-Q48")
    def next_unit(self, r: Resolver[JoanState]) -> Flow:
        """The next one."""
        return Goto("JA-232")


def to_waiting(r: Resolver[JoanState], context: Context, effect: InfirmaryToWaiting) -> Procedure | None:
    """JA-161: skipped if no unit lies there."""
    return _nursing(r, context.seat, "infirmary_to_waiting", effect.max_units, rallies=False)


def take_back(r: Resolver[JoanState], context: Context, effect: TakeBackFromInfirmary) -> Procedure | None:
    """JA-228: placed by the rules of rallying."""
    return _nursing(r, context.seat, "take_back_from_infirmary", effect.max_units, rallies=True)


def _nursing(r: Resolver[JoanState], seat: Seat, name: str, most: int, *, rallies: bool) -> Procedure | None:
    if patients(r.state, seat, rallies=rallies):
        return Nursing(seat, rallies, most)
    r.emit(EffectSkipped(seat, name, "JA-161"))
    return None


OPERATIONS: Final[Operations] = {InfirmaryToWaiting: to_waiting, TakeBackFromInfirmary: take_back}
