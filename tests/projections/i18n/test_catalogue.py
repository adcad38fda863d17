"""Catalogues of other languages: what they have, and that they are whole."""

import pytest

from projections.i18n.catalogue import JOINING, Catalogue, catalogue, tables
from projections.i18n.templates import TemplateInvalid, names_in, read
from projections.languages import LANGUAGES
from projections.registry import games

FILES = [(game, language) for language in LANGUAGES for game in ("", *sorted(games())) if tables(game, language)]


@pytest.mark.parametrize(("game", "language"), FILES)
def test_a_translation_leaves_nothing_out_and_adds_nothing(game: str, language: str) -> None:
    wrong = []
    for kind, texts in tables(game, language).items():
        for english, said in texts.items():
            if kind == JOINING or english == "same":
                continue
            places = {part.name for part in read(english) if not isinstance(part, str) and hasattr(part, "name")}
            for form in [said] if isinstance(said, str) else said.values():
                if names_in(form) != places:
                    wrong.append((english, form))
    assert not wrong


@pytest.mark.parametrize(("game", "language"), FILES)
def test_a_catalogue_can_be_read(game: str, language: str) -> None:
    assert catalogue(game, language) is not None


def test_english_and_languages_that_herald_has_not_have_no_catalogue() -> None:
    assert catalogue("vera_discordia", "en") is None
    assert catalogue("vera_discordia", "xx") is None


SMALL = Catalogue(
    (
        {
            "join": {"and": "und", "or": "oder"},
            "beast": {"a wolf": {"is": "ein Wolf", "acc": "einen Wolf"}, "same": ["Rex"], "two wolves": "zwei Wölfe"},
            "name": {"{any}": "{any}"},
            "text": {"{name} sees {beast*}.": "{name} sieht {beast:acc}.", "Look.": "Schau.", "{beast+}": "{beast}"},
        },
    )
)


def test_lists_are_joined_as_the_language_joins_them() -> None:
    assert SMALL.said("Ada sees Rex.") == "Ada sieht Rex."
    assert SMALL.said("Ada sees Rex and a wolf.") == "Ada sieht Rex und einen Wolf."
    assert SMALL.said("Ada sees a wolf, two wolves or Rex.") == "Ada sieht einen Wolf, zwei Wölfe oder Rex."
    assert SMALL.said("a wolf, Rex") == "ein Wolf, Rex"
    assert SMALL.said("A wolf, Rex") == "Ein Wolf, Rex"
    assert SMALL.said("Ada sees a wolf, a bear or Rex.") is None


def test_several_sentences_are_said_where_each_is_known() -> None:
    assert SMALL.said("Look. Ada sees Rex.") == "Schau. Ada sieht Rex."
    assert SMALL.said("Look. Ada sleeps.") is None


@pytest.mark.parametrize("stops", [40, 13, 12])
def test_a_name_of_many_stops_is_not_cut_up_in_every_way_there_is(stops: int) -> None:
    """A player may be called so: of forty stops there would be a million million ways."""
    assert SMALL.said(f"{'. ' * stops}sees Rex.") == f"{'. ' * stops}sieht Rex."
    assert SMALL.said(f"{'. ' * stops}sleeps.") is None
    assert SMALL.said(", " * stops + "Rex") is None


def test_a_text_without_letters_is_the_same_in_every_language() -> None:
    assert SMALL.said("3/4 ✓") == "3/4 ✓"
    assert SMALL.said("Unknown") is None


def test_a_name_is_found_in_all_its_forms_but_not_among_what_may_be_anything() -> None:
    assert SMALL.named("a wolf") == ["a wolf", "ein Wolf", "Ein Wolf", "einen Wolf", "Einen Wolf"]
    assert SMALL.named("Ada") == ["Ada"]


def test_a_wrong_template_is_said() -> None:
    with pytest.raises(TemplateInvalid, match="no place"):
        Catalogue(({"text": {"{One}": "{One}"}},))


def test_a_game_says_why_its_questions_are_asked_by_its_glossary() -> None:
    german = catalogue("vera_discordia", "de")
    assert german is not None
    assert german.said("Which General do you command?") == "Welchen General befehligst du?"
