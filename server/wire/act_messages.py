"""The messages of what a seat does at the table beside choosing; part of `server.wire.protocol`."""

from typing import Annotated, Final

from msgspec import Meta

from domain.kernel import OfferTerms
from server.wire.words import Bytes32, Id, In, Seq, Signature


class _Said(In, frozen=True, kw_only=True):
    """An act at the table: the last line its sender has verified, and the seat's signature where it has a key."""

    ack_seq: Seq = 0
    ack_head: Bytes32 = ""
    signature: Signature = ""


class Resign(_Said, frozen=True, tag="resign"):
    """Give the match up. Answered by `accepted` or `refused`, as all acts at the table are; `id` and `ack_seq` are as
    in `choose`, `signature` is needed where the seat has a key (docs/record.md 5)."""

    id: Id


class Offer(_Said, frozen=True, tag="offer"):
    """Offer the others something; every other person has to agree, bots are not asked. A seat has one offer open.

    `take_back` goes back to a line after which somebody was asked, or undoes the own last choice (`line` 0); it is done
    at once where nobody else has learnt anything since. Of `replace`, `absent_ms` is the server's to say: a seat that
    has been away long enough is not asked to agree.
    """

    id: Id
    terms: OfferTerms


class Agree(_Said, frozen=True, tag="agree"):
    """Agree to the offer of this number. `terms`: what its line was seen to offer; other terms are refused. A seat with
    a key signs them too (docs/record.md 5), and acknowledges that line or a later one."""

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Decline(_Said, frozen=True, tag="decline"):
    """Decline the offer of this number, or take the own one back; `terms` as in `agree`."""

    id: Id
    number: Seq
    terms: OfferTerms | None = None


class Claim(_Said, frozen=True, tag="claim"):
    """Claim the match, a draw, or among more than two sides that a seat is out: it is asked and away `absence_ms`."""

    id: Id
    seat: Annotated[int, Meta(ge=0, le=7)]
    draw: bool = False


class Vacation(_Said, frozen=True, tag="vacation"):
    """In slow play, be away for so many days, while the own clock stands; 0: back again."""

    id: Id
    days: Annotated[int, Meta(ge=0, le=366)]


class Hint(_Said, frozen=True, tag="hint"):
    """What would the search choose for this decision, which the own seat is asked? Where the match allows hints
    (`hints` of `table`), once for each decision.

    That it was asked is a line of the record, which everybody sees; `accepted` says which, and once `hinted` what was
    found, to this connection alone. Asked again, it adds no line and is answered as the first time.
    """

    id: Id
    decision: Seq


TableMessage = Resign | Offer | Agree | Decline | Claim | Vacation | Hint
"""What a seat may do beside its choices."""
TABLE_MESSAGES: Final = (Resign, Offer, Agree, Decline, Claim, Vacation, Hint)
