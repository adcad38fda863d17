"""Section T: Maneuver orders, and Charge, which follows from them."""

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, Next, One, Procedure, Resolver, Seat, ask, step
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.rules.orders import (
    appearance,
    discard_order,
    effective_order,
    examine_order,
    show_ability,
)
from domain.vera_discordia.state.events import (
    CaptureLost,
    ManeuverPassed,
    TerrainCaptured,
    UnitCharged,
    UnitMoved,
    UnitsSwapped,
)
from domain.vera_discordia.state.queries import ADJACENT, army, column_of, flies, flight, has, in_vanguard, openings
from domain.vera_discordia.state.state import VANGUARD, Space, Unit, UnitId, VeraState


class DoNothing(Choice, frozen=True):
    """Spend the Maneuver without moving."""


class Move(Choice, frozen=True):
    """Go to this empty space of the player's own field."""

    to: Space


class Castle(Choice, frozen=True):
    """Exchange spaces with this Unit of the same player; `mobility`: by that Unit's Mobility, without an order for
    it.
    """

    unit: UnitId
    mobility: bool = False


class Capture(Choice, frozen=True):
    """Capture the Terrain of the column."""


def destinations(state: VeraState, unit: Unit) -> list[Space]:
    """VD-164: adjacent empty spaces of the player's own field; VD-165: any with Flying or Gliding (VD-086)."""
    empty = openings(state, unit.seat)
    return empty if flies(state, unit) else [space for space in empty if space in ADJACENT[unit.space]]


def castling_partners(state: VeraState, unit: Unit) -> list[Unit]:
    """VD-166: adjacent Units of one player; VD-167: over any distance when both fly or glide (VD-Q61)."""
    airborne = flies(state, unit)
    return [
        other
        for other in army(state, unit.seat)
        if other.id != unit.id and (other.space in ADJACENT[unit.space] or (airborne and flies(state, other)))
    ]


class ManeuverChoice(Decision, frozen=True):
    """VD-162 One of: do nothing, Movement, Castling, Capture."""

    rule = "VD-162"

    unit: UnitId
    rage: bool
    rear: bool

    def form(self, state: VeraState) -> One:
        """VD-163 to VD-175; with Rage only a Movement or Castling into the Vanguard (VD-350)."""
        unit = state.units[self.unit]
        allowed = VANGUARD if self.rage else tuple(ADJACENT)
        options: list[Choice] = [] if self.rage else [DoNothing()]
        options += [Move(space) for space in destinations(state, unit) if space in allowed]
        for other in castling_partners(state, unit):
            if other.space in allowed:
                options.append(Castle(other.id))
                if has(state, other, Ability.MOBILITY):  # VD-Q28
                    options.append(Castle(other.id, mobility=True))
        if in_vanguard(unit) and not self.rage:  # VD-175
            options.append(Capture())
        return One(tuple(options))

    def resolve(self, r: Resolver[VeraState], choice: DoNothing | Move | Castle | Capture) -> Flow:
        """A Castling without Mobility still depends on the passive Unit's order."""
        match choice:
            case DoNothing():
                r.emit(ManeuverPassed(self.unit))
            case Move(to):
                move(r, self.unit, to)
            case Castle(other, mobility):
                return castle(r, self, other, mobility=mobility)
            case Capture():
                capture(r, self.unit)
        return NEXT


def move(r: Resolver[VeraState], unit_id: UnitId, to: Space) -> None:
    """VD-164, VD-165; a Closed Unit that had to fly names it (VD-387)."""
    unit = r.state.units[unit_id]
    adjacent = to in ADJACENT[unit.space]
    if not adjacent:
        show_ability(r, unit_id, flight(r.state, unit))
    r.emit(UnitMoved(unit_id, to, "VD-164" if adjacent else "VD-165"))


