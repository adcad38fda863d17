"""The events of War for Edaðh, with their outcomes. Names are stored for ever.

Secret fields name their audience: the owner's seat, or nobody (the order of the Terrain deck); a spectator holds none
(WE-287).
"""

from typing import Annotated, Literal

from domain.kernel import HIDDEN, Event, Hidden, Nobody, Only, Parts, Seat
from domain.war_for_edadh.cards.cards import Army
from domain.war_for_edadh.state.state import (
    NO_COLUMNS,
    Boost,
    Codes,
    Column,
    Columns,
    InPlay,
    Laid,
    Position,
    RowName,
    Selection,
    Survivors,
    Troop,
    TroopId,
    Unit,
)

Pair = tuple[int, int]


class ArmyChosen(Event, frozen=True):
    """A player has chosen an army, known to that player only (WE-265, WE-283)."""

    seat: Seat
    army: Annotated[Army | Hidden, Only()] = HIDDEN


class DeckChosen(Event, frozen=True):
    """A Stratagem Deck lies ready (WE-181); its size is public (WE-Q43)."""

    seat: Seat
    size: int
    deck: Annotated[Codes | Hidden, Only()] = HIDDEN


class CombatBegun(Event, frozen=True):
    """A combat of the game begins, the first, second or third (WE-255)."""

    number: int


class TerrainShuffled(Event, frozen=True):
    """All Terrain Cards lie shuffled and cut (WE-251)."""

    size: int
    deck: Annotated[Codes | Hidden, Nobody()] = HIDDEN


class TerrainLaid(Event, frozen=True):
    """A Terrain Card lies between the players (WE-054, WE-251); `drawn` from the deck. `turned`: WE-037."""

    code: str
    turned: bool
    drawn: bool = True


class TerrainCut(Event, frozen=True):
    """A player cut again and turned this card up (WE-253)."""

    seat: Seat
    code: str


class TerrainSetAside(Event, frozen=True):
    """A Terrain Card is not used: vetoed (WE-252), not combined (WE-253), Hills (WE-261) or barring Units (WE-Q80)."""

    code: str
    rule: str
    seat: Seat | None = None
    barring: Codes = ()


class TerrainCombined(Event, frozen=True):
    """A Terrain Card lies under the other on one player's half (WE-232)."""

    seat: Seat
    code: str
    half: Seat


class TerrainTurned(Event, frozen=True):
    """The Hills are turned round; combined cards change their half (WE-258)."""

    turned: bool
    halves: tuple[Seat, ...] = ()


class UnitSelected(Event, frozen=True):
    """A player selected the Units of this combat (WE-254)."""

    seat: Seat
    selection: Annotated[Selection | Hidden, Only()] = HIDDEN


class UnitDeployed(Event, frozen=True):
    """A player's Units stand on the table with their masters and Standards behind them (WE-052, WE-254, WE-264)."""

    seat: Seat
    faction: str
    units: tuple[int, ...]
    troops: tuple[Troop, ...]
    columns: Columns
    support: Columns = NO_COLUMNS
    combat_master: str = ""
    battle_master: str = ""
    standards: Codes = ()
    shown: tuple[tuple[int, Codes], ...] = ()


class StratagemsPicked(Event, frozen=True):
    """A player picked Stratagems: face-up ones by name (WE-149, WE-281), face-down ones by number (WE-148)."""

    seat: Seat
    in_play: tuple[InPlay, ...]
    face_up: Codes
    face_down: int
    deck_size: int
    holding: Annotated[Codes | Hidden, Only()] = HIDDEN
    deck: Annotated[Codes | Hidden, Only()] = HIDDEN


class DurationBegun(Event, frozen=True):
    """A Duration begins with fixed rounds (WE-Q21); WE-158, WE-159: the side that may combine, and its helpers."""

    number: int
    rounds: int
    larger: int = -1
    helpers: int = 0


class BonusRowsReady(Event, frozen=True):
    """Both Units have come from Charge: 1st Duration Melee Bonus rows may be used (WE-185)."""


class RoundBegun(Event, frozen=True):
    """Both players lay their cards (WE-062)."""

    number: int


class CardLaid(Event, frozen=True):
    """A player's Mastery Card is turned up, and the Secondary one if he laid it (WE-062, WE-063)."""

    seat: Seat
    laid: Laid


class CardsCompared(Event, frozen=True):
    """Both effective values, and the seat of the Attacker, -1 for a draw (WE-068, WE-069)."""

    values: Pair
    attacker: int


