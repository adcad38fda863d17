"""Operations inside an attack (ledger 6.13): dice added, rolled again, removed; skills until its end."""

from typing import Final

from domain.joan_of_arc.cards.dice import Dice
from domain.joan_of_arc.cards.hooks import AddDie, ForceReroll, GrantSkill, RemoveResult, Reroll, Roll
from domain.joan_of_arc.rules.attacks.pools import attack_of, loose, reroll, rolled
from domain.joan_of_arc.rules.attacks.targets import foes_in, whole
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.state.attack_events import BonusDiceAdded, ResultsRemoved
from domain.joan_of_arc.state.events import EffectSkipped, SkillGranted
from domain.joan_of_arc.state.queries import side_of, table_of
from domain.joan_of_arc.state.state import Grant, JoanState, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Pick, Procedure, Resolver, Seat, ask, only, step


def add_die(r: Resolver[JoanState], context: Context, effect: AddDie) -> None:
    """Common dice of the roll, added before it is made."""
    if r.state.attack is None or effect.attack not in {None, attack_of(r.state).kind}:
        r.emit(EffectSkipped(context.seat, "add_die", "JA-161"))
    else:
        r.emit(BonusDiceAdded(effect.roll, Dice(**{effect.colour: effect.n})))


def remove_result(r: Resolver[JoanState], context: Context, effect: RemoveResult) -> None:
    """Results of a face are discarded, as far as there are any."""
    dice = rolled(r.state, effect.roll) if r.state.attack is not None else ()
    at = tuple(place for place, die in enumerate(dice) if die.face is effect.face)[: effect.n]
    if at:
        r.emit(ResultsRemoved(effect.roll, at, "ledger 6.13"))
    else:
        r.emit(EffectSkipped(context.seat, "remove_result", "JA-161"))


class RerollByCard(Choice, frozen=True):
    """Reroll the dice of these numbers."""

    dice: tuple[str, ...]


class CardDice(Decision, frozen=True):
    """JA-D18, JA-D20 The dice that a card rolls again: the player's own dice, or the opponent's that the card's player
    picks.
    """

    rule = "ledger 6.13"

    roll: Roll
    most: int
    forced: bool

    def form(self, state: JoanState) -> Pick:
        """Up to the card's number of dice that may be rerolled (JA-Q60); the full number if the opponent is forced."""
        numbers = tuple(str(at) for at in loose(state, self.roll))
        most = min(self.most, len(numbers))
        return Pick(RerollByCard, numbers, most if self.forced else 0, most)

    def resolve(self, r: Resolver[JoanState], choice: RerollByCard) -> Flow:
        """JA-Q77: the second result stands."""
        if choice.dice:
            reroll(r, self.roll, (int(die) for die in choice.dice), "card", self.by)
        return NEXT


class RerollingByCard(Procedure, frozen=True):
    """A card rolls dice again."""

    seat: Seat
    roll: Roll
    most: int
    forced: bool

    @step("JA-Q77")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """Skipped if there are no dice (JA-161)."""
        if r.state.attack is not None and loose(r.state, self.roll):
            return ask(CardDice(self.seat, self.roll, self.most, self.forced))
        r.emit(EffectSkipped(self.seat, "reroll", "JA-161"))
        return DONE

    @step("JA-197")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The dice are settled."""
        return DONE


def reroll_dice(r: Resolver[JoanState], context: Context, effect: Reroll | ForceReroll) -> Procedure:
    """The player of the card picks the dice."""
    return RerollingByCard(context.seat, effect.roll, effect.n, isinstance(effect, ForceReroll))


class Embolden(Choice, frozen=True):
    """This unit has the skill until the end of the attack."""

    unit: UnitId


class GrantChoice(Decision, frozen=True):
    """JA-D02 The player's own unit in the target area that gets a skill."""

    rule = "ledger 6.13"

    effect: GrantSkill

    def form(self, state: JoanState) -> One:
        """The player's own units there."""
        return only(tuple(Embolden(unit) for unit in own_defenders(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: Embolden) -> Flow:
        """It has the skill."""
        grant(r, choice.unit, self.effect)
        return NEXT


def own_defenders(state: JoanState, seat: Seat) -> tuple[UnitId, ...]:
    """A player's units in the area that is attacked."""
    attack, table = attack_of(state), table_of(state)
    side = side_of(state, attack.by) or ""
    found = {unit.unit for area in whole(table, attack.target) for unit in foes_in(table, area, side)}
    return tuple(UnitId(unit) for unit in sorted(found) if state.field.units[UnitId(unit)].owner == seat)


def grant(r: Resolver[JoanState], unit: UnitId, effect: GrantSkill) -> None:
    """A skill for the time that the card states."""
    r.emit(SkillGranted(unit, Grant(effect.skill, effect.x or 1, effect.until or "end_of_attack")))


class Granting(Procedure, frozen=True):
    """A skill is given to a unit in the target area."""

    seat: Seat
    effect: GrantSkill

    @step("JA-160")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """A single candidate needs no choice."""
        units = own_defenders(r.state, self.seat) if r.state.attack is not None else ()
        if len(units) > 1:
            return ask(GrantChoice(self.seat, self.effect))
        if units:
            grant(r, units[0], self.effect)
        else:
            r.emit(EffectSkipped(self.seat, "grant_skill", "JA-161"))
        return NEXT

    @step("JA-161")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """It has the skill."""
        return DONE


def grant_skill(r: Resolver[JoanState], context: Context, effect: GrantSkill) -> Procedure:
    """The player names the unit."""
    return Granting(context.seat, effect)


OPERATIONS: Final[Operations] = {
    AddDie: add_die,
    RemoveResult: remove_result,
    Reroll: reroll_dice,
    ForceReroll: reroll_dice,
    GrantSkill: grant_skill,
}
