"""Finding an opponent in a terminal: two people find each other, a bot comes when nobody does, and invitations."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from msgspec import json
from msgspec.structs import replace

from herald_client import AccountDoor, Key, OpponentSearch, Refused, Session
from herald_client.opponents import SeatDraw, accept, decline, invite, sealed_lot, terms
from replay.record import sealing
from replay.record.seat_draw import drawn, match_id, occasion_of
from replay.store.memory import MemoryStore
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.cli.accounts import enter
from server.cli.opponents import find
from tests.replay.ratings.rated_matches import RatedMatch
from tests.server.tabletop import address_of, live
from tests.skirmish.game import GAME


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "first"))
    with closing(MemoryStore()) as store, address_of(store) as at:
        yield at


@live
async def test_two_people_find_each_other_from_two_terminals(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")
    door, links = AccountDoor(url, Key()), []
    await door.sign_up("Bert", "phone")

    async def other() -> None:
        async with door.session() as session:
            links.append(str((await OpponentSearch(session, terms(GAME.name)).found(poll_s=0.05))[1]))

    async with anyio.create_task_group() as both:
        both.start_soon(other)
        links.append(await find(url, terms(GAME.name), 0, 0.05))
    one, two = (link.split("#m=")[1].split("&t=") for link in links)
    assert one[0] == two[0]
    assert one[1] != two[1]


@live
async def test_a_bot_is_played_when_nobody_comes(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")
    assert "&t=" in await find(url, terms(GAME.name), 1, 0.3)


@live
async def test_invitations_are_sent_declined_and_accepted(url: str) -> None:
    ann, ben = AccountDoor(url, Key()), AccountDoor(url, Key())
    await ann.sign_up("Anja", "phone")
    await ben.sign_up("Bert", "phone")
    async with ann.session() as one, ben.session() as other:
        for act in (decline, accept):
            made, link = await invite(one, "Bert", terms(GAME.name))
            (told,) = (await other.matches()).invitations
            assert (told.handle, told.invitation, link.match) == ("Anja", made.invitation, made.match)
            await act(other, told.invitation)
            assert (await other.matches()).invitations == ()


def draw(count: int = 2) -> tuple[SeatDraw, str]:
    """A draw, by the library's structs, and the id of its match."""
    lots = [bytes([n]) * 32 for n in range(count)]
    made = drawn({sealed_lot(lot): sealing.b64(lot) for lot in lots})
    return SeatDraw(made.sealed, made.lots), sealing.b64(match_id(occasion_of(made.sealed), 2))


def test_the_library_checks_a_draw_by_code_of_its_own() -> None:
    for count in (2, 4):
        made, match = draw(count)
        assert made.fault(match) == ""
        assert "another order" in SeatDraw(made.sealed[::-1], made.lots[::-1]).fault(match)
        assert "sealed" in SeatDraw(made.sealed, made.lots[::-1]).fault(match)
        assert "id of the match" in made.fault(sealing.b64(bytes(16)))
        assert "one lot" in SeatDraw(made.sealed, made.lots[:1]).fault(match)


@live
async def test_a_server_that_changes_a_seat_or_a_commitment_is_caught(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = AccountDoor(url, Key())
    await door.sign_up("Anja", "phone")
    true = Session.ask

    async def lies(self: Session, kind: Any, t: str, **fields: Any) -> Any:
        told = await true(self, kind, t, **fields)
        if t == "play-now" and told.state == "found":
            return replace(told, seat=1 - told.seat)
        return told

    monkeypatch.setattr(Session, "ask", lies)
    async with door.session() as session:
        search = OpponentSearch(session, terms(GAME.name), bot_after_s=1)
        with pytest.raises(Refused, match="own lot"):
            await search.found(lambda told: told.bot.bot if told.bot else "", 0.3)


def test_a_draw_is_checked_from_a_database(tmp_path: Path) -> None:
    file = tmp_path / "herald.db"
    with closing(SqliteStore(file)) as store:
        played = RatedMatch(store, None).referee.match
        made, _ = draw()
    for kept, code, told in (("", 0, "were not drawn"), (json.encode(made).decode(), 1, "id of the match")):
        with closing(SqliteStore(file)) as store:
            if kept:
                store.opponents.keep_draw(played, kept)
        answer = CliRunner().invoke(main, ["match", "draw", played, "--db", str(file)])
        assert (answer.exit_code, told in answer.output) == (code, True)
