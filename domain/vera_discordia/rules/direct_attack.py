"""Section V: the Direct Attack, step by step."""

from domain.kernel import DONE, NEXT, Call, Flow, Procedure, Resolver, step
from domain.vera_discordia.cards.cards import Ability
from domain.vera_discordia.rules.counterattack import Counterattack
from domain.vera_discordia.rules.launch import Launch, attack_of
from domain.vera_discordia.rules.reaction import Reaction
from domain.vera_discordia.rules.supports import offer_supports
from domain.vera_discordia.state.events import AttackEnded
from domain.vera_discordia.state.queries import has
from domain.vera_discordia.state.state import VeraState


def strikes_first(state: VeraState) -> bool:
    """VD-351: the target's Counterattack comes before the Attack; VD-353: not when both have Reflexes."""
    attack = attack_of(state)
    attacker, target = state.units.get(attack.attacker), state.units.get(attack.target)
    if attacker is None or target is None:
        return False
    return has(state, target, Ability.REFLEXES) and not has(state, attacker, Ability.REFLEXES)


def reflexes(r: Resolver[VeraState]) -> Flow:
    """VD-351: with Reflexes the complete Counterattack is resolved now (VD-Q40)."""
    return Call(Counterattack()) if strikes_first(r.state) else NEXT


def launch(r: Resolver[VeraState]) -> Flow:
    """VD-352: the Attack is cancelled if its attacker has fallen; it then counts as not received (VD-Q32)."""
    if attack_of(r.state).attacker in r.state.units:
        return Call(Launch(counter=False))
    r.emit(AttackEnded("VD-352", landed=False))
    return DONE


def counterattack(r: Resolver[VeraState]) -> Flow:
    """VD-227: a surviving target strikes back, unless it has done so by Reflexes."""
    return NEXT if strikes_first(r.state) else Call(Counterattack())


class DirectAttack(Procedure, frozen=True):
    """V to Z. A Direct Attack after its target is named; dice are rolled in the order of these steps (VD-Q04)."""

    @step("VD-205", "VD-207", "VD-390")
    def supports(self, r: Resolver[VeraState]) -> Flow:
        """Supports are committed before the target's order is examined or a Closed target opened."""
        return offer_supports(r.state, attack_of(r.state).attacker, counter=False)

    @step("VD-210", "VD-211")
    def reaction(self, r: Resolver[VeraState]) -> Flow:
        """The target reacts."""
        return Call(Reaction())

    @step("VD-351", "VD-353")
    def reflexes(self, r: Resolver[VeraState]) -> Flow:
        """The Counterattack comes first."""
        return reflexes(r)

    @step("VD-217", "VD-352")
    def launch(self, r: Resolver[VeraState]) -> Flow:
        """The dice of the Attack."""
        return launch(r)

    @step("VD-227", "VD-239")
    def counterattack(self, r: Resolver[VeraState]) -> Flow:
        """The target strikes back."""
        return counterattack(r)

    @step("VD-241")
    def end(self, r: Resolver[VeraState]) -> Flow:
        """The attack is over."""
        r.emit(AttackEnded())
        return NEXT
