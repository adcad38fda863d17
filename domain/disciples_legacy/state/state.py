"""The state: members in parties, cities, mana, hands, and the state of an attack and its Battle."""

from typing import Final, Literal, NewType

from msgspec import Struct

from domain.disciples_legacy.cards.cards import Deck
from domain.disciples_legacy.state.options import Options
from domain.kernel import Hidden, Seat, State

MemberId = NewType("MemberId", str)
PlaceId = NewType("PlaceId", str)
Codes = tuple[str, ...]
Slots = tuple[MemberId, MemberId, MemberId, MemberId, MemberId, MemberId]
"""DL-087: the members in slots 1 to 6, by Herald's numbering; a Giant in both slots of its column; empty text for
nobody.
"""

NOBODY: Final = MemberId("")
EMPTY: Final[Slots] = (NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY)
Until = Literal["round", "battle", "turn"]
Kind = Literal["major", "minor", "unit"]
Phase = Literal["setup", "untap", "healing", "strategic", "end"]


class Effect(Struct, frozen=True):
    """A change of Attack or Max HP that was laid on a member, and how long it lasts (section 6.2)."""

    stat: Literal["atk", "maxhp"]
    amount: int
    until: Until


class Ward(Struct, frozen=True):
    """Points that absorb damage, and how long they last."""

    points: int
    until: Until


class Poison(Struct, frozen=True):
    """Damage at the end of each Battle Round, and how often still."""

    amount: int
    left: int


class Member(Struct, frozen=True):
    """A Unit or Leader in play. `party` is the id of its Party, which is that of the Party's Leader (DL-040).

    `damage` is DL-202's; `tapped` (DL-001) and `spent` (DL-005) are independent of each other (DL-009) and of
    `dead` (DL-207). `items` are a Leader's, in the order they came (DL-237).
    """

    id: MemberId
    seat: Seat
    card: str
    kind: Kind
    party: MemberId
    damage: int = 0
    dead: bool = False
    tapped: bool = False
    spent: bool = False
    items: Codes = ()
    effects: tuple[Effect, ...] = ()
    ward: Ward | None = None
    poison: Poison | None = None


class Party(Struct, frozen=True):
    """DL-086: one Leader and up to five Units. `waiting` is a Unit that finds no slot yet (DL-Q54)."""

    leader: MemberId
    seat: Seat
    slots: Slots
    waiting: MemberId = NOBODY


class City(Struct, frozen=True):
    """A City or Capital in play and the seat that controls it."""

    id: PlaceId
    card: str
    seat: Seat
    capital: bool = False
    tapped: bool = False


class Mana(Struct, frozen=True):
    """A Mana card in play and the seat that controls it; never tapped (DL-Q40)."""

    id: PlaceId
    card: str
    seat: Seat


class Side(Struct, frozen=True):
    """One player. `hand` is the Reserves Deck (DL-017), `hand_size` its public number, `known` the cards of it that
    everybody has seen (DL-231), `lacks` those that a skip has shown it cannot hold (DL-Q59). `peeked` are cards of the
    *other* hand that this player has seen (DL-232), `peeked_count` is their number, which everybody sees.

    `credit` is generated (C) not yet spent (DL-083, DL-084). `passed` and `cast` are once per turn (DL-125, DL-077),
    `skipped` until the player acts again (DL-Q17); `recruited` Units and `free_revives` count this turn's.
    `rearranged` are the Parties arranged before the action that is due (DL-Q62).
    """

    deck: Deck | Hidden | None = None
    chosen: bool = False
    race: str = ""
    hand: Codes | Hidden = ()
    hand_size: int = 0
    known: Codes = ()
    lacks: Codes = ()
    peeked: Codes | Hidden = ()
    peeked_count: int = 0
    discard: Codes = ()
    entered: int = 0
    credit: int = 0
    confirmed: bool = False
    passed: bool = False
    skipped: bool = False
    cast: bool = False
    recruited: int = 0
    free_revives: int = 0
    rearranged: tuple[MemberId, ...] = ()


class Attack(Struct, frozen=True):
    """DL-152: an attack under way: attacker, target and blocking Party. `escaped`: the blocking Party retreated."""

    seat: Seat
    leader: MemberId
    target: str
    blocker: MemberId = NOBODY
    escaped: bool = False


class Battle(Struct, frozen=True):
    """DL-171: two Battle Parties. `attacking` is the Attacking Player (DL-Q53), `to_act` is the player whose Battle
    Action is next.

    `arranged` are the members moved in the present formation step; `retreating` is a seat or -1, `free` the free
    actions left (DL-218). `passed` is per round (DL-180), `skipped` until the player acts again (DL-Q17).
    """

    attacker: MemberId
    defender: MemberId
    attacking: Seat
    round: int = 0
    to_act: Seat = Seat(0)
    arranged: tuple[MemberId, ...] = ()
    last_passed: bool = False
    passed: tuple[bool, bool] = (False, False)
    skipped: tuple[bool, bool] = (False, False)
    retreating: int = -1
    free: int = 0

    def party(self, seat: int) -> MemberId:
        """The Battle Party of a seat."""
        return self.attacker if seat == self.attacking else self.defender


class DisciplesState(State, frozen=True, kw_only=True):
    """A match. `first` is the player whose turn it is (DL-Q04), `to_act` is the player who takes the next action
    (DL-122); `last_passed`: the action before was a pass (DL-126). `places` counts Cities and Mana that ever entered
    play.
    """

    options: Options
    sides: tuple[Side, Side] = (Side(), Side())
    phase: Phase = "setup"
    step: int = 0
    turn: int = 0
    first: Seat = Seat(0)
    to_act: Seat = Seat(0)
    last_passed: bool = False
    members: dict[MemberId, Member] = {}
    parties: dict[MemberId, Party] = {}
    cities: dict[PlaceId, City] = {}
    mana: dict[PlaceId, Mana] = {}
    places: int = 0
    attack: Attack | None = None
    battle: Battle | None = None
