"""The help of all commands and the shell's Tab: true to the commands, and without loading them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from projections.registry import games
from scripts.command_table import KEPT, written
from server.bots import bots_of
from server.cli import COMMANDS, main
from server.cli.command_stubs import asks_help
from server.cli.overview import table
from server.cli.packaged import packaged
from tests import outside
from tests.architecture.sources import ROOT

HEAVY = {
    "anyio",
    "asyncio",
    "cryptography",
    "domain",
    "email",
    "importlib.metadata",
    "msgspec",
    "numpy",
    "projections.glossary",
    "replay",
    "rich",
    "sqlite_utils",
    "ssl",
    "textual",
    "websockets",
}
LISTED = (
    "import sys; sys.argv[:1] = ['herald']\n"
    "try:\n    from server.cli import main; main(prog_name='herald')\n"
    "finally:\n    print('\\n' + ' '.join(sys.modules))"
)


BASH = """
eval "$(_HERALD_COMPLETE=bash_source herald)"
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_herald_completion herald
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""What bash itself makes of the answer to a Tab: the words that it would offer, a line each."""


def imported(*words: str, **variables: str) -> set[str]:
    """The modules that a command line has loaded when it is carried out."""
    done = subprocess.run(
        [sys.executable, "-c", LISTED, *words],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def offered(typed: str, **variables: str) -> list[str]:
    """What bash is offered where the cursor stands at the end of what is typed."""
    words = typed.split(" ")
    packaged.cache_clear()
    done = CliRunner().invoke(
        main,
        [],
        prog_name="herald",
        env={
            "_HERALD_COMPLETE": "bash_complete",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words) - 1),
            **variables,
        },
    )
    assert done.exit_code == 0
    return [line.partition(",")[2] for line in done.output.splitlines() if line]


def test_the_kept_table_is_what_the_commands_are() -> None:
    assert KEPT.read_text("utf-8") == written(), "run `python -m scripts.command_table`"


def test_the_version_imports_what_it_uses_and_nothing_else() -> None:
    ours = {"server", "server.cli", "projections", "projections.languages", "server.errors"}
    ours |= {f"server.cli.{name}" for name in ("errors", "language", "words")}
    found = imported("--version")
    assert {name for name in found if name.split(".")[0] in {"domain", "projections", "replay", "server"}} == ours
    assert not found & (HEAVY - {"email", "importlib.metadata"})


@pytest.mark.parametrize("words", [("--help",), ("--lang", "de", "--help")])
def test_the_help_of_all_commands_loads_none(words: tuple[str, ...]) -> None:
    assert not imported(*words) & HEAVY


@pytest.mark.parametrize(
    "words",
    [("serve", "--help"), ("match", "create", "-h"), ("--lang", "de", "replay", "--help"), ("arena", "--help")],
)
def test_the_help_of_a_command_loads_none(words: tuple[str, ...]) -> None:
    found = imported(*words)
    assert not found & HEAVY
    assert not found & {f"server.cli.{part}" for part in COMMANDS.values()}


def paths(told: Mapping[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command of the table, and those within it."""
    for name, inner in told.get("commands", {}).items():
        yield (*before, name)
        yield from paths(inner, (*before, name))


def shown(words: Sequence[str]) -> str:
    done = CliRunner().invoke(main, [*words, "--help"], prog_name="herald")
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_help_from_the_table_is_what_each_command_says_itself(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERALD_LANG", language)
    every = list(paths(table()))
    told = {path: shown(path) for path in every}
    monkeypatch.setattr("server.cli.command_stubs.asks_help", lambda *_: False)
    assert told == {path: shown(path) for path in every}
    assert len(every) > len(COMMANDS)


@pytest.mark.parametrize(
    "words",
    [(), ("--help",), ("nothing", "--help"), ("match", "nothing", "-h"), ("play", "--game", "--help"), ("play",)],
)
def test_only_the_help_of_a_command_is_shown_without_it(words: tuple[str, ...]) -> None:
    assert not asks_help(words, table())


@pytest.mark.parametrize(
    "typed", ["herald ", "herald match ", "herald analyse --", "herald demo --bot ", "herald audit "]
)
def test_a_tab_loads_no_command(typed: str, tmp_path: Path) -> None:
    place = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "HERALD_DATA": str(tmp_path)}
    assert not imported(_HERALD_COMPLETE="bash_complete", **place) & HEAVY


