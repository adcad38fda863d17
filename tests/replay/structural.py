"""Structural forgeries: lines out of their shape, their order or their time, by a server that makes all else fit."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel import (
    Abandon,
    Agreed,
    Declined,
    Draw,
    HintAsked,
    OfferAccepted,
    Offered,
    OperatorRuled,
    Pause,
    Replace,
    Resigned,
    Seat,
    TakeBack,
    TimeControl,
    VacationTaken,
)
from domain.kernel.history import pauses
from projections.redaction import SPECTATOR, Viewer
from replay.files.export import Record
from replay.record import sealing
from tests.replay import ahead, persons
from tests.replay.drafts import LAST_CHOICE, Draft, Match
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
MINUTE: Final = 60_000
BANK: Final = TimeControl("bank", MINUTE, absence_ms=5 * MINUTE)
FORFEIT: Final = TimeControl("decision", MINUTE, on_timeout="forfeit")
RANDOM: Final = TimeControl("decision", MINUTE, on_timeout="random")
DAYS: Final = TimeControl("days", 60 * MINUTE, vacation_ms=10 * MINUTE)
KEY: Final = sealing.b64(bytes(range(32)))


def of(match: Callable[[], Match], *forges: Callable[[Draft], object]) -> Callable[[], Record]:
    """An honest match, forged."""

    def forged() -> Record:
        draft = match().draft()
        for forge in forges:
            forge(draft)
        return draft.done()

    return forged


def played() -> Match:
    return Match(3)


def whole() -> Match:
    return Match(100)


def timed(control: TimeControl) -> Callable[[], Match]:
    return lambda: Match(2, control)


def forfeiting() -> Match:
    """One seat alone is asked, and forfeits when its time is over."""
    while True:
        match = Match(2, FORFEIT)
        if len(match.referee.state.asked) == 1:
            return match


def paused() -> Match:
    return Match(3).act(Offered(ADA, number=1, terms=Pause(MINUTE)), Agreed(BO, number=1))


def offered() -> Match:
    return Match(3).act(Offered(ADA, number=1, terms=Draw()))


def against_a_bot() -> Match:
    return Match(3, kinds=("person", "bot"))


def taken_back() -> Match:
    match = Match(1)
    line = pauses(GAME, match.past())[-1]
    match.choose(1)
    return match.act(Offered(ADA, number=1, terms=TakeBack(line)), Agreed(BO, number=1))


def returned() -> Match:
    """Both cards are taken back to the first question; the seat that was asked has agreed after 51 of its 60 s."""
    match = Match(2, BANK)
    asked = Seat(match.asked[0])
    line = pauses(GAME, match.past())[0]
    match.act(Offered(Seat(1 - asked), number=1, terms=TakeBack(line)), wait_ms=50_000)
    return match.act(Agreed(asked, number=1))


def thought_anew() -> Match:
    """The seat that agreed chooses late: without the time given back it would have had none left."""
    match = returned()
    accepted = next(event for event in match.past() if isinstance(event, OfferAccepted))
    match.choose(seat=accepted.seat)
    match.at += 54_000
    match.choose(seat=accepted.agreed[0])
    return match


def six() -> Match:
    return Match(6)


def lapsed() -> Match:
    match = offered()
    match.choose(2)
    return match


def resigned() -> Match:
    return Match(3).act(Resigned(BO))


def hinted() -> Match:
    match = Match(2, hints=True)
    seat, number = match.asked
    return match.act(HintAsked(Seat(seat), number=number))


def waiting() -> Match:
    return Match(begins=False)


def asked_in(draft: Draft) -> tuple[int, int]:
    """The seat and number of a decision that is open at the end of a draft."""
    asked: dict[int, int] = {}
    for line in draft.lines:
        if line.type == "DecisionsOpened":
            asked = {one["number"]: one["seat"] for one in line.fields["asked"]}
        elif line.type == "Chosen":
            asked.pop(line.fields["number"], None)
    number, seat = next(iter(asked.items()), (1, 0))
    return seat, number


def _reversed(draft: Draft, kind: str) -> None:
    line = draft.find(kind)
    line.parts[8], line.as_it_is = dict(reversed(line.fields.items())), True


def _within(draft: Draft, kind: str, field: str, **changed: Any) -> None:
    line = draft.find(kind)
    line.fields[field] = {**line.fields[field], **changed}
    line.as_it_is = True


def _asked_as_is(draft: Draft, **changed: Any) -> None:
    line = draft.find("DecisionsOpened")
    line.fields["asked"][0].update(changed)
    line.as_it_is = True


def _slots(draft: Draft, kind: str, masks: list[int], place: int = 0) -> None:
    line = draft.find(kind, place)
    line.parts[9] = [[mask, KEY] for mask in masks]
    line.openings = {slot: line.openings.get(slot, b"null") for slot in range(len(masks))}


def _rules(draft: Draft, was: str, now: str) -> None:
    for line in draft.lines:
        line.parts[5] = was
    if now:
        draft.add("RulesChanged", {"was": was, "now": now})
        draft.lines[-1].parts[5] = now


def _by(draft: Draft, kind: str, actor: int) -> None:
    line = draft.find(kind)
    line.parts[6] = actor if line.parts[6] != actor else -1


def _resign(draft: Draft, seat: int) -> None:
    draft.add("Resigned", {"seat": seat}, actor=seat)


def _key(draft: Draft, seat: int) -> None:
    draft.add("SeatKeyed", {"seat": seat, "key": KEY}, actor=seat)


def _offer(draft: Draft, seat: int, number: int, terms: dict[str, Any]) -> None:
    draft.add("Offered", {"seat": seat, "number": number, "terms": terms}, actor=seat)


def _agree(draft: Draft, seat: int, number: int) -> None:
    draft.add("Agreed", {"seat": seat, "number": number}, actor=seat)


def _accept(draft: Draft, number: int, seat: int, agreed: list[int], terms: dict[str, Any]) -> None:
    fields = {"number": number, "seat": seat, "agreed": agreed, "terms": terms}
    draft.add("OfferAccepted", fields, actor=draft.lines[-1].parts[6], wait_ms=0)


def add_choice(
    draft: Draft, seat: int, number: int, by: str = "seat", actor: int | None = None, wait_ms: int = 1000
) -> None:
    """A choice at the end, from which nothing follows."""
    mask = 1 << seat
    slots = [(mask, {"is": "take"}), (mask, None)]
    fields = {"seat": seat, "number": number, "id": f"x{number}", "by": by}
    draft.add("Chosen", fields, slots, seat if actor is None else actor, wait_ms=wait_ms)


def _again(draft: Draft) -> None:
    fields = draft.find("Chosen", -1).fields
    add_choice(draft, fields["seat"], fields["number"])


def _ask(draft: Draft, number: int, cause: str = "") -> None:
    asked = [{"number": number, "seat": 0, "kind": "Pursuit", "terms": {"by": 0}}]
    actor = draft.lines[-1].parts[6] if cause else -1
    draft.add("DecisionsOpened", {"asked": asked}, [(0, [])], actor, cause, wait_ms=0)


def _alone(draft: Draft) -> None:
    line = draft.find("DecisionsOpened", -1)
    line.fields.update(asked=line.fields["asked"][:1], sealed=True)
    line.as_it_is = True


def _old_cause(draft: Draft) -> None:
    first = draft.find("Chosen")
    draft.add("Scored", {"seat": 0, "score": 9}, actor=draft.lines[-1].parts[6])
    draft.lines[-1].parts[7] = first.cause


def _swap(draft: Draft, kind: str) -> None:
    one, two = draft.find(kind), draft.find(kind, 1)
    i, j = draft.lines.index(one), draft.lines.index(two)
    draft.lines[i], draft.lines[j] = two, one


def _time_out(
    draft: Draft, then: str = "default", wait_ms: int = 10 * MINUTE, seat: int | None = None, number: int | None = None
) -> None:
    asked = asked_in(draft)
    fields = {"seat": asked[0] if seat is None else seat, "number": number or asked[1], "then": then}
    draft.add("TimeRanOut", fields, wait_ms=wait_ms)


def _agreed_in(draft: Draft) -> tuple[int, int]:
    """The seat that agreed to a takeback, and the number of what it is asked after it."""
    seat = draft.find("OfferAccepted").fields["agreed"][0]
    asked = draft.find("PositionSet").fields["view"]["asked"]
    return seat, next(one["number"] for one in asked if one["seat"] == seat)


def _forfeit(draft: Draft, *, loser_wins: bool | None) -> None:
    seat, number = asked_in(draft)
    draft.add("TimeRanOut", {"seat": seat, "number": number, "then": "forfeit"}, wait_ms=10 * MINUTE)
    draft.end("out of time", seat if loser_wins else None)


def _lot(draft: Draft, **changed: Any) -> None:
    seat, number = asked_in(draft)
    draw = 1 + sum(line.type == "Shuffled" for line in draft.lines)
    draft.add("TimeRanOut", {"seat": seat, "number": number, "then": "random"}, wait_ms=10 * MINUTE)
    fields = {"rule": "clock", "title": "Lot", "draw": draw, "size": 256, "seat": seat, **changed}
    draft.add("Shuffled", fields, [(0, list(range(fields["size"])))], wait_ms=0)
    add_choice(draft, seat, number, by="clock", actor=-1, wait_ms=0)


def _claim(
    draft: Draft, absent_ms: int, wait_ms: int = 30 * MINUTE, absent: int | None = None, seat: int | None = None
) -> None:
    away = asked_in(draft)[0] if absent is None else absent
    by = 1 - away if seat is None else seat
    draft.add("AbsenceClaimed", {"seat": by, "absent": away, "absent_ms": absent_ms}, actor=by, wait_ms=wait_ms)
    draft.end("absence", 1 - away)


def _vacation(draft: Draft, length_ms: int) -> None:
    draft.add("VacationTaken", {"seat": 0, "length_ms": length_ms}, actor=0)


def _returned(draft: Draft, gone: int, back: int) -> None:
    at = draft.lines[-1].parts[3]
    draft.add("ServerReturned", {"gone": at + gone, "back": at + back})


def _hint(draft: Draft, seat: int, number: int) -> None:
    draft.add("HintAsked", {"seat": seat, "number": number}, actor=seat)


def _disclose(draft: Draft) -> None:
    """The first choice of a seat, with the salt that its audience's key gives."""
    record, line = draft.record, draft.find("Chosen")
    assert record.secrets is not None
    seq = draft.lines.index(line) + 1
    salt = sealing.b64(
        sealing.Sealer(sealing.unb64(record.match), record.secrets.k_m).salt(seq, 0, line.parts[9][0][0])
    )
    draft.add("SecretsOpened", {"slots": [[seq, 0, salt, line.openings[0].decode()]]})


