"""The referee of one match: where a game meets its record.

It folds the record, decides choices, and writes their results as lines. It changes nothing by itself: a ruling
counts once the store has committed it (`accept`). Nothing here waits or sends anything.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    Act,
    Choice,
    Chosen,
    Clocks,
    Event,
    Game,
    MatchBegun,
    MatchEnded,
    MatchOver,
    Play,
    Result,
    RulesChanged,
    Seat,
    State,
    asked_of,
    carry_out,
    check_in_time,
    decide,
    follow,
)
from domain.kernel.act import Past
from domain.kernel.clock import STARTS
from replay.record import canonical_json, integrity, keychain, sealing
from replay.record.answer_check import AnswerCheck
from replay.record.errors import RulesNewer, RulesOutdated
from replay.record.line import LineWriter, codec_of, read_line
from replay.record.rulesversion import number_of
from replay.record.seat_proof import FAILED, VOID
from replay.store.combined_reads import read_whole
from replay.store.log import Commit, Entry, Keys, Log, Whole

S = TypeVar("S", bound=State)

SERVER: Final = -1
HEADS_KEPT: Final = 1024
"""How many of the latest heads are kept to compare acknowledgements with; older lines cannot be acknowledged."""
NAME_LIMIT: Final = 64
Sign = Callable[[bytes], bytes]
"""Signs a checkpoint's message: the server's public key (32 bytes) and its signature (64 bytes)."""


class Ruling(Struct, Generic[S], frozen=True):
    """The outcome of a choice or an act of the server: events, the state after them, the commit to append.

    `masks`: for each line, the audiences of its slots.
    """

    events: tuple[Event, ...]
    state: S
    commit: Commit
    writer: LineWriter
    masks: tuple[tuple[int, ...], ...]


class Referee(Generic[S]):
    """Holds one match in memory: its game, its state, and the end of its record."""

    def __init__(self, game: Game[S], match: str, keys: Keys, state: S, writer: LineWriter, sign: Sign | None) -> None:
        self.game = game
        self.match = match
        self.keys = keys
        self.state = state
        self.clocks: Clocks | None = None
        self._codec = codec_of(game)
        self._writer = writer
        self.sign = sign
        self._mid = sealing.unb64(match)
        self.chance = keychain.MatchChance(self._mid, keys.k_m, keys.k_n, keys.hid)
        self.answers = AnswerCheck(game, match, writer.seq, writer.head)
        self._clocks_after: tuple[Ruling[S], Clocks | None] | None = None

    @property
    def seq(self) -> int:
        """The last line."""
        return self._writer.seq

    @property
    def at(self) -> int:
        """The time of the last line, in ms."""
        return self._writer.at

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self._writer.head

    def salt(self, seq: int, slot: int, mask: int) -> bytes:
        """The salt of a slot of a line; viewers without a key check the slot's opening with it (docs/record.md 3)."""
        return self._writer.sealer.salt(seq, slot, mask)

    @property
    def outdated(self) -> str:
        """The rules that the match has been played under, if the program has others; else empty."""
        return "" if self._writer.rules == self._codec.rules else self._writer.rules

    @property
    def is_behind(self) -> bool:
        """Whether the match has been played under newer rules than the program's, so that only other servers can
        continue it.
        """
        return number_of(self._writer.rules) > number_of(self._codec.rules)

    @classmethod
    def open(cls, game: Game[S], store: Log, match: str, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from its record. Raises `NoSuchMatch` or `RecordInvalid`."""
        return cls.from_record(game, match, read_whole(store, match), sign)

    @classmethod
    def from_record(cls, game: Game[S], match: str, whole: Whole, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from a record that has been read. Raises `RecordInvalid`."""
        keys, entries = whole.keys, whole.entries
        heads = integrity.heads_of(match, entries, whole.head)
        last = entries[-1]
        end = read_line(last.line)
        writer = LineWriter(sealing.unb64(match), keys.k_m, end.rules, last.seq, heads[-1], last.at, end.version)
        integrity.check_openings(entries, writer.sealer)
        state, clocks = folded(game, entries)
        referee = cls(game, match, keys, state, writer, sign)
        referee.chance.expect(codec_of(game).read_entry(entries[0]))
        if state.dealt:
            referee.chance.follow(codec_of(game).read_entry(entry) for entry in entries)
        referee.clocks = clocks
        referee.answers = AnswerCheck(game, match, 0, heads[0])
        for entry, head in zip(entries, heads[1:], strict=True):
            referee.answers.follow(entry, head)
        return referee

    def fold_news(self, entries: Iterable[Entry]) -> list[Entry]:
        """Take in stored lines that somebody else appended; returns the lines that are new."""
        news = [entry for entry in entries if entry.seq > self.seq]
        for entry in news:
            event = self._codec.read_entry(entry)
            self.clocks = follow(self.game, self.clocks, self.state, (event,), entry.at, entry.seq)
            self.state = self.game.fold((event,), self.state)
            self.chance.follow((event,))
            self._writer.take(entry)
            self.answers.follow(entry, self._writer.head)
        return news

    def accept(self, ruling: Ruling[S]) -> None:
        """Apply a ruling that the store has committed."""
        for entry, head in zip(ruling.commit.entries, ruling.writer.heads, strict=True):
            self.answers.follow(entry, head)
        self.clocks = self.clocks_after(ruling)
        self.state = ruling.state
        self.chance.follow(ruling.events)
        self._writer = ruling.writer

    def clocks_after(self, ruling: Ruling[S]) -> Clocks | None:
        """The clocks after the ruling is accepted; None if the match has none."""
        known = self._clocks_after
        if known is None or known[0] is not ruling:
            first = ruling.commit.entries[0].seq
            clocks = follow(self.game, self.clocks, self.state, ruling.events, ruling.writer.at, first)
            known = self._clocks_after = ruling, clocks
        return known[1]

    def head_at(self, seq: int) -> bytes | None:
        """The chain's hash after one of the last lines; None for a line that is too old or does not exist."""
        return self.answers.head_at(seq)

    def give_up(self, at: int) -> Ruling[S]:
        """End the match without a winner, because the rules have failed on a position that somebody wrote.

        Raises `MatchOver`. The caller checks that the record began in such a position; otherwise a verifier refuses
        this end.
        """
        if self.state.result is not None:
            raise MatchOver("The match is over already.")
        return self.rule((MatchEnded(Result(None, f"{VOID}{FAILED}")),), None, SERVER, at)

    def adopt_rules(self, at: int) -> Ruling[S]:
        """Continue under the program's rules, which are newer than the record's; everybody can see this.

        Raises `RulesNewer` if they are older: rules only become newer, and a verifier refuses anything else.
        """
        if self.is_behind:
            raise RulesNewer(
                f"The match goes on under the rules {self._writer.rules}, and this server has {self._codec.rules};"
                " a server of a later version has to go on with it."
            )
        ruling = RulesChanged(self._writer.rules, self._codec.rules)
        return self.rule((ruling,), None, SERVER, at, rules=self._codec.rules)

    def choose(self, seat: Seat, number: int, choice: Choice, note: Chosen, at: int) -> Ruling[S]:
        """Decide a seat's choice. Raises `domain.kernel.Refusal`, and then nothing has happened.

        Raises `RulesOutdated` if the match was played under other rules and `adopt_rules` was not called.
        """
        self.assert_current()
        asked_of(self.state, seat, number)
        note = replace(note, seat=seat, number=number)
        self.answers.check_choice(self.state, choice, note, max(at, self._writer.at))
        check_in_time(self.clocks, seat, max(at, self._writer.at))
        announced = self.chance.next_anchor(self.state)
        before = [] if announced is None else [announced]
        state = self.game.fold(before, self.state)
        resolver: Play[S] = decide(self.game, state, seat, number, choice, self.chance.in_state(state), note=note)
        return self.rule([*before, *resolver.events], resolver.state, seat, at)

    def act(self, act: Event, at: int, past: Past = tuple) -> Ruling[S]:
        """Decide an act at the table, by a seat or because of time; `past` gives the record's events.

        Raises the same errors as `choose`.
        """
        self.assert_current()
        if isinstance(act, Act):
            self.answers.check_act(self.state, act)
        announced = self.chance.next_anchor(self.state)
        before = [] if announced is None else [announced]
        state, at = self.game.fold(before, self.state), max(at, self._writer.at)
        resolver = carry_out(self.game, state, self.clocks, act, at, self.chance.in_state(state), past)
        return self.rule([*before, *resolver.events], resolver.state, actor_of(act), at)

    def assert_current(self) -> None:
        """Raise `RulesOutdated` if the match was played under other rules."""
        if self.outdated:
            raise RulesOutdated(f"the match was played under {self.outdated}, this program has {self._codec.rules}")

    def rule(self, events: Sequence[Event], state: S | None, actor: int, at: int, rules: str = "") -> Ruling[S]:
        """Write the lines of events by `actor`. `state`: the state after them, if it is known already.

        Raises `RecordInvalid` for a value that no line can hold.
        """
        writer, codec = self._writer.fork(), self._codec
        writer.rules = rules or writer.rules
        entries: list[Entry] = []
        masks: list[tuple[int, ...]] = []
        values: list[bytes] = []
        cause = ""
        for event in events:
            kind = type(event)
            payload, slots = codec.payload(event), codec.slots(event)
            follows = "" if kind is Chosen else cause
            entry = writer.write_unchecked(kind.__name__, payload, slots, actor, follows, at)
            entries.append(entry)
            values += (payload, *entry.openings)
            masks.append(tuple([mask for mask, _ in slots]))
            if kind is Chosen:
                cause = sealing.choice_cause(entry.line)
        if not canonical_json.surely_keeps(values):
            writer.check(entries)
        after = self.game.fold(events, self.state) if state is None else state
        status, result = status_of(events)
        checkpoint = self._checkpoint(writer)
        commit = Commit(self.match, self.seq, tuple(entries), writer.head, checkpoint, status, result)
        return Ruling(tuple(events), after, commit, writer, tuple(masks))

    def _checkpoint(self, writer: LineWriter) -> bytes | None:
        # The signature is stored with the lines in one transaction, and leaves the process after that
        # (docs/record.md 5).
        if self.sign is None:
            return None
        return sealing.u64(writer.at) + self.sign(
            sealing.checkpoint_message(self._mid, writer.seq, writer.head, writer.at)
        )

    def heartbeat(self, at: int) -> bytes | None:
        """A checkpoint of the last line at a later time, for a match that is idle; None without a server key."""
        writer = self._writer.fork()
        writer.at = max(writer.at, at)
        return self._checkpoint(writer)

    def attest(self, seq: int, head: bytes, at: int) -> bytes | None:
        """A checkpoint of an earlier line, for delayed viewers; None without a server key."""
        if self.sign is None:
            return None
        return sealing.u64(at) + self.sign(sealing.checkpoint_message(self._mid, seq, head, at))


def actor_of(event: Event) -> int:
    """The author of the lines of a choice or an act: the seat, or the server."""
    return event.seat if isinstance(event, Chosen | Act) else SERVER


def who_won(result: Result) -> str:
    """The winner as the match list names it: `seat 0`, `seats 0 2` for several, or `draw`."""
    if not result.won:
        return "draw"
    return f"seat{'s' if len(result.won) > 1 else ''} {' '.join(map(str, result.won))}"


def status_of(events: Sequence[Event]) -> tuple[str | None, str | None]:
    """The changes that events make to a match's status and result in the match list."""
    for event in events:
        if isinstance(event, MatchEnded):
            return "finished", f"{who_won(event.result)}: {event.result.reason}"
        if isinstance(event, MatchBegun):
            ended = next((e for e in events if isinstance(e, MatchEnded)), None)
            return status_of((ended,)) if ended else ("running", None)
    return None, None


TIMED: Final = frozenset(kind.__name__ for kind in STARTS)


def folded(game: Game[S], entries: Sequence[Entry]) -> tuple[S, Clocks | None]:
    """A record's state and clocks; only a match with clocks is folded line by line."""
    codec = codec_of(game)
    timed = next((i for i, entry in enumerate(entries) if entry.type in TIMED), len(entries))
    state, clocks = game.fold(map(codec.read_entry, entries[:timed])), None
    for entry in entries[timed:]:
        event = codec.read_entry(entry)
        clocks = follow(game, clocks, state, (event,), entry.at, entry.seq)
        state = game.fold((event,), state)
    return state, clocks


def read_event(game: Game[S], entry: Entry) -> Event:
    """The whole event of a stored line. Raises `RecordInvalid`."""
    return codec_of(game).read_entry(entry)
