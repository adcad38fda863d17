"""DL-013 to DL-016: the faults of a deployment, as sentences that name the member to move.

Only the first fault found is reported: the player mends it and asks again.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.disciples_legacy.cards.armies import GIANTS, deck_defects
from domain.disciples_legacy.cards.cards import CardId, CardIndex, Deck, DeckParty


def why_not_deployed(deck: Deck, parties: tuple[DeckParty, ...], index: CardIndex) -> str:
    """The reason why the army of a deck cannot be deployed in these Parties; empty if it can."""
    other = replace(deck, parties=parties)
    if sorted(other.army) != sorted(deck.army):
        return "Deploy every card of the Army Deck, and no other (DL-013)."
    if not any(deck_defects(other, index)):
        return ""
    told = (sentence for party in parties for sentence in _party(party, index))
    return next(told, "Deploy three Parties, each of one Leader, Units on other places than his, and Items (DL-014).")


def _party(party: DeckParty, index: CardIndex) -> Iterator[str]:
    leader = index.majors.get(party.leader)
    if leader is None:
        return
    most, there = leader.leadership, len(party.units)
    if there > most:
        more = there - most
        yield f"{leader.name} leads {_units(most)} at most, but has {there}: move {more} to another Party (DL-045)."
    giants = sum(_giant(index, card) for card in party.units.values())
    if giants > GIANTS:
        yield f"A Party has room for {GIANTS} Giants, but {leader.name} has {giants}: move one to another (DL-059)."
    yield from _slots(party, index)


def _slots(party: DeckParty, index: CardIndex) -> Iterator[str]:
    taken: dict[int, CardId] = {}
    for slot, card in party.places:
        if card not in index.bodies:
            return
        giant = _giant(index, card)
        if giant and slot > 3:
            yield f"{index.cards[card].name} is a Giant, who takes both rows: move him to the front row (DL-058)."
            return
        for place in (slot, slot + 3) if giant else (slot,):
            if place in taken:
                yield _both(taken[place], card, place, index)
            taken[place] = card


def _both(one: CardId, other: CardId, place: int, index: CardIndex) -> str:
    also = "; a Giant takes both rows of his column" if _giant(index, one) or _giant(index, other) else ""
    named = f"{index.cards[one].name} and {index.cards[other].name}"
    return f"{named} are both in the {_where(place)}: move one of them{also} (DL-089)."


def _where(slot: int) -> str:
    return f"{'front' if slot <= 3 else 'back'} row, column {(slot - 1) % 3 + 1}"


def _giant(index: CardIndex, card: CardId) -> bool:
    return card in index.units and index.units[card].giant


def _units(number: int) -> str:
    return f"{number} {'Unit' if number == 1 else 'Units'}"
