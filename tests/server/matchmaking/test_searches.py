"""People who do not know each other find each other, at one server or several, and their seats are drawn openly."""

import secrets
from typing import Any

import pytest

from replay.files.export import created
from replay.record import sealing
from replay.record.seat_draw import sealed_lot
from replay.store.side_tables.opponents import SeekerRow
from server.wire.account_messages import ListMine, MyMatches
from server.wire.client import enter
from server.wire.errors import NotAdmitted
from server.wire.opponent_messages import (
    ListOffers,
    OffersTold,
    ProfileTold,
    ReadDraw,
    Search,
    SeatsDrawn,
    ShowProfile,
    Terms,
)
from server.wire.text import skeleton
from tests.pennants.game import GAME as PENNANTS
from tests.server.matchmaking.seekers import TERMS, Seeking, all_found
from tests.server.tabletop import Table, live, table
from tests.skirmish.game import GAME

THREE = {"seats": 3}


async def two(at: Table, **more: Any) -> tuple[Seeking, Seeking]:
    return await Seeking.of(await at.client(), "Anja", **more), await Seeking.of(await at.client(), "Bert", **more)


def kept_of(at: Table, handle: str) -> SeekerRow:
    """What the store keeps of a person's search."""
    named = at.store.people.named(skeleton(handle))
    row = None if named is None else at.store.opponents.seeker(named.person)
    assert row is not None
    return row


@live
async def test_two_people_find_each_other_and_sit_where_the_lots_say() -> None:
    async with table() as at:
        ann, ben = await two(at)
        assert (await ann.ask()).state == "waiting"
        assert (await ben.ask()).state == "drawing"
        assert sorted(ben.told) == sorted([ann.sealed, ben.sealed])
        one, other = await all_found(ann, ben)
        assert (one.match, {one.seat, other.seat}) == (other.match, {0, 1})
        assert one.drawn == other.drawn
        assert one.drawn is not None
        assert one.drawn.fault(one.match) == ""
        assert (one.drawn.sealed[one.seat], one.drawn.sealed[other.seat]) == (ann.sealed, ben.sealed)
        drawn = await ben.client.ask(ReadDraw(match=one.match), SeatsDrawn)
        assert drawn.drawn == one.drawn
        for seeking in (ann, ben):
            await enter(await at.client(), one.match, seeking.token)
        told = await ann.client.ask(ListMine(session=ann.session), MyMatches)
        assert [(mine.match, mine.seat, set(mine.players)) for mine in told.matches] == [
            (one.match, one.seat, {"Anja", "Bert"})
        ]
        assert at.store.rated_players.pseudonym(one.match, 0) != at.store.rated_players.pseudonym(one.match, 1) != ""


@live
async def test_whoever_asks_again_after_a_lost_answer_is_answered_alike() -> None:
    async with table() as at:
        ann, ben = await two(at)
        told = await all_found(ann, ben)
        assert [await ann.ask(), await ben.ask()] == told


@live
async def test_a_match_that_a_killed_server_has_claimed_is_made_by_the_next() -> None:
    async with table() as at:
        ann, ben = await two(at)
        await ann.ask()
        await ben.ask()
        for seeking, handle in ((ann, "Anja"), (ben, "Bert")):
            row = kept_of(at, handle)
            at.store.opponents.reveal(row.person, row.meeting, sealing.b64(seeking.lot))
        found = await ben.ask()
        assert found.state == "found"
        assert (await ann.ask()).match == found.match


@live
async def test_who_does_not_show_a_lot_is_left_and_the_other_waits_on_with_another_lot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with table() as at:
        ann, ben = await two(at)
        began = (await ann.ask()).since_ms
        await ben.ask()
        assert (await ann.ask()).state == "drawing"
        first = ann.lot
        await ann.ask()
        monkeypatch.setattr(at.lobby.searches, "_lots_ms", -1)
        told = await ann.ask()
        assert (told.state, told.fresh, told.since_ms, ann.lot == first) == ("waiting", True, began, False)
        monkeypatch.undo()
        ben.anew()
        assert [(await ann.ask()).state, (await ben.ask()).state] == ["waiting", "drawing"]
        assert len(await all_found(ann, ben)) == 2