def _anchor(draft: Draft, after: int) -> None:
    draft.add("ChanceAnchored", {"anchor": KEY, "after": after})


SHAPES: dict[str, Callable[[], Record]] = {
    **{
        f"an unknown field in {kind}": of(match, lambda d, kind=kind: d.misshape(kind, more=1))  # type: ignore[misc]
        for match, kinds in (
            (whole, "MatchCreated SeatTaken EntropyCommitted EntropyRevealed MatchBegun DecisionsOpened Chosen"),
            (whole, "DiceRolled Shuffled HandDealt Scored MatchEnded"),
            (paused, "Offered Agreed OfferAccepted MatchPaused"),
            (taken_back, "SeatBriefed PositionSet"),
            (timed(BANK), "ClocksSet"),
        )
        for kind in kinds.split()
    },
    **{
        f"{kind} with {field} at its default": of(match, lambda d, k=kind, f=field, v=value: d.misshape(k, **{f: v}))  # type: ignore[misc]
        for match, kind, field, value in (
            (whole, "MatchCreated", "reveal", "public"),
            (whole, "SeatTaken", "kind", "person"),
            (whole, "SeatTaken", "key", ""),
            (whole, "Chosen", "by", "seat"),
            (whole, "Chosen", "ack_seq", 0),
            (whole, "DiceRolled", "about", []),
            (whole, "DiceRolled", "seat", None),
            (paused, "Agreed", "signature", ""),
        )
    },
    **{
        f"{kind} without {field}": of(whole, lambda d, k=kind, f=field: d.find(k).fields.pop(f))  # type: ignore[misc]
        for kind, field in (
            ("SeatTaken", "name"),
            ("Chosen", "number"),
            ("DiceRolled", "title"),
            ("Shuffled", "size"),
            ("HandDealt", "count"),
            ("MatchEnded", "result"),
        )
    },
    **{
        f"{kind} with {field} as {value!r}": of(whole, lambda d, k=kind, f=field, v=value: d.misshape(k, **{f: v}))  # type: ignore[misc]
        for kind, field, value in (
            ("SeatTaken", "seat", "0"),
            ("Chosen", "number", True),
            ("DiceRolled", "dice", 3),
            ("DiceRolled", "parts", [["x"]]),
            ("DecisionsOpened", "asked", {}),
            ("DecisionsOpened", "sealed", 1),
            ("HandDealt", "count", None),
            ("Scored", "score", [1]),
            ("MatchEnded", "result", None),
        )
    },
    **{
        f"{kind} that holds {value!r}": of(whole, lambda d, k=kind, v=value: d.hold(k, v))  # type: ignore[misc]
        for kind in ("MatchCreated", "MatchBegun", "SeatTaken", "DecisionsOpened", "Chosen", "HandDealt", "Scored")
        for value in (None, 1 << 31, "x", [], [1])
    },
    "fields in another order": of(whole, lambda d: _reversed(d, "SeatTaken")),
    "fields of a choice in another order": of(whole, lambda d: _reversed(d, "Chosen")),
    "fields of a game's line in another order": of(whole, lambda d: _reversed(d, "HandDealt")),
    "an unknown field in a result": of(whole, lambda d: _within(d, "MatchEnded", "result", more=1)),
    "a result without a rule": of(whole, lambda d: d.find("MatchEnded").fields["result"].pop("rule")),
    "an unknown field in a question": of(whole, lambda d: _asked_as_is(d, more=1)),
    "a limit of 0 that stands": of(whole, lambda d: _asked_as_is(d, limit_ms=0)),
    "an unknown field in a time control": of(timed(BANK), lambda d: _within(d, "ClocksSet", "control", more=1)),
    "a time control's default that stands": of(
        timed(BANK), lambda d: _within(d, "ClocksSet", "control", vacation_ms=0)
    ),
    "an unknown field in an offer's terms": of(paused, lambda d: _within(d, "Offered", "terms", more=1)),
    "terms of no kind": of(offered, lambda d: _within(d, "Offered", "terms", **{"is": "gift"})),
    "a line that there is not": of(
        played, lambda d: d.add("Rained", {}, cause=LAST_CHOICE, actor=d.lines[-1].parts[6])
    ),
    "a choice without slots": of(played, lambda d: _slots(d, "Chosen", [])),
    "a choice with one slot": of(played, lambda d: _slots(d, "Chosen", [1])),
    "a choice sealed to the other seat": of(played, lambda d: _slots(d, "Chosen", [2, 2])),
    "a choice sealed to both": of(played, lambda d: _slots(d, "Chosen", [3, 3])),
    "the stack sealed to a seat": of(played, lambda d: _slots(d, "DecisionsOpened", [1])),
    "a shuffle sealed to a seat": of(played, lambda d: _slots(d, "Shuffled", [1])),
    "a hand sealed to the other seat": of(played, lambda d: _slots(d, "HandDealt", [2])),
    "a hand sealed to both": of(played, lambda d: _slots(d, "HandDealt", [3])),
    "a hand sealed to nobody": of(played, lambda d: _slots(d, "HandDealt", [0])),
    "the other's hand sealed to seat 0": of(played, lambda d: _slots(d, "HandDealt", [1], 1)),
    "the deck sealed to a seat": of(played, lambda d: _slots(d, "DeckPlaced", [1])),
    "a slot more": of(played, lambda d: _slots(d, "CardShown", [0])),
    "a hand of no seat": of(played, lambda d: d.change("HandDealt", seat=7)),
}
RULES: dict[str, Callable[[], Record]] = {
    f"rules {was} and then {now}": of(played, lambda d, w=was, n=now: _rules(d, w, n))  # type: ignore[misc]
    for was, now in (
        ("skirmish/1", "skirmish/0"),
        ("skirmish/1", "skirmish/1"),
        ("skirmish/1", "skirmish/2"),
        ("skirmish/1", "other/2"),
        ("skirmish/1", "skirmish/02"),
        ("skirmish/9", ""),
        ("other/1", ""),
        ("skirmish/x", ""),
    )
}
BEGINNING: dict[str, Callable[[], Record]] = {
    "resigned before the beginning": of(waiting, lambda d: _resign(d, 0)),
    "a draw offered before the beginning": of(waiting, lambda d: _offer(d, 0, 1, {"is": "draw"})),
    "a choice before the beginning": of(waiting, lambda d: add_choice(d, 0, 1)),
    "a question before the beginning": of(waiting, lambda d: _ask(d, 1)),
    "a roll before the beginning": of(waiting, lambda d: d.add("Scored", {"seat": 0, "score": 1})),
    "a vacation before the beginning": of(
        waiting, lambda d: d.add("VacationTaken", {"seat": 0, "length_ms": 5000}, actor=0)
    ),
    "a seat that was never taken": of(played, lambda d: d.drop("SeatTaken", 1)),
    "a seat that there is not": of(waiting, lambda d: d.add("SeatTaken", {"seat": 2, "name": "X"})),
    "a seat taken twice": of(waiting, lambda d: d.add("SeatTaken", {"seat": 1, "name": "X"})),
    "a seat taken late": of(played, lambda d: d.add("SeatTaken", {"seat": 1, "name": "X"})),
    "play begun twice": of(played, lambda d: d.add("MatchBegun", {})),
    "clocks set late": of(played, lambda d: d.add("ClocksSet", {"control": {"kind": "decision", "limit_ms": 1000}})),
    "clocks set twice": of(timed(BANK), lambda d: d.add("ClocksSet", {"control": {}}, before=d.find("SeatTaken"))),
    "clocks that nobody can play by": of(timed(BANK), lambda d: d.change("ClocksSet", control={"kind": "bank"})),
    "a share of chance fixed late": of(played, lambda d: d.add("EntropyCommitted", {"seat": 0, "commitment": KEY})),
    "a share of chance by another": of(played, lambda d: _by(d, "EntropyCommitted", 0)),
    "a share revealed by another": of(played, lambda d: _by(d, "EntropyRevealed", 0)),
}
DECISIONS: dict[str, Callable[[], Record]] = {
    "a decision answered twice": of(played, _again),
    "a decision answered by the other seat": of(played, lambda d: add_choice(d, 1 - asked_in(d)[0], asked_in(d)[1])),
    "a decision that was never asked": of(played, lambda d: add_choice(d, asked_in(d)[0], 99)),
    "a decision of long ago": of(six, lambda d: add_choice(d, 0, 1)),
    "others asked while one is open": of(played, lambda d: _ask(d, asked_in(d)[1] + 9, cause=LAST_CHOICE)),
    "nobody asked": of(played, lambda d: d.misshape("DecisionsOpened", -1, asked=[])),
    "decisions numbered otherwise": of(
        played, lambda d: d.find("DecisionsOpened", -1).fields["asked"][0].update(number=40)
    ),
    "a question to no seat": of(played, lambda d: d.find("DecisionsOpened", -1).fields["asked"][0].update(seat=5)),
    "a limit before now": of(played, lambda d: d.find("DecisionsOpened", -1).fields["asked"][0].update(limit_ms=-5)),
    "one answer sealed": of(played, _alone),
    "a choice in a pause": of(paused, lambda d: add_choice(d, *asked_in(d))),
    "a choice by a bot for a person": of(played, lambda d: add_choice(d, *asked_in(d), by="bot")),
    "a choice by the rules": of(played, lambda d: add_choice(d, *asked_in(d), by="rules")),
    "a choice by the clock": of(played, lambda d: add_choice(d, *asked_in(d), by="clock", actor=-1)),
    "a choice by nobody": of(played, lambda d: add_choice(d, *asked_in(d), by="me")),
    "a choice after its time": of(timed(BANK), lambda d: add_choice(d, *asked_in(d), wait_ms=2 * MINUTE)),
    "an act where somebody has to be asked": of(
        played, lambda d: d.drop("DecisionsOpened", -1), lambda d: _resign(d, 0)
    ),
    "a key in the rules' work": of(played, lambda d: d.drop("DecisionsOpened", -1), lambda d: _key(d, 0)),
    "a game's line out of nothing": of(played, lambda d: d.add("Scored", {"seat": 0, "score": 9})),
    "a consequence behind a question": of(
        played,
        lambda d: d.add("Scored", {"seat": 0, "score": 9}, actor=d.lines[-1].parts[6], cause=LAST_CHOICE, wait_ms=0),
    ),
    "a question out of nothing": of(lambda: Match(100), lambda d: d.drop("MatchEnded"), lambda d: _ask(d, 90)),
    "a consequence of an older choice": of(six, _old_cause),
    "a consequence by the other": of(played, lambda d: _by(d, "CardShown", 0)),
}
OFFERS: dict[str, Callable[[], Record]] = {
    "an offer numbered otherwise": of(played, lambda d: _offer(d, 0, 7, {"is": "draw"})),
    "two offers of one seat": of(offered, lambda d: _offer(d, 0, 2, {"is": "pause", "length_ms": MINUTE})),
    "agreed by who offered": of(offered, lambda d: _agree(d, 0, 1)),
    "agreed twice": of(
        lambda: Match(3, kinds=("person", "person")).act(Offered(ADA, number=1, terms=Draw())),
        lambda d: _agree(d, 1, 1),
        lambda d: _agree(d, 1, 1),
    ),
    "agreed to nothing": of(played, lambda d: _agree(d, 1, 1)),
    "agreed to what was declined": of(lambda: offered().act(Declined(BO, number=1)), lambda d: _agree(d, 1, 1)),
    "declined what nobody offered": of(played, lambda d: d.add("Declined", {"seat": 1, "number": 3}, actor=1)),
    "offered again what was declined": of(
        lambda: offered().act(Declined(BO, number=1)), lambda d: _offer(d, 0, 2, {"is": "draw"})
    ),
    "a draw offered to a bot": of(against_a_bot, lambda d: _offer(d, 0, 1, {"is": "draw"})),
    "a bot agrees": of(against_a_bot, lambda d: _offer(d, 0, 1, {"is": "abandon"}), lambda d: _agree(d, 1, 1)),
    "a pause too short": of(played, lambda d: _offer(d, 0, 1, {"is": "pause", "length_ms": 999})),
    "a pause too long": of(played, lambda d: _offer(d, 0, 1, {"is": "pause", "length_ms": 15 * 86_400_000})),
    "a pause in a pause": of(paused, lambda d: _offer(d, 0, 2, {"is": "pause", "length_ms": MINUTE})),
    "going on from no pause": of(played, lambda d: _offer(d, 0, 1, {"is": "go_on"})),
    "accepted and not agreed to": of(offered, lambda d: _accept(d, 1, 0, [], {"is": "draw"})),
    "accepted out of nothing": of(played, lambda d: _accept(d, 1, 0, [1], {"is": "draw"})),
    "agreed by all and not accepted": of(offered, lambda d: _agree(d, 1, 1), lambda d: _key(d, 0)),
    "accepted with other terms": of(
        offered, lambda d: _agree(d, 1, 1), lambda d: _accept(d, 1, 0, [1], {"is": "abandon"})
    ),
    "a lapsed draw accepted": of(
        lapsed,
        lambda d: _agree(d, 1, 1),
        lambda d: _accept(d, 1, 0, [1], {"is": "draw"}),
        lambda d: d.end("draw agreed"),
    ),
    "a pause of another length": of(paused, lambda d: d.change("MatchPaused", length_ms=5)),
    "a pause that does not follow": of(paused, lambda d: d.drop("MatchPaused"), lambda d: _key(d, 0)),
    "a bot for a bot": of(against_a_bot, lambda d: _offer(d, 0, 1, {"is": "replace", "seat": 1})),
    "a bot for no seat": of(played, lambda d: _offer(d, 0, 1, {"is": "replace", "seat": 4})),
    "a bot for one who is here": of(
        timed(BANK), lambda d: _offer(d, 0, 1, {"is": "replace", "seat": 1, "absent_ms": 5 * MINUTE})
    ),
    "another bot than agreed": of(
        lambda: Match(3).act(Offered(ADA, number=1, terms=Replace(BO)), Agreed(BO, number=1)),
        lambda d: d.change("SeatReplaced", bot="best"),
    ),
    "back to where nobody was asked": of(played, lambda d: _offer(d, 0, 1, {"is": "take_back", "line": 9})),
    "back where nobody has chosen since": of(
        lambda: Match(0), lambda d: _offer(d, 0, 1, {"is": "take_back", "line": len(d.lines)})
    ),
    "back past chance with a bot": of(against_a_bot, lambda d: _offer(d, 0, 1, {"is": "take_back", "line": 13})),
    "a position that asks others": of(
        taken_back, lambda d: d.find("PositionSet").fields["view"]["asked"][0].update(seat=0, kind="Pursuit")
    ),
    "a position with other numbers": of(taken_back, lambda d: d.find("PositionSet").fields["view"].update(number=77)),
    "a position told in another order": of(taken_back, lambda d: _swap(d, "SeatBriefed")),
    "a position of another line": of(taken_back, lambda d: d.change("PositionSet", line=5)),
    "a seat not told its position": of(taken_back, lambda d: d.drop("SeatBriefed", 1)),
    "a draw agreed and won": of(
        lambda: offered().act(Agreed(BO, number=1)), lambda d: _within(d, "MatchEnded", "result", winner=0)
    ),
    "a draw agreed under a rule": of(
        lambda: offered().act(Agreed(BO, number=1)), lambda d: _within(d, "MatchEnded", "result", rule="SK-06")
    ),
}


