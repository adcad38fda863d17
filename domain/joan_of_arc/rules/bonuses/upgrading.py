"""The upgrade bonus action (section O)."""

from collections.abc import Iterator

from domain.joan_of_arc.rules.bonuses.moment import able
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForXp
from domain.joan_of_arc.state.events import BonusTaken, CharacterUpgraded, ResourceSpent
from domain.joan_of_arc.state.queries import card_of, setting_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Unit, UnitId
from domain.kernel import Choice, Resolver, Seat


class Upgrade(Choice, frozen=True):
    """This character takes this level 2 card."""

    unit: UnitId
    card: str


def offers(state: JoanState, now: Activation) -> Iterator[Upgrade]:
    """JA-182, JA-D46: level 2 cards that the XP pay for; JA-184, JA-185: either side, but not a closed one."""
    yield from paid_with(state, now, state.boards[now.by].xp)


def paid_with(state: JoanState, now: Activation, xp: int) -> Iterator[Upgrade]:
    """The upgrades that `xp` would pay for."""
    for unit in able(state, now, "upgrade"):
        card = card_of(state, unit)
        if card.upgrade_cost is not None and card.upgrade_cost <= xp:
            yield from (Upgrade(unit.id, name) for name in sides(state, unit) if name != unit.closed)


def swaps(state: JoanState, now: Activation) -> Iterator[ExchangeForXp]:
    """JA-188: swaps of an intrigue token for an XP, if the XP do not suffice for an upgrade."""
    board = state.boards[now.by]
    after = set(paid_with(state, now, board.xp + board.intrigue))
    if after - set(offers(state, now)):
        yield ExchangeForXp()


def sides(state: JoanState, unit: Unit) -> tuple[str, ...]:
    """The level 2 cards of a unit, by id."""
    index = setting_of(state).index
    return tuple(card.id for card in index.upgrades_of(index.units[unit.card]))


def upgrade(r: Resolver[JoanState], seat: Seat, choice: Upgrade) -> None:
    """JA-182: the XP are spent; JA-183: all tokens stay; JA-185: the other side is closed for the whole game."""
    unit = unit_of(r.state, choice.unit)
    cost = card_of(r.state, unit).upgrade_cost
    assert cost is not None, "it was offered"
    others = [name for name in sides(r.state, unit) if name != choice.card]
    r.emit(BonusTaken(choice.unit, "upgrade"))
    r.emit(ResourceSpent(seat, "xp", cost, "JA-182"))
    r.emit(CharacterUpgraded(choice.unit, choice.card, others[0] if others else ""))
