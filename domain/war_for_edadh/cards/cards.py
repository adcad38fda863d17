"""Cards: their printed values (ledger 2.B to 2.E), as data/ holds it (ledger 6.3).

`SHIPPED` is the set that comes with the game; `index_of` makes an index of a card set.
"""

from collections.abc import Iterator
from enum import StrEnum
from importlib import resources
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from domain.commons.identity_cache import once_of

FILES: Final = (
    "mastery",
    "troops",
    "terrain",
    "combat_masters",
    "battle_masters",
    "standards",
    "stratagems",
    "armies",
)


class Level(StrEnum):
    """WE-005: the Combat Levels."""

    BALLISTIC = "ballistic"
    CHARGE = "charge"
    MELEE = "melee"


class Kind(StrEnum):
    """WE-031: the Unit Compositions of a Special section."""

    SHIELD_WALL = "shield_wall"
    SHIELD_COVER = "shield_cover"
    SPEAR_HEDGE = "spear_hedge"
    RATE_OF_FIRE = "rate_of_fire"
    WAR_BEAST = "war_beast"
    NET = "net"
    MOUNTS = "mounts"


FORMATIONS: Final = frozenset({Kind.SHIELD_WALL, Kind.SHIELD_COVER, Kind.SPEAR_HEDGE})
"""WE-209: the compositions that No Formation takes away."""

