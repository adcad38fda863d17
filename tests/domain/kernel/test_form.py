"""A form's list, count, sample and check are four sides of one statement; they must agree."""

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import AnyForm, Assign, Choice, Formation, One, Pick, only
from domain.kernel.form import Pairs

ITEMS = ("a", "b", "c", "d")
PLACES = ("p", "q", "r")
STRANGE = "zebra"


class Take(Choice, frozen=True):
    """Take one thing."""

    thing: str


class Leave(Choice, frozen=True):
    """Take nothing."""


class Name(Choice, frozen=True):
    """Name some items."""

    items: tuple[str, ...]


class Station(Choice, frozen=True):
    """Put pieces on places."""

    pairs: Pairs


def sampled(form: AnyForm) -> set[Choice]:
    """Everything that `sample` can give: every sequence of answers of `below`, tried out."""
    found: set[Choice] = set()
    scripts: list[list[int]] = [[]]
    while scripts:
        script = scripts.pop()
        asked: list[int] = []

        def below(n: int, script: list[int] = script, asked: list[int] = asked) -> int:
            assert n > 0, "nothing to choose from"
            asked.append(n)
            return script[len(asked) - 1] if len(asked) <= len(script) else 0

        found.add(form.sample(below))
        for at in range(len(script), len(asked)):
            scripts += [[*script, *[0] * (at - len(script)), other] for other in range(1, asked[at])]
    return found


@st.composite
def ones(draw: st.DrawFn) -> One:
    things = draw(st.lists(st.sampled_from(ITEMS), unique=True, min_size=1))
    return only(tuple(Take(thing) for thing in things))


@st.composite
def picks(draw: st.DrawFn) -> Pick:
    items = tuple(draw(st.lists(st.sampled_from(ITEMS), unique=True)))
    most = draw(st.integers(0, len(items)))
    return Pick(Name, items, draw(st.integers(0, most)), most, draw(st.booleans()))


@st.composite
def assigns(draw: st.DrawFn) -> Assign:
    stock = draw(st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 2), min_size=1))
    slots = draw(st.integers(0, min(3, sum(stock.values()))))
    return Assign(Name, PLACES[:slots], stock)


@st.composite
def formations(draw: st.DrawFn) -> Formation:
    places = st.lists(st.sampled_from(PLACES), unique=True).map(tuple)
    allowed = draw(st.dictionaries(st.sampled_from(ITEMS[:3]), places))
    placed = range(min(len(allowed), len(PLACES)) + 1)
    possible = [n for n in placed if any(Formation(Station, allowed, n))]
    return Formation(Station, allowed, draw(st.sampled_from(possible)))


FORMS: st.SearchStrategy[AnyForm] = st.one_of(ones(), picks(), assigns(), formations())


def universe(form: AnyForm) -> Iterator[Choice]:
    """Every choice of the form's class that is not too large to list, sense and nonsense."""
    match form:
        case One():
            yield from (Take(thing) for thing in (*ITEMS, STRANGE))
            yield Leave()
        case Pick() | Assign():
            names = (*ITEMS, STRANGE)
            yield from (Name(items) for size in range(5) for items in product(names, repeat=size))
        case Formation():
            pairs = tuple(product((*ITEMS[:3], STRANGE), (*PLACES, STRANGE)))
            yield from (Station(chosen) for size in range(3) for chosen in product(pairs, repeat=size))
            yield from (Station(chosen) for chosen in permutations(pairs[:9], 3))


def answer_of(form: AnyForm, choice: Any) -> Any:
    """The answer with which a person gives the choice."""
    match form:
        case One(choices):
            return choices.index(choice)
        case Pick():
            return list(choice.items)
        case Assign(slots=slots):
            copies = [choice.items[:i].count(item) for i, item in enumerate(choice.items)]
            return {f"{item}:{k}": slot for item, k, slot in zip(choice.items, copies, slots, strict=True)}
        case Formation():
            return dict(choice.pairs)


@given(FORMS)
def test_the_count_is_the_number_of_different_choices_listed(form: AnyForm) -> None:
    listed = list(form)
    assert form.count() == len(listed) == len(set(listed))


@given(FORMS)
def test_the_check_accepts_what_is_listed_and_nothing_else(form: AnyForm) -> None:
    listed = set(form)
    assert [choice for choice in listed if form.check(choice)] == []
    assert [choice for choice in universe(form) if (form.check(choice) == "") is not (choice in listed)] == []


@given(FORMS)
def test_the_sample_can_be_every_listed_choice_and_nothing_else(form: AnyForm) -> None:
    assert sampled(form) == set(form)


