"""Broadcasts one match: sends everybody the frames of its committed events, encoded once for each audience."""

import logging
from collections.abc import Sequence
from typing import Generic, TypeVar

from domain.kernel import Event, SeatReplaced, State
from projections.languages import ENGLISH
from projections.redaction import Viewer
from replay.record.referee import Referee, Ruling, read_event
from replay.store.log import Entry
from server.errors import place_of
from server.table.admission import Admission
from server.table.audience import SplitLine, split_lines
from server.table.connections import Connections, Listener
from server.table.frame_times import NO_TIMES, FrameTimes
from server.table.reminders import Reminders
from server.table.table_state import TableState
from server.table.views import ViewAnswers
from server.table.visible_head import VisibleHead
from server.wire.protocol import Checkpoint, Events, HeadInfo, SeatsChanged, write_message

S = TypeVar("S", bound=State)
LOG = logging.getLogger(__name__)


class Broadcaster(Generic[S]):
    """Sends a match's news to its connections.

    It never waits and never refuses anything, because everything that it sends is already durable.
    """

    def __init__(
        self,
        referee: Referee[S],
        connections: Connections,
        views: ViewAnswers[S],
        visible_head: VisibleHead[S],
        table_state: TableState[S],
        admission: Admission[S],
        reminders: Reminders[S],
    ) -> None:
        self._referee, self._connections, self._views = referee, connections, views
        self._visible_head, self._table_state, self._admission, self._reminders = (
            visible_head,
            table_state,
            admission,
            reminders,
        )

    def held_until(self, ruling: Ruling[S]) -> int:
        """The time in ms until which only this server sends a commit's reminders to absent people; 0 if nobody is."""
        return self._reminders.held_until(ruling)

    def tell(
        self, entries: Sequence[Entry], events: Sequence[Event], told: Sequence[SplitLine], *, is_news: bool = False
    ) -> None:
        """Send a commit to everybody who may see it now. `is_news`: another server wrote the commit, and notifies
        absent people itself.
        """
        times, head = self._table_state.news(), self._visible_head.head
        everybody = {**self._views.audiences, **self._connections.groups}
        # Players are sent the commit before spectators.
        for viewer in sorted(everybody, key=lambda viewer: viewer.seat is None):
            if not self._visible_head.is_behind(viewer):
                self._show(viewer, told, events, head, times)
            if SeatReplaced in map(type, events) and not self._visible_head.is_behind(viewer):
                self._tell_seats(viewer)
        self._reminders.call(events, is_news=is_news)
        self._visible_head.add(entries)
        self.release()

    def _show(
        self,
        viewer: Viewer,
        told: Sequence[SplitLine],
        events: Sequence[Event],
        head: HeadInfo,
        times: FrameTimes = NO_TIMES,
    ) -> None:
        """Send a commit to everybody in one audience, encoded once."""
        group, audience = self._connections.seeing_as(viewer), self._views.audiences.get(viewer)
        if audience is None:
            if group:
                _show_lines(group, self._views.message(told, viewer, head, times))
            return
        audience.draw(is_wanted=any(listener.wants_scenes for listener in group))
        try:
            plain, scenes = audience.advance(told, events, head, times)
            frames = {language: audience.last_in(language) for language in _other_languages(group)}
        except Exception as wrong:
            # A face that fails must not hold up the match: the lines are still sent, and the audience is folded again.
            LOG.error("the view of %s failed: %s", viewer.label, place_of(wrong))
            del self._views.audiences[viewer]
            _show_lines(group, self._views.message(told, viewer, head, times))
            return
        for listener in group:
            listener.send(frames.get(listener.language, scenes) if listener.wants_scenes else plain, head.seq)

    def release(self) -> None:
        """Send delayed spectators the commits that they may see by now.

        Once the match has ended, send them everything.
        """
        behind = self._visible_head.behind
        if not behind:
            return
        is_over = self._referee.state.result is not None
        for viewer in behind:
            self._release(viewer, lifted=is_over)
        self._visible_head.stop()
        if is_over:
            self._visible_head.lift()
            self._admission.tell_presence()
        else:
            self._visible_head.watch([viewer for viewer in behind if self._connections.seeing_as(viewer)], self.release)

    def _release(self, viewer: Viewer, *, lifted: bool) -> None:
        for entries, head in self._visible_head.due(viewer, lifted=lifted):
            events = [read_event(self._referee.game, entry) for entry in entries]
            self._show(viewer, split_lines(entries), events, head)
            if any(isinstance(event, SeatReplaced) for event in events):
                self._tell_seats(viewer)

    def tell_seats(self) -> None:
        """Send everybody the holders of the seats."""
        for viewer in self._connections.groups:
            self._tell_seats(viewer)

    def _tell_seats(self, viewer: Viewer) -> None:
        frame = write_message(SeatsChanged(self._views.seats(viewer)))
        for listener in self._connections.seeing_as(viewer):
            listener.send(frame)

    def tell_time(self) -> None:
        """Sign the last line again in a live match that is watched and in which nothing happens."""
        if self._referee.state.result is not None or not self._connections:
            return
        signed = self._visible_head.sign_anew()
        frame = write_message(Checkpoint(self._visible_head.seq, signed)) if signed else ""
        for viewer, group in self._connections.groups.items():
            told = self._earlier(viewer) if self._visible_head.is_behind(viewer) else frame
            for listener in group if told else ():
                listener.send(told)

    def _earlier(self, viewer: Viewer) -> str:
        end = self._visible_head.end_anew(viewer)
        return "" if end is None else write_message(Checkpoint(end.seq, end.signed))


def _other_languages(group: Sequence[Listener]) -> set[str]:
    """The languages other than English in which some client has Scenes."""
    return {listener.language for listener in group if listener.language != ENGLISH and listener.wants_scenes}


def _show_lines(group: Sequence[Listener], message: Events) -> None:
    frame = write_message(message)
    for listener in group:
        listener.send(frame, message.last)
