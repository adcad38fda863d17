"""A viewer's view is a fold of what it was sent, and is the same in every world it cannot tell apart (DESIGN 4)."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.kernel import HIDDEN, Goto, Next, SeenPositions, only
from domain.kernel.procedure import steps_of
from projections import registry
from projections.plain import plain_face
from tests.conformance.walks import AnyGame, Table, Walk, games, mask, tables, viewers
from tests.conformance.worlds import Leak, Moment, indistinguishable
from tests.skirmish import game as skirmish

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
FACES = {skirmish.GAME.name: plain_face(skirmish.GAME), **registry.faces()}


def watch(table: Table, seed: int, share: float, most: int = 20_000, taken_back: float = 0) -> Counter[str]:
    """A random match in which every viewer tries to tell worlds apart at a share of its moments."""
    game = table.game
    walk, told = table.walk(seed), Counter[str]()
    rng = random.Random(seed)
    for _ in range(most):
        if walk.over:
            break
        asked, choice = walk.pick()
        if rng.random() < share:
            moment = Moment(game, walk.state, asked, choice, rng.randrange(2**32))
            for viewer in viewers(game):
                try:
                    indistinguishable(moment, viewer, told)
                except Leak as leak:
                    raise AssertionError(f"{game.name}, seed {seed}, line {len(walk.events)}: {leak}") from leak
        walk.make(asked, choice)
        if not walk.over and rng.random() < taken_back:
            walk.take_back()
    return told


@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_what_was_not_shown(table: Table, seed: int) -> None:
    watch(table, seed, share=0.3)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_what_was_not_shown_in_a_match_taken_back(table: Table) -> None:
    watch(table, 3, share=0.2, most=120, taken_back=0.1)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("matches", [2_000, 20_000])
@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_in_many_matches(table: Table, matches: int) -> None:
    for seed in range(matches):
        watch(table, seed, share=0.15)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("table", TABLES)
def test_a_view_grows_event_by_event_into_the_same_view(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    views = {viewer: game.view(walk.events, mask(viewer)) for viewer in viewers(game)}
    for number, made in enumerate(walk.steps()):
        for viewer in views:
            views[viewer] = game.fold((game.redact(e, mask(viewer)) for e in made.events), views[viewer])
            if number % 40 == 0:
                assert views[viewer] == game.view(walk.events, mask(viewer))
                assert views[viewer].stack == HIDDEN or walk.over


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("table", TABLES)
def test_a_resampled_world_looks_the_same_and_is_whole(table: Table, seed: int) -> None:
    game = table.game
    walk, rng = table.walk(seed), random.Random(seed)
    positions = game.spec.positions
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game) if number % 6 == 0 else ():
            world = game.spec.resample(walk.state, viewer, rng.randrange)
            assert not list(game.spec.invariants(world))
            if isinstance(positions, SeenPositions):
                assert visible(positions, world, viewer) == visible(positions, walk.state, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_resampling_mostly_draws_another_world(game: AnyGame) -> None:
    """A resample that gives the same world back would prove nothing."""
    walk, rng = Walk(game, 2), random.Random(2)
    drawn = [
        game.spec.resample(walk.state, viewer, rng.randrange) != walk.state
        for number, _ in enumerate(walk.steps())
        for viewer in (viewers(game) if number % 5 == 0 and not walk.over else ())
    ]
    assert sum(drawn) > len(drawn) / 2


def visible(positions: SeenPositions[Any], state: Any, viewer: Any) -> Any:
    """What a viewer sees of a state, but for sealed answers, which only their seats hold."""
    return positions.show(positions.view(state, viewer))


@pytest.mark.parametrize("game", GAMES)
def test_faces_show_the_same_of_every_world_alike(game: AnyGame) -> None:
    walk, rng, face = Walk(game, 6), random.Random(6), FACES[game.name]
    positions = game.spec.positions
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game) if number % 12 == 0 and isinstance(positions, SeenPositions) else ():
            world = game.spec.resample(walk.state, viewer, rng.randrange)
            assert isinstance(positions, SeenPositions)
            views = [positions.view(state, viewer) for state in (walk.state, world)]
            real, other = (msgspec.json.encode([face.scene(view, viewer), face.board(view, viewer)]) for view in views)
            assert real == other
            for asked in walk.state.asked:
                assert face.question(views[0], asked) == face.question(views[1], asked)


@pytest.mark.parametrize("game", GAMES)
def test_a_world_made_of_a_view_alone_can_be_played_on(game: AnyGame) -> None:
    """Bots draw worlds out of their view: it must be enough."""
    walk, rng = Walk(game, 4), random.Random(4)
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game) if number % 25 == 0 else ():
            view = game.view(walk.events, mask(viewer))
            world = game.spec.resample(view, viewer, rng.randrange)
            assert not list(game.spec.invariants(world)), viewer


def watch_all(matches: int) -> None:
    """Every moment of many matches of the example game."""
    for seed in range(matches):
        watch(Table(skirmish.GAME, {}), seed, share=1)


class TestTheProofItself:
    """A game that leaks is caught: a proof that cannot fail proves nothing."""

    def leaks(self) -> None:
        with pytest.raises(AssertionError, match="seat"):
            watch_all(40)

    def test_options_that_depend_on_the_other_hand(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def form(self: skirmish.CardSelection, state: Any) -> Any:
            other = state.hands[1 - self.by]
            hand = sorted(set(state.hands[self.by]))
            return only(tuple(skirmish.Play(card) for card in hand if card <= max(other)) or (skirmish.Play(hand[0]),))

        monkeypatch.setattr(skirmish.CardSelection, "form", form)
        self.leaks()

    def test_a_question_left_out_because_of_a_secret(self, monkeypatch: pytest.MonkeyPatch) -> None:
        methods = steps_of(skirmish.Match).methods
        asked = methods["SK-04"]
        monkeypatch.setitem(
            methods, "SK-04", lambda match, r: Goto("SK-06") if r.state.deck[0] > 3 else asked(match, r)
        )
        self.leaks()

    def test_an_event_left_out_because_of_a_secret(self, monkeypatch: pytest.MonkeyPatch) -> None:
        methods = steps_of(skirmish.Match).methods
        drawn = methods["SK-05"]
        monkeypatch.setitem(methods, "SK-05", lambda match, r: Next() if r.state.deck[0] > 3 else drawn(match, r))
        self.leaks()

    def test_a_public_number_made_of_a_secret(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def drawn(match: Any, r: Any) -> Any:
            r.emit(skirmish.RoundEnded(r.state.deck[0]))
            return Next()

        monkeypatch.setitem(steps_of(skirmish.Match).methods, "SK-05", drawn)
        self.leaks()

    def test_a_secret_in_a_procedures_parameter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        methods = steps_of(skirmish.Match).methods
        end = methods["SK-06"]

        def ended(match: Any, r: Any) -> Any:
            end(match, r)
            return Goto("SK-02", skirmish.Match(r.state.deck[0]))

        monkeypatch.setitem(methods, "SK-06", ended)
        self.leaks()