@live
async def test_a_lot_that_was_not_sealed_is_refused() -> None:
    async with table() as at:
        ann, ben = await two(at)
        await ann.ask()
        await ben.ask()
        ben.lot = secrets.token_bytes(32)
        with pytest.raises(NotAdmitted, match="not the one that was sealed"):
            await ben.ask()


@live
async def test_offers_are_told_with_their_terms_and_name_only_who_wants_it() -> None:
    async with table() as at:
        terms = Terms(GAME.name, rated=False, low=1400, high=1600)
        ann = await Seeking.of(await at.client(), "Anja", terms)
        await ann.ask()
        hidden = await Seeking.of(await at.client(), "Bert", Terms(GAME.name, listed=False))
        await hidden.ask()
        told = await ann.client.ask(ListOffers(), OffersTold)
        assert [(one.terms, one.seats, one.handle, one.rating) for one in told.offers] == [(terms, 2, "", None)]
        assert (told.seekers, told.there >= 2, "quick" in told.paces) == (2, True, True)
        await ann.client.ask(ShowProfile(session=ann.session, shows=("ratings",)), ProfileTold)
        told = await ann.client.ask(ListOffers(game=GAME.name), OffersTold)
        assert [(one.handle, one.rating, one.provisional) for one in told.offers] == [("Anja", 1500, True)]
        await ann.stop()
        assert (await ann.client.ask(ListOffers(), OffersTold)).offers == ()


@live
async def test_an_offer_is_taken_by_its_terms_unless_its_range_keeps_one_out() -> None:
    async with table() as at:
        ann = await Seeking.of(await at.client(), "Anja", Terms(GAME.name, rated=False, low=1600, high=1700))
        await ann.ask()
        offer = (await ann.client.ask(ListOffers(), OffersTold)).offers[0].offer
        ben = await Seeking.of(await at.client(), "Bert", offer=offer)
        await ben.client.ask(ShowProfile(session=ben.session, shows=("ratings",)), ProfileTold)
        with pytest.raises(NotAdmitted, match="out of its range"):
            await ben.ask()
        ann.anew(Terms(GAME.name, rated=False))
        await ann.ask()
        ben.anew(offer=(await ann.client.ask(ListOffers(), OffersTold)).offers[0].offer)
        assert (await ben.ask()).state == "drawing"
        found = await all_found(ann, ben)
        assert not created(at.store, found[0].match).rated
        late = await Seeking.of(await at.client(), "Cleo", offer=offer)
        with pytest.raises(NotAdmitted, match="gone"):
            await late.ask()


@live
async def test_a_bot_is_offered_after_the_time_that_one_chooses_and_its_lots_were_sealed_before() -> None:
    async with table() as at:
        ann = await Seeking.of(await at.client(), "Anja", bot_after_s=1)
        first = await ann.ask()
        assert (first.bot, len(first.bot_sealed)) == (None, 1)
        at.lobby.searches._now = lambda: first.since_ms + 1000
        told = await ann.ask()
        assert told.bot is not None
        assert told.bot.bot == "random"
        assert (await ann.ask(bot=told.bot.bot)).state == "drawing"
        found = await ann.ask(bot=told.bot.bot)
        assert found.drawn is not None
        assert {ann.sealed, *first.bot_sealed} == set(found.drawn.sealed)
        assert found.drawn.fault(found.match) == ""
        kinds = [row.bot for row in at.store.seats.holders(found.match)]
        assert (kinds[found.seat], kinds[1 - found.seat]) == ("", "random")


@live
async def test_terms_by_which_nobody_can_play_are_refused() -> None:
    async with table() as at:
        ann = await Seeking.of(await at.client(), "Anja")
        for terms, why in (
            (Terms("chess"), "no game"),
            (Terms(GAME.name, low=2, high=1), "begins above its end"),
            (Terms(GAME.name, options={"strange": 1}), "do not fit"),
        ):
            ann.anew(terms)
            with pytest.raises(NotAdmitted, match=why):
                await ann.ask()
        ann.anew(TERMS)
        with pytest.raises(NotAdmitted, match="no bot"):
            await ann.ask(bot="nobody")


