"""The classes that a game's modules define."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from domain.commons.class_discovery import classes_in, classes_of, modules_of
from domain.kernel import Choice, Event

SOURCE = """
from domain.kernel import Choice, Event

class Second(Choice, frozen=True): pass
class First(Choice, frozen=True): pass
class _Base(Choice, frozen=True): pass
Base = _Base | Second
Alias = _Base
class Dealt(Event, frozen=True): pass
number = 5
"""


def module(name: str, source: str = SOURCE) -> ModuleType:
    made = ModuleType(name)
    exec(source, made.__dict__)
    return made


def test_a_modules_own_classes_are_found_in_the_order_written() -> None:
    assert [kind.__name__ for kind in classes_in(Choice, module("a"))] == ["Second", "First"]
    assert [kind.__name__ for kind in classes_in(Event, module("a"))] == ["Dealt"]


def test_what_a_module_imports_is_another_ones() -> None:
    first = module("a")
    second = module("b", "")
    second.__dict__.update(vars(first), __name__="b")
    assert classes_in(Choice, second) == ()
    assert len(classes_in(Choice, first, second)) == 2


def test_a_games_classes_are_those_of_its_modules() -> None:
    found = classes_of(module("a"), module("b"), module("c"))
    assert [kind.__module__ for kind in found["events"]] == ["b", "c"]
    assert [kind.__name__ for kind in found["choices"]] == ["Second", "First"]
    assert (found["procedures"], found["decisions"]) == ((), ())


def test_the_modules_of_rules_are_found_at_any_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("walked/__init__.py", "walked/turn.py", "walked/battle/__init__.py", "walked/battle/blow.py"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(SOURCE.replace("Second", f"{file.stem.title().strip('_')}Choice"))
    monkeypatch.syspath_prepend(tmp_path)
    walked = import_module("walked")
    names = [found.__name__ for found in modules_of(walked)]
    assert names == ["walked", "walked.battle", "walked.battle.blow", "walked.turn"]
    assert {"TurnChoice", "BlowChoice"} <= {kind.__name__ for kind in classes_of(walked)["choices"]}
