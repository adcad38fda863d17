"""Words of Disciples: Legacy: names of things on the table, questions, and the sentences for others."""

from typing import Any, Final

from domain.disciples_legacy.state.events import (
    BattleSkipped,
    CityTapped,
    CostPaid,
    CreditGiven,
    HealingConfirmed,
    ItemMoved,
    MembersDied,
    PartyRearranged,
    PlayerSkipped,
    SurplusLost,
)
from domain.disciples_legacy.state.queries import cards_of, units_of
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId
from domain.kernel import Asked, Event, Seat
from projections.words import join, player

View = DisciplesState
PHASES: Final = {
    "setup": "Set-up",
    "untap": "Untap Phase",
    "healing": "Healing Phase",
    "strategic": "Strategic Phase",
    "end": "End of Turn",
}
QUESTIONS: Final = {
    "DeckSelection": "Which army do you lead?",
    "Deployment": "How do your three Parties stand?",
    "Revival": "Whom of your dead do you revive?",
    "HealingPurchase": "Whom do you heal?",
    "StrategicAction": "Which of your Leaders acts, and how?",
    "BlockOffer": "Does one of your Leaders block the attack?",
    "FreeAction": "The enemy retreats: who of yours still acts, and against whom?",
    "BattleAction": "Who acts, and against whom?",
}
"""The other questions contain names: see `question`."""
WAITING: Final = {
    "DeckSelection": "chooses an army in secret",
    "Deployment": "sorts the army into Parties in secret",
    "Revival": "may revive the dead",
    "HealingPurchase": "may buy healing",
    "StrategicAction": "chooses an action",
    "Payment": "pays by tapping Cities",
    "Placement": "places a new Unit",
    "OverflowDiscard": "discards Units that are too many",
    "TradeTerms": "trades between two Parties",
    "Arrangement": "rearranges a Party",
    "BlockOffer": "may block the attack",
    "Engagement": "may attack on",
    "BattleFormation": "arranges the Battle Party",
    "RetreatOffer": "may retreat",
    "BattleAction": "chooses a Battle Action",
    "FreeAction": "has free actions against the retreating Party",
}


def card_name(view: View, card: str) -> str:
    """A card's printed name."""
    found = cards_of(view).cards.get(card)
    return found.name if found else card


def cards_named(view: View, cards: tuple[str, ...]) -> str:
    """Several cards by name."""
    return join([card_name(view, card) for card in cards])


def member_name(view: View, id_: str) -> str:
    """A member: a Major Leader by its name if the name is unique, all others with their mark: "Squire A2"."""
    member = view.members.get(MemberId(id_))
    if member is None:
        return id_
    name = card_name(view, member.card)
    if member.kind == "major" and sum(other.card == member.card for other in view.members.values()) == 1:
        return name
    return f"{name} {id_}"


def members_named(view: View, ids: tuple[MemberId, ...]) -> str:
    """Several members."""
    return join([member_name(view, id_) for id_ in ids])


def party_name(view: View, leader: str) -> str:
    """A Party by its Leader; a Minor Leader is its own Party."""
    member = view.members.get(MemberId(leader))
    name = member_name(view, leader)
    return name if member is None or member.kind == "minor" else f"{name}'s Party"


def place_name(view: View, id_: str) -> str:
    """A City or Mana card in play: "Market Town C3"."""
    place = view.cities.get(id_) or view.mana.get(id_)  # type: ignore[call-overload]
    return f"{card_name(view, place.card)} {id_}" if place else id_


def target_name(view: View, target: str, *, as_party: bool = False) -> str:
    """The target of a choice or an event: a member, a Party, a place, an Item as `B1/shroud`."""
    holder, slash, item = target.partition("/")
    if slash:
        return f"{card_name(view, item)} of {member_name(view, holder)}"
    if target in view.members:
        return party_name(view, target) if as_party else member_name(view, target)
    return place_name(view, target)


def column_of(slot: int, *, far: bool = False) -> int:
    """The column of a slot, counted from the viewer's left; a far Party is seen from across the table."""
    at = (slot - 1) % 3 + 1
    return 4 - at if far else at


