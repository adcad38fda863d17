"""A match in play: takes choices one after another, commits, then tells everybody (DESIGN 1)."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import anyio
import msgspec
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    SEAT_ACTS,
    Act,
    Asked,
    Choice,
    Chosen,
    Event,
    NotAChoice,
    NotBegun,
    Refusal,
    RulesChanged,
    Seat,
    SeatReplaced,
    Signed,
    State,
    asked_of,
)
from domain.kernel.clock import NEVER
from domain.kernel.form import Answer
from projections.face import Face
from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordError, RecordInvalid
from replay.record import hr1
from replay.record.errors import SeatRefused
from replay.record.referee import Referee, Ruling, read_event
from replay.store.log import Committed, Entry, SeatRow, Store, Unknown, WatchRow
from server.bots import Bot, RandomBot, make_bot
from server.errors import place_of
from server.operations import logs
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.arrivals import Arrivals
from server.table.audience import Audience, Told, told_now, told_of, wire_item
from server.table.chat import Chat, room_of
from server.table.clocks import ServerTime
from server.table.crowd import Asker, Crowd, Listener
from server.table.delay import Backlog, delay_of
from server.table.desk import NO_TIMES, Desk, Times
from server.table.errors import BotStuck, CannotSit, GrantRefused
from server.table.guests import GRANTS, new_token, token_hash
from server.table.limits import Limits as TimeLimits
from server.webhooks.delivery import Lapsed, Notice
from server.webhooks.notices import Calls
from server.wire.acts import act_on_past, unread
from server.wire.errors import PastAsked
from server.wire.protocol import (
    Accepted,
    Checkpoint,
    Choose,
    Delay,
    Events,
    HeadInfo,
    Presence,
    Refused,
    Said,
    SeatInfo,
    SeatsChanged,
    TableMessage,
    Turn,
    write_message,
)

S = TypeVar("S", bound=State)
Asking = tuple[Asker, Seat, str]
"""Who asked for a commit: the connection, its seat, the id it is answered under."""
LOG = logging.getLogger(__name__)

ATTEMPTS = 5
"""How often a decision is tried again when somebody else appended first."""
CHUNK = 500
"""Lines in one frame when a client catches up, at most."""
CHUNK_BYTES = 128 * 1024
"""Bytes of lines in such a frame, unless one line has more."""
NOTED: Final = frozenset[type[Event]]({Chosen, SeatReplaced, *SEAT_ACTS})
"""Events that the host remembers something of."""
NOTED_NAMES: Final = frozenset(event.__name__ for event in NOTED)
REVEAL_S = 60.0
"""How long a match waits for a share of chance before it is void."""
_ANSWER: Final = msgspec.json.Decoder(Answer)
_encode: Final = msgspec.json.Encoder().encode
HEARTBEAT_S = 8.0
"""Silence after which a live match that is watched is signed anew: with `BEAT_S` of the app, at least every 10 s."""


def now_ms() -> int:
    """The wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


