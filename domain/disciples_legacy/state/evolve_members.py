"""The effect of events on members and Parties: entering, leaving, damage, death, Items, effects."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.evolve_state import with_members, with_side
from domain.disciples_legacy.state.state import Codes, DisciplesState, Member, MemberId, Party
from domain.kernel import Event


def _enter(s: DisciplesState, member: Member, party: Party) -> DisciplesState:
    members = {**s.members, member.id: member}
    parties = {**s.parties, party.leader: party}
    return with_side(
        replace(s, members=members, parties=parties), member.seat, entered=s.sides[member.seat].entered + 1
    )


def leader_arrived(s: DisciplesState, event: e.LeaderArrived) -> DisciplesState:
    """A new Party of one; a replaced Leader leaves the discard pile (DL-165)."""
    member = event.member
    s = _enter(s, member, event.party)
    if event.origin == "discard":
        pile = list(s.sides[member.seat].discard)
        pile.remove(member.card)
        return with_side(s, member.seat, discard=tuple(pile))
    return s


def unit_recruited(s: DisciplesState, event: e.UnitRecruited) -> DisciplesState:
    """The Unit is in its Party; the turn's first is counted (6.2, `recruit_discount`)."""
    seat = event.member.seat
    s = _enter(s, event.member, event.party)
    return with_side(s, seat, recruited=s.sides[seat].recruited + 1)


def _without(s: DisciplesState, seat: int, gone: Iterable[MemberId], discarded: Codes) -> DisciplesState:
    left = set(gone)
    members = {id_: member for id_, member in s.members.items() if id_ not in left}
    parties = {id_: party for id_, party in s.parties.items() if id_ not in left}
    s = replace(s, members=members, parties=parties)
    return with_side(s, seat, discard=(*s.sides[seat].discard, *discarded))


def leader_dismissed(s: DisciplesState, event: e.LeaderDismissed) -> DisciplesState:
    """The card and its Items go to the discard pile."""
    return _without(s, s.members[event.leader].seat, (event.leader,), event.discarded)


def units_discarded(s: DisciplesState, event: e.UnitsDiscarded) -> DisciplesState:
    """The Party takes the formation in the event."""
    cards = tuple(s.members[unit].card for unit in event.units)
    s = _without(s, event.party.seat, event.units, cards)
    return replace(s, parties={**s.parties, event.party.leader: event.party})


def party_wiped_out(s: DisciplesState, event: e.PartyWipedOut) -> DisciplesState:
    """DL-212: all its cards are in the discard pile."""
    gone = tuple(member.id for member in s.members.values() if member.party == event.party)
    return _without(s, s.members[event.party].seat, gone, event.discarded)


def _items(s: DisciplesState, leader: MemberId, items: Codes) -> DisciplesState:
    return with_members(s, (leader,), items=items)


def items_bought(s: DisciplesState, event: e.ItemsBought) -> DisciplesState:
    """The Leader carries them."""
    return _items(s, event.leader, (*s.members[event.leader].items, *event.items))


def _less(items: Codes, gone: Codes) -> Codes:
    """The Items without these, the later copies first: a Leader may hold a second copy only for a moment (DL-071)."""
    left = list(reversed(items))
    for item in gone:
        left.remove(item)
    return tuple(reversed(left))


def item_moved(s: DisciplesState, event: e.ItemMoved) -> DisciplesState:
    """From one Leader to another."""
    s = _items(s, event.giver, _less(s.members[event.giver].items, (event.item,)))
    return _items(s, event.receiver, (*s.members[event.receiver].items, event.item))


def items_discarded(s: DisciplesState, event: e.ItemsDiscarded) -> DisciplesState:
    """They are in the pile of the Leader's controller."""
    leader = s.members[event.leader]
    s = _items(s, leader.id, _less(leader.items, event.items))
    return with_side(s, leader.seat, discard=(*s.sides[leader.seat].discard, *event.items))


def parties_traded(s: DisciplesState, event: e.PartiesTraded) -> DisciplesState:
    """Both Parties as they stand now."""
    for party, items in zip(event.parties, event.items, strict=True):
        units = (id_ for id_ in dict.fromkeys(party.slots) if id_)
        s = _items(with_members(s, units, party=party.leader), party.leader, items)
    return replace(s, parties={**s.parties, **{party.leader: party for party in event.parties}})


def party_rearranged(s: DisciplesState, event: e.PartyRearranged) -> DisciplesState:
    """The formation, and in a Battle's formation step the member that was moved."""
    party = replace(s.parties[event.party], slots=event.slots)
    s = replace(s, parties={**s.parties, event.party: party})
    if s.battle is None:
        return s
    return replace(s, battle=replace(s.battle, arranged=(*s.battle.arranged, event.moved)))


