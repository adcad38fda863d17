"""The audit (RECORD 8): whether a record is whole, and whether its choices and draws give it by the rules."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from domain.kernel import (
    SEAT_ACTS,
    SERVER_ACTS,
    BranchOpened,
    ChanceAnchored,
    Choice,
    Chosen,
    Clocks,
    DiceRolled,
    Event,
    Game,
    Hidden,
    HiddenDraw,
    KernelError,
    KernelFault,
    Mask,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    OfferAccepted,
    OperatorRuled,
    PositionSet,
    PublicDraw,
    RulesChanged,
    ScenarioOpened,
    SeatBriefed,
    SeatClaimed,
    SeatKeyed,
    SeatTaken,
    SecretsOpened,
    Shuffled,
    State,
    TakeBack,
    TimeRanOut,
    begin,
    carry_out,
    check_in_time,
    decide,
    follow,
)
from domain.kernel.act import line_before
from domain.kernel.events import EntropyCommitted, EntropyRevealed, Offered
from domain.kernel.history import restored, views_of
from domain.kernel.position import Views, seen, set_events
from domain.kernel.table import RULES, STANDING
from replay.audit.disclosed import check_disclosed, disclosed_event
from replay.audit.verify import Verifier, check_begin, check_end, check_head, check_length
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, Record, created_in
from replay.record import sealing, signing, standing
from replay.record.answer_check import clock_fault
from replay.record.claims import SeatClaim
from replay.record.line import Line, codec_of
from replay.record.origin import differing, missing
from replay.record.reach import ASKS
from replay.record.referee import actor_of, who_won
from replay.record.rulesversion import number_of
from replay.record.seat_proof import FAILED, VOID

S = TypeVar("S", bound=State)
Progress = Callable[[int], None]
"""Called with the number of lines that are done."""

ACTS = (*SEAT_ACTS, *SERVER_ACTS)
ADMINISTRATIVE = (
    SeatTaken,
    SeatKeyed,
    SeatClaimed,
    EntropyCommitted,
    EntropyRevealed,
    ChanceAnchored,
    SecretsOpened,
    RulesChanged,
)


class Fault(Struct, frozen=True):
    """The first line that fails (0: the file or the match list), the fault, and the expected value."""

    line: int
    wrong: str
    expected: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "the record"
        return f"{where}: {self.wrong}" + (f"; expected {self.expected}" if self.expected else "")


class Report(Struct):
    """The findings of an audit. `differences`: places where the program's newer rules decide otherwise; no fault.

    `signed_to`: the last line that the server signed, and when, in ms since 1970: what was cut off behind it no file
    can show. `lacks`: in what the record is weaker than one can be (`SeatProof.lacks`), and `signatures` where the
    server has not signed its last line. `chance` says whose
    shares the dice come from, `unproven` for whom the server could have answered. `claims`: the seats behind whose
    keys persons stand, by line; `persons`: those of them that were opened.
    """

    match: str
    game: str
    view: str
    lines: int = 0
    head: str = ""
    rules: str = ""
    fault: Fault | None = None
    differences: list[Fault] = field(default_factory=list)
    choices: int = 0
    acts: int = 0
    rolls: int = 0
    shuffles: int = 0
    openings: int = 0
    signatures: int = 0
    checkpoints: int = 0
    signed_to: int = 0
    signed_ms: int = 0
    chance: str = ""
    unproven: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    claims: dict[int, SeatClaim] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


class RecordedDraws:
    """Chance that gives the draws of the record, in their order."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.events = events

    def _next(self, kind: type[Event]) -> Event:
        for event in self.events:
            if type(event) is kind and not (isinstance(event, DiceRolled) and not event.dice):
                return event
        raise RecordInvalid(f"the rules ask for a {kind.__name__} that the record does not have")

    def dice(self, count: int, sides: int) -> PublicDraw:
        """The next recorded roll."""
        roll = self._next(DiceRolled)
        assert isinstance(roll, DiceRolled)
        if (len(roll.dice), roll.sides) != (count, sides):
            raise RecordInvalid(f"{len(roll.dice)} dice of {roll.sides} sides were rolled", 0, f"{count} of {sides}")
        return PublicDraw(roll.draw, roll.key, roll.dice)

    def shuffle(self, size: int) -> HiddenDraw:
        """The next recorded shuffle."""
        shuffled = self._next(Shuffled)
        assert isinstance(shuffled, Shuffled)
        if isinstance(shuffled.order, Hidden) or len(shuffled.order) != size:
            raise RecordInvalid(f"{shuffled.size} were shuffled", 0, str(size))
        return HiddenDraw(shuffled.draw, shuffled.order)


