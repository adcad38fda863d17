"""The author, the signature and the acknowledged line of a choice are checked without a referee."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Chosen, NotYours
from replay.record import sealing
from replay.record.answer_check import HEADS_KEPT, AnswerCheck
from replay.record.errors import NotAcknowledged, NotSigned
from replay.store.log import Entry
from tests.replay.matches import played
from tests.skirmish.game import GAME

MATCH = sealing.b64(bytes(16))
HEAD = bytes(range(32))


def line(seq: int, kind: str = "DecisionsOpened") -> Entry:
    return Entry(seq, seq, kind, -1, b"")


def asked_once() -> tuple[Any, Any, Chosen]:
    """A state in which a seat is asked, its answer, and what its line says beside it."""
    referee = played(1, most=1)[1]
    asked = referee.state.asked[0]
    choice = GAME.revive_decision(asked).form(referee.state).sample(random.Random(1).randrange)
    return referee.state, choice, Chosen(asked.seat, asked.number, "c", "seat")


def test_heads_of_the_last_lines_are_kept() -> None:
    check = AnswerCheck(GAME, MATCH, 0, HEAD)
    for seq in range(1, HEADS_KEPT + 1):
        check.follow(line(seq), seq.to_bytes(32))
    assert check.head_at(0) is None
    assert check.head_at(1) == (1).to_bytes(32)
    assert check.head_at(HEADS_KEPT + 1) is None


def test_the_last_share_of_chance_gives_its_time() -> None:
    check = AnswerCheck(GAME, MATCH, 0, HEAD)
    check.follow(line(1), HEAD)
    assert check.committed_at == 0
    check.follow(line(2, "EntropyCommitted"), HEAD)
    assert check.committed_at == 2


def test_a_line_is_acknowledged_by_its_own_head_only() -> None:
    state, choice, note = asked_once()
    check = AnswerCheck(GAME, MATCH, 5, HEAD)
    check.check_choice(state, choice, replace(note, ack_seq=5, ack_head=sealing.b64(HEAD)), 0)
    with pytest.raises(NotAcknowledged, match="another head"):
        check.check_choice(state, choice, replace(note, ack_seq=5, ack_head=sealing.b64(bytes(32))), 0)
    with pytest.raises(NotAcknowledged, match="the record has 5"):
        check.check_choice(state, choice, replace(note, ack_seq=6, ack_head=sealing.b64(HEAD)), 0)


def test_a_seat_without_a_key_signs_nothing_and_only_its_holder_answers() -> None:
    state, choice, note = asked_once()
    check = AnswerCheck(GAME, MATCH, 5, HEAD)
    check.check_choice(state, choice, note, 0)
    with pytest.raises(NotSigned):
        check.check_choice(state, choice, replace(note, signature="AA"), 0)
    with pytest.raises(NotYours):
        check.check_choice(state, choice, replace(note, by="bot"), 0)
