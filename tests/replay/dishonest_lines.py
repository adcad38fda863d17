"""Lines that a dishonest server writes after the statements that its seats have signed, with every key of the match."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from domain.kernel import Agreed, Offered, Resigned, TakeBack, TimeControl
from domain.kernel.history import pauses
from domain.kernel.table import Draw
from replay.files.export import Held, Record
from replay.record import sealing
from replay.record.seat_proof import REVEAL_MS
from replay.record.signing import SeatKey
from tests.replay.dishonest import ADA, BO, Signing, another_key, fixed, in_form, rewritten
from tests.replay.hostile import dumps, sealed
from tests.replay.matches import START
from tests.skirmish.game import GAME

Slots = Sequence[tuple[int, bytes]]
Added = tuple[str, dict[str, Any], Slots, int, str]
"""A line: its type, payload, audiences and values of its slots, actor, cause."""
BOTH = 3


def played(choices: int = 2, control: TimeControl | None = None) -> Signing:
    match = Signing(control=control)
    match.choose(choices)
    return match


def with_line(
    match: Signing,
    kind: str,
    payload: dict[str, Any],
    slots: Slots = (),
    actor: int = -1,
    cause: str = "",
) -> Record:
    """The match with one more line."""
    return with_lines(match.record(), (kind, payload, slots, actor, cause))


def with_lines(record: Record, *lines: Added) -> Record:
    """A record with lines more; seals and heads are made for them."""
    record.result = None
    for kind, payload, slots, actor, cause in lines:
        last = json.loads(record.held[-1].line)
        seals = [[mask, sealing.b64(bytes(32))] for mask, _ in slots]
        line = [
            *last[:2],
            last[2] + 1,
            last[3] + 1000,
            kind,
            last[5],
            actor,
            cause,
            in_form(record.game, kind, payload),
            seals,
        ]
        record.held.append(Held(dumps(line), {slot: value for slot, (_, value) in enumerate(slots)}))
    return sealed(record)


def last_cause(record: Record) -> str:
    return next(sealing.choice_cause(held.line) for held in reversed(record.held) if b'"Chosen"' in held.line)


def ended(reason: str, winner: int | None = None) -> dict[str, Any]:
    return {"result": {"winner": winner, "reason": reason, "rule": ""}}


def chosen_twice() -> Record:
    """A statement that a seat signed once is in the record twice."""
    record = played(3).record()
    index = max(i for i, held in enumerate(record.held) if b'"Chosen"' in held.line)
    parts, held = json.loads(record.held[index].line), record.held[index]
    slots = [(mask, held.openings[slot]) for slot, (mask, _) in enumerate(parts[9])]
    return with_lines(record, ("Chosen", parts[8], slots, parts[6], ""))


def out_of_time(control: TimeControl | None, then: str, wait_ms: int = 0) -> Record:
    """A seat's time is said to be over in a match without clocks, too early, or with another end than agreed on."""
    match = played(control=control)
    asked = match.referee.state.asked[0]
    lines: list[Added] = [("TimeRanOut", {"seat": asked.seat, "number": asked.number, "then": then}, [], -1, "")]
    if then == "forfeit":
        lines.append(("MatchEnded", ended("out of time", 1 - asked.seat), [], -1, ""))
    record = with_lines(match.record(), *lines)
    if wait_ms:
        for i, held in enumerate(record.held[-len(lines) :], len(record.held) - len(lines)):
            parts = json.loads(held.line)
            parts[3] += wait_ms
            record.held[i] = Held(dumps(parts), held.openings)
    return sealed(record)


def void_before_all_are_fixed() -> Record:
    """Nobody could reveal a share, for the server fixed none."""
    match = Signing()
    fixed(match, (ADA,))
    record = match.record()
    del record.held[-1]  # the server's own commitment
    record = sealed(record)
    record = with_lines(record, ("MatchEnded", ended("void: a share of chance was never revealed"), [], -1, ""))
    parts = json.loads(record.held[-1].line)
    parts[3] = START + 2 * REVEAL_MS
    record.held[-1] = Held(dumps(parts), {})
    return sealed(record)


