"""Any form is answered by numbers: each way leads to a legal choice, each choice is reached, nothing is told before."""

from collections.abc import Iterator
from itertools import islice

import pytest

from domain.kernel import AnyForm, Assign, Choice, Formation, One, Pick
from server.research.composing import WIDTH, OptionStep, steps_to


class Take(Choice, frozen=True):
    items: tuple[str, ...] = ()


class Place(Choice, frozen=True):
    pairs: tuple[tuple[str, str], ...] = ()


class Say(Choice, frozen=True):
    number: int


FORMS: dict[str, AnyForm] = {
    "one": One(tuple(Say(number) for number in range(5))),
    "one of as many as fit": One(tuple(Say(number) for number in range(WIDTH))),
    "one of more than fit": One(tuple(Say(number) for number in range(WIDTH + 1))),
    "one of very many": One(tuple(Say(number) for number in range(WIDTH * WIDTH + 1))),
    "some": Pick(Take, ("a", "b", "c", "d"), 1, 3),
    "some in order": Pick(Take, ("a", "b", "c"), 0, 2, ordered=True),
    "none": Pick(Take, (), 0, 0),
    "one of each": Assign(Take, ("x", "y", "z"), {"a": 2, "b": 1, "c": 1}),
    "no slot": Assign(Take, (), {"a": 1}),
    "a formation": Formation(Place, {"a": ("p", "q"), "b": ("p",), "c": ("q", "r")}, 2),
    "a formation of all": Formation(Place, {"a": ("p", "q"), "b": ("p",), "c": ("q", "r")}, 3),
}


def ways(step: OptionStep) -> Iterator[Choice]:
    for option in step.options:
        onward = option.then()
        if isinstance(onward, OptionStep):
            yield from ways(onward)
        else:
            yield onward


def widths(step: OptionStep) -> Iterator[int]:
    yield len(step.options)
    for option in step.options:
        onward = option.then()
        if isinstance(onward, OptionStep):
            yield from widths(onward)


@pytest.mark.parametrize("name", FORMS)
def test_every_way_leads_to_a_legal_choice_and_every_choice_is_reached(name: str) -> None:
    form = FORMS[name]
    found = set(ways(steps_to(form)))
    assert found == set(form)
    assert not [choice for choice in islice(found, 200) if form.check(choice)]


@pytest.mark.parametrize("name", FORMS)
def test_no_step_is_wider_than_may_be_and_none_is_a_dead_end(name: str) -> None:
    found = set(islice(widths(steps_to(FORMS[name])), 50_000))
    assert max(found) <= WIDTH
    assert min(found) > 0


def test_what_fits_is_asked_at_once_and_more_in_parts() -> None:
    assert len(steps_to(FORMS["one of as many as fit"]).options) == WIDTH
    assert [option.data["do"] for option in steps_to(FORMS["one of more than fit"]).options] == ["part", "part"]
