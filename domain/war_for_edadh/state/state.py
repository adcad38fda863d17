"""The state of a match: the table, and the secrets of each seat."""

from typing import Final, Literal, NewType

from msgspec import Struct

from domain.kernel import Hidden, Parts, Seat, State
from domain.war_for_edadh.cards.cards import Army, Level, Stat
from domain.war_for_edadh.state.options import Options

TroopId = NewType("TroopId", str)
Column = tuple[TroopId, ...]
Columns = tuple[Column, Column, Column]
Codes = tuple[str, ...]
Position = Literal["range", "ballistic", "charge", "melee"]
Unit = Literal["main", "support"]
Bonus = Literal["mp", "ml", "att", "def", "dmg"]
Secondary = Literal["", "tcts", "mst"]
RowName = Literal["melee", "first_melee", "vs_mounts"]

_LEVELS: Final[dict[Position, Level]] = {
    "range": Level.BALLISTIC,
    "ballistic": Level.BALLISTIC,
    "charge": Level.CHARGE,
    "melee": Level.MELEE,
}
NO_COLUMNS: Final[Columns] = ((), (), ())
DRAW: Final = -1
BONUSES: Final[tuple[Bonus, ...]] = ("mp", "ml", "att", "def", "dmg")


class Troop(Struct, frozen=True):
    """A Troop Card on the table (WE-036)."""

    id: TroopId
    seat: Seat
    code: str
    flipped: bool = False


class InPlay(Struct, frozen=True):
    """A face-up Stratagem; `since` is the first Duration in which it works (WE-111, WE-Q41)."""

    code: str
    since: int


class Selection(Struct, frozen=True, tag="selection", tag_field="is"):
    """The Units of a combat: their numbers in the army (-1: no Support Unit), and the columns of the rear cards."""

    main: int
    support: int = -1
    main_rear: tuple[int, ...] = ()
    support_rear: tuple[int, ...] = ()


class Survivors(Struct, frozen=True):
    """The survivors of a Unit that has fought (WE-256, WE-Q74); those of a Support Unit are listed apart (WE-Q81)."""

    unit: int
    codes: Codes
    won: bool
    support_unit: int = -1
    support: Codes = ()


class Side(Struct, frozen=True):
    """One player: his Score Card, his Units and his masters. See WE-051 for the places.

    `spent` are the columns that have supplied a Chosen Troop in this Duration, `spent_support` those of the Support
    Unit. `loose` are cards that were combined (WE-162), `due_first` those that leave before the rest of their column
    (WE-201). `shown` are the Units that have been fielded, as they first were. `fresh`: the 1st Duration Melee Bonus
    may be used (WE-185, WE-187), `row_used`: the player has chosen to use it in this Duration. `res`: the amount a
    Standard takes off the count in this ED5 (WE-127).
    """

    army: Army | Hidden | None = None
    chosen: bool = False
    selection: Selection | Hidden | None = None
    deck: Codes | Hidden = ()
    deck_size: int = 0
    holding: Codes | Hidden = ()
    holding_count: int = 0
    in_play: tuple[InPlay, ...] = ()
    countered: Codes = ()
    faction: str = ""
    combat_master: str = ""
    master_flipped: bool = False
    master_lost: bool = False
    battle_master: str = ""
    battle_flipped: bool = False
    promoted: bool = False
    standards: Codes = ()
    standards_used: Codes = ()
    mp: int = 50
    dmg: int = 0
    shaken: bool = False
    routed: bool = False
    columns: Columns = NO_COLUMNS
    support: Columns = NO_COLUMNS
    pile: Column = ()
    instant: Column = ()
    master_in_pile: bool = False
    removed: Column = ()
    retired: Column = ()
    spent: tuple[int, ...] = ()
    spent_support: tuple[int, ...] = ()
    loose: Column = ()
    due_first: Column = ()
    combined: bool = False
    fresh: bool = False
    row_used: bool = False
    discard_from: Unit = "main"
    fielded: tuple[int, ...] = ()
    shown: tuple[tuple[int, Codes], ...] = ()
    survivors: tuple[Survivors, ...] = ()
    combats_won: int = 0
    res: int = 0


class Laid(Struct, frozen=True):
    """A Mastery Card as it lies: the upper end, and the Secondary Mastery Card next to it (WE-016)."""

    cv: int
    secondary: Secondary = ""


class Boost(Struct, frozen=True):
    """A change of one stat of a Chosen Troop for this round, with its rule and a word for the reason."""

    seat: Seat
    stat: Stat
    amount: int
    rule: str
    why: str


class RoundState(Struct, frozen=True):
    """The state of a round: cards, Chosen Troops, changes, damage so far (WE-Q15).

    `attacker` is a seat or `DRAW`; `leader` the seat that chooses first. `announced` and `used` are the Combat
    Masters' bonuses (WE-163). `damage` are both players' parts, before a negative sum becomes 0; `shielded` marks the
    seats that take no damage because they are out of range (WE-192).
    """

    number: int = 0
    laid: tuple[Laid | None, Laid | None] = (None, None)
    values: tuple[int, int] = (0, 0)
    attacker: int = DRAW
    leader: int = DRAW
    tie: tuple[int, int] = (0, 0)
    chosen: tuple[str, str] = ("", "")
    enemy_picked: tuple[bool, bool] = (False, False)
    helpers: Column = ()
    boosts: tuple[Boost, ...] = ()
    announced: tuple[str, str] = ("", "")
    used: tuple[str, str] = ("", "")
    guarded: bool = False
    damage: tuple[Parts, Parts] = ((), ())
    shielded: tuple[bool, bool] = (False, False)
    taken: tuple[int, int] = (0, 0)


class Under(Struct, frozen=True):
    """A Terrain Card combined with the top one; it counts for one player's half only (WE-232)."""

    code: str
    seat: Seat


class Ground(Struct, frozen=True):
    """The Terrain between the players; `turned` when seat 0 has the second half (WE-037, WE-237)."""

    code: str
    turned: bool = False
    under: tuple[Under, ...] = ()


class WarState(State, frozen=True, kw_only=True):
    """A match. `movement` is what a Stratagem ordered for ED11 (WE-Q45), `retreats` the seats that ordered a Retreat
    (WE-244), `sent_back` the number of the Duration that ended with one, 0 before (WE-Q82). `rounds`, `larger` and
    `helpers` are fixed when a Duration begins (WE-Q21). `fresh_again`: 1st Duration Melee Bonus rows may be used and
    need not be (WE-Q54); `rows` are the rows that Chosen Troops use in this round by choice (WE-Q85). `outcome` is the
    combat's winner (`DRAW` for none), None while it lasts.
    """

    options: Options
    sides: tuple[Side, Side] = (Side(), Side())
    troops: dict[TroopId, Troop] = {}
    combat: int = 0
    ground: Ground | None = None
    terrain_deck: Codes | Hidden = ()
    terrain_left: int = 0
    set_aside: Codes = ()
    barred: tuple[Codes, ...] = ()
    duration: int = 0
    position: Position = "range"
    rounds: int = 0
    larger: int = -1
    helpers: int = 0
    movement: Literal["", "hold", "retreat"] = ""
    retreats: tuple[bool, bool] = (False, False)
    sent_back: int = 0
    fresh_again: bool = False
    rows: tuple[RowName | Literal[""], RowName | Literal[""]] = ("", "")
    round: RoundState = RoundState()
    outcome: int | None = None
    reason: str = ""
    reason_rule: str = ""

    @property
    def level(self) -> Level:
        """WE-005, WE-191: the Combat Level of the position."""
        return _LEVELS[self.position]
