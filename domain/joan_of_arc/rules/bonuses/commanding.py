"""The command bonus action (section M)."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId, distance
from domain.joan_of_arc.board.table import adjacent
from domain.joan_of_arc.cards.units import CommandValue
from domain.joan_of_arc.rules.bonuses.moment import able
from domain.joan_of_arc.state.events import BonusTaken, UnitMarked, UnitsActivated
from domain.joan_of_arc.state.queries import acting, area_of, card_of, table_of, unit_of, units_of
from domain.joan_of_arc.state.state import Activation, JoanState, Unit, UnitId
from domain.kernel import NEXT, Choice, Decision, Flow, Pick, Resolver


class Command(Choice, frozen=True):
    """Let this character command."""

    unit: UnitId


def offers(state: JoanState, now: Activation) -> Iterator[Command]:
    """JA-060, JA-164: for a unit with a command value, activated by a command order; JA-169: not by a command."""
    if now.order != "command" or now.commander:
        return
    for unit in able(state, now, "command"):
        if card_of(state, unit).command is not None and subjects(state, now, unit):
            yield Command(unit.id)


def subjects(state: JoanState, now: Activation, commander: Unit) -> tuple[UnitId, ...]:
    """JA-165, JA-Q34: the player's own troops, and characters with Mercenary that were not hired this turn (JA-278), in
    range.

    JA-171, JA-174: none that was commanded since the order was played; JA-172, JA-173: none where the commander began
    or is.
    """
    value = card_of(state, commander).command
    assert value is not None, "a commander has a command value"
    done = set(state.activations[0].commanded)
    found = (
        unit
        for unit in units_of(state, now.by)
        if unit.id != commander.id and unit.id not in done and not unit.carrier and _obeys(state, unit)
    )
    barred = {now.area, commander.area}
    near = {area for area in {unit.area for unit in units_of(state, now.by)} if in_range(state, commander, area, value)}
    return tuple(sorted(unit.id for unit in found if unit.area in near - barred))


def _obeys(state: JoanState, unit: Unit) -> bool:
    card = card_of(state, unit)
    if card.gigantic:
        return False
    return card.kind == "troop" or (card.kind == "character" and card.skills.mercenary and "hired" not in unit.marks)


def in_range(state: JoanState, commander: Unit, area: AreaId, value: CommandValue) -> bool:
    """JA-166: an adjacent area; JA-167, JA-Q35: within this many hexes; JA-360: from the sky the whole ground."""
    if value.range == "A":
        return area in adjacent(table_of(state), commander.area)
    here, there = area_of(state, commander.area), area_of(state, area)
    if here.level == "sky" and there.level == "ground":
        return True
    same = (here.level == "sky") == (there.level == "sky")
    return same and distance(here.hex, there.hex) <= value.range


class CommandThese(Choice, frozen=True):
    """Activate these units."""

    units: tuple[str, ...]


class CommandTargets(Decision, frozen=True):
    """JA-D12 The units that a commander activates."""

    rule = "JA-168"

    commander: UnitId

    def form(self, state: JoanState) -> Pick:
        """JA-168: up to the units value; JA-Q35: in any areas in range."""
        commander = unit_of(state, self.commander)
        units = subjects(state, acting(state), commander)
        value = card_of(state, commander).command
        assert value is not None, "a commander has a command value"
        return Pick(CommandThese, units, 1, min(value.units, len(units)))

    def resolve(self, r: Resolver[JoanState], choice: CommandThese) -> Flow:
        """JA-169, JA-170: they act as by a command order, without an order on the board (JA-Q36)."""
        units = tuple(UnitId(unit) for unit in choice.units)
        r.emit(BonusTaken(self.commander, "command"))
        for unit in units:
            if card_of(r.state, unit_of(r.state, unit)).kind == "character":
                r.emit(UnitMarked(unit, "hired"))
        area = unit_of(r.state, self.commander).area
        r.emit(UnitsActivated(self.by, "command", area, units, self.commander))
        return NEXT