Element = Literal["land", "water", "air", "canopy"]
Area = Literal["land", "siege", "water", "naval", "air", "canopy"]
Symbol = Literal["marsh", "heath", "woods", "undergrowth", "hills", "grass"]
Effect = Literal[
    "hide_full",
    "hide_semi",
    "hide_partial",
    "counter_mounts",
    "counter_aerial",
    "no_formation",
    "secondary_card",
    "solo",
]
Flag = Literal["sun", "moon", "wolf", "tower"]
Stat = Literal[
    "ml",
    "mp_bonus",
    "guard_value",
    "guard_penetration",
    "att",
    "att_dmg",
    "def",
    "def_dmg",
    "cb",
    "dv",
    "range",
]
STATS: Final[tuple[Stat, ...]] = Stat.__args__  # type: ignore[attr-defined]
Lowers = Literal["counter", "damage"]
"""WE-Q15: the figure that a modifier below 0 lowers: the Dmg Counter, or the round's damage, which stays 0 at least."""
Window = Literal["own_decision_cr1", "after_chosen", "after_cr6"]
Op = Literal[
    "hold",
    "retreat",
    "counter",
    "stat",
    "damage_taken",
    "mp",
    "ignore_positive_terrain",
    "deny_first_melee_row",
    "no_formation",
]


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base of everything read from a file."""


class Altered(Card, frozen=True):
    """WE-010, WE-012: a value that replaces another against these printed Conflict Values."""

    value: Annotated[int, Meta(ge=0, le=24)]
    against: Annotated[tuple[int, ...], Meta(min_length=1)]


class End(Card, frozen=True):
    """WE-008: one end of a Mastery Card. WE-011 `mp`, WE-013 `guard`, WE-014 `damage`."""

    cv: Annotated[int, Meta(ge=1, le=12)]
    mp: Annotated[int, Meta(ge=0, le=15)]
    guard: tuple[int, int]
    damage: Annotated[int, Meta(ge=0, le=6)] = 0
    altered_cv: Altered | None = None
    altered_mp: Altered | None = None


class MasteryCard(Card, frozen=True):
    """WE-007: a Mastery Card with its two ends; WE-009: 4 and 10 are one card, 2 and 8 another."""

    card: str
    ends: tuple[End, End]


class Row(Card, frozen=True):
    """The stats of a Troop at one Combat Level: WE-023 to WE-030. `att` None means *(5)."""

    ml: Annotated[int, Meta(ge=0, le=6)]
    mp_bonus: Annotated[int, Meta(ge=0, le=6)]
    guard_value: Annotated[int, Meta(ge=0, le=9)]
    guard_penetration: Annotated[int, Meta(ge=0, le=9)]
    defence: Annotated[int, Meta(ge=0, le=15)] = field(name="def")
    def_dmg: Annotated[int, Meta(ge=0, le=10)]
    cb: Annotated[int, Meta(ge=0, le=6)]
    att: Annotated[int, Meta(ge=1, le=15)] | None = None
    att_dmg: Annotated[int, Meta(ge=1, le=20)] | None = None
    range: Annotated[int, Meta(ge=1, le=12)] | None = None
    weapon: str | None = None
    weapon_class: Literal["bow", "gun", "melee", "thrown"] | None = None
    symbols: tuple[Literal["halbard", "two_hander", "spear", "two_weapons"], ...] = ()

    def stat(self, name: Stat) -> int:
        """A printed figure by its name; 0 if there is none."""
        return int(getattr(self, "defence" if name == "def" else name) or 0)


class Composition(Card, frozen=True):
    """WE-031: a symbol of the Special section: at which level, where it works (WE-202 to WE-205), how much."""

    level: Level
    kind: Kind
    scope: Annotated[str, Meta(pattern=r"^(R[1-9]|R\*|FR|C)$")] | None = None
    amount: Annotated[int, Meta(ge=-15, le=6)] | None = None
    lowers: Lowers = "damage"

    def works_in(self, rank: int) -> bool:
        """WE-202, WE-203: whether a plus bonus works in this rank, 1 at the front."""
        if self.scope is None or self.scope[0] != "R":
            return False
        return self.scope == "R*" or rank <= int(self.scope[1])


class TroopCard(Card, frozen=True):
    """WE-017 to WE-036: a Troop Card. WE-018 cost, level; WE-019 type, rarity; WE-020 psy, WE-021 power, WE-022 dv.

    WE-032, WE-033 and WE-034: terrain and element symbols, which no rule uses; WE-035: the rows of the reverse. There
    is no Rarity above 2 (WE-Q70).
    """

    code: Annotated[str, Meta(pattern=r"^[A-Z]{1,3}[0-9]{2}$")]
    name: str
    faction: str
    species: str
    type: Literal["i", "b", "r", "w", "a"]
    rarity: Annotated[int, Meta(ge=1, le=2)]
    cost: Annotated[int, Meta(ge=1, le=15)]
    level: Annotated[int, Meta(ge=1, le=3)]
    psy: Annotated[int, Meta(ge=1, le=10)]
    speed: Annotated[int, Meta(ge=1, le=10)]
    power: Annotated[int, Meta(ge=1, le=30)]
    dv: Annotated[int, Meta(ge=1, le=30)]
    elements: Annotated[tuple[Element, ...], Meta(min_length=1)]
    rows: dict[Level, Row]
    terrain_symbols: tuple[Symbol, ...] = ()
    skirmish: bool = False
    compositions: tuple[Composition, ...] = ()
    mount_species: str | None = None
    dismounted: str | None = None
    first_melee_row: Row | None = None
    vs_mounts_row: Row | None = None

    def composition(self, kind: Kind, level: Level) -> Composition | None:
        """The symbol of this kind that works at this level."""
        for composition in self.compositions:
            if composition.kind is kind and composition.level is level:
                return composition
        return None


class Access(Card, frozen=True):
    """WE-224 `plus`, WE-225 `minus`: an Access Value. A bare figure is the card's `height` (WE-226)."""

    kind: Literal["plus", "minus"]
    value: Annotated[int, Meta(ge=1, le=30)]


class Entry(Card, frozen=True):
    """WE-039: damage modifier and Guard Value of one half at one level."""

    mod: Annotated[int, Meta(ge=-9, le=9)]
    guard: Annotated[int, Meta(ge=0, le=9)]


class Half(Card, frozen=True):
    """WE-037: the effects of one player's half of the Terrain."""

    ballistic: Entry
    charge: Entry


