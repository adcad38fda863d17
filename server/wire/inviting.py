"""The messages about invitations and about the devices of a seat; part of `server.wire.protocol`."""

from typing import Any

from msgspec import Struct

from domain.kernel import OpenCards, TimeControl
from server.wire.words import In, MatchId, NewSecret, Out, Signature, Token


class ReadInvitation(In, frozen=True, tag="invitation"):
    """Ask for an invitation's content; answered by `invited`. This does not use up the invitation; `join` does."""

    match: MatchId
    invitation: Token

    def __repr__(self) -> str:
        return f"ReadInvitation({self.match})"


class Withdraw(In, frozen=True, tag="withdraw"):
    """Make an invitation void; answered by `withdrawn` with the new one.

    `next`: 32 bytes that the client has drawn for the new invitation. A request repeated after a lost answer therefore
    gets the same answer.
    """

    match: MatchId
    invitation: Token
    next: NewSecret

    def __repr__(self) -> str:
        return f"Withdraw({self.match})"


class Renew(In, frozen=True, tag="renew"):
    """For the holder of a seat: `token` opens the seat from now on, and the earlier token does not.

    Every other connection of the seat is closed with 4011. Answered by `renewed`. If the seat has a key, `signature` is
    made by that key over `["token", TH("token", token)]` (docs/record.md 5); the link without the key is not enough.
    """

    token: NewSecret
    signature: Signature = ""

    def __repr__(self) -> str:
        return "Renew()"


class InvitedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat of the match to which somebody is invited, in the form of `SeatInfo`. `waits`: whether the seat is
    reserved for an invitation.
    """

    seat: int
    name: str = ""
    kind: str = ""
    waits: bool = False


class Invited(Out, frozen=True, tag="invited"):
    """An invitation's content: the match, its options, clock and seats, and the `seat` that it opens.

    `by`: the inviter's seat, if the inviter has one. `until_ms`: when the invitation ends; 0: with the match. `hints`,
    `closed`, `rated`, `open_cards`: as in `create`; a player agrees to them by sitting down.
    """

    match: str
    game: str
    title: str
    seat: int
    seats: tuple[InvitedSeat, ...]
    options: dict[str, Any] = {}
    time: TimeControl = TimeControl()
    by: int | None = None
    until_ms: int = 0
    hints: bool = False
    closed: bool = False
    id: str = ""
    rated: bool = False
    open_cards: OpenCards | None = None


class Withdrawn(Out, frozen=True, tag="withdrawn"):
    """The invitation that now opens the seat; the earlier one opens nothing. `id`: the request's id."""

    match: str
    seat: int
    invitation: str
    id: str = ""

    def __repr__(self) -> str:
        return f"Withdrawn({self.match}, {self.seat})"


class Renewed(Out, frozen=True, tag="renewed"):
    """Only the new token opens the seat. `id`: the request's id."""

    id: str = ""


class Devices(Out, frozen=True, tag="devices"):
    """The number of devices on which the seat is open; sent only to the seat's holders, when the number changes."""

    n: int
