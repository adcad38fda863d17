"""A position and what is made of it: `given(...)`, then choices, then events and state."""

from collections.abc import Sequence
from typing import Any, TypeVar

from domain.kernel import Asked, Choice, Event, NotOffered, Play, Resolver, Seat, decide
from domain.war_for_edadh import GAME
from domain.war_for_edadh.positions.positions import POSITIONS
from domain.war_for_edadh.rules.choosing import ChooseTroop
from domain.war_for_edadh.rules.round import LayCards
from domain.war_for_edadh.state.state import Secondary, Side, WarState
from tests.domain.script import Script

E = TypeVar("E", bound=Event)
NO_MODULES = {
    "without_combat_masters": True,
    "without_standards": True,
    "without_stratagems": True,
    "without_compositions": True,
    "without_support": True,
}


class Table:
    """A match from a position on."""

    def __init__(self, position: dict[str, Any], options: dict[str, Any], dice: Sequence[int], at: str) -> None:
        self.state, procedure = POSITIONS.read(position, options)
        self.chance = Script(dice)
        self.events: list[Event] = []
        resolver = Play(GAME, self.state, self.chance)
        resolver.resume(procedure, at)
        self._take(resolver)

    def _take(self, resolver: Resolver[WarState]) -> None:
        self.state = resolver.state
        self.events += resolver.events

    def asked(self, seat: int) -> Asked:
        return next(asked for asked in self.state.asked if asked.seat == seat)

    def kinds(self) -> list[str]:
        return [f"{asked.seat} {asked.kind}" for asked in self.state.asked]

    def offers(self, seat: int) -> list[Choice]:
        return list(GAME.revive_decision(self.asked(seat)).form(self.state))

    def when(self, seat: int, choice: Choice) -> "Table":
        self._take(decide(GAME, self.state, Seat(seat), self.asked(seat).number, choice, self.chance))
        return self

    def lay(self, first: int, second: int, ours: Secondary = "", theirs: Secondary = "") -> "Table":
        return self.when(0, LayCards(first, ours)).when(1, LayCards(second, theirs))

    def choose(self, *troops: str) -> "Table":
        for troop in troops:
            self.when(self.state.asked[0].seat, ChooseTroop(troop))
        return self

    def refused(self, seat: int, choice: Choice) -> str:
        try:
            self.when(seat, choice)
        except NotOffered as refusal:
            return refusal.rule
        raise AssertionError(f"{choice} was taken")

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        (event,) = self.all(kind)
        return event

    def side(self, seat: int) -> Side:
        return self.state.sides[seat]


def given(
    position: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    dice: Sequence[int] = (),
    at: str = "",
) -> Table:
    """A table that stands at the position's first question."""
    return Table(position or {}, options or {}, dice, at)


def state_of(position: dict[str, Any] | None = None, options: dict[str, Any] | None = None) -> WarState:
    """A position alone."""
    return POSITIONS.read(position or {}, options or {})[0]


def troop(
    code: str, level: str = "melee", kind: str = "", scope: str = "", amount: int = 0, **fields: Any
) -> dict[str, Any]:
    """A Troop of the test's own with at most one composition."""
    own: dict[str, Any] = dict(fields)
    if kind:
        symbol: dict[str, Any] = {"level": level, "kind": kind}
        if scope:
            symbol |= {"scope": scope, "amount": amount}
        own["compositions"] = [symbol]
    return {code: own}


def columns(*given_columns: str) -> list[list[str]]:
    """`"A1 DZ01, A2 DZ02"` per column, front first."""
    return [[card.strip() for card in column.split(",") if card.strip()] for column in given_columns]
