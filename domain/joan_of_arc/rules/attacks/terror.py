"""Terror (JA-288 to JA-292): dice are rolled before the attack, and attackers lose theirs."""

from domain.joan_of_arc.attack_events import TerrorApplied
from domain.joan_of_arc.attack_state import Fighter
from domain.joan_of_arc.dice import Colour, Face, face
from domain.joan_of_arc.queries import standing
from domain.joan_of_arc.rolls import frightened_by, terror
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.attacks.pools import attack_dice, attack_of, defenders, defending_seat
from domain.joan_of_arc.rules.rerolling import RerollOffer
from domain.joan_of_arc.state import JoanState, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, Next, One, Procedure, Resolver, ask, only, step

BLACK: Colour = "black"


class Frighten(Choice, frozen=True):
    """This attacker may roll one die only."""

    unit: UnitId


class FrightChoice(Decision, frozen=True):
    """JA-D15 Which attacker is frightened, one for each shield (JA-Q64)."""

    rule = "JA-289"

    def form(self, state: JoanState) -> One:
        """JA-292: one that is not immune, and none twice."""
        return only(tuple(Frighten(unit) for unit in frightenable(state)))

    def resolve(self, r: Resolver[JoanState], choice: Frighten) -> Flow:
        """JA-290: with one attack die it waits instead; the only colour it has needs no choice."""
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
    """JA-D16 Which single die a frightened unit rolls."""

    rule = "JA-289"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """One of its own (JA-Q64)."""
        return only(tuple(RollOnly(colour) for colour in dict.fromkeys(attack_dice(state, self.unit).in_order())))

    def resolve(self, r: Resolver[JoanState], choice: RollOnly) -> Flow:
        """Any dice bonus tied to it is lost."""
        r.emit(TerrorApplied(Fighter(self.unit), choice.colour))
        return NEXT


def frightenable(state: JoanState) -> tuple[UnitId, ...]:
    """JA-292: the attackers that terror can still choose."""
    attack, x = attack_of(state), terror(standing(state, defenders(state)))
    chosen = {unit for unit, _ in attack.frightened}
    found = standing(state, (unit for unit, _ in attack.starts))
    return tuple(UnitId(unit.unit) for unit in found if unit.unit not in chosen and frightened_by(unit, x))


class Terrifying(Procedure, frozen=True):
    """JA-288: the highest X of the defenders' black dice (JA-291). `shields`: how many may still be used."""

    shields: int = -1

    @step("JA-288")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """The defender's side rolls (JA-Q64); JA-Q77: the reroll token may be used."""
        x, seat = terror(standing(r.state, defenders(r.state))), defending_seat(r.state)
        if not x or seat is None or not frightenable(r.state):
            return DONE
        r.roll(x, "JA-288", "Terror", seat=seat, kinds=(BLACK,) * x)
        return ask(RerollOffer(seat)) if r.state.boards[seat].reroll else NEXT

    @step("JA-291")
    def count(self, r: Resolver[JoanState]) -> Flow:
        """The shields that show."""
        return Next(Terrifying(sum(face(BLACK, value) is Face.SHIELD for value in r.state.roll.dice)))

    @step("JA-289")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """One attacker for each shield."""
        seat = defending_seat(r.state)
        if self.shields <= 0 or seat is None or not frightenable(r.state):
            return DONE
        return ask(FrightChoice(seat))

    @step("JA-Q64")
    def next_shield(self, r: Resolver[JoanState]) -> Flow:
        """At most one penalty each."""
        return Goto("JA-289", Terrifying(self.shields - 1))
