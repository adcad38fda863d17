"""Ledgers as rows: found by id, with what stands around them, and searched."""

import pytest

from projections.ledger import IDS, has_ledger, ledger, read
from projections.registry import games

BOOK = """# A game

## 1. Rules

### A. First

| ID | Rule | § |
|---|---|---|
| VD-001 | Units stand. | 1 |
| VD-002 † | `Units` **fall**, see VD-001. | - |

### B. Second

| ID | When | Who decides |
|---|---|---|
| VD-D01 | a\\|b | |
"""


def test_rows_are_read_with_their_section_and_the_words_of_the_head() -> None:
    book = read("toy", BOOK)
    assert book.sections == ("1. Rules", "A. First", "B. Second")
    assert book.rows["VD-002"].cells == (("Rule", "Units fall, see VD-001."), ("§", "-"))
    assert book.rows["VD-002"].text == "Units fall, see VD-001."
    assert book.rows["VD-D01"].cells == (("When", "a|b"),)
    assert book.rows["VD-D01"].section == 2


def test_around_a_row_are_its_neighbours_in_the_section() -> None:
    book = read("toy", BOOK)
    assert [row.id for row in book.around(book.rows["VD-001"])] == ["VD-001", "VD-002"]
    assert [row.id for row in book.around(book.rows["VD-D01"])] == ["VD-D01"]


def test_what_names_a_row_rests_on_it() -> None:
    book = read("toy", BOOK)
    assert book.resting_on("VD-001") == ["VD-002"]
    assert book.resting_on("VD-002") == []


def test_search_wants_all_words_and_puts_those_first_that_begin_with_the_first() -> None:
    book = ledger("vera_discordia")
    assert [row.id for row in book.search(["riposte:"])] == ["VD-355"]
    assert book.search(["Bravery"])[0].id == "VD-038"
    assert book.search(["riposte", "nonesuch"]) == []


@pytest.mark.parametrize("game", games())
def test_every_game_has_a_ledger_all_of_whose_references_lead_somewhere(game: str) -> None:
    rows = ledger(game).rows
    assert rows
    named = {id_ for row in rows.values() for id_ in IDS.findall(row.text)}
    prefix = next(iter(rows))[:2]
    assert {id_ for id_ in named if id_.startswith(prefix)} - set(rows) == set()


@pytest.mark.parametrize("name", ["nonesuch", "../SECURITY", ""])
def test_there_is_no_ledger_by_another_name(name: str) -> None:
    assert not has_ledger(name)
    with pytest.raises(LookupError):
        ledger(name)
