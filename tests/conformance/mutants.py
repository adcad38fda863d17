"""Games that leak on purpose: each secret field of a game, in each of the ways in which a secret can leak.

The possible leaks are computed from the game's types: every field of an event that names an audience, and the places in
the state that get its value. A mutant is the same game with one leak, in this process alone. `caught` runs checks of
the conformance suite on it and returns their findings. A leak that they do not find is a hole in the proof.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import cache
from typing import Any, Final
from unittest.mock import patch
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.kernel import HIDDEN, Choice, Event, Hidden, One, Resolver, Seat
from domain.kernel.secret import slots_of
from domain.kernel.state import plain
from projections.face import Face
from server.conformance.places import Key, Path, differing, leaves
from server.conformance.walks import AnyGame, PlayedGame
from server.conformance.watching import watch
from tests.conformance.showing import FACES
from tests.conformance.watching import SEEDS, matches

NEVER: Final[Mapping[str, str]] = {
    "DecisionsOpened.stack": "holds public facts only: `worlds.indistinguishable` compares it whole",
    "Chosen.signed": "is made by clients, not by a game; no match of the suite has it",
    "SeatBriefed.view": "is written by the kernel where a position is set, from what each seat was sent",
    "PositionSet.world": "the same",
}
"""Secret fields of the kernel's own events that no game's rules fill."""

TOLD: Final = ("twin", "sum", "count", "order", "presence")
"""Ways for an event to tell: a public field with the value, or a number made of it, or how many there are of something
in it; whether another event comes before it or after it, or at all."""

SHOWN: Final = ("options", "refusal", "narration", "scene")
"""Ways to leak from the state: the possible choices, the reasons of refusals, words, and the Scene."""

WAYS: Final = (*TOLD, *SHOWN)

ENOUGH: Final = 3
"""How often a field is examined to find the places of its values."""

LONG: Final = 400
"""Choices of a match that is looked at."""


class Field(Struct, frozen=True, order=True):
    """A secret field of an event."""

    event: str
    name: str

    def __str__(self) -> str:
        return f"{self.event}.{self.name}"


class Omen(Event, frozen=True):
    """An event that says nothing by itself."""


def secret_fields(game: AnyGame) -> list[Field]:
    """Every field of a game's events that some viewer may not see."""
    fields = (Field(name, slot.name) for name, event in game.events.items() for slot in game.slots[event])
    return [field for field in fields if str(field) not in NEVER]


def digest(value: object) -> int:
    """A number made of all parts of a value and their order."""
    return sum(place * number(leaf) for place, leaf in enumerate(leaves(plain(value)).values(), 1))


def number(leaf: object) -> int:
    """A number for a text; a number is itself."""
    return leaf if isinstance(leaf, int) else crc32(str(leaf).encode()) % 997


def odd(value: object) -> int:
    """How many parts are odd where their place is odd, or even where it is even."""
    return sum(number(leaf) % 2 == place % 2 for place, leaf in enumerate(leaves(plain(value)).values()))


def coin(value: object) -> int:
    """0 or 1, by a value as a whole."""
    return crc32(msgspec.json.encode(value)) & 1


PUBLISHED: Final[Mapping[str, Callable[[object], object]]] = {"twin": plain, "sum": digest, "count": odd}


class Mutant(Struct, frozen=True):
    """A game, one of its secret fields, and how it leaks."""

    game: AnyGame
    field: Field
    way: str

    def __str__(self) -> str:
        return f"{self.game.name}-{self.field}-{self.way}"

    @property
    def kind(self) -> type[Event]:
        """The event with the secret field."""
        return self.game.events[self.field.event]


def caught(mutant: Mutant, more: Sequence[int] = ()) -> str:
    """The findings of the suite's checks on a mutant in the matches of every run; "" if they find nothing.

    `more`: the seeds of further matches, which are looked at last.
    """
    first = {seed: place for place, seed in enumerate(SEEDS)}
    looked_at = sorted(matches(mutant.game), key=lambda match: first.get(match[1], -1))
    with leaking(mutant) as (game, face):
        for table, seed in [*looked_at, *((PlayedGame(mutant.game, {}), seed) for seed in more)]:
            try:
                watch(PlayedGame(game, table.options), seed, face=face)
            except AssertionError as found:
                return str(found)
    return ""


