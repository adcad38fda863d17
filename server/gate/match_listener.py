"""One connection that listens to a match: its messages about the match, and how it catches up after missed frames."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import aclosing
from typing import Any

from msgspec.structs import replace

from projections.i18n.language import Language, language_of
from projections.languages import ENGLISH
from replay.errors import RecordError
from server.errors import place_of
from server.gate.outbox import Outbox, Socket
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters
from server.operations.settings import Limits
from server.table.chat import room_of
from server.table.guests import WATCHER, Guest
from server.table.live_match import LiveMatch
from server.wire.analysis_messages import Judged
from server.wire.foresight_messages import Foreseen
from server.wire.hint_messages import Hinted
from server.wire.protocol import (
    ChatLine,
    Error,
    GameInfo,
    Games,
    Matches,
    MatchInfo,
    Refused,
    Said,
    SeatsChanged,
    ServerMessage,
    write_message,
)

LOG = logging.getLogger(__name__)
MUTED = 100
"""The number of speakers that one connection may mute."""


class MatchListener(Outbox):
    """Listens to a match. `guest` is the connection's role there; `who` and `name` are its names in chat.

    `language` is the language of its messages, translated with the catalogues of the `game` that it watches.
    """

    def __init__(
        self, socket: Socket, limits: Limits, meters: Meters, address: str = "", intervals: Intervals = INTERVALS
    ) -> None:
        super().__init__(socket, limits, intervals.drain_s)
        self._retry_s = intervals.retry_s
        self.guest: Guest = WATCHER
        self.wants_scenes = False
        self.language = ENGLISH
        self.address = address
        self.who = self.name = self.device = ""
        self._meters = meters
        self._live_match: LiveMatch[Any] | None = None
        self._muted: frozenset[str] = frozenset()
        self._lasting: frozenset[str] = frozenset()
        self.game = ""
        self._heard = 0
        self._bringing: object = None
        self._said_meanwhile: list[tuple[ChatLine, str]] = []
        self._catching_up: asyncio.Task[None] | None = None

    def speak(self, language: str) -> None:
        """Send all texts in this language from now on."""
        self.language = language

    def answer(self, message: ServerMessage) -> None:
        """Send a message after those that were held back; its sentences are in the connection's language."""
        self.answer_in(message, self.game, self.language)

    def answer_in(self, message: ServerMessage, game: str, language: str) -> None:
        """Send a message as `answer` does, but in this language, translated with the catalogues of this game."""
        said = language_of(game, language)
        super().answer(message if said is None else translated_message(message, said))

    async def follow(self, live_match: LiveMatch[Any], since: int | None) -> None:
        """Begin with the lines after `since`, or with the Scene alone."""
        self._live_match = live_match
        self.is_behind = False
        self._heard = -1
        await self.bring_up_to_date(live_match, since)

    def stop(self) -> None:
        """Stop following the match."""
        self._stop_catching_up()
        self._live_match = self._kept = self._bringing = None

    def fall_behind(self) -> None:
        """Omit frames until the other side has read the earlier ones."""
        self._catch_up_later(None if self.wants_scenes else self.seq)

    def hear(self, line: ChatLine, frame: str) -> None:
        """Send a line of chat as its frame, unless its speaker is muted."""
        if self._kept is not None:
            self._said_meanwhile.append((line, frame))
            return
        if line.n <= self._heard:  # it was among the last lines of the chat room when these were read
            return
        if not self._is_muted(line):
            self.send(frame)
        if not self.is_behind:
            self._heard = line.n

    def _is_muted(self, line: ChatLine) -> bool:
        return bool(self._muted & {line.who, "*"})

    def _catch_up_later(self, since: int | None) -> None:
        self._meters.catch_ups += not self.is_behind
        self.is_behind = True
        self._kept = self._bringing = None
        self._stop_catching_up()
        self._catching_up = asyncio.get_running_loop().create_task(self._catch_up(since))

    def _stop_catching_up(self) -> None:
        """Cancel the task that catches up, unless it is the one that calls this."""
        if self._catching_up is not None and self._catching_up is not asyncio.current_task():
            self._catching_up.cancel()
            self._catching_up = None

    async def _catch_up(self, since: int | None) -> None:
        """After frames were omitted, send the current Scene or the missed lines, and the other missed messages."""
        while await self.has_read() and self._live_match is not None:
            try:
                await self.bring_up_to_date(self._live_match, since)
                break
            except RecordError as wrong:
                LOG.error("a connection cannot be caught up yet: %s", place_of(wrong))
                await asyncio.sleep(self._retry_s)

    async def bring_up_to_date(self, live_match: LiveMatch[Any], since: int | None) -> None:
        """Send the lines after `since`, as many at a time as the socket may hold, and then the Scene.

        Frames that are sent during the read are held back and follow it.
        """
        self._stop_catching_up()
        self.keep_back()
        bringing = self._bringing = object()
        try:
            # Chat is read first, so that it is sent directly after the last line.
            is_new = self.is_behind or self._heard < 0
            said = await live_match.chat.since(room_of(self.guest), self._heard) if is_new else ()
            if await self._bring(live_match, since):
                self._tell_what_was_missed(live_match)
                self._tell_what_was_said(said)
        except RecordError:
            # A viewer who asked for lines while catching up must not stay behind permanently.
            if self.is_behind and self._catching_up is None:
                self._catch_up_later(since)
            raise
        finally:
            # If another call has begun, that call sends the messages that were held back.
            if self._bringing is bringing:
                self.let_go()

    async def _bring(self, live_match: LiveMatch[Any], since: int | None) -> bool:
        """Send everything that the viewer may see now; returns False if the socket cannot take it at once."""
        viewer, views, last = self.guest.viewer, live_match.views, since
        while True:
            if self.wants_scenes:
                await views.audience(viewer)
            if last is not None:
                async with aclosing(views.lines_since(viewer, last)) as frames:
                    async for frame, last in frames:
                        self.write(frame)
                        if self.is_full:
                            self._catch_up_later(last)
                            return False
            if not self.wants_scenes:
                break
            if viewer in views.audiences:
                self.write(views.snapshot(viewer, self.language))
                break
        self.seq = live_match.visible_head.seq_for(viewer)
        return True

    def _tell_what_was_missed(self, live_match: LiveMatch[Any]) -> None:
        """Send the omitted messages other than lines, because a client can request only lines again."""
        was_behind, self.is_behind = self.is_behind, False
        if was_behind:
            self.write(write_message(SeatsChanged(live_match.views.seats(self.guest.viewer))))
            self.write(write_message(live_match.admission.presence_for(self.guest.viewer)))
            if (directed := live_match.directions.shown_to(self.guest.viewer)) is not None:
                self.write(write_message(directed))

    def _tell_what_was_said(self, lines: Sequence[ChatLine]) -> None:
        """Send the last chat lines of the viewer's room that this connection has not had."""
        told = tuple(line for line in lines if not self._is_muted(line))
        if told:
            self.write(write_message(Said(told)))
        self._heard = lines[-1].n if lines else max(0, self._heard)

    def let_go(self) -> None:
        """See `Outbox`; chat lines that were held back are also sent."""
        super().let_go()
        said, self._said_meanwhile = self._said_meanwhile, []
        for line, frame in said:
            self.hear(line, frame)

    def mute_seats(self, seats: Collection[int]) -> None:
        """Mute these seats of the match, and unmute the seats that an earlier call has muted."""
        lasting = frozenset(f"seat{seat}" for seat in seats)
        self._muted = self._muted - self._lasting | lasting
        self._lasting = lasting

    def mute(self, who: str, *, on: bool) -> None:
        """Mute a speaker, or unmute; `*` is everybody."""
        if not on:
            self._muted -= {who}
        elif len(self._muted) < MUTED:
            self._muted |= {who}


