"""What a test draws follows from its name, and what several tests share from the fixture's."""

import pytest

from tests.chance import SOURCE, chance_of, word_of


@pytest.fixture(scope="module")
def shared() -> float:
    return SOURCE.random()


def test_a_test_is_known_by_its_name(request: pytest.FixtureRequest) -> None:
    assert word_of(request.node) == "tests/test_chance.py::test_a_test_is_known_by_its_name"


def test_a_test_draws_the_same_whatever_ran_before(request: pytest.FixtureRequest) -> None:
    found = SOURCE.random()
    SOURCE.seed(word_of(request.node))
    assert SOURCE.random() == found


@pytest.mark.parametrize("before", [0, 1])
def test_what_is_made_once_is_the_same_whichever_test_comes_first(shared: float, before: int) -> None:
    with chance_of("tests/test_chance.py shared "):
        assert SOURCE.random() == shared


def test_what_is_drawn_for_a_while_does_not_change_what_comes_after() -> None:
    SOURCE.seed(1)
    plain = [SOURCE.random(), SOURCE.random()]
    SOURCE.seed(1)
    first = SOURCE.random()
    with chance_of("something else"):
        SOURCE.random()
    assert [first, SOURCE.random()] == plain
