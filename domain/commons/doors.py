"""The doors of a game's package: the classes its modules define, gathered for `GAME`."""

from types import ModuleType
from typing import TypeVar

from msgspec import Struct

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
