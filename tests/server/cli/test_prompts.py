"""A typed line is read as the answer to the form that was asked, or says what to type instead."""

from pathlib import Path
from typing import Any

import pytest

from domain.kernel import AnyForm, Assign, Choice, Formation, One, Pick
from domain.kernel.form import Answer
from server.cli.errors import Unclear
from server.cli.prompts import DecisionPrompt, FromFile


class Play(Choice, frozen=True):
    cards: tuple[str, ...] = ()


class Stand(Choice, frozen=True):
    pairs: tuple[tuple[str, str], ...] = ()


def question(field: dict[str, Any]) -> DecisionPrompt:
    return DecisionPrompt({"ask": "What now?", "why": "SK-01", "fields": [{"id": "choice", **field}]})


ONE = question(
    {"type": "one", "options": [{"id": "0", "label": "Pass"}, {"id": "1", "label": "Press [x]", "sub": "s"}]}
)
MANY = question({"type": "many", "items": [{"id": "a", "label": "A"}, {"id": "b"}, {"id": "c"}], "min": 0, "max": 2})
SLOTS = question(
    {
        "type": "assign",
        "fill": "slots",
        "items": [{"id": "Attack:0", "label": "Attack"}, {"id": "Attack:1", "label": "Attack"}, {"id": "Rest:0"}],
        "slots": [{"id": "u1", "label": "First"}, {"id": "u2", "label": "Second"}],
    }
)
PLACES = question(
    {
        "type": "assign",
        "fill": "items",
        "min": 1,
        "items": [{"id": "p", "label": "Pikes"}, {"id": "q", "label": "Queen"}],
        "slots": [{"id": "x", "label": "Left"}, {"id": "y", "label": "Right"}],
        "legal": {"p": ["x", "y"], "q": ["y"]},
    }
)


@pytest.mark.parametrize(
    ("asked", "text", "answer"),
    [
        (ONE, "1", "0"),
        (ONE, " 2 ", "1"),
        (MANY, "3 1", ["c", "a"]),
        (MANY, "", []),
        (SLOTS, "1 1", {"Attack:0": "u1", "Attack:1": "u2"}),
        (SLOTS, "", {"Attack:0": "u1", "Attack:1": "u2"}),
        (SLOTS, "2 1", {"Rest:0": "u1", "Attack:0": "u2"}),
        (PLACES, "1=2", {"p": "y"}),
        (PLACES, "2=2 1=1", {"q": "y", "p": "x"}),
    ],
)
def test_what_is_typed_is_read_as_the_form_reads_answers(asked: DecisionPrompt, text: str, answer: Answer) -> None:
    assert asked.read(text) == answer


FORMS: dict[DecisionPrompt, AnyForm] = {
    ONE: One((Play(("a",)), Play(("b",)))),
    MANY: Pick(Play, ("a", "b", "c"), 0, 2),
    SLOTS: Assign(Play, ("u1", "u2"), {"Attack": 2, "Rest": 1}),
    PLACES: Formation(Stand, {"p": ("x", "y"), "q": ("y",)}, 1),
}


@pytest.mark.parametrize(
    ("asked", "text", "choice"),
    [
        (ONE, "2", Play(("b",))),
        (MANY, "3 1", Play(("a", "c"))),
        (SLOTS, "2 1", Play(("Rest", "Attack"))),
        (PLACES, "2=2 1=1", Stand((("p", "x"), ("q", "y")))),
    ],
)
def test_an_answer_means_the_choice_that_its_numbers_name(asked: DecisionPrompt, text: str, choice: Choice) -> None:
    form = FORMS[asked]
    answer = asked.read(text)
    assert not isinstance(answer, FromFile)
    assert form.read(answer) == choice
    assert form.check(choice) == ""


@pytest.mark.parametrize(
    ("asked", "text", "why"),
    [
        (ONE, "0", "from 1 to 2"),
        (ONE, "3", "from 1 to 2"),
        (ONE, "", "from 1 to 2"),
        (ONE, "9" * 5000, "from 1 to 2"),
        (MANY, "1 x", "'x' is none of them"),
        (SLOTS, "1", "2 numbers are needed, one for each of: First, Second"),
        (SLOTS, "2 2", "only 1 of Rest"),
        (PLACES, "1", "as 1=3"),
        (PLACES, "1=3", "from 1 to 2"),
    ],
)
def test_what_is_no_answer_is_said(asked: DecisionPrompt, text: str, why: str) -> None:
    with pytest.raises(Unclear) as unclear:
        asked.read(text)
    assert why in str(unclear.value)
    assert len(str(unclear.value)) < 300


def test_labels_are_shown_as_they_are_and_places_with_who_may_stand_there() -> None:
    assert any("Press \\[x]" in line for line in ONE.lines)
    assert any("Queen: 2" in line for line in PLACES.lines)
    assert any("Attack  × 2" in line for line in SLOTS.lines)
    assert PLACES.hint.endswith("at least 1")


OWN = question(
    {
        "type": "one",
        "options": [
            {"id": "0", "label": "4", "grp": "alone"},
            {"id": "own", "label": "Of your own", "file": {"do": "Bring", "as": "army"}},
        ],
    }
)


def test_an_option_that_is_a_file_is_answered_with_what_the_file_holds(tmp_path: Path) -> None:
    file = tmp_path / "my army.json"
    file.write_text('{"name": "Mine"}', encoding="utf-8")
    assert OWN.read(f"2 {file}") == FromFile({"do": "Bring", "army": {"name": "Mine"}})
    assert OWN.read("1") == "0"
    assert "as 2 mine.json" in OWN.hint
    assert "alone" in OWN.lines[-2]


@pytest.mark.parametrize(
    ("text", "said"), [("2", "name of a file"), ("2 nowhere.json", "cannot be read"), ("1 x", "A number alone")]
)
def test_a_file_that_cannot_be_opened_is_said(text: str, said: str) -> None:
    with pytest.raises(Unclear, match=said):
        OWN.read(text)


def test_a_file_that_holds_no_json_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(Unclear, match="holds no JSON"):
        OWN.read(f"2 {tmp_path / 'a.json'}")


def test_where_nothing_can_be_chosen_nothing_is_offered() -> None:
    none = question({"type": "many", "items": [{"id": "a", "label": "A"}], "min": 0, "max": 0})
    assert not any("[cyan]" in line for line in none.lines)
    assert "press Enter" in none.lines[-1]
    assert none.read(" ") == []
    with pytest.raises(Unclear, match="press Enter"):
        none.read("nonsense")


def test_the_only_answer_is_taken_by_an_empty_line() -> None:
    sole = question({"type": "one", "options": [{"id": "7", "label": "Unit 1"}]})
    assert sole.read("") == sole.read("1") == "7"
    assert sole.hint == "Enter for the only answer"
