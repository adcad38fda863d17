"""The pictures of the cards of Disciples: Legacy; a card from a player's own file has the picture of its kind."""

from typing import Final

from domain.disciples_legacy.cards.cards import AnyCard, CardIndex, Item, MajorLeader, MinorLeader, Spell, Unit

CHARGES: Final = {"empire": "lion", "clans": "warhammer", "legions": "evil-wings", "hordes": "skull-crossed-bones"}
STYLE_GLYPHS: Final = {"adj": "crossed-swords", "any": "bow-arrow", "all": "small-fire"}
GLYPHS: Final = {
    "sunspire": "castle",
    "deephold": "hill-fort",
    "cinder_gate": "medieval-gate",
    "bone_throne": "crown",
    "market_town": "village",
    "abbey_town": "church",
    "mountain_town": "mountains",
    "mine_fort": "hill-fort",
    "ash_town": "medieval-gate",
    "ember_shrine": "white-tower",
    "grave_town": "tombstone",
    "crypt_shrine": "crystal-shrine",
    "knight_captain": "crested-helmet",
    "longbow_ranger": "bow-arrow",
    "court_magus": "magic-swirl",
    "high_prelate": "prayer",
    "banner_herald": "knight-banner",
    "hold_guardian": "visored-helm",
    "siege_engineer": "catapult",
    "rune_keeper": "open-book",
    "elder_smith": "warhammer",
    "road_warden": "footsteps",
    "dread_duke": "horned-helm",
    "pit_counsellor": "diablo-skull",
    "arch_fiend": "daemon-skull",
    "whispering_baroness": "hooded-figure",
    "imp_herald": "imp",
    "death_captain": "black-knight-helm",
    "pale_count": "crown",
    "lich_matriarch": "wizard-staff",
    "wailing_queen": "crowned-heart",
    "grave_warden": "tombstone",
    "squire": "broadsword",
    "archer": "crossbow",
    "apprentice": "wizard-staff",
    "acolyte": "angel-wings",
    "knight": "black-knight-helm",
    "marksman": "bow-arrow",
    "battle_mage": "fire-spell-cast",
    "matron": "sun",
    "paladin": "winged-sword",
    "titan": "giant",
    "tunnel_dwarf": "bordered-shield",
    "axe_thrower": "sword-clash",
    "stone_singer": "hunting-horn",
    "ward_smith": "warhammer",
    "mountaineer": "peaks",
    "crossbow_dwarf": "crossbow",
    "flame_caster": "small-fire",
    "dwarf_veteran": "visored-helm",
    "hill_giant": "giant",
    "snow_ape": "griffin-symbol",
    "possessed": "burning-skull",
    "hexer": "hell-crosses",
    "cultist": "hooded-figure",
    "witch": "magic-swirl",
    "hellhound": "hound",
    "berserker": "imp",
    "sorcerer": "fire-spell-cast",
    "infernal_knight": "horned-helm",
    "gargoyle": "wyvern",
    "devil": "daemon-skull",
    "skeleton": "skull-crossed-bones",
    "bone_archer": "bow-arrow",
    "initiate": "hood",
    "ghost": "eyeball",
    "zombie": "tombstone",
    "werewolf": "hound",
    "plague_bearer": "vial",
    "vampire": "evil-wings",
    "skeleton_champion": "black-knight-helm",
    "wyvern": "wyvern",
    "healing_draught": "health-potion",
    "phoenix_vial": "vial",
    "tower_shield": "bordered-shield",
    "battle_standard": "vertical-banner",
    "ale_flask": "health-potion",
    "rune_hammer": "warhammer",
    "stone_totem": "tombstone",
    "throwing_axes": "sword-clash",
    "blood_phial": "vial",
    "fire_orb": "small-fire",
    "hell_mail": "shield",
    "whip_of_command": "push",
    "grave_dust": "hourglass",
    "lich_orb": "eyeball",
    "shroud": "hood",
    "soul_lantern": "crystal-shrine",
}
"""The pictures of the Leaders, Units, Items, Cities and Capitals that come with the game."""
KINDS: Final[dict[type[AnyCard], str]] = {
    MajorLeader: "crown",
    MinorLeader: "hood",
    Unit: "broadsword",
    Item: "vial",
    Spell: "fire-spell-cast",
}
MINORS: Final = {"Thief": "cloak-dagger", "Rod Planter": "crystal-shrine"}
SPELLS: Final = {
    "damage": "fire-spell-cast",
    "heal": "crowned-heart",
    "revive": "prayer",
    "summon": "magic-swirl",
    "atk": "crossed-swords",
    "ward": "shield",
    "maxhp": "broken-shield",
    "spend": "hourglass",
    "unspend": "hourglass",
}
"""The pictures of Spells by their effects."""


def glyph_of(index: CardIndex, code: str) -> str:
    """The picture of a card."""
    if code in GLYPHS:
        return GLYPHS[code]
    card = index.cards[code]
    if isinstance(card, MinorLeader):
        return MINORS.get(card.name, "giant" if card.summoned else KINDS[MinorLeader])
    if isinstance(card, Spell):
        (ability,) = index.abilities[code]
        return SPELLS.get(str(ability.op.__struct_config__.tag), KINDS[Spell])
    return KINDS.get(type(card), "crystal-cluster" if code in index.mana else "village")
