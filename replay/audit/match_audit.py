"""The audit (docs/record.md 8): whether a record is complete, and follows from its choices and draws by the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from domain.kernel import (
    BranchOpened,
    Chosen,
    DiceRolled,
    Event,
    Game,
    Mask,
    MatchCreated,
    OfferAccepted,
    ScenarioOpened,
    SeatBriefed,
    SeatTaken,
    Shuffled,
    State,
)
from replay.audit.comparison import starts, text_of
from replay.audit.disclosed import check_disclosed, disclosed_event
from replay.audit.report import AuditFault, AuditReport, note_signed, tell_seats
from replay.audit.rules_audit import Progress, RulesAudit
from replay.audit.verify import Verifier, check_begin, check_end, check_head, check_length
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, Record, created_in
from replay.record import sealing
from replay.record.line import RecordLine, codec_of
from replay.record.origin import differing, missing
from replay.record.referee import who_won

S = TypeVar("S", bound=State)


class Audit(Generic[S]):
    """Audits the whole record of one match with everything opened.

    Without `decide_again` the audit folds the events, and checks everything except that the rules make these events
    from these choices. After a run without a fault, `lines`, `events` and `heads` (starting with line 0) hold the
    decoded record.
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
        """A mask for every viewer; filled once line 1 states the number of seats."""
        self._patterns: dict[tuple[int, ...], list[tuple[Mask, tuple[bool, ...]]]] = {}
        self.lines: list[RecordLine] = []
        self.events: list[Event] = []
        self.report = AuditReport(record.match, record.game, record.view)

    @property
    def heads(self) -> list[bytes]:
        """The chain's hashes, starting with the one before line 1."""
        return self._verifier.heads

    def run(self, progress: Progress | None = None) -> AuditReport:
        """Check everything in the order of docs/record.md 8; stops at the first fault."""
        try:
            check_begin(self.record)
            whole = self._read(progress)
            if self._decide_again or whole is not None:
                again = RulesAudit(self._codec, self.record, self.lines, self.events, self.report)
                state = again.replay(self._complete(whole is None), progress)
            else:
                state = self._fold_all()
            if whole is not None:
                raise whole
            self._result(state)
            self._close()
        except RecordInvalid as wrong:
            self.report.fault = AuditFault(wrong.seq, wrong.why, wrong.expected)
        verifier = self._verifier
        self.report.head = sealing.b64(verifier.head)
        self.report.openings, self.report.signatures = verifier.openings, verifier.signatures
        tell_seats(self.report, verifier)
        return self.report

    def _read(self, progress: Progress | None) -> RecordInvalid | None:
        """Check bytes, chain, seals and draws of every line; returns the fault that ended the check, if any.

        The lines before the fault are still decided again, because they may hold an earlier fault.
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

    def _compare_stream(self, line: RecordLine, event: Event, openings: Mapping[int, bytes]) -> None:
        """Check that each audience is sent exactly the redacted event."""
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
        """One viewer for each set of slots that a viewer can hold, except the full set: a holder of all slots is sent
        exactly the lines read.
        """
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
        """How many lines can be decided again: all except a choice that a bad line cut short."""
        if whole:
            return len(self.events)
        # A position belongs to the agreement, the branch or the scenario that precedes it.
        leads = OfferAccepted | BranchOpened | ScenarioOpened
        after = (isinstance(event, leads) for event in (None, *self.events))
        beginnings = (
            i
            for i, (event, led) in enumerate(zip(self.events, after, strict=False))
            if starts(event) and not (led and isinstance(event, SeatBriefed))
        )
        return max(beginnings, default=len(self.events))

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
        note_signed(self.report, self.record, self._verifier)
        if not self.record.checkpoints:
            self.report.unchecked.append("server signatures: the record has no checkpoints")
        elif not self._trusted:
            self.report.unchecked.append("whose the checkpoints' key is: name the server's public key to compare")


def audit_view(
    record: Record,
    trusted: Sequence[bytes] = (),
    progress: Progress | None = None,
    game: Game[Any] | None = None,
) -> AuditReport:
    """Audit a viewer's record: everything but the rules, which need every secret.

    If the game is known, the audit checks the shapes of its lines. A record that opens everything is audited in this
    way if this program does not have the game: its openings, keys and shuffles are checked, and the rules are not.
    """
    report = AuditReport(record.match, record.game, record.view)
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
        note_signed(report, record, verifier)
    except RecordInvalid as wrong:
        report.fault = AuditFault(wrong.seq, wrong.why, wrong.expected)
    if verifier is not None:
        report.lines, report.head, report.rules = verifier.seq, sealing.b64(verifier.head), verifier.rules
        report.openings, report.signatures = verifier.openings, verifier.signatures
        tell_seats(report, verifier)
        report.lacks += [] if secrets is None else ["rules"]
        report.rolls = verifier.draws.draws
    return report


def audit(
    game: Game[Any] | None, record: Record, trusted: Sequence[bytes] = (), progress: Progress | None = None
) -> AuditReport:
    """Audit a record: with the rules if it holds everything and the game is known, else as far as its viewer can."""
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


def compare(mine: Record, other: Record) -> AuditFault | None:
    """The first line in which two holders of one match were shown different things; None when they agree up to the
    end of the shorter record.
    """
    if mine.match != other.match:
        return AuditFault(0, f"the match is {mine.match}", other.match)
    for seq, (one, two) in enumerate(zip(mine.held, other.held, strict=False), 1):
        if one.line != two.line:
            return AuditFault(seq, f"one holds {text_of(one.line)}", text_of(two.line))
    return None
