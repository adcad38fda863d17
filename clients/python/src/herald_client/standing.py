"""Answers that a seat signs before it is asked, for its server to keep (docs/record.md 5, *Standing answers*)."""

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from herald_client.keys import Key
from herald_client.record import KEY_BYTES, b64, check_written, tagged, u8, unb64
from herald_client.requests import fresh_id
from herald_client.signing import Seen, signed_part

STANDING: Final = "standing"
"""The author that the line of such an answer names."""
FIELDS: Final = ("kind", "terms", "until", "then")
NEVER: Final = 2**31
"""A number greater than that of any decision of a match."""


class Instruction(Struct, frozen=True):
    """The answer of a seat to a later question of this `kind`: it chooses `then`, a choice with its name in `do`.

    `terms`: the terms that the question must include; `until`: the last decision that it may answer."""

    kind: str
    then: dict[str, Any]
    terms: dict[str, Any] = {}
    until: int = NEVER

    @property
    def text(self) -> str:
        """The instruction as it is signed."""
        return written({"kind": self.kind, "terms": self.terms, "until": self.until, "then": self.then})


def written(value: object) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def commitment(mid: bytes, seat: int, salt: bytes, text: str) -> bytes:
    """c: the commitment to an instruction."""
    return tagged("standing", salt, mid, u8(seat), text.encode())


def message(mid: bytes, seat: int, seen: Seen, name: str, committed: bytes) -> bytes:
    """The message that a seat signs ahead. Raises `ValueError` for values that it cannot hold."""
    return b"hr2/standing\0" + signed_part(mid + u8(seat), seen, name, committed)


def signed_instruction(key: Key, match: str, seat: int, seen: Seen, said: Instruction) -> dict[str, str]:
    """One answer for `keep`, to be used once."""
    mid, salt, name = unb64(match), secrets.token_bytes(KEY_BYTES), fresh_id()
    signature = key.sign(message(mid, seat, seen, name, commitment(mid, seat, salt, said.text)))
    return {"id": name, "text": said.text, "salt": b64(salt), "signature": signature}


def opened_fault(mid: bytes, fields: Mapping[str, Any], opened: Any, choice: Any, asked: Mapping[str, Any]) -> str:
    """The reason why an answer does not follow from what its seat signed ahead; "" if it does.

    `opened`: salt and text; `asked`: the question, as its line has it.
    """
    if not isinstance(opened, list) or len(opened) != 2:
        return "its instruction is not opened"
    salt, text = unb64(opened[0]), opened[1]
    if len(salt) != KEY_BYTES or b64(commitment(mid, fields["seat"], salt, text)) != fields.get("commitment", ""):
        return "salt and instruction do not open its commitment"
    said = check_written(text)
    if not isinstance(said, dict) or sorted(said) != sorted(FIELDS) or not isinstance(said["terms"], dict):
        return "its instruction is none"
    terms = asked["terms"]
    named = all(name in terms and _same(terms[name], value) for name, value in said["terms"].items())
    if said["kind"] != asked["kind"] or not named or not _reaches(said["until"], asked["number"]):
        return "its instruction speaks of another question"
    return "" if _same(said["then"], choice) else "its instruction says another choice"


def _reaches(until: object, number: int) -> bool:
    return isinstance(until, int) and not isinstance(until, bool) and number <= until


def _same(one: object, other: object) -> bool:
    """Whether two values are equal in JSON, in any order of names: Python's True is 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
