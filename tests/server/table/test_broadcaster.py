"""The broadcaster: who is told of a commit, in which order, and what stands in nobody's way."""

from types import SimpleNamespace
from typing import Any

from domain.kernel import Seat, SeatReplaced
from projections.redaction import SPECTATOR, Viewer
from replay.record.referee import Referee
from replay.store.log import Entry
from replay.store.memory import MemoryStore
from server.table.audience import SplitLine, split_lines, told_lines
from server.table.broadcaster import Broadcaster
from server.table.connections import Connections
from server.table.frame_times import NO_TIMES
from server.wire.protocol import HeadInfo, SeatInfo
from tests.replay.matches import START, begun, ended
from tests.server.table.standins import Ear, Office, crowd_of

ADA = Viewer(Seat(0))
LINES = (Entry(1, 0, "SplitLine", -1, b"[1]"), Entry(2, 0, "SplitLine", -1, b"[2]"))


class Asked:
    """A crier among stand-ins. `behind`: spectators are."""

    def __init__(self, connections: Connections, *, behind: bool = False, signed: str = "") -> None:
        self.store = MemoryStore()
        self.referee: Referee[Any] = begun(self.store, kind="person")
        visible_head: Any = Horizon(behind, signed)
        self.visible_head = visible_head
        self.audiences: dict[Viewer, Any] = {}
        self.admission, self.reminders = Office(), Office()
        views: Any = SimpleNamespace(
            audiences=self.audiences, seats=lambda _: (SeatInfo(0, "Ada", "bot"),), message=told_lines
        )
        table_state: Any = Office(news=NO_TIMES)
        admission: Any = self.admission
        reminders: Any = self.reminders
        self.broadcaster: Broadcaster[Any] = Broadcaster(
            self.referee, connections, views, visible_head, table_state, admission, reminders
        )

    def tell(self, *events: Any) -> None:
        told: list[SplitLine] = split_lines(LINES)
        self.broadcaster.tell(LINES, events, told)


class Horizon(Office):
    """Where the record ends, as the test says. `shown`: what who is kept behind may see by now."""

    def __init__(self, behind: bool, signed: str) -> None:
        super().__init__(sign_anew=signed, end_anew=HeadInfo(1, "earlier", "also signed"))
        self.behind: tuple[Viewer, ...] = (SPECTATOR,) if behind else ()
        self.shown = ()
        self.seq, self.head = 2, HeadInfo(2, "head")

    def is_behind(self, viewer: Viewer) -> bool:
        return viewer in self.behind

    def due(self, _: Viewer, *, lifted: bool) -> Any:
        self.calls.append("all of it" if lifted else "due")
        return self.shown

    def lift(self) -> None:
        self.behind = ()


class Order:
    """Who was told first."""

    def __init__(self) -> None:
        self.told: list[Viewer] = []

    def ear(self, viewer: Viewer) -> Ear:
        ear = Ear(viewer)
        send = ear.send

        def noted(frame: str, seq: int = 0) -> None:
            self.told.append(viewer)
            send(frame, seq)

        ear.send = noted  # type: ignore[method-assign]
        return ear


def test_who_plays_is_told_before_who_watches() -> None:
    order = Order()
    connections = crowd_of(order.ear(SPECTATOR), order.ear(ADA), order.ear(Viewer(Seat(1))))
    asked = Asked(connections)
    asked.tell()
    assert order.told == [ADA, Viewer(Seat(1)), SPECTATOR]
    assert asked.reminders.calls == ["call"]


def test_a_commit_is_told_as_its_lines_and_the_head() -> None:
    ada = Ear(ADA)
    Asked(crowd_of(ada)).tell()
    (frame,) = ada.frames
    assert (frame["from"], frame["to"], [line for line, _ in frame["items"]]) == (1, 2, ["[1]", "[2]"])
    assert frame["head"]["hash"] == "head"


