"""Matches with other beginnings, and draws: honest ones, and forgeries of shares, keys, faces and positions."""

import random
from collections.abc import Callable
from typing import Any, Final, Literal

from domain.kernel import Seat
from domain.kernel.events import (
    AbsenceClaimed,
    Agreed,
    MatchResumed,
    Offered,
    ServerReturned,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.history import pauses
from domain.kernel.table import Pause, Replace, TakeBack, TimeControl
from replay.files import export
from replay.files.export import Record
from replay.playback.branch import beginning, trunk_of
from replay.record import dealt_chance, keychain, sealing
from replay.record.creation import Beginning, create_match
from replay.record.preparation import Preparation
from replay.record.seat_proof import REVEAL_MS
from replay.record.uniform import UniformNumbers
from replay.scenarios.format import parse
from replay.scenarios.opening import opening
from replay.store.seats import SeatRow
from tests.replay.dealt import COMMITMENT, EVENT, played_at
from tests.replay.drafts import Draft, Match
from tests.replay.matches import START, put
from tests.replay.structural import add_choice
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
MINUTE: Final = 60_000
SHARES: Final = (b"a" * 32, b"b" * 32)
LONG: Final = b"k" * 33
Gain = Literal["increment", "all", "returned"]
"""The time that a takeback takes and gives back."""
GAINS: Final[tuple[Gain, ...]] = ("increment", "all", "returned")
LEFT: Final = tuple((gain, seat, left) for gain in GAINS for seat, left in ((ADA, 39_000), (BO, 34_000)))
"""What each seat has left in ms after the takeback of `_taken_back`."""
SCENARIO: Final = """
title = "The second round"
game = "skirmish"
at = "SK-02"
[position]
round = 2
hands = [[3, 6], [2, 5]]
scores = [1, 0]
seen = [1, 4]
"""
FORFEIT: Final = TimeControl("decision", MINUTE, on_timeout="forfeit")
DAYS: Final = TimeControl("days", 60 * MINUTE, vacation_ms=10 * MINUTE)
AWAY: Final = TimeControl("bank", 10 * MINUTE, absence_ms=2 * MINUTE)


def _fixed(*givers: Seat) -> Match:
    """Seats that have fixed a share of chance themselves; the server has fixed the others."""
    match = Match(begins=False)
    for seat in givers:
        commitment = sealing.b64(keychain.entropy_commitment(SHARES[seat]))
        put(match.store, match.referee, Preparation(match.referee).commit_entropy(seat, commitment, START))
    left = Preparation(match.referee).fix_entropy(START)
    if left is not None:
        put(match.store, match.referee, left)
    return match


def _given() -> Match:
    match = _fixed(ADA, BO)
    for seat in (ADA, BO):
        put(
            match.store,
            match.referee,
            Preparation(match.referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START),
        )
    put(match.store, match.referee, Preparation(match.referee).begin(START))
    match.choose(4)
    return match


def _void() -> Match:
    match = _fixed(BO)
    put(match.store, match.referee, Preparation(match.referee).void(START + REVEAL_MS))
    return match


def _branch() -> Match:
    """A branch, played on, of a match with which it is not compared."""
    parent = Match(3)
    trunk = trunk_of(GAME, export.from_store(parent.store, parent.referee.match))
    begin = beginning(GAME, trunk, pauses(GAME, trunk.events)[1], None, random.Random(1).randrange)
    return _from(begin, {})


def _scenario() -> Match:
    """A match that begins in a position that somebody wrote."""
    opened = opening(GAME, parse(SCENARIO))
    return _from(opened.beginning, opened.options)


def _given_up() -> Match:
    """A position from which the rules could not go on."""
    match = _scenario()
    put(match.store, match.referee, match.referee.give_up(match.now()))
    return match


def _from(begin: Beginning[Any], options: dict[str, Any]) -> Match:
    """A match from a position, played on."""
    match = Match(begins=False)
    match.referee, creation = create_match(GAME, options, ("", ""), at=START, beginning=begin)
    rows = tuple(SeatRow(seat, "", "person") for seat in range(2))
    match.store.create(creation.header, creation.keys, rows, creation.ruling.commit)
    match.referee.accept(creation.ruling)
    for seat in (ADA, BO):
        put(match.store, match.referee, Preparation(match.referee).take_seat(seat, f"P{seat}", "person", START))
    put(match.store, match.referee, Preparation(match.referee).begin(START))
    match.choose(3)
    return match


def _taken_back(gain: Gain) -> Match:
    """A card that was chosen after 21 s of a minute, and gained 5 s, is taken back at 26 s."""
    match = Match(0, TimeControl("bank", MINUTE, 5_000, taken_back=gain))
    line = pauses(GAME, match.past())[0]
    match.at += 20_000
    match.choose(1, ADA)
    return match.act(Offered(ADA, number=1, terms=TakeBack(line)), wait_ms=5_000)


def _in_time(gain: Gain, seat: Seat, left_ms: int) -> Callable[[], Record]:
    """A choice a millisecond before its seat's time is over."""

    def made() -> Record:
        match = _taken_back(gain)
        match.at += left_ms - 1001
        match.choose(1, seat)
        return match.draft().done()

    return made


def _late(gain: Gain, seat: Seat, left_ms: int) -> Callable[[], Record]:
    """A choice at the moment at which its seat's time is over."""

    def made() -> Record:
        draft = _taken_back(gain).draft()
        asked = draft.find("PositionSet").fields["view"]["asked"]
        number = next(one["number"] for one in asked if one["seat"] == seat)
        add_choice(draft, seat, number, wait_ms=left_ms)
        return draft.done()

    return made


def _dealt() -> Record:
    store, referee = played_at(3)
    return export.from_store(store, referee.match)


def _both_forfeit() -> Match:
    match = Match(0, FORFEIT)
    seat, number = match.asked
    return match.act(TimeRanOut(Seat(seat), number, "forfeit"), wait_ms=MINUTE)


def _resumed() -> Match:
    match = Match(2, DAYS).act(Offered(ADA, number=1, terms=Pause(MINUTE)), Agreed(BO, number=1))
    match.act(MatchResumed(), wait_ms=MINUTE)
    match.choose(1)
    return match


def _on_vacation() -> Match:
    """A second vacation takes the place of the first; what is left of it is given back when it ends."""
    match = Match(2, DAYS)
    seat = Seat(match.asked[0])
    match.act(VacationTaken(seat, length_ms=8 * MINUTE)).act(VacationTaken(seat, length_ms=9 * MINUTE), wait_ms=MINUTE)
    return match.act(VacationEnded(seat)).act(VacationTaken(seat, length_ms=8 * MINUTE + 59_000))


def _claimed() -> Match:
    match = Match(2, AWAY)
    away = Seat(match.asked[0])
    return match.act(AbsenceClaimed(Seat(1 - away), absent=away, absent_ms=2 * MINUTE), wait_ms=2 * MINUTE)


def _last_asked_again() -> Match:
    """The seat that chose last is asked, and has been away since."""
    while True:
        match = Match(2, AWAY)
        if match.asked[0] == BO:
            return match


def _replaced() -> Match:
    match, away = _last_asked_again(), BO
    return match.act(Offered(Seat(1 - away), number=1, terms=Replace(away, absent_ms=2 * MINUTE)), wait_ms=2 * MINUTE)


def _returned() -> Match:
    match = Match(2, AWAY)
    match.act(ServerReturned(match.at + 1000, match.at + 100 * MINUTE), wait_ms=101 * MINUTE)
    match.choose(1)
    return match


def of(match: Callable[[], Match | Record], *forges: Callable[[Draft], object]) -> Callable[[], Record]:
    """An honest match, forged where something is to be forged."""

    def made() -> Record:
        found = match()
        draft = found.draft() if isinstance(found, Match) else Draft(found)
        for forge in forges:
            forge(draft)
        return draft.done()

    return made


def _first(draft: Draft, **changed: Any) -> None:
    draft.misshape("MatchCreated", **changed)


def _long_share(draft: Draft) -> None:
    draft.change("EntropyCommitted", commitment=sealing.b64(keychain.entropy_commitment(LONG)))
    draft.change("EntropyRevealed", entropy=sealing.b64(LONG))


def _too_early(draft: Draft) -> None:
    """A share is revealed before the other one is fixed."""
    share = draft.find("EntropyRevealed")
    draft.lines.remove(share)
    draft.lines.insert(draft.lines.index(draft.find("EntropyCommitted", 1)), share)


def _other_faces(draft: Draft) -> None:
    roll = draft.find("DiceRolled")
    roll.fields["dice"] = [face % 6 + 1 for face in roll.fields["dice"]]


def _long_key(draft: Draft) -> None:
    """A key of 33 bytes where chance is dealt, and the faces that it gives."""
    roll = draft.find("DiceRolled")
    drawn = UniformNumbers(LONG, dealt_chance.dealt_mix(EVENT, COMMITMENT), 1)
    roll.fields["dice"] = [drawn.below(roll.fields["sides"]) + 1 for _ in roll.fields["dice"]]
    roll.fields["key"] = sealing.b64(LONG)


def _dealt_as(draft: Draft, field: str) -> None:
    draft.misshape("MatchCreated", dealt={**draft.find("MatchCreated").fields["dealt"], field: sealing.b64(LONG)})


def _dropped_from_chosen(draft: Draft) -> None:
    """The choice is removed, the end is not."""
    del draft.lines[draft.lines.index(draft.find("Chosen")) : -1]


def _dropped(kind: str, place: int = 0) -> Callable[[Draft], None]:
    return lambda draft: draft.drop(kind, place)


def _at(draft: Draft, kind: str, less_ms: int) -> None:
    """Everything from a line on, moved earlier by a time."""
    for line in draft.lines[draft.lines.index(draft.find(kind)) :]:
        line.parts[3] -= less_ms


def _won(draft: Draft, winner: int) -> None:
    line = draft.find("MatchEnded")
    line.fields["result"] = {**line.fields["result"], "winner": winner}


HONEST: dict[str, Callable[[], Record]] = {
    "shares of chance by both seats": of(_given),
    "void for a share of chance": of(_void),
    "dealt": of(_dealt),
    "a branch": of(_branch),
    "a scenario": of(_scenario),
    "a scenario given up": of(_given_up),
    **{f"taken back, {one[0]}, seat {one[1]} a millisecond in time": _in_time(*one) for one in LEFT},
    "both out of time at once": of(_both_forfeit),
    "resumed": of(_resumed),
    "on vacation": of(_on_vacation),
    "claimed after absence": of(_claimed),
    "a bot for one who is away": of(_replaced),
    "the server returned": of(_returned),
}
"""Honest matches, each with something that stands in no other vector."""
FORGERIES: dict[str, Callable[[], Record]] = {
    "no anchor": of(_given, lambda d: d.find("MatchCreated").fields.pop("anchor")),
    "an anchor of 33 bytes": of(_given, lambda d: _first(d, anchor=sealing.b64(LONG))),
    "what fixes hidden draws, of 33 bytes": of(_given, lambda d: _first(d, hidden=sealing.b64(LONG))),
    "a share of chance by nobody": of(_given, lambda d: d.change("EntropyCommitted", by="me")),
    "a share of chance by nobody, in the server's line": of(Match, lambda d: d.change("EntropyCommitted", by="me")),
    "a share of chance of 33 bytes": of(_given, _long_share),
    "another share than was fixed": of(_given, lambda d: d.change("EntropyRevealed", entropy=sealing.b64(b"x" * 32))),
    "a share of chance fixed twice": of(_given, lambda d: d.change("EntropyCommitted", 1, seat=0)),
    "a share revealed before all are fixed": of(_given, _too_early),
    "play begun before all shares are revealed": of(_given, _dropped("EntropyRevealed", 1)),
    "other faces": of(_given, _other_faces),
    "a key that is not in the chain": of(_given, lambda d: d.change("DiceRolled", key=sealing.b64(b"x" * 32))),
    "a roll numbered otherwise": of(_given, lambda d: d.change("DiceRolled", draw=2)),
    "void a millisecond too early": of(_void, lambda d: _at(d, "MatchEnded", 1)),
    "void though all shares are the server's": of(
        _void,
        lambda d: d.change("EntropyCommitted", by="server"),
        lambda d: d.find("EntropyCommitted").parts.__setitem__(6, -1),
    ),
    "a share where chance is dealt": of(
        _dealt,
        lambda d: d.add(
            "EntropyCommitted",
            {"seat": 0, "commitment": sealing.b64(LONG[1:]), "by": "server"},
            wait_ms=0,
            before=d.find("MatchBegun"),
        ),
    ),
    "dealt by an event of 33 bytes": of(_dealt, lambda d: _dealt_as(d, "event")),
    "dealt by a seed that 33 bytes fix": of(_dealt, lambda d: _dealt_as(d, "commitment")),
    "a key of 33 bytes where chance is dealt": of(_dealt, _long_key),
    "a roll for a seat that there is not": of(_dealt, lambda d: d.change("DiceRolled", seat=300)),
    "a shuffle for a seat that there is not": of(_dealt, lambda d: d.change("Shuffled", seat=-1)),
    "a roll for a third seat of two": of(_given, lambda d: d.change("DiceRolled", seat=2)),
    "other faces where chance is dealt": of(_dealt, _other_faces),
    "a seat that is neither a person's nor a bot's": of(_given, lambda d: d.change("SeatTaken", kind="cat")),
    "a branch whose position is not set": of(_branch, _dropped("PositionSet")),
    "a branch of which a seat is not told": of(_branch, _dropped("SeatBriefed", 1)),
    "a branch at a line of its own": of(_branch, lambda d: d.change("PositionSet", line=1)),
    "a choice in a branch before play": of(
        _branch, lambda d: d.lines.insert(6, d.lines.pop(d.lines.index(d.find("Chosen"))))
    ),
    "a scenario whose position is not set": of(_scenario, _dropped("PositionSet")),
    "a scenario of which a seat is not told": of(_scenario, _dropped("SeatBriefed", 0)),
    "a scenario told to the seats in another order": of(_scenario, lambda d: d.lines.insert(2, d.lines.pop(3))),
    "a scenario at a line of its own": of(_scenario, lambda d: d.change("PositionSet", line=1)),
    "a scenario in the third line": of(_scenario, lambda d: d.lines.insert(2, d.lines.pop(1))),
    "a scenario with a title that is none": of(_scenario, lambda d: d.misshape("ScenarioOpened", title=3)),
    "two scenarios": of(
        _scenario, lambda d: d.add("ScenarioOpened", {"title": "X"}, before=d.find("SeatBriefed"), wait_ms=0)
    ),
    "questions anew where a scenario asks": of(
        _scenario,
        lambda d: d.add(
            "DecisionsOpened",
            {"asked": d.find("PositionSet").fields["view"]["asked"]},
            [(0, [])],
            before=d.find("Chosen"),
            wait_ms=0,
        ),
    ),
    "given up before play": of(_given_up, lambda d: d.drop("MatchBegun"), _dropped_from_chosen),
    "given up and won": of(_given_up, lambda d: _won(d, 1)),
    "given up in a branch": of(_branch, lambda d: d.end("void: the rules cannot go on from this position")),
    "given up where no scenario is": of(Match, lambda d: d.end("void: the rules cannot go on from this position")),
    **{f"taken back, {one[0]}, seat {one[1]} a millisecond too late": _late(*one) for one in LEFT},
    "both out of time, and one wins": of(_both_forfeit, lambda d: _won(d, 1)),
    "claimed for longer than the seat was away": of(
        _claimed, lambda d: d.change("AbsenceClaimed", absent_ms=3 * MINUTE)
    ),
    "a bot a millisecond too early": of(_replaced, lambda d: _at(d, "Offered", 1)),
    "resumed a millisecond too early": of(_resumed, lambda d: _at(d, "MatchResumed", 1)),
    "a vacation a millisecond too long": of(
        _on_vacation, lambda d: d.change("VacationTaken", 2, length_ms=8 * MINUTE + 59_001)
    ),
}
"""The faults that every verifier finds in every view of these matches."""
