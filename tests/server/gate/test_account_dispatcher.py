"""Persons over the wire: a challenge is of one connection and one answer, and messages name their session."""

import msgspec
import pytest
from websockets.asyncio.client import connect

from herald_client import Key
from replay.store.sqlite.store import SqliteStore
from server.operations.settings import Limits
from server.people.challenges import SigningPlace, signed_message
from server.people.own_matches import PAGE
from server.wire.account_messages import (
    AccountMessage,
    AccountTold,
    AskChallenge,
    Challenged,
    Deleted,
    DeleteMe,
    Done,
    Exported,
    ExportMe,
    KeepSeat,
    ListMine,
    MyMatches,
    ReadAccount,
    Rename,
    SignedIn,
    SignIn,
    SignOut,
    SignUp,
)
from server.wire.client import Client
from server.wire.protocol import SUBPROTOCOL, Created, Error, read_server_message, write_client_message
from tests.server.tabletop import Table, live, play_out, table


async def sign(client: Client, key: Key, handle: str = "", place: SigningPlace | None = None) -> SignedIn | Error:
    """Sign up with a handle, or in without."""
    asked = await client.ask(AskChallenge(), Challenged)
    here = place or SigningPlace(asked.site, asked.origin)
    if handle:
        signature = key.sign(signed_message("sign-up", here, asked.challenge, key.public, handle))
        return await answered(client, SignUp(key=key.public, signature=signature, handle=handle, name="phone"))
    signature = key.sign(signed_message("sign-in", here, asked.challenge, key.public))
    return await answered(client, SignIn(key=key.public, signature=signature))


async def answered(client: Client, message: AccountMessage) -> SignedIn | Error:
    """The answer, or the error."""
    await client.send(message)
    answer = await client.receive()
    assert isinstance(answer, SignedIn | Error)
    return answer


async def signed_up(client: Client, handle: str = "Anja", key: Key | None = None) -> SignedIn:
    """A new person."""
    found = await sign(client, key or Key(), handle)
    assert isinstance(found, SignedIn), found
    return found


async def kept_match(at: Table, client: Client, session: str, seat: int = 0) -> Created:
    """A match of two people, one of whose seats is noted as the person's."""
    created = await at.create()
    token = created.tokens[str(seat)]
    await client.ask(KeepSeat(session=session, match=created.match, token=token), Done)
    return created


@live
async def test_a_device_signs_up_and_then_in_by_a_challenge() -> None:
    async with table() as at:
        client, key = await at.client(), Key()
        first = await signed_up(client, "Anja", key)
        second = await sign(await at.client(), key)
        assert isinstance(second, SignedIn)
        assert (second.handle, second.recovery) == ("Anja", "")
        assert len(first.recovery) > 30
        told = await client.ask(ReadAccount(session=second.session), AccountTold)
        assert [(device.name, device.here) for device in told.devices] == [("phone", True)]


@live
async def test_a_challenge_is_answered_once_and_by_no_other_connection() -> None:
    async with table() as at:
        key, one, other = Key(), await at.client(), await at.client()
        await signed_up(one, "Anja", key)
        asked = await one.ask(AskChallenge(), Challenged)
        message = signed_message("sign-in", SigningPlace(asked.site, asked.origin), asked.challenge, key.public)
        shown = SignIn(key=key.public, signature=key.sign(message))
        assert isinstance(await answered(other, shown), Error)
        assert isinstance(await answered(one, shown), SignedIn)
        assert isinstance(await answered(one, shown), Error)


@live
async def test_a_signature_for_another_server_or_page_lets_nobody_in() -> None:
    async with table() as at:
        client, key = await at.client(), Key()
        await signed_up(client, "Anja", key)
        answers = [
            await sign(client, Key()),
            await sign(client, key, place=SigningPlace("evil.example")),
            await sign(client, key, place=SigningPlace(at.http.removeprefix("http://"), "https://evil.example")),
        ]
        assert len({str(answer) for answer in answers}) == 1
        assert isinstance(answers[0], Error)
        assert answers[0].code == "sign-in-refused"


@live
async def test_a_page_s_origin_is_part_of_what_it_signs() -> None:
    async with (
        table() as at,
        connect(at.url, subprotocols=[SUBPROTOCOL], origin=at.http) as socket,  # type: ignore[arg-type, list-item]
    ):
        await socket.send(write_client_message(AskChallenge(id="c")))
        asked = read_server_message(await socket.recv())
        assert isinstance(asked, Challenged)
        assert (asked.site, asked.origin, asked.id) == (at.http.removeprefix("http://"), at.http, "c")


@live
async def test_two_at_two_servers_ask_for_one_handle_and_one_gets_it() -> None:
    async with table() as at:
        keys, clients = [Key(), Key()], [await at.client(), await at.client()]
        found = [
            await sign(client, key, name) for client, key, name in zip(clients, keys, ("Anja", "ANJA"), strict=True)
        ]
        assert [type(each) for each in found] == [SignedIn, Error]


