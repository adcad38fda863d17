"""Events of a match, each with its outcome: the board, player boards, decks, orders, units (ledger 0.6).

Names are stored for ever. Attacks have their events in `attack_events`.
"""

from typing import Annotated, Literal

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import TileName
from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.board.table import EdgeStanding, Furnishing
from domain.joan_of_arc.board.terrain import Element
from domain.joan_of_arc.cards.cards import Back, IntrigueSlot, Letter
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import Deck, Operation, Order, Resource
from domain.joan_of_arc.state.state import Codes, Grant, Mark, Phase, Plan, Unit, UnitId
from domain.kernel import HIDDEN, Event, Hidden, Nobody, Only, Seat

MoveKind = Literal[
    "move",
    "stride",
    "march",
    "haste",
    "jump",
    "charge",
    "follow_up",
    "push",
    "dodge",
    "breakthrough",
    "fire_set",
    "effect",
]


class BoardLaid(Event, frozen=True):
    """The board is built as map and sky say (JA-003, JA-016); nobody may know which sky tiles are put away (JA-403)."""

    sky: tuple[TileName, ...]
    lying: dict[AreaId, Furnishing]
    edges: dict[str, EdgeStanding]


class UnitsPlaced(Event, frozen=True):
    """Units stand on the board at set-up; units without an owner are neutral civilians (JA-010, JA-014)."""

    owner: Seat | None
    units: tuple[Unit, ...]


class RallyPointPlaced(Event, frozen=True):
    """A side's rally point token lies in an area (JA-010)."""

    side: str
    area: AreaId


class ResourcesTaken(Event, frozen=True):
    """A player took the resources of the set-up (JA-011, JA-015)."""

    seat: Seat
    xp: int
    legend: int
    intrigue: int
    reroll: bool
    stakes: int
    orders: OrdersHeld


class IntrigueCardTaken(Event, frozen=True):
    """A player holds an intrigue card; nobody else sees which (JA-012, JA-399)."""

    seat: Seat
    card: Annotated[str | Hidden, Only("seat")] = HIDDEN


class PileShuffled(Event, frozen=True):
    """A deck lies face down, its discards in it (JA-004 to JA-007, JA-013, JA-Q87)."""

    pile: str
    count: int
    cards: Annotated[Codes | Hidden, Nobody()] = HIDDEN


class LegendDrawn(Event, frozen=True):
    """A player draws legend cards; only the drawer sees them (JA-392)."""

    seat: Seat
    count: int
    cards: Annotated[Codes | Hidden, Only("seat")] = HIDDEN


class PhaseBegan(Event, frozen=True):
    """A phase of the round."""

    phase: Phase


class RoundBegan(Event, frozen=True):
    """A round begins (JA-034)."""

    round: int


class RoundCardFlipped(Event, frozen=True):
    """The top round card is turned up (JA-040)."""

    card: str


class OrdersGained(Event, frozen=True):
    """A player puts orders onto the player board."""

    seat: Seat
    order: Order
    count: int


class RiverCleared(Event, frozen=True):
    """Last round's river is discarded (JA-046)."""


class CouncilCardDrawn(Event, frozen=True):
    """A war council card is drawn into the river, or discarded because the river shows it already (JA-042, JA-043)."""

    card: str
    kept: bool


class WarCouncilChosen(Event, frozen=True):
    """A player takes the effect of a river card, which stays there (JA-044, JA-045)."""

    seat: Seat
    card: str


class ResourceGained(Event, frozen=True):
    """A player takes tokens from the common pool; VP are the side's."""

    seat: Seat
    resource: Resource
    count: int
    rule: str


class ResourceSpent(Event, frozen=True):
    """A player returns tokens to the common pool; VP are the side's."""

    seat: Seat
    resource: Resource
    count: int
    rule: str


class PointsScored(Event, frozen=True):
    """A side scores VP."""

    side: str
    points: int
    rule: str


class EffectSkipped(Event, frozen=True):
    """An effect asks for more than there is, so nothing of it happens (JA-161, JA-Q33, JA-Q87)."""

    seat: Seat
    effect: str
    rule: str


class IntrigueExchanged(Event, frozen=True):
    """A player swaps an intrigue token for another (JA-188)."""

    seat: Seat
    for_: Literal["xp", "legend"]


class LegendPlayed(Event, frozen=True):
    """JA-189: a player plays a legend card and pays for it; it lies on the table until it is resolved."""

    seat: Seat
    card: str
    cost: int


class LegendResolved(Event, frozen=True):
    """JA-190: a legend card that was played goes face up on the discards."""

    seat: Seat
    card: str


class LegendPassed(Event, frozen=True):
    """JA-Q82: a player plays no card at this moment; that tells nothing of the hand."""

    seat: Seat


class IntrigueTriggered(Event, frozen=True):
    """JA-193, JA-399: tokens lie on a slot of an intrigue card, whose effect everybody sees now."""

    seat: Seat
    slot: IntrigueSlot


class RerollTokenTaken(Event, frozen=True):
    """A player takes the reroll token (JA-198)."""

    seat: Seat
    rule: str