def opened_before_end(
    draft: Draft, cards: int = 1, actor: int = 1, kind: str = "Scored", *, declared: bool = True, cause: str = ""
) -> None:
    """The game's own lines before the end, as where line 1 says that every end opens what the rules open."""
    if declared:
        draft.change("MatchCreated", ends_open=True)
    end = draft.find("MatchEnded")
    for _ in range(cards):
        draft.add(kind, {"seat": 0, "score": 1}, actor=actor, cause=cause, wait_ms=0, before=end)


def _opened_and(draft: Draft, end: Callable[[Draft], object]) -> None:
    """A resignation, a line that opens something, and another line in place of the end."""
    opened_before_end(draft)
    draft.drop("MatchEnded")
    end(draft)


def drawn() -> Match:
    return offered().act(Agreed(BO, number=1))


def abandoned() -> Match:
    return Match(3).act(Offered(ADA, number=1, terms=Abandon()), Agreed(BO, number=1))


ENDS: dict[str, Callable[[], Record]] = {
    "resigned and won": of(resigned, lambda d: _within(d, "MatchEnded", "result", winner=1)),
    "resigned and nobody won": of(resigned, lambda d: _within(d, "MatchEnded", "result", winner=None)),
    "resigned under another reason": of(resigned, lambda d: _within(d, "MatchEnded", "result", reason="absence")),
    "resigned and left": of(
        played, lambda d: _resign(d, 1), lambda d: d.add("SeatLeft", {"seat": 1, "reason": "resigned"}, actor=1)
    ),
    "opened before an end, and line 1 does not say so": of(resigned, lambda d: opened_before_end(d, declared=False)),
    "opened before an end by the other": of(resigned, lambda d: opened_before_end(d, actor=0)),
    "opened before an end, and it names a choice": of(resigned, lambda d: opened_before_end(d, cause=LAST_CHOICE)),
    "opened before a void": of(abandoned, opened_before_end),
    "opened before an end that the rules give": of(whole, lambda d: opened_before_end(d, actor=d.lines[-1].parts[6])),
    "opened in the middle": of(
        played,
        lambda d: d.change("MatchCreated", ends_open=True),
        lambda d: d.add("Scored", {"seat": 0, "score": 9}),
    ),
    "opened, and nothing ends": of(resigned, lambda d: _opened_and(d, lambda d: _key(d, 0))),
    "opened, and the wrong seat won": of(resigned, lambda d: _opened_and(d, lambda d: d.end("resigned", 1))),
    "opened, and a seat left": of(
        resigned,
        lambda d: _opened_and(d, lambda d: d.add("SeatLeft", {"seat": 1, "reason": "resigned"}, actor=1, wait_ms=0)),
    ),
    "opened, and then an offer": of(resigned, lambda d: _opened_and(d, lambda d: _offer(d, 0, 1, {"is": "draw"}))),
    "opened behind an end": of(
        resigned,
        lambda d: opened_before_end(d, 0),
        lambda d: d.add("Scored", {"seat": 0, "score": 9}, actor=1, wait_ms=0),
    ),
    "that every end opens, said at its default": of(whole, lambda d: d.misshape("MatchCreated", ends_open=False)),
    "a seat leaves out of nothing": of(played, lambda d: d.add("SeatLeft", {"seat": 1, "reason": "resigned"})),
    "a forfeit won by the loser": of(forfeiting, lambda d: _forfeit(d, loser_wins=True)),
    "a forfeit that nobody won": of(forfeiting, lambda d: _forfeit(d, loser_wins=None)),
    "void and won": of(played, lambda d: d.end("void: abandoned", 0)),
    "void for a share nobody owes": of(waiting, lambda d: d.end("void: a share of chance was never revealed")),
    "void for another reason": of(waiting, lambda d: d.end("void: rain")),
    "an end out of nothing": of(played, lambda d: d.end("more points", 0, "SK-06")),
    "an end without a rule": of(whole, lambda d: _within(d, "MatchEnded", "result", rule="")),
    "won by no seat": of(whole, lambda d: _within(d, "MatchEnded", "result", winner=7)),
    "won by one of several": of(whole, lambda d: _within(d, "MatchEnded", "result", winner=None, winners=[0])),
    "won by several and by one": of(whole, lambda d: _within(d, "MatchEnded", "result", winner=0, winners=[0, 1])),
    "won in disorder": of(whole, lambda d: _within(d, "MatchEnded", "result", winner=None, winners=[1, 0])),
    "ranked twice": of(whole, lambda d: _within(d, "MatchEnded", "result", ranking=[[0], [0, 1]])),
    "a place for nobody": of(whole, lambda d: _within(d, "MatchEnded", "result", ranking=[[0], [], [1]])),
    "a choice behind the end": of(whole, lambda d: add_choice(d, 0, 99)),
    "a key behind the end": of(whole, lambda d: _key(d, 0)),
    "rules changed behind the end": of(
        whole, lambda d: d.add("RulesChanged", {"was": "skirmish/1", "now": "skirmish/1"})
    ),
    "an end behind the end": of(resigned, lambda d: d.end("void: abandoned")),
    "a shuffle behind the end": of(
        whole,
        lambda d: d.add(
            "Shuffled",
            {"rule": "clock", "title": "Lot", "draw": 2, "size": 256},
            [(0, [])],
            cause=LAST_CHOICE,
            actor=d.lines[-1].parts[6],
        ),
    ),
}
TIMES: dict[str, Callable[[], Record]] = {
    "a time-out too short": of(timed(BANK), lambda d: _time_out(d, wait_ms=50_000)),
    "a time-out of a seat that has its time again": of(
        returned,
        lambda d: _time_out(d, "default", 10_000, *_agreed_in(d)),
    ),
    "a choice when the time is over that was given back": of(
        returned, lambda d: add_choice(d, *_agreed_in(d), wait_ms=MINUTE)
    ),
    "a time-out by a millisecond too short": of(timed(FORFEIT), lambda d: _time_out(d, "forfeit", wait_ms=MINUTE - 1)),
    "a time-out for what is not open": of(timed(BANK), lambda d: _time_out(d, number=99)),
    "a time-out of the other seat": of(timed(BANK), lambda d: _time_out(d, seat=1 - asked_in(d)[0])),
    "a time-out that means something else": of(timed(BANK), lambda d: _time_out(d, "forfeit")),
    "a time-out without clocks": of(played, _time_out),
    "a time-out of which nothing comes": of(timed(BANK), _time_out, lambda d: _key(d, 0)),
    "an absence too short": of(timed(BANK), lambda d: _claim(d, 5 * MINUTE, wait_ms=4 * MINUTE)),
    "an absence less than agreed": of(timed(BANK), lambda d: _claim(d, MINUTE, wait_ms=2 * MINUTE)),
    "an absence where there is none": of(played, lambda d: _claim(d, 9 * MINUTE)),
    "an absence of who is not asked": of(timed(BANK), lambda d: _claim(d, 5 * MINUTE, absent=1 - asked_in(d)[0])),
    "an absence of oneself": of(
        timed(BANK), lambda d: _claim(d, 5 * MINUTE, absent=asked_in(d)[0], seat=asked_in(d)[0])
    ),
    "a vacation too long": of(timed(DAYS), lambda d: _vacation(d, 10 * MINUTE + 1)),
    "a vacation too short": of(timed(DAYS), lambda d: _vacation(d, 999)),
    "a second vacation too long": of(
        lambda: Match(2, DAYS).act(VacationTaken(ADA, length_ms=6 * MINUTE)), lambda d: _vacation(d, 11 * MINUTE)
    ),
    "a vacation where there is none": of(timed(BANK), lambda d: _vacation(d, 5000)),
    "back from no vacation": of(timed(DAYS), lambda d: d.add("VacationEnded", {"seat": 0}, actor=0)),
    "a lot of another size": of(timed(RANDOM), lambda d: _lot(d, size=255)),
    "a lot of another seat": of(timed(RANDOM), lambda d: _lot(d, seat=1 - asked_in(d)[0])),
    "a lot by another name": of(timed(RANDOM), lambda d: _lot(d, title="Deck")),
    "a choice by lot without a lot": of(
        timed(RANDOM), lambda d: _time_out(d, "random"), lambda d: add_choice(d, *asked_in(d), by="clock", actor=-1)
    ),
    "the server back after its own line": of(timed(BANK), lambda d: _returned(d, 100, 2000)),
    "the server gone before the line before": of(timed(BANK), lambda d: _returned(d, -100, 500)),
    "the server back before it was gone": of(timed(BANK), lambda d: _returned(d, 500, 400)),
    "the server back without clocks": of(played, lambda d: _returned(d, 100, 500)),
    "going on before the pause is over": of(paused, lambda d: d.add("MatchResumed", {}, wait_ms=MINUTE - 1)),
    "a time-out in a pause": of(
        lambda: Match(2, BANK).act(Offered(ADA, number=1, terms=Pause(9 * MINUTE)), Agreed(BO, number=1)),
        _time_out,
    ),
    "two hints for one decision": of(hinted, lambda d: _hint(d, *asked_in(d))),
    "a hint for what was answered": of(lambda: Match(4, hints=True), lambda d: _hint(d, 0, 1)),
    "a hint for the other's decision": of(
        lambda: Match(2, hints=True), lambda d: _hint(d, 1 - asked_in(d)[0], asked_in(d)[1])
    ),
    "a hint where none were agreed on": of(played, lambda d: _hint(d, *asked_in(d))),
    "a hint in a pause": of(
        lambda: Match(2, hints=True).act(Offered(ADA, number=1, terms=Pause(MINUTE)), Agreed(BO, number=1)),
        lambda d: _hint(d, *asked_in(d)),
    ),
}
ADMINISTRATION: dict[str, Callable[[], Record]] = {
    "a seat's secret opened to everybody": of(played, _disclose),
    "nothing opened to everybody": of(played, lambda d: d.add("SecretsOpened", {"slots": []})),
    "a key chain announced early": of(played, lambda d: _anchor(d, 4096)),
    "a key chain announced out of its row": of(played, lambda d: _anchor(d, 0)),
    "a key by another": of(played, lambda d: d.add("SeatKeyed", {"seat": 0, "key": KEY}, actor=1)),
    "a key of a bot": of(against_a_bot, lambda d: d.add("SeatKeyed", {"seat": 1, "key": KEY}, actor=1)),
    "a key that follows from a choice": of(
        played, lambda d: d.add("SeatKeyed", {"seat": 0, "key": KEY}, actor=0, cause=LAST_CHOICE)
    ),
    "an act that follows from a choice": of(
        played, lambda d: d.add("Resigned", {"seat": 0}, actor=0, cause=LAST_CHOICE)
    ),
    "rules changed by a choice": of(
        played, lambda d: d.add("RulesChanged", {"was": "skirmish/1", "now": "skirmish/1"}, cause=LAST_CHOICE)
    ),
    "an act by another": of(played, lambda d: d.add("Resigned", {"seat": 0}, actor=1)),
    "a branch in the middle": of(
        played, lambda d: d.add("BranchOpened", {"match": "A" * 22, "line": 1, "head": "A" * 43, "eyes": "all"})
    ),
    "a scenario in the middle": of(played, lambda d: d.add("ScenarioOpened", {"title": "X"})),
    "a position out of nothing": of(played, lambda d: d.add("PositionSet", {"view": {}}, [(0, {})])),
    "a seat told out of nothing": of(played, lambda d: d.add("SeatBriefed", {"seat": 0}, [(1, {})])),
    "a bot out of nothing": of(played, lambda d: d.add("SeatReplaced", {"seat": 0, "bot": "random"})),
    "a consequence without its cause": of(played, lambda d: d.find("CardShown").parts.__setitem__(7, "")),
    "a choice with a cause": of(played, lambda d: d.find("Chosen", -1).parts.__setitem__(7, LAST_CHOICE)),
    "an acknowledgement of what is to come": of(played, lambda d: d.change("Chosen", ack_seq=900, ack_head="A" * 43)),
    "a head of no line acknowledged": of(played, lambda d: d.change("Chosen", ack_head="A" * 43)),
    "a shuffle numbered otherwise": of(played, lambda d: d.change("Shuffled", draw=2)),
}


