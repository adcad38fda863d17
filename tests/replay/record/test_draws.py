"""Section 4 of docs/record.md: what public lines say of chance, checked one after the other."""

from collections import Counter
from itertools import permutations

import pytest

from domain.kernel import (
    ChanceAnchored,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    MatchBegun,
    MatchCreated,
    Seat,
    Shuffled,
)
from replay.errors import RecordInvalid
from replay.record import keychain, sealing, uniform
from replay.record.draws import Draws

MID = bytes(range(16))
HID = b"h" * 32
SHARES = [b"a" * 32, b"b" * 32]
CHAINS = keychain.Chains(b"n" * 32, HID)
MIXED = keychain.mix(MID, CHAINS.first.anchor, keychain.hidden_commitment(MID, HID), SHARES)
CREATED = MatchCreated(
    "g", {}, ("A", "B"), sealing.b64(CHAINS.first.anchor), sealing.b64(keychain.hidden_commitment(MID, HID))
)
COMMITTED = [EntropyCommitted(Seat(i), sealing.b64(keychain.entropy_commitment(e))) for i, e in enumerate(SHARES)]
REVEALED = [EntropyRevealed(Seat(i), sealing.b64(e)) for i, e in enumerate(SHARES)]
BEGUN: list[Event] = [CREATED, *COMMITTED, *REVEALED, MatchBegun()]


def roll(number: int, count: int = 3) -> DiceRolled:
    key = CHAINS.key(number)
    return DiceRolled("X", "", number, sealing.b64(key), 6, keychain.dice(key, MIXED, number, count, 6))


def follow(*events: Event) -> Draws:
    draws = Draws(MID)
    for event in events:
        draws.take(event)
    return draws


def test_an_honest_course_holds() -> None:
    none = DiceRolled("X", "", 1, "", 6, ())
    draws = follow(*BEGUN, roll(1), none, Shuffled("X", "", 1, 5), roll(2, 12), Shuffled("X", "", 2, 5))
    assert (draws.draws, draws.shuffles, draws.mixed) == (2, 2, MIXED)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([*BEGUN, roll(2)], "draw 2; expected 1"),
        ([*BEGUN, roll(1), roll(1)], "draw 1; expected 2"),
        ([*BEGUN, DiceRolled("X", "", 1, "", 6, ())], "no dice"),
        ([*BEGUN, Shuffled("X", "", 2, 5)], "number 2; expected 1"),
        ([*BEGUN, DiceRolled("X", "", 1, sealing.b64(bytes(32)), 6, (1,))], "not in the chain"),
        ([*BEGUN, DiceRolled("X", "", 1, "short", 6, (1,))], "key of the draw"),
        ([CREATED, COMMITTED[0], REVEALED[0]], "before every seat"),
        ([CREATED, COMMITTED[0], COMMITTED[0]], "twice"),
        ([CREATED, *COMMITTED, REVEALED[0], REVEALED[0]], "twice"),
        ([CREATED, *COMMITTED, REVEALED[0], EntropyCommitted(Seat(2), "x")], "after another was revealed"),
        ([CREATED, *COMMITTED, EntropyRevealed(Seat(0), sealing.b64(SHARES[1]))], "another share"),
        ([CREATED, *COMMITTED, REVEALED[0], MatchBegun()], "before every share"),
        ([CREATED, EntropyCommitted(Seat(5), "x")], "no seat"),
        ([MatchCreated("g", {}, ("A", "B"))], "anchor of the key chain has 0 bytes"),
        ([*BEGUN, ChanceAnchored(CREATED.anchor, 4095)], "4095; expected 4096"),
    ],
)
def test_a_course_that_cheats_is_found(events: list[Event], why: str) -> None:
    follow(*events[:-1])
    with pytest.raises(RecordInvalid, match=why):
        follow(*events)


def test_changed_dice_are_found_with_what_they_should_be() -> None:
    honest = roll(1)
    forged = DiceRolled("X", "", 1, honest.key, 6, tuple(7 - face for face in honest.dice))
    with pytest.raises(RecordInvalid, match="expected " + " ".join(map(str, honest.dice))):
        follow(*BEGUN, forged)


def test_draws_go_on_in_the_next_chain_once_it_is_announced() -> None:
    last = keychain.CHAIN_LENGTH
    announced = ChanceAnchored(sealing.b64(CHAINS.chain(1).anchor), last)
    draws = follow(*BEGUN, announced)
    draws.draws, draws._key = last - 1, CHAINS.key(last - 1)
    for number in (last, last + 1, last + 2):
        draws.take(roll(number))
    unannounced = follow(*BEGUN)
    unannounced.draws = last
    with pytest.raises(RecordInvalid, match="no key chain"):
        unannounced.take(roll(last + 1))


def test_dice_are_even() -> None:
    counts = Counter(face for number in range(1, 201) for face in roll(number, 30).dice)
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    # 6,000 throws: chi square of 5 degrees of freedom stays below 25.7 in all but one case in 10,000.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 25.7


def test_shuffles_reach_every_order_evenly() -> None:
    counts = Counter(keychain.hidden_shuffle(HID, MIXED, number, 4) for number in range(1, 2401))
    assert set(counts) == set(permutations(range(4)))
    # 23 degrees of freedom, one case in 10,000.
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 58.7


def test_numbers_from_the_uneven_rest_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([b"\xff" * 8 + (5).to_bytes(8, "big") + b"\xff" * 16])
    monkeypatch.setattr(sealing, "prf", lambda *_: next(blocks))
    assert uniform.UniformNumbers(b"", b"", 1).below(6) == 5
