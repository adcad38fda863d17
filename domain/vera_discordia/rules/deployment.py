"""Sections N and O: examining Terrain and deployment (set-up steps 6 and 7)."""

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, step
from domain.vera_discordia.cards.cards import CardKey, GeneralRanks, Rank, Redeploy
from domain.vera_discordia.rules.recruiting import rank_of
from domain.vera_discordia.state.events import (
    ExaminationEnded,
    PhaseBegan,
    TerrainExamined,
    TerrainLaid,
    TerrainRevealed,
    UnitDeployed,
    UnitsSwapped,
)
from domain.vera_discordia.state.queries import army, cards_of, general_of, leadership, openings, profile_of
from domain.vera_discordia.state.state import COLUMNS, Column, Phase, Space, UnitId, VeraState

TERRAIN_CARDS = 4


def holder(state: VeraState) -> Seat:
    """The player with the Initiative marker (VD-008)."""
    assert state.initiative is not None, "the marker is held from set-up step 2.7 on"
    return state.initiative


class Examine(Choice, frozen=True):
    """Look at the Terrain of this column."""

    column: Column


class StopExamining(Choice, frozen=True):
    """Look at no more Terrain."""


class TerrainExamination(Decision, frozen=True):
    """VD-116 The player may look at one more Terrain card; the opponent sees the column (VD-Q53)."""

    rule = "VD-116"

    def form(self, state: VeraState) -> One:
        """A column not yet examined, or no more."""
        columns = tuple(Examine(column) for column in COLUMNS if f"{self.by}{column}" not in state.looked)
        return One((StopExamining(), *columns))

    def resolve(self, r: Resolver[VeraState], choice: Examine | StopExamining) -> Flow:
        """VD-118, VD-373: only this player sees the card."""
        if isinstance(choice, Examine):
            terrain = known(r.state.laid)[choice.column - 1]
            r.emit(TerrainExamined(self.by, choice.column, terrain))
        else:
            r.emit(ExaminationEnded(self.by))
        return NEXT


def looks_of(state: VeraState, seat: Seat) -> int:
    """How many Terrain cards a player may look at: 1 + Vision, at most 4 (VD-116, VD-361)."""
    return min(TERRAIN_CARDS, 1 + state.sides[seat].vision)


class Examination(Procedure, frozen=True):
    """N. One player looks at Terrain, card by card."""

    by: Seat

    @step("VD-116", "VD-118")
    def look(self, r: Resolver[VeraState]) -> Flow:
        """1 + Vision cards, at most 4 (VD-361)."""
        side = r.state.sides[self.by]
        looked = sum(key[0] == str(self.by) for key in r.state.looked)
        if side.done or looked >= looks_of(r.state, self.by):
            return DONE
        return ask(TerrainExamination(self.by))

    @step("VD-Q53")
    def again(self, r: Resolver[VeraState]) -> Flow:
        """One after the other."""
        return Goto("VD-116")


def lay_terrain(r: Resolver[VeraState]) -> None:
    """VD-006, VD-115, VD-119, VD-374: 4 of 12 cards face down, one per column; nobody knows them."""
    r.emit(PhaseBegan(Phase.EXAMINING))
    deck = r.shuffle(cards_of(r.state).terrain_deck, "VD-115", "Terrain deck")
    r.emit(TerrainLaid(deck[:TERRAIN_CARDS]))


class Deploy(Choice, frozen=True):
    """Place this Unit on this space, with the General or without."""

    card: CardKey
    closed: bool
    space: Space
    general: bool = False


def general_ranks(state: VeraState, seat: Seat) -> frozenset[Rank]:
    """VD-127: Elite; other ranks by Leadership (VD-K03)."""
    for hook in leadership(state, seat, GeneralRanks):
        return frozenset(hook.ranks)
    return frozenset({Rank.ELITE})


