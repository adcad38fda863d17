"""Each act of both client libraries, with each default said and left out, is signed as its line has it."""

import json
from typing import Any, get_args

import pytest
from msgspec import convert
from msgspec.structs import replace

from domain.kernel import Seat
from domain.kernel.table import OfferTerms
from herald_client.keys import Key
from herald_client.signing import ACTS, Seen, signed_act
from replay.record import sealing
from replay.record.signing import is_said_by
from server.wire.acts import meant
from server.wire.protocol import read_message
from tests.web.node import ROOT, node

SEAT, SEQ = Seat(1), 40
MATCH, HEAD = sealing.b64(bytes(range(16))), sealing.b64(bytes(range(32)))
KEY = Key(bytes(range(32)))
PAUSE = {"is": "pause", "length_ms": 60_000}
OFFERS: tuple[dict[str, Any], ...] = (
    {"is": "replace", "seat": 0},
    {"is": "replace", "seat": 0, "bot": "random"},
    {"is": "replace", "seat": 0, "absent_ms": 0},
    {"absent_ms": 0, "bot": "random", "seat": 0, "is": "replace"},
    {"is": "replace", "seat": 0, "bot": "steady"},
    {"is": "take_back"},
    {"is": "take_back", "line": 0},
    {"line": 12, "is": "take_back"},
    PAUSE,
    {"length_ms": 60_000, "is": "pause"},
    {"is": "go_on"},
    {"is": "draw"},
    {"is": "abandon"},
)
CASES: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    *(({"t": "offer", "terms": terms}, None) for terms in OFFERS),
    ({"t": "agree", "number": 3}, PAUSE),
    ({"t": "decline", "number": 3}, {"is": "replace", "seat": 0, "absent_ms": 700_000}),
    ({"t": "agree", "number": 3}, {"is": "take_back", "line": 9}),
    ({"t": "claim", "seat": 0}, None),
    ({"t": "claim", "seat": 0, "draw": False}, None),
    ({"t": "claim", "seat": 0, "draw": True}, None),
    ({"t": "vacation", "days": 0}, None),
    ({"t": "vacation", "days": 2}, None),
    ({"t": "hint", "decision": 7}, None),
    ({"t": "resign"}, None),
]


def messages() -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    return [({**message, "id": f"a{i}"}, terms) for i, (message, terms) in enumerate(CASES)]


def is_signed(message: dict[str, Any], terms: dict[str, Any] | None, signature: str) -> bool:
    """Whether a server, and every verifier, takes the signature for the line that it makes of the message."""
    sent = {**message, "ack_seq": SEQ, "ack_head": HEAD, "signature": signature}
    read = read_message(json.dumps(sent | ({} if terms is None else {"terms": terms})))
    act = replace(meant(read, SEAT), ack_seq=SEQ, ack_head=HEAD, signature=signature)  # type: ignore[arg-type]
    answered: OfferTerms | None = None if terms is None else convert(terms, OfferTerms)
    return is_said_by(sealing.unb64(MATCH), KEY.public, act, answered)


def test_every_act_and_every_kind_of_offer_is_tried() -> None:
    assert {message["t"] for message, _ in CASES} == ACTS
    assert {terms["is"] for terms in OFFERS} == {kind.__struct_config__.tag for kind in get_args(OfferTerms)}


@pytest.mark.parametrize(("message", "terms"), messages(), ids=lambda said: json.dumps(said)[:60])
def test_the_python_library_signs_an_act_as_its_line_has_it(
    message: dict[str, Any], terms: dict[str, Any] | None
) -> None:
    signature = signed_act(KEY, MATCH, SEAT, Seen(SEQ, HEAD), message, terms)
    assert is_signed(message, terms, signature)
    assert not is_signed({**message, "id": "another"}, terms, signature)


def test_the_typescript_library_signs_each_act_as_its_line_has_it() -> None:
    asked = {"match": MATCH, "own": KEY.text, "seat": SEAT, "seq": SEQ, "head": HEAD, "acts": messages()}
    made = json.loads(node(ROOT / "tests" / "web" / "sign_acts.mjs", json.dumps(asked)))
    wrong = [m for (m, terms), signature in zip(messages(), made, strict=True) if not is_signed(m, terms, signature)]
    assert wrong == []
