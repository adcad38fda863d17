"""2.M, 2.G: formations of six slots; Giants in columns; the limits of a Party."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import CardIndex
from domain.disciples_legacy.state.queries import cards_of, is_giant, leadership, units_of
from domain.disciples_legacy.state.state import EMPTY, NOBODY, DisciplesState, MemberId, Party, Slots

FRONT: Final = (1, 2, 3)
"""DL-087, DL-088: the row nearer to the opponent."""
BACK: Final = (4, 5, 6)
MOST_GIANTS: Final = 2
"""DL-059."""
MOST_UNITS: Final = 5
"""DL-086."""
DEFAULT_SLOT: Final = 2
"""DL-Q45."""


def column(slot: int) -> int:
    """DL-087: columns 1/4, 2/5 and 3/6."""
    return slot if slot <= 3 else slot - 3


def cells(slot: int, giant: bool) -> tuple[int, ...]:
    """DL-057: the slots that a member takes; a Giant its whole column."""
    return (column(slot), column(slot) + 3) if giant else (slot,)


def with_member(slots: Slots, member: MemberId, slot: int, giant: bool) -> Slots:
    """The formation with one more member."""
    taken = cells(slot, giant)
    return _slots(member if number in taken else id_ for number, id_ in enumerate(slots, 1))


def without(slots: Slots, gone: Iterable[MemberId]) -> Slots:
    """The formation without some members."""
    left = set(gone)
    return _slots(NOBODY if id_ in left else id_ for id_ in slots)


def _slots(ids: Iterable[MemberId]) -> Slots:
    one, two, three, four, five, six = ids
    return one, two, three, four, five, six


def free_slots(slots: Slots, giant: bool) -> tuple[int, ...]:
    """DL-089: the slots for one more member; for a Giant the front slots of free columns (DL-058)."""
    wanted = FRONT if giant else (*FRONT, *BACK)
    return tuple(slot for slot in wanted if not any(slots[cell - 1] for cell in cells(slot, giant)))


def arranged(slots: Slots, members: Mapping[MemberId, bool]) -> Slots | None:
    """A formation of all members (True: a Giant), each in its former slot if possible; None if they do not fit."""
    giants = [id_ for id_, giant in members.items() if giant]
    singles = [id_ for id_, giant in members.items() if not giant]
    if len(giants) > MOST_GIANTS or 2 * len(giants) + len(singles) > len(slots):
        return None
    made = EMPTY
    for id_ in giants:
        made = with_member(made, id_, _wanted(slots, made, id_, giant=True), giant=True)
    for id_ in singles:
        if id_ in slots and not made[slots.index(id_)]:
            made = with_member(made, id_, slots.index(id_) + 1, giant=False)
    for id_ in singles:
        if id_ not in made:
            made = with_member(made, id_, _wanted(slots, made, id_, giant=False), giant=False)
    return made


def _wanted(before: Slots, made: Slots, member: MemberId, *, giant: bool) -> int:
    """The member's former slot, if that is free; else the first free slot, if possible one that was free before."""
    free = free_slots(made, giant)
    if member in before and before.index(member) + 1 in free:
        return before.index(member) + 1
    fresh = [slot for slot in free if not any(before[cell - 1] for cell in cells(slot, giant))]
    return (fresh or list(free))[0]


def moves(index: CardIndex, state: DisciplesState, party: Party, member: MemberId) -> Iterator[tuple[int, Slots]]:
    """The slots for a move of a member, and the formation then: it changes places with a member that stands there.

    A Giant changes columns; a member that would change places with a Giant changes columns too.
    """
    slots = party.slots
    start = slots.index(member) + 1
    giant = is_giant(index, state.members[member].card)
    for slot in FRONT if giant else (*FRONT, *BACK):
        if slot == start:
            continue
        other = slots[slot - 1]
        if giant or (other and is_giant(index, state.members[other].card)):
            if column(slot) != column(start):
                yield slot, _swapped_columns(slots, column(start), column(slot))
        else:
            yield slot, _swapped(slots, start, slot)


def _swapped(slots: Slots, first: int, second: int) -> Slots:
    changed = list(slots)
    changed[first - 1], changed[second - 1] = changed[second - 1], changed[first - 1]
    return _slots(changed)


def _swapped_columns(slots: Slots, first: int, second: int) -> Slots:
    return _swapped(_swapped(slots, first, second), first + 3, second + 3)


def is_overfull(state: DisciplesState, party: MemberId) -> bool:
    """DL-139, DL-140: more Units than its Leadership, or no formation that holds all."""
    return state.parties[party].waiting != NOBODY or len(units_of(state, party)) > leadership(state, party)


def least_discards(state: DisciplesState, party: MemberId) -> tuple[tuple[MemberId, ...], ...]:
    """DL-141, DL-Q33, DL-Q55: the minimal sets of Units whose discard makes the Party legal."""
    units = units_of(state, party)
    found: list[tuple[MemberId, ...]] = []
    for size in range(1, len(units) + 1):
        for gone in combinations(units, size):
            smaller = any(set(other) < set(gone) for other in found)
            if not smaller and fits(state, party, [unit for unit in units if unit not in gone]):
                found.append(gone)
    return tuple(found)


def fits(state: DisciplesState, party: MemberId, units: Iterable[MemberId]) -> bool:
    """DL-045, DL-059, DL-140: whether a Party may have these Units; a Giant is one Unit (DL-060, DL-061, DL-234)."""
    them = tuple(units)
    return len(them) <= leadership(state, party) and arranged(EMPTY, sizes(state, (party, *them))) is not None


def sizes(state: DisciplesState, ids: Iterable[MemberId]) -> dict[MemberId, bool]:
    """Members, and whether each is a Giant."""
    index = cards_of(state)
    return {id_: is_giant(index, state.members[id_].card) for id_ in ids}


def resettled(state: DisciplesState, party: MemberId, gone: Iterable[MemberId]) -> Party:
    """A Party after some of its Units have left; a Unit that waited finds a slot now."""
    found = state.parties[party]
    left = tuple(id_ for id_ in (party, *units_of(state, party)) if id_ not in set(gone))
    slots = arranged(found.slots, sizes(state, left))
    assert slots is not None, "whoever is left finds a slot"
    return replace(found, slots=slots, waiting=NOBODY)
