"""Glossaries: every word of a game has a name, one sentence, and rows that are in its ledger."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.state.state import Phase as DisciplesPhase
from domain.joan_of_arc.board.terrain import GroundTerrain, SkyTerrain
from domain.joan_of_arc.cards.dice import FACES, Face
from domain.joan_of_arc.cards.hooks import Order as JoanOrder
from domain.joan_of_arc.cards.hooks import Skill as JoanSkill
from domain.joan_of_arc.cards.units import Arm, Trait
from domain.joan_of_arc.cards.units import Kind as UnitKind
from domain.joan_of_arc.state.state import Phase as JoanPhase
from domain.vera_discordia.cards.cards import Ability, AnyHook, Die, OrderType, Rank, Terrain
from domain.vera_discordia.state.state import AttackKind, Phase
from domain.war_for_edadh.cards.cards import SHIPPED, Effect, Kind
from projections import glossary as module
from projections.games.vera_discordia.terms import HOOK_TERMS
from projections.games.war_for_edadh.words import POSITIONS
from projections.glossary import LONGEST, Term, encoded, glossary, reason, search, translations
from projections.languages import ENGLISH, LANGUAGES
from projections.ledger import ledger
from projections.registry import games

ROOT = Path(__file__).parents[2]
GAMES = {name: game for name, game in games().items() if glossary(name)}


def vera() -> Iterator[str]:
    tags = [str(hook.__struct_config__.tag) for hook in get_args(AnyHook)]
    yield from chain(Ability, Rank, OrderType, Terrain, AttackKind)
    yield from (f"die-{die}" for die in Die)
    yield from (f"phase-{phase}" for phase in Phase)
    yield from (HOOK_TERMS.get(tag, tag) for tag in tags)


def war() -> Iterator[str]:
    yield from (card.code for card in SHIPPED.stratagems)
    yield from chain(get_args(Effect), Kind)
    yield from ("range-position" if name == "range" else name for name in POSITIONS)
    yield from ("mst", "tcts")


def disciples() -> Iterator[str]:
    yield from (str(op.__struct_config__.tag) for op in get_args(hooks.Op))
    yield from (f"window-{window}" for window in hooks.WINDOWS)
    yield from (f"attack-{style}" for style in get_args(hooks.Style))
    yield from (f"phase-{phase}" for phase in get_args(DisciplesPhase))
    yield from get_args(hooks.ModName)


def joan() -> Iterator[str]:
    yield from chain(get_args(UnitKind), get_args(Arm), get_args(Trait))
    yield from (f"skill-{skill}" for skill in JoanSkill)
    yield from (f"order-{order}" for order in get_args(JoanOrder))
    yield from (f"terrain-{terrain}" for terrain in chain(get_args(GroundTerrain), get_args(SkyTerrain)))
    yield from (f"die-{die}" for die in FACES)
    yield from (f"face-{face}" for face in Face)
    yield from (f"phase-{phase}" for phase in get_args(JoanPhase))


LONGEST_ELSEWHERE = 160
"""Characters of a sentence in a language that says the same in more letters."""
WORDS = {"vera_discordia": vera, "war_for_edadh": war, "disciples_legacy": disciples, "joan_of_arc": joan}
"""By game: the terms of what its data and rules have names for."""


def test_the_games_that_are_played_have_a_glossary() -> None:
    assert set(GAMES) >= set(WORDS)


@pytest.mark.parametrize("game", GAMES)
def test_a_term_is_one_short_sentence_that_rests_on_rows_of_the_ledger(game: str) -> None:
    rows, terms = ledger(game).rows, glossary(game)
    for key, term in terms.items():
        assert term.name, key
        assert term.text[-1] == ".", key
        assert len(term.text) <= LONGEST, key
        assert term.rules, key
        assert set(term.rules) <= set(rows), key
        assert set(term.see) <= set(terms), key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
@pytest.mark.parametrize("game", GAMES)
def test_every_term_is_said_in_every_language_and_no_other(game: str, language: str) -> None:
    terms, said = glossary(game), translations(game, language)
    assert set(terms) - set(said) == set(), "untranslated"
    assert set(said) - set(terms) == set(), "superfluous"
    for key, term in said.items():
        assert term.name, key
        assert term.text[-1] == ".", key
        assert len(term.text) <= LONGEST_ELSEWHERE, key
        assert term.text != terms[key].text, key
        assert re.findall(r"\d+", term.text) == re.findall(r"\d+", terms[key].text), key


def test_what_a_language_does_not_say_is_told_in_english_and_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games" / "half"
    folder.mkdir(parents=True)
    rows = 'rules = ["VD-001"] }'
    (folder / "glossary.toml").write_text(
        f'[term]\na = {{ name = "Rank", text = "A.", {rows}\nb = {{ name = "Elite", text = "B.", {rows}\n'
        f'[cue]\na = {{ name = "Arrow", text = "C.", {rows}\n'
    )
    (folder / "glossary.de.toml").write_text(
        '[term]\na = { name = "Rang", text = "Ein A." }\nb = { name = "Elite", text = "Ein B." }\n'
    )
    monkeypatch.setattr(module, "folder_of", lambda game: tmp_path / "games" / game)
    said = glossary("half", "de")
    assert said["a"] == Term("Rang", "Ein A.", ("VD-001",), english="Rank")
    assert said["b"] == Term("Elite", "Ein B.", ("VD-001",))
    assert said["cue.a"] == Term("Arrow", "C.", ("VD-001",), untranslated=True)
    assert search("half", ["rank"], "de") == search("half", ["rang"], "de") == ["a"]


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_says_what_it_is_for(game: str) -> None:
    asked = {decision.__name__ for decision in GAMES[game].spec.decisions}
    assert {key for key in glossary(game) if key[0].isupper() and not key[-1].isdigit()} == asked


@pytest.mark.parametrize("game", WORDS)
def test_all_that_data_and_rules_name_is_in_the_glossary(game: str) -> None:
    assert set(WORDS[game]()) - set(glossary(game)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_cue_that_a_face_draws_is_in_the_glossary(game: str) -> None:
    text = "".join(path.read_text() for path in (ROOT / "projections" / "games" / game).glob("*.py"))
    # results are told in words
    drawn = {f"cue.{kind}" for kind in re.findall(r"\bcues_of\.([a-z]+)\(", text)} - {"cue.over", "cue.result"}
    assert {key for key in glossary(game) if key.startswith("cue.")} == drawn
    assert drawn


@pytest.mark.parametrize("game", GAMES)
def test_what_is_sent_of_rules_changes_its_name_with_what_it_says(game: str) -> None:
    words, book = encoded(game, "words"), encoded(game, "rules")
    assert words is not None
    assert book is not None
    assert words[0] != book[0]
    assert set(msgspec.json.decode(words[1])) == set(glossary(game))
    assert len(msgspec.json.decode(book[1])["rows"]) == len(ledger(game).rows)


def test_a_game_without_words_sends_none_and_gives_the_rule_alone() -> None:
    assert encoded("skirmish", "words") is None
    assert encoded("skirmish", "rules") is None
    assert reason("skirmish", "Anything", "SK-01") == "Rule SK-01."


def test_terms_are_found_by_words_those_first_that_are_called_so() -> None:
    found = search("vera_discordia", ["riposte"])
    assert found[0] == "riposte"
    assert "closed" in search("vera_discordia", ["face", "down"])
    assert search("vera_discordia", ["nonesuch"]) == []


def test_a_glossary_has_no_other_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "games" / "strange"
    folder.mkdir(parents=True)
    (folder / "glossary.toml").write_text('[phrase]\na = { name = "A", text = "B.", rules = ["VD-001"] }\n')
    monkeypatch.setattr(module, "folder_of", lambda game: tmp_path / "games" / game)
    with pytest.raises(msgspec.ValidationError, match=r"no \[phrase\]"):
        glossary("strange")
