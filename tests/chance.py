"""Chance that repeats: what is drawn follows from a word."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SOURCE = random.Random(0)


def word_of(item: pytest.Item) -> str:
    """The name of a test; what pytest-xdist adds for its groups is no part of it."""
    return f"{item.parent.nodeid if item.parent else ''}::{item.name}"


@contextmanager
def chance_of(word: str) -> Iterator[None]:
    """Draw from a word for a while, then go on as before.

    For what several tests use and the first of them makes: it is the same whichever that is.
    """
    before = SOURCE.getstate()
    SOURCE.seed(word)
    try:
        yield
    finally:
        SOURCE.setstate(before)