class MpChanged(Event, frozen=True):
    """An MP Counter moved, and why; it has no limit either way (WE-050, WE-Q16)."""

    seat: Seat
    mp: int
    parts: Parts


class DmgChanged(Event, frozen=True):
    """A Dmg Counter moved outside a round's damage, and why (WE-116)."""

    seat: Seat
    dmg: int
    parts: Parts


class BattleMasterPromoted(Event, frozen=True):
    """The Battle Master stands over his Holding cards (WE-067)."""

    seat: Seat


class BattleMasterFlipped(Event, frozen=True):
    """Tactics failed: the Battle Master is flipped until ED8 (WE-067)."""

    seat: Seat


class TieCardLaid(Event, frozen=True):
    """A card laid only to break a tie is turned up (WE-077, WE-175)."""

    seat: Seat
    cv: int


class TieCompared(Event, frozen=True):
    """The effective values of the tie-break cards, and the winner's seat, -1 for another tie (WE-Q03)."""

    values: Pair
    winner: int


class TieDrawn(Event, frozen=True):
    """After five ties the die decides (WE-Q03)."""

    winner: Seat


class FirstChooserFixed(Event, frozen=True):
    """The seat that chooses a Troop first is fixed (WE-073 to WE-077)."""

    seat: Seat
    rule: str


class TroopChosen(Event, frozen=True):
    """A Chosen Troop is named (WE-072); `by` the opponent where a bow picked it (WE-218)."""

    seat: Seat
    troop: TroopId
    unit: Unit
    column: int
    rank: int
    by: Seat


class BowColumnNamed(Event, frozen=True):
    """The opponent of a bow names one of his columns (WE-218)."""

    seat: Seat
    column: int


class TroopCombined(Event, frozen=True):
    """A helper changes one stat of the Chosen Troop by its Mastery Level (WE-160)."""

    seat: Seat
    helper: TroopId
    unit: Unit
    boost: Boost


class RowUsed(Event, frozen=True):
    """Which row of stats the player's Chosen Troop uses in this round, if there was a choice (WE-Q85)."""

    seat: Seat
    row: RowName


class BonusAnnounced(Event, frozen=True):
    """The first picker says which bonus his Combat Master will give (WE-173, WE-174)."""

    seat: Seat
    bonus: str


class BonusApplied(Event, frozen=True):
    """A Combat Master's bonus counts (WE-164 to WE-169); `boost` where it changes a stat."""

    seat: Seat
    bonus: str
    amount: int
    boost: Boost | None = None


class BonusLost(Event, frozen=True):
    """An announced bonus can no longer apply (WE-Q61)."""

    seat: Seat
    bonus: str


class StandardFlipped(Event, frozen=True):
    """A Standard is used up for a bonus (WE-177)."""

    seat: Seat
    standard: str
    use: str
    amount: int
    boost: Boost | None = None


class ResShown(Event, frozen=True):
    """The sealed answers of ED5: the Standard a player flips for its Res (WE-127), or that he flips none."""

    seat: Seat
    standard: str = ""
    res: int = 0


class GuardTested(Event, frozen=True):
    """There was a guard chance: the comparisons, and whether the Defender guarded (WE-080 to WE-084).

    `out_of_range`: the guarding player takes no damage at all (WE-192).
    """

    seat: Seat
    guarded: bool
    ways: Parts = ()
    out_of_range: bool = False


class BlowResolved(Event, frozen=True):
    """An attack against one Defender (WE-087 to WE-092): att against def, the MP he loses, the damage he takes."""

    seat: Seat
    rule: str
    att: int
    defence: int
    out_of_range: bool = False
    parts: Parts = ()


class DamageAdded(Event, frozen=True):
    """Damage of the round that is added to or taken from a player's (WE-094 to WE-097, WE-207)."""

    seat: Seat
    parts: Parts


class DamageTaken(Event, frozen=True):
    """The round moves the Dmg Counter (WE-098), by less than 0 where the counter itself was lowered (WE-Q15)."""

    seat: Seat
    damage: int
    dmg: int
    parts: Parts


class TroopsFlipped(Event, frozen=True):
    """These Troop Cards are used up for this Duration (WE-086)."""

    troops: Column


class TroopInstantDiscarded(Event, frozen=True):
    """More damage than the Troop's DV: it leaves at once (WE-099)."""

    seat: Seat
    troop: TroopId
    damage: int
    dv: int
    columns: Columns
    support: Columns = NO_COLUMNS


class MasterInstantDiscarded(Event, frozen=True):
    """The Combat Master is discarded instead of the Troop (WE-101)."""

    seat: Seat
    damage: int
    dv: int