def names(mutant: Mutant, message: str) -> bool:
    """Whether a message names the leak: the event and its field, or a place of the state that holds a secret.

    A value may be in another place, or in the choice that is being made, before it gets to its place.
    """
    if mutant.way in PUBLISHED:
        return f"{mutant.field.event}.twin" in message
    if mutant.way in TOLD:
        return any(both in message for both in (f"{mutant.field.event}/Omen", f"Omen/{mutant.field.event}"))
    game = mutant.game
    places = {pattern_of(place) for field in secret_fields(game) for place in lying(game, field)}
    return "what was chosen" in message or any(re.search(place, message) for place in places)


@contextmanager
def leaking(mutant: Mutant) -> Iterator[tuple[AnyGame, Face[Any]]]:
    """The mutant's game and face; only inside do its rules leak."""
    face = FACES[mutant.game.name]
    with ExitStack() as patches:
        if mutant.way in PUBLISHED:
            game = _published(mutant, patches)
            yield game, _reading(face, game, mutant.kind)
        elif mutant.way in TOLD:
            game = _ordered(mutant, patches)
            yield game, _reading(face, game, mutant.kind)
        elif mutant.way in ("options", "refusal"):
            _offered(mutant, patches)
            yield mutant.game, face
        else:
            yield mutant.game, _remembering(mutant, face, patches)


def _published(mutant: Mutant, patches: ExitStack) -> AnyGame:
    """A game whose event has one public field more, which nothing folds."""
    kind, name = mutant.kind, mutant.field.name
    twinned: Any = msgspec.defstruct(
        kind.__name__, [("twin", Any, None)], bases=(kind,), frozen=True, module=kind.__module__
    )
    made = PUBLISHED[mutant.way]

    def told(event: Event) -> tuple[Event, ...]:
        value = getattr(event, name)
        return (twinned(**_fields(event), twin=None if value is HIDDEN else made(value)),)

    _emitting(kind, told, patches)
    return _with(mutant.game, kind, twinned)


def _ordered(mutant: Mutant, patches: ExitStack) -> AnyGame:
    """A game with an event that says nothing, but where or whether it happens does."""
    name, present = mutant.field.name, mutant.way == "presence"

    def told(event: Event) -> tuple[Event, ...]:
        value = getattr(event, name)
        if value is not HIDDEN and coin(value):
            return Omen(), event
        return (event,) if present else (event, Omen())

    _emitting(mutant.kind, told, patches)
    return _with(mutant.game, mutant.kind, Omen)


def _with(game: AnyGame, kind: type[Event], further: type[Event]) -> AnyGame:
    """The game with another event: one that folds as `kind` does under the same name, or one that changes nothing."""
    changed = copy(game)
    twin = further.__name__ == kind.__name__
    evolve = game.evolve[kind] if twin else lambda state, _: state
    changed.events = {**game.events, further.__name__: further}
    changed.slots = {**game.slots, further: slots_of(further)}
    changed.evolve = {**game.evolve, further: evolve}
    return changed


