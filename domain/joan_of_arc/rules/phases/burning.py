"""Fire damage and collapse (JA-238 to JA-243, JA-323 to JA-327)."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.losses import burns, in_the_fire
from domain.joan_of_arc.board.table import collapses, furnishing, units_in
from domain.joan_of_arc.cards.dice import Face, face
from domain.joan_of_arc.rules.attacks.applying import Applying
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.rerolling import RollAgainThese, again
from domain.joan_of_arc.rules.pushing import pushing
from domain.joan_of_arc.state.attack_state import Given
from domain.joan_of_arc.state.events import (
    BarricadeRemoved,
    BuildingCollapsed,
    BuildingDamaged,
    ElementsRemoved,
    RerollTokenUsed,
    StakesRemoved,
)
from domain.joan_of_arc.state.queries import border_name, card_of, table_of, unit_of, worn_dice
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Decision,
    DiceRolled,
    Flow,
    Goto,
    Next,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    step,
)


class Burning(Procedure, frozen=True):
    """JA-238, JA-Q45: areas with a fire token, one after the other."""

    areas: tuple[AreaId, ...]
    shown: tuple[tuple[UnitId, Face], ...] = ()

    @step("JA-239", "JA-240", "JA-241")
    def burn(self, r: Resolver[JoanState]) -> Flow:
        """Elements that burn are removed; each unit suffers a red die without defence."""
        area = self.areas[0]
        consume(r, area)
        units = tuple(UnitId(unit.unit) for unit in in_the_fire(table_of(r.state), area))
        dice = r.roll(len(units), "JA-240", "Fire", about=units, kinds=("red",) * len(units)) if units else ()
        shown = dict(zip(units, (face("red", value) for value in dice), strict=True))
        after = Burning(self.areas, tuple(shown.items()))
        return Call(suffering(shown, r.state.field.fires.get(area), "JA-240"), after)

    @step("JA-Q45")
    def drive_out(self, r: Resolver[JoanState]) -> Flow:
        """Units that are pushed move or stay."""
        return driven(r, self.shown, r.state.field.fires.get(self.areas[0]))

    @step("JA-242", "JA-243")
    def damage(self, r: Resolver[JoanState]) -> Flow:
        """The building takes a damage token, and collapses when it has as many as its resistance (JA-Q44)."""
        area = self.areas[0]
        cause = r.state.field.fires.get(area)
        building = burns(table_of(r.state), area).building
        if building is None:
            return NEXT
        asks = harm_building(r, building, 1, cause)
        return NEXT if asks is None else Call(asks)

    @step("JA-Q85")
    def next_area(self, r: Resolver[JoanState]) -> Flow:
        """One fire area is one moment."""
        judge(r)
        left = tuple(area for area in self.areas[1:] if furnishing(table_of(r.state), area).fire)
        return Goto("JA-239", Burning(left)) if left else DONE


def consume(r: Resolver[JoanState], area: AreaId) -> None:
    """JA-239: a tree, a bush, stakes and a barricade, one of each kind present."""
    burnt = burns(table_of(r.state), area)
    if burnt.elements:
        r.emit(ElementsRemoved(area, burnt.elements, "JA-239"))
    if burnt.barricade:
        r.emit(BarricadeRemoved(area, "JA-239"))
    if burnt.stakes is not None:
        r.emit(StakesRemoved(border_name(burnt.stakes), "JA-239"))


def suffering(shown: Mapping[UnitId, Face], cause: Seat | None, rule: str) -> Applying:
    """The kills and disrupts of these results, one for each unit (JA-Q45); JA-293: Tough may cancel a kill."""
    given = tuple(Given(unit, result) for unit, result in shown.items() if result in {Face.KILL, Face.DISRUPT})
    return Applying(given, cause, rule)


def driven(r: Resolver[JoanState], shown: Iterable[tuple[UnitId, Face]], cause: Seat | None) -> Flow:
    """JA-D56: pushed units go to an area of their owner's choice, or stay."""
    units = tuple(unit for unit, result in shown if result is Face.PUSH and unit_of(r.state, unit).spot == "board")
    return Call(pushing(units, None, cause)) if units else NEXT


def harm_building(r: Resolver[JoanState], around: AreaId, damage: int, cause: Seat | None) -> Procedure | None:
    """JA-323, JA-388: damage tokens on the building of a ground area. Returns its collapse, if it collapses."""
    r.emit(BuildingDamaged(around, damage))
    return Collapsing(around, cause) if collapses(furnishing(table_of(r.state), around)) else None


