"""Open questions, agreements, and the needs of each act: all of it public (docs/record.md 9)."""

from typing import Any, Final

from herald_client.clocks import ACTS, Clocks
from herald_client.record import Line

SECOND_MS: Final = 1_000
DAY_MS: Final = 86_400_000
LONGEST_PAUSE_MS: Final = 14 * DAY_MS
REASON_MOST: Final = 200
LONGEST_MS: Final = 366 * DAY_MS
POSITION: Final = ("asked", "answered", "sealed", "number", "roll")
"""The parts of a position that everybody can follow."""
TIMES: Final = ("limit_ms", "increment_ms", "vacation_ms", "absence_ms")
Fields = dict[str, Any]


class PublicState:
    """The state of one match by its public lines; `fault` gives the reason why a line is impossible, `take` continues
    after a line.
    """

    def __init__(self, created: Fields) -> None:
        self.seats = len(created["seats"])
        self.names = list(created["seats"])
        self.hints = bool(created.get("hints")) and not created.get("dealt")
        self.taken: set[int] = set()
        self.bots: set[int] = set()
        self.left: list[int] = []
        self.is_begun = self.is_over = self.is_paused = False
        self.control: Fields = {}
        self.clocks: Clocks | None = None
        self.offers: dict[int, Fields] = {}
        self.draws = 0
        self.lost: list[int] = []
        """The seats that lose by the last time-out."""
        self._last_offer = 0
        self._declined: set[tuple[int, str]] = set()
        self._hinted: set[int] = set()
        self._position: Fields = {"asked": [], "answered": [], "sealed": False, "number": 0, "roll": None}
        self._waiting: list[Fields] = []
        self._pauses: dict[int, Fields] = {}
        self._chosen_at = self._spent_at = self._left_at = 0

    @property
    def asked(self) -> list[Fields]:
        """The open decisions."""
        found: list[Fields] = self._position["asked"]
        return found

    @property
    def is_resolving(self) -> bool:
        """Whether the rules must still ask a seat, or end the match."""
        waits = not self.asked or any(one["seat"] in self.left for one in self.asked)
        return self.is_begun and not self.is_over and waits

    @property
    def standing(self) -> set[int]:
        """The seats that play on."""
        return set(range(self.seats)) - set(self.left)

    def fault(self, line: Line, *, follows: bool) -> str:
        """The reason why a line is impossible here; "" if it is possible. `follows`: it is the consequence of an
        earlier line.
        """
        kind, fields = line.type, line.fields
        if self.is_over:
            return f"{kind} stands behind the end of the match"
        if self.is_resolving and not follows and not (kind == "Chosen" and fields.get("by") == "rules"):
            return f"{kind} stands where the rules have still to ask somebody"
        if line.cause and self._position["sealed"] and self.asked:
            return f"{kind} follows from a sealed answer, and others are still missing"
        if kind in ACTS:
            return self._act_fault(line)
        match kind:
            case "MatchBegun":
                return "" if len(self.taken) == self.seats else "play begins before every seat is taken"
            case "SeatTaken":
                return "" if 0 <= fields["seat"] < self.seats else "a seat is taken that there is not"
            case "DecisionsOpened":
                return self._asking_fault(fields)
            case "Chosen":
                return self._choice_fault(line, follows=follows)
            case "PositionSet" if fields.get("line"):
                return self._position_fault(fields)
            case "TimeRanOut":
                return self._out_fault(line)
            case "OperatorRuled":
                return "" if self._is_ruling(fields) else "the host cannot end the match so"
            case "ClocksSet" | "ServerReturned" | "MatchResumed" if not follows:
                return "" if self._is_stated(line) else f"{kind} is not possible here"
        return ""

    def _is_ruling(self, fields: Fields) -> bool:
        """Whether the host can end the match in this way: with a reason, and with a result if play has begun."""
        won, is_void = fields.get("winners", []), fields.get("void", False)
        known = won == sorted(set(won)) and all(0 <= seat < self.seats for seat in won)
        fits = not won if is_void else self.is_begun and known and len(won) < self.seats
        return 0 < len(fields["why"]) <= REASON_MOST and fits

    def _asking_fault(self, fields: Fields) -> str:
        asked, number = fields["asked"], self._position["number"]
        if self.asked:
            return "a decision is still open, and others are asked"
        if not asked or [one["number"] for one in asked] != list(range(number + 1, number + 1 + len(asked))):
            return f"the decisions are not numbered on from {number}"
        if any(not 0 <= one["seat"] < self.seats or one.get("limit_ms", 0) < 0 for one in asked):
            return "somebody is asked who is no seat, or until before now"
        return "one answer is sealed, and there is no other" if fields.get("sealed") and len(asked) < 2 else ""

    def _choice_fault(self, line: Line, *, follows: bool) -> str:
        seat, number = line.fields["seat"], line.fields["number"]
        if not self._is_asked(seat, number):
            return f"seat {seat} answers decision {number}, which is not open for it"
        by_rules = line.fields.get("by") == "rules"
        if self.is_paused and not by_rules:
            return f"seat {seat} chooses in a pause"
        is_late = self.clocks is not None and self.clocks.due_at(seat) <= line.at
        return f"seat {seat} chooses after its time was over" if is_late and not (follows or by_rules) else ""

    def _is_asked(self, seat: int, number: int) -> bool:
        return any((one["seat"], one["number"]) == (seat, number) for one in self.asked)

    def _position_fault(self, fields: Fields) -> str:
        """The seats asked in a position are known from the line to which the position goes back."""
        then = self._pauses.get(fields["line"])
        if then is None:
            return f"the match is put back to line {fields['line']}, behind which nobody was asked"
        due = _renumbered(then, self._position["number"])
        made = self._placed(fields["view"])
        same = all(made[name] == due[name] for name in POSITION if name != "answered")
        answered = [one["asked"] for one in made["answered"]] == [one["asked"] for one in due["answered"]]
        return "" if same and answered else f"the position asks otherwise than line {fields['line']} did"

    def _placed(self, view: Fields) -> Fields:
        return {name: view.get(name, self._position[name]) for name in POSITION}

    def voters(self, offer: Fields) -> set[int]:
        """The seats that have to agree to an offer: every other person who has not left, but none replaced as away."""
        terms = offer["terms"]
        away = terms["seat"] if terms["is"] == "replace" and terms.get("absent_ms") else -1
        named = {seat for seat, name in enumerate(self.names) if name}
        return named - {offer["seat"], away, *self.bots, *self.left}

    def is_settled(self, number: int) -> bool:
        """Whether all have agreed to an offer, so that its acceptance follows at once."""
        offer = self.offers.get(number)
        return offer is not None and self.voters(offer) <= set(offer["agreed"])

    def _act_fault(self, line: Line) -> str:
        fields = line.fields
        if fields["seat"] in self.left:
            return "a seat acts that has left the match"
        possible = {
            "Resigned": lambda: self.is_begun,
            "Offered": lambda: self._is_offerable(line),
            "Agreed": lambda: self._is_answerable(fields, agrees=True),
            "Declined": lambda: self._is_answerable(fields, agrees=False),
            "AbsenceClaimed": lambda: self._is_claimable(line),
            "VacationTaken": lambda: self._has_vacation(line),
            "VacationEnded": lambda: self._has_vacation(line),
            "HintAsked": lambda: self._is_hintable(line),
        }
        return "" if possible[line.type]() else f"{line.type} is not possible here"

    def _is_offerable(self, line: Line) -> bool:
        seat, number, terms = line.fields["seat"], line.fields["number"], line.fields["terms"]
        if number != self._last_offer + 1 or any(offer["seat"] == seat for offer in self.offers.values()):
            return False
        if (seat, terms["is"]) in self._declined:
            return False
        match terms["is"]:
            case "go_on":
                return self.is_paused
            case "abandon":
                return True
            case _ if not self.is_begun:
                return False
            case "pause":
                return not self.is_paused and SECOND_MS <= terms["length_ms"] <= LONGEST_PAUSE_MS
            case "take_back":
                return not self.is_paused and self._goes_back(seat, terms.get("line", 0))
            case "draw":
                return not (set(range(self.seats)) - {seat, *self.left}) & self.bots
        other, absent = terms["seat"], terms.get("absent_ms", 0)
        if not 0 <= other < self.seats or other in self.bots or other in self.left:
            return False
        return not absent or self._is_absent(other, absent, line.at)

    def _goes_back(self, seat: int, line: int) -> bool:
        silent = set(self.left) if self.left else self.bots - {seat}
        stays = not silent or self._spent_at <= line
        return line in self._pauses and self._chosen_at > line >= self._left_at and stays

    def _is_answerable(self, fields: Fields, *, agrees: bool) -> bool:
        offer, seat = self.offers.get(fields["number"]), fields["seat"]
        if offer is None:
            return False
        is_asked = seat in self.voters(offer)
        return is_asked and seat not in offer["agreed"] if agrees else is_asked or seat == offer["seat"]

    def _is_absent(self, seat: int, absent_ms: int, at: int) -> bool:
        need, clocks = self.control.get("absence_ms", 0), self.clocks
        if not need or clocks is None or self.is_paused or not any(one["seat"] == seat for one in self.asked):
            return False
        return clocks.away[seat] <= at and need <= absent_ms <= at - clocks.heard[seat]

    def _is_claimable(self, line: Line) -> bool:
        fields = line.fields
        absent = fields["absent"]
        if absent == fields["seat"] or not 0 <= absent < self.seats:
            return False
        if fields.get("draw") and len(self.standing) > 2:
            return False
        return self._is_absent(absent, fields["absent_ms"], line.at)

    def _has_vacation(self, line: Line) -> bool:
        seat, clocks = line.fields["seat"], self.clocks
        if not self.is_begun or clocks is None or not self.control.get("vacation_ms"):
            return False
        if line.type == "VacationEnded":
            return bool(clocks.away[seat] > line.at)
        length: int = line.fields["length_ms"]
        return SECOND_MS <= length <= clocks.unused(seat, line.at)

    def _is_hintable(self, line: Line) -> bool:
        seat, number = line.fields["seat"], line.fields["number"]
        in_time: bool = self.clocks is None or self.clocks.due_at(seat) > line.at
        free = self.hints and self.is_begun and not self.is_paused and number not in self._hinted
        return free and in_time and self._is_asked(seat, number)

    def _out_fault(self, line: Line) -> str:
        fields, clocks = line.fields, self.clocks
        seat, then = fields["seat"], fields["then"]
        if not self._is_asked(seat, fields["number"]) or self.is_paused:
            return f"the time of seat {seat} is over for a decision that is not open"
        out = [] if clocks is None else clocks.out(line.at)
        if seat not in out or then != self.control.get("on_timeout", "default"):
            return f"the time of seat {seat} is not over, or it means something else"
        return "another seat's time was over before" if then != "forfeit" and seat != out[0] else ""

    def _is_stated(self, line: Line) -> bool:
        """The server's statements of time."""
        fields, clocks = line.fields, self.clocks
        match line.type:
            case "ClocksSet":
                return not self.is_begun and not self.control and _is_playable(fields["control"])
            case "ServerReturned":
                return clocks is not None and clocks.at <= fields["gone"] <= fields["back"] <= line.at
        return clocks is not None and 0 < clocks.paused_until <= line.at

    def take(self, line: Line) -> None:
        """Continue after a line that is possible here."""
        fields, former = line.fields, self._position
        if line.type == "TimeRanOut":
            clocks, seat = self.clocks, fields["seat"]
            self.lost = [seat] if clocks is None else clocks.lost(seat, line.at)
        self._fold(line)
        if self.clocks is None and line.type in ("ClocksSet", "MatchPaused"):
            self.clocks = Clocks(self.control, self.seats, line.at)
        if self.clocks is not None:
            self.clocks.advance(line, self.asked, paused=self.is_paused)
        if line.type == "Shuffled" or (line.type == "DiceRolled" and fields["dice"]):
            self._spent_at = line.seq
        asks = line.type in ("DecisionsOpened", "MatchBegun", "PositionSet")
        waits = asks or (line.type == "Chosen" and self._position["sealed"])
        if waits and self.is_begun and self.asked and self._position is not former:
            self._pauses[line.seq] = self._position
            if self.clocks is not None:
                self.clocks.mark(line.seq)

    def _fold(self, line: Line) -> None:
        fields = line.fields
        match line.type:
            case "SeatTaken":
                self.taken.add(fields["seat"])
                self.names[fields["seat"]] = fields["name"]
                self.bots |= {fields["seat"]} if fields.get("kind") == "bot" else set()
            case "ClocksSet":
                self.control = fields["control"]
            case "MatchBegun":
                self.is_begun = True
                self._position = {**self._position, "asked": self._waiting}
            case "DecisionsOpened":
                asked = fields["asked"]
                opened = {"asked": asked, "answered": [], "sealed": fields.get("sealed", False)}
                self._position = {**self._position, **opened, "number": asked[-1]["number"]}
            case "DiceRolled":
                self._position = {**self._position, "roll": fields}
                self.draws = fields["draw"]
            case "Chosen":
                self._choose(line)
            case "PositionSet":
                self._position = self._placed(fields["view"])
                if not self.is_begun:
                    self._waiting, self._position["asked"] = self._position["asked"], []
            case "MatchEnded":
                self.is_over = True
            case _:
                self._agree(line)

    def _choose(self, line: Line) -> None:
        seat, number = line.fields["seat"], line.fields["number"]
        self._chosen_at = line.seq
        answered = [{"asked": one} for one in self.asked if one["number"] == number]
        rest = [one for one in self.asked if one["number"] != number]
        position = {**self._position, "asked": rest}
        if position["sealed"]:
            position["answered"] = [*position["answered"], *answered]
        self._position = position
        by_rules = line.fields.get("by") == "rules"
        self._declined.clear()
        for offer, held in list(self.offers.items()):
            is_own = by_rules or seat == held["seat"] or seat in held["agreed"]
            if held["terms"]["is"] == "take_back" or (held["terms"]["is"] == "draw" and not is_own):
                del self.offers[offer]

    def _agree(self, line: Line) -> None:
        fields = line.fields
        match line.type:
            case "Offered":
                self._last_offer = fields["number"]
                self.offers[self._last_offer] = {"seat": fields["seat"], "terms": fields["terms"], "agreed": []}
            case "Agreed":
                self.offers[fields["number"]]["agreed"].append(fields["seat"])
            case "Declined":
                offer = self.offers.pop(fields["number"])
                self._declined.add((offer["seat"], offer["terms"]["is"]))
            case "OfferAccepted":
                self.offers.pop(fields["number"], None)
            case "MatchPaused":
                self.is_paused = True
            case "MatchResumed":
                self.is_paused = False
                self.offers = {at: offer for at, offer in self.offers.items() if offer["terms"]["is"] != "go_on"}
            case "SeatReplaced":
                self.bots.add(fields["seat"])
                self.offers.clear()
            case "SeatLeft":
                self.left.append(fields["seat"])
                self._left_at = line.seq
                self.offers.clear()
            case "HintAsked":
                self._hinted.add(fields["number"])


def _renumbered(position: Fields, last: int) -> Fields:
    """The position with its open decisions numbered from the one after the last."""
    opened = [*position["asked"], *(one["asked"] for one in position["answered"])]
    by = last + 1 - min(one["number"] for one in opened)
    asked = [{**one, "number": one["number"] + by} for one in position["asked"]]
    answered = [{"asked": {**one["asked"], "number": one["asked"]["number"] + by}} for one in position["answered"]]
    number = max(one["number"] for one in (*asked, *(one["asked"] for one in answered)))
    return {**position, "asked": asked, "answered": answered, "number": number}


def _is_playable(control: Fields) -> bool:
    """Whether a time control makes sense: its times are possible, and its parts fit together."""
    limit, kind = control.get("limit_ms", 0), control.get("kind", "none")
    if any(not 0 <= control.get(name, 0) <= LONGEST_MS for name in TIMES) or (kind == "none") != (limit == 0):
        return False
    if 0 < limit < SECOND_MS or (control.get("increment_ms") and kind != "bank"):
        return False
    return not control.get("vacation_ms") or kind == "days"
