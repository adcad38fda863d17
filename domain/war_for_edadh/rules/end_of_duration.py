"""2.I End of Duration (WE-107 to WE-155): eleven steps, each finished for both players before the next."""

from functools import cache

from domain.commons.rows import BOTH, foe
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Part,
    Parts,
    Procedure,
    Resolver,
    Seat,
    only,
    step,
    total,
)
from domain.kernel import ask as ask_seats
from domain.war_for_edadh.cards.cards import Level
from domain.war_for_edadh.rules.discarding import Removing, UnitNaming, naming_due
from domain.war_for_edadh.rules.instant_discard import with_columns
from domain.war_for_edadh.rules.standards import Resolve, has_res
from domain.war_for_edadh.rules.stratagems import InstantEffects, ask_picks, enter, instants
from domain.war_for_edadh.rules.support import SupportJoining
from domain.war_for_edadh.state.events import (
    BonusRowsReady,
    BonusRowsTested,
    CardsTurnedUp,
    CombatEnded,
    DmgChanged,
    PilesCounted,
    PilesRemoved,
    TroopsSwapped,
    UnitsMoved,
)
from domain.war_for_edadh.state.queries import UNITS, card, cards_of, columns_of, everyone, initiative, next_position
from domain.war_for_edadh.state.state import DRAW, Columns, TroopId, WarState

FARTHEST_SWAP = 2
"""WE-152: the largest distance in ranks between two cards that swap."""


def pile_size(state: WarState, seat: int) -> int:
    """WE-126: Troops and Combat Master in the Discard Pile."""
    side = state.sides[seat]
    return len(side.pile) + side.master_in_pile


def lost(state: WarState, seat: int) -> tuple[str, str]:
    """WE-133 to WE-135: the reason why the player's opponent wins in ED6, with the rule; empty if he does not win."""
    side = state.sides[seat]
    if side.routed:
        return "rout", "WE-133"
    if side.mp <= 0:
        return "exhaustion", "WE-134"
    return ("annihilation", "WE-135") if not everyone(side) else ("", "")


def end_combat(r: Resolver[WarState], losers: tuple[bool, bool], reason: str, rule: str, drawn: str) -> Flow:
    """Both lose: a draw, by the rule `drawn`. The End of Duration stops here (WE-115)."""
    if all(losers):
        r.emit(CombatEnded(DRAW, "draw", drawn))
    else:
        r.emit(CombatEnded(int(losers[0]), reason, rule))
    return DONE


class Swap(Choice, frozen=True):
    """Let these two cards of a column change places."""

    first: str
    second: str


class StopSwapping(Choice, frozen=True):
    """Swap no further cards."""


class SwapOffer(Decision, frozen=True):
    """WE-152 Which cards of a column change places; `moved` have taken part already (WE-Q66)."""

    rule = "WE-152"

    moved: tuple[str, ...] = ()

    def form(self, state: WarState) -> One:
        """Every pair at most two ranks apart."""
        return only((StopSwapping(), *(Swap(a, b) for a, b in pairs(state, self.by, self.moved))))

    def resolve(self, r: Resolver[WarState], choice: Swap | StopSwapping) -> Flow:
        """The two change places, and the player is asked again."""
        if isinstance(choice, StopSwapping):
            return NEXT
        first, second = TroopId(choice.first), TroopId(choice.second)
        exchange = {first: second, second: first}
        side = r.state.sides[self.by]
        unit = next(u for u in UNITS if any(first in column for column in columns_of(side, u)))
        one, two, three = (tuple(exchange.get(t, t) for t in column) for column in columns_of(side, unit))
        new: Columns = (one, two, three)
        main, support = with_columns(side, unit, new)
        r.emit(TroopsSwapped(self.by, first, second, main, support))
        return Goto("WE-152", Swapping(self.by, (*self.moved, first, second)))


