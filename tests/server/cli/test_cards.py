"""`herald cards check` and `herald army check`, as somebody who writes cards and armies uses them."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli import main

SHIPPED = files("domain.vera_discordia").joinpath("data/shipped.json").read_text(encoding="utf-8")


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


TROOPS = files("domain.war_for_edadh.data").joinpath("troops.json").read_text(encoding="utf-8")
ARMY = next(
    army
    for army in json.loads(files("domain.war_for_edadh.data").joinpath("armies.json").read_text(encoding="utf-8"))
    if army["name"] == "Dzaa quick start"
)


def run(folder: Path, name: str, text: str, *words: str) -> Result:
    (folder / name).write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, [*words, str(folder / name)])


def test_one_section_of_a_set_is_checked_in_a_file_of_its_name(tmp_path: Path) -> None:
    words = ("cards", "check", "--game", "war_for_edadh")
    assert run(tmp_path, "troops.json", TROOPS, *words).exit_code == 0
    assert run(tmp_path, "mine.json", f'{{"troops": {TROOPS}}}', *words).exit_code == 0
    wrong = TROOPS.replace('"cost": 4', '"cost": 40').replace('"psy": 3,', '"psi": 3,')
    result = run(tmp_path, "troops.json", wrong, *words)
    assert result.exit_code == 1
    for said in (
        "DZ01: cost: 40; allowed: Expected `int` <= 15",
        "DZ01: psi: a field",
        "DZ01: psy: nothing",
        "DZ02: cost",
    ):
        assert said in result.output


@pytest.mark.parametrize("text", ["", "[]", "3", '{"orders": []}'])
def test_what_is_no_section_says_which_there_are(text: str, tmp_path: Path) -> None:
    result = run(tmp_path, "mine.json", text, "cards", "check", "--game", "war_for_edadh")
    assert result.exit_code == 1
    assert "wrong mine.json" in result.output


def test_every_army_file_is_checked_and_every_defect_named(tmp_path: Path) -> None:
    sound, broken = tmp_path / "sound.json", tmp_path / "broken.json"
    sound.write_text(json.dumps(ARMY), encoding="utf-8")
    wrong = {**ARMY, "total": 25, "combat_masters": ["CM03", "CM99"], "standards": ["SD01"]}
    broken.write_text(json.dumps(wrong), encoding="utf-8")
    result = CliRunner().invoke(main, ["army", "check", str(sound), str(broken)])
    assert result.exit_code == 1
    assert "sound.json can be fielded." in result.output
    for said in ("WE-265", "CM99, which does not exist", "WE-Q83"):
        assert said in result.output
    assert "1 of 2 cannot be fielded." in result.output


def test_an_army_is_checked_for_the_match_it_is_meant_for(tmp_path: Path) -> None:
    words = ("army", "check", "--option", "cap=20", "--option", "game=best_of_3")
    result = run(tmp_path, "a.json", json.dumps(ARMY), *words)
    assert "24; allowed: 20 at most (WE-266)" in result.output
    assert "units: 1 main, 0 support; allowed: 2 main and 0, 1 or 2 support in this game (WE-250)" in result.output


def test_an_army_file_of_the_wrong_shape_names_every_field(tmp_path: Path) -> None:
    result = run(tmp_path, "a.json", '{"name": "", "troops": 3}', "army", "check")
    for said in ("name: ''", "troops: 3", "faction: nothing", "total: nothing"):
        assert said in result.output
    assert "one JSON document" in run(tmp_path, "b.json", "{", "army", "check").output


def test_a_game_without_armies_of_ones_own_says_so(tmp_path: Path) -> None:
    result = run(tmp_path, "a.json", "{}", "army", "check", "--game", "vera_discordia")
    assert result.exit_code == 1
    assert "Vera Discordia takes no army of one's own." in result.output


def test_a_match_is_created_with_an_army_out_of_a_file(tmp_path: Path) -> None:
    words = ("match", "create", "--game", "war_for_edadh", "--db", str(tmp_path / "h.db"), "--army")
    mine = {**ARMY, "name": "Mine"}
    assert run(tmp_path, "a.json", json.dumps(mine), *words).exit_code == 0
    result = run(tmp_path, "a.json", json.dumps({**mine, "total": 25}), *words)
    assert "a.json cannot be fielded" in result.output


def joan(path: str) -> str:
    return files("domain.joan_of_arc").joinpath("data", *path.split("/")).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["units.json", "legend.json", "maps/market_day.json", "scenarios/s2_market_day.json"])
def test_a_game_that_is_not_played_yet_has_its_cards_maps_and_scenarios_checked(path: str, tmp_path: Path) -> None:
    name = path.rpartition("/")[2]
    words = ("cards", "check", "--game", "joan_of_arc")
    assert run(tmp_path, name, joan(path), *words).exit_code == 0
    result = run(tmp_path, name, joan(path).replace('"name"', '"nome"'), *words)
    assert result.exit_code == 1
    assert "nome: a field that there is not" in result.output


@pytest.mark.parametrize("game", ["skat", "kernel", "../domain"])
def test_cards_of_a_game_that_there_is_not_are_refused_in_a_sentence(game: str, tmp_path: Path) -> None:
    result = run(tmp_path, "units.json", "[]", "cards", "check", "--game", game)
    assert result.exit_code == 1
    assert "There is no game" in result.output


def test_a_map_is_drawn_and_every_defect_told(tmp_path: Path) -> None:
    sound = run(tmp_path, "ford.json", joan("maps/ford_at_brossay.json"), "map", "check")
    assert sound.exit_code == 0
    assert "| -1,0 " in sound.output
    assert "^ stakes" in sound.output
    assert sound.output.endswith("ford.json can be played on.\n")
    wrong = joan("maps/ford_at_brossay.json").replace('"edges": [0, 1, 2]', '"edges": [0, 2]', 1)
    result = run(tmp_path, "ford.json", wrong, "map", "check", "--game", "joan_of_arc")
    assert result.exit_code == 1
    assert "wrong ford.json: hex 1,-1: a.edges: 0, 2; allowed: edges that follow each other" in result.output
    assert "it cannot be played on" in result.output


def test_a_game_without_maps_says_which_have_some(tmp_path: Path) -> None:
    result = run(tmp_path, "m.json", "{}", "map", "check", "--game", "vera_discordia")
    assert result.exit_code == 1
    assert "There are no maps of 'vera_discordia'; there are of joan_of_arc." in result.output
