"""The reference of a game's scenarios: every name that an author may write, taken from the code.

`python -m replay.scenarios.reference` writes docs/scenarios/<game>.md for every game.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Set
from enum import Enum
from pathlib import Path
from types import CodeType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from msgspec import Struct

from domain.kernel import Figured, Game, Hidden, Procedure, Refusal
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.procedure import steps_of
from projections.registry import games
from replay.scenarios.comparison import FIGURES
from replay.scenarios.format import Begin, Case, Scenario, Then, When
from replay.scenarios.naming import home_of
from replay.scenarios.text import plain

COMMAND: Final = "python -m replay.scenarios.reference"
FOLDER: Final = Path(__file__).parents[2] / "docs" / "scenarios"
RULE: Final = re.compile(r"^[A-Z]{2}-[A-Z]{0,2}\d+[a-z]?$")
_DEEPEST: Final = 5


def reference(game: Game[Any]) -> str:
    """The page of a game."""
    spec = game.spec
    sections = {
        "The file": _tables(),
        "Options": _fields(spec.options),
        "The position": _position_keys(game),
        "Where it may start: `start`, `with` and the steps for `at`": _procedures(game),
        "Choices": [f"- `{_signature(choice)}`" for choice in _sorted(spec.choices)],
        "Questions": [f"- `{decision.__name__}`, {decision.rule}" for decision in _sorted(spec.decisions)],
        "Refusals": _refusals(),
        "Events": [f"- `{_signature(event)}`" for event in _sorted(spec.events)],
        "Events of every game": [f"- `{_signature(event)}`" for event in _sorted(KERNEL_EVENTS)],
        "Paths of `state`, `sees` and `gets`": _paths(game),
        "Rules": _rules(game),
    }
    head = (
        f"# {spec.title}: what a scenario may say\n\n"
        "After reading this page you can name every option, choice, question, event and path in a scenario"
        f" of {spec.title}.\n\n"
        f"Written by `{COMMAND}`; how a scenario is written is told in [scenarios](../scenarios.md).\n"
    )
    return head + "".join(f"\n## {title}\n\n{chr(10).join(lines)}\n" for title, lines in sections.items() if lines)


def _sorted(kinds: tuple[type[Any], ...]) -> list[type[Any]]:
    return sorted(kinds, key=lambda kind: kind.__name__)


def _tables() -> list[str]:
    tables = {"the file": Scenario, "begin": Begin, "when": When, "then": Then, "case": Case}
    return [f"- {name}: {_code(table.__struct_fields__)}" for name, table in tables.items()]


def _code(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words) or "nothing"


def _fields(kind: type[Struct]) -> list[str]:
    return [f"- `{name}`: {_type_of(hint)}" for name, hint in get_type_hints(kind, include_extras=True).items()]


def _signature(kind: type[Struct]) -> str:
    """`Name field field=default`: an optional field is shown with its default."""
    hints = get_type_hints(kind, include_extras=True)
    return " ".join([kind.__name__, *(f"{name}:{_type_of(hints[name])}" for name in kind.__struct_fields__)])


def _type_of(hint: Any) -> str:
    """A type in words for authors."""
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if hasattr(hint, "__supertype__"):
        return _type_of(hint.__supertype__)
    simple = {int: "number", str: "text", bool: "true-or-false", float: "number", type(None): "none", Hidden: "?"}
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "|".join(str(member.value) for member in hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in {tuple, list}:
        return f"[{','.join(dict.fromkeys(_type_of(each) for each in inner if each is not ...))}]"
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return "table"
    if inner:
        return "|".join(dict.fromkeys(str(each) if isinstance(each, str) else _type_of(each) for each in inner))
    return "table" if isinstance(hint, type) and issubclass(hint, Struct) else "any"


def _position_keys(game: Game[Any]) -> list[str]:
    """The keys that the game's notation exports as KEYS and SIDE_KEYS."""
    home = sys.modules[type(game.spec.positions).__module__]
    named = {"`[position]`": "KEYS", "a side": "SIDE_KEYS"}
    return [f"- {place}: {_code(sorted(getattr(home, name)))}" for place, name in named.items() if hasattr(home, name)]


def _procedures(game: Game[Any]) -> list[str]:
    """The procedures that the notation exports as STARTS, or all."""
    home = type(game.spec.positions).__module__
    beside = f"{home.rpartition('.')[0]}.starts"
    modules = [sys.modules[name] for name in (home, beside) if name in sys.modules]
    starts = next((module.STARTS for module in modules if hasattr(module, "STARTS")), None)
    made = []
    procedures: tuple[type[Procedure], ...] = game.spec.procedures
    for procedure in sorted(procedures, key=lambda kind: kind.__name__):
        if starts is not None and procedure.__name__ not in starts:
            continue
        fields = procedure.__struct_fields__
        terms = f", `with` {_code(fields)}" if fields else ""
        made.append(f"- `{procedure.__name__}`{terms}: {_code(steps_of(procedure).order)}")
    return made


def _refusals() -> list[str]:
    """The codes that refuse a choice if the rule of the question does not."""
    rules = [kind for kind in Refusal.__subclasses__() if kind.__module__ == Refusal.__module__]
    kinds = sorted(rules, key=lambda kind: kind.code)
    return [f"- `{kind.code}`: {(kind.__doc__ or '').splitlines()[0]}" for kind in kinds]


def _paths(game: Game[Any]) -> list[str]:
    """Every path of the default position, or of the sample position of a notation with computed values."""
    positions = game.spec.positions
    if positions is None:
        return []
    state, _ = positions.read(positions.sample if isinstance(positions, Figured) else {}, {})
    shown = positions.show(state)
    if isinstance(positions, Figured):
        shown = {**shown, FIGURES: positions.figures(state)}
    return [f"- `{path}`: {kind}" for path, kind in sorted(set(_walk(shown)))]


def _walk(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _walk(inner, f"{path}.{key}" if path else str(key), depth + 1)
        return
    if isinstance(value, Set):
        yield path, "set"
        return
    names = {bool: "true or false", int: "number", str: "text", list: "list", dict: "table", type(None): "none here"}
    yield path, names.get(type(plain(value)), "value")


def _rules(game: Game[Any]) -> list[str]:
    """Every rule id that the game's modules name: in events, questions, steps and refusals."""
    home = home_of(game)
    files = home.rglob("*.py") if home.is_dir() else [home]
    found = {rule for each in files for rule in _constants(compile(each.read_text(encoding="utf-8"), each, "exec"))}
    return [_code(sorted(found, key=_by_number))] if found else []


def _by_number(rule: str) -> tuple[str, int]:
    return re.sub(r"\d.*", "", rule), int(re.sub(r"\D", "", rule))


def _constants(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        yield from _words(constant)


def _words(constant: object) -> Iterator[str]:
    if isinstance(constant, str) and RULE.match(constant):
        yield constant
    elif isinstance(constant, tuple | frozenset):
        for part in constant:
            yield from _words(part)
    elif isinstance(constant, CodeType):
        yield from _constants(constant)


def pages() -> dict[str, str]:
    """The page of each game with a notation for positions, by game."""
    return {name: reference(game) for name, game in games().items() if game.spec.positions is not None}


def main(folder: Path = FOLDER) -> None:
    """Write the pages."""
    folder.mkdir(exist_ok=True)
    for name, page in pages().items():
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
        print(f"wrote docs/scenarios/{name}.md")  # noqa: T201 - a command tells what it did


if __name__ == "__main__":
    main()
