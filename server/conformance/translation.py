"""Finds texts of a game that a language lacks: random matches are examined from the view of every viewer."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from domain.kernel import (
    DecisionsOpened,
    Game,
    Mask,
    MatchCreated,
    MatchEnded,
    Play,
    Refusal,
    Seat,
    SeatTaken,
    begin,
    decide,
)
from projections.chronicle import line
from projections.foresight import foresee
from projections.i18n.catalogue import tables
from projections.i18n.language import Language, language_of
from projections.languages import ENGLISH, LANGUAGES
from replay.scenarios.translated import untranslated
from server.bots.chance import SeededChance
from server.conformance.checks import Check
from server.conformance.showing import face_of
from server.conformance.walks import PlayedGame

if TYPE_CHECKING:
    from domain.kernel import Event
    from projections.face import Face

LOOKED_INTO: Final = 12
"""The number of decisions of a match for which the consequences of some choice are asked for."""
SHOWN: Final = 5
"""The number of missing texts that a fault names."""
NAMES: Final = ("Abel", "Doviso", "Ilona", "Marek", "Osric", "Petra", "Quill", "Runa")


def played(game: Game[Any], seed: int, options: dict[str, Any]) -> Iterator[tuple[Event, Any]]:
    """The events of a match whose players choose at random, each with the world in which it ends."""
    rng = random.Random(seed)
    chance = SeededChance(rng)
    seats = game.seats_of(options)
    first = MatchCreated(game.name, options, ("",) * seats)
    opening: list[Event] = [first, *(SeatTaken(Seat(n), NAMES[n]) for n in range(seats))]
    play: Play[Any] = begin(game, game.fold(opening), chance)
    yield from ((event, play.state) for event in [*opening, *play.events])
    while play.state.asked:
        asked = rng.choice(play.state.asked)
        choice = game.revive_decision(asked).form(play.state).sample(rng.randrange)
        play = decide(game, play.state, asked.seat, asked.number, choice, chance)
        yield from ((event, play.state) for event in play.events)


def missing_in(face: Face[Any], said: Language, seed: int, options: dict[str, Any]) -> Iterator[str]:
    """The texts of one random match that the language lacks, as they occur."""
    match = list(played(face.game, seed, options))
    seats = len(match[-1][1].players)
    for viewer in (None, *map(Seat, range(seats))):
        yield from _missing_for(face, said, match, viewer)


def _missing_for(face: Face[Any], said: Language, match: list[tuple[Event, Any]], viewer: Seat | None) -> Iterator[str]:
    mask = Mask(0 if viewer is None else 1 << viewer)
    game = face.game
    view = game.fold((game.redact(match[0][0], mask),))
    pauses = sum(isinstance(event, DecisionsOpened) for event, _ in match)
    asked = 0
    for event, world in match[1:]:
        seen = game.redact(event, mask)
        before, view = view, game.fold((seen,), view)
        yield from _unsaid(said, [cue[key] for cue in face.cues(before, seen) for key in ("t", "sub") if key in cue])
        told = line(face, before, view, seen, viewer)
        if told is not None and "lang" in said.line(told):
            yield face.narrate(before, view, seen, viewer)
        if isinstance(event, DecisionsOpened | MatchEnded):
            yield from said.scene(face.scene(view, viewer)).get("english", ())
            yield from (cell for cell in said.missing_on(face.board(view, viewer)) if cell not in NAMES)
            asked += 1
            if viewer is not None and asked % max(1, pauses // LOOKED_INTO) == 0:
                yield from _unforeseen(face, said, view, world, viewer)


def _unforeseen(face: Face[Any], said: Language, view: Any, world: Any, viewer: Seat) -> Iterator[str]:
    """The consequences of the viewer's choices that the language lacks."""
    asked = next((one for one in view.asked if one.seat == viewer), None)
    if asked is None or world.asked != view.asked:
        return
    below = random.Random(asked.number).randrange
    choice = face.game.revive_decision(asked).form(view).sample(below)
    try:
        found = foresee(face, view, world.stack, asked, choice, worlds=2)
    except Refusal:
        return
    yield from _unsaid(said, [*found.lines, found.roll, found.lost, found.vain])


def _unsaid(said: Language, texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if text and not said.has(text))


def translated_by(game: str) -> list[str]:
    """The languages beside English that a game claims to speak: those whose texts lie beside its words."""
    return [name for name in LANGUAGES if name != ENGLISH and tables(game, name)]


def unsaid(face: Face[Any], language: str, seeds: Iterable[int], options: dict[str, Any]) -> list[str]:
    """The texts that a language lacks, each once: those of random matches, then those of lessons and the guide.

    Raises `LookupError` if Herald lacks the language.
    """
    said = language_of(face.game.name, language)
    if said is None:
        raise LookupError(f"Herald has no language {language}.")
    found: dict[str, None] = {} if said.has(face.game.spec.about) else {face.game.spec.about: None}
    for seed in seeds:
        found.update(dict.fromkeys(missing_in(face, said, seed, options)))
    return [*found, *(text for text in untranslated(face.game.name, language) if text not in found)]


def says_everything_in(language: str) -> Check:
    """The check that a game says everything in a language: a random match, its lessons and its guide."""

    def check(table: PlayedGame, seed: int) -> None:
        found = unsaid(face_of(table.game), language, (seed,), table.options)
        shown = "; ".join(repr(text) for text in found[:SHOWN])
        assert not found, f"{len(found)} missing, the first of them: {shown}"

    return check
