"""Faces in another language: what is read is translated, nothing else, and what is missing is found."""

from typing import Any, Final

import pytest
from msgspec import inspect

from domain.kernel import Seat
from projections import vocabulary
from projections.chronicle import line
from projections.i18n.catalogue import tables
from projections.i18n.language import LOOSE, READ, language_of, translated
from projections.registry import faces
from projections.vocabulary import Word, defects
from server.conformance.translation import missing_in, played
from tests.conformance.walks import NIGHTLY, OPTIONS
from tests.projections.matches import VERA_FACE, vera, walk

GERMAN: Final = sorted(game for game in faces() if tables(game, "de"))
"""The games that claim German."""
KEPT: Final = {
    "as", "at", "art", "charge", "do", "dock", "face", "from", "fill", "form", "g", "game", "glyph", "grp", "id", "k",
    "key", "kind", "lang", "look", "mode", "name", "on", "r", "ref", "same", "shape", "slot", "style", "t", "term",
    "title", "over",
    "to", "tone", "type", "v", "when", "zone", "f", "align", "st", "legal", "draft", "state", "terms", "english",
}  # fmt: skip
"""Fields of words, some of them in other structs, that hold keys, names, glyphs and tones."""


SHORT: Final[dict[str, dict[str, Any]]] = {"disciples_legacy": {"turn_limit": 4}}
"""Options of a match that does not take long."""


def german() -> Any:
    said = language_of("vera_discordia", "de")
    assert said is not None
    return said


def test_every_word_of_the_vocabulary_is_read_or_kept() -> None:
    unknown = []
    for struct in vars(vocabulary).values():
        if not (isinstance(struct, type) and issubclass(struct, Word)):
            continue
        info = inspect.type_info(struct)
        assert isinstance(info, inspect.StructType)
        for field in info.fields:
            is_text = isinstance(field.type, inspect.StrType) or field.encode_name in {"tip", "crumbs"}
            if is_text and field.encode_name not in READ.get(struct, frozenset()) | KEPT:
                unknown.append((struct.__name__, field.encode_name))
    assert not unknown
    assert set(vocabulary.Geom.__struct_fields__) >= LOOSE


@pytest.mark.parametrize("game", GERMAN)
def test_what_a_game_is_about_is_said_in_german(game: str) -> None:
    said = language_of(game, "de")
    assert said is not None
    assert said.has(faces()[game].game.spec.about)


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_a_german_scene_keeps_to_the_vocabulary_and_leaves_the_english_one_alone(viewer: Seat | None) -> None:
    spoke = translated(VERA_FACE, "de")
    for _, _, view in list(walk(VERA_FACE.game, vera(3), viewer))[::40]:
        english = VERA_FACE.scene(view, viewer)
        assert not defects(spoke.scene(view, viewer))
        assert VERA_FACE.scene(view, viewer) == english


def test_names_in_a_line_lead_to_the_table_as_in_english() -> None:
    spoke, found = translated(VERA_FACE, "de"), 0
    for before, event, after in walk(VERA_FACE.game, vera(3), Seat(0)):
        english = line(VERA_FACE, before, after, event, Seat(0))
        if english is None or isinstance(english["t"], str):
            continue
        said = german().line(english)
        assert said["t"] == line(spoke, before, after, event, Seat(0))["t"]  # type: ignore[index]
        refs = [[part["r"] for part in told["t"] if not isinstance(part, str)] for told in (english, said)]
        assert sorted(refs[0]) == sorted(refs[1]), said
        found += 1
    assert found > 50


def test_what_is_left_in_english_says_so() -> None:
    scene = {"crumbs": ["Round 2", "Something new"], "seats": {}, "zones": {}, "pieces": {}}
    assert german().scene(scene) == {
        "crumbs": ["Runde 2", "Something new"], "seats": {}, "zones": {}, "pieces": {}, "english": ["Something new"],
    }  # fmt: skip
    assert german().line({"t": "Something new happens."}) == {"t": "Something new happens.", "lang": "en"}
    assert german().cue({"k": "banner", "t": "Something new", "sub": "Round 2"}) == {
        "k": "banner", "t": "Something new", "sub": "Runde 2", "lang": "en",
    }  # fmt: skip
    assert german().cue({"k": "banner", "t": "Round 2"}) == {"k": "banner", "t": "Runde 2"}
    assert german().line({"k": "head", "t": "Recruiting begins"}) == {"k": "head", "t": "Die Rekrutierung beginnt"}


def test_a_table_as_plain_text_keeps_its_columns() -> None:
    board = "| V1 Golem        | R2 Closed Unit? |\nMotivation 10 | hand 2\nHand: 2 Attack"
    assert german().board(board) == "| V1 Golem        | R2 verdeckte Ein|\nMotivation 10 | Hand 2\nHand: 2 Angriff"


def test_abilities_of_a_card_are_each_in_german() -> None:
    assert german().text("Bravery, Endurance") == "Tapferkeit, Ausdauer"
    assert german().text("accuracy, bravery, ...") == "Treffsicherheit, Tapferkeit, ..."


def test_a_face_in_english_is_the_face_itself() -> None:
    assert translated(VERA_FACE, "en") is VERA_FACE
    assert translated(VERA_FACE, "xx") is VERA_FACE


@pytest.mark.parametrize("game", GERMAN)
def test_a_game_that_claims_german_says_everything_in_it(game: str) -> None:
    said = language_of(game, "de")
    assert said is not None
    assert not list(dict.fromkeys(missing_in(faces()[game], said, 11, SHORT.get(game, {}))))


LONG: Final = {("joan_of_arc", 3), ("joan_of_arc", 4)}
"""Matches of three and four seats in scenarios that others are played in by two, half a minute each."""
TRIED: Final = [
    pytest.param(game, n, marks=[pytest.mark.deep] * ((game, n) in LONG or n + 1 in NIGHTLY.get(game, ())))
    for game in GERMAN
    for n in range(len(OPTIONS.get(game, ())))
]


@pytest.mark.whole
@pytest.mark.parametrize(("game", "option"), TRIED)
def test_it_does_so_with_every_option(game: str, option: int) -> None:
    said = language_of(game, "de")
    assert said is not None
    assert not list(dict.fromkeys(missing_in(faces()[game], said, 7, OPTIONS[game][option])))


def test_a_text_that_is_missing_is_found() -> None:
    said = language_of("skirmish", "de")
    assert said is not None
    assert next(missing_in(VERA_FACE, said, 1, {}))
    assert len(list(played(VERA_FACE.game, 2, {}))) > 100


def test_what_a_member_bears_is_said_behind_its_numbers() -> None:
    said = language_of("disciples_legacy", "de")
    assert said is not None
    who = "Dread Duke, Some bot, Major Leader, back left, 8 of 9 HP, Attack 3 melee"
    assert said.text(f"{who}, spent this turn, carries Fire Orb") == (
        "Dread Duke, Some bot, Großer Anführer, hinten links, 8 von 9 HP, Angriff 3 Nahkampf, "
        "in diesem Zug verbraucht, trägt Fire Orb"
    )
