"""Which window, operation, selector and duration go together on which card (ledger 6.2, "Allowed together")."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.disciples_legacy.cards.cards import (
    AnyCard,
    Capital,
    CityCard,
    Item,
    MajorLeader,
    ManaCard,
    MinorLeader,
    Spell,
    Unit,
)
from domain.disciples_legacy.cards.hooks import Ability, Duration, Operation, Selector, Window


class Allowed(Struct, frozen=True):
    """The operations, selectors and durations allowed in a window."""

    ops: frozenset[str]
    selectors: frozenset[Selector]
    durations: tuple[Duration, ...] = ()


OWN: Final[frozenset[Selector]] = frozenset({"own_member", "own_dead", "own_party", "own_major"})
ENEMY: Final[frozenset[Selector]] = frozenset({"enemy_member", "enemy_unit", "enemy_party", "enemy_major"})
THINGS: Final[frozenset[Selector]] = frozenset({"enemy_item", "enemy_city", "enemy_mana", "enemy_hand"})
STRATEGIC: Final = frozenset(
    {"damage", "heal", "revive", "spend", "unspend", "atk", "maxhp", "ward", "steal_mana", "tap_city", "peek"}
)
WINDOWS: Final[Mapping[Window, Allowed]] = {
    "S": Allowed(
        STRATEGIC | {"steal_item", "action", "plant", "cast"}, OWN | ENEMY | THINGS | {"self", "none"}, ("turn",)
    ),
    "C": Allowed(STRATEGIC | {"summon"}, OWN | ENEMY | THINGS | {"none"}, ("turn",)),
    "T": Allowed(
        frozenset({"damage", "heal", "revive", "untap", "tap", "atk", "maxhp", "ward"}),
        frozenset(
            {"self", "holder", "ally", "other_ally", "allies", "dead_ally", "enemy", "adj_enemy", "enemies"},
        ),
        ("round", "battle"),
    ),
    "B": Allowed(
        frozenset({"damage", "heal", "atk", "maxhp", "ward"}),
        frozenset({"self", "holder", "allies", "enemies"}),
        ("round", "battle"),
    ),
    "H": Allowed(frozenset({"poison", "drain"}), frozenset({"hit", "self", "holder"})),
    "P": Allowed(frozenset({"atk", "maxhp", "style"}), frozenset({"self", "holder", "allies"}), ("held",)),
    "R": Allowed(frozenset({"mod"}), frozenset({"none"})),
}
ONLY_AT: Final[Mapping[str, frozenset[Selector]]] = {
    "peek": frozenset({"enemy_hand"}),
    "tap_city": frozenset({"enemy_city"}),
    "steal_item": frozenset({"enemy_item"}),
    "steal_mana": frozenset({"enemy_mana"}),
    "revive": frozenset({"own_dead", "dead_ally"}),
    "poison": frozenset({"hit"}),
    "drain": frozenset({"self", "holder"}),
    **{op: frozenset({"none"}) for op in ("summon", "action", "plant", "cast", "mod")},
}
"""Operations that are allowed only with these selectors."""
THEIRS: Final = frozenset(s for selectors in ONLY_AT.values() for s in selectors) - {"self", "holder"}
"""Selectors that are allowed only with these operations."""
CARD_WINDOWS: Final[Mapping[type[AnyCard], tuple[Window, ...]]] = {
    Capital: ("R",),
    CityCard: ("R",),
    MajorLeader: ("S", "T", "P", "B", "H"),
    MinorLeader: ("S", "T", "P", "B", "H"),
    Unit: ("T", "P", "B", "H"),
    Item: ("T", "P", "B", "H"),
    Spell: ("C",),
    ManaCard: (),
}
"""6.3: the windows of each type of card."""


def op_name(op: Operation) -> str:
    """The operation's name in a card file."""
    return str(op.__struct_config__.tag)


def ability_defects(card: AnyCard, ability: Ability) -> Iterator[tuple[str, str]]:
    """The parts of an ability that its card may not have: each value found, and the values allowed."""
    windows = CARD_WINDOWS[type(card)]
    if ability.window not in windows:
        yield f"window {ability.window}", f"{', '.join(windows)} on this type of card"
    allowed, op = WINDOWS[ability.window], op_name(ability.op)
    if op not in allowed.ops:
        yield f"{op} in window {ability.window}", ", ".join(sorted(allowed.ops))
    selectors = allowed.selectors & ONLY_AT.get(op, allowed.selectors - THEIRS)
    if ability.selector not in selectors and op in allowed.ops:
        yield f"{op} @{ability.selector} in window {ability.window}", ", ".join(sorted(selectors))
    if ability.selector == "holder" and not isinstance(card, Item):
        yield "@holder", "@self on a card that nobody carries"
    duration = getattr(ability.op, "duration", None)
    if duration is not None and duration not in allowed.durations and op in allowed.ops:
        yield f"{op} for {duration} in window {ability.window}", ", ".join(allowed.durations)
