"""The messages for a seat's acts at the table other than choices; part of `server.wire.protocol`."""

from typing import Annotated

from msgspec import Meta

from domain.kernel import OfferTerms
from server.wire.words import Bytes32, Id, In, Seq, Signature


class _Said(In, frozen=True, kw_only=True):
    """An act at the table: the last line that its sender has verified, and the seat's signature if it has a key."""

    ack_seq: Seq = 0
    ack_head: Bytes32 = ""
    signature: Signature = ""


class Resign(_Said, frozen=True, tag="resign"):
    """Give up the match. Answered, like every act at the table, by `accepted` or `refused`. `id` and `ack_seq` are as
    in `choose`. `signature` is needed if the seat has a key (docs/record.md 5).
    """

    id: Id


class Offer(_Said, frozen=True, tag="offer"):
    """Offer something to the other players. Every other person has to agree; bots are not asked. A seat can have one
    open offer.

    `take_back` goes back to a line after which somebody was asked, or undoes the seat's own last choice (`line` 0). It
    happens at once if nobody else has learnt anything since that line. The server sets `absent_ms` of `replace`: a seat
    that has been away long enough is not asked to agree.
    """

    id: Id
    terms: OfferTerms


class Agree(_Said, frozen=True, tag="agree"):
    """Agree to the offer with this number. `terms`: the terms that the client saw in the offer's line; other terms are
    refused. A seat with a key also signs the terms (docs/record.md 5), and acknowledges the offer's line or a later
    one.
    """

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Decline(_Said, frozen=True, tag="decline"):
    """Decline the offer with this number, or withdraw it if it is the seat's own; `terms` is as in `agree`."""

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Claim(_Said, frozen=True, tag="claim"):
    """Claim the match, a draw, or (with more than two sides) that a seat is out. The absent seat must be asked for a
    choice and must have been away for `absence_ms`.
    """

    id: Id
    seat: Annotated[int, Meta(ge=0, le=7)]
    draw: bool = False


class Vacation(_Said, frozen=True, tag="vacation"):
    """In slow play, be away for this many days, during which the seat's clock does not run; 0: the player is back."""

    id: Id
    days: Annotated[int, Meta(ge=0, le=366)]


class Hint(_Said, frozen=True, tag="hint"):
    """Ask for the search's choice in this decision, which the sender's seat is asked. This needs a match that allows
    hints (`hints` of `table`), and is possible once for each decision.

    The request is a line of the record, which everybody sees; `accepted` gives its number. `hinted` later gives the
    result to this connection alone. A repeated request adds no line and gets the same answer as the first.

    `early`: send early results before the search is done, each better than the one before; `stop_hint` ends them.
    """

    id: Id
    decision: Seq
    early: bool = False


TableMessage = Resign | Offer | Agree | Decline | Claim | Vacation | Hint
"""A seat's acts other than its choices."""
