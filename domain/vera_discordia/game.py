"""The game: its rules, events and questions put together."""

import msgspec

from domain.commons.class_discovery import classes_of
from domain.kernel import Game, GameSpec
from domain.vera_discordia import rules
from domain.vera_discordia.checks.card_checks import defects_of, raw, read_card_file
from domain.vera_discordia.checks.invariants import invariants
from domain.vera_discordia.checks.refusals import forbids
from domain.vera_discordia.positions.positions import POSITIONS
from domain.vera_discordia.positions.resample import resample
from domain.vera_discordia.rules import match
from domain.vera_discordia.state import events
from domain.vera_discordia.state.evolve import EVOLVE
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.queries import index_of_options
from domain.vera_discordia.state.state import VeraState


def start(options: Options) -> VeraState:
    """The state before set-up. Raises `msgspec.ValidationError` for options that contradict each other."""
    cards = () if options.cards is None else defects_of(raw(options.cards), "cards")
    wrong = [str(defect) for defect in cards if not defect.advice] or options.defects(index_of_options(options))
    if wrong:
        raise msgspec.ValidationError("; ".join(wrong))
    return VeraState(options=options, cards=options.cards)


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
        **classes_of(rules, events),
        resample=resample,
        read_cards=read_card_file,
        positions=POSITIONS,
        invariants=invariants,
        forbids=forbids,
    )
)
