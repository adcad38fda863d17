"""A connection's messages beside its match: chat, lasting mutes, and reports to the staff."""

import asyncio
from typing import Any

from server.gate.match_listener import MatchListener
from server.gate.safety_dispatcher import SafetyDispatcher
from server.lobby.connection_limits import is_local
from server.lobby.errors import TooOften
from server.lobby.lobby import Lobby
from server.table.chat import room_of
from server.table.errors import ChatRefused
from server.table.guests import Guest
from server.table.live_match import LiveMatch
from server.wire.protocol import Chat, Error, Mute
from server.wire.safety_messages import Report, Reported


class TableTalk:
    """Serves chat, mutes and reports of one connection, in the match that it has entered."""

    def __init__(self, lobby: Lobby, stream: MatchListener) -> None:
        self._lobby, self._stream = lobby, stream
        self._safety, self._reports = lobby.safety, SafetyDispatcher(lobby)

    async def serve(self, message: Chat | Mute | Report, live_match: LiveMatch[Any] | None) -> None:
        """Carry out a message. Raises `ChatRefused`, `SafetyRefused` or `TooOften` if it is refused."""
        if isinstance(message, Mute):
            self._stream.mute(message.who, on=message.on)
            if live_match is not None:
                await asyncio.to_thread(self._keep_muted, live_match.match, message)
        elif live_match is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", message.id))
        elif isinstance(message, Chat):
            await self._chat(message, live_match)
        else:
            await self._report(message, live_match.match)

    async def _chat(self, chat: Chat, live_match: LiveMatch[Any]) -> None:
        if not room_of(self._stream.guest):
            raise ChatRefused("Casters and spectators who see hands do not chat; watch as a plain spectator to talk.")
        stream = self._stream
        speaker = stream.who if stream.guest.role == "seat" or is_local(stream.address) else stream.address
        if not self._lobby.chat_paces.may((live_match.match, speaker)):
            raise ChatRefused("That was too fast; wait a few seconds, then say it again.")
        if why := await asyncio.to_thread(self._safety.voices.refusal, live_match.match, self._seat, chat.text):
            raise ChatRefused(why)
        await live_match.admission.say(stream, chat.text)

    @property
    def _seat(self) -> int | None:
        return self._stream.guest.viewer.seat if self._stream.guest.role == "seat" else None

    async def _report(self, report: Report, match: str) -> None:
        stream, is_seat = self._stream, self._seat is not None
        speaker = stream.who if is_seat else stream.address
        if not self._safety.report_paces.may((match, speaker)):
            raise TooOften("You report too fast; wait a minute.")
        room, source = room_of(stream.guest), f"{match}/{speaker}" if is_seat else speaker
        kept = await asyncio.to_thread(self._reports.report, report, match, stream.who, room, source)
        stream.answer(Reported(kept, report.id))

    def _keep_muted(self, match: str, mute: Mute) -> None:
        """Store a mute if signed-in persons hold both seats; call it in a thread."""
        seat, other = self._seat, mute.who.removeprefix("seat")
        if seat is not None and other.isdecimal() and int(other) != seat:
            self._safety.shuns.mute_at(match, seat, int(other), on=mute.on)


def muted_seats(lobby: Lobby, match: str, guest: Guest) -> set[int]:
    """The seats that the person who holds a seat has muted on any device; call it in a thread."""
    seat, safety = guest.viewer.seat, lobby.safety
    return safety.shuns.muted_seats(match, seat) if guest.role == "seat" and seat is not None else set()