@live
async def test_accounts_are_made_from_one_address_at_a_pace() -> None:
    async with table(limits=Limits(sign_ups_per_minute=1)) as at:
        client = await at.client()
        await signed_up(client)
        refused = await sign(client, Key(), "Bert")
        assert isinstance(refused, Error)
        assert refused.code == "too-often"


@live
async def test_a_session_that_is_over_opens_nothing() -> None:
    async with table() as at:
        client = await at.client()
        session = (await signed_up(client)).session
        await client.ask(SignOut(session=session), Done)
        await client.send(ReadAccount(session=session))
        refused = await client.receive()
        assert isinstance(refused, Error)
        assert refused.code == "sign-in-refused"


@live
async def test_only_the_token_of_a_seat_notes_it() -> None:
    async with table() as at:
        client, created = await at.client(), await at.create()
        session = (await signed_up(client)).session
        await client.send(KeepSeat(session=session, match=created.match, token="T" * 43))
        refused = await client.receive()
        assert isinstance(refused, Error)
        assert refused.code == "not-admitted"
        assert (await client.ask(ListMine(session=session), MyMatches)).matches == ()


@live
async def test_my_matches_say_where_it_is_my_move() -> None:
    async with table() as at:
        client = await at.client()
        mine = (await signed_up(client)).session
        created = await kept_match(at, client, mine)
        players = [await at.player(created, 0), await at.player(created, 1)]
        seen = set()
        while not players[0].is_over():
            assert await play_out(players, 1, 1) == 1
            await players[0].reach(at.store.head(created.match).seq)
            (match,) = (await client.ask(ListMine(session=mine), MyMatches)).matches
            seen.add(match.group)
            assert (match.group == "finished") is players[0].is_over()
            if not players[0].is_over():
                assert (match.group == "yours") is bool(players[0].view.asked())
        assert (match.match, match.seat, match.players, bool(match.result)) == (created.match, 0, ("Ada", "Bo"), True)
        assert seen == {"yours", "waiting", "finished"}


@live
async def test_my_matches_are_filtered_counted_and_told_by_pages() -> None:
    async with table() as at:
        client = await at.client()
        session = (await signed_up(client)).session
        for _ in range(PAGE + 1):
            await kept_match(at, client, session)
        whole = await client.ask(ListMine(session=session), MyMatches)
        rest = await client.ask(ListMine(session=session, after=PAGE), MyMatches)
        assert (len(whole.matches), whole.more, len(rest.matches), rest.more) == (PAGE, True, 1, False)
        assert sum(whole.counts.values()) == PAGE + 1
        assert (await client.ask(ListMine(session=session, text=" ada "), MyMatches)).more
        assert (await client.ask(ListMine(session=session, text="SKIRM"), MyMatches)).more
        assert not (await client.ask(ListMine(session=session, text="nobody"), MyMatches)).counts
        assert not (await client.ask(ListMine(session=session, group="finished"), MyMatches)).matches


@live
async def test_nobody_sees_the_matches_of_another() -> None:
    async with table() as at:
        client = await at.client()
        mine, other = (await signed_up(client)).session, (await signed_up(client, "Bert")).session
        await kept_match(at, client, mine)
        assert not (await client.ask(ListMine(session=other), MyMatches)).counts


@live
async def test_a_deleted_person_is_out_and_nowhere_in_the_database(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("deleted")
    store = SqliteStore(folder / "herald.db")
    async with table(store) as at:
        client = await at.client()
        session = (await signed_up(client, "Zaunkoenigin")).session
        await client.ask(Rename(session=session, handle="Zaunkoenig"), AccountTold)
        created = await kept_match(at, client, session)
        exported = await client.ask(ExportMe(session=session), Exported)
        assert (exported.handle, exported.former[0].handle) == ("Zaunkoenig", "Zaunkoenigin")
        assert [(seat.match, seat.seat) for seat in exported.seats] == [(created.match, 0)]
        assert len(exported.sessions) == len(exported.devices) == 1
        await client.send(DeleteMe(session=session, handle="Zaunkoenigin"))
        assert isinstance(await client.receive(), Error)
        await client.ask(DeleteMe(session=session, handle="Zaunkoenig"), Deleted)
        await client.send(ReadAccount(session=session))
        assert isinstance(await client.receive(), Error)
        players = [await at.player(created, 0), await at.player(created, 1)]
        assert await play_out(players, 1) > 0, "the seat is played on"
    store.close()
    words = [b"aunkoenig", exported.person.encode(), exported.devices[0].key.encode()]
    assert not [word for file in folder.iterdir() for word in words if word in file.read_bytes()]


def test_no_message_shows_a_secret_in_a_log() -> None:
    told = [
        SignIn(key="K" * 43, signature="S" * 86),
        ReadAccount(session="T" * 43),
        Rename(session="T" * 43, handle="Anja"),
        SignedIn("T" * 43, 0, "Anja", "CODE"),
        Exported("p", "Anja", (), (), (), (), ()),
    ]
    assert not [each for each in told if any(word in repr(each) for word in ("KKK", "SSS", "TTT", "Anja", "CODE"))]
    assert msgspec.json.decode(write_client_message(told[1]))["t"] == "account"  # type: ignore[arg-type]
