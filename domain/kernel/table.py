"""Agreements of the players around a match: time control, offers to each other, pauses, bots in place of people.

All agreements are public, so every viewer folds the same `Table`. The time on a clock also depends on the times of
lines: that is `domain.kernel.clock`.
"""

from typing import Final, Literal

from msgspec import Struct

from domain.kernel.secret import Seat

SECOND_MS: Final = 1_000
DAY_MS: Final = 86_400_000
LONGEST_MS: Final = 366 * DAY_MS
"""The longest time that a match may use."""
RULES: Final = "rules"
"""The author of answers for a seat that has left."""
STANDING: Final = "standing"
"""The author of answers that a seat has signed in advance, and that the server keeps until the question is asked."""


class TimeControl(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the time of a match is measured, all in ms. Every seat that is asked something uses its own time.

    `decision`: `limit_ms` for each decision. `bank`: `limit_ms` for the whole match, and `increment_ms` more after each
    answer. `days`: `limit_ms` for each move of slow play, and `vacation_ms` a seat may be away in all. `on_timeout`:
    the decision's own default, a legal choice by recorded chance, or the match is lost. `absence_ms`: how long a seat
    that is asked must be away before the others may claim; 0: they may not. `taken_back`: the time that a takeback
    takes off the clock of the seat that asked for it. `all`: all time that choices have gained since, back to another
    seat's last choice. `increment`: one increment, as in older matches. `returned`: as `all`, and each seat that agreed
    gets back the time that it had at the earlier line. Every new match has `returned`, whatever the creator asks for.
    """

    kind: Literal["none", "decision", "bank", "days"] = "none"
    limit_ms: int = 0
    increment_ms: int = 0
    on_timeout: Literal["default", "random", "forfeit"] = "default"
    vacation_ms: int = 0
    absence_ms: int = 0
    taken_back: Literal["increment", "all", "returned"] = "increment"

    def fault(self) -> str:
        """Why this time control cannot be used, a sentence; empty if it can."""
        times = (self.limit_ms, self.increment_ms, self.vacation_ms, self.absence_ms)
        if any(not 0 <= time <= LONGEST_MS for time in times):
            return f"The times of a match are 0 to {LONGEST_MS} ms."
        if (self.kind == "none") != (self.limit_ms == 0):
            return "A clock needs a limit; without a clock there is none."
        if self.limit_ms and self.limit_ms < SECOND_MS:
            return "A clock's limit is at least a second."
        if self.increment_ms and self.kind != "bank":
            return "Only a bank has an increment."
        if self.vacation_ms and self.kind != "days":
            return "Only slow play, days per move, has a vacation."
        return ""


class Pause(Struct, frozen=True, tag="pause", tag_field="is", forbid_unknown_fields=True):
    """Nobody chooses and no clock runs for `length_ms`."""

    length_ms: int


class GoOn(Struct, frozen=True, tag="go_on", tag_field="is", forbid_unknown_fields=True):
    """The pause ends early."""


class Draw(Struct, frozen=True, tag="draw", tag_field="is", forbid_unknown_fields=True):
    """The match ends without a winner."""


class Abandon(Struct, frozen=True, tag="abandon", tag_field="is", forbid_unknown_fields=True):
    """The match ends and counts for nothing."""


class Replace(Struct, frozen=True, tag="replace", tag_field="is", omit_defaults=True, forbid_unknown_fields=True):
    """A bot plays `seat` from now on.

    `absent_ms`: how long the seat has been away, as the server states; 0: it is here, and must agree.
    """

    seat: Seat
    bot: str = "random"
    absent_ms: int = 0


class TakeBack(Struct, frozen=True, tag="take_back", tag_field="is", omit_defaults=True, forbid_unknown_fields=True):
    """The match goes back to its position after line `line`; 0 means before the seat's own last choice.

    Chance that was spent stays spent. If nobody else has learnt anything since, nobody is asked.
    """

    line: int = 0


OfferTerms = Pause | GoOn | Draw | Abandon | Replace | TakeBack
"""The terms that one seat may offer to the others."""


class OpenOffer(Struct, frozen=True, omit_defaults=True):
    """An offer that not all have answered: its number, the seat that made it, and the seats that have agreed."""

    number: int
    seat: Seat
    terms: OfferTerms
    agreed: tuple[Seat, ...] = ()


class Table(Struct, frozen=True, omit_defaults=True):
    """The present agreements. `declined` are (seat, kind) pairs that may not be offered again before the next choice.

    `left` are the seats whose players are gone for good while the others play on. `hints`: seats may ask for hints, as
    agreed when the match was created; `hinted` are the open decisions with a hint.
    """

    control: TimeControl = TimeControl()
    bots: tuple[Seat, ...] = ()
    offers: tuple[OpenOffer, ...] = ()
    last_offer: int = 0
    declined: tuple[tuple[Seat, str], ...] = ()
    paused: bool = False
    left: tuple[Seat, ...] = ()
    hints: bool = False
    hinted: tuple[int, ...] = ()

    def offer(self, number: int) -> OpenOffer | None:
        """The open offer with this number."""
        return next((offer for offer in self.offers if offer.number == number), None)


def kind_of(terms: OfferTerms) -> str:
    """The word for an offer's kind: `pause`, `draw` and so on."""
    return str(type(terms).__struct_config__.tag)
