"""The camp phase (section S): casualties check, fire damage, end of the game and victory."""

from domain.joan_of_arc.cards.dice import face
from domain.joan_of_arc.rules.attacks.results import doom
from domain.joan_of_arc.rules.losing import destroy
from domain.joan_of_arc.rules.phases.burning import Burning
from domain.joan_of_arc.rules.phases.rallying import Rallying
from domain.joan_of_arc.rules.phases.ransoming import Ransoming, captives
from domain.joan_of_arc.rules.phases.victory import conclude, judge, score_camp
from domain.joan_of_arc.rules.player_actions.legends import all_at
from domain.joan_of_arc.rules.player_actions.rerolling import RerollOffer, last_die
from domain.joan_of_arc.state.events import DoomRolled, PhaseBegan, UnitCalled, UnitWaiting
from domain.joan_of_arc.state.queries import card_of, setting_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Spot, UnitId
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    Next,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)


class Camp(Procedure, frozen=True):
    """JA-224: the steps of the camp phase. `part`: the number, from 0, of the player who checks casualties; `waiting`:
    the units that were in the waiting section when the phase began (JA-Q47).
    """

    part: int = 0
    waiting: tuple[UnitId, ...] = ()

    @step("JA-224")
    def begin(self, r: Resolver[JoanState]) -> Flow:
        """Units that already wait come back without a roll."""
        r.emit(PhaseBegan("camp"))
        return Next(Camp(0, _in_spot(r.state, "waiting")))

    @step("JA-189")
    def cards(self, r: Resolver[JoanState]) -> Flow:
        """Legend cards for this moment, the first player first (JA-Q82)."""
        return Call(all_at("camp_before_doom", setting_of(r.state).order))

    @step("JA-232")
    def returning(self, r: Resolver[JoanState]) -> Flow:
        """The next player's waiting units, before any roll."""
        seat = self._seat(r.state)
        return Call(Returning(tuple(unit for unit in self.waiting if unit_of(r.state, unit).owner == seat)))

    @step("JA-225")
    def casualties(self, r: Resolver[JoanState]) -> Flow:
        """The player rolls for each disrupted unit, the first player first."""
        seat = self._seat(r.state)
        due = tuple(unit for unit in _in_spot(r.state, "disrupted") if unit_of(r.state, unit).owner == seat)
        return Call(Casualties(seat, due))

    @step("JA-Q47")
    def next_part(self, r: Resolver[JoanState]) -> Flow:
        """The next player."""
        after = Camp(self.part + 1, self.waiting)
        return Goto("JA-232", after) if after.part < len(setting_of(r.state).order) else Next(after)

    @step("JA-348")
    def ransom(self, r: Resolver[JoanState]) -> Flow:
        """After the casualties check captives may be paid for."""
        found = captives(r.state)
        return Call(Ransoming(found)) if found else NEXT

    @step("JA-238")
    def fire(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q45: each area with a fire token, in board order."""
        burning = tuple(area for area, lying in r.state.field.lying.items() if lying.fire)
        return Call(Burning(setting_of(r.state).board.in_order(burning))) if burning else NEXT

    @step("JA-233", "JA-Q49")
    def infirmary(self, r: Resolver[JoanState]) -> Flow:
        """At the end of the last round all units in the infirmary count as destroyed, immortal ones too."""
        if not is_last(r.state):
            return NEXT
        for unit in (*_in_spot(r.state, "disrupted"), *_in_spot(r.state, "waiting")):
            destroy(r, unit, unit_of(r.state, unit).sent_by, "JA-233")
        judge(r)
        return NEXT

    @step("JA-244", "JA-246")
    def victory(self, r: Resolver[JoanState]) -> Flow:
        """Points of every camp phase are scored; after the last round the match ends."""
        score_camp(r)
        judge(r)
        if is_last(r.state):
            conclude(r)
        return DONE

    def _seat(self, state: JoanState) -> Seat:
        return setting_of(state).order[self.part]


def is_last(state: JoanState) -> bool:
    """JA-244: whether the round deck is empty."""
    return not state.piles["rounds"].left


def _in_spot(state: JoanState, spot: Spot) -> tuple[UnitId, ...]:
    return tuple(sorted(unit.id for unit in state.field.units.values() if unit.spot == spot))


class Returning(Procedure, frozen=True):
    """JA-232: units of the waiting section come back, one after the other."""

    units: tuple[UnitId, ...]

    @step("JA-232")
    def come(self, r: Resolver[JoanState]) -> Flow:
        """If no area allows it, the unit keeps waiting (JA-Q47)."""
        return Call(Rallying(self.units[0]), Returning(self.units[1:])) if self.units else DONE

    @step("JA-Q48")
    def next_unit(self, r: Resolver[JoanState]) -> Flow:
        """Unit by unit."""
        return Goto("JA-232")


class RollDoom(Choice, frozen=True):
    """Roll the doom die for this unit."""

    unit: UnitId


class DoomChoice(Decision, frozen=True):
    """JA-D53 The unit for which the doom die is rolled next."""

    rule = "JA-225"

    due: tuple[UnitId, ...]

    def form(self, state: JoanState) -> One:
        """The disrupted units without a roll so far."""
        return only(tuple(RollDoom(unit) for unit in self.due))

    def resolve(self, r: Resolver[JoanState], choice: RollDoom) -> Flow:
        """The unit is named before the roll."""
        left = tuple(unit for unit in self.due if unit != choice.unit)
        return Call(Dooming(choice.unit), Casualties(self.by, left))


class Casualties(Procedure, frozen=True):
    """JA-225: the doom dice of a player. `due`: the units without a roll so far."""

    seat: Seat
    due: tuple[UnitId, ...]

    @step("JA-225")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """The owner chooses the order."""
        if not self.due:
            return DONE
        if len(self.due) > 1:
            return ask(DoomChoice(self.seat, self.due))
        return Call(Dooming(self.due[0]), Casualties(self.seat, ()))

    @step("JA-227")
    def next_unit(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q85: each die is judged by itself."""
        judge(r)
        return Goto("JA-225")


class Dooming(Procedure, frozen=True):
    """JA-226 to JA-231: the doom die for one unit."""

    unit: UnitId

    @step("JA-225")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """The unit is named, then the die is rolled; JA-Q77: the reroll token may be used on it."""
        unit = unit_of(r.state, self.unit)
        assert unit.owner is not None, "civilians are never disrupted (JA-100)"
        r.emit(UnitCalled(unit.owner, unit.id))
        r.roll(1, "JA-225", "Doom", seat=unit.owner, about=(unit.id,), kinds=("doom",))
        return ask(RerollOffer(unit.owner)) if r.state.boards[unit.owner].reroll else NEXT

    @step("JA-226", "JA-227", "JA-231")
    def apply(self, r: Resolver[JoanState]) -> Flow:
        """Death, disrupt, rally or delayed rally."""
        unit, shown = unit_of(r.state, self.unit), face("doom", last_die(r.state))
        r.emit(DoomRolled(unit.id, shown))
        match doom(card_of(r.state, unit), shown):
            case "graveyard":
                destroy(r, unit.id, unit.sent_by, "JA-226")
            case "waiting":
                r.emit(UnitWaiting(unit.id))
            case "rally":
                return Call(Rallying(unit.id))
        return NEXT

    @step("JA-228")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """This unit is done."""
        return DONE
