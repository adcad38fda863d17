"""Section W: Supports."""

from domain.kernel import NEXT, Choice, Decision, Flow, Pick, Resolver, ask
from domain.vera_discordia.rules.orders import discard_order
from domain.vera_discordia.state.events import SupportsCommitted
from domain.vera_discordia.state.queries import supporters
from domain.vera_discordia.state.state import UnitId, VeraState


class Support(Choice, frozen=True):
    """These Units spend their Supports."""

    units: tuple[str, ...]


class SupportSelection(Decision, frozen=True):
    """VD-205 The owner chooses which eligible Supports are used (VD-206, VD-Q67)."""

    rule = "VD-205"

    unit: UnitId
    counter: bool

    def form(self, state: VeraState) -> Pick:
        """Any of the neighbours with a face-up Support (VD-159, VD-201), in the order they are discarded (VD-Q13)."""
        items = tuple(unit.id for unit in supporters(state, state.units[self.unit]))
        return Pick(Support, items, 0, len(items), ordered=True)

    def resolve(self, r: Resolver[VeraState], choice: Support) -> Flow:
        """VD-202: each is discarded; VD-053: its Unit stays as it was."""
        for unit in choice.units:
            discard_order(r, UnitId(unit), "VD-202")
        if choice.units:
            r.emit(SupportsCommitted(tuple(UnitId(unit) for unit in choice.units), self.counter))
        return NEXT


def offer_supports(state: VeraState, unit_id: UnitId, *, counter: bool) -> Flow:
    """Ask for Supports if there are any; face-up cards are public."""
    unit = state.units[unit_id]
    return ask(SupportSelection(unit.seat, unit_id, counter)) if supporters(state, unit) else NEXT
