"""Sections AB and AD: the Aerial Attack and its consistency."""

from domain.kernel import DONE, NEXT, Call, Flow, Procedure, Resolver, step
from domain.vera_discordia.rules.direct_attack import counterattack, launch, reflexes
from domain.vera_discordia.rules.interception import Interception
from domain.vera_discordia.rules.launch import attack_of
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.rules.reaction import Reaction
from domain.vera_discordia.state.events import AttackEnded, CaptureLost
from domain.vera_discordia.state.state import VeraState


class AerialAttack(Procedure, frozen=True):
    """AB, AD. An Aerial Attack after its target is named; no Supports (VD-208)."""

    @step("VD-183")
    def capture(self, r: Resolver[VeraState]) -> Flow:
        """The flyer loses its Capture when it takes off (VD-Q31); other attacks and orders lose none (VD-184)."""
        attacker = attack_of(r.state).attacker
        if r.state.units[attacker].capture:
            r.emit(CaptureLost(attacker, "VD-183"))
        return NEXT

    @step("VD-260", "VD-268")
    def interception(self, r: Resolver[VeraState]) -> Flow:
        """The defender may Intercept; a Decimated flyer continues with 1 die less (VD-276)."""
        return Call(Interception())

    @step("VD-272", "VD-273", "VD-274", "VD-275")
    def consistency(self, r: Resolver[VeraState]) -> Flow:
        """One Morale Check per Disruption, one after the other; the first failure aborts the attack (VD-Q37)."""
        attack = attack_of(r.state)
        if attack.attacker not in r.state.units:
            r.emit(AttackEnded("VD-275", landed=False))
            return DONE
        for _ in range(attack.disruptions):
            if not check_morale(r, attack.attacker, Check.CONSISTENCY):
                r.emit(AttackEnded("VD-273", landed=False))
                return DONE
        return NEXT

    @step("VD-277", "VD-391")
    def reaction(self, r: Resolver[VeraState]) -> Flow:
        """The players see the target's identity and order only now."""
        return Call(Reaction())

    @step("VD-351", "VD-353")
    def reflexes(self, r: Resolver[VeraState]) -> Flow:
        """The Counterattack comes first."""
        return reflexes(r)

    @step("VD-278", "VD-279", "VD-352")
    def launch(self, r: Resolver[VeraState]) -> Flow:
        """All dice of the Unit (VD-259)."""
        return launch(r)

    @step("VD-280")
    def counterattack(self, r: Resolver[VeraState]) -> Flow:
        """As in a Direct Attack, without Supports or Terrain (VD-281, VD-282)."""
        return counterattack(r)

    @step("VD-258")
    def end(self, r: Resolver[VeraState]) -> Flow:
        """The target has received its Aerial Attack of the round."""
        r.emit(AttackEnded())
        return NEXT
