"""The stream: what a connection is sent of a match, and how one that was left behind is caught up."""

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from projections.i18n.language import language_of
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.errors import RecordError
from server.direction.directions import Directions
from server.gate.match_listener import MUTED, MatchListener, translated_message
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters
from server.operations.settings import DEFAULT_LIMITS
from server.wire.foresight_messages import Foreseen
from server.wire.protocol import (
    ChatLine,
    Error,
    GameInfo,
    Games,
    HeadInfo,
    Matches,
    MatchInfo,
    Pong,
    Presence,
    Refused,
    ServerMessage,
)
from tests.server.gate.outbox import Wire
from tests.server.tabletop import live

END = HeadInfo(9, "")


def line(n: int, who: str) -> ChatLine:
    return ChatLine(n, 0, who, f"line {n}")


def match_of(said: tuple[ChatLine, ...] = ()) -> Any:
    """A match of nine lines, told in three frames."""

    async def lines_since(_: Any, since: int) -> AsyncGenerator[tuple[str, int], None]:
        for n in (3, 6, 9):
            if n > since:
                yield f'{{"t":"to {n}"}}', n

    async def audience(_: Any) -> None:
        """In memory."""

    async def since(_: Any, n: int) -> tuple[ChatLine, ...]:
        return tuple(one for one in said if one.n > n)

    return SimpleNamespace(
        views=SimpleNamespace(
            lines_since=lines_since,
            audience=audience,
            audiences={SPECTATOR},
            snapshot=lambda *_: '{"t":"snapshot"}',
            seats=lambda _: (),
        ),
        visible_head=SimpleNamespace(seq_for=lambda _: END.seq),
        admission=SimpleNamespace(presence_for=lambda _: Presence((), 0)),
        directions=Directions[Viewer](),
        chat=SimpleNamespace(since=since),
    )


def stream_of(intervals: Intervals = INTERVALS) -> tuple[Wire, MatchListener]:
    wire = Wire()
    return wire, MatchListener(wire, DEFAULT_LIMITS, Meters(), intervals=intervals)


def kinds(wire: Wire) -> list[str]:
    return [msgspec.json.decode(frame)["t"] for packet in wire.packets for frame in packet]


@pytest.mark.parametrize(
    ("since", "scenes", "told"),
    [
        (0, False, ["to 3", "to 6", "to 9"]),
        (6, True, ["to 9", "snapshot"]),
        (None, True, ["snapshot"]),
        (9, False, []),
    ],
)
@live
async def test_who_comes_is_sent_what_it_asks_for(since: int | None, scenes: bool, told: list[str]) -> None:
    wire, stream = stream_of()
    stream.wants_scenes = scenes
    await stream.follow(match_of((line(1, "s1"),)), since)
    assert kinds(wire) == [*told, "said"]
    assert stream.seq == 9
    assert stream.guest.viewer == SPECTATOR


@live
async def test_who_was_left_behind_is_sent_what_it_missed_and_who_is_there_by_now() -> None:
    wire, stream = stream_of(Intervals(drain_s=0.001))
    await stream.follow(match_of(), 6)
    wire.packets.clear()
    stream.seq = 3
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    stream.send("lost")
    stream.send("lost too")
    wire.left = 0
    while not wire.packets:
        await asyncio.sleep(0.001)
    assert kinds(wire) == ["to 6", "to 9", "seats", "presence"]


@live
async def test_sentences_for_one_connection_are_in_its_language() -> None:
    wire, stream = stream_of()
    stream.game, stream.language = "vera_discordia", "de"
    stream.answer(Error("match-over", "The match is over."))
    stream.answer(Refused("c1", "not-offered", "Place at least 3.", "VD-121"))
    stream.answer(Foreseen("f1", 3, ("Recruiting begins.",), "Initiative: 1 die.", final="It cannot be taken back."))
    stream.answer(Error("new", "Nobody wrote this in German."))
    stream.answer(Pong(1))
    told = [msgspec.json.decode(frame) for packet in wire.packets for frame in packet]
    assert [each.get("why") for each in told] == [
        "Die Partie ist zu Ende.", "Stelle mindestens 3 auf.", None, "Nobody wrote this in German.", None,
    ]  # fmt: skip
    assert told[2]["lines"] == ["Die Rekrutierung beginnt."]
    assert [each.get("lang") for each in told] == [None, None, None, "en", None]
    assert "english" not in told[2]
    assert (told[2]["roll"], told[2]["final"]) == ("Initiative: 1 Würfel.", "Das lässt sich nicht zurücknehmen.")


