"""Building a deck: every place can be filled with what belongs there, and findings are those of the checks."""

import json
from typing import Any

import pytest

from domain.disciples_legacy.cards.cards import SHIPPED
from domain.disciples_legacy.checks.card_checks import check_army
from projections.armies import BuilderField, Way
from projections.games.disciples_legacy.builder import EMPTY, form, judge

FORM = form()
READY: list[dict[str, Any]] = list(FORM.ready)


def fields() -> list[BuilderField]:
    return [field for section in FORM.sections for field in section.fields]


def at(draft: Any, way: Way) -> Any:
    for key in way:
        draft = draft[key]
    return draft


def test_every_part_of_a_deck_has_its_field() -> None:
    ways = [way for field in fields() for way in (field.way, field.lead_at) if way]
    assert len(set(ways)) == 1 + 3 * 4 + 1
    for deck in READY:
        for field in fields():
            part = at(deck, field.way)
            held = [part] if field.kind == "one" else part.values() if field.kind == "places" else part
            assert set(held) <= set(field.cards), field.at


def test_the_ready_decks_may_be_played_and_cost_what_they_may() -> None:
    for deck in READY:
        finding = judge(json.dumps(deck).encode())
        assert (finding.cost, finding.most, finding.legal, finding.faults) == (18, 18, True, ())


def test_an_empty_deck_says_what_it_lacks() -> None:
    finding = judge(json.dumps(EMPTY).encode())
    assert not finding.legal
    assert {"DL-021", "DL-022", "DL-032", "DL-034"} <= {fault.rule for fault in finding.faults}
    assert any("a place without a card" in fault.said for fault in finding.faults)


def test_what_is_said_is_what_army_check_says() -> None:
    draft = json.dumps({**READY[0], "capital": "deephold", "reserves": ["titan", "titan"]}).encode()
    faults = judge(draft).faults
    assert [(fault.at, fault.rule) for fault in faults] == [(d.field, d.rule) for d in check_army(draft, "deck", {})]


def test_every_fault_of_a_party_is_named_by_a_field_of_the_form() -> None:
    parties = [{**READY[0]["parties"][0], "units": {"1": "titan", "4": "squire"}, "items": ["shroud", "shroud"]}]
    draft = json.dumps({**READY[0], "parties": [*parties, *READY[0]["parties"][1:]]}).encode()
    places = {fault.at for fault in judge(draft).faults if fault.at.startswith("party")}
    assert places
    assert places <= {field.at for field in fields()}


def test_advice_does_not_keep_a_deck_from_being_played() -> None:
    parties = [{**READY[0]["parties"][0], "items": []}, *READY[0]["parties"][1:]]
    finding = judge(json.dumps({**READY[0], "parties": parties}).encode())
    assert finding.legal
    assert [fault.advice for fault in finding.faults] == [True]
    assert "; better: 18 (C)" in finding.faults[0].said


@pytest.mark.parametrize("draft", [b"", b"[]", b"null", b'{"id": ', b"[" * 4000, b"\xff", b'{"parties": 3}'])
def test_what_is_no_deck_is_judged_all_the_same(draft: bytes) -> None:
    finding = judge(draft)
    assert (finding.legal, finding.cost) == (False, 0)
    assert finding.faults


def test_every_card_that_may_be_chosen_is_described_and_giants_take_two_places() -> None:
    cards = {card.id: card for card in FORM.cards}
    chosen = {card for field in fields() for card in field.cards}
    assert chosen <= set(cards)
    assert {card.group for card in FORM.cards} == set(FORM.groups)
    giants = {unit.id for unit in SHIPPED.units if unit.giant}
    assert {card.id for card in FORM.cards if card.tall} == giants
