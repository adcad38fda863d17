"""2.K Combat Masters (WE-163 to WE-176): one bonus in a round, not announced until it is used."""

from domain.commons.rows import BOTH, foe
from domain.kernel import NEXT, Call, Choice, Decision, Flow, One, Part, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.cards.cards import Bonuses
from domain.war_for_edadh.rules.tie_break import TieBreak
from domain.war_for_edadh.state.events import (
    BonusAnnounced,
    BonusApplied,
    BonusLost,
    DamageAdded,
    MasterFlipped,
    MpChanged,
)
from domain.war_for_edadh.state.queries import cards_of, secondary
from domain.war_for_edadh.state.state import BONUSES, DRAW, Bonus, Boost, WarState
from domain.war_for_edadh.state.stats import star

STAT_OF = {"mp": "mp_bonus", "ml": "ml", "att": "att", "def": "def"}
RULE_OF = {"mp": "WE-164", "ml": "WE-165", "att": "WE-166", "def": "WE-167", "dmg": "WE-168"}
NOTHING = Bonuses()


def bonuses(state: WarState, seat: int) -> Bonuses:
    """The Combat Master's row of this level; all 0 without one (WE-Q62)."""
    master = cards_of(state).combat_masters[state.sides[seat].combat_master]
    return master.rows.get(state.level, NOTHING)


def amount_of(state: WarState, seat: int, bonus: str) -> int:
    """The present value of a bonus."""
    return int(getattr(bonuses(state, seat), "defence" if bonus == "def" else bonus))


def acting(state: WarState, seat: int) -> bool:
    """WE-066: whether mst was laid and no bonus is used yet."""
    return secondary(state, seat) == "mst" and not state.round.used[seat]


def both_laid(state: WarState) -> bool:
    """WE-101, WE-173: whether both players laid mst in this round."""
    return all(secondary(state, seat) == "mst" for seat in BOTH)


def apply_bonus(r: Resolver[WarState], seat: Seat, bonus: str, reduce: bool = False) -> None:
    """WE-164 to WE-169: the bonus counts from now on."""
    state = r.state
    amount = amount_of(state, seat, bonus)
    name = cards_of(state).combat_masters[state.sides[seat].combat_master].name
    if bonus != "dmg":
        boost = Boost(seat, STAT_OF[bonus], amount, RULE_OF[bonus], name)  # type: ignore[arg-type]
        r.emit(BonusApplied(seat, bonus, amount, boost))
        return
    r.emit(BonusApplied(seat, bonus, amount))
    if reduce:
        r.emit(DamageAdded(seat, (Part("WE-169", -amount, name),)))
    else:
        r.emit(DamageAdded(foe(seat), (Part("WE-168", amount, name),)))


class LendBonus(Choice, frozen=True):
    """Let the Combat Master lend this bonus; `reduce`: the Damage bonus lowers one's own damage."""

    bonus: Bonus
    reduce: bool = False


class HoldBonus(Choice, frozen=True):
    """Keep the bonus for a later step."""


class BonusOffer(Decision, frozen=True):
    """WE-163 Whether the bonus of this step is used now (WE-170); nothing is stored before that (WE-277)."""

    rule = "WE-163"

    bonus: Bonus
    sides: tuple[bool, ...] = (False,)

    def form(self, state: WarState) -> One:
        """Use it, in a draw one way or the other (WE-Q60), or hold it."""
        return only((HoldBonus(), *(LendBonus(self.bonus, reduce) for reduce in self.sides)))

    def resolve(self, r: Resolver[WarState], choice: LendBonus | HoldBonus) -> Flow:
        """A bonus that is held stays secret."""
        if isinstance(choice, LendBonus):
            apply_bonus(r, self.by, choice.bonus, choice.reduce)
        return NEXT


def offer_bonus(r: Resolver[WarState], bonus: Bonus, seats: tuple[Seat, ...]) -> Flow:
    """WE-170: a step begins in which these seats may use this bonus."""
    asked: list[Decision] = []
    for seat in seats:
        if not acting(r.state, seat) or not amount_of(r.state, seat, bonus):
            continue
        announced = r.state.round.announced[seat]
        if announced == bonus and bonus != "dmg":
            apply_bonus(r, seat, bonus)
        elif announced in {"", bonus}:
            asked.append(_question(r.state, seat, bonus))
    for decision in list(asked):
        if r.state.round.announced[decision.by] == bonus and len(decision.sides) == 1:  # type: ignore[attr-defined]
            apply_bonus(r, decision.by, bonus, decision.sides[0])  # type: ignore[attr-defined]
            asked.remove(decision)
    return ask(*asked) if asked else NEXT


def _question(state: WarState, seat: Seat, bonus: Bonus) -> BonusOffer:
    if bonus != "dmg":
        return BonusOffer(seat, bonus)
    return BonusOffer(seat, bonus, damage_ways(state, seat))


