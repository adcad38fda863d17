"""Max HP, Attack and style as they are now: the printed figures, passives (window P) and effects on a member."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import CardIndex
from domain.disciples_legacy.cards.hooks import Ability, Atk, MaxHp, SetStyle, Style
from domain.disciples_legacy.state.queries import cards_of, members_of
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId

LEAST_ATTACK = 0
LEAST_MAX_HP = 1


@lru_cache(maxsize=64)
def _passive_cards(index: CardIndex) -> dict[str, tuple[Ability, ...]]:
    """The cards with abilities of window P, and these."""
    found = ((card, tuple(a for a in abilities if a.window == "P")) for card, abilities in index.abilities.items())
    return {card: passives for card, passives in found if passives}


def passives(state: DisciplesState, member: Member) -> Iterator[Ability]:
    """The passives that work on a member now (6.2, DL-208): its own, its Items', and those on all of its Party."""
    known = _passive_cards(cards_of(state))
    if not known:
        return
    if member.kind == "minor":
        bearers: tuple[MemberId, ...] = (member.id,)
    else:
        bearers = members_of(state, member.party) if member.party in state.parties else (member.id,)
    for id_ in bearers:
        bearer = state.members[id_]
        if bearer.dead:
            continue
        for card in (bearer.card, *bearer.items) if bearer.items else (bearer.card,):
            for ability in known.get(card, ()):
                # DL-048: only its own card and the Items that it carries change a Minor Leader.
                if (ability.selector == "allies" and member.kind != "minor") or (
                    ability.selector in {"self", "holder"} and id_ == member.id
                ):
                    yield ability


def _laid(member: Member, stat: str) -> int:
    return sum(effect.amount for effect in member.effects if effect.stat == stat)


def max_hp(state: DisciplesState, id_: MemberId) -> int:
    """DL-201, DL-203: printed, passive and laid; never below 1 (6.2)."""
    member = state.members[id_]
    printed = cards_of(state).bodies[member.card].hp
    held = sum(ability.op.n for ability in passives(state, member) if isinstance(ability.op, MaxHp))
    return max(LEAST_MAX_HP, printed + held + _laid(member, "maxhp"))


def attack(state: DisciplesState, id_: MemberId) -> int:
    """DL-195: printed, passive and laid; never below 0 (6.2)."""
    member = state.members[id_]
    printed = cards_of(state).bodies[member.card].attack
    held = sum(ability.op.n for ability in passives(state, member) if isinstance(ability.op, Atk))
    return max(LEAST_ATTACK, printed + held + _laid(member, "atk"))


def style(state: DisciplesState, id_: MemberId) -> Style:
    """DL-055: the printed style, or the one a passive gives; the latest wins (6.2)."""
    member = state.members[id_]
    found = cards_of(state).bodies[member.card].style
    for ability in passives(state, member):
        if isinstance(ability.op, SetStyle):
            found = ability.op.style
    return found


def hp(state: DisciplesState, id_: MemberId) -> int:
    """DL-201: Max HP less damage; 0 for a dead member."""
    member = state.members[id_]
    return 0 if member.dead else max_hp(state, id_) - member.damage


def revived_damage(state: DisciplesState, id_: MemberId, hp_after: int) -> int:
    """DL-209, DL-Q58: the damage of a member revived with this many HP, by its Max HP once it lives."""
    members = {**state.members, id_: replace(state.members[id_], dead=False)}
    whole = max_hp(replace(state, members=members), id_)
    return whole - min(hp_after, whole)
