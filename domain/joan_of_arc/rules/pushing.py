"""Pushes (JA-138 to JA-141): staying for a wound, where a pushed unit goes, and what becomes of one that cannot.

`Pushing` serves attacks, fire and collapse alike: they differ in who names the destination.
"""

from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.queries import card_of, strides, table_of, travelling, unit_of
from domain.joan_of_arc.results import disrupt, may_stay, stay
from domain.joan_of_arc.rules.losing import suffer
from domain.joan_of_arc.rules.moving import shift, stride
from domain.joan_of_arc.state import JoanState, UnitId
from domain.joan_of_arc.table import left, push_destinations
from domain.joan_of_arc.units import spaces
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Stay(Choice, frozen=True):
    """Take a wound and stay."""


class GiveWay(Choice, frozen=True):
    """Be pushed."""


class StayOffer(Decision, frozen=True):
    """JA-D29, JA-D56 Whether a unit with multiple HPs stays by taking a wound, before destinations are named."""

    rule = "JA-140"

    unit: UnitId
    cause: Seat | None

    def form(self, state: JoanState) -> One:
        """JA-Q24: also with 1 HP remaining, and where there is no destination."""
        return only((GiveWay(), Stay()))

    def resolve(self, r: Resolver[JoanState], choice: Stay | GiveWay) -> Flow:
        """JA-141: the wound may destroy it."""
        if isinstance(choice, GiveWay):
            return Goto("JA-Q26")
        unit = unit_of(r.state, self.unit)
        suffer(r, unit.id, stay(card_of(r.state, unit), unit.wounds), self.cause, "JA-141")
        return NEXT


class PushTo(Choice, frozen=True):
    """Push the unit into this area."""

    area: AreaId


class PushDestination(Decision, frozen=True):
    """JA-D30, JA-D56 Where a pushed unit goes."""

    rule = "JA-138"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """The adjacent areas, free or allied to the unit, with room for it."""
        return only(tuple(PushTo(area) for area in retreats(state, self.unit)))

    def resolve(self, r: Resolver[JoanState], choice: PushTo) -> Flow:
        """The unit moves there."""
        push(r, self.unit, choice.area)
        return NEXT


def retreats(state: JoanState, unit: UnitId) -> tuple[AreaId, ...]:
    """JA-138, JA-Q25: where a unit may be pushed."""
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
    """JA-Q26: units are pushed: first who may stays, then the others move one by one, room looked at each time.

    `chooser` names the destinations, None for each unit's owner; `cause`: whose doing it is.
    """

    units: tuple[UnitId, ...]
    chooser: Seat | None
    cause: Seat | None
    going: tuple[UnitId, ...] = ()

    @step("JA-140")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q24: with 2 printed HPs or more; neutral civilians have none."""
        if not self.units:
            return Goto("JA-138")
        unit = unit_of(r.state, self.units[0])
        if unit.spot != "board":
            return NEXT
        if unit.owner is None or not may_stay(card_of(r.state, unit)):
            return Goto("JA-Q26")
        return ask(StayOffer(unit.owner, unit.id, self.cause))

    @step("JA-141")
    def stayed(self, r: Resolver[JoanState]) -> Flow:
        """Who stays is not pushed."""
        return Goto("JA-140", Pushing(self.units[1:], self.chooser, self.cause, self.going))

    @step("JA-Q26")
    def goes(self, r: Resolver[JoanState]) -> Flow:
        """Who does not stay moves once all have decided."""
        going = (*self.going, self.units[0])
        return Goto("JA-140", Pushing(self.units[1:], self.chooser, self.cause, going))

    @step("JA-138", "JA-139")
    def move(self, r: Resolver[JoanState]) -> Flow:
        """The next unit; where it can go nowhere it suffers a disrupt."""
        if not self.going:
            return DONE
        unit = unit_of(r.state, self.going[0])
        if unit.spot != "board":
            return NEXT
        areas = retreats(r.state, unit.id)
        if not areas:
            suffer(r, unit.id, disrupt(card_of(r.state, unit), unit.wounds), self.cause, "JA-139")
            return NEXT
        chooser = unit.owner if self.chooser is None else self.chooser
        if len(areas) == 1 or chooser is None:
            push(r, unit.id, areas[0])
            return NEXT
        return ask(PushDestination(chooser, unit.id))

    @step("JA-Q25")
    def moved(self, r: Resolver[JoanState]) -> Flow:
        """The next one."""
        return Goto("JA-138", Pushing((), self.chooser, self.cause, self.going[1:]))
