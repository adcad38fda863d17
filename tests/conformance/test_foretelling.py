"""What is foretold of a choice comes true: also where so few worlds are drawn that they often agree by chance."""

from typing import Final

import pytest

from domain.kernel import Seat
from projections import registry
from projections.foresight import WORLDS, foresee
from server.conformance.walks import PlayedGame, mask, viewers
from tests.conformance.showing import FACES
from tests.conformance.walks import seeds, tables

MOMENTS: Final = 400
APART: Final = 3
"""Of so many choices one is asked about."""
FEW: Final = 2
MORE: Final = {"disciples_legacy": 3 * WORLDS}
"""Whether the enemy has anything left to do, and is not skipped, hangs on Reserves that nobody sees: few worlds may all
agree and be wrong."""


@pytest.mark.parametrize("table", tables())
@pytest.mark.parametrize("seed", seeds(2, 4, 6))
def test_what_is_foretold_comes_true(table: PlayedGame, seed: int) -> None:
    name, walk, told = table.game.name, table.walk(seed), 0
    face, worlds = FACES[name], MORE.get(name, FEW)
    views = {seat: walk.game.view(walk.events, mask(seat)) for seat in viewers(walk.game, table.options)}
    for number in range(MOMENTS):
        if walk.over:
            break
        asked, choice = walk.pick()
        view, stack = views[asked.seat], walk.state.stack
        play = walk.make(asked, choice)
        for seat, before in views.items():
            views[seat] = walk.game.fold((walk.game.redact(event, mask(seat)) for event in play.events), before)
        if number % APART:
            continue
        found = foresee(face, view, stack, asked, choice, worlds=worlds)
        said = [face.option(view, asked, choice)]
        for event in play.events:
            held = walk.game.redact(event, mask(Seat(asked.seat)))
            after = walk.game.fold((held,), view)
            said.append(face.narrate(view, after, held, asked.seat))
            view = after
        assert [line for line in found.lines if line not in said] == [], f"{asked.kind}: {choice}"
        told += bool(found.lines)
    assert told or name not in registry.games()
