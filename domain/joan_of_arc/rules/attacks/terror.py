"""Terror (JA-288 to JA-292): dice are rolled before the attack, and attackers lose theirs."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.joan_of_arc.cards.dice import Colour, Face, face
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.attacks.pools import attack_dice, attack_of, defenders, defending_seats
from domain.joan_of_arc.rules.attacks.rolls import frightened_by, terror
from domain.joan_of_arc.rules.player_actions.rerolling import RerollOffer, RollAgainThese, again
from domain.joan_of_arc.state.attack_events import TerrorApplied
from domain.joan_of_arc.state.attack_state import Fighter
from domain.joan_of_arc.state.events import RerollTokenUsed
from domain.joan_of_arc.state.queries import standing, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import (
    DONE,
    NEXT,
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

BLACK: Colour = "black"


class Frighten(Choice, frozen=True):
    """This attacker may roll one die only."""

    unit: UnitId


class FrightChoice(Decision, frozen=True):
    """JA-D15 The attacker that is frightened, one for each shield (JA-Q64)."""

    rule = "JA-289"

    def form(self, state: JoanState) -> One:
        """JA-292: an attacker that is not immune, none twice."""
        return only(tuple(Frighten(unit) for unit in frightenable(state)))

    def resolve(self, r: Resolver[JoanState], choice: Frighten) -> Flow:
        """JA-290: with one attack die it waits instead; a single colour needs no choice."""
        colours = tuple(dict.fromkeys(attack_dice(r.state, choice.unit).in_order()))
        if len(attack_dice(r.state, choice.unit).in_order()) <= 1:
            r.emit(TerrorApplied(Fighter(choice.unit), None))
            wait(r, choice.unit, "JA-290")
        elif len(colours) == 1:
            r.emit(TerrorApplied(Fighter(choice.unit), colours[0]))
        else:
            return ask(DieChoice(attack_of(r.state).by, choice.unit))
        return NEXT


class RollOnly(Choice, frozen=True):
    """Roll the die of this colour."""

    colour: Colour


class DieChoice(Decision, frozen=True):
    """JA-D16 The single die that a frightened unit rolls."""

    rule = "JA-289"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """One of its own (JA-Q64)."""
        return only(tuple(RollOnly(colour) for colour in dict.fromkeys(attack_dice(state, self.unit).in_order())))

    def resolve(self, r: Resolver[JoanState], choice: RollOnly) -> Flow:
        """Any dice bonus tied to it is lost."""
        r.emit(TerrorApplied(Fighter(self.unit), choice.colour))
        return NEXT


def terrifier(state: JoanState) -> Seat | None:
    """JA-288, JA-291, JA-Q08: the seat that rolls for terror: the first of the defending players whose unit has the
    highest X.
    """
    found = standing(state, defenders(state))
    x = terror(found)
    owners = {unit_of(state, unit.unit).owner for unit in found if unit.card.skills.terror == x}
    return next((seat for seat in defending_seats(state) if seat in owners), None)


class TerrorDice(Decision, frozen=True):
    """JA-D50 Which of several terror dice the reroll token rolls again (JA-Q77)."""

    rule = "JA-196"

    def form(self, state: JoanState) -> Pick:
        """Any number of them, or none."""
        numbers = tuple(str(at) for at in range(len(state.roll.dice)))
        return Pick(RollAgainThese, numbers, 0, len(numbers))

    def resolve(self, r: Resolver[JoanState], choice: RollAgainThese) -> Flow:
        """JA-197: the second result of these stands."""
        kept = [value for at, value in enumerate(r.state.roll.dice) if str(at) not in choice.dice]
        if not choice.dice:
            return NEXT
        r.emit(RerollTokenUsed(self.by))
        again(r, tuple(int(at) for at in choice.dice))
        return Goto("JA-291", Terrifying(kept=_shields(kept)))


def _shields(values: Iterable[int]) -> int:
    return sum(face(BLACK, value) is Face.SHIELD for value in values)


def frightenable(state: JoanState) -> tuple[UnitId, ...]:
    """JA-292: the attackers that terror can still choose."""
    attack, x = attack_of(state), terror(standing(state, defenders(state)))
    chosen = {unit for unit, _ in attack.frightened}
    found = standing(state, (unit for unit, _ in attack.starts))
    return tuple(UnitId(unit.unit) for unit in found if unit.unit not in chosen and frightened_by(unit, x))


class Terrifying(Procedure, frozen=True):
    """JA-288: the highest X of the defenders' black dice (JA-291). `shields`: how many may still be used; `kept`: how
    many showed on dice that were not rolled again; `seat`: the seat that uses them.
    """

    shields: int = -1
    kept: int = 0
    seat: Seat | None = None

    @step("JA-288")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """The defender's side rolls (JA-Q64), even if no unit can be frightened; JA-Q77: the reroll token may be used
        on any of the dice.
        """
        x, seat = terror(standing(r.state, defenders(r.state))), terrifier(r.state)
        if not x or seat is None:
            return DONE
        r.roll(x, "JA-288", "Terror", seat=seat, kinds=(BLACK,) * x)
        if not r.state.boards[seat].reroll or not frightenable(r.state):
            return NEXT
        return ask(RerollOffer(seat) if x == 1 else TerrorDice(seat))

    @step("JA-291")
    def count(self, r: Resolver[JoanState]) -> Flow:
        """The shields that show."""
        return Next(Terrifying(self.kept + _shields(r.state.roll.dice), seat=terrifier(r.state)))

    @step("JA-289")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """One attacker for each shield."""
        if self.shields <= 0 or self.seat is None or not frightenable(r.state):
            return DONE
        return ask(FrightChoice(self.seat))

    @step("JA-Q64")
    def next_shield(self, r: Resolver[JoanState]) -> Flow:
        """At most one penalty each."""
        return Goto("JA-289", replace(self, shields=self.shields - 1))
