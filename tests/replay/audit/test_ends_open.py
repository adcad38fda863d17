"""What a game opens at its end it opens at every end that is not void, and every verifier takes it (record.md 9)."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.state.events import ReservesShown
from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Agreed,
    Draw,
    Event,
    MatchCreated,
    MatchEnded,
    Offered,
    Resigned,
    Seat,
    TimeControl,
    TimeRanOut,
)
from domain.kernel.secret import Mask
from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.files import export
from replay.files.export import Record
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from tests.pennants.game import GAME as PENNANTS
from tests.replay.drafts import Draft
from tests.replay.matches import START, begun, put, step
from tests.replay.mutating import as_held
from tests.replay.structural import VIEWS
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream

ADA, BO = Seat(0), Seat(1)
MINUTE = 60_000
CLOCK = TimeControl("decision", 9 * MINUTE, on_timeout="forfeit", absence_ms=MINUTE)
ENDS: dict[str, Sequence[Event]] = {
    "resigned": (Resigned(BO, id="a"),),
    "draw agreed": (Offered(ADA, id="a", number=1, terms=Draw()), Agreed(BO, id="b", number=1)),
    "absence": (AbsenceClaimed(ADA, id="a", absent=BO, absent_ms=MINUTE),),
    "absence, drawn": (AbsenceClaimed(ADA, id="a", absent=BO, absent_ms=MINUTE, draw=True),),
    "out of time": (TimeRanOut(BO, 0, "forfeit"),),
}
VOID = (Offered(ADA, id="a", number=1, terms=Abandon()), Agreed(BO, id="b", number=1))


def ended(acts: Sequence[Event], *, declares: bool = True) -> tuple[Record, list[Event]]:
    """A match in which it is Bo's turn, ended by acts."""
    store = MemoryStore()
    referee = begun(store, GAME, control=CLOCK)
    rng = random.Random(2)
    while step(store, referee, rng) and (referee.seq < 60 or {one.seat for one in referee.state.asked} != {BO}):
        pass
    if not declares:
        referee.state = replace(referee.state, ends_open=False)
    for act in acts:
        at = START + 1000 * referee.seq + 10 * MINUTE * isinstance(act, AbsenceClaimed | TimeRanOut)
        done = replace(act, number=referee.state.asked[0].number) if isinstance(act, TimeRanOut) else act
        if isinstance(act, AbsenceClaimed):
            at = referee.at + 2 * MINUTE
        put(store, referee, referee.act(done, at))
    return export.from_store(store, referee.match), [
        read_event(referee.game, entry) for entry in store.read(referee.match)
    ]


@pytest.mark.parametrize("end", ENDS)
def test_dl_q59_hands_and_decks_are_open_after_every_end_that_is_not_void(end: str) -> None:
    _, events = ended(ENDS[end])
    assert [type(event) for event in events[-3:]] == [ReservesShown, ReservesShown, MatchEnded]
    world, seen = GAME.fold(events), GAME.view(events, Mask(0))
    assert world.sides[0].hand, "there is a hand to be shown"
    for mine, shown in zip(world.sides, seen.sides, strict=True):
        assert shown.known == mine.hand
    assert all(event.deck for event in events if isinstance(event, ReservesShown))


def test_a_void_match_opens_nothing() -> None:
    record, events = ended(VOID)
    assert not any(isinstance(event, ReservesShown) for event in events)
    assert by_audit(as_held(record, None)) == HOLDS


@pytest.mark.parametrize("end", ENDS)
def test_every_verifier_takes_an_end_that_opens_hands(end: str) -> None:
    record, _ = ended(ENDS[end])
    assert audit(GAME, record).differences == []
    for viewer in VIEWS.values():
        lines = as_held(record, viewer)
        assert by_audit(lines) == HOLDS
        assert viewer is None or by_client(lines) == HOLDS


def test_no_javascript_refuses_an_end_that_opens_hands(tmp_path: Path) -> None:
    files = [as_held(ended(acts)[0], viewer) for acts in ENDS.values() for viewer in VIEWS.values()]
    assert set(by_stream(files, tmp_path)) == {HOLDS}
    assert set(by_library([one for i, one in enumerate(files) if i % len(VIEWS)], tmp_path)) == {HOLDS}


def test_another_hand_than_was_held_is_found_by_the_rules() -> None:
    record, _ = ended(ENDS["resigned"])
    draft = Draft(record)
    draft.change("ReservesShown", cards=["red_mana"])
    assert by_audit(as_held(draft.done(), None)) != HOLDS


def test_an_end_that_opens_less_than_line_1_promises_is_found_by_the_rules() -> None:
    record, _ = ended(ENDS["resigned"])
    draft = Draft(record)
    draft.drop("ReservesShown")
    assert by_audit(as_held(draft.done(), None)) != HOLDS


def test_a_match_of_before_ends_as_it_did() -> None:
    _, events = ended(ENDS["resigned"], declares=False)
    assert [type(event) for event in events[-2:]] == [Resigned, MatchEnded]
    assert isinstance(events[0], MatchCreated)


def test_where_others_play_on_nothing_is_opened_before_a_seat_leaves(tmp_path: Path) -> None:
    store = MemoryStore()
    referee = begun(store, PENNANTS, options={"seats": 3})
    put(store, referee, referee.act(Resigned(BO, id="a"), START + 1000))
    draft = Draft(export.from_store(store, referee.match))
    assert by_audit(as_held(draft.done(), SPECTATOR)) == HOLDS
    draft.change("MatchCreated", ends_open=True)
    left = draft.find("SeatLeft")
    draft.add("Scored", {"seat": 0, "score": 1}, actor=1, wait_ms=0, before=left)
    lines = as_held(draft.done(), SPECTATOR)
    assert by_audit(lines) == by_client(lines) == draft.lines.index(left) + 1
    assert set(by_stream([lines], tmp_path) + by_library([lines], tmp_path)) == {draft.lines.index(left) + 1}
