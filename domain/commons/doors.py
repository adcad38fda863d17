"""The doors of a game's package: the classes its modules define, gathered for `GAME`."""

from types import ModuleType
from typing import TypedDict, TypeVar

from msgspec import Struct

from domain.kernel import Choice, Decision, Event, Procedure

T = TypeVar("T", bound=Struct)


def classes_in(kind: type[T], *modules: ModuleType) -> tuple[type[T], ...]:
    """The classes derived from `kind` that the modules define, in the order written.

    What a module imports or names with an underscore, such as a base of several, is not its own.
    """
    return tuple(
        found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, type)
        and issubclass(found, kind)
        and found.__module__ == module.__name__
        and not name.startswith("_")
    )


class Classes(TypedDict):
    """The classes of a game, as `GameSpec` takes them."""

    events: tuple[type[Event], ...]
    procedures: tuple[type[Procedure], ...]
    decisions: tuple[type[Decision], ...]
    choices: tuple[type[Choice], ...]


def classes_of(events: ModuleType, *rules: ModuleType) -> Classes:
    """The classes of a game: events out of their module, all else out of the modules of its rules."""
    return Classes(
        events=classes_in(Event, events),
        procedures=classes_in(Procedure, *rules),
        decisions=classes_in(Decision, *rules),
        choices=classes_in(Choice, *rules),
    )
