"""Deadlines as a calendar: behind a link that is withdrawn, with nothing of the table, in the form of RFC 5545."""

from contextlib import closing
from http import HTTPStatus
from urllib.error import HTTPError
from urllib.request import urlopen

import anyio
import pytest

from domain.kernel import TimeControl
from replay.store.memory import MemoryStore
from server.people.deadlines import EVENTS, Deadlines, written
from server.people.own_matches import PAGE, OwnMatches, asked_seats
from server.wire.account_messages import CalendarLink, CalendarTold, Exported, ExportMe, MyMatch, MyMatches
from server.wire.protocol import Create, Created
from tests.server.gate.signing_up import noted, signed_up
from tests.server.tabletop import TWO_PEOPLE, Table, live, table
from tests.skirmish.game import GAME


def move(title: str = "Sunday", due_ms: int = 1_700_000_000_000) -> MyMatch:
    return MyMatch("m" * 22, 0, "skirmish", title, "yours", ("Ada", "Bo"), 1, 2, due_ms=due_ms)


def test_a_move_that_is_due_is_an_event_at_its_time() -> None:
    lines = written([move()], 1_600_000_000_000).decode().split("\r\n")
    assert (lines[0], lines[-2], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR", "")
    assert "DTSTART:20231114T221320Z" in lines
    assert "SUMMARY:Your move is due: Sunday" in lines
    assert not any("m" * 22 in line or "Ada" in line for line in lines)


@pytest.mark.parametrize("title", ["a;b,c\\d", "x\r\nEND:VCALENDAR", "ß" * 90, "\u2028END:VEVENT"])
def test_a_title_can_neither_end_its_line_nor_make_it_too_long(title: str) -> None:
    body = written([move(title)], 1)
    lines = body.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert lines.count(b"END:VCALENDAR") == 1
    assert b"\n" not in body.replace(b"\r\n", b"")
    assert b"".join(line.removeprefix(b" ") for line in lines).decode().count("BEGIN:VEVENT") == 1


class Endless(OwnMatches):
    """Of a person who is asked in match after match."""

    def page(self, person: str, group: str = "", text: str = "", after: int = 0) -> MyMatches:
        return MyMatches(tuple(move(str(after + n)) for n in range(PAGE)), {}, more=True)


def test_a_calendar_holds_at_most_so_many_deadlines() -> None:
    with closing(MemoryStore()) as store:
        deadlines = Deadlines(store, Endless(store), lambda: 1)
        body = deadlines.read(deadlines.link("ada", on=True))
    assert body is not None
    assert body.count(b"BEGIN:VEVENT") == EVENTS


async def read(at: Table, path: str) -> tuple[int, bytes]:
    def ask() -> tuple[int, bytes]:
        try:
            with urlopen(at.http + path) as answer:
                return answer.status, answer.read()
        except HTTPError as wrong:
            return wrong.code, b""

    return await anyio.to_thread.run_sync(ask)


@live
async def test_a_link_opens_the_calendar_until_it_is_withdrawn_or_replaced() -> None:
    async with table() as at:
        made = await at.create()
        client = await at.client()
        session = await noted(await at.client(), made, 0, "Anja")
        first = await client.ask(CalendarLink(session=session), CalendarTold)
        status, body = await read(at, first.path)
        assert (status, body.startswith(b"BEGIN:VCALENDAR")) == (HTTPStatus.OK, True)
        assert (await client.ask(ExportMe(session=session), Exported)).calendar_ms > 0
        second = await client.ask(CalendarLink(session=session), CalendarTold)
        assert [(await read(at, path))[0] for path in (first.path, second.path)] == [404, 200]
        assert (await client.ask(CalendarLink(session=session, on=False), CalendarTold)).path == ""
        nothing = [first.path, second.path, f"/calendar/{'A' * 43}.ics", "/calendar/x.ics"]
        answers = {await read(at, path) for path in nothing}
        assert len(answers) == 1, "a link that was withdrawn is answered as one that never was"
        assert answers.pop()[0] == HTTPStatus.NOT_FOUND


@live
async def test_of_two_players_the_one_who_is_asked_has_an_event() -> None:
    async with table() as at:
        client = await at.client()
        control = TimeControl("days", 86_400_000)
        made = await client.ask(Create(GAME.name, TWO_PEOPLE, title="Sunday", time=control), Created)
        for seat in (0, 1):
            await at.player(made, seat)
        sessions = [await noted(await at.client(), made, seat, handle) for seat, handle in ((0, "Anja"), (1, "Bo"))]
        paths = [(await client.ask(CalendarLink(session=session), CalendarTold)).path for session in sessions]
        bodies = [(await read(at, path))[1] for path in paths]
        asked = asked_seats(at.store, made.match)
        assert asked
        assert {seat for seat, body in enumerate(bodies) if b"SUMMARY:Your move is due: Sunday" in body} == asked


@live
async def test_another_person_has_another_calendar_and_none_of_the_first() -> None:
    async with table() as at:
        client = await at.client()
        sessions = [await signed_up(await at.client(), handle) for handle in ("Anja", "Bo")]
        paths = [(await client.ask(CalendarLink(session=session), CalendarTold)).path for session in sessions]
        await client.ask(CalendarLink(session=sessions[0], on=False), CalendarTold)
        assert [(await read(at, path))[0] for path in paths] == [404, 200]
