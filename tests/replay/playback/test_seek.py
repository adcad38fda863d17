"""Replays: the same views as live play, whatever the order in which moments are asked for."""

import gc
import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Chosen, Seat, TimeControl
from domain.vera_discordia import GAME
from domain.vera_discordia.state.events import UnitDestroyed
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.errors import RecordInvalid
from replay.files import export
from replay.playback.seek import STRIDE, Eyes, Replay, is_choice, is_heading, is_of, landmark
from replay.store.log import Head
from replay.store.memory import MemoryStore
from replay.store.store import Store
from tests.replay.matches import begun, played, step
from tests.skirmish.game import GAME as SKIRMISH

FACE = faces()["vera_discordia"]
EYES: tuple[Eyes, ...] = (None, SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1)))


@pytest.fixture(scope="module")
def match() -> tuple[Store, str]:
    store, referee = played(5, game=GAME, options={"without_generals": True}, most=150)
    return store, referee.match


@pytest.fixture
def replay(match: tuple[Store, str]) -> Replay[Any]:
    return Replay.of_store(FACE, *match)


@pytest.mark.parametrize("eyes", EYES)
def test_every_moment_is_the_fold_of_what_the_viewer_held(replay: Replay[Any], eyes: Eyes) -> None:
    state = None
    whole = []
    for seq in range(1, replay.end + 1):
        state = GAME.fold((replay.seen(seq, eyes),), state)
        whole.append(state)
    order = list(range(1, replay.end + 1))
    random.Random(1).shuffle(order)
    assert all(replay.at(seq, eyes) == whole[seq - 1] for seq in order)


def test_keyframes_are_a_cache(replay: Replay[Any]) -> None:
    last = replay.at(replay.end, SPECTATOR)
    replay._frames.clear()
    assert replay.at(replay.end, SPECTATOR) == last


@pytest.mark.parametrize("seq", [1, 2, STRIDE, STRIDE + 1, STRIDE + 2])
def test_moments_at_the_edges_of_keyframes(replay: Replay[Any], seq: int) -> None:
    assert replay.at(seq, None) == GAME.fold(replay.events[:seq])


@pytest.mark.parametrize("seq", [0, -1, 10**9])
def test_there_is_nothing_outside_the_match(replay: Replay[Any], seq: int) -> None:
    with pytest.raises(IndexError, match="the match has 1 to"):
        replay.at(seq, None)


def test_a_replay_from_an_export_is_the_one_from_the_store(match: tuple[Store, str]) -> None:
    store, name = match
    for eyes in (SPECTATOR, Viewer(Seat(1))):
        lines = b"".join(export.write(export.from_store(store, name, eyes)))
        record = export.read(lines.splitlines(keepends=True))
        held = Replay.of_record(FACE, record)
        whole = Replay.of_store(FACE, store, name)
        assert held.at(held.end, eyes) == whole.at(whole.end, eyes)
        assert held.chronicle(1, held.end, eyes) == whole.chronicle(1, whole.end, eyes)


def test_steps_go_to_choices_headings_and_kinds(replay: Replay[Any]) -> None:
    first = replay.after(0, is_choice)
    assert first is not None
    assert isinstance(replay.events[first - 1], Chosen)
    second = replay.after(first, is_choice)
    assert second is not None
    assert replay.before(second, is_choice) == first
    assert replay.before(first, is_choice) is None
    heading = replay.after(0, is_heading(FACE))
    assert heading is not None
    assert replay.told(heading, None).heading
    issued = replay.after(0, is_of(["OrdersIssued"]))
    assert issued is not None
    assert type(replay.events[issued - 1]).__name__ == "OrdersIssued"
    assert replay.after(replay.end, is_choice) is None


def test_search_finds_what_the_viewer_was_told_and_nothing_else(replay: Replay[Any]) -> None:
    mine = replay.search("player 0 draws attack", Viewer(Seat(0)))
    assert mine is not None
    assert "Attack" in mine.text
    assert replay.search("player 0 draws attack", Viewer(Seat(1))) is None
    assert replay.search("no such words", None) is None
    again = replay.search("player 0 draws", SPECTATOR)
    assert again is not None
    later = replay.search("player 0 draws", SPECTATOR, again.seq)
    assert later is None or later.seq > again.seq


