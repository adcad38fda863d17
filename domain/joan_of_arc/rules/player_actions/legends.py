"""Legend cards (JA-189 to JA-191): the playable cards of a moment, and the windows in which players are asked."""

from collections.abc import Iterable, Iterator

from domain.joan_of_arc.cards.cards import LegendCard, Timing
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.rules.player_actions.exchanging import Exchange, ExchangeForLegend, exchange
from domain.joan_of_arc.state.events import LegendPassed, LegendPlayed
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import (
    DONE,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    Hidden,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)

Moment = tuple[Seat, Timing]
"""A player, and the timing of the cards that may be played."""


class PlayLegend(Choice, frozen=True):
    """Play this card from the hand."""

    card: str


class KeepLegends(Choice, frozen=True):
    """Play no card now."""


def may_hold_legend(state: JoanState, seat: Seat) -> bool:
    """JA-405, JA-Q84: whether a player is asked; only the number of cards and tokens decides."""
    board = state.boards[seat]
    return board.hand_size > 0 and board.legend + board.intrigue >= setting_of(state).cheapest_legend


def playable(state: JoanState, seat: Seat, timing: Timing) -> Iterator[PlayLegend]:
    """JA-189, JA-D48: the different cards in hand that this moment allows and the tokens can pay for."""
    board, cards = state.boards[seat], setting_of(state).index.legend
    for name in () if isinstance(board.hand, Hidden) else dict.fromkeys(board.hand):
        card = cards[name]
        if card.timing == timing and card.cost <= board.legend and _attack_fits(state, card):
            yield PlayLegend(name)


def _attack_fits(state: JoanState, card: LegendCard) -> bool:
    wanted = card.requires.attack
    return wanted is None or (state.attack is not None and state.attack.kind == wanted)


def play_legend(r: Resolver[JoanState], seat: Seat, choice: PlayLegend) -> Effects:
    """JA-189, JA-Q82: the cost is paid as it is played, and it resolves at once, then goes onto the discards."""
    card = setting_of(r.state).index.legend[choice.card]
    r.emit(LegendPlayed(seat, card.id, card.cost))
    return Effects(seat, card.effects, legend=card.id)


class LegendOffer(Decision, frozen=True):
    """JA-D17, JA-D48 Whether a card is played at a moment; JA-406: only the seat sees its options."""

    rule = "JA-189"

    timing: Timing

    def form(self, state: JoanState) -> One:
        """A card that may be played now, or none; JA-188: an intrigue token may be swapped to pay for it."""
        swaps = (ExchangeForLegend(),) if state.boards[self.by].intrigue else ()
        return only((KeepLegends(), *playable(state, self.by, self.timing), *swaps))

    def resolve(self, r: Resolver[JoanState], choice: PlayLegend | KeepLegends | Exchange) -> Flow:
        """JA-Q82: the round of questions starts again after a card was played."""
        match choice:
            case KeepLegends():
                r.emit(LegendPassed(self.by))
                return Goto("JA-Q82")
            case PlayLegend():
                return Call(play_legend(r, self.by, choice))
        exchange(r, self.by, choice)
        return Goto("JA-189")


class LegendWindow(Procedure, frozen=True):
    """JA-Q82: these seats are asked at a moment, in this order, until all have passed in a row, each for the cards of
    its own timing. `passed`: the number of seats that have passed in a row.
    """

    moments: tuple[Moment, ...]
    passed: int = 0

    @step("JA-189")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q84: a player who holds no card, or could pay for none, is not asked."""
        if self.passed >= len(self.moments):
            return DONE
        seat, timing = self.moments[self.passed]
        return ask(LegendOffer(seat, timing)) if may_hold_legend(r.state, seat) else Goto("JA-Q82")

    @step("JA-190")
    def played(self, r: Resolver[JoanState]) -> Flow:
        """A card was played: its player is asked again, then the others."""
        return Goto("JA-189", LegendWindow(self.moments[self.passed :] + self.moments[: self.passed]))

    @step("JA-Q82")
    def next_offer(self, r: Resolver[JoanState]) -> Flow:
        """The next player is asked."""
        return Goto("JA-189", LegendWindow(self.moments, self.passed + 1))


def all_at(timing: Timing, seats: Iterable[Seat]) -> LegendWindow:
    """Seats that are asked for cards of one timing."""
    return LegendWindow(tuple((seat, timing) for seat in seats))


def sides_at(state: JoanState, seat: Seat, own: Timing, other: Timing) -> LegendWindow:
    """JA-Q82, JA-Q84: all players of an attacker's side, the attacker first, then those of the others in turn order."""
    setting = setting_of(state)
    mates = (each for each in setting.order if each != seat and setting.sides[each] == setting.sides[seat])
    foes = ((each, other) for each in setting.foes(seat))
    return LegendWindow((*((each, own) for each in (seat, *mates)), *foes))
