"""A person invites another by handle: accepted once, declined or withdrawn, and never told to anybody else."""

import secrets
from typing import Any

import pytest

from replay.store.side_tables.people import OwnSeatRow
from server.operations.bounds import Bounds
from server.operations.intervals import Intervals
from server.wire.account_messages import (
    AccountTold,
    Deleted,
    DeleteMe,
    Done,
    InvitationTold,
    ListMine,
    MyMatches,
    ReadAccount,
)
from server.wire.client import Client, enter
from server.wire.errors import NotAdmitted
from server.wire.opponent_messages import AnswerInvitation, InvitePerson, PersonInvited, Terms
from server.wire.protocol import ListMatches, Matches
from server.wire.text import skeleton
from tests.replay.ratings.rated_matches import RatedMatch
from tests.server.people.signing import registered
from tests.server.tabletop import Table, live, table
from tests.skirmish.game import GAME

TERMS = Terms(GAME.name)


class Person:
    """Somebody with an account and a connection."""

    def __init__(self, client: Client, session: str) -> None:
        self.client, self.session, self.token = client, session, secrets.token_urlsafe(32)

    @classmethod
    async def of(cls, at: Table, handle: str) -> "Person":
        client = await at.client()
        return cls(client, await registered(client, handle))

    async def invite(self, handle: str, terms: Terms = TERMS, **more: Any) -> PersonInvited:
        wish = InvitePerson(session=self.session, token=self.token, handle=handle, terms=terms, **more)
        return await self.client.ask(wish, PersonInvited)

    async def mine(self) -> MyMatches:
        return await self.client.ask(ListMine(session=self.session), MyMatches)

    async def invited(self) -> tuple[InvitationTold, ...]:
        return (await self.mine()).invitations

    async def accept(self, invitation: str) -> PersonInvited:
        wish = AnswerInvitation(session=self.session, invitation=invitation, accept=True, token=self.token)
        return await self.client.ask(wish, PersonInvited)

    async def decline(self, invitation: str) -> None:
        await self.client.ask(AnswerInvitation(session=self.session, invitation=invitation), Done)


@live
async def test_an_invitation_says_who_invites_to_what_and_is_accepted_once() -> None:
    async with table() as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        made = await ann.invite("bert")
        (mine,), (his,) = await ann.invited(), await ben.invited()
        assert (mine.handle, mine.mine, his.handle, his.mine, his.game) == ("Bert", True, "Anja", False, GAME.name)
        taken = await ben.accept(his.invitation)
        assert (taken.match, taken.seat) == (made.match, 1)
        assert (await ann.invited(), await ben.invited()) == ((), ())
        for person in (ann, ben):
            await enter(await at.client(), made.match, person.token)
        assert [one.players for one in (await ben.mine()).matches] == [("Anja", "Bert")]
        with pytest.raises(NotAdmitted, match="over"):
            await ben.accept(his.invitation)


@live
async def test_an_invitation_is_declined_or_withdrawn_and_leaves_no_match_behind() -> None:
    async with table() as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        await ann.invite("Bert")
        await ben.decline((await ben.invited())[0].invitation)
        assert ((await ann.mine()).matches, await ann.invited()) == ((), ())
        account = await ann.client.ask(ReadAccount(session=ann.session), AccountTold)
        assert [(one.what, one.about) for one in account.notices] == [("invitation-declined", "Bert")]
        again = await ann.invite("Bert")
        await ann.decline(again.invitation)
        assert (await ben.invited(), (await ann.mine()).matches) == ((), ())
        with pytest.raises(NotAdmitted, match="over"):
            await ben.accept(again.invitation)


