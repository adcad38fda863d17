"""Votes for a rematch of an ended match, with sides changed. A match begins when everybody wants it."""

import asyncio
from collections.abc import Collection
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import BranchOpened, MatchCreated, PositionSet
from projections.redaction import SPECTATOR
from replay.record.referee import read_event
from replay.store.store import Store
from server.lobby.errors import CannotCreate
from server.table.guests import new_token, token_hash
from server.table.live_match import LiveMatch
from server.table.shared_presence import ServerPresence
from server.wire.protocol import Create, SeatWish, TableInfo, write_message
from server.wire.rematch_messages import Rematch

NOT_OVER = "A match is played once more when it is over."
NOBODY = "Players who left their seat to a bot are asked nothing more; begin a new match."


class Wish(Struct, frozen=True):
    """A seat's wish at this server: the seat's token in the next match, and the address from which the wish was sent.

    The token stays at this server; other servers get its hash, with which any of them can begin the match.
    """

    token: str
    address: str
    is_on: bool

    def __repr__(self) -> str:
        return f"Wish(is_on={self.is_on})"


class RematchVotes:
    """The wishes at one server, by match; a wish holds while its seat has a connection there.

    `server`: the server's name.
    """

    def __init__(self, store: Store, server: str = "") -> None:
        self._store, self._server = store, server
        self._wishes: dict[str, dict[int, Wish]] = {}
        self._told: dict[str, tuple[int, ...]] = {}
        self._begun: dict[str, str] = {}
        self._beginning: dict[str, dict[int, str]] = {}
        """The wishes for which a match is being made: other servers learn of the match before they learn that the
        wishes are gone.
        """
        self._used: dict[str, set[str]] = {}
        """The hashes of tokens that open matches which have begun."""

    async def wish(self, live_match: LiveMatch[Any], seat: int, address: str, *, on: bool) -> None:
        """Record a seat's wish. Raises `CannotCreate` for a match that can never begin, even if all seats want it."""
        if not live_match.is_over:
            raise CannotCreate(NOT_OVER)
        if seat not in _people(live_match):
            raise CannotCreate(NOBODY)
        await once_more(self._store, live_match)
        wishes = self._wishes.setdefault(live_match.match, {})
        # A token whose hash other servers have stays the same, because they may begin the match before any further
        # news.
        token = wishes[seat].token if seat in wishes else new_token()
        wishes[seat] = Wish(token, address, on)

    def _here(self, live_match: LiveMatch[Any]) -> dict[int, str]:
        """The hashes of the tokens of the seats at this server that want a rematch."""
        there, wishes = live_match.connections.here().seats, self._wishes.get(live_match.match, {})
        return {seat: _hash(wish.token) for seat, wish in wishes.items() if wish.is_on and seat in there}

    def _elsewhere(self, live_match: LiveMatch[Any]) -> list[tuple[int, str, str]]:
        """For each wish at another server, the seat, the server, and the hash of the token."""
        used = self._used.get(live_match.match, set())
        found = [
            (seat, name, it)
            for name, there in live_match.connections.elsewhere.items()
            for seat, it in there.wishes.items()
        ]
        return sorted(wish for wish in found if wish[2] not in used)

    def attendance(self, live_match: LiveMatch[Any], attendance: ServerPresence) -> ServerPresence:
        """The presence that this server reports to others, with the votes."""
        wishes = self._beginning.get(live_match.match) or self._here(live_match)
        return replace(attendance, wishes=wishes, begun=self._begun.get(live_match.match, ""))

    def asked(self, live_match: LiveMatch[Any]) -> tuple[int, ...]:
        """The seats that want a rematch and are connected."""
        return tuple(sorted({*self._here(live_match), *(seat for seat, *_ in self._elsewhere(live_match))}))

    def asker(self, live_match: LiveMatch[Any]) -> int | None:
        """The seat for which this server has to begin the match: the first of all people's seats. None if another
        server has to begin it.
        """
        people = _people(live_match)
        if not people or set(self.asked(live_match)) != people:
            return None
        first = min(people)
        others = [server for seat, server, _ in self._elsewhere(live_match) if seat == first]
        return first if first in self._here(live_match) and self._server < min(others, default="~") else None

    def address_of(self, live_match: LiveMatch[Any], seat: int) -> str:
        """The origin of a wish at this server."""
        return self._wishes[live_match.match][seat].address

    def occasion(self, live_match: LiveMatch[Any]) -> bytes:
        """The source of the next match's id: a hash of this match and of the last person's token.

        Each token opens only one match. The last wish counts, even if the first seat asked at two servers. A lone
        player who asks at two servers at once gets two matches, with a token for each.
        """
        last = max(_people(live_match))
        here = self._here(live_match).get(last)
        there = next((it for seat, _, it in self._elsewhere(live_match) if seat == last), "")
        return f"{live_match.match}:{here or there}".encode()

    async def used_in(self, match: str) -> set[bytes]:
        """The hashes of the tokens that open a match. Raises the store's errors."""
        return {row.token_hash for row in await asyncio.to_thread(self._store.seats.holders, match)} - {b""}

    def take(self, live_match: LiveMatch[Any]) -> tuple[dict[int, Wish], dict[int, bytes]]:
        """Remove all wishes at this server; returns the hashes of their tokens, by seat of the new match."""
        count = len(live_match.views.seats(SPECTATOR))
        here = self._beginning[live_match.match] = self._here(live_match)
        hashes = {**{seat: it for seat, _, it in self._elsewhere(live_match)[::-1]}, **here}
        return self._wishes.pop(live_match.match), {
            _seat_after(s, count): bytes.fromhex(it) for s, it in hashes.items()
        }

    def refused(self, live_match: LiveMatch[Any], held: dict[int, Wish], seat: int) -> None:
        """Undo a wish, because the match could not begin when this seat agreed; the other seats still want it."""
        self._beginning.pop(live_match.match, None)
        self._wishes[live_match.match] = {other: wish for other, wish in held.items() if other != seat}

    def begun(self, live_match: LiveMatch[Any], match: str, held: dict[int, Wish], used: Collection[bytes]) -> None:
        """Inform each seat whose token has one of these hashes that a match has begun, which the token opens."""
        self._beginning.pop(live_match.match, None)
        self._begun[live_match.match], self._told[live_match.match] = match, ()
        self._used.setdefault(live_match.match, set()).update(token.hex() for token in used)
        asked, count = tuple(sorted(_people(live_match))), len(live_match.views.seats(SPECTATOR))
        for seat, wish in held.items():
            if bytes.fromhex(_hash(wish.token)) in used:
                _tell(live_match, asked, seat, Rematch(asked, match, _seat_after(seat, count), wish.token))

    async def take_in(self, live_match: LiveMatch[Any]) -> None:
        """Inform the seats about changes at other servers. Raises the store's errors."""
        if live_match.match in self._beginning:
            return
        known = self._begun.get(live_match.match, "")
        for match in sorted({there.begun for there in live_match.connections.elsewhere.values()} - {"", known}):
            used = await self.used_in(match)
            if not self._used.get(live_match.match, set()) >= {token.hex() for token in used}:
                self.begun(live_match, match, self._wishes.pop(live_match.match, {}), used)
        if self.asked(live_match) != self._told.get(live_match.match, ()):
            self.tell(live_match)

    def tell(self, live_match: LiveMatch[Any]) -> None:
        """Inform the seats which seats want a rematch."""
        self._told[live_match.match] = asked = self.asked(live_match)
        _tell(live_match, asked)

    def forget(self, match: str) -> None:
        """Forget a match to which nobody is connected."""
        for kept in (self._wishes, self._told, self._begun, self._beginning, self._used):
            kept.pop(match, None)


