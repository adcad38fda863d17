"""Running the operations of a card one after the other.

A module of this package carries out some operations: a function for each in its `OPERATIONS`, which does it at once and
gives None, or gives the procedure that asks and does it.
"""

from typing import Final

from domain.joan_of_arc.events import EffectSkipped
from domain.joan_of_arc.hooks import Effect, Operation
from domain.joan_of_arc.rules.effects import means, rallying
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.state import NO_UNIT, JoanState, UnitId
from domain.kernel import DONE, Call, Flow, Goto, Procedure, Resolver, Seat, step

OPERATIONS: Final[Operations] = {**means.OPERATIONS, **rallying.OPERATIONS}


class Effects(Procedure, frozen=True):
    """Operations for a player, one after the other. `unit`: the speaker, wearer or commander concerned."""

    seat: Seat
    operations: tuple[Operation, ...]
    unit: UnitId = NO_UNIT

    @step("JA-160")
    def operation(self, r: Resolver[JoanState]) -> Flow:
        """Each in turn, up to one that asks somebody."""
        context = Context(self.seat, self.unit)
        for at, operation in enumerate(self.operations, 1):
            asks = carry_out(r, context, operation)
            if asks is not None:
                return Call(asks, Effects(self.seat, self.operations[at:], self.unit))
        return DONE

    @step("JA-161")
    def rest(self, r: Resolver[JoanState]) -> Flow:
        """What asked is over; the rest follows."""
        return Goto("JA-160") if self.operations else DONE


def carry_out(r: Resolver[JoanState], context: Context, operation: Effect) -> Procedure | None:
    """One operation; one that nothing carries out yet is skipped and said to be."""
    found = OPERATIONS.get(type(operation))
    if found is None:
        r.emit(EffectSkipped(context.seat, str(operation.__struct_config__.tag), "ledger 6.13"))
        return None
    return found(r, context, operation)
