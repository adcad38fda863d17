"""Figures of a position of Disciples: Legacy that the rules work out for players and scenarios (docs/scenarios.md)."""

from typing import get_args

from domain.commons.notation import Fields
from domain.commons.rows import BOTH
from domain.disciples_legacy.cards.hooks import Colour
from domain.disciples_legacy.rules.battle.adjacency import opposing
from domain.disciples_legacy.rules.battle.striking import strikes
from domain.disciples_legacy.state.queries import (
    cards_of,
    cities_of,
    hand_of,
    leadership,
    living,
    mana_owned,
    purse,
    races_of,
    unit_price,
)
from domain.disciples_legacy.state.state import DisciplesState, Member
from domain.kernel import Seat


def figures(state: DisciplesState) -> Fields:
    """For each member, its followers, values and targets in reach; for each seat, its possessions and Unit costs."""
    members = {member.id: _member(state, member) for member in state.members.values()}
    return {"members": members, **{f"seat{seat}": _side(state, seat) for seat in BOTH}}


def _member(state: DisciplesState, member: Member) -> Fields:
    """DL-045; abilities of the card and of Items carried (6.2)."""
    index = cards_of(state)
    written = (ability.text for card in (member.card, *member.items) for ability in index.abilities[card])
    return {
        "leadership": leadership(state, member.id),
        "abilities": frozenset(written),
        "reach": _reach(state, member),
    }


def _reach(state: DisciplesState, member: Member) -> frozenset[str]:
    """DL-196 to DL-198: the targets that an attack of a living member of the Battle may hit; none outside (DL-194)."""
    battle = state.battle
    fights = battle is not None and member.party == battle.party(member.seat) and not member.dead
    if not fights or member.id not in state.parties[member.party].slots:
        return frozenset()
    everybody = living(state, opposing(state, member.id))
    found = [strike.target for strike in strikes(state, member.id)]
    return frozenset(everybody if found == [""] else found)


def _side(state: DisciplesState, seat: Seat) -> Fields:
    """(C) of all Cities (DL-065) and of untapped ones, with credit (DL-082); Mana (DL-075), races (DL-Q43), and the
    cost of the hand's Units now (DL-Q05), as far as the hand is known.
    """
    index = cards_of(state)
    units = (index.units[card] for card in hand_of(state, seat) if card in index.units)
    return {
        "income": sum(index.towns[city.card].yield_c for city in cities_of(state, seat)),
        "purse": purse(state, seat),
        "mana": {colour: mana_owned(state, seat, colour) for colour in get_args(Colour)},
        "races": frozenset(races_of(state, seat)),
        "prices": {unit.id: unit_price(state, seat, unit) for unit in units},
    }
