"""Words in common."""

import pytest

from domain.kernel import Part, Result
from projections.i18n.language import language_of
from projections.words import count, join, outcome, reasons, refusal, sentence, signed, spaced


@pytest.mark.parametrize(
    ("words", "joined"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(words: list[str], joined: str) -> None:
    assert join(words) == joined


def test_alternatives() -> None:
    assert join(["a", "b"], "or") == "a or b"


@pytest.mark.parametrize(("number", "words"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice")])
def test_counts(number: int, words: str) -> None:
    assert count(number, "die", "dice") == words


def test_names_and_sentences() -> None:
    assert spaced("OrderIssue") == "order issue"
    assert sentence("who?") == "Who?"
    assert sentence("it ends") == "It ends."


@pytest.mark.parametrize(("value", "text"), [(-1, "−1"), (0, "+0"), (2, "+2")])
def test_signs(value: int, text: str) -> None:
    assert signed(value) == text


def test_parts_name_their_rules() -> None:
    parts = (Part("A-1", 4, "printed"), Part("A-2", -1, "River"), Part("A-3", 1))
    assert reasons(parts) == "4 printed, −1 River (A-2), +1 (A-3)"


@pytest.mark.parametrize(
    ("why", "rule", "said"),
    [
        ("It is not among the options.", "VD-152", "It is not among the options (VD-152)."),
        ("No pass here (VD-153).", "VD-153", "No pass here (VD-153)."),
        ("Move one of them (VD-089).", "VD-153", "Move one of them (VD-089)."),
        ("The match is over.", "", "The match is over."),
    ],
)
def test_a_refusal_is_a_sentence_with_its_row(why: str, rule: str, said: str) -> None:
    assert refusal(why, rule) == said


def test_how_a_match_ended_has_one_colon() -> None:
    result = Result(winner=0, reason="turn limit: more living Major Leaders", rule="DL-Q60")
    said = outcome(("Ada", "Ben"), result)
    assert said == "Ada wins: turn limit, more living Major Leaders (DL-Q60)."
    german = language_of("disciples_legacy", "de")
    assert german is not None
    assert "Zuggrenze, mehr lebende" in german.text(said)