class CollapseDice(Decision, frozen=True):
    """JA-D50 The defence dice that an owner rerolls with the reroll token (JA-Q77) as a building falls.

    `left`: the units on which it falls next, this one first; `shown`: the faces of the units before.
    """

    rule = "JA-196"

    around: AreaId
    cause: Seat | None
    left: tuple[UnitId, ...]
    shown: tuple[tuple[UnitId, Face], ...]

    def form(self, state: JoanState) -> Pick:
        """Any number of them, or none; the red die does not belong to the owner."""
        numbers = tuple(str(at) for at in range(1, len(state.roll.dice)))
        return Pick(RollAgainThese, numbers, 0, len(numbers))

    def resolve(self, r: Resolver[JoanState], choice: RollAgainThese) -> Flow:
        """JA-197: the second result of these stands."""
        first, which = r.state.roll, tuple(int(at) for at in choice.dice)
        red, *_ = shown = fallen_faces(first)
        kept = any(face is Face.SHIELD for at, face in enumerate(shown) if at and at not in which)
        if which:
            r.emit(RerollTokenUsed(self.by))
            again(r, which)
            kept = kept or Face.SHIELD in fallen_faces(r.state.roll)
        struck = (*self.shown, (self.left[0], Face.BLANK if kept else red))
        return Goto("JA-Q77", Collapsing(self.around, self.cause, struck, self.left[1:]))


def fallen_faces(roll: DiceRolled) -> tuple[Face, ...]:
    """The faces that the dice of a collapse show."""
    return tuple(face(kind, value) for kind, value in zip(roll.kinds, roll.dice, strict=True))  # type: ignore[arg-type]  # kinds are dice


class Collapsing(Procedure, frozen=True):
    """JA-323 to JA-325: the building of a ground area falls on the units inside. `cause`: the seat that caused it;
    `left`: the units on which it has not fallen yet; `shown`: the faces of the others.
    """

    around: AreaId
    cause: Seat | None
    shown: tuple[tuple[UnitId, Face], ...] = ()
    left: tuple[UnitId, ...] = ()

    @step("JA-323")
    def collapse(self, r: Resolver[JoanState]) -> Flow:
        """The overlay flips to rubble; JA-Q46: a barricade inside is gone."""
        inside = table_of(r.state).board.interiors[self.around]
        if furnishing(table_of(r.state), inside).barricade is not None:
            r.emit(BarricadeRemoved(inside, "JA-Q46"))
        r.emit(BuildingCollapsed(self.around))
        units = sorted(UnitId(unit.unit) for unit in units_in(table_of(r.state), inside) if not unit.carried)
        return Next(replace(self, left=tuple(units)))

    @step("JA-Q77", "JA-324")
    def fall(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q46: a red die for each unit, and its own defence dice, on which the token may be used (JA-196)."""
        if not self.left:
            return NEXT
        unit = unit_of(r.state, self.left[0])
        red, *own = _fall_on(r, unit.id)
        if own and unit.owner is not None and r.state.boards[unit.owner].reroll:
            return ask(CollapseDice(unit.owner, self.around, self.cause, self.left, self.shown))
        struck = (*self.shown, (unit.id, Face.BLANK if Face.SHIELD in own else red))
        return Goto("JA-Q77", replace(self, shown=struck, left=self.left[1:]))

    @step("JA-325")
    def suffer(self, r: Resolver[JoanState]) -> Flow:
        """Survivors stand on the rubble."""
        return Call(suffering(dict(self.shown), self.cause, "JA-324"))

    @step("JA-Q46")
    def drive_out(self, r: Resolver[JoanState]) -> Flow:
        """A push moves a unit to the ground around, or becomes a disrupt."""
        return driven(r, self.shown, self.cause)

    @step("JA-327")
    def settled(self, r: Resolver[JoanState]) -> Flow:
        """The rubble is an interior without the defence bonus."""
        return DONE


def _fall_on(r: Resolver[JoanState], unit: UnitId) -> tuple[Face, ...]:
    """JA-Q46: the red die, then the unit's own defence dice, those of its equipment too."""
    found = unit_of(r.state, unit)
    own = worn_dice(r.state, found, "defence", None)
    kinds = ("red", *card_of(r.state, found).defence.in_order(), *own.in_order())
    r.roll(len(kinds), "JA-324", "Collapse", seat=found.owner, about=(unit,), kinds=kinds)
    return fallen_faces(r.state.roll)
