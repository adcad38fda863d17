"""Stores: the log of records, and the rooms beside it, each behind its own small protocol."""

from collections.abc import Callable
from typing import Protocol

from replay.store.health import Pulse
from replay.store.log import Log
from replay.store.matches import MatchStore
from replay.store.seats import SeatStore
from replay.store.side_tables.analysis import Analyses
from replay.store.side_tables.calendars import Calendars
from replay.store.side_tables.chat import ChatStore
from replay.store.side_tables.claims import Claims
from replay.store.side_tables.devices import DeviceStore
from replay.store.side_tables.moderation import Moderation
from replay.store.side_tables.notices import NoticeStore
from replay.store.side_tables.opponents import Opponents
from replay.store.side_tables.passkeys import PasskeyStore
from replay.store.side_tables.people import People
from replay.store.side_tables.presence import PresenceStore
from replay.store.side_tables.rated_players import RatedPlayers
from replay.store.side_tables.ratings import RatedResults
from replay.store.side_tables.rulings import Rulings
from replay.store.side_tables.seat_entries import SeatEntries
from replay.store.side_tables.standing import StandingAnswerStore
from replay.store.side_tables.webhooks import Webhooks


class PersonTables(Protocol):
    """The parts of a store about persons, which no record holds. See `Store`."""

    @property
    def people(self) -> People:
        """The persons, with their handles and seats."""
        ...

    @property
    def devices(self) -> DeviceStore:
        """The devices with which persons sign in, and their sessions."""
        ...

    @property
    def claims(self) -> Claims:
        """The openings of persons' claims to seats."""
        ...

    @property
    def passkeys(self) -> PasskeyStore:
        """The passkeys with which persons add new devices."""
        ...

    @property
    def rated_players(self) -> RatedPlayers:
        """The persons of rated matches."""
        ...

    @property
    def opponents(self) -> Opponents:
        """The persons who look for opponents, and the invitations between persons."""
        ...

    @property
    def moderation(self) -> Moderation:
        """Blocks, mutes and reports, and the log of the staff."""
        ...

    @property
    def notices(self) -> NoticeStore:
        """The addresses of notices to persons that it is their move, and the moves."""
        ...

    @property
    def calendars(self) -> Calendars:
        """The links to calendars of deadlines."""
        ...

    @property
    def seat_entries(self) -> SeatEntries:
        """The persons who have shown that they hold a seat."""
        ...


class Store(Log, PersonTables, Protocol):
    """The log, and the rooms beside it. Code that needs one room is given only that room.

    Every method, here and in the rooms, may be called from any thread. A write without a result is durable when it
    returns; it raises `StoreFailed` if it may not be durable, and so does a read that fails.
    """

    @property
    def matches(self) -> MatchStore:
        """The match list."""
        ...

    @property
    def seats(self) -> SeatStore:
        """The holders of the seats, and the viewers who may watch through their eyes."""
        ...

    @property
    def chat(self) -> ChatStore:
        """The messages that people write."""
        ...

    @property
    def analyses(self) -> Analyses:
        """The results of analyses of matches."""
        ...

    @property
    def presence(self) -> PresenceStore:
        """The presence at matches, as servers announce it."""
        ...

    @property
    def webhooks(self) -> Webhooks:
        """The addresses of reminders to people who are away, and the reminders."""
        ...

    @property
    def ratings(self) -> RatedResults:
        """The results that count for ratings."""
        ...

    @property
    def standing(self) -> StandingAnswerStore:
        """The answers that seats have signed ahead."""
        ...

    @property
    def rulings(self) -> Rulings:
        """The matches that the host has ended, until their records say so."""
        ...

    def pulse(self) -> Pulse:
        """The health of the store at this moment."""
        ...

    def probe(self) -> None:
        """Write a test row, so that `pulse` shows whether the store accepts writes again."""
        ...

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Add a listener, called from any thread when the disk has failed and the store needs a restart."""
        ...

    def close(self) -> None:
        """Finish the waiting work and close; may be called twice."""
        ...


class SharedStore(Store, Protocol):
    """A store that several servers share."""

    def now_ms(self) -> int:
        """The common time of all servers, in ms. Raises `StoreFailed`."""
        ...

    def alive_ms(self) -> int:
        """The last time at which one of its servers was alive, in ms; 0 if none ever was. Raises `StoreFailed`."""
        ...

    def live(self, at: int) -> None:
        """Note that a server is alive at a time in ms. Raises `StoreFailed`."""
        ...
