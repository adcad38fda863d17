"""The JavaScript verifier, which shares no code with the server, on the vectors and on whole matches."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import Agreed, HintAsked, Offered, Replace, Seat
from domain.vera_discordia import GAME as VERA
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import sealing
from replay.record.serverkey import KeyRing
from replay.store.store import Store
from tests.chance import chance_of
from tests.replay.dealt import EVENT, LIES, lied, played_at
from tests.replay.dishonest import FORGERIES, Signing, as_seen, relabelled
from tests.replay.dishonest_lines import LINES
from tests.replay.matches import played, taken_back
from tests.skirmish.game import GAME as SKIRMISH
from tests.web.node import ROOT, node

VERIFY = ROOT / "scripts" / "verify-stream.mjs"
VIEWERS = {"all": None, "seat 1": Viewer(Seat(1)), "spectator": SPECTATOR}


@cache
def exported(name: str, tmp: Path) -> list[bytes]:
    with chance_of("exported"):
        store, referee = played(7, sign=KeyRing(tmp).current.stamp)
    return list(export.write(export.from_store(store, referee.match, VIEWERS[name])))


def verify(lines: Iterable[bytes], tmp: Path, *, status: int = 0) -> dict[str, Any]:
    file = tmp / "match.jsonl"
    file.write_bytes(b"".join(lines))
    found: dict[str, Any] = json.loads(node(VERIFY, "--json", str(file), status=status))
    return found


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


def test_record_vectors() -> None:
    node(
        Path(__file__).with_name("verify_vectors.mjs"),
        str(ROOT / "tests" / "replay" / "record" / "record_vectors.json"),
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_whole_match_holds_for_every_viewer(viewer: str, keys: Path, tmp_path: Path) -> None:
    lines = exported(viewer, keys)
    told = verify(lines, tmp_path)
    events = [json.loads(line) for line in lines if b'"t":"events"' in line]
    assert told["lines"] == len(events)
    assert told["head"] == events[-1]["head"]["hash"]
    assert told["dice"] > 0
    assert told["signatures"] > 0
    assert told["openings"] == sum(len(opened) for event in events for _, opened in event["items"])
    assert (told["shuffles"] > 0) == (viewer == "all")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_match_taken_back_holds_for_every_viewer(viewer: str, tmp_path: Path) -> None:
    store, referee = played(4, most=6)
    taken_back(
        store, referee, next(entry.seq for entry in store.read(referee.match) if entry.type == "DecisionsOpened")
    )
    lines = export.write(export.from_store(store, referee.match, VIEWERS[viewer]))
    assert verify(lines, tmp_path)["lines"] == referee.seq


def test_a_roll_of_no_dice_draws_nothing(tmp_path: Path) -> None:
    seeds = (played(seed, game=VERA, most=150) for seed in range(3, 40))
    store, referee = next(match for match in seeds if rolls_no_dice(match[0], match[1].match))
    told = verify(export.write(export.from_store(store, referee.match, SPECTATOR)), tmp_path)
    assert told["dice"] > 0


def rolls_no_dice(store: Store, match: str) -> bool:
    return any(b'"dice":[]' in entry.line.replace(b"\\", b"") for entry in store.read(match))


def streamed(lines: list[bytes]) -> list[bytes]:
    """An export as the stream that its viewer would have saved."""
    begun = json.loads(lines[0])
    return [changed({"t": "welcome", **{key: begun[key] for key in ("match", "head", "keys")}}), *lines[1:]]


def changed(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def test_changed_digit_in_a_line_is_found_and_named(keys: Path, tmp_path: Path) -> None:
    lines = exported("spectator", keys)
    for n in range(1, len(lines) - 1, 9):
        message = json.loads(lines[n])
        if message["t"] != "events":
            continue
        text = message["items"][0][0]
        at = next(i for i in range(len(text) - 1, 0, -1) if text[i].isdigit())
        message["items"][0][0] = f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"
        told = verify([*lines[:n], changed(message), *lines[n + 1 :]], tmp_path, status=1)
        assert told["seq"] == n


def test_changed_opening_is_found(keys: Path, tmp_path: Path) -> None:
    lines = exported("seat 1", keys)
    n = next(i for i, line in enumerate(lines) if line.startswith(b'{"t":"events"') and json.loads(line)["items"][0][1])
    message = json.loads(lines[n])
    message["items"][0][1][0][1] = '"another"'
    told = verify([*lines[:n], changed(message), *lines[n + 1 :]], tmp_path, status=1)
    assert told["seq"] == n
    assert "sealed" in told["why"]


def test_changed_die_is_found_even_where_the_chain_is_made_anew(keys: Path, tmp_path: Path) -> None:
    lines = [line for line in streamed(exported("spectator", keys)) if b'"t":"checkpoint"' not in line]
    n = next(i for i, line in enumerate(lines) if b"DiceRolled" in line)
    messages = [json.loads(line) for line in lines]
    fields = json.loads(messages[n]["items"][0][0])
    fields[8]["dice"][0] = fields[8]["dice"][0] % fields[8]["sides"] + 1
    messages[n]["items"][0][0] = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    del messages[n + 1 :]
    for message in messages:
        message["head"] = {"seq": 0, "hash": first_head(messages[0]["match"])}
    told = verify(map(changed, messages), tmp_path, status=1)
    assert told["seq"] == n
    assert "dice" in told["why"]


def first_head(match: str) -> str:
    from replay.record import sealing

    return sealing.b64(sealing.genesis(sealing.unb64(match)))


def test_dropped_swapped_and_missing_lines_are_found(keys: Path, tmp_path: Path) -> None:
    lines = exported("spectator", keys)
    assert verify([*lines[:5], *lines[6:]], tmp_path, status=1)["seq"] == 5
    assert verify([*lines[:5], lines[6], lines[5], *lines[7:]], tmp_path, status=1)["seq"] == 5
    count = sum(b'"t":"events"' in line for line in lines)
    assert verify(lines[:count], tmp_path, status=1)["seq"] == count


def test_line_sent_again_must_be_the_same(keys: Path, tmp_path: Path) -> None:
    file = exported("spectator", keys)
    assert verify([*file[:6], *file[5:]], tmp_path, status=1)["seq"] == 6
    lines = streamed(file)
    assert verify([*lines[:6], lines[5], *lines[6:]], tmp_path)["ok"]
    message = json.loads(lines[5])
    message["items"][0][0] = message["items"][0][0].replace("[3,", "[1,", 1)
    assert verify([*lines[:6], changed(message), *lines[6:]], tmp_path, status=1)["seq"] == 5


def test_changed_signature_is_found(keys: Path, tmp_path: Path) -> None:
    lines = exported("spectator", keys)
    n = next(i for i, line in enumerate(lines) if b'"t":"checkpoint"' in line)
    message = json.loads(lines[n])
    swap = "A" if message["signed"][60] != "A" else "B"
    message["signed"] = message["signed"][:60] + swap + message["signed"][61:]
    assert not verify([*lines[:n], changed(message), *lines[n + 1 :]], tmp_path, status=1)["ok"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_signature_of_the_server_that_is_left_out_in_the_middle_is_said(
    viewer: str, keys: Path, tmp_path: Path
) -> None:
    lines = exported(viewer, keys)
    whole = verify(lines, tmp_path)
    assert (whole["bare"], whole["commits"] > 5) == ([], True)
    stamps = [i for i, line in enumerate(lines) if line.startswith(b'{"t":"checkpoint"')]
    left_out = stamps[-3]
    told = verify([*lines[:left_out], *lines[left_out + 1 :]], tmp_path)
    assert (told["ok"], told["bare"]) == (True, [json.loads(lines[left_out])["seq"]])
    said = node(VERIFY, str(tmp_path / "match.jsonl"))
    assert f"of the {told['commits']} commits before choices and acts 1 have no signature of the server" in said


def test_wrong_secret_at_the_close_is_found(keys: Path, tmp_path: Path) -> None:
    lines = exported("all", keys)
    message = json.loads(lines[-1])
    assert message["t"] == "closing"
    message["hid"] = message["k_n"]
    assert verify([*lines[:-1], changed(message)], tmp_path, status=1)["seq"] == 1


@pytest.mark.whole
@pytest.mark.parametrize("viewer", ["all", "seat 1", "spectator"])
def test_record_5_what_a_dishonest_server_makes_up_is_found(viewer: str, tmp_path: Path) -> None:
    files, lines = [], {}
    for number, (name, (forge, _)) in enumerate({**FORGERIES, **LINES}.items()):
        shown = VIEWERS[viewer]
        record = forge() if shown is None else as_seen(forge(), shown)
        fault = audit(SKIRMISH, record).fault
        assert fault is not None
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(b"".join(export.write(record)))
        files.append(str(file))
        lines[str(file)] = (name, fault.line)
    for line in node(VERIFY, "--json", *files, status=1).splitlines():
        told = json.loads(line)
        name, seq = lines.pop(told["file"])
        # A reader of a file may refuse it whole for an opening that its view cannot hold.
        assert (name, told["seq"]) in ((name, seq), ("a choice open to all", 0))
    assert not lines


@pytest.mark.whole
@pytest.mark.parametrize("viewer", ["all", "seat 1", "spectator"])
def test_record_5_what_seats_sign_holds_and_what_they_do_not_is_told(viewer: str, tmp_path: Path) -> None:
    match = Signing(hints=True)
    first = match.referee.state.asked[0]
    match.act(HintAsked(first.seat, number=first.number))
    match.choose(4)
    match.act(Offered(Seat(0), number=1, terms=Replace(Seat(1), "random")))
    match.act(Agreed(Seat(1), number=1))
    match.choose(4)
    told = verify(export.write(match.record(VIEWERS[viewer])), tmp_path)
    assert (told["version"], told["seats"], told["unproven"]) == (3, match.audited().signatures, [])
    assert told["seats"] >= 4
    former, _ = played(1, version=1)
    told = verify(export.write(export.from_store(former, _.match, VIEWERS[viewer])), tmp_path)
    assert (told["version"], told["unproven"]) == (1, [[0, 0], [1, 0]])


def test_record_5_version_1_is_no_way_out_and_what_is_lacking_is_told(tmp_path: Path) -> None:
    record = relabelled()
    for viewer in (None, Viewer(Seat(0))):
        seen = record if viewer is None else as_seen(record, viewer)
        assert "not signed by seat" in verify(export.write(seen), tmp_path, status=1)["why"]
    told = verify(export.write(as_seen(record, SPECTATOR)), tmp_path)
    assert told["lacks"] == ["version", "shares", "signatures"]
    former, referee = played(1, version=1)
    for viewer in VIEWERS.values():
        told = verify(export.write(export.from_store(former, referee.match, viewer)), tmp_path)
        assert told["lacks"] == ["version", "keys", "shares", "signatures"]
    match = Signing()
    match.choose(2)
    cut = match.record(SPECTATOR)
    assert verify(export.write(cut), tmp_path)["lacks"] == ["shares", "signatures"]
    del cut.held[-1]
    cut.end = len(cut.held)
    assert verify(export.write(cut), tmp_path)["lacks"] == ["shares", "signatures", "commit"]


def test_record_4_a_table_of_an_event_holds_and_lies_about_its_seed_are_found(tmp_path: Path) -> None:
    store, referee = played_at(6)
    for viewer in VIEWERS.values():
        told = verify(export.write(export.from_store(store, referee.match, viewer)), tmp_path)
        assert (told["event"], told["dice"] > 0) == (sealing.b64(EVENT), True)
        assert (told["shuffles"] > 0) == (viewer is None)
    said = [verify(export.write(lied(lie)), tmp_path, status=1) for lie in LIES]
    assert [told["why"].partition(" show")[0] for told in said] == [
        "the draw's key does not follow from the event's seed",
        "the shuffle is not what the hidden chance gives",
        *["the dice"] * 2,
    ]
