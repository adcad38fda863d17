"""The referee of one match: where a game meets its record.

It folds the record, decides choices, and writes what came of them as lines. It changes nothing by itself: a ruling
counts when the store has committed it (`accept`). Nothing here waits and nothing is told to anybody.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel import (
    Choice,
    Chosen,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    Game,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    Resolver,
    Seat,
    SeatTaken,
    State,
    decide,
)
from replay import hr1, keychain
from replay.line import Codec, Writer
from replay.store import Commit, Entry, Header, Keys, Store

S = TypeVar("S", bound=State)

SERVER = -1
Sign = Callable[[bytes], bytes]
"""Signs a checkpoint's message (RECORD 5)."""


class Ruling(Struct, Generic[S], frozen=True):
    """What a choice or an act of the server comes to: events, the state after them, the commit to append."""

    events: tuple[Event, ...]
    state: S
    commit: Commit
    writer: Writer


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
        self._codec = _codec(game)
        self._writer = writer
        self._sign = sign
        self._mid = hr1.unb64(match)
        self._chain: keychain.KeyChain | None = None
        self._mixed: tuple[int, bytes] = (0, b"")

    @property
    def seq(self) -> int:
        """The last line."""
        return self._writer.seq

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self._writer.head

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
        sign: Sign | None = None,
    ) -> "tuple[Referee[S], Creation[S]]":
        """A new match with its first line. Raises `msgspec.ValidationError` for options the game does not have."""
        mid, keys = secrets.token_bytes(hr1.MID_BYTES), Keys(*(secrets.token_bytes(hr1.KEY_BYTES) for _ in range(3)))
        chain = keychain.KeyChain(keys.k_n)
        hidden = keychain.hidden_commitment(mid, keys.hid)
        event = MatchCreated(game.name, options, tuple(seats), hr1.b64(chain.anchor), hr1.b64(hidden))
        state = game.created(event)
        match = hr1.b64(mid)
        codec = _codec(game)
        writer = Writer(mid, keys.k_m, codec.rules)
        referee = cls(game, match, keys, state, writer, sign)
        referee._chain = chain
        header = Header(match, game.name, game.rules, at, title, listed, "open", "", at)
        ruling = referee._rule((event,), state, SERVER, at)
        return referee, Creation(header, keys, ruling)

    @classmethod
    def open(cls, game: Game[S], store: Store, match: str, sign: Sign | None = None) -> "Referee[S]":
        """Fold a match from its record. Raises `NoSuchMatch` or `RecordInvalid`."""
        keys = store.keys(match)
        entries = store.read(match)
        codec = _codec(game)
        state = game.fold(codec.read_entry(entry) for entry in entries)
        last = entries[-1]
        writer = Writer(hr1.unb64(match), keys.k_m, codec.rules, last.seq, store_head(store, match, last), last.at)
        return cls(game, match, keys, state, writer, sign)

    def fold_news(self, store: Store) -> list[Entry]:
        """Take in lines that somebody else appended; those lines."""
        news = store.read(self.match, after=self.seq)
        for entry in news:
            self.state = self.game.fold((self._codec.read_entry(entry),), self.state)
            self._writer.head = hr1.link(self._writer.head, entry.line)
            self._writer.seq, self._writer.at = entry.seq, entry.at
        return news

    def accept(self, ruling: Ruling[S]) -> None:
        """The store has committed the ruling."""
        self.state = ruling.state
        self._writer = ruling.writer

    def take_seat(self, seat: Seat, name: str, kind: str, at: int) -> Ruling[S]:
        """Somebody sits down."""
        return self._rule((SeatTaken(seat, name, kind),), None, SERVER, at)

    def begin(self, at: int, shares: dict[int, bytes] | None = None) -> Ruling[S]:
        """All seats are taken: fix and reveal every seat's share of chance, then start play.

        `shares`: 32 bytes of entropy by seat; for the others the server's client contributes, and the record says so.
        """
        given = dict(shares or {})
        own = {seat: given.get(seat) or secrets.token_bytes(32) for seat in range(self.game.seats)}
        events: list[Event] = [
            EntropyCommitted(
                Seat(seat), hr1.b64(keychain.entropy_commitment(share)), "seat" if seat in given else "server"
            )
            for seat, share in own.items()
        ]
        events += [EntropyRevealed(Seat(seat), hr1.b64(share)) for seat, share in own.items()]
        state = self.game.fold(events, self.state)
        resolver = self.game.begin(state, self._chance(state))
        return self._rule((*events, *resolver.events), resolver.state, SERVER, at)

    def choose(self, seat: Seat, number: int, choice: Choice, note: Chosen, at: int) -> Ruling[S]:
        """Decide a seat's choice. Raises `domain.kernel.Refusal`, and then nothing has happened."""
        resolver: Resolver[S] = decide(self.game, self.state, seat, number, choice, self._chance(self.state), note=note)
        return self._rule(resolver.events, resolver.state, seat, at)

    def _chance(self, state: S) -> keychain.RecordedChance:
        if self._chain is None:
            self._chain = keychain.KeyChain(self.keys.k_n)
        if self._mixed[0] != len(state.entropy):
            shares = [hr1.unb64(share) for _, share in sorted(state.entropy)]
            hidden = keychain.hidden_commitment(self._mid, self.keys.hid)
            self._mixed = (len(shares), keychain.mix(self._mid, self._chain.anchor, hidden, shares))
        return keychain.RecordedChance(self._chain, self.keys.hid, self._mixed[1], state.draws, state.shuffles)

    def _rule(self, events: Sequence[Event], state: S | None, actor: int, at: int) -> Ruling[S]:
        writer, codec = self._writer.fork(), self._codec
        entries: list[Entry] = []
        cause = ""
        for event in events:
            slots = codec.slots(event)
            entries.append(writer.write(type(event).__name__, codec.payload(event), slots, actor, cause, at))
            if isinstance(event, Chosen):
                cause = hr1.choice_cause(entries[-1].line)
        after = self.game.fold(events, self.state) if state is None else state
        status, result = _status(events)
        checkpoint = self._checkpoint(writer)
        commit = Commit(self.match, self.seq, tuple(entries), writer.head, checkpoint, status, result)
        return Ruling(tuple(events), after, commit, writer)

    def _checkpoint(self, writer: Writer) -> bytes | None:
        if self._sign is None:
            return None
        return hr1.u64(writer.at) + self._sign(hr1.checkpoint_message(self._mid, writer.seq, writer.head, writer.at))

    def read(self, entry: Entry) -> Event:
        """The whole event of a stored line."""
        return self._codec.read_entry(entry)


