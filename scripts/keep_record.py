"""Keep matches in tests/records/, where every test run audits and folds them from then on.

FILE is an export (`herald export MATCH -o FILE`). With --play, bots play a match, which is stored. Beside
the lines, the stored file holds the final state and every viewer's final view, as folded at that time.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel import Act, Chosen, Event, Mask, Refusal, Seat, State
from domain.kernel.errors import OutOfTime
from domain.kernel.events import (
    AbsenceClaimed,
    Agreed,
    ClocksSet,
    Declined,
    HintAsked,
    MatchResumed,
    Offered,
    Resigned,
    ServerReturned,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.position import is_pause
from domain.kernel.table import DAY_MS, Draw, OfferTerms, Pause, Replace, TakeBack, TimeControl
from replay.audit.match_audit import audit
from replay.files.export import Record, from_store
from replay.playback.branch import beginning, pause_before, trunk_of
from replay.record import sealing
from replay.record.creation import Beginning, create_match
from replay.record.keychain import entropy_commitment
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.record.signing import SeatKey, key_said, share_said
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.bots import Bot, make_bot
from tests.replay.packed import SUFFIX, pack
from tests.replay.records import RECORDS, final_states, game_of, read_record

ROOT = Path(__file__).resolve().parent.parent
CONTROLS = {
    "": None,
    "quick": TimeControl("decision", 600_000, on_timeout="random"),
    "slow": TimeControl("days", 3 * DAY_MS, vacation_ms=7 * DAY_MS, absence_ms=DAY_MS),
}
"""The clocks of matches between people, who sign all their acts and give shares of chance."""


def main() -> int:
    """Store the named files, or a match played for this purpose; returns 1 if a record does not pass its audit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--play", metavar="GAME", help="play a match")
    parser.add_argument("--bots", default="random", help="who plays: one name, or one per seat")
    parser.add_argument("--options", default="{}", help="the game's options, as JSON")
    parser.add_argument("--take-back", type=int, default=0, metavar="N", help="take the match back N times")
    parser.add_argument("--people", choices=CONTROLS, default="", help="with a clock, and what people do at a table")
    parser.add_argument("--talk", type=float, default=0.1, help="how likely they do one of it after a choice")
    parser.add_argument(
        "--branch-at", type=int, metavar="LINE", help="play on from the FILE after this line, as it was"
    )
    given = parser.parse_args()
    records = [read_record(file) for file in given.files]
    options, bots = msgspec.json.decode(given.options), given.bots.split(",")
    if given.branch_at:
        records = [play(record.game, bots, *_branch(record, given.branch_at)) for record in records]
    elif given.play:
        records.append(
            play(given.play, bots, options, None, given.take_back, control=CONTROLS[given.people], talk=given.talk)
        )
    return 1 if [keep(record) for record in records].count(False) else 0


def keep(record: Record) -> bool:
    """Audit a record and store it, packed; returns False if it must not be stored."""
    report = audit(game_of(record.game), record)
    kept = RECORDS / record.game / f"{record.match}{SUFFIX}"
    if not report.ok or report.differences:
        print(f"{record.match}: {report.fault or report.differences[0]}", file=sys.stderr)
        return False
    if kept.exists():
        print(f"{kept} is kept already; kept records are never changed", file=sys.stderr)
        return False
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pack(record, final_states(record)))
    print(f"kept {kept.relative_to(ROOT)}: {report.lines} lines, {kept.stat().st_size} bytes")
    return True


def _branch(record: Record, line: int) -> tuple[dict[str, Any], Beginning[Any]]:
    """The options of a branch, and the position in which it begins."""
    game = game_of(record.game)
    trunk = trunk_of(game, record)
    at = pause_before(game, trunk.events, line)
    return trunk.created.options, beginning(game, trunk, at, None, random.randrange)


