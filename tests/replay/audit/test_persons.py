"""Persons behind seats: what the four verifiers make of a claim in the record, and of what opens it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from herald_client.claims import Opening as ClientOpening
from herald_client.errors import Broken
from herald_client.verifier import Verifier
from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.audit.persons import check_openings, read_openings
from replay.audit.report import AuditReport
from replay.errors import RecordInvalid
from replay.files import export
from replay.record import claims
from replay.record.claims import OpenedClaim
from replay.record.errors import NotSigned, SeatRefused
from replay.record.preparation import Preparation
from replay.record.signing import SeatKey, key_said
from tests.replay.dishonest import ADA, BO, Signing
from tests.replay.persons import ANJA, BEN, LIES, SITE, claim, claimed, committed, lie, new_salt, opened, signed
from tests.replay.verifiers import TABLES, tables_in
from tests.skirmish.game import GAME
from tests.web.node import ROOT, node


def audited(match: Signing, *openings: OpenedClaim) -> AuditReport:
    report = audit(GAME, match.record())
    check_openings(report, openings)
    return report


def by_library(match: Signing, opening: OpenedClaim) -> str:
    """What the Python library says of an opening that a spectator is shown."""
    verifier = Verifier(match.referee.match, {}, TABLES["games"]["skirmish"])
    for held in match.record(SPECTATOR).held:
        verifier.take(held.line.decode())
    try:
        verifier.person(msgspec.convert(msgspec.to_builtins(opening), ClientOpening))
    except Broken as wrong:
        return str(wrong)
    return ""


def in_javascript(match: Signing, opening: OpenedClaim, tmp: Path, *, status: int = 0) -> dict[str, Any]:
    """What `verify-stream.mjs`, which uses the TypeScript library's check, says of the same."""
    file, said = tmp / "match.jsonl", tmp / "openings.jsonl"
    file.write_bytes(b"".join(export.write(match.record(SPECTATOR))))
    said.write_bytes(msgspec.json.encode(opening))
    options = ["--json", f"--lines={tables_in(tmp)}", f"--persons={said}"]
    told: dict[str, Any] = json.loads(node(ROOT / "scripts" / "verify-stream.mjs", *options, str(file), status=status))
    return told


def test_a_claim_is_opened_by_all_four_verifiers_and_says_whose_seat_it_is(tmp_path: Path) -> None:
    match, opening = claimed(is_over=True)
    report = audited(match, opening)
    assert report.fault is None
    assert report.persons == [f"seat 0: the person with the key {ANJA.public} at {SITE}"]
    assert by_library(match, opening) == ""
    told = in_javascript(match, opening, tmp_path)
    assert told["persons"] == [{"seat": 0, "key": ANJA.public, "site": SITE, "checked": True}]


@pytest.mark.parametrize("name", LIES)
def test_an_opening_for_another_person_seat_key_match_or_server_opens_nothing(name: str, tmp_path: Path) -> None:
    match, opening = lie(name)
    fault = audited(match, opening).fault
    assert fault is not None
    assert fault.line == opening.line
    assert by_library(match, opening)
    assert in_javascript(match, opening, tmp_path, status=1)["seq"] == opening.line


def test_the_record_says_no_more_than_that_somebody_stands_there() -> None:
    match, opening = claimed()
    told = b"".join(held.line for held in match.record().held)
    for secret in (opening.key, opening.salt, opening.signature, SITE):
        assert secret.encode() not in told
    tried = claims.commitment(new_salt(), opening.key, opening.signature)
    assert tried.encode() not in told  # without the salt a known key cannot be tried against it


def test_two_persons_and_one_person_twice_leave_records_of_one_shape() -> None:
    def shape(first: SeatKey, second: SeatKey) -> list[tuple[int, str, list[int]]]:
        match = Signing()
        for seat, person in ((ADA, first), (BO, second)):
            claim(match, seat, opened(match, seat, person=person))
        lines = [json.loads(held.line) for held in match.record().held]
        return [(line[2], line[4], [len(str(value)) for value in line[8].values()]) for line in lines]

    assert shape(ANJA, ANJA) == shape(ANJA, BEN)


def test_a_match_without_claims_is_as_before_and_a_guest_beside_a_person_has_none() -> None:
    match, _ = claimed()
    assert audited(match).persons == []
    assert [claim.seat for claim in audited(match).claims.values()] == [0]
    alone = Signing()
    alone.choose(2)
    assert alone.audited().claims == {}


def test_a_new_key_can_be_claimed_once_more_and_the_former_claim_stays_with_the_former_key() -> None:
    match, first = claimed()
    former, match.keys[ADA] = match.keys[ADA], SeatKey()
    fresh = match.keys[ADA].public
    match.put(
        Preparation(match.referee).set_key(
            ADA, fresh, former.said(match.referee.match, ADA, key_said(fresh)), match.now()
        )
    )
    second = claim(match, ADA)
    report = audited(match, first, second)
    assert report.fault is None
    assert [claim.key for claim in report.claims.values()] == [former.public, fresh]


def test_the_referee_takes_no_claim_that_a_verifier_would_find() -> None:
    match, _ = claimed()
    commitment = committed(opened(match, BO))
    right = signed(match, BO, commitment)["signature"]
    with pytest.raises(SeatRefused, match="already"):
        Preparation(match.referee).claim_seat(ADA, commitment, right, match.now())
    with pytest.raises(NotSigned):
        Preparation(match.referee).claim_seat(
            BO, commitment, signed(match, BO, commitment, key=SeatKey())["signature"], match.now()
        )
    with pytest.raises(SeatRefused, match="32 bytes"):
        Preparation(match.referee).claim_seat(BO, "A", right, match.now())
    over, _ = claimed(is_over=True)
    with pytest.raises(SeatRefused, match="over"):
        Preparation(over.referee).claim_seat(BO, commitment, right, over.now())
    with pytest.raises(SeatRefused, match="version 3"):
        Preparation(Signing(version=2).referee).claim_seat(BO, commitment, right, match.now())
    with pytest.raises(SeatRefused, match="key"):
        Preparation(Signing("bot").referee).claim_seat(BO, commitment, right, match.now())


def test_a_file_of_openings_that_cannot_be_read_says_which_line() -> None:
    with pytest.raises(RecordInvalid, match="line 2 of the openings"):
        read_openings(b"\n{}\n")
