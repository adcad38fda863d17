"""The public lines of one match as a relay holds them: each checked before it counts, none with a secret."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel import Event, Game
from herald_client.errors import Broken
from herald_client.verifier import Verifier
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.line import codec_of, read_line
from replay.store.log import Entry
from server.pages.line_tables import line_table
from server.relay.errors import OriginBroken
from server.wire.protocol import Events, HeadInfo

CHUNK = 500
"""Lines in one frame when a spectator catches up, at most."""
CHUNK_BYTES = 128 * 1024
"""Bytes of lines in such a frame, unless one line has more."""
OVER = "MatchEnded"


class NewLines(Struct, frozen=True):
    """Lines that were checked and follow those that are held: their text, their public events, the chain after each."""

    texts: tuple[str, ...]
    events: tuple[Event, ...]
    heads: tuple[bytes, ...]
    is_end: bool

    @property
    def size(self) -> int:
        """Bytes of the lines, as they are counted."""
        return sum(map(len, self.texts))


class VerifiedLines:
    """The lines of a match, from the first to the last that spectators may see. `bytes` counts their text."""

    def __init__(self, match: str, game: Game[Any]) -> None:
        self.match = match
        self.bytes = 0
        self._codec = codec_of(game)
        self._table = line_table(game)
        self._texts: list[str] = []
        self._heads = [sealing.genesis(sealing.unb64(match))]
        self._verifier = Verifier(match, lines=self._table)
        self._signed = (0, "")

    @property
    def seq(self) -> int:
        """The last line."""
        return len(self._texts)

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self._heads[-1]

    @property
    def end(self) -> HeadInfo:
        """Where the lines end, signed by the origin if it has signed there."""
        return self._end_at(self.seq)

    def _end_at(self, seq: int) -> HeadInfo:
        at, signed = self._signed
        return HeadInfo(seq, sealing.b64(self._heads[seq]), signed if at == seq else "")

    def check(self, told: Events) -> NewLines:
        """The lines of a frame that are new. Raises `OriginBroken`: then none of the frame counts.

        It changes nothing that is shown, and may be called in a thread, once at a time.
        """
        if self._verifier.fault is not None:
            self._verifier = self._verified()
        before = self._verifier.seq
        try:
            return self._checked(told)
        except Broken as wrong:
            raise OriginBroken(wrong.seq, wrong.why) from wrong
        except RecordInvalid as wrong:
            # What was taken of the frame must not count: the next check begins again from the lines that do.
            self._verifier = self._verified()
            raise OriginBroken(wrong.seq or before + 1, f"it says nothing that this game has: {wrong.why}") from wrong

    def _checked(self, told: Events) -> NewLines:
        verifier, first = self._verifier, self._verifier.seq + 1
        if told.last != told.first + len(told.items) - 1 or told.head.seq != told.last:
            raise OriginBroken(first, "a frame says other lines than it has")
        if any(openings for _, openings in told.items):
            raise OriginBroken(told.first, "it came with a secret, which no spectator is sent")
        if told.steps:
            # Nobody here can check them against the lines.
            raise OriginBroken(told.first, "it came with Steps, for which nobody asked")
        verifier.claim(told.head.seq, told.head.hash)
        texts: list[str] = []
        entries: list[Entry] = []
        heads: list[bytes] = []
        for text, _ in told.items:
            known = verifier.seq
            line = verifier.take(text)
            if verifier.seq > known:
                texts.append(text)
                heads.append(verifier.head)
                entries.append(Entry(line.seq, line.at, line.type, line.actor, text.encode()))
        if told.head.signed:
            verifier.checkpoint(told.head.seq, told.head.signed)
        events = tuple(self._codec.read_entries(entries))
        return NewLines(tuple(texts), events, tuple(heads), any(entry.type == OVER for entry in entries))

    def _verified(self) -> Verifier:
        """A verifier that stands at the last line that counts."""
        made = Verifier(self.match, lines=self._table)
        for text in self._texts:
            made.take(text)
        return made

    def add(self, news: NewLines, head: HeadInfo) -> None:
        """Lines count from now on. `head`: where the frame with them ended."""
        self._texts += news.texts
        self._heads += news.heads
        self.bytes += news.size
        if head.signed:
            self._signed = (head.seq, head.signed)

    def sign(self, seq: int, signed: str) -> None:
        """The origin signed a line that is held. Raises `OriginBroken` where the signature is not for it."""
        if not 0 < seq <= self.seq or not signed:
            return
        try:
            self._verifier.checkpoint(seq, signed)
        except Broken as wrong:
            raise OriginBroken(wrong.seq, wrong.why) from wrong
        self._signed = max(self._signed, (seq, signed))

    def events(self) -> list[Event]:
        """Everything that happened, as spectators hold it."""
        return self._codec.read_entries(map(entry_of, self._texts))

    def frames(self, since: int) -> Iterator[tuple[Events, int]]:
        """The lines after a number in frames, and the last line of each."""
        after = min(since, self.seq)
        while after < self.seq:
            some = _portion(self._texts, after)
            last = after + len(some)
            yield Events(after + 1, last, tuple((text, ()) for text in some), self._end_at(last)), last
            after = last


def entry_of(text: str) -> Entry:
    """A line without a secret, as the codec reads it."""
    data = text.encode()
    line = read_line(data)
    return Entry(line.seq, line.at, line.type, line.actor, data)


def _portion(texts: Sequence[str], after: int) -> list[str]:
    """Lines after a number, so many that a frame of them is not too large."""
    size = 0
    some: list[str] = []
    for text in texts[after : after + CHUNK]:
        if some and size + len(text) > CHUNK_BYTES:
            break
        some.append(text)
        size += len(text)
    return some
