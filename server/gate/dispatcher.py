"""Dispatches the messages of one connection: carries out each message, and answers it."""

import asyncio
from typing import Any

from msgspec.structs import replace

from domain.kernel import Refusal, Seat
from projections.languages import known_language
from replay.store.matches import Header
from server.gate.directing import direct
from server.gate.match_listener import MatchListener
from server.gate.table_talk import TableTalk, muted_seats
from server.lobby.branching import branch
from server.lobby.errors import CannotStudy
from server.lobby.invitations import describe, redeem, withdraw
from server.lobby.lobby import Lobby
from server.operations import logs
from server.table.errors import GrantRefused
from server.table.guests import Guest, identify
from server.table.live_match import LiveMatch
from server.wire.act_messages import Agree, Claim, Decline, Hint, Offer, Resign, TableMessage, Vacation
from server.wire.analysis_messages import Judge
from server.wire.direction_messages import Direct, Remark, Voice
from server.wire.errors import BeyondHead
from server.wire.foresight_messages import Foresee, Foreseen
from server.wire.hint_messages import StopHint
from server.wire.inviting import ReadInvitation, Renew, Renewed, Withdraw
from server.wire.lesson_messages import Consider, Studied, Study
from server.wire.person_messages import ClaimSeat, PersonsTold, ReadPersons
from server.wire.protocol import (
    Accepted,
    Branch,
    Chat,
    Choose,
    ClientMessage,
    Create,
    Error,
    Grant,
    Granted,
    Hello,
    Join,
    ListGames,
    ListMatches,
    ListTurns,
    Mute,
    Need,
    Notified,
    Notify,
    Ping,
    Pong,
    Refused,
    Reveal,
    Revoke,
    Revoked,
    SetKey,
    Share,
    ViewerInfo,
    Welcome,
)
from server.wire.rematch_messages import Again, Rematch
from server.wire.safety_messages import Report
from server.wire.standing_messages import Ahead
from server.wire.text import visible


