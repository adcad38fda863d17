"""Persons behind seats, against a server of its own: who is shown whom, and what is left of a person who is deleted."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from conftest import live
from msgspec.structs import replace

from herald_client import AccountDoor, Broken, Key, Match, Opening, Person, Refused, Server, friend, is_same_person, me
from herald_client.messages import PersonInfo
from herald_client.persons import checked

pytestmark = pytest.mark.xdist_group("herald-client")  # one server for all
GAME = "war_for_edadh"


class Table:
    """A match of two, both of whom sign; the first is a person, the second a guest; a spectator looks on."""

    def __init__(self, door: AccountDoor, handle: str, token: str, matches: tuple[Match, Match, Match]) -> None:
        self.door, self.handle, self.token = door, handle, token
        self.own, self.opponent, self.spectator = matches

    async def keep(self, opening: Opening, shown: str, door: AccountDoor | None = None) -> None:
        async with (door or self.door).session() as session:
            await session.keep_seat(self.own.id, self.token, claim=opening, shown=shown)

    async def shown(self) -> list[list[str]]:
        """The handles that the person, the opponent and a spectator are shown."""
        return [[one.handle for one in await match.persons()] for match in (self.own, self.opponent, self.spectator)]


@asynccontextmanager
async def table(url: str) -> AsyncIterator[Table]:
    server, keys = Server(url), (Key(), Key())
    door, handle = AccountDoor(url, Key()), f"Anja {secrets.token_hex(4)}"
    await door.sign_up(handle, "phone")
    created = await server.create(GAME, [me("Ada", key=keys[0]), friend("Bo")])
    tokens = created.tokens
    async with (
        server.play(created.match, tokens["0"], key=keys[0]) as own,
        server.play(created.match, tokens["1"], key=keys[1]) as other,
        server.watch(created.match) as spectator,
    ):
        yield Table(door, handle, tokens["0"], (own, other, spectator))


async def follow(match: Match, line: int) -> None:
    """Read on until a line is here."""
    async for _ in match:
        if match.verifier.seq >= line:
            return


def test_a_claim_is_shown_to_nobody_to_opponents_or_to_everybody_as_its_person_likes(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            opening = await at.own.claim_seat(at.door.key)
            for match in (at.opponent, at.spectator):
                await follow(match, opening.line)
            assert await at.shown() == [[], [], []]  # nobody was sent the opening
            await at.keep(opening, "nobody")
            assert await at.shown() == [[at.handle], [], []]
            await at.keep(opening, "opponents")
            assert await at.shown() == [[at.handle], [at.handle], []]
            await at.keep(opening, "everybody")
            assert await at.shown() == [[at.handle]] * 3
            (told,) = await at.spectator.persons()
            assert (told.seat, told.key, told.site) == (0, at.door.key.public, at.door.site)
            await at.keep(opening, "nobody")
            assert await at.shown() == [[at.handle], [], []]

    run()


def test_of_a_deleted_person_nothing_opens_the_commitment_and_the_record_holds(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            opening = await at.own.claim_seat(at.door.key)
            await at.keep(opening, "everybody")
            async with at.door.session() as session:
                exported = await session.export()
                assert [claim["salt"] for claim in exported["claims"]] == [opening.salt]
                await session.delete(at.handle)
            assert await at.shown() == [[], [], []]
            await follow(at.spectator, opening.line)
            assert list(at.spectator.verifier.claims) == [opening.line]

    run()


def test_an_opening_that_opens_nothing_is_not_kept_and_not_believed(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            opening = await at.own.claim_seat(at.door.key)
            for wrong in (
                replace(opening, line=opening.line - 1),
                replace(opening, salt=Key().public),
                replace(opening, signature=opening.signature[::-1]),
            ):
                with pytest.raises(Refused, match="account-refused"):
                    await at.keep(wrong, "everybody")
            other = AccountDoor(url, Key())
            await other.sign_up(f"Ben {secrets.token_hex(4)}", "phone")
            with pytest.raises(Refused, match="account-refused"):  # the seat's token, and another's claim
                await at.keep(opening, "everybody", other)
            await follow(at.spectator, opening.line)
            told = PersonInfo(0, opening.line, opening.site, other.key.public, opening.salt, opening.signature, "Ben")
            with pytest.raises(Broken, match="did not sign"):
                checked(at.spectator.verifier, told)

    run()


def test_a_seat_can_be_claimed_once_and_only_by_its_holder(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            await at.own.claim_seat(at.door.key)
            with pytest.raises(Refused, match="already"):
                await at.own.claim_seat(Key())
            with pytest.raises(Refused, match="seat"):
                await at.spectator.claim_seat(at.door.key)

    run()


def test_another_device_of_a_person_goes_on_with_a_key_of_its_own_for_which_the_first_vouches(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            await at.keep(await at.own.claim_seat(at.door.key), "opponents")
            tablet = AccountDoor(url, Key())
            async with at.door.session() as session:
                code = await session.offer_pairing()
                await tablet.ask_pairing(code.code, "tablet")
                await session.confirm_pairing(tablet.key.public)
            fresh = Key()
            async with Server(url).play(at.own.id, at.token, key=at.own.holder.key if at.own.holder else None) as again:
                await again.rotate(fresh, is_lost=True)
                opening = await again.claim_seat(tablet.key)
            await at.keep(opening, "opponents", tablet)
            await follow(at.opponent, opening.line)
            first, second = await at.opponent.persons()
            assert is_same_person(first, second)
            assert not is_same_person(second, first)  # a key that anybody has made can sign any other
            assert not is_same_person(replace(first, vouchers=()), replace(second, vouchers=()))
            assert not is_same_person(first, replace(second, site="other.example"))

    run()


def test_a_revoked_device_keeps_its_claims_and_makes_no_other_known(url: str) -> None:
    @live
    async def run() -> None:
        async with table(url) as at:
            opening = await at.own.claim_seat(at.door.key)
            await at.keep(opening, "everybody")
            async with at.door.session() as session:
                await session.revoke(at.door.key.public)
                with pytest.raises(Refused, match="sign-in-refused"):
                    await session.keep_seat(at.own.id, at.token, claim=opening, shown="nobody")
            assert [one.handle for one in await at.spectator.persons()] == [at.handle]

    run()


def test_persons_of_two_servers_are_never_one() -> None:
    one = Person(0, 3, "a.example", "A" * 43, "Anja")
    assert is_same_person(one, one)
    assert not is_same_person(one, replace(one, site="b.example"))
