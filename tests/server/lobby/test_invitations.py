"""An invitation opens one seat once, and says before that what it is for; what it opened is its guest's alone."""

import secrets
from typing import Any

import pytest
from msgspec import to_builtins

from domain.kernel import SeatTaken
from replay.record.referee import read_event
from replay.record.signing import SeatKey
from replay.store.memory import MemoryStore
from server.table.guests import DAY_MS, INVITED_DAYS, Invitation, find_offered, invitation_hash, new_token
from server.wire.errors import NotAdmitted
from server.wire.inviting import Invited, ReadInvitation, Withdraw, Withdrawn
from server.wire.protocol import (
    Accepted,
    Create,
    Created,
    Error,
    Hello,
    Join,
    Joined,
    ListMatches,
    Matches,
    Refused,
    SeatWish,
    Welcome,
)
from tests.server.tabletop import Table, live, table, two_servers
from tests.skirmish.game import GAME

INVITING = (SeatWish("me", "Ada"), SeatWish("invited"))


async def invited(at: Table, *seats: SeatWish, **more: Any) -> tuple[Created, str]:
    """A match and the invitation to its second seat."""
    client = await at.client()
    created = await client.ask(Create(GAME.name, seats or INVITING, **more), Created)
    return created, created.invitations["1"]


async def answer(at: Table, message: Any) -> Any:
    client = await at.client()
    return await client.ask(message, Joined | Error | Invited | Withdrawn | Welcome)  # type: ignore[arg-type]


async def refused(at: Table, message: Any) -> str:
    """The code of a refusal, which any other answer is not."""
    client = await at.client()
    await client.send(message)
    told = await client.receive()
    assert isinstance(told, Error), told
    return told.code


@live
async def test_the_creator_is_told_an_invitation_and_no_token_of_the_friends_seat() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        assert list(created.tokens) == ["0"]
        assert await refused(at, Hello(created.match, invitation)) == "not-admitted"
        assert at.store.header(created.match).status == "open"


@live
async def test_looking_at_an_invitation_uses_nothing_up_and_says_who_invites_to_what() -> None:
    async with table() as at:
        created, invitation = await invited(at, title="Sunday", listed=False, hints=True)
        for _ in range(2):
            said = await answer(at, ReadInvitation(created.match, invitation))
            assert (said.title, said.game, said.seat, said.by, said.hints) == ("Sunday", GAME.name, 1, 0, True)
            assert [(seat.name, seat.kind, seat.waits) for seat in said.seats] == [
                ("Ada", "person", False),
                ("", "", True),
            ]
        assert at.store.header(created.match).status == "open"


@live
async def test_an_invitation_is_exchanged_once_for_a_token_that_its_guest_has_drawn() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        key, own = SeatKey(), new_token()
        joined = await answer(at, Join(created.match, name="Bo", key=key.public, invitation=invitation, token=own))
        assert (joined.seat, joined.token) == (1, own)
        welcome = await answer(at, Hello(created.match, own))
        assert [seat.name for seat in welcome.seats] == ["Ada", "Bo"]
        assert await refused(at, Join(created.match, name="Eve", invitation=invitation, token=new_token())) == (
            "not-admitted"
        )
        assert await refused(at, Hello(created.match, invitation)) == "not-admitted"
        assert await refused(at, ReadInvitation(created.match, invitation)) == "not-admitted"


@live
async def test_the_seat_signs_from_its_first_line_on() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        key = SeatKey()
        await answer(at, Join(created.match, name="Bo", key=key.public, invitation=invitation, token=new_token()))
        events = [read_event(GAME, entry) for entry in at.store.read(created.match)]
        assert [event.key for event in events if isinstance(event, SeatTaken)] == ["", key.public]


@live
async def test_asked_again_by_the_same_device_after_a_lost_answer_the_exchange_is_answered_alike() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        wish = Join(created.match, name="Bo", invitation=invitation, token=new_token())
        first = await answer(at, wish)
        lines = len(at.store.read(created.match))
        assert await answer(at, wish) == first
        assert len(at.store.read(created.match)) == lines


@live
async def test_a_server_that_is_killed_between_exchange_and_answer_loses_nobodys_seat() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, invitation = await invited(at)
        wish = Join(created.match, name="Bo", invitation=invitation, token=new_token())
        client = await at.client()
        await client.send(wish)
        await client.connection.close()
    async with table(store) as at:
        joined = await answer(at, wish)
        assert (joined.seat, joined.token) == (1, wish.token)


@live
async def test_of_two_who_come_by_one_invitation_at_two_servers_one_sits_down() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created, invitation = await invited(one)
        wishes = [Join(created.match, name=name, invitation=invitation, token=new_token()) for name in ("Bo", "Eve")]
        clients = [await one.client(), await two.client()]
        for client, wish in zip(clients, wishes, strict=True):
            await client.send(wish)
        told = [await client.receive() for client in clients]
        assert sorted(type(said).__name__ for said in told) == ["Error", "Joined"]
        sat = next(said for said in told if isinstance(said, Joined))
        lost = next(wish for wish in wishes if wish.token != sat.token)
        assert await refused(two, Hello(created.match, lost.token)) == "not-admitted"


@live
async def test_a_withdrawn_invitation_opens_nothing_and_the_next_one_its_seat() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created, invitation = await invited(one)
        wish = Withdraw(created.match, invitation, secrets.token_urlsafe(32))
        withdrawn = await answer(one, wish)
        assert await answer(two, wish) == withdrawn
        assert await refused(two, Join(created.match, invitation=invitation, token=new_token())) == "not-admitted"
        assert (await answer(two, ReadInvitation(created.match, withdrawn.invitation))).by == 0
        joined = await answer(two, Join(created.match, invitation=withdrawn.invitation, token=new_token()))
        assert joined.seat == 1
        assert await refused(one, Withdraw(created.match, withdrawn.invitation, wish.next)) == "not-admitted"


