"""Callbacks that keep nothing in memory, so that a released match is freed at once, without a garbage collection."""

from collections.abc import Callable
from typing import ParamSpec
from weakref import WeakMethod

P = ParamSpec("P")


def weak_callback(method: Callable[P, None]) -> Callable[P, None]:
    """Calls a bound method for as long as its object lives; does nothing after that."""
    found = WeakMethod(method)

    def call(*given: P.args, **named: P.kwargs) -> None:
        bound = found()
        if bound is not None:
            bound(*given, **named)

    return call
