"""Forgeries that a view cannot show, for each row of that table in docs/auditing.md, and the views that show them."""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import msgspec

from domain.joan_of_arc import GAME as JOAN
from domain.kernel import Agreed, Chosen, Offered, Resigned, Seat, TakeBack, TimeControl
from domain.kernel.events import AbsenceClaimed, ServerReturned, TimeRanOut
from replay.files.export import Record
from replay.record import sealing
from replay.record.preparation import Preparation
from tests.replay import persons
from tests.replay.dishonest import Signing, rewritten
from tests.replay.drafts import Draft, Match
from tests.replay.matches import put
from tests.replay.structural import (
    ADA,
    BANK,
    BO,
    MINUTE,
    RANDOM,
    asked_in,
    drawn,
    of,
    opened_before_end,
    played,
    resigned,
    six,
    taken_back,
    timed,
    whole,
)
from tests.skirmish.game import Take

Forge = Callable[[], Record]
EVERYTHING: Final = ("all",)


class Untold(NamedTuple):
    """Forgeries of a row, by name; the views in which an audit that has the game finds them, and the libraries do."""

    forgeries: dict[str, Forge]
    audit: tuple[str, ...] = EVERYTHING
    libraries: tuple[str, ...] = ()


def _result(draft: Draft, **changed: Any) -> None:
    line = draft.find("MatchEnded")
    line.fields["result"] = {**line.fields["result"], **changed}
    line.as_it_is = True


def _other_winner(draft: Draft) -> None:
    _result(draft, winner=1 - (draft.find("MatchEnded").fields["result"]["winner"] or 0))


def _asked(draft: Draft, **changed: Any) -> None:
    draft.find("DecisionsOpened", -1).fields["asked"][0].update(changed)


def _other_seat_asked(draft: Draft) -> None:
    seat, _ = asked_in(draft)
    _asked(draft, seat=1 - seat, terms={"by": 1 - seat})


def pursuing(control: TimeControl | None = None) -> Match:
    """One seat alone is asked."""
    while True:
        match = Match(2, control)
        if [asked.kind for asked in match.referee.state.asked] == ["Pursuit"]:
            return match


def _out_of_time(control: TimeControl) -> Callable[[], Match]:
    """Somebody's time is over, and the clock answers."""

    def made() -> Match:
        match = pursuing(control)
        seat, number = match.asked
        then: Literal["random", "default"] = "random" if control.on_timeout == "random" else "default"
        return match.act(TimeRanOut(Seat(seat), number, then), wait_ms=10 * MINUTE)

    return made


def _another(answer: bytes) -> bytes:
    """Another choice of the question that one answers."""
    cards = [b'{"is":"play","card":%d}' % card for card in range(1, 7)]
    choices = cards if b"play" in answer else [b'{"is":"press"}', b'{"is":"take"}']
    return next(one for one in choices if one != answer)


def _other_answer(draft: Draft) -> None:
    openings = draft.find("Chosen", -1).openings
    openings[0] = _another(openings[0])