def test_who_is_kept_behind_is_told_what_is_due_and_nothing_else() -> None:
    ada, watcher = Ear(ADA), Ear()
    Asked(crowd_of(ada, watcher), behind=True).tell()
    assert (len(ada.frames), watcher.frames) == (1, [])
    late = Asked(crowd_of(watcher), behind=True)
    late.visible_head.shown = ((late.store.read(late.referee.match)[:3], HeadInfo(3, "then")),)
    late.broadcaster.release()
    (frame,) = watcher.frames
    assert (frame["from"], frame["to"], frame["head"]["hash"]) == (1, 3, "then")


def test_the_end_of_a_match_lifts_the_delay() -> None:
    watcher = Ear()
    asked = Asked(crowd_of(watcher), behind=True)
    asked.broadcaster.release()
    assert asked.visible_head.behind
    assert asked.visible_head.calls == ["due", "stop", "watch"]
    asked.referee.accept(ended(asked.referee, START))
    asked.broadcaster.release()
    assert "all of it" in asked.visible_head.calls
    assert not asked.visible_head.behind
    assert asked.admission.calls == ["tell_presence"]


def test_a_view_that_fails_holds_nobody_up() -> None:
    ada, bo = Ear(ADA), Ear(Viewer(Seat(1)))
    asked = Asked(crowd_of(ada, bo))
    asked.audiences[ADA] = SimpleNamespace(draw=lambda **_: None)
    asked.tell()
    assert (ada.kinds(), bo.kinds()) == (["events"], ["events"])
    assert not asked.audiences


def test_who_wants_scenes_is_sent_them_and_others_lines() -> None:
    scenes, plain = Ear(ADA, scenes=True), Ear(ADA)
    asked = Asked(crowd_of(scenes, plain))
    drawn: list[bool] = []
    view = SimpleNamespace(
        advance=lambda *_: ('{"t":"plain"}', '{"t":"scenes"}'), draw=lambda *, is_wanted: drawn.append(is_wanted)
    )
    asked.audiences[ADA] = view
    asked.tell()
    assert (scenes.kinds(), plain.kinds()) == (["scenes"], ["plain"])
    assert drawn == [True]


def test_who_reads_another_language_is_sent_scenes_in_it_and_lines_as_everybody() -> None:
    german, english, plain = (
        Ear(ADA, scenes=True, language="de"),
        Ear(ADA, scenes=True),
        Ear(ADA, language="de"),
    )
    asked = Asked(crowd_of(german, english, plain))
    view = SimpleNamespace(
        draw=lambda **_: None,
        advance=lambda *_: ('{"t":"plain"}', '{"t":"en"}'),
        last_in=lambda language: f'{{"t":"{language}"}}',
    )
    asked.audiences[ADA] = view
    asked.tell()
    assert (german.kinds(), english.kinds(), plain.kinds()) == (["de"], ["en"], ["plain"])


def test_that_a_bot_took_a_seat_is_told_with_the_commit() -> None:
    ada = Ear(ADA)
    Asked(crowd_of(ada)).tell(SeatReplaced(Seat(0), "random"))
    assert ada.kinds() == ["events", "seats"]


def test_that_a_bot_took_a_seat_is_told_with_the_commit_to_nobody_who_is_kept_behind_it() -> None:
    ada, watcher = Ear(ADA), Ear()
    Asked(crowd_of(ada, watcher), behind=True).tell(SeatReplaced(Seat(0), "random"))
    assert (ada.kinds(), watcher.kinds()) == (["events", "seats"], [])


def test_the_time_is_told_while_a_match_is_played_and_watched_and_signed() -> None:
    ada, watcher = Ear(ADA), Ear()
    asked = Asked(crowd_of(ada, watcher), behind=True, signed="signed")
    asked.broadcaster.tell_time()
    assert (ada.frames[0]["signed"], ada.frames[0]["seq"]) == ("signed", 2)
    assert (watcher.frames[0]["signed"], watcher.frames[0]["seq"]) == ("also signed", 1)
    asked.referee.accept(ended(asked.referee, START))
    asked.broadcaster.tell_time()
    Asked(crowd_of(ada)).broadcaster.tell_time()
    assert len(ada.frames) == 1
    nobody = Asked(Connections(()), signed="signed")
    nobody.broadcaster.tell_time()
    assert not nobody.visible_head.calls
