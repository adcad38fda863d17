"""The terms of the glossary for what the Scene of Joan of Arc shows: of units, markers, cards and zones."""

from typing import Final

from domain.joan_of_arc.units import UnitCard

EDGES: Final = {"stakes": "stakes", "wall": "wall"}
DECKS: Final = {
    "council": "council-card",
    "rounds": "round-card",
    "legend": "legend-card",
    "tactics": "equipment-card",
    "myth": "equipment-card",
}


def unit_terms(card: UnitCard, *, away: bool = False, equipped: bool = False) -> list[str]:
    """What a unit is and can: its kind and arm, its traits, its skills."""
    kind = [] if card.kind == "civilian" else [card.arm]
    skills = [f"skill-{skill}" for skill in card.skills.names()]
    hp = ["hp"] if card.hp is not None else []
    states = [*(["equipment"] if equipped else []), *(["away"] if away else [])]
    return [card.kind, *kind, *card.traits, *skills, *hp, *states]


def order_term(order: str) -> str:
    """An order of a type."""
    return f"order-{order}"
