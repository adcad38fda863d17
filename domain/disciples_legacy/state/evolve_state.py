"""Changes to one side, or to some members, of a state."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.commons.rows import change
from domain.disciples_legacy.state.state import Codes, DisciplesState, MemberId


def with_side(s: DisciplesState, seat: int, **fields: object) -> DisciplesState:
    """The state with these fields of a side changed."""
    return replace(s, sides=change(s.sides, seat, **fields))


def with_members(s: DisciplesState, ids: Iterable[MemberId], **fields: object) -> DisciplesState:
    """The state with these fields of some members changed."""
    return replace(s, members={**s.members, **{id_: replace(s.members[id_], **fields) for id_ in ids}})


def known_to_all(s: DisciplesState, seat: int, cards: Codes) -> DisciplesState:
    """DL-231: these cards of a hand are public from now on."""
    known = s.sides[seat].known
    if all(card in known for card in cards):
        return s
    return with_side(s, seat, known=(*known, *(card for card in cards if card not in known)))
