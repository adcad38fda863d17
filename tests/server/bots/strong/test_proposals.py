"""Choices to try: all of few; of many the policy's, their neighbours and samples, each legal and once."""

import random

import pytest

from domain.kernel import AnyForm, Assign, Choice, Formation, One, Pick
from server.bots.strong.proposals import neighbour, proposals


class Name(Choice, frozen=True):
    items: tuple[str, ...]


class Place(Choice, frozen=True):
    pairs: tuple[tuple[str, str], ...]


class Take(Choice, frozen=True):
    number: int


ITEMS = tuple("abcdefg")
PLACES = tuple("123456")
WIDE: list[AnyForm] = [
    One(tuple(Take(number) for number in range(50))),
    Pick(Name, ITEMS, 2, 4),
    Pick(Name, ITEMS, 2, 4, ordered=True),
    Assign(Name, tuple("12345"), {"x": 3, "y": 2, "z": 4}),
    Formation(Place, dict.fromkeys(ITEMS, PLACES), 3),
]


@pytest.mark.parametrize("form", WIDE, ids=lambda form: type(form).__name__)
def test_of_many_choices_some_are_proposed_the_suggested_first(form: AnyForm) -> None:
    below = random.Random(1).randrange
    suggested = form.sample(below)
    found = proposals(form, [suggested, suggested], 9, below)
    assert found[0] == suggested
    assert len(found) == 9
    assert all(form.check(choice) == "" and found.count(choice) == 1 for choice in found)


def test_of_few_choices_all_are_proposed() -> None:
    form = One(tuple(Take(number) for number in range(4)))
    assert proposals(form, [Take(2)], 4, random.Random(1).randrange) == [Take(2), Take(0), Take(1), Take(3)]


@pytest.mark.parametrize("form", WIDE[1:], ids=lambda form: type(form).__name__)
def test_a_neighbour_is_legal_and_near(form: AnyForm) -> None:
    below = random.Random(2).randrange
    for _ in range(60):
        choice = form.sample(below)
        near = neighbour(form, choice, below)
        if near is not None:
            assert form.check(near) == ""
            one, other = (getattr(each, each.__struct_fields__[0]) for each in (choice, near))
            assert len(set(one) ^ set(other)) <= 4
