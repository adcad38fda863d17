"""Who would like to play an ended match once more, with sides changed; when all do, a match begins."""

import asyncio
from typing import Any

from domain.kernel import BranchOpened, MatchCreated, PositionSet
from projections.redaction import SPECTATOR
from replay.record.referee import read_event
from replay.store.log import Store
from server.hall.errors import CannotCreate
from server.table.host import Host
from server.wire.protocol import Create, Created, SeatWish, TableInfo, write_message
from server.wire.rematching import Rematch

NOT_OVER = "A match is played once more when it is over."
NOBODY = "Who has left the seat to a bot is asked nothing more; begin a new match."


class Rematches:
    """The wishes of one server, by match; one holds while its seat has a connection."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wishes: dict[str, set[int]] = {}

    async def wish(self, host: Host[Any], seat: int, *, on: bool) -> Create | None:
        """Take in a seat's wish and tell the seats; the match that is to begin, where all people want it now.

        Raises `CannotCreate` for one that can never begin, whoever wants it.
        """
        if not host.is_over:
            raise CannotCreate(NOT_OVER)
        if seat not in _people(host):
            raise CannotCreate(NOBODY)
        wanted = await once_more(self._store, host)
        wishes = self._wishes.setdefault(host.match, set())
        if on:
            wishes.add(seat)
        else:
            wishes.discard(seat)
        asked = self.asked(host)
        if set(asked) == _people(host):
            del self._wishes[host.match]
            return wanted
        _tell(host, asked)
        return None

    def refused(self, host: Host[Any], seat: int) -> None:
        """The match could not begin when this seat agreed: the others want it still."""
        self._wishes[host.match] = _people(host) - {seat}

    def asked(self, host: Host[Any]) -> tuple[int, ...]:
        """The seats that want to play once more and are there."""
        return tuple(sorted(self._wishes.get(host.match, set()) & set(host.crowd.presence().seats)))

    def forget(self, match: str) -> None:
        """Nobody is there any more."""
        self._wishes.pop(match, None)


def begun(host: Host[Any], created: Created) -> None:
    """Tell each person the own seat in the match that all wanted."""
    people = _people(host)
    asked, count = tuple(sorted(people)), len(host.views.seats(SPECTATOR))
    for seat in asked:
        other = _seat_after(seat, count)
        _tell(host, asked, seat, Rematch(asked, created.match, other, created.tokens[str(other)]))


def _seat_after(seat: int, count: int) -> int:
    """Where who sat there sits in the next match: of two, each in the other's place."""
    return (seat - 1) % count


def _people(host: Host[Any]) -> set[int]:
    return {info.seat for info in host.views.seats(SPECTATOR) if info.kind == "person"}


def _wish(host: Host[Any], former: int) -> SeatWish:
    """Who held a seat, for another one."""
    row = host.roll.row(former)
    assert row is not None, "a match that is over has all its seats"
    return SeatWish("bot", bot=row.bot) if row.kind == "bot" else SeatWish("friend")


async def once_more(store: Store, host: Host[Any]) -> Create:
    """A match as this one was, with sides changed. Raises `CannotCreate` where this one began in the middle."""
    header = await asyncio.to_thread(store.header, host.match)
    lines = [read_event(host.face.game, entry) for entry in await asyncio.to_thread(store.read, host.match, 0, 3)]
    first = lines[0]
    assert isinstance(first, MatchCreated), "a record begins with MatchCreated"
    if any(isinstance(line, BranchOpened | PositionSet) for line in lines):
        raise CannotCreate("This match began in the middle of another, or in a position; begin that one anew.")
    count = len(first.seats)
    formers = {_seat_after(seat, count): seat for seat in range(count)}
    table = host.views.times_for(SPECTATOR).table or TableInfo()
    return Create(
        game=header.game,
        seats=tuple(_wish(host, formers[seat]) for seat in range(count)),
        options=first.options,
        listed=header.listed,
        title=header.title,
        # The policy comes out of a record, whose reader has checked it.
        reveal=first.reveal,  # type: ignore[arg-type]
        closed=header.closed,
        delay_events=header.delay_events,
        delay_s=header.delay_s,
        time=table.time,
        shares=first.shares,
        hints=first.hints,
    )


def _tell(host: Host[Any], asked: tuple[int, ...], only: int | None = None, told: Rematch | None = None) -> None:
    frame = write_message(told or Rematch(asked))
    for listener in host.crowd:
        seat = listener.guest.viewer.seat
        if listener.guest.role == "seat" and (only is None or seat == only):
            listener.send(frame)
