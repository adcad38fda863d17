"""A swamp that is attacked (JA-301): the attacker may take a shield out of the defence roll."""

from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.rules.attacks.pools import attack_of
from domain.joan_of_arc.state.attack_events import ResultsRemoved
from domain.joan_of_arc.state.queries import area_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import NEXT, Choice, Decision, Flow, One, Resolver, only


class SwallowShield(Choice, frozen=True):
    """Remove a shield of the defence roll."""


class SpareShield(Choice, frozen=True):
    """Leave the shields."""


class ShieldSwallowing(Decision, frozen=True):
    """JA-D21 Whether a shield is removed, after step 2 (JA-Q68)."""

    rule = "JA-301"

    def form(self, state: JoanState) -> One:
        """Yes or no."""
        return only((SwallowShield(), SpareShield()))

    def resolve(self, r: Resolver[JoanState], choice: SwallowShield | SpareShield) -> Flow:
        """One shield is removed, if the attacker wants."""
        if isinstance(choice, SwallowShield):
            dice = attack_of(r.state).defence_dice
            at = next(at for at, die in enumerate(dice) if die.face is Face.SHIELD)
            r.emit(ResultsRemoved("defence", (at,), "JA-301"))
        return NEXT


def swallows(state: JoanState) -> bool:
    """JA-301: whether the target is a swamp, and a shield was rolled."""
    attack = attack_of(state)
    shown = any(die.face is Face.SHIELD for die in attack.defence_dice)
    return shown and area_of(state, attack.target).terrain == "swamp"
