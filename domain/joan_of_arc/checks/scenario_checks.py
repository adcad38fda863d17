"""Checks of scenarios (ledger 6.11): seats, forces, room, decks, victory; every defect with its place and its rule."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.commons.errors import Defect
from domain.commons.files import assert_sound, document, shape_defects
from domain.joan_of_arc.board.board import Board, Layout
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import SHIPPED_MAPS, SKY, Map, TileName
from domain.joan_of_arc.board.scenarios import Condition, Scenario, numbered
from domain.joan_of_arc.board.table import Standing, Table, laid_out, left, status
from domain.joan_of_arc.cards.cards import CardIndex, index_of
from domain.joan_of_arc.checks.card_checks import defects_of
from domain.joan_of_arc.checks.map_checks import FIRST_TILES, map_defects
from domain.joan_of_arc.errors import ScenarioInvalid
from domain.joan_of_arc.state.options import Options, scenario_of

RULE: Final = "ledger 6.11"
CAMP: Final = ("area_held", "interior_held")
INSTANT: Final = ("vp_at_least", "unit_destroyed")
FINAL: Final = ("area_held", "interior_held", "building_collapsed")


def scenario_file_defects(given: Any, file: str) -> list[Defect]:
    """The defects of an object that should be a scenario."""
    shape = [*shape_defects(file, "", Scenario, given)]
    if shape:
        return shape
    scenario = msgspec.convert(given, Scenario)
    nobody = [] if scenario.units else [Defect(file, "", "units", "none", "at least one", RULE)]
    return [*nobody, *scenario_defects(scenario, file)]


def read_scenario_file(text: bytes, file: str) -> Scenario:
    """The scenario of a file. Raises `ScenarioInvalid` with every defect."""
    given = document(text, file)
    assert_sound(scenario_file_defects(given, file), ScenarioInvalid)
    return msgspec.convert(given, Scenario)


def scenario_defects(scenario: Scenario, file: str) -> list[Defect]:
    """The defects that a well-shaped scenario can still have.

    A scenario without units is the ground for positions and needs no rally points.
    """
    cards = CardIndex(scenario.card_set()) if scenario.cards is not None else index_of(None)
    defects = [*_seats(scenario, file), *_decks(scenario, cards, file), *_owned(scenario, cards, file)]
    if scenario.cards is not None:
        defects += defects_of(cards.cards, file)
    ground = scenario.ground()
    if ground is None:
        defects.append(Defect(file, "", "map", repr(scenario.map), ", ".join(SHIPPED_MAPS), RULE))
        return defects
    broken = map_defects(ground, file) if isinstance(scenario.map, Map) else []
    defects += [*broken, *_stakes(scenario, ground, file)]
    if not broken:
        defects += _on_board(scenario, ground, cards, file)
    return defects


def _seats(scenario: Scenario, file: str) -> Iterator[Defect]:
    seats = [player.seat for player in scenario.players]
    expected = [f"P{number}" for number in range(1, len(seats) + 1)]
    if seats != expected:
        yield Defect(file, "", "players", ", ".join(seats), ", ".join(expected), RULE)
    if scenario.first_player not in seats:
        yield Defect(file, "", "first_player", scenario.first_player, ", ".join(seats), RULE)
    else:
        first = seats.index(scenario.first_player)
        sides = [player.side for player in (*scenario.players[first:], *scenario.players[:first])]
        if any(one == other for one, other in pairwise(sides)):
            yield Defect(file, "", "players", ", ".join(sides), "sides by turns, from the first player on", "JA-037")
    named = {
        "resources": (set(scenario.resources), set(seats)),
        "rally_points": (set(scenario.rally_points), set()),
        "intrigue_cards": (set(scenario.intrigue_cards), set()),
        "stakes_reserve": (set(scenario.stakes_reserve), set()),
    }
    for field, (found, needed) in named.items():
        for seat in sorted(found - set(seats)):
            yield Defect(file, "", f"{field}.{seat}", "a seat that there is not", ", ".join(seats), RULE)
        for seat in sorted(needed - found):
            yield Defect(file, "", f"{field}.{seat}", "nothing", "what this seat begins with", RULE)


def _decks(scenario: Scenario, cards: CardIndex, file: str) -> Iterator[Defect]:
    for name, number in Counter(scenario.rounds).items():
        if name not in cards.rounds:
            yield Defect(file, "", "rounds", repr(name), ", ".join(cards.rounds), RULE)
        if number > 1:
            yield Defect(file, "", "rounds", f"{name} {number} times", "each round card once", RULE)
    if len(set(scenario.legend_types)) < len(scenario.legend_types):
        yield Defect(file, "", "legend_types", ", ".join(scenario.legend_types), "each type once", RULE)
    deck = sum(card.type in scenario.legend_types for card in cards.legend.values())
    dealt = sum(held.legend_cards for held in scenario.resources.values())
    if dealt > deck:
        yield Defect(file, "", "resources", f"{dealt} legend cards are dealt", f"at most {deck}, the deck", RULE)


def _owned(scenario: Scenario, cards: CardIndex, file: str) -> Iterator[Defect]:
    """Units, civilians and intrigue cards have the type that their places require, and their side."""
    for number, (seat, name, _) in enumerate(scenario.units):
        card, side = cards.units.get(name), scenario.side_of(seat)
        field = f"units[{number}]"
        if side is None:
            yield Defect(file, "", field, f"seat {seat}", "a seat of the scenario", RULE)
        if card is None or card.kind == "civilian":
            yield Defect(file, "", field, repr(name), "a troop or character", RULE)
        elif card.level == 2:
            yield Defect(file, "", field, repr(name), "its level 1 card", RULE)
        elif side is not None and card.side not in {side, "myth"}:
            yield Defect(file, "", field, f"{name} for the {side}", "units of the own side, or myth", RULE)
    for number, (name, _, _) in enumerate(scenario.civilians):
        civilian = cards.units.get(name)
        if civilian is None or civilian.kind != "civilian":
            yield Defect(file, "", f"civilians[{number}]", repr(name), "a civilian", RULE)
    for seat, name in scenario.intrigue_cards.items():
        intrigue = cards.intrigue.get(name)
        if intrigue is None or intrigue.side != scenario.side_of(seat):
            yield Defect(file, "", f"intrigue_cards.{seat}", repr(name), "an intrigue card of its side", RULE)


def _stakes(scenario: Scenario, ground: Map, file: str) -> Iterator[Defect]:
    for found in ground.edge_features:
        if found.owner is not None and scenario.side_of(found.owner) is None:
            yield Defect(file, "", "map", f"stakes of {found.owner}", "of a seat of the scenario", RULE)


def _on_board(scenario: Scenario, ground: Map, cards: CardIndex, file: str) -> Iterator[Defect]:
    sky: tuple[TileName, ...] = ground.sky.tiles if ground.sky is not None else ()
    table = laid_out(Board(Layout(ground, sky)), {player.seat: player.side for player in scenario.players})
    table, defects = _placed(scenario, table, cards, file)
    yield from defects
    yield from _sky(scenario, ground, cards, file)
    yield from _crowded(table, file)
    yield from _rally_points(scenario, table, file)
    yield from _victory(scenario, table, file)


def _placed(scenario: Scenario, table: Table, cards: CardIndex, file: str) -> tuple[Table, list[Defect]]:
    """The table with all units that can be placed, and the reasons why the others cannot."""
    standing: dict[AreaId, tuple[Standing, ...]] = {}
    defects: list[Defect] = []
    ids = numbered(tuple(card for _, card, _ in scenario.units) + tuple(card for card, _, _ in scenario.civilians))
    placed: list[tuple[str, str | None, str, str]] = [
        *((f"units[{at}]", scenario.side_of(seat), card, area) for at, (seat, card, area) in enumerate(scenario.units)),
        *((f"civilians[{at}]", None, card, area) for at, (card, area, _) in enumerate(scenario.civilians)),
    ]
    for (field, side, name, area), unit in zip(placed, ids, strict=True):
        card = cards.units.get(name)
        if card is None:
            continue
        places, wrong = _places(Standing(unit, card, side), area, table)
        if wrong:
            defects.append(Defect(file, "", field, area, wrong, RULE))
        for place in places:
            standing[place] = (*standing.get(place, ()), Standing(unit, card, side))
    return replace(table, standing=standing), defects


def _places(unit: Standing, area: str, table: Table) -> tuple[tuple[AreaId, ...], str]:
    """The areas in which a unit is placed, or the values allowed instead."""
    areas, card = table.board.areas, unit.card
    if card.gigantic:
        at = area.removesuffix(":*")
        level = "sky" if at.startswith("sky:") else "ground"
        of_hex = tuple(
            found.id for found in areas.values() if found.level == level and found.id.rpartition(":")[0] == at
        )
        return (of_hex, "") if of_hex and area.endswith(":*") else ((), "a whole hex of the map, as 0,0:*")
    there = areas.get(AreaId(area))
    if there is None:
        return (), "an area of the map"
    if there.impassable:
        return (), "an area that is not impassable"
    if there.level == "interior" and not card.enters_buildings:
        return (), "no interior for this unit"
    if there.level == "sky" and not card.flying:
        return (), "no sky for units that do not fly"
    return (there.id,), ""


def _sky(scenario: Scenario, ground: Map, cards: CardIndex, file: str) -> Iterator[Defect]:
    """A sky board if a unit flies, with enough tiles for gigantic creatures."""
    units = [cards.units[name] for _, name, _ in scenario.units if name in cards.units]
    flying = any(card.flying for card in units)
    if flying and ground.sky is None:
        yield Defect(file, "", "map", "no sky, and units that fly", "a sky: random, or a plan", RULE)
    if ground.sky is not None and not flying:
        yield Defect(file, "", "map", "a sky, and nobody who flies", "no sky", RULE, advice=True)
    drawn = FIRST_TILES + sum(card.gigantic for card in units)
    if ground.sky is not None and ground.sky.mode == "random" and drawn > len(SKY.tiles):
        yield Defect(file, "", "units", f"{drawn} sky tiles to draw", f"at most {len(SKY.tiles)}", RULE)


def _crowded(table: Table, file: str) -> Iterator[Defect]:
    for area in table.board.areas:
        units = table.standing.get(area, ())
        sides = {unit.side for unit in units} - {None}
        if len(sides) > 1 and table.board.areas[area].level != "interior":
            yield Defect(file, f"area {area}", "", "units of two sides", "of one", "JA-028")
        gigantic = any(unit.card.gigantic for unit in units)
        if left(table, area) < 0 or (gigantic and len(units) > 1):
            capacity = table.board.areas[area].capacity
            yield Defect(file, f"area {area}", "", f"more than its {capacity} spaces used", "room for all", "JA-022")


def _rally_points(scenario: Scenario, table: Table, file: str) -> Iterator[Defect]:
    """Each side's rally point stands in a free area of the ground, or in one of its own."""
    for seat, place in scenario.rally_points.items():
        side, area = scenario.side_of(seat), table.board.areas.get(AreaId(place))
        field = f"rally_points.{seat}"
        if area is None or area.level != "ground":
            yield Defect(file, "", field, place, "an area of the ground", RULE)
        elif side is not None and status(table, area.id, side) == "enemy":
            yield Defect(file, "", field, place, "an area without enemies", RULE)
    for side in sorted({player.side for player in scenario.players if scenario.units}):
        if side not in {scenario.side_of(seat) for seat in scenario.rally_points}:
            yield Defect(file, "", "rally_points", f"none of the {side}", "one for each side", RULE)


