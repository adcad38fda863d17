"""A client of Herald: create, join and watch matches, answer what is asked, check what is told.

It knows the protocol and the record, and no game: questions come as the server's Scenes have them. `Server` is an
address, `Match` one match through all breaks of the connection, `Verifier` what can be checked without a network.
"""

from herald_client.errors import BadLink, Broken, Closed, HeraldError, Refused
from herald_client.forms import fault, first, some
from herald_client.keys import FileKeys, Key, Keys, MemoryKeys
from herald_client.links import Link, read_link
from herald_client.match import Match
from herald_client.messages import (
    Accepted,
    ChatLine,
    ClockInfo,
    Created,
    Delay,
    GameInfo,
    HeadInfo,
    Joined,
    Matches,
    MatchInfo,
    OfferInfo,
    Presence,
    SeatInfo,
    TableInfo,
    Turn,
    ViewerInfo,
    Welcome,
)
from herald_client.news import (
    Asked,
    Chatted,
    Clocked,
    Complained,
    Ended,
    Entered,
    Lines,
    Lost,
    News,
    Offered,
    Presented,
    Seated,
    Shown,
    Tabled,
)
from herald_client.record import Line, Result
from herald_client.server import Server, Wish, bot, friend, me, open_link, open_seat
from herald_client.verifier import Held, Verifier

__all__ = [
    "Accepted",
    "Asked",
    "BadLink",
    "Broken",
    "ChatLine",
    "Chatted",
    "ClockInfo",
    "Clocked",
    "Closed",
    "Complained",
    "Created",
    "Delay",
    "Ended",
    "Entered",
    "FileKeys",
    "GameInfo",
    "HeadInfo",
    "Held",
    "HeraldError",
    "Joined",
    "Key",
    "Keys",
    "Line",
    "Lines",
    "Link",
    "Lost",
    "Match",
    "MatchInfo",
    "Matches",
    "MemoryKeys",
    "News",
    "OfferInfo",
    "Offered",
    "Presence",
    "Presented",
    "Refused",
    "Result",
    "SeatInfo",
    "Seated",
    "Server",
    "Shown",
    "TableInfo",
    "Tabled",
    "Turn",
    "Verifier",
    "ViewerInfo",
    "Welcome",
    "Wish",
    "bot",
    "fault",
    "first",
    "friend",
    "me",
    "open_link",
    "open_seat",
    "read_link",
    "some",
]
