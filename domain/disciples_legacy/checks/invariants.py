"""What must hold of every state: members, Parties, damage, Items and resources are conserved."""

from collections.abc import Iterator, Mapping

from domain.commons.rows import BOTH
from domain.disciples_legacy.state.formation import FRONT, is_overfull
from domain.disciples_legacy.state.queries import (
    MOST_MAJOR,
    MOST_MINOR,
    cards_of,
    is_giant,
    leaders,
    members_of,
    units_of,
)
from domain.disciples_legacy.state.state import DisciplesState, MemberId, Party
from domain.disciples_legacy.state.stats import max_hp
from domain.kernel import Hidden


def invariants(state: DisciplesState) -> Iterator[str]:
    """Sentences about everything that is wrong; of a whole state, not of a view."""
    inside = {leader: members_of(state, leader) for leader in state.parties}
    for party in state.parties.values():
        yield from _party(state, party, inside[party.leader])
    yield from _members(state, inside)
    for seat in BOTH:
        yield from _side(state, seat)
    for id_, seat in (*((c.id, c.seat) for c in state.cities.values()), *((m.id, m.seat) for m in state.mana.values())):
        if seat not in BOTH:
            yield f"{id_} is nobody's"


def _party(state: DisciplesState, party: Party, inside: tuple[MemberId, ...]) -> Iterator[str]:
    leader = state.members.get(party.leader)
    if leader is None or leader.kind == "unit":
        yield f"the Party of {party.leader} has no Leader"
        return
    for id_ in inside:
        member = state.members.get(id_)
        if member is None or member.party != party.leader or member.seat != party.seat:
            yield f"{id_} stands in the Party of {party.leader}, which is not its own"
        elif id_ != party.waiting:
            yield from _place(state, party, id_)
    if all(state.members[id_].dead for id_ in inside):
        yield f"the Party of {party.leader} is wiped out and still there"
    # DL-139: only while its owner is asked which Units go
    if is_overfull(state, party.leader) and not _is_asked(state, "OverflowDiscard"):
        yield f"the Party of {party.leader} has too many Units: {', '.join(units_of(state, party.leader))}"


def _place(state: DisciplesState, party: Party, id_: str) -> Iterator[str]:
    slots = [number for number, found in enumerate(party.slots, 1) if found == id_]
    giant = is_giant(cards_of(state), state.members[party.slots[slots[0] - 1]].card)
    fits = len(slots) == 2 and slots[0] in FRONT and slots[1] == slots[0] + 3 if giant else len(slots) == 1
    if not fits:
        yield f"{id_} stands in {slots}"


def _is_asked(state: DisciplesState, kind: str) -> bool:
    return any(asked.kind == kind for asked in (*state.asked, *state.waiting))


def _members(state: DisciplesState, inside: Mapping[MemberId, tuple[MemberId, ...]]) -> Iterator[str]:
    for member in state.members.values():
        if member.id not in inside.get(member.party, ()):
            yield f"{member.id} is in no Party"
            continue
        # DL-203: no maximum is below 1, so only who is damaged needs it worked out
        if member.damage < 0 or (member.damage and not member.dead and member.damage >= max_hp(state, member.id)):
            yield f"{member.id} lives with {member.damage} damage of {max_hp(state, member.id)}"
        if member.items and member.kind == "unit":
            yield f"{member.id} is a Unit and carries Items"
        if len(set(member.items)) < len(member.items):
            yield f"{member.id} carries an Item twice"
        if member.dead and (member.effects or member.ward or member.poison):
            yield f"{member.id} is dead and under an effect"
        if member.tapped and state.battle is None:
            yield f"{member.id} is tapped outside Battle"


def _side(state: DisciplesState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    if side.credit < 0 or (side.credit and state.phase not in {"healing", "strategic"}):
        yield f"seat {seat} has {side.credit} (C)"
    if isinstance(side.hand, Hidden):
        yield f"seat {seat}: the hand is hidden"
    elif len(side.hand) != side.hand_size or set(side.known) - set(side.hand) or set(side.lacks) & set(side.hand):
        yield f"seat {seat}: the hand is counted wrongly, or not what was seen of it"
    for kind, most in (("major", MOST_MAJOR), ("minor", MOST_MINOR)):
        if len(leaders(state, seat, kind)) > most:  # type: ignore[arg-type]
            yield f"seat {seat} has too many Leaders of the kind {kind}"
