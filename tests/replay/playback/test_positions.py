"""Positions in a record: it audits, folds, replays and is exported as any other, and a false one is found."""

import json
import random
from typing import Any

import msgspec
import pytest

from domain.kernel import (
    BranchOpened,
    Chosen,
    DiceRolled,
    Event,
    Game,
    MatchOver,
    NotNow,
    NotPending,
    PositionSet,
    Seat,
    SeatBriefed,
)
from domain.kernel.history import restored
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from projections.registry import games
from replay.audit.match_audit import audit
from replay.audit.verify import verify
from replay.files import export
from replay.files.export import Held, Record
from replay.playback.seek import Replay
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from replay.store.store import Store
from tests.replay.dishonest import rewritten
from tests.replay.hostile import dumps
from tests.replay.matches import START, played, put, step, taken_back
from tests.skirmish.game import GAME

VIEWERS = [SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1))]


def pauses(store: Store, referee: Referee[Any]) -> list[int]:
    """The lines at which the match waited."""
    return [entry.seq for entry in store.read(referee.match) if entry.type == "DecisionsOpened"]


def twice_taken_back(game: Game[Any] = GAME, most: int = 9) -> tuple[Store, Referee[Any]]:
    """A match of which the beginning was played three times, and that was then played on."""
    rng = random.Random(2)
    store, referee = played(4, game=game, most=5)
    for number in (0, -2):
        taken_back(store, referee, pauses(store, referee)[number])
        for _ in range(4):
            assert step(store, referee, rng)
    for _ in range(most):
        step(store, referee, rng)
    return store, referee


def forged(record: Record, seq: int, value: object, slot: int | None = None) -> Record:
    """The record with another payload, or another opening, in one line; its seals and its chain made anew."""
    line = msgspec.json.decode(record.held[seq - 1].line)
    openings = dict(record.held[seq - 1].openings)
    if slot is None:
        line[8] = value
    else:
        openings[slot] = msgspec.json.encode(value)
    held = [*record.held]
    held[seq - 1] = Held(msgspec.json.encode(line), openings)
    return msgspec.structs.replace(record, held=held, heads={}, checkpoints=[])


@pytest.mark.parametrize("game", [GAME, *games().values()], ids=lambda game: game.name)
def test_a_match_taken_back_holds_for_every_viewer(game: Game[Any]) -> None:
    store, referee = twice_taken_back(game)
    report = audit(game, export.from_store(store, referee.match))
    assert report.fault is None, str(report.fault)
    assert report.choices >= 9
    assert report.acts == 4
    for viewer in VIEWERS:
        assert verify(export.from_store(store, referee.match, viewer)).head == referee.head
    again = Referee.open(game, store, referee.match)
    assert again.state == referee.state


def administrative(rules: str) -> Record:
    """A match of version 1 that its server put back by itself, under rules that knew no such field as `round`."""
    rng = random.Random(2)
    store, referee = played(4, most=5, version=1)
    events = [read_event(referee.game, entry) for entry in store.read(referee.match)]
    put(store, referee, referee.rule(restored(GAME, events, pauses(store, referee)[0]), None, -1, START + 10**6))
    for _ in range(4):
        assert step(store, referee, rng)

    def former(parts: list[Any], openings: dict[int, bytes]) -> None:
        parts[5] = rules
        if parts[4] in ("SeatBriefed", "PositionSet"):
            parts[8].get("view", {}).pop("round", None)
            for slot, value in openings.items():
                view = json.loads(value)
                view.pop("round", None)
                openings[slot] = dumps(view)

    return rewritten(export.from_store(store, referee.match), former)


def test_a_position_that_former_rules_set_may_lack_what_newer_ones_know() -> None:
    report = audit(GAME, administrative("skirmish/0"))
    assert report.fault is None, str(report.fault)
    assert report.differences
    assert any("nobody at the table asked for it" in words for words in report.unchecked)
    fault = audit(GAME, administrative("skirmish/1")).fault
    assert fault is not None