def _status(events: Sequence[Event]) -> tuple[str | None, str | None]:
    for event in events:
        if isinstance(event, MatchEnded):
            winner = event.result.winner
            who = "draw" if winner is None else f"seat {winner}"
            return "finished", f"{who}: {event.result.reason}"
        if isinstance(event, MatchBegun):
            ended = next((e for e in events if isinstance(e, MatchEnded)), None)
            return _status((ended,)) if ended else ("running", None)
    return None, None


_CODECS: dict[int, tuple[Game[Any], Codec[Any]]] = {}


def _codec(game: Game[S]) -> Codec[S]:
    found = _CODECS.get(id(game))
    if found is None or found[0] is not game:
        found = _CODECS[id(game)] = (game, Codec(game))
    return found[1]


def read_event(game: Game[S], entry: Entry) -> Event:
    """The whole event of a stored line. Raises `RecordInvalid`."""
    return _codec(game).read_entry(entry)


def store_head(store: Store, match: str, last: Entry) -> bytes:
    """The chain's hash after `last`, as the store keeps it; made anew when somebody appended meanwhile."""
    head = store.head(match)
    if head.seq == last.seq:
        return head.hash
    value = hr1.genesis(hr1.unb64(match))
    for entry in store.read(match, limit=last.seq):
        value = hr1.link(value, entry.line)
    return value
