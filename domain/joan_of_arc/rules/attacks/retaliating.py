"""Retaliation, by the skill (JA-143 to JA-147) or from a hill (JA-298): defence dice that strike back in melee."""

from domain.joan_of_arc.board.table import high
from domain.joan_of_arc.cards.dice import HARMFUL, Face
from domain.joan_of_arc.rules.attacks.allocating import Allocating, room_of
from domain.joan_of_arc.rules.attacks.applying import pushed
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, defending_seat, defending_seats, is_of
from domain.joan_of_arc.rules.pushing import pushing
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.queries import card_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    Next,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)


class StrikeBack(Choice, frozen=True):
    """Strike back with this result of the defence roll, from the high ground."""

    face: Face


class HoldGround(Choice, frozen=True):
    """No die strikes back from the high ground."""


class HillOffer(Decision, frozen=True):
    """JA-D27 Which die retaliates from a hill or rocks (JA-298)."""

    rule = "JA-298"

    dice: tuple[RolledDie, ...]
    asked: int = 0

    def form(self, state: JoanState) -> One:
        """JA-Q67: one kill, disrupt or push of the final roll, or none; JA-Q08: of the player's own dice."""
        return only((*(StrikeBack(face) for face in hill_faces(state, self.by)), HoldGround()))

    def resolve(self, r: Resolver[JoanState], choice: StrikeBack | HoldGround) -> Flow:
        """It is handled as retaliation; without it the next defending player is asked."""
        if isinstance(choice, HoldGround):
            return Goto("JA-298", Retaliating(self.dice, self.asked + 1))
        found = next(die for die in _others(r.state, self.by) if die.face is choice.face)
        return Goto("JA-143", Retaliating(in_order((*self.dice, found))))


class ReturnThese(Choice, frozen=True):
    """The results of these numbers strike back."""

    results: tuple[str, ...]


class ReturnedResults(Decision, frozen=True):
    """JA-D57 The results of units with Retaliation that strike back (JA-Q27)."""

    rule = "JA-143"

    dice: tuple[RolledDie, ...] = ()
    asked: int = 0

    def form(self, state: JoanState) -> Pick:
        """Any of the player's own results, by their numbers among the kills, disrupts and pushes in this order."""
        names = tuple(str(at) for at in range(len(retaliation(state, self.by))))
        return Pick(ReturnThese, names, 0, len(names))

    def default(self, state: JoanState) -> Choice:
        """All of them."""
        return ReturnThese(self.form(state).items)

    def resolve(self, r: Resolver[JoanState], choice: ReturnThese) -> Flow:
        """The other results do nothing."""
        dice = retaliation(r.state, self.by)
        used = in_order((*self.dice, *(dice[int(at)] for at in choice.results)))
        return Goto("JA-Q27", Retaliating(used, self.asked + 1))


def retaliation(state: JoanState, seat: Seat) -> tuple[RolledDie, ...]:
    """JA-143, JA-144, JA-145, JA-283: the kills, disrupts and pushes of a player's units with Retaliation, in melee
    alone; including those of a unit that the attack removes.
    """
    if attack_of(state).kind != "melee":
        return ()
    dice = attack_of(state).defence_dice
    return in_order(tuple(die for die in dice if _retaliates(state, die) and is_of(state, die, seat)))


def in_order(dice: tuple[RolledDie, ...]) -> tuple[RolledDie, ...]:
    """JA-Q27: kills, disrupts, pushes; shields and blanks strike nobody."""
    return tuple(die for face in HARMFUL for die in dice if die.face is face)


def _retaliates(state: JoanState, die: RolledDie) -> bool:
    return bool(die.unit) and card_of(state, unit_of(state, die.unit)).skills.retaliation


def _others(state: JoanState, seat: Seat) -> tuple[RolledDie, ...]:
    dice = attack_of(state).defence_dice
    return in_order(tuple(die for die in dice if not _retaliates(state, die) and is_of(state, die, seat)))


def hill_faces(state: JoanState, seat: Seat) -> tuple[Face, ...]:
    """JA-298, JA-Q67: the results of a player's defence die that may strike back from hill or rocks, in melee."""
    attack = attack_of(state)
    giant = any(card_of(state, unit_of(state, unit)).gigantic for unit in defenders(state))
    if attack.kind != "melee" or giant or not high(table_of(state), attack.target):
        return ()
    return tuple(dict.fromkeys(die.face for die in _others(state, seat)))


class Retaliating(Procedure, frozen=True):
    """JA-143: the results that strike back, given to attackers by the attacking player (JA-Q27). `dice`: those that the
    defenders use; `asked`: the number of defending players asked so far.
    """

    dice: tuple[RolledDie, ...] = ()
    asked: int = 0

    @step("JA-Q27")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """JA-D57: the defenders say which of their results are used."""
        for at, seat in enumerate(defending_seats(r.state)):
            if at >= self.asked and retaliation(r.state, seat):
                return ask(ReturnedResults(seat, self.dice, at))
        return Next(Retaliating(self.dice))

    @step("JA-298")
    def hill(self, r: Resolver[JoanState]) -> Flow:
        """One die of one defender, or none (JA-Q67)."""
        for at, seat in enumerate(defending_seats(r.state)):
            if at >= self.asked and hill_faces(r.state, seat):
                return ask(HillOffer(seat, self.dice, at))
        return NEXT

    @step("JA-143", "JA-144", "JA-146", "JA-147")
    def allocate(self, r: Resolver[JoanState]) -> Flow:
        """JA-146: no shield of the attack roll cancels them."""
        units = tuple(unit for unit, _ in attack_of(r.state).starts)
        return Call(Allocating("retaliation", self.dice, room_of(r.state, units))) if self.dice else DONE

    @step("JA-145")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """All are given."""
        return DONE


PushBack = tuple[Seat, tuple[UnitId, ...]]
"""Attackers that a defending player's results push."""


def pushes_back(state: JoanState) -> tuple[PushBack, ...]:
    """JA-Q27, JA-Q08: the units that retaliation pushes, by the owner of the die; the first defender has common
    dice.
    """
    found: dict[Seat, list[UnitId]] = {}
    for each in attack_of(state).returned:
        seat = unit_of(state, each.source).owner if each.source else defending_seat(state)
        if seat is not None:
            found.setdefault(seat, []).extend(pushed((each,)))
    return tuple((seat, tuple(units)) for seat, units in found.items() if units)


class PushingBack(Procedure, frozen=True):
    """JA-Q22: pushes on attackers; the defender whose result it is names the destination (JA-Q27)."""

    groups: tuple[PushBack, ...]

    @step("JA-Q27")
    def push(self, r: Resolver[JoanState]) -> Flow:
        """Push the units that are still on the board."""
        if not self.groups:
            return DONE
        seat, units = self.groups[0]
        there = tuple(unit for unit in units if unit_of(r.state, unit).spot == "board")
        return Call(pushing(there, seat, seat), PushingBack(self.groups[1:]))

    @step("JA-Q22")
    def next_group(self, r: Resolver[JoanState]) -> Flow:
        """The pushes of the next player."""
        return Goto("JA-Q27")
