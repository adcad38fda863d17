"""Cards: the Units, Generals and decks of a card set (ledger 6.3), and the hooks of Generals (6.4).

A card-set file is JSON; `read_card_set` turns it into these types. `index_of` makes an index of a card set.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Literal, NewType

import msgspec
from msgspec import Struct

from domain.commons.identity_cache import once_of

CardKey = NewType("CardKey", str)
"""A kind of Unit card: `faction/type`. Copies of a kind are alike (VD-015)."""

IMMUNE: Final = 7
"""The value of a shield that no die can hit: the X of VD-023."""


class Rank(StrEnum):
    """VD-014: the three ranks."""

    BASIC = "basic"
    ELITE = "elite"
    LEGENDARY = "legendary"


class Die(StrEnum):
    """VD-016: the five types of attack dice."""

    MELEE = "melee"
    RANGE = "range"
    MAGIC = "magic"
    BREAKER = "breaker"
    ARTILLERY = "artillery"


class OrderType(StrEnum):
    """VD-069: the types of order cards."""

    ATTACK = "attack"
    MANEUVER = "maneuver"
    DEFENSE = "defense"
    SUPPORT = "support"
    TACTIC = "tactic"


class Terrain(StrEnum):
    """VD-006: the kinds of Terrain."""

    PLAINS = "plains"
    FOREST = "forest"
    RIVER = "river"
    MOUNTAIN = "mountain"


class Ability(StrEnum):
    """Section AG: abilities of Units beyond the rules."""

    ACCURACY = "accuracy"
    AFFINITY_FORESTS = "affinity_forests"
    AFFINITY_RIVERS = "affinity_rivers"
    AFFINITY_MOUNTAINS = "affinity_mountains"
    AMBUSH = "ambush"
    AUTONOMY = "autonomy"
    BRAVERY = "bravery"
    CHAOS = "chaos"
    CHARGE = "charge"
    COWARDICE = "cowardice"
    DISCORD = "discord"
    ENDURANCE = "endurance"
    EXPENDABLE = "expendable"
    FLYING = "flying"
    GLIDE = "glide"
    GUARDS = "guards"
    LINK = "link"
    MASTERY = "mastery"
    METAMORPHOSIS = "metamorphosis"
    MOBILITY = "mobility"
    PROMINENT = "prominent"
    RAGE = "rage"
    REFLEXES = "reflexes"
    REGENERATION = "regeneration"
    RIPOSTE = "riposte"
    STEALTH = "stealth"
    TENACIOUS = "tenacious"
    TERROR = "terror"
    VISION = "vision"
    VORACIOUS = "voracious"


class Moment(StrEnum):
    """6.4, 3: when a diamond Strategy may be used."""

    ROUND_BEGIN = "round_begin"
    DRAW = "draw"
    KEPT = "kept"
    TURN = "turn"
    CLEAN_UP = "clean_up"


class Shields(Struct, frozen=True):
    """VD-025: the lowest face that hits, for each kind of die; `IMMUNE` if no face hits."""

    melee: int
    range: int
    magic: int
    orange: int


class UnitType(Struct, frozen=True):
    """VD-013: the printed values of a kind of Unit card."""

    type_id: str
    name: str
    rank: Rank
    ids: tuple[int, ...]
    dice: tuple[Die, ...]
    shields: Shields
    max_lp: int = 6
    abilities: tuple[Ability, ...] = ()
    icons: dict[str, str] = {}


class Hook(Struct, frozen=True, tag_field="hook"):
    """One effect of a General's text (6.4); the base class of the closed vocabulary."""


class Recruit(Hook, frozen=True, tag="recruit"):
    """VD-K01: changes the numbers of Units that are dealt."""

    basic: int
    elite: int
    legendary: int


class Muster(Hook, frozen=True, tag="muster"):
    """VD-K02: the army has at least `min` and at most `max` cards of a type."""

    type_id: str
    min: int
    max: int


class GeneralRanks(Hook, frozen=True, tag="general_ranks"):
    """VD-K03: the ranks that may hold the General."""

    ranks: tuple[Rank, ...]


class Scouts(Hook, frozen=True, tag="scouts"):
    """VD-K04: added to the army's totals."""

    vision: int
    stealth: int


class Redeploy(Hook, frozen=True, tag="redeploy"):
    """VD-K05: exchanges of spaces after deployment."""

    swaps: int


class InitiativeBonus(Hook, frozen=True, tag="initiative"):
    """VD-K06: a bonus on the Initiative roll of Phase 1."""

    bonus: int


class Reserves(Hook, frozen=True, tag="reserves"):
    """VD-K07: the number of further orders that may be taken back."""

    cards: int


class Train(Hook, frozen=True, tag="train"):
    """VD-K08: gives an ability to Units of these types on the General's side."""

    types: tuple[str, ...]
    ability: Ability


class MoraleBonus(Hook, frozen=True, tag="morale"):
    """VD-K09: a bonus on Morale Checks, for all or around the General."""

    bonus: int
    scope: Literal["general", "army"]


class StrikeHook(Hook, frozen=True, tag="strike"):
    """VD-K10: dice and an ability for one Attack or Counterattack."""

    dice: int
    ability: Literal["none", "discord", "mastery"]


