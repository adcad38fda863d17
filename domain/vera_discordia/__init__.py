"""Vera Discordia: two armies of eight Units, secret orders, open dice. Ledger: docs/rules/vera_discordia.md."""

import msgspec

from domain.commons.doors import classes_of
from domain.kernel import Game, GameSpec
from domain.vera_discordia import events
from domain.vera_discordia.card_checks import check_text, defects_of, raw, read_card_file
from domain.vera_discordia.evolve import EVOLVE
from domain.vera_discordia.invariants import invariants
from domain.vera_discordia.options import Options
from domain.vera_discordia.positions import POSITIONS
from domain.vera_discordia.queries import index_of_options
from domain.vera_discordia.refusals import forbids
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


RULES = (
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
    round,
    strategy,
    supports,
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
        evolve=EVOLVE,
        **classes_of(events, *RULES),
        resample=resample,
        read_cards=read_card_file,
        positions=POSITIONS,
        invariants=invariants,
        forbids=forbids,
    )
)

__all__ = ["GAME", "check_text"]
