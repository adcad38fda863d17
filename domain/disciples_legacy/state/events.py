"""Events of a match, each with its outcome. Names are stored for ever."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.disciples_legacy.cards.cards import Deck
from domain.disciples_legacy.state.state import (
    City,
    Codes,
    Effect,
    Mana,
    Member,
    MemberId,
    Party,
    Phase,
    PlaceId,
    Poison,
    Slots,
    Until,
    Ward,
)
from domain.kernel import HIDDEN, Event, Hidden, Only, Seat


class Hurt(Struct, frozen=True, array_like=True):
    """A member, how many points of damage it took, and how many its ward absorbed."""

    member: MemberId
    damage: int
    absorbed: int = 0


class Healed(Struct, frozen=True, array_like=True):
    """A member and how much damage was taken off it."""

    member: MemberId
    amount: int


class DeckChosen(Event, frozen=True):
    """A player has handed in an Army Deck and a Reserves Deck; nobody else sees which (DL-228)."""

    seat: Seat
    deck: Annotated[Deck | Hidden, Only("seat")] = HIDDEN


class ArmyDeployed(Event, frozen=True):
    """A player's whole Army Deck lies on the table (DL-013, DL-229)."""

    seat: Seat
    race: str
    capital: City
    members: tuple[Member, ...]
    parties: tuple[Party, ...]


class ReservesDrawn(Event, frozen=True):
    """A player holds the Reserves Deck (DL-017); only the number is public (DL-231)."""

    seat: Seat
    count: int
    cards: Annotated[Codes | Hidden, Only("seat")] = HIDDEN


class ReservesShown(Event, frozen=True):
    """At the end both hands and decks are public (DL-Q59)."""

    seat: Seat
    deck: str
    cards: Codes


class TurnBegan(Event, frozen=True):
    """A turn begins; it is this player's (DL-105, DL-Q04)."""

    turn: int
    seat: Seat


class PhaseBegan(Event, frozen=True):
    """A phase, and its step where it has steps."""

    phase: Phase
    step: int = 0


class CitiesUntapped(Event, frozen=True):
    """DL-106."""

    cities: tuple[PlaceId, ...]


class LeadersUnspent(Event, frozen=True):
    """Spent tokens come off, of all (DL-107) or by an effect."""

    leaders: tuple[MemberId, ...]
    rule: str = "DL-107"


class CityTapped(Event, frozen=True):
    """A City gives its controller (C) (DL-082), or was tapped by an enemy and gives nothing."""

    city: PlaceId
    seat: Seat
    gives: int
    rule: str = "DL-082"


class CreditGiven(Event, frozen=True):
    """(C) that no City gave: DL-144, or a rule of a Capital."""

    seat: Seat
    amount: int
    rule: str


class CostPaid(Event, frozen=True):
    """This many (C) are spent, for the purpose that the rule names."""

    seat: Seat
    amount: int
    rule: str


class SurplusLost(Event, frozen=True):
    """DL-083: (C) that nobody can use any more."""

    seat: Seat
    amount: int


class MemberRevived(Event, frozen=True):
    """A dead member lives again, with this much damage (DL-209). `free`: a Capital's rule paid for it."""

    member: MemberId
    damage: int
    rule: str
    free: bool = False


class MembersHealed(Event, frozen=True):
    """Damage is taken off."""

    healed: tuple[Healed, ...]
    rule: str


class HealingConfirmed(Event, frozen=True):
    """A player has finished this step of the Healing Phase (DL-Q08)."""

    seat: Seat


class HealingReopened(Event, frozen=True):
    """Both players may act in the next step of the Healing Phase."""


class LeaderSpent(Event, frozen=True):
    """A spent token lies on the Leader (DL-005). `reaction`: by a block (DL-Q19) or an effect, not by an action."""

    leader: MemberId
    rule: str
    reaction: bool = False


class CardsNamed(Event, frozen=True):
    """Cards of the hand that a Leader is about to bring into play are shown, before they are paid for (DL-Q50)."""

    leader: MemberId
    cards: Codes


class Passed(Event, frozen=True):
    """DL-127: a player does nothing once; the other is to act."""

    seat: Seat


class PlayerSkipped(Event, frozen=True):
    """A player has no action (DL-124, DL-Q18); `lacks`: cards that the hand, therefore, cannot hold (DL-Q59)."""

    seat: Seat
    lacks: Codes = ()


class PhaseFinished(Event, frozen=True):
    """DL-Q17: a player stops although there would be actions left."""

    seat: Seat


class PlayerToAct(Event, frozen=True):
    """The next action is this player's (DL-122), if the player is `able` to act at all: that is public (DL-Q59)."""

    seat: Seat
    able: bool = True


class CityRecruited(Event, frozen=True):
    """A copy of a City enters play (DL-131)."""

    leader: MemberId
    city: City


class LeaderArrived(Event, frozen=True):
    """A Leader enters play as a new Party: recruited, replaced or summoned."""

    member: Member
    party: Party
    origin: Literal["hand", "discard", "summon"]
    rule: str


class LeaderDismissed(Event, frozen=True):
    """DL-136: the former one of that name is discarded, with its Items."""

    leader: MemberId
    discarded: Codes


class UnitRecruited(Event, frozen=True):
    """A copy of a Unit joins a Party (DL-138)."""

    member: Member
    party: Party


class UnitsDiscarded(Event, frozen=True):
    """DL-139, DL-140: Units leave an overfull Party."""

    units: tuple[MemberId, ...]
    party: Party


