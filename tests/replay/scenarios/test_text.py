"""Choices as short text are read back as they are written."""

from domain.kernel import Choice
from projections.registry import games
from replay.scenarios.text import read_choice, write_choice

JOAN = games()["joan_of_arc"]


def read_back(text: str) -> Choice:
    choice = read_choice(JOAN, text)
    assert write_choice(choice) == text
    return choice


def test_a_list_in_the_middle_ends_at_the_field_that_is_named() -> None:
    choice = read_back("Charge 1,0:a 2,0:a target=3,0:a")
    assert (choice.path, choice.target) == (("1,0:a", "2,0:a"), "3,0:a")  # type: ignore[attr-defined]  # a charge


def test_a_list_at_the_end_takes_all_that_is_left() -> None:
    choice = read_back("FollowUp e1 e2")
    assert choice.units == ("e1", "e2")  # type: ignore[attr-defined]  # a follow-up
