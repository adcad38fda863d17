"""Help and errors in the language that a command line chooses: each text has its German, nothing else has."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from projections.languages import ENGLISH, LANGUAGES
from server.cli import language, main
from server.cli.language import chosen_in, helps_of, language_option, paragraphs, translated

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
NAMES = {"BOT", "ID", "LINK", "NAME", "SHELL", "URL"}
"""Placeholders that are the same words in every language."""
FOR_AUTHORS = re.compile(
    "DeprecationWarning|must be|defined twice|declarations|declaration|Cannot use|cannot use the same flag|start char"
    "|standard stream|Unknown color|Value must be|Confirm the action|%\\(prog\\)s|Show the version|Did you mean to"
    "|^(file|directory|path)$"
)
"""What click tells those who write commands, or says while it reads them, before a language is known."""


def commands(command: click.Command = main) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from commands(found)


def helps() -> Iterator[str]:
    for command in commands():
        yield from paragraphs(command.help or "")
        yield from (each.help for each in command.params if isinstance(each, click.Option) and each.help)


def placeholders() -> Iterator[str]:
    for command in commands():
        context = click.Context(command)
        shown = [each for each in command.params if not getattr(each, "is_flag", False)]
        written = [each.make_metavar(context) for each in shown] + [command.options_metavar or ""]
        written += [command.subcommand_metavar] if isinstance(command, click.Group) else []
        for text in written:
            yield from re.findall(r"\b[A-Z]{2,}\b", text)


def said_by_click() -> Iterator[str]:
    for name in language.CLICK:
        source = Path(click.__file__).with_name(f"{name}.py").read_text("utf-8")
        for call in ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"_", "ngettext"}:
                texts = [one.value for one in call.args if isinstance(one, ast.Constant)]
                yield from (text for text in texts if isinstance(text, str) and not FOR_AUTHORS.search(text))


HELPS = {text for text in helps() if not text.startswith(language.AS_IT_STANDS)}


def places(text: str) -> list[tuple[str, str, str]]:
    return sorted((name, form or "", how or "") for _, name, form, how in string.Formatter().parse(text) if name)


def german(*words: str) -> str:
    return CliRunner().invoke(main, words, env={"HERALD_LANG": "de"}).output


@pytest.mark.parametrize("language", OTHERS)
def test_every_help_text_is_translated_and_nothing_else(language: str) -> None:
    held = helps_of(language)["help"]
    assert len(HELPS) > 150
    assert sorted(HELPS - set(held)) == []
    assert sorted(set(held) - HELPS) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_placeholder_is_translated_and_nothing_else(language: str) -> None:
    assert set(helps_of(language)["metavar"]) == set(placeholders()) - NAMES


@pytest.mark.parametrize("language", OTHERS)
def test_what_click_says_is_translated_with_its_places(language: str) -> None:
    held = helps_of(language)["click"]
    assert sorted(set(said_by_click()) - set(held)) == []
    assert [english for english, told in held.items() if not set(places(told)) <= set(places(english))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_help_names_the_same_commands_and_options_in_every_language(language: str) -> None:
    typed = re.compile(r"`[^`]*`|--[a-z-]+|HERALD_\w+|docs/\S+\.md")
    for english, told in helps_of(language)["help"].items():
        assert sorted(typed.findall(english)) == sorted(typed.findall(told)), english


def test_every_command_takes_a_language() -> None:
    for command in commands():
        if not isinstance(command, click.Group):
            assert any("--lang" in each.opts for each in command.params), command.name


@pytest.mark.parametrize(
    "words", [("match", "list", "--lang", "de", "--help"), ("match", "list", "--help", "--lang=de")]
)
def test_help_speaks_the_language_that_is_chosen_wherever_that_stands(words: tuple[str, ...]) -> None:
    told = CliRunner().invoke(main, words).output
    assert told.startswith("Aufruf: ")
    assert "Zählt die Partien einer Datenbank auf, die neueste zuerst." in told
    assert "Diese Hilfe zeigen." in told
    assert "[Vorgabe: 50;" in told
    assert CliRunner().invoke(main, ["match", "list", "--help"]).output.startswith("Usage: ")


def test_the_first_help_tells_of_all_commands_in_the_environments_language() -> None:
    told = german("--help")
    assert "Schreibt eine Partie als Datei." in told
    assert "(en)" not in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "Den Befehl 'nothing' gibt es nicht."),
        (("match", "list", "--limt", "3"), "Die Option '--limt' gibt es nicht. Meintest du '--limit'?"),
        (("match", "list", "--limit", "0"), "Ungültiger Wert für '--limit': 0 ist nicht im Bereich x>=1."),
        (("branch", "last"), "Es fehlt die Option '--at'"),
        (("restore", "/nowhere.db"), "Ungültiger Wert für 'DATEI': '/nowhere.db' gibt es nicht."),
        (("replay", "one", "two"), "Ein Argument ist zu viel (two)"),
    ],
)
def test_errors_of_the_command_line_speak_the_language(words: tuple[str, ...], said: str) -> None:
    told = german(*words)
    assert said in told
    assert "Hilfe gibt " in told


def test_help_that_is_not_translated_is_english_and_says_so() -> None:
    @click.command()
    @language_option
    @click.option("--odd", help="Odd ones.")
    def strange() -> None:
        """Do something strange."""

    with language.in_language_of(["--lang", "de"]):
        told = translated(strange)
        assert told.help == "Do something strange. (en)"
        assert [each.help for each in told.params if isinstance(each, click.Option)][1] == "Odd ones. (en)"
    assert strange.help == "Do something strange."


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (["match", "--lang", "de", "list"], "de"),
        (["--lang=de"], "de"),
        (["--lang", "de", "play", "--lang", "en"], "en"),
        (["--lang", "nothing"], None),
        (["rules", "--", "--lang", "de"], None),
    ],
)
def test_the_language_is_the_last_one_that_is_named(words: list[str], chosen: str | None) -> None:
    assert chosen_in(words) == chosen


def test_a_language_of_the_environment_that_there_is_not_is_english() -> None:
    done = CliRunner().invoke(main, ["match", "--help"], env={"HERALD_LANG": "nothing"})
    assert done.exit_code == 0
    assert done.output.startswith("Usage: ")


def test_the_language_of_the_environment_is_no_setting_of_the_server() -> None:
    assert "HERALD_LANG" not in CliRunner().invoke(main, ["config", "check"], env={"HERALD_LANG": "de"}).output
