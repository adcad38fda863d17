"""Answers that a seat has signed ahead: what the four verifiers make of them, and what they tell of them before."""

from pathlib import Path

import pytest

from domain.kernel import Chosen, Refusal, Seat
from domain.kernel.table import STANDING
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.errors import NotAcknowledged, NotSigned
from tests.replay.ahead import OPENED, TAKE, ahead, answered, asked_to_pursue, put, seat_of
from tests.replay.dishonest import Signing
from tests.replay.mutating import Lines, as_held
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream
from tests.skirmish.game import GAME


def files(match: Signing) -> dict[str, Lines]:
    """The match as each viewer has it."""
    return {
        "all": list(export.write(match.record())),
        **{
            str(viewer): list(export.write(match.record(viewer)))
            for viewer in (SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1)))
        },
    }


def test_all_four_verifiers_hold_what_a_seat_has_answered_ahead(tmp_path: Path) -> None:
    match = answered(is_over=True)
    assert audit(GAME, match.record()).fault is None
    held = files(match)
    assert {view: by_audit(lines) for view, lines in held.items()} == dict.fromkeys(held, HOLDS)
    del held["all"]
    assert {view: by_client(lines) for view, lines in held.items()} == dict.fromkeys(held, HOLDS)
    assert by_stream([*held.values()], tmp_path) == [HOLDS] * 3
    assert by_library([*held.values()], tmp_path) == [HOLDS] * 3
    by = [event.by for event in match.past() if isinstance(event, Chosen)]
    assert by.count(STANDING) == 1


@pytest.mark.parametrize("name", OPENED)
def test_what_was_signed_ahead_says_another_thing_than_was_done(name: str, tmp_path: Path) -> None:
    record = OPENED[name]()
    seat = next(line for line in reversed(record.held) if b'"by":"standing"' in line.line)
    assert seat is record.held[-1]
    line = len(record.held)
    holder = int(record.held[-1].line.split(b'"seat":')[1][:1])
    views = [as_held(record, viewer) for viewer in (None, Viewer(Seat(holder)), Viewer(Seat(1 - holder)), SPECTATOR)]
    assert [by_audit(held) for held in views][:2] == [line, line]
    assert [by_client(held) for held in views[1:]] == [line, HOLDS, HOLDS]
    assert by_stream(views[1:], tmp_path) == [line, HOLDS, HOLDS]
    assert by_library(views[1:], tmp_path) == [line, HOLDS, HOLDS]


def test_the_referee_takes_no_answer_ahead_that_a_verifier_would_find() -> None:
    match = asked_to_pursue()
    seat = seat_of(match)
    own_choice = max(i for i, event in enumerate(match.past(), 1) if isinstance(event, Chosen) and event.seat == seat)
    with pytest.raises(NotAcknowledged, match="answers"):
        put(match, ahead(match, at=own_choice - 1))
    with pytest.raises(NotSigned):
        put(match, ahead(match, seat=seat, key=match.keys[1 - seat]))
    with pytest.raises(NotSigned, match="another question"):
        put(match, ahead(match, TAKE.__class__("CardSelection", {}, 9, {"do": "Take"})))
    with pytest.raises(Refusal):
        put(match, ahead(match, TAKE.__class__("Pursuit", {}, 9, {"do": "Play", "card": 1})))
    put(match, ahead(match, at=own_choice))


def test_nothing_tells_of_what_was_signed_ahead_until_it_is_used() -> None:
    kept, none = asked_to_pursue(), asked_to_pursue()
    ahead(kept)
    assert [line.line.count(b"standing") for line in kept.record(SPECTATOR).held] == [0] * len(none.record().held)


def test_an_answer_ahead_shows_spectators_that_it_was_one_and_neither_instruction_nor_choice() -> None:
    match = answered()
    line = next(held.line for held in match.record(SPECTATOR).held if b'"by":"standing"' in held.line)
    assert b"Pursuit" not in line
    assert b"Take" not in line
