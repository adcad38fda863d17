"""A viewer's view is a fold of what it was sent, and is the same in every world it cannot tell apart."""

from typing import Any

import pytest

from domain.kernel import HIDDEN, Goto, Next, only
from domain.kernel.procedure import steps_of
from server.conformance import checks
from server.conformance.walks import AnyGame, PlayedGame
from server.conformance.watching import watch
from tests.conformance.walks import OPTIONS, games, seeds, tables
from tests.conformance.watching import FURTHER, SEEDS
from tests.skirmish import game as skirmish

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
SELDOM = [pytest.param(game, *match, id=game.name) for game in games() for match in FURTHER.get(game.name, ())]


@pytest.mark.parametrize("seed", seeds(1, len(SEEDS), 5))
@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_what_was_not_shown(table: PlayedGame, seed: int) -> None:
    watch(table, seed)


@pytest.mark.parametrize(
    ("game", "number", "seed"), [(g, *match) for g in games() for match in FURTHER.get(g.name, ())]
)
def test_nobody_can_tell_apart_what_is_seldom_seen(game: AnyGame, number: int, seed: int) -> None:
    watch(PlayedGame(game, [{}, *OPTIONS[game.name]][number]), seed)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_only_public_fields_and_events_that_it_has(game: AnyGame) -> None:
    checks.disclosures_are_of_the_game(PlayedGame(game, {}), 0)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_what_was_not_shown_in_a_match_taken_back(table: PlayedGame) -> None:
    watch(table, 3, share=0.2, most=120, taken_back=0.1)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("matches", [2_000, 20_000])
@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_apart_in_many_matches(table: PlayedGame, matches: int) -> None:
    for seed in range(matches):
        watch(table, seed, share=0.15)


@pytest.mark.parametrize("seed", seeds(1, 2, 3))
@pytest.mark.parametrize("table", TABLES)
def test_a_view_grows_event_by_event_into_the_same_view(table: PlayedGame, seed: int) -> None:
    checks.views_grow_into_the_same(table, seed)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_opened_to_a_seat_is_in_its_state(game: AnyGame) -> None:
    checks.what_is_opened_is_in_the_state(PlayedGame(game, {}), 0)


@pytest.mark.parametrize("seed", seeds(1, 2))
@pytest.mark.parametrize("table", TABLES)
def test_a_resampled_world_looks_the_same_and_is_whole(table: PlayedGame, seed: int) -> None:
    checks.resampled_worlds_are_whole(table, seed)


@pytest.mark.parametrize("game", GAMES)
def test_faces_show_the_same_of_every_world_alike(game: AnyGame) -> None:
    checks.faces_show_worlds_alike(PlayedGame(game, {}), 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_world_made_of_a_view_alone_can_be_played_on(game: AnyGame) -> None:
    checks.a_view_is_enough_to_draw_a_world(PlayedGame(game, {}), 0)


def watch_all(matches: int) -> None:
    """Every moment of many matches of the example game."""
    for seed in range(matches):
        watch(PlayedGame(skirmish.GAME, {}), seed, share=1)


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