class Deployment(Decision, frozen=True):
    """VD-122 A player places one Unit."""

    rule = "VD-122"

    def form(self, state: VeraState) -> One:
        """Any Unit left (VD-124) on any empty space of the player's field, with the General where he may go (VD-126 to
        VD-130).
        """
        side = state.sides[self.by]
        cards = [(card, False) for card in dict.fromkeys(side.reserve)]
        cards += [(card, True) for card in dict.fromkeys(known(side.covert))]
        ranks = general_ranks(state, self.by)
        may_lead = general_of(state, self.by) is not None and not side.general_deployed
        options: list[Choice] = []
        for card, closed in cards:
            leads = (False, True) if may_lead and rank_of(state, card) in ranks else (False,)
            for space in openings(state, self.by):
                options += [Deploy(card, closed, space, lead) for lead in leads]
        return One(tuple(options))

    def resolve(self, r: Resolver[VeraState], choice: Deploy) -> Flow:
        """VD-123: face up or face down. VD-012, VD-066: the General is on the Unit from now on."""
        deploy_unit(r, self.by, choice)
        return NEXT


def deploy_unit(r: Resolver[VeraState], seat: Seat, choice: Deploy) -> None:
    """VD-027, VD-028, VD-068: the Unit starts intact, with Guards if it holds the General (VD-Q62)."""
    state = r.state
    card, lead = choice.card, choice.general
    life = profile_of(state, card, seat, hero=lead, forest=False, changed=False).max_life
    unit = UnitId(f"u{state.deployed + 1}")
    if not choice.closed:
        r.emit(UnitDeployed(seat, unit, choice.space, lead, card, life))
        return
    left = list(known(state.sides[seat].covert))
    left.remove(card)
    r.emit(UnitDeployed(seat, unit, choice.space, lead, card=card, life=life, covert=tuple(left)))


class ExchangeSpaces(Choice, frozen=True):
    """These two Units of the player exchange spaces."""

    first: UnitId
    second: UnitId


class StopExchanging(Choice, frozen=True):
    """No (further) exchange."""


class Redeployment(Decision, frozen=True):
    """VD-K05 The owner may exchange the spaces of two of their Units (VD-D29)."""

    rule = "VD-K05"

    left: int

    def form(self, state: VeraState) -> One:
        """Any pair, over any distance, or no more."""
        units = army(state, self.by)
        pairs = (ExchangeSpaces(a.id, b.id) for i, a in enumerate(units) for b in units[i + 1 :])
        return One((StopExchanging(), *pairs))

    def resolve(self, r: Resolver[VeraState], choice: ExchangeSpaces | StopExchanging) -> Flow:
        """Open and Closed stay as they are; the opponent can follow every Unit."""
        if isinstance(choice, StopExchanging):
            return DONE
        r.emit(UnitsSwapped(choice.first, choice.second, "VD-K05"))
        return Goto("VD-K05", become=Redeploying(self.by, self.left - 1))


class Redeploying(Procedure, frozen=True):
    """VD-K05 A General's redeployment."""

    by: Seat
    left: int

    @step("VD-K05")
    def exchange(self, r: Resolver[VeraState]) -> Flow:
        """Up to the number of swaps on the card."""
        return ask(Redeployment(self.by, self.left)) if self.left else DONE


def swaps_of(state: VeraState, seat: Seat) -> int:
    """How many swaps the General grants."""
    return sum(hook.swaps for hook in leadership(state, seat, Redeploy))


class Placement(Procedure, frozen=True):
    """O. Players alternate until all Units stand (VD-121, VD-125)."""

    by: Seat

    @step("VD-122", "VD-121")
    def place(self, r: Resolver[VeraState]) -> Flow:
        """The player without initiative begins; one Unit each."""
        side = r.state.sides[self.by]
        return ask(Deployment(self.by)) if side.reserve or side.covert_count else DONE

    @step("VD-125")
    def alternate(self, r: Resolver[VeraState]) -> Flow:
        """The other player's turn."""
        return Goto("VD-122", become=Placement(foe(self.by)))


def judge_missing_generals(r: Resolver[VeraState]) -> None:
    """VD-129, VD-Q49: a player who has not assigned the General loses before the battle; a draw when neither has."""
    if r.state.options.without_generals:  # VD-287
        return
    missing = [seat for seat, side in enumerate(r.state.sides) if not side.general_deployed]
    if missing:
        winner = None if len(missing) > 1 else foe(Seat(missing[0]))
        r.end(winner, "the General was not deployed", "VD-129")


def reveal_terrain(r: Resolver[VeraState]) -> None:
    """VD-120: all four cards are turned up."""
    r.emit(TerrainRevealed(known(r.state.laid)))
