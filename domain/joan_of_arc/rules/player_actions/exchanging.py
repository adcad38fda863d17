"""Swapping intrigue tokens (JA-188): offered to their owner with every question in which tokens matter."""

from domain.joan_of_arc.state.events import IntrigueExchanged
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Choice, Resolver, Seat


class ExchangeForXp(Choice, frozen=True):
    """Swap an intrigue token for an XP token."""


class ExchangeForLegend(Choice, frozen=True):
    """Swap an intrigue token for a legend token."""


Exchange = ExchangeForXp | ExchangeForLegend


def exchanges(state: JoanState, seat: Seat) -> tuple[Exchange, ...]:
    """JA-D47: the possible swaps; tokens on intrigue slots are spent and do not count (JA-194)."""
    return (ExchangeForXp(), ExchangeForLegend()) if state.boards[seat].intrigue else ()


def exchange(r: Resolver[JoanState], seat: Seat, choice: Exchange) -> None:
    """JA-188: one for one."""
    r.emit(IntrigueExchanged(seat, "xp" if isinstance(choice, ExchangeForXp) else "legend"))
