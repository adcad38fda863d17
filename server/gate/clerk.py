"""The clerk of one connection: carries out what its messages ask for, and answers."""

import asyncio
from typing import Any

from msgspec.structs import replace

from domain.kernel import Refusal, Seat
from projections.glossary import known_language
from replay.store.matches import Header
from server.gate.stream import Stream
from server.hall.admission import is_local
from server.hall.again import ask
from server.hall.branching import branch
from server.hall.errors import CannotStudy
from server.hall.matches import Hall
from server.operations import logs
from server.table.chat import room_of
from server.table.errors import ChatRefused, GrantRefused
from server.table.guests import Guest, identify
from server.table.host import Host
from server.wire.acting import Agree, Claim, Decline, Hint, Offer, Resign, TableMessage, Vacation
from server.wire.errors import BeyondHead
from server.wire.foreseeing import Foresee, Foreseen
from server.wire.judging import Judge
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
from server.wire.rematching import Again, Rematch
from server.wire.teaching import Consider, Studied, Study
from server.wire.text import visible


class Clerk:
    """Serves a connection, at the hall and at the match that it has said hello to."""

    def __init__(self, hall: Hall, stream: Stream) -> None:
        self._hall, self._stream = hall, stream
        self._host: Host[Any] | None = None

    def leave(self) -> None:
        """Leave the match, if the connection is in one."""
        if self._host is not None:
            self._stream.stop()
            self._hall.judges.leave(self._stream)
            self._hall.advisers.leave(self._stream)
            self._host.leave(self._stream)
            self._host = None

    async def serve(self, message: ClientMessage) -> None:
        """Carry out a message. Raises what the hall and the match raise."""
        match message:
            case Choose() | Resign() | Offer() | Agree() | Decline() | Claim() | Vacation() | Hint():
                await self._choose(message)
            case Hello():
                await self._hello(message)
            case Reveal() | Share() | SetKey():
                await self._prove(message)
            case Need() | Foresee() | Judge() | Study() | Consider():
                await self._ask(message)
            case Grant() | Revoke() | Chat() | Mute() | Notify() | Again():
                await self._serve_aside(message)
            case ListTurns():
                await self._turns(message)
            case Ping(n):
                self._stream.answer(Pong(n))
            case ListGames(lang):
                self._speak(lang)
                self._stream.answer(self._hall.games())
            case ListMatches(lang):
                self._speak(lang)
                self._stream.answer(await self._hall.matches())
            case Create():
                self._hall.admission.assert_may_create(self._stream.address)
                self._stream.answer(replace(await self._hall.create(message), id=message.id))
            case Branch():
                self._hall.admission.assert_may_create(self._stream.address)
                self._stream.answer(replace(await branch(self._hall, message), id=message.id))
            case Join():
                self._stream.answer(replace(await self._hall.join(message), id=message.id))

    def _speak(self, language: str) -> None:
        """Answer in a language from now on, unless a hello has said in which."""
        if self._host is None:
            self._stream.language = known_language(language)

    async def _turns(self, message: ListTurns) -> None:
        """What a seat's token opens; each one that opens nothing is as slow to be answered as in a hello of its own."""
        turns, strange = await self._hall.turns(message)
        admission = self._hall.admission
        await asyncio.sleep(sum(admission.wrong_token(self._stream.address, match) for match in strange))
        self._stream.answer(turns)

    async def _choose(self, message: Choose | TableMessage) -> None:
        if self._host is None:
            self._stream.answer(Refused(message.id, "no-match", "Say hello to a match first."))
        elif self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            self._stream.answer(
                Refused(message.id, "not-your-decision", "Who watches does not decide; take a seat to play.")
            )
        else:
            seat, host = self._stream.guest.viewer.seat, self._host
            if isinstance(message, Claim):
                await self._hall.board.look((host.match,))  # somebody may just have come back at another server
            self._stream.is_answered = False
            if isinstance(message, Choose):
                answer = await host.docket.choose(seat, message, asker=self._stream)
            elif isinstance(message, Hint):
                answer = await self._hall.advisers.commit(host, seat, message, self._stream)
            else:
                answer = await host.docket.act(seat, message, self._stream)
            meters = self._hall.meters
            if isinstance(answer, Refused):
                meters.refused[answer.code] += 1
            else:
                meters.accepted += 1
            if not self._stream.is_answered:
                self._stream.answer(answer)
            if isinstance(message, Hint) and isinstance(answer, Accepted):
                self._hall.advisers.think(host, seat, message, self._stream, self._stream.answer)

    async def _serve_aside(self, message: Grant | Revoke | Chat | Mute | Notify | Again) -> None:
        """What goes on beside the match: who else may see it, what is said."""
        match message:
            case Grant():
                host, seat = self._own_seat()
                await self._hall.assert_shown(host.match)
                self._stream.answer(Granted(await host.usher.grant(seat)))
            case Revoke():
                host, seat = self._own_seat()
                await host.usher.revoke(seat)
                self._stream.answer(Revoked())
            case Notify(url):
                host, seat = self._own_seat()
                self._stream.answer(Notified(await asyncio.to_thread(self._hall.hooks.name, host.match, seat, url)))
            case Chat():
                await self._chat(message)
            case Again(on=on):
                await self._again(on=on)
            case Mute(who, on):
                self._stream.mute(who, on=on)

    async def _hello(self, hello: Hello) -> None:
        self._stream.language = known_language(hello.lang)
        host, _ = await self._hall.admit(hello)
        # Once more, for a token may have been taken back while the match was read; from here on nothing is waited for
        # before the connection is among those who are sent away then.
        header, guest = await asyncio.to_thread(identify, self._hall.store, hello)
        host = await self._hall.open(host.match)  # should it have left memory meanwhile
        stream = self._stream
        if stream.is_closing:
            # Sent away while the match was folded: it must not take a place now.
            return
        _assert_there(host, guest, hello.since or 0)
        self.leave()
        self._hall.admission.enter(stream, guest, host.match)
        self._host, stream.guest, stream.game = host, guest, host.face.game.name
        logs.MATCH.set(host.match)
        stream.name = visible(hello.name) if guest.role == "spectator" else ""
        stream.wants_scenes = "scene" in hello.caps
        stream.answer(welcome_to(host, header, guest))
        # What is told from now on comes after what has been.
        stream.keep_back()
        host.enter(stream)
        try:
            await stream.follow(host, hello.since if stream.wants_scenes else hello.since or 0)
        except BaseException:
            self.leave()
            raise
        if guest.role == "seat" and (asked := self._hall.rematches.asked(host)):
            stream.answer(Rematch(asked))

    async def _ask(self, message: Need | Foresee | Judge | Study | Consider) -> None:
        """What is asked and changes nothing."""
        guest, host = self._stream.guest, self._host
        if isinstance(message, Study | Consider):
            await self._teach(message)
        elif host is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", message.id))
        elif isinstance(message, Need):
            _assert_there(host, guest, message.since)
            await self._stream.bring_up_to_date(host, message.since)
        elif isinstance(message, Judge):
            stream = self._stream
            await self._hall.judges.judge(host, guest, message, stream, stream.answer, stream.address)
        elif guest.role != "seat" or guest.viewer.seat is None:
            why = "Who watches does not decide; take a seat to play."
            self._stream.answer(Error("not-your-decision", why, message.id))
        else:
            try:
                self._stream.answer(await host.foresight.foresee(guest.viewer.seat, message))
            except Refusal as refusal:
                self._stream.answer(Error(refusal.code, refusal.why, message.id))

    async def _teach(self, message: Study | Consider) -> None:
        """A lesson is of no match, and anybody may take it."""
        studies = self._hall.studies
        try:
            asked = studies.study(message) if isinstance(message, Study) else studies.consider(message)
            answer: Studied | Foreseen | Error = await asked
        except Refusal as refusal:
            answer = Error(refusal.code, _with_rule(refusal), message.id)
        except CannotStudy as wrong:
            answer = Error(wrong.code, str(wrong), message.id)
        self._stream.answer_in(answer, message.game, message.lang)

    async def _again(self, *, on: bool) -> None:
        host, seat = self._own_seat()
        await ask(self._hall, host, seat, self._stream.address, on=on)

    def _own_seat(self) -> tuple[Host[Any], Seat]:
        if self._host is None or self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            raise GrantRefused("This is for who holds a seat; take one.")
        return self._host, self._stream.guest.viewer.seat

    async def _chat(self, chat: Chat) -> None:
        if self._host is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", chat.id))
            return
        if not room_of(self._stream.guest):
            raise ChatRefused("Casters see what others must not know, and do not chat; watch as a spectator to talk.")
        stream = self._stream
        speaker = stream.who if stream.guest.role == "seat" or is_local(stream.address) else stream.address
        if not self._hall.voices.may((self._host.match, speaker)):
            raise ChatRefused("That was too fast; wait a few seconds, then say it again.")
        await self._host.usher.say(stream, chat.text)

    async def _prove(self, message: Reveal | Share | SetKey) -> None:
        """What a seat's client gives so that nobody has to trust the server for it: shares of chance, keys."""
        if self._host is None:
            self._stream.answer(Error("no-match", "Say hello to a match first.", message.id))
        elif self._stream.guest.role != "seat" or self._stream.guest.viewer.seat is None:
            self._stream.answer(Error("seat-refused", "Who watches has no share of chance; take a seat.", message.id))
        else:
            host, seat = self._host, self._stream.guest.viewer.seat
            try:
                match message:
                    case Reveal(entropy):
                        line = await host.muster.reveal(seat, entropy)
                    case Share(entropy, signature):
                        line = await host.muster.share(seat, entropy, signature)
                    case SetKey(key, signature):
                        line = await host.seating.set_key(seat, key, signature)
            except Refusal as refusal:
                self._stream.answer(Error(refusal.code, refusal.why, message.id))
            else:
                if message.id:
                    self._stream.answer(Accepted(message.id, line))


def _with_rule(refusal: Refusal) -> str:
    """Why something was refused, with the rule."""
    return f"{refusal.why.removesuffix('.')} ({refusal.rule})." if refusal.rule else refusal.why


def _assert_there(host: Host[Any], guest: Guest, since: int) -> None:
    """Raise `BeyondHead` for a line there is not; whoever is kept behind would learn by it how many there are."""
    last = host.horizon.seq
    if since > last and not host.horizon.is_behind(guest.viewer):
        raise BeyondHead(f"The record has {last} lines, and line {since} is none of them; begin anew, without `since`.")


def welcome_to(host: Host[Any], header: Header, guest: Guest) -> Welcome:
    """What a guest is told who comes to a match."""
    viewer, views = guest.viewer, host.views
    times = views.times_for(viewer)
    return Welcome(
        host.match,
        header.game,
        header.title or host.face.game.spec.title,
        header.rules,
        ViewerInfo(guest.role, viewer.seat),
        views.seats(viewer),
        host.horizon.end_for(viewer),
        # A caster whose token is taken back must not be able to try the seals of later lines.
        views.keys_of(viewer) if guest.role == "seat" else {},
        header.status,
        host.horizon.delay if guest.role == "spectator" else None,
        times.clocks,
        times.table,
    )
