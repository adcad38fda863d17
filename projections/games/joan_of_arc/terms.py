"""The terms of the glossary for the units, ground, markers, cards and zones in the Scene of Joan of Arc."""

from typing import Final

from domain.joan_of_arc.board.board import Area
from domain.joan_of_arc.board.table import furnishing
from domain.joan_of_arc.cards.dice import COLOURS
from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.state.queries import card_of, table_of
from domain.joan_of_arc.state.state import JoanState, Unit

EDGES: Final = {"stakes": "stakes", "wall": "wall"}
DECKS: Final = {
    "council": "council-card",
    "rounds": "round-card",
    "legend": "legend-card",
    "tactics": "equipment-card",
    "myth": "equipment-card",
}


def skills_of(card: UnitCard) -> list[tuple[str, int]]:
    """The skills of a card with their X; 0 for skills without an X."""
    values = ((name, getattr(card.skills, name)) for name in card.skills.names())
    return [(str(name), 0 if isinstance(x, bool) else x) for name, x in values]


def unit_terms(view: JoanState, unit: Unit) -> list[str]:
    """The glossary's terms for a unit: its fate, its abilities, its skills, its traits, its kind and arm."""
    card = card_of(view, unit)
    states = [*(["away"] if unit.spot != "board" else []), *(["equipment"] if unit.equipment else [])]
    skills = [f"skill-{skill}" for skill, _ in skills_of(card)]
    kind = [] if card.kind == "civilian" else [card.arm]
    hp = ["hp"] if card.hp is not None else []
    return [*states, *skills, *card.traits, card.kind, *kind, *hp, *_dice_terms(card)]


def _dice_terms(card: UnitCard) -> list[str]:
    """The dice that a card rolls, by colour."""
    pools = (card.melee, card.shoot and card.shoot.dice, card.defence)
    return [f"die-{colour}" for colour in COLOURS if any(pool and getattr(pool, colour) for pool in pools)]


def area_terms(view: JoanState, area: Area) -> list[str]:
    """The terms of an area: first its contents, then its ground."""
    lying = furnishing(table_of(view), area.id)
    house = lying if area.around is None else furnishing(table_of(view), area.around)
    found = ["fire"] if lying.fire else []
    found += ["barricade"] if lying.barricade else []
    if house.building:
        found.append("rubble" if house.rubble else "building")
    found += ["element"] if lying.elements else []
    return [*found, *([f"terrain-{area.terrain}"] if area.terrain else []), "area"]


def order_term(order: str) -> str:
    """An order of a type."""
    return f"order-{order}"
