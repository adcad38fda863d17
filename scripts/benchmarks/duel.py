"""Duel: the game that Herald, boardgame.io and Colyseus play for `scripts/bench peers`; `peer/duel.mjs` is its twin.

Two players hold three cards each of a shuffled deck of twelve (1 to 6, twice). In turn, each plays the first card of a
hand that nobody else sees, and scores it and a die (DU-02). The top of the deck, or the card just played once the deck
is empty, goes to the end of the hand. After 2,000 cards the higher score wins (DU-03), which no run of the benchmark
reaches.
"""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from domain.commons.rows import BOTH, put
from domain.kernel import (
    HIDDEN,
    NEXT,
    Below,
    Choice,
    Decision,
    Event,
    Flow,
    Game,
    GameSpec,
    Goto,
    Hidden,
    Nobody,
    One,
    Only,
    Procedure,
    Resolver,
    Seat,
    State,
    ask,
    only,
    step,
)

Cards = tuple[int, ...]
DECK: Cards = (1, 2, 3, 4, 5, 6) * 2
HAND = 3
MOVES = 2_000


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """None."""


class DuelState(State, frozen=True, kw_only=True):
    """Hands and deck, as far as a viewer knows them, and the open scores; `moves`: cards played so far."""

    hands: tuple[Cards | Hidden, Cards | Hidden] = ((), ())
    deck: Cards | Hidden = ()
    scores: tuple[int, int] = (0, 0)
    moves: int = 0


class HandDealt(Event, frozen=True):
    """A player holds three cards; nobody else sees which."""

    seat: Seat
    cards: Annotated[Cards | Hidden, Only("seat")] = HIDDEN


class DeckPlaced(Event, frozen=True):
    """The rest of the deck lies face down."""

    size: int
    cards: Annotated[Cards | Hidden, Nobody()] = HIDDEN


class CardPlayed(Event, frozen=True):
    """A player's card lies open, and counts with the die."""

    seat: Seat
    card: int
    die: int


class CardDrawn(Event, frozen=True):
    """A player took a card that nobody else sees."""

    seat: Seat
    card: Annotated[int | Hidden, Only("seat")] = HIDDEN


def hand_dealt(s: DuelState, e: HandDealt) -> DuelState:
    return replace(s, hands=put(s.hands, e.seat, e.cards))


def deck_placed(s: DuelState, e: DeckPlaced) -> DuelState:
    return replace(s, deck=e.cards)


def card_played(s: DuelState, e: CardPlayed) -> DuelState:
    scores = put(s.scores, e.seat, s.scores[e.seat] + e.card + e.die)
    return replace(s, hands=put(s.hands, e.seat, s.hands[e.seat][1:]), scores=scores, moves=s.moves + 1)


def card_drawn(s: DuelState, e: CardDrawn) -> DuelState:
    return replace(s, hands=put(s.hands, e.seat, s.hands[e.seat] + (e.card,)), deck=s.deck[1:])


class Play(Choice, frozen=True):
    """Play the first card."""


class CardChoice(Decision, frozen=True):
    """DU-02 The card to play."""

    rule = "DU-02"

    def form(self, state: DuelState) -> One:
        """The first card of the hand."""
        del state
        return only((Play(),))

    def resolve(self, r: Resolver[DuelState], choice: Play) -> Flow:
        """Play it, roll, draw."""
        del choice
        hand, deck = r.state.hands[self.by], r.state.deck
        assert not isinstance(hand, Hidden), "rules play with the whole state"
        assert not isinstance(deck, Hidden), "rules play with the whole state"
        r.emit(CardPlayed(self.by, hand[0], r.roll(1, "DU-02", "Play", seat=self.by)[0]))
        r.emit(CardDrawn(self.by, deck[0] if deck else hand[0]))
        return NEXT


class Match(Procedure, frozen=True):
    """DU-01 to DU-03: the deal, then cards by turns."""

    @step("DU-01")
    def deal(self, r: Resolver[DuelState]) -> Flow:
        """Shuffle and deal."""
        cards = r.shuffle(DECK, "DU-01", "Deck")
        for seat in BOTH:
            r.emit(HandDealt(seat, cards[seat * HAND : (seat + 1) * HAND]))
        r.emit(DeckPlaced(len(DECK) - 2 * HAND, cards[2 * HAND :]))
        return NEXT

    @step("DU-02")
    def turn(self, r: Resolver[DuelState]) -> Flow:
        """Ask the player whose turn it is."""
        return ask(CardChoice(Seat(r.state.moves % 2)))

    @step("DU-03")
    def end(self, r: Resolver[DuelState]) -> Flow:
        """The next turn, or the end."""
        ours, theirs = r.state.scores
        if r.state.moves >= MOVES:
            r.end(None if ours == theirs else Seat(int(theirs > ours)), "more points", "DU-03")
        return Goto("DU-02")


def resample(state: DuelState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()) -> DuelState:
    """Nobody looks ahead in this game."""
    raise NotImplementedError


GAME = Game(
    GameSpec(
        name="duel",
        title="Duel",
        about="Two players, twelve cards, by turns: the game that peers are measured by.",
        rules="1",
        seats=2,
        options=Options,
        start=lambda _: DuelState(),
        opening=lambda _: Match(),
        events=(HandDealt, DeckPlaced, CardPlayed, CardDrawn),
        evolve={
            HandDealt: hand_dealt,
            DeckPlaced: deck_placed,
            CardPlayed: card_played,
            CardDrawn: card_drawn,
        },
        procedures=(Match,),
        decisions=(CardChoice,),
        choices=(Play,),
        resample=resample,
    )
)
