"""Which row of the rules forbids a choice that a form has refused (`GameSpec.forbids`): the part common to all games.

It explains a refusal and decides nothing: only a form says which choices are legal.
"""

import re
from collections.abc import Iterable
from typing import Final

from domain.kernel import Forbidden

ROW: Final = re.compile(r"\b[A-Z]{2}-[A-Z]{0,2}\d{1,3}\b")

Reasons = Iterable[tuple[bool, str, str]]
"""For each row: whether it forbids the choice, its id, and its text; the likeliest row first."""


def first_of(reasons: Reasons) -> Forbidden | None:
    """The first reason that holds."""
    return next((Forbidden(rule, why) for holds, rule, why in reasons if holds), None)


def told_in(sentence: str) -> Forbidden | None:
    """The reason in a sentence that names its row, such as a defect of a deck; None for a reason without a row."""
    found = ROW.search(sentence)
    return None if found is None else Forbidden(found[0], sentence)
