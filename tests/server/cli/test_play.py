"""`herald play`: whole matches at two keyboards, and what goes wrong at one of them."""

import random
import re
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import Assign, Formation, Pick, TimeControl
from herald_client import Complained, HeadInfo, Hinted, Match, Suggested, ViewerInfo, Welcome
from projections.plain import plain_face
from projections.registry import add, faces
from replay.audit.match_audit import audit
from replay.files import export
from replay.store.memory import MemoryStore
from server.analysis.hint_search import HintFound, HintSearch, pondered
from server.cli.common import console
from server.cli.foresight import Foretold
from server.cli.hint import hint_of, seat_link
from server.cli.keys import named_link, save_seat
from server.cli.play import SeatTable, begin, play_link
from server.cli.table import hint_lines
from server.errors import Misconfigured
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.wire.errors import NotAdmitted
from server.wire.protocol import Create, SeatWish
from server.wire.seat_file import write_seat
from server.wire.stream_file import link_of
from tests.server.cli.commands import fails
from tests.server.tabletop import live
from tests.skirmish.game import GAME

SEATS = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("projections.registry._added", {})
    monkeypatch.setattr("server.cli.common.console.width", 200)
    add(plain_face(GAME))


class Typist:
    """Types a legal answer to each question, and now and then something else first."""

    def __init__(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.random = random.Random(seed)
        self.typed: list[str] = []
        self.waiting = ["b", "nonsense"]
        self.tables: list[SeatTable] = []

    async def line(self, hint: str) -> str:
        await anyio.sleep(0)
        while self.form is None:
            await anyio.sleep(0.001)
        if self.waiting and self.random.random() < 0.7:
            return self.waiting.pop()
        form, self.form = self.form, None
        self.typed.append(text_for(form, self.random))
        return self.typed[-1]

    form: Any = None


def text_for(form: Any, chance: random.Random) -> str:
    """A random legal answer as a person types it."""
    choice = form.sample(chance.randrange)
    match form:
        case Pick(items=items):
            return " ".join(str(items.index(item) + 1) for item in getattr(choice, choice.__struct_fields__[0]))
        case Assign(stock=stock):
            kinds = [item for item, copies in stock.items() if copies]
            return " ".join(str(kinds.index(item) + 1) for item in getattr(choice, choice.__struct_fields__[0]))
        case Formation(allowed=allowed):
            places = list(dict.fromkeys(place for places in allowed.values() for place in places))
            pairs = getattr(choice, choice.__struct_fields__[0])
            return " ".join(f"{list(allowed).index(a) + 1}={places.index(b) + 1}" for a, b in pairs)
    return str(list(form).index(choice) + 1)


@pytest.fixture
def typists(monkeypatch: pytest.MonkeyPatch) -> tuple[Typist, Typist]:
    """Two typists who see the form that their table asks."""
    pair = Typist(1, monkeypatch), Typist(2, monkeypatch)
    monkeypatch.setattr("server.cli.play.Foretold", partial(Foretold, patience_s=0))
    decide = SeatTable._decide

    async def watched(table: SeatTable, asked: Any) -> None:
        pair[asked.seat].form = table._face.game.revive_decision(asked).form(table._view.state)
        await decide(table, asked)
        pair[asked.seat].form = None  # the only answer is given by itself

    monkeypatch.setattr(SeatTable, "_decide", watched)
    return pair


@live
@pytest.mark.parametrize("game", ["skirmish", pytest.param("vera_discordia", marks=pytest.mark.whole), "war_for_edadh"])
async def test_two_people_play_a_whole_match_in_two_terminals(game: str, typists: tuple[Typist, Typist]) -> None:
    store = MemoryStore()
    with console.capture() as said:
        async with running(Lobby(store, faces())) as server:
            mine, (friend,) = await begin(f"http://127.0.0.1:{port_of(server)}", Create(game, SEATS))
            assert friend.endswith("&f=1"), "a friend's browser asks for the name"
            assert not mine.endswith("&f=1")
            with anyio.fail_after(250):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(play_link, mine, typists[0].line)
                    tasks.start_soon(play_link, friend, typists[1].line)
    (header,) = store.matches.latest()
    assert header.status == "finished"
    text = said.get()
    assert text.count("you have seat") == 2
    assert len(re.findall(r"wins: |is drawn: ", text)) >= 2
    assert "Numbers go from 1 to" in text or "numbers are needed" in text or "as 1=3" in text, "nonsense is said to be"
    assert not typists[0].waiting, "every word that is no answer was typed"
    chosen = sum(entry.type == "Chosen" for entry in store.read(header.match))
    given = text.count("Only one answer is possible")
    assert chosen == len(typists[0].typed) + len(typists[1].typed) + given, "each answer is sent once"


@live
async def test_who_leaves_may_come_back_by_the_same_link(typists: tuple[Typist, Typist]) -> None:
    store = MemoryStore()

    async def leave(hint: str) -> str:
        return "q"

    async with running(Lobby(store, faces())) as server:
        wish = Create("skirmish", (SeatWish("me"), SeatWish("bot", "", "random")))
        mine, _ = await begin(f"http://127.0.0.1:{port_of(server)}", wish)
        with anyio.fail_after(200), console.capture() as said:
            await play_link(mine, leave)
            assert store.matches.latest()[0].status == "running"
            await play_link(mine, typists[0].line)
    assert "same link brings you back" in said.get()
    assert store.matches.latest()[0].status == "finished"


@live
async def test_a_lost_connection_is_made_again(typists: tuple[Typist, Typist]) -> None:
    store = MemoryStore()
    async with running(Lobby(store, faces())) as server:
        wish = Create("skirmish", (SeatWish("me"), SeatWish("bot", "", "random")))
        mine, _ = await begin(f"http://127.0.0.1:{port_of(server)}", wish)
        lost = False

        async def line(hint: str) -> str:
            nonlocal lost
            if not lost:
                lost = True
                for connection in list(server.connections):
                    connection.transport.abort()
                await anyio.sleep(5)
            return await typists[0].line(hint)

        with anyio.fail_after(200), console.capture() as said:
            await play_link(mine, line)
    assert "connecting again" in said.get()
    assert store.matches.latest()[0].status == "finished"


@live
async def test_a_link_that_opens_nothing_is_said() -> None:
    async with running(Lobby(MemoryStore(), faces())) as server:
        at = f"http://127.0.0.1:{port_of(server)}"
        with pytest.raises(NotAdmitted):
            await play_link(f"{at}/play#m=AAAAAAAAAAAAAAAAAAAAAA&t={'x' * 43}")
        with pytest.raises(Misconfigured, match="for watching"):
            await play_link(f"{at}/watch#m=AAAAAAAAAAAAAAAAAAAAAA")


def test_no_server_no_game_and_no_link_are_said(tmp_path: Path) -> None:
    assert "herald serve" in fails("play", "--server", "http://127.0.0.1:9")
    assert "no game 'chess'" in fails("play", "--game", "chess")
    assert "no link to a match" in fails("play", "nonsense")


@live
async def test_a_seat_is_taken_to_another_machine_in_a_file_and_signs_there_with_its_key(
    typists: tuple[Typist, Typist], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave(hint: str) -> str:
        return "q"

    store, file = MemoryStore(), tmp_path / "seat.json"
    async with running(Lobby(store, faces())) as server:
        wish = Create("skirmish", (SeatWish("me"), SeatWish("bot", "", "random")), shares=True)
        mine, _ = await begin(f"http://127.0.0.1:{port_of(server)}", wish)
        with anyio.fail_after(200), console.capture() as said:
            await play_link(mine, leave)
            save_seat(mine, file)
            monkeypatch.setenv("HERALD_DATA", str(tmp_path / "another machine"))
            await play_link(named_link(str(file)), typists[0].line)
    assert "the seat is in" in said.get().lower()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    header = store.matches.latest()[0]
    assert header.status == "finished"
    assert [entry.type for entry in store.read(header.match)].count("SeatKeyed") == 1
    report = audit(GAME, export.from_store(store, header.match))
    assert report.ok
    assert report.unproven == []
    assert report.signatures >= len(typists[0].typed)


class Script:
    """Types its lines one after another, each when its condition holds."""

    def __init__(self, *lines: tuple[Callable[[], bool], str]) -> None:
        self.lines = list(lines)

    async def line(self, hint: str) -> str:
        while not self.lines or not self.lines[0][0]():
            await anyio.sleep(0.01)
        for _ in range(25):  # the record has it before this seat is told
            await anyio.sleep(0.01)
        return self.lines.pop(0)[1]


@live
async def test_who_plays_at_a_keyboard_sees_clocks_takes_back_and_agrees_to_a_draw() -> None:
    store = MemoryStore()

    def has(text: bytes) -> Callable[[], bool]:
        return lambda: any(text in entry.line for entry in store.read(store.matches.latest()[0].match))

    begun, back, offered = has(b'"MatchBegun"'), has(b'"PositionSet"'), has(b'"is":"draw"')
    paused, resumed = has(b'"MatchPaused"'), has(b'"MatchResumed"')
    first = Script(
        *((begun, "c"), (begun, "1"), (has(b'"Chosen"'), "back"), (back, "resign"), (back, "pause 1m")),
        *((paused, "1"), (paused, "go on"), (resumed, "draw")),
    )
    second = Script((has(b'"is":"pause"'), "yes"), (has(b'"is":"go_on"'), "yes"), (offered, "yes"))
    async with running(Lobby(store, faces())) as server:
        wish = Create("skirmish", SEATS, time=TimeControl("bank", 600_000))
        mine, (friend,) = await begin(f"http://127.0.0.1:{port_of(server)}", wish)
        with anyio.fail_after(200), console.capture() as said:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(play_link, mine, first.line)
                tasks.start_soon(play_link, friend, second.line)
    text = said.get()
    assert "Ada 9:5" in text or "Ada 10:00" in text
    assert "resign yes" in text
    assert "Ada offers a draw. Type yes or no." in text
    assert "draw agreed" in text


@live
async def test_what_is_told_while_somebody_types_stands_on_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def unread(_: str) -> str:
        return ""

    match = Match("ws://nowhere/ws", "A" * 22)
    match.welcome = Welcome("m", "skirmish", "", "1", ViewerInfo("seat", 0), (), HeadInfo(1, ""), {}, "running")
    table = SeatTable(match, faces()["skirmish"], unread)
    monkeypatch.setattr(SeatTable, "_due", lambda _: 7)
    table._terminal._prompt, table._asked = "1 to 3 > ", 7
    with table._terminal.aside():
        table._hear(Complained("not-offered", "No such option."))
    assert capsys.readouterr().out == "\nNot so: No such option.\n1 to 3 > "


@pytest.fixture
def _hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.analysis.hint_search.faces", faces)
    monkeypatch.setattr("server.lobby.hint_service.pondered", few_trials)


def few_trials(job: HintSearch) -> HintFound:
    return pondered(replace(job, trials=16))


@live
@pytest.mark.usefixtures("_hints")
@pytest.mark.parametrize("agreed", [True, False])
async def test_who_plays_at_a_keyboard_asks_for_a_hint_where_hints_were_agreed_on(agreed: bool) -> None:
    store = MemoryStore()
    async with running(Lobby(store, faces())) as server:
        wish = Create("skirmish", (SeatWish("me", "Ada"), SeatWish("bot", "", "random")), hints=agreed)
        mine, _ = await begin(f"http://127.0.0.1:{port_of(server)}", wish)
        told = "The search would choose" if agreed else "No hints were agreed on"
        with anyio.fail_after(60), console.capture() as said:
            seen = ""

            def is_told() -> bool:
                nonlocal seen
                seen = "".join(segment.text for segment in console._buffer)
                return told in seen

            await play_link(mine, Script((lambda: True, "hint"), (is_told, "q")).line)
    assert told in said.get()
    assert ("who is asked may type hint" in said.get()) is agreed
    assert [entry.type for entry in store.read(store.matches.latest()[0].match)].count("HintAsked") == agreed


@live
@pytest.mark.usefixtures("_hints")
async def test_a_hint_is_asked_for_with_a_seats_link(capsys: pytest.CaptureFixture[str]) -> None:
    store = MemoryStore()
    async with running(Lobby(store, faces())) as server:
        at = f"http://127.0.0.1:{port_of(server)}"
        links = []
        for hints in (True, False):
            wish = Create("skirmish", (SeatWish("me", "Ada"), SeatWish("bot", "", "random")), hints=hints)
            links.append((await begin(at, wish))[0])
        with anyio.fail_after(60):
            await hint_of(links[0], as_json=True)
        out, err = capsys.readouterr()
        assert msgspec.json.decode(out)["choices"], "what a program reads is nothing but the hint"
        assert "the seat's key" in err
        with anyio.fail_after(60), console.capture() as said:
            await hint_of(links[0], as_json=False)
            await hint_of(links[0], as_json=True)
            with pytest.raises(NotAdmitted, match="No hints were agreed on"):
                await hint_of(links[1], as_json=False)
    assert "The search would choose: " in said.get()
    assert msgspec.json.decode(capsys.readouterr().out.splitlines()[-1])["choices"]
    counts = [
        [entry.type for entry in store.read(header.match)].count("HintAsked") for header in store.matches.latest()
    ]
    assert sorted(counts) == [0, 1]


def test_a_seats_file_is_as_good_as_its_link_to_ask_for_a_hint(tmp_path: Path) -> None:
    seat = tmp_path / "seat.json"
    write_seat(seat, link_of("http://127.0.0.1:9/play#m=AAAAAAAAAAAAAAAAAAAAAA&t=BBBBBBBBBBBBBBBBBBBBBB"))
    assert "t=BBBB" in seat_link(str(seat))
    assert "127.0.0.1:9" in fails("hint", seat)
    record = tmp_path / "match.herald"
    record.write_bytes(b'{"t":"match"}\n' * 3)
    assert seat_link(str(record)) == seat_link("a7Pq") == ""


def test_a_hint_without_a_link_names_its_seat() -> None:
    assert "--as 1" in fails("hint", "nonsense")
    assert "no link to a match" in fails("hint", "http://127.0.0.1:9/nothing")


def hinted(*weights: float, gain: float = 0.05) -> Hinted:
    choices = tuple(Suggested(f"Choice {n}", n, 0.5, 0.01, weight) for n, weight in enumerate(weights))
    return Hinted("h", 1, choices, gain, 0.02)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (hinted(1, 0), "The search would choose: Choice 0. It wins 5 ± 2 of a hundred more often than: Choice 1."),
        (hinted(1, 0, gain=0.01), "The search would choose: Choice 0. It is hardly better than: Choice 1."),
        (hinted(1, 0, gain=-0.01), "The search would choose: Choice 0. It is hardly better than: Choice 1."),
        (hinted(1), "The search would choose: Choice 0. Nothing else was worth a trial."),
        (hinted(0.6, 0.4, 0), "All choose at once; the search would draw by lot: Choice 0 (60%), Choice 1 (40%)."),
    ],
)
def test_a_hint_is_told_with_what_it_gains_and_what_comes_next(found: Hinted, told: str) -> None:
    assert " ".join(hint_lines(found, str)) == told
