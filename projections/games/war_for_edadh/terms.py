"""The terms of the glossary for what the Scene of War for Edaðh shows of Troops, masters, Terrain and cards."""

from domain.war_for_edadh import GAME
from domain.war_for_edadh.cards.cards import End, TerrainCard, TroopCard
from domain.war_for_edadh.state.state import Side, Troop, WarState
from domain.war_for_edadh.state.stats import row_of
from projections.glossary import glossary

NUMBERS = ("att", "att-damage", "def", "def-damage", "dv", "ml", "cb")


def troop_terms(view: WarState, troop: Troop, found: TroopCard) -> list[str]:
    """A Troop: how it stands this round, its compositions, its Level and numbers."""
    row = row_of(view, troop.id)
    now = ["used"] if troop.flipped else []
    now += ["chosen"] if troop.id in view.round.chosen else []
    numbers = [*NUMBERS, "guard", "mp-bonus", "psy", *(["weapon"] if row.weapon else [])]
    numbers = numbers if row.att is not None else ["no-att", *numbers[2:]]
    kinds = dict.fromkeys(composition.kind for composition in found.compositions)
    special = ["first-melee"] if found.first_melee_row is not None else []
    return [*now, *kinds, *special, f"level-{found.level}", *numbers, "troop"]


def master_terms(side: Side, key: str) -> list[str]:
    """A master and what has become of him."""
    if key == "cm":
        now = ["lost"] if side.master_lost else ["flipped"] if side.master_flipped else []
        return ["combat-master", *now, "mst"]
    now = ["flipped"] if side.battle_flipped else ["promoted"] if side.promoted else []
    return ["battle-master", *now, "tcts"]


def stratagem_terms(code: str) -> list[str]:
    """A Stratagem whose face is seen; one of a card set of one's own is a Stratagem like others."""
    return [*([code] if code in glossary(GAME.name) else []), "stratagem"]


def end_terms(*ends: End) -> list[str]:
    """A Mastery Card by the ends that are seen."""
    terms = ["mastery-card", "conflict-value", "mp-value", "guard-note"]
    terms += ["altered"] if any(end.altered_cv or end.altered_mp for end in ends) else []
    return terms + (["damage-modifier"] if any(end.damage for end in ends) else [])


def terrain_terms(*cards: TerrainCard) -> list[str]:
    """The Terrain with the effects of all its cards."""
    return ["terrain", *dict.fromkeys(effect for card in cards for effect in card.effects)]
