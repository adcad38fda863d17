"""The events of Vera Discordia, with their outcomes. Names are stored for ever.

Secret fields name their audience: the owner's seat, or nobody (the order of a deck, Terrain nobody has looked at).
"""

from typing import Annotated

from domain.kernel import HIDDEN, Event, Hidden, Nobody, Only, Part, Seat
from domain.vera_discordia.cards.cards import Ability, CardKey, OrderType, Rank, Terrain
from domain.vera_discordia.state.state import AttackKind, Column, Phase, Space, Strike, UnitId

Orders = tuple[OrderType, ...]
Cards = tuple[CardKey, ...]


class GeneralChosen(Event, frozen=True):
    """A player commands this General and his faction (VD-094)."""

    seat: Seat
    general: str
    faction: str


class OrderDeckShuffled(Event, frozen=True):
    """An order deck lies ready, its pile empty (VD-098, VD-099); `reshuffled` when it was made of the pile (VD-140)."""

    seat: Seat
    size: int
    reshuffled: bool = False
    deck: Annotated[Orders | Hidden, Nobody()] = HIDDEN
    pile: Annotated[Orders | Hidden, Nobody()] = HIDDEN


class ArmyDealt(Event, frozen=True):
    """A player received Units (VD-101); `mustered` are those that belong to the army before the deal (VD-K02)."""

    seat: Seat
    count: int
    cards: Annotated[Cards | Hidden, Only()] = HIDDEN
    mustered: Annotated[Cards | Hidden, Only()] = HIDDEN
    rest: Annotated[Cards | Hidden, Nobody()] = HIDDEN


class RankExchanged(Event, frozen=True):
    """A player gave back and redrew the Units of one rank (VD-106)."""

    seat: Seat
    rank: Rank
    cards: Annotated[Cards | Hidden, Only()] = HIDDEN
    rest: Annotated[Cards | Hidden, Nobody()] = HIDDEN


class ExchangeDeclined(Event, frozen=True):
    """A player keeps the Units dealt (VD-105)."""

    seat: Seat


class ArmyCounted(Event, frozen=True):
    """Vision and Stealth of an army are announced (VD-107, VD-370), and how many of its Units will be Closed."""

    seat: Seat
    vision: int
    stealth: int
    closed: int


class InitiativeTaken(Event, frozen=True):
    """A player holds the Initiative marker; `totals` are both players' rolls with their additions (VD-133)."""

    seat: Seat
    rule: str
    totals: tuple[int, ...] = ()


class ArmyShown(Event, frozen=True):
    """A player shows the Open Units; the others are Closed (VD-114)."""

    seat: Seat
    open: Cards
    closed_count: int
    closed: Annotated[Cards | Hidden, Only()] = HIDDEN


class TerrainLaid(Event, frozen=True):
    """Four Terrain cards lie face down, one per column (VD-115)."""

    terrain: Annotated[tuple[Terrain, ...] | Hidden, Nobody()] = HIDDEN


class TerrainExamined(Event, frozen=True):
    """A player looked at the Terrain of a column (VD-116, VD-118)."""

    seat: Seat
    column: Column
    terrain: Annotated[Terrain | Hidden, Only()] = HIDDEN


class ExaminationEnded(Event, frozen=True):
    """A player looks at no more Terrain."""

    seat: Seat


class UnitDeployed(Event, frozen=True):
    """A Unit stands on the field (VD-122), with the General for all to see (VD-388).

    `open_card` when it is Open. `covert` are the Closed Units still to come.
    """

    seat: Seat
    unit: UnitId
    space: Space
    general: bool = False
    open_card: CardKey | None = None
    open_life: int | None = None
    card: Annotated[CardKey | Hidden, Only()] = HIDDEN
    life: Annotated[int | Hidden, Only()] = HIDDEN
    covert: Annotated[Cards | Hidden, Only()] = HIDDEN


class TerrainRevealed(Event, frozen=True):
    """All four Terrain cards are turned up (VD-120)."""

    terrain: tuple[Terrain, ...]


class PhaseBegan(Event, frozen=True):
    """A set-up step or a phase of a round begins (VD-131)."""

    phase: Phase
    round: int = 0


class UnitWentWild(Event, frozen=True):
    """A begin-of-round roll took effect: the Unit is Chaotic (VD-315) or Enraged (VD-347)."""

    unit: UnitId
    ability: Ability


class UnitTookOrder(Event, frozen=True):
    """The top card of the owner's deck lies face down on a Unit: Autonomy (VD-311), `reissue` (VD-K14)."""

    seat: Seat
    unit: UnitId
    rule: str
    order: Annotated[OrderType | Hidden, Only()] = HIDDEN


