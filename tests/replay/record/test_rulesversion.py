"""A rules version stands for the same rules for ever."""

import json
from pathlib import Path

import pytest

from projections.registry import games
from replay.record.rulesversion import DRAFT, rules_hash

ROOT = Path(__file__).parents[3]
KEPT: dict[str, dict[str, list[str]]] = json.loads(
    (ROOT / "docs" / "rules" / "versions.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", sorted(name for name, game in games().items() if game.rules != DRAFT))
def test_rules_that_change_have_a_new_version(name: str) -> None:
    game = games()[name]
    assert KEPT.get(name, {}).get(game.rules, [])[-1:] == [rules_hash(ROOT / "domain" / name)], (
        f"the rules of {name} changed and are still called version {game.rules}: see scripts/rules-version --help"
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name in ("rules/turn.py", "data/cards.json", "resample.py", "positions.py", "README.md"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("one\ntwo\n")
    return tmp_path


@pytest.mark.parametrize("name", ["rules/turn.py", "data/cards.json"])
def test_rules_and_data_are_hashed(package: Path, name: str) -> None:
    before = rules_hash(package)
    (package / name).write_text("one\nthree\n")
    assert rules_hash(package) != before


def test_a_file_renamed_or_added_changes_the_hash(package: Path) -> None:
    before = rules_hash(package)
    (package / "rules" / "turn.py").rename(package / "rules" / "round.py")
    renamed = rules_hash(package)
    (package / "rules" / "turn.py").write_text("")
    assert len({before, renamed, rules_hash(package)}) == 3


@pytest.mark.parametrize("name", ["resample.py", "positions.py", "README.md"])
def test_what_decides_nothing_is_not_hashed(package: Path, name: str) -> None:
    before = rules_hash(package)
    (package / name).write_text("other\n")
    assert rules_hash(package) == before


def test_line_ends_do_not_count(package: Path) -> None:
    before = rules_hash(package)
    (package / "rules" / "turn.py").write_bytes(b"one\r\ntwo\r\n")
    assert rules_hash(package) == before


def test_a_package_without_rules_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rules"):
        rules_hash(tmp_path)
