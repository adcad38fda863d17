"""A server that holds every key of the match, and what it may not write all the same (docs/record.md 5)."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import (
    Act,
    Agreed,
    Chosen,
    Draw,
    NotNow,
    Offered,
    Refusal,
    Resigned,
    Seat,
    TakeBack,
    VacationEnded,
)
from domain.kernel.act import line_before
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.files.export import Held, Record
from replay.record import keychain, sealing
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.seat_proof import REVEAL_MS
from replay.record.signing import SeatKey, share_said
from replay.store.memory import MemoryStore
from tests.replay.dishonest import (
    ADA,
    BO,
    FORGERIES,
    SHARES,
    Signing,
    as_seen,
    fixed,
    invented,
    rewritten,
    rolled,
)
from tests.replay.dishonest_lines import LINES, with_line
from tests.replay.hostile import dumps, sealed
from tests.replay.matches import START, played, put
from tests.skirmish.game import GAME

VIEWERS = (None, SPECTATOR, Viewer(ADA), Viewer(BO))


def fault_of(record: Record, viewer: Viewer | None) -> str:
    fault = audit(GAME, record if viewer is None else as_seen(record, viewer)).fault
    assert fault is not None
    return fault.wrong


def test_a_rewritten_record_in_which_nothing_was_changed_holds() -> None:
    match = Signing()
    match.choose(6)
    record = rewritten(match.record(), lambda parts, openings: None)
    assert audit(GAME, record).fault is None
    for viewer in VIEWERS[1:]:
        assert viewer is not None
        assert audit(GAME, as_seen(record, viewer)).fault is None


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("name", FORGERIES)
def test_record_5_what_a_dishonest_server_makes_up_is_found_by_everybody(name: str, viewer: Viewer | None) -> None:
    forge, why = FORGERIES[name]
    assert why in fault_of(forge(), viewer)


@pytest.mark.parametrize("name", LINES)
def test_record_9_lines_that_follow_from_nothing_are_found_by_everybody(name: str) -> None:
    forge, why = LINES[name]
    for viewer in VIEWERS:
        assert why in fault_of(forge(), viewer)


def under_rules(rules: str) -> Record:
    """A match that has another winner than the rules give, under rules that the server names."""
    store, referee = played(3)

    def win(parts: list[Any], openings: dict[int, bytes]) -> None:
        parts[5] = rules
        if parts[4] == "MatchEnded":
            parts[8]["result"] = {"winner": 1 - (parts[8]["result"]["winner"] or 0), "reason": "so", "rule": "SK-06"}

    return rewritten(export.from_store(store, referee.match), win)


@pytest.mark.parametrize("rules", ["skirmish/2", "skirmish/99", "skirmish/x", "skirmish/01", "skirmish/", "other/1"])
def test_record_8_nothing_follows_from_rules_that_nobody_has(rules: str) -> None:
    assert "none that this program knows" in fault_of(under_rules(rules), None)


def test_record_8_under_former_rules_it_is_said_that_what_newer_ones_give_otherwise_is_not_proven() -> None:
    report = audit(GAME, under_rules("skirmish/0"))
    assert report.ok
    assert len(report.differences) == 1
    assert report.unproven[-1].startswith(f"from line {report.differences[0].line} on, that the rules skirmish/0")


def test_record_8_rules_only_grow_newer() -> None:
    match = Signing()
    record = match.record()
    for was, now in (("skirmish/1", "skirmish/0"), ("skirmish/1", "skirmish/1"), ("skirmish/1", "skirmish/7")):
        changed = with_line(match, "RulesChanged", {"was": was, "now": now})
        parts = json.loads(changed.held[-1].line)
        parts[5] = now
        changed.held[-1] = Held(dumps(parts), {})
        assert "none that this program knows" in fault_of(sealed(changed), None)
    assert audit(GAME, record).ok


def test_record_5_choices_by_a_clock_that_was_not_due_are_found_in_version_1_by_who_holds_the_rules() -> None:
    assert "that the rules give" in fault_of(invented("clock", 1), None)
    # A record of version 1 does not say how long the rules give.
    assert audit(GAME, as_seen(invented("clock", 1), SPECTATOR)).fault is None


def test_record_5_what_was_committed_to_is_the_choice() -> None:
    match = Signing()
    match.choose(1)

    def other(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Chosen":
            salt, answer = json.loads(openings[1])
            openings[1] = dumps([salt, answer.replace("1", "2") if "1" in answer else answer.replace("2", "1")])

    assert "do not open" in fault_of(rewritten(match.record(), other), None)


def test_record_5_the_choice_beside_the_commitment_is_the_one_signed() -> None:
    match = Signing()
    asked = match.referee.state.asked[0]
    one, two = list(GAME.revive_decision(asked).form(match.referee.state))[:2]
    note = match.note(asked.seat, asked.number, msgspec.to_builtins(one))
    with pytest.raises(Refusal, match="another choice"):
        match.referee.choose(asked.seat, asked.number, two, note, match.now())


@pytest.mark.parametrize("act", [Resigned(ADA), Offered(ADA, number=1, terms=Draw()), VacationEnded(ADA)])
def test_record_5_the_server_does_nothing_in_a_seats_name(act: Act) -> None:
    match = Signing()
    with pytest.raises(Refusal, match="signs what it does"):
        match.referee.act(replace(act, id="x"), match.now(), match.past)


def test_record_5_a_last_choice_undone_goes_back_to_before_it() -> None:
    match = Signing()
    match.choose(1)
    seat = next(event.seat for event in reversed(match.past()) if isinstance(event, Chosen))
    wanted = match.signed(Offered(seat, number=1, terms=TakeBack()))
    assert isinstance(wanted, Offered)
    line = line_before(match.past(), seat)
    match.put(match.referee.act(replace(wanted, terms=TakeBack(line)), match.now(), match.past))
    assert match.audited().ok
    wrong = replace(wanted, terms=TakeBack(line - 1))
    with pytest.raises(Refusal):
        match.referee.act(wrong, match.now(), match.past)


def test_record_5_a_new_key_is_signed_with_the_old_one_or_the_line_is_named() -> None:
    match = Signing()
    referee, old, new = match.referee, match.keys[0], SeatKey()
    signature = old.said(referee.match, 0, b'["key","%b"]' % new.public.encode())
    with pytest.raises(Refusal, match="not signed"):
        Preparation(referee).set_key(ADA, SeatKey().public, signature, START)
    match.put(Preparation(referee).set_key(ADA, new.public, signature, match.now()))
    assert match.audited().unproven == []
    match.keys[0] = SeatKey()
    match.put(Preparation(referee).set_key(ADA, match.keys[0].public, "", match.now()))
    match.choose(2)
    report = match.audited()
    assert report.ok
    assert report.unproven == [f"seat 1 (P0) signs from line {referee_line(match)} on; no former key says so"]


def referee_line(match: Signing) -> int:
    return max(entry.seq for entry in match.store.read(match.referee.match) if entry.type == "SeatKeyed")


def test_record_5_for_a_seat_without_a_key_it_is_said_that_the_server_could_have_answered() -> None:
    match = Signing(version=1)
    match.choose(2)
    assert match.audited().unproven == [
        "version 1: only choices are signed, and what was acknowledged can be told at the end only",
        "seat 1 (P0) does not sign: the server could have answered for it",
        "seat 2 (P1) does not sign: the server could have answered for it",
    ]


def test_against_a_bot_no_die_is_rolled_again() -> None:
    match = Signing("bot")
    line = rolled(match)
    with pytest.raises(NotNow, match="a bot cannot agree"):
        match.act(Offered(ADA, number=1, terms=TakeBack(line)))


def test_in_a_match_of_version_1_a_bot_agreed_to_everything() -> None:
    match = Signing("bot", version=1)
    line = rolled(match)
    assert match.put(match.referee.act(Offered(ADA, number=1, terms=TakeBack(line)), match.now(), match.past))[-1] == (
        "PositionSet"
    )
    assert match.audited().ok


def test_a_person_may_agree_that_a_die_is_rolled_again() -> None:
    match = Signing()
    line = rolled(match)
    assert match.act(Offered(ADA, number=1, terms=TakeBack(line))) == ["Offered"]
    assert match.act(Agreed(BO, number=1))[-1] == "PositionSet"
    assert match.audited().ok


@pytest.mark.parametrize(
    ("givers", "signed", "words"),
    [
        ((ADA, BO), True, "proven: shares of both players and the server"),
        ((ADA,), True, "proven: share of Abel alone"),
        ((), True, "shares of the server alone: it could have chosen them"),
        ((ADA,), False, "share of Abel alone, not all signed: the server could have chosen for seats that do not sign"),
    ],
)
def test_record_4_whose_shares_the_dice_come_from_is_told_from_the_record(
    givers: tuple[Seat, ...], signed: bool, words: str
) -> None:
    match = Signing()
    referee = fixed(match, givers, signed=signed)
    for seat in givers:
        match.put(Preparation(referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START))
    match.put(Preparation(referee).begin(START))
    assert match.audited().ok
    for viewer in VIEWERS:
        assert audit(GAME, match.record(viewer)).chance == words


def test_a_match_waits_for_every_persons_share() -> None:
    store, referee, keys = MemoryStore(), None, [SeatKey(), SeatKey()]
    referee, creation = create_match(GAME, {}, ["", ""], at=START, shares=True)
    store.create(creation.header, creation.keys, (), creation.ruling.commit)
    referee.accept(creation.ruling)
    for seat in (ADA, BO):
        put(store, referee, Preparation(referee).take_seat(seat, "P", "person", START, keys[seat].public))
    for seat in (ADA, BO):
        assert Preparation(referee).awaited == ((ADA, BO) if seat == ADA else (BO,))
        with pytest.raises(Refusal, match="has given a share"):
            Preparation(referee).begin(START)
        commitment = sealing.b64(keychain.entropy_commitment(SHARES[seat]))
        with pytest.raises(Refusal, match="not signed"):
            Preparation(referee).commit_entropy(seat, commitment, START)
        signature = keys[seat].said(referee.match, seat, share_said(commitment))
        put(store, referee, Preparation(referee).commit_entropy(seat, commitment, START, signature))
    assert Preparation(referee).awaited == ()
    with pytest.raises(NotNow):
        Preparation(referee).void(START + REVEAL_MS)
    for seat in (ADA, BO):
        put(store, referee, Preparation(referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START))
    put(store, referee, Preparation(referee).begin(START))
    report = audit(GAME, export.from_store(store, referee.match))
    assert (report.fault, report.chance) == (None, "proven: shares of both players and the server")
