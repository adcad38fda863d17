"""Replay bundles: a step per choice and per thing done at the table, also where a match was put into a position."""

import random

import pytest

from domain.kernel import Seat, TimeControl
from domain.kernel.events import Agreed, Offered
from domain.kernel.history import pauses
from domain.kernel.table import TakeBack
from projections.plain import plain_face
from projections.scene import merge
from projections.vocabulary import defects
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.pages.bundle import bundle
from server.pages.tracks import commits
from tests.replay.matches import START, begun, played, put, step, taken_back
from tests.replay.playback.branch import branched, trunk
from tests.skirmish.game import GAME

FACE = plain_face(GAME)


def test_a_match_that_was_put_back_has_a_step_for_it() -> None:
    store, referee = played(4, most=5)
    before = len(commits(store.read(referee.match)))
    taken_back(
        store, referee, pauses(GAME, [read_event(referee.game, entry) for entry in store.read(referee.match)])[0]
    )
    groups = commits(store.read(referee.match))
    assert len(groups) == before + 2
    kinds = [entry.type for entry in groups[-1]]
    assert kinds == ["Agreed", "OfferAccepted", "SeatBriefed", "SeatBriefed", "PositionSet"]
    steps = bundle(FACE, store, referee.match)["tracks"]["pub"]["steps"]
    assert len(steps) == len(groups) - 1


def test_a_choice_taken_back_by_consent_is_one_step() -> None:
    store = MemoryStore()
    referee, creation = create_match(GAME, {}, ("", ""), at=START)
    store.create(creation.header, creation.keys, (SeatRow(0), SeatRow(1)), creation.ruling.commit)
    referee.accept(creation.ruling)
    for seat in (0, 1):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", "person", START))
    put(store, referee, Preparation(referee).begin(START))
    line, rng = referee.seq, random.Random(1)
    for _ in range(3):
        assert step(store, referee, rng)

    def past() -> list[object]:
        return [read_event(referee.game, entry) for entry in store.read(referee.match)]

    at = START + 10**6
    put(store, referee, referee.act(Offered(Seat(0), number=1, terms=TakeBack(line)), at, past))  # type: ignore[arg-type]
    put(store, referee, referee.act(Agreed(Seat(1), number=1), at, past))  # type: ignore[arg-type]
    last = [entry.type for entry in commits(store.read(referee.match))[-1]]
    assert last == ["Agreed", "OfferAccepted", "SeatBriefed", "SeatBriefed", "PositionSet"]


@pytest.mark.parametrize("pause", [0, 4])
def test_a_branch_begins_with_its_position_on_the_table(pause: int) -> None:
    parent = trunk()
    line = pauses(GAME, parent.events)[pause]
    store, referee = branched(GAME, parent, line, None)
    groups = commits(store.read(referee.match))
    assert [entry.type for entry in groups[0]][-1] == "PositionSet"
    track = bundle(FACE, store, referee.match)["tracks"]["pub"]
    assert track["scene"]["zones"]
    assert len(track["steps"]) == len(groups) - 1


def test_each_step_shows_what_the_clocks_did() -> None:
    store = MemoryStore()
    referee = begun(store, control=TimeControl("bank", 10**7, 5_000))
    rng = random.Random(1)
    while step(store, referee, rng):
        pass
    scenes = bundle(FACE, store, referee.match)["tracks"]["pub"]
    shown = scenes["scene"]
    for made in scenes["steps"]:
        shown = merge(shown, made["set"])
        assert defects(shown) == []
    assert referee.clocks is not None
    assert [shown["seats"][str(seat)]["clock"] for seat in (0, 1)] == [
        {"ms": left, "run": False} for left in referee.clocks.left
    ]
