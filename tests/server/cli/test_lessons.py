"""`herald lesson`: lists, plays and checks; an error names file and line."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.scenarios.lesson_format import folder_of, lessons
from server.cli.lessons import lesson

GAME = "vera_discordia"


def run(*words: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(lesson, list(words), input=typed)
    return result.exit_code, result.output


def test_lessons_are_listed_in_their_order() -> None:
    code, said = run("play", GAME)
    assert code == 0
    titles = [each.title for each in lessons(GAME)]
    assert sorted(titles, key=said.index) == titles


def test_a_lesson_is_taken_with_a_mistake_the_way_and_the_answer() -> None:
    code, said = run("play", GAME, "05", typed="9\n1\n?\n2\n2\n")
    assert code == 0, said
    parts = (
        "Numbers go from 1",
        "the ones with the Maneuver",
        "Sentinels (R2): Maneuver",
        "Now say what they do",
        "done",
    )
    assert [part for part in parts if part not in said] == []


@pytest.mark.parametrize("typed", ["q\n", "9\nq\n", "1\n q \n"])
def test_q_leaves_a_lesson(typed: str) -> None:
    code, said = run("play", GAME, "05", typed=typed)
    assert code == 0
    assert "The lesson is done" not in said


def test_a_lesson_that_there_is_not_is_named_with_those_there_are() -> None:
    result = CliRunner().invoke(lesson, ["play", GAME, "zebra"])
    assert "05-moving" in str(result.exception)


def test_a_checked_lesson_that_differs_is_told_with_its_line(tmp_path: Path) -> None:
    text = (folder_of(GAME) / "05-moving.toml").read_text("utf-8")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace('"Move V2"', '"Move V4"'), "utf-8")
    code, said = run("check", str(wrong))
    assert code == 1
    line = [number for number, each in enumerate(text.splitlines(), 1) if each == "[[step]]"][1]
    assert f"line {line}: step 2" in said
    assert "0 of 1 lesson is as told." in said


def test_a_file_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('title = "x"\n[[step]]\nsay = "x"\nsya = "y"\n', "utf-8")
    code, said = run("check", str(wrong))
    assert code == 1
    assert "4: [step 1]: the key `sya` is not known" in said


def test_a_lesson_is_told_in_german_where_that_is_asked_for() -> None:
    _, said = run("play", GAME, "03", "--lang", "de", typed="?\n1\n")
    for part in ("Welche Einheit führt ihren Befehl aus?", "Sentinels (V1): Angriff", "[Angriff]", "Lücke"):
        assert part in said, part
    assert "Which Unit executes" in run("play", GAME, "03", typed="?\n1\n")[1]
    set_before = CliRunner().invoke(lesson, ["play", GAME, "03"], input="1\n", env={"HERALD_LANG": "de"})
    assert "Welche Einheit" in set_before.output


def test_a_lesson_is_taken_in_german() -> None:
    code, told = run("play", GAME, "3", "--lang", "de", typed="9\n?\n2\n1\n\n")
    assert code == 0, told
    assert "Dein erster Angriff" in told
    assert "Die Nummern gehen von 1 bis 2" in told
    assert "die Nummer; ? zeigt, wie" in told
    assert "Du darfst, und der Befehl ist verloren" in told
    assert "Die Lektion ist geschafft." in told
    assert "(en)" not in told
