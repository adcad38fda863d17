"""Guides: read strictly, drawn from positions, resting on rows that there are, in other languages where those are."""

import pytest

from domain.kernel import MatchCreated, begin
from projections.ledger import ledger
from projections.registry import faces, games
from replay.scenarios import guides
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.guides import (
    Guide,
    GuidePart,
    GuideTranslation,
    GuideWords,
    Length,
    Lengths,
    Picture,
    TranslatedPart,
    drawn,
    first,
    guide,
    lengths,
    told,
)
from server.conformance.walks import Seeded

GUIDED = [name for name in sorted(games()) if guide(name)]
PICTURE = Picture("Two Units.", lesson="01-what-is-on-the-table", point=["A"])


def test_the_complete_games_have_a_guide_and_a_first_match() -> None:
    assert {"disciples_legacy", "joan_of_arc", "vera_discordia", "war_for_edadh"} <= set(GUIDED)
    assert all(first(name) for name in GUIDED)


@pytest.mark.parametrize("name", GUIDED)
def test_a_first_match_can_be_created_and_begins(name: str) -> None:
    found, game = first(name), games()[name]
    assert found is not None
    created = MatchCreated(name, found.options, tuple("AB"))
    assert game.seats_of(found.options) == 2
    assert begin(game, game.created(created), Seeded(1)).state.asked


def test_an_area_of_a_map_may_be_ringed_and_one_that_is_not_on_it_is_refused() -> None:
    face = faces()["joan_of_arc"]
    assert drawn(face, Picture("It.", lesson="01-what-is-on-the-table", point=["map#0,0:b"]))
    with pytest.raises(ScenarioInvalid, match="map#9,9:a"):
        drawn(face, Picture("None.", lesson="01-what-is-on-the-table", point=["map#9,9:a"]))


@pytest.mark.parametrize("name", GUIDED)
def test_pictures_are_drawn_and_rows_stand_in_the_ledger(name: str) -> None:
    found = guide(name)
    assert found is not None
    assert sum(part.picture is not None for part in found.part) >= 5
    words = sum(len(text.split()) for part in found.part for text in part.text)
    assert words <= 2000, "ten minutes of reading"
    for part in found.part:
        assert set(part.rules) <= set(ledger(name).rows)
        if part.picture is not None:
            scene = drawn(faces()[name], part.picture)
            assert scene["pieces"]
            assert "prompt" not in scene


def test_a_picture_that_points_at_nothing_is_refused() -> None:
    wrong = Picture("Nobody.", lesson="01-what-is-on-the-table", point=["Z9"])
    with pytest.raises(ScenarioInvalid, match="Z9"):
        drawn(faces()["vera_discordia"], wrong)
    with pytest.raises(ScenarioInvalid, match="no lesson"):
        drawn(faces()["vera_discordia"], Picture("None.", lesson="99-none"))


def test_a_picture_may_have_a_position_of_its_own() -> None:
    given = {"seat0": {"V1": "A: sentinels attack"}, "seat1": {"V1": "X: trackers support up"}}
    scene = drawn(faces()["vera_discordia"], Picture("One against one.", position=given, point=["A", "X"]))
    assert {"A", "X"} <= set(scene["pieces"])


def test_a_translation_takes_the_place_of_the_words_and_keeps_the_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, object] = {
        "guide.toml": Guide("How", [GuidePart("One", ["Text."], ["VD-022"], PICTURE)]),
        "guide.de.toml": GuideTranslation("Wie", [TranslatedPart("Eins", ["Wort."], "Zwei.")]),
    }
    monkeypatch.setattr(guides, "_read", lambda _, name, __: files.get(name))
    guide.cache_clear()
    told = guide("vera_discordia", "de")
    assert told is not None
    assert (told.title, told.language, told.part[0].text, told.part[0].rules) == ("Wie", "de", ["Wort."], ["VD-022"])
    assert told.part[0].picture is not None
    assert (told.part[0].picture.caption, told.part[0].picture.lesson) == ("Zwei.", PICTURE.lesson)
    files["guide.de.toml"] = GuideTranslation("Wie", [])
    guide.cache_clear()
    with pytest.raises(ScenarioInvalid, match="parts"):
        guide("vera_discordia", "de")
    del files["guide.de.toml"]
    guide.cache_clear()
    told = guide("vera_discordia", "de")
    guide.cache_clear()
    assert told is not None
    assert told.language == "en"


@pytest.mark.parametrize("game", GUIDED)
def test_every_game_says_how_long_its_matches_are_by_options_that_it_has(game: str) -> None:
    found = lengths(game)
    assert found is not None
    spec = faces()[game].game
    for length in found.length:
        spec.assert_playable(length.options)
    assert found.first is not None
    begun, shown = first(game), told(found, found.first)
    assert begun is not None
    assert shown.minutes == begun.minutes, "the button and the line above it say the same"
    assert shown.decisions % 5 == 0


def test_what_is_told_of_a_length_is_counted_for_people() -> None:
    counted = Lengths(unit="turn", people=1.4, seconds=14, length=[])
    assert told(counted, Length(12, 258, {"turn_limit": 20})) == GuideWords(12, 360, 85, {"turn_limit": 20})
    assert told(counted, Length(1, 4)) == GuideWords(1, 5, 5, {})
