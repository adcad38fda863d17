"""2.J Fewer than 3 Troop Cards; combining (WE-156 to WE-162), and WE-240 with a Support Unit."""

from collections.abc import Iterator

from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, only, step
from domain.war_for_edadh.cards.cards import STATS, Level, Stat
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.state.events import TroopCombined
from domain.war_for_edadh.state.queries import card, front, place, weapon_at
from domain.war_for_edadh.state.state import Boost, TroopId, Unit, WarState
from domain.war_for_edadh.state.stats import chosen_row, mastery_of


def rounds_of(own: int, enemy: int) -> int:
    """WE-156 to WE-159, WE-Q21: the rounds of a Duration from both Front Ranks, three at most."""
    return min(3, own, enemy)


def larger_side(first: int, second: int) -> int:
    """WE-158, WE-159: the seat whose Front Rank is larger, -1 when they are equal."""
    return -1 if first == second else int(second > first)


class Combine(Choice, frozen=True):
    """Let this Troop add (or, negative, subtract) its Mastery Level to one stat of the Chosen Troop."""

    helper: str
    stat: Stat
    amount: int


class CombineNoMore(Choice, frozen=True):
    """Combine no further Troop."""


class CombiningOffer(Decision, frozen=True):
    """WE-160 The Troop that helps the Chosen Troop, and the stat that it changes."""

    rule = "WE-160"

    def form(self, state: WarState) -> One:
        """Every helper, stat and sign."""
        return only((CombineNoMore(), *self._helpers(state)))

    def _helpers(self, state: WarState) -> Iterator[Combine]:
        for helper in helpers(state, self.by):
            for stat in STATS:
                if stat == "att" and chosen_row(state, self.by).att is None:
                    continue
                for sign in (1, -1):
                    yield Combine(helper, stat, sign * mastery_of(state, helper))

    def resolve(self, r: Resolver[WarState], choice: Combine | CombineNoMore) -> Flow:
        """WE-160: the helper's Mastery Level changes one stat for this round."""
        if isinstance(choice, CombineNoMore):
            return DONE
        helper = TroopId(choice.helper)
        boost = Boost(self.by, choice.stat, choice.amount, "WE-160", card(r.state, helper).name)
        r.emit(TroopCombined(self.by, helper, place(r.state, helper)[0], boost))
        return Goto("WE-160")


def helpers(state: WarState, seat: Seat) -> tuple[TroopId, ...]:
    """The Troops that may still be combined with the Chosen Troop; at most one of the other Unit (WE-Q64)."""
    now = state.round
    side = state.sides[seat]
    chosen = TroopId(now.chosen[seat])
    unit, _, _ = place(state, chosen)
    helped = [place(state, helper)[0] for helper in now.helpers if state.troops[helper].seat == seat]
    found: list[TroopId] = []
    entitled = state.larger == seat and (helped.count("main") > 0 or not (side.combined and state.rounds > 1))
    if unit == "main" and entitled and helped.count("main") < state.helpers:
        found += front(side)
    other: Unit = "support" if unit == "main" else "main"
    if state.level is Level.BALLISTIC and state.options.support and other not in helped:
        found += [t for t in front(side, other) if weapon_at(card(state, t), Level.BALLISTIC)]
    return tuple(
        t
        for t in dict.fromkeys(found)
        if t != chosen and t not in now.helpers and _free(state, t) and mastery_of(state, t) > 0
    )


def _free(state: WarState, troop: TroopId) -> bool:
    unit, column, _ = place(state, troop)
    side = state.sides[state.troops[troop].seat]
    return not state.troops[troop].flipped and column not in (side.spent if unit == "main" else side.spent_support)


class Combining(Procedure, frozen=True):
    """WE-158, WE-159: a player adds helpers to his Chosen Troop, one by one, openly (WE-286)."""

    seat: Seat

    @step("WE-160", "WE-158", "WE-159", "WE-240", "WE-286")
    def offer(self, r: Resolver[WarState]) -> Flow:
        """Asked while there is a helper."""
        if not r.state.round.chosen[self.seat] or not helpers(r.state, self.seat):
            return NEXT
        return ask_or_take(r, CombiningOffer(self.seat))
