"""Operations that move units without an action (ledger 6.13)."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import JumpUnit, MoveUnits
from domain.joan_of_arc.rules.actions.jumping import landings
from domain.joan_of_arc.rules.actions.ways import ways
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state.queries import card_of, setting_of, standing, table_of, units_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import DONE, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class MoveUnit(Choice, frozen=True):
    """Move this unit along this path."""

    unit: UnitId
    path: tuple[AreaId, ...]


class MoveNobody(Choice, frozen=True):
    """Move no further unit."""


class EffectMove(Decision, frozen=True):
    """JA-D02 The unit that a card moves, and its path. `moved`: the units moved already."""

    rule = "ledger 6.13"

    effect: MoveUnits
    moved: tuple[UnitId, ...]

    def form(self, state: JoanState) -> One:
        """A unit of the player's and of the kind, by the rules of movement; or none."""
        return only((MoveNobody(), *self._moves(state)))

    def _moves(self, state: JoanState) -> Iterator[MoveUnit]:
        side = setting_of(state).sides[self.by]
        for unit in units_of(state, self.by):
            card = card_of(state, unit)
            fits = self.effect.select in {"unit", card.kind} and unit.id not in self.moved and not unit.carrier
            if fits and not card.gigantic and not _carries(state, unit):
                most = 1 if "war_machine" in card.traits else self.effect.max_areas  # JA-386
                for way in ways(table_of(state), unit.area, standing(state, (unit.id,)), side, most):
                    yield MoveUnit(unit.id, way)

    def resolve(self, r: Resolver[JoanState], choice: MoveUnit | MoveNobody) -> Flow:
        """It moves at once."""
        if isinstance(choice, MoveNobody):
            return DONE
        shift(r, (choice.unit,), choice.path, "effect")
        return Goto("JA-Q28", MovingUnits(self.by, self.effect, (*self.moved, choice.unit)))


def _carries(state: JoanState, unit: Unit) -> bool:
    return any(other.carrier == unit.id for other in state.field.units.values())


class MovingUnits(Procedure, frozen=True):
    """Units move without an action, one by one."""

    seat: Seat
    effect: MoveUnits
    moved: tuple[UnitId, ...] = ()

    @step("JA-Q28")
    def move(self, r: Resolver[JoanState]) -> Flow:
        """Up to the number on the card."""
        return ask(EffectMove(self.seat, self.effect, self.moved)) if len(self.moved) < self.effect.max_units else DONE


class JumpTo(Choice, frozen=True):
    """This unit jumps into this area."""

    unit: UnitId
    area: AreaId


class EffectJump(Decision, frozen=True):
    """JA-D02 The unit that a card lets jump, and its landing."""

    rule = "ledger 6.13"

    effect: JumpUnit

    def form(self, state: JoanState) -> One:
        """A unit of the player's and of the kind, as by the skill (JA-201); or none."""
        found = (unit for unit in units_of(state, self.by) if may_jump(state, unit, self.effect))
        jumps = (JumpTo(unit.id, area) for unit in found for area in landings(state, unit, self.effect.areas))
        return only((MoveNobody(), *jumps))

    def resolve(self, r: Resolver[JoanState], choice: JumpTo | MoveNobody) -> Flow:
        """The unit lands there."""
        if isinstance(choice, JumpTo):
            shift(r, (choice.unit,), (choice.area,), "jump")
        return DONE


def may_jump(state: JoanState, unit: Unit, effect: JumpUnit) -> bool:
    """Ledger 6.13: never gigantic creatures or war machines (JA-386); JA-Q55: nor carried units."""
    card = card_of(state, unit)
    kind, _, narrower = effect.select.partition("_")
    if card.gigantic or "war_machine" in card.traits or unit.carrier or _carries(state, unit):
        return False
    return card.kind == kind and not (narrower == "not_big" and card.skills.big)


class Jumping(Procedure, frozen=True):
    """One unit jumps."""

    seat: Seat
    effect: JumpUnit

    @step("JA-201")
    def jump(self, r: Resolver[JoanState]) -> Flow:
        """The player names it and the landing."""
        return ask(EffectJump(self.seat, self.effect))


def move_units(r: Resolver[JoanState], context: Context, effect: MoveUnits) -> Procedure:
    """The player is asked for each unit."""
    return MovingUnits(context.seat, effect)


def jump_unit(r: Resolver[JoanState], context: Context, effect: JumpUnit) -> Procedure:
    """The player is asked."""
    return Jumping(context.seat, effect)


OPERATIONS: Final[Operations] = {MoveUnits: move_units, JumpUnit: jump_unit}
