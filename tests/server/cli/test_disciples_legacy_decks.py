"""`herald army check` and `herald cards check` for Disciples: Legacy, as somebody who builds decks uses them."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from server.cli import main

DECKS = json.loads(files("domain.disciples_legacy").joinpath("data/decks.json").read_text(encoding="utf-8"))
MINE = {**DECKS[0], "id": "mine", "name": "Mine"}


def run(folder: Path, name: str, data: Any, *words: str) -> Result:
    file = folder / name
    file.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(main, [*words, "--game", "disciples_legacy", str(file)])


def test_a_sound_deck_can_be_fielded(tmp_path: Path) -> None:
    result = run(tmp_path, "mine.json", MINE, "army", "check")
    assert (result.exit_code, result.output) == (0, "mine.json can be fielded.\n")


def test_every_broken_rule_of_a_deck_is_named_at_once(tmp_path: Path) -> None:
    broken = {**MINE, "reserves": ["sunspire", "squire", "squire"], "capital": "deephold"}
    result = run(tmp_path, "mine.json", broken, "army", "check")
    assert result.exit_code == 1
    for rule in ("DL-024", "DL-032", "DL-033", "DL-034", "DL-037"):
        assert f"({rule})" in result.output


def test_dl_q01_advice_alone_does_not_refuse_a_deck(tmp_path: Path) -> None:
    light = {**MINE, "parties": [{**party, "items": []} for party in MINE["parties"]]}
    result = run(tmp_path, "mine.json", light, "army", "check")
    assert result.exit_code == 0
    assert "advice mine.json: mine: army: 17 (C); better: 18 (C) used up (DL-Q01)" in result.output


def test_a_card_set_of_ones_own_is_checked(tmp_path: Path) -> None:
    units = json.loads(files("domain.disciples_legacy").joinpath("data/units.json").read_text(encoding="utf-8"))
    assert run(tmp_path, "units.json", units, "cards", "check").output == "units.json can be played with.\n"
    units[0]["abilities"] = ["T: fly()@self"]
    result = run(tmp_path, "units.json", units, "cards", "check")
    assert result.exit_code == 1
    assert "there is no op 'fly'" in result.output


def test_a_match_is_created_with_a_deck_out_of_a_file(tmp_path: Path) -> None:
    words = ("match", "create", "--db", str(tmp_path / "h.db"), "--game", "disciples_legacy", "--army")
    file = tmp_path / "mine.json"
    for deck, code in ((MINE, 0), ({**MINE, "reserves": []}, 1), (DECKS[0], 1)):
        file.write_text(json.dumps(deck), encoding="utf-8")
        assert CliRunner().invoke(main, [*words, str(file)]).exit_code == code
