"""A record that is whole passes; one that was changed anywhere is named with its line."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from herald_client import Broken, Verifier
from herald_client.chance import Chance
from herald_client.record import Line, b64

RECORDS = Path(__file__).parents[3] / "tests" / "records"
FILES = sorted(RECORDS.glob("*/*.herald"))
Items = list[tuple[str, list[tuple[int, str]]]]


def read(path: Path) -> tuple[str, Items, list[tuple[int, str]], str]:
    """The match of a file of a record, its lines as a spectator has them, checkpoints, and the last head."""
    messages = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    items: Items = [(text, []) for message in messages if message["t"] == "events" for text, _ in message["items"]]
    signed = [(message["seq"], message["signed"]) for message in messages if message["t"] == "checkpoint"]
    return messages[0]["match"], items, signed, messages[0]["head"]["hash"]


def verified(match: str, items: Items) -> Verifier:
    verifier = Verifier(match)
    take_all(verifier, items)
    return verifier


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_kept_record_is_true(path: Path) -> None:
    match, items, signed, head = read(path)
    verifier = verified(match, items)
    verifier.claim(len(items), head)
    for seq, stamp in signed:
        verifier.checkpoint(seq, stamp)
    assert (verifier.seq, verifier.fault) == (len(items), None)
    assert verifier.chance.dice > 0
    assert verifier.signed_to == (signed[-1][0] if signed else 0)


MATCH, ITEMS, _, HEAD = read(FILES[0])
ROLL = next(at for at, (text, _) in enumerate(ITEMS) if '"DiceRolled"' in text)
REVEAL = next(at for at, (text, _) in enumerate(ITEMS) if '"EntropyRevealed"' in text)


def changed(at: int, **fields: Any) -> Items:
    """The record with fields of a line's event changed."""
    line = json.loads(ITEMS[at][0])
    line[8].update(fields)
    return [*ITEMS[:at], (msgspec.json.encode(line).decode(), []), *ITEMS[at + 1 :]]


@pytest.mark.parametrize(
    ("items", "line"),
    [
        (ITEMS[1:], 1),
        ([*ITEMS[:5], *ITEMS[6:]], 6),
        (changed(ROLL, dice=[7]), ROLL + 1),
        (changed(ROLL, draw=9), ROLL + 1),
        (changed(REVEAL, entropy="A" * 43), REVEAL + 1),
        ([(ITEMS[0][0].replace(",", ", ", 1), [])], 1),
        ([("[]", [])], 1),
    ],
)
def test_a_record_that_was_changed_is_broken_at_the_line(items: Items, line: int) -> None:
    verifier = Verifier(MATCH)
    with pytest.raises(Broken) as wrong:
        take_all(verifier, items)
    assert (wrong.value.seq, verifier.fault) == (line, wrong.value)
    with pytest.raises(Broken):
        verifier.take(*ITEMS[0])


def take_all(verifier: Verifier, items: Items) -> None:
    for text, openings in items:
        verifier.take(text, openings)


VECTORS_FILE = RECORDS.parent / "replay" / "record" / "record_vectors.json"
VECTORS = json.loads(VECTORS_FILE.read_text(encoding="utf-8"))["dealt"]


def dealt_lines() -> list[Line]:
    """A match whose chance is an event's: two rolls for the same seat by the same rule."""
    event, commitment = (b64(bytes.fromhex(VECTORS[name])) for name in ("event", "S"))
    dealt = {"event": event, "commitment": commitment}
    created = {"seats": ["", ""], "anchor": event, "hidden": event, "dealt": dealt}
    lines = [Line(1, 0, "MatchCreated", "g/1", -1, "", created, {}, "")]
    for number, rolled in enumerate(VECTORS["dice_of_Ré-1_for_seat_1_times_1_and_2"], 1):
        key = b64(bytes.fromhex(rolled["key"]))
        fields = {"rule": "Ré-1", "seat": 1, "draw": number, "key": key, "sides": 6, "dice": rolled["five_d6"]}
        lines.append(Line(number + 1, 0, "DiceRolled", "g/1", 1, "", fields, {}, ""))
    return lines


def chance_of(lines: list[Line]) -> Chance:
    chance = Chance(bytes(16))
    for line in lines:
        chance.take(line)
    return chance


def test_dice_that_an_event_deals_follow_from_their_place() -> None:
    lines = dealt_lines()
    assert (chance_of(lines).dice, chance_of(lines).event) == (10, b64(bytes.fromhex(VECTORS["event"])))
    lines[2].fields["seat"] = 0
    with pytest.raises(Broken, match="the key gives"):
        chance_of(lines)


def test_no_seat_gives_a_share_where_chance_is_dealt() -> None:
    share = Line(2, 0, "EntropyCommitted", "g/1", 0, "", {"seat": 0, "commitment": ""}, {}, "")
    with pytest.raises(Broken, match="where chance is dealt"):
        chance_of([dealt_lines()[0], share])


def test_a_line_that_comes_again_is_the_same_line() -> None:
    verifier = verified(MATCH, [*ITEMS[:5], *ITEMS[2:4]])
    assert (verifier.seq, verifier.fault) == (5, None)


def test_an_opening_without_the_key_of_its_seal_is_refused() -> None:
    with pytest.raises(Broken, match="are opened"):
        Verifier(MATCH, {1: bytes(32)}).take(ITEMS[0][0], [(0, "1")])


def test_two_heads_that_are_stated_for_one_line_are_found_before_it_comes() -> None:
    early = verified(MATCH, ITEMS[:5])
    early.claim(9, HEAD)
    early.claim(9, HEAD)
    with pytest.raises(Broken, match="two hashes"):
        early.claim(9, HEAD[::-1])


def test_a_head_that_is_stated_otherwise_is_found_before_and_after_its_line() -> None:
    late = verified(MATCH, ITEMS[:5])
    with pytest.raises(Broken, match="another hash"):
        late.claim(5, HEAD)
    early = verified(MATCH, ITEMS[:5])
    early.claim(6, HEAD)
    with pytest.raises(Broken, match="does not come to the hash"):
        early.take(*ITEMS[5])


def test_a_second_history_is_found() -> None:
    verifier = verified(MATCH, ITEMS[:5])
    line = json.loads(ITEMS[4][0])
    line[3] += 1
    with pytest.raises(Broken, match="two different lines"):
        verifier.take(msgspec.json.encode(line).decode())


@pytest.mark.parametrize("signed", ["", "A" * 138, "no base64"])
def test_a_servers_signature_that_is_none_is_found(signed: str) -> None:
    with pytest.raises(Broken, match="signature"):
        verified(MATCH, ITEMS[:5]).checkpoint(5, signed)


def line_of(seq: int, kind: str, **fields: Any) -> Line:
    return Line(seq, 0, kind, "1", 0, "", fields, {}, "", ())


def test_a_hint_that_was_not_agreed_on_or_is_the_second_for_its_decision_is_found() -> None:
    for hints, begun, numbers in ((False, True, [3]), (True, False, [3]), (True, True, [3, 3])):
        verifier = Verifier(b64(bytes(16)))
        verifier.hints, verifier.is_begun = hints, begun
        *good, bad = (line_of(seq, "HintAsked", seat=0, number=number) for seq, number in enumerate(numbers, 5))
        for line in good:
            verifier._hinted(line, 0)
        with pytest.raises(Broken, match="asks for a hint"):
            verifier._hinted(bad, 0)
