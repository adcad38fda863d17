"""The lines of one match at a relay; each line is checked before it is used.

The lines arrive without secrets. For spectators of open cards they arrive with the openings that these spectators may
see, each of which is checked against its seal.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel import Event, Game
from herald_client.errors import Broken
from herald_client.verifier import Verifier
from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.line import codec_of, read_line
from replay.store.log import Entry
from server.pages.line_tables import line_table
from server.relay.errors import OriginBroken
from server.wire.protocol import Events, HeadInfo

CHUNK = 500
"""The maximum number of lines in one frame when a spectator catches up."""
CHUNK_BYTES = 128 * 1024
"""The maximum number of bytes of lines in one of these frames; a single line can have more."""
OVER = "MatchEnded"


class ShownLine(Struct, frozen=True):
    """A line in the form sent to viewers: its text and, for open cards, each opening with its salt."""

    text: str
    openings: tuple[tuple[int, str], ...] = ()
    salts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The line's bytes that count against the limit."""
        return len(self.text) + sum(len(value) for _, value in self.openings) + sum(map(len, self.salts))

    def __repr__(self) -> str:
        return f"Shown({len(self.openings)} openings)"


class NewLines(Struct, frozen=True):
    """Checked lines that follow the lines held: their text, their events, and the chain's hash after each line."""

    lines: tuple[ShownLine, ...]
    events: tuple[Event, ...]
    heads: tuple[bytes, ...]
    is_end: bool

    @property
    def size(self) -> int:
        """The bytes of the lines that count against the limit."""
        return sum(line.size for line in self.lines)


class VerifiedLines:
    """The lines of a match, from the first to the last that spectators may see. `bytes` counts their text."""

    def __init__(self, match: str, game: Game[Any], viewer: Viewer = SPECTATOR) -> None:
        """`viewer`: the kind of viewers who may see the lines, plain spectators or spectators of open cards."""
        self.match = match
        self.bytes = 0
        self._codec = codec_of(game)
        self._table = line_table(game)
        self._viewer = viewer
        self._lines: list[ShownLine] = []
        self._heads = [sealing.genesis(sealing.unb64(match))]
        self._verifier = self._verified()
        self._signed = (0, "")

    @property
    def seq(self) -> int:
        """The last line."""
        return len(self._lines)

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self._heads[-1]

    @property
    def end(self) -> HeadInfo:
        """The end of the lines, signed by the origin if it has signed there."""
        return self._end_at(self.seq)

    def _end_at(self, seq: int) -> HeadInfo:
        at, signed = self._signed
        return HeadInfo(seq, sealing.b64(self._heads[seq]), signed if at == seq else "")

    def check(self, told: Events) -> NewLines:
        """The lines of a frame that are new.

        Raises `OriginBroken` if a line is wrong; then none of the frame's lines count.

        The call changes nothing that is shown. It can run in a thread, but only one call at a time.
        """
        if self._verifier.fault is not None:
            self._verifier = self._verified()
        before = self._verifier.seq
        try:
            return self._checked(told)
        except Broken as wrong:
            raise OriginBroken(wrong.seq, wrong.why) from wrong
        except RecordInvalid as wrong:
            # The lines of the faulty frame must not count, so the next check begins again from the lines that count.
            self._verifier = self._verified()
            raise OriginBroken(wrong.seq or before + 1, f"it says nothing that this game has: {wrong.why}") from wrong

    def _checked(self, told: Events) -> NewLines:
        verifier, first = self._verifier, self._verifier.seq + 1
        if told.last != told.first + len(told.items) - 1 or told.head.seq != told.last:
            raise OriginBroken(first, "a frame says other lines than it has")
        if not self._viewer.sees_hands and (told.salts or any(openings for _, openings in told.items)):
            raise OriginBroken(told.first, "it came with a secret, which no spectator is sent")
        if told.steps:
            # A relay cannot check Steps against the lines.
            raise OriginBroken(told.first, "it came with Steps, for which nobody asked")
        verifier.claim(told.head.seq, told.head.hash)
        salts = told.salts or ((),) * len(told.items)
        if len(salts) != len(told.items):
            raise OriginBroken(told.first, "it came with the salts of other lines")
        lines: list[ShownLine] = []
        heads: list[bytes] = []
        for (text, openings), held in zip(told.items, salts, strict=True):
            known = verifier.seq
            verifier.take(text, openings, held)
            if verifier.seq > known:
                lines.append(ShownLine(text, openings, held))
                heads.append(verifier.head)
        if told.head.signed:
            verifier.checkpoint(told.head.seq, told.head.signed)
        entries = [entry_of(line) for line in lines]
        events = tuple(self._codec.read_entries(entries))
        return NewLines(tuple(lines), events, tuple(heads), any(entry.type == OVER for entry in entries))

    def _verified(self) -> Verifier:
        """A verifier that has verified the lines up to the last one that counts."""
        made = Verifier(self.match, lines=self._table, sees_hands=self._viewer.sees_hands)
        for line in self._lines:
            made.take(line.text, line.openings, line.salts)
        return made

    def add(self, news: NewLines, head: HeadInfo) -> None:
        """Let these lines count from now on. `head`: the end of the record by their frame."""
        self._lines += news.lines
        self._heads += news.heads
        self.bytes += news.size
        if head.signed:
            self._signed = (head.seq, head.signed)

    def sign(self, seq: int, signed: str) -> None:
        """Apply the origin's signature of a line that is held.

        Raises `OriginBroken` if the signature does not fit it.
        """
        if not 0 < seq <= self.seq or not signed:
            return
        try:
            self._verifier.checkpoint(seq, signed)
        except Broken as wrong:
            raise OriginBroken(wrong.seq, wrong.why) from wrong
        self._signed = max(self._signed, (seq, signed))

    def events(self) -> list[Event]:
        """All events in the viewers' form."""
        return self._codec.read_entries(map(entry_of, self._lines))

    def entries(self) -> list[Entry]:
        """The lines in the codec's form."""
        return [entry_of(line) for line in self._lines]

    def frames(self, since: int) -> Iterator[tuple[Events, int]]:
        """The lines after a number in frames, and the last line of each."""
        after = min(since, self.seq)
        while after < self.seq:
            some = _portion(self._lines, after)
            last = after + len(some)
            yield frame_of(some, self._end_at(last)), last
            after = last


def frame_of(lines: Sequence[ShownLine], head: HeadInfo) -> Events:
    """The message with these lines; its head is the head after the last line."""
    salts = tuple(line.salts for line in lines)
    items = tuple((line.text, line.openings) for line in lines)
    return Events(head.seq - len(lines) + 1, head.seq, items, head, salts=salts if any(salts) else ())


def entry_of(shown: ShownLine) -> Entry:
    """A line in the codec's form; a slot that is not opened counts as empty."""
    data = shown.text.encode()
    line = read_line(data)
    opened = {slot: value.encode() for slot, value in shown.openings}
    values = tuple(opened.get(slot, b"null") for slot in range(len(line.seals))) if opened else ()
    return Entry(line.seq, line.at, line.type, line.actor, data, values)


def _portion(lines: Sequence[ShownLine], after: int) -> list[ShownLine]:
    """Lines after a number, no more than fit into one frame."""
    size = 0
    some: list[ShownLine] = []
    for line in lines[after : after + CHUNK]:
        if some and size + line.size > CHUNK_BYTES:
            break
        some.append(line)
        size += line.size
    return some
