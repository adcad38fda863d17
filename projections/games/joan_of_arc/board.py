"""The table of Joan of Arc as plain text, at most 100 columns."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import furnishing
from domain.joan_of_arc.state.queries import area_of, card_of, setting_of, table_of
from domain.joan_of_arc.state.state import Spot, Unit
from domain.kernel import Hidden, Seat
from projections.games.joan_of_arc.field_tellings import plan_words, rolled_words
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.tellings import held
from projections.games.joan_of_arc.texts import ORDERS, dice, resource
from projections.games.joan_of_arc.words import (
    PHASES,
    View,
    area_name,
    areas_named,
    card_name,
    cards_named,
    edge_name,
    pile_name,
    side_name,
    unit_name,
    units_named,
)
from projections.words import count, join, player, sentence

WIDTH: Final = 100
SPOTS: Final[dict[Spot, str]] = {
    "disrupted": "Disrupted",
    "waiting": "Waiting",
    "captive": "Captive",
    "graveyard": "Graveyard",
}


def board(view: View, viewer: Seat | None) -> str:
    """The state of the match, the players, the occupied areas, the units away, the decks, the viewer's cards."""
    lines = [_where(view), " ".join(goals(view)), *_scores(view)]
    for seat in setting_of(view).order:
        lines += _player(view, seat, viewer)
    lines += [*_areas(view), *_edges(view), *_away(view), *_doing(view), *_decks(view)]
    return "\n".join(part for line in lines for part in _wrapped(line))


def _wrapped(line: str) -> list[str]:
    """A line wrapped only between words, so that its parts can be joined again."""
    return wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False) or [""]


def _where(view: View) -> str:
    setting = setting_of(view)
    told = [setting.scenario.name, PHASES[view.phase]]
    if view.round:
        told.insert(1, f"Round {view.round} of {len(setting.scenario.rounds)}")
    if view.turn is not None:
        told.append(f"{player(view, view.turn)}'s turn")
    return " | ".join(told)


def _scores(view: View) -> Iterator[str]:
    for side in dict.fromkeys(setting_of(view).sides):
        rally = areas_named(view, view.rallies.get(side, ()))
        yield sentence(f"{side_name(side)}: {view.scores.get(side, 0)} VP, rally point in {rally}")


def tokens(view: View, seat: Seat) -> str:
    """The tokens on a player board: "3 XP, 1 legend token, ..."."""
    mine = view.boards[seat]
    told = [resource("xp", mine.xp), resource("legend", mine.legend), resource("intrigue", mine.intrigue)]
    told += ["reroll token"] if mine.reroll else []
    told += [count(mine.stakes, "set") + " of stakes"] if mine.stakes else []
    return ", ".join([*told, count(mine.hand_size, "legend card")])


def _player(view: View, seat: Seat, viewer: Seat | None) -> Iterator[str]:
    mine = view.boards[seat]
    who = f"{player(view, seat)}, {side_name(setting_of(view).sides[seat])}"
    yield f"{who}: {tokens(view, seat)}; {held(mine.orders)}"
    if mine.slots:
        yield f"  Intrigues used: {join([str(slot.slot) for slot in mine.slots])}"
    if seat == viewer:
        if not isinstance(mine.hand, Hidden) and mine.hand:
            yield f"  Your legend cards: {cards_named(view, mine.hand)}"
        if not isinstance(mine.intrigue_card, Hidden) and mine.intrigue_card:
            yield f"  You hold {card_name(view, mine.intrigue_card)}"


def _areas(view: View) -> Iterator[str]:
    table = table_of(view)
    for area in table.board.areas:
        here = [*_lying(view, area), *_orders_on(view, area)]
        here += [unit_words(view, unit) for unit in view.field.units.values() if is_at(unit, area)]
        if here:
            yield sentence(f"{area_name(view, area)}: {'; '.join(here)}")


def is_at(unit: Unit, area: AreaId) -> bool:
    """Whether a unit is shown in this area: a unit in its area, a gigantic creature in the first area of its hex."""
    return unit.spot == "board" and unit.area == area


def _lying(view: View, area: AreaId) -> Iterator[str]:
    found = furnishing(table_of(view), area)
    yield from (element.replace("_", " ") for element in found.elements)
    if found.building and area_of(view, area).level == "ground":
        damage = f" with {count(found.damage, 'damage', 'damage')}" if found.damage else ""
        yield "rubble" if found.rubble else f"{found.building.replace('_', ' ')}{damage}"
    if found.barricade:
        yield f"barricade of {side_name(found.barricade)}"
    if found.fire:
        yield "FIRE"


def _orders_on(view: View, area: AreaId) -> Iterator[str]:
    yield from (ORDERS[order] for order in view.placed.get(area, ()))


def unit_words(view: View, unit: Unit) -> str:
    """A unit with its figures: "La Hire, melee 2 red, defence 1 white, 1 of 3 wounds"."""
    card = card_of(view, unit)
    told = [unit_name(view, unit.id)]
    told += ["gigantic"] if card.gigantic else []
    told += [f"melee {dice(card.melee)}"] if card.melee else []
    told += [f"shooting {dice(card.shoot.dice)} at {card.shoot.range_hexes}"] if card.shoot else []
    told += [f"defence {dice(card.defence)}"]
    told += [f"{unit.wounds} of {card.hp} wounds"] if card.hp else []
    told += [f"with {cards_named(view, unit.equipment)}"] if unit.equipment else []
    told += [f"carried by {unit_name(view, unit.carrier)}"] if unit.carrier else []
    return ", ".join(told)


def _edges(view: View) -> Iterator[str]:
    told = [
        f"{found.feature}{f' of {side_name(found.side)}' if found.side else ''} on {edge_name(name)}"
        for name, found in view.field.edges.items()
    ]
    if told:
        yield f"Edges: {join(told)}"


def _away(view: View) -> Iterator[str]:
    for spot, name in SPOTS.items():
        there = [unit.id for unit in view.field.units.values() if unit.spot == spot]
        if there:
            yield f"{name}: {units_named(view, there)}"


def _doing(view: View) -> Iterator[str]:
    for activation in view.activations:
        left = [unit for unit in activation.units if unit not in activation.done]
        yield f"Acting in {area_name(view, activation.area)}: {units_named(view, left)}"
        yield from (f"  {plan_words(view, plan)}" for plan in activation.plans if plan.unit not in activation.done)
    attack = view.attack
    if attack is not None:
        yield f"Attack on {area_name(view, attack.target)}, {attack.kind}"
        yield f"  Attack dice: {rolled_words(attack.attack_dice)}"
        yield f"  Defence dice: {rolled_words(attack.defence_dice)}"


def _decks(view: View) -> Iterator[str]:
    if view.river:
        yield f"War council: {cards_named(view, view.river)}"
    piles = [f"{pile_name(view, name)} {pile.left}" for name, pile in view.piles.items()]
    if piles:
        yield f"Cards left: {'; '.join(piles)}"
