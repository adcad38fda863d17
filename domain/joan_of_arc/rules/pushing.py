"""Pushes (JA-138 to JA-141): staying for a wound, the destination of a pushed unit, and units without one.

`Pushing` serves attacks, fire and collapse alike: they differ in the seat that names the destination.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import left, push_destinations
from domain.joan_of_arc.cards.units import spaces
from domain.joan_of_arc.rules.attacks.results import disrupt, may_stay, stay
from domain.joan_of_arc.rules.capturing import Capturing, may_capture
from domain.joan_of_arc.rules.losing import suffer
from domain.joan_of_arc.rules.moving import shift, stride
from domain.joan_of_arc.state.queries import card_of, setting_of, strides, table_of, travelling, unit_of
from domain.joan_of_arc.state.state import NOWHERE, JoanState, UnitId
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Pushed(Struct, frozen=True):
    """The units that are pushed, and how. For `units` it is still open whether they stay; `going` do not stay.

    `chooser` names the destinations, None for each unit's owner; `cause`: the seat that caused it; `captures`:
    whether the final wound of a staying unit may be turned into captivity (JA-Q78).
    """

    units: tuple[UnitId, ...]
    chooser: Seat | None
    cause: Seat | None
    captures: bool = False
    going: tuple[UnitId, ...] = ()


class Stay(Choice, frozen=True):
    """This unit takes a wound and stays."""

    unit: UnitId


class GiveWay(Choice, frozen=True):
    """This unit is pushed."""

    unit: UnitId


class PushTo(Choice, frozen=True):
    """Push this unit into this area; with no area, it is disrupted (JA-139)."""

    unit: UnitId
    area: AreaId = NOWHERE


class StayOffer(Decision, frozen=True):
    """JA-D29, JA-D56 The units with multiple HPs that stay by taking a wound, before destinations are named."""

    rule = "JA-140"

    units: tuple[UnitId, ...]
    pushed: Pushed

    def form(self, state: JoanState) -> One:
        """Every unit may stay or give way, in the owner's order (JA-Q26); JA-Q24: a unit with 1 HP remaining may stay
        too, and so may one without a destination.
        """
        return only(tuple(choice for unit in self.units for choice in (GiveWay(unit), Stay(unit))))

    def resolve(self, r: Resolver[JoanState], choice: Stay | GiveWay) -> Flow:
        """JA-141: the wound may destroy it; JA-Q78: in an attack it may be the final one of a character."""
        left = replace(self.pushed, units=tuple(unit for unit in self.pushed.units if unit != choice.unit))
        if isinstance(choice, GiveWay):
            return Goto("JA-140", Pushing(replace(left, going=(*left.going, choice.unit))))
        unit, cause = unit_of(r.state, choice.unit), self.pushed.cause
        struck = stay(card_of(r.state, unit), unit.wounds)
        if self.pushed.captures and cause is not None and may_capture(r.state, unit, struck):
            return Call(Capturing(unit.id, struck.wounds, cause, "JA-141"), Pushing(left))
        suffer(r, unit.id, struck, cause, "JA-141")
        return Goto("JA-140", Pushing(left))


class PushDestination(Decision, frozen=True):
    """JA-D30, JA-D56 The unit that is pushed next, and its destination."""

    rule = "JA-138"

    units: tuple[UnitId, ...]
    pushed: Pushed

    def form(self, state: JoanState) -> One:
        """JA-Q26: in any order; the adjacent areas, free or allied to the unit, with room for it now."""
        return only(tuple(pushes(state, self.units)))

    def resolve(self, r: Resolver[JoanState], choice: PushTo) -> Flow:
        """The unit moves there; room for the others is checked again."""
        return go(r, self.pushed, choice)


def pushes(state: JoanState, units: Iterable[UnitId]) -> Iterator[PushTo]:
    """The areas to which each pushed unit may go; `NOWHERE` if it has none."""
    for unit in units:
        yield from (PushTo(unit, area) for area in retreats(state, unit) or (NOWHERE,))


def go(r: Resolver[JoanState], pushed: Pushed, choice: PushTo) -> Flow:
    """One unit goes; JA-139: a unit without a destination suffers a disrupt."""
    unit = unit_of(r.state, choice.unit)
    if choice.area == NOWHERE:
        suffer(r, unit.id, disrupt(card_of(r.state, unit), unit.wounds), pushed.cause, "JA-139")
    else:
        push(r, unit.id, choice.area)
    going = tuple(each for each in pushed.going if each != choice.unit)
    return Goto("JA-138", Pushing(replace(pushed, going=going)))


def retreats(state: JoanState, unit: UnitId) -> tuple[AreaId, ...]:
    """JA-138, JA-Q25: the areas to which a unit may be pushed."""
    found = unit_of(state, unit)
    if card_of(state, found).gigantic:
        return strides(state, found)  # JA-Q52
    table = table_of(state)
    alone, *riding = travelling(state, (unit,))
    areas = push_destinations(table, found.area, alone)
    room = spaces(alone.card) + sum(spaces(each.card) for each in riding)  # JA-Q55
    return areas if not riding else tuple(area for area in areas if left(table, area) >= room)


def push(r: Resolver[JoanState], unit: UnitId, area: AreaId) -> None:
    """A unit goes where it is pushed; JA-Q52: a gigantic creature by a whole hex."""
    if card_of(r.state, unit_of(r.state, unit)).gigantic:
        stride(r, unit, area, "push")
    else:
        shift(r, (unit,), (area,), "push")


class Pushing(Procedure, frozen=True):
    """JA-Q26: units are pushed: first those who may stay decide, then the others move one by one."""

    pushed: Pushed

    @step("JA-140")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q24: with 2 printed HPs or more; neutral civilians have none. The owners in turn order."""
        left = tuple(unit for unit in self.pushed.units if unit_of(r.state, unit).spot == "board")
        owners = {unit: unit_of(r.state, unit).owner for unit in left if _has_choice(r.state, unit)}
        seat = next((seat for seat in setting_of(r.state).order if seat in owners.values()), None)
        if seat is None:
            going = (*self.pushed.going, *left)
            return Goto("JA-138", Pushing(replace(self.pushed, units=(), going=going)))
        asked = tuple(unit for unit, owner in owners.items() if owner == seat)
        return ask(StayOffer(seat, asked, self.pushed))

    @step("JA-141")
    def stayed(self, r: Resolver[JoanState]) -> Flow:
        """A unit that stays is not pushed; the next unit decides."""
        return Goto("JA-140")

    @step("JA-138", "JA-139")
    def move(self, r: Resolver[JoanState]) -> Flow:
        """The next unit; without a choice no player is asked."""
        going = tuple(unit for unit in self.pushed.going if unit_of(r.state, unit).spot == "board")
        if not going:
            return DONE
        owner = unit_of(r.state, going[0]).owner
        chooser = owner if self.pushed.chooser is None else self.pushed.chooser
        if self.pushed.chooser is None:
            going = tuple(unit for unit in going if unit_of(r.state, unit).owner == owner)
        found = tuple(pushes(r.state, going))
        stuck = all(each.area == NOWHERE for each in found)
        if len(found) == 1 or stuck or chooser is None:
            return go(r, self.pushed, found[0])
        return ask(PushDestination(chooser, going, self.pushed))

    @step("JA-Q25")
    def moved(self, r: Resolver[JoanState]) -> Flow:
        """The next unit."""
        return Goto("JA-138")


def _has_choice(state: JoanState, unit: UnitId) -> bool:
    return may_stay(card_of(state, unit_of(state, unit)))


def pushing(units: Iterable[UnitId], chooser: Seat | None, cause: Seat | None, *, captures: bool = False) -> Pushing:
    """The procedure that pushes these units; see `Pushed`."""
    return Pushing(Pushed(tuple(units), chooser, cause, captures))
