"""The messages about answers that a seat signs before it is asked (docs/record.md 5); part of
`server.wire.protocol`.
"""

from typing import Annotated

from msgspec import Meta, Struct

from server.wire.person_messages import Signed
from server.wire.words import Bytes32, Id, In, NewSecret, Out, Seq

MOST = 64
"""The most answers that a seat may have signed ahead: each is used once."""
Text = Annotated[str, Meta(max_length=2048)]


class AnswerAhead(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to one later question: the instruction as the seat signs it, its own `id`, salt and signature."""

    id: Id
    text: Text
    salt: NewSecret
    signature: Signed

    def __repr__(self) -> str:
        return "AnswerAhead()"


class Ahead(In, frozen=True, tag="ahead"):
    """Have the server answer for the sender's seat from now on with these answers, which replace all stored ones; an
    empty list: stop answering. Without `answers`, the message only asks for the stored ones. All answers are signed
    after the line `ack_seq` and its head (docs/record.md 5). Answered by `ahead-told`, only to this connection.
    """

    answers: Annotated[tuple[AnswerAhead, ...], Meta(max_length=MOST)] | None = None
    ack_seq: Seq = 0
    ack_head: Bytes32 = ""

    def __repr__(self) -> str:
        return "Ahead()"


class KeptAnswer(Struct, frozen=True):
    """An answer that the server stores and has not used: its id and its instruction."""

    id: str
    text: str

    def __repr__(self) -> str:
        return "KeptAnswer()"


class AheadTold(Out, frozen=True, tag="ahead-told"):
    """The answers that the server stores for the client's seat, in the order in which it would use them. They are sent
    to nobody else.

    The server drops them when one of the seat's devices chooses by hand or signs with another key, and when the match
    goes back to an earlier line.
    """

    answers: tuple[KeptAnswer, ...]
    id: str = ""

    def __repr__(self) -> str:
        return "AheadTold()"