def play(
    name: str,
    bots: list[str],
    options: dict[str, Any],
    begin: Beginning[Any] | None = None,
    take_back: int = 0,
    *,
    control: TimeControl | None = None,
    talk: float = 0.1,
) -> Record:
    """Play a match between bots, with a separate store."""
    game, store = game_of(name), MemoryStore()
    seats = game.seats_of(options)
    bots = bots * seats if len(bots) == 1 else bots
    players = [make_bot(name, bot) for bot in bots]
    at = time.time_ns() // 1_000_000
    is_people = control is not None or take_back > 0
    more: dict[str, Any] = {"beginning": begin, "shares": is_people, "hints": control is not None}
    referee, creation = create_match(game, options, ("",) * seats, at=at, **more)
    rows = tuple(SeatRow(seat, bot, "bot", bot) for seat, bot in enumerate(bots))
    store.create(creation.header, creation.keys, rows, creation.ruling.commit)
    referee.accept(creation.ruling)
    table = _Table(referee, store, at, control)
    if control is not None:
        table.put(referee.act(ClocksSet(control), table.now()))
    table.seat(bots, is_people=is_people)
    while referee.state.result is None:
        table.answer(players)
        if control is not None:
            table.talk(control, talk)
        if take_back and referee.state.result is None and random.random() < 0.05:  # noqa: S311 - which is no matter
            take_back -= table.take_back()
    return from_store(store, referee.match)