def _fields(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _emitting(kind: type[Event], told: Callable[[Event], tuple[Event, ...]], patches: ExitStack) -> None:
    """From now on rules that emit an event of the kind emit the result of `told` instead."""
    emit = Resolver.emit

    def emit_told(self: Resolver[Any], event: Event) -> None:
        for one in told(event) if type(event) is kind else (event,):
            emit(self, one)

    patches.enter_context(patch.object(Resolver, "emit", emit_told))


def _reading(face: Face[Any], game: AnyGame, kind: type[Event]) -> Face[Any]:
    """The mutant game's face, which tells the events that leak as it tells the game's own."""

    def narrate(before: Any, after: Any, event: Event, viewer: Seat | None) -> str:
        if isinstance(event, Omen):
            return ""
        if isinstance(event, kind) and type(event) is not kind:
            event = kind(**{name: getattr(event, name) for name in kind.__struct_fields__})
        return face.narrate(before, after, event, viewer)

    return replace(face, game=game, narrate=narrate)


def _offered(mutant: Mutant, patches: ExitStack) -> None:
    """Forms that offer less, or in another order, or say more in refusals, depending on hidden values."""
    changed = _fewer if mutant.way == "options" else _talkative
    for decision in mutant.game.spec.decisions:
        form = decision.form

        def told(self: Any, state: Any, form: Any = form) -> Any:
            return changed(form(self, state), held(mutant.game, mutant.field, state))

        patches.enter_context(patch.object(decision, "form", told))


def _fewer(form: Any, values: object) -> Any:
    if not coin(values):
        return form
    if isinstance(form, One):
        return replace(form, choices=form.choices[:-1] or form.choices)
    turned = {
        name: type(value)(reversed(value)) if isinstance(value, tuple) else dict(reversed(value.items()))
        for name, value in asdict(form).items()
        if isinstance(value, tuple | dict)
    }
    return replace(form, **turned)


@cache
def _refusing(form: Any) -> Any:
    def check(self: Any, choice: Choice) -> str:
        why: str = form.check(self, choice)
        return f"{why} ({self.told})" if why else why

    told = [("told", int, 0)]
    return msgspec.defstruct(form.__name__, told, bases=(form,), frozen=True, namespace={"check": check})


def _talkative(form: Any, values: object) -> Any:
    plainly: Any = type(form)
    kind = _refusing(plainly)
    return kind(**{name: getattr(form, name) for name in plainly.__struct_fields__}, told=digest(values))


def _remembering(mutant: Mutant, face: Face[Any], patches: ExitStack) -> Face[Any]:
    """A face that learns from the rules a value that its view does not hold."""
    emit, last = Resolver.emit, [0]

    def emit_and_remember(self: Resolver[Any], event: Event) -> None:
        emit(self, event)
        last[0] = digest(held(mutant.game, mutant.field, self.state))

    patches.enter_context(patch.object(Resolver, "emit", emit_and_remember))

    def narrate(before: Any, after: Any, event: Event, viewer: Seat | None) -> str:
        return f"{face.narrate(before, after, event, viewer)} {last[0]}"

    def scene(view: Any, viewer: Seat | None) -> dict[str, Any]:
        drawn = face.scene(view, viewer)
        return {**drawn, "crumbs": [*drawn.get("crumbs", []), str(last[0])]}

    return replace(face, narrate=narrate) if mutant.way == "narration" else replace(face, scene=scene)


@cache
def lying(game: AnyGame, field: Field) -> frozenset[Path]:
    """The places in the state that get a field's value; `*` stands for any seat, piece or place in a row.

    Seen in random matches: where an event folds otherwise without the value. Nowhere, if the rules do not keep it.
    """
    found: set[Path] = set()
    times = 0
    for table, seed in matches(game):
        for state, event in _secrets(game, table, seed):
            if type(event).__name__ == field.event and getattr(event, field.name) is not HIDDEN:
                without = replace(event, **{field.name: HIDDEN})
                fold = game.evolve[type(event)]
                found |= {_any(place) for place in differing(fold(state, event), fold(state, without))}
                times += 1
        if times >= ENOUGH:
            break
    return frozenset(found)


def filled(game: AnyGame, within: Sequence[tuple[PlayedGame, int]]) -> list[Field]:
    """The secret fields that hold something in some matches; the other fields are empty, or do not occur in these."""
    values: dict[Field, set[bytes]] = {field: set() for field in secret_fields(game)}
    for _, event in (found for table, seed in within for found in _secrets(game, table, seed)):
        for slot in game.slots[type(event)]:
            field, value = Field(type(event).__name__, slot.name), getattr(event, slot.name)
            if field in values and value is not HIDDEN:
                values[field].add(msgspec.json.encode(value))
    return [field for field, held in values.items() if held - {b"[]"}]


_played: dict[tuple[str, bytes, int], list[tuple[Any, Event]]] = {}


def _secrets(game: AnyGame, table: PlayedGame, seed: int) -> list[tuple[Any, Event]]:
    """The events of a match that hold something secret, each with the state before it."""
    name = (game.name, msgspec.json.encode(table.options), seed)
    if name not in _played:
        walk = table.walk(seed)
        list(walk.steps(LONG))
        found, state = [], game.fold(walk.events[:1])
        for event in walk.events[1:]:
            if any(getattr(event, slot.name) is not HIDDEN for slot in game.slots[type(event)]):
                found.append((state, event))
            state = game.fold((event,), state)
        _played[name] = found
    return _played[name]


def _any(place: Path) -> Path:
    return tuple("*" if isinstance(part, int | Key) else part for part in place)


def held(game: AnyGame, field: Field, state: Any) -> list[object]:
    """What lies in a state, or in a view, where the field's values lie."""
    found: list[object] = []
    for place in sorted(lying(game, field)):
        _gather(state, place, found)
    return found


def _gather(value: Any, place: Path, found: list[object]) -> None:
    if isinstance(value, Hidden) or value is None:
        return
    if not place:
        found.append(value)
    elif place[0] == "*":
        for part in value.values() if isinstance(value, dict) else value:
            _gather(part, place[1:], found)
    elif isinstance(value, Struct):
        _gather(getattr(value, str(place[0])), place[1:], found)


def pattern_of(place: Path) -> str:
    """How a place of the state is named in a message."""
    return r"\.".join(r"\w+" if part == "*" else re.escape(str(part)) for part in place)
