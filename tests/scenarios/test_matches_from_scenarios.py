"""A scenario's position is a match: every viewer is told his own view of it, it is played on, and its record audits."""

import random
from pathlib import Path

import pytest

from domain.kernel import Chosen, Mask, Seat
from replay.audit.match_audit import audit
from replay.files.export import from_store
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Ruling, read_event
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import load
from replay.scenarios.opening import case_of, opening
from replay.scenarios.play import Playing
from replay.store.memory import MemoryStore
from server.conformance.walks import AnyGame
from tests.conformance.walks import games

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.toml"))
GAMES = {game.name: game for game in games()}
ENDED = {"best_of_3_3_drawn_to_the_end", "we_x36_4_routs"}
"""Positions in which nobody is asked anything any more."""


def begun(game: AnyGame, path: Path) -> tuple[Referee[object], MemoryStore]:  # type: ignore[type-var]
    opened = opening(game, case_of(load(path)))
    store, seats = MemoryStore(), game.seats_of(opened.options)
    referee, creation = create_match(game, opened.options, [""] * seats, at=1, beginning=opened.beginning)
    store.create(creation.header, creation.keys, (), creation.ruling.commit)
    referee.accept(creation.ruling)

    def commit(ruling: Ruling[object]) -> None:  # type: ignore[type-var]
        store.append(ruling.commit)
        referee.accept(ruling)

    for seat in range(seats):
        commit(Preparation(referee).take_seat(Seat(seat), f"P{seat}", "person", 2))
    commit(Preparation(referee).begin(3))
    source = random.Random(path.stem)
    for _ in range(4):
        if referee.state.result is None and referee.state.asked:
            asked = referee.state.asked[0]
            choice = game.revive_decision(asked).form(referee.state).sample(source.randrange)
            commit(referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, asked.number), 4))
    return referee, store


@pytest.mark.parametrize("part", range(8))
def test_a_match_begins_in_every_position_and_its_record_audits(part: int) -> None:
    for path in FILES[part::8]:
        game = GAMES[path.parent.name]
        if path.stem in ENDED:
            with pytest.raises(ScenarioInvalid, match="nobody is asked anything"):
                begun(game, path)
            continue
        referee, store = begun(game, path)
        report = audit(game, from_store(store, referee.match))
        assert report.fault is None, path.name


@pytest.mark.parametrize("part", range(4))
def test_who_connects_late_knows_what_who_followed_knows(part: int) -> None:
    for path in FILES[part::8]:
        for name, one in load(path).cases().items():
            playing = Playing(GAMES[one.game], one, name)
            playing.run()
            positions = playing.game.spec.positions
            assert positions is not None
            for viewer, view in playing.views.items():
                assert positions.show(playing.connected(viewer)) == positions.show(view), (path.name, viewer)


def test_a_seat_is_told_its_own_hand_and_not_the_others() -> None:
    path = HERE / "vera_discordia" / "vd_x10_drawing.toml"
    game = GAMES["vera_discordia"]
    referee, store = begun(game, path)
    events = [read_event(game, entry) for entry in store.read(referee.match)]
    views = {viewer: game.view(events, Mask(viewer)) for viewer in (0, 1, 2)}
    sides = {viewer: [str(side.pile) for side in view.sides] for viewer, view in views.items()}
    assert all(pile == "HIDDEN" for piles in sides.values() for pile in piles)
    assert [str(side.hand) == "HIDDEN" for side in views[0].sides] == [True, True]
    assert [str(side.hand) == "HIDDEN" for side in views[1].sides] == [False, True]
    assert [str(side.hand) == "HIDDEN" for side in views[2].sides] == [True, False]
