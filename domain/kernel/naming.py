"""Names in rules: the classes that a game's functions mention, read from their code.

If a rule asked a decision or called a procedure that the game does not list, the match would stop there.
"""

from collections.abc import Collection, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any


def classes_named(roots: Iterable[object], packages: Collection[str]) -> Iterator[type]:
    """The classes that functions name, directly or through functions of the packages, each once."""
    left = [root for root in roots if isinstance(root, FunctionType)]
    seen: set[object] = set(left)
    while left:
        function = left.pop()
        for value in _globals_named(function.__code__, function.__globals__):
            if isinstance(value, type) and value not in seen:
                yield value
            elif isinstance(value, FunctionType) and value not in seen and _within(value.__module__, packages):
                left.append(value)
            if isinstance(value, type | FunctionType):
                seen.add(value)


def _within(module: str, packages: Collection[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _globals_named(code: CodeType, names: dict[str, Any]) -> Iterator[object]:
    """The values of the names in a code object, including attributes of modules and the names in inner functions."""
    found = [names[name] for name in code.co_names if name in names]
    yield from found
    for module in (value for value in found if isinstance(value, ModuleType)):
        yield from (getattr(module, name) for name in code.co_names if hasattr(module, name))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals_named(inner, names)
