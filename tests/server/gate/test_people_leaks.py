"""A stranger is told the same bytes whatever is hidden: private matches, hidden searches and ratings, other persons.

Two servers differ in all that a stranger may not know, and in nothing else. Ids, hashes and times are masked: they
differ between any two matches, and tell of no secret.
"""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from replay.ratings.model import DAY_MS
from replay.record.serverkey import KeyRing, ServerKey
from server.lobby.match_list import LISTED
from server.people.own_matches import outcome_of
from server.people.profiles import Profiles
from server.people.public_profiles import PublicProfiles
from server.wire.account_messages import ListMine, MyMatches
from server.wire.client import Client
from server.wire.opponent_messages import (
    ListOffers,
    OffersTold,
    ProfileTold,
    RatingsTold,
    ReadProfile,
    ReadRatings,
    Terms,
)
from server.wire.protocol import Create, Created, ListMatches, Matches, SeatWish
from tests.pennants.game import GAME as PENNANTS
from tests.replay.matches import START
from tests.server.gate.signing_up import noted, signed_up
from tests.server.matchmaking.seekers import Seeking
from tests.server.notifications.slow_play import FREE
from tests.server.people.club import Club
from tests.server.tabletop import TWO_PEOPLE, Table, live, table
from tests.skirmish.game import GAME

NAMED = re.compile(r"[A-Za-z0-9_-]{22,139}|\d{13}")
"""Ids, hashes and times in ms."""
OPEN = (SeatWish("me", "Anja"), SeatWish("open"))
ASKED: tuple[tuple[Any, type[Any]], ...] = (
    (ListMatches(), Matches),
    (ListOffers(), OffersTold),
    (ListOffers(game=GAME.name), OffersTold),
    (ListOffers(game=PENNANTS.name), OffersTold),
    (ReadRatings(game=GAME.name), RatingsTold),
    *((ReadProfile(handle=handle), ProfileTold) for handle in ("Anja", "Bo", "Nobody")),
)


def masked(answer: Any) -> str:
    """An answer as it is sent, without ids, hashes and times."""
    return NAMED.sub("#", msgspec.json.encode(answer).decode())


async def told(client: Client) -> list[str]:
    """All that a stranger is told."""
    return [masked(await client.ask(message, kind)) for message, kind in ASKED]


async def one_world(at: Table, made: Created) -> None:
    """Bo plays an unlisted match, and looks for another one without being shown."""
    await noted(await at.client(), made, 1, "Bo")
    players = [await at.player(made, seat) for seat in (0, 1)]
    assert await next(player for player in players if player.view.asked()).choose()
    await Seeking(await at.client(), await signed_up(await at.client(), "Cleo"), Terms(GAME.name, listed=False)).ask()


async def other_world(at: Table, made: Created) -> None:
    """Bo has no account and plays closed matches, more than a list has; somebody else looks for another game."""
    client = await at.client()
    for number in range(LISTED + 1):
        await client.ask(Create(GAME.name, OPEN, title=f"Private {number}", listed=False), Created)
    for seat in (0, 1):
        await at.player(made, seat)
    terms = Terms(PENNANTS.name, rated=False, listed=False, low=1, high=9)
    await Seeking(await at.client(), await signed_up(await at.client(), "Dana"), terms).ask()


async def heard(world: Callable[[Table, Created], Any], **hidden: Any) -> list[str]:
    """What a stranger is told in a world: one open match is listed, and another match is hidden."""
    async with table(limits=FREE) as at:
        client = await at.client()
        await client.ask(Create(GAME.name, OPEN, title="For everybody"), Created)
        made = await client.ask(Create(GAME.name, TWO_PEOPLE, listed=False, **hidden), Created)
        await world(at, made)
        at.lobby.listing.forget()
        return await told(await at.client())


@live
async def test_lists_counts_and_profiles_are_the_same_bytes_whatever_is_hidden() -> None:
    one, other = await heard(one_world), await heard(other_world, closed=True, title="Between us")
    assert one == other
    assert "For everybody" in one[0]
    assert '"seekers":1' in one[1]


@live
async def test_a_persons_own_list_tells_nothing_of_the_matches_of_others() -> None:
    async with table(limits=FREE) as at:
        made = await at.create()
        session = await noted(client := await at.client(), made, 0, "Anja")
        wishes = [ListMine(session=session, text=text) for text in ("", "Between us", "Zaunkoenig", "Ada")]
        before = [await client.ask(wish, MyMatches) for wish in wishes]
        wish = Create(GAME.name, (SeatWish("me", "Zaunkoenig"), SeatWish("open")), title="Between us", listed=False)
        await (await at.client()).ask(wish, Created)
        assert [await client.ask(wish, MyMatches) for wish in wishes] == before
        assert [len(page.matches) for page in before[:3]] == [1, 0, 0]


def board_and_profiles(club: Club) -> list[str]:
    """All that a stranger is told of ratings."""
    club.standings.refresh()
    profiles = [club.profiles.told(handle) for handle in ("Anja", "Bert")]
    return [masked(each) for each in (club.profiles.board("skirmish", 0, club.ms), *profiles)]


def of_a_day(key: ServerKey, minutes: int | None) -> list[list[str]]:
    """What is told before and after the end of a day with a listed match and an unlisted one, both won by the first
    seat. `minutes`: how long after the listed one the other begins; None: never.
    """
    while True:
        with closing((club := Club(key)).store):
            club.show("ratings", "results", "matches")
            matches = [club.played(START)]
            if minutes is not None:
                matches.append(club.played(START + minutes * 60_000, listed=False))
            club.ms = (START // DAY_MS + 1) * DAY_MS - 1
            found = [board_and_profiles(club)]
            club.ms += 1
            found.append(board_and_profiles(club))
            results = [header.result for header in club.store.matches.named(matches)]
        if all(outcome_of(result, 0) == "won" for result in results):
            return found


def test_a_rating_changes_with_the_day_whichever_unlisted_match_changed_it(tmp_path: Path) -> None:
    key = KeyRing(tmp_path).current
    never, soon, late = (of_a_day(key, minutes) for minutes in (None, 10, 90))
    assert never[0] == soon[0] == late[0]
    assert never[1] != soon[1] == late[1]


def counted(parts: Any, names: tuple[str, ...], told: list[str]) -> None:
    """Write down each call of these parts of a store."""
    for name in names:
        part = getattr(parts, name)

        class Counting:
            def __init__(self, part: Any) -> None:
                self._part = part

            def __getattr__(self, call: str) -> Any:
                told.append(call)
                return getattr(self._part, call)

        setattr(parts, name, Counting(part))


def test_a_profile_asks_the_store_the_same_for_unknown_handles_and_for_whoever_shows_nothing(tmp_path: Path) -> None:
    with closing((club := Club(KeyRing(tmp_path).current)).store):
        asked: list[str] = []
        counted(club.store, ("people", "opponents", "matches", "rated_players"), asked)
        profiles = PublicProfiles(club.store, {}, club.standings, Profiles(club.store, club.now))
        calls = []
        for handle in ("Anja", "Nobody", "Bert", "ANJA"):
            asked.clear()
            assert profiles.told(handle) == ProfileTold(handle)
            calls.append([*asked])
        assert calls[0] == calls[1] == calls[2] == calls[3]
