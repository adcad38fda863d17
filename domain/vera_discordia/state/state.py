"""The state of a match of Vera Discordia: the table, hands and decks.

Everything is frozen; an evolve step replaces what it touches. A value of type `X | Hidden` is hidden in the views of
those who may not know it (ledger section AH).
"""

from enum import StrEnum
from typing import Final, NewType

from msgspec import Struct

from domain.kernel import Hidden, Seat, State
from domain.vera_discordia.cards.cards import (
    Ability,
    CardKey,
    CardSet,
    Die,
    OrderType,
    Rank,
    Shields,
    Terrain,
    UnitType,
)
from domain.vera_discordia.state.options import Options

UnitId = NewType("UnitId", str)
Space = NewType("Space", str)
Column = NewType("Column", int)

VANGUARD: Final = (Space("V1"), Space("V2"), Space("V3"), Space("V4"))
REARGUARD: Final = (Space("R1"), Space("R2"), Space("R3"), Space("R4"))
SPACES: Final = VANGUARD + REARGUARD
COLUMNS: Final = (Column(1), Column(2), Column(3), Column(4))


class Phase(StrEnum):
    """Set-up steps and the phases of a round (VD-131), in order."""

    GENERALS = "generals"
    RECRUITING = "recruiting"
    CLOSING = "closing"
    EXAMINING = "examining"
    DEPLOYMENT = "deployment"
    BEGINNING = "beginning"
    INITIATIVE = "initiative"
    DRAWING = "drawing"
    ISSUING = "issuing"
    KEEPING = "keeping"
    RESOLUTION = "resolution"
    CLEAN_UP = "clean-up"


class AttackKind(StrEnum):
    """The three types of attack (VD-186)."""

    DIRECT = "direct"
    INDIRECT = "indirect"
    AERIAL = "aerial"


class Held(Struct, frozen=True):
    """An order on a Unit.

    `seen`: both players know its type, as long as it lies there (VD-Q56). `charge`: given by Charge (VD-321),
    `virtual`: a marker, no card. `dealt`: not placed by its owner.
    """

    type: OrderType | Hidden
    up: bool = False
    seen: bool = False
    charge: bool = False
    virtual: bool = False
    dealt: bool = False


class Unit(Struct, frozen=True):
    """A deployed Unit: Open or Closed (VD-044), with one order at most (VD-082).

    `card` and `life` are the owner's secret while it is Closed (VD-046); `marker` is the life everybody sees on a
    damaged Closed Unit (VD-365). `original` is the card of a Chrysalis that has changed. `shown` are abilities that a
    Closed Unit has had to name (VD-Q55), `rolled` says that it has been through a Phase 0, `hurt` that it was damaged
    in one: it then lacks the abilities for which it did not roll.
    """

    id: UnitId
    seat: Seat
    space: Space
    card: CardKey | Hidden
    life: int | Hidden
    open: bool = False
    marker: int | None = None
    general: bool = False
    order: Held | None = None
    capture: bool = False
    changed: bool = False
    chaotic: bool = False
    enraged: bool = False
    struck_from_air: bool = False
    paid: bool = False
    original: CardKey | None = None
    morale: int = 0
    shown: tuple[Ability, ...] = ()
    rolled: bool = False
    hurt: bool = False


class Profile(Struct, frozen=True, eq=False):
    """The values of a Unit: its card with Heroism, Leadership and Capture applied."""

    type: UnitType
    abilities: frozenset[Ability]
    dice: tuple[Die, ...]
    shields: Shields
    max_life: int


class Side(Struct, frozen=True):
    """One player's army, cards and counters.

    `recruits` are the Units dealt until it is decided who is Closed; then `reserve` (Open) and `covert` (Closed) wait
    for deployment. `rest` are the cards left in the recruiting piles, `fallen` those of destroyed Units. `pile` is the
    discard pile, top last. `inspired` is the Unit that executed the Tactic this turn and used the star Strategy,
    `deferred` the one whose Strategy waits for the end of the attack. Counters and sizes are public (VD-393); of the
    pile a view holds only size and top, no listing (VD-073, VD-380, VD-Q14).
    """

    faction: str = ""
    general: str = ""
    recruits: tuple[CardKey, ...] | Hidden = ()
    mustered: tuple[CardKey, ...] | Hidden = ()
    rest: tuple[CardKey, ...] | Hidden = ()
    reserve: tuple[CardKey, ...] = ()
    covert: tuple[CardKey, ...] | Hidden = ()
    covert_count: int = 0
    exchanged: Rank | None = None
    settled: bool = False
    vision: int = 0
    stealth: int = 0
    closed: int = 0
    general_deployed: bool = False
    motivation: int = 10
    destroyed: int = 0
    fallen: tuple[CardKey | Hidden, ...] = ()
    deck: tuple[OrderType, ...] | Hidden = ()
    deck_size: int = 0
    hand: tuple[OrderType, ...] | Hidden = ()
    hand_size: int = 0
    pile: tuple[OrderType, ...] | Hidden = ()
    pile_size: int = 0
    top: OrderType | None = None
    declared: OrderType | None = None
    autonomous: int = 0
    grounded: bool = False
    taken: int = 0
    done: bool = False
    strategy_spent: bool = False
    inspired: UnitId | None = None
    deferred: UnitId | None = None


class Strike(Struct, frozen=True):
    """The addition of a star Strategy to one Attack or Counterattack (VD-K10)."""

    dice: int = 0
    ability: Ability | None = None


class Attack(Struct, frozen=True):
    """The attack under way: public facts that its steps need.

    `column` is the Terrain column it takes place in. `closed_attacker` and `closed_target` say who was Closed when it
    was declared (VD-Q42). `supports` and `counter_supports` count the Supports spent.
    """

    kind: AttackKind
    attacker: UnitId
    target: UnitId
    column: Column
    opening: bool = False
    closed_attacker: bool = False
    closed_target: bool = False
    supports: int = 0
    counter_supports: int = 0
    closed_ranks: bool = False
    disruptions: int = 0
    strike: Strike = Strike()
    counter_strike: Strike = Strike()
    chrysalis: bool = False
    counter: bool = False
    riposte: bool = False
    counter_done: bool = False


class VeraState(State, frozen=True, kw_only=True):
    """The whole match."""

    options: Options
    cards: CardSet | None = None
    sides: tuple[Side, Side] = (Side(), Side())
    units: dict[UnitId, Unit] = {}
    at: dict[str, UnitId] = {}
    laid: tuple[Terrain, ...] | Hidden = ()
    looked: dict[str, Terrain | Hidden] = {}
    terrain: tuple[Terrain, ...] = ()
    phase: Phase = Phase.GENERALS
    round: int = 0
    initiative: Seat | None = None
    turn: Seat | None = None
    attack: Attack | None = None
    deployed: int = 0


def place(seat: Seat, space: Space) -> str:
    """The key of a space in `VeraState.at`."""
    return f"{seat}{space}"
