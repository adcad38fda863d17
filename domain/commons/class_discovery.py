"""The contents of a game's package: the classes its modules define, gathered for `GAME`."""

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import TypedDict, TypeVar

from msgspec import Struct

from domain.kernel import Choice, Decision, Event, Procedure

T = TypeVar("T", bound=Struct)


def modules_of(package: ModuleType) -> tuple[ModuleType, ...]:
    """The modules of a package and of its subpackages, sorted by name; for a single module, the module itself."""
    found = walk_packages(getattr(package, "__path__", ()), f"{package.__name__}.")
    return (package, *(import_module(name) for name in sorted(module.name for module in found)))


def classes_in(kind: type[T], *modules: ModuleType) -> tuple[type[T], ...]:
    """The classes derived from `kind` that the modules define, in the order of the source.

    Imported classes are left out, and so are classes whose names begin with an underscore, such as a common base.
    """
    return tuple(
        found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, type)
        and issubclass(found, kind)
        and found.__module__ == module.__name__
        and found.__name__ == name
        and not name.startswith("_")
    )


class Classes(TypedDict):
    """The classes of a game, as `GameSpec` takes them."""

    events: tuple[type[Event], ...]
    procedures: tuple[type[Procedure], ...]
    decisions: tuple[type[Decision], ...]
    choices: tuple[type[Choice], ...]


def classes_of(rules: ModuleType, *events: ModuleType) -> Classes:
    """The classes of a game: events from the modules given, all others from every module of the package `rules`."""
    found = modules_of(rules)
    return Classes(
        events=classes_in(Event, *events),
        procedures=classes_in(Procedure, *found),
        decisions=classes_in(Decision, *found),
        choices=classes_in(Choice, *found),
    )
