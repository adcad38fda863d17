"""On how many devices a seat is open is told to its holders alone, and one of them can close the others."""

import pytest
from websockets.exceptions import ConnectionClosed

from domain.kernel import Seat, SeatReplaced
from replay.record import sealing
from replay.record.signing import SeatKey, token_said
from replay.store.log import Commit
from replay.store.memory import MemoryStore
from server.table.devices import RENEWED
from server.table.guests import new_token, token_hash
from server.wire.inviting import Devices, Renew, Renewed
from server.wire.protocol import Created, Error, SeatWish
from tests.replay.matches import sit
from tests.server.table.seat_connections import closing, entered, refused, told_rest
from tests.server.tabletop import live, table, two_servers


def vouched(key: SeatKey, created: Created, seat: int, token: str) -> Renew:
    said = token_said(sealing.b64(token_hash(token)))
    return Renew(token, key.said(created.match, seat, said))


@live
async def test_the_holders_of_a_seat_are_told_on_how_many_devices_it_is_open() -> None:
    async with table() as at:
        created = await at.create()
        first = await entered(at, created, created.tokens["0"], "phone")
        second = await entered(at, created, created.tokens["0"], "desk")
        assert (await first.expect(Devices)).n == 2
        assert (await second.expect(Devices)).n == 2
        await second.connection.close()
        assert (await first.expect(Devices)).n == 1


@live
async def test_two_windows_of_one_device_are_one_and_connections_without_a_name_are_one_each() -> None:
    async with table() as at:
        created = await at.create()
        live_match = await at.lobby.registry.open(created.match)
        for device, count in (("phone", 1), ("phone", 1), ("", 2), ("", 3)):
            await entered(at, created, created.tokens["0"], device)
            assert live_match.connections.devices_of(0) == count


@live
async def test_nobody_else_is_told_of_a_seats_devices() -> None:
    async with table() as at:
        created = await at.create()
        bo, watcher = await at.player(created, 1), await at.spectator(created)
        for device in ("phone", "desk"):
            await entered(at, created, created.tokens["0"], device)
        for other in (bo.client, watcher.client):
            await other.connection.close()
            with pytest.raises(ConnectionClosed):
                await told_rest(other, Devices)


@live
async def test_devices_at_other_servers_count_too() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created = await one.create()
        first = await entered(one, created, created.tokens["0"], "phone")
        await entered(two, created, created.tokens["0"], "desk")
        assert (await first.expect(Devices)).n == 2


@live
async def test_a_seat_is_closed_on_all_devices_but_one_and_its_former_link_opens_nothing() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created = await one.create()
        former, fresh = created.tokens["0"], new_token()
        mine = await entered(one, created, former)
        others = [await entered(at, created, former) for at in (one, two)]
        await mine.ask(Renew(fresh), Renewed)
        assert [await closing(other) for other in others] == [RENEWED, RENEWED]
        for at in (one, two):
            assert await refused(at, created, former)
            await entered(at, created, fresh)


@live
async def test_who_has_the_link_of_a_seat_and_not_its_key_closes_nobody_out() -> None:
    async with table() as at:
        key = SeatKey()
        created = await at.create(SeatWish("me", "Ada", key=key.public), SeatWish("friend", "Bo"))
        mine = await entered(at, created, created.tokens["0"])
        thief = await entered(at, created, created.tokens["0"])
        for signature in ("", vouched(SeatKey(), created, 0, "x" * 43).signature):
            await thief.send(Renew("x" * 43, signature))
            while not isinstance(told := await thief.receive(), Error):
                pass
            assert told.code == "grant-refused"
        fresh = new_token()
        await mine.ask(vouched(key, created, 0, fresh), Renewed)
        assert await closing(thief) == RENEWED


@live
async def test_asked_again_it_is_answered_alike_and_a_device_that_was_closed_meanwhile_is_refused() -> None:
    async with table() as at:
        created = await at.create()
        mine = await entered(at, created, created.tokens["0"])
        fresh = new_token()
        for _ in range(2):
            await mine.ask(Renew(fresh), Renewed)
        live_match = await at.lobby.registry.open(created.match)
        row = live_match.seats.row(0)
        assert row is not None
        assert row.token_hash == token_hash(fresh)
        at.store.seats.change_token(created.match, 0, token_hash(fresh), token_hash("elsewhere"))
        await mine.send(Renew(new_token()))
        while not isinstance(told := await mine.receive(), Error):
            pass
        assert told.code == "grant-refused"


@live
async def test_a_seat_that_a_bot_takes_over_elsewhere_keeps_the_token_it_was_given() -> None:
    async with table() as at:
        created = await at.create()
        fresh = token_hash("fresh")
        live_match = await at.lobby.registry.open(created.match)
        at.store.seats.change_token(created.match, 1, token_hash(created.tokens["1"]), fresh)
        row = live_match.seats.row(1)
        assert row is not None
        assert row.token_hash != fresh, "this server has not heard of it"
        handed = live_match.seats.with_seat(Commit(created.match, 0, (), b""), (SeatReplaced(Seat(1), "random"),))
        assert handed.seat is not None
        assert isinstance(at.store, MemoryStore)
        sit(at.store, created.match, handed.seat)
        assert at.store.seats.holders(created.match)[1].token_hash == fresh