class RerollTokenUsed(Event, frozen=True):
    """A player discards the reroll token (JA-196)."""

    seat: Seat


class RallyPointMoved(Event, frozen=True):
    """A rally point token lies somewhere else (JA-234)."""

    side: str
    start: AreaId
    end: AreaId


class UpkeepPaid(Event, frozen=True):
    """A level 2 character is kept for 1 XP (JA-047)."""

    unit: UnitId


class CharacterReverted(Event, frozen=True):
    """A character shows its level 1 card again; its wounds stay (JA-049)."""

    unit: UnitId
    card: str


class CharacterUpgraded(Event, frozen=True):
    """A character shows a level 2 card (JA-182); `closed`: the side that it can never take now (JA-185)."""

    unit: UnitId
    card: str
    closed: str = ""


class TurnBegan(Event, frozen=True):
    """A player's turn begins (JA-035); units may do again the things that are allowed once a turn (JA-Q81)."""

    seat: Seat


class TurnEnded(Event, frozen=True):
    """A player plays no further order (JA-055)."""

    seat: Seat


class OrderPlayed(Event, frozen=True):
    """An order lies on an area (JA-052). `interrupt`: it was played in an opponent's turn (JA-068)."""

    seat: Seat
    order: Order
    area: AreaId
    interrupt: bool = False


class OrderDiscarded(Event, frozen=True):
    """JA-369, JA-370: a second order is paid for a gigantic creature."""

    seat: Seat
    order: Order


class OrderReturned(Event, frozen=True):
    """JA-074: an interrupt order returns from its area to the common pool at once."""

    order: Order
    area: AreaId


class OrdersReturned(Event, frozen=True):
    """JA-076: all orders on the board return to the common pool."""

    areas: tuple[AreaId, ...]


class OrdersReserved(Event, frozen=True):
    """JA-077, JA-079: the orders that a player keeps, and those that go to the pool for lack of room."""

    seat: Seat
    kept: OrdersHeld
    returned: OrdersHeld


class InterruptOffered(Event, frozen=True):
    """JA-071, JA-402: an opponent is asked, as everybody learns."""

    seat: Seat


class InterruptDeclined(Event, frozen=True):
    """JA-402: everybody learns that the answer was no."""

    seat: Seat


class UnitsActivated(Event, frozen=True):
    """Units of an area act, by an order or by the command of a `commander` (JA-057, JA-169)."""

    seat: Seat
    order: Order
    area: AreaId
    units: tuple[UnitId, ...]
    commander: UnitId = UnitId("")


class ActionDeclared(Event, frozen=True):
    """A unit's action was declared, before anything is resolved (JA-081)."""

    plan: Plan


class ActionResolved(Event, frozen=True):
    """Units have taken their action; the areas that it used up (JA-094, JA-104). `ends`: no bonus action follows it,
    for their activation ends with it (JA-303).
    """

    units: tuple[UnitId, ...]
    moved_to: AreaId = AreaId("")
    attacked: AreaId = AreaId("")
    ends: bool = False


class UnitWaited(Event, frozen=True):
    """A unit stays where it is (JA-089), or can no longer do what was declared (JA-090)."""

    unit: UnitId
    rule: str


class BonusTaken(Event, frozen=True):
    """JA-084, JA-085: a unit takes a bonus action, each kind once an activation."""

    unit: UnitId
    bonus: Literal["command", "discuss", "upgrade"]


class DiscussionStarted(Event, frozen=True):
    """JA-152: a character talks to a civilian."""

    seat: Seat
    unit: UnitId
    civilian: UnitId


class DiscussionCardDrawn(Event, frozen=True):
    """JA-155, JA-396: a discussion card is drawn; everybody sees its question side."""

    card: str
    level: int


class QuestionChosen(Event, frozen=True):
    """JA-156: a question is asked."""

    seat: Seat
    card: str
    letter: Letter


class CardHandedOver(Event, frozen=True):
    """JA-159, JA-397: the card goes to an opponent, who alone sees its answer side (JA-398), now that a question has
    been chosen.
    """

    reader: Seat
    card: str
    answers: Annotated[Back | Hidden, Only("reader")] = HIDDEN


class AnswerRevealed(Event, frozen=True):
    """JA-159, JA-398: an opponent reads the chosen answer out; the other answers stay unknown."""

    reader: Seat
    card: str
    letter: Letter
    answer: tuple[Operation, ...]


class DiscussionContinued(Event, frozen=True):
    """JA-162: a level 2 card follows."""


class DiscussionEnded(Event, frozen=True):
    """JA-163: the discussion is over."""

    unit: UnitId


class ActivationEnded(Event, frozen=True):
    """All units of the activation have acted (JA-056)."""


class UnitMarked(Event, frozen=True):
    """A unit has done what it may do once a turn, a round or a game."""

    unit: UnitId
    mark: Mark


class RoundMarksCleared(Event, frozen=True):
    """Units may do again the things that are allowed once a round."""


class SkillGranted(Event, frozen=True):
    """A unit has a skill for a time."""

    unit: UnitId
    grant: Grant


