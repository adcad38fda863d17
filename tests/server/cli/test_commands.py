"""The commands as a stranger uses them: what they print, and one clear sentence for everything that is wrong."""

import importlib
import re
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import Result

from projections.plain import plain_face
from projections.registry import add
from replay.store.sqlite.schema import Waits
from replay.store.sqlite.store import SqliteStore
from server.cli import COMMANDS, main, module
from tests.server.cli.commands import fails, run
from tests.skirmish.game import GAME

SCENARIO = """
title = "SK-04 Pressing with a 4 wins two points"
game = "skirmish"
at = "SK-02"
[position]
hands = [[6, 1], [2, 2]]
deck = [5, 3]
[[when]]
seat = 0
choice = "Play 6"
[[when]]
seat = 1
choice = "Play 2"
dice = ["SK-03: 3 4"]
[[when]]
seat = 0
choice = "Press"
dice = ["SK-04: 4"]
then.events = ["Scored seat=0 score=2"]
"""


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    monkeypatch.setattr("server.cli.common.console.width", 200)
    add(plain_face(GAME))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "herald.sqlite"


@pytest.fixture
def demo(db: Path) -> Result:
    return run("demo", "--game", "skirmish", "--speed", "0", "--seed", "0", "--db", db)


def test_the_demo_plays_to_the_end_and_says_how_to_replay(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0, demo.output
    assert re.search(r"(wins: more points|drawn: tie) \(SK-06\)\.", demo.stdout)
    found = re.search(r"herald replay ([\w-]+) --as 1 --at end --db", demo.stdout)
    assert found
    again = run("replay", found[1], "--db", db)
    assert again.exit_code == 0
    told = [line for line in demo.stdout.splitlines() if "card shown" in line]
    assert told
    assert all(line in again.stdout for line in told)


def test_a_seat_sees_in_its_replay_what_a_spectator_does_not(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0
    seat, spectator = (run("replay", "last", "--as", who, "--db", db).stdout for who in ("1", "spectator"))
    assert "Abel: hand dealt count 3; cards " in seat
    assert "Doviso: hand dealt count 3." in seat
    assert "Abel: hand dealt count 3." in spectator


def test_a_part_of_a_match_is_told_from_line_to_line(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0
    lines = run("replay", "last", "--from", "12", "--to", "20", "--db", db).stdout.splitlines()
    numbers = [int(line.split()[0]) for line in lines]
    assert numbers
    assert min(numbers) >= 12
    assert max(numbers) <= 20


def test_the_table_is_drawn_at_a_line(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0
    drawn = run("replay", "last", "--at", "end", "--db", db).stdout
    assert drawn.startswith("Skirmish, line ")
    assert "scores: " in drawn


def test_matches_are_listed_and_shown(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0
    listed = run("match", "list", "--db", db).stdout
    assert "Abel – Doviso" in listed
    assert "finished" in listed
    shown = run("match", "show", "last", "--db", db).stdout
    assert "skirmish, rules" in shown
    assert run("match", "list", "--json", "--db", db).stdout.startswith('{"match":')
    assert "no matches yet" in run("match", "list", "--status", "open", "--db", db).stdout


def test_a_match_is_created_with_links_for_its_seats(db: Path) -> None:
    done = run("match", "create", "--game", "skirmish", "--option", "rounds=2", "--db", db)
    assert len(re.findall(r"/play#m=[\w-]+&t=[\w-]{43}", done.stdout)) == 1
    assert len(re.findall(r"/play#m=[\w-]+&i=[\w-]{49}", done.stdout)) == 1
    assert "rounds" in run("match", "show", "last", "--db", db).stdout


def test_simulated_matches_are_counted(db: Path) -> None:
    done = run("match", "simulate", "--game", "skirmish", "--matches", "6", "--seed", "1", "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert (
        done.stdout
        == run("match", "simulate", "--game", "skirmish", "--matches", "6", "--seed", "1", "--jobs", "1").stdout
    )
    assert "decisions a match" in done.stdout


def test_a_scenario_that_is_as_told_is_named_and_one_that_differs_says_where(tmp_path: Path) -> None:
    (tmp_path / "right.toml").write_text(SCENARIO, encoding="utf-8")
    done = run("scenario", "check", tmp_path)
    assert done.exit_code == 0
    assert "1 of 1 scenario is as told." in done.stdout
    (tmp_path / "wrong.toml").write_text(SCENARIO.replace("score=2", "score=1"), encoding="utf-8")
    again = run("scenario", "check", tmp_path / "right.toml", tmp_path / "wrong.toml")
    assert again.exit_code == 1
    assert re.search(r"when 3.*\n +expected +Scored seat=0 score=1", again.stdout)
    assert "1 of 2 scenarios are as told." in again.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SCENARIO.replace('game = "skirmish"', 'game = "nothing"'), "There is no game 'nothing'"),
        (SCENARIO + "nonsense = 1", "nonsense"),
        ("title = ", "not TOML"),
    ],
)
def test_a_scenario_that_cannot_be_read_says_why(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    done = run("scenario", "check", tmp_path)
    assert done.exit_code == 1
    assert said in done.stdout


def test_a_match_is_created_in_the_position_of_a_scenario(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "press.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    made = run("match", "create", "--scenario", file, "--seat", "me", "--seat", "bot:random", "--db", db)
    assert made.exit_code == 0, made.output
    assert "seat 1: http" in made.stdout
    listed = run("match", "list", "--db", db)
    assert "SK-04 Pressing" in " ".join(listed.stdout.split())
    file.write_text(SCENARIO.replace("hands", "hants"), encoding="utf-8")
    refused = run("match", "create", "--scenario", file, "--db", db)
    assert refused.exit_code != 0
    assert "[position]: hants" in refused.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_taught_to_complete(shell: str) -> None:
    assert "_HERALD_COMPLETE" in run("completion", shell).stdout


@pytest.mark.parametrize(("gone", "is_told"), [("herald_client", True), ("server.wire.stream_file", False)])
def test_a_package_that_is_gone_is_named_in_a_sentence(
    gone: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {gone!r}", name=gone)

    monkeypatch.setattr("server.cli.importlib", SimpleNamespace(import_module=fails))
    with pytest.raises(click.ClickException if is_told else ModuleNotFoundError, match=gone):
        module("audit")


def test_the_version_is_told() -> None:
    assert run("--version").stdout.startswith("herald, version ")


def test_every_command_says_what_it_does() -> None:
    assert COMMANDS.keys() >= {"serve", "demo", "match", "replay", "scenario", "audit", "completion"}
    for name in COMMANDS:
        done = run(name, "--help")
        assert done.exit_code == 0
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.get_short_help_str()


def test_every_command_of_a_module_is_there_and_no_other() -> None:
    offered = [
        (command.name, part)
        for part in sorted(set(COMMANDS.values()))
        for command in importlib.import_module(f"server.cli.{part}").COMMANDS
    ]
    assert sorted(offered) == sorted(COMMANDS.items())


def test_a_command_waits_for_no_other() -> None:
    asked = "import sys; from server.cli import main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert not {f"server.cli.{part}" for part in COMMANDS.values()} & set(loaded)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("demo", "--game", "nothing"), "There is no game 'nothing'"),
        (("demo", "--game", "skirmish", "--bot", "nothing"), "There is no bot 'nothing'"),
        (("demo", "--speed", "-1"), "--speed"),
        (("serve", "--port", "99999"), "--port"),
        (("serve", "--host", "256.0.0.1", "--port", "0"), "Cannot listen on 256.0.0.1"),
        (("match", "create", "--seat", "king"), "--seat is me, friend, open or bot:NAME"),
        (("match", "create", "--game", "skirmish", "--seat", "me"), "2 seats"),
        (("match", "create", "--game", "skirmish", "--option", "rounds"), "--option is name=value"),
        (("match", "create", "--game", "skirmish", "--option", "rounds=many"), "do not fit"),
        (("match", "simulate", "--game", "skirmish", "--bots", "random,random,random"), "names one, or 2, of"),
        (("replay", "nothing"), "There is no database"),
        (("nothing",), "No such command"),
        (("completion", "cmd"), "is not one of"),
    ],
)
def test_a_wrong_word_is_said_in_a_sentence(words: tuple[str, ...], said: str, db: Path) -> None:
    takes_db = words[0] in {"demo", "serve", "match", "replay"} and "simulate" not in words
    assert said in fails(*words, *(("--db", db) if takes_db else ()))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("replay", "nothing"), "There is no match 'nothing'"),
        (("replay", "last", "--as", "9"), "--as is spectator or a seat from 1 to 2"),
        (("replay", "last", "--at", "0"), "--at is a line from 1 to"),
        (("replay", "last", "--at", "99999"), "--at is a line from 1 to"),
        (("match", "show", "nothing"), "There is no match"),
    ],
)
def test_a_match_that_is_not_there_is_said_in_a_sentence(
    words: tuple[str, ...], said: str, demo: Result, db: Path
) -> None:
    assert demo.exit_code == 0
    assert said in fails(*words, "--db", db)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir,\n" * 99, encoding="utf-8")
    assert "not a database" in fails("match", "list", "--db", path)
    assert path.read_text(encoding="utf-8") == "Dear Sir,\n" * 99


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot be made" in fails("serve", "--port", "0", "--db", tmp_path / "file" / "herald.db")


