"""Lines of the chronicle point at what they name."""

import pytest
from msgspec import convert

from domain.kernel import Seat
from domain.vera_discordia import GAME
from domain.vera_discordia.state import events as e
from projections.chronicle import line, linked
from projections.vocabulary import Line
from tests.projections.matches import VERA_FACE, VIEWERS, vera, walk


def test_names_become_references() -> None:
    assert linked("Pikes (V1) hit Guard (V2).", {"Pikes (V1)": "u1", "Guard (V2)": "u2"}) == [
        {"r": "u1", "t": "Pikes (V1)"},
        " hit ",
        {"r": "u2", "t": "Guard (V2)"},
        ".",
    ]


def test_the_longer_name_wins() -> None:
    assert linked("Abel's Pikes (V1)", {"Pikes (V1)": "u9", "Abel's Pikes (V1)": "u1"}) == [
        {"r": "u1", "t": "Abel's Pikes (V1)"}
    ]


def test_without_names_the_text_stays_plain() -> None:
    assert linked("Round 1 begins.", {"Pikes": "u1"}) == "Round 1 begins."


@pytest.mark.parametrize("viewer", VIEWERS)
def test_lines_hold_to_the_vocabulary_and_keep_their_words(viewer: Seat | None) -> None:
    linked_lines = 0
    for before, event, after in walk(GAME, vera(3), viewer):
        told = line(VERA_FACE, before, after, event, viewer)
        text = VERA_FACE.narrate(before, after, event, viewer)
        assert (told is None) == (text == "")
        if told is None:
            continue
        words = convert(told, Line)
        assert text.removesuffix("." if words.k == "head" else "") == "".join(
            part if isinstance(part, str) else part.t for part in words.t
        )
        assert (words.k == "head") == isinstance(event, e.PhaseBegan)
        if not isinstance(words.t, str):
            linked_lines += 1
            assert words.seat in (0, 1)
    assert linked_lines > 50
