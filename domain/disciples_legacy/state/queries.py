"""Questions about the table that several rules ask."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from domain.disciples_legacy.cards.cards import Body, CardIndex, Deck, MajorLeader, Unit, index_of
from domain.disciples_legacy.cards.hooks import Colour, ModName
from domain.disciples_legacy.state.state import City, Codes, DisciplesState, Kind, Member, MemberId, Party
from domain.kernel import Hidden

MOST_MAJOR: Final = 3
"""DL-050."""
MOST_MINOR: Final = 2
"""DL-051."""
FREE_SHOPPING: Final = 1
"""DL-144: (C) of a shopping action that cost nothing."""


def cards_of(state: DisciplesState) -> CardIndex:
    """The cards that the match is played with."""
    return index_of(state.options.cards)


def decks_of(state: DisciplesState) -> dict[str, Deck]:
    """The decks that may be chosen by name: the ready ones and those of the options (DL-D01)."""
    return {**cards_of(state).decks, **{deck.id: deck for deck in state.options.armies}}


def hand_of(state: DisciplesState, seat: int) -> Codes:
    """The player's Reserves, as far as the state contains them."""
    hand = state.sides[seat].hand
    return () if isinstance(hand, Hidden) else hand


def body(state: DisciplesState, member: MemberId) -> Body:
    """The printed values of a Unit or Leader."""
    return cards_of(state).bodies[state.members[member].card]


def kind_of(index: CardIndex, card: str) -> Kind:
    """DL-044: Major Leader, Minor Leader or Unit."""
    return "major" if card in index.majors else "minor" if card in index.minors else "unit"


def is_giant(index: CardIndex, card: str) -> bool:
    """DL-057."""
    unit = index.units.get(card)
    return unit is not None and unit.giant


def members_of(state: DisciplesState, party: MemberId) -> tuple[MemberId, ...]:
    """All members of a Party, living or dead, by slot; a Unit without a slot comes last."""
    found = state.parties[party]
    ordered = dict.fromkeys(id_ for id_ in (*found.slots, found.waiting) if id_)
    return tuple(ordered)


def units_of(state: DisciplesState, party: MemberId) -> tuple[MemberId, ...]:
    """DL-045: the Units of a Party, dead ones too (DL-Q32)."""
    return tuple(id_ for id_ in members_of(state, party) if id_ != party)


def living(state: DisciplesState, party: MemberId) -> tuple[MemberId, ...]:
    """The living members of a Party, by slot."""
    return tuple(id_ for id_ in members_of(state, party) if not state.members[id_].dead)


def slot_of(party: Party, member: MemberId) -> int:
    """The slot, 1 to 6; a Giant's is its front slot (DL-062)."""
    return party.slots.index(member) + 1


def of_seat(state: DisciplesState, seat: int) -> Iterator[Member]:
    """A player's members in play, living and dead."""
    return (member for member in state.members.values() if member.seat == seat)


def parties_of(state: DisciplesState, seat: int) -> tuple[MemberId, ...]:
    """A player's Parties, by their Leaders."""
    return tuple(party.leader for party in state.parties.values() if party.seat == seat)


def leaders(state: DisciplesState, seat: int, kind: Kind) -> tuple[MemberId, ...]:
    """A player's Leaders in play of a kind, living and dead."""
    return tuple(member.id for member in of_seat(state, seat) if member.kind == kind)


class Ready(NamedTuple):
    """DL-039, DL-006: a player's living Leaders that are not spent."""

    major: tuple[MemberId, ...]
    minor: tuple[MemberId, ...]

    @property
    def all(self) -> tuple[MemberId, ...]:
        """All of them, Minor Leaders first."""
        return self.minor + self.major


def ready_leaders(state: DisciplesState, seat: int) -> Ready:
    """The Leaders who may act."""
    major: list[MemberId] = []
    minor: list[MemberId] = []
    for member in state.members.values():
        if member.seat == seat and member.kind != "unit" and not member.dead and not member.spent:
            (major if member.kind == "major" else minor).append(member.id)
    return Ready(tuple(major), tuple(minor))


def leadership(state: DisciplesState, leader: MemberId) -> int:
    """DL-045; DL-047: a Minor Leader's is 0."""
    card = body(state, leader)
    return card.leadership if isinstance(card, MajorLeader) else 0


def cities_of(state: DisciplesState, seat: int) -> tuple[City, ...]:
    """DL-065: Cities and Capital that a player controls."""
    return tuple(city for city in state.cities.values() if city.seat == seat)


def has_race(state: DisciplesState, seat: int, race: str) -> bool:
    """DL-056, DL-073, DL-081, DL-Q43: whether a City or Capital of the race is controlled now."""
    return race in races_of(state, seat)


def races_of(state: DisciplesState, seat: int) -> set[str]:
    """DL-Q43: the races of the Cities and the Capital that are controlled now."""
    towns = cards_of(state).towns
    return {towns[city.card].race for city in state.cities.values() if city.seat == seat}


def modifier(state: DisciplesState, seat: int, name: ModName) -> int:
    """6.2, DL-Q51: the rule modifier of a player's Capital and Cities; several copies do not add up."""
    index = cards_of(state)
    found = 0
    for city in state.cities.values():
        if city.seat == seat:
            found = max(found, printed_modifier(index, city.card, name))
    return found


@lru_cache(maxsize=1024)
def printed_modifier(index: CardIndex, town: str, name: ModName) -> int:
    """6.2: the amount by which one Capital or City changes a rule; 0 if it does not."""
    return index.modifier(town, name)


MANA_OF_CITY: Final[dict[Colour, ModName]] = {"W": "mana_W", "U": "mana_U", "R": "mana_R", "B": "mana_B"}


def mana_owned(state: DisciplesState, seat: int, colour: Colour) -> int:
    """DL-075: Mana cards of a colour in play, and a City that counts as such (6.2)."""
    index = cards_of(state)
    cards = sum(1 for mana in state.mana.values() if mana.seat == seat and index.mana[mana.card].colour == colour)
    return cards + modifier(state, seat, MANA_OF_CITY[colour])


def untapped_yield(state: DisciplesState, seat: int) -> int:
    """DL-082: the (C) that a player's untapped Cities can still give."""
    towns = cards_of(state).towns
    return sum(towns[city.card].yield_c for city in cities_of(state, seat) if not city.tapped)


def purse(state: DisciplesState, seat: int) -> int:
    """The (C) that a player can spend now: the yield of untapped Cities, and credit (DL-084)."""
    return state.sides[seat].credit + untapped_yield(state, seat)


def can_pay(state: DisciplesState, seat: int, due: int) -> bool:
    """Whether a cost can be paid by tapping now."""
    return due <= purse(state, seat)


def unit_discount(state: DisciplesState, seat: int) -> int:
    """6.2 `recruit_discount`, for the turn's first Unit."""
    return 0 if state.sides[seat].recruited else modifier(state, seat, "recruit_discount")


def unit_price(state: DisciplesState, seat: int, card: Unit) -> int:
    """DL-Q05: the printed cost less the discount."""
    return max(0, card.cost - unit_discount(state, seat))


def next_member(state: DisciplesState, seat: int, further: int = 0) -> MemberId:
    """A new name: `A7` is the seventh that entered play for seat 0."""
    return MemberId(f"{'AB'[seat]}{state.sides[seat].entered + 1 + further}")


def loses(state: DisciplesState, seat: int) -> bool:
    """DL-225, DL-226: no living Leader and no living Unit."""
    return all(member.dead for member in of_seat(state, seat))