def taken_back_unasked() -> Record:
    """A takeback over the other seat's choice, to which it never agreed; no chance was spent."""
    match = Signing()
    line = pauses(GAME, match.past())[-1]
    match.choose(2)
    match.act(Offered(ADA, number=1, terms=TakeBack(line)))
    match.act(Agreed(BO, number=1))

    def unasked(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Agreed":
            another_key(parts, openings)
        if parts[4] == "OfferAccepted":
            parts[8]["agreed"] = []

    return rewritten(match.record(), unasked)


def put_elsewhere() -> Record:
    """The position is another one: as at the beginning of a branch, in the middle of a match."""
    match = played()
    view = {"round": 5}
    briefed = [("SeatBriefed", {"seat": seat}, [(1 << seat, dumps(view))], -1, "") for seat in (0, 1)]
    return with_lines(match.record(), *briefed, ("PositionSet", {"view": view, "line": 0}, [(0, dumps(view))], -1, ""))


def resigned_and_won() -> Record:
    """The seat that resigns wins."""
    match = played()
    match.act(Resigned(BO))

    def won(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "MatchEnded":
            parts[8]["result"]["winner"] = 1

    return rewritten(match.record(), won)


def resigned_and_played_on() -> Record:
    """A resignation from which nothing follows."""
    match = played()
    match.act(Resigned(BO))
    record = match.record()
    del record.held[-1]
    return with_lines(sealed(record), ("SeatKeyed", {"seat": 0, "key": SeatKey().public}, [], 0, ""))


def agreed_and_otherwise() -> Record:
    """A draw is agreed on, and one wins."""
    match = played()
    match.act(Offered(ADA, number=1, terms=Draw()))
    match.act(Agreed(BO, number=1))

    def won(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "MatchEnded":
            parts[8] = ended("morale", 0)

    return rewritten(match.record(), won)


def in_a_choice(change: Callable[[list[Any], dict[int, bytes]], None]) -> Record:
    """The last choice, changed."""
    record = played(3).record()
    last = max(i for i, held in enumerate(record.held) if b'"Chosen"' in held.line) + 1

    def one(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[2] == last:
            change(parts, openings)

    return rewritten(record, one)


def _open_to_all(parts: list[Any], openings: dict[int, bytes]) -> None:
    for seal in parts[9]:
        seal[0] = BOTH


def _unsealed(parts: list[Any], openings: dict[int, bytes]) -> None:
    parts[9] = []
    openings.clear()


def _by_the_other(parts: list[Any], openings: dict[int, bytes]) -> None:
    parts[6] = 1 - parts[6]


def follows_late() -> Record:
    """A line follows from a choice, with others between."""
    record = with_line(played(), "SeatKeyed", {"seat": 0, "key": SeatKey().public}, actor=0)
    return with_lines(record, ("MatchEnded", ended("morale", 0), [], 0, last_cause(record)))


def other_rules() -> Record:
    match = played()
    record = match.record()
    rules = json.loads(record.held[-1].line)[5]
    record = with_lines(record, ("RulesChanged", {"was": "other/7", "now": f"{rules}9"}, [], -1, ""))
    parts = json.loads(record.held[-1].line)
    parts[5] = f"{rules}9"
    record.held[-1] = Held(dumps(parts), {})
    return sealed(record)


QUICK = TimeControl("decision", 60_000)
LINES: dict[str, tuple[Callable[[], Record], str]] = {
    "a choice twice": (chosen_twice, "twice"),
    "out of time without clocks": (partial(out_of_time, None, "default"), "time"),
    "out of time too early": (partial(out_of_time, QUICK, "default"), "time"),
    "out of time otherwise than agreed": (partial(out_of_time, QUICK, "forfeit", 10**6), "time"),
    "void before all shares are fixed": (void_before_all_are_fixed, "void"),
    "taken back over another's choice": (taken_back_unasked, "without seat 1"),
    "another position": (put_elsewhere, "position"),
    "who resigns wins": (resigned_and_won, "follows"),
    "resigned, and nothing follows": (resigned_and_played_on, "follow"),
    "a draw agreed on, and won": (agreed_and_otherwise, "follows"),
    "a draw that nobody agreed to": (lambda: with_line(played(), "MatchEnded", ended("draw agreed")), "ends"),
    "an end out of nothing": (lambda: with_line(played(), "MatchEnded", ended("morale", 0)), "ends"),
    "a pause that nobody agreed to": (lambda: with_line(played(), "MatchPaused", {"length_ms": 5000}), "agreed"),
    "going on from no pause": (lambda: with_line(played(), "MatchResumed", {}), "pause"),
    "clocks set in the middle": (
        lambda: with_line(played(), "ClocksSet", {"control": {"kind": "decision", "limit_ms": 1000}}),
        "time control",
    ),
    "a choice open to all": (lambda: in_a_choice(_open_to_all), "3"),
    "a choice without slots": (lambda: in_a_choice(_unsealed), "slots"),
    "a choice by the other seat's hand": (lambda: in_a_choice(_by_the_other), "by"),
    "the match created again": (
        lambda: with_line(played(), "MatchCreated", json.loads(played().record().held[0].line)[8]),
        "MatchCreated",
    ),
    "play begun again": (lambda: with_line(played(), "MatchBegun", {}), "begun"),
    "a branch in the middle": (
        lambda: with_line(played(), "BranchOpened", {"match": "A" * 22, "line": 1, "head": "A" * 43, "eyes": "all"}),
        "branch",
    ),
    "a seat told anew": (lambda: with_line(played(), "SeatBriefed", {"seat": 0}, [(1, b"{}")]), "position"),
    "rules changed from others": (other_rules, "rules"),
    "a consequence too late": (follows_late, "cause"),
    "a consequence of no choice": (
        lambda: with_line(played(), "MatchEnded", ended("morale", 0), cause="A" * 22),
        "cause",
    ),
}
"""Records with lines that no signature and no rule of the record justifies, and the verdict of every verifier."""
