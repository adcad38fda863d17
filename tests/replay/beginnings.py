"""Matches that begin otherwise, and draws: honest ones, and forgeries of shares, keys, faces and positions."""

import random
from collections.abc import Callable
from typing import Any, Final

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
from domain.kernel.table import Pause, Replace, TimeControl
from replay.files import export
from replay.files.export import Record
from replay.playback.branch import beginning, trunk_of
from replay.record import dealt_chance, keychain, sealing
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.seat_proof import REVEAL_MS
from replay.record.uniform import UniformNumbers
from replay.store.seats import SeatRow
from tests.replay.dealt import COMMITMENT, EVENT, played_at
from tests.replay.drafts import Draft, Match
from tests.replay.matches import START, put
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
MINUTE: Final = 60_000
SHARES: Final = (b"a" * 32, b"b" * 32)
LONG: Final = b"k" * 33
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
    """A branch of a match that it is not compared with, played on."""
    parent = Match(3)
    trunk = trunk_of(GAME, export.from_store(parent.store, parent.referee.match))
    begin = beginning(GAME, trunk, pauses(GAME, trunk.events)[1], None, random.Random(1).randrange)
    match = Match(begins=False)
    match.referee, creation = create_match(GAME, {}, ("", ""), at=START, beginning=begin)
    rows = tuple(SeatRow(seat, "", "person") for seat in range(2))
    match.store.create(creation.header, creation.keys, rows, creation.ruling.commit)
    match.referee.accept(creation.ruling)
    for seat in (ADA, BO):
        put(match.store, match.referee, Preparation(match.referee).take_seat(seat, f"P{seat}", "person", START))
    put(match.store, match.referee, Preparation(match.referee).begin(START))
    match.choose(3)
    return match


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


def _replaced() -> Match:
    match = Match(2, AWAY)
    away = Seat(match.asked[0])
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


def _dropped(kind: str, place: int = 0) -> Callable[[Draft], None]:
    return lambda draft: draft.drop(kind, place)


def _at(draft: Draft, kind: str, less_ms: int) -> None:
    """Everything from a line on, so much earlier."""
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
"""What every verifier finds in every view of these matches."""
