"""Section AA: the Indirect Attack."""

from domain.kernel import NEXT, Call, Flow, Procedure, Resolver, step
from domain.vera_discordia.rules.launch import Launch
from domain.vera_discordia.rules.reaction import Reaction
from domain.vera_discordia.state.events import AttackEnded
from domain.vera_discordia.state.state import VeraState


class IndirectAttack(Procedure, frozen=True):
    """AA. No Supports (VD-208), no Counterattack (VD-250); the rest is as in a Direct Attack (VD-249)."""

    @step("VD-210", "VD-211", "VD-249")
    def reaction(self, r: Resolver[VeraState]) -> Flow:
        """The target reacts."""
        return Call(Reaction())

    @step("VD-247", "VD-248")
    def launch(self, r: Resolver[VeraState]) -> Flow:
        """Only Range and Artillery dice."""
        return Call(Launch(counter=False))

    @step("VD-250", "VD-229")
    def end(self, r: Resolver[VeraState]) -> Flow:
        """It ends after damage."""
        r.emit(AttackEnded())
        return NEXT
