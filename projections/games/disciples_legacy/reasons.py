"""Why a bot's move in Disciples: Legacy makes sense, judged only by the view before the move."""

from domain.commons.rows import foe
from domain.disciples_legacy.state.events import (
    AttackBlocked,
    AttackDeclared,
    CityRecruited,
    MemberRevived,
    Passed,
    Retreated,
    Struck,
    UnitRecruited,
)
from domain.disciples_legacy.state.queries import living, ready_leaders
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.disciples_legacy.state.stats import hp, max_hp
from domain.kernel import Event, Seat
from projections.games.disciples_legacy.words import member_name
from projections.words import count


def reason(view: DisciplesState, event: Event) -> str:
    """A sentence about a player's event; empty if the event is clear by itself."""
    match event:
        case CityRecruited():
            return "Why: a City pays every turn, and opens its race for recruiting."
        case UnitRecruited(party=party):
            return f"Why: {member_name(view, party.leader)} leads few, and room in a Party is room for strength."
        case AttackDeclared():
            return _attack(view, event)
        case AttackBlocked():
            return "Why: without a block the attack would reach what it is meant for."
        case Struck():
            return _strike(view, event)
        case Retreated(seat=seat):
            return _retreat(view, seat)
        case MemberRevived():
            return "Why: the living heal and fight; who has nobody alive has lost."
        case Passed():
            return "Why: who acts later has seen more."
    return ""


def _attack(view: DisciplesState, event: AttackDeclared) -> str:
    if not _blockers(view, foe(event.seat), event.target):
        return "Why: no Leader is left who could block."
    if event.target in view.members:
        mine, theirs = living(view, event.leader), living(view, MemberId(event.target))
        if len(mine) > len(theirs):
            return f"Why: {len(mine)} of its Party against {len(theirs)}."
        weak = [each for each in theirs if hp(view, each) < max_hp(view, each)]
        return f"Why: {member_name(view, weak[0])} is wounded." if weak else ""
    return "Why: a City or Mana card that is taken is lost to one side and won for the other."


def _blockers(view: DisciplesState, seat: Seat, target: str) -> bool:
    """Whether a Leader of the seat, other than the one attacked, is alive and not spent."""
    return any(leader != target for leader in ready_leaders(view, seat).all)


def _strike(view: DisciplesState, event: Struck) -> str:
    if len(event.targets) > 1:
        return f"Why: one blow for {count(len(event.targets), 'enemy', 'enemies')} at once."
    (target,) = event.targets or (MemberId(""),)
    if target not in view.members:
        return ""
    left, name = hp(view, target), member_name(view, target)
    if view.members[target].ward is None and left <= event.attack:
        return f"Why: {name} has {left} HP left, and the Attack is {event.attack}."
    if view.members[target].kind != "unit":
        return f"Why: {name} is a Leader; a dead Leader does no action."
    return ""


def _retreat(view: DisciplesState, seat: Seat) -> str:
    battle = view.battle
    if battle is None:
        return ""
    own, other = battle.attacker, battle.defender
    if battle.attacking != seat:
        own, other = other, own
    mine, theirs = len(living(view, own)), len(living(view, other))
    return f"Why: {mine} against {theirs} would not end well." if mine < theirs else ""
