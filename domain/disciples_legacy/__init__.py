"""Disciples: Legacy: three Parties a player, an economy of Cities and Mana. Ledger: docs/rules/disciples_legacy.md."""

from domain.disciples_legacy import events
from domain.disciples_legacy.armies import offer_defects
from domain.disciples_legacy.card_checks import check_army, defects_of, read_army_file, read_card_file
from domain.disciples_legacy.cards import index_of
from domain.disciples_legacy.evolve import EVOLVE
from domain.disciples_legacy.invariants import invariants
from domain.disciples_legacy.options import Options
from domain.disciples_legacy.positions import POSITIONS
from domain.disciples_legacy.resample import resample
from domain.disciples_legacy.rules import (
    attacking,
    founding,
    healing,
    match,
    paying,
    planting,
    rearranging,
    recruiting,
    replacing,
    setup,
    shopping,
    spells,
    strategic,
    thieving,
    trading,
    turn,
)
from domain.disciples_legacy.rules.battle import rounds, skills, steps, striking
from domain.disciples_legacy.state import DisciplesState
from domain.kernel import Event, Game, GameSpec


def start(options: Options) -> DisciplesState:
    """The state before set-up."""
    return DisciplesState(options=options)


def unplayable(options: Options) -> list[str]:
    """Defects of cards and decks of one's own, and of the options themselves."""
    wrong = [str(defect) for defect in defects_of(options.cards)] if options.cards is not None else []
    return wrong or [*options.defects(), *offer_defects(options.armies, index_of(options.cards))]


PROCEDURES = (
    match.Match,
    turn.Turn,
    healing.Healing,
    strategic.StrategicPhase,
    paying.Paying,
    rearranging.Rearranging,
    recruiting.MinorRecruiting,
    recruiting.UnitRecruiting,
    shopping.Shopping,
    trading.Trading,
    replacing.Replacing,
    attacking.Assaulting,
    steps.Battling,
    rounds.BattleRound,
    rounds.FreeActions,
)
DECISIONS = (
    setup.DeckSelection,
    setup.Deployment,
    healing.Revival,
    healing.HealingPurchase,
    strategic.StrategicAction,
    paying.Payment,
    rearranging.Arrangement,
    recruiting.Placement,
    recruiting.OverflowDiscard,
    trading.TradeTerms,
    attacking.BlockOffer,
    attacking.Engagement,
    steps.BattleFormation,
    steps.RetreatOffer,
    rounds.BattleAction,
    rounds.FreeAction,
)
CHOICES = (
    setup.ChooseDeck,
    setup.BringDeck,
    setup.DeployAsListed,
    setup.Deploy,
    healing.Revive,
    healing.ConfirmRevives,
    healing.Heal,
    healing.ConfirmHeals,
    paying.TapCity,
    strategic.Pass,
    strategic.Finish,
    strategic.Rearrange,
    rearranging.Move,
    rearranging.Keep,
    founding.RecruitCity,
    recruiting.RecruitMinor,
    recruiting.RecruitUnit,
    recruiting.PlaceUnit,
    recruiting.DiscardUnits,
    shopping.Shop,
    trading.Trade,
    trading.GiveUnit,
    trading.GiveItem,
    trading.SettleTrade,
    attacking.Assault,
    attacking.Block,
    attacking.DeclineBlock,
    attacking.Engage,
    attacking.Cancel,
    replacing.ReplaceLeader,
    planting.Plant,
    spells.Cast,
    thieving.UseAbility,
    steps.Retreat,
    steps.Stand,
    striking.Strike,
    skills.UseSkill,
    skills.UseItem,
    rounds.PassRound,
    rounds.FinishRound,
)
EVENTS = tuple(
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == events.__name__
)

GAME = Game(
    GameSpec(
        name="disciples_legacy",
        title="Disciples: Legacy",
        about=(
            "Each player leads three Parties, founds Cities, recruits, buys, plants Mana and casts Spells, one action "
            "in turn; Parties of up to six fight in two rows."
        ),
        rules="1",
        seats=2,
        options=Options,
        start=start,
        opening=lambda _: match.Match(),
        events=EVENTS,
        evolve=EVOLVE,
        procedures=PROCEDURES,
        decisions=DECISIONS,
        choices=CHOICES,
        resample=resample,
        positions=POSITIONS,
        read_cards=read_card_file,
        read_army=read_army_file,
        invariants=invariants,
        unplayable=unplayable,
    )
)

__all__ = ["GAME", "check_army"]
