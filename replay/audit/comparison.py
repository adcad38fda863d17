"""Recorded lines compared with the events that the rules make."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from domain.kernel import (
    SEAT_ACTS,
    SERVER_ACTS,
    BranchOpened,
    Chosen,
    Event,
    MatchBegun,
    RulesChanged,
    ScenarioOpened,
    SeatBriefed,
    State,
)
from domain.kernel.table import RULES
from replay.audit.report import AuditFault, AuditReport
from replay.errors import RecordInvalid
from replay.files.export import Record
from replay.record import sealing
from replay.record.line import Codec, RecordLine
from replay.record.referee import actor_of

S = TypeVar("S", bound=State)
ACTS = (*SEAT_ACTS, *SERVER_ACTS)


class Comparison(Generic[S]):
    """Compares the lines of one record, as far as they were read, with the events that the rules make."""

    def __init__(
        self, record: Record, codec: Codec[S], lines: Sequence[RecordLine], events: Sequence[Event], report: AuditReport
    ) -> None:
        self._record, self._codec, self._report = record, codec, report
        self._lines, self._events = lines, events

    def compare(self, at: int, made: "Sequence[Event] | str", start: int) -> int:
        """Compare recorded events with the events made by the rules; returns how many belong to the choice.

        Notes differences under newer rules.
        """
        fault = AuditFault(at + 1, made) if isinstance(made, str) else self.first_difference(at, made)
        if fault is None:
            return len(made)
        self.differ(fault, at)
        return self._span(start)

    def differ(self, fault: AuditFault, at: int) -> None:
        """Handle a record that differs from the rules: raise a fault, or note a difference if its rules are older."""
        if self._lines[at].rules == self._codec.rules:
            raise RecordInvalid(fault.wrong, fault.line, fault.expected)
        if not self._report.differences:
            self._report.unproven.append(
                f"from line {fault.line} on, that the rules {self._lines[at].rules} were followed:"
                " newer ones decide otherwise, and this program has no others"
            )
        self._report.differences.append(fault)

    def _span(self, at: int) -> int:
        """How many lines of the record belong to the choice at `at`: all up to the next choice or act."""
        end = at + 1
        for event in self._events[end:]:
            if starts(event) or isinstance(event, RulesChanged):
                break
            end += 1
        return end - at

    def first_difference(self, at: int, made: Sequence[Event]) -> AuditFault | None:
        """The first line, starting at `at`, that does not record the events made; None when all do."""
        actor, cause, next_cause = actor_of(made[0]), "", ""
        for i, event in enumerate(made):
            place = at + i
            name = type(event).__name__
            if place >= len(self._events):
                return AuditFault(place + 1, "the record ends", name)
            line, held = self._lines[place], self._record.held[place]
            cause = next_cause
            if isinstance(event, Chosen):
                cause, next_cause = "", sealing.choice_cause(held.line)
            if line.type != name:
                return AuditFault(
                    place + 1, f"the record has {line.type}", f"{name} {text_of(self._codec.payload(event))}"
                )
            if self._codec.payload(event) != line.payload:
                return AuditFault(place + 1, f"{name} has {text_of(line.payload)}", text_of(self._codec.payload(event)))
            for slot, (mask, value) in enumerate(self._codec.slots(event)):
                if (mask, value) != (line.masks[slot], held.openings[slot]):
                    return AuditFault(
                        place + 1, f"{name}, slot {slot} has {text_of(held.openings[slot])}", text_of(value)
                    )
            if line.actor != actor or line.cause != cause:
                return AuditFault(
                    place + 1, f"the line is by {line.actor}, cause {line.cause!r}", f"{actor}, {cause!r}"
                )
        return None


def starts(event: Event) -> bool:
    """Whether this event begins a group of lines that are valid only together."""
    if isinstance(event, Chosen) and event.by == RULES:
        return False
    leads = isinstance(event, (Chosen, MatchBegun, BranchOpened, ScenarioOpened, *ACTS))
    return leads or (isinstance(event, SeatBriefed) and not event.seat)


def text_of(data: bytes, limit: int = 300) -> str:
    """Stored bytes as text for a message, shortened to `limit` characters."""
    text = data.decode(errors="replace")
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
