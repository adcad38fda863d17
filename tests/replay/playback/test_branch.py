"""Branches: the position is the one the eyes saw, nothing else is taken over, and the branch is a match of its own."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import BranchOpened, Game, Mask, Seat
from domain.kernel.history import pauses, views_of
from domain.kernel.position import OF_THE_RECORD, Views, seen
from projections.redaction import SPECTATOR, Viewer
from projections.registry import games
from replay.audit.match_audit import Audit, audit
from replay.audit.rules_audit import RulesAudit
from replay.audit.verify import verify
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import from_store
from replay.playback.branch import Trunk, beginning, difference, drawn, pause_before, trunk_of
from replay.playback.errors import CannotBranch
from replay.record.creation import create_match
from replay.record.line import codec_of
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from tests.replay.matches import START, played, put, step, taken_back
from tests.replay.playback.branch import branched, trunk
from tests.skirmish.game import GAME

ALL = [GAME, *games().values()]
EYES = [None, Viewer(Seat(0)), Viewer(Seat(1)), SPECTATOR]
SOME_EYES = [None, Viewer(Seat(0)), pytest.param(Viewer(Seat(1)), marks=pytest.mark.whole), SPECTATOR]


def some_pauses(game: Game[Any], parent: Trunk, number: int, seed: int = 1) -> list[int]:
    found = pauses(game, parent.events)
    return sorted(random.Random(seed).sample(found, min(number, len(found))))


def position(state: Any) -> dict[str, Any]:
    kernel = {"number", "asked", "answered"}
    return {n: getattr(state, n) for n in state.__struct_fields__ if n not in OF_THE_RECORD and n not in kernel}


@pytest.mark.parametrize("eyes", SOME_EYES, ids=lambda eyes: "all" if eyes is None else eyes.label)
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_branch_is_played_to_its_end_and_audits(game: Game[Any], eyes: Viewer | None) -> None:
    parent = trunk(game)
    for line in some_pauses(game, parent, 2):
        store, referee = branched(game, parent, line, eyes)
        rng = random.Random(line)
        while step(store, referee, rng):
            pass
        report = audit(game, from_store(store, referee.match))
        assert report.fault is None, str(report.fault)
        assert report.choices
        for viewer in (SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1))):
            assert verify(from_store(store, referee.match, viewer)).head == referee.head
        assert Referee.open(game, store, referee.match).state == referee.state
        named = read_event(referee.game, store.read(referee.match)[1])
        assert named == BranchOpened(
            parent.match, line, parent.head(line), export.EVERYTHING if eyes is None else eyes.label
        )


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_an_open_branch_begins_with_the_world_as_it_was_for_everybody(game: Game[Any]) -> None:
    parent = trunk(game)
    for line in some_pauses(game, parent, 4):
        store, referee = branched(game, parent, line, None)
        events = [read_event(referee.game, entry) for entry in store.read(referee.match)]
        assert position(referee.state) == position(game.fold(parent.events[:line]))
        for mask in (Mask(0), Mask(1), Mask(2)):
            assert position(game.view(events, mask)) == position(game.view(parent.events[:line], mask))


@pytest.mark.parametrize("eyes", EYES[1:], ids=lambda eyes: eyes.label)
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_branch_is_made_of_what_the_eyes_saw_and_of_nothing_else(game: Game[Any], eyes: Viewer) -> None:
    """Two worlds that the eyes cannot tell apart give the same branch: no part of the true one is taken over."""
    parent, rng = trunk(game), random.Random(5)
    for line in some_pauses(game, parent, 4):
        views = views_of(game, parent.events[:line])
        view = views.public if eyes.seat is None else views.seats[eyes.seat]
        world = game.spec.resample(views.world, eyes.seat, rng.randrange)
        other = Views(world, seen(views.public, world), tuple(seen(told, world) for told in views.seats))
        made = drawn(game, views, eyes, random.Random(7).randrange)
        assert drawn(game, other, eyes, random.Random(7).randrange) == made
        assert (made.public if eyes.seat is None else made.seats[eyes.seat]) == view


def test_what_was_hidden_is_drawn_anew() -> None:
    parent = trunk()
    line = pauses(GAME, parent.events)[0]
    truth = GAME.fold(parent.events[:line])
    hands = set()
    for seed in range(30):
        views = beginning(GAME, parent, line, Viewer(Seat(0)), random.Random(seed).randrange).views
        assert views.world.hands[0] == truth.hands[0]
        assert views.seats[1].hands[1] == views.world.hands[1]
        hands.add(views.world.hands[1])
    assert len(hands) > 5


def test_a_line_between_two_pauses_stands_for_the_pause_before_it() -> None:
    parent = trunk()
    found = pauses(GAME, parent.events)
    assert pause_before(GAME, parent.events, found[1]) == found[1]
    assert pause_before(GAME, parent.events, found[2] - 1) == found[1]
    assert pause_before(GAME, parent.events, len(parent.events)) == found[-1]


@pytest.mark.parametrize(("line", "said"), [(0, "lines 1 to"), (10_000, "lines 1 to"), (2, "first line at which")])
def test_a_line_that_cannot_be_branched_at_is_refused(line: int, said: str) -> None:
    parent = trunk()
    with pytest.raises(CannotBranch, match=said):
        pause_before(GAME, parent.events, line)


def test_a_view_of_a_match_is_no_trunk() -> None:
    store, referee = played(3)
    with pytest.raises(CannotBranch, match="everything"):
        trunk_of(GAME, from_store(store, referee.match, SPECTATOR))


def test_a_viewer_for_whom_no_world_can_be_drawn_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = trunk()
    monkeypatch.setattr(GAME, "spec", replace(GAME.spec, resample=lambda view, *_: view))
    with pytest.raises(CannotBranch, match="No position"):
        beginning(GAME, parent, pauses(GAME, parent.events)[0], Viewer(Seat(0)), random.Random(1).randrange)


@pytest.mark.parametrize(
    "world", [{"hands": "many"}, {"hands": [[1], [1], [1]]}, {"deck": 5}, {"scores": ["a", 1]}, []]
)
def test_record_8_a_position_that_is_none_is_found_at_its_line(world: object) -> None:
    store, referee = branched(GAME, trunk(), pauses(GAME, trunk().events)[0], None)
    record = from_store(store, referee.match)
    seq = next(entry.seq for entry in store.read(referee.match) if entry.type == "PositionSet")
    made = Audit(GAME, record)
    made._read(None)
    made.events[seq - 1] = replace(made.events[seq - 1], world=world)  # as a forger would who also knows K_m
    with pytest.raises(RecordInvalid) as found:
        RulesAudit(codec_of(GAME), record, made.lines, made.events, made.report).replay(len(made.events), None)
    assert found.value.seq in (2, seq)


@pytest.mark.parametrize("who", ["public", "seat 0", "seat 1"])
def test_record_8_a_branch_that_tells_somebody_what_is_not_so_is_found(who: str) -> None:
    parent = trunk()
    begin = beginning(GAME, parent, pauses(GAME, parent.events)[0], None, random.randrange)
    views = begin.views
    if who == "public":
        views = replace(views, public=replace(views.public, scores=(1, 0)))
    else:
        seat = int(who[-1])
        hands = tuple((1, 1, 2) if number == seat else hand for number, hand in enumerate(views.seats[seat].hands))
        told = [replace(view, hands=hands) if number == seat else view for number, view in enumerate(views.seats)]
        views = replace(views, seats=tuple(told))
    _, creation = create_match(GAME, {}, ("", ""), at=START, beginning=replace(begin, views=views))
    store = MemoryStore()
    store.create(creation.header, creation.keys, (), creation.ruling.commit)
    fault = audit(GAME, from_store(store, creation.header.match)).fault
    assert fault is not None
    assert fault.line == {"seat 0": 3, "seat 1": 4, "public": 5}[who]


@pytest.mark.parametrize("eyes", EYES, ids=lambda eyes: "all" if eyes is None else eyes.label)
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_branch_begins_where_it_says(game: Game[Any], eyes: Viewer | None) -> None:
    parent = trunk(game)
    for line in some_pauses(game, parent, 2):
        store, referee = branched(game, parent, line, eyes)
        events = [read_event(referee.game, entry) for entry in store.read(referee.match)]
        assert difference(game, events, parent) == ""
        assert "does not branch off" in difference(game, parent.events, parent)
        assert "does not branch off" in difference(game, events, replace(parent, match="other"))
        assert "no line" in difference(game, events, replace(parent, events=parent.events[: line - 1]))
        assert "another head" in difference(game, events, replace(parent, lines=[b"[]", *parent.lines[1:]]))


@pytest.mark.parametrize(
    ("eyes", "wrong"), [("all", [2, 3, 4]), ("seat0", [2, 4]), ("seat1", [3, 4]), ("spectator", [4])]
)
def test_a_branch_that_shows_its_eyes_something_else_is_found(eyes: str, wrong: list[int]) -> None:
    parent = trunk()
    viewer = next(viewer for viewer in EYES if (viewer.label if viewer else "all") == eyes)
    store, referee = branched(GAME, parent, pauses(GAME, parent.events)[1], viewer)
    events = [read_event(referee.game, entry) for entry in store.read(referee.match)]
    for at in range(2, 5):
        view = {**events[at].view, "scores": [3, 3]}  # type: ignore[attr-defined]
        changed = [*events[:at], replace(events[at], view=view), *events[at + 1 :]]
        assert bool(difference(GAME, changed, parent)) is (at in wrong), at


@pytest.mark.parametrize("eyes", EYES, ids=lambda eyes: "all" if eyes is None else eyes.label)
def test_a_branch_of_a_branch_and_of_a_match_taken_back_holds(eyes: Viewer | None) -> None:
    store, referee = branched(GAME, trunk(), pauses(GAME, trunk().events)[0], eyes)
    rng = random.Random(1)
    for _ in range(3):
        step(store, referee, rng)
    taken_back(
        store, referee, pauses(GAME, [read_event(referee.game, entry) for entry in store.read(referee.match)])[0]
    )
    parent = trunk_of(GAME, from_store(store, referee.match))
    line = pauses(GAME, parent.events)[-1]
    assert line == len(parent.events)
    store, referee = branched(GAME, parent, line, eyes)
    while step(store, referee, rng):
        pass
    assert audit(GAME, from_store(store, referee.match)).fault is None
    assert difference(GAME, [read_event(referee.game, entry) for entry in store.read(referee.match)], parent) == ""


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_branch_that_is_put_away_before_it_begins_goes_on_alike(game: Game[Any]) -> None:
    parent = trunk(game)
    line = some_pauses(game, parent, 1)[0]
    begin = beginning(game, parent, line, Viewer(Seat(0)), random.Random(1).randrange)
    referee, creation = create_match(game, parent.created.options, ("",) * game.seats, at=START, beginning=begin)
    store = MemoryStore()
    rows = tuple(SeatRow(seat) for seat in range(game.seats))
    store.create(creation.header, creation.keys, rows, creation.ruling.commit)
    for seat in range(game.seats):
        referee = Referee.open(game, store, creation.header.match)
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", "person", START))
        assert not referee.state.asked
    referee = Referee.open(game, store, creation.header.match)
    put(store, referee, Preparation(referee).begin(START))
    asked = [replace(asked, number=0) for asked in begin.views.world.asked]
    assert [replace(asked, number=0) for asked in referee.state.asked] == asked
    assert step(store, referee, random.Random(2))
    assert audit(game, from_store(store, referee.match)).fault is None