class UnitsRolled(Event, frozen=True):
    """Phase 0 is over: every Unit with a begin-of-round ability has rolled; `hurt` are those that were damaged."""

    hurt: tuple[UnitId, ...] = ()


class LifeRegained(Event, frozen=True):
    """A Unit regained life; `marker` is what the opponent sees of a Closed Unit (None: undamaged, VD-365)."""

    unit: UnitId
    seat: Seat
    rule: str
    gained: int
    marker: int | None = None
    life: Annotated[int | Hidden, Only()] = HIDDEN


class AbilityShown(Event, frozen=True):
    """A Closed Unit had to name an ability (VD-054); it stays Closed."""

    unit: UnitId
    ability: Ability


class CardsDrawn(Event, frozen=True):
    """A player drew order cards (VD-137); `hand` is the whole hand afterwards."""

    seat: Seat
    count: int
    hand_size: int
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class OrdersIssued(Event, frozen=True):
    """A player's orders lie face down on the Units (VD-141), for the owner to look at (VD-083).

    `hand` holds the remaining cards.
    """

    seat: Seat
    units: tuple[UnitId, ...]
    hand_size: int
    orders: Annotated[Orders | Hidden, Only()] = HIDDEN
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class LeftoverDiscarded(Event, frozen=True):
    """The order left over because of a Chaotic Unit was discarded (VD-316)."""

    seat: Seat
    order: OrderType
    hand_size: int
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class OrderTakenBack(Event, frozen=True):
    """A player took an order back into the hand in Phase 4 (VD-146, VD-150)."""

    seat: Seat
    unit: UnitId
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class KeepingEnded(Event, frozen=True):
    """A player takes no (further) order back (VD-Q23)."""

    seat: Seat


class TurnBegan(Event, frozen=True):
    """A player's turn of the Resolution phase begins (VD-151)."""

    seat: Seat


class CardExchanged(Event, frozen=True):
    """Link: a card from the hand and the face-down order of a Unit changed places (VD-332)."""

    seat: Seat
    unit: UnitId
    order: Annotated[OrderType | Hidden, Only()] = HIDDEN
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class OrdersExchanged(Event, frozen=True):
    """Link: two Units exchanged their face-down orders (VD-333)."""

    seat: Seat
    first: UnitId
    second: UnitId


class OrderReclaimed(Event, frozen=True):
    """Link: a Unit gave its face-down order back to the empty hand (VD-334)."""

    seat: Seat
    unit: UnitId
    hand: Annotated[Orders | Hidden, Only()] = HIDDEN


class OrderTurnedUp(Event, frozen=True):
    """A Unit executes its order (VD-076): the card lies face up for both (VD-378). `by_counter`: in a Counterattack."""

    unit: UnitId
    order: OrderType
    by_counter: bool = False


class TacticDeclared(Event, frozen=True):
    """The owner of a Tactic named its type for the round (VD-070), in public (VD-389)."""

    seat: Seat
    type: OrderType


class OrderDiscarded(Event, frozen=True):
    """An order left a Unit for the top of its owner's discard pile (VD-072); a `virtual` one disappears (VD-Q26)."""

    unit: UnitId
    seat: Seat
    order: OrderType
    rule: str
    virtual: bool = False


class OrderExamined(Event, frozen=True):
    """A face-down order was shown to both players and turned down again (VD-074)."""

    unit: UnitId
    order: OrderType
    rule: str


class OrderConverted(Event, frozen=True):
    """Rage turned an order into an Attack or a Maneuver (VD-348)."""

    unit: UnitId
    to: OrderType


class PlayerGrounded(Event, frozen=True):
    """A player executed an order that was not an Aerial Attack (VD-253): no more Aerial Attacks this round."""

    seat: Seat


class UnitCharged(Event, frozen=True):
    """Charge: a face-down Attack order, for a Direct Attack or a Counterattack only (VD-319, VD-321)."""

    unit: UnitId
    seat: Seat
    virtual: bool = False
    pile: Annotated[Orders | Hidden, Nobody()] = HIDDEN
    top: OrderType | None = None


class ManeuverPassed(Event, frozen=True):
    """A Unit used its Maneuver to do nothing (VD-163), or its Castling failed (VD-172)."""

    unit: UnitId
    failed: bool = False


class UnitMoved(Event, frozen=True):
    """A Unit stands on another space of its side."""

    unit: UnitId
    to: Space
    rule: str


