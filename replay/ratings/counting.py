"""The matches that count for ratings, computed from a record alone, so that every holder of the record can check it
(docs/ratings.md).
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel import (
    BranchOpened,
    Chosen,
    DiceRolled,
    Event,
    Game,
    MatchEnded,
    OfferAccepted,
    OperatorRuled,
    Result,
    ScenarioOpened,
    Seat,
    SeatReplaced,
    SeatTaken,
    Shuffled,
    TakeBack,
)
from replay.audit.match_audit import audit
from replay.audit.verify import kernel_event
from replay.files.export import Record, created_in
from replay.ratings.model import DAY_MS
from replay.ratings.results import RatedResult, hidden_head, hidden_match
from replay.record import sealing
from replay.record.line import read_line
from replay.record.seat_holders import PROVEN
from replay.record.seat_proof import VOID

OWN: Final = ("seat", "bot")
"""The values of `by` for choices that the seat itself has made."""


class Ending(Struct, frozen=True):
    """The end of a match, from its record: its last line `seq`, the `head` after it, and the server's signature there.

    `sides` and `places`: the seats of each side, and its place, from 1. `kinds`: person or bot, by seat.
    `why_not`: why the match does not count for ratings, in a sentence; empty where it does.
    """

    match: str
    game: str
    why_not: str
    end_ms: int = 0
    seq: int = 0
    head: str = ""
    signed: str = ""
    sides: tuple[tuple[Seat, ...], ...] = ()
    places: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()


def ending_of(game: Game[Any], record: Record, trusted: Sequence[bytes] = ()) -> Ending:
    """Audit a record that holds everything, and return how it ended and whether it counts.

    `trusted`: the keys of the server that may have signed; any key may if none is named.
    """
    report = audit(game, record, trusted)
    if report.fault is not None:
        return Ending(record.match, record.game, f"its audit finds a fault: {report.fault}")
    if record.secrets is None:
        return Ending(record.match, record.game, "its record does not hold every secret, so nobody can audit it")
    facts = _Facts(game, record)
    why_not = facts.why_not()
    if not why_not and not report.chance.startswith(PROVEN):
        why_not = f"nobody can verify its chance: {report.chance}"
    if not why_not and (report.signed_to, report.signed_ms) != (report.lines, facts.end_ms):
        why_not = "the server has not signed its last line and its time"
    if facts.result is None:
        return Ending(record.match, record.game, why_not)
    signed = record.checkpoints[-1][1] if record.checkpoints else b""
    return Ending(
        record.match,
        record.game,
        why_not,
        facts.end_ms,
        report.lines,
        report.head,
        sealing.b64(signed),
        facts.sides,
        places_of(facts.result, facts.sides),
        facts.kinds,
    )


class _Facts:
    """The facts that decide whether a match counts, from the kernel's lines of an audited record."""

    def __init__(self, game: Game[Any], record: Record) -> None:
        self.result: Result | None = None
        self.end_ms = 0
        self.sides: tuple[tuple[Seat, ...], ...] = ()
        self._created = created_in(record)
        self._kinds: dict[int, str] = {}
        self._chose: set[int] = set()
        self._chance_line = 0
        self._faults: list[str] = []
        for seq, at, event in _kernel_events(record):
            self._take(seq, at, event)
        if self._created is not None:
            alone = tuple((Seat(seat),) for seat in range(len(self._created.seats)))
            self.sides = game.sides_of(self._created.options) or alone

    @property
    def kinds(self) -> tuple[str, ...]:
        """The holder of each seat: person or bot."""
        return tuple(self._kinds.get(seat, "") for seat in range(len(self._kinds)))

    def _take(self, seq: int, at: int, event: Event) -> None:
        match event:
            case SeatTaken(seat, kind=kind):
                self._kinds[seat] = kind
            case Chosen(seat, by=by) if by in OWN:
                self._chose.add(seat)
            case DiceRolled(dice=dice):
                self._chance_line = seq if dice else self._chance_line
            case Shuffled():
                self._chance_line = seq
            case OfferAccepted(terms=TakeBack(line)) if line < self._chance_line:
                self._faults.append(f"line {seq} takes play back to before chance was drawn")
            case OperatorRuled():
                self._faults.append(f"the host has ended it at line {seq}")
            case SeatReplaced(seat):
                self._faults.append(f"a bot has taken the place of seat {seat + 1}")
            case BranchOpened() | ScenarioOpened():
                self._faults.append("it begins in the middle of play")
            case MatchEnded(result):
                self.result, self.end_ms = result, at
            case _:
                pass

    def why_not(self) -> str:
        """The reason why the match does not count, as far as its lines show; empty if it counts."""
        created, result = self._created, self.result
        if created is None or not created.rated:
            return "it was not created as rated"
        if created.hints:
            return "hints were agreed on"
        if result is None:
            return "it is not over"
        if result.reason.startswith(VOID):
            return f"it is {result.reason}"
        idle = [seat for seat in range(len(created.seats)) if seat not in self._chose]
        if idle:
            return f"seat {idle[0] + 1} made no choice"
        if len(self.sides) < 2:
            return "it has one side only"
        return self._faults[0] if self._faults else ""


def _kernel_events(record: Record) -> Iterator[tuple[int, int, Event]]:
    for seq, held in enumerate(record.held, 1):
        line = read_line(held.line)
        event = kernel_event(line)
        if event is not None:
            yield seq, line.at, event


def places_of(result: Result, sides: Sequence[Sequence[Seat]]) -> tuple[int, ...]:
    """The place of each side, from 1 without gaps. If the rules give places, it is the best place of the side's seats;
    otherwise it is 1 for the winners and 2 for the others, or 1 for all if nobody has won."""
    if result.places:
        last = len(result.places)
        raw = [
            min([at for at, seats in enumerate(result.places) if set(seats) & set(side)], default=last)
            for side in sides
        ]
    else:
        raw = [0 if not result.won or set(result.won) & set(side) else 1 for side in sides]
    order = sorted(set(raw))
    return tuple(order.index(place) + 1 for place in raw)


def rated_result(ending: Ending, players: Sequence[str], *, unlisted: bool = False) -> RatedResult | str:
    """The result for the fold, or the reason why there is none. `players`: by seat, a pseudonym or `bot:NAME`, empty
    for a guest.

    A player that holds several seats of a side, as a bot may, counts once there.
    """
    if ending.why_not:
        return ending.why_not
    guests = [seat for seat, player in enumerate(players) if not player]
    if guests:
        return f"seat {guests[0] + 1} is a guest's"
    sides = tuple(tuple(dict.fromkeys(players[seat] for seat in side)) for side in ending.sides)
    if sum(map(len, sides)) > len({player for side in sides for player in side}):
        return "a player sits on two sides"
    if not unlisted:
        return RatedResult(
            ending.match, ending.game, ending.end_ms, ending.head, sides, ending.places, ending.seq, ending.signed
        )
    mid, head = sealing.unb64(ending.match), sealing.unb64(ending.head)
    end_of_day = (ending.end_ms // DAY_MS + 1) * DAY_MS
    return RatedResult(
        hidden_match(mid), ending.game, end_of_day, hidden_head(mid, head), sides, ending.places, unlisted=True
    )