def formation_kept(s: DisciplesState, event: e.FormationKept) -> DisciplesState:
    """Outside Battle the owner is offered this Party again after the next action only (DL-Q62)."""
    if s.battle is not None:
        return replace(s, battle=replace(s.battle, arranged=()))
    seat = s.parties[event.party].seat
    return with_side(s, seat, rearranged=(*s.sides[seat].rearranged, event.party))


def member_revived(s: DisciplesState, event: e.MemberRevived) -> DisciplesState:
    """DL-209; tapped and spent stay as they were (DL-Q57)."""
    s = with_members(s, (event.member,), dead=False, damage=event.damage)
    if not event.free:
        return s
    seat = s.members[event.member].seat
    return with_side(s, seat, free_revives=s.sides[seat].free_revives + 1)


def members_healed(s: DisciplesState, event: e.MembersHealed) -> DisciplesState:
    """Damage falls."""
    changed = {
        healed.member: replace(s.members[healed.member], damage=s.members[healed.member].damage - healed.amount)
        for healed in event.healed
    }
    return replace(s, members={**s.members, **changed})


def _hit(member: Member, hurt: e.Hurt) -> Member:
    ward = member.ward
    if ward is not None and hurt.absorbed:
        left = ward.points - hurt.absorbed
        ward = replace(ward, points=left) if left else None
    return replace(member, damage=member.damage + hurt.damage, ward=ward)


def members_damaged(s: DisciplesState, event: e.MembersDamaged) -> DisciplesState:
    """Damage rises, wards fall."""
    changed = {hurt.member: _hit(s.members[hurt.member], hurt) for hurt in event.hurt}
    return replace(s, members={**s.members, **changed})


def members_died(s: DisciplesState, event: e.MembersDied) -> DisciplesState:
    """DL-Q58: a dead member has no changing state but its damage."""
    changed = {
        hurt.member: replace(s.members[hurt.member], dead=True, damage=hurt.damage, effects=(), ward=None, poison=None)
        for hurt in event.dead
    }
    return replace(s, members={**s.members, **changed})


def effect_laid(s: DisciplesState, event: e.EffectLaid) -> DisciplesState:
    """Changes add up."""
    changed = {id_: replace(s.members[id_], effects=(*s.members[id_].effects, event.effect)) for id_ in event.members}
    return replace(s, members={**s.members, **changed})


def warded(s: DisciplesState, event: e.Warded) -> DisciplesState:
    """The ward is this one."""
    return with_members(s, event.members, ward=event.ward)


def poisoned(s: DisciplesState, event: e.Poisoned) -> DisciplesState:
    """The poison is this one."""
    return with_members(s, event.members, poison=event.poison)


def poison_faded(s: DisciplesState, event: e.PoisonFaded) -> DisciplesState:
    """The poison works one time less."""
    changed = {}
    for id_ in event.members:
        poison = s.members[id_].poison
        assert poison is not None
        changed[id_] = replace(
            s.members[id_], poison=replace(poison, left=poison.left - 1) if poison.left > 1 else None
        )
    return replace(s, members={**s.members, **changed})


def _ended(member: Member, until: str) -> Member:
    effects = tuple(effect for effect in member.effects if effect.until != until)
    ward = None if member.ward is not None and member.ward.until == until else member.ward
    return replace(member, effects=effects, ward=ward, poison=None if until == "battle" else member.poison)


def effects_ended(s: DisciplesState, event: e.EffectsEnded) -> DisciplesState:
    """Poison ends with the Battle (6.2)."""
    changed = {id_: _ended(s.members[id_], event.until) for id_ in event.members}
    return replace(s, members={**s.members, **changed})


def members_tapped(s: DisciplesState, event: e.MembersTapped) -> DisciplesState:
    """DL-001."""
    return with_members(s, event.members, tapped=True)


def members_untapped(s: DisciplesState, event: e.MembersUntapped) -> DisciplesState:
    """DL-184."""
    return with_members(s, event.members, tapped=False)


MEMBER_EVOLVE: dict[type[Event], Callable[[Any, Any], DisciplesState]] = {
    e.LeaderArrived: leader_arrived,
    e.UnitRecruited: unit_recruited,
    e.LeaderDismissed: leader_dismissed,
    e.UnitsDiscarded: units_discarded,
    e.PartyWipedOut: party_wiped_out,
    e.ItemsBought: items_bought,
    e.ItemMoved: item_moved,
    e.ItemsDiscarded: items_discarded,
    e.PartiesTraded: parties_traded,
    e.PartyRearranged: party_rearranged,
    e.FormationKept: formation_kept,
    e.MemberRevived: member_revived,
    e.MembersHealed: members_healed,
    e.MembersDamaged: members_damaged,
    e.MembersDied: members_died,
    e.EffectLaid: effect_laid,
    e.Warded: warded,
    e.Poisoned: poisoned,
    e.PoisonFaded: poison_faded,
    e.EffectsEnded: effects_ended,
    e.MembersTapped: members_tapped,
    e.MembersUntapped: members_untapped,
}
