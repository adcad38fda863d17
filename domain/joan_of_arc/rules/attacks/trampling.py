"""Gigantic attacks of gigantic creatures (JA-374 to JA-383): a die for each area of a hex, resolved area by area."""

from itertools import permutations

from domain.joan_of_arc.attack_events import AttackDeclared, AttackEnded, DiceThrown, GiganticDiceAssigned
from domain.joan_of_arc.attack_state import RolledDie
from domain.joan_of_arc.dice import Face, face
from domain.joan_of_arc.events import ActionResolved
from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.queries import side_of, table_of, unit_of
from domain.joan_of_arc.rules.attacks.attacking import Resolving
from domain.joan_of_arc.rules.attacks.dodging import Dodging, dodgers
from domain.joan_of_arc.rules.attacks.pools import defence_pool, defending_seat, throw
from domain.joan_of_arc.rules.attacks.targets import foes_in
from domain.joan_of_arc.rules.moving import stride
from domain.joan_of_arc.rules.victory import judge
from domain.joan_of_arc.state import JoanState, UnitId
from domain.joan_of_arc.table import hex_is_empty
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)


class AssignDice(Choice, frozen=True):
    """These faces on the areas of the hex, in their order."""

    faces: tuple[Face, ...]


class DiceAssignment(Decision, frozen=True):
    """JA-D34 Which gigantic die goes to which area, one for each (JA-377)."""

    rule = "JA-377"

    unit: UnitId
    areas: tuple[AreaId, ...]
    faces: tuple[Face, ...]

    def form(self, state: JoanState) -> One:
        """Every different way to lay them out."""
        return only(tuple(AssignDice(ways) for ways in dict.fromkeys(permutations(self.faces))))

    def resolve(self, r: Resolver[JoanState], choice: AssignDice) -> Flow:
        """They lie there."""
        r.emit(GiganticDiceAssigned(self.unit, self.areas, choice.faces))
        return Goto("JA-378", Trampling(self.by, self.unit, self.areas, choice.faces))


class Trampling(Procedure, frozen=True):
    """JA-374: a gigantic creature attacks all units and buildings of a hex; for other rules that is melee (JA-Q89).

    `faces`: the dice on its areas.
    """

    seat: Seat
    unit: UnitId
    areas: tuple[AreaId, ...]
    faces: tuple[Face, ...] = ()
    at: int = 0

    @step("JA-376")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """As many gigantic dice as the hex has areas."""
        count = len(self.areas)
        dice = r.roll(count, "JA-376", "Trample", seat=self.seat, about=(self.unit,), kinds=("gigantic",) * count)
        faces = tuple(face("gigantic", value) for value in dice)
        if len(set(faces)) > 1:
            return ask(DiceAssignment(self.seat, self.unit, self.areas, faces))
        r.emit(GiganticDiceAssigned(self.unit, self.areas, faces))
        return Goto("JA-378", Trampling(self.seat, self.unit, self.areas, faces))

    @step("JA-378")
    def area(self, r: Resolver[JoanState]) -> Flow:
        """The areas one after the other, by letter."""
        if self.at >= len(self.areas):
            return Goto("JA-383")
        return Call(TramplingArea(self.seat, self.unit, self.areas[self.at], self.faces[self.at]))

    @step("JA-377")
    def next_area(self, r: Resolver[JoanState]) -> Flow:
        """The next one."""
        return Goto("JA-378", Trampling(self.seat, self.unit, self.areas, self.faces, self.at + 1))

    @step("JA-383")
    def follow(self, r: Resolver[JoanState]) -> Flow:
        """It may move in where neither units nor buildings are left."""
        r.emit(ActionResolved((self.unit,), attacked=self.areas[0]))
        judge(r)
        there = unit_of(r.state, self.unit)
        stays = there.spot != "board" or not hex_is_empty(table_of(r.state), self.areas)
        level = table_of(r.state).board.areas
        if stays or level[there.area].level != level[self.areas[0]].level:
            return DONE
        return ask(StrideIn(self.seat, self.unit, self.areas[0]))


class TakeGround(Choice, frozen=True):
    """Move into the hex."""


class HoldBackGiant(Choice, frozen=True):
    """Stay."""


class StrideIn(Decision, frozen=True):
    """JA-D36 Whether a gigantic creature moves into the hex that it attacked."""

    rule = "JA-383"

    unit: UnitId
    area: AreaId

    def form(self, state: JoanState) -> One:
        """Yes or no."""
        return only((HoldBackGiant(), TakeGround()))

    def resolve(self, r: Resolver[JoanState], choice: TakeGround | HoldBackGiant) -> Flow:
        """JA-373: terrain elements are removed."""
        if isinstance(choice, TakeGround):
            stride(r, self.unit, self.area, "follow_up")
        return DONE


class TramplingArea(Procedure, frozen=True):
    """JA-378 to JA-382: one gigantic die on one area."""

    seat: Seat
    unit: UnitId
    target: AreaId
    face: Face

    @step("JA-379")
    def defend(self, r: Resolver[JoanState]) -> Flow:
        """The units of the area roll defence, unless the die shows trample."""
        table, side = table_of(r.state), side_of(r.state, self.seat) or ""
        units = tuple(UnitId(unit.unit) for unit in foes_in(table, self.target, side))
        start = unit_of(r.state, self.unit).area
        r.emit(AttackDeclared(self.seat, "melee", self.target, ((self.unit, start),), units, giants=(self.unit,)))
        r.emit(DiceThrown("attack", (RolledDie("gigantic", self.unit, self.face),)))
        pool = () if self.face is Face.TRAMPLE else defence_pool(r.state)
        throw(r, "defence", pool, defending_seat(r.state))
        found = dodgers(r.state)
        return Call(Dodging(found)) if found else NEXT

    @step("JA-378")
    def resolve(self, r: Resolver[JoanState]) -> Flow:
        """Each kill, disrupt or push counts once for each enemy unit there."""
        return Call(Resolving())

    @step("JA-374")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The next area."""
        r.emit(AttackEnded(self.target))
        return DONE
