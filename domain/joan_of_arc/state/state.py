"""The state: units, the board's furnishings, player boards, decks, orders, and the progress of an order.

Everything is public (JA-400) except values that are `Hidden` in a seat's state: the order of piles, hands of legend
cards, and the intrigue card that a player holds (section AB, JA-Q76).
"""

from typing import Final, Literal

from msgspec import Struct

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.maps import TileName
from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.board.table import EdgeStanding, Furnishing
from domain.joan_of_arc.cards.cards import Back, IntrigueSlot
from domain.joan_of_arc.cards.hooks import Order, Skill
from domain.joan_of_arc.state.attack_state import Attack, Fighter
from domain.joan_of_arc.state.options import Options
from domain.kernel import Hidden, Seat, State

UnitId = Fighter
"""The id of a unit, as attacks know it too."""
Codes = tuple[str, ...]
Spot = Literal["board", "disrupted", "waiting", "graveyard", "captive", "removed"]
"""The place of a unit: on the board, in the infirmary, dead, captured (JA-347), or out of the game (JA-163)."""
Phase = Literal["setup", "council", "orders", "reserve", "camp"]
Mark = Literal["discussed", "changed_level", "moved_machine", "hired", "trampled", "took_token"]
"""An action that a unit has used and may use once a turn, a round or a game (`TURN_MARKS`, `ROUND_MARKS`)."""
TURN_MARKS: Final = frozenset[Mark]({"discussed", "changed_level", "moved_machine", "hired"})
ROUND_MARKS: Final = frozenset[Mark]({"trampled"})

NOWHERE: Final = AreaId("")
NO_UNIT: Final = UnitId("")


class Grant(Struct, frozen=True):
    """A skill that a unit has for a time; `x` as on a card, 1 for a skill without one."""

    skill: Skill
    x: int
    until: Literal["end_of_attack", "end_of_turn"]


class Unit(Struct, frozen=True, omit_defaults=True):
    """A unit by its id, which it keeps when its level changes. `card` is the card that it shows.

    `owner`: the seat whose unit it is, None for a neutral civilian. `area`: its place while `spot` is the board; of a
    gigantic creature the first area of its hex. `carrier`: the unit that carries it (JA-256). `sent_by`: the seat that
    sent it to the infirmary (JA-142). `captor`: the seat that holds it captive. `closed`: the side of its level 2 card
    that it may not take any more (JA-185). `tokens`: the reward for a discussion with it (JA-154), 1 where nothing is
    listed.
    """

    id: UnitId
    card: str
    owner: Seat | None
    area: AreaId = NOWHERE
    spot: Spot = "board"
    wounds: int = 0
    carrier: UnitId = NO_UNIT
    sent_by: Seat | None = None
    captor: Seat | None = None
    equipment: Codes = ()
    marks: tuple[Mark, ...] = ()
    grants: tuple[Grant, ...] = ()
    closed: str = ""
    tokens: int = 1


class Field(Struct, frozen=True):
    """The changing part of the board: units by id, the contents of areas and of edges (`border_name`).

    `fires`: the seat that placed each fire token (JA-Q45). One object, so that values derived from it are kept with it.
    """

    units: dict[UnitId, Unit] = {}
    lying: dict[AreaId, Furnishing] = {}
    edges: dict[str, EdgeStanding] = {}
    fires: dict[AreaId, Seat] = {}


class PlayerBoard(Struct, frozen=True):
    """One player's tokens, orders and cards. `hand` are legend cards, `hand_size` their public number (JA-392).

    `intrigue_card` is the holder's secret (JA-399), `holds_intrigue` is public; `slots` were triggered (JA-194).
    """

    xp: int = 0
    legend: int = 0
    intrigue: int = 0
    reroll: bool = False
    stakes: int = 0
    orders: OrdersHeld = OrdersHeld()
    hand: Codes | Hidden = ()
    hand_size: int = 0
    intrigue_card: str | Hidden = ""
    holds_intrigue: bool = False
    slots: tuple[IntrigueSlot, ...] = ()


class Pile(Struct, frozen=True):
    """A deck face down, its first card on top (nobody knows them), how many cards, and the face-up discards."""

    cards: Codes | Hidden = ()
    left: int = 0
    discards: Codes = ()


ActionName = Literal[
    "wait",
    "move",
    "stride",
    "march",
    "haste",
    "jump",
    "charge",
    "melee",
    "shooting",
    "trample",
    "prayer",
    "heal",
    "barricade",
    "set_fire",
    "put_out",
    "stakes",
]


class Plan(Struct, frozen=True, omit_defaults=True):
    """The declared action of a unit. `path`: the areas it enters; `target`: the area it attacks or works in.

    `aim` names any other object of the action: a unit to heal or to carry, a token to take, an edge. Units whose plans
    are alike but for the unit take part in one action (JA-082), see `alike`.
    """

    unit: UnitId
    action: ActionName
    path: tuple[AreaId, ...] = ()
    target: AreaId = NOWHERE
    aim: str = ""


class Activation(Struct, frozen=True):
    """Units that act: by an order in an area, or by a command (JA-170), whose `commander` is named.

    `order` is what they are activated as (JA-060). `plans` were declared, `done` have acted, `latest` of them in the
    action just before. `moved_to` and `attacked` are the areas that the activation's actions used up (JA-094, JA-104).
    `bonuses`: the bonus actions taken, as `unit bonus`. `commanded`: the units activated through command since
    the order was played (JA-171), kept by the outermost.
    """

    by: Seat
    order: Order
    area: AreaId
    units: tuple[UnitId, ...]
    commander: UnitId = NO_UNIT
    plans: tuple[Plan, ...] = ()
    done: tuple[UnitId, ...] = ()
    latest: tuple[UnitId, ...] = ()
    moved_to: tuple[AreaId, ...] = ()
    attacked: tuple[AreaId, ...] = ()
    bonuses: Codes = ()
    commanded: tuple[UnitId, ...] = ()


class JoanState(State, frozen=True, kw_only=True):
    """A match. `boards` by seat; `scores` and `rallies` (rally point tokens) by side; `turn`: the seat whose turn it
    is.

    `placed`: orders that lie on areas; `played`: how many were played this turn. `activations`: innermost last.
    `in_play`: legend cards that are being resolved (JA-190). `handed`: the equipment cards handed over since
    a unit acted last, as `unit card` (JA-Q37). `talk_goes_on`: the answer just given calls for another discussion
    card (JA-162). `reader` was handed the discussion card `talk_card` last, and knows its back (JA-398).
    """

    options: Options
    boards: tuple[PlayerBoard, ...]
    field: Field = Field()
    sky: tuple[TileName, ...] = ()
    scores: dict[str, int] = {}
    rallies: dict[str, tuple[AreaId, ...]] = {}
    piles: dict[str, Pile] = {}
    in_play: Codes = ()
    river: Codes = ()
    phase: Phase = "setup"
    round: int = 0
    turn: Seat | None = None
    placed: dict[AreaId, tuple[Order, ...]] = {}
    played: int = 0
    activations: tuple[Activation, ...] = ()
    attack: Attack | None = None
    handed: Codes = ()
    talk_goes_on: bool = False
    reader: Seat | None = None
    talk_card: str = ""
    talk_back: Back | Hidden = ()
