"""Skirmish: the smallest whole game, on one page. It proves that adding a game touches nothing else.

Two captains hold three cards each of a shuffled deck of twelve (1 to 6, twice). In each of three rounds both
secretly choose a card (SK-02); the cards are shown together and each captain adds a die (SK-03). The higher total may
take one point or press for two with a roll of 4 or more (SK-04); the other draws a card nobody else sees (SK-05).
After the last round the higher score wins (SK-06). A real game spreads the same parts over a package of its own.
"""

from collections import Counter
from typing import Annotated

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from domain.commons.cards import without
from domain.commons.rows import BOTH, put
from domain.commons.sealed import seen_answers
from domain.kernel import (
    HIDDEN,
    NEXT,
    Answered,
    Below,
    Choice,
    Decision,
    Event,
    Flow,
    Game,
    GameSpec,
    Goto,
    Hidden,
    Next,
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
from domain.kernel.game import Fields

Cards = tuple[int, ...]
DECK: Cards = (1, 2, 3, 4, 5, 6) * 2
HAND = 3


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`rounds`: 1 to 3."""

    rounds: int = 3


class SkirmishState(State, frozen=True, kw_only=True):
    """`held` counts the cards in each hand; `played` are the two cards of this round, 0 for none."""

    rounds: int
    round: int = 1
    deck: Cards | Hidden = ()
    hands: tuple[Cards | Hidden, Cards | Hidden] = ((), ())
    held: tuple[int, int] = (0, 0)
    seen: Cards = ()
    played: tuple[int, int] = (0, 0)
    scores: tuple[int, int] = (0, 0)


class HandDealt(Event, frozen=True):
    """A captain holds `count` cards; only he sees which."""

    seat: Seat
    count: int
    cards: Annotated[Cards | Hidden, Only("seat")] = HIDDEN


class DeckPlaced(Event, frozen=True):
    """The rest lies face down."""

    size: int
    cards: Annotated[Cards | Hidden, Nobody()] = HIDDEN


class CardShown(Event, frozen=True):
    """A captain's card of this round lies open."""

    seat: Seat
    card: int


class CardDrawn(Event, frozen=True):
    """A captain took the top card of the deck."""

    seat: Seat
    card: Annotated[int | Hidden, Only("seat")] = HIDDEN


class Scored(Event, frozen=True):
    """A captain's score after the round."""

    seat: Seat
    score: int


class RoundEnded(Event, frozen=True):
    """The next round begins, if there is one."""

    next_round: int


def hand_dealt(s: SkirmishState, e: HandDealt) -> SkirmishState:
    return replace(s, hands=put(s.hands, e.seat, e.cards), held=put(s.held, e.seat, e.count))


def deck_placed(s: SkirmishState, e: DeckPlaced) -> SkirmishState:
    return replace(s, deck=e.cards)


def card_shown(s: SkirmishState, e: CardShown) -> SkirmishState:
    hand = without(s.hands[e.seat], e.card)
    held = put(s.held, e.seat, s.held[e.seat] - 1)
    played = put(s.played, e.seat, e.card)
    return replace(s, hands=put(s.hands, e.seat, hand), held=held, played=played, seen=(*s.seen, e.card))


def card_drawn(s: SkirmishState, e: CardDrawn) -> SkirmishState:
    hands = put(s.hands, e.seat, s.hands[e.seat] + (e.card,))
    return replace(s, deck=s.deck[1:], hands=hands, held=put(s.held, e.seat, s.held[e.seat] + 1))


def scored(s: SkirmishState, e: Scored) -> SkirmishState:
    return replace(s, scores=put(s.scores, e.seat, e.score))


def round_ended(s: SkirmishState, e: RoundEnded) -> SkirmishState:
    return replace(s, round=e.next_round, played=(0, 0))


class Play(Choice, frozen=True):
    """Play this card."""

    card: int


class Take(Choice, frozen=True):
    """Take one point."""


class Press(Choice, frozen=True):
    """Roll for two points."""


class CardSelection(Decision, frozen=True):
    """SK-02 Which card, secretly."""

    rule = "SK-02"

    def form(self, state: SkirmishState) -> One:
        hand = state.hands[self.by]
        return only(tuple(Play(card) for card in sorted(set(() if isinstance(hand, Hidden) else hand))))

    def resolve(self, r: Resolver[SkirmishState], choice: Play) -> Flow:
        r.emit(CardShown(self.by, choice.card))
        return NEXT


class Pursuit(Decision, frozen=True):
    """SK-04 The winner of the round takes one point or presses for two."""

    rule = "SK-04"

    def form(self, state: SkirmishState) -> One:
        return only((Take(), Press()))

    def resolve(self, r: Resolver[SkirmishState], choice: Take | Press) -> Flow:
        gain = 1
        if isinstance(choice, Press):
            gain = 2 if r.roll(1, "SK-04", "Pursuit", seat=self.by, needs=(4,))[0] >= 4 else 0
        r.emit(Scored(self.by, r.state.scores[self.by] + gain))
        return NEXT


class Match(Procedure, frozen=True):
    """SK-01 to SK-06: the deal, then the rounds. `winner` is who may pursue."""

    winner: int = -1

    @step("SK-01")
    def deal(self, r: Resolver[SkirmishState]) -> Flow:
        cards = r.shuffle(DECK, "SK-01", "Deck")
        for seat in BOTH:
            r.emit(HandDealt(seat, HAND, tuple(sorted(cards[seat * HAND : (seat + 1) * HAND]))))
        r.emit(DeckPlaced(len(DECK) - 2 * HAND, cards[2 * HAND :]))
        return NEXT

    @step("SK-02")
    def selection(self, r: Resolver[SkirmishState]) -> Flow:
        return ask(*(CardSelection(seat) for seat in BOTH), sealed=True)

    @step("SK-03")
    def clash(self, r: Resolver[SkirmishState]) -> Flow:
        dice = r.roll(2, "SK-03", "Clash")
        totals = [card + die for card, die in zip(r.state.played, dice, strict=True)]
        return Goto("SK-06") if totals[0] == totals[1] else Next(Match(totals.index(max(totals))))

    @step("SK-04")
    def pursuit(self, r: Resolver[SkirmishState]) -> Flow:
        return ask(Pursuit(Seat(self.winner)))

    @step("SK-05")
    def consolation(self, r: Resolver[SkirmishState]) -> Flow:
        assert not isinstance(r.state.deck, Hidden), "rules play with the whole state"
        r.emit(CardDrawn(Seat(1 - self.winner), r.state.deck[0]))
        return NEXT

    @step("SK-06")
    def end(self, r: Resolver[SkirmishState]) -> Flow:
        ours, theirs = r.state.scores
        if r.state.round >= r.state.rounds:
            r.end(
                None if ours == theirs else Seat(int(theirs > ours)),
                "more points" if ours != theirs else "tie",
                "SK-06",
            )
        r.emit(RoundEnded(r.state.round + 1))
        return Goto("SK-02")


def resample(
    state: SkirmishState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()
) -> SkirmishState:
    """The cards the viewer has not seen, dealt anew to the other hands and the deck; sealed answers out of those.

    `keep` may name `hand0`, `hand1` and `deck`.
    """
    hands = list(state.hands)
    kept = {seat for seat in BOTH if seat == viewer or f"hand{seat}" in keep}
    known = [hands[seat] for seat in kept] + ([state.deck] if "deck" in keep else [])
    left = list((Counter(DECK) - Counter(state.seen)).elements())
    for card in (card for cards in known for card in cards):  # type: ignore[union-attr]
        left.remove(card)
    for seat in BOTH:
        if seat not in kept:
            hands[seat] = tuple(sorted(left.pop(below(len(left))) for _ in range(state.held[seat])))
    deck = tuple(left.pop(below(len(left))) for _ in range(len(left))) if state.begun else ()
    state = replace(state, hands=tuple(hands), deck=state.deck if "deck" in keep else deck)
    answers = tuple(
        a if a.asked.seat in kept else Answered(a.asked, _any_answer(state, a.asked.seat, below))
        for a in state.answered
    )
    return replace(state, answered=answers)


def _any_answer(state: SkirmishState, seat: Seat, below: Below) -> object:
    return to_builtins(CardSelection(seat).form(state).sample(below))


class Notation:
    """Positions as text (SK-01 on): `hands`, `deck` (top first), `scores`, `round`; the deck defaults to the rest."""

    def read(self, given: Fields, options: Fields) -> tuple[SkirmishState, Procedure]:
        rounds = convert(options, Options).rounds
        unknown = set(given) - {"hands", "deck", "scores", "round", "seen", "played"}
        if unknown:
            raise ValueError(f"{min(unknown)}: allowed are hands, deck, scores, round, seen and played")
        state = convert({"rounds": rounds, "hands": [[], []], **given}, SkirmishState)
        mine, theirs = (() if isinstance(hand, Hidden) else tuple(sorted(hand)) for hand in state.hands)
        rest = tuple(sorted((Counter(DECK) - Counter((*mine, *theirs, *state.seen))).elements()))
        deck = state.deck if given.get("deck") else rest
        return replace(state, hands=(mine, theirs), held=(len(mine), len(theirs)), deck=deck), Match()

    def show(self, state: SkirmishState) -> Fields:
        return {name: getattr(state, name) for name in ("hands", "held", "deck", "seen", "played", "scores", "round")}

    def view(self, state: SkirmishState, viewer: Seat | None) -> SkirmishState:
        hands = tuple(hand if seat == viewer else HIDDEN for seat, hand in enumerate(state.hands))
        return replace(state, hands=hands, deck=HIDDEN, answered=seen_answers(state, viewer), stack=HIDDEN)


GAME = Game(
    GameSpec(
        name="skirmish",
        title="Skirmish",
        about="Two captains, twelve cards, three rounds: the example game.",
        rules="1",
        seats=2,
        options=Options,
        start=lambda options: SkirmishState(rounds=options.rounds),
        opening=lambda _: Match(),
        events=(HandDealt, DeckPlaced, CardShown, CardDrawn, Scored, RoundEnded),
        evolve={
            HandDealt: hand_dealt,
            DeckPlaced: deck_placed,
            CardShown: card_shown,
            CardDrawn: card_drawn,
            Scored: scored,
            RoundEnded: round_ended,
        },
        procedures=(Match,),
        decisions=(CardSelection, Pursuit),
        choices=(Play, Take, Press),
        resample=resample,
        positions=Notation(),
    )
)
