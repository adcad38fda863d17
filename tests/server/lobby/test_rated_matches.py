"""Matches that are created as rated: the refusals, the lists, and the persons who have their results."""

from typing import Any

import pytest

from replay.record.serverkey import KeyRing
from replay.store.memory import MemoryStore
from server.lobby.rated_seats import note_rated
from server.wire.account_messages import (
    Deleted,
    DeleteMe,
    Done,
    Exported,
    ExportMe,
    KeepSeat,
)
from server.wire.client import Client
from server.wire.inviting import Invited, ReadInvitation
from server.wire.protocol import Create, Created, Error, ListMatches, Matches, SeatWish
from tests.replay.ratings.rated_matches import RatedMatch
from tests.server.people.signing import registered
from tests.server.tabletop import TWO_PEOPLE, live, table
from tests.skirmish.game import GAME


def rated(**more: Any) -> Create:
    return Create(GAME.name, **{"seats": TWO_PEOPLE, "shares": True, "rated": True, **more})


@live
async def test_a_rated_match_is_refused_with_what_keeps_it_from_counting() -> None:
    async with table() as at:
        client = await at.client()
        for more, why in (
            ({"hints": True}, "A rated match has no hints."),
            ({"shares": False}, "every person's client gives a share of chance"),
            ({"reveal": "seats"}, "opens its secrets to everybody"),
        ):
            await client.send(rated(**more))
            refused = await client.receive()
            assert isinstance(refused, Error)
            assert (refused.code, why in refused.why) == ("cannot-create", True)


@live
async def test_the_lists_and_an_invitation_say_that_a_match_is_rated() -> None:
    async with table() as at:
        client = await at.client()
        seats = (SeatWish("me", "Ada"), SeatWish("invited", "Bo"))
        made = await client.ask(rated(seats=seats), Created)
        offered, plain = [
            await client.ask(rated(seats=(SeatWish("me", "Ada"), SeatWish("open")), rated=rates), Created)
            for rates in (True, False)
        ]
        told = await client.ask(ListMatches(), Matches)
        assert {one.match: one.rated for one in told.open} == {offered.match: True, plain.match: False}
        assert (await client.ask(ReadInvitation(made.match, made.invitations["1"]), Invited)).rated


async def noted(client: Client, session: str, created: Created) -> None:
    await client.ask(KeepSeat(session=session, match=created.match, token=created.tokens["0"]), Done)


@live
async def test_a_person_who_notes_a_seat_has_its_result_and_takes_the_link_along_when_deleted() -> None:
    async with table() as at:
        client = await at.client()
        session = await registered(client, "Anja")
        made, plain = await client.ask(rated(), Created), await client.ask(rated(rated=False), Created)
        for each in (made, plain):
            await noted(client, session, each)
        players = at.store.rated_players
        name = players.pseudonym(made.match, 0)
        assert (bool(name), players.pseudonym(plain.match, 0)) == (True, "")
        assert (await client.ask(ExportMe(session=session), Exported)).rated_as == name
        await client.ask(DeleteMe(session=session, handle="Anja"), Deleted)
        assert (players.pseudonym(made.match, 0), players.person(name)) == (name, "")


@pytest.mark.parametrize(
    ("choices", "is_hers"), [(0, True), (1, False), (10_000, False)], ids=["before", "after one", "when it is over"]
)
def test_a_seat_is_noted_before_its_first_choice(
    choices: int, tmp_path_factory: pytest.TempPathFactory, *, is_hers: bool
) -> None:
    match = RatedMatch(MemoryStore(), KeyRing(tmp_path_factory.mktemp("keys")).current.stamp)
    first = match.referee.state.asked[0].seat
    match.choose(choices)
    note_rated(match.store, "ann", match.referee.match, first)
    assert bool(match.store.rated_players.pseudonym(match.referee.match, first)) is is_hers
