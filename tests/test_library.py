"""The package `herald`: few names, typed, and what a stranger's script finds in it."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from herald import audit, games, open_record, play
from scripts.promises import REVEALED, STRANGER
from scripts.public_face import KEPT, PUBLIC, described
from server.cli import main
from tests.architecture.sources import ROOT


def test_the_public_face_is_the_one_that_is_kept() -> None:
    """A change of it is seen in review: write it anew with `python -m scripts.public_face`."""
    assert json.loads(KEPT.read_text(encoding="utf-8")) == described()


def test_every_public_name_says_what_it_is() -> None:
    for module in PUBLIC.values():
        for name in module.__all__:
            value = getattr(module, name)
            assert value.__doc__ or not (inspect.isclass(value) or inspect.isfunction(value)), name
            assert not name.startswith("_")


def test_bots_play_a_match_and_the_same_seed_plays_it_again() -> None:
    one, again, other = (play("vera_discordia", "random", seed) for seed in (1, 1, 2))
    assert one.events == again.events != other.events
    assert one.choices > 10
    assert one.reason
    assert set(one.won) <= {0, 1}


@pytest.mark.parametrize(
    ("game", "bots", "error", "why"),
    [
        ("chess", "random", LookupError, "there is no game 'chess'"),
        ("vera_discordia", "hal", LookupError, "there is no bot 'hal'"),
        ("vera_discordia", ["random"], ValueError, "2 seats, and 1 bots"),
    ],
)
def test_what_cannot_be_played_is_said(game: str, bots: str | list[str], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        play(game, bots)


def test_the_games_are_told_with_their_bots() -> None:
    assert games()["vera_discordia"][0] == "steady"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole match, with everything."""
    folder = tmp_path_factory.mktemp("library")
    db, made = folder / "played.db", folder / "match.herald"
    for words in (("demo", "--game", "war_for_edadh", "--speed", "0"), ("export", "last", "-o", str(made))):
        done = CliRunner().invoke(main, [*words, "--db", str(db)])
        assert done.exit_code == 0, done.output
    return made


def test_a_record_is_audited(file: Path) -> None:
    done = audit(file)
    assert done.ok, done.fault
    assert done.game == "war_for_edadh"
    assert done.choices > 10


def test_a_changed_record_does_not_hold(file: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.herald"
    changed.write_bytes(file.read_bytes().replace(b"Chosen", b"Chosem", 1))
    done = audit(changed)
    assert not done.ok
    assert done.fault
    (tmp_path / "none.herald").write_text("no record")
    assert not audit(tmp_path / "none.herald").ok


def test_a_record_is_looked_into(file: Path) -> None:
    record = open_record(file)
    assert len(record) == len(record.events) > 100
    assert record.seats == 2
    told = [moment.text for moment in record.moments()]
    assert any(told)
    assert record.view(1) != record.view()
    assert record.board()
    with pytest.raises(IndexError):
        record.view(len(record) + 1)
    with pytest.raises(IndexError):
        record.view(1, seat=2)


def test_a_seat_is_shown_what_it_saw(file: Path) -> None:
    record = open_record(file)
    seen = [str(moment.event) for moment in record.moments(0)]
    whole = [str(moment.event) for moment in record.moments()]
    assert seen != whole
    assert sum("HIDDEN" in text for text in seen) > sum("HIDDEN" in text for text in whole)


def test_a_strangers_script_is_typed(tmp_path: Path) -> None:
    """As whoever installed the packages has it: each is marked as typed, and nothing of it is `Any`."""
    script = tmp_path / "stranger.py"
    script.write_text(STRANGER, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n", encoding="utf-8")
    paths = os.pathsep.join(str(ROOT / folder) for folder in (".", "clients/library/src", "clients/python/src"))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            "mypy.ini",
            "--cache-dir",
            ROOT / ".mypy_cache/stranger",
            script,
        ],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    revealed = [line.partition("Revealed type is ")[2] for line in done.stdout.splitlines() if "Revealed" in line]
    assert len(revealed) == REVEALED
    assert not [line for line in revealed if "Any" in line]


def test_every_package_is_marked_as_typed() -> None:
    for package in ("domain", "projections", "replay", "server", "clients/library/src/herald"):
        assert (ROOT / package / "py.typed").is_file()
