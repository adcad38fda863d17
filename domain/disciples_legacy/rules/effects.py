"""6.2 Operations of abilities, each in a small function of its own."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.dying import deal, discard_duplicates, settle
from domain.disciples_legacy.rules.recruiting import lone_party
from domain.disciples_legacy.rules.targets import affected
from domain.disciples_legacy.state.events import (
    CityTapped,
    EffectLaid,
    HandPeeked,
    Healed,
    ItemMoved,
    LeaderArrived,
    LeaderSpent,
    LeadersUnspent,
    MemberRevived,
    MembersHealed,
    MembersTapped,
    MembersUntapped,
    PlaceCaptured,
    Warded,
)
from domain.disciples_legacy.state.queries import (
    next_member,
)
from domain.disciples_legacy.state.state import DisciplesState, Effect, Member, MemberId, PlaceId, Ward
from domain.disciples_legacy.state.stats import revived_damage
from domain.kernel import Resolver, Seat

R = Resolver[DisciplesState]
TEXT: Final = "DL-Q68"
"""The rule named for all effects of card texts; the preceding event names the text."""


class Use(Struct, frozen=True):
    """An ability in use: its user, its card in play, its targets. `receiver` is the Leader that gets a stolen Item."""

    seat: Seat
    bearer: MemberId
    ability: hooks.Ability
    target: str = ""
    receiver: str = ""


def carry_out(r: R, use: Use) -> None:
    """Apply the ability, then deaths, Parties wiped out and the result."""
    apply(r, use)
    settle(r)


def apply(r: R, use: Use) -> None:
    """Apply the ability to the members it concerns now: members that enter play later are not affected (6.2)."""
    OPERATIONS[type(use.ability.op)](r, use, use.ability.op)


def _targets(r: R, use: Use) -> tuple[MemberId, ...]:
    return affected(r.state, use.seat, use.bearer, use.ability, use.target)


def _damage(r: R, use: Use, op: hooks.Damage) -> None:
    """Not an attack: neither Attack nor on-hit effects count."""
    deal(r, _targets(r, use), op.n, TEXT)


def _heal(r: R, use: Use, op: hooks.HealOperation) -> None:
    heal(r, _targets(r, use), op.n, TEXT)


def heal(r: R, targets: tuple[MemberId, ...], amount: int, rule: str) -> None:
    """DL-206: up to this much damage is taken off each living target."""
    members = r.state.members
    healed = tuple(Healed(id_, min(amount, members[id_].damage)) for id_ in targets if not members[id_].dead)
    healed = tuple(each for each in healed if each.amount)
    if healed:
        r.emit(MembersHealed(healed, rule))


def _revive(r: R, use: Use, op: hooks.ReviveOperation) -> None:
    """DL-209, DL-211."""
    for id_ in _targets(r, use):
        r.emit(MemberRevived(id_, revived_damage(r.state, id_, op.hp), TEXT))


def _untap(r: R, use: Use, _: hooks.Untap) -> None:
    r.emit(MembersUntapped(_targets(r, use), TEXT))


def _tap(r: R, use: Use, _: hooks.Tap) -> None:
    r.emit(MembersTapped(_targets(r, use), TEXT))


def _spend(r: R, use: Use, _: hooks.Spend) -> None:
    for id_ in _targets(r, use):
        r.emit(LeaderSpent(id_, TEXT, reaction=True))


def _unspend(r: R, use: Use, _: hooks.Unspend) -> None:
    r.emit(LeadersUnspent(_targets(r, use), TEXT))


def _atk(r: R, use: Use, op: hooks.Atk) -> None:
    assert op.duration != "held"
    r.emit(EffectLaid(_targets(r, use), Effect("atk", op.n, op.duration)))


def _max_hp(r: R, use: Use, op: hooks.MaxHp) -> None:
    """DL-204: the damage stays, therefore a lower Max HP may kill a member (DL-Q39)."""
    assert op.duration != "held"
    r.emit(EffectLaid(_targets(r, use), Effect("maxhp", op.n, op.duration)))


def _ward(r: R, use: Use, op: hooks.WardOperation) -> None:
    """Not cumulative: the larger pool stays, the old one if they are equal."""
    assert op.duration != "held"
    wards = {id_: r.state.members[id_].ward for id_ in _targets(r, use)}
    better = tuple(id_ for id_, ward in wards.items() if op.n and (ward is None or ward.points < op.n))
    if better:
        r.emit(Warded(better, Ward(op.n, op.duration)))


def _steal_item(r: R, use: Use, _: hooks.StealItem) -> None:
    giver, item = use.target.split("/")
    r.emit(ItemMoved(item, MemberId(giver), MemberId(use.receiver), TEXT))
    discard_duplicates(r, MemberId(use.receiver))


def _steal_mana(r: R, use: Use, _: hooks.StealMana) -> None:
    r.emit(PlaceCaptured(PlaceId(use.target), use.seat, TEXT))


def _tap_city(r: R, use: Use, _: hooks.TapCityOperation) -> None:
    """The City gives no (C)."""
    r.emit(CityTapped(PlaceId(use.target), foe(use.seat), 0, TEXT))


def _peek(r: R, use: Use, op: hooks.Peek) -> None:
    """DL-232: only the user sees the cards."""
    hand = known(r.state.sides[foe(use.seat)].hand)
    seen = hand if op.n >= len(hand) else r.shuffle(hand, "DL-232", "Peek", seat=use.seat)[: op.n]
    r.emit(HandPeeked(use.seat, len(seen), tuple(sorted(seen))))


def _summon(r: R, use: Use, op: hooks.Summon) -> None:
    """DL-078; DL-080: a caster who already controls it may remove all its damage (the target is that Leader)."""
    if use.target:
        heal(r, (MemberId(use.target),), r.state.members[MemberId(use.target)].damage, "DL-080")
        return
    if any(member.card == op.card for member in r.state.members.values()):
        return
    id_ = next_member(r.state, use.seat)
    member = Member(id_, use.seat, op.card, "minor", id_)
    r.emit(LeaderArrived(member, lone_party(id_, use.seat), "summon", "DL-078"))


OPERATIONS: Final[dict[type[hooks.Operation], Callable[[R, Use, Any], None]]] = {
    hooks.Damage: _damage,
    hooks.HealOperation: _heal,
    hooks.ReviveOperation: _revive,
    hooks.Untap: _untap,
    hooks.Tap: _tap,
    hooks.Spend: _spend,
    hooks.Unspend: _unspend,
    hooks.Atk: _atk,
    hooks.MaxHp: _max_hp,
    hooks.WardOperation: _ward,
    hooks.StealItem: _steal_item,
    hooks.StealMana: _steal_mana,
    hooks.TapCityOperation: _tap_city,
    hooks.Peek: _peek,
    hooks.Summon: _summon,
}
"""Poison and drain are on-hit effects (battle/striking.py); style and mod are read where they apply."""
