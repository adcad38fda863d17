"""The game: its rules, events and questions put together."""

from domain.commons.class_discovery import classes_of
from domain.kernel import Game, GameSpec
from domain.war_for_edadh import rules
from domain.war_for_edadh.cards.cards import index_of
from domain.war_for_edadh.checks.card_checks import defects_of, read_army_file, read_card_file
from domain.war_for_edadh.checks.invariants import invariants
from domain.war_for_edadh.checks.refusals import forbids
from domain.war_for_edadh.positions.positions import POSITIONS
from domain.war_for_edadh.positions.resample import resample
from domain.war_for_edadh.rules import fielding, match
from domain.war_for_edadh.state import events
from domain.war_for_edadh.state.evolve import EVOLVE
from domain.war_for_edadh.state.options import Options
from domain.war_for_edadh.state.queries import cards_of, ready_armies
from domain.war_for_edadh.state.state import WarState


def start(options: Options) -> WarState:
    """The state before set-up."""
    return WarState(options=options)


def unplayable(options: Options) -> list[str]:
    """Defects of the players' own cards and armies, and options that contradict each other or the rules."""
    wrong = [str(defect) for defect in defects_of(options.cards)] if options.cards is not None else []
    return wrong or options.defects(index_of(options.cards)) or unmanned(WarState(options=options))


def unmanned(state: WarState) -> list[str]:
    """Faults that leave a match without any army to choose, or the quick start without its armies or its Woods."""
    offered = [army for army in ready_armies(state) if fielding.admitted(state, army)]
    if not state.options.quick_start:
        return [] if offered else ["cap, terrain: no army may be chosen; raise the cap or agree on another Terrain"]
    missing = set(match.QUICK) - {army.name for army in offered}
    if missing:
        return [f"quick_start: {', '.join(sorted(missing))} may not be fielded (WE-053)"]
    woods = state.options.terrain or any(card.symbol == "woods" for card in cards_of(state).terrain.values())
    return [] if woods else ["quick_start: the card set has no Woods (WE-053)"]


GAME = Game(
    GameSpec(
        name="war_for_edadh",
        title="War for Edaðh",
        about=(
            "Two Units face each other in three columns. Every round both lay a Mastery Card in secret: "
            "the higher attacks, unless the lower was laid against it."
        ),
        rules="3",
        seats=2,
        options=Options,
        start=start,
        opening=lambda _: match.Match(),
        evolve=EVOLVE,
        **classes_of(rules, events),
        resample=resample,
        quick={"quick_start": True},
        positions=POSITIONS,
        read_cards=read_card_file,
        read_army=read_army_file,
        invariants=invariants,
        forbids=forbids,
        unplayable=unplayable,
    )
)
