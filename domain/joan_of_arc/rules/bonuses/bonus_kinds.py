"""All bonus actions: the open ones of an activation, and the execution of each."""

from collections.abc import Iterator

from domain.joan_of_arc.rules.bonuses import commanding, discussing, upgrading
from domain.joan_of_arc.rules.bonuses.commanding import Command, CommandTargets
from domain.joan_of_arc.rules.bonuses.discussing import Discuss
from domain.joan_of_arc.rules.bonuses.moment import due_next
from domain.joan_of_arc.rules.bonuses.upgrading import Upgrade
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForXp, exchange
from domain.joan_of_arc.state.state import Activation, JoanState
from domain.kernel import NEXT, Call, Flow, Resolver, Seat, ask

__all__ = ["BonusChoice", "carry_out", "due_next", "open_in"]

BonusChoice = Command | Discuss | Upgrade | ExchangeForXp


def open_in(state: JoanState, now: Activation) -> Iterator[BonusChoice]:
    """JA-D08: the bonus actions that are open now; JA-188: or the swap that pays for one."""
    yield from commanding.offers(state, now)
    yield from discussing.offers(state, now)
    yield from upgrading.offers(state, now)
    yield from upgrading.swaps(state, now)


def carry_out(r: Resolver[JoanState], seat: Seat, choice: BonusChoice) -> Flow:
    """The bonus action is carried out at once; then the activation continues."""
    match choice:
        case Command(unit):
            return ask(CommandTargets(seat, unit))
        case Discuss():
            return Call(discussing.begin(r, seat, choice))
        case ExchangeForXp():
            exchange(r, seat, choice)
            return NEXT
    upgrading.upgrade(r, seat, choice)
    return NEXT