class _Table:
    """A match that is played without a server."""

    def __init__(self, referee: Referee[Any], store: MemoryStore, at: int, control: TimeControl | None) -> None:
        self.referee = referee
        self._store = store
        self._at = at
        self._control = control or TimeControl()
        self._views: list[Any] = [None] * len(referee.state.players)
        self._pauses: list[int] = []
        self._keys: dict[Seat, SeatKey] = {}

    def seat(self, bots: list[str], *, is_people: bool) -> None:
        """Seat everybody, as persons with a key and a share of chance each, or as bots; then the match begins."""
        referee = self.referee
        for seat, bot in enumerate(map(str.capitalize, bots)):
            if is_people:
                self._keys[Seat(seat)] = SeatKey()
            key = self._keys[Seat(seat)].public if is_people else ""
            who = (f"Player {seat + 1}", "person") if is_people else (f"{bot} bot", "bot")
            self.put(Preparation(referee).take_seat(Seat(seat), *who, self.now(), key))
        shares = {seat: secrets.token_bytes(sealing.KEY_BYTES) for seat in self._keys}
        for seat, share in shares.items():
            fixed = sealing.b64(entropy_commitment(share))
            signature = self._keys[seat].said(referee.match, seat, share_said(fixed))
            self.put(Preparation(referee).commit_entropy(seat, fixed, self.now(), signature))
        for seat, share in shares.items():
            self.put(Preparation(referee).reveal_entropy(seat, sealing.b64(share), self.now()))
        self.put(Preparation(referee).begin(self.now()))

    def now(self) -> int:
        """A time later than the last one."""
        self._at += random.randrange(200, 9000)  # noqa: S311 - a time, no secret
        return self._at

    def put(self, ruling: Any) -> None:
        """Append a ruling to the store, and accept it at the referee."""
        self._store.append(ruling.commit)
        self.referee.accept(ruling)
        if is_pause(self.referee.state, ruling.events[-1]):
            self._pauses.append(self.referee.seq)

    def answer(self, players: list[Bot]) -> None:
        """Let one bot answer from its seat's view."""
        referee, state = self.referee, self.referee.state
        asked = random.choice(state.asked)  # noqa: S311 - the order of sealed answers
        view = self._view(asked.seat)
        form = referee.game.revive_decision(asked).form(view)
        choice = players[asked.seat].choose(view, asked, form, random.randrange)
        by = "bot" if asked.seat in state.table.bots else "seat"
        note = Chosen(asked.seat, asked.number, f"{by}-{asked.number}", by, referee.seq, sealing.b64(referee.head))
        if by == "seat":
            note = self._keys[asked.seat].chosen(referee.match, note, msgspec.to_builtins(choice))
        try:
            self.put(referee.choose(asked.seat, asked.number, choice, note, self.now()))
        except OutOfTime:
            for late in referee.state.asked:
                self.do(TimeRanOut(late.seat, late.number, self._control.on_timeout))

    def _view(self, seat: Seat) -> State:
        events = [read_event(self.referee.game, entry) for entry in self._store.read(self.referee.match)]
        view: State = self.referee.game.view(events, Mask(1 << seat))
        return view

    def talk(self, control: TimeControl, likely: float) -> None:
        """Sometimes do something other than choosing, as people do; refusals are ignored."""
        state = self.referee.state
        seat, *others = random.sample([Seat(one) for one in range(len(state.players))], len(state.players))
        number, other = state.table.last_offer + 1, others[0]
        back = TakeBack(self._pauses[-min(4, len(self._pauses))])
        offers: list[OfferTerms] = [Draw(), Pause(60_000), back, *([Replace(other)] if control.vacation_ms else [])]
        terms = random.choice(offers)  # noqa: S311
        asked = next((asked for asked in state.asked if asked.seat == seat), None)
        acts: list[Event] = [Offered(seat, number=number, terms=terms)] * 8
        acts += [Resigned(seat), *([TimeRanOut(seat, asked.number, control.on_timeout)] * 4 if asked else [])]
        acts += [HintAsked(seat, number=asked.number)] * 4 if asked else []
        if control.vacation_ms:
            acts += [VacationTaken(seat, length_ms=3_600_000), VacationEnded(seat)] * 3
            acts += [ServerReturned(self._at, self._at + 100), AbsenceClaimed(seat, absent=other, absent_ms=DAY_MS)]
        if random.random() < likely and self.do(random.choice(acts)):  # noqa: S311
            answer = Declined if isinstance(terms, Draw) or random.random() < 0.3 else Agreed  # noqa: S311
            for one in others:
                self.do(answer(one, number=number))
        if self.referee.state.table.paused:
            self._at += 60_000
            self.do(MatchResumed())
        if seat not in self.referee.state.table.bots and random.random() < likely / 10:  # noqa: S311
            self._change_key(seat)

    def _change_key(self, seat: Seat) -> None:
        """Give a seat a new key, which the old key signs."""
        referee, new = self.referee, SeatKey()
        if referee.state.result is None:
            signature = self._keys[seat].said(referee.match, seat, key_said(new.public))
            self.put(Preparation(referee).set_key(seat, new.public, signature, self.now()))
            self._keys[seat] = new

    def do(self, act: Event) -> bool:
        """Do something at the table, if it is possible now; wait first if it needs time."""
        if isinstance(act, TimeRanOut):
            self._at += self._control.limit_ms
        elif isinstance(act, AbsenceClaimed):
            self._at += self._control.absence_ms
        if isinstance(act, Act) and act.seat in self._keys:
            said = replace(
                act, id=f"a{self.referee.seq}", ack_seq=self.referee.seq, ack_head=sealing.b64(self.referee.head)
            )
            offer = self.referee.state.table.offer(act.number) if isinstance(act, Agreed | Declined) else None
            act = self._keys[act.seat].acted(self.referee.match, said, None if offer is None else offer.terms)
        try:
            self.put(self.referee.act(act, self.now(), self._past))
        except Refusal:
            return False
        return True

    def _past(self) -> list[Event]:
        return [read_event(self.referee.game, entry) for entry in self._store.read(self.referee.match)]

    def take_back(self) -> bool:
        """Go back to one of the last pauses, if there are any; returns whether there were."""
        before = [line for line in self._pauses[-6:-1] if line < self.referee.seq]
        if not before:
            return False
        line, number = random.choice(before), self.referee.state.table.last_offer + 1  # noqa: S311 - which is no matter
        if not self.do(Offered(Seat(0), number=number, terms=TakeBack(line))):
            return False
        for seat in range(1, len(self.referee.state.players)):
            self.do(Agreed(Seat(seat), number=number))
        return True


if __name__ == "__main__":
    sys.exit(main())
