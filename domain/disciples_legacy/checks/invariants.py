"""Invariants of every state: members, Parties, damage, Items and resources are conserved."""

from collections.abc import Iterator, Mapping
from typing import Final

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
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId, Party, PlaceId
from domain.disciples_legacy.state.stats import max_hp
from domain.kernel import Hidden

LAST_STEP: Final = 3
"""DL-108: the steps of the Healing Phase."""
MOST_ROUNDS: Final = 2
"""DL-187."""
FREE_ACTIONS: Final = 2
"""DL-218."""


def invariants(state: DisciplesState) -> Iterator[str]:
    """A sentence for each violated invariant. Takes a whole state, not a view."""
    inside = {leader: members_of(state, leader) for leader in state.parties}
    for party in state.parties.values():
        yield from _party(state, party, inside[party.leader])
    yield from _members(state, inside)
    for seat in BOTH:
        yield from _side(state, seat)
        yield from _hand(state, seat)
    yield from _turn(state)
    yield from _attack(state)
    yield from _battle(state)
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
    # DL-139: only while the owner is asked to choose Units to discard
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
        # DL-203: no maximum is below 1; therefore only damaged members need the calculation
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
        yield from _laid(member)


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


def _laid(member: Member) -> Iterator[str]:
    """6.2: effects on a member are not empty; DL-216: a dead Minor Leader is discarded at once."""
    if member.ward is not None and member.ward.points < 1:
        yield f"{member.id} has a ward of {member.ward.points}"
    if member.poison is not None and min(member.poison.amount, member.poison.left) < 1:
        yield f"{member.id} has a poison of {member.poison.amount} for {member.poison.left} Battle Rounds"
    if member.dead and member.kind == "minor":
        yield f"{member.id} is a dead Minor Leader who is still there"
    if member.dead and member.damage < 1:
        yield f"{member.id} is dead without damage"


def _hand(state: DisciplesState, seat: int) -> Iterator[str]:
    """DL-033, DL-036, DL-037: limits of a Reserves Deck; counts are never negative."""
    side, index = state.sides[seat], cards_of(state)
    hand = () if isinstance(side.hand, Hidden) else side.hand
    if len(set(hand)) < len(hand):
        yield f"seat {seat} holds a card twice"
    for card in hand:
        if card in index.majors or card in index.capitals:
            yield f"seat {seat} holds {card}, which is of no Reserves Deck"
    if min(side.recruited, side.free_revives) < 0:
        yield f"seat {seat} has recruited or revived less than nobody"
    gone = side.entered - sum(member.seat == seat for member in state.members.values())
    if gone < 0:
        yield f"seat {seat} has more members than ever entered play"
    capitals = [city for city in state.cities.values() if city.capital and city.seat == seat]
    if len(capitals) > 1:
        yield f"seat {seat} has {len(capitals)} Capitals"
    for leader in side.rearranged:
        # a rearranged Party may be wiped out in the next action
        is_wiped_out = leader not in state.members and gone > 0
        if state.parties[leader].seat != seat if leader in state.parties else not is_wiped_out:
            yield f"seat {seat} has arranged {leader}, which is no Party of its own"


def _turn(state: DisciplesState) -> Iterator[str]:
    if (state.turn == 0) != (state.phase == "setup") or not 0 <= state.turn <= state.options.turn_limit:
        yield f"turn {state.turn} of {state.options.turn_limit} in the phase {state.phase}"
    if not 0 <= state.step <= LAST_STEP or (state.step and state.phase != "healing"):
        yield f"step {state.step} in the phase {state.phase}"
    if state.phase in {"setup", "untap", "end"} and state.attack is not None:
        yield f"an attack in the phase {state.phase}"


def _attack(state: DisciplesState) -> Iterator[str]:
    """DL-152, DL-153, DL-160: the attacker, its target, and the blocking Party."""
    attack = state.attack
    if attack is None:
        return
    attacker = state.members.get(attack.leader)
    if attacker is not None and (attacker.seat != attack.seat or attacker.kind == "unit"):
        yield f"seat {attack.seat} attacks with {attack.leader}, who is not its Leader"
    city = state.cities.get(PlaceId(attack.target))
    if city is not None and city.capital:
        yield f"{attack.target} is a Capital and attacked"
    places = (city, state.mana.get(PlaceId(attack.target)), state.parties.get(MemberId(attack.target)))
    if any(place is not None and place.seat == attack.seat for place in places):
        yield f"{attack.target} is attacked by its own side"
    blocker = state.members.get(attack.blocker)
    if blocker is not None and (blocker.seat == attack.seat or blocker.kind == "unit" or blocker.id == attack.target):
        yield f"{attack.blocker} cannot block the attack"
    if attack.escaped and not attack.blocker:
        yield "nobody blocks, and has escaped"


def _battle(state: DisciplesState) -> Iterator[str]:
    """DL-156, DL-171, DL-187, DL-218: the Parties of a Battle, and its length."""
    battle, attack = state.battle, state.attack
    if battle is None:
        return
    if attack is None or (battle.attacking, battle.attacker) != (attack.seat, attack.leader):
        yield "a Battle that is not of the attack"
    elif battle.defender not in {attack.blocker, attack.target}:
        yield f"{battle.defender} fights, and neither blocks nor is attacked"
    fighting = [
        (party, state.parties[party].seat) for party in (battle.attacker, battle.defender) if party in state.parties
    ]
    for party, seat in fighting:
        if (seat == battle.attacking) != (party == battle.attacker):
            yield f"{party} fights on the wrong side"
    if not 0 <= battle.round <= MOST_ROUNDS:
        yield f"Battle Round {battle.round} of {MOST_ROUNDS}"
    if battle.retreating not in {-1, *BOTH} or not 0 <= battle.free <= FREE_ACTIONS:
        yield f"{battle.free} free actions after the retreat of {battle.retreating}"
    if battle.retreating == -1 and battle.free:
        yield "free actions, and nobody retreats"
    for id_ in battle.arranged:
        if id_ not in state.members:
            yield f"{id_} has been moved, who is not there"
