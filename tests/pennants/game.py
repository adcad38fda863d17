"""Pennants: the smallest game for two to four, with sides. It proves that nothing outside a game counts to two.

A deck of 24 cards (1 to 6, four times). Everybody holds three, and each side shares one more, its banner, which only
its own seats know (PN-01). Each round one seat leads; all others secretly choose a card at once (PN-02), which are
shown together, and one die is rolled for the leader (PN-03). The leader may raise the side's banner, which scores its
value, or keep it hidden (PN-04). Who showed a card above the die scores a point (PN-05). The lead goes on in table
order (PN-06), and after the last round the side with the most points wins together (PN-07). Who leaves lays the hand
open and scores no more (PN-08).
"""

from collections import Counter
from typing import Annotated, Literal

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from domain.commons.cards import known as held
from domain.commons.cards import without
from domain.commons.rows import put
from domain.commons.sealed import seen_answers
from domain.kernel import (
    HIDDEN,
    NEXT,
    Among,
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
    Nobody,
    One,
    Only,
    Procedure,
    Resolver,
    Seat,
    SeatCount,
    State,
    ask,
    only,
    side_of,
    sides_of,
    step,
    table_order,
)
from domain.kernel.game import Fields

Cards = tuple[int, ...]
DECK: Cards = (1, 2, 3, 4, 5, 6) * 4
HAND = 3
MOST = 4


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`seats`: 2 to 4. `allied`: every second seat plays together. `rounds`: 1 to 3."""

    seats: Literal[2, 3, 4] = 3
    allied: bool = False
    rounds: int = 3


def seats_of(options: Options) -> int:
    """As many as the option says."""
    return options.seats


def teams_of(options: Options) -> list[list[int]]:
    """Every second seat together, or each alone."""
    if not options.allied:
        return [[seat] for seat in range(options.seats)]
    return [list(range(first, options.seats, 2)) for first in (0, 1)]


class PennantsState(State, frozen=True, kw_only=True):
    """One place per seat, in `banners` and `raised` one per side; 0 stands for no card."""

    rounds: int
    round: int = 1
    leader: int = 0
    deck: Cards | Hidden = ()
    hands: tuple[Cards | Hidden, ...] = ()
    held: tuple[int, ...] = ()
    banners: tuple[int | Hidden, ...] = ()
    raised: tuple[int, ...] = ()
    seen: Cards = ()
    played: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


class HandDealt(Event, frozen=True):
    """A seat holds `count` cards; only it sees which."""

    seat: Seat
    count: int
    cards: Annotated[Cards | Hidden, Only("seat")] = HIDDEN


class BannerGiven(Event, frozen=True):
    """A side shares a card; its seats see which."""

    side: int
    seats: tuple[Seat, ...]
    card: Annotated[int | Hidden, Among("seats")] = HIDDEN


class DeckPlaced(Event, frozen=True):
    """The rest lies face down."""

    cards: Annotated[Cards | Hidden, Nobody()] = HIDDEN


class CardShown(Event, frozen=True):
    """A seat's card of this round lies open."""

    seat: Seat
    card: int


class BannerRaised(Event, frozen=True):
    """A side's banner lies open."""

    seat: Seat
    side: int
    card: int


class Scored(Event, frozen=True):
    """A seat's points after it."""

    seat: Seat
    score: int


class HandOpened(Event, frozen=True):
    """Who leaves shows the hand, and it is gone."""

    seat: Seat
    cards: Cards


class RoundEnded(Event, frozen=True):
    """The lead goes on."""

    next_round: int
    leader: Seat


def start(options: Options) -> PennantsState:
    none, sides = (0,) * options.seats, (0,) * len(teams_of(options))
    hands: tuple[Cards, ...] = ((),) * options.seats
    return PennantsState(
        rounds=options.rounds, hands=hands, held=none, played=none, scores=none, banners=sides, raised=sides
    )


def hand_dealt(s: PennantsState, e: HandDealt) -> PennantsState:
    return replace(s, hands=put(s.hands, e.seat, e.cards), held=put(s.held, e.seat, e.count))


def banner_given(s: PennantsState, e: BannerGiven) -> PennantsState:
    return replace(s, banners=put(s.banners, e.side, e.card))


def deck_placed(s: PennantsState, e: DeckPlaced) -> PennantsState:
    return replace(s, deck=e.cards)


def card_shown(s: PennantsState, e: CardShown) -> PennantsState:
    hands = put(s.hands, e.seat, without(s.hands[e.seat], e.card))
    held, played = put(s.held, e.seat, s.held[e.seat] - 1), put(s.played, e.seat, e.card)
    return replace(s, hands=hands, held=held, played=played, seen=(*s.seen, e.card))


