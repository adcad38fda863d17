"""The holder of a seat: its duties to a match before play, and the signatures of its statements."""

from collections.abc import Sequence
from typing import Any

from herald_client.chance import commitment
from herald_client.claims import Opening, claimed
from herald_client.errors import Refused
from herald_client.keys import Key
from herald_client.record import b64, tagged
from herald_client.signing import BINDS, signed_act, signed_choice, signed_choice_1, signed_words
from herald_client.standing import Instruction, signed_instruction
from herald_client.verifier import Verifier


class Holder:
    """Holds a seat, with a key or with a share of chance alone, or with neither."""

    def __init__(self, verifier: Verifier, seat: int, key: Key | None = None, share: bytes = b"") -> None:
        self._verifier, self.seat, self.key = verifier, seat, key
        self._share = share
        self._is_given = False
        self._former = ""
        self._sent: set[str] = set()

    @property
    def _public(self) -> str:
        held = self._verifier.seated.get(self.seat)
        return "" if held is None else held.key

    @property
    def signs(self) -> bool:
        """Whether the seat signs with this key, as soon as the server has the messages sent so far."""
        if self.key is None:
            return False
        return self._public == self.key.public or (self._is_given and not self.is_locked_out)

    @property
    def is_locked_out(self) -> bool:
        """Whether the record names a key for the seat that this client lacks: it is stored elsewhere, or is somebody
        else's.

        This client holds the key that it sent last; the former key counts until the record names the new one.
        """
        own = "" if self.key is None else self.key.public
        return self._public not in {"", own, self._former}

    @property
    def share(self) -> bytes:
        """The seat's share of chance; empty if it has none of its own."""
        if self._share or self.key is None:
            return self._share
        return self.key.share(self._verifier.mid, self.seat)

    def connected(self) -> None:
        """Note a new connection: messages sent on the last one may be lost."""
        self._sent.clear()

    def given(self, key: Key) -> None:
        """Make the seat sign with another key from now on."""
        self.key, self._is_given, self._former = key, True, self._public

    def owed(self) -> list[dict[str, Any]]:
        """The messages that the match awaits from this seat: a key, the commitment to a share, the share; each once."""
        at = self._verifier
        if self.key is not None and self._public == self.key.public:
            self._former = ""
        if at.version == 1 or at.result is not None or self.is_locked_out:
            return []
        if self.key is not None and not self.signs:
            self._is_given = True
            return self._once({"t": "key", "key": self.key.public})
        if at.is_begun or not self.share:
            return []
        committed = b64(commitment(self.share))
        if self.seat not in at.chance.committed:
            return self._once(self._shared(committed)) if at.waits else []
        is_own = at.chance.committed[self.seat] == committed and self.seat not in at.chance.entropy
        return self._once({"t": "reveal", "entropy": b64(self.share)}) if is_own and at.chance.is_fixed else []

    def _shared(self, committed: str) -> dict[str, Any]:
        message = {"t": "share", "entropy": committed}
        if self.key is not None:
            message["signature"] = signed_words(self.key, self._verifier.match, self.seat, ["share", committed])
        return message

    def _once(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        if message["t"] in self._sent:
            return []
        self._sent.add(message["t"])
        return [message]

    def _seen(self) -> dict[str, Any]:
        seen = self._verifier.seen
        return {"ack_seq": seen.seq, "ack_head": seen.head} if seen.seq else {}

    def chosen(self, message: dict[str, Any]) -> dict[str, Any]:
        """A choice with the last line seen, and signed if the seat signs."""
        message = {**message, **self._seen()}
        if self.key is None or not self.signs:
            return message
        if not self._verifier.agreements.was_asked(message["decision"]):
            raise Refused("stale-decision", "No line of the record that is here asks this decision.")
        at, seen = self._verifier, self._verifier.seen
        number, name, answer = message["decision"], message["id"], message["choice"]
        if at.version == 1:
            signed = signed_choice_1(self.key, at.match, number, seen, name, answer)
        else:
            signed = signed_choice(self.key, at.match, self.seat, number, seen, name, answer)
        return {**message, "signed": signed}

    def acted(self, message: dict[str, Any]) -> dict[str, Any]:
        """An act at the table with the last line seen, and signed if the seat signs."""
        message = {**message, **self._seen()}
        at, terms = self._verifier, self._answered(message)
        if terms is not None:
            message["terms"] = terms
        if self.key is None or not self.signs or at.version == 1:
            return message
        if at.version < BINDS:
            terms = None
        return {**message, "signature": signed_act(self.key, at.match, self.seat, at.seen, message, terms)}

    def _answered(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The terms that an answer to an offer names. Raises `Refused` for an offer that no verified line has made."""
        if message["t"] not in ("agree", "decline"):
            return None
        terms = self._verifier.agreements.terms.get(message["number"])
        if terms is None:
            raise Refused("not-now", "No line of the record that is here makes this offer.")
        return terms

    def ahead(self, said: Sequence[Instruction]) -> dict[str, Any]:
        """The message that makes the server keep these answers, each to be used once. Raises `Refused`."""
        at, key = self._verifier, self.key
        if key is None or self._public != key.public or at.version < BINDS:
            raise Refused(
                "not-signed", "Only a seat that signs with a key answers ahead, and it has none that is here."
            )
        answers = [signed_instruction(key, at.match, self.seat, at.seen, one) for one in said]
        return {"t": "ahead", "answers": answers, **(self._seen() if answers else {})}

    def vouched(self, token: str) -> dict[str, Any]:
        """The signature with which another token opens the seat, if it signs."""
        if self.key is None or not self.signs:
            return {}
        words = ["token", b64(tagged("token", token.encode()))]
        return {"signature": signed_words(self.key, self._verifier.match, self.seat, words)}

    def entry(self, device: str) -> str:
        """The signature by which the person of a device may enter the seat without its link; empty without a key."""
        if self.key is None or not self.signs:
            return ""
        return signed_words(self.key, self._verifier.match, self.seat, ["entry", device])

    def claimed(self, person: Key, site: str) -> tuple[dict[str, Any], Opening]:
        """The message by which a person stands behind the seat's key, and the opening of its claim. Raises
        `Refused`.
        """
        at = self._verifier
        if self.key is None or self._public != self.key.public or at.version < BINDS:
            raise Refused("seat-refused", "A person stands behind a seat's key, and the seat has none that is here.")
        made, opening = claimed(person, site, at.match, self.seat, self.key.public)
        signature = signed_words(self.key, at.match, self.seat, ["person", made])
        return {"t": "person", "commitment": made, "signature": signature}, opening

    def rekeyed(self, key: Key, *, is_lost: bool) -> dict[str, Any]:
        """The message that replaces the seat's key; `is_lost`: this client lacks the key that should sign it."""
        message = {"t": "key", "key": key.public}
        if self.key is not None and self.signs and not is_lost:
            message["signature"] = signed_words(self.key, self._verifier.match, self.seat, ["key", key.public])
        return message
