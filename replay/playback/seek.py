"""Any moment of a match through anybody's eyes: seek, step, search.

A `Replay` folds the events that one viewer holds, exactly as live play did, so it shows nothing that live play would
not have shown at that moment. Keyframes are a cache: without them the views are the same, but take longer.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar, cast

from msgspec import Struct

from domain.kernel import Chosen, Clocks, Event, Game, Mask, MatchCreated, State, follow
from projections.face import Face
from projections.redaction import Viewer
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, Held, Record
from replay.playback import search
from replay.record import sealing
from replay.record.bulk_structs import without_collecting
from replay.record.line import Codec, codec_of, read_line
from replay.record.referee import TIMED
from replay.store.log import Entry, Head, Log

S = TypeVar("S", bound=State)

STRIDE: Final = 64
"""Events between two keyframes."""

Eyes = Viewer | None
"""A viewer, or None for everything: for matches that are over, and for those who hold the whole record."""


class NarratedLine(Struct, frozen=True, gc=False):
    """A line of the chronicle: number of the event, sentence, and whether it is a heading."""

    seq: int
    text: str
    heading: bool = False


class Replay(Generic[S]):
    """A match from its first event on; grows when `extend` is given more."""

    def __init__(self, face: Face[S], held: Iterable[Event | Entry]) -> None:
        self.face = face
        self.game: Game[S] = face.game
        self._codec = codec_of(face.game)
        self._held: list[Event | Entry] = list(held)
        self._seen: dict[Eyes, list[Event]] = {}
        self._frames: dict[Eyes, list[S]] = {}
        self._clocks: list[Clocks | None] = []
        self._chronicle: dict[Eyes, dict[int, NarratedLine]] = {}
        self.view = EVERYTHING
        """The view that is held: everything, or that of a seat or a spectator (`Viewer.label`)."""

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        first = self.seen(1, None)
        return len(first.seats) if isinstance(first, MatchCreated) else 0

    @property
    def events(self) -> Sequence[Event]:
        """The events, with the secrets that are held."""
        return self._stream(self.end, None)

    @classmethod
    def of_store(cls, face: Face[S], store: Log, match: str) -> "Replay[S]":
        """A whole match of a store. Raises `NoSuchMatch`."""
        with without_collecting():
            return cls(face, store.read(match))

    @classmethod
    def verified(cls, face: Face[S], match: str, entries: Sequence[Entry], head: Head) -> "Replay[S]":
        """Stored lines, after a check that their chain leads to the head. Raises `RecordInvalid`."""
        made = sealing.linked(sealing.genesis(sealing.unb64(match)), [entry.line for entry in entries])
        if (len(entries), made) != (head.seq, head.hash):
            raise RecordInvalid(f"the chain gives the head {sealing.b64(made)}", len(entries), sealing.b64(head.hash))
        return cls(face, entries)

    @classmethod
    def of_record(cls, face: Face[S], record: Record) -> "Replay[S]":
        """A match of an export or a saved stream, with its holder's secrets. Raises `RecordInvalid`."""
        codec = codec_of(face.game)
        if not record.held:
            raise RecordInvalid("the record is empty")
        replay = cls(face, [_event(codec, held, seq) for seq, held in enumerate(record.held, 1)])
        replay.view = record.view
        return replay

    @property
    def end(self) -> int:
        """The number of the last event."""
        return len(self._held)

    def extend(self, held: Iterable[Event | Entry]) -> None:
        """Add more events of a match that is being played."""
        self._held.extend(held)

    def seen(self, seq: int, eyes: Eyes) -> Event:
        """Event `seq` as the viewer holds it."""
        return self._stream(seq, eyes)[seq - 1]

    def seen_all(self, eyes: Eyes) -> Sequence[Event]:
        """All events as the viewer holds them."""
        return self._stream(self.end, eyes)

    def _stream(self, last: int, eyes: Eyes) -> list[Event]:
        """The first events as the viewer holds them, at least up to `last`."""
        seen = self._seen.setdefault(eyes, [])
        if len(seen) < last:
            with without_collecting():
                self._read(seen, last, None if eyes is None else eyes.mask)
        return seen

    def _read(self, seen: list[Event], last: int, mask: Mask | None) -> None:
        more = self._held[len(seen) : last]
        if all(type(held) is Entry for held in more):
            seen += self._codec.read_entries(cast(list[Entry], more), mask)
            return
        for held in more:
            if isinstance(held, Entry):
                seen.append(self._codec.read_entry(held, mask))
            else:
                seen.append(held if mask is None else self._redact(held, mask, len(seen) + 1))

    def _redact(self, event: Event, mask: Mask, seq: int) -> Event:
        try:
            return self.game.redact(event, mask)
        except (KeyError, TypeError) as wrong:
            raise RecordInvalid(f"{type(event).__name__} has a secret for seat {wrong}", seq) from wrong

    def at(self, seq: int, eyes: Eyes) -> S:
        """The view after event `seq`, from 1 to `end`. Raises `IndexError` for any other."""
        if not 1 <= seq <= self.end:
            raise IndexError(f"there is no event {seq}; the match has 1 to {self.end}")
        frame = min(seq - 1, self._complete(seq, eyes) * STRIDE)
        state = self._frames[eyes][frame // STRIDE]
        start = frame // STRIDE * STRIDE + 1
        return self._fold(self._stream(seq, eyes)[start:seq], state, start + 1)

    def clocks_at(self, seq: int) -> Clocks | None:
        """The clocks at event `seq`; None in a match without clocks, or if lines have no times."""
        entries = [held for held in self._held if isinstance(held, Entry)]
        if len(entries) < self.end or not any(entry.type in TIMED for entry in entries):
            return None
        if len(self._clocks) < self.end:
            clocks, state, self._clocks = None, self.at(1, None), [None]
            for entry, event in zip(entries[1:], self.events[1:], strict=True):
                clocks = follow(self.game, clocks, state, (event,), entry.at, entry.seq)
                state = self.game.fold((event,), state)
                self._clocks.append(clocks)
        return self._clocks[seq - 1]

    def _fold(self, events: Sequence[Event], state: S | None, first: int) -> S:
        """Fold events onto a state. Raises `RecordInvalid` with the line, because the events are untrusted."""
        try:
            return self.game.fold(events, state)
        except Exception as wrong:
            for seq, event in enumerate(events, first):
                try:
                    state = self.game.fold((event,), state)
                except Exception as here:
                    raise RecordInvalid(f"{type(event).__name__} cannot be folded: {here!r}", seq) from here
            raise RecordInvalid(f"the events cannot be folded: {wrong!r}", first) from wrong

    def _complete(self, seq: int, eyes: Eyes) -> int:
        """Make the keyframes up to `seq`; keyframe k is after event 64 k + 1. Returns the number of the last one."""
        frames, seen = self._frames.setdefault(eyes, []), self._stream(seq, eyes)
        if not frames or len(frames) * STRIDE + 1 <= seq:
            with without_collecting():
                self._make_frames(frames, seen, seq)
        return len(frames) - 1

    def _make_frames(self, frames: list[S], seen: Sequence[Event], seq: int) -> None:
        if not frames:
            frames.append(self._fold(seen[:1], None, 1))
        while len(frames) * STRIDE + 1 <= seq:
            start = (len(frames) - 1) * STRIDE + 2
            frames.append(self._fold(seen[start - 1 : start - 1 + STRIDE], frames[-1], start))

    def board(self, seq: int, eyes: Eyes) -> str:
        """The table after an event as text. Raises `RecordInvalid` if it cannot be drawn."""
        try:
            return self.face.board(self.at(seq, eyes), None if eyes is None else eyes.seat)
        except (RecordInvalid, IndexError):
            raise
        except Exception as wrong:
            raise RecordInvalid(f"the table cannot be drawn: {wrong!r}", seq) from wrong

    def told(self, seq: int, eyes: Eyes) -> NarratedLine:
        """The narration of event `seq`; the text is empty if there is nothing to say."""
        if seq == 1:
            return NarratedLine(1, "")
        return self._told(seq, eyes, self.at(seq - 1, eyes), self.at(seq, eyes))

    def chronicle(self, first: int, last: int, eyes: Eyes) -> list[NarratedLine]:
        """The sentences of events `first` to `last`, without empty ones."""
        first, last = max(2, first), min(last, self.end)
        if first > last:
            return []
        told = self._chronicle.setdefault(eyes, {})
        missing = [seq for seq in range(first, last + 1) if seq not in told]
        if missing:
            before = self.at(missing[0] - 1, eyes)
            for seq in range(missing[0], missing[-1] + 1):
                after = self._fold((self.seen(seq, eyes),), before, seq)
                told[seq] = self._told(seq, eyes, before, after)
                before = after
        return [told[seq] for seq in range(first, last + 1) if told[seq].text]

    def _told(self, seq: int, eyes: Eyes, before: S, after: S) -> NarratedLine:
        event = self.seen(seq, eyes)
        try:
            text = self.face.narrate(before, after, event, None if eyes is None else eyes.seat)
        except Exception as wrong:
            raise RecordInvalid(f"{type(event).__name__} cannot be told: {wrong!r}", seq) from wrong
        return NarratedLine(seq, text, type(event) in self.face.headings)

    def after(self, seq: int, wanted: Callable[[Event], bool]) -> int | None:
        """The first event after `seq` that is wanted."""
        return next((n for n in range(seq + 1, self.end + 1) if wanted(self.events[n - 1])), None)

    def before(self, seq: int, wanted: Callable[[Event], bool]) -> int | None:
        """The last event before `seq` that is wanted."""
        return next((n for n in range(min(seq, self.end + 1) - 1, 0, -1) if wanted(self.events[n - 1])), None)

    def search(self, words: str, eyes: Eyes, after: int = 0) -> NarratedLine | None:
        """The first sentence after an event that fits the words, as the viewer was told it (`search.wanted`)."""
        is_wanted = search.wanted(words)
        for line in self.chronicle(after + 1, self.end, eyes):
            if is_wanted(line.text, self.seen(line.seq, eyes)):
                return line
        return None

    def step(self, seq: int, to: str, *, back: bool = False) -> int | None:
        """The number of the next `to` after `seq`, or of the last one before it. `to` is event, choice, turn, round,
        phase, or an event's name.

        None if there is no other.
        """
        find = self.before if back else self.after
        return find(seq, landmark(self.face, to))


def is_choice(event: Event) -> bool:
    """Whether the event is a choice."""
    return isinstance(event, Chosen)


def landmark(face: Face[S], to: str) -> Callable[[Event], bool]:
    """The test for a place: event, choice, turn, round, phase, or an event's name. Raises `KeyError` for any other."""
    marks: dict[str, Callable[[Event], bool]] = {
        "event": lambda _: True,
        "choice": is_choice,
        "turn": lambda event: type(event) in face.turns,
        "round": face.rounds,
        "phase": is_heading(face),
    }
    return marks[to] if to in marks else is_of([face.game.events[to].__name__])


def is_heading(face: Face[S]) -> Callable[[Event], bool]:
    """Whether an event begins a phase of the game."""
    return lambda event: type(event) in face.headings


def is_of(kinds: Sequence[str]) -> Callable[[Event], bool]:
    """Whether an event is of one of the named kinds."""
    return lambda event: type(event).__name__ in kinds


def _event(codec: Codec[S], held: Held, seq: int) -> Event:
    try:
        line = read_line(held.line)
        openings = tuple(held.openings.get(slot) for slot in range(len(line.seals)))
        return codec.read(line.type, line.payload, openings)
    except RecordInvalid as wrong:
        raise RecordInvalid(wrong.why, seq, wrong.expected) from wrong
