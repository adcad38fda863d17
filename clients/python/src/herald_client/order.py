"""The order of lines: which lines follow from others at once, their authors, and results (docs/record.md 9)."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from herald_client.clocks import ACTS
from herald_client.errors import Broken
from herald_client.public_state import Fields, PublicState
from herald_client.record import SERVER, Line
from herald_client.seats import VOID, Seats
from herald_client.shapes import Shapes

RULED: Final = ("DecisionsOpened", "DiceRolled", "Shuffled")
"""The lines that the rules make beside the game's own."""
BOUND: Final = ("SeatReplaced", "MatchPaused", "SeatLeft", "SeatBriefed", "PositionSet")
"""The lines that may occur only after a line that asks for them."""
STATED: Final = ("ClocksSet", "TimeRanOut", "ServerReturned", "MatchResumed", "OperatorRuled")
RESERVE: Final = 512
"""The number of draws of a key chain; the next chain is announced when they are used up."""
LOT: Final = {"rule": "clock", "title": "Lot", "size": 256}
Fits = Callable[[Line], bool]


class Order:
    """Follows the lines of one match of version 2; `take` raises `Broken` for a line that cannot come next."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._table: PublicState | None = None
        self._seats: Seats | None = None
        self._due: deque[Fits] = deque()
        self._actor = SERVER
        self._offer = 0
        self._is_beginning = False
        self._givers: set[int] = set()
        self._announcer: int | None = None
        self._ends_open = False
        self._end: Fits | None = None
        """The due line, if it may be an end that is not void: the game's own lines may then precede it."""
        self._opened = False

    @property
    def table(self) -> PublicState:
        """The open questions and agreements after the lines so far."""
        assert self._table is not None, "line 1 creates the match"
        return self._table

    def take(self, line: Line) -> None:
        """Check a line and continue after it. Raises `Broken`."""
        if line.type == "MatchCreated":
            self._table = PublicState(line.fields)
            self._seats = Seats(line.fields, self._table)
            self._ends_open = line.fields.get("ends_open", False)
        else:
            assert self._seats is not None, "line 1 creates the match"
            why = self._seats.fault(line) or self._fault(line)
            if why:
                raise Broken(line.seq, why)
            self.table.take(line)
            self._seats.take(line)
        self._go_on(line)

    def _is_ruled(self, kind: str) -> bool:
        return kind in (*RULED, "MatchEnded") or not self._shapes.is_kernels(kind)

    def _fault(self, line: Line) -> str:
        opened, self._opened = self._opened, self._opens(line)
        is_due = bool(self._due) and not self._opened
        if is_due and not (self._due.popleft()(line) and (line.type == "MatchEnded" or not opened)):
            return f"{line.type} stands where something else has to follow"
        if line.cause and not self._is_ruled(line.type):
            return f"{line.type} names a choice, from which no such line follows"
        follows = is_due or self._opened or bool(line.cause) or (self._is_beginning and self._is_ruled(line.type))
        if not follows and not self._is_free(line):
            return f"{line.type} follows from nothing"
        if line.type == "MatchEnded" and not self._is_result(line.fields["result"], is_due=is_due):
            return "the result is none that the match can have"
        if not self._is_by(line, is_due=is_due, follows=follows):
            return f"it is by {line.actor}"
        return self.table.fault(line, follows=follows)

    def _opens(self, line: Line) -> bool:
        """Whether this line is the game's, and discloses something before an end by players or the clock."""
        waits = bool(self._due) and self._due[0] is self._end
        return self._ends_open and waits and not self._shapes.is_kernels(line.type)

    def _is_free(self, line: Line) -> bool:
        """Whether a line may occur although nothing before it asks for it."""
        kind, fields = line.type, line.fields
        match kind:
            case "OfferAccepted":
                return bool(fields["number"] == self._offer)
            case "MatchEnded":
                return str(fields["result"]["reason"]).startswith(VOID)
            case "BranchOpened" | "ScenarioOpened":
                return line.seq == 2
            case "MatchBegun" | "SeatTaken":
                return not self.table.is_begun
            case "ChanceAnchored":
                return self.table.is_begun and self.table.draws >= fields["after"] - RESERVE
            case "SecretsOpened":
                return False
        return kind not in BOUND and not self._is_ruled(kind)

    def _is_by(self, line: Line, *, is_due: bool, follows: bool) -> bool:
        announcer, self._announcer = self._announcer, line.actor if line.type == "ChanceAnchored" else None
        leads = line.type == "Chosen" or line.type in (*ACTS, *STATED)
        if announcer is not None and not (leads and line.actor == announcer):
            return False
        due = self._actor_of(line, is_due=is_due, follows=follows)
        return line.type == "ChanceAnchored" or line.actor == due

    def _actor_of(self, line: Line, *, is_due: bool, follows: bool) -> int:
        kind, fields = line.type, line.fields
        seat: int = fields.get("seat", SERVER) if self._shapes.is_kernels(kind) else SERVER
        match kind:
            case "Chosen" if fields.get("by") == "rules":
                return self._actor
            case "Chosen":
                return SERVER if is_due else seat
            case "EntropyCommitted":
                return SERVER if fields.get("by") == "server" else seat
            case "EntropyRevealed":
                return seat if seat in self._givers else SERVER
            case "OfferAccepted":
                return self._actor
            case _ if kind in (*ACTS, "SeatKeyed", "SeatClaimed"):
                return seat
        return self._actor if follows else SERVER

    def _is_result(self, result: Fields, *, is_due: bool) -> bool:
        """Whether a result is possible under any rules: it names seats of the match, each once, and the rule that ends
        the match.
        """
        winner, many, ranking = result["winner"], result.get("winners"), result.get("ranking")
        alone = [] if winner is None else [winner]
        ranked = [seat for place in ranking or () for seat in place]
        if not all(0 <= seat < self.table.seats for seat in (*alone, *(many or ()), *ranked)):
            return False
        if many is not None and (len(many) < 2 or alone or many != sorted(set(many))):
            return False
        if ranking is not None and (not all(ranking) or not ranked or len(ranked) != len(set(ranked))):
            return False
        if result["reason"].startswith(VOID):
            return bool(result == nobody(result["reason"]))
        return is_due or bool(result["rule"])

    def _go_on(self, line: Line) -> None:
        kind, fields = line.type, line.fields
        ruled = kind in ("DiceRolled", "Shuffled") or not self._shapes.is_kernels(kind)
        self._is_beginning = kind in ("MatchBegun", "SeatLeft") or (self._is_beginning and ruled)
        self._actor = line.actor
        self._offer = fields["number"] if kind in ("Offered", "Agreed") else 0
        if kind == "EntropyCommitted" and fields.get("by", "seat") == "seat":
            self._givers.add(fields["seat"])
        self._due.extend(self._follows(kind, fields))

    def _follows(self, kind: str, fields: Fields) -> Iterable[Fits]:
        """The lines that must come next."""
        match kind:
            case "BranchOpened" | "ScenarioOpened":
                return self._position(0)
            case "OfferAccepted":
                return self._agreed(fields.get("terms") or {})
            case "Offered" | "Agreed" if self.table.is_settled(fields["number"]):
                return [due("OfferAccepted", number=fields["number"])]
            case "Resigned":
                return [self._out("resigned", [fields["seat"]])]
            case "AbsenceClaimed":
                return [self._drawn("absence") if fields.get("draw") else self._out("absence", [fields["absent"]])]
            case "OperatorRuled":
                return [self._ruled(fields)]
            case "TimeRanOut" if fields["then"] == "forfeit":
                return [self._out("out of time", self.table.lost)]
            case "TimeRanOut":
                chosen = due("Chosen", seat=fields["seat"], number=fields["number"], by="clock")
                lot = due("Shuffled", **LOT, seat=fields["seat"])
                return [lot, chosen] if fields["then"] == "random" else [chosen]
        return []

    def _agreed(self, terms: Fields) -> list[Fits]:
        match terms.get("is"):
            case "pause":
                return [due("MatchPaused", length_ms=terms["length_ms"])]
            case "go_on":
                return [due("MatchResumed")]
            case "draw":
                return [self._drawn("draw agreed")]
            case "abandon":
                return [due("MatchEnded", result=nobody(f"{VOID}abandoned"))]
            case "replace":
                return [due("SeatReplaced", seat=terms["seat"], bot=terms.get("bot", "random"))]
            case "take_back":
                return self._position(terms.get("line", 0))
        return []

    def _position(self, line: int) -> list[Fits]:
        briefed = [due("SeatBriefed", seat=seat) for seat in range(self.table.seats)]
        return [*briefed, due("PositionSet", line=line)]

    def _out(self, reason: str, lost: list[int]) -> Fits:
        """The lines after seats are out. Of two seats, the other one has won; of more seats, the side of all remaining
        seats has won, or the remaining seats play on.
        """
        rest, seats = self.table.standing - set(lost), self.table.seats

        def fits(line: Line) -> bool:
            fields = line.fields
            if line.type == "SeatLeft":
                return seats > 2 and len(rest) > 1 and (fields["seat"], fields["reason"]) == (lost[0], reason)
            if line.type != "MatchEnded":
                return False
            won = won_by(fields["result"])
            if seats < 3 or not rest:
                is_side = won == sorted(rest)
            else:
                is_side = rest <= set(won) != set(range(seats)) and (len(lost) > 1 or lost[0] not in won)
            return is_side and bool(fields["result"] == result_of(won, reason))

        self._end = fits
        return fits

    def _drawn(self, reason: str) -> Fits:
        """An end that nobody wins."""
        self._end = due("MatchEnded", result=nobody(reason))
        return self._end

    def _ruled(self, fields: Fields) -> Fits:
        """The end that the host of the server makes."""
        if fields.get("void"):
            return due("MatchEnded", result=nobody(f"{VOID}by the host"))
        self._end = due("MatchEnded", result=result_of(fields.get("winners", []), "ended by the host"))
        return self._end


def won_by(result: Fields) -> list[int]:
    """The seats that won."""
    alone = [] if result.get("winner") is None else [result["winner"]]
    found: list[int] = result.get("winners", alone)
    return found


def result_of(won: list[int], reason: str) -> Fields:
    """A result that no rule gives, as a line holds it."""
    alone = won[0] if len(won) == 1 else None
    many: Fields = {"winners": won} if len(won) > 1 else {}
    return {"winner": alone, "reason": reason, "rule": "", **many}


def nobody(reason: str) -> Fields:
    """A result that nobody wins."""
    return result_of([], reason)


def due(kind: str, **fields: Any) -> Fits:
    """A line of a kind with these fields; a number that is left out is 0."""
    return lambda line: line.type == kind and all(line.fields.get(name, 0) == value for name, value in fields.items())
