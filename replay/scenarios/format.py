"""The format of scenario files (docs/scenarios.md): a position as text, choices with scripted chance, and claims.

The files are TOML, one scenario per file. Any key that is not listed below is refused with the keys that are allowed.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.commons.notation import in_words
from replay.scenarios.errors import ScenarioInvalid

Fields = dict[str, Any]


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; its fields are the keys that are allowed."""


class Then(_Table, frozen=True):
    """The claims to check.

    `events`: in this order, others may come between; `exact`: no others (the kernel's own events count only if
    named). `never`: types or patterns that must not occur. `asked`: the seats that are asked now, and their questions,
    as `seat0 Kind`. `offers`: the options of the open decision, or per seat; a last `"..."` allows others. `state` and
    `sees`: paths to values as the game's notation shows them, the latter per viewer (`seat0`, `seat1`, `spectator`).
    `result`: how the match ended.

    `sent`: as `events`, but per viewer, for the events as that viewer was sent them, with `"?"` for hidden parts;
    `never_sent`: none of these. `gets`: as `sees`, for a client that connects now and folds all it is sent.
    `not_asked`: kinds, or `seat0 Kind`, that nobody was asked since the last choice. `offered`: these may be chosen,
    among others; `not_offered`: these may not, optionally as `{ choice = "...", rule = "..." }`; both also per seat.
    """

    events: list[str | Fields] = []
    exact: bool = False
    never: list[str | Fields] = []
    asked: list[str] | None = None
    offers: list[str | Fields] | dict[str, list[str | Fields]] | None = None
    state: Fields = {}
    sees: dict[str, Fields] = {}
    result: Fields = {}
    sent: dict[str, list[str | Fields]] = {}
    never_sent: dict[str, list[str | Fields]] = {}
    gets: dict[str, Fields] = {}
    not_asked: list[str] = []
    offered: list[str | Fields] | dict[str, list[str | Fields]] = []
    not_offered: list[str | Fields] | dict[str, list[str | Fields]] = []


class Begin(_Table, frozen=True):
    """The beginning before the first choice: scripted chance, and the claims to check."""

    dice: list[int | str] = []
    shuffles: list[str | list[int | str]] = []
    then: Then = Then()


class When(_Table, frozen=True):
    """One choice.

    Exactly one of `choice` (a tagged table or the short form), `answer` (as a person's client gives it: an option's
    number, item ids, or item to slot), `time_out` (the decision's default) and `act` (an act of a seat at the table
    beside its choices, such as `resign` or `offer draw`). `decision`: the expected kind. `dice`: faces in order, or
    groups such as `"VD-217: 6 2 4"`, which also check the purpose of the roll. `shuffles`: one per shuffle, `"as is"`,
    `"reversed"`, or the old places (from 0) in their new order; a last `"..."` leaves the rest as it is. `refused`: how
    the choice is refused: the row that forbids it, the row of the question, the code, or words of the sentence.
    """

    seat: int
    choice: str | Fields | None = None
    answer: str | int | list[str] | dict[str, str] | None = None
    time_out: bool = False
    act: str = ""
    decision: str = ""
    dice: list[int | str] = []
    shuffles: list[str | list[int | str]] = []
    refused: str = ""
    then: Then = Then()


class Case(_Table, frozen=True):
    """One of several cases that share the file's position; its values override those of the file.

    `name` is a letter or a word. `position` and `options` are merged into the file's, table by table; `begin`
    replaces the file's; `when` follows the file's choices.
    """

    name: str
    title: str = ""
    about: str = ""
    rules: list[str] = []
    position: Fields = {}
    options: Fields = {}
    at: str = ""
    begin: Begin | None = None
    when: list[When] = []


