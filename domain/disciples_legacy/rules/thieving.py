"""Other `(S)` abilities that Leaders print, such as Thieves' (DL-Q44, DL-F09)."""

from collections.abc import Iterator

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.effects import Use, carry_out
from domain.disciples_legacy.rules.targets import choices_of, receivers
from domain.disciples_legacy.state.events import AbilityUsed, LeaderSpent
from domain.disciples_legacy.state.queries import (
    Ready,
    cards_of,
)
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.kernel import NEXT, Choice, Flow, Resolver, Seat

ELSEWHERE = hooks.Action | hooks.PlantOperation | hooks.CastOperation
"""Abilities that are separate actions."""


class UseAbility(Choice, frozen=True):
    """This Leader uses the ability with this number on its card, from 0.

    `target`: a member, a Party by its Leader, a place, an Item as `B1/shroud`, or nothing; `receiver` gets it.
    """

    leader: str
    ability: int
    target: str = ""
    receiver: str = ""


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[UseAbility]:
    """DL-039, DL-052, DL-054: the abilities on cards of living, unspent Leaders, with every legal target."""
    index = cards_of(state)
    for id_ in ready.all:
        for number, ability in enumerate(index.abilities[state.members[id_].card]):
            if ability.window == "S" and not isinstance(ability.op, ELSEWHERE):
                yield from _uses(state, seat, id_, number)


def _uses(state: DisciplesState, seat: Seat, id_: MemberId, number: int) -> Iterator[UseAbility]:
    ability = cards_of(state).abilities[state.members[id_].card][number]
    getting = receivers(state, seat) if isinstance(ability.op, hooks.StealItem) else ("",)
    for target in choices_of(state, seat, id_, ability):
        for receiver in getting:
            yield UseAbility(id_, number, target, receiver)


def use_ability(r: Resolver[DisciplesState], seat: Seat, choice: UseAbility) -> Flow:
    """DL-005: the Leader is spent for it."""
    leader = MemberId(choice.leader)
    ability = cards_of(r.state).abilities[r.state.members[leader].card][choice.ability]
    r.emit(LeaderSpent(leader, "DL-005"))
    r.emit(AbilityUsed(leader, ability.text, "", choice.target))
    carry_out(r, Use(seat, leader, ability, choice.target, choice.receiver))
    return NEXT
