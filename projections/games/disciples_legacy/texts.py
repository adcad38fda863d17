"""The texts of cards of Disciples: Legacy, in sentences: abilities (ledger 6.2), figures, costs."""

from typing import Final

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import (
    AnyCard,
    Capital,
    CardIndex,
    CityCard,
    Item,
    MajorLeader,
    ManaCard,
    MinorLeader,
    Spell,
    Unit,
)
from domain.disciples_legacy.cards.hooks import Ability
from projections.words import count, join, signed

RACES: Final = {"empire": "Empire", "clans": "Clans", "legions": "Legions", "hordes": "Hordes"}
COLOURS: Final = {"W": "white", "U": "blue", "R": "red", "B": "black"}
STYLES: Final = {"adj": "melee", "any": "any one", "all": "all at once"}
REACHES: Final = {
    "adj": "one enemy within reach: the front row first, the far corner of a row last",
    "any": "one enemy anywhere in the other Party",
    "all": "every living enemy of the other Party",
}
WHOM: Final[dict[str, str]] = {
    "self": "itself",
    "holder": "the Leader that carries it",
    "ally": "one member of its Party",
    "other_ally": "one other member of its Party",
    "allies": "its whole Party",
    "dead_ally": "one dead member of its Party",
    "enemy": "one enemy in the Battle",
    "adj_enemy": "one enemy within reach",
    "enemies": "all enemies in the Battle",
    "hit": "whom it damages",
    "own_member": "one member of yours",
    "own_dead": "one dead member of yours",
    "own_party": "one Party of yours",
    "own_major": "one Major Leader of yours",
    "enemy_member": "one enemy",
    "enemy_unit": "one enemy Unit",
    "enemy_party": "one enemy Party",
    "enemy_major": "one enemy Major Leader",
}
UNTIL: Final = {
    "round": " until the Battle Round ends",
    "battle": " until the Battle ends",
    "turn": " until the turn ends",
    "held": "",
}
WHEN: Final[dict[str, str]] = {
    "S": "Action: ",
    "T": "Tap in Battle: ",
    "P": "Always: ",
    "B": "When a Battle begins: ",
    "H": "When it damages: ",
    "C": "",
    "R": "",
}
MODS: Final[dict[str, str]] = {
    "heal3_bonus_c": "its player has {n} (C) more for healing each turn",
    "heal3_amount": "each (C) heals {n} HP more",
    "shop_bonus_c": "{n} (C) more are free when shopping",
    "recruit_discount": "the first Unit of a turn costs {n} (C) less",
    "free_revives": "{n} dead Unit a turn is revived for nothing",
    "garrison": "deals {n} damage to the Leader who captures it",
    "mana_W": "counts as {n} white Mana",
    "mana_U": "counts as {n} blue Mana",
    "mana_R": "counts as {n} red Mana",
    "mana_B": "counts as {n} black Mana",
}
ACTIONS: Final = {"attack_party": "attack an enemy Party", "block": "block attacks"}


def deed(ability: Ability, index: CardIndex) -> str:
    """The effect of an ability, without its time and target: "heal 3", "2 damage"."""
    match ability.op:
        case hooks.Damage(n):
            return f"{n} damage"
        case hooks.HealOperation(n):
            return f"heal {n}"
        case hooks.ReviveOperation(hp):
            return f"revive with {hp} HP"
        case hooks.Atk(n):
            return f"Attack {signed(n)}"
        case hooks.MaxHp(n):
            return f"Max HP {signed(n)}"
        case hooks.SetStyle(style):
            return f"attacks reach {REACHES[style]}"
    return _rarer(ability, index)


def _rarer(ability: Ability, index: CardIndex) -> str:
    match ability.op:
        case hooks.WardOperation(n):
            return f"ward {n}"
        case hooks.PoisonOperation(n, rounds):
            return f"poison {n} for {count(rounds, 'Round')}"
        case hooks.Drain(n):
            return f"heal {n} per attack"
        case hooks.Peek(n):
            return f"see up to {n} cards of the enemy's Reserves"
        case hooks.Summon(card):
            return f"summon {index.minors[card].name}"
        case hooks.Action(action):
            return ACTIONS[action]
        case hooks.Mod(name, n):
            return MODS[name].format(n=n)
    return PLAIN[type(ability.op)]


