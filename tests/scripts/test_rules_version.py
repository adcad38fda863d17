"""`scripts/rules-version`: which hashes it keeps, and what it wants to see before it does."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from replay.files.export import Record
from scripts import rules_version
from scripts.rules_version import changed, main, records_under, restated
from tests.replay.records import RECORDS, read_kept

RULES = "vera_discordia"
SHORT = min(records_under(RULES, "1"), key=lambda path: path.stat().st_size)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The versions file, in which one version has another hash than its rules."""
    versions = json.loads(rules_version.KEPT.read_text(encoding="utf-8"))
    versions[RULES]["1"] = ["former"]
    file = tmp_path / "versions.json"
    file.write_text(json.dumps(versions), encoding="utf-8")
    monkeypatch.setattr(rules_version, "KEPT", file)
    monkeypatch.setattr(rules_version, "records_under", lambda *_: [SHORT])
    return file


def run(monkeypatch: pytest.MonkeyPatch, file: Path, *arguments: str) -> tuple[int, list[str]]:
    monkeypatch.setattr(sys, "argv", ["rules-version", *arguments])
    status = main()
    hashes: list[str] = json.loads(file.read_text(encoding="utf-8"))[RULES]["1"]
    return status, hashes


def altered(path: Path) -> tuple[Record, dict[str, Any]]:
    """A record kept when its events made another state."""
    record, made = read_kept(path)
    return record, {**made, "state": {**made["state"], "draws": -1}}


def test_changed_rules_are_told_and_nothing_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, kept) == (1, ["former"])


def test_a_version_with_kept_records_never_changes(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, kept, "--accept") == (1, ["former"])
    assert "version 1 has kept records" in capsys.readouterr().out


def test_a_version_without_kept_records_may_change(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_version, "records_under", lambda *_: [])
    status, hashes = run(monkeypatch, kept, "--accept")
    assert (status, len(hashes)) == (0, 1)
    assert hashes != ["former"]


def test_the_same_rules_written_otherwise_keep_their_version(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, hashes = run(monkeypatch, kept, "--same")
    assert (status, hashes[0], len(hashes)) == (0, "former", 2)
    assert run(monkeypatch, kept) == (0, hashes)


def test_rules_that_make_something_else_are_not_the_same(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules_version, "read_kept", altered)
    assert run(monkeypatch, kept, "--same") == (1, ["former"])
    assert f"{SHORT.stem}: .state.draws: -1 is now" in capsys.readouterr().out


def test_what_rules_make_of_a_kept_record_is_compared() -> None:
    assert changed(SHORT) == ""


def test_without_a_kept_record_nothing_shows_that_rules_are_the_same() -> None:
    assert [why for why in restated(RULES, "0") if "nothing shows" in why]


def test_every_kept_record_of_a_game_is_found() -> None:
    there = {path for path in (RECORDS / RULES).iterdir() if path.suffix != ".json"}
    assert set(records_under(RULES, "1")) == there
