"""The witness watches every frame that leaves a server, and judges the records when a run is over."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.kernel import SEAT_ACTS, Act, Chosen, Seat
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import sealing
from replay.record.line import read_line
from replay.record.referee import read_event
from replay.record.serverkey import is_stamped
from replay.store.log import Entry
from replay.store.sqlite.store import SqliteStore
from server.table.audience import wire_item
from server.wire.protocol import (
    Accepted,
    Checkpoint,
    Created,
    Delay,
    Error,
    Events,
    Granted,
    HeadInfo,
    Joined,
    Presence,
    Refused,
    Revoked,
    Said,
    Snapshot,
    Welcome,
    read_server_message,
)
from tests.simulation.disk import Durable
from tests.simulation.network import Link
from tests.simulation.timing import judge_times
from tests.skirmish.game import GAME

if TYPE_CHECKING:
    from tests.simulation.person import Person

TRY_AGAIN = frozenset({"try-again", "server-fault", "match-paused", "not-now"})
"""Refusals after which the same choice is sent again, and may be found to have been made."""
MADE = frozenset({"Chosen", *(act.__name__ for act in SEAT_ACTS)})
"""Events that a client requested with an id."""
NEVER = frozenset({"not-a-choice", "not-offered", "not-your-decision", "not-signed", "other-record", "no-match"})
"""Refusals that a client which plays by the protocol must not meet."""
SAID = "said-by-"
"""The beginning of every line of chat, by which it is recognised wherever it appears."""


class Where(Struct, frozen=True):
    """The identity of a connection in a match: `role` and seat as `welcome` names them."""

    match: str
    role: str
    seat: int | None


class Witness:
    """Holds a run to the server's promises; every method raises `AssertionError` if a promise is broken."""

    def __init__(self, durable: Durable, ruled: Mapping[bytes, float], now_ms: Callable[[], int]) -> None:
        self.delays: dict[str, Delay] = {}
        self.times: Counter[str] = Counter()
        self._ruled = ruled
        self.said: set[tuple[str, str, str]] = set()
        self.grants: dict[tuple[str, int], set[str]] = {}
        self.revoking: dict[tuple[str, int], set[str]] = {}
        self.revoked: set[str] = set()
        self.servers = 1
        self.is_one_clock = True
        self._now_ms = now_ms
        self._ended: set[str] = set()
        self.accepted: dict[tuple[str, int, str], int] = {}
        self.refused: set[tuple[str, int, str]] = set()
        self.tokens: dict[tuple[str, int], str] = {}
        self.answers: Counter[str] = Counter()
        self._durable = durable
        self._heads: dict[str, list[bytes]] = {}
        self._sent: dict[Where, list[str]] = {}
        self._where: dict[Link, Where] = {}

    def told(self, link: Link, frame: str) -> None:
        """A server sends a frame: it must not contain anything that a crash could take back."""
        message = read_server_message(frame)
        self.answers[type(message).__name__] += 1
        if isinstance(message, Welcome):
            self._where[link] = self._entered(link, message)
        if isinstance(message, Created | Joined | Error):
            return
        where = self._where.get(link)
        if where is not None:
            self._sent.setdefault(where, []).append(frame)
            self._told(where, message)
            self._told_aside(where, link, message)

    def _entered(self, link: Link, welcome: Welcome) -> Where:
        where = Where(welcome.match, welcome.viewer.viewer, welcome.viewer.seat)
        if where.role == "seat":
            assert self.tokens[where.match, where.seat or 0] in link.tokens
        elif where.role == "caster":
            assert self.grants[where.match, where.seat or 0] & link.tokens, "a view that was not shared is shown"
            assert not welcome.keys, "a caster is given keys"
        else:
            assert (where.role, where.seat) == ("spectator", None)
        return where

    def _told_aside(self, where: Where, link: Link, message: Any) -> None:
        """Events beside the record: delayed spectators, shared views, chat."""
        seat = (where.match, where.seat or 0)
        if where.role == "caster" and self.servers == 1:
            assert (self.grants[seat] - self.revoked) & link.tokens, "a caster whose token was taken back is told more"
        match message:
            case Welcome(head=head) | Snapshot(head=head) | Events(head=head) if where.role == "spectator":
                self._behind(where.match, head.seq)
                told_times = message.clocks or message.table is not None
                assert not (told_times and self._is_behind(where.match)), "who is kept behind is told of the clocks"
            case Checkpoint(seq) if where.role == "spectator":
                self._behind(where.match, seq)
            case Presence(seats) if where.role == "spectator" and self._is_behind(where.match):
                assert not seats, "who is kept behind is told who is connected"
            case Said(lines):
                assert all((where.match, where.role, line.text) in self.said for line in lines), "heard in another room"
            case Granted(token):
                assert where.role == "seat"
                self.grants.setdefault(seat, set()).add(token)
            case Revoked():
                self.revoked |= self.revoking[seat]

    def _is_behind(self, match: str) -> bool:
        """Whether spectators of the match are kept behind: until its end is on the disk."""
        if match not in self.delays or match in self._ended:
            return False
        if any('"MatchEnded"' in line for line in self._durable.lines[match][-3:]):
            self._ended.add(match)
        return match not in self._ended

    def _behind(self, match: str, seq: int) -> None:
        """Spectators are told of a line: it must be old enough, or of the time before play."""
        if not self._is_behind(match):
            return
        lines = [read_line(line.encode()) for line in self._durable.lines[match]]
        before = takewhile(lambda line: line.type != "MatchBegun", lines)
        if seq > max(line.seq for line in before if line.type in {"MatchCreated", "SeatTaken"}):
            delay = self.delays[match]
            assert seq <= len(lines) - delay.events, f"line {seq} of {len(lines)}: {delay.events} are to be kept back"
            assert not delay.s or lines[seq - 1].at + delay.s * 1000 <= self._now_ms(), (
                f"line {seq} is not {delay.s} s old"
            )

    def speak(self, match: str, role: str, text: str) -> str:
        """Somebody is about to say this in the room of the role; the line to say."""
        line = SAID + text
        self.said.add((match, role, line))
        return line

    def revoke(self, match: str, seat: int) -> None:
        """A seat is about to take back what it gave so far."""
        self.revoking[match, seat] = {*self.grants.get((match, seat), ())}

    def _told(self, where: Where, message: Any) -> None:
        match, seat = where.match, where.seat
        lines = self._durable.lines[match]
        match message:
            case Welcome(head=head) | Snapshot(head=head):
                self._head(match, head)
            case Events(first, last, items, head):
                assert last - first + 1 == len(items)
                assert [text for text, _ in items] == lines[first - 1 : last], "a line that is not on the disk is told"
                self._head(match, head)
            case Checkpoint(seq, signed):
                self._head(match, HeadInfo(seq, sealing.b64(self.heads(match)[seq]), signed))
            case Accepted(name, seq):
                assert where.role == "seat"
                assert seat is not None
                line = msgspec.json.decode(lines[seq - 1])
                assert line[4] in MADE, "not a choice"
                assert (line[8]["id"], line[8]["seat"]) == (name, seat), "not this choice"
                assert self.accepted.setdefault((match, seat, name), seq) == seq, "accepted twice, at two lines"
            case Refused(name, code):
                self.answers[code] += 1
                # A choice on a connection whose hello failed was never decided.
                if code not in {*TRY_AGAIN, "no-match"} and seat is not None and where.role == "seat":
                    self.refused.add((match, seat, name))

    def heads(self, match: str) -> list[bytes]:
        """The chain of what the disk holds, from the genesis on."""
        heads = self._heads.setdefault(match, [sealing.genesis(sealing.unb64(match))])
        for line in self._durable.lines[match][len(heads) - 1 :]:
            heads.append(sealing.link(heads[-1], line.encode()))
        return heads

    def _head(self, match: str, head: HeadInfo) -> None:
        heads = self.heads(match)
        assert head.seq < len(heads), f"line {head.seq} is told of, {len(heads) - 1} are on the disk"
        assert head.hash == sealing.b64(heads[head.seq])
        if head.signed:
            stamp = sealing.unb64(head.signed)
            at = int.from_bytes(stamp[:8], "big")
            assert is_stamped(
                sealing.checkpoint_message(sealing.unb64(match), head.seq, heads[head.seq], at), stamp[8:]
            )

    def judge(self, store: SqliteStore, people: "list[Person]") -> None:
        """After the run: the records, what was accepted, and what everybody has seen."""
        with closing(store.tables()) as tables:
            assert tables.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for header in store.matches.latest(limit=1000):
            entries = store.read(header.match)
            assert [entry.line.decode() for entry in entries] == self._durable.lines[header.match]
            report = audit(GAME, export.from_store(store, header.match))
            assert report.ok, report.fault
            self._judge_choices(header.match, entries)
            ruled = ((read_event(GAME, entry), self._ruled[entry.line]) for entry in entries)
            self.times += judge_times(ruled, is_one_clock=self.is_one_clock)
            self._judge_secrets(store, header.match)
        for person in people:
            person.judge(store.read(person.match))

    def _judge_choices(self, match: str, entries: list[Entry]) -> None:
        made: dict[tuple[str, int, str], int] = {}
        decided: set[tuple[int, int]] = set()
        for entry in entries:
            if entry.type not in MADE:
                continue
            event = read_event(GAME, entry)
            assert isinstance(event, Chosen | Act)
            if isinstance(event, Chosen):
                assert (event.seat, event.number) not in decided, f"decision {event.number} is answered twice"
                decided.add((event.seat, event.number))
            if event.id:
                key = (match, int(event.seat), event.id)
                assert key not in made, f"{key} is made twice"
                made[key] = entry.seq
        for key, seq in self.accepted.items():
            assert key[0] != match or made.get(key) == seq, f"the accepted choice {key} is lost"
        assert not self.refused & made.keys(), "a choice was refused and made"

    def _judge_secrets(self, store: SqliteStore, match: str) -> None:
        """Check that nobody was sent a key, a token or an opening of another."""
        keys = store.keys(match)
        closed = [sealing.b64(key) for key in (keys.k_m, keys.hid)]
        viewers = [SPECTATOR, *(Viewer(Seat(seat)) for seat in range(GAME.seats))]
        audience = {v: sealing.b64(sealing.audience_key(keys.k_m, sealing.unb64(match), v.mask)) for v in viewers}
        entries = store.read(match)
        everything = b"".join(part for entry in entries for part in (entry.line, *entry.openings))
        assert SAID.encode() not in everything, "what was said is in the record"
        for where, frames in self._sent.items():
            if where.match != match:
                continue
            viewer = SPECTATOR if where.seat is None else Viewer(Seat(where.seat))
            is_seat = where.role == "seat"
            mine = (match, where.seat)
            foreign = [token for seat, token in self.tokens.items() if seat != mine or not is_seat]
            foreign += [token for seat, given in self.grants.items() if seat != mine or not is_seat for token in given]
            foreign += closed + [key for other, key in audience.items() if other != viewer or where.role == "caster"]
            text = "\n".join(frames)
            assert not [secret for secret in foreign if secret in text], f"{where} was sent a secret"
            items = [wire_item(entry, viewer) for entry in entries]
            for frame in frames:
                message = read_server_message(frame)
                if isinstance(message, Events):
                    assert list(message.items) == items[message.first - 1 : message.last]
