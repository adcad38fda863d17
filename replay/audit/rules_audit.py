"""Whether the rules make the recorded events of the recorded choices, draws and acts."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import (
    BranchOpened,
    ChanceAnchored,
    Choice,
    Chosen,
    Clocks,
    DiceRolled,
    Event,
    Hidden,
    HiddenDraw,
    KernelError,
    KernelFault,
    MatchBegun,
    MatchCreated,
    MatchEnded,
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
from replay.audit.comparison import ACTS, Comparison
from replay.audit.report import AuditReport
from replay.errors import RecordInvalid
from replay.files.export import Record
from replay.record import sealing, signing, standing
from replay.record.acknowledged_lines import ASKS
from replay.record.answer_check import clock_fault
from replay.record.line import Codec, RecordLine
from replay.record.rulesversion import number_of
from replay.record.seat_proof import FAILED, VOID

S = TypeVar("S", bound=State)
Progress = Callable[[int], None]
"""Called with the number of lines checked."""

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


class RecordedDraws:
    """Chance that replays the draws of the record, in their order."""

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


class RulesAudit(Generic[S]):
    """Decides every choice and act of a record again, in their order, and compares the outcome with its lines."""

    def __init__(
        self, codec: Codec[S], record: Record, lines: Sequence[RecordLine], events: Sequence[Event], report: AuditReport
    ) -> None:
        self.game, self.record, self.report = codec.game, record, report
        self.lines, self.events = lines, events
        self._codec = codec
        self._comparison = Comparison(record, codec, lines, events, report)
        self._seats = 0
        self._clocks: Clocks | None = None
        self._asked_at = 0

    def replay(self, done: int, progress: Progress | None) -> S | None:
        """Fold every event; decide every choice again and compare the results."""
        if not self.events:
            return None
        first = self.events[0]
        assert isinstance(first, MatchCreated), "the verifier has seen to that"
        self._seats = len(first.seats)
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
        """Check that the rules are known, because anything could follow from unknown rules, and that none is older."""
        rules = self.lines[at].rules
        name, _, _ = rules.partition("/")
        if name != self.game.name or not least <= number_of(rules) <= number_of(self._codec.rules):
            expected = f"{self.game.name}/{least} to {self._codec.rules}"
            raise RecordInvalid(f"the rules {rules} are none that this program knows here", at + 1, expected)

    def _fold(self, state: S, event: Event, seq: int) -> S:
        try:
            return self.game.fold((event,), state)
        except Exception as wrong:
            raise RecordInvalid(f"{type(event).__name__} cannot be folded: {wrong!r}", seq) from wrong

    def _decided(self, at: int, state: S) -> int:
        """How many events, starting at `at`, follow from one choice or act; each is compared."""
        event, seq = self.events[at], at + 1
        if isinstance(event, Chosen):
            self.report.choices += 1
            return self._comparison.compare(at, self._choose(event, state, at), at)
        if isinstance(event, MatchBegun):
            return self._comparison.compare(at, self._begin(state, at), at)
        if isinstance(event, RulesChanged):
            self._assert_known_rules(at, number_of(event.was) + 1)
        if isinstance(event, ACTS):
            self.report.acts += 1
            if isinstance(event, OperatorRuled):
                self.report.unchecked.append(f"why line {seq} ends the match: the host's own word")
            return self._comparison.compare(at, self._act(event, state, at), at)
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
        """The number of events that move everybody to another position; raises where no position can be set.

        A match that branches off another, or comes from a scenario, begins with these events. Later a match can only
        be taken back to a line of its own record.
        """
        branches = isinstance(self.events[at], BranchOpened | ScenarioOpened)
        end = at + branches + self._seats
        last = self.events[end] if end < len(self.events) else None
        if branches != (at == 1) or not isinstance(last, PositionSet) or bool(last.line) == branches:
            raise RecordInvalid("a position is set where none can be", at + 1)
        if not branches:
            self.report.unchecked.append(f"why line {end + 1} puts the match back: nobody at the table asked for it")
        made = self._told_alike(end) if branches else self._taken_back(last.line, at)
        fault = self._comparison.first_difference(end + 1 - len(made), made)
        if fault is not None:
            # A position may have fields in older rules that newer rules lack, and the other way round.
            self._comparison.differ(fault, at)
        return end + 1 - at

    def _told_alike(self, end: int) -> tuple[Event, ...]:
        """The events that give everybody the world a branch begins with; what is not hidden in it is taken as true."""
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
        unknown = Views(fresh, fresh, (fresh,) * self._seats)
        return set_events(unknown, Views(_all_asked(views.world), public, tuple(seats)))

    def _taken_back(self, line: int, at: int) -> tuple[Event, ...]:
        try:
            return restored(self.game, self.events[:at], line)
        except ValueError as wrong:
            raise RecordInvalid(f"the position of line {line} is set: {wrong}", at + 1) from wrong

    def _draws(self, at: int) -> RecordedDraws:
        return RecordedDraws(iter(self.events[at:]))

    def _choose(self, event: Chosen, state: S, at: int) -> "Sequence[Event] | str":
        """The events that the rules make from a stored choice, or the reason why they make none."""
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
        except Exception as wrong:  # rules may fail in any way on events that they never make
            return f"the choice cannot be decided: {wrong!r}"

    def _is_lot(self, event: Chosen, at: int) -> bool:
        """Whether the choice is the time control's lot; the line `TimeRanOut` before it is checked instead."""
        before = next((one for one in reversed(self.events[:at]) if not isinstance(one, Shuffled)), None)
        is_lot = isinstance(before, TimeRanOut) and (before.seat, before.number) == (event.seat, event.number)
        return event.by == "clock" and is_lot

    def _answerer_fault(self, event: Chosen, choice: Choice, state: S, at: int) -> str:
        """Why the named author cannot have chosen; the verifier has checked everything that needs no rules."""
        if event.by == RULES:
            return "the rules answer for a seat only when it has left, behind what they answer after"
        if event.by == "clock":
            return clock_fault(self.game, state, event.number, choice, at - self._asked_at)
        if event.by == STANDING:
            asked = next((asked for asked in state.asked if asked.number == event.number), None)
            return standing.meaning_fault(asked, sealing.unb64(self.record.match), event, event.choice)
        if event.by != "seat":
            return ""
        if state.record > 1:
            return signing.meaning_fault(self.game, state, sealing.unb64(self.record.match), event, choice)
        key = next((key for seat, key in state.taken if seat == event.seat), "")
        return signing.fault(self.game, state, self.record.match, key, event, choice) if key else ""

    def _act(self, event: Event, state: S, at: int) -> "Sequence[Event] | str":
        """The events of an act at the table, or the reason why the act is not valid."""

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


def _all_asked(state: S) -> S:
    """A state before play in which the waiting decisions are asked."""
    return replace(state, asked=state.waiting)