class Dispatcher:
    """Serves a connection, at the match lobby and at the match of its `hello`."""

    def __init__(self, lobby: Lobby, stream: MatchListener) -> None:
        self._lobby, self._stream = lobby, stream
        self._live_match: LiveMatch[Any] | None = None
        self._talk = TableTalk(lobby, stream)

    def leave(self) -> None:
        """Leave the match, if the connection is in one."""
        if self._live_match is not None:
            self._stream.stop()
            self._lobby.analyses.leave(self._stream)
            self._lobby.hints.leave(self._stream)
            self._live_match.leave(self._stream)
            self._live_match = None

    async def serve(self, message: ClientMessage) -> None:
        """Carry out a message. Raises the errors of the match lobby and of the match."""
        match message:
            case Choose() | Resign() | Offer() | Agree() | Decline() | Claim() | Vacation() | Hint():
                await self._choose(message)
            case Hello():
                await self._hello(message)
            case Reveal() | Share() | SetKey() | ClaimSeat() | Ahead():
                await self._prove(message)
            case Need() | Foresee() | Judge() | StopHint() | Study() | Consider():
                await self._ask(message)
            case Grant() | Revoke() | Chat() | Mute() | Notify() | Again() | Renew() | Report():
                await self._serve_aside(message)
            case ReadPersons():
                self._stream.answer(await persons_told(self._lobby, self._live_match, self._stream.guest, message))
            case Direct() | Remark() | Voice():
                await direct(self._lobby, self._live_match, self._stream, message)
            case ListTurns():
                await self._turns(message)
            case Ping(n):
                self._stream.answer(Pong(n))
            case ListGames(lang):
                self._speak(lang)
                self._stream.answer(self._lobby.listing.games())
            case ListMatches(lang):
                self._speak(lang)
                self._stream.answer(await self._lobby.listing.matches())
            case Create() | Branch() | Join() | ReadInvitation() | Withdraw():
                await self._seat(message)

    async def _seat(self, message: Create | Branch | Join | ReadInvitation | Withdraw) -> None:
        """Requests of a client that is not yet in a match: for a match, a seat, or the content of an invitation."""
        lobby, stream = self._lobby, self._stream
        match message:
            case Create():
                lobby.connection_limits.assert_may_create(stream.address)
                stream.answer(replace(await lobby.factory.create(message), id=message.id))
            case Branch():
                lobby.connection_limits.assert_may_create(stream.address)
                stream.answer(replace(await branch(lobby, message), id=message.id))
            case Join():
                joined = redeem(lobby, message) if message.invitation else lobby.entry.join(message)
                stream.answer(replace(await joined, id=message.id))
            case ReadInvitation():
                stream.answer(await describe(lobby, message))
            case Withdraw():
                stream.answer(await withdraw(lobby, message))

    def _speak(self, language: str) -> None:
        """Answer in a language from now on, unless a hello has chosen one."""
        if self._live_match is None:
            self._stream.speak(known_language(language))

    async def _turns(self, message: ListTurns) -> None:
        """Answer which of a client's matches wait for its move.

        A wrong token is answered as slowly as in a separate hello.
        """
        turns, strange = await self._lobby.entry.turns(message)
        admission = self._lobby.connection_limits
        await asyncio.sleep(sum(admission.wrong_token(self._stream.address, match) for match in strange))
        self._stream.answer(turns)

    async def _choose(self, message: Choose | TableMessage) -> None:
        if self._live_match is None:
            self._stream.answer(Refused(message.id, "no-match", "Say hello to a match first."))
        elif self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            self._stream.answer(
                Refused(message.id, "not-your-decision", "Spectators cannot choose; take a seat to play.")
            )
        else:
            seat, live_match = self._stream.guest.viewer.seat, self._live_match
            if isinstance(message, Claim):
                await self._lobby.presence.look(
                    (live_match.match,)
                )  # somebody may just have returned at another server
            self._stream.expect_answer()
            if isinstance(message, Choose):
                answer = await live_match.command_queue.choose(seat, message, asker=self._stream)
            elif isinstance(message, Hint):
                answer = await self._lobby.hints.commit(live_match, seat, message, self._stream)
            else:
                answer = await live_match.command_queue.act(seat, message, self._stream)
            meters = self._lobby.meters
            if isinstance(answer, Refused):
                meters.refused[answer.code] += 1
            else:
                meters.accepted += 1
            if not self._stream.is_answered:
                self._stream.answer(answer)
            if isinstance(message, Hint) and isinstance(answer, Accepted):
                self._lobby.hints.think(live_match, seat, message, self._stream, self._stream.answer)

    async def _serve_aside(self, message: Grant | Revoke | Chat | Mute | Notify | Again | Renew | Report) -> None:
        """Serve the messages beside the match: shared views and chat."""
        match message:
            case Grant():
                live_match, seat = self._own_seat()
                await self._lobby.registry.assert_shown(live_match.match)
                self._stream.answer(Granted(await live_match.admission.grant(seat, directs=message.directs)))
            case Revoke():
                live_match, seat = self._own_seat()
                await live_match.admission.revoke(seat)
                self._stream.answer(Revoked())
            case Renew(token, signature):
                live_match, seat = self._own_seat()
                await live_match.admission.renew(seat, self._stream, token, signature)
                self._stream.answer(Renewed(message.id))
            case Notify(url):
                live_match, seat = self._own_seat()
                self._stream.answer(
                    Notified(await asyncio.to_thread(self._lobby.webhooks.name, live_match.match, seat, url))
                )
            case Chat() | Mute() | Report():
                await self._talk.serve(message, self._live_match)
            case Again(on=on):
                await self._again(on=on)

    async def _hello(self, hello: Hello) -> None:
        self._stream.speak(known_language(hello.lang))
        live_match, guest = await self._lobby.entry.admit(hello)
        await _assert_there(live_match, guest, hello.since or 0)
        muted = await asyncio.to_thread(muted_seats, self._lobby, live_match.match, guest)
        # Identify the client again, because its token may have been revoked while the match was read. After this,
        # nothing is awaited until the connection is registered, so that revoking the token closes the connection.
        header, guest = await asyncio.to_thread(identify, self._lobby.store, hello)
        live_match = await self._lobby.registry.open(live_match.match)  # the match may have left memory in the meantime
        stream = self._stream
        if stream.is_closing:
            # The connection was closed while the match was folded: it must not take a place now.
            return
        self.leave()
        self._lobby.connection_limits.enter(stream, guest, live_match.match)
        self._live_match, stream.guest, stream.game = live_match, guest, live_match.face.game.name
        logs.MATCH.set(live_match.match)
        stream.name = visible(hello.name) if guest.role == "spectator" else ""
        stream.device = hello.device
        stream.wants_scenes = "scene" in hello.caps
        stream.mute_seats(muted)
        stream.answer(welcome_to(live_match, header, guest))
        # Messages sent from now on arrive after the earlier ones.
        stream.keep_back()
        live_match.enter(stream)
        try:
            await live_match.admission.recognise(stream)
            await stream.follow(live_match, hello.since if stream.wants_scenes else hello.since or 0)
        except BaseException:
            self.leave()
            raise
        if guest.role == "seat" and (asked := self._lobby.rematch.asked(live_match)):
            stream.answer(Rematch(asked))

    async def _ask(self, message: Need | Foresee | Judge | StopHint | Study | Consider) -> None:
        """Answer questions that change nothing."""
        guest, live_match = self._stream.guest, self._live_match
        if isinstance(message, Study | Consider):
            await self._teach(message)
        elif live_match is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", message.id))
        elif isinstance(message, Need):
            await _assert_there(live_match, guest, message.since)
            await self._stream.bring_up_to_date(live_match, message.since)
        elif isinstance(message, Judge):
            stream = self._stream
            await self._lobby.analyses.judge(live_match, guest, message, stream, stream.answer, stream.address)
        elif isinstance(message, StopHint):
            self._lobby.hints.stop_for(self._stream, live_match.match, message)
        elif guest.role != "seat" or guest.viewer.seat is None:
            why = "Spectators cannot choose; take a seat to play."
            self._stream.answer(Error("not-your-decision", why, message.id))
        else:
            try:
                self._stream.answer(await live_match.foresight.foresee(guest.viewer.seat, message))
            except Refusal as refusal:
                self._stream.answer(Error(refusal.code, refusal.why, message.id))

    async def _teach(self, message: Study | Consider) -> None:
        """Serve a lesson, which belongs to no match and which anybody may take."""
        lessons = self._lobby.lessons
        try:
            asked = lessons.study(message) if isinstance(message, Study) else lessons.consider(message)
            answer: Studied | Foreseen | Error = await asked
        except Refusal as refusal:
            answer = Error(refusal.code, _with_rule(refusal), message.id)
        except CannotStudy as wrong:
            answer = Error(wrong.code, str(wrong), message.id)
        self._stream.answer_in(answer, message.game, message.lang)

    async def _again(self, *, on: bool) -> None:
        live_match, seat = self._own_seat()
        await self._lobby.rematch.ask(live_match, seat, self._stream.address, on=on)

    def _own_seat(self) -> tuple[LiveMatch[Any], Seat]:
        if self._live_match is None or self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            raise GrantRefused("This is for seats; take one.")
        return self._live_match, self._stream.guest.viewer.seat

    async def _prove(self, message: Reveal | Share | SetKey | ClaimSeat | Ahead) -> None:
        """Serve shares of chance, keys and answers ahead, which a seat's client provides so that nobody has to trust
        the server for them.
        """
        if self._live_match is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", message.id))
        elif self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            why = "Spectators give and sign nothing here; take a seat."
            self._stream.answer(Error("seat-refused", why, message.id))
        else:
            live_match, seat = self._live_match, self._stream.guest.viewer.seat
            try:
                match message:
                    case Reveal(entropy):
                        line = await live_match.chance_setup.reveal(seat, entropy)
                    case Share(entropy, signature):
                        line = await live_match.chance_setup.share(seat, entropy, signature)
                    case SetKey(key, signature):
                        line = await live_match.seating.set_key(seat, key, signature)
                    case ClaimSeat(commitment, signature):
                        line = await live_match.seating.claim(seat, commitment, signature)
                    case Ahead():
                        self._stream.answer(await live_match.standing.keep(seat, message))
                        return
            except Refusal as refusal:
                self._stream.answer(Error(refusal.code, refusal.why, message.id))
            else:
                if message.id:
                    self._stream.answer(Accepted(message.id, line))


