"""A hint follows from what its seat knows, from a seed and from nothing else, and may be given as an answer."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel import AnyForm, Asked, Assign, Choice, Formation, Game, One, Pick, Seat
from domain.kernel.history import views_of
from domain.kernel.position import Views
from projections.redaction import Viewer
from projections.registry import faces
from replay.playback.branch import drawn
from replay.playback.errors import CannotBranch
from replay.record.referee import read_event
from server.analysis import hint_search
from server.analysis.hint_search import HintSearch, answer_of, pondered, seed_of
from server.bots import with_procedures
from server.bots.workers import Workers
from tests.pennants.game import GAME as PENNANTS
from tests.replay.matches import played
from tests.server.tabletop import FACES, live
from tests.skirmish.game import GAME as SKIRMISH

TRIALS = 8
KNOWN = {**faces(), **FACES}
GAMES = [*KNOWN]


@pytest.fixture(autouse=True)
def _example_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_search, "faces", lambda: KNOWN)


def moment(game: Game[Any], choices: int) -> Views[Any] | None:
    """A match after so many choices; None where it is over by then."""
    store, referee = played(1, game=game, most=choices)
    if not referee.state.asked:
        return None
    return views_of(game, [read_event(referee.game, entry) for entry in store.read(referee.match)])


def job_of(game: Game[Any], views: Views[Any], seat: Seat, seed: int = 5) -> HintSearch:
    view = with_procedures(views.seats[seat], views.world)
    asked = next(asked for asked in view.asked if asked.seat == seat)
    return HintSearch(game.name, view, asked, seed, TRIALS)


def moments(game: Game[Any]) -> Iterator[tuple[Views[Any], Seat]]:
    for choices in (4, 11, 30):
        if (views := moment(game, choices)) is not None:
            yield views, views.world.asked[0].seat


@pytest.mark.whole
@pytest.mark.parametrize("name", GAMES)
def test_in_two_worlds_that_the_seat_cannot_tell_apart_the_hint_is_the_same(name: str) -> None:
    game, source, compared = KNOWN[name].game, random.Random(2), 0
    for views, seat in moments(game):
        try:
            other = drawn(game, views, Viewer(seat), source.randrange)
        except CannotBranch:
            continue
        assert pondered(job_of(game, other, seat)) == pondered(job_of(game, views, seat))
        compared += views.world != other.world
    assert compared


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_is_a_legal_answer_in_words(name: str) -> None:
    game = KNOWN[name].game
    for views, seat in moments(game):
        job = job_of(game, views, seat)
        found, form = pondered(job), game.revive_decision(job.asked).form(job.view)
        assert 1 <= len(found.choices) <= hint_search.SHOWN
        for one in found.choices:
            choice = form.read(one.answer)
            assert choice is not None
            assert form.check(choice) == ""
            assert one.choice == KNOWN[name].option(job.view, job.asked, choice)
        assert found.choices[0].weight == max(one.weight for one in found.choices)


class Put(Choice, frozen=True):
    """Items, or pairs of them."""

    items: tuple[Any, ...] = ()


FORMS: list[AnyForm] = [
    One((Put(("a",)), Put(("b",)))),
    Pick(Put, ("a", "b", "c"), 0, 3),
    Pick(Put, ("a", "b", "c"), 1, 2, ordered=True),
    Assign(Put, ("x", "y", "z"), {"a": 2, "b": 1, "c": 1}),
    Formation(Put, {"a": ("x", "y"), "b": ("x", "z"), "c": ("y",)}, 1),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_each_choice_is_written_as_the_answer_that_reads_as_it(form: AnyForm) -> None:
    assert form.count() > 1
    for choice in form:
        assert form.read(answer_of(form, choice)) == choice


def test_a_choice_that_no_list_holds_is_written_as_plain_data() -> None:
    assert answer_of(FORMS[0], Put(("c",))) == {"do": "Put", "items": ("c",)}


def test_the_seed_is_the_decisions_own() -> None:
    assert seed_of("M", 3) == seed_of("M", 3)
    assert len({seed_of(match, number) for match in ("M", "N") for number in range(50)}) == 100


@live
async def test_what_is_left_to_a_process_is_what_a_thread_comes_to() -> None:
    """The games of the lobby are known there; the answer does not depend on where it is worked out."""
    game = KNOWN["vera_discordia"].game
    views, seat = next(moments(game))
    job = job_of(game, views, seat)

    workers = Workers(1)
    try:
        assert await workers.carry_out(pondered, job) == pondered(job)
    finally:
        workers.stop()


def test_nothing_of_the_question_is_in_its_name() -> None:
    game = SKIRMISH
    views, seat = next(moments(game))
    assert repr(job_of(game, views, seat)) == "Pondering(skirmish)"
    assert PENNANTS.name in GAMES
    assert isinstance(job_of(game, views, seat).asked, Asked)
