"""Stakes (JA-334, JA-Q70): bowmen that wait may put a piece of the reserve on an edge of their area."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import across, border
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.state.events import StakesPlaced
from domain.joan_of_arc.state.queries import border_name, card_of, side_of, table_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class PlantStakes(Declared, frozen=True):
    """Wait, and put stakes on this edge."""

    edge: str

    def plan(self, unit: UnitId) -> Plan:
        """It counts as waiting."""
        return Plan(unit, "stakes", aim=self.edge)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-D52: the edges of its area that are edges of the hex, between two hexes, without stakes or wall."""
    if unit.owner is None or "bowmen" not in card_of(state, unit).traits:
        return
    planned = [plan.aim for plan in now.plans if plan.action == "stakes" and plan.unit not in now.done]
    if state.boards[unit.owner].stakes > len(planned):
        yield from (PlantStakes(edge) for edge in bare_edges(state, unit) if edge not in planned)


def bare_edges(state: JoanState, unit: Unit) -> Iterator[str]:
    """The edges of a unit's ground area on which stakes may be put."""
    board = table_of(state).board
    here = board.areas[unit.area]
    for edge in here.edges if here.level == "ground" else ():
        name = border_name(border(here.hex, edge))
        if across(here.hex, edge) in board.hexes["ground"] and name not in state.field.edges:
            yield name


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-Q70: the piece stands there; the unit has waited."""
    (plan,) = plans
    unit = unit_of(r.state, plan.unit)
    assert unit.owner is not None, "who was activated is somebody's"
    if plan.aim in bare_edges(r.state, unit) and r.state.boards[unit.owner].stakes:
        r.emit(StakesPlaced(unit.owner, side_of(r.state, unit.owner) or "", plan.aim))
    wait(r, plan.unit, "JA-Q70")
    return None
