"""Texts of a game that a language has not: random matches are looked at through the eyes of every viewer.

`python -m scripts.untranslated GAME [LANGUAGE]` prints each text once, then what lessons and the guide have so;
exit code 1 where there are some.
"""

from __future__ import annotations

import argparse
import json
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
from projections.i18n.language import Language, language_of
from projections.registry import faces
from replay.scenarios.translated import untranslated
from server.bots.chance import SeededChance

if TYPE_CHECKING:
    from domain.kernel import Event
    from projections.face import Face

LOOKED_INTO: Final = 12
"""Decisions of a match for which it is asked what would follow from some choice."""
NAMES: Final = ("Abel", "Doviso", "Ilona", "Marek", "Osric", "Petra", "Quill", "Runa")


def played(game: Game[Any], seed: int, options: dict[str, Any]) -> Iterator[tuple[Event, Any]]:
    """The events of a match whose players choose at random, each with the world in which it ends."""
    rng = random.Random(seed)  # noqa: S311 - so that a match can be looked at again
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
    """The texts of one random match that the language has not, as they are met."""
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
    below = random.Random(asked.number).randrange  # noqa: S311 - as above
    choice = face.game.revive_decision(asked).form(view).sample(below)
    try:
        found = foresee(face, view, world.stack, asked, choice, worlds=2)
    except Refusal:
        return
    yield from _unsaid(said, [*found.lines, found.roll, found.lost, found.vain])


def _unsaid(said: Language, texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if text and not said.has(text))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(faces()))
    parser.add_argument("language", nargs="?", default="de")
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--option", action="append", default=[], help="name=value, as JSON")
    asked = parser.parse_args()
    face, said = faces()[asked.game], language_of(asked.game, asked.language)
    if said is None:
        parser.error(f"Herald has no language {asked.language}.")
    options = {name: json.loads(value) for name, _, value in (one.partition("=") for one in asked.option)}
    found: dict[str, None] = {}
    for seed in range(asked.first, asked.first + asked.matches):
        found.update(dict.fromkeys(missing_in(face, said, seed, options)))
    found.update(dict.fromkeys(untranslated(asked.game, asked.language)))
    for text in found:
        print(text)
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
