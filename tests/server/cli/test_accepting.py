"""An invitation in a terminal: who invites is said, the seat is kept on this machine, and the link is used up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.kernel import SeatTaken
from herald_client import Link, Refused, Server, invited, me, read_link
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from server.cli.accepting import own_link
from server.cli.common import console
from tests.server.tabletop import address_of, live
from tests.skirmish.game import GAME


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def server(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setattr("server.cli.accepting.data_dir", lambda: tmp_path)
    with address_of(store) as url:
        yield Server(url)


async def invitation(server: Server) -> Link:
    """A match that Ada invites to, and the link that she sends."""
    created = await server.create("skirmish", [me("Ada"), invited()], title="Sunday")
    return read_link(str(Link(server.url, created.match, invitation=created.invitations["1"])))


@live
async def test_who_comes_by_an_invitation_is_told_who_invites_and_given_a_link_of_their_own(
    server: Server, store: MemoryStore
) -> None:
    at = await invitation(server)
    with console.capture() as said:
        seat = await own_link(at, "Bo")
    assert "Ada invites you to Sunday: seat 2." in said.get()
    assert str(seat) in said.get().replace("\n", "")
    assert seat.token not in str(at)
    events = [read_event(GAME, entry) for entry in store.read(at.match)]
    taken = [event for event in events if isinstance(event, SeatTaken)]
    assert (taken[1].name, bool(taken[1].key)) == ("Bo", True), "it signs from its first line on"


@live
async def test_the_same_machine_comes_back_by_the_invitation_and_another_does_not(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at = await invitation(server)
    seat = await own_link(at, "Bo")
    assert await own_link(at) == seat
    monkeypatch.setattr("server.cli.accepting.data_dir", lambda: tmp_path / "elsewhere")
    with pytest.raises(Refused, match="opens nothing"):
        await own_link(at, "Eve")
    assert not list(tmp_path.glob("elsewhere/seats/*.seat"))


@live
async def test_a_seat_whose_answer_was_lost_is_asked_for_again_with_what_was_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await invitation(server)
    accept, lost = Server.accept, ConnectionError("the server was killed")

    async def unanswered(*given: object, **named: object) -> None:
        await accept(*given, **named)  # type: ignore[arg-type]
        raise lost

    monkeypatch.setattr(Server, "accept", unanswered)
    with pytest.raises(ConnectionError):
        await own_link(at, "Bo")
    monkeypatch.setattr(Server, "accept", accept)
    seat = await own_link(at, "Bo")
    async with server.play(seat.match, seat.token) as match:
        assert match.seat == 1


@live
async def test_a_seats_own_link_leads_to_it_as_before(server: Server) -> None:
    at = Link(server.url, "match", "token")
    assert await own_link(at) == at
