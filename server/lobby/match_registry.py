"""All matches of a server: creates them, seats people and bots, keeps those in play in memory."""

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from domain.kernel import Game
from domain.kernel.clock import NEVER
from projections.face import Face
from projections.redaction import SPECTATOR
from replay.errors import RecordError, RecordInvalid
from replay.files.export import created
from replay.record.dealt_chance import event_words, is_held
from replay.record.referee import Beginning, Deal, Referee, Sign
from replay.store.errors import NoSuchMatch
from replay.store.hooks import Call
from replay.store.log import Header, SeatRow, Store
from server.bots import bots_of, make_bot
from server.bots.workers import Workers
from server.errors import place_of
from server.lobby.analysis_service import AnalysisService
from server.lobby.connection_limits import ConnectionLimits
from server.lobby.errors import CannotCreate
from server.lobby.given_position import opened_by
from server.lobby.hint_service import HintService
from server.lobby.lesson_service import LessonService
from server.lobby.presence_exchange import PresenceExchange
from server.lobby.store_health import StoreHealth
from server.notifications.seat_webhooks import SeatWebhooks
from server.notifications.sender import NotificationSender
from server.operations.metrics import Meters, RegistryState
from server.operations.settings import DEFAULT_LIMITS, Limits, Webhook
from server.table.chat import Paces
from server.table.clocks import GONE_LEAST_MS, LifeSign, ServerTime
from server.table.delay import delay_of, visible_end
from server.table.errors import CannotSit, GrantRefused
from server.table.group_commit import TRIES, GroupCommit
from server.table.guests import (
    REFUSAL,
    Guest,
    Invitation,
    identify,
    invitation_hash,
    new_token,
    token_hash,
)
from server.table.live_match import LiveMatch, StoredMatch
from server.table.placement import ALONE, Placement
from server.webhooks.delivery import Notice
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    Create,
    Created,
    GameInfo,
    Games,
    Hello,
    Join,
    Joined,
    ListTurns,
    Matches,
    MatchInfo,
    SeatInfo,
    SeatWish,
    Turn,
    Turns,
)
from server.wire.text import visible

LOG = logging.getLogger(__name__)

IDLE_S = 60.0
"""How long a match that nobody watches stays in memory."""
AT_A_TIME = 16
"""Matches that have their heartbeat before somebody else has a turn: well under a millisecond."""
REMIND_S = 30.0
"""How long after a restart people have to come back before they are told again that it is their move."""
AHEAD_MS = 30_000
"""A match is taken up so long before something is due in it, where no other server has it in memory."""
LISTED_S = 0.25
"""So long everybody is given the same list of matches, unless somebody creates or joins one."""
LISTED = 50
"""Matches of each status that are looked at for the list."""
NOT_LISTED: tuple[float, Matches] = (float("-inf"), Matches((), (), ()))