@live
async def test_another_device_of_the_same_person_takes_the_search_over_only_where_it_begins_one() -> None:
    async with table() as at:
        ann = await Seeking.of(await at.client(), "Anja")
        await ann.ask()
        phone = Seeking(await at.client(), ann.session)
        phone.begins = False
        with pytest.raises(NotAdmitted, match="another device"):
            await phone.ask()
        phone.begins = True
        assert (await phone.ask()).state == "waiting"
        with pytest.raises(NotAdmitted, match="another device"):
            await ann.ask()


@live
async def test_nobody_looks_for_opponents_without_an_account() -> None:
    async with table() as at:
        guest = Seeking(await at.client(), "S" * 43)
        with pytest.raises(NotAdmitted, match="sign-in-refused"):
            await guest.ask()


@live
async def test_a_lot_tells_nothing_to_the_others_before_all_are_sealed() -> None:
    async with table() as at:
        ann, ben = await two(at)
        await ann.ask()
        told: Search = await ben.ask()
        assert sealing.b64(ann.lot) not in str(told.sealed)
        assert sealed_lot(ann.lot) in told.sealed
        shown = await ben.ask()
        assert shown.drawn is None


@live
async def test_a_table_of_three_is_gathered_and_its_seats_are_drawn() -> None:
    async with table() as at:
        terms = Terms(PENNANTS.name, options=THREE)
        seeking = [await Seeking.of(await at.client(), name, terms) for name in ("Anja", "Bert", "Cleo")]
        assert [(await one.ask()).state for one in seeking] == ["waiting", "waiting", "drawing"]
        found = await all_found(*seeking)
        assert {told.seat for told in found} == {0, 1, 2}
        assert found[0].drawn is not None
        assert found[0].drawn.fault(found[0].match) == ""
        assert len(at.store.seats.holders(found[0].match)) == 3


@live
async def test_whoever_stops_while_seats_are_drawn_leaves_the_other_waiting() -> None:
    async with table() as at:
        ann, ben = await two(at)
        await ann.ask()
        await ben.ask()
        await ann.ask()
        await ben.stop()
        told = await ann.ask()
        assert (told.state, told.fresh) == ("waiting", True)
        assert (await ann.ask()).state == "waiting"


@live
async def test_bots_fill_a_table_for_everybody_there_who_waits_for_bots_too() -> None:
    async with table() as at:
        terms = Terms(PENNANTS.name, options={"seats": 4})
        ann, ben = [await Seeking.of(await at.client(), name, terms, bot_after_s=1) for name in ("Anja", "Bert")]
        cleo = await Seeking.of(await at.client(), "Cleo", terms)
        began = [(await one.ask()).since_ms for one in (ann, ben, cleo)]
        at.lobby.searches._now = lambda: max(began) + 1000
        assert [(await one.ask()).along for one in (ann, cleo, ben, ann)] == [0, 0, 1, 1]
        assert (await ann.ask(bot="random")).state == "drawing"
        assert {ann.sealed, ben.sealed} < set(ann.told)
        assert cleo.sealed not in ann.told
        one, other = await all_found(ann, ben)
        assert one.drawn is not None
        assert (one.match, one.drawn.fault(one.match)) == (other.match, "")
        bots = [row.bot for row in at.store.seats.holders(one.match)]
        assert [bots[told.seat] for told in (one, other)] == ["", ""]
        assert sorted(bots) == ["", "", "random", "random"]
        assert (await cleo.ask()).state == "waiting"


@live
async def test_whoever_leaves_a_table_that_bots_fill_leaves_no_further_bot_behind() -> None:
    async with table() as at:
        terms = Terms(PENNANTS.name, options=THREE)
        ann, ben = [await Seeking.of(await at.client(), name, terms, bot_after_s=1) for name in ("Anja", "Bert")]
        began = [(await one.ask()).since_ms for one in (ann, ben)]
        at.lobby.searches._now = lambda: max(began) + 1000
        for one in (ben, ann):
            await one.ask()
        assert (await ann.ask(bot="random")).state == "drawing"
        await ben.stop()
        told = await ann.ask()
        assert (told.state, told.fresh, told.along) == ("waiting", True, 0)
        (found,) = await all_found(ann, bot="random")
        assert sorted(row.bot for row in at.store.seats.holders(found.match)) == ["", "random", "random"]
