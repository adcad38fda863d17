"""The effects of results on units (JA-132 to JA-137): kills and disrupts of both sides; Tough and Slayer."""

from msgspec.structs import replace

from domain.joan_of_arc.cards.dice import Face, face
from domain.joan_of_arc.rules.attacks.pools import attack_of
from domain.joan_of_arc.rules.attacks.results import disrupt, kill
from domain.joan_of_arc.rules.capturing import Capturing, may_capture
from domain.joan_of_arc.rules.losing import suffer
from domain.joan_of_arc.rules.player_actions.rerolling import RerollOffer, last_die
from domain.joan_of_arc.state.attack_state import Given
from domain.joan_of_arc.state.queries import card_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import DONE, NEXT, Call, Flow, Goto, Next, Procedure, Resolver, Seat, ask, step


class Applying(Procedure, frozen=True):
    """JA-132: the kills and disrupts that units were given, unit by unit. `by`: the seat whose results these are, where
    none of its units rolled them; `rule`: the rule that destroys a unit.

    `captures`: whether a final wound may be turned into captivity. `slaying`: whether a unit with Slayer rolls;
    `struck`: the units that took a kill that Tough did not cancel.
    """

    given: tuple[Given, ...]
    by: Seat | None
    rule: str = "JA-134"
    captures: bool = False
    slaying: bool = False
    struck: tuple[UnitId, ...] = ()

    @step("JA-132", "JA-135", "JA-136", "JA-137")
    def apply(self, r: Resolver[JoanState]) -> Flow:
        """The next result; the remaining results of a unit that is gone are lost."""
        if not self.given:
            return DONE
        unit = unit_of(r.state, self.given[0].unit)
        if unit.spot != "board":
            return Goto("JA-Q22")
        if self.given[0].face is Face.DISRUPT:
            suffer(r, unit.id, disrupt(card_of(r.state, unit), unit.wounds), self._doer(r.state), "JA-135")
            return Goto("JA-Q22")
        if not is_tough(r.state, unit):
            return Goto("JA-133")
        r.roll(1, "JA-293", "Tough", seat=unit.owner, about=(unit.id,), kinds=("black",))
        owner = unit.owner
        return ask(RerollOffer(owner)) if owner is not None and r.state.boards[owner].reroll else NEXT

    @step("JA-293")
    def toughness(self, r: Resolver[JoanState]) -> Flow:
        """A shield cancels the kill; JA-Q77: the reroll token may have been used on the die."""
        return Goto("JA-285") if face("black", last_die(r.state)) is Face.SHIELD else NEXT

    @step("JA-133", "JA-134")
    def strike(self, r: Resolver[JoanState]) -> Flow:
        """The unit is destroyed or takes a wound."""
        unit = unit_of(r.state, self.given[0].unit)
        return self._strike(r, unit, replace(self, struck=(*self.struck, unit.id)))

    @step("JA-285")
    def slay(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q61: a character that took a kill suffers one wound more, once, after the last of its kills; JA-Q63: one
        that Tough cancelled does not count.
        """
        unit = unit_of(r.state, self.given[0].unit)
        more = any(each.unit == unit.id and each.face is Face.KILL for each in self.given[1:])
        spared = more or unit.id not in self.struck or card_of(r.state, unit).kind != "character"
        if spared or not self.slaying or unit.spot != "board":
            return NEXT
        return self._strike(r, unit, self)

    @step("JA-Q22")
    def next_result(self, r: Resolver[JoanState]) -> Flow:
        """The next result."""
        return Goto("JA-132", replace(self, given=self.given[1:]))

    def _strike(self, r: Resolver[JoanState], unit: Unit, after: "Applying") -> Flow:
        """A wound, or destruction, which an attacker may turn into captivity (JA-347)."""
        struck, by = kill(card_of(r.state, unit), unit.wounds), self._doer(r.state)
        if self.captures and by is not None and may_capture(r.state, unit, struck):
            return Call(Capturing(unit.id, struck.wounds, by, self.rule), after)
        suffer(r, unit.id, struck, by, self.rule)
        return Next(after)

    def _doer(self, state: JoanState) -> Seat | None:
        """JA-142: the player whose unit rolled the result."""
        source = self.given[0].source
        return unit_of(state, source).owner if source else self.by


def is_tough(state: JoanState, unit: Unit) -> bool:
    """JA-293, JA-Q63: whether Tough may cancel a kill: for a unit with printed HPs of which 1 remains."""
    card = card_of(state, unit)
    return card.skills.tough and card.hp is not None and card.hp - unit.wounds == 1


def kills_then_disrupts(given: tuple[Given, ...]) -> tuple[Given, ...]:
    """JA-132: unit by unit, in the order in which they were given results; kills before disrupts."""
    units = dict.fromkeys(each.unit for each in given)
    return tuple(
        each
        for unit in units
        for face_ in (Face.KILL, Face.DISRUPT)
        for each in given
        if each.unit == unit and each.face is face_
    )


def pushed(given: tuple[Given, ...]) -> tuple[UnitId, ...]:
    """JA-130: the units that were given a push."""
    return tuple(UnitId(each.unit) for each in given if each.face is Face.PUSH)


def slayers(state: JoanState) -> bool:
    """JA-285, JA-Q61: whether a unit with Slayer contributed dice to the attack."""
    sources = {die.unit for die in attack_of(state).attack_dice if die.unit}
    return any(card_of(state, unit_of(state, unit)).skills.slayer for unit in sources)
