"""A viewer's view is a fold of what it was sent, and is the same in every world it cannot tell apart (DESIGN 4)."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, Goto, Next, SeenPositions, only
from domain.kernel.procedure import steps_of
from tests.conformance.showing import FACES
from tests.conformance.telling import misnamed, telling_of
from tests.conformance.walks import OPTIONS, AnyGame, Table, Walk, games, mask, seeds, tables, viewers
from tests.conformance.watching import FURTHER, SEEDS, agree, known, watch
from tests.skirmish import game as skirmish

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
SELDOM = [pytest.param(game, *match, id=game.name) for game in games() for match in FURTHER.get(game.name, ())]


@pytest.mark.parametrize("seed", seeds(1, len(SEEDS)))
@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_what_was_not_shown(table: Table, seed: int) -> None:
    watch(table, seed)


@pytest.mark.parametrize(
    ("game", "number", "seed"), [(g, *match) for g in games() for match in FURTHER.get(g.name, ())]
)
def test_nobody_can_tell_apart_what_is_seldom_seen(game: AnyGame, number: int, seed: int) -> None:
    watch(Table(game, [{}, *OPTIONS[game.name]][number]), seed)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_only_public_fields_and_events_that_it_has(game: AnyGame) -> None:
    telling = telling_of(game.name)
    assert not list(misnamed(telling, game.events, game.slots))
    rules = [rule for fields in telling.fields.values() for rule in fields.values()]
    assert all([*rules, *telling.instead.values(), *telling.chosen.values()])


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


@pytest.mark.parametrize("seed", seeds(1, 3))
@pytest.mark.parametrize("table", TABLES)
def test_a_view_grows_event_by_event_into_the_same_view(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    views = {viewer: game.view(walk.events, mask(viewer)) for viewer in viewers(game, table.options)}
    for number, made in enumerate(walk.steps()):
        for viewer in views:
            views[viewer] = game.fold((game.redact(e, mask(viewer)) for e in made.events), views[viewer])
            if number % 40 == 0:
                assert views[viewer] == game.view(walk.events, mask(viewer))
                assert views[viewer].stack == HIDDEN or walk.over
            if number % 10 == 0 and not walk.over:
                assert agree(known(game, walk.state, walk.events, viewer), views[viewer]), (
                    "positions.view knows otherwise"
                )


@pytest.mark.parametrize("game", GAMES)
def test_what_is_opened_to_a_seat_is_in_its_state(game: AnyGame) -> None:
    """What a fold leaves out would be drawn anew, other than the seat saw it: each opened field changes the view."""
    opened, kept = set(), set()
    for seed in range(3):
        walk = Walk(game, seed)
        list(walk.steps())
        for seat in viewers(game)[:-1]:
            view = game.fold(walk.events[:1])
            for event in walk.events[1:]:
                held = game.redact(event, mask(seat))
                after = game.fold((held,), view)
                for slot in game.slots[type(event)] if type(event) in game.spec.events else ():
                    if getattr(held, slot.name) is not HIDDEN:
                        opened.add(f"{type(event).__name__}.{slot.name}")
                        if game.fold((replace(held, **{slot.name: HIDDEN}),), view) != after:
                            kept.add(f"{type(event).__name__}.{slot.name}")
                view = after
    assert not opened - kept


@pytest.mark.parametrize("seed", seeds(1, 2))
@pytest.mark.parametrize("table", TABLES)
def test_a_resampled_world_looks_the_same_and_is_whole(table: Table, seed: int) -> None:
    game = table.game
    walk, rng = table.walk(seed), random.Random(seed)
    positions = game.spec.positions
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game, table.options) if number % 6 == 0 else ():
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
            hand, most = sorted(set(state.hands[self.by])), 6 if other is HIDDEN else max(other)
            return only(tuple(skirmish.Play(card) for card in hand if card <= most) or (skirmish.Play(hand[0]),))

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
