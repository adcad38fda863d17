"""The words of positions: what is read, and how clearly everything else is refused."""

import re

import pytest

from domain.commons.notation import check_keys, convert, one_of, read_list, read_lists, tables, words_of, write_list
from domain.kernel import HIDDEN

DECK = {"attack": 3, "tactic": 1}


def order(word: str) -> str:
    return one_of("deck", word, DECK)


@pytest.mark.parametrize(
    ("given", "cards"),
    [
        (["2 attack", "tactic"], ("attack", "attack", "tactic")),
        ("2 attack, tactic", ("attack", "attack", "tactic")),
        ("", ()),
        ([], ()),
    ],
)
def test_a_list_of_cards_is_read(given: object, cards: tuple[str, ...]) -> None:
    assert read_list("hand", given, order) == cards


def test_a_card_may_be_called_a_number() -> None:
    assert read_list("hand", ["5", "2 6"], str) == ("5", "6", "6")


def test_a_list_is_written_as_it_is_read() -> None:
    cards = ("attack", "attack", "tactic", "attack")
    assert write_list(cards) == ["2 attack", "tactic", "attack"]
    assert read_list("hand", write_list(cards), order) == cards
    assert write_list(HIDDEN) == ["?"]


def test_the_rest_is_what_is_named_nowhere_else() -> None:
    lists = {"hand": ["attack"], "deck": ["tactic", "..."]}
    assert read_lists("seat0", lists, order, DECK) == {"hand": ("attack",), "deck": ("tactic", "attack", "attack")}
    assert read_lists("seat0", lists, order, DECK, ["attack"])["deck"] == ("tactic", "attack")


@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ({"hand": ["2 tactic"]}, "seat0: 1 tactic more than there are"),
        ({"hand": ["..."], "deck": ["..."]}, "seat0: '...' stands in one of hand, deck only"),
        ({"hand": 5}, "seat0.hand: a list of cards is needed, not 5"),
        ({"hand": [5]}, "seat0.hand: a card's name is needed, not 5"),
        ({"hand": ["tactik"]}, "deck: 'tactik' is not known here; did you mean 'tactic'?"),
    ],
)
def test_wrong_lists_are_refused(lists: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read_lists("seat0", lists, order, DECK)


def test_words_stand_in_a_text_or_a_list() -> None:
    assert words_of("dice", "Me, Ra Ma") == words_of("dice", ["Me", "Ra", "Ma"]) == ["Me", "Ra", "Ma"]
    with pytest.raises(ValueError, match="dice: a text or a list of words is needed, not 7"):
        words_of("dice", 7)


def test_keys_that_are_not_known_are_refused_with_what_is_meant() -> None:
    assert check_keys("position", {"hand": 1}, ["hand"]) == {"hand": 1}
    with pytest.raises(ValueError, match="position: 'hnad' is not known here; did you mean 'hand'"):
        check_keys("position", {"hnad": 1}, ["hand", "deck"])
    with pytest.raises(ValueError, match="position: 'zz' is not known here; allowed: hand, deck"):
        check_keys("position", {"zz": 1}, ["hand", "deck"])
    with pytest.raises(ValueError, match="position: a table is needed"):
        check_keys("position", ["hand"], ["hand"])


@pytest.mark.parametrize("given", [5, {"a": 5}])
def test_tables_by_name_are_tables(given: object) -> None:
    assert tables("types", {"a": {"b": 1}}) == {"a": {"b": 1}}
    with pytest.raises(ValueError, match="types: tables by name are needed"):
        tables("types", given)


def test_a_value_of_another_type_is_refused_with_its_place() -> None:
    assert convert("round", 3, int) == 3
    with pytest.raises(ValueError, match="round: a whole number is needed, not a text"):
        convert("round", "three", int)
