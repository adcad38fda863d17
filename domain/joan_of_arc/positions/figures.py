"""Figures of a position of Joan of Arc that the rules work out for players and scenarios (docs/scenarios.md)."""

from collections.abc import Iterator

from domain.commons.notation import Fields
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.sight import melee_reach, shot_bar
from domain.joan_of_arc.board.table import adjacent, used
from domain.joan_of_arc.cards.dice import COLOURS, Dice
from domain.joan_of_arc.positions.boards import Ground
from domain.joan_of_arc.state.queries import card_of, setting_of, table_of
from domain.joan_of_arc.state.state import JoanState, Unit


def figures(state: JoanState, ground: Ground) -> Fields:
    """For each area, the used and total spaces and the areas that it touches (without interiors that do not exist);
    for each unit on the board, its remaining HPs, its dice, and the areas that it reaches in melee and by shooting.
    """
    table, board = table_of(state), setting_of(state).board
    areas = {
        ground.say(id_): {
            "used": used(table, id_),
            "capacity": area.capacity,
            "adjacent": frozenset(ground.say(other) for other in adjacent(table, id_)),
        }
        for id_, area in board.areas.items()
        if area.level != "sky" and adjacent(table, id_)
    }
    units = {unit.id: _unit(state, unit, ground) for unit in state.field.units.values() if unit.spot == "board"}
    return {"areas": areas, "units": units}


def _unit(state: JoanState, unit: Unit, ground: Ground) -> Fields:
    card = card_of(state, unit)
    return {
        "hp": None if card.hp is None else card.hp - unit.wounds,
        "melee": _say(card.melee),
        "shooting": _say(None if card.shoot is None else card.shoot.dice),
        "defence": _say(card.defence),
        "strikes": frozenset(map(ground.say, _struck(state, unit))),
        "shoots": frozenset(map(ground.say, _shot(state, unit))),
    }


def _struck(state: JoanState, unit: Unit) -> Iterator[AreaId]:
    """JA-111, JA-109: the areas that a melee attack reaches, with or without enemies."""
    if card_of(state, unit).melee is not None:
        yield from (area for area in _others(state, unit) if melee_reach(table_of(state), unit.area, area))


def _shot(state: JoanState, unit: Unit) -> Iterator[AreaId]:
    """JA-114, JA-116, JA-117: the areas that a shooting attack reaches, with or without enemies."""
    shooting = card_of(state, unit).shoot
    if shooting is not None:
        yield from (
            area for area in _others(state, unit) if shot_bar(table_of(state), unit.area, area, shooting) is None
        )


def _others(state: JoanState, unit: Unit) -> Iterator[AreaId]:
    board = setting_of(state).board
    yield from (id_ for id_ in board.areas if id_ != unit.area and adjacent(table_of(state), id_))


def _say(dice: Dice | None) -> str | None:
    """Dice as `2 red, 1 white`."""
    if dice is None:
        return None
    counted = ((colour, getattr(dice, colour)) for colour in COLOURS)
    return ", ".join(f"{number} {colour}" for colour, number in counted if number)
