"""Vera Discordia: two armies of eight Units, secret orders, open dice. Ledger: docs/rules/vera_discordia.md."""

from typing import Any

import msgspec

from domain.kernel import Event, Game, GameSpec
from domain.vera_discordia import events
from domain.vera_discordia.card_checks import check_text, defects_of, raw
from domain.vera_discordia.cards import read_card_set
from domain.vera_discordia.evolve import EVOLVE
from domain.vera_discordia.invariants import invariants
from domain.vera_discordia.options import Options
from domain.vera_discordia.positions import POSITIONS
from domain.vera_discordia.queries import index_of_options
from domain.vera_discordia.resample import resample
from domain.vera_discordia.rules import (
    aerial_attack,
    attack,
    counterattack,
    deployment,
    direct_attack,
    generals,
    indirect_attack,
    interception,
    issuing,
    launch,
    maneuver,
    match,
    orders,
    reaction,
    recruiting,
    resolution,
    round,  # noqa: A004 - the rulebook's word
    strategy,
    supports,
)
from domain.vera_discordia.state import VeraState


def start(options: Options) -> VeraState:
    """The state before set-up. Raises `msgspec.ValidationError` for options that contradict each other."""
    cards = () if options.cards is None else defects_of(raw(options.cards), "cards")
    wrong = [str(defect) for defect in cards if not defect.advice] or options.defects(index_of_options(options))
    if wrong:
        raise msgspec.ValidationError("; ".join(wrong))
    return VeraState(options=options, cards=options.cards)


def read_cards(text: bytes, name: str) -> dict[str, Any]:
    """A card-set file as the option `cards`. Raises `ValueError` that names every defect."""
    wrong = [str(defect) for defect in check_text(text, name) if not defect.advice]
    if wrong:
        raise ValueError("\n".join(wrong))
    plain: dict[str, Any] = msgspec.to_builtins(read_card_set(text))
    return plain


PROCEDURES = (
    match.Match,
    generals.ChoiceOfGenerals,
    recruiting.Recruiting,
    deployment.Examination,
    deployment.Placement,
    deployment.Redeploying,
    round.Round,
    strategy.DiamondMoment,
    strategy.Strategy,
    issuing.Issuing,
    issuing.Keeping,
    resolution.Resolution,
    resolution.Turn,
    maneuver.Maneuver,
    maneuver.Castling,
    attack.AttackOrder,
    direct_attack.DirectAttack,
    indirect_attack.IndirectAttack,
    aerial_attack.AerialAttack,
    interception.Interception,
    reaction.Reaction,
    launch.Launch,
    counterattack.Counterattack,
)
DECISIONS = (
    generals.GeneralSelection,
    generals.SecretSelection,
    generals.OtherGeneral,
    recruiting.Exchange,
    recruiting.ClosedSelection,
    deployment.TerrainExamination,
    deployment.Deployment,
    deployment.Redeployment,
    strategy.DiamondStrategy,
    strategy.StarStrategy,
    strategy.Mending,
    strategy.Spying,
    strategy.Reissuing,
    strategy.Sabotaging,
    strategy.Shifting,
    issuing.OrderIssue,
    issuing.LeftoverDisposal,
    issuing.OrderReturn,
    resolution.OrderExecution,
    resolution.RageConversion,
    orders.TacticDeclaration,
    maneuver.ManeuverChoice,
    attack.AttackSelection,
    attack.TargetSelection,
    supports.SupportSelection,
    interception.InterceptionOffer,
    launch.Mastery,
    counterattack.Counterattacking,
)
CHOICES = (
    generals.ChooseGeneral,
    recruiting.KeepArmy,
    recruiting.ExchangeRank,
    recruiting.CloseUnits,
    deployment.Examine,
    deployment.StopExamining,
    deployment.Deploy,
    deployment.ExchangeSpaces,
    deployment.StopExchanging,
    strategy.UseStrategy,
    strategy.DeclineStrategy,
    strategy.Designate,
    strategy.ShiftUnit,
    strategy.ShiftPair,
    strategy.StopShifting,
    issuing.IssueOrders,
    issuing.DiscardLeftovers,
    issuing.TakeBack,
    issuing.KeepOrders,
    resolution.Execute,
    resolution.ExchangeCard,
    resolution.ExchangeOrders,
    resolution.ReclaimOrder,
    resolution.KeepOrder,
    resolution.ConvertOrder,
    orders.Declare,
    maneuver.DoNothing,
    maneuver.Move,
    maneuver.Castle,
    maneuver.Capture,
    attack.AttackBy,
    attack.Target,
    supports.Support,
    interception.Intercept,
    interception.StopIntercepting,
    launch.Reroll,
    launch.Stand,
    counterattack.StrikeBack,
    counterattack.HoldBack,
)
EVENTS = tuple(
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == events.__name__
)

GAME = Game(
    GameSpec(
        name="vera_discordia",
        title="Vera Discordia",
        about=(
            "Two armies of eight Units face each other across four columns of Terrain. "
            "Every round each Unit secretly receives an order; then the orders are turned up one by one."
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
        read_cards=read_cards,
        positions=POSITIONS,
        invariants=invariants,
    )
)

__all__ = ["GAME", "check_text"]