@live
async def test_nobody_else_accepts_or_ends_an_invitation_nor_the_inviter_accepts_it() -> None:
    async with table() as at:
        ann, ben, cleo = [await Person.of(at, handle) for handle in ("Anja", "Bert", "Cleo")]
        made = await ann.invite("Bert")
        for act in (cleo.accept, cleo.decline):
            with pytest.raises(NotAdmitted, match="over"):
                await act(made.invitation)
        with pytest.raises(NotAdmitted, match="Only the person who was invited"):
            await ann.accept(made.invitation)
        assert await cleo.invited() == ()
        assert len(await ben.invited()) == 1


@live
async def test_nobody_oneself_and_whoever_is_blocked_are_answered_alike() -> None:
    async with table() as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        at.lobby.person_invitations._may_meet = lambda one, other: False
        told = set()
        for handle in ("Nobody", "Anja", "Bert"):
            with pytest.raises(NotAdmitted) as refused:
                await ann.invite(handle)
            told.add(str(refused.value))
        assert len(told) == 1
        assert await ben.invited() == ()


@live
async def test_whoever_is_blocked_after_inviting_is_not_shown_and_cannot_be_accepted() -> None:
    async with table() as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        made = await ann.invite("Bert")
        at.lobby.person_invitations._may_meet = lambda one, other: False
        assert await ben.invited() == ()
        with pytest.raises(NotAdmitted, match="over"):
            await ben.accept(made.invitation)


@live
async def test_only_some_invitations_wait_at_a_time() -> None:
    async with table(bounds=Bounds(invitations=1)) as at:
        ann = await Person.of(at, "Anja")
        await Person.of(at, "Bert")
        await ann.invite("Bert")
        with pytest.raises(NotAdmitted, match="wait for an answer"):
            await ann.invite("Bert")


@live
async def test_invitations_end_after_their_time_and_then_give_room_for_others() -> None:
    async with table(intervals=Intervals(invited_ms=-1), bounds=Bounds(invitations=1)) as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        made = await ann.invite("Bert")
        assert await ben.invited() == ()
        with pytest.raises(NotAdmitted, match="over"):
            await ben.accept(made.invitation)
        await ann.invite("Bert")


@live
async def test_a_match_that_waits_for_an_invited_person_is_no_offer_of_the_list() -> None:
    async with table() as at:
        ann = await Person.of(at, "Anja")
        await Person.of(at, "Bert")
        await ann.invite("Bert")
        assert (await ann.client.ask(ListMatches(), Matches)).open == ()


@live
async def test_a_match_is_played_once_more_with_sides_changed() -> None:
    async with table() as at:
        ann, ben, cleo = [await Person.of(at, handle) for handle in ("Anja", "Bert", "Cleo")]
        over = RatedMatch(at.store, None).finished().referee.match
        going = RatedMatch(at.store, None).referee.match
        for seat, handle in enumerate(("Anja", "Bert")):
            for match in (over, going):
                note(at, handle, match, seat)
        with pytest.raises(NotAdmitted, match="when it is over"):
            await ann.invite("", again=going)
        again = await ben.invite("", again=over)
        assert again.seat == 0
        (told,) = await ann.invited()
        assert (told.handle, told.seat) == ("Bert", 1)
        assert await ann.accept(told.invitation)
        with pytest.raises(NotAdmitted, match="among your own"):
            await cleo.invite("", again=over)


def note(at: Table, handle: str, match: str, seat: int) -> None:
    """A seat of a match is a person's."""
    named = at.store.people.named(skeleton(handle))
    assert named is not None
    at.store.people.keep_seat(OwnSeatRow(named.person, match, seat, 0), 9)
    at.store.rated_players.sit(named.person, match, seat)


@live
async def test_an_account_that_is_deleted_leaves_no_invitation() -> None:
    async with table() as at:
        ann, ben = await Person.of(at, "Anja"), await Person.of(at, "Bert")
        await ann.invite("Bert")
        await ann.client.ask(DeleteMe(session=ann.session, handle="Anja"), Deleted)
        assert await ben.invited() == ()
        named = at.store.people.named(skeleton("Bert"))
        assert named is not None
        assert at.store.opponents.invitations(named.person) == []
