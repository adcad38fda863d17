"""Ledger 6.3 to 6.13: what is shipped is sound, and every defect of units, cards, maps and scenarios is named."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.commons.errors import GivenInvalid
from domain.joan_of_arc import GAME, check_map, check_text
from domain.joan_of_arc.board.maps import SHIPPED_MAPS
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from domain.joan_of_arc.cards.cards import FILES
from domain.joan_of_arc.cards.packaged import read_file
from domain.joan_of_arc.checks.card_checks import read_card_file
from domain.joan_of_arc.checks.map_checks import read_map_file
from domain.joan_of_arc.checks.scenario_checks import read_scenario_file
from domain.joan_of_arc.errors import CardsInvalid, MapInvalid, ScenarioInvalid

MAPS = [f"maps/{name}" for name in SHIPPED_MAPS]
SCENARIOS = [f"scenarios/{name}" for name in SHIPPED_SCENARIOS]
Change = Callable[[Any], None]


def plain(name: str) -> Any:
    return json.loads(read_file(name))


def told(data: Any, file: str = "mine.json") -> list[str]:
    """Card or place, field and rule of every defect."""
    return [f"{d.card}|{d.field}|{d.rule}" for d in check_text(json.dumps(data).encode(), file)]


def changed(name: str, change: Change) -> list[str]:
    data = plain(name)
    change(data)
    return told(data, f"{name.rpartition('/')[2]}.json")


def setting(*path: str | int, to: Any) -> Change:
    """Puts a value at a place."""

    def change(data: Any) -> None:
        *steps, last = path
        for step in steps:
            data = data[step]
        data[last] = to

    return change


def by_id(cards: Any, name: str) -> Any:
    return next(card for card in cards if card["id"] == name)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_cards_is_a_list_or_an_object_that_names_the_list(name: str) -> None:
    cards = plain(name)
    for given in (cards, {name: cards}):
        assert told(given, f"{name}.json") == []


@pytest.mark.parametrize("name", [*FILES, *MAPS, *SCENARIOS])
def test_what_is_shipped_has_no_defect(name: str) -> None:
    assert check_text(read_file(name), f"{name}.json") == ()


UNIT_FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("e_billmen", {"side": "civilian"}, "e_billmen|side|ledger 6.3"),
    ("e_talbot", {"hp": None}, "e_talbot|hp|ledger 6.3"),
    ("c_villager", {"hp": 1}, "c_villager|hp|ledger 6.3"),
    ("e_billmen", {"size": "hex"}, "e_billmen|size|JA-021"),
    ("m_dragon", {"size": 8}, "m_dragon|size|JA-021"),
    ("m_tarasque", {"size": 2}, "m_tarasque|size|JA-248"),
    ("e_billmen", {"command": {"range": 1, "units": 1}}, "e_billmen|command|ledger 6.3"),
    ("m_tarasque", {"activation_cost": 2}, "m_tarasque|activation_cost|ledger 6.3"),
    ("e_billmen", {"skills": {"tough": True}}, "e_billmen|skills.tough|ledger 6.3"),
    ("e_trebuchet", {"skills": {"charge": True}}, "e_trebuchet|skills.charge|ledger 6.3"),
    ("e_billmen", {"skills": {"carrier": True}}, "e_billmen|skills.carrier|ledger 6.3"),
    ("e_trebuchet", {"skills": {"haste": 2}}, "e_trebuchet|skills.haste|ledger 6.3"),
    ("e_trebuchet", {"skills": {"jump": 2}}, "e_trebuchet|skills.jump|ledger 6.3"),
    ("e_billmen", {"discussion": True}, "e_billmen|discussion|ledger 6.3"),
    ("e_billmen", {"powers": ["siege"]}, "e_billmen|powers|ledger 6.3"),
    ("e_billmen", {"melee": {}}, "e_billmen|melee|ledger 6.3"),
    ("e_bowmen", {"shoot": {"mode": "direct", "range": 1, "dice": {}}}, "e_bowmen|shoot.dice|ledger 6.3"),
    ("e_billmen", {"melee": {"gigantic": 1}}, "e_billmen|melee|ledger 6.3"),
    ("e_billmen", {"traits": ["bowmen", "bowmen"]}, "e_billmen|traits|ledger 6.3"),
    ("e_billmen", {"banners": ["holy", "holy"]}, "e_billmen|banners|ledger 6.3"),
    ("e_trebuchet", {"powers": ["siege", "siege"]}, "e_trebuchet|powers|ledger 6.3"),
    ("e_billmen", {"level": 2}, "e_billmen|level|ledger 6.3"),
    ("f_joan_1", {"upgrade_cost": None}, "f_joan_1|upgrade_cost|ledger 6.3"),
    ("e_talbot", {"upgrade_cost": 3}, "e_talbot|upgrade_cost|ledger 6.3"),
    ("e_talbot", {"level": 1}, "e_talbot|id|ledger 6.3"),
    ("e_talbot", {"level": 2}, "e_talbot|id|ledger 6.3"),
    ("f_gilles_2_holy", {"banners": ["french"]}, "f_gilles_2_holy|banners|ledger 6.3"),
    ("f_joan_2", {"arm": "cavalry"}, "f_joan_2|level|ledger 6.3"),
]


@pytest.mark.parametrize(("name", "fields", "defect"), UNIT_FAULTS, ids=[fault[2] for fault in UNIT_FAULTS])
def test_every_constraint_of_a_unit_card_is_told(name: str, fields: dict[str, Any], defect: str) -> None:
    assert defect in changed("units", lambda cards: by_id(cards, name).update(fields))


def test_all_defects_of_a_file_are_told_at_once() -> None:
    def spoil(cards: Any) -> None:
        by_id(cards, "e_talbot").update(hp=11, skils={})
        by_id(cards, "e_bowmen")["shoot"]["dice"]["white"] = 7
        by_id(cards, "e_billmen")["skills"] = {"cohesion": 1, "fly": True}

    assert changed("units", spoil) == [
        "e_bowmen|shoot.dice.white|ledger 6.3",
        "e_billmen|skills.fly|ledger 6.3",
        "e_billmen|skills.cohesion|ledger 6.3",
        "e_talbot|skils|ledger 6.3",
        "e_talbot|hp|ledger 6.3",
    ]


GAIN = {"op": "gain", "resource": "xp", "n": 1}
CARD_FAULTS: list[tuple[str, str, Change, str]] = [
    ("war_council", "wc_muster", setting("effects", 0, "n", to=0), "wc_muster|effects[0].n|ledger 6.13"),
    ("war_council", "wc_muster", setting("effects", 0, "op", to="win"), "wc_muster|effects[0]|ledger 6.4"),
    (
        "war_council",
        "wc_muster",
        setting("effects", to=[{"op": "reroll", "roll": "attack", "n": 1}]),
        "wc_muster|effects[0]|ledger 6.13",
    ),
    (
        "war_council",
        "wc_muster",
        setting("effects", to=[{"op": "heal", "select": "speaker", "n": 1}]),
        "wc_muster|effects[0].select|ledger 6.13",
    ),
    (
        "legend",
        "lt_forced_pace",
        setting("requires", to={"attack": "melee"}),
        "lt_forced_pace|requires.attack|ledger 6.6",
    ),
    ("legend", "lm_dread", setting("effects", 0, "x", to=None), "lm_dread|effects[0].x|ledger 6.13"),
    ("legend", "lm_dread", setting("effects", 0, "until", to=None), "lm_dread|effects[0].until|ledger 6.13"),
    ("equipment", "et_war_horn", setting("timing", to=None), "et_war_horn|timing|ledger 6.7"),
    ("equipment", "em_relic", setting("timing", to="camp_before_doom"), "em_relic|timing|ledger 6.7"),
    ("equipment", "et_war_horn", setting("timing", to="camp_before_doom"), "et_war_horn|timing|ledger 6.7"),
    (
        "legend",
        "lt_field_surgeon",
        setting("effects", to=[{"op": "activate_area", "as": "command", "max_units": 1}]),
        "lt_field_surgeon|effects[0]|ledger 6.13",
    ),
    ("equipment", "em_relic", setting("effects", to=[GAIN]), "em_relic|effects[0]|ledger 6.13"),
    ("equipment", "em_relic", setting("effects", 0, "x", to=2), "em_relic|effects[0].x|ledger 6.13"),
    ("discussions", "d_smith_1a", setting("unit", to="c_villager"), "d_smith_1a|unit|ledger 6.8"),
    ("discussions", "d_smith_1a", setting("level", to=2), "c_blacksmith|discussion|ledger 6.8"),
    ("discussions", "d_smith_2a", setting("unit", to="c_priest"), "c_blacksmith|discussion|ledger 6.8"),
    ("discussions", "d_smith_1a", setting("answers", to={"A": []}), "d_smith_1a|answers|ledger 6.8"),
    (
        "discussions",
        "d_smith_1a",
        setting("questions", "A", "banner", to="french"),
        "d_smith_1a|questions.A.banner|ledger 6.8",
    ),
    (
        "discussions",
        "d_smith_1a",
        setting("questions", "C", "banner", to=None),
        "d_smith_1a|questions.C.banner|ledger 6.8",
    ),
    (
        "discussions",
        "d_smith_2a",
        setting("answers", "A", to=[{"op": "continue_level2"}]),
        "d_smith_2a|answers.A[0]|ledger 6.13",
    ),
    (
        "discussions",
        "d_priest_1a",
        lambda card: card["answers"]["D"][0]["on"].pop("push"),
        "d_priest_1a|answers.D[0].on|ledger 6.13",
    ),
    (
        "discussions",
        "d_priest_1a",
        setting("answers", "D", 0, "on", "push", to=[{"op": "reroll", "roll": "attack", "n": 1}]),
        "d_priest_1a|answers.D[0].on.push[0]|ledger 6.13",
    ),
    ("intrigue", "i_french", setting("slots", 1, "slot", to=1), "i_french|slots|ledger 6.9"),
    ("intrigue", "i_french", setting("slots", 1, "cost", to=7), "i_french|slots[1].cost|ledger 6.9"),
]


@pytest.mark.parametrize(
    ("section", "name", "change", "defect"),
    CARD_FAULTS,
    ids=[f"{number} {fault[3]}" for number, fault in enumerate(CARD_FAULTS)],
)
def test_every_constraint_of_a_card_is_told(section: str, name: str, change: Change, defect: str) -> None:
    assert defect in changed(section, lambda cards: change(by_id(cards, name)))


def test_the_river_needs_three_designs_and_no_more() -> None:
    assert changed("war_council", lambda cards: cards.__delitem__(slice(3, None))) == []
    assert changed("war_council", lambda cards: cards.__delitem__(slice(2, None))) == ["war_council||ledger 6.4"]


def test_an_id_stands_once() -> None:
    assert changed("rounds", lambda cards: cards.append(cards[0])) == ["round_a|id|ledger 6.3"]


def test_own_units_stand_beside_the_shipped_ones_and_a_deck_in_the_place_of_its_own() -> None:
    billmen = by_id(plain("units"), "e_billmen")
    own = {"units": [{**billmen, "id": "e_pikemen"}], "legend": plain("legend")[:1]}
    assert told(own) == []
    cards = read_card_file(json.dumps(own).encode(), "mine.json")
    assert (len(cards.units), len(cards.legend)) == (34, 1)
    changed_card = {"units": [{**billmen, "name": "Bills"}]}
    again = read_card_file(json.dumps(changed_card).encode(), "mine.json")
    assert [card.name for card in again.units if card.id == "e_billmen"] == ["Bills"]
    assert len(again.units) == 33


MAP_FAULTS: list[tuple[Change, str]] = [
    (setting("hexes", 0, "r", to=0), "hex 0,0||ledger 6.11"),
    (setting("hexes", 1, "areas", 1, "id", to="c"), "hex 1,-1|areas|ledger 6.11"),
    (setting("hexes", 1, "areas", 1, "edges", to=[3, 4]), "hex 1,-1|edges|ledger 0.1"),
    (setting("hexes", 1, "areas", 1, "edges", to=[3, 4, 5, 0]), "hex 1,-1|edges|ledger 0.1"),
    (setting("hexes", 0, "areas", 0, "edges", to=[0, 1, 2, 3, 4, 4, 5]), "|hexes[0].areas[0].edges|ledger 6.11"),
    (setting("hexes", 0, "q", to=9), "|hexes|ledger 6.11"),
    (setting("hexes", 0, "areas", 0, "terrain", to="sea"), "|hexes[0].areas[0].terrain|ledger 6.11"),
    (setting("hexes", 0, "areas", 0, "elements", to={"tree": 8}), "area 0,-1:a||JA-022"),
    (setting("hexes", 0, "areas", 0, "elements", to={"oak": 1}), "|hexes[0].areas[0].elements.oak|ledger 6.11"),
    (setting("edge_features", 0, "edge", to=1), "|edge_features[0]|ledger 6.11"),
    (setting("edge_features", 1, "edge", to=0), "|edge_features[1]|ledger 6.11"),
    (setting("edge_features", 0, "owner", to=None), "|edge_features[0].owner|ledger 6.11"),
    (setting("edge_features", 0, "feature", to="wall"), "|edge_features[0].owner|ledger 6.11"),
    (setting("sky", to={"mode": "random", "tiles": ["sky1"]}), "|sky.tiles|ledger 6.11"),
    (setting("sky", to={"mode": "plan", "tiles": ["sky1"]}), "|sky.tiles|ledger 6.11"),
    (setting("sky", to={"mode": "plan", "tiles": ["sky1", "sky1"]}), "|sky.tiles|ledger 6.11"),
]


@pytest.mark.parametrize(
    ("change", "defect"), MAP_FAULTS, ids=[f"{n} {fault[1]}" for n, fault in enumerate(MAP_FAULTS)]
)
def test_every_constraint_of_a_map_is_told(change: Change, defect: str) -> None:
    data = plain("maps/ford_at_brossay")
    data["hexes"][0]["q"] = 0
    change(data)
    assert defect in told(data)


@pytest.mark.parametrize(("trees", "sound"), [(7, True), (8, False)])
def test_ja_022_an_area_keeps_a_free_space(trees: int, *, sound: bool) -> None:
    found = changed("maps/ford_at_brossay", setting("hexes", 0, "areas", 0, "elements", to={"tree": trees}))
    assert (found == []) is sound


def test_a_map_of_one_area_is_none_and_one_of_two_is() -> None:
    hexes = plain("maps/ford_at_brossay")["hexes"]
    bare = {"id": "m", "name": "M"}
    assert told({**bare, "hexes": hexes[:1]}) == ["|hexes|ledger 6.11"]
    assert told({**bare, "hexes": hexes[:2]}) == []


def test_impassable_areas_divide_a_board() -> None:
    row = [{"q": q, "r": 0, "areas": [{"id": "a", "terrain": "plain", "edges": [0, 1, 2, 3, 4, 5]}]} for q in range(3)]
    plan = {"id": "m", "name": "M", "hexes": row}
    assert told(plan) == []
    row[1]["areas"][0]["impassable"] = True  # type: ignore[index]
    assert told(plan) == ["|hexes|ledger 6.11"]


def first_scenario(change: Change) -> list[str]:
    return changed("scenarios/s1_ford_at_brossay", change)


SCENARIO_FAULTS: list[tuple[Change, str]] = [
    (setting("players", 1, "seat", to="P3"), "|players|ledger 6.11"),
    (setting("players", 1, "side", to="english"), "|players|JA-037"),
    (setting("first_player", to="P3"), "|first_player|ledger 6.11"),
    (lambda data: data["resources"].pop("P2"), "|resources.P2|ledger 6.11"),
    (setting("stakes_reserve", "P4", to=1), "|stakes_reserve.P4|ledger 6.11"),
    (setting("rounds", 0, to="round_z"), "|rounds|ledger 6.11"),
    (setting("rounds", 0, to="round_b"), "|rounds|ledger 6.11"),
    (setting("legend_types", to=["T", "T"]), "|legend_types|ledger 6.11"),
    (setting("resources", "P1", "legend_cards", to=5), "|resources|ledger 6.11"),
    (setting("units", to=[]), "|units|ledger 6.11"),
    (setting("units", 0, to=["P1", "e_ghosts", "-1,0:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "c_villager", "-1,0:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "e_black_prince_2", "-1,0:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "f_knights", "-1,0:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P4", "f_knights", "-1,0:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "e_knights", "9,9:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "m_dragon", "2,-1:a"]), "|units[0]|ledger 6.11"),
    (setting("units", 0, to=["P1", "m_dragon", "-1,0:*"]), "area -1,0:a||JA-022"),
    (setting("units", 0, to=["P1", "m_imps", "-1,0:a"]), "|map|ledger 6.11"),
    (setting("units", 0, to=["P1", "e_knights", "2,0:a"]), "area 2,0:a||JA-028"),
    (setting("civilians", to=[["e_knights", "1,1:a", 1]]), "|civilians[0]|ledger 6.11"),
    (setting("intrigue_cards", to={"P1": "i_french"}), "|intrigue_cards.P1|ledger 6.11"),
    (setting("map", to="moon"), "|map|ledger 6.11"),
    (setting("rally_points", "P1", to="2,0:a"), "|rally_points.P1|ledger 6.11"),
    (setting("rally_points", "P1", to="9,9:a"), "|rally_points.P1|ledger 6.11"),
    (lambda data: data["rally_points"].pop("P2"), "|rally_points|ledger 6.11"),
    (setting("victory", "camp", 0, "if", to={}), "|victory.camp[0].if|ledger 6.11"),
    (setting("victory", "camp", 0, "if", to={"vp_at_least": 3}), "|victory.camp[0].if|ledger 6.11"),
    (setting("victory", "camp", 0, "if", to={"area_held": "9,9:a"}), "|victory.camp[0].if.area_held|ledger 6.11"),
    (
        setting("victory", "instant", 0, "if", to={"unit_destroyed": "m_dragon"}),
        "|victory.instant[0].if.unit_destroyed|ledger 6.11",
    ),
    (setting("victory", "final", "tie", to="P4"), "|victory.final.tie|ledger 6.11"),
    (setting("victory", "final", "most", to="xp"), "|victory.final.most|ledger 6.11"),
    (setting("players", to=[]), "|players|ledger 6.11"),
]


@pytest.mark.parametrize(
    ("change", "defect"), SCENARIO_FAULTS, ids=[f"{n} {fault[1]}" for n, fault in enumerate(SCENARIO_FAULTS)]
)
def test_every_constraint_of_a_scenario_is_told(change: Change, defect: str) -> None:
    assert defect in first_scenario(change)


@pytest.mark.parametrize(("billmen", "sound"), [(6, True), (7, False)])
def test_ja_022_an_area_holds_eight_at_set_up(billmen: int, *, sound: bool) -> None:
    more = [["P1", "e_billmen", "-1,0:a"]] * billmen
    assert (first_scenario(lambda data: data["units"].extend(more)) == []) is sound


@pytest.mark.parametrize(
    ("sides", "sound"), [("ef", True), ("efe", True), ("efef", True), ("eef", False), ("efee", False)]
)
def test_ja_037_ja_q91_sides_take_turns_and_the_step_to_the_first_does_not_count(sides: str, *, sound: bool) -> None:
    def seat(data: Any) -> None:
        names = {"e": "english", "f": "french"}
        data["first_player"] = "P1"
        data["players"] = [{"seat": f"P{n}", "side": names[side]} for n, side in enumerate(sides, 1)]
        data["resources"] = {
            player["seat"]: {**data["resources"]["P1"], "legend_cards": 1} for player in data["players"]
        }
        data["units"] = [unit for unit in data["units"] if unit[0] == "P1"]
        data["rally_points"] = {f"P{sides.index('e') + 1}": "-1,0:a", f"P{sides.index('f') + 1}": "2,0:a"}

    assert ("|players|JA-037" not in first_scenario(seat)) is sound


def test_no_match_begins_with_a_scenario_that_has_something_wrong() -> None:
    own = msgspec.to_builtins(SHIPPED_SCENARIOS["s1_ford_at_brossay"])
    GAME.assert_playable({"own": own})
    with pytest.raises(msgspec.ValidationError, match=r"own: first_player: P3; allowed: P1, P2"):
        GAME.assert_playable({"own": {**own, "first_player": "P3"}})


def test_a_scenario_may_bring_its_own_map_and_cards() -> None:
    billmen = by_id(plain("units"), "e_billmen")

    def bring(data: Any) -> None:
        data["map"] = plain("maps/ford_at_brossay")
        data["cards"] = {"units": [{**billmen, "id": "e_pikemen"}]}
        data["units"][0] = ["P1", "e_pikemen", "-1,0:a"]

    assert first_scenario(bring) == []
    assert first_scenario(setting("units", 0, to=["P1", "e_pikemen", "-1,0:a"])) == ["|units[0]|ledger 6.11"]


def test_a_sky_over_nobody_who_flies_is_advised_against() -> None:
    found = check_text(
        json.dumps({**plain("scenarios/s1_ford_at_brossay"), "map": "wyrm_of_rougemont"}).encode(), "s.json"
    )
    assert [defect.advice for defect in found if defect.field == "map"] == [
        True,
    ]


@pytest.mark.parametrize(
    "text", [b"", b"{", b"null", b"[]", b"{}", b"3", b'{"orders": []}', b'{"units": 3}', b'{"map": {}}']
)
def test_what_is_none_of_these_files_is_told_and_never_raises(text: bytes) -> None:
    assert check_text(text, "mine.json")
    assert check_map(text, "mine.json")[0]
    with pytest.raises(GivenInvalid):
        read_scenario_file(text, "mine.json")


def test_reading_gives_what_was_written_or_every_defect() -> None:
    assert read_map_file(read_file(MAPS[0]), "m.json") == SHIPPED_MAPS["ford_at_brossay"]
    assert read_scenario_file(read_file(SCENARIOS[0]), "s.json").id == "s1_ford_at_brossay"
    with pytest.raises(MapInvalid):
        read_map_file(b'{"hexes": []}', "m.json")
    with pytest.raises(ScenarioInvalid):
        read_scenario_file(read_file(MAPS[0]), "m.json")
    with pytest.raises(CardsInvalid):
        read_card_file(b'{"units": [{}]}', "m.json")


def test_a_map_is_drawn_as_bricks_that_touch_as_its_hexes_do() -> None:
    defects, drawing = check_map(read_file("maps/market_day"), "m.json")
    lines = drawing.splitlines()
    assert defects == ()
    assert lines[1].split("|")[1].strip() == "0,-1"
    assert lines[9].startswith("| -1,0")
    assert lines[9].count("#") == 1
    assert "small cottage (1), shrine" in " ".join(drawing.replace("|", " ").split())
    assert lines[0].index("+") - lines[8].index("+") == 14


def test_a_map_with_defects_is_drawn_as_far_as_it_can_be_read() -> None:
    data = plain("maps/ford_at_brossay")
    data["hexes"][0]["areas"][0]["edges"] = [0, 2]
    defects, drawing = check_map(json.dumps(data).encode(), "m.json")
    assert defects
    assert "0,-1" in drawing
    data["hexes"][0]["areas"][0]["edges"] = [0, 9]
    assert check_map(json.dumps(data).encode(), "m.json")[1] == ""


def test_the_map_of_a_scenario_and_a_planned_sky_are_drawn() -> None:
    plan = {**plain("maps/ford_at_brossay"), "sky": {"mode": "plan", "tiles": ["sky5", "sky1"]}}
    scenario = {**plain("scenarios/s1_ford_at_brossay"), "map": plan}
    defects, drawing = check_map(json.dumps(scenario).encode(), "s.json")
    assert defects == ()
    assert "sky:1,0 (sky1)" in drawing
    assert "b clouds 4 NW W" in drawing


def test_the_examples_of_the_document_are_sound() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs/cards.md").read_text(encoding="utf-8")
    own = page.partition("## Joan of Arc")[2]
    unit, legend, plan = map(json.loads, re.findall(r"^```json\n(.*?)^```", own, re.M | re.S))
    assert told({"units": [unit], "legend": [legend]}) == []
    assert told(plan) == []


ODD: list[Any] = [None, -1, 10**30, True, "", "0,0:*", "sky:0,0:a", [], {}, {"op": "gain"}, ["P1", "m_dragon", "0,0:*"]]


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document but its whole."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [spot for key, value in inner for spot in ((*path, key), *spots(value, (*path, key)))]


@pytest.mark.parametrize("name", [*FILES, *MAPS, *SCENARIOS])
def test_whatever_stands_in_a_file_is_told_and_never_raises(name: str) -> None:
    chance = Random(name)
    for _ in range(25):
        data = plain(name)
        for path in chance.sample(spots(data), 2):
            place = data
            try:
                for step in path[:-1]:
                    place = place[step]
                place[path[-1]] = chance.choice(ODD)
            except (KeyError, IndexError, TypeError):
                continue  # the first change took the place of the second away
        text = json.dumps(data).encode()
        found = check_text(text, f"{name.rpartition('/')[2]}.json")
        assert all(defect.allowed and defect.file for defect in (*found, *check_map(text, "m.json")[0]))
