"""Answers that seats of one match have signed ahead. They are used when they fit, and shown to nobody else."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from domain.kernel import Asked, Chosen, NotAChoice, Refusal, Seat, State
from domain.kernel.table import STANDING
from replay.record import standing
from replay.record.errors import NotSigned
from replay.record.referee import Referee
from replay.store.side_tables.standing import StandingRow
from replay.store.store import Store
from server.table.command_queue import CommandQueue
from server.table.deduplication import SEAT
from server.table.foresight import Foresight
from server.table.seats import Seats
from server.table.table_state import waited_for
from server.wire.foresight_messages import Foresee
from server.wire.protocol import Accepted, ChoiceSignature, Choose
from server.wire.standing_messages import Ahead, AheadTold, AnswerAhead, KeptAnswer

S = TypeVar("S", bound=State)
_ANSWERS: Final = msgspec.json.Decoder(tuple[AnswerAhead, ...])
_encode: Final = msgspec.json.Encoder().encode
NOT_NOW: Final = ("try-again", "match-paused", "not-begun")
"""Refusals after which an answer is kept, because it may soon be valid."""


class StandingAnswers(Generic[S]):
    """Stores and uses the answers that the seats of one match sign ahead. It does one thing at a time, so that no
    answer is used after this server has confirmed its cancellation.
    """

    def __init__(
        self,
        referee: Referee[S],
        store: Store,
        command_queue: CommandQueue[S],
        seats: Seats,
        foresight: Foresight[S],
    ) -> None:
        self._referee, self._store, self._command_queue, self._seats = referee, store, command_queue, seats
        self._foresight = foresight
        self._lock = asyncio.Lock()

    async def keep(self, seat: Seat, message: Ahead) -> AheadTold:
        """Replace the stored answers that a seat has signed ahead, or report them. Raises `Refusal` if an answer is not
        accepted.
        """
        async with self._lock:
            if message.answers is not None:
                await self._replace(seat, message, message.answers)
            row = await self._kept(seat)
            return AheadTold(tuple(KeptAnswer(one.id, one.text) for one in _answers(row)), message.id)

    async def _replace(self, seat: Seat, message: Ahead, answers: Sequence[AnswerAhead]) -> None:
        match = self._referee.match
        if not answers or self._referee.state.result is not None:
            await asyncio.to_thread(self._store.standing.drop, match, seat)
            return
        if len({one.id for one in answers}) < len(answers):
            raise NotAChoice("Each answer ahead has an id of its own.")
        for one in answers:
            if self._seats.answers.line(seat, SEAT, one.id):
                raise NotAChoice(f"The id {one.id} was used before; sign each answer under a fresh one.")
            opened = (one.salt, one.text)
            note = Chosen(seat, 0, one.id, STANDING, message.ack_seq, message.ack_head, signed=opened)
            self._referee.answers.check_kept(self._referee.state, _committed(self._referee.match, note, one))
        made, held = secrets.token_hex(8), _encode(answers).decode()
        # 0: no question has been tried with these answers yet, so the next check also tries the open question.
        row = StandingRow(match, seat, 0, made, message.ack_seq, message.ack_head, held)
        await asyncio.to_thread(self._store.standing.keep, row)

    async def _kept(self, seat: Seat) -> StandingRow | None:
        """The stored answers of a seat that are still valid; expired answers are removed."""
        row = await asyncio.to_thread(self._store.standing.of_seat, self._referee.match, seat)
        if row is None:
            return None
        is_over = self._referee.state.result is not None or seat in self._seats.bots
        if is_over or not self._referee.answers.holds_ahead(seat, row.ack_seq):
            await asyncio.to_thread(self._store.standing.drop, row.match, seat)
            return None
        return row

    async def look(self, seat: Seat) -> bool:
        """Answer for a seat if it has signed an answer to its question; returns whether one was used."""
        async with self._lock:
            row = await self._kept(seat)
            if row is None:
                return False
            asked = next((asked for asked in waited_for(self._referee.state) if asked.seat == seat), None)
            left, is_used = _answers(row), False
            if asked is not None:
                left, is_used = await self._use(row, asked, left)
            if not left:
                await asyncio.to_thread(self._store.standing.drop, row.match, seat)
            else:
                looked = self._referee.seq if asked is None or not _fitting(left, asked) else 0
                held = msgspec.structs.replace(row, looked=looked, answers=_encode(left).decode())
                await asyncio.to_thread(self._store.standing.left, held)
            return is_used

    async def _use(
        self, row: StandingRow, asked: Asked, left: tuple[AnswerAhead, ...]
    ) -> tuple[tuple[AnswerAhead, ...], bool]:
        """Try the answers in order; returns the remaining ones, and whether one was used.

        An instruction whose condition does not hold here is removed.
        """
        while (one := _fitting(left, asked)) is not None:
            said = standing.read_instruction(one.text)
            assert said is not None, "it was read when it was found to fit"
            signed = ChoiceSignature(one.text, one.signature, one.salt)
            if await self._loses(asked, said.then):
                # A page would warn of a losing answer, but nobody is there to read that.
                left = tuple(other for other in left if other.text != one.text)
                continue
            message = Choose(one.id, asked.number, said.then, ack_seq=row.ack_seq, ack_head=row.ack_head, signed=signed)
            answer = await self._command_queue.choose(asked.seat, message, by=STANDING)
            if isinstance(answer, Accepted):
                return tuple(other for other in left if other.id != one.id), True
            if answer.code in NOT_NOW:
                return left, False
            if asked not in waited_for(self._referee.state):
                return left, False  # somebody else has answered the question
            left = tuple(other for other in left if other.text != one.text)
        return left, False

    async def _loses(self, asked: Asked, then: dict[str, Any]) -> bool:
        """Whether the answer would certainly lose the match, as far as its seat can know."""
        try:
            return bool((await self._foresight.foresee(asked.seat, Foresee("ahead", asked.number, then))).lost)
        except Refusal:
            return False


def _answers(row: StandingRow | None) -> tuple[AnswerAhead, ...]:
    return () if row is None else _ANSWERS.decode(row.answers)


def _fitting(answers: Sequence[AnswerAhead], asked: Asked) -> AnswerAhead | None:
    """The first answer whose instruction fits a question."""
    for one in answers:
        said = standing.read_instruction(one.text)
        if said is not None and said.fits(asked):
            return one
    return None


def _committed(match: str, note: Chosen, one: AnswerAhead) -> Chosen:
    """The note with the commitment and the signature that the answer's line would have.

    Raises `NotSigned` if they do not fit.
    """
    try:
        return standing.signed_ahead(match, note, one.salt, one.text, one.signature)
    except ValueError as wrong:
        raise NotSigned("The salt is 32 bytes as base64url.") from wrong
