"""Running the operations of a card one after the other.

A module of this package carries out some operations: its `OPERATIONS` has a function for each. The function carries out
the operation and returns None, or returns the procedure that asks a player first.
"""

from typing import Final

from msgspec.structs import replace

from domain.joan_of_arc.cards.dice import face
from domain.joan_of_arc.cards.hooks import DieTest, Effect, Operation
from domain.joan_of_arc.rules.effects import banners, battle, characters, infirmary, means, mustering, shifting, tokens
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.rules.player_actions.rerolling import KeepDie, RerollDie, RerollOffer, again, last_die
from domain.joan_of_arc.state.events import EffectSkipped, LegendResolved
from domain.joan_of_arc.state.queries import card_of, unit_of
from domain.joan_of_arc.state.state import NO_UNIT, JoanState, UnitId
from domain.kernel import DONE, NEXT, Call, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step

OPERATIONS: Final[Operations] = {
    **means.OPERATIONS,
    **banners.OPERATIONS,
    **battle.OPERATIONS,
    **characters.OPERATIONS,
    **infirmary.OPERATIONS,
    **mustering.OPERATIONS,
    **shifting.OPERATIONS,
    **tokens.OPERATIONS,
}


class Effects(Procedure, frozen=True):
    """Operations for a player, one after the other. `unit`: the speaker, wearer or commander concerned; `legend`: the
    legend card that they belong to.
    """

    seat: Seat
    operations: tuple[Operation, ...]
    unit: UnitId = NO_UNIT
    legend: str = ""

    @step("JA-160")
    def operation(self, r: Resolver[JoanState]) -> Flow:
        """Each in turn, up to one that asks a player."""
        context = Context(self.seat, self.unit)
        for at, operation in enumerate(self.operations, 1):
            asks = carry_out(r, context, operation)
            if asks is not None:
                return Call(asks, replace(self, operations=self.operations[at:]))
        return Goto("JA-190")

    @step("JA-161")
    def rest(self, r: Resolver[JoanState]) -> Flow:
        """The operation that asked is over; the remaining operations follow."""
        return Goto("JA-160") if self.operations else NEXT

    @step("JA-190")
    def resolved(self, r: Resolver[JoanState]) -> Flow:
        """A legend card that is resolved goes face up on the discards."""
        if self.legend:
            r.emit(LegendResolved(self.seat, self.legend))
        return DONE


class Testing(Procedure, frozen=True):
    """JA-160: a die is rolled, and the effects printed beside its face are carried out. `unit`: the speaker."""

    seat: Seat
    test: DieTest
    unit: UnitId = NO_UNIT

    @step("JA-160")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q77: the reroll token may be used on it."""
        about = (self.unit,) if self.unit else ()
        r.roll(1, "JA-160", "Test", seat=self.seat, about=about, kinds=(self.test.die,))
        return ask(RerollOffer(self.seat)) if r.state.boards[self.seat].reroll else NEXT

    @step("JA-264")
    def charisma(self, r: Resolver[JoanState]) -> Flow:
        """A speaker with Charisma may roll the die again, once."""
        charming = self.unit and card_of(r.state, unit_of(r.state, self.unit)).skills.charisma
        return ask(CharismaReroll(self.seat)) if charming else Goto("JA-161")

    @step("JA-Q77")
    def token(self, r: Resolver[JoanState]) -> Flow:
        """After Charisma the token may still be used, if it was kept."""
        return ask(RerollOffer(self.seat)) if r.state.boards[self.seat].reroll else NEXT

    @step("JA-161")
    def apply(self, r: Resolver[JoanState]) -> Flow:
        """The effects printed beside the face, if any."""
        shown = face(self.test.die, last_die(r.state))
        effects = self.test.on.get(shown, ())
        return Call(Effects(self.seat, effects, self.unit)) if effects else DONE

    @step("JA-162")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The rest of the answer follows."""
        return DONE


class CharismaReroll(Decision, frozen=True):
    """JA-D44 Whether Charisma rolls the die of an answer again."""

    rule = "JA-264"

    def form(self, state: JoanState) -> One:
        """Yes or no."""
        return only((KeepDie(), RerollDie()))

    def resolve(self, r: Resolver[JoanState], choice: KeepDie | RerollDie) -> Flow:
        """The second result stands before anything else is used on it (JA-Q77)."""
        if isinstance(choice, KeepDie):
            return Goto("JA-161")
        again(r)
        return NEXT


def carry_out(r: Resolver[JoanState], context: Context, operation: Effect) -> Procedure | None:
    """One operation; an operation that is not implemented is skipped, and an event says so."""
    if isinstance(operation, DieTest):
        return Testing(context.seat, operation, context.unit)
    found = OPERATIONS.get(type(operation))
    if found is None:
        r.emit(EffectSkipped(context.seat, str(operation.__struct_config__.tag), "ledger 6.13"))
        return None
    return found(r, context, operation)
