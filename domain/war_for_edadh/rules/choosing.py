"""2.H CR3: Chosen Troops (WE-072 to WE-079), with Unit Compositions (WE-211, WE-214, WE-217, WE-218) and WE-239."""

from domain.commons.rows import foe
from domain.kernel import NEXT, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.cards.cards import Kind, Level
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.rules.combining import Combining
from domain.war_for_edadh.rules.rows import offer_rows
from domain.war_for_edadh.rules.tie_break import TieBreak
from domain.war_for_edadh.state.events import BowColumnNamed, FirstChooserFixed, TroopChosen
from domain.war_for_edadh.state.queries import card, columns_of, facing, place, weapon_at
from domain.war_for_edadh.state.state import DRAW, TroopId, Unit, WarState
from domain.war_for_edadh.state.stats import PLUS_KINDS, row_of, works


def open_columns(state: WarState, seat: int, unit: Unit = "main") -> tuple[int, ...]:
    """WE-072, WE-199: the columns that can still supply a Chosen Troop in this Duration."""
    side = state.sides[seat]
    spent = side.spent if unit == "main" else side.spent_support
    return tuple(
        [
            number
            for number, column in enumerate(columns_of(side, unit), 1)
            if column and number not in spent and not state.troops[column[0]].flipped
        ]
    )


def in_column(state: WarState, seat: int, number: int, unit: Unit = "main") -> tuple[TroopId, ...]:
    """The cards of an open column that its owner may choose: the front one, or a working rear one."""
    column = columns_of(state.sides[seat], unit)[number - 1]
    found = [column[0]]
    for rank, troop in enumerate(column[1:], 2):
        if not state.troops[troop].flipped and _fights_from(state, seat, troop, rank):
            found.append(troop)
    return tuple(found)


def _fights_from(state: WarState, seat: int, troop: TroopId, rank: int) -> bool:
    """WE-211, WE-214, WE-217: whether a rear card has a composition that works there."""
    printed, level = card(state, troop), state.level
    if not printed.compositions:
        return False
    for kind in PLUS_KINDS[level]:
        symbol = printed.composition(kind, level)
        # Few cards have one, and the test whether it works is slow.
        if symbol and symbol.works_in(rank) and works(state, seat, kind):
            return True
    return False


def choosable(state: WarState, seat: int) -> tuple[TroopId, ...]:
    """WE-072, WE-217, WE-239: every card that may be the player's Chosen Troop."""
    found = [troop for number in open_columns(state, seat) for troop in in_column(state, seat, number)]
    if state.level is Level.BALLISTIC and state.options.support:
        for number in open_columns(state, seat, "support"):
            behind = in_column(state, seat, number, "support")
            found += [troop for troop in behind if weapon_at(card(state, troop), Level.BALLISTIC)]
    return tuple(found)


def choose(r: Resolver[WarState], troop: str, by: Seat) -> None:
    """The card is the Chosen Troop of its owner."""
    unit, column, rank = place(r.state, troop)
    r.emit(TroopChosen(r.state.troops[TroopId(troop)].seat, TroopId(troop), unit, column, rank, by))


class ChooseTroop(Choice, frozen=True):
    """Let this Troop fight the round."""

    troop: str


class TroopSelection(Decision, frozen=True):
    """WE-072 The Troop that fights the round. `first`: this player chooses first. "No Troop" is no choice (WE-Q78)."""

    rule = "WE-072"

    first: bool = True

    def form(self, state: WarState) -> One:
        """WE-073: any available card; WE-075: at Melee a column, then the column facing it (WE-Q06, WE-Q08)."""
        return only(tuple(ChooseTroop(troop) for troop in self.troops(state)))

    def troops(self, state: WarState) -> tuple[TroopId, ...]:
        """The cards on offer."""
        if state.level is not Level.MELEE:
            return choosable(state, self.by)
        if self.first:
            return tuple(t for number in _leading_columns(state, self.by) for t in in_column(state, self.by, number))
        return tuple(t for number in _answering_columns(state, self.by) for t in in_column(state, self.by, number))

    def resolve(self, r: Resolver[WarState], choice: ChooseTroop) -> Flow:
        """The card fights; the choice is public."""
        choose(r, choice.troop, self.by)
        return NEXT


def _leading_columns(state: WarState, seat: Seat) -> tuple[int, ...]:
    """WE-Q06: columns whose facing column is open too; all open columns if there is none."""
    own, enemy = open_columns(state, seat), open_columns(state, foe(seat))
    return tuple(number for number in own if facing(number) in enemy) or own


def _answering_columns(state: WarState, seat: Seat) -> tuple[int, ...]:
    """WE-075, WE-078: the column that faces the first Chosen Troop, else the nearest open ones."""
    leader = place(state, state.round.chosen[foe(seat)])[1]
    own = open_columns(state, seat)
    near = min((abs(number - facing(leader)) for number in own), default=0)
    return tuple(number for number in own if abs(number - facing(leader)) == near)


class UseBow(Choice, frozen=True):
    """Let the bow pick the opponent's Troop."""


class SpareBow(Choice, frozen=True):
    """Let the opponent choose his Troop himself."""


