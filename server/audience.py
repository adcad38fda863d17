"""One class of viewers of one match: what they know, what they are sent; made once for all its sockets."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import Event, State
from projections.chronicle import line
from projections.face import Face
from projections.redaction import Viewer, openings_for
from projections.scene import diff, fitting
from replay import hr1
from replay.line import read_line
from replay.store import Entry
from server.protocol import Events, HeadInfo, Snapshot, WireItem, write_message

S = TypeVar("S", bound=State)

LOG_LINES = 200
"""Lines of the chronicle that a snapshot carries."""


def wire_item(entry: Entry, viewer: Viewer) -> WireItem:
    """A line and the openings the viewer is entitled to."""
    if not entry.openings:
        return (entry.line.decode(), ())
    masks = read_line(entry.line).masks
    held = openings_for(masks, entry.openings, viewer)
    return (entry.line.decode(), tuple((slot, value.decode()) for slot, value in held))


class Audience(Generic[S]):
    """Folds the redacted events of one viewer class; keeps its Scene while somebody wants Scenes."""

    def __init__(self, face: Face[S], viewer: Viewer, events: Iterable[Event]) -> None:
        self.face = face
        self.viewer = viewer
        self.wants_scenes = False
        self._log: list[dict[str, Any]] = []
        self._scene: dict[str, Any] | None = None
        self._snapshot: tuple[int, str] = (-1, "")
        redacted = [face.game.redact(event, viewer.mask) for event in events]
        self.view: S = face.game.fold(redacted[:1])
        self._narrate(redacted[1:])

    def _narrate(self, redacted: Sequence[Event]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Fold the events into the view; the new lines of the chronicle and the cues."""
        face, seat = self.face, self.viewer.seat
        lines: list[dict[str, Any]] = []
        cues: list[dict[str, Any]] = []
        for event in redacted:
            before = self.view
            self.view = face.game.fold((event,), before)
            told = line(face, before, self.view, event, seat)
            if told is not None:
                lines.append(told)
            if self.wants_scenes:
                cues += face.cues(before, event)
        self._log = [*self._log, *lines][-LOG_LINES:]
        return lines, cues

    def advance(self, entries: Sequence[Entry], events: Sequence[Event], head: HeadInfo) -> tuple[str, str]:
        """Take in a commit: the frame for clients with lines only, and the one for clients with Scenes."""
        redacted = [self.face.game.redact(event, self.viewer.mask) for event in events]
        lines, cues = self._narrate(redacted)
        items = tuple(wire_item(entry, self.viewer) for entry in entries)
        last = entries[-1].seq
        message = Events(entries[0].seq, last, items, head)
        plain = write_message(message)
        if not self.wants_scenes:
            return plain, plain
        step = self._step(last, lines, cues)
        return plain, write_message(replace(message, steps=(step,)))

    def step(self, seq: int, events: Sequence[Event]) -> dict[str, Any]:
        """Take in events: the Step they make, for replays."""
        lines, cues = self._narrate([self.face.game.redact(event, self.viewer.mask) for event in events])
        return self._step(seq, lines, cues)

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

    def snapshot(self, seq: int, head: bytes) -> str:
        """The Scene as a frame, made once per line."""
        self.wants_scenes = True
        if self._snapshot[0] != seq or self._scene is None:
            self._scene = self.face.scene(self.view, self.viewer.seat)
            scene = {**self._scene, "seq": seq, "log": self._log}
            self._snapshot = (seq, write_message(Snapshot(seq, scene, HeadInfo(seq, hr1.b64(head)))))
        return self._snapshot[1]
