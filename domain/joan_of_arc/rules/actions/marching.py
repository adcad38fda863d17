"""Forced march (JA-339 to JA-343), an optional rule: infantry may try to go two areas."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import face
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.hastening import long_ways
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.actions.walking import Walking, may_move
from domain.joan_of_arc.rules.attacks.results import forced_march
from domain.joan_of_arc.rules.player_actions.rerolling import RerollOffer, last_die
from domain.joan_of_arc.state.queries import card_of, optional_rules, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, One, Procedure, Resolver, ask, only, step

FARTHEST: Final = 2
"""JA-343: areas of a forced march."""


class March(Declared, frozen=True):
    """Try to move through these two areas."""

    path: tuple[AreaId, ...]

    def plan(self, unit: UnitId) -> Plan:
        """JA-340: a group rolls one die."""
        return Plan(unit, "march", self.path)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-339, JA-D09: infantry without Haste and Jump."""
    if not optional_rules(state).forced_march:
        return
    card = card_of(state, unit)
    if card.arm == "infantry" and not card.skills.haste and not card.skills.jump and may_move(state, unit):
        yield from (March(way) for way in long_ways(state, unit, FARTHEST, "march", now))


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-340: the die is rolled before the group moves."""
    return Marching(tuple(plan.unit for plan in plans), plans[0].path)


class MarchOn(Choice, frozen=True):
    """March over this many areas of the way."""

    areas: int


class MarchLength(Decision, frozen=True):
    """JA-D09 The length of a forced march that may go the whole way."""

    rule = "JA-343"

    units: tuple[UnitId, ...]
    path: tuple[AreaId, ...]

    def form(self, state: JoanState) -> One:
        """Up to two areas."""
        return only(tuple(MarchOn(areas) for areas in range(FARTHEST, -1, -1)))

    def resolve(self, r: Resolver[JoanState], choice: MarchOn) -> Flow:
        """The group marches this far, or stays."""
        if choice.areas:
            return Call(Walking(self.units, self.path[: choice.areas], "march"))
        for unit in self.units:
            wait(r, unit, "JA-343")
        return NEXT


class Marching(Procedure, frozen=True):
    """JA-340 to JA-343: a group rolls one yellow die and goes as far as it allows."""

    units: tuple[UnitId, ...]
    path: tuple[AreaId, ...]

    @step("JA-340")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q77: the reroll token may be used on it."""
        seat = unit_of(r.state, self.units[0]).owner
        r.roll(1, "JA-340", "Forced march", seat=seat, about=self.units, kinds=("yellow",))
        return ask(RerollOffer(seat)) if seat is not None and r.state.boards[seat].reroll else NEXT

    @step("JA-341", "JA-342", "JA-343")
    def go(self, r: Resolver[JoanState]) -> Flow:
        """One area by a push, none by a disrupt, two by any other face."""
        far = forced_march(face("yellow", last_die(r.state)))
        seat = unit_of(r.state, self.units[0]).owner
        if far == FARTHEST and seat is not None:
            return ask(MarchLength(seat, self.units, self.path))
        if far:
            return Call(Walking(self.units, self.path[:far], "march"))
        for unit in self.units:
            wait(r, unit, "JA-342")
        return NEXT

    @step("JA-093")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The march is over."""
        return DONE