@live
async def test_an_invitation_ends_after_its_days_and_a_new_one_takes_its_place() -> None:
    async with table() as at:
        created, _ = await invited(at)
        day = at.lobby.registry.now_ms // DAY_MS
        for last, open_ in ((day, True), (day - 1, False)):
            text = Invitation(new_token(), 0, last).text
            row = at.store.seats.holders(created.match)[1]
            assert at.store.seats.change_token(created.match, 1, row.token_hash, invitation_hash(text))
            told = await answer(at, ReadInvitation(created.match, text)) if open_ else None
            assert isinstance(told, Invited) == open_
            if not open_:
                assert await refused(at, ReadInvitation(created.match, text)) == "not-admitted"
                assert await refused(at, Join(created.match, invitation=text, token=new_token())) == "not-admitted"
        again = await answer(at, Withdraw(created.match, text, new_token()))
        said = await answer(at, ReadInvitation(created.match, again.invitation))
        assert said.until_ms == (day + INVITED_DAYS + 1) * DAY_MS


@live
async def test_nobody_writes_another_day_or_inviter_into_an_invitation() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        said = Invitation.read(invitation)
        assert said is not None
        for forged in (f"{said.secret}0{said.day + 1:05}", f"{said.secret}1{said.day:05}", said.secret):
            assert await refused(at, ReadInvitation(created.match, forged)) == "not-admitted"


@live
async def test_the_list_offers_a_seat_that_is_kept_for_somebody_to_nobody_behind_a_delay_too() -> None:
    async with table() as at:
        for delay in (0, 60):
            for seat in (SeatWish("invited", "Bo"), SeatWish("friend")):
                client = await at.client()
                created = await client.ask(Create(GAME.name, (SeatWish("open"), seat), delay_s=delay), Created)
                for in_memory in (True, False):
                    if not in_memory:
                        at.lobby.registry.forget_idle(-1)
                        at.lobby.listing.forget()
                    listed = await (await at.client()).ask(ListMatches(), Matches)
                    shown = next(one for one in listed.open if one.match == created.match)
                    assert [(one.name, one.kind) for one in shown.seats] == [("", ""), ("", "person")]


@live
async def test_who_gives_no_name_is_called_as_the_inviter_proposed() -> None:
    async with table() as at:
        created, invitation = await invited(at, SeatWish("me", "Ada"), SeatWish("invited", "Bo"))
        own = new_token()
        await answer(at, Join(created.match, invitation=invitation, token=own))
        welcome = await answer(at, Hello(created.match, own))
        assert [seat.name for seat in welcome.seats] == ["Ada", "Bo"]


@live
async def test_a_link_that_an_earlier_version_gave_a_friend_is_exchanged_too() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("friend"))
        former, own = created.tokens["1"], new_token()
        joined = await answer(at, Join(created.match, name="Bo", invitation=former, token=own))
        assert (joined.seat, joined.token) == (1, own)
        assert await refused(at, Hello(created.match, former)) == "not-admitted"


@live
async def test_a_closed_match_is_entered_by_its_invitation_and_by_nothing_else() -> None:
    async with table() as at:
        created, invitation = await invited(at, closed=True)
        assert await refused(at, Join(created.match, 1, "Eve")) == "not-admitted"
        assert (await answer(at, ReadInvitation(created.match, invitation))).closed
        assert (await answer(at, Join(created.match, invitation=invitation, token=new_token()))).seat == 1


@live
async def test_who_took_an_open_seat_and_lost_the_answer_is_answered_alike() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        wish = Join(created.match, 1, "Bo", token=new_token())
        assert await answer(at, wish) == await answer(at, wish)
        assert await refused(at, Join(created.match, 1, "Bo", token=new_token())) == "cannot-sit"


@live
async def test_a_wrong_invitation_and_a_wrong_match_are_answered_alike() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        other, _ = await invited(at)
        told = set()
        for match, text in ((created.match, "x" * 49), ("nowhere", invitation), (other.match, invitation), ("", "")):
            with pytest.raises(NotAdmitted) as wrong:
                find_offered(at.store, match, text, "")
            told.add(str(wrong.value))
        assert len(told) == 1


@live
async def test_once_a_friend_sits_there_the_inviter_sees_and_decides_nothing_of_that_seat() -> None:
    async with table() as at:
        created, invitation = await invited(at)
        own = new_token()
        await answer(at, Join(created.match, name="Bo", invitation=invitation, token=own))
        said = Invitation.read(invitation)
        assert said is not None
        for secret in (invitation, said.secret):
            assert await refused(at, Hello(created.match, secret)) == "not-admitted"
            assert await refused(at, Withdraw(created.match, secret, new_token())) == "not-admitted"
        ada = await at.player(created, 0)
        bo = await at.player(Created(created.match, {"1": own}), 1)
        while not bo.view.asked():
            done = await ada.choose()
            assert isinstance(done, Accepted)
            await bo.reach(done.seq)
        await ada.reach(bo.view.seq)
        assert ada.view.asked() == () or ada.view.asked()[0].number != bo.asked().number
        told = await ada.client.choose(bo.asked(), to_builtins(bo.options()[0]))
        assert isinstance(told, Refused)
        assert told.code == "not-your-decision"