def castle(r: Resolver[VeraState], asked: ManeuverChoice, other: UnitId, *, mobility: bool) -> Flow:
    """VD-166 to VD-174: by Mobility at once, otherwise the passive Unit's order is examined."""
    active, passive = r.state.units[asked.unit], r.state.units[other]
    if passive.space not in ADJACENT[active.space]:
        show_ability(r, active.id, flight(r.state, active))
        show_ability(r, passive.id, flight(r.state, passive))
    if not mobility:
        return Call(Castling(active.id, passive.id))
    show_ability(r, passive.id, Ability.MOBILITY)  # VD-173, VD-343
    swap(r, active.id, passive.id)
    return Next(become=Maneuver(asked.unit, asked.rage, asked.rear, mobility=True))


def swap(r: Resolver[VeraState], active: UnitId, passive: UnitId) -> None:
    """VD-171; the passive Unit leaves its space and with it its Capture (VD-Q29)."""
    if r.state.units[passive].capture:
        r.emit(CaptureLost(passive, "VD-Q29"))
    r.emit(UnitsSwapped(active, passive, "VD-166"))


def capture(r: Resolver[VeraState], unit_id: UnitId) -> None:
    """VD-176, VD-177; VD-178, VD-180: an enemy who holds the Terrain is only expelled."""
    unit = r.state.units[unit_id]
    column = column_of(unit.space)
    for enemy in army(r.state, foe(unit.seat)):
        if enemy.capture and column_of(enemy.space) == column:
            r.emit(CaptureLost(enemy.id, "VD-180"))
            return
    r.emit(TerrainCaptured(unit_id, column))


class Castling(Procedure, frozen=True):
    """A Castling that needs the passive Unit's Maneuver order."""

    active: UnitId
    passive: UnitId

    @step("VD-170")
    def examination(self, r: Resolver[VeraState]) -> Flow:
        """Both see the passive Unit's order; a Tactic that appears is declared."""
        examine_order(r, self.passive, "VD-170")
        return appearance(r.state, self.passive)

    @step("VD-171", "VD-169", "VD-172")
    def outcome(self, r: Resolver[VeraState]) -> Flow:
        """With a Maneuver two cards are spent; otherwise the Castling fails (VD-Q27)."""
        if effective_order(r.state, self.passive) is OrderType.MANEUVER:
            discard_order(r, self.passive, "VD-171")
            swap(r, self.active, self.passive)
        else:
            r.emit(ManeuverPassed(self.active, failed=True))
        return NEXT


class Maneuver(Procedure, frozen=True):
    """T. A Maneuver order, already discarded. `rear`: the Unit began it in the Rearguard; `mobility`: VD-322."""

    unit: UnitId
    rage: bool
    rear: bool
    mobility: bool = False

    @step("VD-182")
    def release(self, r: Resolver[VeraState]) -> Flow:
        """Any Maneuver of the holder loses its Capture, even a new Capture (VD-Q29)."""
        if r.state.units[self.unit].capture:
            r.emit(CaptureLost(self.unit, "VD-182"))
        return NEXT

    @step("VD-162", "VD-163")
    def choice(self, r: Resolver[VeraState]) -> Flow:
        """The player chooses."""
        return ask(ManeuverChoice(r.state.units[self.unit].seat, self.unit, self.rage, self.rear))

    @step("VD-319", "VD-322")
    def charge(self, r: Resolver[VeraState]) -> Flow:
        """The Unit's own Maneuver, without Mobility, took it from the Rearguard to the Vanguard (VD-Q26)."""
        unit = r.state.units[self.unit]
        if self.rear and not self.mobility and in_vanguard(unit) and has(r.state, unit, Ability.CHARGE):
            charge(r, unit.seat, self.unit)
        return DONE


def charge(r: Resolver[VeraState], seat: Seat, unit_id: UnitId) -> None:
    """VD-320, VD-321, VD-385: the topmost true Attack of the pile, or a marker when there is none."""
    show_ability(r, unit_id, Ability.CHARGE)
    pile = known(r.state.sides[seat].pile)
    if OrderType.ATTACK not in pile:
        r.emit(UnitCharged(unit_id, seat, virtual=True))
        return
    at = len(pile) - 1 - pile[::-1].index(OrderType.ATTACK)
    left = pile[:at] + pile[at + 1 :]
    r.emit(UnitCharged(unit_id, seat, pile=left, top=left[-1] if left else None))