class GrantsEnded(Event, frozen=True):
    """Skills given for a time are gone."""

    until: Literal["end_of_attack", "end_of_turn"]


class UnitsMoved(Event, frozen=True):
    """Units have entered the areas of a path; they stand in its last (section I)."""

    units: tuple[UnitId, ...]
    path: tuple[AreaId, ...]
    kind: MoveKind


class PassengerTaken(Event, frozen=True):
    """JA-256: a carrier picks a unit up, at the start of a movement."""

    carrier: UnitId
    unit: UnitId


class PassengerSetDown(Event, frozen=True):
    """JA-257: a carrier's movement has ended in a ground area; the passenger stands there."""

    unit: UnitId


class RansomRefused(Event, frozen=True):
    """JA-348: a captive stays where it is."""

    unit: UnitId


class CivilianRecruited(Event, frozen=True):
    """JA-098: civilians belong to a player."""

    seat: Seat
    units: tuple[UnitId, ...]


class CivilianReleased(Event, frozen=True):
    """JA-099: civilians belong to nobody again."""

    units: tuple[UnitId, ...]


class BarricadeBuilt(Event, frozen=True):
    """JA-213: a barricade of a side stands in an area."""

    area: AreaId
    side: str


class BarricadeRemoved(Event, frozen=True):
    """JA-220, JA-239, JA-Q46: a barricade is gone."""

    area: AreaId
    rule: str


class StakesPlaced(Event, frozen=True):
    """JA-334, JA-Q70: stakes of a player's reserve stand on an edge."""

    seat: Seat
    side: str
    edge: str


class StakesRemoved(Event, frozen=True):
    """JA-333, JA-239: stakes are gone."""

    edge: str
    rule: str


class FirePlaced(Event, frozen=True):
    """JA-221: a fire token lies in an area; `seat` placed it."""

    seat: Seat
    area: AreaId


class FirePutOut(Event, frozen=True):
    """JA-222: a fire token is gone."""

    area: AreaId


class ElementsRemoved(Event, frozen=True):
    """Terrain elements are gone: burnt (JA-239), trampled (JA-381), or made way for a gigantic creature (JA-373)."""

    area: AreaId
    elements: tuple[Element, ...]
    rule: str


class BuildingDamaged(Event, frozen=True):
    """Damage tokens on the building of a ground area (JA-242, JA-388)."""

    area: AreaId
    count: int


class BuildingCollapsed(Event, frozen=True):
    """JA-323: the building of a ground area is rubble; fire tokens there and inside are gone (JA-243)."""

    area: AreaId


class BuildingRemoved(Event, frozen=True):
    """JA-381, JA-Q53: an empty building of size 1 is gone."""

    area: AreaId


class UnitWounded(Event, frozen=True):
    """A unit has this many wounds now."""

    unit: UnitId
    wounds: int


class UnitHealed(Event, frozen=True):
    """A unit has this many wounds now, fewer than before."""

    unit: UnitId
    wounds: int


class UnitDisrupted(Event, frozen=True):
    """A unit lies in the disrupted section of the infirmary; `by`: the seat that sent it there (JA-135, JA-142)."""

    unit: UnitId
    wounds: int
    by: Seat | None


class UnitDestroyed(Event, frozen=True):
    """A unit is in the graveyard (JA-133); `by`: the hostile seat that did it, if any."""

    unit: UnitId
    by: Seat | None
    rule: str


class EquipmentGained(Event, frozen=True):
    """JA-177: the top card of an equipment deck is on a character (JA-395)."""

    unit: UnitId
    deck: Deck
    card: str


class EquipmentDiscarded(Event, frozen=True):
    """JA-179, JA-181: a character lays an equipment card down; it goes onto the discards of its deck."""

    unit: UnitId
    deck: Deck
    card: str


class EquipmentHanded(Event, frozen=True):
    """JA-179: a character gives an equipment card to another in its area."""

    unit: UnitId
    to: UnitId
    card: str


class UnitRemoved(Event, frozen=True):
    """JA-163: a civilian leaves the game."""

    unit: UnitId


class CharacterCaptured(Event, frozen=True):
    """JA-347: a character lies on an opponent's player board."""

    unit: UnitId
    captor: Seat


class CharacterRansomed(Event, frozen=True):
    """JA-348, JA-349: a captive is paid for and waits in its owner's infirmary."""

    unit: UnitId
    price: int


class UnitCalled(Event, frozen=True):
    """JA-225: the unit for which the doom die is about to be rolled is named."""

    seat: Seat
    unit: UnitId


class DoomRolled(Event, frozen=True):
    """JA-225: the face of the doom die for a unit."""

    unit: UnitId
    face: Face


class UnitRallied(Event, frozen=True):
    """JA-228, JA-232: a unit stands on the board again."""

    unit: UnitId
    area: AreaId
    wounds: int


class UnitWaiting(Event, frozen=True):
    """JA-229, JA-231: a unit lies in the waiting section."""

    unit: UnitId


class RoundEnded(Event, frozen=True):
    """JA-034: the round is over."""

    round: int