class ItemsBought(Event, frozen=True):
    """DL-142: copies of Items are now this Leader's."""

    leader: MemberId
    items: Codes


class ItemMoved(Event, frozen=True):
    """An Item goes from a Leader to another: stolen or captured (DL-213)."""

    item: str
    giver: MemberId
    receiver: MemberId
    rule: str


class ItemsDiscarded(Event, frozen=True):
    """Items leave a Leader: duplicates (DL-071), used up (DL-Q38), or left by a Party wiped out (DL-215)."""

    leader: MemberId
    items: Codes
    rule: str


class PartiesTraded(Event, frozen=True):
    """DL-149: two Parties after a trade, with the Items of both Leaders."""

    seat: Seat
    parties: tuple[Party, Party]
    items: tuple[Codes, Codes]


class PartyRearranged(Event, frozen=True):
    """DL-090, DL-172, DL-173: a Party stands in another formation. `moved` is the member that was moved."""

    party: MemberId
    slots: Slots
    moved: MemberId


class FormationKept(Event, frozen=True):
    """The owner leaves a formation as it is now."""

    party: MemberId


class AttackDeclared(Event, frozen=True):
    """DL-152: a Party goes for an enemy Party, City or Mana."""

    seat: Seat
    leader: MemberId
    target: str


class AttackBlocked(Event, frozen=True):
    """DL-159: this Leader's Party stands in the way."""

    leader: MemberId


class BlockDeclined(Event, frozen=True):
    """DL-159: the defender lets the attack go on."""

    seat: Seat


class AttackEngaged(Event, frozen=True):
    """DL-191: the attacker goes on to the intended target."""

    seat: Seat


class PlaceCaptured(Event, frozen=True):
    """DL-154: a City or Mana card changes control."""

    place: PlaceId
    seat: Seat
    rule: str


class AttackEnded(Event, frozen=True):
    """DL-188 to DL-193: the attack is over; whether it reached its target."""

    reached: bool
    rule: str


class ManaPlanted(Event, frozen=True):
    """DL-068: a copy of a Mana card enters play."""

    leader: MemberId
    mana: Mana


class SpellCast(Event, frozen=True):
    """DL-074: a Spell is cast; `target` is a member, Party, place, Item or nothing."""

    seat: Seat
    leader: MemberId
    spell: str
    target: str = ""


class AbilityUsed(Event, frozen=True):
    """An ability of a card, by its text (6.2); `item` names the Item, if the ability is an Item's."""

    member: MemberId
    ability: str
    item: str = ""
    target: str = ""


class HandPeeked(Event, frozen=True):
    """DL-232: a player sees `count` cards of the other hand; the other learns only that."""

    seat: Seat
    count: int
    cards: Annotated[Codes | Hidden, Only("seat")] = HIDDEN


class EffectLaid(Event, frozen=True):
    """Attack or Max HP of these members changes for a while."""

    members: tuple[MemberId, ...]
    effect: Effect


class Warded(Event, frozen=True):
    """These members have this ward now."""

    members: tuple[MemberId, ...]
    ward: Ward


class Poisoned(Event, frozen=True):
    """These members are poisoned now."""

    members: tuple[MemberId, ...]
    poison: Poison


class PoisonFaded(Event, frozen=True):
    """The poison of these members has worked once more; it is over with the last time."""

    members: tuple[MemberId, ...]


class EffectsEnded(Event, frozen=True):
    """Effects that lasted until now are over."""

    until: Until
    members: tuple[MemberId, ...]


class MembersTapped(Event, frozen=True):
    """DL-001; `rule` says why."""

    members: tuple[MemberId, ...]
    rule: str


class MembersUntapped(Event, frozen=True):
    """DL-184, or an effect."""

    members: tuple[MemberId, ...]
    rule: str


class MembersDamaged(Event, frozen=True):
    """Damage is dealt (DL-202), to all at once."""

    hurt: tuple[Hurt, ...]
    rule: str


class MembersDied(Event, frozen=True):
    """DL-207: these are dead; `damage` in `Hurt` is what lies on them now (DL-Q39)."""

    dead: tuple[Hurt, ...]


class PartyWipedOut(Event, frozen=True):
    """DL-212: all members of a Party are dead; these cards are discarded."""

    party: MemberId
    discarded: Codes


class BattleBegan(Event, frozen=True):
    """DL-170, DL-171."""

    attacker: MemberId
    defender: MemberId
    attacking: Seat


class BattleRoundBegan(Event, frozen=True):
    """DL-176, DL-177: a Battle Round began; `first` takes its first Battle Action."""

    round: int
    first: Seat


class Retreated(Event, frozen=True):
    """DL-217: a player retreats; the other has `free` actions (DL-218)."""

    seat: Seat
    free: int


class Struck(Event, frozen=True):
    """DL-195: a member attacks these targets with this Attack."""

    member: MemberId
    targets: tuple[MemberId, ...]
    attack: int


class BattlePassed(Event, frozen=True):
    """DL-180."""

    seat: Seat


class BattleSkipped(Event, frozen=True):
    """DL-Q14: a player has no Battle Action for now."""

    seat: Seat


class BattlePlayerToAct(Event, frozen=True):
    """The next Battle Action is this player's (DL-178), if the player is `able` to take one."""

    seat: Seat
    able: bool = True


class RoundFinished(Event, frozen=True):
    """DL-Q17, DL-Q28: a player gives up the Battle Actions left."""

    seat: Seat


class BattleEnded(Event, frozen=True):
    """DL-188; `escaped`: the Battle Party, if any, that retreated and lives (DL-221)."""

    escaped: MemberId