def banner_raised(s: PennantsState, e: BannerRaised) -> PennantsState:
    banners, raised = put(s.banners, e.side, 0), put(s.raised, e.side, e.card)
    return replace(s, banners=banners, raised=raised, seen=(*s.seen, e.card))


def scored(s: PennantsState, e: Scored) -> PennantsState:
    return replace(s, scores=put(s.scores, e.seat, e.score))


def hand_opened(s: PennantsState, e: HandOpened) -> PennantsState:
    return replace(s, hands=put(s.hands, e.seat, ()), held=put(s.held, e.seat, 0), seen=(*s.seen, *e.cards))


def round_ended(s: PennantsState, e: RoundEnded) -> PennantsState:
    return replace(s, round=e.next_round, leader=e.leader, played=(0,) * len(s.played))


class Show(Choice, frozen=True):
    """Show this card."""

    card: int


class Pass(Choice, frozen=True):
    """Show nothing, or leave the banner where it is."""


class Raise(Choice, frozen=True):
    """Raise the side's banner."""


class Selection(Decision, frozen=True):
    """PN-02 Which card, secretly."""

    rule = "PN-02"

    def form(self, state: PennantsState) -> One:
        hand = state.hands[self.by]
        cards = sorted(set(() if isinstance(hand, Hidden) else hand))
        return only(tuple(Show(card) for card in cards) or (Pass(),))

    def resolve(self, r: Resolver[PennantsState], choice: Show | Pass) -> Flow:
        # A player who has left since has laid the hand open, and the card with it.
        if isinstance(choice, Show) and self.by not in r.state.table.left:
            r.emit(CardShown(self.by, choice.card))
        return NEXT


class Raising(Decision, frozen=True):
    """PN-04 The leader raises the side's banner or does not."""

    rule = "PN-04"

    def form(self, state: PennantsState) -> One:
        return only((Pass(), Raise()))

    def resolve(self, r: Resolver[PennantsState], choice: Pass | Raise) -> Flow:
        if isinstance(choice, Raise):
            side = sides_of(r.state).index(side_of(r.state, self.by))
            card = held(r.state.banners[side])
            r.emit(BannerRaised(self.by, side, card))
            r.emit(Scored(self.by, r.state.scores[self.by] + card))
        return NEXT


class Match(Procedure, frozen=True):
    """PN-01 to PN-07: the deal, then the rounds."""

    @step("PN-01")
    def deal(self, r: Resolver[PennantsState]) -> Flow:
        cards = r.shuffle(DECK, "PN-01", "Deck")
        for seat in range(len(r.state.players)):
            r.emit(HandDealt(Seat(seat), HAND, tuple(sorted(cards[:HAND]))))
            cards = cards[HAND:]
        for side, seats in enumerate(sides_of(r.state)):
            r.emit(BannerGiven(side, seats, cards[0]))
            cards = cards[1:]
        r.emit(DeckPlaced(cards))
        return NEXT

    @step("PN-02")
    def selection(self, r: Resolver[PennantsState]) -> Flow:
        asked = [seat for seat in table_order(r.state, r.state.leader) if seat != r.state.leader]
        return ask(*(Selection(seat) for seat in asked), sealed=True)

    @step("PN-03")
    def roll(self, r: Resolver[PennantsState]) -> Flow:
        r.roll(1, "PN-03", "Wind", seat=Seat(r.state.leader))
        return NEXT

    @step("PN-04")
    def raising(self, r: Resolver[PennantsState]) -> Flow:
        leader = Seat(r.state.leader)
        side = sides_of(r.state).index(side_of(r.state, leader))
        return NEXT if r.state.raised[side] else ask(Raising(leader))

    @step("PN-05")
    def score(self, r: Resolver[PennantsState]) -> Flow:
        for seat in table_order(r.state, r.state.leader):
            if r.state.played[seat] > r.state.roll.dice[0]:
                r.emit(Scored(seat, r.state.scores[seat] + 1))
        return NEXT

    @step("PN-06")
    def lead(self, r: Resolver[PennantsState]) -> Flow:
        if r.state.round >= r.state.rounds:
            return NEXT
        r.emit(RoundEnded(r.state.round + 1, table_order(r.state, r.state.leader + 1)[0]))
        return Goto("PN-02")

    @step("PN-07")
    def end(self, r: Resolver[PennantsState]) -> Flow:
        points = Counter({side: sum(r.state.scores[seat] for seat in side) for side in sides_of(r.state)})
        best = max(points.values())
        winners = [side for side, score in points.items() if score == best]
        ranking = [sum((s for s in points if points[s] == score), ()) for score in sorted({*points.values()})[::-1]]
        r.end(
            winners[0] if len(winners) == 1 else None, "most points" if len(winners) == 1 else "tie", "PN-07", ranking
        )


