"""The referee of one match: where a game meets its record.

It folds the record, decides choices, and writes what came of them as lines. It changes nothing by itself: a ruling
counts when the store has committed it (`accept`). Nothing here waits and nothing is told to anybody.
"""

import secrets
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    Act,
    Agreed,
    BranchOpened,
    Choice,
    Chosen,
    Clocks,
    ClocksSet,
    Dealt,
    Declined,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    Game,
    Hidden,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchOver,
    NotAChoice,
    NotBegun,
    NotNow,
    NotYours,
    OpenCards,
    Play,
    Result,
    RulesChanged,
    ScenarioOpened,
    Seat,
    SeatClaimed,
    SeatKeyed,
    SeatTaken,
    Signed,
    State,
    TimeControl,
    asked_of,
    begin,
    carry_out,
    check_in_time,
    decide,
    follow,
)
from domain.kernel.act import Past
from domain.kernel.clock import STARTS
from domain.kernel.position import Views, set_events
from domain.kernel.state import plain
from replay.record import canonical_json, claims, integrity, keychain, sealing, seat_proof, signing
from replay.record.ed25519 import is_public_key
from replay.record.errors import NotAcknowledged, NotSigned, RulesNewer, RulesOutdated, SeatRefused
from replay.record.line import Writer, codec_of, read_line
from replay.record.origin import package_of
from replay.record.reach import ASKS, Reach
from replay.record.rulesversion import number_of
from replay.record.seat_proof import FAILED, UNREVEALED, VOID
from replay.store.gathered import read_whole
from replay.store.log import Commit, Entry, Keys, Log, Whole
from replay.store.matches import Header

S = TypeVar("S", bound=State)

SERVER: Final = -1
HEADS_KEPT: Final = 1024
"""How many of the last heads are kept to compare acknowledgements with; older lines cannot be acknowledged."""
NAME_LIMIT: Final = 64
REVEAL: Final = ("public", "seats", "auditor")
Sign = Callable[[bytes], bytes]
"""Signs a checkpoint's message: the server's public key (32 bytes) and its signature (64 bytes)."""


