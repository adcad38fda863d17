"""The time that each seat has left, folded from public lines and their times (docs/record.md 9)."""

from typing import Any, Final

from msgspec import Struct

from herald_client.record import Line

NEVER: Final = 1 << 62
NOBODY_CHOSE: Final = ("clock", "rules")


class Before(Struct):
    """The time that a seat would have left, had it not made its choice at `line`."""

    line: int
    seat: int
    left: int


class Clocks:
    """The clocks of one match; all times in ms, one place per seat."""

    def __init__(self, control: dict[str, Any], seats: int, at: int) -> None:
        self.control = control
        self.at = at
        self.left = [0] * seats
        self.runs: list[int] = []
        self.vacation: list[int] = [control.get("vacation_ms", 0)] * seats
        self.away = [0] * seats
        self.heard = [at] * seats
        self.paused_until = 0
        self._before: list[Before] = []
        self._marks: dict[int, list[int]] = {}

    def due_at(self, seat: int) -> int:
        """The moment at which the seat's time is over if nothing happens before."""
        return max(self.at, self.away[seat]) + self.left[seat] if seat in self.runs else NEVER

    def out(self, at: int) -> list[int]:
        """The seats whose time is over, in the order in which it ran out."""
        over = [seat for seat in self.runs if self.due_at(seat) <= at]
        return sorted(over, key=lambda seat: (self.due_at(seat), seat))

    def lost(self, seat: int, at: int) -> list[int]:
        """The seats that lose if a match is lost when the time of `seat` runs out."""
        out = self.out(at)
        same = [one for one in out if self.due_at(one) == self.due_at(out[0])]
        return sorted(same, key=lambda one: one != seat)

    def unused(self, seat: int, at: int) -> int:
        """The part of its vacation that the seat would have left if it came back."""
        return self.vacation[seat] + max(0, self.away[seat] - at)

    def advance(self, line: Line, asked: list[dict[str, Any]], *, paused: bool) -> None:
        """Continue after a line; `asked` and `paused` are the state after it."""
        at = max(line.at, self.at)
        spent = self._spent(line, at)
        self.left = [max(0, had - gone) for had, gone in zip(self.left, spent, strict=True)]
        for one in self._before:
            one.left = max(0, one.left - spent[one.seat])
        self._gained(line, at)
        limited = self.control.get("limit_ms", 0) and not paused
        self.runs = sorted({one["seat"] for one in asked}) if limited else []
        self.at = at
        self._rested(line, at)

    def mark(self, line: int) -> None:
        """Note that a takeback can go back to the last line, `line`; it gives seats that agree their present time
        again.
        """
        if self.control.get("taken_back") == "returned":
            self._marks[line] = list(self.left)

    def _spent(self, line: Line, at: int) -> list[int]:
        """The time for which each seat's clock ran."""
        gone, back = (line.fields["gone"], line.fields["back"]) if line.type == "ServerReturned" else (0, 0)
        spent = [0] * len(self.left)
        for seat in self.runs:
            start = max(self.at, self.away[seat])
            spent[seat] = max(0, at - start - max(0, min(at, back) - max(start, gone)))
        return spent

    def _gained(self, line: Line, at: int) -> None:
        fields, control = line.fields, self.control
        match line.type:
            case "ClocksSet":
                self.left = [control.get("limit_ms", 0)] * len(self.left)
            case "MatchBegun":
                self.heard = [at] * len(self.left)
            case "DecisionsOpened" if control.get("kind") in ("decision", "days"):
                for one in fields["asked"]:
                    self.left[one["seat"]] = control["limit_ms"]
            case "Chosen":
                self._chosen(line, at)
            case "OfferAccepted" if (fields.get("terms") or {}).get("is") == "take_back":
                self._taken_back(fields["seat"], fields["agreed"], fields["terms"].get("line", 0))
            case _ if line.type in ACTS:
                self.heard[fields["seat"]] = at

    def _chosen(self, line: Line, at: int) -> None:
        seat = line.fields["seat"]
        if self.control.get("taken_back") in ("all", "returned"):
            self._before = [one for one in self._before if one.seat == seat]
            self._before.append(Before(line.seq, seat, self.left[seat]))
        if line.fields.get("by") not in NOBODY_CHOSE:
            self.heard[seat] = at
            self.left[seat] += self.control.get("increment_ms", 0)

    def _taken_back(self, seat: int, agreed: list[int], to: int) -> None:
        """Follow a takeback: time gained by the choices is lost, and seats that agree have their former time again."""
        undone = [one.left for one in self._before if one.line > to and one.seat == seat]
        gained = max(0, self.left[seat] - self.control.get("increment_ms", 0))
        self.left[seat] = min(self.left[seat], undone[0]) if undone else gained
        self._before = [one for one in self._before if one.line <= to]
        for one in agreed if to in self._marks else ():
            self.left[one] = self._marks[to][one]

    def _rested(self, line: Line, at: int) -> None:
        """Follow pauses and vacations."""
        fields = line.fields
        if line.type == "MatchPaused":
            self.paused_until = at + fields["length_ms"]
        elif line.type in ("MatchResumed", "MatchEnded"):
            self.paused_until = 0
        elif line.type in ("VacationTaken", "VacationEnded"):
            seat, length = fields["seat"], fields.get("length_ms", 0)
            self.vacation[seat] = self.unused(seat, at) - length
            self.away[seat] = at + length if line.type == "VacationTaken" else 0


ACTS: Final = (
    "Resigned",
    "Offered",
    "Agreed",
    "Declined",
    "AbsenceClaimed",
    "VacationTaken",
    "VacationEnded",
    "HintAsked",
)
"""The acts of a seat other than choices."""
