"""A match judged in pieces: by side, whoever works them out, and with what its seats could know then."""

from typing import Any

import pytest

from replay.playback.errors import CannotBranch
from server.analysis import work_units
from server.analysis.best_choice import answers
from server.analysis.simulation import CHUNK, Estimate
from server.analysis.work_units import (
    Looking,
    Outline,
    Sampling,
    Thinking,
    Wanted,
    WholeMatch,
    added,
    advice,
    better,
    looked_at,
    outlined,
    sampled,
    whole_of,
)
from server.bots.strong.search import Weighed
from tests.pennants.game import GAME as PENNANTS
from tests.replay.matches import played
from tests.server.tabletop import FACES


@pytest.fixture(autouse=True)
def _example_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_units, "faces", lambda: FACES)
    work_units._read.cache_clear()
    work_units._views.cache_clear()


def whole(seed: int = 1) -> WholeMatch:
    store, referee = played(seed)
    return whole_of(store, referee.match)


def allied(seed: int = 1) -> WholeMatch:
    """Four seats in two sides."""
    store, referee = played(seed, game=PENNANTS, options={"seats": 4, "allied": True})
    return whole_of(store, referee.match)


def points(match: WholeMatch, outline: Outline, rounds: int = 2) -> tuple[Estimate, ...]:
    found: dict[int, Estimate] = {}
    for number in range(rounds):
        for line in outline.lines:
            found[line] = added(found.get(line), sampled(Sampling(match, line, number * CHUNK)))
    return tuple(found.values())


def test_a_side_is_counted_once_however_many_seats_it_has() -> None:
    match = allied()
    outline = outlined(Wanted(match))
    assert outline.sides == ((0, 2), (1, 3))
    assert len(outline.won) <= 1
    for point in points(match, outline):
        assert len(point.won) == 2
        assert sum(point.won) + point.drawn == point.samples == 2 * CHUNK
        assert sum(point.share(side) for side in (0, 1)) == pytest.approx(1)


def test_the_same_work_comes_to_the_same_and_other_numbers_to_other_matches() -> None:
    match = whole()
    line = outlined(Wanted(match)).lines[0]
    first = [sampled(Sampling(match, line, 0)) for _ in range(2)]
    assert first[0].won == first[1].won
    assert len({sampled(Sampling(match, line, number * CHUNK)).won for number in range(12)}) > 1


def test_a_line_is_judged_from_the_pause_before_it() -> None:
    match = whole()
    outline = outlined(Wanted(match))
    assert outlined(Wanted(match, outline.end)).lines[0] < outline.end
    assert outlined(Wanted(match, outline.lines[0])).lines == outline.lines[:1]
    with pytest.raises(CannotBranch):
        outlined(Wanted(match, 1))


def test_answers_around_a_turning_point_are_looked_at_beside_some_elsewhere() -> None:
    match = whole()
    outline = outlined(Wanted(match))
    first, last = outline.lines[0], outline.lines[-1]
    even = Estimate(first, (50, 50), 0, played=100)
    turned = Estimate(last, (95, 5), 0, played=100)
    without, with_turn = looked_at(Looking(match, (even,))), looked_at(Looking(match, (even, turned)))
    assert set(without) <= set(with_turn)
    assert list(with_turn) == sorted(with_turn)
    assert any(first <= line < last for line in with_turn)


def test_what_is_better_is_told_beyond_what_trials_may_be_wrong_by() -> None:
    match = whole()
    found = [better(Thinking(match, line, 5)) for line in looked_at(Looking(match, ()))]
    for one in (one for one in found if one is not None):
        assert one.gain > one.error >= 0
        assert one.made != one.other


def test_every_question_that_stands_is_advised_on() -> None:
    match = whole()
    outline = outlined(Wanted(match))
    found = advice(Thinking(match, outline.lines[0], 20))
    assert found
    for one in found:
        assert one.ask
        assert max(tried.weight for tried in one.choices) > 0


def test_of_a_few_trials_nothing_is_called_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much one answer is ahead in them."""
    match = whole()
    line = looked_at(Looking(match, ()))[0]
    face, events = work_units._read(match)
    _, chosen, asked = next(one for one in answers(face.game, events) if one[0] == line)
    made, form = face.game.read_choice(chosen.choice), face.game.revive_decision(asked).form
    other = next(choice for choice in form(work_units._views(match, line).world) if choice != made)

    def found(trials: int) -> Any:
        return [Weighed(other, 0.9, trials, 1.0, 0.05), Weighed(made, 0.2, trials, 0.0, 0.05)]

    for trials, is_told in ((work_units.ENOUGH - 1, False), (work_units.ENOUGH, True)):
        monkeypatch.setattr(work_units, "weighed", lambda *_, trials=trials: found(trials))
        assert (better(Thinking(match, line, 5)) is not None) == is_told