class Audit(Generic[S]):
    """Audits the whole record of one match with everything opened.

    Without `decide_again` everything is checked but that the rules make these events of these choices: folding only.
    After a run without fault `lines`, `events` and `heads` (from line 0 on) are the record, taken apart.
    """

    def __init__(
        self, game: Game[S], record: Record, trusted: Sequence[bytes] = (), *, decide_again: bool = True
    ) -> None:
        assert record.secrets is not None, "a whole audit needs the secrets of the match"
        self.game = game
        self._decide_again = decide_again
        self.record = record
        self._trusted = trusted
        self._codec = codec_of(game)
        self._secrets = record.secrets
        self._verifier = Verifier(record.match, {}, record.secrets.k_m, game)
        self._masks: list[Mask] = []
        """Of every viewer, once line 1 says how many seats there are."""
        self._patterns: dict[tuple[int, ...], list[tuple[Mask, tuple[bool, ...]]]] = {}
        self.lines: list[Line] = []
        self.events: list[Event] = []
        self._clocks: Clocks | None = None
        self._asked_at = 0
        self.report = Report(record.match, record.game, record.view)

    @property
    def heads(self) -> list[bytes]:
        """The chain's hashes, from before line 1 on."""
        return self._verifier.heads

    def run(self, progress: Progress | None = None) -> Report:
        """Check everything in the order of RECORD 8; stops at the first fault."""
        try:
            check_begin(self.record)
            whole = self._read(progress)
            if self._decide_again or whole is not None:
                state = self._replay(self._complete(whole is None), progress)
            else:
                state = self._fold_all()
            if whole is not None:
                raise whole
            self._result(state)
            self._close()
        except RecordInvalid as wrong:
            self.report.fault = Fault(wrong.seq, wrong.why, wrong.expected)
        verifier = self._verifier
        self.report.head = sealing.b64(verifier.head)
        self.report.openings, self.report.signatures = verifier.openings, verifier.signatures
        _tell_seats(self.report, verifier)
        return self.report

    def _read(self, progress: Progress | None) -> RecordInvalid | None:
        """Check bytes, chain, seals and draws of every line; the fault that ended it, if one did.

        The lines before the fault are re-decided all the same, because they may hold an earlier one.
        """
        for held in self.record.held:
            seq = self._verifier.seq + 1
            try:
                line = self._verifier.take(held.line, held.openings)
                check_head(self.record, self._verifier)
                if len(held.openings) != len(line.seals):
                    raise RecordInvalid(f"{len(held.openings)} openings are held", seq, f"{len(line.seals)}")
                event = self._codec.read(
                    line.type, line.payload, tuple(held.openings[i] for i in range(len(line.seals)))
                )
                self._compare_stream(line, event, held.openings)
                self._check_hidden(event)
            except RecordInvalid as wrong:
                return RecordInvalid(wrong.why, seq, wrong.expected)
            self.lines.append(line)
            self.events.append(event)
            if progress is not None and seq % 64 == 0:
                progress(seq // 2)
        try:
            check_length(self.record, self._verifier)
        except RecordInvalid as wrong:
            return wrong
        return None

    def _compare_stream(self, line: Line, event: Event, openings: Mapping[int, bytes]) -> None:
        """Each audience must be sent exactly the redacted event."""
        slots = self.game.slots[type(event)]
        try:
            masks = tuple(int(slot.mask(event)) for slot in slots)
        except (KeyError, TypeError) as wrong:
            raise RecordInvalid(f"a secret is for seat {wrong}", expected="a seat of the match") from wrong
        if masks != line.masks:
            raise RecordInvalid(f"the slots are for the audiences {line.masks}", expected=str(masks))
        if not slots:
            return
        for viewer, holds in self._audiences(masks):
            held = tuple([openings[i] if holds[i] else None for i in range(len(holds))])
            if self._codec.read(line.type, line.payload, held) != self.game.redact(event, viewer):
                raise RecordInvalid(f"what the viewers {viewer:b} are sent is not what redaction makes of the event")

    def _audiences(self, masks: tuple[int, ...]) -> list[tuple[Mask, tuple[bool, ...]]]:
        """One viewer for each way to hold some of the slots, but not all: who holds all is sent what was read."""
        found = self._patterns.get(masks)
        if found is None:
            if not self._masks:
                self._masks = [Mask(0), *(Mask(1 << seat) for seat in range(self._verifier.seats))]
            ways = {tuple(bool(mask & viewer) for mask in masks): viewer for viewer in self._masks}
            found = self._patterns[masks] = [(viewer, holds) for holds, viewer in ways.items() if not all(holds)]
        return found

    def _check_hidden(self, event: Event) -> None:
        check_disclosed(self._verifier, event, self._secrets)
        match event:
            case Shuffled():
                self.report.shuffles += 1
            case SeatTaken(seat=seat):
                if not 0 <= seat < self._verifier.seats:
                    last = self._verifier.seats - 1
                    raise RecordInvalid(f"seat {seat} is taken", expected=f"a seat from 0 to {last}")
            case DiceRolled(dice=dice):
                self.report.rolls += bool(dice)

    def _complete(self, whole: bool) -> int:
        """How many lines can be decided again: not the choice that a bad line cut short."""
        if whole:
            return len(self.events)
        # A position belongs to the agreement, the branch or the scenario that it follows.
        leads = OfferAccepted | BranchOpened | ScenarioOpened
        after = (isinstance(event, leads) for event in (None, *self.events))
        starts = (
            i
            for i, (event, led) in enumerate(zip(self.events, after, strict=False))
            if _starts(event) and not (led and isinstance(event, SeatBriefed))
        )
        return max(starts, default=len(self.events))

    def _replay(self, done: int, progress: Progress | None) -> S | None:
        """Fold every event; decide every choice again and compare what comes of it."""
        if not self.events:
            return None
        first = self.events[0]
        assert isinstance(first, MatchCreated), "the verifier has seen to that"
        self._assert_known_rules(0, 0)
        try:
            if self.lines[0].rules == self._codec.rules:
                self.game.assert_playable(first.options)
            self.game.assert_seats(first)
            state = self.game.created(first)
        except Exception as wrong:
            raise RecordInvalid(f"the match cannot be created: {wrong}", 1) from wrong
        at, self.report.lines = 1, len(self.events)
        while at < done:
            length = self._decided(at, state)
            for event in self.events[at : at + length]:
                self._clocks = follow(self.game, self._clocks, state, (event,), self.lines[at].at, at + 1)
                if self.lines[at].type in ASKS:
                    self._asked_at = self.lines[at].at
                state = self._fold(state, event, at + 1)
                at += 1
            if progress is not None:
                progress((done + at) // 2)
        return state

    def _assert_known_rules(self, at: int, least: int) -> None:
        """Under rules that nobody has, anything could be said to follow; those of a match only grow newer."""
        rules = self.lines[at].rules
        name, _, _ = rules.partition("/")
        if name != self.game.name or not least <= number_of(rules) <= number_of(self._codec.rules):
            expected = f"{self.game.name}/{least} to {self._codec.rules}"
            raise RecordInvalid(f"the rules {rules} are none that this program knows here", at + 1, expected)

    def _fold_all(self) -> S | None:
        self.report.unchecked.append("the rules: the choices were not decided again")
        self.report.lines = len(self.events)
        self.report.choices = sum(isinstance(event, Chosen) for event in self.events)
        state: S | None = None
        for seq, event in enumerate(self.events, 1):
            try:
                state = self.game.fold((event,), state)
            except Exception as wrong:
                raise RecordInvalid(f"{type(event).__name__} cannot be folded: {wrong!r}", seq) from wrong
        return state

    def _fold(self, state: S, event: Event, seq: int) -> S:
        try:
            return self.game.fold((event,), state)
        except Exception as wrong:
            raise RecordInvalid(f"{type(event).__name__} cannot be folded: {wrong!r}", seq) from wrong

    def _decided(self, at: int, state: S) -> int:
        """How many events from `at` on follow from one choice or act; each is compared."""
        event, seq = self.events[at], at + 1
        if isinstance(event, Chosen):
            self.report.choices += 1
            return self._compare(at, self._choose(event, state, at), at)
        if isinstance(event, MatchBegun):
            return self._compare(at, self._begin(state, at), at)
        if isinstance(event, RulesChanged):
            self._assert_known_rules(at, number_of(event.was) + 1)
        if isinstance(event, ACTS):
            self.report.acts += 1
            if isinstance(event, OperatorRuled):
                self.report.unchecked.append(f"why line {seq} ends the match: the host's own word")
            return self._compare(at, self._act(event, state, at), at)
        if self.lines[at].cause:
            raise RecordInvalid(f"{type(event).__name__} names a choice it does not follow from", seq)
        if isinstance(event, BranchOpened | ScenarioOpened | SeatBriefed | PositionSet):
            return self._positioned(at)
        void = isinstance(event, MatchEnded) and not event.result.won and event.result.reason.startswith("void")
        if not isinstance(event, ADMINISTRATIVE) and not void:
            raise RecordInvalid(f"{type(event).__name__} follows from no choice", seq)
        if isinstance(event, MatchEnded) and event.result.reason == f"{VOID}{FAILED}":
            self.report.unchecked.append(f"why line {seq} ends the match as void: how the rules failed is not recorded")
        return 1

    def _positioned(self, at: int) -> int:
        """How many events put everybody into another position, which must be one that follows.

        A match that branches off another, or comes from a scenario, begins so; later it can only be taken back to a
        line of its own record.
        """
        branches = isinstance(self.events[at], BranchOpened | ScenarioOpened)
        end = at + branches + self._verifier.seats
        last = self.events[end] if end < len(self.events) else None
        if branches != (at == 1) or not isinstance(last, PositionSet) or bool(last.line) == branches:
            raise RecordInvalid("a position is set where none can be", at + 1)
        if not branches:
            self.report.unchecked.append(f"why line {end + 1} puts the match back: nobody at the table asked for it")
        made = self._told_alike(end) if branches else self._taken_back(last.line, at)
        fault = self._first_difference(end + 1 - len(made), made)
        if fault is not None:
            # Former rules may know fields of a position that newer ones lack, and the other way round.
            self._differ(fault, at)
        return end + 1 - at

    def _told_alike(self, end: int) -> tuple[Event, ...]:
        """The events that tell everybody of the world that a branch begins with, if everything not hidden is so."""
        events = self.events[: end + 1]
        try:
            views = views_of(self.game, events)
            faults = list(self.game.spec.invariants(views.world))
        except Exception as wrong:
            raise RecordInvalid(f"the position cannot be read: {wrong!r}", end + 1) from wrong
        if faults:
            raise RecordInvalid(f"the match begins with a position that cannot be: {faults[0]}", end + 1)
        try:
            public, *seats = (_all_asked(seen(view, views.world)) for view in (views.public, *views.seats))
        except KernelFault as wrong:
            raise RecordInvalid(f"a view does not fit the position: {wrong}", end + 1) from wrong
        fresh = self.game.fold(events[:1])
        unknown = Views(fresh, fresh, (fresh,) * self._verifier.seats)
        return set_events(unknown, Views(_all_asked(views.world), public, tuple(seats)))

    def _taken_back(self, line: int, at: int) -> tuple[Event, ...]:
        try:
            return restored(self.game, self.events[:at], line)
        except ValueError as wrong:
            raise RecordInvalid(f"the position of line {line} is set: {wrong}", at + 1) from wrong

    def _draws(self, at: int) -> RecordedDraws:
        return RecordedDraws(iter(self.events[at:]))

    def _choose(self, event: Chosen, state: S, at: int) -> "Sequence[Event] | str":
        """The events the rules make of a stored choice, or why they make none."""
        try:
            choice = self.game.read_choice(event.choice)
            why = "" if self._is_lot(event, at) else self._answerer_fault(event, choice, state, self.lines[at].at)
            if why:
                raise RecordInvalid(why, at + 1)
            check_in_time(self._clocks, event.seat, self.lines[at].at)
            return decide(self.game, state, event.seat, event.number, choice, self._draws(at), note=event).events
        except KernelError as wrong:
            return f"the rules refuse the choice: {wrong}"
        except RecordInvalid as wrong:
            if wrong.seq:
                raise
            return str(wrong)
        except Exception as wrong:  # rules may fail in any way over events that they never make
            return f"the choice cannot be decided: {wrong!r}"

    def _is_lot(self, event: Chosen, at: int) -> bool:
        """Whether the choice is the time control's lot, of which the line `TimeRanOut` before it is judged."""
        before = next((one for one in reversed(self.events[:at]) if not isinstance(one, Shuffled)), None)
        is_lot = isinstance(before, TimeRanOut) and (before.seat, before.number) == (event.seat, event.number)
        return event.by == "clock" and is_lot

    def _answerer_fault(self, event: Chosen, choice: Choice, state: S, at: int) -> str:
        """Why who is said to have chosen has not; the verifier has checked what can be told without the rules."""
        if event.by == RULES:
            return "the rules answer for a seat only when it has left, behind what they answer after"
        if event.by == "clock":
            return clock_fault(self.game, state, event.number, choice, at - self._asked_at)
        if event.by not in ("seat", STANDING):
            return ""
        if event.by == STANDING:
            asked = next((asked for asked in state.asked if asked.number == event.number), None)
            return standing.meaning_fault(asked, sealing.unb64(self.record.match), event, event.choice)
        if state.record > 1:
            return signing.meaning_fault(self.game, state, sealing.unb64(self.record.match), event, choice)
        key = next((key for seat, key in state.taken if seat == event.seat), "")
        return signing.fault(self.game, state, self.record.match, key, event, choice) if key else ""

    def _act(self, event: Event, state: S, at: int) -> "Sequence[Event] | str":
        """The events an act at the table comes to, or why it is none."""

        def past() -> Sequence[Event]:
            return self.events[:at]

        if isinstance(event, Offered) and isinstance(event.terms, TakeBack) and event.signature:
            key = next((key for seat, key in state.taken if seat == event.seat), "")
            mid = sealing.unb64(self.record.match)
            named = signing.is_said(mid, key, event, signing.said(event))
            if not named and event.terms.line != line_before(past(), event.seat):
                return "the seat asked for its own last choice to be undone, and this is another line"
        try:
            return carry_out(self.game, state, self._clocks, event, self.lines[at].at, self._draws(at), past).events
        except KernelError as wrong:
            return f"this is not possible here: {wrong}"
        except RecordInvalid as wrong:
            return str(wrong)

    def _begin(self, state: S, at: int) -> "Sequence[Event] | str":
        try:
            return begin(self.game, state, self._draws(at)).events
        except (KernelError, RecordInvalid) as wrong:
            return str(wrong)
        except Exception as wrong:  # as in `_choose`
            return f"the match cannot begin: {wrong!r}"

    def _compare(self, at: int, made: "Sequence[Event] | str", start: int) -> int:
        """Compare recorded events with those made; how many follow. A newer version's differences are noted."""
        fault = Fault(at + 1, made) if isinstance(made, str) else self._first_difference(at, made)
        if fault is None:
            return len(made)
        self._differ(fault, at)
        return self._span(start)

    def _differ(self, fault: Fault, at: int) -> None:
        """Something else is recorded than follows: a fault, or under former rules a difference."""
        if self.lines[at].rules == self._codec.rules:
            raise RecordInvalid(fault.wrong, fault.line, fault.expected)
        if not self.report.differences:
            self.report.unproven.append(
                f"from line {fault.line} on, that the rules {self.lines[at].rules} were followed:"
                " newer ones decide otherwise, and this program has no others"
            )
        self.report.differences.append(fault)

    def _span(self, at: int) -> int:
        """How many lines the choice at `at` has in the record, by their cause or up to the next act."""
        end = at + 1
        while end < len(self.events) and not (_starts(self.events[end]) or isinstance(self.events[end], RulesChanged)):
            end += 1
        return end - at

    def _first_difference(self, at: int, made: Sequence[Event]) -> Fault | None:
        actor, cause, next_cause = actor_of(made[0]), "", ""
        for i, event in enumerate(made):
            place = at + i
            name = type(event).__name__
            if place >= len(self.events):
                return Fault(place + 1, "the record ends", name)
            line, held = self.lines[place], self.record.held[place]
            cause = next_cause
            if isinstance(event, Chosen):
                cause, next_cause = "", sealing.choice_cause(held.line)
            if line.type != name:
                return Fault(place + 1, f"the record has {line.type}", f"{name} {_text(self._codec.payload(event))}")
            if self._codec.payload(event) != line.payload:
                return Fault(place + 1, f"{name} has {_text(line.payload)}", _text(self._codec.payload(event)))
            for slot, (mask, value) in enumerate(self._codec.slots(event)):
                if (mask, value) != (line.masks[slot], held.openings[slot]):
                    return Fault(place + 1, f"{name}, slot {slot} has {_text(held.openings[slot])}", _text(value))
            if line.actor != actor or line.cause != cause:
                return Fault(place + 1, f"the line is by {line.actor}, cause {line.cause!r}", f"{actor}, {cause!r}")
        return None

    def _result(self, state: S | None) -> None:
        if self.record.result is None:
            return
        result = None if state is None else state.result
        said = "" if result is None else f"{who_won(result)}: {result.reason}"
        if self.record.result != said:
            raise RecordInvalid(f"the match list says {self.record.result!r}", expected=repr(said))

    def _close(self) -> None:
        check_end(self.record, self._verifier, self._trusted)
        self.report.rules = self._verifier.rules
        _note_signed(self.report, self.record, self._verifier)
        if not self.record.checkpoints:
            self.report.unchecked.append("server signatures: the record has no checkpoints")
        elif not self._trusted:
            self.report.unchecked.append("whose the checkpoints' key is: name the server's public key to compare")


def _note_signed(report: Report, record: Record, verifier: Verifier) -> None:
    report.checkpoints = len(record.checkpoints)
    if not record.checkpoints:
        return
    report.signed_to, signed = record.checkpoints[-1]
    report.signed_ms = int.from_bytes(signed[:8], "big")
    stamped = {seq for seq, _ in record.checkpoints}
    bare = [seq for seq in verifier.commits if min(stamped) < seq < report.signed_to and seq not in stamped]
    if bare:
        report.unchecked.append(
            f"server signatures: of the {len(verifier.commits)} commits before choices and acts {len(bare)} have none,"
            f" the first at line {bare[0]}"
        )


def _tell_seats(report: Report, verifier: Verifier) -> None:
    seating = verifier.seating
    report.unproven, report.chance = [*seating.unproven(), *report.unproven], seating.chance()
    report.claims = dict(seating.claims)
    found = {"signatures": report.signed_to < report.lines, "commit": verifier.is_unfinished}
    report.lacks = [*seating.lacks(), *(name for name, is_so in found.items() if is_so)]


def _starts(event: Event) -> bool:
    """Whether several lines begin here that stand or fall together."""
    if isinstance(event, Chosen) and event.by == RULES:
        return False
    leads = isinstance(event, (Chosen, MatchBegun, BranchOpened, ScenarioOpened, *ACTS))
    return leads or (isinstance(event, SeatBriefed) and not event.seat)


def _all_asked(state: S) -> S:
    """A state before play with those asked who wait to be."""
    return replace(state, asked=state.waiting)


def _text(data: bytes, limit: int = 300) -> str:
    text = data.decode(errors="replace")
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def audit_view(
    record: Record,
    trusted: Sequence[bytes] = (),
    progress: Progress | None = None,
    game: Game[Any] | None = None,
) -> Report:
    """Audit a viewer's record: everything but the rules, which need every secret.

    Where the game is known its lines are held to their shape. A record that opens everything is audited so where this
    program does not have the game: its openings, keys and shuffles are checked, and the rules are not.
    """
    report = Report(record.match, record.game, record.view)
    secrets = record.secrets
    why = "secrets are closed to this view" if secrets is None else f"there is no game {record.game!r} here"
    report.unchecked.append(f"the rules: {why}")
    verifier: Verifier | None = None
    try:
        check_begin(record)
        verifier = Verifier(record.match, record.keys, None if secrets is None else secrets.k_m, game)
        for held in record.held:
            line = verifier.take(held.line, held.openings)
            check_head(record, verifier)
            if secrets is not None:
                check_disclosed(verifier, disclosed_event(line, held.openings), secrets)
                report.shuffles += line.type == "Shuffled"
            report.choices += line.type == "Chosen"
            if progress is not None and verifier.seq % 64 == 0:
                progress(verifier.seq)
        check_end(record, verifier, trusted)
        _note_signed(report, record, verifier)
    except RecordInvalid as wrong:
        report.fault = Fault(wrong.seq, wrong.why, wrong.expected)
    if verifier is not None:
        report.lines, report.head, report.rules = verifier.seq, sealing.b64(verifier.head), verifier.rules
        report.openings, report.signatures = verifier.openings, verifier.signatures
        _tell_seats(report, verifier)
        report.lacks += [] if secrets is None else ["rules"]
        report.rolls = verifier.draws.draws
    return report


def audit(
    game: Game[Any] | None, record: Record, trusted: Sequence[bytes] = (), progress: Progress | None = None
) -> Report:
    """Audit a record: with the rules when it holds everything and the game is known, else as its viewer can."""
    if record.view != EVERYTHING or record.secrets is None:
        return audit_view(record, trusted, progress, game)
    if game is None:
        report = audit_view(record, trusted, progress)
        report.unchecked += _about_package(record, missing)
        return report
    report = Audit(game, record, trusted).run(progress)
    report.unchecked += _about_package(record, differing)
    return report


def _about_package(record: Record, said: Callable[[MatchCreated], str]) -> list[str]:
    first = created_in(record)
    return [] if first is None else [*filter(None, (said(first),))]


def compare(mine: Record, other: Record) -> Fault | None:
    """Where two holders of one match were shown different lines; None when they agree as far as both go."""
    if mine.match != other.match:
        return Fault(0, f"the match is {mine.match}", other.match)
    for seq, (one, two) in enumerate(zip(mine.held, other.held, strict=False), 1):
        if one.line != two.line:
            return Fault(seq, f"one holds {_text(one.line)}", _text(two.line))
    return None
