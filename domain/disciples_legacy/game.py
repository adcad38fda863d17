"""The game: its rules, events and questions put together."""

from domain.commons.class_discovery import classes_of
from domain.disciples_legacy import rules
from domain.disciples_legacy.cards.armies import offer_defects
from domain.disciples_legacy.cards.cards import index_of
from domain.disciples_legacy.checks.card_checks import defects_of, read_army_file, read_card_file
from domain.disciples_legacy.checks.invariants import invariants
from domain.disciples_legacy.checks.refusals import forbids
from domain.disciples_legacy.positions.positions import POSITIONS
from domain.disciples_legacy.positions.resample import resample
from domain.disciples_legacy.rules import match
from domain.disciples_legacy.rules.dying import reserves
from domain.disciples_legacy.state import events
from domain.disciples_legacy.state.evolve import EVOLVE
from domain.disciples_legacy.state.options import Options
from domain.disciples_legacy.state.state import DisciplesState
from domain.kernel import Game, GameSpec


def start(options: Options) -> DisciplesState:
    """The state before set-up."""
    return DisciplesState(options=options)


def unplayable(options: Options) -> list[str]:
    """Defects of the players' own cards and decks, and of the options themselves."""
    wrong = [str(defect) for defect in defects_of(options.cards)] if options.cards is not None else []
    return wrong or [*options.defects(), *offer_defects(options.armies, index_of(options.cards))]


GAME = Game(
    GameSpec(
        name="disciples_legacy",
        title="Disciples: Legacy",
        about=(
            "Each player leads three Parties, founds Cities, recruits, buys, plants Mana and casts Spells, one action "
            "in turn; Parties of up to six fight in two rows."
        ),
        rules="2",
        seats=2,
        options=Options,
        start=start,
        opening=lambda _: match.Match(),
        evolve=EVOLVE,
        resample=resample,
        positions=POSITIONS,
        read_cards=read_card_file,
        read_army=read_army_file,
        invariants=invariants,
        forbids=forbids,
        unplayable=unplayable,
        opened_at_end=reserves,
        **classes_of(rules, events),
    )
)