def test_a_locked_database_is_said(db: Path, demo: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.exit_code == 0
    monkeypatch.setattr("server.cli.common.SqliteStore", partial(SqliteStore, waits=Waits(lock_s=0.1)))
    other = sqlite3.connect(db, isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in fails("match", "create", "--game", "skirmish", "--db", db)
    finally:
        other.close()


def test_a_match_is_followed_to_its_end(demo: Result, db: Path) -> None:
    assert demo.exit_code == 0
    followed = run("replay", "last", "--follow", "--plain", "--db", db)
    assert followed.exit_code == 0
    assert followed.stdout == run("replay", "last", "--plain", "--db", db).stdout


def test_a_file_of_one_seat_is_seen_through_its_own_eyes_only(demo: Result, db: Path, tmp_path: Path) -> None:
    assert demo.exit_code == 0
    file = tmp_path / "seat.herald"
    assert run("export", "last", "--as", "2", "-o", file, "--db", db).exit_code == 0
    assert run("replay", file).stdout == run("replay", "last", "--as", "2", "--db", db).stdout
    assert "cannot be seen through other eyes" in fails("replay", file, "--as", "1")
    assert "Its secrets are closed" in fails("replay", file, "--open")
    assert run("replay", file, "--as", "spectator").stdout == run("replay", "last", "--db", db).stdout
