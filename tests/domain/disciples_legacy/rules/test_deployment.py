"""What is wrong with a deployment is said by what is on the table, with what to move; in German too."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import Deck, DeckParty, index_of
from domain.disciples_legacy.rules.deployment import why_not_deployed
from projections.i18n.language import language_of

INDEX = index_of(None)
A, B = INDEX.decks["empire_a"], INDEX.decks["legions_a"]


def told(*parties: DeckParty, deck: Deck = A) -> str:
    return why_not_deployed(deck, parties, INDEX)


def units(party: DeckParty, **places: str) -> DeckParty:
    return replace(party, units={slot[1:]: card for slot, card in places.items()})


def giants(number: int) -> Deck:
    """An army whose first Leader has so many Giants beside him."""
    wide = {str(slot): "titan" for slot in range(1, number + 1)}
    first, *others = A.parties
    return replace(A, parties=(replace(first, leader_slot=4, units=wide), *others))


def test_a_deployment_as_listed_is_sound() -> None:
    for deck in INDEX.decks.values():
        assert told(*deck.parties, deck=deck) == ""


def test_dl_013_every_card_is_deployed() -> None:
    first, second, third = A.parties
    assert told(units(first), second, third) == "Deploy every card of the Army Deck, and no other (DL-013)."


def crowd(number: int) -> tuple[DeckParty, ...]:
    """So many of five cheap Units under a Leader of three, the others elsewhere."""
    first, second, third = A.parties
    all_five = [f"s{slot}" for slot in (1, 3, 4, 5, 6)]
    return (
        units(first, **dict.fromkeys(all_five[:number], "squire")),
        units(second, **dict.fromkeys(all_five[number:], "squire")),
        units(third),
    )


def test_dl_045_too_many_under_one_leader_are_counted() -> None:
    deck = replace(A, parties=crowd(5))
    assert INDEX.majors[A.parties[0].leader].leadership == 3
    assert (
        told(*crowd(4), deck=deck)
        == "Knight Captain leads 3 Units at most, but has 4: move 1 to another Party (DL-045)."
    )
    assert "DL-045" not in told(*crowd(3), deck=deck)


def test_dl_058_dl_089_a_giant_takes_both_rows() -> None:
    first, second, third = A.parties
    squeezed = replace(units(second, s2="titan"), leader_slot=5)
    assert told(first, squeezed, third) == (
        "Longbow Ranger and Titan are both in the back row, column 2: move one of them; "
        "a Giant takes both rows of his column (DL-089)."
    )
    back = units(second, s6="titan")
    assert told(first, back, third) == "Titan is a Giant, who takes both rows: move him to the front row (DL-058)."


def test_dl_059_two_giants_are_a_party_s_and_not_three() -> None:
    assert "DL-059" not in told(*giants(2).parties, deck=giants(2))
    said = "A Party has room for 2 Giants, but Knight Captain has 3: move one to another (DL-059)."
    assert told(*giants(3).parties, deck=giants(3)) == said


def test_dl_089_two_on_one_place_are_named() -> None:
    first, second, third = A.parties
    said = "Knight Captain and Knight are both in the front row, column 1: move one of them (DL-089)."
    assert told(replace(first, leader_slot=1), second, third) == said


def swapped() -> tuple[DeckParty, ...]:
    """A Unit leads the first Party, and its Leader stands among the Units."""
    first, second, third = A.parties
    return (replace(first, leader="knight", units={**first.units, "1": first.leader}), second, third)


def test_dl_014_a_leader_among_the_units_is_told_what_a_party_is() -> None:
    assert told(*swapped()) == (
        "Deploy three Parties, each of one Leader, Units on other places than his, and Items (DL-014)."
    )


@pytest.mark.parametrize(
    ("parties", "deck"),
    [
        ((), A),
        (crowd(5), replace(A, parties=crowd(5))),
        (giants(3).parties, giants(3)),
        ((replace(A.parties[0], leader_slot=1), *A.parties[1:]), A),
        ((A.parties[0], replace(units(A.parties[1], s2="titan"), leader_slot=5), A.parties[2]), A),
        ((A.parties[0], units(A.parties[1], s6="titan"), A.parties[2]), A),
        (
            (
                replace(A.parties[0], leader="knight", units={**A.parties[0].units, "1": A.parties[0].leader}),
                *A.parties[1:],
            ),
            A,
        ),
    ],
)
def test_each_has_its_german(parties: Any, deck: Deck) -> None:
    said = language_of("disciples_legacy", "de")
    assert said is not None
    english = told(*parties, deck=deck)
    german, known = said.refusal(english)
    assert known, english
    assert german != english
    assert german[-9:] == english[-9:]
