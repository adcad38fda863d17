"""Open cards at a relay: it has no key, shows nothing that it has not checked, and if it lies its viewers find out."""

from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection

from domain.kernel import OpenCards
from herald_client import Broken, Match
from herald_client.news import Ended
from herald_client.verifier import Verifier
from server.wire.client import Client
from server.wire.protocol import Create, Created, Delay, Error, Events, Hello, Snapshot, Welcome
from tests.server.relay.liars import origin, tell
from tests.server.relay.relayed import Relay, heard, of, relay
from tests.server.tabletop import TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME


async def agreed(at: Table, cards: OpenCards) -> Created:
    """A match with open cards."""
    wish = Create(GAME.name, TWO_PEOPLE, open_cards=cards, open_cards_sooner=True)
    return await (await at.client()).ask(wish, Created)


async def opened(where: Table | Relay, match: str, *caps: str) -> tuple[Client, Welcome]:
    """A spectator of open cards."""
    client = await where.client()
    return client, await client.ask(Hello(match, "", "open", 0, caps), Welcome)


def lines(frames: list[Any]) -> list[tuple[Any, Any]]:
    """The items of frames with the salts of each."""
    return [pair for frame in frames for pair in zip(frame.items, frame.salts or ((),) * len(frame.items), strict=True)]


@live
async def test_a_relay_shows_all_hands_as_the_server_does_with_their_proof_and_as_late() -> None:
    async with table() as at, relay(at.url) as there:
        created = await agreed(at, OpenCards(0, 6))
        players = [await at.player(created, seat) for seat in range(2)]
        client, welcome = await opened(there, created.match)
        assert (welcome.viewer.viewer, welcome.delay, welcome.keys) == ("open", Delay(6, 0), {})
        seen: list[Any] = of(Events, await heard(client))
        await play_out(players, 3, most=4)
        direct, _ = await opened(at, created.match)
        end = of(Events, await heard(direct))[-1].last
        while seen[-1].last < end:
            seen.append(await client.expect(Events))
        assert seen[-1].last == end <= at.store.head(created.match).seq - 6
        late, _ = await opened(there, created.match, "scene")
        told = await heard(late)
        assert of(Snapshot, told)[-1].seq == end
        verifier = Verifier(created.match, sees_hands=True)
        for (text, openings), salts in lines(seen):
            verifier.take(text, openings, salts)
        assert verifier.openings
        assert lines(seen) == lines(of(Events, told))


@live
async def test_spectators_without_open_cards_are_shown_none_at_the_same_relay() -> None:
    async with table() as at, relay(at.url) as there:
        created = await agreed(at, OpenCards(0, 1))
        await play_out([await at.player(created, seat) for seat in range(2)], 3, most=4)
        client, _ = await opened(there, created.match)
        plain = await there.client()
        await plain.ask(Hello(created.match, "", "spectator", 0), Welcome)
        assert any(openings for (_, openings), _ in lines(of(Events, await heard(client))))
        assert not any(openings or salts for (_, openings), salts in lines(of(Events, await heard(plain))))
        assert len(there.registry.shows) == 2


@live
async def test_where_no_cards_are_open_a_relay_shows_none() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        assert (await there.refusal(Hello(created.match, "", "open"))).code == "not-admitted"


class Hands:
    """What a true server tells a spectator of open cards of a whole match, with one opening of it at hand."""

    def __init__(self, welcome: Welcome, told: Events) -> None:
        self.welcome, self.told = welcome, told
        self.line = next(n for n, (_, openings) in enumerate(told.items) if openings)

    def with_opening(self, value: str | None, salt: str | None = None) -> Events:
        """The same with another value or salt of the first opening, or without it."""
        (text, openings), salts = self.told.items[self.line], self.told.salts[self.line]
        slot, was = openings[0]
        shown = openings[1:] if value is None and salt is None else ((slot, value or was), *openings[1:])
        held = salts[1:] if value is None and salt is None else (salt or salts[0], *salts[1:])
        items, kept = [*self.told.items], [*self.told.salts]
        items[self.line], kept[self.line] = (text, shown), held
        return replace(self.told, items=tuple(items), salts=tuple(kept))


async def hands() -> Hands:
    """Of a match that was played."""
    async with table() as at:
        created = await agreed(at, OpenCards(0, 1))
        await play_out([await at.player(created, seat) for seat in range(2)], 1)
        client, welcome = await opened(at, created.match)
        (told,) = of(Events, await heard(client))
        return Hands(welcome, told)


FORGED: dict[str, tuple[str | None, str | None]] = {
    "another card": ("6", None),
    "another salt": (None, "A" * 43),
    "one left out": (None, None),
}


@pytest.mark.parametrize("lie", FORGED)
@live
async def test_a_relay_that_lies_about_a_hand_is_found_by_its_viewers(lie: str) -> None:
    true = await hands()

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcome, true.with_opening(*FORGED[lie]))

    async with origin(says) as url:
        async with Match(url, true.welcome.match, scenes=False, open_cards=True, tries=1) as match:
            with pytest.raises(Broken) as found:
                [news async for news in match]
        assert found.value.seq == true.line + 1


@live
async def test_a_viewer_who_is_told_the_truth_has_checked_every_hand() -> None:
    true = await hands()

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcome, true.told)

    async with origin(says) as url, Match(url, true.welcome.match, scenes=False, open_cards=True) as match:
        assert [news for news in [news async for news in match] if isinstance(news, Ended)]
        assert match.verifier.openings == sum(len(openings) for _, openings in true.told.items)


@pytest.mark.parametrize("lie", FORGED)
@live
async def test_an_origin_that_lies_about_a_hand_is_shown_by_no_relay(lie: str) -> None:
    true = await hands()

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcome, true.with_opening(*FORGED[lie]))

    async with origin(says) as url, relay(url) as there:
        refused = await there.refusal(Hello(true.welcome.match, "", "open"))
        assert (refused.code, refused.why.startswith(f"line {true.line + 1}: ")) == ("origin-broken", True)


@live
async def test_hands_and_salts_that_a_plain_spectator_is_sent_are_a_lie() -> None:
    true = await hands()

    async def says(connection: ServerConnection, _: Hello) -> None:
        viewer = replace(true.welcome.viewer, viewer="spectator")
        salts_alone = replace(true.told, items=tuple((text, ()) for text, _ in true.told.items))
        await tell(connection, replace(true.welcome, viewer=viewer), salts_alone)

    async with origin(says) as url, relay(url) as there:
        refused: Error = await there.refusal(Hello(true.welcome.match, "", "spectator"))
        assert "came with a secret" in refused.why


@live
async def test_a_server_that_opens_hands_to_whom_nobody_agreed_is_found() -> None:
    true = await hands()
    async with table() as at:
        created = await at.create()
        await play_out([await at.player(created, seat) for seat in range(2)], 1)
        plain = await at.client()
        welcome = await plain.ask(Hello(created.match, "", "spectator", 0), Welcome)
        (told,) = of(Events, await heard(plain))

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, replace(welcome, viewer=true.welcome.viewer), told)

    async with origin(says) as url, Match(url, created.match, scenes=False, open_cards=True, tries=1) as match:
        with pytest.raises(Broken, match="have not agreed to open cards"):
            [news async for news in match]
