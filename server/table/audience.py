"""One audience of one match: its knowledge and its messages, encoded once for all its sockets."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Event, State
from projections.chronicle import line
from projections.dice_odds import with_odds
from projections.face import Face, Scene
from projections.i18n.language import Language, language_of
from projections.languages import ENGLISH
from projections.redaction import Viewer, openings_for
from projections.scene import diff, fitting
from replay.record import sealing
from replay.record.line import read_line
from replay.store.log import Entry
from server.table.frame_times import NO_TIMES, FrameTimes
from server.wire.protocol import Events, HeadInfo, Snapshot, WireItem, write_message

S = TypeVar("S", bound=State)

LOG_LINES = 200
"""The number of lines of the chronicle in a snapshot."""


class SplitLine(Struct, frozen=True):
    """A line, parsed once for all its viewers: its text, the audiences of its slots, and the slots' values."""

    text: str
    masks: tuple[int, ...]
    openings: tuple[bytes, ...]

    def __repr__(self) -> str:
        return f"SplitLine({len(self.openings)} openings)"

    def item(self, viewer: Viewer) -> WireItem:
        """The line, and the openings that the viewer is entitled to see."""
        if not self.openings:
            return (self.text, ())
        held = openings_for(self.masks, self.openings, viewer)
        return (self.text, tuple([(slot, value.decode()) for slot, value in held]))


Salts = Callable[[int, int, int], bytes]
"""The salt of a slot, by its line, its number and its audience (docs/record.md 3)."""


def _no_salts(_seq: int, _slot: int, _mask: int) -> bytes:
    raise AssertionError("only spectators of open cards are told salts")


def told_lines(
    told: Sequence[SplitLine], viewer: Viewer, head: HeadInfo, times: FrameTimes = NO_TIMES, salts: Salts = _no_salts
) -> Events:
    """The message that sends lines to a viewer; its head is the head after the last line."""
    first, items = head.seq - len(told) + 1, tuple([line.item(viewer) for line in told])
    opened: tuple[tuple[str, ...], ...] = ()
    if viewer.sees_hands:
        opened = tuple(
            tuple(sealing.b64(salts(seq, slot, line.masks[slot])) for slot, _ in held)
            for seq, (line, (_, held)) in enumerate(zip(told, items, strict=True), first)
        )
    return Events(first, head.seq, items, head, clocks=times.clocks, table=times.table, salts=opened)


def split_lines(entries: Iterable[Entry]) -> list[SplitLine]:
    """Stored lines, ready to be sent."""
    return [SplitLine(e.line.decode(), read_line(e.line).masks if e.openings else (), e.openings) for e in entries]


def split_new_lines(entries: Sequence[Entry], masks: Sequence[tuple[int, ...]]) -> list[SplitLine]:
    """Lines that were just written, ready to be sent; `masks` are, for each line, the audiences of its slots."""
    return [SplitLine(e.line.decode(), audiences, e.openings) for e, audiences in zip(entries, masks, strict=True)]


def wire_item(entry: Entry, viewer: Viewer) -> WireItem:
    """A line, and the openings that the viewer is entitled to see."""
    return split_lines((entry,))[0].item(viewer)