class Ruling(Struct, Generic[S], frozen=True):
    """The outcome of a choice or an act of the server: events, the state after them, the commit to append.

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
        mid = secrets.token_bytes(sealing.MID_BYTES)
        if sealing.b64(mid)[0].isalnum():
            return mid


class Deal(Struct, frozen=True):
    """The chance of a table of an event: what line 1 says of it, and the seed (32 bytes), which it keeps as `hid`.

    `mid`: the match that the event's manifest names; a fresh one where it is empty.
    """

    dealt: Dealt
    seed: bytes
    mid: bytes = b""

    def __repr__(self) -> str:
        return f"Deal({self.dealt.event})"


class Beginning(Struct, Generic[S], frozen=True):
    """Where a match begins that does not begin at the beginning, as everybody knows it."""

    opened: BranchOpened | ScenarioOpened
    views: Views[S]


class Creation(Struct, Generic[S], frozen=True):
    """A new match, ready to be put into a store."""

    header: Header
    keys: Keys
    ruling: Ruling[S]


def _check_dealt(*, shares: bool, hints: bool, open_cards: OpenCards | None) -> None:
    """Raise `ValueError` for what a table of an event cannot have."""
    if shares:
        raise ValueError("no seat gives a share of chance where it is dealt")
    if hints:
        raise ValueError("at a table of an event nobody is given hints")
    if open_cards is not None:
        raise ValueError("at a table of an event no cards are open, for others play the same ones")


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
        self._mid = sealing.unb64(match)
        self._chance = keychain.MatchChance(self._mid, keys.k_m, keys.k_n, keys.hid)
        self._heads: dict[int, bytes] = {writer.seq: writer.head}
        self._asked_at = 0
        self._committed_at = 0
        self._reach = Reach()
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
        """The salt of a slot of a line, with which who holds no key checks what is opened (RECORD 3)."""
        return self._writer.sealer.salt(seq, slot, mask)

    @property
    def outdated(self) -> str:
        """The rules the match has been played under, where the program has others; else empty."""
        return "" if self._writer.rules == self._codec.rules else self._writer.rules

    @property
    def is_behind(self) -> bool:
        """Whether the match has been played under newer rules than the program's, so that others are to go on."""
        return number_of(self._writer.rules) > number_of(self._codec.rules)

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
        shares: bool = False,
        version: int = sealing.VERSION,
        deal: Deal | None = None,
        mid: bytes = b"",
        hints: bool = False,
        rated: bool = False,
        open_cards: OpenCards | None = None,
    ) -> "tuple[Referee[S], Creation[S]]":
        """A new match with its first line; `accept` the creation's ruling once the store has it.

        `reveal`: who may open the secrets of the closed match: public, seats or auditor. `beginning`: the position that
        it begins with, at first for nobody to play. `shares`: it waits for every person's share of chance. `deal`: the
        event from whose seed its chance comes. `mid`: an id that was drawn with `new_match_id`; one is drawn where none
        is given. `hints`: seats may ask for hints, not at a table of an event. `rated`: the result is meant to count
        (`unrateable`). `open_cards`: how much later spectators may see all hands, not at a table of an event either,
        for others play the same cards. Raises `msgspec.ValidationError` for options the game does not have or does not
        let play, `ValueError` for times nobody can play by, and `RecordInvalid` for a position that no line can hold.
        """
        if reveal not in REVEAL:
            raise ValueError(f"reveal is one of {', '.join(REVEAL)}, not {reveal!r}")
        whole = beginning is None and deal is None
        if rated and (why := unrateable(hints=hints, shares=shares, reveal=reveal, whole=whole)):
            raise ValueError(why)
        mid, keys = mid or new_match_id(), Keys(*(secrets.token_bytes(sealing.KEY_BYTES) for _ in range(3)))
        if deal is not None:
            mid = deal.mid or mid
            _check_dealt(shares=shares, hints=hints, open_cards=open_cards)
            keys = replace(keys, hid=deal.seed)
        dealt = None if deal is None else deal.dealt
        chance = keychain.MatchChance(mid, keys.k_m, keys.k_n, keys.hid)
        chance.deal(dealt)
        anchor, hidden = sealing.b64(chance.anchor), sealing.b64(chance.commitment)
        names, package = tuple(seats), package_of(game.name)
        opens = version >= signing.BINDS and game.spec.opened_at_end is not None
        agreed = shares, dealt, hints, package, opens, rated, open_cards
        event = MatchCreated(game.name, options, names, anchor, hidden, reveal, version, *agreed)
        if control is not None and control.fault():
            raise ValueError(control.fault())
        game.assert_playable(options)
        game.assert_seats(event)
        state = game.created(event)
        match = sealing.b64(mid)
        writer = Writer(mid, keys.k_m, codec_of(game).rules, version=version)
        referee = cls(game, match, keys, state, writer, sign)
        referee._chance = chance
        header = Header(match, game.name, game.rules, at, title, listed, "open", "", at)
        further: tuple[Event, ...] = ()
        if beginning is not None:
            unknown = Views(state, state, (state,) * len(seats))
            further = (beginning.opened, *set_events(unknown, beginning.views))
        if control is not None and control != TimeControl():
            further = (*further, ClocksSet(replace(control, taken_back="returned")))
        ruling = referee._rule((event, *further), game.fold(further, state), SERVER, at)
        return referee, Creation(header, keys, ruling)

    @classmethod
    def open(cls, game: Game[S], store: Log, match: str, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from its record. Raises `NoSuchMatch` or `RecordInvalid`."""
        return cls.of(game, match, read_whole(store, match), sign)

    @classmethod
    def of(cls, game: Game[S], match: str, whole: Whole, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from its record as it was read. Raises `RecordInvalid`."""
        keys, entries = whole.keys, whole.entries
        heads = integrity.heads_of(match, entries, whole.head)
        last = entries[-1]
        end = read_line(last.line)
        writer = Writer(sealing.unb64(match), keys.k_m, end.rules, last.seq, heads[-1], last.at, end.version)
        integrity.check_openings(entries, writer.sealer)
        state, clocks = folded(game, entries)
        referee = cls(game, match, keys, state, writer, sign)
        referee._chance.expect(codec_of(game).read_entry(entries[0]))
        if state.dealt:
            referee._chance.follow(codec_of(game).read_entry(entry) for entry in entries)
        referee.clocks = clocks
        referee._heads = dict(list(enumerate(heads))[-HEADS_KEPT:])
        for entry in entries:
            referee._mark(entry)
        return referee

    def fold_news(self, entries: Iterable[Entry]) -> list[Entry]:
        """Take in lines that somebody else appended, as the store has them; those that are news."""
        news = [entry for entry in entries if entry.seq > self.seq]
        for entry in news:
            event = self._codec.read_entry(entry)
            self.clocks = follow(self.game, self.clocks, self.state, (event,), entry.at, entry.seq)
            self.state = self.game.fold((event,), self.state)
            self._chance.follow((event,))
            self._mark(entry)
            self._writer.head = sealing.link(self._writer.head, entry.line)
            self._writer.seq, self._writer.at = entry.seq, entry.at
            self._writer.rules = read_line(entry.line).rules
            self._remember(entry.seq, self._writer.head)
        return news

    def accept(self, ruling: Ruling[S]) -> None:
        """The store has committed the ruling."""
        for entry, head in zip(ruling.commit.entries, ruling.writer.heads, strict=True):
            self._remember(entry.seq, head)
            self._mark(entry)
        self.clocks = self.clocks_after(ruling)
        self.state = ruling.state
        self._chance.follow(ruling.events)
        self._writer = ruling.writer

    def clocks_after(self, ruling: Ruling[S]) -> Clocks | None:
        """The clocks as they will stand once the ruling is accepted; None where there are none."""
        known = self._clocks_after
        if known is None or known[0] is not ruling:
            first = ruling.commit.entries[0].seq
            clocks = follow(self.game, self.clocks, self.state, ruling.events, ruling.writer.at, first)
            known = self._clocks_after = ruling, clocks
        return known[1]

    @property
    def owing(self) -> tuple[Seat, ...]:
        """The seats whose clients have still to reveal their fixed share of chance, once every share is fixed."""
        state = self.state
        if state.begun or state.result is not None or len(state.committed) < len(self.state.players):
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

    def _mark(self, entry: Entry) -> None:
        self._reach.follow(entry.type, entry.seq)
        if entry.type in ASKS:
            self._asked_at = entry.at
        elif entry.type == EntropyCommitted.__name__:
            self._committed_at = entry.at

    def _remember(self, seq: int, head: bytes) -> None:
        self._heads[seq] = head
        self._heads.pop(seq - HEADS_KEPT, None)

    def take_seat(self, seat: Seat, name: str, kind: str, at: int, key: str = "") -> Ruling[S]:
        """Somebody sits down; `key` is an Ed25519 public key (base64url) that will sign the seat's choices.

        Raises `SeatRefused` for a seat that is not there or taken, a match that has begun, or what is no key.
        """
        if not 0 <= seat < len(self.state.players):
            raise SeatRefused(f"There is no seat {seat}; this game has seats 0 to {len(self.state.players) - 1}.")
        if self.state.begun or any(taken == seat for taken, _ in self.state.taken):
            raise SeatRefused("The seat is taken.")
        if key and not (_length(key) == sealing.KEY_BYTES and is_public_key(sealing.unb64(key))):
            raise SeatRefused("A seat's key is an Ed25519 public key, 32 bytes as base64url, of the whole order.")
        name = unicodedata.normalize("NFC", name)[:NAME_LIMIT]
        return self._rule((SeatTaken(seat, name, kind, key),), None, SERVER, at)

    def set_key(self, seat: Seat, key: str, signature: str, at: int) -> Ruling[S]:
        """A person's seat signs with another key from now on; `signature` is the former key's over it, "" where it has
        none or its holder has lost it. Raises `SeatRefused`."""
        taken = dict(self.state.taken)
        if self.state.record == 1:
            raise SeatRefused("In a match of version 1 the key is that of who sat down.")
        if seat not in taken or seat in self.state.table.bots or self.state.result is not None:
            raise SeatRefused("No person plays this seat.")
        if _length(key) != sealing.KEY_BYTES or key == taken[seat] or not is_public_key(sealing.unb64(key)):
            raise SeatRefused("A seat's key is an Ed25519 public key, 32 bytes as base64url, and another than before.")
        message = signing.act_message(self._mid, seat, signing.key_said(key))
        if signature and not signing.is_signed_text(taken[seat], message, signature):
            raise SeatRefused("The new key is not signed with the seat's key.")
        return self._rule((SeatKeyed(seat, key, signature),), None, seat, at)

    def claim_seat(self, seat: Seat, commitment: str, signature: str, at: int) -> Ruling[S]:
        """A person stands behind the seat's present key, as its signature over the commitment says. Raises
        `SeatRefused` where the seat has none, or the like was said of this key, and `NotSigned`."""
        key = dict(self.state.taken).get(seat, "")
        if self.state.record < signing.BINDS or not key or seat in self.state.table.bots:
            raise SeatRefused("Only a person's seat with a key can be somebody's, in a record of version 3.")
        if self.state.result is not None:
            raise SeatRefused("The match is over: nobody else can stand behind its seats.")
        if not claims.is_commitment(commitment):
            raise SeatRefused("A commitment is 32 bytes as base64url.")
        if (seat, key) in self.state.claimed:
            raise SeatRefused("A person stands behind this key already.")
        message = signing.act_message(self._mid, seat, signing.person_said(commitment))
        if not signing.is_signed_text(key, message, signature):
            raise NotSigned("The commitment is not signed with the seat's key.")
        return self._rule((SeatClaimed(seat, commitment, signature),), None, seat, at)

    def vouches(self, seat: Seat, said: bytes, signature: str) -> bool:
        """Whether the seat's key has signed what is said beside the record; of a seat without a key all is."""
        key = dict(self.state.taken).get(seat, "")
        return not key or signing.is_signed_text(key, signing.act_message(self._mid, seat, said), signature)

    def commit_entropy(self, seat: Seat, commitment: str, at: int, signature: str = "") -> Ruling[S]:
        """A seat's own client fixes its share of chance: TH("ent", share). Raises `SeatRefused`."""
        if self.state.dealt:
            raise SeatRefused("The chance of this match is dealt by its event; no seat gives a share.")
        if self.state.begun or any(committed == seat for committed, _ in self.state.committed):
            raise SeatRefused("This seat's share of chance is fixed already.")
        if _length(commitment) != sealing.KEY_BYTES or not 0 <= seat < len(self.state.players):
            raise SeatRefused("A commitment is 32 bytes as base64url, for a seat of the match.")
        key = dict(self.state.taken).get(seat, "")
        if self.state.record == 1:
            return self._rule((EntropyCommitted(seat, commitment),), None, seat, at)
        message = signing.act_message(self._mid, seat, signing.share_said(commitment))
        if key and not signing.is_signed_text(key, message, signature):
            raise NotSigned("This seat signs its share of chance, and this one is not signed with its key.")
        return self._rule((EntropyCommitted(seat, commitment, signature=signature if key else ""),), None, seat, at)

    def fix_entropy(self, at: int) -> Ruling[S] | None:
        """The server's client fixes the shares of the seats that have not; None when all are fixed.

        Seats that contribute their own share reveal it after this, for no share may be known before all are fixed.
        """
        events = self._server_commitments()
        return self._rule(events, None, SERVER, at) if events else None

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose clients have still to fix a share of chance before the match begins."""
        if not self.state.shares or self.state.begun:
            return ()
        done = {*dict(self.state.committed), *self.state.table.bots}
        return tuple(seat for seat in map(Seat, range(len(self.state.players))) if seat not in done)

    def reveal_entropy(self, seat: Seat, share: str, at: int) -> Ruling[S]:
        """A seat's own client reveals its share of chance, 32 bytes. Raises `SeatRefused`."""
        committed = dict(self.state.committed)
        if len(committed) < len(self.state.players):
            raise SeatRefused("Shares of chance are revealed when every seat has fixed its own; wait for that.")
        if any(revealed == seat for revealed, _ in self.state.entropy):
            raise SeatRefused("This seat's share of chance is revealed already.")
        if self.state.result is not None:
            raise SeatRefused("The match is over: a share that comes too late is taken no more.")
        if _length(share) != sealing.KEY_BYTES or _commitment(sealing.unb64(share)) != committed.get(seat):
            raise SeatRefused("This is not the share that the seat has fixed.")
        return self._rule((EntropyRevealed(seat, share),), None, seat, at)

    def begin(self, at: int) -> Ruling[S]:
        """All seats are taken: fix and reveal what the server's client contributes to chance, then start play.

        Raises `NotBegun` while a seat that fixed its own share has not revealed it, or in a match that waits for shares
        a person's client has fixed none.
        """
        self._assert_current()
        if self.awaited:
            raise NotBegun("The match waits until every player's client has given a share of chance.")
        events = [*self._server_commitments()]
        state = self.game.fold(events, self.state)
        revealed = {seat for seat, _ in state.entropy}
        for seat, commitment in sorted(state.committed):
            if seat not in revealed:
                share = self._chance.share(seat)
                if _commitment(share) != commitment:
                    raise NotBegun("The match waits until every player's share of chance is revealed.")
                events.append(EntropyRevealed(seat, sealing.b64(share)))
        state = self.game.fold(events, self.state)
        resolver = begin(self.game, state, self._chance.of(state))
        return self._rule((*events, *resolver.events), resolver.state, SERVER, at)

    @property
    def void_at(self) -> int:
        """When the match is void unless every share of chance is revealed, in ms."""
        return self._committed_at + seat_proof.REVEAL_MS

    def void(self, at: int) -> Ruling[S]:
        """End the match without a winner because a share of chance was never revealed. Raises `MatchOver`, `NotNow`."""
        state = self.state
        if state.result is not None:
            raise MatchOver("The match is over already.")
        if not self.owing or state.shares or at < self.void_at:
            raise NotNow("The match is not void: no share of chance is overdue.")
        return self._rule((MatchEnded(Result(None, f"{VOID}{UNREVEALED}")),), None, SERVER, at)

    def give_up(self, at: int) -> Ruling[S]:
        """End the match without a winner where the rules have failed over a position that somebody wrote.

        Raises `MatchOver`. Whether the record began in a position its store tells; a verifier refuses it in others.
        """
        if self.state.result is not None:
            raise MatchOver("The match is over already.")
        return self._rule((MatchEnded(Result(None, f"{VOID}{FAILED}")),), None, SERVER, at)

    def adopt_rules(self, at: int) -> Ruling[S]:
        """Go on under the program's rules, which are newer than the record's; everybody can see it.

        Raises `RulesNewer` where they are older: rules only grow newer, and a verifier refuses all else.
        """
        if self.is_behind:
            raise RulesNewer(
                f"The match goes on under the rules {self._writer.rules}, and this server has {self._codec.rules};"
                " a server of a later version has to go on with it."
            )
        ruling = RulesChanged(self._writer.rules, self._codec.rules)
        return self._rule((ruling,), None, SERVER, at, rules=self._codec.rules)

    def choose(self, seat: Seat, number: int, choice: Choice, note: Chosen, at: int) -> Ruling[S]:
        """Decide a seat's choice. Raises `domain.kernel.Refusal`, and then nothing has happened.

        Raises `RulesOutdated` where the match was played under other rules and `adopt_rules` was not called.
        """
        self._assert_current()
        asked_of(self.state, seat, number)
        note = replace(note, seat=seat, number=number)
        self._check_note(seat, choice, note, max(at, self._writer.at))
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
            self._check_act(act)
        announced = self._chance.next_anchor(self.state)
        before = [] if announced is None else [announced]
        state, at = self.game.fold(before, self.state), max(at, self._writer.at)
        resolver = carry_out(self.game, state, self.clocks, act, at, self._chance.of(state), past)
        return self._rule([*before, *resolver.events], resolver.state, actor_of(act), at)

    def _assert_current(self) -> None:
        if self.outdated:
            raise RulesOutdated(f"the match was played under {self.outdated}, this program has {self._codec.rules}")

    def _check_act(self, act: Act) -> None:
        _check_id(act.id)
        if act.seat in self.state.table.bots:
            raise NotYours("A bot plays this seat now.")
        self._check_acknowledged(act)
        key = next((key for taken, key in self.state.taken if taken == act.seat), "")
        if self.state.record == 1 or not key:
            if act.signature:
                raise NotSigned("The seat has no key here that signs what it does.")
        else:
            self._check_signed(act, key)

    def _check_signed(self, act: Act, key: str) -> None:
        answered = None
        if self.state.record >= signing.BINDS and isinstance(act, Agreed | Declined):
            offer = self.state.table.offer(act.number)
            if offer is None:
                raise NotNow("This offer is not open any more.")
            answered = offer.terms
        if not signing.is_said_by(self._mid, key, act, answered):
            raise NotSigned("This seat signs what it does, and this is not signed with its key.")
        self._check_reach(act)

    def _check_reach(self, note: Chosen | Act) -> None:
        """From version 3 on, a signature reaches the line that it answers: else it could mean another."""
        least = self._reach.least(note)
        if self.state.record >= signing.BINDS and note.ack_seq < least:
            raise NotAcknowledged(f"What a seat signs acknowledges the line it answers; this is line {least}.")

    def _check_note(self, seat: Seat, choice: Choice, note: Chosen, at: int) -> None:
        _check_id(note.id)
        text = note.signed.text if isinstance(note.signed, Signed) else ""
        if isinstance(note.signed, tuple):
            text = note.signed[1]
        if not unicodedata.is_normalized("NFC", text):
            raise NotAChoice("The text that is signed must be in Unicode's form NFC.")
        self._check_acknowledged(note)
        self._check_by(seat, choice, note, at)
        key = next((key for taken, key in self.state.taken if taken == seat), "")
        if key and note.by == "seat":
            why = signing.fault(self.game, self.state, self.match, key, note, choice)
            if why:
                raise NotSigned(why)
            self._check_reach(note)
        elif self.state.record > 1 and (note.commitment or note.signature or not isinstance(note.signed, Hidden)):
            raise NotSigned("The seat has no key, so its choices cannot be signed.")

    def _check_by(self, seat: Seat, choice: Choice, note: Chosen, at: int) -> None:
        """The record says who may answer for a seat: its person, its bot, or a clock that is due."""
        is_bots = seat in self.state.table.bots
        if note.by == "clock":
            why = clock_fault(self.game, self.state, note.number, choice, at - self._asked_at)
            if why:
                raise NotNow(why)
        elif note.by != ("bot" if is_bots else "seat"):
            raise NotYours("A bot plays this seat now." if is_bots else "A person plays this seat.")

    def _check_acknowledged(self, note: Chosen | Act) -> None:
        if bool(note.ack_seq) != bool(note.ack_head):
            raise NotAcknowledged("A line is acknowledged with its head, 32 bytes, and no line with none.")
        if note.ack_seq > self.seq or note.ack_seq < 0:
            raise NotAcknowledged(f"Line {note.ack_seq} is acknowledged; the record has {self.seq}.")
        if note.ack_seq:
            # An acknowledgement that nobody compared could be false, and would spoil the audit for ever.
            head = self._heads.get(note.ack_seq)
            if head is None:
                raise NotAcknowledged(f"Line {note.ack_seq} is long past; acknowledge a later one, or none.")
            if note.ack_head != sealing.b64(head):
                raise NotAcknowledged(
                    f"At line {note.ack_seq} your record has another head: {sealing.b64(head)} is this one's."
                )
        elif note.ack_head and self.state.record > 1:
            raise NotAcknowledged("The head of no line is acknowledged; name the line.")

    def _server_commitments(self) -> list[Event]:
        if self.state.dealt:
            return []
        committed = {seat for seat, _ in self.state.committed}
        missing = [Seat(seat) for seat in range(len(self.state.players)) if seat not in committed]
        return [EntropyCommitted(seat, _commitment(self._chance.share(seat)), "server") for seat in missing]

    def _rule(self, events: Sequence[Event], state: S | None, actor: int, at: int, rules: str = "") -> Ruling[S]:
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

    def _checkpoint(self, writer: Writer) -> bytes | None:
        # The signature is stored with the lines in one transaction and leaves the process after it (RECORD 5).
        if self._sign is None:
            return None
        return sealing.u64(writer.at) + self._sign(
            sealing.checkpoint_message(self._mid, writer.seq, writer.head, writer.at)
        )

    def heartbeat(self, at: int) -> bytes | None:
        """A checkpoint of the last line at a later time, for a match that is idle; None without a server key."""
        writer = self._writer.fork()
        writer.at = max(writer.at, at)
        return self._checkpoint(writer)

    def attest(self, seq: int, head: bytes, at: int) -> bytes | None:
        """A checkpoint of an earlier line, for viewers who are kept behind; None without a server key."""
        if self._sign is None:
            return None
        return sealing.u64(at) + self._sign(sealing.checkpoint_message(self._mid, seq, head, at))

    def read(self, entry: Entry) -> Event:
        """The whole event of a stored line."""
        return self._codec.read_entry(entry)


def clock_fault(game: Game[S], state: S, number: int, choice: Choice, waited_ms: int) -> str:
    """Why the rules' own clock may not choose so, after so long; empty when it may."""
    asked = next((asked for asked in state.asked if asked.number == number), None)
    if asked is None:
        # Whoever decides says why: it is answered, or never was asked.
        return ""
    limit_ms = asked.limit_ms if state.record > 1 else round(game.limit_s(asked, state) * 1000)
    if not limit_ms or waited_ms < limit_ms:
        return "The time that the rules give for this decision is not over."
    default = game.revive_decision(asked).default(state)
    return "" if plain(choice) == plain(default) else "The clock chooses nothing but the decision's default."


def _check_id(name: str) -> None:
    if len(name) > NAME_LIMIT or not unicodedata.is_normalized("NFC", name):
        raise NotAChoice(f"The id has at most {NAME_LIMIT} characters, in Unicode's form NFC.")


def actor_of(event: Event) -> int:
    """The author of the lines of a choice or an act: the seat, or the server."""
    return event.seat if isinstance(event, Chosen | Act) else SERVER


def _commitment(share: bytes) -> str:
    return sealing.b64(keychain.entropy_commitment(share))


def _length(text: str) -> int:
    """How many bytes a base64url text stands for; -1 when it is none."""
    try:
        return len(sealing.unb64(text))
    except ValueError:
        return -1


def unrateable(*, hints: bool, shares: bool, reveal: str, whole: bool) -> str:
    """Why no match that is created so could count for ratings, as a sentence; empty where one could.

    `whole`: it begins at the beginning, and its chance is its own, not an event's.
    """
    if hints:
        return "A rated match has no hints."
    if not whole:
        return "A rated match begins at the beginning, and is no table of an event."
    if not shares:
        return "In a rated match every person's client gives a share of chance."
    if reveal != "public":
        return "A rated match opens its secrets to everybody at its end, so that anybody can audit it."
    return ""


def who_won(result: Result) -> str:
    """The winner in the match list: `seat 0`, `seats 0 2` for several, or `draw`."""
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
