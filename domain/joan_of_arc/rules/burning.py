"""Fire damage and collapse (JA-238 to JA-243, JA-323 to JA-327)."""

from domain.joan_of_arc.dice import Face, face
from domain.joan_of_arc.events import (
    BarricadeRemoved,
    BuildingCollapsed,
    BuildingDamaged,
    ElementsRemoved,
    StakesRemoved,
)
from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.losses import burns, in_the_fire
from domain.joan_of_arc.queries import border_name, card_of, table_of, unit_of
from domain.joan_of_arc.results import disrupt, kill
from domain.joan_of_arc.rules.losing import suffer
from domain.joan_of_arc.rules.pushing import Pushing
from domain.joan_of_arc.rules.victory import judge
from domain.joan_of_arc.state import JoanState, UnitId
from domain.joan_of_arc.table import collapses, furnishing, units_in
from domain.kernel import DONE, NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, step


class Burning(Procedure, frozen=True):
    """JA-238, JA-Q45: areas with a fire token, one after the other."""

    areas: tuple[AreaId, ...]

    @step("JA-239", "JA-240", "JA-241")
    def burn(self, r: Resolver[JoanState]) -> Flow:
        """What burns is removed; each unit suffers a red die without defence; who is pushed moves or stays."""
        area = self.areas[0]
        consume(r, area)
        cause = r.state.field.fires.get(area)
        units = tuple(UnitId(unit.unit) for unit in in_the_fire(table_of(r.state), area))
        dice = r.roll(len(units), "JA-240", "Fire", about=units, kinds=("red",) * len(units)) if units else ()
        shown = dict(zip(units, (face("red", value) for value in dice), strict=True))
        pushed = strike(r, shown, cause, "JA-240")
        return Call(Pushing(pushed, None, cause)) if pushed else NEXT

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


def strike(r: Resolver[JoanState], shown: dict[UnitId, Face], cause: Seat | None, rule: str) -> tuple[UnitId, ...]:
    """One result for each of these units: kills and disrupts apply, who is pushed is given back."""
    pushed = []
    for name, result in shown.items():
        unit = unit_of(r.state, name)
        if unit.spot != "board":
            continue
        card = card_of(r.state, unit)
        match result:
            case Face.KILL:
                suffer(r, name, kill(card, unit.wounds), cause, rule)
            case Face.DISRUPT:
                suffer(r, name, disrupt(card, unit.wounds), cause, rule)
            case Face.PUSH:
                pushed.append(name)
    return tuple(pushed)


def harm_building(r: Resolver[JoanState], around: AreaId, damage: int, cause: Seat | None) -> Procedure | None:
    """JA-323, JA-388: damage tokens on the building of a ground area; what its collapse asks, if it collapses."""
    r.emit(BuildingDamaged(around, damage))
    return Collapsing(around, cause) if collapses(furnishing(table_of(r.state), around)) else None


class Collapsing(Procedure, frozen=True):
    """JA-323 to JA-325: the building of a ground area falls on whoever is inside. `cause`: whose doing it is."""

    around: AreaId
    cause: Seat | None

    @step("JA-324", "JA-325")
    def fall(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q46: a red die for each unit, with its own defence dice; survivors stand on the rubble."""
        inside = table_of(r.state).board.interiors[self.around]
        if furnishing(table_of(r.state), inside).barricade is not None:
            r.emit(BarricadeRemoved(inside, "JA-Q46"))
        r.emit(BuildingCollapsed(self.around))
        units = sorted(UnitId(unit.unit) for unit in units_in(table_of(r.state), inside) if not unit.carried)
        shown = {unit: _fallen_on(r, unit) for unit in units}
        pushed = strike(r, shown, self.cause, "JA-324")
        return Call(Pushing(pushed, None, self.cause)) if pushed else NEXT

    @step("JA-327")
    def settled(self, r: Resolver[JoanState]) -> Flow:
        """What is left is an interior without the defence bonus."""
        return DONE


def _fallen_on(r: Resolver[JoanState], unit: UnitId) -> Face:
    """JA-Q46: what the red die does to a unit whose own dice show no shield."""
    found = unit_of(r.state, unit)
    defence = card_of(r.state, found).defence.in_order()
    kinds = ("red", *defence)
    first, *rest = r.roll(len(kinds), "JA-324", "Collapse", seat=found.owner, about=(unit,), kinds=kinds)
    shields = any(face(colour, value) is Face.SHIELD for colour, value in zip(defence, rest, strict=True))
    return Face.BLANK if shields else face("red", first)
