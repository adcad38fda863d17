"""A position and what is made of it: `given(...)`, then choices as scenarios write them, then events and state."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from domain.disciples_legacy import GAME
from domain.disciples_legacy.positions.positions import POSITIONS
from domain.disciples_legacy.state.state import City, Mana, Member, MemberId, Party, PlaceId, Side
from domain.disciples_legacy.state.stats import hp
from domain.kernel import Asked, Choice, Event, NotOffered, NotYours, Play, Seat, decide
from tests.domain.script import Script

E = TypeVar("E", bound=Event)
KINDS = {kind.__name__: kind for kind in GAME.spec.choices}
Parties = list[dict[str, str]]


def choice_of(text: str) -> Choice:
    """`Assault K T` as a choice: its name, then its values in the order of its fields."""
    name, *values = text.split()
    kind = KINDS[name]
    fields = msgspec.structs.fields(kind)
    given: dict[str, Any] = {}
    for number, field in enumerate(fields[: len(values)]):
        last = number == len(fields) - 1
        is_list = last and "tuple" in str(field.type)
        given[field.name] = values[number:] if is_list else values[number]
    return msgspec.convert(given, kind, strict=False)


def text_of(choice: Choice) -> str:
    """A choice as `choice_of` reads it; empty values are left out."""
    values = msgspec.structs.astuple(choice)
    flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    return " ".join([type(choice).__name__, *(str(item) for item in flat if item != "")])


class Table:
    """A match from a position on."""

    def __init__(self, position: dict[str, Any], options: dict[str, Any], dice: Sequence[int], at: str) -> None:
        self.state, procedure = POSITIONS.read(position, options)
        self.chance = Script(dice)
        self.events: list[Event] = []
        resolver = Play(GAME, self.state, self.chance)
        resolver.resume(procedure, at)
        self.state, self.events = resolver.state, [*resolver.events]

    def asked(self, seat: int | None = None) -> Asked:
        return next(asked for asked in self.state.asked if seat is None or asked.seat == seat)

    def kinds(self) -> list[str]:
        return [f"{asked.seat} {asked.kind}" for asked in self.state.asked]

    def offers(self, seat: int | None = None) -> list[str]:
        return [text_of(choice) for choice in GAME.revive_decision(self.asked(seat)).form(self.state)]

    def do(self, *choices: str) -> "Table":
        """Choices in turn, each of the first player who is asked, or of the seat named, as in `1: Pass`."""
        for text in choices:
            seat, _, rest = text.rpartition(": ")
            self.answer(choice_of(rest), int(seat) if seat else None)
        return self

    def answer(self, choice: Choice, seat: int | None = None) -> "Table":
        asked = self.asked(seat)
        resolver = decide(GAME, self.state, Seat(asked.seat), asked.number, choice, self.chance)
        self.state = resolver.state
        self.events += resolver.events
        return self

    def refused(self, text: str) -> str:
        """The rule that refuses a choice of the player who is asked."""
        try:
            self.do(text)
        except NotOffered as refusal:
            return refusal.rule
        raise AssertionError(f"{text} was taken")

    def not_asked(self, seat: int, text: str) -> bool:
        """Whether a choice is refused because it is not the player's to make."""
        try:
            decide(GAME, self.state, Seat(seat), self.asked().number, choice_of(text), self.chance)
        except NotYours:
            return True
        return False

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        (event,) = self.all(kind)
        return event

    def member(self, name: str) -> Member:
        return self.state.members[MemberId(name)]

    def party(self, leader: str) -> Party:
        return self.state.parties[MemberId(leader)]

    def city(self, name: str) -> City:
        return self.state.cities[PlaceId(name)]

    def mana(self, name: str) -> Mana:
        return self.state.mana[PlaceId(name)]

    def hp(self, name: str) -> int:
        return hp(self.state, MemberId(name))

    def side(self, seat: int) -> Side:
        return self.state.sides[seat]


def given(
    seat0: dict[str, Any] | None = None,
    seat1: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    dice: Sequence[int] = (),
    at: str = "",
    **position: Any,
) -> Table:
    """A table that stands at the position's first question."""
    sides = {name: side for name, side in (("seat0", seat0), ("seat1", seat1)) if side is not None}
    return Table({**position, **sides}, options or {}, dice, at)


def fight(ours: Parties, theirs: Parties, to_act: int = 0, **position: Any) -> Table:
    """Round 1 of a Battle between the first Party of each, which are named K and D after their Leaders."""
    attack = {"leader": "K", "target": "D"}
    battle = {"round": 1, "to_act": to_act, **position.pop("battle", {})}
    sides = {
        "seat0": {"parties": ours, **position.pop("seat0", {})},
        "seat1": {"parties": theirs, **position.pop("seat1", {})},
    }
    return Table({"start": "BattleRound", "attack": attack, "battle": battle, **position, **sides}, {}, (), "")
