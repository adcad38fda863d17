"""Gigantic attacks of gigantic creatures (JA-374 to JA-383): a die for each area of a hex, resolved area by area."""

from itertools import permutations

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import hex_is_empty
from domain.joan_of_arc.cards.dice import NONE, Dice, Face
from domain.joan_of_arc.rules.actions.walking import changes_level
from domain.joan_of_arc.rules.attacks.attacking import Resolving
from domain.joan_of_arc.rules.attacks.dodging import Dodging, dodgers
from domain.joan_of_arc.rules.attacks.improving import step_1
from domain.joan_of_arc.rules.attacks.pools import attack_of, defence_pool, defending_seat, throw
from domain.joan_of_arc.rules.attacks.rolls import Thrown
from domain.joan_of_arc.rules.attacks.targets import foes_in
from domain.joan_of_arc.rules.attacks.terror import Terrifying
from domain.joan_of_arc.rules.granting import end_grants
from domain.joan_of_arc.rules.moving import stride
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.legends import sides_at
from domain.joan_of_arc.state.attack_events import (
    AttackDeclared,
    AttackEnded,
    BonusDiceAdded,
    DiceThrown,
    GiganticDiceAssigned,
)
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.events import ActionResolved, UnitMarked
from domain.joan_of_arc.state.queries import side_of, strides, table_of, unit_of
from domain.joan_of_arc.state.state import NOWHERE, JoanState, UnitId
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
    """JA-D34 The assignment of the gigantic dice to the areas, one for each (JA-377)."""

    rule = "JA-377"

    unit: UnitId
    areas: tuple[AreaId, ...]
    faces: tuple[Face, ...]

    def form(self, state: JoanState) -> One:
        """Every different assignment of the dice."""
        return only(tuple(AssignDice(ways) for ways in dict.fromkeys(permutations(self.faces))))

    def resolve(self, r: Resolver[JoanState], choice: AssignDice) -> Flow:
        """The dice are assigned."""
        r.emit(GiganticDiceAssigned(self.unit, self.areas, choice.faces))
        attack = attack_of(r.state)
        start, shield = attack.starts[0][1], attack.common_defence
        return Goto("JA-378", Trampling(self.by, self.unit, self.areas, start, choice.faces, 0, shield))


class Trampling(Procedure, frozen=True):
    """JA-374: a gigantic creature attacks all units and buildings of a hex; for other rules that is melee (JA-Q89).

    Before the dice, the hex is one target. `start`: where the creature stood; `faces`: the dice on its areas; `shield`:
    dice that cards add to a defence, for the first area that rolls one.
    """

    seat: Seat
    unit: UnitId
    areas: tuple[AreaId, ...]
    start: AreaId = NOWHERE
    faces: tuple[Face, ...] = ()
    at: int = 0
    shield: Dice = NONE

    @step("JA-374")
    def declare(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q82: cards of both sides, the attacker's first."""
        table, side = table_of(r.state), side_of(r.state, self.seat) or ""
        units = tuple(sorted({UnitId(unit.unit) for area in self.areas for unit in foes_in(table, area, side)}))
        start = unit_of(r.state, self.unit).area
        starts = ((self.unit, start),)
        r.emit(AttackDeclared(self.seat, "melee", self.areas[0], starts, units, giants=(self.unit,)))
        after = Trampling(self.seat, self.unit, self.areas, start)
        return Call(sides_at(r.state, self.seat, "attack_declared_self", "attack_declared_opponent"), after)

    @step("JA-288")
    def terror(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q89: the hex counts as one area."""
        return Call(Terrifying())

    @step("JA-376")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """As many gigantic dice as the hex has areas; JA-289: one if the attacker is frightened."""
        attack = attack_of(r.state)
        if not attack.starts:
            return Goto("JA-383")
        count = 1 if attack.frightened else len(self.areas)
        throw(r, "attack", (Thrown("gigantic", self.unit),) * count, self.seat)
        return NEXT

    @step("JA-122")
    def effects(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q77: the dice may be rolled again before they are assigned."""
        return Call(step_1(r.state))

    @step("JA-377")
    def assign(self, r: Resolver[JoanState]) -> Flow:
        """One die for each area; areas without one are spared."""
        attack = attack_of(r.state)
        shown = tuple(die.face for die in attack.attack_dice if die.colour == "gigantic")[: len(self.areas)]
        faces = shown + (Face.BLANK,) * (len(self.areas) - len(shown))
        if len(set(faces)) > 1:
            return ask(DiceAssignment(self.seat, self.unit, self.areas, faces))
        r.emit(GiganticDiceAssigned(self.unit, self.areas, faces))
        return Goto("JA-378", replace(self, faces=faces, shield=attack.common_defence))

    @step("JA-378")
    def area(self, r: Resolver[JoanState]) -> Flow:
        """The areas one after the other, by letter."""
        if self.at >= len(self.areas):
            return Goto("JA-383")
        face = self.faces[self.at]
        if face is Face.BLANK:
            return NEXT
        shield = NONE if face is Face.TRAMPLE else self.shield
        after = self if shield == NONE else replace(self, shield=NONE)
        return Call(TramplingArea(self.seat, self.unit, self.areas[self.at], face, self.start, shield), after)

    @step("JA-379")
    def next_area(self, r: Resolver[JoanState]) -> Flow:
        """The next one."""
        return Goto("JA-378", replace(self, at=self.at + 1))

    @step("JA-383")
    def follow(self, r: Resolver[JoanState]) -> Flow:
        """It may move in where neither units nor buildings are left; JA-362: from the sky if it may change level."""
        end_grants(r, "end_of_attack")
        r.emit(AttackEnded(self.areas[0]))
        r.emit(ActionResolved((self.unit,), attacked=self.areas[0]))
        judge(r)
        there = unit_of(r.state, self.unit)
        if there.spot != "board" or not self.faces or not hex_is_empty(table_of(r.state), self.areas):
            return DONE
        down = changes_level(r.state, there.area, self.areas[0])
        near = down or self.areas[0] in strides(r.state, there)
        if not near or (down and "changed_level" in there.marks):
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
            if changes_level(r.state, unit_of(r.state, self.unit).area, self.area):
                r.emit(UnitMarked(self.unit, "changed_level"))
            stride(r, self.unit, self.area, "follow_up")
        return DONE


class TramplingArea(Procedure, frozen=True):
    """JA-378 to JA-382: one gigantic die on one area."""

    seat: Seat
    unit: UnitId
    target: AreaId
    face: Face
    start: AreaId
    shield: Dice = NONE

    @step("JA-379")
    def defend(self, r: Resolver[JoanState]) -> Flow:
        """The units of the area roll defence, unless the die shows trample."""
        table, side = table_of(r.state), side_of(r.state, self.seat) or ""
        units = tuple(UnitId(unit.unit) for unit in foes_in(table, self.target, side))
        starts = ((self.unit, self.start),)
        r.emit(AttackDeclared(self.seat, "melee", self.target, starts, units, giants=(self.unit,)))
        if self.shield != NONE:
            r.emit(BonusDiceAdded("defence", self.shield))
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
        return DONE
