"""Ransom at the end of a character (JA-347, JA-350, JA-Q78), an optional rule: the attacker may take it captive."""

from domain.joan_of_arc.rules.attacks.results import Struck
from domain.joan_of_arc.rules.losing import discard_equipment, drop_passenger, grant_reward, release_civilians, suffer
from domain.joan_of_arc.state.events import CharacterCaptured
from domain.joan_of_arc.state.queries import card_of, optional_rules, setting_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, only, step


class Capture(Choice, frozen=True):
    """Take the character captive."""


class Slay(Choice, frozen=True):
    """Let it be destroyed."""


class CaptureOffer(Decision, frozen=True):
    """JA-D31 Whether a character that suffers its final wound is captured instead (JA-347)."""

    rule = "JA-347"

    unit: UnitId
    wounds: int
    cause: str

    def form(self, state: JoanState) -> One:
        """Captured or destroyed."""
        return only((Slay(), Capture()))

    def resolve(self, r: Resolver[JoanState], choice: Capture | Slay) -> Flow:
        """JA-Q78: a capture earns no reward for a destruction, but (JA-350) the scenario's reward for captives."""
        if isinstance(choice, Slay):
            suffer(r, self.unit, Struck(self.wounds, "destroyed"), self.by, self.cause)
            return NEXT
        drop_passenger(r, self.unit, self.by)
        discard_equipment(r, self.unit)
        r.emit(CharacterCaptured(self.unit, self.by))
        grant_reward(r, setting_of(r.state).scenario.victory.captured, self.by, "JA-350")
        release_civilians(r)
        return NEXT


class Capturing(Procedure, frozen=True):
    """JA-347: a character that would be destroyed with this many wounds. `cause`: the rule that destroys it."""

    unit: UnitId
    wounds: int
    by: Seat
    cause: str

    @step("JA-347")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """The attacker decides."""
        return ask(CaptureOffer(self.by, self.unit, self.wounds, self.cause))

    @step("JA-Q78")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The character is in the graveyard or on the attacker's player board."""
        return DONE


def may_capture(state: JoanState, unit: Unit, struck: Struck) -> bool:
    """JA-347, JA-Q78: whether a wound that an attack deals may be turned into captivity: the final one of a character
    that is not immortal.
    """
    card = card_of(state, unit_of(state, unit.id))
    final = struck.fate == "destroyed" and card.kind == "character"
    return final and optional_rules(state).ransom and not card.skills.immortal
