"""What the page that builds armies asks of the server."""

import json
from urllib.parse import quote

from projections.registry import faces
from server.pages.armies import army_answer
from server.pages.serving import page
from tests.server.pages.serving import get
from tests.server.tabletop import live, table

FACES = faces()
GAME = "disciples_legacy"


def test_the_games_that_have_armies_are_listed() -> None:
    assert json.loads(army_answer(FACES, "/armies/", {}) or b"") == {"games": [GAME]}


def test_a_form_and_findings_are_told_and_nothing_of_other_games() -> None:
    form = json.loads(army_answer(FACES, f"/armies/{GAME}", {}) or b"")
    assert [section["label"] for section in form["sections"]][:2] == ["Capital", "First Party"]
    finding = json.loads(army_answer(FACES, f"/armies/{GAME}", {"draft": json.dumps(form["ready"][3])}) or b"")
    assert finding["legal"]
    assert army_answer(FACES, "/armies/vera_discordia", {}) is None
    assert army_answer(FACES, "/armies/nothing", {"draft": "{}"}) is None


def test_forms_and_findings_are_in_german_with_the_same_names_and_keys() -> None:
    """All of it: what is left in English would be named."""
    english = json.loads(army_answer(FACES, f"/armies/{GAME}", {}) or b"")
    form = json.loads(army_answer(FACES, f"/armies/{GAME}", {"lang": "de"}) or b"")
    assert form.get("english", []) == []
    assert form["sections"][0]["label"] == "Hauptstadt"
    assert [(card["id"], card["name"]) for card in form["cards"]] == [(c["id"], c["name"]) for c in english["cards"]]
    assert form["ready"] == english["ready"]
    for draft in (english["empty"], english["ready"][0] | {"reserves": ["devil", "devil"], "capital": "deephold"}):
        found = json.loads(army_answer(FACES, f"/armies/{GAME}", {"lang": "de", "draft": json.dumps(draft)}) or b"")
        assert found["faults"]
        assert found.get("english", []) == []


def test_a_draft_that_is_no_text_is_judged() -> None:
    finding = json.loads(army_answer(FACES, f"/armies/{GAME}", {"draft": "\ud800"}) or b"")
    assert not finding["legal"]


def test_the_longest_ready_deck_fits_into_an_address() -> None:
    form = json.loads(army_answer(FACES, f"/armies/{GAME}", {}) or b"")
    assert max(len(quote(json.dumps(deck))) for deck in form["ready"]) < 6000


def test_armies_are_served_as_json_beside_the_pages() -> None:
    answer = page(f"/armies/{GAME}", lambda path, query: b"{}" if path.endswith(GAME) and not query else None)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert page("/armies/other", lambda *_: None).status_code == 404


@live
async def test_a_server_that_does_not_play_a_game_does_not_build_its_armies() -> None:
    async with table() as at:
        assert (await get(at, "/armies/"))[2] == b'{"games":[]}'
        assert (await get(at, f"/armies/{GAME}"))[0] == 404
        for _ in range(40):
            assert (await get(at, "/armies/"))[0] == 200


def test_a_draft_that_says_it_is_something_else_is_judged_by_its_field() -> None:
    deck = json.loads(army_answer(FACES, f"/armies/{GAME}", {}) or b"")["ready"][0]
    finding = json.loads(army_answer(FACES, f"/armies/{GAME}", {"draft": json.dumps(deck | {"is": "wyvern"})}) or b"")
    assert [fault["at"] for fault in finding["faults"]] == ["is"]


def test_a_fault_names_cards_as_they_are_called() -> None:
    deck = json.loads(army_answer(FACES, f"/armies/{GAME}", {}) or b"")["ready"][0]
    draft = deck | {"reserves": ["raise_dead", "raise_dead"]}
    finding = json.loads(army_answer(FACES, f"/armies/{GAME}", {"draft": json.dumps(draft)}) or b"")
    assert "Raise Dead 2 times; allowed: each card once" in [fault["said"] for fault in finding["faults"]]