def leave(r: Resolver[PennantsState], seat: Seat) -> None:
    """PN-08: the hand is laid open."""
    r.emit(HandOpened(seat, held(r.state.hands[seat])))


def resample(
    state: PennantsState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()
) -> PennantsState:
    """What the viewer has not seen, dealt anew: hands, the other sides' banners, the deck; and sealed answers.

    `keep` may name `hand0` and so on, for what a seat knows, its side's banner included, and `deck`.
    """
    hands, banners, sides = list(state.hands), list(state.banners), sides_of(state)
    knowing = {viewer, *(seat for seat in range(len(hands)) if f"hand{seat}" in keep)}
    own = {side for side, seats in enumerate(sides) if knowing & {*seats}}
    known = Counter(card for seat in range(len(hands)) if seat in knowing for card in held(hands[seat]))
    known += Counter(card for side in own if (card := held(banners[side])))
    known += Counter(held(state.deck) if "deck" in keep else ())
    left = list((Counter(DECK) - Counter(state.seen) - known).elements())
    for seat in range(len(hands)):
        if seat not in knowing:
            hands[seat] = tuple(sorted(left.pop(below(len(left))) for _ in range(state.held[seat])))
    for side in range(len(sides)):
        if side not in own and banners[side] != 0:
            banners[side] = left.pop(below(len(left)))
    deck = tuple(left.pop(below(len(left))) for _ in range(len(left))) if state.begun else ()
    deck = held(state.deck) if "deck" in keep else deck
    state = replace(state, hands=tuple(hands), banners=tuple(banners), deck=deck)
    answers = tuple(
        a if a.asked.seat in knowing else Answered(a.asked, _any_answer(state, a.asked.seat, below))
        for a in state.answered
    )
    return replace(state, answered=answers)


def _any_answer(state: PennantsState, seat: Seat, below: Below) -> object:
    return to_builtins(Selection(seat).form(state).sample(below))


NAMES = ("hands", "held", "banners", "raised", "deck", "seen", "played", "scores", "round", "leader")


class Notation:
    """Positions as text: `hands` and `banners`, one each; `scores`, `round`, `leader`; the rest is the deck."""

    def read(self, given: Fields, options: Fields) -> tuple[PennantsState, Procedure]:
        state = start(convert(options, Options))
        unknown = set(given) - set(NAMES)
        if unknown:
            raise ValueError(f"{min(unknown)}: allowed are {', '.join(NAMES)}")
        fields = convert({"rounds": state.rounds, **given}, PennantsState)
        changed = {name: getattr(fields, name) for name in given}
        state = replace(state, **changed)
        hands = tuple(() if isinstance(hand, Hidden) else tuple(sorted(hand)) for hand in state.hands)
        out = Counter(card for hand in hands for card in hand) + Counter(b for b in state.banners if b)
        rest = tuple(sorted((Counter(DECK) - out - Counter(state.seen)).elements()))  # type: ignore[operator]
        deck = state.deck if given.get("deck") else rest
        return replace(state, hands=hands, held=tuple(map(len, hands)), deck=deck), Match()

    def show(self, state: PennantsState) -> Fields:
        return {name: getattr(state, name) for name in NAMES}

    def view(self, state: PennantsState, viewer: Seat | None) -> PennantsState:
        hands = tuple(hand if seat == viewer or not hand else HIDDEN for seat, hand in enumerate(state.hands))
        banners = tuple(
            card if viewer in seats or not card else HIDDEN
            for card, seats in zip(state.banners, sides_of(state), strict=True)
        )
        answered = seen_answers(state, viewer)
        return replace(state, hands=hands, banners=banners, deck=HIDDEN, answered=answered, stack=HIDDEN)


def unplayable(options: Options) -> list[str]:
    """The rounds there are not."""
    return [] if 1 <= options.rounds <= HAND else [f"rounds are 1 to {HAND}"]


GAME = Game(
    GameSpec(
        name="pennants",
        title="Pennants",
        about="Two to four seats, alone or in two sides: the example of many.",
        rules="1",
        seats=SeatCount(2, MOST, seats_of),
        sides=teams_of,
        leave=leave,
        options=Options,
        start=start,
        opening=lambda _: Match(),
        events=(HandDealt, BannerGiven, DeckPlaced, CardShown, BannerRaised, Scored, HandOpened, RoundEnded),
        evolve={
            HandDealt: hand_dealt,
            BannerGiven: banner_given,
            DeckPlaced: deck_placed,
            CardShown: card_shown,
            BannerRaised: banner_raised,
            Scored: scored,
            HandOpened: hand_opened,
            RoundEnded: round_ended,
        },
        procedures=(Match,),
        decisions=(Selection, Raising),
        choices=(Show, Pass, Raise),
        resample=resample,
        positions=Notation(),
        unplayable=unplayable,
    )
)
