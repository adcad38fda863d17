"""`scripts/compile`: what is compiled, and when a wheel is kept."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import Struct

from scripts import compile as compiling
from scripts.compiled_wheel import MODULES

HOOK = "scripts/compiled_wheel.py"


@pytest.mark.parametrize("path", MODULES)
def test_what_is_compiled_defines_no_struct_which_would_be_frozen_no_more(path: str) -> None:
    name = path.removesuffix(".py").replace("/", ".")
    own = [kind for kind in vars(import_module(name)).values() if getattr(kind, "__module__", "") == name]
    assert not [kind for kind in own if isinstance(kind, type) and issubclass(kind, Struct)]


def test_nothing_is_compiled_where_it_is_not_asked_for() -> None:
    project = tomllib.loads((compiling.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    assert hook["path"] == HOOK
    assert hook["enable-by-default"] is False


@pytest.mark.parametrize(("compiled", "kept"), [("the same", True), ("another", False)])
def test_a_wheel_is_kept_only_where_it_plays_the_same_matches(
    compiled: str, kept: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def built(to: Path) -> Path:
        (to / "herald.whl").touch()
        return to / "herald.whl"

    monkeypatch.setattr(compiling, "build", built)
    monkeypatch.setattr(compiling, "laid_beside", lambda _wheel, _folder: None)
    prints = {compiling.ROOT: "the same"}
    monkeypatch.setattr(compiling, "_fingerprint_in", lambda folder: prints.get(folder, compiled))
    done = CliRunner().invoke(compiling.main, ["--to", str(tmp_path / "dist")])
    assert (done.exit_code == 0) is kept
    assert (tmp_path / "dist" / "herald.whl").exists() is kept


def test_the_hash_tells_one_match_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "game_names", lambda: ["skirmish"])
    monkeypatch.setattr(compiling, "MATCHES", 1)
    one = compiling.fingerprint()
    assert compiling.fingerprint() == one
    monkeypatch.setattr(compiling, "MATCHES", 2)
    assert compiling.fingerprint() != one
