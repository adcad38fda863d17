"""Shields and allocation (JA-125 to JA-131), targeting (JA-287), bodyguards (JA-253 to JA-255)."""

from collections.abc import Collection, Sequence
from typing import Final

from domain.joan_of_arc.cards.dice import HARMFUL, Colour, Face
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, defending_seat, is_of, starts_of, target_areas
from domain.joan_of_arc.rules.attacks.results import most_results, takers
from domain.joan_of_arc.rules.attacks.rolls import wall_shields
from domain.joan_of_arc.state.attack_events import ResultAllocated, ResultReassigned, ResultsCancelled, ResultsDiscarded
from domain.joan_of_arc.state.attack_state import Fighter, Given, Party, RolledDie
from domain.joan_of_arc.state.queries import card_of, setting_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import (
    DONE,
    NEXT,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)

GIANT: Final[Colour] = "gigantic"


def aimed(state: JoanState, die: RolledDie) -> bool:
    """JA-287: whether the attacker chooses the unit that takes the result of a die."""
    return bool(die.unit) and card_of(state, unit_of(state, die.unit)).skills.targeting


def ordered(state: JoanState, dice: Sequence[RolledDie]) -> tuple[RolledDie, ...]:
    """JA-123, JA-126, JA-Q62: the results of an attack roll in the order in which shields cancel them; within a type
    results of targeting dice come first, because they are the worst for the defender.
    """
    enemies = len(defenders(state))
    each = (copy for die in dice for copy in ((die,) if die.colour != GIANT else (die,) * enemies))  # JA-378, JA-Q51
    found = [die for die in each if die.face in HARMFUL]
    return tuple(sorted(found, key=lambda die: (HARMFUL.index(die.face), not aimed(state, die))))


class UseShields(Choice, frozen=True):
    """Cancel this many results."""

    number: int


class ShieldChoice(Decision, frozen=True):
    """JA-D23 The number of shields that are used (JA-Q20); kills go first, then disrupts, then pushes (JA-126)."""

    rule = "JA-125"

    most: int

    def form(self, state: JoanState) -> One:
        """All the shields, which is the default, or fewer."""
        return only(tuple(UseShields(number) for number in range(self.most, -1, -1)))

    def resolve(self, r: Resolver[JoanState], choice: UseShields) -> Flow:
        """The remaining results are allocated; if equal results differ in effect, the seat chooses among them."""
        if which_matters(r.state, choice.number):
            return ask(CancelledResults(self.by, choice.number))
        cancel(r, range(choice.number))
        return NEXT


class CancelThese(Choice, frozen=True):
    """Shields cancel the results of these numbers, counted in the order of allocation."""

    results: tuple[str, ...]


class CancelledResults(Decision, frozen=True):
    """JA-D23 The results of the last kind that the shields cancel (JA-Q20)."""

    rule = "JA-126"

    number: int

    def form(self, state: JoanState) -> Pick:
        """As many of the last kind as there are shields left."""
        due, kind = last_kind(state, self.number)
        names = tuple(str(at) for at in kind)
        return Pick(CancelThese, names, self.number - due, self.number - due)

    def resolve(self, r: Resolver[JoanState], choice: CancelThese) -> Flow:
        """All results of the earlier kinds are cancelled anyway."""
        due, _ = last_kind(r.state, self.number)
        cancel(r, (*range(due), *(int(at) for at in choice.results)))
        return NEXT


def last_kind(state: JoanState, number: int) -> tuple[int, tuple[int, ...]]:
    """How many results these shields cancel before the last kind they reach, and the places of that kind's results."""
    dice = standing_results(state)
    found = dice[number - 1].face
    places = tuple(at for at, die in enumerate(dice) if die.face is found)
    return places[0], places


def which_matters(state: JoanState, number: int) -> bool:
    """JA-126: whether only some of a kind are cancelled, and it matters which: results that the attacker aims
    (JA-287), that can be spent on a building (JA-388), or that break things (JA-381) are not as good as others.
    """
    if not number:
        return False
    dice = standing_results(state)
    _, places = last_kind(state, number)
    return places[-1] >= number and len({_worth(state, dice[at]) for at in places}) > 1


def _worth(state: JoanState, die: RolledDie) -> str:
    """The unit whose die it is, where results of the same kind differ by unit; otherwise empty."""
    special = die.colour == GIANT or aimed(state, die) or (die.unit and _batters(state, die.unit))
    return die.unit if special else ""