def test_a_match_that_grows_is_followed(match: tuple[Store, str]) -> None:
    whole = Replay.of_store(FACE, *match)
    growing = Replay(FACE, whole.events[:50])
    growing.at(50, SPECTATOR)
    growing.extend(whole.events[50:])
    assert growing.at(whole.end, SPECTATOR) == whole.at(whole.end, SPECTATOR)


def test_a_replay_of_stored_lines_is_verified_against_their_head(match: tuple[Store, str]) -> None:
    store, name = match
    entries, head = store.read(name), store.head(name)
    whole = Replay.verified(FACE, name, entries, head)
    assert whole.at(whole.end, None) == Replay.of_store(FACE, store, name).at(whole.end, None)
    with pytest.raises(RecordInvalid, match="the chain gives the head"):
        Replay.verified(FACE, name, entries, Head(head.seq, bytes(32)))
    with pytest.raises(RecordInvalid, match="the chain gives the head"):
        Replay.verified(FACE, name, entries[:-1], head)


def test_what_a_viewer_does_not_hold_is_not_even_read(match: tuple[Store, str]) -> None:
    store, name = match
    entries = store.read(name)
    hidden = [replace(e, openings=tuple(b"no JSON" for _ in e.openings)) for e in entries]
    assert Replay(FACE, hidden).at(len(hidden), SPECTATOR) == Replay(FACE, entries).at(len(entries), SPECTATOR)
    with pytest.raises(RecordInvalid):
        Replay(FACE, hidden).at(len(hidden), None)


def test_the_garbage_collector_goes_on_after_a_replay_was_read(replay: Replay[Any]) -> None:
    replay.at(replay.end, SPECTATOR)
    assert gc.isenabled()


def test_the_clocks_of_a_moment_are_those_of_live_play() -> None:
    store, rng = MemoryStore(), random.Random(3)
    referee = begun(store, SKIRMISH, control=TimeControl("bank", 10**7, 5_000))
    shown = {referee.seq: referee.clocks}
    while step(store, referee, rng):
        shown[referee.seq] = referee.clocks
    replay = Replay.of_store(plain_face(SKIRMISH), store, referee.match)
    assert all(replay.clocks_at(seq) == clocks for seq, clocks in reversed(shown.items()))
    assert len({clocks.left for clocks in shown.values() if clocks is not None}) > 3


def test_where_nothing_is_measured_there_are_no_clocks(replay: Replay[Any], match: tuple[Store, str]) -> None:
    assert replay.clocks_at(replay.end) is None
    assert Replay.of_record(FACE, export.from_store(*match)).clocks_at(5) is None


@pytest.mark.parametrize("to", ["event", "choice", "turn", "round", "phase", "OrdersIssued"])
def test_steps_go_on_and_back_the_same_way(replay: Replay[Any], to: str) -> None:
    forward = [seq := replay.step(0, to)]
    while (seq := replay.step(seq or 0, to)) is not None:
        forward.append(seq)
    assert len(forward) > 1
    seq = replay.end + 1
    back = []
    while (seq := replay.step(seq, to, back=True)) is not None:
        back.append(seq)
    assert back[::-1] == forward


def test_a_round_has_several_phases_and_turns(replay: Replay[Any]) -> None:
    def number(to: str) -> int:
        return sum(map(landmark(FACE, to), replay.events))

    assert 0 < number("round") < number("phase") < number("choice") < replay.end
    assert number("turn") > 0
    with pytest.raises(KeyError):
        landmark(FACE, "nothing")


def test_a_question_finds_when_a_unit_was_destroyed() -> None:
    for seed in range(30):
        store, referee = played(seed, game=GAME, options={"without_generals": True})
        replay = Replay.of_store(FACE, store, referee.match)
        gone = next((event for event in replay.events if isinstance(event, UnitDestroyed)), None)
        if gone is not None:
            break
    assert gone is not None
    found = replay.search(f"when was unit {gone.unit.lstrip('u')} destroyed?", SPECTATOR)
    assert found is not None
    assert replay.events[found.seq - 1] == gone
