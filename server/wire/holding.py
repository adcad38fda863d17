"""What the holder of a seat keeps, its key and its share of chance, and how what it says is signed (docs/record.md)."""

import hashlib
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace

from domain.kernel import Chosen, Seat, State
from replay.record import hr1, keychain, signing
from replay.record.signing import SeatKey
from server.errors import Misconfigured
from server.wire.acts import act_of
from server.wire.protocol import ChoiceSignature, Choose, ClientMessage, Reveal, SetKey, Share, TableMessage

if TYPE_CHECKING:
    from server.wire.client import View

M = TypeVar("M", bound=TableMessage)
PKCS8: Final = bytes.fromhex("302e020100300506032b657004220420")
"""What stands before the 32 bytes of an Ed25519 key (RFC 8410), as browsers keep it."""


def key_text(key: SeatKey) -> str:
    """A private key as a seat's link holds it."""
    return hr1.b64(PKCS8 + hr1.unb64(key.seed))


def read_key(text: str) -> SeatKey:
    """The key of a link. Raises `Misconfigured`."""
    try:
        data = hr1.unb64(text)
    except ValueError:
        data = b""
    if len(data) != len(PKCS8) + hr1.KEY_BYTES or not data.startswith(PKCS8):
        raise Misconfigured("The key in this link (k=…) is not whole; copy the link again.")
    return SeatKey(data.removeprefix(PKCS8))


class Holder:
    """Holds a seat with a key, out of which its share of chance is made too, so that one thing has to be kept."""

    def __init__(self, view: "View", key: SeatKey) -> None:
        self.key = key
        self._view = view
        self._begun = 0
        self._is_given = False

    @property
    def seat(self) -> Seat:
        """The seat that is held."""
        seat = self._view.viewer.seat
        assert seat is not None, "a spectator holds no seat"
        return seat

    @property
    def share(self) -> bytes:
        """The seat's share of chance: nobody knows it who has not the key."""
        secret = hr1.unb64(self.key.seed) + hr1.unb64(self._view.match) + bytes([self.seat])
        return hashlib.sha256(b"herald share\0" + secret).digest()

    @property
    def signs(self) -> bool:
        """Whether the seat signs with this key, as soon as the server has what was sent."""
        state = self._view.state
        return state is not None and (self._is_given or (self.seat, self.key.public) in state.taken)

    @property
    def is_locked_out(self) -> bool:
        """Whether the seat signs with another key."""
        state = self._view.state
        held = "" if state is None else dict(state.taken).get(self.seat, "")
        return bool(held) and held != self.key.public and not self._is_given

    def rekeyed(self) -> SetKey:
        """The message that puts this key in a seat's that has none, or whose key is lost."""
        self._is_given = True
        return SetKey(self.key.public)

    def owed(self) -> list[ClientMessage]:
        """What is to be sent before the match can begin: a key, the commitment to a share, the share; each once."""
        state = self._view.state
        if state is None or state.record == 1 or state.begun or state.result is not None or self.is_locked_out:
            return []
        committed, revealed = dict(state.committed), dict(state.entropy)
        commitment = hr1.b64(keychain.entropy_commitment(self.share))
        if not self.signs:
            return self._once(1, self.rekeyed())
        if self.seat not in committed:
            said = signing.share_said(commitment)
            signature = self.key.said(self._view.match, self.seat, said)
            return self._once(2, Share(commitment, signature)) if state.shares else []
        is_own = committed[self.seat] == commitment and self.seat not in revealed
        if is_own and len(committed) == len(state.players):
            return self._once(3, Reveal(hr1.b64(self.share)))
        return []

    def _once(self, step: int, message: ClientMessage) -> list[ClientMessage]:
        before, self._begun = self._begun, max(step, self._begun)
        return [message] if before < step else []

    def chosen(self, message: Choose) -> Choose:
        """A choice with the last line seen, and signed where the seat signs."""
        seq, head = self._view.ack
        message = replace(message, ack_seq=seq, ack_head=head)
        if not self.signs:
            return message
        note = Chosen(self.seat, message.decision, message.id, ack_seq=seq, ack_head=head)
        return replace(message, signed=self._signature(note, message.choice))

    def _signature(self, note: Chosen, answer: Any) -> ChoiceSignature:
        match = self._view.match
        if self._view.state.record == 1:
            text = signing.choice_text_1(match, note, answer)
            return ChoiceSignature(text, self.key.sign(signing.choice_message_1(text)))
        signed = self.key.chosen(match, note, answer)
        assert isinstance(signed.signed, tuple), "it was opened just now"
        salt, text = signed.signed
        return ChoiceSignature(text, signed.signature, salt)

    def acted(self, message: M) -> M:
        """An act at the table with the last line seen, and signed where the seat signs."""
        state: State = self._view.state
        seq, head = self._view.ack
        message = replace(message, ack_seq=seq, ack_head=head)
        if not self.signs or state.record == 1:
            return message
        act = act_of(message, self.seat, self._view.game, state, lambda _: 0)
        return replace(message, signature=self.key.acted(self._view.match, act).signature)
