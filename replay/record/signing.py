"""Choices signed by their seat (RECORD 5): the text that is signed, and what it must say."""

from typing import Any, TypeVar

import msgspec
from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from domain.kernel import Choice, Chosen, Game, Hidden, NotAChoice, State
from domain.kernel.form import Answer
from replay.record import hr1

S = TypeVar("S", bound=State)
SignedChoice = tuple[str, int, str, int, str, Any]


def choice_text(match: str, note: Chosen, answer: object) -> str:
    """The text a seat signs: match, decision, the choice's id, the line acknowledged and its head, the answer.

    `answer` is either an answer to the decision's form or a choice as plain data.
    """
    parts = (match, note.number, note.id, note.ack_seq, note.ack_head, answer)
    return msgspec.json.encode(parts).decode()


def choice_message(text: str) -> bytes:
    """The bytes under the signature."""
    return b"hr1/choice\0" + text.encode()


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the Ed25519 signature is the key's over the message."""
    try:
        VerifyKey(key).verify(message, signature)
    except CryptoError:
        return False
    return True


def fault(game: Game[S], state: S, match: str, key: str, note: Chosen, choice: Choice) -> str:
    """Why a choice is not rightly signed with the seat's key, as a sentence; empty when it is."""
    if isinstance(note.signed, Hidden):
        return "This seat signs its choices, and this one has no signature."
    try:
        signature = hr1.unb64(note.signed.signature)
        said, number, name, seq, head, answer = msgspec.json.decode(note.signed.text, type=SignedChoice)
    except (ValueError, msgspec.MsgspecError):
        return "The signed text is not a choice."
    if not is_signed(hr1.unb64(key), choice_message(note.signed.text), signature):
        return "The signature is not this seat's."
    if (said, number, name, seq, head) != (match, note.number, note.id, note.ack_seq, note.ack_head):
        return "The signed text is for another choice."
    return "" if _meant(game, state, number, answer) == choice else "The signed text says another choice."


def _meant(game: Game[S], state: S, number: int, said: object) -> Choice | None:
    try:
        if isinstance(said, dict) and "do" in said:
            return game.read_choice(said)
        answer: Answer = msgspec.convert(said, Answer)
    except (NotAChoice, msgspec.ValidationError):
        return None
    asked = next((asked for asked in state.asked if asked.number == number), None)
    return None if asked is None else game.revive_decision(asked).form(state).read(answer)
