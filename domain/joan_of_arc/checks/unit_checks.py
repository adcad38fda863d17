"""Faults of a well-shaped unit card, alone and beside the others (ledger 6.3)."""

from collections.abc import Callable, Iterator
from typing import Final

from domain.commons.errors import Defect
from domain.joan_of_arc.cards.cards import CardIndex
from domain.joan_of_arc.cards.dice import NONE, Dice
from domain.joan_of_arc.cards.units import BIG_SIZE, HEX_SIZE, UnitCard

CHARGING: Final = frozenset({"infantry", "cavalry"})
RULE: Final = "ledger 6.3"
Wrong = Callable[[UnitCard], bool]

CONSTRAINTS: Final[tuple[tuple[Wrong, str, str, str], ...]] = (
    (lambda c: (c.kind == "civilian") != (c.side == "civilian"), "side", "civilian for civilians only", RULE),
    (lambda c: c.kind == "character" and c.hp is None, "hp", "HPs for a character", RULE),
    (lambda c: c.kind == "civilian" and c.hp is not None, "hp", "none for a civilian", RULE),
    (lambda c: c.gigantic != (c.size == HEX_SIZE), "size", '"hex" for gigantic creatures only', "JA-021"),
    (lambda c: c.skills.big and c.size != BIG_SIZE, "size", "3 with Big", "JA-248"),
    (lambda c: c.command is not None and c.kind != "character", "command", "none but on characters", RULE),
    (lambda c: c.activation_cost > 1 and not c.gigantic, "activation_cost", "1; 2 for gigantic creatures", RULE),
    (lambda c: c.skills.tough and c.hp is None, "skills.tough", "only on units with HPs", RULE),
    (lambda c: c.skills.charge and c.arm not in CHARGING, "skills.charge", "infantry or cavalry", RULE),
    (lambda c: c.skills.carrier and not c.flying, "skills.carrier", "only on flying units", RULE),
    (lambda c: c.skills.haste > 1 and "war_machine" in c.traits, "skills.haste", "at most 1 area", RULE),
    (lambda c: c.skills.jump > 1 and "war_machine" in c.traits, "skills.jump", "at most 1 area", RULE),
    (lambda c: c.discussion and c.kind != "civilian", "discussion", "only on civilians", RULE),
    (lambda c: bool(c.powers) and c.shoot is None, "powers", "siege with a shooting attack only", RULE),
    (lambda c: c.melee == NONE, "melee", "at least one die, or null", RULE),
    (lambda c: c.shoot is not None and c.shoot.dice == NONE, "shoot.dice", "at least one die", RULE),
    (lambda c: len(set(c.traits)) < len(c.traits), "traits", "each once", RULE),
    (lambda c: len(set(c.banners)) < len(c.banners), "banners", "each once", RULE),
    (lambda c: len(set(c.powers)) < len(c.powers), "powers", "each once", RULE),
    (lambda c: c.level is not None and c.kind != "character", "level", "null but for characters", RULE),
)
"""Conditions that no card may meet, each with the field, the values allowed there, and the rule."""


def unit_defects(card: UnitCard, index: CardIndex, file: str) -> Iterator[Defect]:
    """The defects of one unit card."""
    for wrong, field, allowed, rule in CONSTRAINTS:
        if wrong(card):
            yield Defect(file, card.id, field, _value(card, field), allowed, rule)
    for field, dice in _pools(card):
        if dice.gigantic:
            yield Defect(file, card.id, field, "gigantic dice", "black, red, yellow, white", RULE)
    yield from _levels(card, index, file)


def _pools(card: UnitCard) -> Iterator[tuple[str, Dice]]:
    yield "defence", card.defence
    if card.melee is not None:
        yield "melee", card.melee
    if card.shoot is not None:
        yield "shoot.dice", card.shoot.dice


def _value(card: UnitCard, field: str) -> str:
    found: object = card
    for step in field.split("."):
        found = getattr(found, step)
    return f"{found!r:.60}"


def _levels(card: UnitCard, index: CardIndex, file: str) -> Iterator[Defect]:
    """Level 1 and level 2 cards belong together by their ids."""
    above = index.upgrades_of(card)
    if (card.upgrade_cost is not None) != bool(above):
        allowed = "a price" if above else "null without a level 2 card"
        yield Defect(file, card.id, "upgrade_cost", repr(card.upgrade_cost), allowed, RULE)
    if card.level == 1 and not card.id.endswith("_1"):
        yield Defect(file, card.id, "id", repr(card.id), "an id that ends with _1", RULE)
    if card.level == 1 and len(above) > 1 and any(other.id.endswith("_2") for other in above):
        yield Defect(file, card.id, "id", "three level 2 cards", "_2, or _2_holy and _2_unholy", RULE)
    if card.level != 2:
        return
    stem, _, banner = card.id.rpartition("_2")
    below = index.units.get(f"{stem}_1")
    if not stem or banner not in {"", "_holy", "_unholy"} or below is None or below.level != 1:
        yield Defect(file, card.id, "id", repr(card.id), "_2, _2_holy or _2_unholy beside a level 1 card _1", RULE)
        return
    if banner and banner[1:] not in card.banners:
        yield Defect(file, card.id, "banners", repr(card.banners), f"its side's banner, {banner[1:]}", RULE)
    if (card.side, card.arm, card.size) != (below.side, below.arm, below.size):
        found = f"{card.side}, {card.arm}, size {card.size}"
        yield Defect(file, card.id, "level", found, f"side, arm and size of {below.id}", RULE)
