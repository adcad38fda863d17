"""The messages that a seat's holder signs (docs/record.md 5): choices, acts at the table, share of chance, next key."""

import secrets
from typing import Any, Final

import msgspec
from msgspec import Struct

from herald_client.keys import Key
from herald_client.record import KEY_BYTES, b64, tagged, u8, u32, u64, unb64

DAY_MS: Final = 86_400_000
ID_BYTES: Final = 255
BINDS: Final = 3
"""From this version of the record on, a signature acknowledges the line that it answers, and names an offer's terms."""
_encode = msgspec.json.Encoder().encode


class Seen(Struct, frozen=True):
    """The last line that was verified, and the chain's hash after it, as base64url; nothing if there is none."""

    seq: int = 0
    head: str = ""


NOTHING: Final = Seen()


def _acknowledged(seen: Seen) -> bytes:
    made = unb64(seen.head)
    if len(made) != (KEY_BYTES if seen.seq else 0):
        raise ValueError("the head acknowledged is no head")
    return u64(seen.seq) + made


def _named(name: str) -> bytes:
    data = name.encode()
    if len(data) > ID_BYTES:
        raise ValueError(f"an id has at most {ID_BYTES} bytes")
    return u8(len(data)) + data


def answer_commitment(mid: bytes, seat: int, number: int, salt: bytes, answer: bytes) -> bytes:
    """c: the commitment to an answer, which is JSON."""
    return tagged("choice", salt, mid, u8(seat), u32(number), answer)


def choice_message(mid: bytes, seat: int, number: int, seen: Seen, name: str, committed: bytes) -> bytes:
    """The signed message of a choice. Raises `ValueError` for values that it cannot hold."""
    return b"hr2/choice\0" + signed_part(mid + u8(seat) + u32(number), seen, name, committed)


def act_message(mid: bytes, seat: int, said: bytes, seen: Seen = NOTHING, name: str = "") -> bytes:
    """The signed message of any other act; `said` is JSON. Raises `ValueError` for values that it cannot hold."""
    return b"hr2/act\0" + signed_part(mid + u8(seat), seen, name, said)


def signed_part(front: bytes, seen: Seen, name: str, said: bytes) -> bytes:
    """The hash in every message of a seat: the seat, the line it has seen, its own id, and the contents.

    Raises `ValueError` for values that it cannot hold.
    """
    return tagged("sign", front, _acknowledged(seen), _named(name), said)


def signed_choice(key: Key, match: str, seat: int, number: int, seen: Seen, name: str, answer: Any) -> dict[str, str]:
    """The `signed` of a `choose`."""
    mid, text, salt = unb64(match), _encode(answer), secrets.token_bytes(KEY_BYTES)
    committed = answer_commitment(mid, seat, number, salt, text)
    signature = key.sign(choice_message(mid, seat, number, seen, name, committed))
    return {"text": text.decode(), "signature": signature, "salt": b64(salt)}


def signed_choice_1(key: Key, match: str, number: int, seen: Seen, name: str, answer: Any) -> dict[str, str]:
    """The `signed` of a `choose` in a match of version 1."""
    text = _encode((match, number, name, seen.seq, seen.head, answer)).decode()
    return {"text": text, "signature": key.sign(b"hr1/choice\0" + text.encode())}


def signed_act(
    key: Key, match: str, seat: int, seen: Seen, message: dict[str, Any], terms: dict[str, Any] | None = None
) -> str:
    """The `signature` of an act at the table; `message` as it is sent, `terms` as in `said`."""
    return key.sign(act_message(unb64(match), seat, said(message, terms), seen, message["id"]))


def signed_words(key: Key, match: str, seat: int, words: list[str]) -> str:
    """The signature over a statement without an id: `["share", commitment]`, `["key", key]`."""
    return key.sign(act_message(unb64(match), seat, _encode(words)))


def said(message: dict[str, Any], terms: dict[str, Any] | None = None) -> bytes:
    """The statement of an act, as JSON, derived from a message as it is sent.

    `terms`: from version 3 on, the terms of the offer that is answered, as its verified line states them.
    """
    match message["t"]:
        case "offer":
            words: list[Any] = ["offer", _terms(message["terms"])]
        case "agree" | "decline":
            words = [message["t"], message["number"], *([] if terms is None else [terms])]
        case "claim":
            words = ["claim", message["seat"], message.get("draw", False)]
        case "vacation":
            words = ["vacation", message["days"] * DAY_MS]
        case "hint":
            words = ["hint", message["decision"]]
        case _:
            words = ["resign"]
    return _encode(words)


def _terms(terms: dict[str, Any]) -> dict[str, Any]:
    """The terms of an offer as a line has them: in order, without defaults."""
    usual = {"bot": "random", "line": 0}
    order = ("is", "length_ms", "seat", "bot", "line")
    return {name: terms[name] for name in order if name in terms and terms[name] != usual.get(name)}


ACTS: Final = frozenset({"resign", "offer", "agree", "decline", "claim", "vacation", "hint"})
"""The messages that are signed as acts."""


ANSWERS: Final = frozenset({"Agreed", "Declined"})
"""Lines that answer an offer."""


def said_in_line(kind: str, fields: dict[str, Any], terms: dict[str, Any] | None = None) -> list[bytes]:
    """The statement of an act's line, in each form that it may have had; empty for a line that is no act.

    `terms` as in `said`.
    """
    words = _said_in_line(kind, fields)
    if kind in ANSWERS and terms is not None:
        words.append(terms)
    texts = [_encode(words)] if words else []
    if kind == "Offered" and fields["terms"].get("is") == "take_back":
        # A player who takes back the last choice names no line; the server adds the line.
        texts.append(_encode(["offer", {"is": "take_back"}]))
    return texts


def _said_in_line(kind: str, fields: dict[str, Any]) -> list[Any]:
    match kind:
        case "Resigned":
            return ["resign"]
        case "Offered":
            return ["offer", {name: value for name, value in fields["terms"].items() if name != "absent_ms"}]
        case "Agreed" | "Declined":
            return ["agree" if kind == "Agreed" else "decline", fields.get("number", 0)]
        case "AbsenceClaimed":
            return ["claim", fields.get("absent", 0), fields.get("draw", False)]
        case "VacationTaken":
            return ["vacation", fields["length_ms"]]
        case "VacationEnded":
            return ["vacation", 0]
        case "HintAsked":
            return ["hint", fields["number"]]
    return []
