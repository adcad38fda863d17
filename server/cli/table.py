"""A player's commands in a terminal beside answers: clocks, offers, resignation, and answers to the offers
of others.
"""

import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from domain.kernel import Abandon, Draw, GoOn, Pause, Replace, Seat, TakeBack
from herald_client import Hinted
from projections.table_words import control_words, terms_words
from server.cli.common import said
from server.cli.errors import Unclear
from server.cli.times import UNITS, length_ms
from server.cli.words import word
from server.errors import Misconfigured
from server.wire.act_messages import Agree, Claim, Decline, Offer, Resign, TableMessage, Vacation
from server.wire.protocol import ClockInfo, TableInfo

HELP: Final = (
    "  c  the clocks     back  take your last choice back     yes, no  answer an offer\n"
    "  draw, pause 10m, go on, abandon, bot NAME [SEAT]  offer it to the others     claim  from an absent seat\n"
    "  vacation 3d, vacation 0  away and back, in slow play     resign yes  give the match up\n"
    "  hint  what the search would choose, where that is agreed on; everybody sees that you ask"
)
AGREED: Final = "Hints are agreed on: who is asked may type hint, and everybody sees it."


class Side:
    """The clocks and the table of a match by the last message to a client."""

    def __init__(self, game: str = "") -> None:
        """`game`: the game whose catalogue translates the offers."""
        self._game = game
        self._clocks: dict[int, ClockInfo] = {}
        self._table = TableInfo()
        self._told = self._tabled = time.monotonic()

    def clocked(self, clocks: dict[int, ClockInfo]) -> None:
        """Take in the readings of the clocks now, by seat."""
        self._clocks, self._told = clocks, time.monotonic()

    def tabled(self, table: TableInfo) -> None:
        """Take in the offers that are open at the table now."""
        self._table, self._tabled = table, time.monotonic()

    def clocks(self, view: Any) -> str:
        """One line with the present reading of every clock; empty in a match without clocks."""
        told = [f"{_name(view, seat)} {self._shown(clock)}" for seat, clock in self._clocks.items()]
        return "   ".join(told)

    def _shown(self, clock: ClockInfo) -> str:
        passed = int((time.monotonic() - self._told) * 1000) if clock.run else 0
        left = shown(max(0, clock.ms - passed))
        if clock.away_ms:
            return word("{left}, on vacation", left=left)
        return word("{left} and running", left=left) if clock.run else left

    def waits(self, view: Any, seat: Seat | None = None) -> str:
        """The seats for whose shares of chance a full match waits, and how long; empty if it waits for no other."""
        table = self._table
        if not table.reveal or table.reveal == (seat,):
            return ""
        names = word(" and ").join(_name(view, seat) for seat in table.reveal)
        if not table.reveal_ms:
            return word("The match waits for {names} to reveal a share of chance.", names=names)
        passed = int((time.monotonic() - self._tabled) * 1000)
        left = max(0, table.reveal_ms - passed) // 1000
        return word(
            "The match waits for {names} to reveal a share of chance: {n} s more, then it is void.", names=names, n=left
        )

    @property
    def has_hints(self) -> bool:
        """Whether a seat may ask for the search's choice."""
        return self._table.hints

    def control(self) -> str:
        """The time control in words."""
        told = f"Time: {control_words(self._table.time)}."
        return said(self._game, told).partition(": ")[2].removesuffix(".")

    def asked(self, view: Any, seat: Seat | None) -> str:
        """The offers of others that this seat has to answer; empty when there is none."""
        offer = self._open(seat)
        if offer is None:
            return ""
        offered = f"{_name(view, offer.seat)} offers {terms_words(view, offer.terms)}."
        return f"{said(self._game, offered)} {word('Type yes or no.')}"

    def _open(self, seat: Seat | None) -> Any:
        return next((o for o in self._table.offers if seat in o.asked and seat not in o.agreed), None)

    def message(self, text: str, seat: Seat, away: int | None) -> TableMessage | None:
        """The command in a typed line; None when the line is no command. Raises `Unclear`.

        `away`: a disconnected seat.
        """
        name, (first, *rest) = f"t-{secrets.token_hex(6)}", text.lower().split() or [""]
        simple = {"draw": Draw(), "abandon": Abandon(), "back": TakeBack()}
        if first in simple and not rest:
            return Offer(name, simple[first])  # type: ignore[arg-type]
        match [first, *rest]:
            case ["go", "on"]:
                return Offer(name, GoOn())
            case ["pause", *given]:
                return Offer(name, Pause(_length(given, "pause 10m")))
            case ["bot", *given]:
                return Offer(name, _replacement(given, seat))
            case ["vacation", *given]:
                return Vacation(name, _days(given))
            case ["yes" | "no"]:
                return self._answer(name, seat, agrees=first == "yes")
            case ["claim"]:
                if away is None:
                    raise Unclear(word("Nobody is away."))
                return Claim(name, away)
            case ["resign", "yes"]:
                return Resign(name)
            case ["resign"]:
                raise Unclear(word("To give the match up, type: resign yes."))
        return None

    def _answer(self, name: str, seat: Seat, *, agrees: bool) -> TableMessage:
        offer = self._open(seat)
        if offer is None:
            own = next((o for o in self._table.offers if o.seat == seat), None)
            if own is None or agrees:
                raise Unclear(word("Nothing is offered to you."))
            return Decline(name, own.number)
        return Agree(name, offer.number) if agrees else Decline(name, offer.number)


