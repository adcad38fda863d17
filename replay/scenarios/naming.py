"""The names that a position allows.

A scenario may claim that a choice is not offered, or that an event never happens. If the claim misspells a Unit, it
holds and proves nothing. Therefore every name in such a claim must be one that the position knows.
"""

import re
import sys
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain import kernel
from domain.kernel import Game, Hidden, Named, Refusal, Seat, State
from replay.scenarios.errors import ScenarioInvalid

S = TypeVar("S", bound=State)
Fields = dict[str, Any]

ROW: Final = re.compile(r"\b[A-Z]{2}-[A-Z]{0,2}\d+[a-z]?\b")
QUOTED: Final = re.compile(r'"([^"\\\n{}]{1,60})"')
MOST_TOLD: Final = 40
"""The greatest number of allowed names that an error lists."""
RULE_FIELDS: Final = ("rule", "rules")
REFUSALS: Final[tuple[type[Refusal], ...]] = (Refusal, *Refusal.__subclasses__())
CODES: Final = frozenset(kind.code for kind in REFUSALS if kind.__module__ == Refusal.__module__)


class Atoms(Struct, frozen=True):
    """The parts of a field's type: the words that are allowed, and whether it holds texts, numbers, seats or tables."""

    words: frozenset[str]
    text: bool
    number: bool
    seat: bool
    table: bool


class Names(Generic[S]):
    """The names known in a position and in all its consequences so far."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game
        self._states: list[S] = []
        self._strings: set[str] = set()
        self._fields: dict[str, dict[Any, None]] = {}
        self._read = 0

    def learn(self, state: S) -> None:
        """Add another state of the scenario."""
        self._states.append(state)

    def knows(self, name: str) -> bool:
        """Whether something has or had this name."""
        return name in self._known(self._own())

    def check(self, place: str, kind: type[Struct], fields: Fields) -> None:
        """Raise `ScenarioInvalid` if a field of a choice or event has a name that is unknown here."""
        hints = get_type_hints(kind)
        own = self._own()
        for name, value in fields.items():
            if name not in hints:
                continue
            atoms = atoms_of(hints[name])
            for leaf in _leaves(value):
                wrong = self._unknown(name, leaf, atoms, own)
                if wrong is not None:
                    said = f"{kind.__name__}.{name}: {leaf!r} is not known here"
                    raise ScenarioInvalid(f"[{place}]: {said}; {_told(wrong)}")

    def check_rule(self, place: str, rule: str) -> None:
        """Raise `ScenarioInvalid` for a row that the game's rules do not have."""
        rows = rows_of(self._game)
        if rows and rule not in rows:
            raise ScenarioInvalid(f"[{place}]: {self._game.name} has no row {rule!r}; {_told(_like(rule, rows))}")

    def check_seat(self, place: str, seat: int) -> None:
        """Raise `ScenarioInvalid` for a seat that does not exist."""
        seats = len(self._states[-1].players)
        if not 0 <= seat < seats:
            raise ScenarioInvalid(f"[{place}]: there is no seat {seat}; allowed: {', '.join(map(str, range(seats)))}")

    def _unknown(
        self, field: str, leaf: object, atoms: Atoms, own: Mapping[str, Collection[Any]]
    ) -> Collection[Any] | None:
        """The allowed words if a leaf is not one of them; None if it is known."""
        if leaf is None or isinstance(leaf, bool | float) or leaf in {"?", ""}:
            return None
        if isinstance(leaf, int):
            seats = range(len(self._states[-1].players))
            allowed: Collection[Any] = seats if atoms.seat else own.get(field, ()) if atoms.number else ()
            return None if not allowed or leaf in allowed else allowed
        if field in RULE_FIELDS:
            rows = rows_of(self._game)
            return None if leaf in rows or not rows else _like(str(leaf), rows)
        if leaf in atoms.words:
            return None
        if not atoms.text:
            return atoms.words or None
        if field in own and not atoms.table:
            return None if leaf in own[field] else own[field]
        known = self._known(own)
        return None if leaf in known or leaf in _said_by(self._game) else _like(str(leaf), known)

    def _own(self) -> Mapping[str, Collection[Any]]:
        """The names in the notation, by field, in any state so far, because a unit may be gone."""
        positions = self._game.spec.positions
        for state in self._states[self._read :]:
            self._strings.update(_strings(msgspec.to_builtins(state, enc_hook=str, str_keys=True)))
            for field, words in positions.names(state).items() if isinstance(positions, Named) else ():
                self._fields.setdefault(field, {}).update(dict.fromkeys(words))
        self._read = len(self._states)
        return self._fields

    def _known(self, own: Mapping[str, Collection[Any]]) -> set[str]:
        return self._strings | {str(word) for words in own.values() for word in words}


