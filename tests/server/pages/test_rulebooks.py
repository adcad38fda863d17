"""Words and rules as pages load them: found by game, kept for ever under a name that changes with them."""

import json

import pytest

from domain.joan_of_arc.cards.cards import SHIPPED
from projections.glossary import encoded, glossary
from projections.ledger import ledger
from server.pages.serving import page


def get(path: str) -> tuple[int, str, bytes]:
    answer = page(path, lambda *_: None)
    return answer.status_code, answer.headers["Cache-Control"], bytes(answer.body)


@pytest.mark.parametrize("what", ["words", "rules"])
def test_an_address_names_what_may_be_kept_for_ever(what: str) -> None:
    status, cache, body = get(f"/api/{what}/vera_discordia")
    assert (status, cache) == (200, "no-cache")
    status, cache, body = get(json.loads(body)["at"])
    assert (status, cache) == (200, "public, max-age=31536000, immutable")
    found = json.loads(body)
    if what == "words":
        assert found["riposte"]["rules"] == list(glossary("vera_discordia")["riposte"].rules)
    else:
        assert len(found["rows"]) == len(ledger("vera_discordia").rows)
        assert found["rows"]["VD-129"][1][0] == "Rule"


def test_words_are_sent_in_the_language_asked_for_each_under_its_own_address() -> None:
    at = {lang: json.loads(get(f"/api/words/vera_discordia?lang={lang}")[2])["at"] for lang in ("en", "de", "xx")}
    assert at["en"] == at["xx"] != at["de"]
    german = json.loads(get(at["de"])[2])["open"]
    assert german["name"] == "Offen"
    assert german["english"] == json.loads(get(at["en"])[2])["open"]["name"] == "Open"
    rows = [json.loads(get(f"/api/rules/vera_discordia{lang}")[2]) for lang in ("", "?lang=de")]
    assert rows[0] == rows[1]


def test_a_game_without_a_glossary_has_rules_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.glossary.words_of", lambda *_: None)
    encoded.cache_clear()
    assert get("/api/words/joan_of_arc")[0] == 404
    assert get("/api/rules/joan_of_arc")[0] == 200
    encoded.cache_clear()


@pytest.mark.parametrize(
    "path",
    ["/api/rules/nonesuch", "/api/rules/", "/api/rules/../SECURITY", "/api/rules/vera_discordia/0000000000000000"],
)
def test_what_is_not_there_is_missing(path: str) -> None:
    assert get(path)[0] == 404


EXAMPLES = {"d_priest_1d", "i_french"}
"""Cards that the worked examples JA-X15 and JA-X19 of the ledger play with."""


def test_ja_407_words_and_rules_hold_no_discussion_and_no_intrigue_but_those_of_worked_examples() -> None:
    for what in ("words", "rules"):
        address = json.loads(get(f"/api/{what}/joan_of_arc")[2])["at"]
        sent = get(address)[2].decode()
        told = {card.id for card in (*SHIPPED.discussions, *SHIPPED.intrigue) if card.id in sent}
        asked = [card for card in SHIPPED.discussions if any(each.text in sent for each in card.questions.values())]
        assert len(sent) > 10_000
        assert (told - EXAMPLES, asked) == (set(), [])