def damage_ways(state: WarState, seat: Seat) -> tuple[bool, ...]:
    """WE-168, WE-Q60: add to the enemy's damage (False); WE-169: lower one's own counter (True), guarded or not."""
    ways = []
    if state.round.attacker in {seat, DRAW} and not state.round.guarded and not star(state, seat):
        ways.append(False)
    if state.round.attacker != seat:
        ways.append(True)
    return tuple(ways)


def comparing(state: WarState, seat: Seat, bonus: Bonus) -> bool:
    """WE-166, WE-167: whether att is compared with def where this bonus would count."""
    attacker = seat if bonus == "att" else foe(seat)
    return state.round.attacker in {attacker, DRAW} and not star(state, attacker)


class AnnounceBonus(Choice, frozen=True):
    """Announce this bonus."""

    bonus: Bonus


class Announcement(Decision, frozen=True):
    """WE-173 The first picker names his bonus right after the Chosen Troops are selected (WE-Q61)."""

    rule = "WE-173"

    def form(self, state: WarState) -> One:
        """Any of the five."""
        return only(tuple(AnnounceBonus(bonus) for bonus in BONUSES))

    def resolve(self, r: Resolver[WarState], choice: AnnounceBonus) -> Flow:
        """The announcement is public."""
        r.emit(BonusAnnounced(self.by, choice.bonus))
        return NEXT


class PickFirst(Choice, frozen=True):
    """This seat picks its bonus first."""

    seat: int


class FirstPicker(Decision, frozen=True):
    """WE-174 Which player picks a bonus first."""

    rule = "WE-174"

    def form(self, state: WarState) -> One:
        """Oneself or the opponent."""
        return only((PickFirst(foe(self.by)), PickFirst(self.by)))

    def resolve(self, r: Resolver[WarState], choice: PickFirst) -> Flow:
        """That player announces at once."""
        return Call(Announcing(Seat(choice.seat)))


class Announcing(Procedure, frozen=True):
    """WE-174: the first picker announces."""

    seat: Seat

    @step("WE-174")
    def announce(self, r: Resolver[WarState]) -> Flow:
        """Right after the Chosen Troops are selected."""
        return ask(Announcement(self.seat))


class BothMasters(Procedure, frozen=True):
    """WE-173 to WE-175: both players brought their Combat Masters into play."""

    @step("WE-175")
    def tie(self, r: Resolver[WarState]) -> Flow:
        """In a draw with equal MP Counters further cards decide which player decides."""
        if r.state.round.attacker == DRAW and r.state.sides[0].mp == r.state.sides[1].mp:
            return Call(TieBreak("WE-175"))
        return NEXT

    @step("WE-173", "WE-174")
    def order(self, r: Resolver[WarState]) -> Flow:
        """WE-173: the Attacker announces; WE-174: in a draw the player with the most MP names the first picker."""
        state = r.state
        if state.round.attacker != DRAW:
            return Call(Announcing(Seat(state.round.attacker)))
        first, second = (side.mp for side in state.sides)
        return ask(FirstPicker(Seat(state.round.leader if first == second else int(second > first))))


class TakeMp(Choice, frozen=True):
    """Take the MP bonus."""


class DeclineMp(Choice, frozen=True):
    """Take no bonus in this round."""


class LateMp(Decision, frozen=True):
    """WE-171 Whether the MP bonus, and only that, is taken at the end of the round."""

    rule = "WE-171"

    def form(self, state: WarState) -> One:
        """Yes or no."""
        return only((TakeMp(), DeclineMp()))

    def resolve(self, r: Resolver[WarState], choice: TakeMp | DeclineMp) -> Flow:
        """The MP Counter rises."""
        if isinstance(choice, TakeMp):
            amount = amount_of(r.state, self.by, "mp")
            r.emit(BonusApplied(self.by, "mp", amount))
            r.emit(MpChanged(self.by, r.state.sides[self.by].mp + amount, (Part("WE-171", amount),)))
        return NEXT


def late_bonuses(r: Resolver[WarState]) -> Flow:
    """WE-171: for players who used no bonus, even if the Combat Master left; WE-Q61: an announced bonus that could not
    apply is lost.
    """
    asked = []
    for seat in BOTH:
        if not acting(r.state, seat):
            continue
        if r.state.round.announced[seat]:
            r.emit(BonusLost(seat, r.state.round.announced[seat]))
        elif amount_of(r.state, seat, "mp"):
            asked.append(LateMp(seat))
    return ask(*asked) if asked else NEXT


def flip_masters(r: Resolver[WarState]) -> None:
    """WE-172: the Combat Masters that were laid are flipped."""
    for seat in BOTH:
        if secondary(r.state, seat) == "mst" and not r.state.sides[seat].master_lost:
            r.emit(MasterFlipped(seat))
