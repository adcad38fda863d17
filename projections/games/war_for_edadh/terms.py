"""The terms of the glossary for Troops, masters, Terrain and cards in the Scene of War for Edaðh."""

from domain.war_for_edadh import GAME
from domain.war_for_edadh.cards.cards import End, TerrainCard, TroopCard
from domain.war_for_edadh.state.state import Side, Troop, WarState
from domain.war_for_edadh.state.stats import row_of
from projections.glossary import glossary

NUMBERS = ("att", "att-damage", "def", "def-damage", "dv", "ml", "cb")


def troop_terms(view: WarState, troop: Troop, found: TroopCard) -> list[str]:
    """The terms of a Troop: its state this round, its compositions, its Level and numbers."""
    row = row_of(view, troop.id)
    now = ["used"] if troop.flipped else []
    now += ["chosen"] if troop.id in view.round.chosen else []
    numbers = [*NUMBERS, "guard", "mp-bonus", "psy", *(["weapon"] if row.weapon else [])]
    numbers = numbers if row.att is not None else ["no-att", *numbers[2:]]
    kinds = dict.fromkeys(composition.kind for composition in found.compositions)
    special = ["first-melee"] if found.first_melee_row is not None else []
    return [*now, *kinds, *special, f"level-{found.level}", *numbers, "troop"]


def master_terms(side: Side, key: str) -> list[str]:
    """The terms of a master and of the master's state."""
    if key == "cm":
        now = ["lost"] if side.master_lost else ["flipped"] if side.master_flipped else []
        return ["combat-master", *now, "mst"]
    now = ["flipped"] if side.battle_flipped else ["promoted"] if side.promoted else []
    return ["battle-master", *now, "tcts"]


def stratagem_terms(code: str) -> list[str]:
    """The terms of a face-up Stratagem; a Stratagem from a player's own card set has the general term."""
    return [*([code] if code in glossary(GAME.name) else []), "stratagem"]


def end_terms(*ends: End) -> list[str]:
    """The terms of a Mastery Card, by its visible ends."""
    terms = ["mastery-card", "conflict-value", "mp-value", "guard-note"]
    terms += ["altered"] if any(end.altered_cv or end.altered_mp for end in ends) else []
    return terms + (["damage-modifier"] if any(end.damage for end in ends) else [])


def terrain_terms(*cards: TerrainCard) -> list[str]:
    """The terms of the Terrain, with the effects of all its cards."""
    return ["terrain", *dict.fromkeys(effect for card in cards for effect in card.effects)]
