"""What is said is one line that can be seen, and names that pass for one another are found."""

import pytest

from server.wire.text import is_alike, visible

UNSEEN = [
    "\u3164",
    "\u2800",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u17b4",
    "\u034f",
    "\ufe0f",
    "\u0301",
    "\u200b",
    "\u202e",
    "\U000e0061",
]


@pytest.mark.parametrize("char", UNSEEN)
def test_what_cannot_be_seen_is_left_out(char: str) -> None:
    assert visible(char) == visible(f" {char} {char}") == ""
    if char != "\u0301":
        assert visible(f"A{char}da") == "Ada"


def test_accents_stay_on_their_letters() -> None:
    assert visible("Bjo\u0308rn") == "Björn"
    assert visible("\u0301Ada \u0301Bo") == "Ada Bo"
    assert visible("नमस्ते") == "नमस्ते"


@pytest.mark.parametrize("other", ["Ada\ufe0f", "ada", "Аda", "Adа", "A\u200bda", "𝐀𝐝𝐚"])
def test_names_that_pass_for_one_another_are_alike(other: str) -> None:
    assert is_alike("Ada", other)


@pytest.mark.parametrize(
    ("one", "other"), [("modern", "rnodern"), ("Player 1", "Player l"), ("O", "0"), ("paypal", "раураl")]
)
def test_letters_of_other_scripts_and_pairs_of_letters_are_alike(one: str, other: str) -> None:
    assert is_alike(one, other)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Ida"), ("Player 1", "Player 2"), ("Bo", "Bö"), ("Ann", "Anna")])
def test_names_that_differ_are_not(one: str, other: str) -> None:
    assert not is_alike(one, other)
