"""`herald rules`, as somebody who looks a rule up uses it."""

import pytest
from click.testing import CliRunner, Result

from server.cli import main


def rules(*words: str) -> Result:
    return CliRunner().invoke(main, ["rules", *words])


def test_a_row_is_shown_among_those_around_it_with_what_rests_on_it() -> None:
    result = rules("vera_discordia", "VD-129")
    assert result.exit_code == 0
    assert "O. Deployment" in result.output
    assert [f"VD-{number}" in result.output for number in (125, 126, 129, 130)] == [False, True, True, True]
    assert "Named by: VD-Q49, VD-K05" in result.output
    assert "Words that rest on it: The General was not deployed, Place a Unit" in result.output


def test_the_beginning_of_a_game_and_small_letters_do() -> None:
    assert rules("vera", "vd-129").output == rules("vera_discordia", "VD-129").output


def test_several_rows_are_shown_one_after_the_other() -> None:
    output = rules("war", "WE-068", "WE-113").output
    assert "higher effective Conflict Value" in output
    assert "strictly higher than his MP Counter" in " ".join(output.split())


def test_a_row_of_many_columns_says_what_each_is() -> None:
    output = rules("vera", "VD-K05").output
    assert "Moment: after the last deployment" in output


def test_words_are_sought_in_the_glossary_and_in_the_rows() -> None:
    output = " ".join(rules("vera", "riposte").output.split())
    assert "Riposte Strikes back without a fitting" in output
    assert "VD-355" in output


def test_a_long_answer_says_how_much_more_there_is() -> None:
    assert "more; add a word to see fewer." in rules("vera", "unit").output


def test_without_words_the_sections_are_listed() -> None:
    output = rules("disciples").output
    assert "394 rows" in output
    assert "DL-225" in output


def test_a_ledger_of_a_game_that_is_not_played_yet_can_be_read() -> None:
    assert rules("joan", "JA-001").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nonesuch",), "'nonesuch' names no rules; there are disciples_legacy"),
        (("",), "'' names several rules"),
        (("vera", f"VD-{998}"), f"has no row VD-{998}; close to it are VD-"),
        (("vera", f"ZZ-{0}"), f"has no row ZZ-{0}. Search"),
        (("vera", "zebra"), "No rule of vera_discordia says 'zebra'"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(words: tuple[str, ...], said: str) -> None:
    result = rules(*words)
    assert result.exit_code == 1
    assert said in result.output


def test_the_id_of_a_row_finds_its_game_alone() -> None:
    assert rules("VD-129").output == rules("vera", "VD-129").output
    assert rules("we-004").output == rules("war", "WE-004").output
    assert f"vera_discordia has no row VD-{998}" in rules(f"VD-{998}").output


def test_words_are_told_in_another_language_with_the_name_that_the_table_has() -> None:
    output = " ".join(rules("vera", "vorhut", "--lang", "de").output.split())
    assert "Die Reihe am Gelände" in output
    assert "Vanguard" in output
    assert "Nachhut" in rules("vera", "rearguard", "--lang", "de").output
    words = "Wörter, die darauf beruhen: Der General wurde nicht aufgestellt, Stelle eine Einheit auf"
    assert words in " ".join(rules("vera", "VD-129", "--lang", "de").output.split())
