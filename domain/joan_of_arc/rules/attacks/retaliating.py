"""Retaliation (JA-143 to JA-147) and the hill's (JA-298): defence dice that strike back at attackers in melee."""

from domain.joan_of_arc.attack_state import RolledDie
from domain.joan_of_arc.dice import HARMFUL, Face
from domain.joan_of_arc.queries import card_of, table_of, unit_of
from domain.joan_of_arc.rules.attacks.allocating import Allocating, room_of
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, defending_seat
from domain.joan_of_arc.state import JoanState
from domain.joan_of_arc.table import high
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    ask,
    only,
    step,
)


class StrikeBack(Choice, frozen=True):
    """This result of the defence roll strikes back, from the high ground."""

    face: Face


class HoldGround(Choice, frozen=True):
    """No die strikes back from the high ground."""


class HillOffer(Decision, frozen=True):
    """JA-D27 Which die retaliates from a hill or rocks (JA-298)."""

    rule = "JA-298"

    dice: tuple[RolledDie, ...]

    def form(self, state: JoanState) -> One:
        """JA-Q67: one kill, disrupt or push of the final roll, or none."""
        return only((*(StrikeBack(face) for face in hill_faces(state)), HoldGround()))

    def resolve(self, r: Resolver[JoanState], choice: StrikeBack | HoldGround) -> Flow:
        """It is handled as retaliation."""
        dice = self.dice
        if isinstance(choice, StrikeBack):
            dice = in_order((*dice, next(die for die in _others(r.state) if die.face is choice.face)))
        return Goto("JA-143", Retaliating(dice))


class ReturnThese(Choice, frozen=True):
    """The results of these numbers strike back."""

    results: tuple[str, ...]


class ReturnedResults(Decision, frozen=True):
    """JA-D57 Which results of units with Retaliation strike back (JA-Q27)."""

    rule = "JA-143"

    def form(self, state: JoanState) -> Pick:
        """Any of them, by their numbers among the kills, disrupts and pushes in this order."""
        names = tuple(str(at) for at in range(len(retaliation(state))))
        return Pick(ReturnThese, names, 0, len(names))

    def default(self, state: JoanState) -> Choice:
        """All of them."""
        return ReturnThese(self.form(state).items)

    def resolve(self, r: Resolver[JoanState], choice: ReturnThese) -> Flow:
        """The others do nothing."""
        dice = retaliation(r.state)
        return Goto("JA-298", Retaliating(tuple(dice[int(at)] for at in choice.results)))


def retaliation(state: JoanState) -> tuple[RolledDie, ...]:
    """JA-143, JA-144, JA-145, JA-283: the kills, disrupts and pushes of units with Retaliation, in melee alone; also of
    a unit that the attack removes.
    """
    if attack_of(state).kind != "melee":
        return ()
    return in_order(tuple(die for die in attack_of(state).defence_dice if _retaliates(state, die)))


def in_order(dice: tuple[RolledDie, ...]) -> tuple[RolledDie, ...]:
    """JA-Q27: kills, disrupts, pushes; shields and blanks strike nobody."""
    return tuple(die for face in HARMFUL for die in dice if die.face is face)


def _retaliates(state: JoanState, die: RolledDie) -> bool:
    return bool(die.unit) and card_of(state, unit_of(state, die.unit)).skills.retaliation


def _others(state: JoanState) -> tuple[RolledDie, ...]:
    return in_order(tuple(die for die in attack_of(state).defence_dice if not _retaliates(state, die)))


def hill_faces(state: JoanState) -> tuple[Face, ...]:
    """JA-298, JA-Q67: what a die of the defence may strike back with from hill or rocks, in melee."""
    attack = attack_of(state)
    giant = any(card_of(state, unit_of(state, unit)).gigantic for unit in defenders(state))
    if attack.kind != "melee" or giant or not high(table_of(state), attack.target):
        return ()
    return tuple(dict.fromkeys(die.face for die in _others(state)))


class Retaliating(Procedure, frozen=True):
    """JA-143: the results that strike back, given to attackers by the attacking player (JA-Q27)."""

    dice: tuple[RolledDie, ...] = ()

    @step("JA-Q27")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """JA-D57: the defender says which of the results are used."""
        seat = defending_seat(r.state)
        return ask(ReturnedResults(seat)) if seat is not None and retaliation(r.state) else NEXT

    @step("JA-298")
    def hill(self, r: Resolver[JoanState]) -> Flow:
        """The defender picks one die, or none."""
        seat = defending_seat(r.state)
        return ask(HillOffer(seat, self.dice)) if hill_faces(r.state) and seat is not None else NEXT

    @step("JA-143", "JA-144", "JA-146", "JA-147")
    def allocate(self, r: Resolver[JoanState]) -> Flow:
        """JA-146: no shield of the attack roll cancels them."""
        units = tuple(unit for unit, _ in attack_of(r.state).starts)
        return Call(Allocating("retaliation", self.dice, room_of(r.state, units))) if self.dice else DONE

    @step("JA-145")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """All are given."""
        return DONE