@live
async def test_what_is_left_in_english_is_named_and_a_row_stays_at_the_end() -> None:
    wire, stream = stream_of()
    lines = ("Recruiting begins.", "Nobody wrote this.")
    stream.answer_in(Foreseen("f1", 3, lines, lost="Nor this."), "vera_discordia", "de")
    stream.answer_in(Error("match-over", "The match is over (VD-225)."), "vera_discordia", "de")
    stream.answer_in(Error("match-over", "Something new (VD-225)."), "vera_discordia", "de")
    told = [msgspec.json.decode(frame) for packet in wire.packets for frame in packet]
    assert told[0]["lines"] == ["Die Rekrutierung beginnt.", "Nobody wrote this."]
    assert told[0]["english"] == ["Nobody wrote this.", "Nor this."]
    assert [(each["why"], each.get("lang")) for each in told[1:]] == [
        ("Die Partie ist zu Ende (VD-225).", None), ("Something new (VD-225).", "en"),
    ]  # fmt: skip


@live
@pytest.mark.parametrize(("scenes", "more"), [(False, []), (True, ["snapshot"])])
async def test_what_is_told_while_the_record_is_read_comes_behind_it_and_once(scenes: bool, more: list[str]) -> None:
    wire, stream = stream_of()
    stream.wants_scenes = scenes
    stream.keep_back()
    match = match_of((line(1, "s1"), line(2, "s1")))
    read = match.views.lines_since

    async def meanwhile(viewer: Any, since: int) -> AsyncGenerator[tuple[str, int], None]:
        stream.send('{"t":"presence"}')
        async for frame, last in read(viewer, since):
            stream.send(f'{{"t":"told {last}"}}', last)
            yield frame, last
        stream.hear(line(2, "s1"), '{"t":"second"}')
        stream.hear(line(3, "s1"), '{"t":"third"}')
        stream.send('{"t":"told 10"}', 10)

    match.views.lines_since = meanwhile
    await stream.follow(match, 0)
    assert kinds(wire) == ["to 3", "to 6", "to 9", *more, "said", "presence", "told 10", "third"]
    assert stream.seq == 10


@live
async def test_who_asks_for_lines_while_being_caught_up_is_sent_them_once() -> None:
    wire, stream = stream_of()
    match = match_of()
    await stream.follow(match, 9)
    gate, read = asyncio.Event(), match.views.lines_since

    async def slowly(viewer: Any, since: int) -> AsyncGenerator[tuple[str, int], None]:
        await gate.wait()
        async for frame, last in read(viewer, since):
            yield frame, last

    match.views.lines_since = slowly
    stream.seq = 3
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    stream.send("lost")
    wire.left = 0
    await asyncio.sleep(2 * INTERVALS.drain_s)
    asked = asyncio.create_task(stream.bring_up_to_date(match, 6))
    await asyncio.sleep(0)
    stream.send('{"t":"told 10"}', 10)
    gate.set()
    await asked
    await asyncio.sleep(0.01)
    assert kinds(wire) == ["to 9", "seats", "presence", "told 10"]


