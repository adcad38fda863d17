"""Effects of gigantic dice besides harming units: trample (JA-380), terrain elements and buildings (JA-381, JA-382)."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import furnishing, units_in
from domain.joan_of_arc.board.terrain import BUILDINGS, Element
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.rules.attacks.applying import pushed
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders
from domain.joan_of_arc.rules.attacks.targets import is_building
from domain.joan_of_arc.rules.phases.burning import Collapsing, harm_building
from domain.joan_of_arc.state.events import BuildingRemoved, ElementsRemoved
from domain.joan_of_arc.state.queries import stands_in, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, One, Procedure, Resolver, ask, only, step

HEAVY = frozenset({Face.KILL, Face.DISRUPT, Face.TRAMPLE})
"""JA-381: the faces that break things; JA-382: a push does not."""


def giant_faces(state: JoanState) -> tuple[Face, ...]:
    """The gigantic dice of the attack roll."""
    return tuple(die.face for die in attack_of(state).attack_dice if die.colour == "gigantic")


def trampled(state: JoanState) -> tuple[UnitId, ...]:
    """JA-380, JA-Q51: the defenders still in the area that a trample pushes, except those pushed already."""
    if Face.TRAMPLE not in giant_faces(state):
        return ()
    attack = attack_of(state)
    gone = set(pushed(attack.given))
    return tuple(
        unit for unit in defenders(state) if stands_in(state, unit_of(state, unit), attack.target) and unit not in gone
    )


def wrecks(state: JoanState) -> bool:
    """JA-381, JA-Q53: whether a die breaks something: not if shields cancelled all of its results."""
    attack, faces = attack_of(state), giant_faces(state)
    if Face.TRAMPLE in faces:
        return True
    spared = bool(attack.defenders) and not any(die.colour == "gigantic" for die in attack.results)
    return bool(HEAVY & set(faces)) and not spared


class BreakElement(Choice, frozen=True):
    """Remove this terrain element."""

    element: Element


class BreakBuilding(Choice, frozen=True):
    """Break the building."""


class WreckChoice(Decision, frozen=True):
    """JA-D35 The element or building in the area that is broken: one at most (JA-Q53)."""

    rule = "JA-381"

    def form(self, state: JoanState) -> One:
        """A terrain element or the building."""
        return only(breakable(state))

    def resolve(self, r: Resolver[JoanState], choice: BreakElement | BreakBuilding) -> Flow:
        """The element or building is gone, or damaged."""
        return broken(r, choice)


def breakable(state: JoanState) -> tuple[BreakElement | BreakBuilding, ...]:
    """The terrain elements and the building in the attacked area."""
    area = attack_of(state).target
    elements = dict.fromkeys(furnishing(table_of(state), area).elements)
    found: tuple[BreakElement | BreakBuilding, ...] = tuple(BreakElement(element) for element in elements)
    return (*found, BreakBuilding()) if is_building(table_of(state), area) else found


def broken(r: Resolver[JoanState], choice: BreakElement | BreakBuilding) -> Flow:
    """JA-381: an element or an empty building of size 1 is removed, JA-Q53: one with units inside collapses; a larger
    building takes a damage token.
    """
    area, by = attack_of(r.state).target, attack_of(r.state).by
    if isinstance(choice, BreakElement):
        r.emit(ElementsRemoved(area, (choice.element,), "JA-381"))
        return NEXT
    building = furnishing(table_of(r.state), area).building
    assert building is not None, "it was offered"
    if BUILDINGS[building].size > 1:
        asks = harm_building(r, area, 1, by)
        return NEXT if asks is None else Call(asks)
    if units_in(table_of(r.state), _inside(r.state, area)):
        return Call(Collapsing(area, by))
    r.emit(BuildingRemoved(area))
    return NEXT


def _inside(state: JoanState, area: AreaId) -> AreaId:
    return table_of(state).board.interiors[area]


class Wrecking(Procedure, frozen=True):
    """JA-381: one thing in the area is broken."""

    @step("JA-381")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """The attacker picks; a single candidate needs no choice."""
        found = breakable(r.state)
        if len(found) > 1:
            return ask(WreckChoice(attack_of(r.state).by))
        return broken(r, found[0]) if found else NEXT

    @step("JA-Q53")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """Each die affects one thing at most."""
        return DONE