def _batters(state: JoanState, unit: str) -> bool:
    return "siege" in card_of(state, unit_of(state, unit)).powers


def shields(state: JoanState, seat: Seat) -> int:
    """JA-125, JA-147: a player's shields of the defence roll, also of retaliating units; JA-336: and of a wall."""
    own = sum(die.face is Face.SHIELD and is_of(state, die, seat) for die in attack_of(state).defence_dice)
    return own + (walls(state) if seat == defending_seat(state) else 0)


def walls(state: JoanState) -> int:
    """JA-336: the shield of a wall, if a unit attacks across it in melee and a unit defends."""
    attack = attack_of(state)
    if attack.kind != "melee" or not attack.defenders:
        return 0
    starts = starts_of(state)
    return max(wall_shields(table_of(state), area, starts) for area in target_areas(state))


def standing_results(state: JoanState) -> tuple[RolledDie, ...]:
    """The results that shields can still cancel; JA-123, JA-Q19: shields and blanks of the attack roll do nothing."""
    attack = attack_of(state)
    return attack.results if attack.shielded else ordered(state, attack.attack_dice)


def cancel(r: Resolver[JoanState], places: Collection[int]) -> None:
    """JA-125: one shield for each of the results at these places."""
    dice, wall = standing_results(r.state), 0 if attack_of(r.state).shielded else walls(r.state)
    left = tuple(die for at, die in enumerate(dice) if at not in places)
    r.emit(ResultsCancelled(len(places), wall, left))


