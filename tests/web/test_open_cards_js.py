"""The JavaScript verifier on open cards: every hand is checked against its seal."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import OpenCards, Seat
from projections.redaction import OPEN
from replay.record import sealing
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.store.log import Committed
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.table.audience import split_lines, told_lines
from server.wire.protocol import HeadInfo, write_message
from tests.replay.matches import START, put, step
from tests.skirmish.game import GAME
from tests.web.node import node

CHECK = Path(__file__).with_name("open_cards.mjs")


def shown(cards: OpenCards | None = OpenCards(120, 0)) -> dict[str, Any]:  # noqa: B008 - frozen
    """A whole match as spectators of open cards are sent it."""
    store = MemoryStore()
    referee, creation = create_match(GAME, {}, ("", ""), at=START, open_cards=cards)
    rows = (SeatRow(0, "", "person", ""), SeatRow(1, "", "person", ""))
    assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
    referee.accept(creation.ruling)
    for seat in (Seat(0), Seat(1)):
        put(store, referee, Preparation(referee).take_seat(seat, f"Player {seat}", "person", START))
    put(store, referee, Preparation(referee).begin(START))
    rng = random.Random(3)
    while step(store, referee, rng):
        pass
    end = HeadInfo(referee.seq, sealing.b64(referee.head))
    message = told_lines(split_lines(store.read(referee.match)), OPEN, end, salts=referee.salt)
    told: dict[str, Any] = {"match": referee.match, **json.loads(write_message(message))}
    return told


def verdict(told: dict[str, Any], tmp: Path) -> str:
    file = tmp / "message.json"
    file.write_text(json.dumps(told))
    return node(CHECK, str(file)).strip()


def test_every_hand_of_a_whole_match_is_checked(tmp_path: Path) -> None:
    told = shown()
    assert verdict(told, tmp_path) == str(sum(len(openings) for _, openings in told["items"]))


@pytest.mark.parametrize("lie", ["another card", "another salt", "a longer salt", "one left out"])
def test_a_hand_that_nobody_held_is_found_with_its_line(lie: str, tmp_path: Path) -> None:
    told = shown()
    at = next(n for n, (_, openings) in enumerate(told["items"]) if openings)
    openings, salts = told["items"][at][1], told["salts"][at]
    if lie == "another card":
        openings[0][1] = "6"
    elif lie == "another salt":
        salts[0] = "A" * 43
    elif lie == "a longer salt":
        salts[0] += "AAAA"
    else:
        del openings[0], salts[0]
    assert verdict(told, tmp_path).startswith(f"line {at + 1}: ")


def test_hands_to_whose_showing_nobody_agreed_are_refused(tmp_path: Path) -> None:
    assert verdict(shown(None), tmp_path) == "line 1: its players have not agreed to open cards"