def _victory(scenario: Scenario, table: Table, file: str) -> Iterator[Defect]:
    victory, seats = scenario.victory, [player.seat for player in scenario.players]
    conditions = [
        *((f"camp[{at}]", score.when, CAMP) for at, score in enumerate(victory.camp)),
        *((f"instant[{at}]", ends.when, INSTANT) for at, ends in enumerate(victory.instant)),
        *((f"final.extra[{at}]", extra.when, FINAL) for at, extra in enumerate(victory.final.extra)),
    ]
    for field, condition, kinds in conditions:
        yield from _condition(condition, kinds, f"victory.{field}.if", scenario, table, file)
    winners = [
        ("final.tie", victory.final.tie),
        *((f"final.extra[{at}].player", extra.player) for at, extra in enumerate(victory.final.extra)),
        *((f"instant[{at}].winner", ends.winner) for at, ends in enumerate(victory.instant)),
    ]
    for field, seat in winners:
        if seat not in {*seats, "scorer"}:
            yield Defect(file, "", f"victory.{field}", seat, ", ".join(seats), RULE)


def _condition(
    found: Condition, kinds: tuple[str, ...], field: str, scenario: Scenario, table: Table, file: str
) -> Iterator[Defect]:
    if len(found.kinds) != 1 or found.kinds[0] not in kinds:
        yield Defect(file, "", field, ", ".join(found.kinds) or "nothing", f"one of {', '.join(kinds)}", RULE)
        return
    areas = table.board.areas
    place = found.area_held or found.interior_held or found.building_collapsed
    if place is not None:
        level = "ground" if found.area_held else "interior"
        there = areas.get(AreaId(place))
        if there is None or there.level != level:
            yield Defect(file, "", f"{field}.{found.kinds[0]}", place, f"an area of the {level}", RULE)
    if found.unit_destroyed is not None and found.unit_destroyed not in {card for _, card, _ in scenario.units}:
        yield Defect(file, "", f"{field}.unit_destroyed", found.unit_destroyed, "a unit of the scenario", RULE)


def option_defects(options: Options) -> Iterator[str]:
    """The reasons why no match may begin with these options, as sentences."""
    if options.own is not None:
        yield from map(str, scenario_defects(options.own, "own"))
    try:
        scenario_of(options)
    except ValueError as wrong:
        yield f"seats: {wrong}"
