"""The messages of a seat's acts at the table other than choosing; part of `server.wire.protocol`."""

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
    """Give the match up. Answered by `accepted` or `refused`, as all acts at the table are; `id` and `ack_seq` are as
    in `choose`; `signature` is needed if the seat has a key (docs/record.md 5).
    """

    id: Id


class Offer(_Said, frozen=True, tag="offer"):
    """Offer the others something; every other person has to agree, bots are not asked. A seat has one offer open.

    `take_back` goes back to a line after which somebody was asked, or undoes one's own last choice (`line` 0); it is
    done at once if nobody else has learnt anything since. The server sets `absent_ms` of `replace`: a seat that has
    been away long enough is not asked to agree.
    """

    id: Id
    terms: OfferTerms


class Agree(_Said, frozen=True, tag="agree"):
    """Agree to the offer of this number. `terms`: the terms that the client saw in its line; others are refused. A seat
    with a key signs them too (docs/record.md 5), and acknowledges that line or a later one.
    """

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Decline(_Said, frozen=True, tag="decline"):
    """Decline the offer of this number, or take one's own back; `terms` as in `agree`."""

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Claim(_Said, frozen=True, tag="claim"):
    """Claim the match, a draw, or (with more than two sides) that a seat is out. The seat must be asked and must have
    been away for `absence_ms`.
    """

    id: Id
    seat: Annotated[int, Meta(ge=0, le=7)]
    draw: bool = False


class Vacation(_Said, frozen=True, tag="vacation"):
    """In slow play, be away for this many days, during which one's own clock does not run; 0: the player is back."""

    id: Id
    days: Annotated[int, Meta(ge=0, le=366)]


class Hint(_Said, frozen=True, tag="hint"):
    """Ask for the search's choice in this decision, which one's own seat is asked. If the match allows hints (`hints`
    of `table`), once for each decision.

    The request is a line of the record, which everybody sees; `accepted` gives its number, and `hinted` later the
    result, to this connection alone. A repeated request adds no line and is answered as the first time.

    `early`: first results come before the search is done, each better than the one before; `stop_hint` ends them.
    """

    id: Id
    decision: Seq
    early: bool = False


TableMessage = Resign | Offer | Agree | Decline | Claim | Vacation | Hint
"""The acts of a seat other than its choices."""