class TerrainCard(Card, frozen=True):
    """WE-037 to WE-044: a Terrain Card. WE-038 level and move, WE-040 range, WE-041 effects, WE-042 element."""

    code: str
    name: str
    level: Annotated[int, Meta(ge=1, le=3)]
    element: Element
    tactics_area: Area
    halves: tuple[Half, Half]
    move: Annotated[int, Meta(ge=1, le=9)]
    range: Annotated[int, Meta(ge=1, le=12)] | Literal["*"]
    combine: Literal["C", "CU", "U", "none"]
    symbol: Symbol | None = None
    secondary: bool = False
    height: int | None = None
    access: Annotated[tuple[Access, ...], Meta(max_length=2)] = ()
    effects: tuple[Effect, ...] = ()
    lowers: Lowers = "counter"


class Bonuses(Card, frozen=True):
    """WE-045: one row of a Combat Master's bonuses."""

    ml: Annotated[int, Meta(ge=0, le=6)] = 0
    mp: Annotated[int, Meta(ge=0, le=6)] = 0
    att: Annotated[int, Meta(ge=0, le=6)] = 0
    defence: Annotated[int, Meta(ge=0, le=6)] = field(default=0, name="def")
    dmg: Annotated[int, Meta(ge=0, le=6)] = 0


class CombatMaster(Card, frozen=True):
    """WE-045: a Combat Master."""

    code: str
    name: str
    faction: str
    mastery_level: Annotated[int, Meta(ge=1, le=6)]
    cost: Annotated[int, Meta(ge=1, le=15)]
    dv: Annotated[int, Meta(ge=1, le=30)]
    combat_tactics: Annotated[int, Meta(ge=0, le=6)]
    rows: Annotated[dict[Level, Bonuses], Meta(min_length=1)]
    lowers: Lowers = "counter"


class Proficiency(Card, frozen=True):
    """WE-047: a Tactics Proficiency; its MP Bonus is read by no rule (WE-Q56)."""

    ml: Annotated[int, Meta(ge=1, le=9)]
    mp_bonus: Annotated[int, Meta(ge=0, le=6)]


class BattleMaster(Card, frozen=True):
    """WE-047: a Battle Master."""

    code: str
    name: str
    faction: str
    mastery_level: Annotated[int, Meta(ge=1, le=9)]
    cost: Annotated[int, Meta(ge=1, le=15)]
    proficiencies: Annotated[dict[Area, Proficiency], Meta(min_length=1)]
    dv: Annotated[int, Meta(ge=1, le=30)]
    att: Annotated[int, Meta(ge=0, le=20)] = 0
    att_dmg: Annotated[int, Meta(ge=0, le=20)] = 0
    defence: Annotated[int, Meta(ge=0, le=20)] = field(default=0, name="def")
    def_dmg: Annotated[int, Meta(ge=0, le=20)] = 0
    move_cost: Annotated[int, Meta(ge=0, le=20)] = 0


class StandardBonus(Card, frozen=True):
    """WE-046, WE-Q32: one bonus of a Standard and the window in which it may be used."""

    op: Literal["mp", "own_damage", "def", "att", "ml"]
    amount: Annotated[int, Meta(ge=-9, le=9)]
    window: Window
    lowers: Lowers = "damage"


class Standard(Card, frozen=True):
    """WE-046: a Standard."""

    code: str
    title: str
    faction: str
    level: Annotated[int, Meta(ge=1, le=4)]
    cost: Annotated[int, Meta(ge=1, le=9)]
    res: Annotated[int, Meta(ge=0, le=4)] = 0
    bonuses: tuple[StandardBonus, ...] = ()


class Restriction(Card, frozen=True):
    """WE-147: the condition for picking a Stratagem."""

    kind: Literal["position_in", "has_type", "front_all_skirmish", "own_mp_at_most", "enemy_counterable_in_play"]
    args: tuple[str, ...] = ()


class StratagemEffect(Card, frozen=True):
    """WE-048, WE-061: one effect; `levels` limits it further, `filter` limits it to certain Chosen Troops."""

    op: Op
    side: Literal["own", "enemy"]
    amount: int = 0
    stat: Stat | None = None
    when: Literal["attacker", "defender", "draw", "always"] = "always"
    levels: tuple[Level, ...] = ()
    instant: bool = False
    filter: Literal["rate_of_fire", "type_a", "shielded"] | None = None
    lowers: Lowers = "damage"


