"""Questions that may have only one answer. Only public facts decide whether a player is asked."""

from domain.kernel import NEXT, Decision, Flow, Resolver, ask
from domain.war_for_edadh.state.state import WarState


def ask_or_take(r: Resolver[WarState], decision: Decision) -> Flow:
    """Ask, unless a question about public facts has only one answer: then carry out that answer."""
    choices = iter(decision.form(r.state))
    first = next(choices, None)
    if first is None:
        return NEXT
    if next(choices, None) is None:
        return decision.resolve(r, first)
    return ask(decision)