class UnitsSwapped(Event, frozen=True):
    """Two Units of one side exchanged their spaces."""

    first: UnitId
    second: UnitId
    rule: str


class TerrainCaptured(Event, frozen=True):
    """A Unit holds the Terrain of its column (VD-175)."""

    unit: UnitId
    column: Column


class CaptureLost(Event, frozen=True):
    """A Unit no longer holds Terrain (VD-180 to VD-183)."""

    unit: UnitId
    rule: str


class AttackFailed(Event, frozen=True):
    """An Attack order found no possible attack (VD-189)."""

    unit: UnitId


class AttackDeclared(Event, frozen=True):
    """A Unit attacks (VD-186): type, target and the column whose Terrain counts."""

    attacker: UnitId
    target: UnitId
    kind: AttackKind
    column: Column
    opening: bool = False
    closed_attacker: bool = False
    closed_target: bool = False
    strike: Strike = Strike()


class SupportsCommitted(Event, frozen=True):
    """Supports were spent for the Attack or the Counterattack (VD-202)."""

    units: tuple[UnitId, ...]
    counter: bool = False


class UnitOpened(Event, frozen=True):
    """A Closed Unit is turned face up (VD-045); `rule` says what opened it (VD-050, VD-051 or VD-052)."""

    unit: UnitId
    card: CardKey
    life: int
    rule: str


class UnitTransformed(Event, frozen=True):
    """Metamorphosis: the Unit is now a copy of the enemy Unit, with its full life (VD-337, VD-339)."""

    unit: UnitId
    card: CardKey
    life: int


class ChrysalisMet(Event, frozen=True):
    """Two unchanged Chrysalis fight: neither changes and no damage is dealt (VD-342)."""

    attacker: UnitId
    target: UnitId


class MoraleChecked(Event, frozen=True):
    """A Morale Check was passed or failed (VD-035); `natural` is the die, None where no die was needed (VD-040)."""

    unit: UnitId
    rule: str
    passed: bool
    natural: int | None = None
    parts: tuple[Part, ...] = ()


class RanksClosed(Event, frozen=True):
    """The target Closed Ranks (VD-212)."""

    unit: UnitId


class HitsCounted(Event, frozen=True):
    """The hits of a roll (VD-022): indices of the dice that hit."""

    unit: UnitId
    target: UnitId
    hits: tuple[int, ...]


class UnitDamaged(Event, frozen=True):
    """A Unit lost life (VD-026); `life` is the life left, 0 at least."""

    unit: UnitId
    lost: int
    life: int


class UnitDestroyed(Event, frozen=True):
    """A Unit left the field (VD-030), an Opening remains; `cost` is the Motivation lost, `motivation` the rest."""

    unit: UnitId
    seat: Seat
    rule: str
    cost: int
    motivation: int
    by: UnitId | None = None


class MotivationLost(Event, frozen=True):
    """Motivation lost for another reason than destruction (VD-345)."""

    seat: Seat
    unit: UnitId
    rule: str
    cost: int
    motivation: int


class Disrupted(Event, frozen=True):
    """An Interception caused Disruptions (VD-266); `total` so far in this attack."""

    unit: UnitId
    count: int
    total: int


class CounterattackDeclared(Event, frozen=True):
    """The target strikes back (VD-227): with its order, by Riposte, by Chaos or by Rage."""

    unit: UnitId
    rule: str
    strike: Strike = Strike()


class CounterattackRefused(Event, frozen=True):
    """The target does not strike back (VD-233, VD-355)."""

    unit: UnitId
    rule: str


class AttackEnded(Event, frozen=True):
    """The attack is over; `rule` says why when it was broken off."""

    rule: str = ""
    landed: bool = True


class StrategyUsed(Event, frozen=True):
    """A General's Strategy is used (VD-064, VD-065).

    `unit` executes the Tactic, `spent` for the game; `deferred`: its effect waits until the attack is over (6.4, 2).
    """

    seat: Seat
    general: str
    unit: UnitId | None = None
    spent: bool = False
    deferred: bool = False


class StrategyResumed(Event, frozen=True):
    """The attack is over; a Strategy used in a Counterattack now takes effect (6.4, 2)."""

    seat: Seat


class MoraleRaised(Event, frozen=True):
    """Units of the player have a bonus on Morale Checks until the end of the round (VD-K09)."""

    seat: Seat
    bonus: int
    units: tuple[UnitId, ...]


class RoundEnded(Event, frozen=True):
    """A round is over (VD-156)."""

    round: int