class Scenario(_Table, frozen=True):
    """A whole file. `at`: the step of the position's procedure to begin with; empty for the first."""

    title: str
    game: str
    about: str = ""
    rules: list[str] = []
    seats: list[str] = []
    options: Fields = {}
    position: Fields = {}
    at: str = ""
    begin: Begin = Begin()
    when: list[When] = []
    case: list[Case] = []

    def cases(self) -> "dict[str, Scenario]":
        """Each case as a scenario of its own, by name; a file without cases is under ""."""
        if not self.case:
            return {"": self}
        return {case.name: self._with(case) for case in self.case}

    def _with(self, case: Case) -> "Scenario":
        return replace(
            self,
            title=f"{self.title} ({case.name}{': ' if case.title else ''}{case.title})",
            about=case.about or self.about,
            rules=[*self.rules, *case.rules],
            position=_merged(self.position, case.position),
            options=_merged(self.options, case.options),
            at=case.at or self.at,
            begin=self.begin if case.begin is None else case.begin,
            when=[*self.when, *case.when],
            case=[],
        )


def _merged(shared: Fields, own: Fields) -> Fields:
    """A table with another's keys merged into it, recursively."""
    both = {key: _merged(shared[key], own[key]) for key in own if _are_tables(shared.get(key), own[key])}
    return {**shared, **own, **both}


def _are_tables(*values: object) -> bool:
    return all(isinstance(value, dict) for value in values)


_TABLES: Final[dict[str, type[_Table]]] = {"begin": Begin, "when": When, "then": Then, "case": Case}
SIZE_LIMIT: Final = 1_000_000
"""The greatest size of a file, in bytes."""


def load(path: str | Path) -> Scenario:
    """The scenario in a file. Raises `ScenarioInvalid`, which names file, table, key and what is allowed."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
        if len(data) > SIZE_LIMIT:
            raise ScenarioInvalid(f"{path}: a scenario has at most {SIZE_LIMIT} bytes")
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ScenarioInvalid(f"{path}: it cannot be read: {wrong}") from wrong
    return parse(text, str(path))


def parse(text: str, name: str = "scenario") -> Scenario:
    """The scenario in a text; `name` names the file in errors. Raises `ScenarioInvalid`."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # a number with too many digits does not raise a TOMLDecodeError
        raise ScenarioInvalid(f"{name}: not TOML: {wrong}") from wrong
    try:
        scenario = msgspec.convert(data, Scenario)
    except RecursionError as wrong:
        raise ScenarioInvalid(f"{name}: tables lie too deep in each other") from wrong
    except msgspec.ValidationError as wrong:
        raise ScenarioInvalid(f"{name}: {_explain(wrong)}") from wrong
    _check_choices(name, "", scenario.when)
    names = [case.name for case in scenario.case]
    if len(set(names)) < len(names):
        raise ScenarioInvalid(f"{name}: [case]: every case has a name of its own, not {', '.join(names)}")
    for case in scenario.case:
        _check_choices(name, f"case {case.name}: ", case.when)
    return scenario


def _check_choices(name: str, case: str, choices: list[When]) -> None:
    for number, when in enumerate(choices, 1):
        given = [when.choice is not None, when.answer is not None, when.time_out, bool(when.act)]
        if sum(given) != 1:
            why = "give one of `choice`, `answer`, `time_out` and `act`"
            raise ScenarioInvalid(f"{name}: [{case}when {number}]: {why}")
        if when.act and (when.decision or when.dice or when.shuffles):
            raise ScenarioInvalid(f"{name}: [{case}when {number}]: an act answers no decision and uses no chance")
        if when.refused and (when.dice or when.shuffles):
            raise ScenarioInvalid(f"{name}: [{case}when {number}]: a refused choice uses no dice and no shuffles")


def _explain(wrong: msgspec.ValidationError) -> str:
    """The fault, its place as written in the file, and the keys of its table."""
    place, said = in_words(wrong)
    tables = [part for part in re.split(r"[. ]+", place) if part in _TABLES]
    if "the key" not in said:
        tables = tables[:-1] if place.endswith(tuple(_TABLES)) else tables
    table = _TABLES[tables[-1]] if tables else Scenario
    return f"[{place or 'the file'}]: {said}; allowed there: {', '.join(table.__struct_fields__)}"