def test_a_tab_offers_commands_and_their_options() -> None:
    assert offered("herald re") == ["rebuild", "relay", "replay", "restore"]
    assert offered("herald match ") == ["ahead", "create", "draw", "end", "link", "list", "show", "simulate", "void"]
    assert {"--as", "--at", "--db"} <= set(offered("herald replay last --"))


def test_a_tab_offers_games_and_the_bots_of_the_game_that_is_named() -> None:
    assert set(games()) <= set(offered("herald demo --game "))
    assert offered("herald demo --game vera_discordia --bot ") == list(bots_of("vera_discordia"))
    assert set(bots_of("joan_of_arc")) <= set(offered("herald demo --bot "))


def test_a_tab_offers_the_lessons_of_the_game_that_is_named() -> None:
    found = offered("herald lesson play vera_discordia ")
    assert found
    assert offered(f"herald lesson play vera_discordia {found[0][:4]}")[0] == found[0]
    assert offered("herald lesson play chess ") == []


def test_a_tab_offers_the_matches_of_the_database_that_is_named(tmp_path: Path) -> None:
    db = tmp_path / "played.db"
    made = CliRunner().invoke(main, ["match", "create", "--game", "vera_discordia", "--db", str(db)])
    assert made.exit_code == 0
    match = next(iter(offered(f"herald match show --db {db} ")))
    assert offered(f"herald match show --db {db} {match[:3]}") == [match]
    assert offered("herald replay ", HERALD_DB=str(db))[:2] == [match, "last"]
    assert offered("herald match show ", HERALD_DB=str(tmp_path / "none.db")) == ["last"]


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_bash_offers_matches_before_files(command: str, tmp_path: Path) -> None:
    db = tmp_path / "played.db"
    assert CliRunner().invoke(main, ["match", "create", "--game", "war_for_edadh", "--db", str(db)]).exit_code == 0
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", BASH, "bash", "herald", command, ""],
        cwd=ROOT,
        env={**os.environ, "PATH": places, "HERALD_DB": str(db)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == offered("herald match show ", HERALD_DB=str(db))


def test_a_tab_offers_what_a_folder_of_a_package_declares_and_loads_nothing_of_it(tmp_path: Path) -> None:
    package = outside.written(tmp_path, "fen_towns")
    (package / "src/fen_towns/face/lessons/02-next.toml").touch()
    (package / "src/fen_towns/__init__.py").write_text("raise SystemExit('it is loaded')")
    for typed, place in ((f"herald --games {tmp_path} ", ""), ("herald ", str(package))):
        assert "fen_towns" in offered(f"{typed}demo --game ", HERALD_GAMES=place)
        assert {"eager", "random"} <= set(offered(f"{typed}demo --game fen_towns --bot ", HERALD_GAMES=place))
        assert offered(f"{typed}lesson play fen_towns ", HERALD_GAMES=place) == ["01-lay-a-card", "02-next"]


def test_a_tab_is_answered_where_a_package_is_broken(tmp_path: Path) -> None:
    package = outside.broken(tmp_path, "gone", "BOTS = {", "gone_towns")
    with (package / "pyproject.toml").open("a") as file:
        file.write('[project.entry-points."herald.bots"]\ngone_towns = "gone_module:BOTS"\n')
    assert offered("herald demo --game gone_towns --bot s", HERALD_GAMES=str(package))[0] == "strong-1"
    (package / "pyproject.toml").write_text("[project]\nentry-points = 7\n")
    assert set(games()) <= set(offered("herald demo --game ", HERALD_GAMES=f"{package}{os.pathsep}{tmp_path / 'none'}"))


def test_a_tab_is_answered_where_the_database_is_none(tmp_path: Path) -> None:
    (tmp_path / "torn.db").write_bytes(b"no database")
    assert offered("herald match show ", HERALD_DB=str(tmp_path / "torn.db")) == ["last"]


def test_the_table_is_small_enough_to_be_read_at_every_tab() -> None:
    assert KEPT.stat().st_size < 120_000
    assert json.loads(KEPT.read_text("utf-8")).keys() == {"help", "params", "commands", "games"}
