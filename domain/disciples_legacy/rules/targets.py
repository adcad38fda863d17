"""6.2 Selectors: the members that an ability may choose or affects.

Only the abilities of its own card reach a Minor Leader.
"""

from collections.abc import Callable, Iterable
from typing import Final

from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.hooks import Ability, Selector
from domain.disciples_legacy.rules.battle.adjacency import adjacent_enemies
from domain.disciples_legacy.state.queries import (
    living,
    members_of,
    of_seat,
    parties_of,
)
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId
from domain.kernel import Seat

NO_TARGET: Final = ""
ONE_OF: Final[frozenset[Selector]] = frozenset(
    {
        "ally",
        "other_ally",
        "dead_ally",
        "enemy",
        "adj_enemy",
        "own_member",
        "own_dead",
        "own_major",
        "enemy_member",
        "enemy_unit",
        "enemy_major",
    }
)
"""Selectors of one member of the user's choice."""
ONE_PARTY: Final[frozenset[Selector]] = frozenset({"own_party", "enemy_party"})
Ids = tuple[MemberId, ...]


def choices_of(state: DisciplesState, seat: Seat, bearer: MemberId, ability: Ability) -> tuple[str, ...]:
    """The legal targets of an ability: `""` if nothing is chosen; empty if it cannot be used at all."""
    selector = ability.selector
    if selector in ONE_OF:
        return tuple(id_ for id_ in _pool(state, seat, bearer, selector) if suits(state, id_, ability.op))
    if selector in ONE_PARTY:
        owner = seat if selector == "own_party" else foe(seat)
        return tuple(p for p in parties_of(state, owner) if affected(state, seat, bearer, ability, p))
    if selector in PLACES:
        return PLACES[selector](state, seat)
    if selector in {"enemy_hand", "none"}:
        return (NO_TARGET,)
    return (NO_TARGET,) if affected(state, seat, bearer, ability, NO_TARGET) else ()


def affected(state: DisciplesState, seat: Seat, bearer: MemberId, ability: Ability, target: str) -> Ids:
    """The members that the ability works on, by slot; members that it cannot change are left out."""
    if ability.selector in ONE_OF:
        return (MemberId(target),)
    pool = _pool(state, seat, bearer, ability.selector, target)
    return tuple(id_ for id_ in pool if suits(state, id_, ability.op))


def suits(state: DisciplesState, id_: MemberId, op: hooks.Op) -> bool:
    """6.2: whether the operation can change a member: it must be living, dead, hurt, tapped or spent as required."""
    member = state.members[id_]
    match op:
        case hooks.ReviveOperation():
            return member.dead
        case hooks.HealOperation():
            return not member.dead and member.damage > 0
        case hooks.Tap():
            return not member.dead and not member.tapped
        case hooks.Untap():
            return not member.dead and member.tapped
        case hooks.Spend():
            return not member.dead and not member.spent
        case hooks.Unspend():
            return not member.dead and member.spent
    return not member.dead


def _pool(state: DisciplesState, seat: Seat, bearer: MemberId, selector: Selector, target: str = "") -> Ids:
    if selector in {"self", "holder"}:
        return (bearer,)
    if selector in ONE_PARTY:
        return _no_minors(state, members_of(state, MemberId(target)))
    if selector in BATTLE:
        return BATTLE[selector](state, seat, bearer)
    owner = seat if selector.startswith("own") else foe(seat)
    return tuple(member.id for member in of_seat(state, owner) if _is_meant(member, selector))


def _is_meant(member: Member, selector: Selector) -> bool:
    """DL-048: Units and Major Leaders only."""
    kinds = {"own_major": {"major"}, "enemy_major": {"major"}, "enemy_unit": {"unit"}}
    return member.kind in kinds.get(selector, {"major", "unit"})


def _no_minors(state: DisciplesState, ids: Iterable[MemberId]) -> Ids:
    return tuple(id_ for id_ in ids if state.members[id_].kind != "minor")


def _own(state: DisciplesState, seat: Seat) -> MemberId:
    assert state.battle is not None
    return state.battle.party(seat)


def _allies(state: DisciplesState, seat: Seat, _: MemberId) -> Ids:
    return _no_minors(state, living(state, _own(state, seat)))


def _other_allies(state: DisciplesState, seat: Seat, bearer: MemberId) -> Ids:
    return tuple(id_ for id_ in _allies(state, seat, bearer) if id_ != bearer)


def _dead_allies(state: DisciplesState, seat: Seat, _: MemberId) -> Ids:
    return _no_minors(state, members_of(state, _own(state, seat)))


def _enemies(state: DisciplesState, seat: Seat, _: MemberId) -> Ids:
    return _no_minors(state, living(state, _own(state, foe(seat))))


def _adjacent(state: DisciplesState, _: Seat, bearer: MemberId) -> Ids:
    return _no_minors(state, adjacent_enemies(state, bearer))


BATTLE: Final[dict[Selector, Callable[[DisciplesState, Seat, MemberId], Ids]]] = {
    "ally": _allies,
    "other_ally": _other_allies,
    "allies": _allies,
    "dead_ally": _dead_allies,
    "enemy": _enemies,
    "adj_enemy": _adjacent,
    "enemies": _enemies,
}
"""DL-194: these never reach outside the Battle."""


def _items(state: DisciplesState, seat: Seat) -> tuple[str, ...]:
    """DL-Q61: Items of enemy Major Leaders, living or dead; the player needs a living one to receive them."""
    if not receivers(state, seat):
        return ()
    majors = (member for member in of_seat(state, foe(seat)) if member.kind == "major")
    return tuple(f"{member.id}/{item}" for member in majors for item in member.items)


def receivers(state: DisciplesState, seat: Seat) -> Ids:
    """The player's living Major Leaders, who may receive a stolen Item (DL-Q61)."""
    return tuple(member.id for member in of_seat(state, seat) if member.kind == "major" and not member.dead)


def _cities(state: DisciplesState, seat: Seat) -> tuple[str, ...]:
    """DL-066: never a Capital."""
    return tuple(c.id for c in state.cities.values() if c.seat != seat and not c.capital and not c.tapped)


def _mana(state: DisciplesState, seat: Seat) -> tuple[str, ...]:
    return tuple(mana.id for mana in state.mana.values() if mana.seat != seat)


PLACES: Final[dict[Selector, Callable[[DisciplesState, Seat], tuple[str, ...]]]] = {
    "enemy_item": _items,
    "enemy_city": _cities,
    "enemy_mana": _mana,
}
