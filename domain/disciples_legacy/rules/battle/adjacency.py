"""2.N Adjacency: the targets that an adj attack reaches (DL-094 to DL-104)."""

from domain.disciples_legacy.state.formation import BACK, FRONT, column
from domain.disciples_legacy.state.queries import living, slot_of
from domain.disciples_legacy.state.state import DisciplesState, MemberId, Party
from domain.kernel import Seat

CORNERS = (1, 3)
"""DL-098: the columns on the far left and far right."""


def opposing(state: DisciplesState, member: MemberId) -> MemberId:
    """DL-092: the other Battle Party, by its Leader."""
    assert state.battle is not None
    return state.battle.party(Seat(1 - state.members[member].seat))


def row(slot: int) -> tuple[int, ...]:
    """DL-087: the row of a slot."""
    return FRONT if slot in FRONT else BACK


def living_slots(state: DisciplesState, party: Party) -> dict[int, MemberId]:
    """The slots of living members, Leaders too (DL-Q11); a Giant is in its front slot only (DL-062, DL-104).

    Empty slots and the dead do not count (DL-Q12).
    """
    return {slot_of(party, id_): id_ for id_ in living(state, party.leader) if id_ in party.slots}


def adjacent_enemies(state: DisciplesState, attacker: MemberId) -> tuple[MemberId, ...]:
    """DL-094: the enemies that an adj attack of this member reaches, by slot."""
    enemy = opposing(state, attacker)
    own = state.parties[state.members[attacker].party]
    if enemy not in state.parties:
        return ()
    start = slot_of(own, attacker)
    # DL-095, DL-096: from the back row only when no member lives in the attacker's front row.
    if start in BACK and any(slot in FRONT for slot in living_slots(state, own)):
        return ()
    theirs = living_slots(state, state.parties[enemy])
    # DL-097, DL-102: any living member in front shields the back row.
    reached = [slot for slot in theirs if slot in FRONT] or list(theirs)
    return tuple(theirs[slot] for slot in sorted(reached) if not is_far_corner(start, slot, theirs))


def is_far_corner(start: int, target: int, theirs: dict[int, MemberId]) -> bool:
    """DL-093, DL-098, DL-099, DL-Q10, DL-Q13: whether both are in one corner column, with others in the target's row.

    A slot of the middle column is never a far corner (DL-100); members of the other row do not count (DL-103).
    """
    if column(start) != column(target) or column(start) not in CORNERS:
        return False
    return any(slot != target and slot in row(target) for slot in theirs)
