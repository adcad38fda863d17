"""The format of scenario files (docs/scenarios.md): a position as text, choices with scripted chance, what must follow.

TOML, one scenario per file. Whatever is not one of the keys below is refused with the keys that are allowed.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.scenarios.errors import ScenarioInvalid

Fields = dict[str, Any]


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; its fields are the keys that are allowed."""


class Then(_Table, frozen=True):
    """What must follow.

    `events`: in this order, others may come between; `exact`: no others (the kernel's own are not counted unless
    named). `never`: types or patterns that must not occur. `asked`: who is asked what now, as `seat0 Kind`. `offers`:
    the options of the open decision, or per seat; a last `"..."` allows others. `state` and `sees`: paths to values as
    the game's notation shows them, the latter per viewer (`seat0`, `seat1`, `spectator`). `result`: how it ended.
    """

    events: list[str | Fields] = []
    exact: bool = False
    never: list[str | Fields] = []
    asked: list[str] | None = None
    offers: list[str | Fields] | dict[str, list[str | Fields]] | None = None
    state: Fields = {}
    sees: dict[str, Fields] = {}
    result: Fields = {}


class Begin(_Table, frozen=True):
    """What happens before the first choice: scripted chance, and what must follow."""

    dice: list[int | str] = []
    shuffles: list[str | list[int | str]] = []
    then: Then = Then()


class When(_Table, frozen=True):
    """One choice.

    Exactly one of `choice` (a tagged table or the short form), `answer` (as a person's client gives it: an option's
    number, item ids, or item to slot) and `time_out` (the decision's default). `decision`: the kind, checked.
    `dice`: faces in order, or groups such as `"VD-217: 6 2 4"` which also check what they were rolled for.
    `shuffles`: one per shuffle, `"as is"`, `"reversed"`, or the old places (from 0) in their new order, where a last
    `"..."` leaves the rest as it is. `refused`: the rule or the code by which the choice is refused.
    """

    seat: int
    choice: str | Fields | None = None
    answer: str | int | list[str] | dict[str, str] | None = None
    time_out: bool = False
    decision: str = ""
    dice: list[int | str] = []
    shuffles: list[str | list[int | str]] = []
    refused: str = ""
    then: Then = Then()


class Scenario(_Table, frozen=True):
    """A whole file. `at`: the step of the position's procedure to begin with; its first when empty."""

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


_TABLES: Final[dict[str, type[_Table]]] = {"begin": Begin, "when": When, "then": Then}
_PLACE: Final = re.compile(r" - at `\$\.?(?P<place>[^`]*)`")


def load(path: str | Path) -> Scenario:
    """The scenario in a file. Raises `ScenarioInvalid`, which names file, table, key and what is allowed."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ScenarioInvalid(f"{path}: it cannot be read: {wrong}") from wrong
    return parse(text, str(path))


def parse(text: str, name: str = "scenario") -> Scenario:
    """The scenario in a text; `name` stands for the file in errors. Raises `ScenarioInvalid`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ScenarioInvalid(f"{name}: not TOML: {wrong}") from wrong
    try:
        scenario = msgspec.convert(data, Scenario)
    except msgspec.ValidationError as wrong:
        raise ScenarioInvalid(f"{name}: {_explain(str(wrong))}") from wrong
    for number, when in enumerate(scenario.when, 1):
        given = [when.choice is not None, when.answer is not None, when.time_out]
        if sum(given) != 1:
            raise ScenarioInvalid(f"{name}: [when {number}]: give one of `choice`, `answer` and `time_out`")
        if when.refused and (when.dice or when.shuffles):
            raise ScenarioInvalid(f"{name}: [when {number}]: a refused choice uses no dice and no shuffles")
    return scenario


def _explain(message: str) -> str:
    """The library's sentence with the place as it is written in the file, and the keys of its table."""
    found = _PLACE.search(message)
    place = found["place"] if found else ""
    tables = [part for part in re.split(r"[.\[\]]+", place) if part in _TABLES]
    if "unknown field" not in message and "missing required" not in message:
        tables = tables[:-1] if place.endswith(tuple(_TABLES)) else tables
    table = _TABLES[tables[-1]] if tables else Scenario
    spelled = re.sub(r"\[(\d+)\]", lambda m: f" {int(m[1]) + 1}", place)
    allowed = ", ".join(table.__struct_fields__)
    return f"[{spelled or 'the file'}]: {_PLACE.sub('', message)}; allowed there: {allowed}"