def signed_otherwise() -> Record:
    """A seat signed one choice, and the record has another."""
    match = Signing()
    match.choose(2)
    last = max(entry.seq for entry in match.store.read(match.referee.match) if entry.type == "Chosen")

    def other(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[2] == last:
            openings[0] = _another(openings[0])

    return rewritten(match.record(), other)


def _claimed_by_nobody() -> Record:
    """A seat signs bytes that commit to no person."""
    match, _ = persons.claimed()
    fields = persons.signed(match, BO, sealing.b64(b"x" * sealing.KEY_BYTES))
    match.put(Preparation(match.referee).claim_seat(BO, fields["commitment"], fields["signature"], match.now()))
    return match.record()


def unasked() -> Record:
    """A choice that all have learnt of is taken back, and the other seat was not asked."""
    match = pursuing()
    referee, line = match.referee, match.referee.seq
    asked = referee.state.asked[0]
    note = Chosen(asked.seat, asked.number, "take")
    put(match.store, referee, referee.choose(asked.seat, asked.number, Take(), note, match.now()))
    match.act(Offered(asked.seat, number=1, terms=TakeBack(line)), Agreed(Seat(1 - asked.seat), number=1))
    draft = match.draft()
    draft.drop("Agreed")
    accepted = draft.lines.index(draft.find("OfferAccepted"))
    draft.change("OfferAccepted", agreed=[])
    for one in draft.lines[accepted:]:
        one.parts[6] = asked.seat if one.parts[6] == 1 - asked.seat else one.parts[6]
    return draft.done()


def another_side() -> Record:
    """Two of one side are out, and with the other side one of theirs is said to have won."""
    match = Match(0, kinds=("person",) * 4, game=JOAN, options={"seats": 4})
    match.act(Resigned(Seat(0)))
    partner = next(seat for side in JOAN.sides_of({"seats": 4}) if ADA in side for seat in side if seat != ADA)
    match.act(Resigned(partner))
    draft = match.draft()
    won = draft.find("MatchEnded").fields["result"]["winners"]
    _result(draft, winners=sorted([0, *won]))
    return draft.done()


def _made_up(draft: Draft) -> None:
    draft.add("Resigned", {"seat": 1}, actor=1)
    draft.end("resigned", 0)


def _claimed() -> Match:
    match = timed(BANK)()
    seat, _ = match.asked
    claim = AbsenceClaimed(Seat(1 - seat), absent=Seat(seat), absent_ms=6 * MINUTE)
    return match.act(claim, wait_ms=30 * MINUTE)


def _back() -> Match:
    match = timed(BANK)()
    at = match.at
    return match.act(ServerReturned(at + 100, at + 5000), wait_ms=6000)


def _view(draft: Draft) -> None:
    view = draft.find("PositionSet").fields["view"]
    view["scores"] = [3, 3]


def _told(draft: Draft) -> None:
    line = draft.find("SeatBriefed")
    line.openings[0] = msgspec.json.encode({**msgspec.json.decode(line.openings[0]), "scores": [3, 3]})


ROWS: Final[dict[str, Untold]] = {
    "another outcome of a choice: a score, a hit, a card that was shown": Untold(
        {
            "another score": of(six, lambda d: d.change("Scored", -1, score=9)),
            "another card shown": of(played, lambda d: d.change("CardShown", card=7)),
        }
    ),
    "another winner, where the rules end the match": Untold({"another winner by the rules": of(whole, _other_winner)}),
    "lines before an end that open what the rules do not open there": Untold(
        {
            "a line before an end, of a game that opens nothing": of(resigned, opened_before_end),
            "lines before an end that was agreed": of(drawn, lambda d: opened_before_end(d, 2)),
        }
    ),
    "other questions than the rules ask, to other seats": Untold(
        {
            "another question": of(played, lambda d: _asked(d, kind="Pursuit")),
            "another seat asked": of(lambda: Match(2), _other_seat_asked),
            "another stack": of(played, lambda d: d.find("DecisionsOpened").openings.update({0: b"[]"})),
        }
    ),
    "a choice by the clock or the rules that is not the default": Untold(
        {"another answer of the clock": of(_out_of_time(BANK), _other_answer)}
    ),
    "a choice by lot that the lot does not give": Untold(
        {"another answer by lot": of(_out_of_time(RANDOM), _other_answer)}
    ),
    "a choice in slot 0 that is not what the seat signed in slot 1": Untold(
        {
            "another choice than was signed": signed_otherwise,
            "another choice": of(
                played, lambda d: d.find("Chosen", -1).openings.update({0: b'{"is":"take","card":99}'})
            ),
        }
    ),
    "another hand, deck or order than the shuffle gives": Untold(
        {
            "another hand": of(played, lambda d: d.find("HandDealt").openings.update({0: b"[1,1,1]"})),
            "another deck": of(played, lambda d: d.find("DeckPlaced").openings.update({0: b"[1,1,1,1,1,1]"})),
            "another order of a shuffle": of(played, lambda d: d.find("Shuffled").openings.update({0: b"[0,1,2]"})),
        }
    ),
    "another position told to a seat or to spectators after a takeback": Untold(
        {
            "another position told to all": of(taken_back, _view),
            "another position told to a seat": of(taken_back, _told),
        }
    ),
    "a takeback that nobody agreed to, though somebody had learnt something": Untold({"taken back unasked": unasked}),
    "a win for the wrong side, in a match whose sides have several seats": Untold(
        {"a win with one of the other side": another_side}, ("all", "spectator", "seat0", "seat1")
    ),
    "a name, a title, how long a seat was away, when the server was gone": Untold(
        {
            "another name": of(played, lambda d: d.change("SeatTaken", name="Somebody")),
            "another title": of(played, lambda d: d.change("MatchCreated", title="Final")),
            "away for longer": of(_claimed, lambda d: d.change("AbsenceClaimed", absent_ms=20 * MINUTE)),
            "gone for less": of(
                _back, lambda d: d.change("ServerReturned", back=d.find("ServerReturned").fields["gone"] + 1)
            ),
        },
        (),
    ),
    "a claim that opens to nobody, made by a seat's own player": Untold({"a claim of nobody": _claimed_by_nobody}, ()),
    "a choice or an act of a seat without a key": Untold({"a resignation made up": of(played, _made_up)}, ()),
}
"""By the first cell of each row. An audit of everything decides by the rules; of a view it knows the game's sides."""
ELSEWHERE: Final = {
    "a branch that shows what its eyes did not see": (
        "replay/playback/test_branch.py::test_a_branch_that_shows_its_eyes_something_else_is_found"
    ),
    "lines of a game that the verifier has no table for, out of their shape": (
        "replay/audit/test_untold.py::test_lines_of_a_game_without_a_table_are_held_to_nothing_of_their_own"
    ),
    "the last lines left out, up to a line that the server signed": (
        "replay/audit/test_mutations.py::test_record_7_what_no_file_alone_can_show_is_listed_with_the_reason"
    ),
}
"""Rows that are held by a test of their own."""
SEALED: Final = {
    name: forge for row in ROWS.values() if row.audit == EVERYTHING for name, forge in row.forgeries.items()
}
"""Forgeries that only the rules, with everything opened, can find."""
