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
    """Have the server answer for one's own seat from now on with these, which replace all stored ones; an empty list:
    stop answering. Without `answers`, only ask for the stored ones. All are signed after the line `ack_seq` and its
    head (docs/record.md 5). Answered by `ahead-told`, only to this connection.
    """

    answers: Annotated[tuple[AnswerAhead, ...], Meta(max_length=MOST)] | None = None
    ack_seq: Seq = 0
    ack_head: Bytes32 = ""

    def __repr__(self) -> str:
        return "Ahead()"


class KeptAnswer(Struct, frozen=True):
    """An answer that the server keeps and has not used: its id and its instruction."""

    id: str
    text: str

    def __repr__(self) -> str:
        return "KeptAnswer()"


class AheadTold(Out, frozen=True, tag="ahead-told"):
    """The answers that the server keeps for one's own seat, in the order in which it would use them. Nobody else is
    sent them.

    They end when one of the seat's devices chooses by hand or signs with another key, and when the match goes back.
    """

    answers: tuple[KeptAnswer, ...]
    id: str = ""

    def __repr__(self) -> str:
        return "AheadTold()"
