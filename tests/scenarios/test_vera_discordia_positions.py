"""The notation of Vera Discordia's positions expresses every state there is, and what each viewer knows of it."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, Hidden, State
from domain.kernel.state import plain
from domain.vera_discordia import GAME
from domain.vera_discordia.positions.positions import POSITIONS
from domain.vera_discordia.positions.starts import STARTS
from domain.vera_discordia.state.state import Phase, VeraState
from server.conformance.walks import Walk, mask, viewers

KERNEL = {name: getattr(State(), name) for name in State.__struct_fields__}


def bare(state: VeraState) -> VeraState:
    """Without what the kernel keeps of the match so far, and without the order of dictionaries."""
    return replace(state, **KERNEL)


def known_to_all(view: VeraState) -> VeraState:
    """A folded view without the difference between hidden nothing and nothing."""
    sides: list[Any] = []
    for side in view.sides:
        sizes = {"hand": side.hand_size, "covert": side.covert_count}
        plain: dict[str, Any] = {name: () for name, size in sizes.items() if not size and getattr(side, name) is HIDDEN}
        sides.append(replace(side, **plain))
    units = {
        key: replace(unit, life=unit.marker) if unit.life is HIDDEN and unit.marker is not None else unit
        for key, unit in view.units.items()
    }
    return replace(view, sides=tuple(sides), units=units)


@pytest.mark.parametrize("seed", range(6))
def test_every_state_of_a_match_can_be_written_and_read(seed: int) -> None:
    walk = Walk(GAME, seed)
    for number, _ in enumerate(walk.steps()):
        if number % 7 == 0 and walk.state.phase is not Phase.GENERALS:
            given = POSITIONS.write(walk.state)
            again, _ = POSITIONS.read({**given, "start": "Match", "with": {}}, {})
            assert bare(again) == bare(walk.state)


def test_a_position_stands_in_the_rules_as_the_match_did() -> None:
    met = set()
    for seed in range(16):
        met |= standings(Walk(GAME, seed))
    assert met >= set(STARTS) - {"Match", "ChoiceOfGenerals"}


def standings(walk: Walk) -> set[str]:
    """Compares where the rules stand at every pause; the procedures met."""
    met = set()
    times = Counter[str]()
    for _ in walk.steps():
        if walk.over or walk.state.phase is Phase.GENERALS:
            continue
        *around, top = walk.state.stack
        times[top.procedure] += 1
        if times[top.procedure] > 8:
            continue
        given = {**POSITIONS.write(walk.state), "start": top.procedure, "with": top.terms}
        again, procedure = POSITIONS.read(given, {})
        assert (type(procedure).__name__, plain(procedure)) == (top.procedure, top.terms)
        assert not isinstance(again.stack, Hidden)
        assert [(f.procedure, f.step) for f in again.stack] == [(f.procedure, f.step) for f in around]
        met |= {top.procedure, *(frame.procedure for frame in around)}
    return met


@pytest.mark.parametrize("seed", range(6))
def test_a_viewer_knows_of_a_position_what_the_events_told_it(seed: int) -> None:
    walk = Walk(GAME, seed)
    views = {viewer: GAME.view(walk.events, mask(viewer)) for viewer in viewers(GAME)}
    for number, resolver in enumerate(walk.steps()):
        for viewer in views:
            seen = (GAME.redact(event, mask(viewer)) for event in resolver.events)
            views[viewer] = GAME.fold(seen, views[viewer])
            if number % 5 == 0:
                known = known_to_all(POSITIONS.view(walk.state, viewer))
                assert bare(known) == bare(known_to_all(views[viewer]))
