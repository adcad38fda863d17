"""The messages about safety: lasting blocks and mutes, reports, and the staff's acts; part of `protocol`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.wire.words import In, NewSecret, Out

Handle = Annotated[str, Meta(max_length=64)]
MaybeMatch = Annotated[str, Meta(max_length=32)]
ReportId = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,16}(?![\s\S])")]
Why = Annotated[str, Meta(min_length=1, max_length=500)]


class Report(In, frozen=True, tag="report"):
    """Report somebody in the match of this connection to the staff, or the match itself; answered by `reported`.

    `who`: the reported person's name in chat lines, "" for the match; `lines`: the numbers of this person's chat lines
    that the server should store as evidence, as they are on the server.
    """

    why: Why
    who: Annotated[str, Meta(max_length=16)] = ""
    lines: Annotated[tuple[int, ...], Meta(max_length=50)] = ()

    def __repr__(self) -> str:
        return "Report()"


class _OfSession(In, frozen=True):
    """A message of a person who is signed in. `session`: the token of `signed-in`."""

    session: NewSecret

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Shun(_OfSession, frozen=True, tag="shun"):
    """Block or mute somebody from now on, or end both; answered by `safety-told`.

    The other person is named by `handle`, by a seat of a match, or by `of`, the name in `safety-told`. The server seats
    the two persons at no common table while one of them blocks the other. The blocked person is also muted, and is not
    informed.
    """

    kind: Literal["block", "mute", ""] = ""
    handle: Handle = ""
    match: MaybeMatch = ""
    seat: Annotated[int, Meta(ge=0, le=63)] = 0
    of: Annotated[str, Meta(max_length=32)] = ""


class ReadSafety(_OfSession, frozen=True, tag="safety"):
    """Ask for the persons whom the sender blocks or mutes, and the staff's acts about the sender; answered by
    `safety-told`.
    """


class ReadReports(_OfSession, frozen=True, tag="reports"):
    """For the staff: the reports that wait, or those that are settled; answered by `reports-told`."""

    settled: bool = False
    after: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Moderate(_OfSession, frozen=True, tag="moderate"):
    """For the staff: settle a report, or act against a person; answered by `moderated`.

    The person is the one in `report`, or the one with `handle`. `days`: how long the act holds; 0: permanently.
    """

    act: Literal["warn", "mute", "suspend", "ban", "lift", "settle"]
    why: Why
    report: ReportId = ""
    handle: Handle = ""
    days: Annotated[int, Meta(ge=0, le=3_650)] = 0


class ReadStaffLog(_OfSession, frozen=True, tag="staff-log"):
    """For the staff: entries of the log after a number; answered by `staff-log-told`."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0


SafetyMessage = Shun | ReadSafety | ReadReports | Moderate | ReadStaffLog
"""The messages of a person who is signed in."""


class Reported(Out, frozen=True, tag="reported"):
    """The report is stored under this name."""

    report: str
    id: str = ""


class Shunned(Struct, frozen=True):
    """A person who is blocked or muted since `at_ms`. `of`: the person's name in messages; `name`: the name to show."""

    of: str
    name: str
    kind: str
    at_ms: int


class StaffEntry(Struct, frozen=True, omit_defaults=True):
    """An entry of the staff's log: its number and time, the act and its reason, and the time until which it holds (0:
    permanently).

    `author` and `about` are random names; `handle` is the handle of the person named by `about`, for the staff alone.
    `before` and `hash`: the hashes of the previous entry and of this one, as base64url (docs/people.md).
    """

    n: int
    at_ms: int
    act: str
    why: str
    author: str = ""
    about: str = ""
    until_ms: int = 0
    report: str = ""
    hash: str = ""
    before: str = ""
    handle: str = ""


class SafetyTold(Out, frozen=True, tag="safety-told"):
    """The persons whom the receiver blocks or mutes, the entries about the receiver, the log's end, and whether the
    receiver belongs to the staff.
    """

    shunned: tuple[Shunned, ...] = ()
    entries: tuple[StaffEntry, ...] = ()
    last: int = 0
    head: str = ""
    staff: bool = False
    id: str = ""

    def __repr__(self) -> str:
        return "SafetyTold()"


class ReportedLine(Struct, frozen=True):
    """A line of chat as it was when it was reported."""

    n: int
    at_ms: int
    who: str
    name: str
    text: str


class ReportInfo(Struct, frozen=True, omit_defaults=True):
    """A report: the reported person's name at that table and handle, if it is known, and the reason.

    `seq`: the last line of the record at that time; `by`: the reporter's handle, "" for a guest.
    """

    report: str
    at_ms: int
    match: str
    why: str
    who: str = ""
    name: str = ""
    handle: str = ""
    by: str = ""
    lines: tuple[ReportedLine, ...] = ()
    seq: int = 0
    settled_ms: int = 0


class ReportsTold(Out, frozen=True, tag="reports-told"):
    """Reports, the oldest first, and whether more follow."""

    reports: tuple[ReportInfo, ...]
    more: bool = False
    id: str = ""

    def __repr__(self) -> str:
        return "ReportsTold()"


class Moderated(Out, frozen=True, tag="moderated"):
    """The act is done, and is in the log as this entry."""

    entry: StaffEntry
    id: str = ""

    def __repr__(self) -> str:
        return "Moderated()"


class StaffLogTold(Out, frozen=True, tag="staff-log-told"):
    """Entries of the log in order, and whether more follow."""

    entries: tuple[StaffEntry, ...]
    more: bool = False
    id: str = ""

    def __repr__(self) -> str:
        return "StaffLogTold()"


SafetyAnswer = SafetyTold | ReportsTold | Moderated | StaffLogTold