class BowOffer(Decision, frozen=True):
    """WE-218 Whether a bow with Rate of Fire picks the opponent's Chosen Troop."""

    rule = "WE-218"

    def form(self, state: WarState) -> One:
        """Yes or no."""
        return only((UseBow(), SpareBow()))

    def resolve(self, r: Resolver[WarState], choice: UseBow | SpareBow) -> Flow:
        """The opponent names a column next, or chooses as usual."""
        return Goto("WE-Q52") if isinstance(choice, UseBow) else Goto("WE-074")


class NameColumn(Choice, frozen=True):
    """Name this column of the player's own."""

    column: int


class BowColumn(Decision, frozen=True):
    """WE-218 The opponent of the bow names a column whose Chosen Troop is still available (WE-Q52)."""

    rule = "WE-218"

    def form(self, state: WarState) -> One:
        """The open columns."""
        return only(tuple(NameColumn(number) for number in open_columns(state, self.by)))

    def resolve(self, r: Resolver[WarState], choice: NameColumn) -> Flow:
        """The Attacker picks a card of it."""
        r.emit(BowColumnNamed(self.by, choice.column))
        return Call(BowShot(foe(self.by), choice.column))


class BowTarget(Decision, frozen=True):
    """WE-218 The Attacker names any face-up card of the column."""

    rule = "WE-218"

    column: int

    def form(self, state: WarState) -> One:
        """Every face-up card of the column."""
        column = state.sides[foe(self.by)].columns[self.column - 1]
        return only(tuple(ChooseTroop(troop) for troop in column if not state.troops[troop].flipped))

    def resolve(self, r: Resolver[WarState], choice: ChooseTroop) -> Flow:
        """It is the opponent's Chosen Troop."""
        choose(r, choice.troop, self.by)
        return NEXT


class BowShot(Procedure, frozen=True):
    """WE-218: the Attacker picks a card of the column named."""

    seat: Seat
    column: int

    @step("WE-218")
    def target(self, r: Resolver[WarState]) -> Flow:
        """Any card of the column, whatever its rank."""
        return ask_or_take(r, BowTarget(self.seat, self.column))


def has_bow(state: WarState, seat: int) -> bool:
    """WE-218: the Chosen Troop has Rate of Fire at this level and a bow."""
    if state.level is Level.MELEE or not works(state, seat, Kind.RATE_OF_FIRE):
        return False
    troop = state.round.chosen[seat]
    fire = card(state, troop).composition(Kind.RATE_OF_FIRE, state.level)
    return fire is not None and row_of(state, troop).weapon_class == "bow"


class Choosing(Procedure, frozen=True):
    """CR3: both players' Chosen Troops."""

    @step("WE-077", "WE-175")
    def leader(self, r: Resolver[WarState]) -> Flow:
        """WE-077: in a draw with equal MP Counters further cards decide who leads."""
        first, second = (side.mp for side in r.state.sides)
        if r.state.round.attacker == DRAW and first == second:
            return Call(TieBreak("WE-077"))
        return NEXT

    @step("WE-073", "WE-075", "WE-076")
    def first(self, r: Resolver[WarState]) -> Flow:
        """WE-073, WE-075: the Attacker first; WE-074, WE-076: in a draw the player with the higher MP Counter."""
        now = r.state.round
        if now.attacker != DRAW:
            r.emit(FirstChooserFixed(Seat(now.attacker), "WE-073"))
        elif r.state.sides[0].mp != r.state.sides[1].mp:
            r.emit(FirstChooserFixed(Seat(int(r.state.sides[1].mp > r.state.sides[0].mp)), "WE-074"))
        else:
            r.emit(FirstChooserFixed(Seat(now.leader), "WE-077"))
        return ask_or_take(r, TroopSelection(Seat(r.state.round.leader)))

    @step("WE-158")
    def first_combining(self, r: Resolver[WarState]) -> Flow:
        """Helpers are named with the Chosen Troop, before the opponent chooses (WE-286)."""
        return Call(Combining(Seat(r.state.round.leader)))

    @step("WE-218")
    def bow(self, r: Resolver[WarState]) -> Flow:
        """A bow may pick the opponent's Chosen Troop; not in a draw."""
        now = r.state.round
        if now.attacker == DRAW or not has_bow(r.state, now.attacker):
            return Goto("WE-074")
        if not open_columns(r.state, foe(now.attacker)):
            return Goto("WE-074")
        return ask(BowOffer(Seat(now.attacker)))

    @step("WE-Q52")
    def bow_column(self, r: Resolver[WarState]) -> Flow:
        """The opponent names the column."""
        return ask_or_take(r, BowColumn(foe(r.state.round.attacker)))

    @step("WE-074", "WE-078")
    def second(self, r: Resolver[WarState]) -> Flow:
        """The other player chooses; at Melee the facing column is fixed."""
        other = foe(r.state.round.leader)
        if r.state.round.chosen[other]:
            return NEXT
        return ask_or_take(r, TroopSelection(other, False))

    @step("WE-159")
    def second_combining(self, r: Resolver[WarState]) -> Flow:
        """Helpers of the second Chosen Troop."""
        return Call(Combining(foe(r.state.round.leader)))

    @step("WE-212", "WE-187", "WE-Q54", "WE-Q85")
    def rows(self, r: Resolver[WarState]) -> Flow:
        """The rows of stats that the Chosen Troops use, where the book says "can"."""
        return offer_rows(r)
