"""The messages about finding an opponent, invitations between persons, ratings and profiles; part of
`server.wire.protocol`."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.kernel import TimeControl
from replay.record.seat_draw import SeatDraw
from server.wire.account_messages import Handle, OfSession
from server.wire.words import Bytes32, In, MatchId, NewSecret, Out

Points = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""A rating in points."""
GameName = Annotated[str, Meta(max_length=64)]
OfferName = Annotated[str, Meta(max_length=32)]


class Terms(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a wanted match: its game, options and clock, whether its result counts, and whether it is listed.

    `low`, `high`: the lowest and the highest rating, in points, that the others can have; both 0: any rating. A range
    matches only persons who show their ratings, so pairing reveals no hidden rating.
    """

    game: GameName
    options: dict[str, Any] = {}
    time: TimeControl = TimeControl()
    rated: bool = True
    listed: bool = True
    low: Points = 0
    high: Points = 0


class PlayNow(OfSession, frozen=True, tag="play-now"):
    """Look for opponents by these terms; answered by `search`. Repeat this message every two seconds until `match` is
    set.

    `token`: drawn and stored by the client, it will open the seat. The token stays the same for one search, whose first
    message has `begins`. `sealed`: the commitment to the client's lot, 32 bytes that the client draws; the lots decide
    the seats (docs/record.md). `lot`: the lot itself, once `search` names all commitments. `bot_after_s`: the time in
    seconds after which a bot of matching strength is offered; 0: never. `bot`: accept that bot for all free seats of
    the table; other persons who wait there, and to whom bots are also offered, then play in the same match. `offer`:
    accept this offer of another person, by that person's terms. A person has one search at a time, which ends after 15
    s without a message.
    """

    token: NewSecret
    sealed: NewSecret
    terms: Terms
    begins: bool = False
    lot: Bytes32 = ""
    bot_after_s: Annotated[int, Meta(ge=0, le=3600)] = 0
    bot: Annotated[str, Meta(max_length=32)] = ""
    offer: OfferName = ""


class StopSearch(OfSession, frozen=True, tag="stop-search"):
    """Stop looking for opponents; answered by `done`."""

    token: NewSecret


class ListOffers(In, frozen=True, tag="offers"):
    """Ask for the persons who are looking for opponents, and for their terms; answered by `offers-told`."""

    game: GameName = ""


class ReadDraw(In, frozen=True, tag="seat-draw"):
    """Ask how the seats of a match were drawn; answered by `seats-drawn`."""

    match: MatchId


class InvitePerson(OfSession, frozen=True, tag="invite-person"):
    """Invite a person, by handle, to a match of two players by these terms; answered by `person-invited`.

    The match is created with the inviter's seat, which `token` opens, and a seat that is reserved for the other person.
    `seat`: the inviter's seat. `again`: one of the inviter's finished matches, to be repeated with sides changed. Its
    opponent is invited by its terms, and `handle` and `terms` are not needed.
    """

    token: NewSecret
    handle: Annotated[str, Meta(max_length=64)] = ""
    terms: Terms = Terms("")
    seat: Annotated[int, Meta(ge=0, le=7)] = 0
    again: Annotated[str, Meta(max_length=32)] = ""


class AnswerInvitation(OfSession, frozen=True, tag="answer-invitation"):
    """Accept an invitation, with the token that will open the seat, or decline the invitation; answered by
    `person-invited`, or `done`. The inviter withdraws an invitation by declining it.
    """

    invitation: OfferName
    accept: bool = False
    token: Bytes32 = ""


class ReadRatings(In, frozen=True, tag="ratings"):
    """Ask for the leaderboard of a game, without its first `after` rows; answered by `ratings-told`."""

    game: GameName
    after: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class ReadProfile(In, frozen=True, tag="profile"):
    """Ask for the profile of a person, by handle, or of a bot, by `bot:NAME`; answered by `profile-told`.

    The answers for an unknown handle and for a person who shows nothing differ only in the handle.
    """

    handle: Handle


class ShowProfile(OfSession, frozen=True, tag="show-profile"):
    """Set the content of the person's profile from now on; answered by `profile-told`, as others see it.

    `at_table`: how the person's clients treat a seat when the person sits down: do not note it, note it, or also show
    the handle, to the opponents or to everybody; empty: no change.
    """

    shows: Annotated[tuple[Literal["ratings", "results", "matches"], ...], Meta(max_length=3)] = ()
    favourites: Annotated[tuple[GameName, ...], Meta(max_length=8)] = ()
    at_table: Literal["", "unnoted", "noted", "opponents", "everybody"] = ""


OpponentMessage = (
    PlayNow
    | StopSearch
    | ListOffers
    | ReadDraw
    | InvitePerson
    | AnswerInvitation
    | ReadRatings
    | ReadProfile
    | ShowProfile
)


class BotOffer(Struct, frozen=True, omit_defaults=True):
    """A bot of matching strength; `rating` in points, if it has one in this game."""

    bot: str
    rating: int | None = None


class Search(Out, frozen=True, tag="search"):
    """The state of a search: `waiting`, `drawing` seats, or `found`.

    `since_ms`: when the search began; `others`: the number of other persons who look for the same kind of match. `bot`:
    a bot that can be accepted. `fresh`: whether the lot was shown but not used, so that the client must draw a new one.
    `sealed`: while seats are drawn, the commitments of all persons, including this person's; the client now shows its
    lot. `match`, `seat`, `drawn`: once a match is found, the match, this person's seat, and how the seat was drawn. The
    client checks that its lot belongs to this seat, and that the others' commitments are the same as before.
    `bot_sealed`: the commitments of the bots' lots in a match of this person alone with `bot`, sent before anybody
    shows a lot. `along`: the number of other persons who would join the match if that bot were accepted now.
    """

    state: Literal["waiting", "drawing", "found"]
    since_ms: int = 0
    others: int = 0
    bot: BotOffer | None = None
    bot_sealed: tuple[str, ...] = ()
    fresh: bool = False
    sealed: tuple[str, ...] = ()
    match: str = ""
    seat: int = 0
    drawn: SeatDraw | None = None
    id: str = ""
    along: int = 0

    def __repr__(self) -> str:
        return f"Search({self.state})"


class OfferTold(Struct, frozen=True, omit_defaults=True):
    """A person who is looking for opponents: the name of the offer, the terms, the number of seats, and the time at
    which the search began, in ms.

    `handle`, `rating` (in points) and `provisional`: only for a person who shows them.
    """

    offer: str
    terms: Terms
    seats: int
    since_ms: int
    handle: str = ""
    rating: int | None = None
    provisional: bool = False


class OffersTold(Out, frozen=True, tag="offers-told"):
    """The persons who are looking for opponents, and their number. `there`: the number of connections at this server.

    `paces`: clocks that are proposed, by name.
    """

    offers: tuple[OfferTold, ...]
    seekers: int
    there: int
    paces: dict[str, TimeControl]
    id: str = ""


class SeatsDrawn(Out, frozen=True, tag="seats-drawn"):
    """How the seats of a match were drawn; empty if they were not drawn."""

    match: str
    drawn: SeatDraw | None = None
    id: str = ""


class PersonInvited(Out, frozen=True, tag="person-invited"):
    """The match of an invitation between persons, and the receiver's seat, which the token in the request opens."""

    match: str
    seat: int
    game: str
    invitation: str = ""
    id: str = ""


class RankInfo(Struct, frozen=True, omit_defaults=True):
    """A row of a leaderboard: the rating and its deviation, in points. `handle`: of a person who shows it, or
    `bot:NAME`.
    """

    rating: float
    deviation: float
    matches: int
    won: int
    drawn: int
    lost: int
    handle: str = ""
    provisional: bool = False


class RatingsTold(Out, frozen=True, tag="ratings-told"):
    """A leaderboard: established players first, each group by rating. `more`: whether further rows follow; `games`: the
    games that have rated players.
    """

    game: str
    at_ms: int
    rows: tuple[RankInfo, ...]
    total: int
    games: tuple[str, ...]
    more: bool = False
    id: str = ""


class CurvePoint(Struct, frozen=True, array_like=True):
    """A rating after a match: the time in ms, and the rating and its deviation in points. The result of an unlisted
    match counts from the midnight after the match.
    """

    at_ms: int
    rating: float
    deviation: float


class ProfileGame(Struct, frozen=True, omit_defaults=True):
    """A game in a profile: the rating, and its curve over the last results."""

    game: str
    rank: RankInfo
    curve: tuple[CurvePoint, ...] = ()


class ProfileMatch(Struct, frozen=True, omit_defaults=True):
    """A listed, finished match: the seat of the profile's owner, the players, the result, and the rating gain in
    points.
    """

    match: str
    game: str
    title: str
    seat: int
    players: tuple[str, ...]
    result: str
    at_ms: int
    change: float | None = None


class ProfileTold(Out, frozen=True, tag="profile-told"):
    """The profile that a person or a bot shows. `best`: wins against the strongest opponents; `latest`: the last
    matches.
    """

    handle: str
    shows: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    games: tuple[ProfileGame, ...] = ()
    best: tuple[ProfileMatch, ...] = ()
    latest: tuple[ProfileMatch, ...] = ()
    id: str = ""


OpponentAnswer = Search | OffersTold | SeatsDrawn | PersonInvited | RatingsTold | ProfileTold
