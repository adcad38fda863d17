"""The referee of one match: where a game meets its record.

It folds the record, decides choices, and writes what came of them as lines. It changes nothing by itself: a ruling
counts when the store has committed it (`accept`). Nothing here waits and nothing is told to anybody.
"""

import secrets
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    Act,
    BranchOpened,
    Choice,
    Chosen,
    Clocks,
    ClocksSet,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    Game,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchOver,
    NotAChoice,
    NotBegun,
    OpenedSlot,
    Play,
    Result,
    RulesChanged,
    Seat,
    SeatTaken,
    SecretsOpened,
    Signed,
    State,
    TimeControl,
    begin,
    carry_out,
    check_in_time,
    decide,
    follow,
)
from domain.kernel.act import Past
from domain.kernel.clock import STARTS
from domain.kernel.history import restored
from domain.kernel.position import Views, set_events
from replay.record import hr1, keychain, signing, wholeness
from replay.record.curve import is_public_key
from replay.record.errors import NotAcknowledged, NotSigned, RulesOutdated, SeatRefused
from replay.record.line import Writer, codec_of, read_line
from replay.store.log import Commit, Entry, Header, Keys, Store

S = TypeVar("S", bound=State)

SERVER: Final = -1
HEADS_KEPT: Final = 1024
"""How many of the last heads are kept to compare acknowledgements with; older lines cannot be acknowledged."""
NAME_LIMIT: Final = 64
REVEAL: Final = ("public", "seats", "auditor")
Sign = Callable[[bytes], bytes]
"""Signs a checkpoint's message: the server's public key (32 bytes) and its signature (64 bytes)."""


class Ruling(Struct, Generic[S], frozen=True):
    """What a choice or an act of the server comes to: events, the state after them, the commit to append.

    `masks`: for each line the audiences of its slots.
    """

    events: tuple[Event, ...]
    state: S
    commit: Commit
    writer: Writer
    masks: tuple[tuple[int, ...], ...]


def new_match_id() -> bytes:
    """A fresh `mid` whose text begins with a letter or figure, so that a command line never takes it for a flag."""
    while True:
        mid = secrets.token_bytes(hr1.MID_BYTES)
        if hr1.b64(mid)[0].isalnum():
            return mid


class Beginning(Struct, Generic[S], frozen=True):
    """Where a match begins that does not begin at the beginning, as everybody knows it."""

    branch: BranchOpened
    views: Views[S]


class Creation(Struct, Generic[S], frozen=True):
    """A new match, ready to be put into a store."""

    header: Header
    keys: Keys
    ruling: Ruling[S]


