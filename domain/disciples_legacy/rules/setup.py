"""2.B Starting a game: decks handed in, armies deployed, Reserves drawn (DL-011 to DL-020)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from domain.commons.cards import known
from domain.disciples_legacy.cards.armies import deck_defects
from domain.disciples_legacy.cards.cards import CardIndex, Deck, DeckParty
from domain.disciples_legacy.rules.deployment import why_not_deployed
from domain.disciples_legacy.rules.dying import discard_duplicates
from domain.disciples_legacy.state.events import ArmyDeployed, DeckChosen, ReservesDrawn
from domain.disciples_legacy.state.formation import with_member
from domain.disciples_legacy.state.queries import (
    cards_of,
    decks_of,
    is_giant,
    kind_of,
)
from domain.disciples_legacy.state.state import EMPTY, City, DisciplesState, Member, MemberId, Party, PlaceId
from domain.kernel import NEXT, Arranging, Choice, Decision, Flow, Hidden, Open, Resolver, Seat

MOST_TOLD = 20
"""The number of a deck's defects that one refusal lists."""


class ChooseDeck(Choice, frozen=True):
    """Play this deck, a ready one or one of the options."""

    deck: str


class BringDeck(Choice, frozen=True):
    """Play this deck of the player's own."""

    deck: Deck


class DeckSelection(Decision, frozen=True):
    """DL-D01 The Army Deck and Reserves Deck; sealed until both have chosen, hidden until both are deployed."""

    rule = "DL-011"

    def form(self, state: DisciplesState) -> Open:
        """The decks by name, or any that the rules of deck construction allow."""
        listed = tuple(ChooseDeck(name) for name in decks_of(state))
        return Open(listed, BringDeck, lambda choice: _why_no_deck(state, choice))

    def resolve(self, r: Resolver[DisciplesState], choice: ChooseDeck | BringDeck) -> Flow:
        """The deck is the player's secret (DL-228)."""
        deck = choice.deck if isinstance(choice, BringDeck) else decks_of(r.state)[choice.deck]
        r.emit(DeckChosen(self.by, deck))
        return NEXT


def _why_no_deck(state: DisciplesState, choice: Choice) -> str:
    assert isinstance(choice, BringDeck)
    defects = deck_defects(choice.deck, cards_of(state), "deck")
    return "; ".join(str(defect) for _, defect in zip(range(MOST_TOLD), defects, strict=False))


class DeployAsListed(Choice, frozen=True):
    """Deploy the army as the deck lists it."""


class Deploy(Choice, frozen=True):
    """Deploy the army in these three Parties."""

    parties: tuple[DeckParty, ...]


class Deployment(Decision, frozen=True):
    """DL-D02 The army sorted into three Parties; sealed until both are ready (DL-012, DL-Q47)."""

    rule = "DL-014"

    def form(self, state: DisciplesState) -> Open:
        """As the deck lists it, or any legal assignment of all its cards; Items stay where they are listed."""
        deck = state.sides[self.by].deck
        arranging = None if deck is None or isinstance(deck, Hidden) else arranging_of(deck, cards_of(state))
        return Open((DeployAsListed(),), Deploy, lambda choice: self._why_not(state, choice), arranging)

    def _why_not(self, state: DisciplesState, choice: Choice) -> str:
        """DL-013, DL-015, DL-016: every card of the army, in legal Parties."""
        assert isinstance(choice, Deploy)
        deck = state.sides[self.by].deck
        if deck is None or isinstance(deck, Hidden):
            return "No deck has been chosen."
        return why_not_deployed(deck, choice.parties, cards_of(state))

    def resolve(self, r: Resolver[DisciplesState], choice: DeployAsListed | Deploy) -> Flow:
        """DL-229: the army lies open; DL-017: the Reserves are the hand."""
        deck = known(r.state.sides[self.by].deck)
        assert deck is not None
        parties = choice.parties if isinstance(choice, Deploy) else deck.parties
        deploy(r, self.by, replace(deck, parties=parties))
        return NEXT


def arranging_of(deck: Deck, index: CardIndex) -> Arranging:
    """The members of a deck's Parties, `PARTY.NUMBER`, on the slots of all three, `PARTY.SLOT`.

    DL-014: a Leader stays in his own Party. DL-055: a Giant is named by his front slot.
    """
    lie: dict[str, str] = {}
    allowed: dict[str, tuple[str, ...]] = {}
    for number, party in enumerate(deck.parties):
        for at, (slot, card) in enumerate(party.places):
            parties = (number,) if at == 0 else range(len(deck.parties))
            slots = range(1, 4) if is_giant(index, card) else range(1, 7)
            lie[f"{number}.{at}"] = f"{number}.{slot}"
            allowed[f"{number}.{at}"] = tuple(f"{other}.{there}" for other in parties for there in slots)
    return Arranging(lambda places: Deploy(_arranged(deck, places)), allowed, lie)


def _arranged(deck: Deck, places: Mapping[str, str]) -> tuple[DeckParty, ...]:
    leaders = [0] * len(deck.parties)
    units: list[dict[str, str]] = [{} for _ in deck.parties]
    for number, party in enumerate(deck.parties):
        for at, (_, card) in enumerate(party.places):
            into, slot = map(int, places[f"{number}.{at}"].split("."))
            if at == 0:
                leaders[into] = slot
            else:
                units[into][str(slot)] = card
    return tuple(
        DeckParty(party.leader, slot, there, party.items)  # type: ignore[arg-type]
        for party, slot, there in zip(deck.parties, leaders, units, strict=True)
    )


@dataclass
class _Muster:
    """The members and Parties of an army, named in the order they are placed."""

    state: DisciplesState
    seat: Seat
    members: list[Member] = field(default_factory=list)
    parties: list[Party] = field(default_factory=list)

    def add(self, party: DeckParty) -> None:
        """DL-020: every member enters with full HP, untapped, unspent and living."""
        index = cards_of(self.state)
        leader = self._name()
        slots = EMPTY
        for slot, card in party.places:
            id_ = self._name()
            kind = kind_of(index, card)
            items = party.items if id_ == leader else ()
            self.members.append(Member(id_, self.seat, card, kind, leader, items=items))
            slots = with_member(slots, id_, slot, is_giant(index, card))
        self.parties.append(Party(leader, self.seat, slots))

    def _name(self) -> MemberId:
        return MemberId(f"{'AB'[self.seat]}{len(self.members) + 1}")


def deploy(r: Resolver[DisciplesState], seat: Seat, deck: Deck) -> None:
    """DL-013, DL-017: the whole army in play, the whole Reserves Deck in hand."""
    muster = _Muster(r.state, seat)
    for party in deck.parties:
        muster.add(party)
    capital = City(PlaceId(f"C{r.state.places + 1}"), deck.capital, seat, capital=True)
    r.emit(ArmyDeployed(seat, deck.race, capital, tuple(muster.members), tuple(muster.parties)))
    for made in muster.parties:
        discard_duplicates(r, made.leader)
    r.emit(ReservesDrawn(seat, len(deck.reserves), deck.reserves))
