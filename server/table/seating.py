"""Seating at one match: a player takes a free seat, and everybody who watches is informed."""

from functools import partial
from typing import Final, Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import Refusal, Seat, State
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Ruling
from replay.store.errors import StoreFailed
from replay.store.seats import SeatRow
from server.table.broadcaster import Broadcaster
from server.table.chance_setup import ChanceSetup
from server.table.command_queue import CommandQueue, commit_anew
from server.table.errors import CannotSit
from server.table.seats import Seats
from server.table.table_state import TableState
from server.wire.text import is_alike

ALIKE: Final = "Somebody at this table has a name that nobody could tell from this one; choose another."
S = TypeVar("S", bound=State)


class Seating(Generic[S]):
    """Gives seats, one at a time."""

    def __init__(
        self,
        referee: Referee[S],
        command_queue: CommandQueue[S],
        seats: Seats,
        broadcaster: Broadcaster[S],
        chance_setup: ChanceSetup[S],
        table_state: TableState[S],
    ) -> None:
        self._referee, self._command_queue, self._seats = referee, command_queue, seats
        self._preparation = Preparation(referee)
        self._commit = partial(commit_anew, command_queue, referee)
        self._broadcaster, self._chance_setup, self._table_state = broadcaster, chance_setup, table_state

    def is_open(self, seat: int) -> bool:
        """Whether anybody may take the seat: it has no holder and is not reserved for a friend's link."""
        return self._is_free(seat) and not self.is_awaited(seat)

    def is_awaited(self, seat: int) -> bool:
        """Whether the seat is reserved for a friend who has not yet used the link."""
        row = self._seats.row(seat)
        return row is not None and self._is_free(seat) and bool(row.token_hash) and not row.kind

    def _is_free(self, seat: int) -> bool:
        return self._seats.row(seat) is not None and not self._referee.state.players[seat]

    async def set_key(self, seat: Seat, key: str, signature: str) -> int:
        """Let a seat sign with another key from now on, visibly to everybody; returns the line.

        Raises `Refusal` if the key is not accepted, or `StoreFailed` if the line could not be written now.
        """
        async with self._command_queue.lock:
            if not await self._commit(lambda: self._preparation.set_key(seat, key, signature, self._table_state.now())):
                raise StoreFailed("the key was not written")
            return self._referee.seq

    async def claim(self, seat: Seat, commitment: str, signature: str) -> int:
        """Record, visibly to everybody, that a person holds the seat's key; returns the line.

        Raises `Refusal` if the claim is not accepted, or `StoreFailed` if the line could not be written now.
        """
        async with self._command_queue.lock:
            if not await self._commit(
                lambda: self._preparation.claim_seat(seat, commitment, signature, self._table_state.now())
            ):
                raise StoreFailed("the claim was not written")
            return self._referee.seq

    def _is_taken(self, name: str) -> bool:
        """Whether readers would confuse the name with the name of somebody at this table."""
        return any(is_alike(name, other) for other in self._referee.state.players if other)

    def free_name(self, name: str, seat: int) -> str:
        """The name, or a name derived from the seat if readers would confuse the name with another at this table."""
        tried = (
            name,
            nameless(seat),
            *(f"{nameless(seat)}, {n}" for n in range(2, 2 + len(self._referee.state.players))),
        )
        return next(one for one in tried if not self._is_taken(one))

    async def sit(self, seat: int, name: str, kind: str, row: SeatRow, *, key: str = "", entropy: str = "") -> None:
        """Give somebody a free seat; taking the last seat begins the match. Raises `CannotSit` if the seat is not free.

        `key` will sign the seat's choices; `entropy` is the commitment to the seat's own share of chance.
        """
        async with self._command_queue.lock:
            if await self._commit(lambda: self._taking(seat, name, kind, row, key, entropy)):
                self._seats.enrol(row)
            elif self._seats.row(seat) != row:
                raise CannotSit("The seat was not taken: somebody else was faster, or the disk is full. Look again.")
            self._broadcaster.tell_seats()
            if entropy:
                await self._chance_setup.commit_share(Seat(seat), entropy)
            await self._chance_setup.begin()

    def _taking(self, seat: int, name: str, kind: str, row: SeatRow, key: str, entropy: str) -> Ruling[S]:
        """Write the lines that take the seat in one step with its row, so that a second person cannot change the first
        person's token. Raises `CannotSit` if the seat is not free.
        """
        names = self._referee.state.players
        if not 0 <= seat < len(names) or names[seat]:
            raise CannotSit("This seat is taken already; take another one, or watch.")
        if key and entropy and self._referee.state.record > 1:
            raise CannotSit("A seat with a key signs its share of chance: take it, then send `share`.")
        if kind == "person" and self._is_taken(name):
            raise CannotSit(ALIKE)
        try:
            ruling = self._preparation.take_seat(Seat(seat), name, kind, self._table_state.now(), key)
        except Refusal as refusal:
            raise CannotSit(refusal.why) from refusal
        return replace(ruling, commit=replace(ruling.commit, seat=row))


def nameless(seat: int) -> str:
    """The name of a player who has given none."""
    return f"Player {seat + 1}"
