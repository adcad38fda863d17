"""The crier: who is told of a commit, in which order, and what stands in nobody's way."""

from types import SimpleNamespace
from typing import Any

from domain.kernel import Seat, SeatReplaced
from projections.redaction import SPECTATOR, Viewer
from replay.record.referee import Referee
from replay.store.log import Entry
from replay.store.memory import MemoryStore
from server.table.audience import Told, told_of
from server.table.crier import Crier
from server.table.crowd import Crowd
from server.table.times import NO_TIMES
from server.wire.protocol import HeadInfo, SeatInfo
from tests.replay.matches import START, begun, ended
from tests.server.table.standins import Ear, Office, crowd_of

ADA = Viewer(Seat(0))
LINES = (Entry(1, 0, "Told", -1, b"[1]"), Entry(2, 0, "Told", -1, b"[2]"))


class Asked:
    """A crier among stand-ins. `behind`: spectators are."""

    def __init__(self, crowd: Crowd, *, behind: bool = False, signed: str = "") -> None:
        self.store = MemoryStore()
        self.referee: Referee[Any] = begun(self.store, kind="person")
        horizon: Any = Horizon(behind, signed)
        self.horizon = horizon
        self.audiences: dict[Viewer, Any] = {}
        self.usher, self.summons = Office(), Office()
        views: Any = SimpleNamespace(audiences=self.audiences, seats=lambda _: (SeatInfo(0, "Ada", "bot"),))
        desk: Any = Office(news=NO_TIMES)
        usher: Any = self.usher
        summons: Any = self.summons
        self.crier: Crier[Any] = Crier(self.referee, crowd, views, horizon, desk, usher, summons)

    def tell(self, *events: Any) -> None:
        told: list[Told] = told_of(LINES)
        self.crier.tell(LINES, events, told)


class Horizon(Office):
    """Where the record ends, as the test says. `shown`: what who is kept behind may see by now."""

    def __init__(self, behind: bool, signed: str) -> None:
        super().__init__(sign_anew=signed, end_for=HeadInfo(1, "earlier", "also signed"))
        self.behind, self.shown = behind, ()
        self.seq, self.head = 2, HeadInfo(2, "head")

    def is_behind(self, viewer: Viewer) -> bool:
        return self.behind and viewer == SPECTATOR

    def due(self, *, lifted: bool) -> Any:
        self.calls.append("all of it" if lifted else "due")
        return self.shown

    def lift(self) -> None:
        self.behind = False


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
    crowd = crowd_of(order.ear(SPECTATOR), order.ear(ADA), order.ear(Viewer(Seat(1))))
    asked = Asked(crowd)
    asked.tell()
    assert order.told == [ADA, Viewer(Seat(1)), SPECTATOR]
    assert asked.summons.calls == ["call"]


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
    late.horizon.shown = ((late.store.read(late.referee.match)[:3], HeadInfo(3, "then")),)
    late.crier.release()
    (frame,) = watcher.frames
    assert (frame["from"], frame["to"], frame["head"]["hash"]) == (1, 3, "then")


def test_the_end_of_a_match_lifts_the_delay() -> None:
    watcher = Ear()
    asked = Asked(crowd_of(watcher), behind=True)
    asked.crier.release()
    assert asked.horizon.behind
    assert asked.horizon.calls == ["due", "stop", "watch"]
    asked.referee.accept(ended(asked.referee, START))
    asked.crier.release()
    assert "all of it" in asked.horizon.calls
    assert not asked.horizon.behind
    assert asked.usher.calls == ["tell_presence"]


def test_a_view_that_fails_holds_nobody_up() -> None:
    ada, bo = Ear(ADA), Ear(Viewer(Seat(1)))
    asked = Asked(crowd_of(ada, bo))
    asked.audiences[ADA] = SimpleNamespace()
    asked.tell()
    assert (ada.kinds(), bo.kinds()) == (["events"], ["events"])
    assert not asked.audiences


def test_who_wants_scenes_is_sent_them_and_others_lines() -> None:
    scenes, plain = Ear(ADA, scenes=True), Ear(ADA)
    asked = Asked(crowd_of(scenes, plain))
    view = SimpleNamespace(advance=lambda *_: ('{"t":"plain"}', '{"t":"scenes"}'))
    asked.audiences[ADA] = view
    asked.tell()
    assert (scenes.kinds(), plain.kinds()) == (["scenes"], ["plain"])
    assert view.wants_scenes


def test_who_reads_another_language_is_sent_scenes_in_it_and_lines_as_everybody() -> None:
    german, english, plain = (
        Ear(ADA, scenes=True, language="de"),
        Ear(ADA, scenes=True),
        Ear(ADA, language="de"),
    )
    asked = Asked(crowd_of(german, english, plain))
    view = SimpleNamespace(
        advance=lambda *_: ('{"t":"plain"}', '{"t":"en"}'), last_in=lambda language: f'{{"t":"{language}"}}'
    )
    asked.audiences[ADA] = view
    asked.tell()
    assert (german.kinds(), english.kinds(), plain.kinds()) == (["de"], ["en"], ["plain"])


def test_that_a_bot_took_a_seat_is_told_with_the_commit() -> None:
    ada = Ear(ADA)
    Asked(crowd_of(ada)).tell(SeatReplaced(Seat(0), "random"))
    assert ada.kinds() == ["events", "seats"]


def test_the_time_is_told_while_a_match_is_played_and_watched_and_signed() -> None:
    ada, watcher = Ear(ADA), Ear()
    asked = Asked(crowd_of(ada, watcher), behind=True, signed="signed")
    asked.crier.tell_time()
    assert (ada.frames[0]["signed"], ada.frames[0]["seq"]) == ("signed", 2)
    assert (watcher.frames[0]["signed"], watcher.frames[0]["seq"]) == ("also signed", 1)
    asked.referee.accept(ended(asked.referee, START))
    asked.crier.tell_time()
    Asked(crowd_of(ada)).crier.tell_time()
    assert len(ada.frames) == 1
    nobody = Asked(Crowd(()), signed="signed")
    nobody.crier.tell_time()
    assert not nobody.horizon.calls
