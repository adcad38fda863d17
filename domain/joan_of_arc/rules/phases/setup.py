"""Set-up by the scenario (section A)."""

from typing import Final

from domain.joan_of_arc.board.board import TILES
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import Map, TileName
from domain.joan_of_arc.board.scenarios import Scenario, numbered
from domain.joan_of_arc.board.table import laid_out
from domain.joan_of_arc.cards.cards import CardIndex
from domain.joan_of_arc.rules.player_actions.drawing import draw_legend
from domain.joan_of_arc.state.events import (
    BoardLaid,
    IntrigueCardTaken,
    PileShuffled,
    RallyPointPlaced,
    ResourcesTaken,
    UnitsPlaced,
)
from domain.joan_of_arc.state.queries import border_name, setting_of
from domain.joan_of_arc.state.setting import seat_of
from domain.joan_of_arc.state.state import Codes, JoanState, Unit, UnitId
from domain.kernel import NEXT, Flow, Procedure, Resolver, Seat, step

TILES_WITHOUT_GIANTS: Final = 2
"""JA-351: the least number of sky tiles that are drawn."""


class SetUp(Procedure, frozen=True):
    """JA-001 to JA-016: the scenario fixes everything but the order of decks and the sky."""

    @step("JA-003", "JA-016", "JA-351", "JA-352")
    def board(self, r: Resolver[JoanState]) -> Flow:
        """The ground board as the map shows it, and the sky board if anything flies."""
        setting = setting_of(r.state)
        sky = _sky(r, setting.ground, setting.scenario, setting.index)
        table = laid_out(setting.board, setting.owners)
        edges = {border_name(edge): found for edge, found in table.edges.items()}
        r.emit(BoardLaid(sky, dict(table.furnishings), edges))
        return NEXT

    @step("JA-004", "JA-005", "JA-006", "JA-007", "JA-013")
    def decks(self, r: Resolver[JoanState]) -> Flow:
        """All decks are shuffled and lie face down."""
        for name, cards in decks_of(r.state).items():
            r.emit(PileShuffled(name, len(cards), r.shuffle(cards, "JA-004", name)))
        return NEXT

    @step("JA-008", "JA-009", "JA-010", "JA-014")
    def forces(self, r: Resolver[JoanState]) -> Flow:
        """Units in the areas of the scenario, characters with the level 1 cards it names; civilians have no owner."""
        setting = setting_of(r.state)
        for seat in setting.order:
            r.emit(UnitsPlaced(seat, forces_of(setting.scenario, seat)))
        civilians = civilians_of(setting.scenario)
        if civilians:
            r.emit(UnitsPlaced(None, civilians))
        for name, area in setting.scenario.rally_points.items():
            r.emit(RallyPointPlaced(setting.owners[name], AreaId(area)))
        return NEXT

    @step("JA-011", "JA-012", "JA-015")
    def resources(self, r: Resolver[JoanState]) -> Flow:
        """Tokens, orders, legend cards, and the intrigue card of each player who has one."""
        setting = setting_of(r.state)
        for seat in setting.order:
            name = f"P{seat + 1}"
            given = setting.scenario.resources[name]
            stakes = setting.scenario.stakes_reserve.get(name, bowmen(r.state, seat))
            r.emit(
                ResourcesTaken(seat, given.xp, given.legend, given.intrigue, bool(given.reroll), stakes, given.orders)
            )
            card = setting.scenario.intrigue_cards.get(name)
            if card is not None:
                r.emit(IntrigueCardTaken(seat, card))
            draw_legend(r, seat, given.legend_cards)
        return NEXT


def _sky(r: Resolver[JoanState], ground: Map, scenario: Scenario, index: CardIndex) -> tuple[TileName, ...]:
    """JA-351: two tiles and one for each gigantic creature, by chance; JA-352: or the tiles of the plan."""
    if ground.sky is None:
        return ()
    if ground.sky.mode == "plan":
        return ground.sky.tiles
    giants = sum(index.units[card].gigantic for _, card, _ in scenario.units)
    mixed = r.shuffle(tuple(TILES), "JA-351", "sky")
    return mixed[: TILES_WITHOUT_GIANTS + giants]


def forces_of(scenario: Scenario, seat: Seat) -> tuple[Unit, ...]:
    """JA-010: a player's units, named by card and number over all players; `q,r:*` is a whole hex."""
    names = numbered(tuple(card for _, card, _ in scenario.units))
    return tuple(
        Unit(UnitId(name), card, seat, AreaId(area.replace("*", "a")))
        for name, (owner, card, area) in zip(names, scenario.units, strict=True)
        if seat_of(owner) == seat
    )


def civilians_of(scenario: Scenario) -> tuple[Unit, ...]:
    """JA-014: civilians, with the tokens that a discussion with them earns."""
    names = numbered(tuple(card for card, _, _ in scenario.civilians))
    return tuple(
        Unit(UnitId(name), card, None, AreaId(area), tokens=tokens)
        for name, (card, area, tokens) in zip(names, scenario.civilians, strict=True)
    )


def bowmen(state: JoanState, seat: Seat) -> int:
    """JA-015: the bowmen units of a player."""
    units, cards = state.field.units.values(), setting_of(state).index.units
    return sum(unit.owner == seat and "bowmen" in cards[unit.card].traits for unit in units)


def decks_of(state: JoanState) -> dict[str, Codes]:
    """All cards of every deck, by the deck's name: two of equipment (JA-176); discussion cards of
    level 1 and 2, by the kind of unit spoken to.
    """
    setting = setting_of(state)
    cards = setting.index.cards
    decks: dict[str, Codes] = {
        "council": tuple(card.id for card in cards.war_council for _ in range(card.copies)),
        "rounds": setting.scenario.rounds,
        "legend": tuple(card.id for card in cards.legend if card.type in setting.scenario.legend_types),
        "tactics": tuple(card.id for card in cards.equipment if card.type == "tactics"),
        "myth": tuple(card.id for card in cards.equipment if card.type == "myth"),
    }
    speakers = sorted({card for card, _, _ in setting.scenario.civilians if setting.index.units[card].discussion})
    for speaker in speakers:
        for level in (1, 2):
            talk = tuple(card.id for card in cards.discussions if card.unit == speaker and card.level == level)
            decks[talk_pile(speaker, level)] = talk
    return decks


def talk_pile(speaker: str, level: int) -> str:
    """The name of the deck of discussion cards of a unit card and a level."""
    return f"{speaker}:{level}"