class Audience(Generic[S]):
    """Folds the redacted events of one audience, and keeps the audience's Scene while somebody wants Scenes."""

    def __init__(
        self,
        face: Face[S],
        viewer: Viewer,
        events: Iterable[Event],
        explains: Callable[[int], bool] = lambda _: False,
        salts: Salts = _no_salts,
    ) -> None:
        """`explains`: the seats whose moves the chronicle explains, as far as the viewer's own view allows.

        `salts`: for spectators of open cards, who have no key to derive them from.
        """
        self._salts = salts
        self.face = face
        self.viewer = viewer
        self._explains = explains
        self.wants_scenes = False
        self._log: list[dict[str, Any]] = []
        self._scene: dict[str, Any] | None = None
        self._snapshots: dict[str, tuple[int, str]] = {}
        self._told: tuple[Events, dict[str, Any], Scene] | None = None
        self._said: dict[str, tuple[Scene, Scene]] = {}
        redacted = [face.game.redact(event, viewer.mask) for event in events]
        self.view: S = face.game.fold(redacted[:1])
        self._catch_up(redacted)

    def draw(self, *, is_wanted: bool) -> None:
        """Draw a Scene with each advance from now on, or stop if nobody in the audience wants Scenes."""
        self.wants_scenes = is_wanted

    def fork(self) -> "Audience[S]":
        """Make a copy that advances independently from here."""
        other = copy(self)
        other._snapshots, other._said = {}, {}
        return other

    def _catch_up(self, redacted: Sequence[Event]) -> None:
        """Fold everything, but narrate only the last part, which the chronicle shows, because narrating is slow."""
        last = 3 * LOG_LINES
        while True:
            first = max(1, len(redacted) - last)
            self.view, self._log = self.face.game.fold(redacted[:first]), []
            self._narrate(redacted[first:])
            if first == 1 or len(self._log) == LOG_LINES:
                return
            last *= 2

    def _narrate(self, redacted: Sequence[Event]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Fold the events into the view; returns the new lines of the chronicle and the cues."""
        face, seat = self.face, self.viewer.seat
        lines: list[dict[str, Any]] = []
        cues: list[dict[str, Any]] = []
        for event in redacted:
            before = self.view
            self.view = face.game.fold((event,), before)
            told = line(face, before, self.view, event, seat)
            if told is not None:
                lines += [told, *self._why(before, event)]
            if self.wants_scenes:
                cues += with_odds(face.cues(before, event), [*face.tries((event,))])
        self._log = [*self._log, *lines][-LOG_LINES:]
        return lines, cues

    def _why(self, before: S, event: Event) -> list[dict[str, Any]]:
        """A line that explains the event, if its seat's moves are explained.

        The line is made from the viewer's own view and messages, so it reveals nothing new.
        """
        seat = self.face.speaker(before, event)
        if seat is None or seat == self.viewer.seat or not self._explains(seat):
            return []
        why = self.face.reason(before, event)
        return [{"seat": seat, "t": why, "k": "why"}] if why else []

    def advance(
        self, told: Sequence[SplitLine], events: Sequence[Event], head: HeadInfo, times: FrameTimes = NO_TIMES
    ) -> tuple[str, str]:
        """Fold a commit; returns the frame for clients with lines only, and the frame for clients with Scenes."""
        message = told_lines(told, self.viewer, head, times, self._salts)
        plain = write_message(message)
        return plain, self.advance_told(message, events) or plain

    def advance_told(self, message: Events, events: Sequence[Event]) -> str:
        """Fold the lines of a message; returns the frame for clients with Scenes, or "" while nobody wants Scenes."""
        redacted = [self.face.game.redact(event, self.viewer.mask) for event in events]
        lines, cues = self._narrate(redacted)
        if not self.wants_scenes:
            return ""
        old = self._scene or {}
        step = self._step(message.last, lines, cues)
        self._told = message, step, old
        return write_message(replace(message, steps=(step,)))

    def last_in(self, language: str) -> str:
        """The last message of `advance` for clients with Scenes, with its texts in another language."""
        assert self._told is not None, "nothing was told to clients with Scenes"
        message, step, old = self._told
        step = self._step_in(language_of(self.face.game.name, language), step, old)
        return write_message(replace(message, steps=(step,)))

    def _scene_in(self, said: Language, scene: Scene) -> Scene:
        """A Scene in another language; the last result is cached."""
        known = self._said.get(said.language)
        if known is not None and known[0] is scene:
            return known[1]
        told = said.scene(scene) if scene else {}
        self._said[said.language] = scene, told
        return told

    def step(self, seq: int, events: Sequence[Event], language: str = ENGLISH) -> dict[str, Any]:
        """Fold events; returns the resulting Step, for replays."""
        lines, cues = self._narrate([self.face.game.redact(event, self.viewer.mask) for event in events])
        old = self._scene or {}
        step = self._step(seq, lines, cues)
        return self._step_in(language_of(self.face.game.name, language), step, old)

    def _step_in(self, said: Language | None, step: dict[str, Any], old: Scene) -> dict[str, Any]:
        """A Step from an old Scene to this one, in a language; an English Step is unchanged."""
        if said is None:
            return step
        return said.step(step, self._scene_in(said, old), self._scene_in(said, self._scene or {}))

    def _step(self, seq: int, lines: list[dict[str, Any]], cues: list[dict[str, Any]]) -> dict[str, Any]:
        old = self._scene or {}
        self._scene = self.face.scene(self.view, self.viewer.seat)
        step: dict[str, Any] = {"seq": seq, "set": diff(old, self._scene) or {}}
        if lines:
            step["log"] = lines
        shown = fitting(cues, old, self._scene)
        if shown:
            step["cues"] = shown
        return step

    def snapshot(self, seq: int, head: bytes, times: FrameTimes = NO_TIMES, language: str = ENGLISH) -> str:
        """The Scene as a frame, made once per line and language as long as no clock runs."""
        self.wants_scenes = True
        known = self._snapshots.get(language)
        if known is None or known[0] != seq or self._scene is None or times.moves:
            self._scene = self.face.scene(self.view, self.viewer.seat)
            said = language_of(self.face.game.name, language)
            scene = self._scene if said is None else self._scene_in(said, self._scene)
            log = self._log if said is None else [said.line(line) for line in self._log]
            end = HeadInfo(seq, sealing.b64(head))
            frame = write_message(Snapshot(seq, {**scene, "seq": seq, "log": log}, end, times.clocks, times.table))
            known = self._snapshots[language] = (seq, frame)
        return known[1]
