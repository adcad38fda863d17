"""`(T)` abilities and Items in Battle (DL-003, DL-043, DL-072, DL-Q38), and abilities at the beginning of a Battle."""

from collections.abc import Iterator

from domain.disciples_legacy.rules.dying import settle
from domain.disciples_legacy.rules.effects import Use, apply, carry_out
from domain.disciples_legacy.rules.targets import affected, choices_of
from domain.disciples_legacy.state.events import AbilityUsed, ItemsDiscarded, MembersTapped
from domain.disciples_legacy.state.queries import cards_of, members_of
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.kernel import Choice, Resolver


class UseSkill(Choice, frozen=True):
    """This member taps for the ability with this number on its card, from 0."""

    member: str
    ability: int
    target: str = ""


class UseItem(Choice, frozen=True):
    """This Leader taps to use this Item."""

    leader: str
    item: str
    target: str = ""


def skills(state: DisciplesState, id_: MemberId) -> Iterator[UseSkill | UseItem]:
    """DL-179: the abilities for which a member may tap, with every legal target."""
    index = cards_of(state)
    member = state.members[id_]
    for number, ability in enumerate(index.abilities[member.card]):
        if ability.window == "T":
            for target in choices_of(state, member.seat, id_, ability):
                yield UseSkill(id_, number, target)
    for item in member.items:
        (ability,) = index.abilities[item]
        if ability.window == "T":
            for target in choices_of(state, member.seat, id_, ability):
                yield UseItem(id_, item, target)


def use_skill(r: Resolver[DisciplesState], choice: UseSkill) -> None:
    """DL-003: the cost is tapping that very card."""
    id_ = MemberId(choice.member)
    member = r.state.members[id_]
    ability = cards_of(r.state).abilities[member.card][choice.ability]
    r.emit(MembersTapped((id_,), "DL-003"))
    r.emit(AbilityUsed(id_, ability.text, "", choice.target))
    carry_out(r, Use(member.seat, id_, ability, choice.target))


def use_item(r: Resolver[DisciplesState], choice: UseItem) -> None:
    """DL-043: the Leader taps as if for an ability of its own (DL-072); a consumable Item is discarded (DL-Q38)."""
    id_ = MemberId(choice.leader)
    member = r.state.members[id_]
    index = cards_of(r.state)
    (ability,) = index.abilities[choice.item]
    r.emit(MembersTapped((id_,), "DL-043"))
    r.emit(AbilityUsed(id_, ability.text, choice.item, choice.target))
    if index.items[choice.item].consumable:
        r.emit(ItemsDiscarded(id_, (choice.item,), "DL-Q38"))
    carry_out(r, Use(member.seat, id_, ability, choice.target))


def begin_battle(r: Resolver[DisciplesState]) -> None:
    """6.2, window B, DL-Q63: the attacker's abilities first, then the defender's, each by slot; then deaths."""
    battle = r.state.battle
    assert battle is not None
    for party in (battle.attacker, battle.defender):
        for id_ in members_of(r.state, party):
            _begin(r, id_)
    settle(r)


def _begin(r: Resolver[DisciplesState], id_: MemberId) -> None:
    """Use these abilities if the bearer is living."""
    index = cards_of(r.state)
    member = r.state.members[id_]
    for card in (member.card, *member.items):
        for ability in index.abilities[card]:
            if ability.window == "B" and not member.dead and affected(r.state, member.seat, id_, ability, ""):
                r.emit(AbilityUsed(id_, ability.text, "" if card == member.card else card))
                apply(r, Use(member.seat, id_, ability))
