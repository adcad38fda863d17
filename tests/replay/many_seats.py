"""Matches of three and four seats, honest and forged: seats that leave, seats that have to agree, a side's secrets."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel import (
    Abandon,
    Agreed,
    Declined,
    Draw,
    Offered,
    OperatorRuled,
    Pause,
    Resigned,
    Seat,
    TakeBack,
    TimeControl,
    TimeRanOut,
)
from domain.kernel.events import AbsenceClaimed
from domain.kernel.history import pauses
from domain.kernel.table import Replace
from replay.files.export import Record
from tests.pennants.game import GAME
from tests.replay.drafts import Draft, Match
from tests.replay.structural import add_choice

ADA, BO, CY = Seat(0), Seat(1), Seat(2)
MINUTE: Final = 60_000
ALLIED: Final = {"seats": 4, "allied": True}
FORFEIT: Final = TimeControl("decision", MINUTE, on_timeout="forfeit")
AWAY: Final = TimeControl("bank", 10 * MINUTE, absence_ms=2 * MINUTE)
ALL: Final = 99


def match(choices: int = 5, control: TimeControl | None = None, options: dict[str, Any] | None = None) -> Match:
    """Three seats, or as many as the options say."""
    options = options or {"seats": 3}
    return Match(choices, control, ("person",) * GAME.seats_of(options), game=GAME, options=options)


def agreed(made: Match, terms: Draw | Abandon | Pause | TakeBack | Replace, *seats: Seat) -> Match:
    """The first seat offers, others agree in this order."""
    return made.act(Offered(ADA, number=1, terms=terms), *(Agreed(seat, number=1) for seat in seats))


def left(choices: int = 3, more: int = 2) -> Match:
    """A seat that is asked resigns, and the others play on."""
    made = match(choices).act(Resigned(BO))
    _play(made, more)
    return made


def _play(made: Match, most: int) -> None:
    """Choices of the seats that play on; the rules answer for seats that have left."""
    for _ in range(most):
        gone = made.referee.state.table.left
        seats = [one.seat for one in made.referee.state.asked if one.seat not in gone]
        if seats:
            made.choose(1, seats[0])


def _taken_back() -> Match:
    made = match(1)
    line = pauses(GAME, made.past())[-1]
    made.choose(2)
    return agreed(made, TakeBack(line), CY, BO)


def _out_of_time() -> Match:
    """Two were asked at once, and the time of both runs out at once: the third is left, and wins."""
    made = match(0, FORFEIT)
    seat, number = made.asked
    return made.act(TimeRanOut(Seat(seat), number, "forfeit"), wait_ms=MINUTE)


def _claimed() -> Match:
    made = match(2, AWAY)
    away = Seat(made.asked[0])
    by = next(seat for seat in (ADA, BO, CY) if seat != away)
    return made.act(AbsenceClaimed(by, absent=away, absent_ms=2 * MINUTE), wait_ms=2 * MINUTE)


def _replaced() -> Match:
    """A bot takes the place of a seat that was away; the third seat agrees."""
    made = match(2, AWAY)
    away = Seat(made.asked[0])
    by, other = (seat for seat in (ADA, BO, CY) if seat != away)
    made.act(Offered(by, number=1, terms=Replace(away, absent_ms=2 * MINUTE)), wait_ms=2 * MINUTE)
    return made.act(Agreed(other, number=1))


def _both_resign() -> Match:
    return left(3, 0).act(Resigned(CY))


def _host() -> Match:
    return match().act(OperatorRuled("Two of them agreed by mail.", (ADA, CY)))


def _allied_leaves() -> Match:
    made = match(4, options=ALLIED).act(Resigned(CY))
    _play(made, 3)
    return made


def _declined() -> Match:
    return match().act(Offered(ADA, number=1, terms=Draw()), Agreed(BO, number=1), Declined(CY, number=1))


def of(made: Callable[[], Match], *forges: Callable[[Draft], object]) -> Callable[[], Record]:
    """An honest match, forged where something is to be forged."""

    def done() -> Record:
        draft = made().draft()
        for forge in forges:
            forge(draft)
        return draft.done()

    return done


def _masks(draft: Draft, kind: str, mask: int) -> None:
    draft.find(kind).parts[9][0][0] = mask


def _result(draft: Draft, **changed: Any) -> None:
    line = draft.find("MatchEnded")
    line.fields["result"] = {**line.fields["result"], **changed}
    line.as_it_is = True


def _one_of_two(draft: Draft) -> None:
    """One seat wins alone where the line before says two."""
    line = draft.find("MatchEnded")
    line.fields["result"] = {"winner": 0, "reason": "ended by the host", "rule": ""}
    line.as_it_is = True


def _ended_in_place_of_leaving(draft: Draft, **result: Any) -> None:
    draft.lines = draft.lines[: draft.lines.index(draft.find("SeatLeft"))]
    draft.end("resigned", **result)


def _cut_behind_leaving(draft: Draft) -> None:
    kept = draft.lines.index(draft.find("SeatLeft")) + 1
    while draft.lines[kept].type != "Chosen" and draft.lines[kept].type != "Resigned":
        kept += 1
    draft.lines = draft.lines[:kept]


def _asked(draft: Draft, *, left: bool) -> tuple[int, int]:
    """The seat and number of an open decision behind the line that a seat leaves."""
    gone = draft.find("SeatLeft").fields["seat"]
    asked: dict[int, int] = {}
    for line in draft.lines:
        if line.type == "DecisionsOpened":
            asked = {one["number"]: one["seat"] for one in line.fields["asked"]}
        elif line.type == "Chosen":
            asked.pop(line.fields["number"], None)
    return next((seat, number) for number, seat in asked.items() if (seat == gone) == left)


def _by_the_rules(draft: Draft) -> None:
    """The rules answer for a seat that plays on."""
    seat, number = _asked(draft, left=False)
    add_choice(draft, seat, number, "rules", draft.lines[-1].parts[6])


def _said(draft: Draft, kind: str, seat: int, **fields: Any) -> None:
    draft.add(kind, {"seat": seat, **fields}, actor=seat)


def drawn() -> Match:
    return agreed(match(), Draw(), BO, CY)


def paused() -> Match:
    return agreed(match(), Pause(MINUTE), CY, BO)


HONEST: Final[dict[str, Callable[[], Match]]] = {
    "played": match,
    "whole": lambda: match(ALL),
    "four in two sides, whole": lambda: match(ALL, options=ALLIED),
    "one has left": left,
    "one has left, whole": lambda: left(3, ALL),
    "two have left": _both_resign,
    "one of a side has left": _allied_leaves,
    "a draw agreed": drawn,
    "abandoned": lambda: agreed(match(), Abandon(), CY, BO),
    "paused": paused,
    "taken back": _taken_back,
    "a draw declined by the last": _declined,
    "two out of time at once": _out_of_time,
    "claimed after absence": _claimed,
    "a bot for one who is away": _replaced,
    "ended by the host for two": _host,
}
"""Matches in which nothing is wrong."""
FORGERIES: Final[dict[str, Callable[[], Record]]] = {
    "resigned, and nobody leaves": of(left, lambda d: d.drop("SeatLeft")),
    "resigned, and another leaves": of(left, lambda d: d.change("SeatLeft", seat=2)),
    "resigned, and left for another reason": of(left, lambda d: d.change("SeatLeft", reason="absence")),
    "resigned, and it ends though two play on": of(left, lambda d: _ended_in_place_of_leaving(d, winner=0)),
    "resigned, and all others win though they are no side": of(
        left, lambda d: _ended_in_place_of_leaving(d, winners=[0, 1, 2])
    ),
    "left out of nothing": of(match, lambda d: d.add("SeatLeft", {"seat": 1, "reason": "resigned"})),
    "left twice": of(
        left, _cut_behind_leaving, lambda d: d.add("SeatLeft", {"seat": 1, "reason": "resigned"}, actor=1)
    ),
    "resigned twice": of(left, lambda d: _said(d, "Resigned", 1)),
    "an offer of a seat that has left": of(left, lambda d: _said(d, "Offered", 1, number=1, terms={"is": "abandon"})),
    "a choice by the rules for a seat that plays on": of(lambda: left(3, 1), _by_the_rules),
    "a choice of a seat that has left": of(left, lambda d: d.change("Chosen", -1, id="x", by="seat", seat=1)),
    "the last but one wins": of(_both_resign, lambda d: _result(d, winner=2)),
    "nobody wins though one is left": of(_both_resign, lambda d: _result(d, winner=None)),
    "a draw that the third did not agree to": of(drawn, lambda d: d.drop("Agreed", 1)),
    "a draw agreed in another order": of(drawn, lambda d: d.change("OfferAccepted", agreed=[2, 1])),
    "a draw agreed without the third": of(
        drawn, lambda d: d.drop("Agreed", 1), lambda d: d.change("OfferAccepted", agreed=[1])
    ),
    "a draw agreed twice by one": of(drawn, lambda d: d.change("Agreed", 1, seat=1)),
    "a pause agreed by a fourth": of(paused, lambda d: d.change("Agreed", 1, seat=3)),
    "taken back without the third": of(
        _taken_back, lambda d: d.drop("Agreed", 1), lambda d: d.change("OfferAccepted", agreed=[2])
    ),
    "taken back, and a seat is not told": of(_taken_back, lambda d: d.drop("SeatBriefed", 2)),
    "taken back, and told in another order": of(
        _taken_back, lambda d: d.lines.insert(d.lines.index(d.find("SeatBriefed")), d.lines.pop(-2))
    ),
    "a draw agreed to behind a refusal": of(_declined, lambda d: _said(d, "Agreed", 2, number=1)),
    "two out of time at once, and one of them wins": of(_out_of_time, lambda d: _result(d, winner=2)),
    "two out of time at once, and nobody wins": of(_out_of_time, lambda d: _result(d, winner=None)),
    "a draw claimed while three play": of(_claimed, lambda d: d.change("AbsenceClaimed", draw=True)),
    "absent, and the one who claims leaves": of(
        _claimed, lambda d: d.change("SeatLeft", seat=d.find("AbsenceClaimed").fields["seat"])
    ),
    "a bot without the third": of(
        _replaced, lambda d: d.drop("Agreed"), lambda d: d.change("OfferAccepted", agreed=[])
    ),
    "a bot in another's place": of(
        _replaced, lambda d: d.change("SeatReplaced", seat=d.find("Offered").fields["seat"])
    ),
    "ended by the host, and one of two wins": of(_host, _one_of_two),
    "won by a fourth of three": of(lambda: match(ALL), lambda d: _result(d, winner=3)),
    "a place for a fourth of three": of(lambda: match(ALL), lambda d: _result(d, ranking=[[0], [1], [2], [3]])),
    "a banner sealed to one of its side": of(
        lambda: match(2, options=ALLIED), lambda d: _masks(d, "BannerGiven", 0b0001)
    ),
    "a banner sealed to the other side": of(
        lambda: match(2, options=ALLIED), lambda d: _masks(d, "BannerGiven", 0b1010)
    ),
    "a banner sealed to all": of(lambda: match(2, options=ALLIED), lambda d: _masks(d, "BannerGiven", 0b1111)),
    "a banner sealed to a fifth of four": of(
        lambda: match(2, options=ALLIED), lambda d: _masks(d, "BannerGiven", 0b10000)
    ),
    "a hand sealed to a fourth of three": of(match, lambda d: _masks(d, "HandDealt", 0b1000)),
    "a choice of a fourth of three": of(match, lambda d: d.change("Chosen", -1, seat=3)),
    "a question to a fourth of three": of(match, lambda d: d.find("DecisionsOpened").fields["asked"][0].update(seat=3)),
}
"""The faults that every verifier finds in every view of these matches."""