class Referee(Generic[S]):
    """Holds one match in memory: game, state, and where its record ends."""

    def __init__(self, game: Game[S], match: str, keys: Keys, state: S, writer: Writer, sign: Sign | None) -> None:
        self.game = game
        self.match = match
        self.keys = keys
        self.state = state
        self.clocks: Clocks | None = None
        self._codec = codec_of(game)
        self._writer = writer
        self._sign = sign
        self._mid = hr1.unb64(match)
        self._chance = keychain.MatchChance(self._mid, keys.k_m, keys.k_n, keys.hid)
        self._heads: dict[int, bytes] = {writer.seq: writer.head}

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

    @property
    def outdated(self) -> str:
        """The rules the match has been played under, where the program has others; else empty."""
        return "" if self._writer.rules == self._codec.rules else self._writer.rules

    @classmethod
    def create(
        cls,
        game: Game[S],
        options: dict[str, Any],
        seats: Sequence[str],
        *,
        at: int,
        title: str = "",
        listed: bool = True,
        reveal: str = "public",
        control: TimeControl | None = None,
        sign: Sign | None = None,
        beginning: Beginning[S] | None = None,
    ) -> "tuple[Referee[S], Creation[S]]":
        """A new match with its first line; `accept` the creation's ruling once the store has it.

        `reveal`: who may open the secrets of the closed match: public, seats or auditor. `beginning`: the position that
        it begins with, at first for nobody to play. Raises `msgspec.ValidationError` for options the game does not
        have or does not let play, `ValueError` for times nobody can play by, `RecordInvalid` for a position that no
        line can hold.
        """
        if reveal not in REVEAL:
            raise ValueError(f"reveal is one of {', '.join(REVEAL)}, not {reveal!r}")
        mid, keys = new_match_id(), Keys(*(secrets.token_bytes(hr1.KEY_BYTES) for _ in range(3)))
        chance = keychain.MatchChance(mid, keys.k_m, keys.k_n, keys.hid)
        anchor, hidden = hr1.b64(chance.anchor), hr1.b64(chance.commitment)
        event = MatchCreated(game.name, options, tuple(seats), anchor, hidden, reveal)
        if control is not None and control.fault():
            raise ValueError(control.fault())
        game.assert_playable(options)
        state = game.created(event)
        match = hr1.b64(mid)
        writer = Writer(mid, keys.k_m, codec_of(game).rules)
        referee = cls(game, match, keys, state, writer, sign)
        referee._chance = chance
        header = Header(match, game.name, game.rules, at, title, listed, "open", "", at)
        further: tuple[Event, ...] = ()
        if beginning is not None:
            unknown = Views(state, state, (state,) * game.seats)
            further = (beginning.branch, *set_events(unknown, beginning.views))
        if control is not None and control != TimeControl():
            further = (*further, ClocksSet(replace(control, taken_back="all")))
        ruling = referee._rule((event, *further), game.fold(further, state), SERVER, at)
        return referee, Creation(header, keys, ruling)

    @classmethod
    def open(cls, game: Game[S], store: Store, match: str, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from its record. Raises `NoSuchMatch` or `RecordInvalid`."""
        keys = store.keys(match)
        entries = store.read(match)
        claimed = store.head(match)
        if claimed.seq > len(entries):
            # Another server may have appended between the two reads.
            entries = [*entries, *store.read(match, after=len(entries))]
        heads = wholeness.heads_of(match, entries, claimed)
        last = entries[-1]
        writer = Writer(hr1.unb64(match), keys.k_m, read_line(last.line).rules, last.seq, heads[-1], last.at)
        wholeness.check_openings(entries, writer.sealer)
        state, clocks = folded(game, entries)
        referee = cls(game, match, keys, state, writer, sign)
        referee._chance.expect(codec_of(game).read_entry(entries[0]))
        referee.clocks = clocks
        referee._heads = dict(list(enumerate(heads))[-HEADS_KEPT:])
        return referee

    def fold_news(self, store: Store) -> list[Entry]:
        """Take in lines that somebody else appended; those lines."""
        news = store.read(self.match, after=self.seq)
        for entry in news:
            event = self._codec.read_entry(entry)
            self.clocks = follow(self.game, self.clocks, self.state, (event,), entry.at, entry.seq)
            self.state = self.game.fold((event,), self.state)
            self._writer.head = hr1.link(self._writer.head, entry.line)
            self._writer.seq, self._writer.at = entry.seq, entry.at
            self._writer.rules = read_line(entry.line).rules
            self._remember(entry.seq, self._writer.head)
        return news

    def accept(self, ruling: Ruling[S]) -> None:
        """The store has committed the ruling."""
        for entry, head in zip(ruling.commit.entries, ruling.writer.heads, strict=True):
            self._remember(entry.seq, head)
        first = ruling.commit.entries[0].seq
        self.clocks = follow(self.game, self.clocks, self.state, ruling.events, ruling.writer.at, first)
        self.state = ruling.state
        self._writer = ruling.writer

    @property
    def owing(self) -> tuple[Seat, ...]:
        """Whose clients have still to reveal the share of chance that they fixed, once every share is fixed."""
        state = self.state
        if state.begun or state.result is not None or len(state.committed) < self.game.seats:
            return ()
        revealed = dict(state.entropy)
        owed = (
            seat
            for seat, fixed in sorted(state.committed)
            if seat not in revealed and fixed != _commitment(self._chance.share(seat))
        )
        return tuple(map(Seat, owed))

    def head_at(self, seq: int) -> bytes | None:
        """The chain's hash after one of the last lines; None for one long past, or that there is not."""
        return self._heads.get(seq)

    def _remember(self, seq: int, head: bytes) -> None:
        self._heads[seq] = head
        self._heads.pop(seq - HEADS_KEPT, None)

    def take_seat(self, seat: Seat, name: str, kind: str, at: int, key: str = "") -> Ruling[S]:
        """Somebody sits down; `key` is an Ed25519 public key (base64url) that will sign the seat's choices.

        Raises `SeatRefused` for a seat that is not there or taken, a match that has begun, or what is no key.
        """
        if not 0 <= seat < self.game.seats:
            raise SeatRefused(f"There is no seat {seat}; this game has seats 0 to {self.game.seats - 1}.")
        if self.state.begun or any(taken == seat for taken, _ in self.state.taken):
            raise SeatRefused("The seat is taken.")
        if key and not (_length(key) == hr1.KEY_BYTES and is_public_key(hr1.unb64(key))):
            raise SeatRefused("A seat's key is an Ed25519 public key, 32 bytes as base64url, of the whole order.")
        name = unicodedata.normalize("NFC", name)[:NAME_LIMIT]
        return self._rule((SeatTaken(seat, name, kind, key),), None, SERVER, at)

    def commit_entropy(self, seat: Seat, commitment: str, at: int) -> Ruling[S]:
        """A seat's own client fixes its share of chance: TH("ent", share). Raises `SeatRefused`."""
        if self.state.begun or any(committed == seat for committed, _ in self.state.committed):
            raise SeatRefused("This seat's share of chance is fixed already.")
        if _length(commitment) != hr1.KEY_BYTES or not 0 <= seat < self.game.seats:
            raise SeatRefused("A commitment is 32 bytes as base64url, for a seat of the match.")
        return self._rule((EntropyCommitted(seat, commitment),), None, seat, at)

    def fix_entropy(self, at: int) -> Ruling[S] | None:
        """The server's client fixes the shares of the seats that have not; None when all are fixed.

        Seats that contribute their own share reveal it after this, for no share may be known before all are fixed.
        """
        events = self._server_commitments()
        return self._rule(events, None, SERVER, at) if events else None

    def reveal_entropy(self, seat: Seat, share: str, at: int) -> Ruling[S]:
        """A seat's own client reveals its share of chance, 32 bytes. Raises `SeatRefused`."""
        committed = dict(self.state.committed)
        if len(committed) < self.game.seats:
            raise SeatRefused("Shares of chance are revealed when every seat has fixed its own; wait for that.")
        if any(revealed == seat for revealed, _ in self.state.entropy):
            raise SeatRefused("This seat's share of chance is revealed already.")
        if _length(share) != hr1.KEY_BYTES or _commitment(hr1.unb64(share)) != committed.get(seat):
            raise SeatRefused("This is not the share that the seat has fixed.")
        return self._rule((EntropyRevealed(seat, share),), None, seat, at)

    def begin(self, at: int) -> Ruling[S]:
        """All seats are taken: fix and reveal what the server's client contributes to chance, then start play.

        Raises `NotBegun` while a seat that fixed its own share has not revealed it: it may, or the match is void.
        """
        self._assert_current()
        events = [*self._server_commitments()]
        state = self.game.fold(events, self.state)
        revealed = {seat for seat, _ in state.entropy}
        for seat, commitment in sorted(state.committed):
            if seat not in revealed:
                share = self._chance.share(seat)
                if _commitment(share) != commitment:
                    raise NotBegun("The match waits until every player's share of chance is revealed.")
                events.append(EntropyRevealed(seat, hr1.b64(share)))
        state = self.game.fold(events, self.state)
        resolver = begin(self.game, state, self._chance.of(state))
        return self._rule((*events, *resolver.events), resolver.state, SERVER, at)

    def void(self, reason: str, at: int) -> Ruling[S]:
        """End the match without a winner: a share of chance was never revealed, or the host stops it, visibly."""
        if self.state.result is not None:
            raise MatchOver("The match is over already.")
        return self._rule((MatchEnded(Result(None, f"void: {reason}")),), None, SERVER, at)

    def open_secrets(self, slots: Sequence[tuple[Entry, int]], at: int) -> Ruling[S]:
        """Open slots of stored lines to everybody (RECORD 3).

        Only for what everybody could follow with their eyes from the sealing on: opening a card that went through a
        hidden zone would tell when it was drawn. Raises `ValueError` for a slot the line does not have.
        """
        opened = []
        for entry, slot in slots:
            masks = read_line(entry.line).masks
            if not 0 <= slot < len(masks):
                raise ValueError(f"line {entry.seq} has no slot {slot}")
            salt = hr1.b64(self._writer.sealer.salt(entry.seq, slot, masks[slot]))
            opened.append(OpenedSlot(entry.seq, slot, salt, entry.openings[slot].decode()))
        return self._rule((SecretsOpened(tuple(opened)),), None, SERVER, at)

    def restore(self, events: Sequence[Event], line: int, at: int) -> Ruling[S]:
        """Put everybody back to where the match stood after `line`; `events` are all of its record.

        What was seen since is not unseen, and draws that were spent stay spent. Raises `MatchOver`, `RulesOutdated`,
        and `ValueError` for a line at which nobody was asked anything.
        """
        if self.state.result is not None:
            raise MatchOver("The match is over already.")
        self._assert_current()
        return self._rule(restored(self.game, events, line), None, SERVER, at)

    def adopt_rules(self, at: int) -> Ruling[S]:
        """Go on under the program's rules, which are other than the record's; everybody can see it."""
        ruling = RulesChanged(self._writer.rules, self._codec.rules)
        return self._rule((ruling,), None, SERVER, at, rules=self._codec.rules)

    def choose(self, seat: Seat, number: int, choice: Choice, note: Chosen, at: int) -> Ruling[S]:
        """Decide a seat's choice. Raises `domain.kernel.Refusal`, and then nothing has happened.

        Raises `RulesOutdated` where the match was played under other rules and `adopt_rules` was not called.
        """
        self._assert_current()
        note = replace(note, seat=seat, number=number)
        self._check_note(seat, choice, note)
        check_in_time(self.clocks, seat, max(at, self._writer.at))
        announced = self._chance.next_anchor(self.state)
        before = [] if announced is None else [announced]
        state = self.game.fold(before, self.state)
        resolver: Play[S] = decide(self.game, state, seat, number, choice, self._chance.of(state), note=note)
        return self._rule([*before, *resolver.events], resolver.state, seat, at)

    def act(self, act: Event, at: int, past: Past = tuple) -> Ruling[S]:
        """Something done at the table, by a seat or because of time; `past` gives the record's events. As `choose`."""
        self._assert_current()
        if isinstance(act, Act):
            _check_id(act.id)
        announced = self._chance.next_anchor(self.state)
        before = [] if announced is None else [announced]
        state, at = self.game.fold(before, self.state), max(at, self._writer.at)
        resolver = carry_out(self.game, state, self.clocks, act, at, self._chance.of(state), past)
        return self._rule([*before, *resolver.events], resolver.state, actor_of(act), at)

    def _assert_current(self) -> None:
        if self.outdated:
            raise RulesOutdated(f"the match was played under {self.outdated}, this program has {self._codec.rules}")

    def _check_note(self, seat: Seat, choice: Choice, note: Chosen) -> None:
        _check_id(note.id)
        if isinstance(note.signed, Signed) and not unicodedata.is_normalized("NFC", note.signed.text):
            raise NotAChoice("The text that is signed must be in Unicode's form NFC.")
        if bool(note.ack_seq) != bool(note.ack_head):
            raise NotAcknowledged("A line is acknowledged with its head, 32 bytes, and no line with none.")
        if note.ack_seq > self.seq or note.ack_seq < 0:
            raise NotAcknowledged(f"Line {note.ack_seq} is acknowledged; the record has {self.seq}.")
        if note.ack_seq:
            # An acknowledgement that nobody compared could be false, and would spoil the audit for ever.
            head = self._heads.get(note.ack_seq)
            if head is None:
                raise NotAcknowledged(f"Line {note.ack_seq} is long past; acknowledge a later one, or none.")
            if note.ack_head != hr1.b64(head):
                raise NotAcknowledged(
                    f"At line {note.ack_seq} your record has another head: {hr1.b64(head)} is this one's."
                )
        key = next((key for taken, key in self.state.taken if taken == seat), "")
        if key and note.by == "seat":
            why = signing.fault(self.game, self.state, self.match, key, note, choice)
            if why:
                raise NotSigned(why)

    def _server_commitments(self) -> list[Event]:
        committed = {seat for seat, _ in self.state.committed}
        missing = [Seat(seat) for seat in range(self.game.seats) if seat not in committed]
        return [EntropyCommitted(seat, _commitment(self._chance.share(seat)), "server") for seat in missing]

    def _rule(self, events: Sequence[Event], state: S | None, actor: int, at: int, rules: str = "") -> Ruling[S]:
        writer, codec = self._writer.fork(), self._codec
        writer.rules = rules or writer.rules
        entries: list[Entry] = []
        masks: list[tuple[int, ...]] = []
        cause = ""
        for event in events:
            kind = type(event)
            slots = codec.slots(event)
            entry = writer.write_unchecked(kind.__name__, codec.payload(event), slots, actor, cause, at)
            entries.append(entry)
            masks.append(tuple([mask for mask, _ in slots]))
            if kind is Chosen:
                cause = hr1.choice_cause(entry.line)
        writer.check(entries)
        after = self.game.fold(events, self.state) if state is None else state
        status, result = status_of(events)
        checkpoint = self._checkpoint(writer)
        commit = Commit(self.match, self.seq, tuple(entries), writer.head, checkpoint, status, result)
        return Ruling(tuple(events), after, commit, writer, tuple(masks))

    def _checkpoint(self, writer: Writer) -> bytes | None:
        # The signature is stored with the lines in one transaction and leaves the process after it (RECORD 5).
        if self._sign is None:
            return None
        return hr1.u64(writer.at) + self._sign(hr1.checkpoint_message(self._mid, writer.seq, writer.head, writer.at))

    def heartbeat(self, at: int) -> bytes | None:
        """A checkpoint of the last line at a later time, for a match that is idle; None without a server key."""
        writer = self._writer.fork()
        writer.at = max(writer.at, at)
        return self._checkpoint(writer)

    def attest(self, seq: int, head: bytes, at: int) -> bytes | None:
        """A checkpoint of an earlier line, for viewers who are kept behind; None without a server key."""
        if self._sign is None:
            return None
        return hr1.u64(at) + self._sign(hr1.checkpoint_message(self._mid, seq, head, at))

    def read(self, entry: Entry) -> Event:
        """The whole event of a stored line."""
        return self._codec.read_entry(entry)


def _check_id(name: str) -> None:
    if len(name) > NAME_LIMIT or not unicodedata.is_normalized("NFC", name):
        raise NotAChoice(f"The id has at most {NAME_LIMIT} characters, in Unicode's form NFC.")


def actor_of(event: Event) -> int:
    """Who stands behind the lines of a choice or an act: the seat, or the server."""
    return event.seat if isinstance(event, Chosen | Act) else SERVER


def _commitment(share: bytes) -> str:
    return hr1.b64(keychain.entropy_commitment(share))


def _length(text: str) -> int:
    """How many bytes a base64url text stands for; -1 when it is none."""
    try:
        return len(hr1.unb64(text))
    except ValueError:
        return -1


def status_of(events: Sequence[Event]) -> tuple[str | None, str | None]:
    """What events change of a match's status and result in the match list."""
    for event in events:
        if isinstance(event, MatchEnded):
            winner = event.result.winner
            who = "draw" if winner is None else f"seat {winner}"
            return "finished", f"{who}: {event.result.reason}"
        if isinstance(event, MatchBegun):
            ended = next((e for e in events if isinstance(e, MatchEnded)), None)
            return status_of((ended,)) if ended else ("running", None)
    return None, None


TIMED: Final = frozenset(kind.__name__ for kind in STARTS)


def folded(game: Game[S], entries: Sequence[Entry]) -> tuple[S, Clocks | None]:
    """A record's state and clocks; only a match that has clocks is folded line by line for them."""
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
