"""2.H The round, CR1 to CR3: cards are laid in secret, revealed, compared and paid for (WE-061 to WE-071, WE-275)."""

from collections.abc import Iterator

from domain.commons.rows import BOTH
from domain.kernel import NEXT, Call, Choice, Decision, Flow, One, Part, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.rules.blows import Blows
from domain.war_for_edadh.rules.choosing import Choosing
from domain.war_for_edadh.rules.combat_masters import BothMasters, both_laid, flip_masters, late_bonuses, offer_bonus
from domain.war_for_edadh.rules.standards import offer_standards
from domain.war_for_edadh.rules.tie_break import effective, winner_of
from domain.war_for_edadh.state.events import (
    BattleMasterFlipped,
    BattleMasterPromoted,
    CardLaid,
    CardsCompared,
    MpChanged,
    RoundBegun,
    RoundEnded,
)
from domain.war_for_edadh.state.queries import cards_of, end_of, has_combat_master, secondary
from domain.war_for_edadh.state.state import DRAW, Laid, Secondary, WarState
from domain.war_for_edadh.state.stats import parts_of


class LayCards(Choice, frozen=True):
    """Lay this end of a Mastery Card, and the Secondary Mastery Card as tcts, as mst or not at all."""

    cv: int
    secondary: Secondary = ""


class MasteryLay(Decision, frozen=True):
    """WE-062 The Mastery Card and its upper end; with it the Secondary Mastery Card (WE-063). Sealed (WE-275, WE-276).

    An answer is final (WE-Q76).
    """

    rule = "WE-062"

    def form(self, state: WarState) -> One:
        """Twelve ends (WE-008), each with every legal use of the Secondary Mastery Card."""
        ways = tuple(secondary_ways(state, self.by))
        return only(tuple(LayCards(cv, way) for cv in sorted(cards_of(state).ends) for way in ways))

    def resolve(self, r: Resolver[WarState], choice: LayCards) -> Flow:
        """Turned up together with the other's."""
        r.emit(CardLaid(self.by, Laid(choice.cv, choice.secondary)))
        return NEXT


def secondary_ways(state: WarState, seat: Seat) -> Iterator[Secondary]:
    """WE-015, WE-016: how the Secondary Mastery Card may be laid, if at all."""
    side = state.sides[seat]
    yield ""
    # WE-065, WE-Q22: a flipped or Promoted Battle Master plans nothing.
    if side.battle_master and not side.battle_flipped and not side.promoted:
        yield "tcts"
    # WE-064: a flipped or lost Combat Master lends nothing.
    if has_combat_master(side) and not side.master_flipped:
        yield "mst"


class Round(Procedure, frozen=True):
    """One round of a Duration."""

    number: int

    @step("WE-177")
    def window(self, r: Resolver[WarState]) -> Flow:
        """Standards whose window is their player's own decision in CR1."""
        r.emit(RoundBegun(self.number))
        return offer_standards(r, "own_decision_cr1", BOTH)

    @step("WE-062", "WE-063", "WE-275", "WE-276")
    def lay(self, r: Resolver[WarState]) -> Flow:
        """CR1: both lay in secret."""
        return ask(*(MasteryLay(seat) for seat in BOTH), sealed=True)

    @step("WE-068", "WE-069", "WE-070")
    def compare(self, r: Resolver[WarState]) -> Flow:
        """CR2: the higher effective value attacks; the same card is a draw, without any Altered Conflict Value."""
        index = cards_of(r.state)
        first, second = (end_of(r.state, seat).cv for seat in BOTH)
        values = (effective(index, first, second), effective(index, second, first))
        r.emit(CardsCompared(values, winner_of(index, first, second)))
        return NEXT

    @step("WE-071", "WE-011", "WE-012")
    def pay(self, r: Resolver[WarState]) -> Flow:
        """CR3: each player pays the MP Value of his end, altered if the opponent's printed value is listed."""
        for seat in BOTH:
            own, enemy = end_of(r.state, seat), end_of(r.state, 1 - seat)
            altered = own.altered_mp
            cost = altered.value if altered and enemy.cv in altered.against else own.mp
            rule = "WE-012" if cost != own.mp else "WE-011"
            r.emit(MpChanged(seat, r.state.sides[seat].mp - cost, (Part(rule, -cost, f"card {own.cv}"),)))
        return NEXT

    @step("WE-067", "WE-066")
    def tactics(self, r: Resolver[WarState]) -> Flow:
        """WE-067, WE-Q22: tcts Promotes the Attacker's Battle Master and flips the Defender's."""
        attacker = r.state.round.attacker
        for seat in BOTH:
            if secondary(r.state, seat) != "tcts":
                continue
            if attacker == seat or r.state.options.tcts_rule == "always":
                r.emit(BattleMasterPromoted(seat))
            elif attacker != DRAW:
                r.emit(BattleMasterFlipped(seat))
        return NEXT

    @step("WE-072")
    def choose(self, r: Resolver[WarState]) -> Flow:
        """CR3: the Chosen Troops."""
        return Call(Choosing())

    @step("WE-173")
    def masters(self, r: Resolver[WarState]) -> Flow:
        """Both players may have brought their Combat Masters."""
        return Call(BothMasters()) if both_laid(r.state) else NEXT

    @step("WE-164", "WE-170")
    def mp_bonus(self, r: Resolver[WarState]) -> Flow:
        """A Combat Master's MP bonus may be used at Absorb."""
        return offer_bonus(r, "mp", BOTH)

    @step("WE-079", "WE-024")
    def absorb(self, r: Resolver[WarState]) -> Flow:
        """CR3: both gain their Chosen Troops' MP Bonus."""
        for seat in BOTH:
            parts = parts_of(r.state, seat, "mp_bonus")
            gain = max(0, sum(part.value for part in parts))
            r.emit(
                MpChanged(seat, r.state.sides[seat].mp + gain, (Part("WE-079", parts[0].value, "MP Bonus"), *parts[1:]))
            )
        return NEXT

    @step("WE-080", "WE-097")
    def blows(self, r: Resolver[WarState]) -> Flow:
        """CR4 to CR8."""
        return Call(Blows())

    @step("WE-171")
    def late(self, r: Resolver[WarState]) -> Flow:
        """The round ends with no bonus used."""
        return late_bonuses(r)

    @step("WE-105", "WE-172")
    def end(self, r: Resolver[WarState]) -> Flow:
        """Both take their cards back (WE-Q04)."""
        flip_masters(r)
        r.emit(RoundEnded(self.number))
        return NEXT
