"""What results come to for units (JA-132 to JA-137): kills and disrupts of both sides; Tough, Slayer, capture."""

from domain.joan_of_arc.attack_state import Given
from domain.joan_of_arc.dice import Face, face
from domain.joan_of_arc.events import CharacterCaptured
from domain.joan_of_arc.queries import card_of, optional_rules, unit_of
from domain.joan_of_arc.results import Struck, disrupt, kill
from domain.joan_of_arc.rules.attacks.pools import attack_of
from domain.joan_of_arc.rules.losing import discard_equipment, release_civilians, suffer
from domain.joan_of_arc.state import JoanState, Unit, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Capture(Choice, frozen=True):
    """Take the character captive."""


class Slay(Choice, frozen=True):
    """Let it be destroyed."""


class CaptureOffer(Decision, frozen=True):
    """JA-D31 Whether a character that suffers its final wound is captured instead (JA-347)."""

    rule = "JA-347"

    unit: UnitId
    wounds: int

    def form(self, state: JoanState) -> One:
        """Captured or destroyed."""
        return only((Slay(), Capture()))

    def resolve(self, r: Resolver[JoanState], choice: Capture | Slay) -> Flow:
        """JA-Q78: no reward for a captive; its equipment is discarded."""
        if isinstance(choice, Slay):
            suffer(r, self.unit, Struck(self.wounds, "destroyed"), self.by, "JA-134")
        else:
            discard_equipment(r, self.unit)
            r.emit(CharacterCaptured(self.unit, self.by))
            release_civilians(r)
        return NEXT


class Applying(Procedure, frozen=True):
    """JA-132: the kills and disrupts that units were given, unit by unit. `by`: the seat whose results these are.

    `slaying`: whether Slayer is among those who roll; `slain`: who has suffered its wound (JA-Q61).
    """

    given: tuple[Given, ...]
    by: Seat | None
    slaying: bool = False
    slain: tuple[UnitId, ...] = ()

    @step("JA-132", "JA-133", "JA-134", "JA-135", "JA-136", "JA-137")
    def apply(self, r: Resolver[JoanState]) -> Flow:
        """The next result; what a unit that is gone was given besides is lost."""
        if not self.given:
            return DONE
        each = self.given[0]
        unit = unit_of(r.state, each.unit)
        if unit.spot != "board":
            return NEXT
        if each.face is Face.DISRUPT:
            suffer(r, unit.id, disrupt(card_of(r.state, unit), unit.wounds), self.by, "JA-135")
            return NEXT
        return NEXT if is_tough(r, unit) else self._strike(r, unit)

    @step("JA-285")
    def slay(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q61: a character that took a kill suffers one wound more, once, after the last of its kills."""
        if not self.given or not self.slaying or self.given[0].face is not Face.KILL:
            return NEXT
        unit = unit_of(r.state, self.given[0].unit)
        more = any(each.unit == unit.id and each.face is Face.KILL for each in self.given[1:])
        spared = unit.id in self.slain or more or card_of(r.state, unit).kind != "character"
        if spared or unit.spot != "board" or self._was_cancelled(r.state):
            return NEXT
        return self._strike(r, unit)

    @step("JA-Q22")
    def next_result(self, r: Resolver[JoanState]) -> Flow:
        """The next one."""
        return Goto("JA-132", Applying(self.given[1:], self.by, self.slaying, self.slain))

    def _strike(self, r: Resolver[JoanState], unit: Unit) -> Flow:
        """A wound, or the end; JA-347: which an attacker may turn into captivity."""
        card = card_of(r.state, unit)
        struck = kill(card, unit.wounds)
        captive = struck.fate == "destroyed" and card.kind == "character" and self.by is not None
        if captive and self.by is not None and optional_rules(r.state).ransom and not card.skills.immortal:
            return ask(CaptureOffer(self.by, unit.id, struck.wounds))
        suffer(r, unit.id, struck, self.by, "JA-134")
        return NEXT

    def _was_cancelled(self, state: JoanState) -> bool:
        """JA-Q63: a kill that Tough cancelled does not count for Slayer; the last roll tells of it."""
        unit = unit_of(state, self.given[0].unit)
        roll = state.roll
        tough = roll is not None and roll.rule == "JA-293" and roll.about == (unit.id,)
        return tough and face("black", roll.dice[0]) is Face.SHIELD


def is_tough(r: Resolver[JoanState], unit: Unit) -> bool:
    """JA-293, JA-Q63: whether Tough cancels a kill on a unit with 1 HP remaining: by a shield on a black die."""
    card = card_of(r.state, unit)
    if not card.skills.tough or card.hp is None or card.hp - unit.wounds != 1:
        return False
    (value,) = r.roll(1, "JA-293", "Tough", seat=unit.owner, about=(unit.id,), kinds=("black",))
    return face("black", value) is Face.SHIELD


def kills_then_disrupts(given: tuple[Given, ...]) -> tuple[Given, ...]:
    """JA-132: unit by unit, in the order in which they were given something; kills before disrupts."""
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
