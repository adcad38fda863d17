"""`scripts/new-game`: its skeleton is a game in a package of its own, whatever its name and however many play."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.new_game import faults, words_of
from tests.outside import ROOT, written


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
    return found.stdout


@pytest.mark.parametrize(("name", "options"), [("zero_hour", ("--seats", "3")), ("ab", ("--title", "A und B: zwei"))])
def test_the_packages_own_tests_pass_and_its_code_is_in_form(
    name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    package = written(tmp_path, name, *options)
    assert not list(package.glob(".*")), "nothing of the tools that formed it"
    assert " passed" in run(package, "pytest", "-q", "-p", "no:cacheprovider")
    run(package, "ruff", "check", "--isolated", "--line-length", "120", ".")
    run(package, "ruff", "format", "--isolated", "--check", "--line-length", "120", ".")


def test_bots_play_it_out_of_its_folder(tmp_path: Path) -> None:
    package = written(tmp_path, "two_hills")
    played = run(
        ROOT,
        "server.cli",
        *(
            "--games",
            str(package),
            "match",
            "simulate",
            "--game",
            "two_hills",
            "--matches",
            "4",
            "--bots",
            "eager,random",
        ),
    )
    assert "4" in played


@pytest.mark.parametrize("seats", ["2", "3", "4"])
def test_its_lesson_is_as_told_and_can_be_taken_in_german(seats: str, tmp_path: Path) -> None:
    package = written(tmp_path, "two_hills", "--seats", seats)
    command = ("server.cli", "--games", str(package), "lesson")
    assert "1 of 1 lesson is as told." in run(ROOT, *command, "check", "two_hills")
    assert "Lege eine Karte" in run(ROOT, *command, "play", "two_hills", "--lang", "de")


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    assert any("is there already" in fault for fault in faults(tmp_path, words_of("two_hills", None, None, 2), 2))


@pytest.mark.parametrize(
    ("name", "prefix", "title", "seats", "why"),
    [
        ("Border", None, None, 2, "no name for a package"),
        ("class", None, None, 2, "no name for a package"),
        ("x", None, None, 2, "no name for a package"),
        ("json", None, None, 2, "There is a module json"),
        ("vera_discordia", None, None, 2, "There is a module vera_discordia"),
        ("two_towns", "T", None, 2, "is not two letters"),
        ("two_towns", "TTT", None, 2, "is not two letters"),
        ("two_towns", None, None, 1, "for 2 to 4 seats"),
        ("two_towns", None, None, 5, "for 2 to 4 seats"),
        ("two_towns", None, 'The "Towns"', 2, "no quotation marks"),
    ],
)
def test_what_cannot_be_a_game_is_refused(
    name: str, prefix: str | None, title: str | None, seats: int, why: str, tmp_path: Path
) -> None:
    assert any(why in fault for fault in faults(tmp_path / "new", words_of(name, title, prefix, seats), seats))