def test_replay_shows_a_position_set_like_the_moment_it_restores() -> None:
    store, referee = twice_taken_back()
    replay = Replay.of_store(plain_face(GAME), store, referee.match)
    first = pauses(store, referee)[0]
    set_at = next(entry.seq for entry in store.read(referee.match) if entry.type == "PositionSet")
    for eyes in (*VIEWERS, None):
        then, now = replay.at(first, eyes), replay.at(set_at, eyes)
        assert (now.hands, now.deck, now.scores) == (then.hands, then.deck, then.scores)
        assert [asked.kind for asked in now.asked] == [asked.kind for asked in then.asked]
        assert not {asked.number for asked in now.asked} & {asked.number for asked in then.asked}
    assert replay.told(set_at, SPECTATOR).text == f"The match stands where it stood earlier (line {first})."


def test_draws_that_were_spent_stay_spent() -> None:
    store, referee = twice_taken_back(most=99)
    events = Replay.of_store(plain_face(GAME), store, referee.match).events
    draws = [event.draw for event in events if isinstance(event, DiceRolled)]
    assert draws == list(range(1, len(draws) + 1))


def test_a_position_is_sent_to_each_viewer_as_its_own() -> None:
    store, referee = twice_taken_back()
    hands = [b"".join(str(card).encode() for card in hand) for hand in referee.state.hands]
    assert len(hands) == 2
    for entry in store.read(referee.match):
        if entry.type == "SeatBriefed":
            seat = msgspec.json.decode(entry.line)[8]["seat"]
            view = msgspec.json.decode(entry.openings[0])
            assert view.get("hands", [None, None])[1 - seat] in (None, {"is": "hidden"})
        if entry.type == "PositionSet":
            view = msgspec.json.decode(entry.line)[8]["view"]
            assert view.get("hands", []) in ([], [{"is": "hidden"}] * 2)


@pytest.mark.parametrize(
    ("kind", "slot", "change"),
    [
        ("SeatBriefed", None, {"seat": 1}),
        ("PositionSet", None, {"line": 11, "view": {"scores": [9, 0]}}),
        ("PositionSet", None, {"line": 3, "view": {}}),
        ("PositionSet", None, {"view": {}}),
        ("PositionSet", None, {"line": 999, "view": {}}),
    ],
)
def test_record_8_a_position_that_the_record_does_not_have_is_found(
    kind: str, slot: int | None, change: object
) -> None:
    store, referee = twice_taken_back()
    record = export.from_store(store, referee.match)
    seq = next(entry.seq for entry in store.read(referee.match) if entry.type == kind)
    fault = audit(GAME, forged(record, seq, change, slot)).fault
    assert fault is not None
    assert fault.line in range(seq - 2, seq + 1)


@pytest.mark.parametrize("event", [BranchOpened("x", 1, "", "all"), SeatBriefed(Seat(0), {}), PositionSet({}, 0, {})])
def test_record_8_a_position_out_of_nothing_is_found(event: Event) -> None:
    store, referee = played(4, most=5)
    put(store, referee, referee.rule((event,), None, -1, 0))
    fault = audit(GAME, export.from_store(store, referee.match)).fault
    assert fault is not None
    words = "in the middle of a match" if isinstance(event, BranchOpened) else "a position is set"
    assert (fault.line, words in fault.wrong) == (referee.seq, True)


def test_a_match_cannot_be_taken_back_to_where_nobody_is_asked() -> None:
    store, referee = played(4, most=5)
    for line in (0, 1, 7, referee.seq - 1, referee.seq, 10_000):
        with pytest.raises(NotNow):
            taken_back(store, referee, line)
    store, referee = played(4, MemoryStore())
    with pytest.raises(MatchOver):
        taken_back(store, referee, 12)


def test_a_choice_for_a_decision_taken_back_is_refused() -> None:
    store, referee = played(4, most=3)
    asked = referee.state.asked[0]
    choice = GAME.revive_decision(asked).form(referee.state).sample(lambda _: 0)
    taken_back(store, referee, pauses(store, referee)[0])
    with pytest.raises(NotPending):
        referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, asked.number), 0)