class MatchRegistry:
    """What the connections share."""

    def __init__(
        self,
        store: Store,
        faces: dict[str, Face[Any]],
        *,
        bot_delay_s: float = 0.4,
        sign: Sign | None = None,
        limits: Limits = DEFAULT_LIMITS,
        life_sign: LifeSign | None = None,
        webhook: Webhook | None = None,
        is_shared: bool = False,
        workers: Workers | None = None,
        home: Placement = ALONE,
        judges: Workers | None = None,
    ) -> None:
        """`is_shared`: other servers may be at work over the same store; `home`: which process of this one it is;
        `judges`: who judges matches that are over."""
        self.store = store
        self._group_commit = GroupCommit(store, TRIES if home.count > 1 else 0)
        self._refusals = StoreHealth(store)
        self.forgotten = 0
        """Matches that have left memory because nobody watched them."""
        self.faces = faces
        self.limits = limits
        self.admission = ConnectionLimits(limits)
        self.studies = LessonService(faces)
        self.judges = AnalysisService(store, judges or Workers(0))
        self.advisers = HintService(store, workers or Workers(0))
        self.voices = Paces(limits.chat_per_minute, limits.chat_burst)
        self._bot_delay_s = bot_delay_s
        self._workers = workers or Workers(0)
        self._sign = sign
        self._is_shared = is_shared
        self.home = home
        self._live_matches: dict[str, LiveMatch[Any]] = {}
        self._folding: dict[str, asyncio.Task[None]] = {}
        self._time = ServerTime(life_sign)
        self.hooks = SeatWebhooks(store, webhook)
        self.teller = NotificationSender(store, self.hooks, self._time, home, self._untold, self._is_awaited)
        self._reminders: dict[str, list[Notice]] = {}
        self._due: dict[str, int] = {}
        """When something is due in matches that have left memory, in ms."""
        self._listed: tuple[float, Matches] | None = None
        says = self._is_elsewhere if is_shared or home.count > 1 else None
        self.board = PresenceExchange(store, self.found, self._time, says)
        self.rematches = self.board.rematches
        self._with_hints: dict[str, bool] = {}
        """Of the open matches that were listed last: whether who sits down there may ask for hints."""
        self._listing = asyncio.Lock()
        self._taking_up: set[asyncio.Task[None]] = set()
        self.meters = Meters()
        self.is_listed = False
        """Whether what is to go on after a restart has been listed."""
        self.is_draining = False
        """Whether the server is about to stop: what comes in now is left unanswered, to be sent again to the next."""

    def games(self) -> Games:
        """What can be played."""
        return Games(tuple(self._game_info(face) for face in self.faces.values()))

    def _game_info(self, face: Face[Any]) -> GameInfo:
        spec = face.game.spec
        defaults = msgspec.structs.asdict(spec.options())
        plain = {
            name: value
            for name, value in defaults.items()
            if isinstance(value, bool | int | str) and _stands_alone(face.game, name, value)
        }
        hints = get_type_hints(spec.options)
        values = {name: get_args(hints[name]) for name in plain if get_origin(hints[name]) is Literal}
        bots, quick, by = bots_of(spec.name), dict(spec.quick), _seats_by(face.game, plain, values)
        return GameInfo(spec.name, spec.title, spec.about, face.game.seats, plain, bots, values, quick, by)

    async def matches(self) -> Matches:
        """The matches that are listed, latest first, as they were `LISTED_S` ago at most."""
        async with self._listing:
            now = time.monotonic()
            listed = self._listed
            if listed is None or now - listed[0] >= LISTED_S:
                self._listed = NOT_LISTED  # somebody who creates or joins a match meanwhile takes it away
                found = [self._infos(rows) for rows in await asyncio.to_thread(self._read_list)]
                listed = now, Matches(*found)
                if self._listed is NOT_LISTED:
                    self._listed = listed
            return listed[1]

    def _read_list(self) -> "list[list[tuple[Header, tuple[SeatRow, ...]]]]":
        found = [self.store.listing(status, LISTED) for status in ("open", "running", "finished")]
        before = self._with_hints
        # Line 1 stays as it is, so it is read once.
        self._with_hints = {
            header.match: before[header.match] if header.match in before else self._allows_hints(header.match)
            for header, _ in found[0]
        }
        return found

    def _allows_hints(self, match: str) -> bool:
        with suppress(RecordError, msgspec.MsgspecError):  # of a record that is broken the list says nothing more
            return created(self.store, match).hints
        return False

    def _infos(self, rows: "list[tuple[Header, tuple[SeatRow, ...]]]") -> tuple[MatchInfo, ...]:
        return tuple(self._info(header, seats) for header, seats in rows if header.listed and not header.closed)

    def _info(self, header: Header, rows: tuple[SeatRow, ...]) -> MatchInfo:
        delay, live_match = delay_of(header), self._live_matches.get(header.match)
        if delay is not None and live_match is not None:
            seats = live_match.views.seats(SPECTATOR)
        else:
            # Where spectators are kept behind: a bot with a token has taken a person's place, which may be news.
            kinds = ["person" if row.kind and row.token_hash and delay else row.kind for row in rows]
            seats = tuple(SeatInfo(row.seat, row.name, kind) for row, kind in zip(rows, kinds, strict=True))
        # A seat that is kept for somebody is nobody else's to take, and what that one may be called is not told.
        awaited = {row.seat for row in rows if row.token_hash and not row.kind}
        seats = tuple(SeatInfo(one.seat, "", "person") if one.seat in awaited else one for one in seats)
        hints = self._with_hints.get(header.match, False)
        return MatchInfo(header.match, header.game, header.title, header.created_ms, seats, header.result, delay, hints)

    def in_memory(self) -> list[str]:
        """The matches that are in memory."""
        return list(self._live_matches)

    def found(self, match: str) -> LiveMatch[Any] | None:
        """A match, if it is in memory."""
        return self._live_matches.get(match)

    def live_match(self, match: str) -> LiveMatch[Any]:
        """A match in memory. Raises `NotAdmitted` when it is not there."""
        found = self._live_matches.get(match)
        if found is None:
            raise NotAdmitted(REFUSAL)
        return found

    async def open(self, match: str) -> LiveMatch[Any]:
        """The match, folded from its record when it was not in memory. Raises `NotAdmitted` when there is none."""
        if match not in self._live_matches:
            try:
                await self._fold(await asyncio.to_thread(self.store.header, match))
            except NoSuchMatch as wrong:
                raise NotAdmitted(REFUSAL) from wrong
        return self.live_match(match)

    async def _fold(self, header: Header) -> None:
        """Take a match in that is not in memory: folded once for all who wait for it, while live matches go on."""
        if header.match in self._live_matches or header.game not in self.faces:
            return
        folding = self._folding.get(header.match)
        if folding is None:
            folding = self._folding[header.match] = asyncio.get_running_loop().create_task(self._fold_aside(header))
        # One who waits and goes away takes nothing from the others.
        await asyncio.shield(folding)

    async def _fold_aside(self, header: Header) -> None:
        face = self.faces[header.game]
        try:
            referee, kept = await asyncio.to_thread(self._read, face, header.match)
            if header.match not in self._live_matches:
                live_match = self._hosted(face, referee, kept)
                live_match.command_queue.settle_where(is_elsewhere=self._is_shared)
                live_match.resume()
        finally:
            del self._folding[header.match]

    def _read(self, face: Face[Any], match: str) -> tuple[Referee[Any], StoredMatch]:
        referee = Referee.open(face.game, self.store, match, self._sign)
        return referee, StoredMatch.of(self.store, match, referee.seq)

    def _hosted(self, face: Face[Any], referee: Referee[Any], kept: StoredMatch) -> LiveMatch[Any]:
        self._due.pop(referee.match, None)
        live_match = self._live_matches[referee.match] = LiveMatch(
            face,
            self.store,
            referee,
            kept,
            bot_delay_s=self._bot_delay_s,
            group_commit=self._group_commit,
            limits=self.limits,
            time_of=self._time,
            meters=self.meters,
            notify=self.teller.tell if self.hooks else None,
            workers=self._workers,
            changed=self.board.of(referee.match),
        )
        self.board.begin(live_match)
        if self.home.count > 1 and not (self._is_shared and self.home.has(referee.match)):
            # Of several machines each has a process in which a match lives; the last line says which of them goes on.
            live_match.command_queue.lives_here = self.home.has(referee.match)
        return live_match

    def _is_elsewhere(self, live_match: LiveMatch[Any]) -> bool:
        """Whether somebody may be at the match at another server: of processes of one, hardly ever."""
        return self._is_shared or not self.home.has(live_match.match) or bool(live_match.connections.elsewhere)

    async def _untold(self, match: str) -> list[Notice]:
        """What a server that is gone may not have told of a match: how it ended, or whom it waits for."""
        header = await asyncio.to_thread(self.store.header, match)
        face = self.faces.get(header.game)
        title = header.title or (header.game if face is None else face.game.spec.title)
        if header.status == "finished":
            line = (await asyncio.to_thread(self.store.head, match)).seq
            return [Notice("result", match, header.game, title, line, result=header.result)]
        if face is None:
            return []
        live_match = await self._as_stored(match)
        if self._is_elsewhere(live_match):
            await self.board.look((match,))
        return live_match.reminders.reminders()

    async def _is_awaited(self, notice: Notice) -> bool:
        live_match = await self._as_stored(notice.match)
        return notice.seat is not None and live_match.reminders.waits(notice.seat, notice.decision)

    async def _as_stored(self, match: str) -> LiveMatch[Any]:
        live_match = await self.open(match)
        await live_match.refresh()
        return live_match

    async def turns(self, wish: ListTurns) -> tuple[Turns, tuple[str, ...]]:
        """In which of these matches it is the holder's move; and the matches, as named, whose token opens nothing."""
        found: list[Turn] = []
        strange: list[str] = []
        for held, known in zip(wish.seats, await asyncio.to_thread(self._identify_all, wish), strict=True):
            if known is None:
                strange.append(held.match)
                continue
            header, guest = known
            seat = guest.viewer.seat
            if guest.role == "seat" and seat is not None and header.status != "finished":
                # Every first page asks again and again; live matches go on while one is folded.
                await self._fold(header)
                found.append(self.live_match(header.match).reminders.turn(seat))
        return Turns(tuple(found)), tuple(strange)

    def _identify_all(self, wish: ListTurns) -> list[tuple[Header, Guest] | None]:
        found: list[tuple[Header, Guest] | None] = []
        for held in wish.seats:
            try:
                found.append(identify(self.store, Hello(held.match, held.token)))
            except NotAdmitted:
                found.append(None)
        return found

    async def admit(self, hello: Hello) -> tuple[LiveMatch[Any], Guest]:
        """The match and who the client is in it. Raises `NotAdmitted`; why is not told."""
        header, guest = await asyncio.to_thread(identify, self.store, hello)
        await self._fold(header)
        live_match = self.live_match(header.match)
        await live_match.refresh()
        if self._is_elsewhere(live_match):
            await self.board.look((header.match,))
        if guest.role == "seat" and guest.viewer.seat is not None and live_match.seating.is_awaited(guest.viewer.seat):
            await self._welcome(live_match, guest.viewer.seat, hello)
        return live_match, guest

    async def _welcome(self, live_match: LiveMatch[Any], seat: int, hello: Hello) -> None:
        """Who comes by a friend's link for the first time sits down, under the name that the hello gives."""
        kept = live_match.seats.row(seat)
        name = visible(hello.name) or (kept.name if kept is not None else "") or nameless(seat)
        row = SeatRow(seat, name, "person", "", token_hash(hello.token))
        with suppress(CannotSit):  # it came twice at once, or the disk is full: the next hello tries again
            await live_match.seating.sit(seat, name, "person", row, key=hello.key)
        self.forget_list()

    def forget_list(self) -> None:
        """Make the list of matches anew for whoever asks next: somebody has sat down."""
        self._listed = None

    @property
    def now_ms(self) -> int:
        """The server's time."""
        return self._time.now()

    def spectators_end(self, match: str) -> int | None:
        """The last line of the record that everybody may read, None for all. Raises `NoSuchMatch`, where closed too."""
        header = self.store.header(match)
        if header.closed:
            raise NoSuchMatch(match)
        delay, live_match = delay_of(header), self._live_matches.get(match)
        if delay is None:
            return None
        if live_match is not None:
            return live_match.visible_head.seq_for(SPECTATOR)
        return visible_end(self.store.read(match), delay, self._time.roughly())

    async def assert_shown(self, match: str) -> None:
        """Raise `GrantRefused` where nobody but who sits there may see the match yet."""
        header = await asyncio.to_thread(self.store.header, match)
        first = await asyncio.to_thread(created, self.store, match)
        if is_held(first, header):
            raise GrantRefused(f"This is a table of {event_words(first)}, which is not closed yet; nobody watches it.")

    async def create(
        self,
        wish: Create,
        beginning: Beginning[Any] | None = None,
        deal: Deal | None = None,
        hashes: Mapping[int, bytes] | None = None,
        mid: bytes = b"",
    ) -> Created:
        """A new match, which may begin in the middle of another, or be a table of an event.

        `hashes`: of the tokens of seats whose holders have one already. `mid`: its id, where that is not drawn.

        Raises `CannotCreate` with what to change, and `MatchExists` where another server has made it.
        """
        face = self.faces.get(wish.game)
        if face is None:
            raise CannotCreate(f"There is no game {wish.game!r}; there are {', '.join(sorted(self.faces))}.")
        if fault := wish.time.fault():
            raise CannotCreate(f"The clock does not fit: {fault}")
        options, title = wish.options, visible(wish.title)
        if wish.scenario:
            # Rules may be played up to the first question; live matches go on meanwhile.
            opened = await asyncio.to_thread(opened_by, face.game, wish)
            beginning, options = opened.beginning, opened.options
            title = title or opened.title
        try:
            seats = face.game.seats_of(options)
        except msgspec.ValidationError as wrong:
            raise CannotCreate(_unfit(face, wrong)) from wrong
        _check_seats(wish, seats)
        try:
            # Making a match's keys takes tens of milliseconds; live matches go on meanwhile.
            referee, creation = await asyncio.to_thread(
                Referee.create,
                face.game,
                options,
                [""] * seats,
                at=self._time.now(),
                title=title,
                listed=wish.listed,
                reveal=wish.reveal,
                control=wish.time,
                sign=self._sign,
                beginning=beginning,
                shares=wish.shares,
                hints=wish.hints,
                mid=mid or self.home.new_match_id(),
                deal=deal,
            )
        except (msgspec.ValidationError, RecordInvalid, ValueError) as wrong:
            raise CannotCreate(_unfit(face, wrong)) from wrong
        known = hashes or {}
        tokens = {str(i): new_token() for i, s in enumerate(wish.seats) if s.kind in LINKED and i not in known}
        invited = self._invitations(wish.seats, known)
        opened_with = {**{int(i): token_hash(token) for i, token in tokens.items()}, **known}
        opened_with |= {int(i): invitation_hash(text) for i, text in invited.items()}
        rows = tuple(SeatRow(i, _proposed(s), "", s.bot, opened_with.get(i, b"")) for i, s in enumerate(wish.seats))
        ruling = creation.ruling
        header = replace(creation.header, closed=wish.closed, delay_events=wish.delay_events, delay_s=wish.delay_s)
        # Nobody has a seat yet: it is not taken up after a restart before that.
        commit = replace(ruling.commit, due=NEVER)
        await asyncio.to_thread(self.store.create, header, creation.keys, rows, commit)
        referee.accept(ruling)
        checkpoint = ruling.commit.checkpoint
        signed = None if checkpoint is None else (referee.seq, checkpoint)
        live_match = self._hosted(face, referee, StoredMatch(ruling.commit.entries, header, rows, signed=signed))
        await self._seat(live_match, wish.seats, rows)
        self._listed = None
        LOG.info("match %s of %s was created", referee.match, wish.game)
        return Created(referee.match, tokens, wish.id, invited)

    def _invitations(self, wishes: tuple[SeatWish, ...], known: Mapping[int, bytes]) -> dict[str, str]:
        """By seat, the invitations of those that are kept for somebody; whoever creates the match invites."""
        by = next((i for i, wish in enumerate(wishes) if wish.kind == "me"), None)
        kept = [i for i, wish in enumerate(wishes) if wish.kind == INVITED and i not in known]
        return {str(i): Invitation.new(by, self.now_ms).text for i in kept}

    async def _seat(self, live_match: LiveMatch[Any], wishes: tuple[SeatWish, ...], rows: tuple[SeatRow, ...]) -> None:
        for row, wish in zip(rows, wishes, strict=True):
            if wish.kind in {"open", INVITED} or (wish.kind == "friend" and not visible(wish.name)):
                continue
            name = visible(wish.name) or _default_name(wish, row.seat)
            kind = "bot" if wish.kind == "bot" else "person"
            bot = wish.bot or "random" if kind == "bot" else ""
            await live_match.seating.sit(
                row.seat,
                name,
                kind,
                SeatRow(row.seat, name, kind, bot, row.token_hash),
                key=wish.key,
                entropy=wish.entropy,
            )

    async def join(self, wish: Join) -> Joined:
        """Take an open seat. Raises `CannotSit` or `NotAdmitted`."""
        try:
            closed = (await asyncio.to_thread(self.store.header, wish.match)).closed
        except NoSuchMatch:
            closed = True
        if closed:  # it has no open seats, and to everybody else it is not there
            raise NotAdmitted(REFUSAL)
        live_match = await self.open(wish.match)
        token = wish.token or new_token()
        if wish.token and await self._holds(wish):
            return Joined(wish.match, wish.seat, token)
        if not live_match.seating.is_open(wish.seat):
            raise CannotSit("This seat is not open; take another one, or watch.")
        name = visible(wish.name) or nameless(wish.seat)
        await live_match.seating.sit(
            wish.seat,
            name,
            "person",
            SeatRow(wish.seat, name, "person", "", token_hash(token)),
            key=wish.key,
            entropy=wish.entropy,
        )
        self.forget_list()
        return Joined(wish.match, wish.seat, token)

    async def _holds(self, wish: Join) -> bool:
        """Whether the seat is that client's already, whose answer was lost."""
        rows = await asyncio.to_thread(self.store.seats, wish.match)
        return any(row.seat == wish.seat and row.token_hash == token_hash(wish.token) for row in rows)

    def due(self) -> list[Header]:
        """The matches in which something is due now or soon; to be asked in a thread."""
        return self.store.due(self._time.roughly() + AHEAD_MS)

    def _left(self) -> list[Header]:
        """What is to go on after a restart; to be asked in a thread.

        All that is due at any time, where nobody else looks for it, and where clocks have to be told that no server was
        there; and those whose players are to be told that it is their move.
        """
        is_alone = not self._is_shared or self._time.back_ms - self._time.gone_ms >= GONE_LEAST_MS
        left = self.store.due(NEVER) if is_alone else self.due()
        told = self.hooks.matches()
        if told is None:
            return self.store.unfinished()
        known = {header.match for header in left}
        for match in sorted(told - known):
            with suppress(NoSuchMatch):
                header = self.store.header(match)
                left += [header] if header.status == "running" else []
        return left

    async def take_up(self, match: str) -> None:
        """Fold a match in which something may be due, and have the store know when that is."""
        live_match = await self.open(match)
        with suppress(RecordError):  # then it is looked at once more the next time
            await live_match.command_queue.note_due()

    async def resume(self) -> int:
        """Fold the matches that are to go on by themselves after a restart, with bots and time limits; how many.

        One after another, the latest changed first, beside whatever else goes on: a match that somebody enters
        meanwhile is folded at once. One that cannot be folded is logged and left out.
        """
        resumed = 0
        # What is left open is listed at once, so that a match which is created from now on is not taken for one of it.
        left = [header for header in await asyncio.to_thread(self._left) if self.home.has(header.match)]
        self.is_listed = True
        if self.hooks:
            self.teller.begin()
        for header in left:
            if self.is_draining:
                break
            if header.game not in self.faces:
                continue
            try:
                is_fresh = header.match not in self._live_matches
                await self.take_up(header.match)
                resumed += is_fresh
                if self.hooks:
                    self._reminders[header.match] = self._live_matches[header.match].reminders.reminders()
            except Exception as wrong:  # one match that cannot go on holds none of the others up
                LOG.error("match %s cannot go on: %s", header.match, place_of(wrong))
        return resumed

    async def remind(self) -> None:
        """Tell who has not come back a while after a start whose move it is, and what a server before left untold.

        A delivery has the id that it had before, so that who was told already can know it.
        """
        if not self.hooks:
            return
        await asyncio.sleep(REMIND_S)
        with suppress(RecordError):  # then they are taken at a later look
            await self._remind(await self.teller.take())
        self.teller.takes = True

    async def _remind(self, taken: dict[str, list[Call]]) -> None:
        for match, former in self._reminders.items():
            while self.teller.messenger.is_busy:
                await asyncio.sleep(1)
            live_match = self._live_matches.get(match)
            self.teller.tell(
                match, former if live_match is None else live_match.reminders.reminders(), calls=taken.pop(match, ())
            )
        self._reminders.clear()
        await self.teller.tell_left(taken)

    def standing(self) -> RegistryState:
        """How many matches there are in memory, and what the connections do."""
        return RegistryState(len(self._live_matches), self.admission.counts, self.admission.shed, not self.unready())

    def unready(self) -> str:
        """Why nobody should be sent to this server now; empty when it is ready."""
        if self.is_draining:
            return "stopping"
        if not self.is_listed:
            return "starting"
        return "the store takes nothing; see the log" if self.is_refused() else ""

    def is_refused(self) -> bool:
        """Whether the store takes nothing at the moment; the log says why."""
        return bool(self._refusals.look())

    def heartbeat(self) -> None:
        """One heartbeat of all matches at once."""
        for _ in self.heartbeats():
            pass

    def heartbeats(self) -> Iterator[None]:
        """Sign idle matches anew for those who watch them; take up those in which something is due.

        A few matches at a time: between them others may have their turn.
        """
        self._time.beat()
        at = self._time.now()
        for match in [match for match, due in self._due.items() if due <= at]:
            del self._due[match]
            task = asyncio.get_running_loop().create_task(self._take_up(match))
            self._taking_up.add(task)
            task.add_done_callback(self._taking_up.discard)
        for number, (match, live_match) in enumerate(list(self._live_matches.items()), start=1):
            if self._live_matches.get(match) is live_match:
                live_match.heartbeat()
            if not number % AT_A_TIME:
                yield

    async def _take_up(self, match: str) -> None:
        try:
            await self.open(match)
        except Exception as wrong:
            LOG.error("match %s cannot go on: %s", match, place_of(wrong))

    def forget_idle(self, after_s: float = IDLE_S) -> int:
        """Let matches that nobody watches leave memory; how many did."""
        now = time.monotonic()
        idle = [
            m
            for m, live_match in self._live_matches.items()
            if live_match.is_idle and now - live_match.idle_since > after_s
        ]
        for match in idle:
            live_match = self._live_matches.pop(match)
            self.board.changed(match)
            self.rematches.forget(match)
            live_match.timers.stop()
            if live_match.timers.due_ms != NEVER and self.home.has(match):
                self._due[match] = live_match.timers.due_ms
        self.forgotten += len(idle)
        return len(idle)

    async def close(self) -> None:
        """Take no more choices, stop bots, finish commits that are under way, and tell of them."""
        self.is_draining = True
        self._time.beat()
        await self.board.close()
        for live_match in list(self._live_matches.values()):
            await live_match.close()
        self.advisers.stop()
        self._workers.stop()
        self.judges.stop()
        await self.teller.close()
        self._time.beat()