def translated_message(message: ServerMessage, said: Language) -> ServerMessage:
    """A message with its sentences in a language, as far as they are translated.

    It names the sentences left in English.
    """
    match message:
        case Refused() | Error():
            why, known = said.refusal(message.why)
            return replace(message, why=why, lang="" if known else ENGLISH)
        case Foreseen():
            ends = (message.roll, message.lost, message.vain, message.final)
            lines = tuple(said.text(line) for line in message.lines)
            roll, lost, vain, final = map(said.text, ends)
            left = tuple(text for text in (*message.lines, *ends) if text and not said.has(text))
            return replace(message, lines=lines, roll=roll, lost=lost, vain=vain, final=final, english=left)
        case Games(games):
            return Games(tuple(_translated_game(info, said.language) for info in games))
        case Matches(finished=finished):
            return replace(message, finished=tuple(_translated_result(info, said.language) for info in finished))
        case Judged():
            return translated_judgement(message, said)
        case Hinted():
            return translated_hint(message, said)
    return message


def _translated_game(info: GameInfo, language: str) -> GameInfo:
    said = language_of(info.game, language)
    lasting = info.lasting if said is None else tuple(map(said.text, info.lasting))
    if said is None or not said.has(info.about):
        return replace(info, lang=ENGLISH, lasting=lasting)
    return replace(info, about=said.text(info.about), lasting=lasting)


def _translated_result(info: MatchInfo, language: str) -> MatchInfo:
    """A match's line in a list; the reason in its result (`seat 0: why` or `draw: why`) is in a language."""
    who, _, why = info.result.partition(": ")
    said = language_of(info.game, language)
    if not why:
        return info
    if said is None or not said.has(why):
        return replace(info, lang=ENGLISH)
    return replace(info, result=f"{who}: {said.text(why)}")


def translated_hint(message: Hinted, said: Language) -> Hinted:
    """A hint whose choices are in a language; it names those left in English."""
    return replace(
        message,
        choices=tuple(
            replace(one, choice=said.text(one.choice), lang="" if said.has(one.choice) else ENGLISH)
            for one in message.choices
        ),
    )


def translated_judgement(message: Judged, said: Language) -> Judged:
    """An analysis whose choices and questions are in a language; it names those left in English."""

    def left(*texts: str) -> str:
        return "" if all(map(said.has, texts)) else ENGLISH

    better = tuple(
        replace(one, made=said.text(one.made), other=said.text(one.other), lang=left(one.made, one.other))
        for one in message.better
    )
    advice = tuple(
        replace(
            one,
            ask=said.text(one.ask),
            lang=left(one.ask),
            choices=tuple(replace(c, choice=said.text(c.choice), lang=left(c.choice)) for c in one.choices),
        )
        for one in message.advice
    )
    return replace(message, better=better, advice=advice)
