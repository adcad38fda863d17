"""People at two servers over one store find each other, and a server that stops takes nobody's search along."""

from replay.store.memory import MemoryStore
from server.wire.client import enter
from server.wire.opponent_messages import ListOffers, OffersTold
from tests.server.matchmaking.seekers import Seeking, all_found
from tests.server.tabletop import live, table, two_servers


@live
async def test_people_at_two_servers_find_each_other_and_enter_one_match() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        ann, ben = await Seeking.of(await one.client(), "Anja"), await Seeking.of(await two.client(), "Bert")
        await ann.ask()
        offers = await ben.client.ask(ListOffers(), OffersTold)
        assert (len(offers.offers), offers.seekers) == (1, 1)
        found = await all_found(ann, ben)
        assert (len({told.match for told in found}), {told.seat for told in found}) == (1, {0, 1})
        for at, seeking in ((two, ann), (one, ben)):
            await enter(await at.client(), found[0].match, seeking.token)


@live
async def test_a_search_goes_on_at_the_next_server() -> None:
    store = MemoryStore()
    async with table(store) as at:
        ann, ben = await Seeking.of(await at.client(), "Anja"), await Seeking.of(await at.client(), "Bert")
        began = (await ann.ask()).since_ms
        assert (await ben.ask()).state == "drawing"
    async with table(store) as at:
        ann.client, ben.client = await at.client(), await at.client()
        found = await all_found(ann, ben)
        assert found[0].match == found[1].match
        assert found[0].since_ms == began