LINKED = ("me", "friend")
"""Seats whose token the creator is told."""
INVITED = "invited"


def _proposed(wish: SeatWish) -> str:
    """What somebody who is awaited is called who gives no name."""
    return visible(wish.name) if wish.kind == INVITED else ""


def _default_name(wish: SeatWish, seat: int) -> str:
    if wish.kind == "bot":
        return f"{(wish.bot or 'random').capitalize()} bot"
    return nameless(seat)


def nameless(seat: int) -> str:
    """What one is called who has given no name."""
    return f"Player {seat + 1}"


def _unfit(face: Face[Any], wrong: Exception) -> str:
    return f"The options of {face.game.spec.title} do not fit: {str(wrong).rstrip('.')}."


def _stands_alone(game: Game[Any], name: str, default: bool | int | str) -> bool:
    """Whether a match may begin where nothing but this option was changed; what is more than ticked may as it is."""
    given = {name: not default if isinstance(default, bool) else default}
    try:
        game.assert_playable(given)
        game.spec.start(msgspec.convert(given, game.spec.options))
    except msgspec.ValidationError:
        return False
    return True


def _seats_by(
    game: Game[Any], options: Mapping[str, object], values: Mapping[str, tuple[str | int, ...]]
) -> dict[str, dict[str, int]]:
    """By option and value, as text, another number of seats than that of the defaults."""
    found: dict[str, dict[str, int]] = {}
    if game.seat_range[0] == game.seat_range[1]:
        return found
    for name, default in options.items():
        tried = (True, False) if isinstance(default, bool) else values.get(name, ())
        counts = {msgspec.json.encode(value).decode().strip('"'): game.seats_of({name: value}) for value in tried}
        others = {value: seats for value, seats in counts.items() if seats != game.seats}
        if others:
            found[name] = others
    return found


def _check_seats(wish: Create, seats: int) -> None:
    if len(wish.seats) != seats:
        raise CannotCreate(f"This game has {seats} seats; the list names {len(wish.seats)}.")
    if wish.closed and any(seat.kind == "open" for seat in wish.seats):
        raise CannotCreate("Nobody finds a closed match to take an open seat; keep the seat for a friend, or open it.")
    for i, seat in enumerate(wish.seats):
        if seat.kind == "bot":
            try:
                make_bot(wish.game, seat.bot)
            except KeyError as wrong:
                known = ", ".join(bots_of(wish.game))
                raise CannotCreate(f"Seat {i}: there is no bot {seat.bot!r}; there are {known}.") from wrong
