"""A whole position in a record: everybody is put where he was, and nobody learns more than he saw there."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, Event, PositionSet, SeatBriefed
from domain.kernel.history import pauses, restored, views_of
from domain.kernel.position import OF_THE_RECORD, Views, placed, renumbered, seen, set_events, written
from replay.record import canonical_json
from replay.record.line import Codec
from server.conformance.comparing import received
from server.conformance.walks import AnyGame, PlayedGame, Walk, mask, viewers
from tests.conformance.walks import seeds, tables

TABLES = tables()


MOST = 8


def moments(table: PlayedGame, seed: int) -> list[tuple[Walk, int]]:
    """A match and some of its pauses, the first among them, as numbers of their last events."""
    walk = table.walk(seed)
    pauses = [len(walk.events)]
    pauses += [len(walk.events) for _ in walk.steps() if not walk.over]
    picked = random.Random(seed).sample(pauses[1:], min(MOST, len(pauses) - 1))
    return [(walk, at) for at in (pauses[0], *sorted(picked))]


def through_json(data: object) -> Any:
    """Data as a record gives it back, after the record's own check of it."""
    text = msgspec.json.encode(data)
    canonical_json.check(text)
    return msgspec.json.decode(text)


def position_only(state: Any) -> Any:
    """A state without what belongs to the record."""
    return {name: getattr(state, name) for name in state.__struct_fields__ if name not in OF_THE_RECORD}


@pytest.mark.parametrize("seed", seeds(1, 1, 2))
@pytest.mark.parametrize("table", TABLES)
def test_every_state_and_every_view_goes_through_a_record_and_back(table: PlayedGame, seed: int) -> None:
    game = table.game
    for walk, at in moments(table, seed):
        views = views_of(game, walk.events[:at])
        fresh = replace(game.fold(walk.events[:1]), begun=True)
        for state in (views.world, views.public, *views.seats):
            again = placed(fresh, through_json(written(state, fresh)))
            assert position_only(again) == position_only(state)


@pytest.mark.parametrize("table", TABLES)
def test_what_is_hidden_in_a_view_is_all_that_it_lacks(table: PlayedGame) -> None:
    for walk, at in moments(table, 3):
        views = views_of(table.game, walk.events[:at])
        for view in (views.public, *views.seats):
            assert seen(view, views.world) == view


@pytest.mark.parametrize("table", TABLES)
def test_a_match_taken_back_is_for_everybody_what_it_was(table: PlayedGame) -> None:
    game: AnyGame = table.game
    codec: Codec[Any] = Codec(game)
    for walk, at in moments(table, 5):
        events = walk.events[: at + (len(walk.events) - at) // 2]
        if game.fold(events).result is not None or at == len(events) or at not in pauses(game, events):
            continue
        made = [*events, *restored(game, events, at)]
        kept: list[Event] = [
            codec.read(type(e).__name__, codec.payload(e), tuple(value for _, value in codec.slots(e))) for e in made
        ]
        assert kept == made
        by = game.fold(made).number - game.fold(events[:at]).number
        assert by > 0
        eyes = [*(mask(viewer) for viewer in viewers(game, table.options)), None]
        for viewer in eyes:
            now = game.fold(made) if viewer is None else game.view(made, viewer)
            then = game.fold(events[:at]) if viewer is None else game.view(events[:at], viewer)
            first = game.fold(events).number + 1 - min(a.number for a in _open(then))
            assert position_only(now) == position_only(renumbered(then, first)), viewer
            assert now.briefed is None


def _open(state: Any) -> Any:
    return (*state.asked, *(answer.asked for answer in state.answered))


@pytest.mark.parametrize("table", TABLES)
def test_nobody_can_tell_worlds_apart_by_a_position(table: PlayedGame) -> None:
    game, rng = table.game, random.Random(9)
    for walk, at in moments(table, 9):
        after = views_of(game, walk.events[:at])
        fresh = game.fold(walk.events[:1])
        before = Views(fresh, fresh, (fresh,) * game.seats_of(table.options))
        real = set_events(before, after)
        for viewer in viewers(game, table.options):
            world = game.spec.resample(after.world, viewer, rng.randrange)
            seats = tuple(seen(view, world) for view in after.seats)
            other = set_events(before, Views(world, seen(after.public, world), seats))
            assert [received(game, e, viewer) for e in other] == [received(game, e, viewer) for e in real], viewer


@pytest.mark.parametrize("table", TABLES)
def test_a_seat_is_told_its_own_view_and_nobody_elses(table: PlayedGame) -> None:
    game = table.game
    walk, at = moments(table, 4)[-1]
    fresh = game.fold(walk.events[:1])
    events = set_events(Views(fresh, fresh, (fresh,) * game.seats_of(table.options)), views_of(game, walk.events[:at]))
    assert [type(event) for event in events] == [SeatBriefed] * game.seats_of(table.options) + [PositionSet]
    for viewer in viewers(game, table.options):
        told = [game.redact(event, mask(viewer)) for event in events]
        assert [e.view is not HIDDEN for e in told if isinstance(e, SeatBriefed)] == [
            seat == viewer for seat in range(game.seats_of(table.options))
        ]
        assert told[-1].world is HIDDEN  # type: ignore[attr-defined]