class Cancelling(Procedure, frozen=True):
    """JA-125, JA-Q08: the defending players use their shields one after the other. `seats`: the seats not asked yet."""

    seats: tuple[Seat, ...]

    @step("JA-125")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """Seats that rolled no shield are not asked; no seat is asked once no result is left."""
        if not self.seats:
            return Goto("JA-123")
        most = min(shields(r.state, self.seats[0]), len(standing_results(r.state)))
        return ask(ShieldChoice(self.seats[0], most)) if most else NEXT

    @step("JA-126")
    def next_seat(self, r: Resolver[JoanState]) -> Flow:
        """The next seat."""
        return Goto("JA-125", Cancelling(self.seats[1:]))

    @step("JA-123")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The remaining results are allocated."""
        if not attack_of(r.state).shielded:
            cancel(r, ())
        return DONE


class Allocating(Procedure, frozen=True):
    """JA-127: the results left, one at a time: kills, then disrupts, then pushes. `at`: the number allocated so far.

    `room`: by unit, the number of results that it can take: its HPs when the allocation began (JA-Q21).
    """

    party: Party
    dice: tuple[RolledDie, ...]
    room: tuple[tuple[UnitId, int], ...]
    at: int = 0

    @step("JA-127", "JA-128", "JA-129", "JA-130")
    def allocate(self, r: Resolver[JoanState]) -> Flow:
        """JA-131: results that no unit can take are discarded; a single taker needs no choice."""
        if self.at >= len(self.dice):
            return DONE
        die = self.dice[self.at]
        chooser, units = takers_now(r.state, self.party, die, dict(self.room))
        if not units or chooser is None:
            r.emit(ResultsDiscarded(self.party, (die.face,)))
        elif len(units) > 1:
            return ask(ResultTaker(chooser, self.party, die, self.room))
        else:
            r.emit(ResultAllocated(self.party, Given(units[0], die.face, die.unit)))
        return NEXT

    @step("JA-131")
    def next_die(self, r: Resolver[JoanState]) -> Flow:
        """The next result."""
        return Goto("JA-127", Allocating(self.party, self.dice, self.room, self.at + 1))


def takers_now(
    state: JoanState, party: Party, die: RolledDie, room: dict[UnitId, int]
) -> tuple[Seat | None, tuple[UnitId, ...]]:
    """The seat that allocates the next result, and the units that can take it.

    JA-287, JA-Q27: the attacker for targeting dice and for all of retaliation. JA-127: otherwise a defending player,
    for that player's own units; JA-Q08: if there are several, the one whose units were given the fewest results so far;
    if these are equal, the first in turn order.
    """
    units = fitting(state, party, die, room)
    if party == "retaliation" or aimed(state, die):
        return attack_of(state).by, units
    owners = {unit: unit_of(state, unit).owner for unit in units}
    seats = [seat for seat in setting_of(state).order if seat in owners.values()]
    if not seats:
        return None, ()
    given = [unit_of(state, each.unit).owner for each in attack_of(state).given]
    seat = min(seats, key=given.count)
    return seat, tuple(unit for unit in units if owners[unit] == seat)


def fitting(state: JoanState, party: Party, die: RolledDie, room: dict[UnitId, int]) -> tuple[UnitId, ...]:
    """The units that may take the next result; JA-Q62: for an aimed one, any with room."""
    given: dict[str, tuple[Face, ...]] = {}
    attack = attack_of(state)
    for each in attack.given if party == "attack" else attack.returned:
        given[each.unit] = (*given.get(each.unit, ()), each.face)
    if party == "attack" and aimed(state, die):
        free = (unit for unit, most in room.items() if len(given.get(unit, ())) < most)
        return tuple(unit for unit in free if die.face is not Face.PUSH or Face.PUSH not in given.get(unit, ()))
    return tuple(UnitId(unit) for unit in takers(room, given, die.face))  # type: ignore[arg-type]  # ids are texts


def room_of(state: JoanState, units: Sequence[str]) -> tuple[tuple[UnitId, int], ...]:
    """JA-Q21: the number of results that each unit can take."""
    found = (unit_of(state, unit) for unit in units)
    return tuple((unit.id, most_results(card_of(state, unit), unit.wounds)) for unit in found)


class GiveResult(Choice, frozen=True):
    """This unit takes the result."""

    unit: UnitId


class ResultTaker(Decision, frozen=True):
    """JA-D24, JA-D25, JA-D28 Which unit takes a result."""

    rule = "JA-127"

    party: Party
    die: RolledDie
    room: tuple[tuple[UnitId, int], ...]

    def form(self, state: JoanState) -> One:
        """Any that can take it now."""
        _, units = takers_now(state, self.party, self.die, dict(self.room))
        return only(tuple(GiveResult(unit) for unit in units))

    def resolve(self, r: Resolver[JoanState], choice: GiveResult) -> Flow:
        """The unit has the result."""
        r.emit(ResultAllocated(self.party, Given(choice.unit, self.die.face, self.die.unit)))
        return NEXT


class TakeOver(Choice, frozen=True):
    """Take this result of this unit over."""

    unit: UnitId
    face: Face


class LeaveResults(Choice, frozen=True):
    """Take nothing over."""


class GuardOffer(Decision, frozen=True):
    """JA-D26 Which kill or disrupt a bodyguard takes over."""

    rule = "JA-253"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """JA-255: one of another unit there, no push; or none."""
        return only((LeaveResults(), *guardable(state, self.unit)))

    def resolve(self, r: Resolver[JoanState], choice: TakeOver | LeaveResults) -> Flow:
        """JA-254: even more than its HPs can take."""
        if isinstance(choice, TakeOver):
            r.emit(ResultReassigned(Fighter(choice.unit), Fighter(self.unit), choice.face))
        return NEXT


def guardable(state: JoanState, guard: UnitId) -> tuple[TakeOver, ...]:
    """JA-253, JA-Q54: the kills and disrupts of others in its area that no bodyguard has taken over."""
    here = unit_of(state, guard).area
    found = (each for each in attack_of(state).given if each.unit != guard and not each.guarded)
    found = (each for each in found if unit_of(state, each.unit).area == here)
    kinds = {Face.KILL, Face.DISRUPT}
    return tuple(dict.fromkeys(TakeOver(UnitId(each.unit), each.face) for each in found if each.face in kinds))


class Guarding(Procedure, frozen=True):
    """JA-255: each bodyguard among the defenders once. `units`: the units not asked yet."""

    units: tuple[UnitId, ...]

    @step("JA-253")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """Its owner decides."""
        if not self.units:
            return DONE
        guard = unit_of(r.state, self.units[0])
        if guard.owner is None or not guardable(r.state, guard.id):
            return NEXT
        return ask(GuardOffer(guard.owner, guard.id))

    @step("JA-Q54")
    def next_guard(self, r: Resolver[JoanState]) -> Flow:
        """The next bodyguard."""
        return Goto("JA-253", Guarding(self.units[1:]))


def bodyguards(state: JoanState) -> tuple[UnitId, ...]:
    """The defenders with Bodyguard."""
    return tuple(unit for unit in defenders(state) if card_of(state, unit_of(state, unit)).skills.bodyguard)