@given(FORMS)
def test_every_listed_choice_is_read_from_its_answer(form: AnyForm) -> None:
    assert [choice for choice in form if form.read(answer_of(form, choice)) != choice] == []


ANSWERS = st.one_of(
    st.text(),
    st.integers(),
    st.lists(st.sampled_from((*ITEMS, STRANGE))),
    st.dictionaries(st.sampled_from((*ITEMS, STRANGE, "a:0", "a:1", ":")), st.sampled_from((*PLACES, STRANGE))),
)


@given(FORMS, ANSWERS)
def test_an_answer_that_means_nothing_is_not_legal(form: AnyForm, answer: Any) -> None:
    choice = form.read(answer)
    assert choice is None or form.check(choice) or choice in set(form)


@given(FORMS)
def test_a_choice_of_another_kind_is_refused_with_a_sentence(form: AnyForm) -> None:
    assert form.check(Leave()).endswith(".")


@pytest.mark.parametrize(("answer", "thing"), [(0, "a"), (1, "b"), ("1", "b"), (2, None), (-1, None), ("x", None)])
def test_one_is_answered_by_its_number(answer: Any, thing: str | None) -> None:
    form = only((Take("a"), Take("b")))
    assert form.read(answer) == (None if thing is None else Take(thing))


@pytest.mark.parametrize(("size", "legal"), [(1, False), (2, True), (3, True), (4, False)])
def test_a_pick_has_a_least_and_a_most(size: int, *, legal: bool) -> None:
    assert (Pick(Name, ITEMS, 2, 3).check(Name(ITEMS[:size])) == "") is legal


@pytest.mark.parametrize(("ordered", "legal", "count"), [(False, False, 6), (True, True, 12)])
def test_the_order_of_a_pick_counts_only_where_it_is_ordered(*, ordered: bool, legal: bool, count: int) -> None:
    form = Pick(Name, ITEMS, 2, 2, ordered)
    assert (form.check(Name(("b", "a"))) == "") is legal
    assert form.count() == count


def test_an_unordered_pick_is_read_in_any_order() -> None:
    assert Pick(Name, ITEMS, 2, 2).read(["c", "a"]) == Name(("a", "c"))


@pytest.mark.parametrize(("items", "legal"), [(("a", "a"), True), (("b", "b"), False), (("a",), False)])
def test_an_assignment_uses_no_item_more_often_than_there_is(items: tuple[str, ...], *, legal: bool) -> None:
    assert (Assign(Name, ("p", "q"), {"a": 2, "b": 1}).check(Name(items)) == "") is legal


def test_the_assignments_of_eight_orders_are_counted_without_listing_them() -> None:
    form = Assign(Name, tuple("12345678"), dict.fromkeys(ITEMS, 4))
    uses = [counts for counts in product(range(5), repeat=4) if sum(counts) == 8]
    assert form.count() == sum(factorial(8) // prod(map(factorial, counts)) for counts in uses)


@pytest.mark.parametrize(("least", "count"), [(0, 7), (1, 6), (2, 2), (3, 0)])
def test_a_formation_places_at_least_so_many(least: int, count: int) -> None:
    form = Formation(Station, {"a": ("p", "q"), "b": ("p", "q")}, least)
    assert form.count() == count == len(list(form))


def test_a_formation_never_samples_its_way_into_a_dead_end() -> None:
    form = Formation(Station, {"a": ("p", "q"), "b": ("p",)}, 2)
    assert sampled(form) == {Station((("a", "q"), ("b", "p")))}


@pytest.mark.parametrize("answer", ["\u0660", "\u0966", "00", "01", "+0", " 0", "0 ", "", "-1", "\u00b2", 3, -1, "3"])
def test_only_what_the_prompt_offered_is_an_options_id(answer: str | int) -> None:
    form = One((Name(("a",)), Name(("b",)), Name(("c",))))
    assert form.read(answer) is None
    assert [form.read(good) for good in (0, "0", 2, "2")] == [form.choices[i] for i in (0, 0, 2, 2)]


@pytest.mark.parametrize("item", ["a:\u0660", "a:00", "a:2", "a:", "a", "a:x", "z:0"])
def test_only_what_the_prompt_offered_is_an_items_id(item: str) -> None:
    form = Assign(Name, ("p", "q"), {"a": 2, "b": 1})
    assert form.read({item: "p", "b:0": "q"}) is None
    assert form.read({"a:1": "p", "b:0": "q"}) == Name(("a", "b"))
