"""The setting of a match: the result of its scenario and its sky. It never changes during a match.

Seats and sides are always distinct: orders, tokens and hands are a seat's; VP, rally points and victory are a
side's, which one or several seats play (JA-Q08, JA-Q91).
"""

from typing import Final

from domain.joan_of_arc.board.board import Board, Layout
from domain.joan_of_arc.board.maps import Map, TileName
from domain.joan_of_arc.board.scenarios import Scenario
from domain.joan_of_arc.cards.cards import CardIndex, index_of
from domain.joan_of_arc.state.options import Options, scenario_of
from domain.kernel import Seat

KEPT: Final = 32
"""The number of settings that are cached."""


class Setting:
    """`order`: the seats in turn order (JA-035), which never rotates (JA-Q06). `sides`: by seat, the side that
    it plays. `cheapest_legend`: the cost of the cheapest card of the legend deck (JA-Q84).
    """

    def __init__(self, scenario: Scenario, sky: tuple[TileName, ...]) -> None:
        ground = scenario.ground()
        if ground is None:
            raise KeyError(scenario.map)
        self.scenario = scenario
        self.ground: Map = ground
        self.index = CardIndex(scenario.card_set()) if scenario.cards is not None else index_of(None)
        self.board = Board(Layout(ground, sky))
        self.seats = tuple(Seat(seat) for seat in range(len(scenario.players)))
        self.sides = tuple(str(player.side) for player in scenario.players)
        first = seat_of(scenario.first_player)
        self.order = self.seats[first:] + self.seats[:first]
        legend = [card.cost for card in self.index.cards.legend if card.type in scenario.legend_types]
        self.cheapest_legend = min(legend, default=0)
        self.owners = {player.seat: self.sides[seat_of(player.seat)] for player in scenario.players}

    def foes(self, seat: Seat) -> tuple[Seat, ...]:
        """JA-071: the seats of other sides, the first player first."""
        return tuple(other for other in self.order if self.sides[other] != self.sides[seat])


def seat_of(name: str) -> Seat:
    """A seat by its name in a scenario: P1 is seat 0."""
    return Seat(int(name[1:]) - 1)


_KEPT: dict[tuple[int, tuple[TileName, ...]], Setting] = {}


def setting_for(options: Options, sky: tuple[TileName, ...]) -> Setting:
    """The setting of options and a sky, made once for each scenario while it is cached."""
    scenario = scenario_of(options)
    found = _KEPT.get((id(scenario), sky))
    if found is None or found.scenario is not scenario:
        if len(_KEPT) >= KEPT:
            _KEPT.clear()
        found = _KEPT[id(scenario), sky] = Setting(scenario, sky)
    return found