class Stratagem(Card, frozen=True):
    """WE-048: a Stratagem. WE-184: `assign_to` names the card it is attached to; without that card it does nothing."""

    code: str
    name: str
    cost: Annotated[int, Meta(ge=0, le=9)] | Literal["*"]
    proficiency: Literal["battle", "combat"]
    levels: Annotated[tuple[Level, ...], Meta(min_length=1)]
    counterable: bool
    x: bool
    secondary: bool
    common: bool
    effects: Annotated[tuple[StratagemEffect, ...], Meta(min_length=1)]
    flags: tuple[Flag, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    assign_to: Literal["unit", "enemy_unit", "combat_master", "battle_master"] | None = None
    type: Literal["formation", "skirmish", "aerial"] | None = None

    @property
    def instant(self) -> bool:
        """WE-183: whether every effect is Instant, so that the card returns to its deck."""
        return all(effect.instant for effect in self.effects)


class Copies(Card, frozen=True):
    """So many cards of one code."""

    code: str
    copies: Annotated[int, Meta(ge=1, le=99)]


class UnitList(Card, frozen=True):
    """WE-052: a Unit in three columns, front first."""

    role: Literal["main", "support"]
    columns: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]

    @property
    def troops(self) -> tuple[str, ...]:
        """Every card, rank by rank, from the front."""
        ranks = max(map(len, self.columns))
        return tuple(column[rank] for rank in range(ranks) for column in self.columns if rank < len(column))


class Army(Card, frozen=True, tag="army", tag_field="is"):
    """WE-265: an army; one that is fielded has `units`."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    faction: str
    troops: tuple[Copies, ...]
    total: int
    combat_masters: tuple[str, ...] = ()
    battle_masters: tuple[str, ...] = ()
    standards: tuple[str, ...] = ()
    units: tuple[UnitList, ...] = ()


class CardSet(Card, frozen=True):
    """All cards of a game."""

    mastery: tuple[MasteryCard, ...]
    troops: tuple[TroopCard, ...]
    terrain: tuple[TerrainCard, ...]
    combat_masters: tuple[CombatMaster, ...]
    battle_masters: tuple[BattleMaster, ...]
    standards: tuple[Standard, ...]
    stratagems: tuple[Stratagem, ...]
    armies: tuple[Army, ...]


class CardIndex:
    """A card set by code."""

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards
        self.ends = {end.cv: end for card in cards.mastery for end in card.ends}
        self.mastery_of = {end.cv: card.card for card in cards.mastery for end in card.ends}
        self.troops = {card.code: card for card in cards.troops}
        self.terrain = {card.code: card for card in cards.terrain}
        self.combat_masters = {card.code: card for card in cards.combat_masters}
        self.battle_masters = {card.code: card for card in cards.battle_masters}
        self.standards = {card.code: card for card in cards.standards}
        self.stratagems = {card.code: card for card in cards.stratagems}
        self.armies = {army.name: army for army in cards.armies}

    def automatic(self) -> Iterator[Stratagem]:
        """WE-180: the Stratagems that are in every deck."""
        for card in self.stratagems.values():
            if card.effects[0].op in {"hold", "retreat", "counter"}:
                yield card


def read_file(name: str) -> bytes:
    """A shipped data file, by its name without ending."""
    return resources.files("domain.war_for_edadh").joinpath(f"data/{name}.json").read_bytes()


def _load() -> CardSet:
    return msgspec.convert({name: msgspec.json.decode(read_file(name)) for name in FILES}, CardSet)


SHIPPED: Final = _load()
SHIPPED_INDEX: Final = CardIndex(SHIPPED)
_made_index = once_of(CardIndex)


def index_of(cards: CardSet | None) -> CardIndex:
    """The index of a card set, made once; None is the shipped one."""
    return SHIPPED_INDEX if cards is None else _made_index(cards)