def pairs(state: WarState, seat: int, moved: tuple[str, ...] = ()) -> tuple[tuple[TroopId, TroopId], ...]:
    """WE-152: pairs of one column, one or two ranks apart, of cards that have not moved yet."""
    side = state.sides[seat]
    found = [
        (column[rank], column[other])
        for unit in UNITS
        for column in columns_of(side, unit)
        for rank, other in _apart(len(column))
    ]
    if moved:
        return tuple([(one, other) for one, other in found if one not in moved and other not in moved])
    return tuple(found)


@cache
def _apart(length: int) -> tuple[tuple[int, int], ...]:
    """The ranks of a column that may change places, from 0 at the front."""
    return tuple(
        (rank, other) for rank in range(length) for other in range(rank + 1, min(length, rank + FARTHEST_SWAP + 1))
    )


class Swapping(Procedure, frozen=True):
    """ED9 for one player."""

    seat: Seat
    moved: tuple[str, ...] = ()

    @step("WE-152", "WE-153")
    def swap(self, r: Resolver[WarState]) -> Flow:
        """No swaps at Melee. This is ED9, not step 8 (WE-Q05)."""
        if r.state.level is Level.MELEE or not pairs(r.state, self.seat, self.moved):
            return NEXT
        return ask_seats(SwapOffer(self.seat, self.moved))


