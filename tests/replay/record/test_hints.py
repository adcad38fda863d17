"""Hints: agreed on in line 1, asked for once to each decision, in the record, and found there by every audit."""

from typing import Any

import msgspec
import pytest

from domain.kernel import (
    Agreed,
    HintAsked,
    MatchCreated,
    NoHints,
    NotNow,
    NotPending,
    NotYours,
    Offered,
    OutOfTime,
    Pause,
    Refusal,
    Resigned,
    Seat,
    TakeBack,
    TimeControl,
)
from projections.table_words import narrate_table
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.line import read_line
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from tests.replay.dealt import DEAL
from tests.replay.dishonest import ADA, BO, Signing
from tests.replay.matches import START, begun, created, put
from tests.skirmish.game import GAME

SECOND = 1_000


def asked(match: Signing, seat: Seat | None = None) -> HintAsked:
    """The act of who is asked, or of a seat, about the decision that is open."""
    question = match.referee.state.asked[0]
    return HintAsked(question.seat if seat is None else seat, number=question.number)


def refused(match: Signing, act: HintAsked) -> Refusal:
    with pytest.raises(Refusal) as wrong:
        match.act(act)
    return wrong.value


def test_a_hint_asked_for_is_a_line_that_everybody_sees_and_the_audit_holds() -> None:
    match = Signing(hints=True)
    before, act = match.referee.state, asked(match)
    assert match.act(act) == ["HintAsked"]
    assert match.referee.state.table.hinted == (act.number,)
    assert narrate_table(before, match.referee.state, act) == f"P{act.seat} asks for a hint."
    match.choose(8)
    report = match.audited()
    assert report.ok, report.fault
    assert report.acts == 1
    assert Referee.open(GAME, match.store, match.referee.match).state == match.referee.state


def test_a_line_1_without_hints_is_written_as_it_always_was() -> None:
    fields: list[dict[str, Any]] = []
    for hints in (False, True):
        store = MemoryStore()
        first = store.read(created(store, hints=hints).match)[0].line
        fields.append(msgspec.json.decode(read_line(first).payload))
    assert "hints" not in fields[0]
    assert fields[1]["hints"] is True
    assert fields[0].keys() | {"hints"} == fields[1].keys()
    assert MatchCreated("skirmish", {}, ("", "")).hints is False


def test_where_none_were_agreed_on_no_hint_is_given_and_nothing_is_written() -> None:
    match = Signing()
    seq = match.referee.seq
    assert refused(match, asked(match)).code == NoHints.code
    assert match.referee.seq == seq


def test_at_a_table_of_an_event_there_are_no_hints() -> None:
    with pytest.raises(ValueError, match="nobody is given hints"):
        created(MemoryStore(), deal=DEAL, hints=True)
    store = MemoryStore()
    referee = begun(store, deal=DEAL)
    question = referee.state.asked[0]
    with pytest.raises(NoHints, match="table of an event"):
        referee.act(HintAsked(question.seat, number=question.number), START + SECOND)


def test_for_each_decision_there_is_one_hint() -> None:
    match = Signing(hints=True)
    match.act(asked(match))
    wrong = refused(match, asked(match))
    assert (wrong.code, wrong.why) == (NotNow.code, "You have asked for a hint to this decision already.")
    former = asked(match)
    match.choose(1)
    assert refused(match, former).code == NotPending.code
    match.act(asked(match))
    assert match.referee.state.table.hinted == (match.referee.state.asked[0].number,), "the former is not kept"


def test_a_hint_is_for_who_is_asked() -> None:
    match = Signing(hints=True)
    while len(match.referee.state.asked) > 1:
        match.choose(1)
    (question,) = match.referee.state.asked
    other = BO if question.seat == ADA else ADA
    assert refused(match, asked(match, other)).code == NotYours.code
    assert refused(match, HintAsked(question.seat, number=question.number + 1)).code == NotPending.code


def test_there_are_no_hints_in_a_pause_nor_after_the_end() -> None:
    match = Signing(hints=True)
    match.act(Offered(ADA, number=1, terms=Pause(60 * SECOND)))
    match.act(Agreed(BO, number=1))
    assert refused(match, asked(match)).code == "match-paused"
    match = Signing(hints=True)
    act = asked(match)
    match.act(Resigned(ADA))
    assert refused(match, act).code == "match-over"


def test_whose_time_is_over_is_given_no_hint() -> None:
    store = MemoryStore()
    referee = begun(store, control=TimeControl("bank", 60 * SECOND), hints=True)
    act = HintAsked(referee.state.asked[0].seat, number=referee.state.asked[0].number)
    with pytest.raises(OutOfTime):
        referee.act(act, START + 10 + 61 * SECOND)
    put(store, referee, referee.act(act, START + 10 + 59 * SECOND))
    assert audit(GAME, export.from_store(store, referee.match)).ok


def test_a_question_that_comes_again_after_a_takeback_is_another_one() -> None:
    match = Signing(hints=True)
    seat = match.referee.state.asked[0].seat
    line, first = match.referee.seq, asked(match)
    match.act(first)
    match.choose(1)
    match.act(Offered(seat, number=1, terms=TakeBack(line)))
    if match.referee.state.table.offers:
        match.act(Agreed(BO if seat == ADA else ADA, number=1))
    again = asked(match)
    assert again.number != first.number
    match.act(again)
    assert match.audited().ok


@pytest.mark.parametrize("hints", [0, 1])
def test_asking_teaches_the_others_nothing_so_a_choice_may_still_be_taken_back_alone(hints: int) -> None:
    match = Signing(hints=True)
    seat, line = match.referee.state.asked[0].seat, match.referee.seq
    for _ in range(hints):
        match.act(asked(match))
    match.choose(1)
    assert "PositionSet" in match.act(Offered(seat, number=1, terms=TakeBack(line)))
    assert match.audited().ok
