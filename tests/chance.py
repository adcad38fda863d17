"""Repeatable chance: the draws follow from a word."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SOURCE = random.Random(0)


def word_of(item: pytest.Item) -> str:
    """The name of a test, without the suffix that pytest-xdist adds for its groups."""
    return f"{item.parent.nodeid if item.parent else ''}::{item.name}"


@contextmanager
def chance_of(word: str) -> Iterator[None]:
    """Draw from a word for a while, then continue as before.

    For things that several tests share and the first of them makes: they are the same whichever test is first.
    """
    before = SOURCE.getstate()
    SOURCE.seed(word)
    try:
        yield
    finally:
        SOURCE.setstate(before)