class GapFilled(Event, frozen=True):
    """A card of a neighbouring column moved into the gap (WE-103)."""

    seat: Seat
    troop: TroopId
    columns: Columns
    support: Columns = NO_COLUMNS


class MasterFlipped(Event, frozen=True):
    """A Combat Master was used in this Duration (WE-172)."""

    seat: Seat


class RoundSkipped(Event, frozen=True):
    """A side has nothing left that can be chosen: the Duration ends early (WE-Q21)."""

    number: int


class RoundEnded(Event, frozen=True):
    """Both players take their cards back (WE-105)."""

    number: int


class StratagemsEntered(Event, frozen=True):
    """ED1: the cards under a Promoted Battle Master come into play (WE-108)."""

    seat: Seat
    codes: Codes
    in_play: tuple[InPlay, ...]


class HoldingReturned(Event, frozen=True):
    """ED1: Holding cards go back to the deck unseen (WE-109)."""

    seat: Seat
    count: int
    deck_size: int
    deck: Annotated[Codes | Hidden, Only()] = HIDDEN


class MovementOrdered(Event, frozen=True):
    """ED1: Hold or Retreat works in ED11 (WE-Q45)."""

    seat: Seat
    movement: Literal["hold", "retreat"]


class StratagemCountered(Event, frozen=True):
    """A Stratagem leaves the game (WE-112); `seat` is its owner."""

    seat: Seat
    code: str
    in_play: tuple[InPlay, ...]


class StratagemReturned(Event, frozen=True):
    """A card with only Instant effects goes back to its deck (WE-183)."""

    seat: Seat
    code: str
    in_play: tuple[InPlay, ...]
    deck_size: int
    deck: Annotated[Codes | Hidden, Only()] = HIDDEN


class DiscardUnitNamed(Event, frozen=True):
    """The opponent says which Unit the player Discards from (WE-241); `seat` is the player who Discards."""

    seat: Seat
    unit: Unit


class TroopDiscarded(Event, frozen=True):
    """ED4: a Troop is Discarded, the Dmg Counter falls by its DV (WE-119)."""

    seat: Seat
    troop: TroopId
    dmg: int
    columns: Columns
    support: Columns = NO_COLUMNS


class TroopRetired(Event, frozen=True):
    """ED4: a Troop is Retired, the MP Counter rises by its Psy (WE-122)."""

    seat: Seat
    troop: TroopId
    mp: int
    columns: Columns
    support: Columns = NO_COLUMNS


class BonusRowsTested(Event, frozen=True):
    """By seat, whether it may go on using 1st Duration Melee Bonus rows (WE-187)."""

    fresh: tuple[bool, bool]


class SupportTakesOver(Event, frozen=True):
    """The Main Unit has no cards left: the Support Unit takes its place (WE-Q63)."""

    seat: Seat


class PilesCounted(Event, frozen=True):
    """ED5: both Discard Piles, less what Standards take off (WE-126, WE-127)."""

    counts: Pair
    adjusted: Pair
    shaken: tuple[bool, bool]
    routed: tuple[bool, bool]


class PilesRemoved(Event, frozen=True):
    """ED6: the cards in both Discard Piles leave the game (WE-137)."""


class CardsTurnedUp(Event, frozen=True):
    """ED8: all flipped Troops and masters are turned face up (WE-151)."""


class TroopsSwapped(Event, frozen=True):
    """ED9: two cards of a column changed places (WE-152)."""

    seat: Seat
    first: TroopId
    second: TroopId
    columns: Columns
    support: Columns = NO_COLUMNS


class SupportAdded(Event, frozen=True):
    """ED10: a card of the Support Unit stands behind the Main Unit (WE-243)."""

    seat: Seat
    troop: TroopId
    columns: Columns
    support: Columns = NO_COLUMNS


class UnitsSwitched(Event, frozen=True):
    """ED10: Main and Support Unit change places after a Retreat (WE-244)."""

    seat: Seat


class UnitsMoved(Event, frozen=True):
    """ED11: both Units stand at this Combat Level (WE-060, WE-155)."""

    position: Position
    rule: str


class CombatEnded(Event, frozen=True):
    """A combat is won, or drawn (-1)."""

    winner: int
    reason: str
    rule: str


class SurvivorsSetAside(Event, frozen=True):
    """The survivors of a Unit are kept apart for a third combat (WE-256)."""

    seat: Seat
    survivors: Survivors
    combats_won: int
    deck_size: int
    deck: Annotated[Codes | Hidden, Only()] = HIDDEN
