"""Retaliation (JA-143 to JA-147) and the hill's (JA-298): defence dice that strike back at attackers in melee."""

from domain.joan_of_arc.attack_state import RolledDie
from domain.joan_of_arc.dice import HARMFUL, Face
from domain.joan_of_arc.queries import card_of, table_of, unit_of
from domain.joan_of_arc.rules.attacks.allocating import Allocating, room_of
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, defending_seat
from domain.joan_of_arc.state import JoanState
from domain.joan_of_arc.table import high
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, Next, One, Procedure, Resolver, ask, only, step


class StrikeBack(Choice, frozen=True):
    """This result of the defence roll strikes back, from the high ground."""

    face: Face


class HoldGround(Choice, frozen=True):
    """No die strikes back from the high ground."""


class HillOffer(Decision, frozen=True):
    """JA-D27 Which die retaliates from a hill or rocks (JA-298)."""

    rule = "JA-298"

    def form(self, state: JoanState) -> One:
        """JA-Q67: one kill, disrupt or push of the final roll, or none."""
        return only((*(StrikeBack(face) for face in hill_faces(state)), HoldGround()))

    def resolve(self, r: Resolver[JoanState], choice: StrikeBack | HoldGround) -> Flow:
        """It is handled as retaliation."""
        dice = retaliation(r.state)
        if isinstance(choice, StrikeBack):
            dice = in_order((*dice, next(die for die in _others(r.state) if die.face is choice.face)))
        return Goto("JA-143", Retaliating(dice))


def retaliation(state: JoanState) -> tuple[RolledDie, ...]:
    """JA-143, JA-144, JA-145, JA-283: the kills, disrupts and pushes of units with Retaliation, in melee alone; JA-D57:
    all of them; also of a unit that the attack removes.
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

    @step("JA-298")
    def hill(self, r: Resolver[JoanState]) -> Flow:
        """The defender picks one die, or none."""
        seat = defending_seat(r.state)
        if hill_faces(r.state) and seat is not None:
            return ask(HillOffer(seat))
        return Next(Retaliating(retaliation(r.state)))

    @step("JA-143", "JA-144", "JA-145", "JA-146", "JA-147")
    def allocate(self, r: Resolver[JoanState]) -> Flow:
        """JA-146: no shield of the attack roll cancels them."""
        units = tuple(unit for unit, _ in attack_of(r.state).starts)
        return Call(Allocating("retaliation", self.dice, room_of(r.state, units))) if self.dice else DONE

    @step("JA-Q27")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """All are given."""
        return DONE