def host_ended() -> Match:
    """The host gives a match under way to the second seat."""
    return Match(3).act(OperatorRuled("They agreed by mail.", (BO,)))


def host_voided(moves: int = 3) -> Match:
    return Match(moves).act(OperatorRuled("The server failed.", void=True))


def _host(draft: Draft, **fields: Any) -> None:
    draft.add("OperatorRuled", {"why": "So be it.", **fields})


HOST: dict[str, Callable[[], Record]] = {
    "ended by the host for no reason": of(host_ended, lambda d: d.change("OperatorRuled", why="")),
    "ended by the host for a reason too long": of(host_ended, lambda d: d.change("OperatorRuled", why="x" * 201)),
    "ended by the host for the wrong seat": of(host_ended, lambda d: d.change("OperatorRuled", winners=[0])),
    "ended by the host for a seat there is not": of(host_ended, lambda d: d.change("OperatorRuled", winners=[2])),
    "ended by the host for a seat below the first": of(played, lambda d: _host(d, winners=[-1])),
    "ended by the host for all": of(host_ended, lambda d: d.change("OperatorRuled", winners=[0, 1])),
    "ended by the host for one seat twice": of(host_ended, lambda d: d.change("OperatorRuled", winners=[1, 1])),
    "ended by the host before the beginning": of(waiting, _host, lambda d: d.end("ended by the host")),
    "ended by the host, under a rule": of(host_ended, lambda d: _within(d, "MatchEnded", "result", rule="SK-06")),
    "ended by the host, and nothing ends": of(played, _host, lambda d: _key(d, 0)),
    "ended by the host, by a seat": of(
        played, lambda d: d.add("OperatorRuled", {"why": "So."}, actor=0), lambda d: d.end("ended by the host")
    ),
    "ended by the host out of nothing": of(host_ended, lambda d: d.drop("OperatorRuled")),
    "ended by the host behind the end": of(whole, _host),
    "ended by the host by a choice": of(played, lambda d: d.add("OperatorRuled", {"why": "So."}, cause=LAST_CHOICE)),
    "ended by the host while the rules have to ask": of(
        played, lambda d: d.drop("DecisionsOpened", -1), _host, lambda d: d.end("ended by the host")
    ),
    "void by the host and won": of(host_voided, lambda d: d.change("OperatorRuled", winners=[0])),
    "void by the host out of nothing": of(host_voided, lambda d: d.drop("OperatorRuled")),
    "void by the host's other line": of(host_voided, lambda d: d.change("OperatorRuled", void=False)),
    "void by the host for a share of chance": of(
        host_voided,
        lambda d: _within(d, "MatchEnded", "result", reason="void: a share of chance was never revealed"),
    ),
    "opened before a void by the host": of(host_voided, lambda d: opened_before_end(d, actor=-1)),
    "an unknown field in the host's line": of(host_ended, lambda d: d.misshape("OperatorRuled", more=1)),
}
FORGERIES: dict[str, Callable[[], Record]] = {
    **SHAPES,
    **RULES,
    **BEGINNING,
    **DECISIONS,
    **OFFERS,
    **ENDS,
    **TIMES,
    **ADMINISTRATION,
    **persons.FORGERIES,
    **ahead.FORGERIES,
    **HOST,
}
"""The faults that every verifier finds in every view."""

VIEWS: dict[str, Viewer | None] = {"all": None, "spectator": SPECTATOR, "seat0": Viewer(ADA), "seat1": Viewer(BO)}
HONEST: dict[str, Callable[[], Match]] = {
    "played": played,
    "whole": whole,
    "paused": paused,
    "offered": offered,
    "against a bot": against_a_bot,
    "taken back": taken_back,
    "taken back with clocks": returned,
    "chosen in time that was given back": thought_anew,
    "resigned": resigned,
    "ended by the host": host_ended,
    "void by the host": host_voided,
    "void by the host before a choice": lambda: host_voided(0),
    "hinted": hinted,
    "waiting": waiting,
    **{f"{one.kind} {one.on_timeout}": timed(one) for one in (BANK, FORFEIT, RANDOM, DAYS)},
}
"""Matches in which nothing is wrong, and from which the forgeries are made."""
