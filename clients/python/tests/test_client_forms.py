"""Answers that fit a field, and why others do not."""

import random
from typing import Any

import pytest

from herald_client import fault, first, some

ONE = {"type": "one", "options": [{"id": "0"}, {"id": "1"}, {"id": "own", "file": {"do": "X", "as": "deck"}}]}
MANY = {"type": "many", "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "min": 1, "max": 2}
FILLED = {
    "type": "assign",
    "fill": "slots",
    "items": [{"id": "x:0"}, {"id": "x:1"}, {"id": "y:0"}],
    "slots": [{"id": "u1"}, {"id": "u2"}],
}
# The first to go must not take `p`: only then all three stand.
PLACED = {
    "type": "assign",
    "fill": "items",
    "min": 3,
    "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    "slots": [{"id": "p"}, {"id": "q"}, {"id": "r"}],
    "legal": {"a": ["p", "q"], "b": ["p", "r"], "c": ["p"]},
}
DRAFTED = {**PLACED, "draft": {"a": "q", "b": "r", "c": "p"}}
FIELDS = [ONE, MANY, FILLED, PLACED, DRAFTED]


@pytest.mark.parametrize("field", FIELDS)
def test_the_first_answer_fits_and_stays_the_same(field: dict[str, Any]) -> None:
    assert fault(field, first(field)) == ""
    assert first(field) == first(field)


@pytest.mark.parametrize("field", FIELDS)
def test_answers_by_lot_fit_and_differ(field: dict[str, Any]) -> None:
    chance = random.Random(1)
    made = [some(field, chance.randrange) for _ in range(40)]
    assert {fault(field, answer) for answer in made} == {""}
    assert len({str(answer) for answer in made}) > 1


@pytest.mark.parametrize(
    ("field", "answer"),
    [
        (ONE, "2"),
        (ONE, ["0"]),
        (ONE, True),
        (MANY, []),
        (MANY, ["a", "b", "c"]),
        (MANY, ["a", "a"]),
        (MANY, ["z"]),
        (FILLED, {"x:0": "u1"}),
        (FILLED, {"x:0": "u1", "x:1": "u1"}),
        (FILLED, {"z:0": "u1", "x:1": "u2"}),
        (PLACED, {"a": "r", "b": "p", "c": "p"}),
        (PLACED, {"a": "p", "b": "r"}),
        (PLACED, ["a"]),
    ],
)
def test_what_does_not_fit_is_said(field: dict[str, Any], answer: object) -> None:
    assert fault(field, answer).endswith(".")


@pytest.mark.parametrize("answer", ["0", 0, {"do": "X", "deck": []}])
def test_an_option_is_a_number_or_its_text_and_a_choice_is_let_be(answer: object) -> None:
    assert fault(ONE, answer) == ""