class Host(Generic[S]):
    """Holds one match: its referee, its audiences, the connections that watch, the bots that play."""

    def __init__(
        self,
        face: Face[S],
        store: Store,
        referee: Referee[S],
        *,
        bot_delay_s: float = 0.0,
        arrivals: Arrivals | None = None,
        limits: Limits = DEFAULT_LIMITS,
        time_of: ServerTime | None = None,
        meters: Meters | None = None,
        notify: Callable[[Notice | Lapsed], None] | None = None,
    ) -> None:
        self.face = face
        self.match = referee.match
        self.idle_since = time.monotonic()
        self._store = store
        self._arrivals = arrivals or Arrivals(store)
        self._referee = referee
        self._lock = asyncio.Lock()
        self._bot_delay_s = bot_delay_s
        self._meters = meters or Meters()
        self._audiences: dict[Viewer, Audience[S]] = {}
        self.crowd = Crowd(row.seat for row in store.watchers(referee.match))
        self.chat = Chat(store, referee.match, limits)
        self._accepted: dict[tuple[int, str], int] = {}
        self._bots: dict[int, Bot] = {}
        self._replaced: dict[int, int] = {}
        self._bot_task: asyncio.Task[None] | None = None
        self.desk = Desk(referee, time_of or ServerTime(), self._due)
        self._limits = TimeLimits(face.game, self._time_out)
        self._clock_tasks: set[asyncio.Task[Any]] = set()
        self._begin_task: asyncio.Task[None] | None = None
        self._unwritten = False
        self._shares_task: asyncio.Task[None] | None = None
        self._signed = (0, "")
        self._signed_at = time.monotonic()
        self._rows: dict[int, SeatRow] = {row.seat: row for row in store.seats(referee.match)}
        entries = store.read(referee.match)
        header = store.header(referee.match)
        delay = delay_of(header)
        self._title = header.title or face.game.spec.title
        self._notify = notify
        self._calls = Calls(self.match, header.game, self._title, referee.state)
        self._backlog = Backlog(delay, referee.match, entries, now_ms()) if delay else None
        self._lift: asyncio.TimerHandle | None = None
        for entry in entries:
            if entry.type in NOTED_NAMES:
                self._note(read_event(face.game, entry), entry.seq)
        self._seat_bots()

    def _note(self, event: Event, seq: int) -> None:
        if isinstance(event, Chosen | Act) and event.id:
            self._accepted[event.seat, event.id] = seq
        elif isinstance(event, SeatReplaced):
            self._replaced[event.seat] = seq
            self._replace(event)

    def _replace(self, event: SeatReplaced) -> None:
        if self._rows[event.seat].kind != "bot":
            row = replace(self._rows[event.seat], kind="bot", bot=event.bot)
            self._rows[event.seat] = row
            self._store.set_seat(self.match, row)

    def _seat_bots(self) -> None:
        for row in self._rows.values():
            if row.kind == "bot" and row.seat not in self._bots:
                self._bots[row.seat] = make_bot(self.face.game.name, row.bot)

    @property
    def seq(self) -> int:
        """The last line."""
        return self._referee.seq

    @property
    def head(self) -> HeadInfo:
        """Where the record ends."""
        seq, signed = self._signed
        return HeadInfo(self.seq, hr1.b64(self._referee.head), signed if seq == self.seq else "")

    @property
    def delay(self) -> Delay | None:
        """How far spectators are kept behind, None when they are not."""
        return self._backlog.delay if self._backlog else None

    @property
    def spectators_seq(self) -> int:
        """The last line that spectators may see now."""
        return self._backlog.seq if self._backlog else self.seq

    def end_for(self, viewer: Viewer) -> HeadInfo:
        """Where the record ends for a viewer: earlier for spectators who are kept behind."""
        backlog = self._backlog
        if backlog is None or viewer != SPECTATOR:
            return self.head
        return self._attested(backlog.seq, backlog.head)

    def _attested(self, seq: int, head: bytes) -> HeadInfo:
        signed = self._referee.attest(seq, head, now_ms())
        return HeadInfo(seq, hr1.b64(head), hr1.b64(signed) if signed else "")

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return self._referee.state.result is not None

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches, no bot is at work, no limit runs and nothing is being decided."""
        busy = bool(self.crowd) or self._bot_task is not None or self._limits or self._shares_task or self.desk.is_busy
        return not busy and not self._lock.locked()

    def seats(self, viewer: Viewer) -> tuple[SeatInfo, ...]:
        """Who holds the seats, as far as a viewer may know: that a bot took a person's place may be news."""
        names = self._referee.state.players
        end = self.spectators_seq if self._is_behind(viewer) else self.seq
        kinds = {
            row.seat: "person" if self._replaced.get(row.seat, 0) > end else row.kind for row in self._rows.values()
        }
        return tuple(SeatInfo(seat, names[seat], kinds[seat] if names[seat] else "") for seat in sorted(kinds))

    def keys_of(self, viewer: Viewer) -> dict[str, str]:
        """The audience keys a viewer is entitled to, by mask."""
        if not viewer.mask:
            return {}
        key = hr1.audience_key(self._referee.keys.k_m, hr1.unb64(self.match), viewer.mask)
        return {str(int(viewer.mask)): hr1.b64(key)}

    def is_open(self, seat: int) -> bool:
        """Whether anybody may take the seat: nobody holds it and it is not kept for a friend's link."""
        row, names = self._rows.get(seat), self._referee.state.players
        return row is not None and not names[seat] and not (row.token_hash and not row.kind)

    def audience(self, viewer: Viewer) -> Audience[S]:
        """The audience of a viewer, folded from the record when it is not in memory."""
        found = self._audiences.get(viewer)
        if found is None:
            end = self.end_for(viewer).seq
            events = [read_event(self.face.game, entry) for entry in self._store.read(self.match, limit=end)]
            found = self._audiences[viewer] = Audience(self.face, viewer, events)
        return found

    def snapshot(self, viewer: Viewer) -> str:
        """The Scene of a viewer as a frame."""
        end = self.end_for(viewer)
        return self.audience(viewer).snapshot(end.seq, hr1.unb64(end.hash), self.times_for(viewer))

    def times_for(self, viewer: Viewer) -> Times:
        """What the clocks show and what is open at the table; spectators who are kept behind are not told."""
        return NO_TIMES if self._is_behind(viewer) else self.desk.times()

    def lines_since(self, viewer: Viewer, since: int) -> Iterator[tuple[str, int]]:
        """Frames with the lines after `since` and the last line of each, from the durable record, at any depth."""
        head = self.end_for(viewer)
        after = min(since, head.seq)
        while after < head.seq:
            entries = self._store.read(self.match, after, min(CHUNK, head.seq - after))
            if not entries:
                raise RecordInvalid(f"the record ends here, {head.seq} lines were written", after)
            for some in _portions(entries):
                items = tuple(wire_item(entry, viewer) for entry in some)
                after = some[-1].seq
                yield write_message(Events(some[0].seq, after, items, head)), after

    def enter(self, listener: Listener) -> None:
        """A connection watches from now on."""
        viewer = listener.guest.viewer
        if listener.wants_scenes:
            self.audience(viewer).wants_scenes = True
        self.crowd.enter(listener)
        if listener.guest.role == "spectator":
            listener.send(write_message(self.presence_for(viewer)))
            self._release()
        else:
            self._tell_presence()

    def leave(self, listener: Listener) -> None:
        """A connection watches no longer."""
        self.crowd.leave(listener)
        self.idle_since = time.monotonic()
        if listener.guest.role != "spectator":
            self._tell_presence()

    def presence_for(self, viewer: Viewer) -> Presence:
        """Who is there, as it was last told, as far as a viewer may know."""
        # As it was last told: to count anew for each of a thousand who come at once takes a thousand times as long.
        presence = self.crowd.told
        return replace(presence, seats=()) if self._backlog is not None and viewer == SPECTATOR else presence

    def turn(self, seat: Seat) -> Turn:
        """Whether the match waits for a seat, and until when."""
        clocks, asked = self._referee.clocks, any(asked.seat == seat for asked in self._waited_for())
        due = NEVER if clocks is None else clocks.due_at(seat)
        return Turn(self.match, seat, self.face.game.name, self._title, asked, 0 if due == NEVER else due)

    def reminders(self) -> list[Notice]:
        """Whom the match waits for and who is not there, to be told once more."""
        state, present = self._referee.state, self.crowd.presence().seats
        return self._calls.again(state, self._referee.clocks, self.seq, present)

    def _tell_presence(self) -> None:
        self.crowd.told = self.crowd.presence()
        self.desk.present(self.crowd.told.seats)
        for viewer, group in self.crowd.groups.items():
            frame = write_message(self.presence_for(viewer))
            for listener in group:
                listener.send(frame)

    async def grant(self, seat: Seat) -> str:
        """A token with which somebody sees what the seat sees. Raises `GrantRefused`."""
        if self.crowd.shared.get(seat, 0) >= GRANTS:
            raise GrantRefused(f"{GRANTS} people may see this seat's view already; revoke them first.")
        token = new_token()
        self.crowd.share(seat)
        try:
            await asyncio.to_thread(self._store.grant, self.match, WatchRow(seat, token_hash(token)))
        except BaseException:
            self.crowd.take_back(seat)
            raise
        self._tell_presence()
        return token

    async def revoke(self, seat: Seat) -> None:
        """Let nobody see the seat's view any more."""
        await asyncio.to_thread(self._store.revoke, self.match, seat)
        self.crowd.unshare(seat)
        self._tell_presence()

    async def say(self, listener: Listener, text: str) -> None:
        """Somebody says something to the own room. Raises `ChatRefused`."""
        room = room_of(listener.guest)
        line = await self.chat.say(room, listener.who, listener.name, text, now_ms())
        frame = write_message(Said((line,)))
        for other in self.crowd:
            if room_of(other.guest) == room:
                other.hear(line, frame)

    async def choose(
        self, seat: Seat, message: Choose, *, by: str = "seat", asker: Asker | None = None
    ) -> Accepted | Refused:
        """Decide a choice, commit it, tell everybody. A repeated id is answered as the first time.

        The `asker` is told with everybody else that this choice is accepted; of any other answer its caller tells it.
        """
        if by == "seat" and seat in self._bots:
            return Refused(message.id, "not-your-decision", "A bot plays this seat now; you may go on watching.")
        return await self._settled(seat, message.id, lambda: self._decide(seat, message, by), asker)

    async def act(self, seat: Seat, message: TableMessage, asker: Asker | None = None) -> Accepted | Refused:
        """Do something at the table beside choosing; as `choose`."""
        if seat in self._bots:
            return Refused(message.id, "not-your-decision", "A bot plays this seat now; you may go on watching.")
        return await self._settled(seat, message.id, lambda: self._acted(seat, message), asker)

    async def _acted(self, seat: Seat, message: TableMessage) -> Ruling[S] | None:
        """What an act comes to, where the record has to be read for it decided in a thread. The lock is held; None
        where a commit whose asker is gone has changed the match all the same."""
        act, at, seq = self.desk.act(seat, message), self.desk.now(), self.seq
        try:
            return self._act(act)
        except PastAsked:
            pass
        try:
            ruling = await asyncio.to_thread(act_on_past, self._referee, self._store, act, at)
        except Refusal:
            if self.seq == seq:
                raise
            return None
        return ruling if self.seq == seq else None

    def _act(self, act: Event) -> Ruling[S]:
        referee, at = self._referee, self.desk.now()
        return referee.adopt_rules(at) if referee.outdated else referee.act(act, at, unread)

    async def _settled(
        self, seat: Seat, name: str, decide: Callable[[], Awaitable[Ruling[S] | None]], asker: Asker | None
    ) -> Accepted | Refused:
        """Decide, commit, tell everybody; what is due because of the time comes first."""
        asking = None if asker is None else (asker, seat, name)
        async with self._lock:
            for _ in range(ATTEMPTS):
                known = self._accepted.get((seat, name))
                if known is not None:
                    return Accepted(name, known)
                try:
                    await self._keep_time()
                    ruling = await decide()
                except Refusal as refusal:
                    if self._fold_news():
                        continue
                    return Refused(name, refusal.code, refusal.why, refusal.rule)
                if ruling is None:
                    continue
                if isinstance(ruling.events[0], RulesChanged):
                    await self._commit(ruling)
                elif await self._commit(ruling, asking):
                    return Accepted(name, self._accepted[seat, name])
        return Refused(name, "try-again", "The record could not be written now; send it again, with the same id.")

    async def _keep_time(self) -> None:
        """Put down what is due because of the time. The lock is held."""
        for _ in range(ATTEMPTS):
            due = self.desk.due()
            if due is None:
                return
            await self._commit(self._act(due))

    def _due(self) -> None:
        """A clock ran out, a pause is over, or the server has been away."""
        self._in_background(self._strike())

    async def _strike(self) -> None:
        async with self._lock:
            try:
                await self._keep_time()
            except Refusal as refusal:
                LOG.error("what is due in %s cannot be put down: %s", self.match, refusal.why)
                return
        self.desk.watch()

    def _in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._clock_tasks.add(task)
        task.add_done_callback(self._clock_tasks.discard)

    async def _decide(self, seat: Seat, message: Choose, by: str) -> Ruling[S]:
        state = self._referee.state
        asked = asked_of(state, seat, message.decision)
        choice = self._read_choice(asked, message.choice)
        if self._referee.outdated:
            # The rules were mended since the match began: it goes on under the new ones, and everybody sees it.
            return self._referee.adopt_rules(self.desk.now())
        signed = HIDDEN if message.signed is None else Signed(message.signed.text, message.signed.signature)
        note = Chosen(seat, asked.number, message.id, by, message.ack_seq, message.ack_head, signed=signed)
        return self._referee.choose(seat, asked.number, choice, note, self.desk.now())

    def _read_choice(self, asked: Asked, answer: Any) -> Choice:
        game = self.face.game
        if isinstance(answer, dict) and "do" in answer:
            try:
                return game.read_choice(answer)
            except NotAChoice as wrong:
                raise NotAChoice(f"{wrong.why}. Send one of the game's choices, or the number of an option.") from wrong
        form = game.revive_decision(asked).form(self._referee.state)
        try:
            choice = form.read(_ANSWER.decode(_encode(answer)))
        except (msgspec.MsgspecError, OverflowError, RecursionError):
            choice = None
        if choice is None:
            raise NotAChoice("The answer does not fit the question; answer as the prompt's fields say.")
        return choice

    async def _commit(self, ruling: Ruling[S], asking: Asking | None = None) -> bool:
        """Append, then accept and tell. False: somebody else appended first, or the store does not know."""
        begun = time.perf_counter()
        try:
            answer = await self._arrivals.append(ruling.commit, lambda: self._committed(ruling, begun, asking))
        except RecordError:
            self._unwritten = True
            return False
        if isinstance(answer, Committed):
            return True
        self._unwritten = self._unwritten or isinstance(answer, Unknown)
        self._fold_news()
        return False

    def _committed(self, ruling: Ruling[S], begun: float, asking: Asking | None) -> None:
        """The ruling is durable: accept it and tell everybody."""
        logs.MATCH.set(self.match)
        self._meters.commit(time.perf_counter() - begun)
        if ruling.commit.expected != self.seq:
            # Who waited for it is gone, and what was written was taken in as news.
            return
        self._referee.accept(ruling)
        if ruling.commit.checkpoint is not None:
            self._signed = (self.seq, hr1.b64(ruling.commit.checkpoint))
            self._signed_at = time.monotonic()
        if asking is not None:
            asking[0].hold()
        self._tell(ruling.commit.entries, ruling.events, told_now(ruling.commit.entries, ruling.masks))
        if asking is not None:
            asker, seat, name = asking
            asker.accept(Accepted(name, self._accepted[seat, name]))

    def _fold_news(self) -> bool:
        """Take in what another server appended, and tell it; whether there was any."""
        if self._store.head(self.match).seq <= self.seq:
            return False
        news = self._referee.fold_news(self._store)
        if any(entry.type == "SeatTaken" for entry in news):
            # Whoever sat down at the other server may come with his token to this one.
            self._rows = {row.seat: row for row in self._store.seats(self.match)}
            self._seat_bots()
        self._tell(news, [read_event(self.face.game, entry) for entry in news], told_of(news))
        return True

    def refresh(self) -> None:
        """Take in what another server appended, unless a choice is being decided, which does the same."""
        if not self._lock.locked():
            self._fold_news()
        self._release()

    def _tell(self, entries: Sequence[Entry], events: Sequence[Event], told: Sequence[Told]) -> None:
        """Send a commit to everybody who watches: encoded once per audience."""
        for entry, event in zip(entries, events, strict=True):
            if type(event) in NOTED:
                self._note(event, entry.seq)
        self.idle_since = time.monotonic()
        times, head = self.desk.news(), self.head
        everybody = {**self._audiences, **self.crowd.groups}
        # Who plays is told before who watches.
        is_watched = everybody.pop(SPECTATOR, None) is not None
        for viewer in everybody:
            self._show(viewer, told, events, head, times)
        if is_watched and not self._is_behind(SPECTATOR):
            self._show(SPECTATOR, told, events, head, times)
        if SeatReplaced in map(type, events):
            self._seat_bots()
            self._tell_seats()
        if self._notify is not None:
            state, present = self._referee.state, self.crowd.presence().seats
            for notice in self._calls.after(events, state, self._referee.clocks, self.seq, present):
                self._notify(notice)
        if self._backlog is not None:
            self._backlog.add(entries)
            self._release()
        self.wake()

    def _is_behind(self, viewer: Viewer) -> bool:
        return self._backlog is not None and viewer == SPECTATOR

    def _release(self) -> None:
        """Show spectators who are kept behind what they may see by now; everything once the match has ended."""
        if self._backlog is None:
            return
        for shown in self._backlog.due(lifted=self.is_over):
            events = [read_event(self.face.game, entry) for entry in shown.entries]
            head = self._attested(shown.entries[-1].seq, shown.head)
            self._show(SPECTATOR, told_of(shown.entries), events, head)
            if any(isinstance(event, SeatReplaced) for event in events):
                self._tell_seats()
        self._stop_lifting()
        wait = self._backlog.wait_s()
        if self.is_over:
            self._backlog = None
            self._tell_presence()
        elif wait is not None and self.crowd.of(SPECTATOR):
            self._lift = asyncio.get_running_loop().call_later(wait, self._release)

    def _stop_lifting(self) -> None:
        if self._lift is not None:
            self._lift.cancel()
            self._lift = None

    def _show(
        self, viewer: Viewer, told: Sequence[Told], events: Sequence[Event], head: HeadInfo, times: Times = NO_TIMES
    ) -> None:
        """Send a commit to everybody who sees what the viewer sees: encoded once."""
        group, audience = self.crowd.of(viewer), self._audiences.get(viewer)
        if audience is None:
            if group:
                self._show_lines(viewer, group, told, head, times)
            return
        audience.wants_scenes = any(listener.wants_scenes for listener in group)
        try:
            plain, scenes = audience.advance(told, events, head, times)
        except Exception as wrong:
            # A face that fails must not hold the match up: the lines go out, the audience is folded anew.
            LOG.error("the view of %s failed: %s", viewer.label, place_of(wrong))
            del self._audiences[viewer]
            self._show_lines(viewer, group, told, head, times)
            return
        for listener in group:
            listener.send(scenes if listener.wants_scenes else plain, head.seq)

    def _show_lines(
        self, viewer: Viewer, group: list[Listener], told: Sequence[Told], head: HeadInfo, times: Times
    ) -> None:
        items, first = tuple([line.item(viewer) for line in told]), head.seq - len(told) + 1
        frame = write_message(Events(first, head.seq, items, head, clocks=times.clocks, table=times.table))
        for listener in group:
            listener.send(frame, head.seq)

    def heartbeat(self) -> None:
        """Tell who came and went; sign the last line anew where a live match is watched in which nothing happens.

        What the server had to do and could not write, for a full disk perhaps, is tried again.
        """
        if self._unwritten and not self._lock.locked():
            self._unwritten = False
            self.resume()
        if self.crowd.presence() != self.crowd.told:
            self._tell_presence()
        if self.is_over or not self.crowd or time.monotonic() - self._signed_at < HEARTBEAT_S:
            return
        signed = self._referee.heartbeat(now_ms())
        if signed is None:
            return
        self._signed_at = time.monotonic()
        frame = write_message(Checkpoint(self.seq, hr1.b64(signed)))
        for viewer, group in self.crowd.groups.items():
            end = self.end_for(viewer)
            told = write_message(Checkpoint(end.seq, end.signed)) if self._is_behind(viewer) else frame
            for listener in group:
                listener.send(told)

    async def sit(self, seat: int, name: str, kind: str, row: SeatRow, *, key: str = "", entropy: str = "") -> None:
        """Somebody takes a free seat; the match begins with the last. Raises `CannotSit`.

        `key` will sign the seat's choices; `entropy` is the commitment to the seat's own share of chance.
        """
        async with self._lock:
            names = self._referee.state.players
            if not 0 <= seat < len(names) or names[seat]:
                raise CannotSit("This seat is taken already; take another one, or watch.")
            try:
                ruling = self._referee.take_seat(Seat(seat), name, kind, self.desk.now(), key)
            except Refusal as refusal:
                raise CannotSit(refusal.why) from refusal
            # In one stroke with the line: who comes second must not change the token of who came first.
            commit = replace(ruling.commit, seat=row)
            if await self._commit(replace(ruling, commit=commit)):
                self._rows[seat] = row
            elif self._rows[seat] != row:
                raise CannotSit("The seat was not taken: somebody else was faster, or the disk is full. Look again.")
            self._seat_bots()
            self._tell_seats()
            if entropy:
                await self._commit(self._referee.commit_entropy(Seat(seat), entropy, self.desk.now()))
            await self._begin()

    def _tell_seats(self) -> None:
        for viewer, group in self.crowd.groups.items():
            frame = write_message(SeatsChanged(self.seats(viewer)))
            for listener in group:
                listener.send(frame)

    async def reveal(self, seat: Seat, share: str) -> None:
        """A seat's own client reveals its share of chance; the match begins with the last one. Raises `Refusal`."""
        async with self._lock:
            if not await self._commit(self._referee.reveal_entropy(seat, share, self.desk.now())):
                raise SeatRefused("The record could not be written now; reveal it again.")
            await self._begin()

    async def _begin(self) -> None:
        """Start play once every seat is taken and every share of chance is revealed."""
        for _ in range(ATTEMPTS):
            state = self._referee.state
            if state.begun or state.result is not None or not all(state.players):
                return
            if self._referee.outdated:
                await self._commit(self._referee.adopt_rules(self.desk.now()))
                continue
            # No share may be known before all are fixed, the server's too.
            fixed = self._referee.fix_entropy(self.desk.now()) if state.committed else None
            if fixed is not None:
                await self._commit(fixed)
                continue
            try:
                ruling = self._referee.begin(self.desk.now())
            except NotBegun:
                self._await_shares()
                return
            if await self._commit(ruling) and self._shares_task is not None:
                self._shares_task.cancel()
                self._shares_task = None

    def resume(self) -> None:
        """Go on after a restart, also where the stop came between the last seat and the beginning."""
        self.wake()
        if self.desk.was_away:
            self._due()
        if not self._referee.state.begun and all(self._referee.state.players):
            self._begin_task = asyncio.get_running_loop().create_task(self._begin_late())

    async def _begin_late(self) -> None:
        async with self._lock:
            await self._begin()

    def _await_shares(self) -> None:
        """A share that is never revealed voids the match, visibly (docs/record.md 4)."""
        if self._shares_task is None:
            self._shares_task = asyncio.get_running_loop().create_task(self._void_unless_revealed())

    async def _void_unless_revealed(self) -> None:
        await anyio.sleep(REVEAL_S)
        async with self._lock:
            state = self._referee.state
            if not state.begun and state.result is None:
                await self._commit(self._referee.void("a share of chance was never revealed", self.desk.now()))
        self._shares_task = None

    def wake(self) -> None:
        """Start what the open decisions need: time limits, and bots in a task of the match's own."""
        self._limits.watch(self._waited_for(), self._referee.state)
        self.desk.watch()
        state = self._referee.state
        if state.committed and not state.begun and state.result is None and all(state.players):
            self._await_shares()
        if self._bots and self._bot_task is None and any(a.seat in self._bots for a in self._waited_for()):
            self._bot_task = asyncio.get_running_loop().create_task(self._play_bots())

    def _waited_for(self) -> tuple[Asked, ...]:
        """The decisions that may be answered now."""
        state = self._referee.state
        return () if state.table.paused else state.asked

    async def _play_bots(self) -> None:
        try:
            while True:
                asked = next((a for a in self._waited_for() if a.seat in self._bots), None)
                if asked is None:
                    return
                await anyio.sleep(self._bot_delay_s)
                if asked in self._waited_for():
                    await self._play_bot(asked)
                if self._unwritten:
                    return
        except Exception as wrong:
            LOG.error("a bot of %s stopped: %s", self.match, place_of(wrong))
        finally:
            self._bot_task = None
            self.idle_since = time.monotonic()

    async def _play_bot(self, asked: Asked) -> None:
        """Let the bot of a seat answer; where it fails or is refused, a legal choice at random takes its place."""
        if await self._bot_answers(asked, self._bots[asked.seat]) or self._unwritten:
            return
        LOG.error("the bot of seat %d has no legal answer to %s", asked.seat, asked.kind)
        if not await self._bot_answers(asked, RandomBot()):
            raise BotStuck(f"seat {asked.seat} at {asked.kind}")

    async def _bot_answers(self, asked: Asked, bot: Bot) -> bool:
        """Whether the decision is answered, by this bot or meanwhile by somebody else."""
        try:
            message = self._bot_message(asked, bot)
        except Exception as wrong:
            LOG.error("the bot of seat %d failed: %s", asked.seat, place_of(wrong))
            return False
        answer = await self.choose(asked.seat, message, by="bot")
        return isinstance(answer, Accepted) or asked not in self._waited_for()

    def _bot_message(self, asked: Asked, bot: Bot) -> Choose:
        view = self.audience(Viewer(asked.seat)).view
        form = self.face.game.revive_decision(asked).form(view)
        choice = bot.choose(view, asked, form, secrets.randbelow)
        return Choose(f"bot-{asked.number}", asked.number, msgspec.to_builtins(choice))

    def _time_out(self, asked: Asked) -> None:
        """A limit of the rules ran out: the decision's default is chosen, as a choice by the clock."""
        choice = self.face.game.revive_decision(asked).default(self._referee.state)
        message = Choose(f"clock-{asked.number}", asked.number, msgspec.to_builtins(choice))
        self._in_background(self.choose(asked.seat, message, by="clock"))

    async def close(self) -> None:
        """Stop the bots and wait for a commit that is under way."""
        self._limits.stop()
        self.desk.stop()
        self._stop_lifting()
        if self._shares_task is not None:
            self._shares_task.cancel()
        if self._bot_task is not None:
            self._bot_task.cancel()
        async with self._lock:
            pass


def _portions(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Entries in order, so many at a time that a frame of them is not too large."""
    some: list[Entry] = []
    size = 0
    for entry in entries:
        if some and size + len(entry.line) > CHUNK_BYTES:
            yield some
            some, size = [], 0
        some.append(entry)
        size += len(entry.line) + sum(map(len, entry.openings))
    if some:
        yield some
