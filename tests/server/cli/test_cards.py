"""`herald cards check`, as somebody who writes a card set uses it."""

from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli import main

SHIPPED = files("domain.vera_discordia.data").joinpath("shipped.json").read_text(encoding="utf-8")


def check(folder: Path, text: str) -> Result:
    file = folder / "mine.json"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["cards", "check", str(file)])


def test_a_sound_set_can_be_played_with(tmp_path: Path) -> None:
    result = check(tmp_path, SHIPPED)
    assert (result.exit_code, result.output) == (0, "mine.json can be played with.\n")


def test_every_defect_is_named_with_card_field_and_what_is_allowed(tmp_path: Path) -> None:
    result = check(tmp_path, SHIPPED.replace('"motivation": 10', '"motivation": 9').replace('"link"]', '"lynk"]'))
    assert result.exit_code == 1
    assert "wrong mine.json: motivation: 9; allowed: 10" in result.output
    assert "wrong mine.json: nir/guardians: abilities[1]: 'lynk'; allowed: accuracy," in result.output
    assert "it cannot be played with" in result.output


def test_advice_alone_does_not_refuse_a_set(tmp_path: Path) -> None:
    result = check(tmp_path, SHIPPED.replace('"max_lp": 8', '"max_lp": 2', 1))
    assert result.exit_code == 0
    assert "advice mine.json: nir/elder-bough: max_lp: 2; better: at least 3" in result.output


@pytest.mark.parametrize("text", ["", "{", "null", "[1, 2]"])
def test_what_is_no_card_set_is_a_sentence_not_a_traceback(tmp_path: Path, text: str) -> None:
    result = check(tmp_path, text)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "wrong mine.json" in result.output
