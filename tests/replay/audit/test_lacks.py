"""In what a record is weaker than one can be is said first; so is what was left out of a file (docs/auditing.md)."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import herald_client
from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.files.export import Record
from replay.record import sealing
from replay.record.preparation import Preparation
from replay.record.serverkey import KeyRing
from tests.replay.dishonest import ADA, BO, FORGERIES, SHARES, Signing, as_seen, fixed, relabelled, rewritten
from tests.replay.matches import START, played
from tests.skirmish.game import GAME


def lacks(record: Record) -> list[str]:
    report = audit(GAME, record)
    assert report.ok, report.fault
    return report.lacks


def shared() -> Signing:
    """A match whose seats both sign and have both given a share of chance."""
    match = Signing()
    fixed(match, (ADA, BO))
    for seat in (ADA, BO):
        match.put(Preparation(match.referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START))
    match.put(Preparation(match.referee).begin(START))
    return match


def test_only_a_servers_signature_is_lacking_where_both_sign_and_give_their_shares() -> None:
    record = shared().record()
    assert lacks(record) == ["signatures"]


@pytest.mark.parametrize(("version", "more"), [(1, ["version", "keys"]), (2, ["version"]), (3, [])])
def test_an_older_version_and_dice_of_the_server_alone_are_named(version: int, more: list[str]) -> None:
    assert lacks(Signing(version=version).record()) == [*more, "shares", "signatures"]


def test_a_reveal_that_is_not_to_everybody_is_named() -> None:
    def close(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "MatchCreated":
            parts[8]["reveal"] = "auditor"

    record = rewritten(Signing(version=1).record(), close)
    assert lacks(record) == ["version", "keys", "shares", "reveal", "signatures"]


def test_a_file_that_ends_inside_a_commit_says_so() -> None:
    match = shared()
    match.choose(1)
    whole = match.record()
    chosen = next(i for i, held in enumerate(whole.held) if b'"Chosen"' in held.line)
    for end in range(chosen + 1, len(whole.held) + 1):
        cut = replace_end(match.record(SPECTATOR), end)
        assert ("commit" in lacks(cut)) == (end < len(whole.held)), end
    assert "commit" not in lacks(replace_end(match.record(SPECTATOR), chosen))


def replace_end(record: Record, end: int) -> Record:
    del record.held[end:]
    record.end, record.result = end, None
    record.checkpoints = [one for one in record.checkpoints if one[0] <= end]
    return record


@pytest.mark.parametrize("viewer", [None, Viewer(Seat(0))])
def test_version_1_is_no_way_out_for_whoever_holds_what_was_signed(viewer: Viewer | None) -> None:
    record = relabelled()
    fault = audit(GAME, record if viewer is None else as_seen(record, viewer)).fault
    assert fault is not None
    assert "not signed by seat" in fault.wrong


def test_version_1_is_named_first_to_whoever_cannot_see_what_was_signed() -> None:
    assert lacks(as_seen(relabelled(), SPECTATOR))[0] == "version"


def verified(record: Record, viewer: Viewer) -> herald_client.Verifier:
    """What the Python client's verifier makes of what a viewer is shown."""
    seen = as_seen(record, viewer)
    verifier = herald_client.Verifier(seen.match, seen.keys)
    for held in seen.held:
        verifier.take(held.line.decode(), [(slot, value.decode()) for slot, value in sorted(held.openings.items())])
    return verifier


@pytest.mark.parametrize(
    "name", [name for name, (_, why) in FORGERIES.items() if "before what" in why or "pause" in name]
)
@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1))])
def test_the_python_client_finds_answers_that_saw_something_else(name: str, viewer: Viewer) -> None:
    forge, _ = FORGERIES[name]
    with pytest.raises(herald_client.Broken):
        verified(forge(), viewer)


def test_the_python_client_says_what_is_lacking() -> None:
    assert verified(shared().record(), SPECTATOR).lacks == ("signatures",)
    assert verified(Signing(version=2).record(), SPECTATOR).lacks == ("version", "shares", "signatures")
    assert verified(Signing(version=1).record(), SPECTATOR).lacks == ("version", "keys", "shares", "signatures")
    cut = shared()
    cut.choose(2)
    record = cut.record()
    del record.held[-1]
    assert verified(record, SPECTATOR).lacks == ("signatures", "commit")


def test_the_python_client_takes_no_unsigned_choice_for_version_1() -> None:
    with pytest.raises(herald_client.Broken, match="not signed by seat"):
        verified(relabelled(), Viewer(Seat(0)))
    assert verified(relabelled(), SPECTATOR).lacks[0] == "version"


@pytest.mark.parametrize("viewer", [None, SPECTATOR, Viewer(Seat(0))])
def test_a_servers_signature_that_is_left_out_in_the_middle_is_said(viewer: Viewer | None, tmp_path: Path) -> None:
    store, referee = played(3, sign=KeyRing.beside(tmp_path / "db").current.stamp)
    record = export.from_store(store, referee.match, viewer)
    report = audit(GAME, record)
    assert not [why for why in report.unchecked if "commits" in why]
    left_out = record.checkpoints.pop(-3)
    report = audit(GAME, record)
    assert report.ok
    (said,) = [why for why in report.unchecked if "commits" in why]
    assert said.endswith(f"1 have none, the first at line {left_out[0]}")


def test_without_its_game_a_record_is_checked_in_all_but_its_rules() -> None:
    store, referee = played(3)
    record = export.from_store(store, referee.match)
    known, strange = audit(GAME, record), audit(None, record)
    assert strange.ok
    assert "rules" in strange.lacks
    assert (strange.openings, strange.rolls, strange.shuffles) == (known.openings, known.rolls, known.shuffles)
    assert strange.unchecked[0] == "the rules: there is no game 'skirmish' here"
    assert record.secrets is not None
    record.secrets = replace(record.secrets, hid=bytes(32))
    fault = audit(None, record).fault
    assert fault is not None
    assert fault.wrong == "the key of hidden draws (hid) is not the one committed to in line 1"
