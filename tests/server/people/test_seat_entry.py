"""Entering a seat by the account alone: its person may, on any device; nobody else, and nobody by a link of before."""

import asyncio
from collections.abc import Callable

from herald_client import Key
from replay.record.signing import SeatKey, entry_said
from replay.store.memory import MemoryStore
from replay.store.side_tables.claims import ClaimRow
from server.table.devices import RENEWED
from server.table.guests import new_token
from server.wire.account_messages import AccountTold, Done, EnterSeat, KeepSeat, ReadAccount, RevokeDevice, SeatEntered
from server.wire.client import Client
from server.wire.inviting import Renew, Renewed
from server.wire.protocol import Created, Error, SeatWish
from tests.server.gate.signing_up import noted, signed_up
from tests.server.table.seat_connections import closing, entered, refused
from tests.server.tabletop import live, table, two_servers


async def enters(client: Client, session: str, created: Created, token: str) -> SeatEntered | Error:
    await client.send(EnterSeat(session=session, match=created.match, token=token))
    answer = await client.receive()
    assert isinstance(answer, SeatEntered | Error)
    return answer


@live
async def test_a_person_enters_a_seat_without_its_link_and_the_lost_device_is_out() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created = await one.create()
        session = await noted(await one.client(), created, 0, "Anja")
        lost = [await entered(at, created, created.tokens["0"]) for at in (one, two)]
        client, fresh = await two.client(), new_token()
        answers = [await enters(client, session, created, fresh) for _ in range(2)]
        assert answers == [SeatEntered(created.match, 0, created_game(answers))] * 2
        assert all([await refused(at, created, created.tokens["0"]) for at in (one, two)])
        await entered(two, created, fresh)
        assert [await closing(each) for each in lost] == [RENEWED, RENEWED]


def created_game(answers: list[SeatEntered | Error]) -> str:
    return next(answer.game for answer in answers if isinstance(answer, SeatEntered))


@live
async def test_a_seat_is_entered_again_and_again_by_its_person() -> None:
    async with table() as at:
        created = await at.create()
        session = await noted(await at.client(), created, 0, "Anja")
        for _ in range(2):
            assert isinstance(await enters(await at.client(), session, created, new_token()), SeatEntered)


@live
async def test_nobody_enters_a_seat_that_is_not_noted_or_noted_no_more() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        session = await noted(client, created, 0, "Anja")
        other = await signed_up(await at.client(), "Bo")
        assert isinstance(await enters(await at.client(), other, created, new_token()), Error)
        token = created.tokens["0"]
        await client.ask(KeepSeat(session=session, match=created.match, token=token, on=False), Done)
        assert isinstance(await enters(client, session, created, new_token()), Error)


@live
async def test_a_link_that_was_renewed_lets_its_former_holder_in_by_no_account() -> None:
    async with table() as at:
        created = await at.create()
        session = await noted(await at.client(), created, 0, "Bo")
        mine = await entered(at, created, created.tokens["0"])
        await mine.ask(Renew(new_token()), Renewed)
        assert isinstance(await enters(await at.client(), session, created, new_token()), Error)
        await entered_is_still_there(mine)


async def entered_is_still_there(client: Client) -> None:
    """Its own token still opens the seat: the connection was closed by nobody."""
    await client.ask(Renew(new_token()), Renewed)


@live
async def test_of_a_seat_with_a_key_that_key_vouches_for_the_device() -> None:
    async with table() as at:
        seat = SeatKey()
        created = await at.create(SeatWish("me", "Ada", key=seat.public), SeatWish("friend", "Bo"))
        wrong: tuple[Callable[[str], str], ...] = (
            lambda _: "",
            lambda key: SeatKey().said(created.match, 0, entry_said(key)),
            lambda _: seat.said(created.match, 0, entry_said(Key().public)),
            lambda key: seat.said(created.match, 1, entry_said(key)),
        )
        for n, signed in enumerate(wrong):
            client = await at.client()
            session = await signed_up(client, f"Thief {n}")
            await keep(client, session, created, signed)
            assert isinstance(await enters(client, session, created, new_token()), Error)
        client = await at.client()
        session = await signed_up(client, "Ada")
        await keep(client, session, created, lambda key: seat.said(created.match, 0, entry_said(key)))
        assert isinstance(await enters(client, session, created, new_token()), SeatEntered)


async def keep(client: Client, session: str, created: Created, signed: Callable[[str], str]) -> None:
    """Note a seat, with what its key says of this device."""
    (own,) = [one for one in (await client.ask(ReadAccount(session=session), AccountTold)).devices if one.here]
    token, signature = created.tokens["0"], signed(own.key)
    await client.ask(KeepSeat(session=session, match=created.match, token=token, signature=signature), Done)


@live
async def test_a_revoked_device_enters_nothing() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        session = await noted(client, created, 0, "Anja")
        told = await client.ask(ReadAccount(session=session), AccountTold)
        await client.ask(RevokeDevice(session=session, key=told.devices[0].key), AccountTold)
        answer = await enters(await at.client(), session, created, new_token())
        assert isinstance(answer, Error)
        assert answer.code == "sign-in-refused"


@live
async def test_whoever_enters_a_seat_is_told_to_whom_the_own_last_claim_is_shown() -> None:
    async with table() as at:
        created = await at.create()
        session = await noted(await at.client(), created, 0, "Anja")
        strange = await signed_up(await at.client(), "Bo")
        own, other = [await asyncio.to_thread(at.lobby.accounts.session, one) for one in (session, strange)]
        claims = [
            (own, 2, 0, "everybody"),
            (own, 3, 0, "opponents"),
            (own, 4, 1, "nobody"),
            (other, 5, 0, "everybody"),
        ]
        told = []
        for of, line, seat, shown in [(own, 0, 0, ""), *claims]:
            if shown:
                row = ClaimRow(created.match, line, of.person, seat, "site", of.key, "salt", "signature", shown)  # type: ignore[arg-type]
                assert await asyncio.to_thread(at.store.claims.keep, row)
            answer = await enters(await at.client(), session, created, new_token())
            assert isinstance(answer, SeatEntered)
            told.append(answer.shown)
        assert told == ["", "everybody", "opponents", "opponents", "opponents"]