COLUMNS: Final = ("left", "middle", "right")


def slot_name(slot: int, *, far: bool = False) -> str:
    """A slot of a formation, in the viewer's eyes: "front middle"."""
    return f"{'front' if slot <= 3 else 'back'} {COLUMNS[column_of(slot, far=far) - 1]}"


def named(view: View, event: Event) -> dict[str, str]:
    """The names on the table that an event's sentence may use, each with its ref."""
    found: dict[str, str] = {}
    for id_ in _ids(view, [getattr(event, name) for name in event.__struct_fields__]):
        if id_ in view.members:
            found |= {member_name(view, id_): id_}
        else:
            found |= {place_name(view, id_): id_}
    return found


def _ids(view: View, values: Any) -> list[str]:
    found: list[str] = []
    for value in values:
        if isinstance(value, str):
            if value in view.members or value in view.cities or value in view.mana:
                found.append(value)
        elif isinstance(value, tuple):
            found += _ids(view, value)
        elif hasattr(value, "__struct_fields__"):
            found += _ids(view, [getattr(value, name) for name in value.__struct_fields__])
    return found


FRAMES: Final = (
    BattleSkipped,
    CityTapped,
    CostPaid,
    CreditGiven,
    HealingConfirmed,
    PartyRearranged,
    PlayerSkipped,
    SurplusLost,
)
"""Money, order and skipped players. They belong to no player, because a player's last sentence shows the outcome."""


def speaker(view: View, event: Event) -> int | None:
    """The seat of an event: the seat it names, or the owner of the member concerned; None for the `FRAMES`."""
    if isinstance(event, FRAMES):
        return None
    seat = getattr(event, "seat", None)
    if isinstance(seat, int):
        return seat
    if isinstance(event, MembersDied):
        return view.members[event.dead[0].member].seat
    if isinstance(event, ItemMoved):
        # the ability that steals tells the theft
        return view.members[event.receiver].seat if event.rule == "DL-213" else None
    for name in ("member", "leader", "party", "escaped"):
        about = getattr(event, name, None)
        member = about if isinstance(about, Member) else view.members.get(about)  # type: ignore[arg-type]
        if member is not None:
            return member.seat
    return None


def question(view: View, asked: Asked) -> str:
    """The question."""
    terms = asked.terms
    match asked.kind:
        case "Payment":
            return f"Which City do you tap? {terms['due']} (C) are still to pay."
        case "Placement":
            card, leader = card_name(view, str(terms["card"])), party_name(view, str(terms["leader"]))
            return f"Where does {card} stand in {leader}?"
        case "TradeTerms":
            first, second = (member_name(view, str(terms[name])) for name in ("leader", "partner"))
            return f"What do {first} and {second} trade?"
        case "OverflowDiscard":
            return _overflow(view, str(terms["leader"]))
        case "Arrangement":
            return f"How does {party_name(view, str(terms['party']))} stand?"
        case "BattleFormation":
            return f"How does {_own_party(view, asked.seat)} stand in the Battle?"
        case "RetreatOffer":
            return f"Does {_own_party(view, asked.seat)} fight, or does it retreat?"
        case "Engagement" if view.attack is not None:
            return f"The way is free: do you now attack {target_name(view, view.attack.target, as_party=True)}?"
        case "BlockOffer" if view.attack is not None:
            attacker = party_name(view, view.attack.leader)
            target = target_name(view, view.attack.target, as_party=True)
            return f"{attacker} attacks {target}. Does one of your Leaders block?"
    return QUESTIONS.get(asked.kind, "What do you do?")


def _overflow(view: View, leader: str) -> str:
    units = len(units_of(view, MemberId(leader)))
    return f"{party_name(view, leader)} has {units} Units, too many. Who is discarded?"


def _own_party(view: View, seat: Seat) -> str:
    return party_name(view, view.battle.party(seat)) if view.battle is not None else "your Party"


def waiting(view: View, asked: Asked) -> str:
    """The sentence that others see during an open question: one fixed sentence per kind of decision."""
    return f"{player(view, asked.seat)} {WAITING.get(asked.kind, 'decides')}."
