"""The council phase (section D): round card, war council river, upkeep."""

from typing import Final

from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.rules.losing import destroy
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.drawing import replenish, top_card
from domain.joan_of_arc.rules.player_actions.exchanging import Exchange, exchange, exchanges
from domain.joan_of_arc.state.events import (
    CharacterReverted,
    CouncilCardDrawn,
    OrdersGained,
    PhaseBegan,
    RiverCleared,
    RoundCardFlipped,
    UpkeepPaid,
    WarCouncilChosen,
)
from domain.joan_of_arc.state.queries import card_of, setting_of, unit_of, units_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    Next,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)

RIVER: Final = 3
"""JA-042: cards of the river."""


class TakeCouncilCard(Choice, frozen=True):
    """Take the effect of this river card."""

    card: str


class CouncilPick(Decision, frozen=True):
    """JA-D01 The river card; every player may choose any of them (JA-045)."""

    rule = "JA-044"

    def form(self, state: JoanState) -> One:
        """Exactly one of the cards that the river shows."""
        return only(tuple(TakeCouncilCard(card) for card in state.river))

    def resolve(self, r: Resolver[JoanState], choice: TakeCouncilCard) -> Flow:
        """Its effect is applied at once; the card stays in the river."""
        r.emit(WarCouncilChosen(self.by, choice.card))
        effects = setting_of(r.state).index.war_council[choice.card].effects
        return Call(Effects(self.by, effects))


class Council(Procedure, frozen=True):
    """JA-040 to JA-051. `picks`: the number of players who have chosen a card."""

    picks: int = 0

    @step("JA-040", "JA-041")
    def round_card(self, r: Resolver[JoanState]) -> Flow:
        """The top card is turned up; everybody gains its command orders, without a cap (JA-078)."""
        r.emit(PhaseBegan("council"))
        card = top_card(r.state, "rounds")
        r.emit(RoundCardFlipped(card))
        gained = setting_of(r.state).index.rounds[card].command_orders
        for seat in setting_of(r.state).order:
            r.emit(OrdersGained(seat, "command", gained))
        return NEXT

    @step("JA-042", "JA-043", "JA-046")
    def river(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q07: discard last round's river, then draw cards until it has three different ones, or as many as
        there are; an empty deck is made of its discards.
        """
        if r.state.river:
            r.emit(RiverCleared())
        designs = len(setting_of(r.state).index.war_council)
        while len(r.state.river) < min(RIVER, designs) and replenish(r, "council"):
            card = top_card(r.state, "council")
            r.emit(CouncilCardDrawn(card, card not in r.state.river))
        return NEXT

    @step("JA-044")
    def pick(self, r: Resolver[JoanState]) -> Flow:
        """The next player in turn order chooses one."""
        return ask(CouncilPick(setting_of(r.state).order[self.picks]))

    @step("JA-045")
    def next_pick(self, r: Resolver[JoanState]) -> Flow:
        """Repeat until every player has one."""
        judge(r)
        after = Council(self.picks + 1)
        return Goto("JA-044", after) if after.picks < len(setting_of(r.state).order) else Next(after)

    @step("JA-047", "JA-186")
    def upkeep(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q50: the first player first, each for all level 2 characters on the board."""
        due = tuple(unit.id for seat in setting_of(r.state).order for unit in owing(r.state, seat))
        return Call(UpkeepDue(due)) if due else NEXT


def owing(state: JoanState, seat: Seat) -> tuple[Unit, ...]:
    """JA-047: a player's level 2 characters on the board, carried ones too; JA-048: not those in the infirmary."""
    return tuple(unit for unit in units_of(state, seat) if card_of(state, unit).level == 2)


class PayUpkeep(Choice, frozen=True):
    """Spend 1 XP: the character keeps its level."""


class Revert(Choice, frozen=True):
    """Spend nothing: the character is back at level 1."""


class Upkeep(Decision, frozen=True):
    """JA-D03 Whether a level 2 character is kept for 1 XP (JA-047)."""

    rule = "JA-047"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """Payment needs an XP, for which an intrigue token may be swapped (JA-188)."""
        pays = (PayUpkeep(),) if state.boards[self.by].xp else ()
        return only((*pays, Revert(), *exchanges(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: PayUpkeep | Revert | Exchange) -> Flow:
        """JA-049: at once; JA-050: its wounds may destroy it, without a reward (JA-Q50)."""
        if isinstance(choice, Exchange):
            exchange(r, self.by, choice)
            return Goto("JA-047")
        if isinstance(choice, PayUpkeep):
            r.emit(UpkeepPaid(self.unit))
        else:
            revert(r, self.unit)
        return NEXT


def revert(r: Resolver[JoanState], unit: UnitId) -> None:
    """JA-049, JA-050: the level 1 card; destroyed if it has as many wounds as HPs."""
    found = unit_of(r.state, unit)
    r.emit(CharacterReverted(unit, setting_of(r.state).index.level_1_of(found.card)))
    hp = card_of(r.state, unit_of(r.state, unit)).hp
    if hp is not None and found.wounds >= hp:
        destroy(r, unit, None, "JA-050")


class UpkeepDue(Procedure, frozen=True):
    """JA-047: the characters for which upkeep is due, one after the other."""

    units: tuple[UnitId, ...]

    @step("JA-047")
    def demand(self, r: Resolver[JoanState]) -> Flow:
        """JA-051: level 1 characters owe nothing, nor do characters that have left the board since."""
        unit = unit_of(r.state, self.units[0])
        if unit.spot != "board":
            return NEXT
        assert unit.owner is not None, "a character is somebody's"
        return ask(Upkeep(unit.owner, unit.id))

    @step("JA-Q50")
    def next_unit(self, r: Resolver[JoanState]) -> Flow:
        """Each character is decided separately."""
        judge(r)
        return Goto("JA-047", UpkeepDue(self.units[1:])) if self.units[1:] else DONE