def _hash(token: str) -> str:
    return token_hash(token).hex()


def _seat_after(seat: int, count: int) -> int:
    """The seat of a player in the next match: two players change places."""
    return (seat - 1) % count


def _people(live_match: LiveMatch[Any]) -> set[int]:
    return {info.seat for info in live_match.views.seats(SPECTATOR) if info.kind == "person"}


def _wish(live_match: LiveMatch[Any], former: int) -> SeatWish:
    """A request for a seat for the person or bot that held another seat."""
    row = live_match.seats.row(former)
    assert row is not None, "a match that is over has all its seats"
    return SeatWish("bot", bot=row.bot) if row.kind == "bot" else SeatWish("invited", row.name)


async def once_more(store: Store, live_match: LiveMatch[Any]) -> Create:
    """A request for a match like this one, with sides changed.

    Raises `CannotCreate` if this match began from a position of another match.
    """
    header = await asyncio.to_thread(store.header, live_match.match)
    lines = [
        read_event(live_match.face.game, entry) for entry in await asyncio.to_thread(store.read, live_match.match, 0, 3)
    ]
    first = lines[0]
    assert isinstance(first, MatchCreated), "a record begins with MatchCreated"
    if any(isinstance(line, BranchOpened | PositionSet) for line in lines):
        raise CannotCreate("This match began in the middle of another, or in a position; begin that one anew.")
    count = len(first.seats)
    formers = {_seat_after(seat, count): seat for seat in range(count)}
    table = live_match.views.times_for(SPECTATOR).table or TableInfo()
    return Create(
        game=header.game,
        seats=tuple(_wish(live_match, formers[seat]) for seat in range(count)),
        options=first.options,
        listed=header.listed,
        title=header.title,
        # The policy comes from a record, whose reader has checked it.
        reveal=first.reveal,  # type: ignore[arg-type]
        closed=header.closed,
        delay_events=header.delay_events,
        delay_s=header.delay_s,
        time=table.time,
        shares=first.shares,
        hints=first.hints,
        rated=first.rated,
        open_cards=first.open_cards,
        open_cards_sooner=True,
    )


def _tell(
    live_match: LiveMatch[Any], asked: tuple[int, ...], only: int | None = None, told: Rematch | None = None
) -> None:
    frame = write_message(told or Rematch(asked))
    for listener in live_match.connections:
        seat = listener.guest.viewer.seat
        if listener.guest.role == "seat" and (only is None or seat == only):
            listener.send(frame)
