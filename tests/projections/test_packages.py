"""Games of others: found by what packages say, loaded, checked; a broken one is named and left out."""

import os
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import Seat
from projections import packages, registry
from projections.glossary import glossary
from projections.ledger import has_ledger, ledger, ledgers
from server.bots import bots_of, make_bot
from tests.outside import broken, written


@pytest.fixture(scope="module")
def border(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("others"), "border_towns")


@pytest.fixture
def named(border: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(packages.VARIABLE, str(border))
    return border


def name_folders(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setenv(packages.VARIABLE, os.pathsep.join(map(str, folders)))


def test_a_game_in_a_folder_is_a_game_as_ours(named: Path) -> None:
    assert not registry.left_out()
    assert registry.games()["border_towns"].spec.title == "Border towns"
    assert registry.faces()["border_towns"].question(None, None) == "Which card do you lay?"  # type: ignore[arg-type]
    assert glossary("border_towns", "de")["CardSelection"].name == "Welche Karte"
    assert list(ledger("border_towns").rows) == ["BT-001", "BT-002", "BT-003"]
    assert "border_towns" in ledgers()
    assert packages.rules_of("border_towns") == named / "src/border_towns/game"


def test_its_own_bots_play_it_and_those_that_look_ahead(named: Path) -> None:
    assert bots_of("border_towns")[:3] == ("eager", "gentle", "random")
    assert "strong-3" in bots_of("border_towns")
    assert make_bot("border_towns", "eager") is not None
    assert make_bot("border_towns", "strong-1") is not None


def test_without_its_folder_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(packages.VARIABLE, raising=False)
    assert "border_towns" not in registry.games()
    assert not has_ledger("border_towns")


def test_a_folder_of_packages_stands_for_all_in_it(border: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_folders(monkeypatch, border.parent)
    assert "border_towns" in registry.games()


def test_a_folder_that_is_named_twice_is_one(border: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_folders(monkeypatch, border, border.parent, border.parent / ".." / border.parent.name / border.name)
    assert "border_towns" in registry.games()
    assert not registry.left_out()


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("raises", "raise RuntimeError('no dice')", "RuntimeError: no dice"),
        ("leaves", "raise SystemExit(3)", "SystemExit: 3"),
        ("misspelt", "def broken(:", "SyntaxError"),
        ("nothing", "GAME = 1", "is no Game"),
        ("needs_more", "import nonesuch_at_all", "No module named 'nonesuch_at_all'"),
        ("other_name", "from tests.skirmish.game import GAME", "calls itself 'skirmish'"),
    ],
)
def test_a_broken_game_is_named_and_left_out_and_the_others_are_there(
    name: str, code: str, why: str, border: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_folders(monkeypatch, broken(tmp_path, name, code), border)
    assert name not in registry.games()
    assert {"border_towns", "vera_discordia"} <= set(registry.games())
    (left,) = registry.left_out()
    assert str(left).startswith(f"herald-{name} 1.0: the game '{name}' is left out: ")
    assert why in left.why


@pytest.mark.parametrize(
    ("game", "why"),
    [("vera_discordia", "Herald has a game"), ("kernel", "Herald has a game or a part"), ("Big Game", "small letters")],
)
def test_no_package_takes_the_place_of_ours(
    game: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = broken(tmp_path, "taker", "GAME = 1", f'"{game}"' if " " in game else game)
    name_folders(monkeypatch, package)
    assert registry.games()["vera_discordia"].spec.title == "Vera Discordia"
    assert why in registry.left_out()[0].why


def test_two_packages_cannot_offer_one_game(border: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_folders(monkeypatch, border, broken(tmp_path, "copy", "GAME = 1", "border_towns"))
    assert "border_towns" in registry.games()
    assert "herald-border-towns 0.1.0 offers a game of that name" in registry.left_out()[0].why


@pytest.mark.parametrize("text", ["", "[project", "[project]\nname = 1\n", "[tool]\nx = 1\n"])
def test_a_folder_that_offers_nothing_is_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    name_folders(monkeypatch, tmp_path, tmp_path / "none")
    assert [left.source for left in registry.left_out()] == [str(tmp_path), str(tmp_path / "none")]


def bots_package(folder: Path, game: str, bots: str) -> Path:
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "more-bots"\nversion = "2"\n'
        f'[project.entry-points."herald.bots"]\n{game} = "{folder.name}_bots:BOTS"\n',
        encoding="utf-8",
    )
    code = f"from server.bots import RandomBot\nBOTS = {bots}\n"
    (folder / f"{folder.name}_bots.py").write_text(code, encoding="utf-8")
    return folder


def test_bots_of_others_play_our_games_behind_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = bots_of("vera_discordia")
    name_folders(monkeypatch, bots_package(tmp_path / "lucky", "vera_discordia", "{'lucky': RandomBot}"))
    assert bots_of("vera_discordia") == (*ours, "lucky")
    view: Any = None
    assert make_bot("vera_discordia", "lucky").choose is not view


@pytest.mark.parametrize(
    ("folder", "bots", "why"),
    [
        ("taken", "{'random': RandomBot}", "cannot be called"),
        ("none", "7", "no mapping"),
        ("odd", "{'a b': 1}", "no map"),
    ],
)
def test_bots_that_cannot_play_are_named(
    folder: str, bots: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = bots_of("vera_discordia")
    name_folders(monkeypatch, bots_package(tmp_path / folder, "vera_discordia", bots))
    assert bots_of("vera_discordia") == ours
    assert why in registry.left_out()[0].why
    assert Seat(0) == 0
