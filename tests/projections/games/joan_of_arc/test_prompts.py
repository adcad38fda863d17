"""The prompts of Joan of Arc: each says why it is asked, and names what lies on the table."""

import json

import pytest

from domain.joan_of_arc import GAME
from domain.kernel import One, Pick, Seat
from projections.games.joan_of_arc.prompts import WORDS
from projections.glossary import LONGEST, glossary
from projections.ledger import ledger
from projections.prompt import prompt_for
from tests.projections.games.joan_of_arc.matches import TABLES, questions, viewers

NUMBERS = range(len(TABLES))


def test_every_decision_says_why_it_is_asked_with_rows_of_the_ledger() -> None:
    terms, rows = glossary(GAME.name), ledger(GAME.name).rows
    assert {name for name in terms if name[0].isupper()} == {decision.__name__ for decision in GAME.spec.decisions}
    assert not [term.name for term in terms.values() if len(term.text) > LONGEST]
    for decision in GAME.spec.decisions:
        assert decision.rule in terms[decision.__name__].rules or decision.rule == "ledger 6.13"
    assert not [rule for term in terms.values() for rule in term.rules if rule not in rows]


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_prompt_offers_is_what_the_form_offers_and_says_why(number: int) -> None:
    terms = glossary(GAME.name)
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        for view, asked in questions(number, viewer):
            prompt = prompt_for(GAME, view, viewer, WORDS)
            form = GAME.revive_decision(asked).form(view)
            assert prompt["mode"] == "you"
            assert prompt["why"] == terms[asked.kind].sentence()
            if isinstance(form, One):
                offered = prompt["fields"][0]["options"]
                rows = {json.dumps({**each, "id": "", "key": ""}, sort_keys=True) for each in offered}
                assert len(offered) == len(rows) == len(list(form)), "each can be told from the others"
                assert all(each["label"][0].isupper() or each["label"][0].isdigit() for each in offered)
            elif isinstance(form, Pick):
                labels = [each["label"] for each in prompt["fields"][0]["items"]]
                assert len(set(labels)) == len(form.items)


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_405_who_is_not_asked_is_told_of_a_question_without_its_options(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        other = Seat((viewer + 1) % len(viewers(number)[1:]))
        for view, asked in questions(number, viewer):
            if all(each.seat == viewer for each in view.asked):
                prompt = prompt_for(GAME, view, other, WORDS)
                assert prompt["mode"] == "wait"
                assert "fields" not in prompt
                assert prompt["ask"].startswith(view.players[asked.seat])
