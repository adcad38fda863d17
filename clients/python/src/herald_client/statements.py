"""Statements of a server beside the record (docs/record.md 5): directions, and chances to win. The server signs each.

A relay passes statements on but cannot change them, since line 1 names the key. Nobody can prove that a statement was
withheld or came late; `at` is the time at which the server made it.
"""

from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from herald_client.keys import is_signed
from herald_client.messages import Directed
from herald_client.record import KEY_BYTES, SIGNATURE_BYTES, b64, unb64
from herald_client.verifier import Verifier

FRONT: Final = b"hr3/said\0"
Proof = Literal["server", "other", "none", "false"]
"""`server`: signed under the key that line 1 names; `other`: under another one, as another server of the match has it;
`none`: not signed, and line 1 names no key; `false`: not what was signed, or not signed though line 1 names a key."""


class Statement(Struct, frozen=True):
    """The words of a statement after its kind and match, and its `proof`; `why`: the reason if it is false."""

    words: tuple[Any, ...]
    proof: Proof
    why: str = ""


class Pointed(Struct, frozen=True):
    """A director chooses the view; None once the direction has ended. A false direction has no effect.

    `at`: when the server said so, in ms since 1970, 0 if it has not signed the direction.
    """

    direction: dict[str, Any] | None
    name: str = ""
    at: int = 0
    proof: Proof = "none"
    why: str = ""


class Chance(Struct, frozen=True):
    """The chance to win after `line`, as docs/broadcast.md has it: `sides` with `seats`, `share`, `low` and `high`."""

    line: int = 0
    samples: int = 0
    sides: tuple[dict[str, Any], ...] = ()
    at: int = 0
    proof: Proof = "none"
    why: str = ""


class Pointing:
    """The directions of a match, kept until line 1 is here and they can be judged; each is reported once."""

    def __init__(self) -> None:
        self._heard: Directed | None = None
        self._last, self._said = 0, ""

    def hear(self, told: Directed) -> None:
        """Take a direction that has arrived."""
        self._heard = told

    def told(self, verifier: Verifier) -> Pointed | None:
        """The direction that has arrived, judged by the verified lines of the match; None for one that is known."""
        told = self._heard
        if told is None or not verifier.seq:
            return None
        self._heard = None
        viewers = "open" if verifier.sees_hands else "spectator"
        found = pointed(told, verifier.match, viewers, verifier.server, self._last)
        if found.proof != "false":
            if told.said and told.said == self._said:
                return None
            self._last, self._said = found.at, told.said
        return found


def statement(kind: str, match: str, said: str, signed: str, server: str) -> Statement:
    """A statement of a kind about a match. `server`: the key that line 1 names, "" for none."""
    if not said and not signed:
        return _false("it is not signed, and line 1 names a key") if server else Statement((), "none")
    key = signer(said, signed)
    if not key:
        return _false("its signature does not hold")
    words = msgspec.json.decode(said)
    if not isinstance(words, list) or words[:2] != [kind, match]:
        return _false("it was signed for something else")
    return Statement(tuple(words[2:]), "server" if key == server else "other")


def signer(said: str, signed: str) -> str:
    """The key under which a JSON text is signed; "" if it is not signed."""
    try:
        data = unb64(signed)
        msgspec.json.decode(said)
    except ValueError:
        return ""
    key, signature = data[:KEY_BYTES], data[KEY_BYTES:]
    if len(signature) != SIGNATURE_BYTES or not is_signed(key, FRONT + said.encode(), signature):
        return ""
    return b64(key)


def pointed(told: Directed, match: str, viewers: str, server: str, last: int = 0) -> Pointed:
    """A direction for `viewers` (`spectator` or `open`). `last`: the `at` of the previous direction, which must be
    earlier.
    """
    found = statement("directed", match, told.said, told.signed, server)
    if found.proof == "none":
        return Pointed(told.direction, told.name)
    if found.proof == "false":
        return Pointed(None, proof="false", why=found.why)
    try:
        whom, at, direction, name = msgspec.convert(found.words, tuple[str, int, dict[str, Any] | None, str])
    except msgspec.ValidationError:
        return Pointed(None, proof="false", why="what is signed is no direction")
    if whom != viewers:
        return Pointed(None, proof="false", why="it was signed for other viewers")
    if at < last:
        return Pointed(None, proof="false", why="it is older than the one before it")
    return Pointed(direction, name, at, found.proof)


def chance(told: dict[str, Any], match: str, server: str) -> Chance:
    """The chance to win that `/api/outlook/MATCH` states; a chance without sides if it states none."""
    if not told:
        return Chance()
    found = statement("chance", match, str(told.get("said", "")), str(told.get("signed", "")), server)
    words = (0, told.get("line"), told.get("samples"), told.get("sides")) if found.proof == "none" else found.words
    if found.proof == "false":
        return Chance(proof="false", why=found.why)
    try:
        at, line, samples, sides = msgspec.convert(words, tuple[int, int, int, tuple[dict[str, Any], ...]])
    except msgspec.ValidationError:
        return Chance(proof="false", why="what is told is no chance to win")
    return Chance(line, samples, sides, at, found.proof)


def _false(why: str) -> Statement:
    return Statement((), "false", why)
