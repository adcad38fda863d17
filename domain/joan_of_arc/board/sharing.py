"""A scenario for two that three or four play: the seats of a side share its forces (JA-036, JA-Q91).

Sides sit alternately along the turn order, so that the first player's side has the third seat and the other the fourth
(JA-037). Seats that share a side take its areas in turn, and half of its tokens; rally points, VP and victory stay
the side's.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import asdict, replace

from domain.joan_of_arc.board.maps import Map
from domain.joan_of_arc.board.scenarios import (
    ExtraScore,
    FinalVictory,
    InstantVictory,
    OrdersHeld,
    Player,
    Resources,
    Scenario,
    Victory,
)

PAIR: Final = 2
"""Seats of a scenario that can be shared out."""
MOST: Final = 4
Names = Mapping[str, str]


def shared(scenario: Scenario, seats: int) -> Scenario:
    """Convert a scenario for two to this many seats; P1 becomes its first player.

    Raises `ValueError` for another scenario or number of seats.
    """
    if len(scenario.players) != PAIR or not PAIR <= seats <= MOST:
        raise ValueError(f"{scenario.id} is for {len(scenario.players)} players, not for {seats}")
    first = next(player for player in scenario.players if player.seat == scenario.first_player)
    order = (first, *(player for player in scenario.players if player is not first))
    names = {player.seat: f"P{at}" for at, player in enumerate(order, 1)}
    players = tuple(Player(f"P{at + 1}", order[at % PAIR].side) for at in range(seats))
    return replace(
        scenario,
        players=players,
        first_player="P1",
        map=_ground(scenario, names),
        rally_points={names[seat]: area for seat, area in scenario.rally_points.items()},
        units=_units(scenario, names, seats),
        resources=_resources(scenario, names, seats),
        intrigue_cards={names[seat]: card for seat, card in scenario.intrigue_cards.items()},
        stakes_reserve=_stakes(scenario, names, seats),
        victory=_victory(scenario.victory, names),
    )


def mates(name: str, seats: int) -> tuple[str, ...]:
    """The seats that share the forces of a seat: P1 and P3, P2 and P4."""
    at = int(name[1:])
    return tuple(f"P{seat}" for seat in range(at, seats + 1, PAIR))


def _ground(scenario: Scenario, names: Names) -> Map:
    ground = scenario.ground()
    assert ground is not None, "a scenario that was checked has its map"
    edges = tuple(replace(edge, owner=edge.owner and names[edge.owner]) for edge in ground.edge_features)
    return replace(ground, edge_features=edges)


def _units(scenario: Scenario, names: Names, seats: int) -> tuple[tuple[str, str, str], ...]:
    """Whole areas in turn, in the order of the scenario."""
    areas: dict[str, dict[str, None]] = {}
    for seat, _, area in scenario.units:
        areas.setdefault(names[seat], {})[area] = None
    owners = {
        (name, area): mates(name, seats)[at % len(mates(name, seats))]
        for name, found in areas.items()
        for at, area in enumerate(found)
    }
    return tuple((owners[names[seat], area], card, area) for seat, card, area in scenario.units)


def _part(number: int, at: int, of: int) -> int:
    """One seat's part of `number` things shared by several seats; the first seats get the odd ones."""
    return number // of + (at < number % of)


def _resources(scenario: Scenario, names: Names, seats: int) -> dict[str, Resources]:
    found: dict[str, Resources] = {}
    for seat, given in scenario.resources.items():
        among = mates(names[seat], seats)
        for at, name in enumerate(among):
            parts = {
                field: _part(getattr(given, field), at, len(among))
                for field in ("xp", "legend", "intrigue", "legend_cards")
            }
            orders = {order: _part(number, at, len(among)) for order, number in asdict(given.orders).items()}
            found[name] = Resources(**parts, reroll=given.reroll if at == 0 else 0, orders=OrdersHeld(**orders))
    return found


def _stakes(scenario: Scenario, names: Names, seats: int) -> dict[str, int]:
    """The stakes of the scenario, shared; if it names none, each seat has one for each of its own bowmen (JA-015)."""
    return {
        name: _part(number, at, len(mates(names[seat], seats)))
        for seat, number in scenario.stakes_reserve.items()
        for at, name in enumerate(mates(names[seat], seats))
    }


def _victory(victory: Victory, names: Names) -> Victory:
    instant = tuple(InstantVictory(each.when, names.get(each.winner, each.winner)) for each in victory.instant)
    extra = tuple(ExtraScore(each.when, names[each.player], each.vp) for each in victory.final.extra)
    final = FinalVictory(victory.final.most, names[victory.final.tie], extra)
    return replace(victory, instant=instant, final=final)