def _told(allowed: Collection[Any]) -> str:
    listed = [str(word) for word in allowed][:MOST_TOLD]
    more = " ..." if len(allowed) > MOST_TOLD else ""
    return f"allowed: {', '.join(listed)}{more}" if listed else "nothing of that kind can be named here"


def _like(word: str, known: Collection[str]) -> list[str]:
    """The nearest known words, as many as fit into an error."""
    short = sorted((each for each in known if each and len(each) <= MOST_TOLD), key=lambda each: (len(each), each))
    first = [each for each in short if word and each[:1].casefold() == word[:1].casefold()]
    return [*first, *(each for each in short if each not in first)]


def _leaves(value: object) -> Iterator[object]:
    """All single values in plain data, without the keys of tables, which are names of fields or of things."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _strings(value: object) -> Iterator[str]:
    """Every text in plain data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _strings(inner)


@cache
def atoms_of(hint: Any) -> Atoms:
    """The parts of a type, including those of structs inside it."""
    words, kinds = set[str](), set[Any]()
    _gather(hint, words, kinds, set())
    return Atoms(frozenset(words), str in kinds, int in kinds, Seat in kinds, Struct in kinds)


def _gather(hint: Any, words: set[str], kinds: set[Any], seen: set[Any]) -> None:
    if hint is Seat:
        kinds.add(Seat)
        return
    supertype = getattr(hint, "__supertype__", None)
    if supertype is not None:
        _gather(supertype, words, kinds, seen)
    elif get_origin(hint) is Literal:
        words.update(word for word in get_args(hint) if isinstance(word, str))
    elif isinstance(hint, type) and issubclass(hint, Enum):
        words.update(str(member.value) for member in hint)
    elif isinstance(hint, type) and issubclass(hint, Struct):
        if hint not in seen and not issubclass(hint, Hidden):
            seen.add(hint)
            kinds.add(Struct)
            for inner in get_type_hints(hint).values():
                _gather(inner, words, kinds, seen)
    elif get_args(hint):
        for inner in get_args(hint):
            if inner is not ...:
                _gather(inner, words, kinds, seen)
    else:
        kinds.add(hint)


@cache
def _found_in(folder: Path, pattern: re.Pattern[str]) -> frozenset[str]:
    files = folder.rglob("*.py") if folder.is_dir() else [folder]
    return frozenset(found for each in files for found in pattern.findall(each.read_text(encoding="utf-8")))


def home_of(game: Game[Any]) -> Path:
    """The folder of the game's package, or its file if the game is a single module."""
    module = type(game.spec.positions).__module__
    package = module.removesuffix(".positions").removesuffix(".positions")
    path = Path(str(sys.modules[package].__file__))
    return path.parent if path.name == "__init__.py" else path


def rows_of(game: Game[Any]) -> frozenset[str]:
    """Every row that the game's modules name; none if their source is not there."""
    return _found_in(home_of(game), ROW)


def _said_by(game: Game[Any]) -> frozenset[str]:
    """The strings in the source of the rules, such as reasons why a match has ended."""
    return _found_in(home_of(game), QUOTED) | _found_in(Path(str(kernel.__file__)).parent, QUOTED)
