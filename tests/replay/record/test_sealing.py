"""Section 7 of docs/record.md: the test vectors."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import Seat
from replay.record import dealt_chance, keychain, sealing, signing
from replay.record.errors import ChainSpent
from replay.record.signing import SeatKey

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "record_vectors.json").read_text())
MID = bytes.fromhex(VECTORS["mid"])
ENTROPY = [bytes.fromhex(e) for e in VECTORS["entropy"]]


def unhex(name: str) -> bytes:
    return bytes.fromhex(VECTORS[name])


@pytest.fixture(scope="module")
def chain() -> keychain.KeyChain:
    return keychain.KeyChain(unhex("k_N"), VECTORS["N"])


@pytest.fixture
def mixed(chain: keychain.KeyChain) -> bytes:
    return keychain.mix(MID, chain.anchor, keychain.hidden_commitment(MID, unhex("hid")), ENTROPY)


def test_record_4_entropy_commitments() -> None:
    assert [keychain.entropy_commitment(e).hex() for e in ENTROPY] == VECTORS["entropy_commitments"]


def test_record_4_key_chain(chain: keychain.KeyChain) -> None:
    assert chain.anchor == unhex("c0")
    assert chain.key(1) == unhex("k_1")
    assert chain.key(2) == unhex("k_2")
    assert chain.key(VECTORS["N"]) == unhex("k_N")
    assert all(sealing.tagged_hash("chain", chain.key(j)) == chain.key(j - 1) for j in (1, 63, 64, 65, 128, 4096))


def test_record_4_the_chain_ends(chain: keychain.KeyChain) -> None:
    with pytest.raises(ChainSpent):
        chain.key(VECTORS["N"] + 1)


def test_record_4_mixed_entropy(mixed: bytes) -> None:
    assert keychain.hidden_commitment(MID, unhex("hid")) == unhex("D")
    assert mixed == unhex("X")


def test_record_4_draws(chain: keychain.KeyChain, mixed: bytes) -> None:
    chains = keychain.Chains(unhex("k_N"), unhex("hid"))
    assert chains.first.anchor == chain.anchor
    chance = keychain.RecordedChance(chains, unhex("hid"), mixed, 0, 0)
    draw = chance.dice(12, 6)
    assert list(draw.values) == VECTORS["public_draw_1_twelve_d6"]
    assert draw.key == sealing.b64(unhex("k_1"))
    assert list(chance.shuffle(27).values) == VECTORS["hidden_draw_1_shuffle_27"]


def test_record_3_seal() -> None:
    sealer = sealing.Sealer(MID, unhex("K_m"))
    value = VECTORS["value"].encode()
    assert sealer.key(2) == unhex("K_A_mask_2")
    assert sealer.salt(2, 0, 2) == unhex("salt_seq_2_slot_0")
    assert sealer.seal(2, 0, 2, value) == unhex("seal_seq_2_slot_0_mask_2")
    assert sealer.seal(2, 0, 2, value + b" ") != unhex("seal_seq_2_slot_0_mask_2")


def test_record_2_chain() -> None:
    heads = [sealing.genesis(MID)]
    heads += [sealing.link(heads[-1], VECTORS["line_1"].encode())]
    heads += [sealing.link(heads[-1], VECTORS["line_2"].encode())]
    assert heads == [unhex("h_0"), unhex("h_1"), unhex("h_2")]


def test_record_5_checkpoint_message() -> None:
    message = sealing.checkpoint_message(MID, 2, unhex("h_2"), 1700000001000)
    assert message == unhex("checkpoint_message_n_2_t_1700000001000")


def test_record_1_base64_is_strict() -> None:
    assert sealing.unb64(sealing.b64(b"\xff\x00")) == b"\xff\x00"
    for strange in ("_x==", "_w=", "_x", "+w", "/w", " _w", "_w\n", "_\u00e9", "\ud800", "_", "_w\0\0", "=", "_w."):
        with pytest.raises(ValueError, match=r"base64|ascii|codec|number of data"):
            sealing.unb64(strange)
    assert sealing.unb64("_w") == b"\xff"
    assert sealing.unb64("") == b""


def test_record_5_what_a_seat_signs_in_version_2() -> None:
    told = VECTORS["version_2"]
    key = SeatKey(bytes.fromhex(told["seed"]))
    seat, head = told["seat"], sealing.b64(bytes.fromhex(told["ack_head"]))
    assert key.public == sealing.b64(bytes.fromhex(told["public"]))
    salt, answer = bytes.fromhex(told["salt"]), told["answer"].encode()
    made = signing.answer_commitment(MID, seat, told["decision"], salt, answer)
    message = signing.choice_message(MID, seat, told["decision"], told["ack_seq"], head, told["id"], made)
    assert (made.hex(), message.hex()) == (told["commitment"], told["choice_message"])
    act = signing.act_message(MID, seat, told["act_said"].encode(), told["ack_seq"], head, told["act_id"])
    share = signing.act_message(MID, seat, told["share_said"].encode())
    assert (act.hex(), share.hex()) == (told["act_message"], told["share_message"])
    for what, signed in (("choice", message), ("act", act), ("share", share)):
        assert key.sign(signed) == sealing.b64(bytes.fromhex(told[f"{what}_signature"]))


def test_record_4_dealt_chance() -> None:
    told = VECTORS["dealt"]
    event, seed = bytes.fromhex(told["event"]), bytes.fromhex(told["seed"])
    commitment = dealt_chance.seed_commitment(event, seed)
    mixed = dealt_chance.dealt_mix(event, commitment)
    assert (commitment.hex(), mixed.hex()) == (told["S"], told["X"])
    chance = dealt_chance.DealtChance(seed, mixed, 0, 0, dealt_chance.Places())
    for number, rolled in enumerate(told["dice_of_Ré-1_for_seat_1_times_1_and_2"], 1):
        draw = chance.dice_at("Ré-1", Seat(1), 5, 6)
        assert (draw.number, sealing.unb64(draw.key).hex()) == (number, rolled["key"])
        assert list(draw.values) == rolled["five_d6"]
    assert list(chance.shuffle_at("X-2", None, 27).values) == told["shuffle_27_of_X-2_for_nobody_time_1"]
