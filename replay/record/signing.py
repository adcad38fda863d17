"""The messages that seats sign (docs/record.md 5): choices, and all other acts."""

import secrets
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace
from nacl.bindings import crypto_sign_BYTES, crypto_sign_open, crypto_sign_PUBLICKEYBYTES
from nacl.exceptions import CryptoError
from nacl.signing import SigningKey

from domain.kernel import (
    AbsenceClaimed,
    Act,
    Agreed,
    Choice,
    Chosen,
    Declined,
    Game,
    Hidden,
    HintAsked,
    NotAChoice,
    Offered,
    Replace,
    Signed,
    State,
    TakeBack,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.form import Answer
from domain.kernel.table import OfferTerms
from replay.record import sealing

S = TypeVar("S", bound=State)
SignedChoice = tuple[str, int, str, int, str, Any]
SALT_BYTES: Final = 32
ID_BYTES: Final = 255
BINDS: Final = 3
"""Since this version, a signature reaches the line that it answers, and an answer to an offer states its terms."""
_encode = msgspec.json.Encoder().encode


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the key's Ed25519 signature over the message."""
    if len(key) != crypto_sign_PUBLICKEYBYTES or len(signature) != crypto_sign_BYTES:
        return False
    try:
        crypto_sign_open(signature + message, key)
    except CryptoError:
        return False
    return True


def is_signed_text(key: str, message: bytes, signature: str) -> bool:
    """As `is_signed`, with key and signature as base64url; False for other texts."""
    try:
        return is_signed(_public(key), message, sealing.unb64(signature))
    except ValueError:
        return False


@lru_cache(maxsize=1024)
def _public(key: str) -> bytes:
    """A seat's key, decoded once and not for each of its choices."""
    return sealing.unb64(key)


def answer_commitment(mid: bytes, seat: int, number: int, salt: bytes, answer: bytes) -> bytes:
    """c: the client's commitment to its answer; `answer` is JSON."""
    return sealing.tagged_hash("choice", salt, mid, bytes([seat]), sealing.u32(number), answer)


def choice_message(
    mid: bytes, seat: int, number: int, ack_seq: int, ack_head: str, name: str, committed: bytes
) -> bytes:
    """The message that a seat signs for a choice: the seat, the decision, the line before, and c.

    Raises `ValueError` for a value that does not fit: an invalid head, or an id of more than 255 bytes.
    """
    return b"hr2/choice\0" + signed_part(mid + bytes([seat]) + sealing.u32(number), ack_seq, ack_head, name, committed)


def act_message(mid: bytes, seat: int, said: bytes, ack_seq: int = 0, ack_head: str = "", name: str = "") -> bytes:
    """The message that a seat signs for any other act; `said` is JSON. Raises `ValueError` as `choice_message` does."""
    return b"hr2/act\0" + signed_part(mid + bytes([seat]), ack_seq, ack_head, name, said)


def signed_part(front: bytes, ack_seq: int, ack_head: str, name: str, said: bytes) -> bytes:
    """The hash in every message of a seat: the seat, the line it has seen, its own id, and the contents.

    Raises `ValueError` as `choice_message` does.
    """
    return sealing.tagged_hash("sign", front, _acknowledged(ack_seq, ack_head), _named(name), said)


def _acknowledged(seq: int, head: str) -> bytes:
    made = sealing.unb64(head)
    if len(made) != (sealing.KEY_BYTES if seq else 0):
        raise ValueError("the head acknowledged is no head")
    return sealing.u64(seq) + made


def _named(name: str) -> bytes:
    data = name.encode()
    if len(data) > ID_BYTES:
        raise ValueError(f"an id has at most {ID_BYTES} bytes")
    return bytes([len(data)]) + data


def share_said(commitment: str) -> bytes:
    """A seat's statement with its share of chance."""
    return _encode(["share", commitment])


def key_said(key: str) -> bytes:
    """A seat's statement with its next key."""
    return _encode(["key", key])


def person_said(commitment: str) -> bytes:
    """A seat's statement that a person is behind its key: the commitment to that person (docs/record.md 5)."""
    return _encode(["person", commitment])


def token_said(token_hash: str) -> bytes:
    """A seat's statement, beside the record, with a new token: TH("token", token)."""
    return _encode(["token", token_hash])


def entry_said(device: str) -> bytes:
    """A seat's statement, beside the record, that the person with a device's key may enter it without its link."""
    return _encode(["entry", device])


def said(act: Act, answered: OfferTerms | None = None) -> bytes:
    """A seat's statement of an act, without the server's additions: the numbers it counts and the times it measures.

    `answered`: since version 3, the terms of the offer that the act agrees to or declines, as in the offer's line.
    """
    match act:
        case Offered(terms=terms):
            words: list[Any] = ["offer", replace(terms, absent_ms=0) if isinstance(terms, Replace) else terms]
        case Agreed(number=number):
            words = ["agree", number, *_terms(answered)]
        case Declined(number=number):
            words = ["decline", number, *_terms(answered)]
        case AbsenceClaimed(absent=absent, draw=draw):
            words = ["claim", absent, draw]
        case VacationTaken(length_ms=length):
            words = ["vacation", length]
        case VacationEnded():
            words = ["vacation", 0]
        case HintAsked(number=number):
            words = ["hint", number]
        case _:
            words = ["resign"]
    return _encode(words)


def _terms(answered: OfferTerms | None) -> list[OfferTerms]:
    return [] if answered is None else [answered]


def undoes_last(act: Act) -> bytes:
    """The statement of a seat that asks to undo its own last choice; the server then names that line."""
    return said(replace(act, terms=TakeBack())) if isinstance(act, Offered) and isinstance(act.terms, TakeBack) else b""


def is_said(mid: bytes, key: str, act: Act, text: bytes) -> bool:
    """Whether the act carries the key's signature over a text."""
    try:
        message = act_message(mid, act.seat, text, act.ack_seq, act.ack_head, act.id)
    except (ValueError, OverflowError):
        return False
    return is_signed_text(key, message, act.signature)


def is_said_by(mid: bytes, key: str, act: Act, answered: OfferTerms | None = None) -> bool:
    """Whether the seat with this key has signed the contents of the act; `answered` as in `said`."""
    if is_said(mid, key, act, said(act, answered)):
        return True
    undoing = undoes_last(act)
    return bool(undoing) and is_said(mid, key, act, undoing)


def is_chosen_by(mid: bytes, key: str, note: Chosen) -> bool:
    """Whether the seat with this key has signed the commitment to a choice (version 2)."""
    try:
        committed = sealing.unb64(note.commitment)
        message = choice_message(mid, note.seat, note.number, note.ack_seq, note.ack_head, note.id, committed)
    except (ValueError, OverflowError):
        return False
    return len(committed) == sealing.KEY_BYTES and is_signed_text(key, message, note.signature)


def opens(mid: bytes, note: Chosen) -> bool:
    """Whether salt and answer fit the choice's commitment; without a commitment there must be none."""
    if not note.commitment:
        return isinstance(note.signed, Hidden)
    if not isinstance(note.signed, tuple):
        return False
    salt, answer = note.signed
    try:
        made = answer_commitment(mid, note.seat, note.number, sealing.unb64(salt), answer.encode())
        return len(sealing.unb64(salt)) == SALT_BYTES and sealing.b64(made) == note.commitment
    except (ValueError, OverflowError):
        return False


def fault(game: Game[S], state: S, match: str, key: str, note: Chosen, choice: Choice) -> str:
    """Why a choice has no valid signature by the seat's key, as a sentence; empty if it has one."""
    if state.record == 1:
        return _fault_1(game, state, match, key, note, choice)
    mid = sealing.unb64(match)
    if not note.signature:
        return "This seat signs its choices, and this one has no signature."
    if not is_chosen_by(mid, key, note):
        return "The signature is not this seat's."
    return meaning_fault(game, state, mid, note, choice)


def meaning_fault(game: Game[S], state: S, mid: bytes, note: Chosen, choice: Choice) -> str:
    """Why the commitment does not fit the choice, as a sentence; empty if it fits or there is none (version 2)."""
    if not opens(mid, note):
        return "Salt and answer are not those of the commitment."
    if not isinstance(note.signed, tuple):
        return ""
    try:
        answer = msgspec.json.decode(note.signed[1])
    except msgspec.MsgspecError:
        return "The signed answer is no answer."
    return "" if _meant(game, state, note.number, answer) == choice else "The signed answer is another choice."


def _meant(game: Game[S], state: S, number: int, said: object) -> Choice | None:
    try:
        if isinstance(said, dict) and "do" in said:
            return game.read_choice(said)
        answer: Answer = msgspec.convert(said, Answer)
    except (NotAChoice, msgspec.ValidationError):
        return None
    asked = next((asked for asked in state.asked if asked.number == number), None)
    return None if asked is None else game.form(asked, state).read(answer)


class SeatKey:
    """A seat's private key, for clients in Python."""

    def __init__(self, seed: bytes = b"") -> None:
        self._key = SigningKey(seed) if seed else SigningKey.generate()

    @property
    def public(self) -> str:
        """The public key, as a record has it."""
        return sealing.b64(bytes(self._key.verify_key))

    @property
    def seed(self) -> str:
        """The private key, for the client to keep."""
        return sealing.b64(bytes(self._key))

    def sign(self, message: bytes) -> str:
        """The signature over a message."""
        return sealing.b64(self._key.sign(message).signature)

    def chosen(self, match: str, note: Chosen, answer: object) -> Chosen:
        """The note of a choice, with commitment and signature: `answer` answers the decision's form, or is a choice."""
        text, salt = _encode(answer), secrets.token_bytes(SALT_BYTES)
        mid = sealing.unb64(match)
        made = answer_commitment(mid, note.seat, note.number, salt, text)
        message = choice_message(mid, note.seat, note.number, note.ack_seq, note.ack_head, note.id, made)
        opened = (sealing.b64(salt), text.decode())
        return replace(note, commitment=sealing.b64(made), signature=self.sign(message), signed=opened)

    def acted(self, match: str, act: Act, answered: OfferTerms | None = None) -> Act:
        """The signed act; `answered` as in `said`."""
        message = act_message(sealing.unb64(match), act.seat, said(act, answered), act.ack_seq, act.ack_head, act.id)
        return replace(act, signature=self.sign(message))

    def said(self, match: str, seat: int, words: bytes) -> str:
        """The signature over a seat's statement without an id: its share of chance, or its next key."""
        return self.sign(act_message(sealing.unb64(match), seat, words))


def choice_text_1(match: str, note: Chosen, answer: object) -> str:
    """The text that a seat signs in version 1: match, decision, id, the acknowledged line and its head, the answer."""
    return _encode((match, note.number, note.id, note.ack_seq, note.ack_head, answer)).decode()


def choice_message_1(text: str) -> bytes:
    """The bytes that a signature of version 1 covers."""
    return b"hr1/choice\0" + text.encode()


def _fault_1(game: Game[S], state: S, match: str, key: str, note: Chosen, choice: Choice) -> str:
    if not isinstance(note.signed, Signed):
        return "This seat signs its choices, and this one has no signature."
    try:
        of, number, name, seq, head, answer = msgspec.json.decode(note.signed.text, type=SignedChoice)
    except (ValueError, msgspec.MsgspecError):
        return "The signed text is not a choice."
    if not is_signed_text(key, choice_message_1(note.signed.text), note.signed.signature):
        return "The signature is not this seat's."
    if (of, number, name, seq, head) != (match, note.number, note.id, note.ack_seq, note.ack_head):
        return "The signed text is for another choice."
    return "" if _meant(game, state, number, answer) == choice else "The signed text says another choice."