PLAIN: Final[dict[type[hooks.Operation], str]] = {
    hooks.Untap: "untap",
    hooks.Tap: "tap",
    hooks.Spend: "put a spent token on",
    hooks.Unspend: "take the spent token off",
    hooks.StealItem: "steal an Item of an enemy Major Leader",
    hooks.StealMana: "take over an enemy Mana card",
    hooks.TapCityOperation: "tap an enemy City, which gives nothing",
    hooks.PlantOperation: "plant Mana",
    hooks.CastOperation: "cast a Spell",
}


EXPLAINED: Final[dict[type[hooks.Operation], str]] = {
    hooks.WardOperation: "; a ward absorbs so much damage",
    hooks.PoisonOperation: "; poison is damage at the end of a Battle Round",
}


def ability_words(ability: Ability, index: CardIndex) -> str:
    """An ability as a sentence: "Tap in Battle: heal 3, one member of its Party."."""
    whom = WHOM.get(ability.selector, "")
    said = deed(ability, index)
    if isinstance(ability.op, hooks.Drain):
        whom = ""
    if type(ability.op) in {hooks.Untap, hooks.Tap, hooks.Spend, hooks.Unspend}:
        said, whom = f"{said} {whom}", ""
    until = UNTIL.get(getattr(ability.op, "duration", "held"), "")
    whole = f"{WHEN[ability.window]}{said}{f', {whom}' if whom else ''}{until}{EXPLAINED.get(type(ability.op), '')}"
    return f"{whole[0].upper()}{whole[1:]}."


def abilities_of(index: CardIndex, card: str) -> list[str]:
    """All abilities of a card as sentences."""
    return [ability_words(ability, index) for ability in index.abilities[card]]


def mana_words(spell: Spell) -> str:
    """The Mana that a Spell needs: "2 white Mana"."""
    return join([f"{n} {COLOURS[colour]} Mana" for colour, n in spell.mana.items()])


def kind_words(card: AnyCard) -> str:
    """The kind of a card, in a word or two."""
    match card:
        case Capital():
            return "Capital"
        case CityCard():
            return "City"
        case MajorLeader():
            return "Major Leader"
        case MinorLeader():
            return "Minor Leader"
        case Unit(giant=giant):
            return "Giant" if giant else "Unit"
        case Item():
            return "Item"
        case Spell():
            return "Spell"
    return "Mana"


def price_words(card: AnyCard) -> str:
    """The cost of a card of the Reserves, in short: "2 (C)", "2 white Mana", "free"."""
    match card:
        case Spell():
            return mana_words(card)
        case CityCard() | ManaCard() | Capital():
            return "free"
    return f"{card.cost} (C)"


def figures(index: CardIndex, card: str) -> str:
    """HP, Attack and style as printed: "HP 5, Attack 2 melee"; empty for a card without them."""
    found = index.bodies.get(card)
    return f"HP {found.hp}, Attack {found.attack} {STYLES[found.style]}" if found else ""


def card_lines(index: CardIndex, card: str) -> list[str]:
    """The whole text of a card, as its details show it."""
    found = index.cards[card]
    race = RACES[found.race] if not isinstance(found, ManaCard) else ""
    lines = [" ".join(word for word in (race, kind_words(found)) if word) + "."]
    if isinstance(found, Capital | CityCard):
        lines.append(f"Gives {found.yield_c} (C) when tapped.")
    if isinstance(found, MajorLeader):
        lines.append(f"Leadership {found.leadership}: so many Units in its Party at most.")
    if figures(index, card):
        lines.append(f"{figures(index, card)}: reaches {REACHES[index.bodies[card].style]}.")
    if isinstance(found, Item) and found.consumable:
        lines.append("Discarded after use.")
    return [*lines, *abilities_of(index, card)]
