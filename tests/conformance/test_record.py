"""What is written of a match is the match: lines read back, folding without rules, views by the same fold."""

import random
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import pytest

from domain.kernel.procedure import Procedure, steps_of
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.conformance import checks
from server.conformance.walks import AnyGame, PlayedGame, Walk, mask, viewers
from tests.conformance.walks import OPTIONS, games, seeds, tables
from tests.replay.matches import begun, played, step

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
SEEDS = seeds(1, 2, 3)


def whole(table: PlayedGame, seed: int) -> Walk:
    """A match to its end."""
    walk = table.walk(seed)
    list(walk.steps())
    return walk


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_events_read_back_are_the_same_and_fold_to_the_same(table: PlayedGame, seed: int) -> None:
    checks.lines_read_back_fold_alike(table, seed)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_reopened_from_its_record_is_the_same(game: AnyGame) -> None:
    store = MemoryStore()
    _, referee = played(3, store, game=game)
    again = Referee.open(game, store, referee.match)
    assert (again.state, again.seq, again.head) == (referee.state, referee.seq, referee.head)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_can_be_put_away_at_every_pause_and_goes_on_alike(game: AnyGame) -> None:
    store = MemoryStore()
    referee: Referee[Any] = begun(store, game)
    rng = random.Random(5)
    for _ in range(60):
        if not step(store, referee, rng):
            break
        referee = Referee.open(game, store, referee.match)
    assert referee.state == Referee.open(game, store, referee.match).state


def _is_rule(name: str, value: object) -> bool:
    return isinstance(value, FunctionType) and ".rules" in value.__module__ and not name.startswith("__")


def _forbidden(*_: object, **__: object) -> Any:
    raise AssertionError("folding called a rule")


def _silence(game: AnyGame, patch: pytest.MonkeyPatch) -> int:
    """Replace every rule function of a game by one that raises; how many there were."""
    root = game.spec.start.__module__
    modules: list[ModuleType] = [m for name, m in list(sys.modules.items()) if name.startswith(root)]
    silenced = 0
    for module in modules:
        for name, value in list(vars(module).items()):
            if _is_rule(name, value):
                patch.setattr(module, name, _forbidden)
                silenced += 1
    procedures: list[type[Procedure]] = list(game.spec.procedures)
    for procedure in procedures:
        methods: dict[str, Callable[..., Any]] = steps_of(procedure).methods
        for name in methods:
            patch.setitem(methods, name, _forbidden)
            silenced += 1
    for decision in game.spec.decisions:
        for name in ("form", "resolve", "default"):
            patch.setattr(decision, name, _forbidden)
            silenced += 1
    return silenced


@pytest.mark.parametrize("game", GAMES)
def test_folding_calls_no_rule(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    walk = whole(PlayedGame(game, {}), 1)
    views = {viewer: game.view(walk.events, mask(viewer)) for viewer in viewers(game)}
    with monkeypatch.context() as patch:
        assert _silence(game, patch) > len(game.spec.procedures)
        assert game.fold(walk.events) == walk.state
        for viewer, view in views.items():
            assert game.view(walk.events, mask(viewer)) == view


@pytest.mark.parametrize("game", GAMES)
def test_every_event_class_happens_or_is_known_not_to(game: AnyGame) -> None:
    tried = [{}, *OPTIONS.get(game.name, [])]
    happened = {
        type(event) for options in tried for seed in range(6) for event in whole(PlayedGame(game, options), seed).events
    }
    missing = {event.__name__ for event in game.spec.events} - {event.__name__ for event in happened}
    assert len(missing) < len(game.spec.events) / 2, f"half of the events never happen: {sorted(missing)}"