class EndOfDuration(Procedure, frozen=True):
    """ED1 to ED11. `order` is the initiative order of the step under way, fixed when it begins (WE-Q24)."""

    order: tuple[int, ...] = ()

    @step("WE-108", "WE-109")
    def stratagems_enter(self, r: Resolver[WarState]) -> Flow:
        """ED1: Holding cards come into play or go back; then Instant effects."""
        enter(r)
        return Call(InstantEffects(instants(r.state)))

    @step("WE-113", "WE-114", "WE-115")
    def lose(self, r: Resolver[WarState]) -> Flow:
        """ED2: a Dmg Counter strictly above the MP Counter loses at once, before any other test (WE-Q25)."""
        first, second = (side.dmg > side.mp for side in r.state.sides)
        return end_combat(r, (first, second), "damage", "WE-113", "WE-114") if first or second else NEXT

    @step("WE-116")
    def lower(self, r: Resolver[WarState]) -> Flow:
        """ED3: the DV of Instant Discarded cards is subtracted from the Dmg Counter."""
        for seat in BOTH:
            parts = instant_parts(r.state, seat)
            if parts:
                r.emit(DmgChanged(seat, max(0, r.state.sides[seat].dmg + total(parts)), parts))
        return NEXT

    @step("WE-241")
    def name_units(self, r: Resolver[WarState]) -> Flow:
        """Before ED4 the opponent names the Unit from which a player with a Support Unit Discards."""
        asked = [UnitNaming(foe(seat)) for seat in initiative(r.state) if naming_due(r.state, seat)]
        return ask_seats(*asked) if asked else NEXT

    @step("WE-118")
    def discard_first(self, r: Resolver[WarState]) -> Flow:
        """ED4: the player with the initiative."""
        order = initiative(r.state)
        return Call(Removing(order[0]), EndOfDuration(order))

    @step("WE-Q30")
    def discard_second(self, r: Resolver[WarState]) -> Flow:
        """ED4: the other player."""
        return Call(Removing(Seat(self.order[1])))

    @step("WE-187", "WE-188", "WE-189")
    def bonus_rows(self, r: Resolver[WarState]) -> Flow:
        """WE-187, WE-Q53: a bonus row lasts while the opponent has more Troops in his Discard Pile.

        In a further Duration it lasts only if it was used; a row that was declined is lost.
        """
        sides = r.state.sides
        if any(side.fresh for side in sides):
            ready = [side.fresh and (side.row_used or not r.state.fresh_again) for side in sides]
            first, second = (len(side.pile) for side in sides)
            r.emit(BonusRowsTested((ready[0] and second > first, ready[1] and first > second)))
        return NEXT

    @step("WE-127", "WE-285")
    def resolve(self, r: Resolver[WarState]) -> Flow:
        """ED5: Standards may lower the count of a player with cards in the pile."""
        seats = [seat for seat in BOTH if pile_size(r.state, seat) and has_res(r.state, seat)]
        return ask_seats(*(Resolve(seat) for seat in seats), sealed=True) if seats else NEXT

    @step("WE-126", "WE-129", "WE-130", "WE-131", "WE-132", "WE-128")
    def shaken(self, r: Resolver[WarState]) -> Flow:
        """ED5: the player with more becomes Shaken, or Routs if already Shaken (WE-Q34)."""
        sides = r.state.sides
        counts = (pile_size(r.state, 0), pile_size(r.state, 1))
        first, second = (max(0, count - side.res) for count, side in zip(counts, sides, strict=True))
        shaken = (first > second, second > first)
        routed = (shaken[0] and sides[0].shaken, shaken[1] and sides[1].shaken)
        r.emit(PilesCounted(counts, (first, second), shaken, routed))
        return NEXT

    @step("WE-133", "WE-134", "WE-135", "WE-136")
    def win(self, r: Resolver[WarState]) -> Flow:
        """ED6: a Rout (WE-Q33), MP on 0 or less, or no Troops."""
        found = [lost(r.state, seat) for seat in BOTH]
        if not any(reason for reason, _ in found):
            return NEXT
        reason, rule = next(pair for pair in found if pair[0])
        return end_combat(r, (bool(found[0][0]), bool(found[1][0])), reason, rule, "WE-136")

    @step("WE-137")
    def remove_piles(self, r: Resolver[WarState]) -> Flow:
        """ED6: the cards in both piles are out of the game."""
        r.emit(PilesRemoved())
        return NEXT

    @step("WE-138")
    def pick(self, r: Resolver[WarState]) -> Flow:
        """ED7: Stratagems."""
        return ask_picks(r)

    @step("WE-151", "WE-036")
    def turn_up(self, r: Resolver[WarState]) -> Flow:
        """ED8: Troops and masters turn face up, Standards do not."""
        r.emit(CardsTurnedUp())
        return NEXT

    @step("WE-152")
    def swap_first(self, r: Resolver[WarState]) -> Flow:
        """ED9: the player with the initiative."""
        order = initiative(r.state)
        return Call(Swapping(order[0]), EndOfDuration(order))

    @step("WE-Q66")
    def swap_second(self, r: Resolver[WarState]) -> Flow:
        """ED9: the other player."""
        return Call(Swapping(Seat(self.order[1])))

    @step("WE-154")
    def support_first(self, r: Resolver[WarState]) -> Flow:
        """ED10: the player with the initiative."""
        order = initiative(r.state)
        return Call(SupportJoining(order[0]), EndOfDuration(order))

    @step("WE-243")
    def support_second(self, r: Resolver[WarState]) -> Flow:
        """ED10: the other player."""
        return Call(SupportJoining(Seat(self.order[1])))

    @step("WE-155", "WE-060", "WE-057", "WE-058", "WE-059", "WE-185")
    def move(self, r: Resolver[WarState]) -> Flow:
        """ED11: both Units move together; WE-185: from Charge to Melee bonus rows are ready."""
        came_from = r.state.position
        position, rule = next_position(r.state)
        r.emit(UnitsMoved(position, rule))
        if position == "melee" and came_from == "charge":
            r.emit(BonusRowsReady())
        return NEXT


def instant_parts(state: WarState, seat: int) -> Parts:
    """WE-116, WE-176: the DV of each Troop and Combat Master that was Instant Discarded in this Duration."""
    side = state.sides[seat]
    parts = [Part("WE-116", -card(state, troop).dv, card(state, troop).name) for troop in side.instant]
    if side.master_in_pile:
        master = cards_of(state).combat_masters[side.combat_master]
        parts.append(Part("WE-176", -master.dv, master.name))
    return tuple(parts)