class Mend(Hook, frozen=True, tag="mend"):
    """VD-K11: damaged Units regain life."""

    lp: int
    units: int
    reach: Literal["self", "adjacent", "army"]


class DrawCards(Hook, frozen=True, tag="draw"):
    """VD-K12: order cards are drawn."""

    cards: int


class Spy(Hook, frozen=True, tag="spy"):
    """VD-K13: enemy orders are examined."""

    orders: int


class Reissue(Hook, frozen=True, tag="reissue"):
    """VD-K14: Exhausted Units get an order from the deck."""

    orders: int


class Sabotage(Hook, frozen=True, tag="sabotage"):
    """VD-K15: enemy Units may lose their orders."""

    orders: int


class Shift(Hook, frozen=True, tag="shift"):
    """VD-K16: Units move without an order."""

    moves: int


AnyHook = (
    Recruit
    | Muster
    | GeneralRanks
    | Scouts
    | Redeploy
    | InitiativeBonus
    | Reserves
    | Train
    | MoraleBonus
    | StrikeHook
    | Mend
    | DrawCards
    | Spy
    | Reissue
    | Sabotage
    | Shift
)
"""The closed vocabulary of hooks, VD-K01 to VD-K16."""


class Heroism(Struct, frozen=True):
    """VD-058, VD-059: the gains of the General's own Unit."""

    abilities: tuple[Ability, ...] = ()
    dice: tuple[Die, ...] = ()


class Leadership(Struct, frozen=True):
    """VD-063: the General's changes for the army."""

    text: str = ""
    hooks: tuple[AnyHook, ...] = ()


class StrategyText(Struct, frozen=True):
    """VD-064, VD-065: the Strategy. A star works through the Tactic, a diamond once a game."""

    icon: Literal["star", "diamond"]
    text: str = ""
    moment: Moment | None = None
    hooks: tuple[AnyHook, ...] = ()


class GeneralCard(Struct, frozen=True):
    """A General (VD-057)."""

    general_id: str
    name: str
    heroism: Heroism
    leadership: Leadership
    strategy: StrategyText


class Faction(Struct, frozen=True):
    """VD-002: 17 Units of 8 types and 3 Generals."""

    faction_id: str
    name: str
    background: str
    unit_types: tuple[UnitType, ...]
    generals: tuple[GeneralCard, ...]


class CardSet(Struct, frozen=True):
    """A whole card set (6.3)."""

    schema: int
    set_id: str
    version: str
    licence: str
    factions: tuple[Faction, ...]
    order_deck: dict[OrderType, int]
    terrain_deck: dict[Terrain, int]
    motivation: int = 10


class CardIndex:
    """Quick access to a card set; one object per set, compared by identity."""

    def __init__(self, card_set: CardSet) -> None:
        self.card_set = card_set
        self.types: dict[CardKey, UnitType] = {}
        self.factions: dict[str, Faction] = {faction.faction_id: faction for faction in card_set.factions}
        self._generals: dict[str, tuple[str, GeneralCard]] = {}
        for faction in card_set.factions:
            for unit in faction.unit_types:
                self.types[CardKey(f"{faction.faction_id}/{unit.type_id}")] = unit
            for general in faction.generals:
                self._generals[general.general_id] = (faction.faction_id, general)
        self.order_deck = tuple(kind for kind in OrderType for _ in range(card_set.order_deck.get(kind, 0)))
        self.terrain_deck = tuple(kind for kind in Terrain for _ in range(card_set.terrain_deck.get(kind, 0)))

    def general(self, general_id: str) -> tuple[str, GeneralCard]:
        """A General and the id of his faction."""
        return self._generals[general_id]

    def generals(self) -> Iterator[tuple[str, GeneralCard]]:
        """Every General with the id of his faction, in the order of the file."""
        return iter(self._generals.values())

    def army_deck(self, faction_id: str) -> Mapping[CardKey, int]:
        """VD-014: the number of cards of each kind in a faction; always the same (VD-003)."""
        return {CardKey(f"{faction_id}/{unit.type_id}"): len(unit.ids) for unit in self.factions[faction_id].unit_types}


@lru_cache(maxsize=32)
def _index_by_bytes(data: bytes) -> CardIndex:
    return CardIndex(msgspec.json.decode(data, type=CardSet))


index_of = once_of(lambda card_set: _index_by_bytes(msgspec.json.encode(card_set)))
"""The index of a card set, made once."""


def flatten(data: Any) -> Any:
    """Convert a card-set file's JSON to these types: params of hooks stand next to the name, shield X is a number."""
    if isinstance(data, list):
        return [flatten(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "hook" in data and isinstance(data.get("params"), dict):
        return {"hook": data["hook"], **data["params"]}
    if isinstance(data.get("shields"), dict):
        shields = {kind: IMMUNE if value == "X" else value for kind, value in data["shields"].items()}
        return {key: flatten(value) for key, value in data.items()} | {"shields": shields}
    return {key: flatten(value) for key, value in data.items()}


def read_card_set(text: bytes) -> CardSet:
    """A card set from a file's bytes. Raises `msgspec.DecodeError` or `msgspec.ValidationError` (see card_checks)."""
    return msgspec.convert(flatten(msgspec.json.decode(text)), CardSet)
