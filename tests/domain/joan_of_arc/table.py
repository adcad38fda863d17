"""A position and what is made of it: `given(...)`, then choices as scenarios write them, then events and state."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.dice import FACES, Face
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import Asked, Choice, Event, NotOffered, Play, Seat, decide
from tests.domain.script import Script

__all__ = ["GAME", "Table", "given", "rolled"]
E = TypeVar("E", bound=Event)
KINDS = {kind.__name__: kind for kind in GAME.spec.choices}
FACE_LETTERS = {
    "K": Face.KILL,
    "D": Face.DISRUPT,
    "P": Face.PUSH,
    "S": Face.SHIELD,
    "B": Face.BLANK,
    "T": Face.TRAMPLE,
}


def rolled(text: str) -> list[int]:
    """`red=K white=B doom=rally`: dice in tape order (ledger 0.4), as the values that show these faces."""
    values = []
    for word in text.split():
        die, _, shown = word.partition("=")
        face = FACE_LETTERS.get(shown) or Face(shown)
        values.append(FACES[die].index(face) + 1)  # type: ignore[index]  # a test names dice that there are
    return values


def choice_of(text: str) -> Choice:
    """`PlayOrder command 0,0:a` as a choice: its name, then its values in the order of its fields."""
    name, *values = text.split()
    kind = KINDS[name]
    given: dict[str, Any] = {}
    for number, field in enumerate(msgspec.structs.fields(kind)):
        if "tuple" in str(field.type):
            given[field.name] = values[number:]
        elif number < len(values):
            given[field.name] = values[number]
    return msgspec.convert(given, kind, strict=False)


def text_of(choice: Choice) -> str:
    """A choice as `choice_of` reads it; empty values are left out."""
    values = msgspec.structs.astuple(choice)
    flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    return " ".join([type(choice).__name__, *(str(item) for item in flat if item not in {"", None})])


class Table:
    """A match from a position on."""

    def __init__(self, position: dict[str, Any], dice: Sequence[int]) -> None:
        self.state, procedure = POSITIONS.read(position, {})
        self.chance = Script(dice)
        self.events: list[Event] = []
        resolver = Play(GAME, self.state, self.chance)
        resolver.resume(procedure)
        self._take(resolver)

    def _take(self, resolver: Play[JoanState]) -> None:
        self.state = resolver.state
        self.events += resolver.events

    def asked(self, seat: int | None = None) -> Asked:
        return next(asked for asked in self.state.asked if seat is None or asked.seat == seat)

    def kinds(self) -> list[str]:
        return [f"{asked.seat} {asked.kind}" for asked in self.state.asked]

    def offers(self, seat: int | None = None) -> list[str]:
        return [text_of(choice) for choice in GAME.revive_decision(self.asked(seat)).form(self.state)]

    def roll(self, text: str) -> "Table":
        """The dice that come next, as `rolled` reads them."""
        self.chance.add(rolled(text))
        return self

    def do(self, *choices: str) -> "Table":
        """Choices in turn, each of the first player who is asked, or of the seat named, as in `1: LetPass`."""
        for text in choices:
            seat, _, rest = text.rpartition(": ")
            self.answer(choice_of(rest), int(seat) if seat else None)
        return self

    def answer(self, choice: Choice, seat: int | None = None) -> "Table":
        """A choice of the first player who is asked, or of the seat named."""
        asked = self.asked(seat)
        self._take(decide(GAME, self.state, Seat(asked.seat), asked.number, choice, self.chance))
        return self

    def refused(self, text: str) -> str:
        """The rule that refuses a choice of the player who is asked."""
        try:
            self.do(text)
        except NotOffered as refusal:
            return refusal.rule
        raise AssertionError(f"{text} was taken")

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def unit(self, name: str) -> Unit:
        return self.state.field.units[UnitId(name)]

    def at(self, name: str) -> str:
        """Where a unit is: its area as positions call it, or the section it lies in."""
        shown: dict[str, Any] = POSITIONS.show(self.state)["units"][name]
        return str(shown["at"])

    def shown(self) -> dict[str, Any]:
        return POSITIONS.show(self.state)


def given(dice: str = "", **position: Any) -> Table:
    """A position of the notation, and the dice of everything that is rolled in it."""
    return Table(position, rolled(dice))
