"""Disciples: Legacy: three Parties a player, an economy of Cities and Mana. Ledger: docs/rules/disciples_legacy.md."""

from domain.commons.doors import classes_of
from domain.disciples_legacy import events
from domain.disciples_legacy.armies import offer_defects
from domain.disciples_legacy.card_checks import check_army, defects_of, read_army_file, read_card_file
from domain.disciples_legacy.cards import index_of
from domain.disciples_legacy.evolve import EVOLVE
from domain.disciples_legacy.invariants import invariants
from domain.disciples_legacy.options import Options
from domain.disciples_legacy.positions import POSITIONS
from domain.disciples_legacy.refusals import forbids
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
from domain.kernel import Game, GameSpec


def start(options: Options) -> DisciplesState:
    """The state before set-up."""
    return DisciplesState(options=options)


def unplayable(options: Options) -> list[str]:
    """Defects of cards and decks of one's own, and of the options themselves."""
    wrong = [str(defect) for defect in defects_of(options.cards)] if options.cards is not None else []
    return wrong or [*options.defects(), *offer_defects(options.armies, index_of(options.cards))]


RULES = (
    match,
    setup,
    turn,
    healing,
    strategic,
    paying,
    rearranging,
    founding,
    recruiting,
    shopping,
    trading,
    replacing,
    attacking,
    planting,
    spells,
    thieving,
    steps,
    rounds,
    striking,
    skills,
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
        evolve=EVOLVE,
        resample=resample,
        positions=POSITIONS,
        read_cards=read_card_file,
        read_army=read_army_file,
        invariants=invariants,
        unplayable=unplayable,
        forbids=forbids,
        **classes_of(events, *RULES),
    )
)

__all__ = ["GAME", "check_army"]
