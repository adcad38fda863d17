"""Cards taken, and cards counted, where some of them may be hidden."""

import pytest

from domain.commons.cards import known, unnamed, without
from domain.kernel import HIDDEN


def test_a_card_taken_leaves_the_others_and_its_doubles() -> None:
    assert without(("a", "b", "a"), "a") == ("b", "a")
    assert without(("a", "b", "a"), "a", "a") == ("b",)


def test_whatever_is_taken_of_a_hidden_hand_it_stays_hidden() -> None:
    assert without(HIDDEN, "a") is HIDDEN


def test_a_hand_that_a_hidden_card_is_taken_of_is_hidden() -> None:
    assert without(("a", "b"), HIDDEN) is HIDDEN


def test_a_card_that_is_not_there_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match="not in list"):
        without(("a",), "b")


def test_what_is_named_nowhere_is_left() -> None:
    assert unnamed({"a": 2, "b": 1, "c": 1}, ("a",), ("c",)) == ("a", "b")


@pytest.mark.parametrize("named", [("a", "a", "a"), ("d",)])
def test_a_card_cannot_be_named_more_often_than_there_are(named: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"1 . more than there are"):
        unnamed({"a": 2, "b": 1}, named)


def test_rules_never_look_at_what_is_hidden() -> None:
    assert known(5) == 5
    with pytest.raises(AssertionError, match="hidden"):
        known(HIDDEN)