def _with_rule(refusal: Refusal) -> str:
    """The reason for a refusal, with the rule."""
    return f"{refusal.why.removesuffix('.')} ({refusal.rule})." if refusal.rule else refusal.why


async def _assert_there(live_match: LiveMatch[Any], guest: Guest, since: int) -> None:
    """Raise `BeyondHead` for a line that the store does not have, but not for delayed spectators, to whom the error
    would reveal the number of lines.

    Raises `StoreFailed` if the line cannot be shown yet.
    """
    if not live_match.visible_head.is_behind(guest.viewer) and not await live_match.command_queue.has_line(since):
        last = live_match.visible_head.seq
        raise BeyondHead(f"The record has {last} lines, and line {since} is none of them; begin anew, without `since`.")


async def persons_told(
    lobby: Lobby, live_match: LiveMatch[Any] | None, guest: Guest, message: ReadPersons
) -> PersonsTold | Error:
    """The persons who show themselves to a guest; casters see only the persons whom everybody sees."""
    if live_match is None:
        return Error("no-match", "Say hello to a match first.", message.id)
    seat = guest.viewer.seat if guest.role == "seat" else None
    last = live_match.visible_head.seq_for(guest.viewer)
    return await asyncio.to_thread(lobby.claims.told, live_match.match, last, seat, message.id)


def welcome_to(live_match: LiveMatch[Any], header: Header, guest: Guest) -> Welcome:
    """The messages for a guest who enters a match."""
    viewer, views = guest.viewer, live_match.views
    times = views.times_for(viewer)
    return Welcome(
        live_match.match,
        header.game,
        header.title or live_match.face.game.spec.title,
        header.rules,
        ViewerInfo(viewer.label if viewer.sees_hands else guest.role, viewer.seat, guest.directs),
        views.seats(viewer),
        live_match.visible_head.end_for(viewer),
        # A caster whose token is revoked must not be able to try the seals of later lines.
        views.keys_of(viewer) if guest.role == "seat" else {},
        header.status,
        live_match.visible_head.delay_of(viewer) if guest.role == "spectator" else None,
        times.clocks,
        times.table,
        live_match.open_cards,
    )