@live
async def test_a_record_that_cannot_be_read_now_is_asked_for_again() -> None:
    wire, stream = stream_of(Intervals(drain_s=0.001, retry_s=0.001))
    match = match_of()
    await stream.follow(match, 6)
    failing, read = [True, True], match.views.lines_since

    async def seldom(viewer: Any, since: int) -> AsyncGenerator[tuple[str, int], None]:
        if failing:
            failing.pop()
            raise RecordError("away")
        async for frame, last in read(viewer, since):
            yield frame, last

    match.views.lines_since = seldom
    with pytest.raises(RecordError):
        await stream.bring_up_to_date(match, 6)
    wire.packets.clear()
    stream.send('{"t":"goes on"}')
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    stream.send("lost")
    wire.left = 0
    while len(wire.packets) < 3:
        await asyncio.sleep(0.001)
    assert kinds(wire) == ["goes on", "seats", "presence"]


@live
async def test_who_is_sent_away_while_the_record_is_read_is_sent_nothing_of_it() -> None:
    wire, stream = stream_of()
    stream.wants_scenes = True
    match = match_of()

    async def audience(_: Any) -> None:
        stream.dismiss(4010)

    match.views.audience = audience
    await stream.follow(match, 0)
    assert kinds(wire) == []


@live
async def test_who_asks_in_vain_while_being_caught_up_is_caught_up_later() -> None:
    wire, stream = stream_of(Intervals(retry_s=0.0))
    match = match_of()
    await stream.follow(match, 0)
    wire.packets.clear()
    stream.fall_behind()

    async def fails(*_: Any) -> Any:
        raise RecordError("away")

    since, match.chat.since = match.chat.since, fails
    with pytest.raises(RecordError):
        await stream.bring_up_to_date(match, 3)
    match.chat.since = since
    for _ in range(20):
        await asyncio.sleep(0)
    assert not stream.is_behind
    assert "to 9" in kinds(wire)


@live
async def test_who_leaves_is_not_caught_up() -> None:
    wire, stream = stream_of()
    await stream.follow(match_of(), 9)
    wire.left = DEFAULT_LIMITS.waiting_bytes + 1
    stream.send("lost")
    stream.stop()
    wire.left = 0
    await asyncio.sleep(0.01)
    assert not wire.packets


def test_a_speaker_who_is_muted_is_not_heard_until_it_is_heard_again() -> None:
    wire, stream = stream_of()
    stream.mute("s1", on=True)
    stream.hear(line(1, "s1"), "one")
    stream.hear(line(2, "s2"), "two")
    stream.mute("s1", on=False)
    stream.hear(line(3, "s1"), "three")
    stream.mute("*", on=True)
    stream.hear(line(4, "s2"), "four")
    assert wire.packets == [("two",), ("three",)]


@pytest.mark.parametrize(("others", "is_heard"), [(MUTED - 1, False), (MUTED, True)])
def test_so_many_speakers_are_muted_and_no_more(others: int, *, is_heard: bool) -> None:
    wire, stream = stream_of()
    for number in range(others):
        stream.mute(f"s{number}", on=True)
    stream.mute("last", on=True)
    stream.hear(line(1, "last"), "one")
    assert bool(wire.packets) is is_heard


def german_of(message: ServerMessage) -> Any:
    said = language_of("", "de")
    assert said is not None
    return translated_message(message, said)


def test_what_a_game_is_about_is_told_in_the_language_and_marked_where_it_is_left() -> None:
    about = faces()["vera_discordia"].game.spec.about
    known, unknown = (
        GameInfo("vera_discordia", "", about, 2, {}, ()),
        GameInfo("vera_discordia", "", "Else.", 2, {}, ()),
    )
    told = german_of(Games((known, unknown))).games
    assert told[0].about.startswith("Zwei Armeen")
    assert (told[0].lang, told[1].about, told[1].lang) == ("", "Else.", "en")


def test_how_a_match_ended_is_told_in_the_language_and_who_won_stays() -> None:
    ended = [MatchInfo("m", "vera_discordia", "", 0, (), result) for result in ("seat 1: resigned", "draw: of old", "")]
    told = german_of(Matches((), (), tuple(ended))).finished
    assert told[0].result == "seat 1: aufgegeben"
    assert (told[0].lang, told[1].result, told[1].lang) == ("", "draw: of old", "en")
    assert told[2] == ended[2]