def hint_lines(hinted: Hinted, translated: Callable[[str], str]) -> list[str]:
    """A hint in words; `spoken` translates a choice into the player's language."""
    best, *others = hinted.choices
    if best.weight < 1:
        drawn = (f"{translated(one.choice)} ({one.weight:.0%})" for one in hinted.choices if one.weight)
        return [word("All choose at once; the search would draw by lot: {what}.", what=", ".join(drawn))]
    told = [word("The search would choose: {what}.", what=translated(best.choice))]
    if not others:
        return [*told, word("Nothing else was worth a trial.")]
    other, gain, error = translated(others[0].choice), round(100 * hinted.gain), round(100 * hinted.error)
    if gain <= error:
        return [*told, word("It is hardly better than: {other}.", other=other)]
    more = word("It wins {n} of a hundred more often than: {other}.", n=f"{gain} ± {error}", other=other)
    return [*told, more]


def _length(given: list[str], example: str) -> int:
    try:
        return length_ms(given[0] if len(given) == 1 else "")
    except Misconfigured as wrong:
        raise Unclear(word("Say how long, as in: {example}.", example=example)) from wrong


def _days(given: list[str]) -> int:
    """The number of days for which somebody wants to be away; 0: they are back."""
    if given == ["0"]:
        return 0
    days = _length(given, "vacation 3d") // UNITS["d"]
    if not days:
        raise Unclear(word("A vacation is of whole days, as in: vacation 3d. To come back, type: vacation 0."))
    return days


def _replacement(given: list[str], own: Seat) -> Replace:
    """`[NAME] [SEAT]`: the bot to play, and its seat, from 1; without a seat, one's own."""
    names = [part for part in given if not part.isdecimal()]
    seats = [int(part) for part in given if part.isdecimal()]
    if len(names) > 1 or len(seats) > 1 or 0 in seats:
        raise Unclear(word("Say which bot, and for which seat if not for yours, as in: bot random 2."))
    return Replace(Seat(seats[0] - 1) if seats else own, names[0] if names else "random")


def _name(view: Any, seat: int) -> str:
    return view.players[seat] or word("Seat {n}", n=seat + 1)


def shown(left_ms: int) -> str:
    """Time left on a clock: 1:05, 12:00:00, 3 d 4 h."""
    seconds = left_ms // 1000
    hours, rest = divmod(seconds, 3600)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    minutes = f"{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    return f"{hours}:{minutes}" if hours else minutes
