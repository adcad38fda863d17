"""Web Push: the bytes of the standard, the server's signature, a browser that reads it, and endpoints of strangers."""

import base64
import json
from collections.abc import Iterator

import anyio
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from msgspec.structs import replace

from server.notifications import push
from server.notifications.errors import NoticeRefused
from server.notifications.push import Subscription, private_key, public_text, sealed
from server.operations.settings import NoticeSettings
from server.wire.account_messages import Done
from server.wire.notice_messages import ChannelTried, NamePush, NoticesTold, ReadNotices, RenewPush, TryChannel
from tests.server.gate.signing_up import noted, signed_up
from tests.server.notifications.browsers import Browser, raw
from tests.server.notifications.slow_play import FREE, SOON, begun, moved, person_of, refusal, slow_match
from tests.server.tabletop import live, table
from tests.server.webhooks.delivery import Receiver

PUSHES = NoticeSettings(push_contact="mailto:host@club.example", private=True)


@pytest.fixture
def service() -> Iterator[Receiver]:
    """A push service on this machine."""
    found = Receiver()
    found.statuses = [201] * 50
    yield found
    found.close()


def naming(session: str, service: Receiver, browser: Browser) -> NamePush:
    told = browser.subscription
    return NamePush(session=session, endpoint=service.url, p256dh=told.p256dh, auth=told.auth)


def test_the_bytes_are_those_of_the_standards_example() -> None:
    """RFC 8291, section 5."""
    subscription = Subscription(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    own = private_key(raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    body = sealed(b"When I grow up, I want to be a watermelon", subscription, raw("DGv6ra1nlYgDCS1FRnbzlw"), own)
    assert base64.urlsafe_b64encode(body).rstrip(b"=") == (
        b"DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        b"7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_servers_signature_names_the_service_and_holds() -> None:
    secret = push.new_key()
    made = push.request(
        "https://push.example:444/x", Browser().subscription, {}, secret, "mailto:h@c.example", "n", 5_000
    )
    token, _, key = made.headers["Authorization"].removeprefix("vapid t=").partition(", k=")
    signed, _, signature = token.rpartition(".")
    claims = json.loads(raw(signed.partition(".")[2]))
    assert claims == {"aud": "https://push.example:444", "exp": 5 + 12 * 3600, "sub": "mailto:h@c.example"}
    assert key == public_text(private_key(secret))
    r, s = (int.from_bytes(raw(signature)[part], "big") for part in (slice(32), slice(32, 64)))
    private_key(secret).public_key().verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))


def test_every_message_has_one_length() -> None:
    told = [{"title": "x", "body": "y" * length} for length in (0, 600)] + [{"title": "x", "body": "ß\U0001f600" * 300}]
    lengths = {
        len(push.request("https://p.example/", Browser().subscription, each, push.new_key(), "", "n", 1).body)
        for each in told
    }
    assert len(lengths) == 1
    assert lengths.pop() <= 4096


def test_another_browser_reads_nothing() -> None:
    made = push.request("https://p.example/", Browser().subscription, {}, push.new_key(), "", "n", 1)
    with pytest.raises(InvalidTag):
        Browser().read(made.body)


@pytest.mark.parametrize("changed", [{"p256dh": "x"}, {"auth": "AAAA"}, {"p256dh": "B" + "A" * 86}, {"auth": "ä"}])
def test_a_subscription_that_is_not_whole_is_refused(changed: dict[str, str]) -> None:
    with pytest.raises(NoticeRefused):
        push.checked(replace(Browser().subscription, **changed))


@live
async def test_a_browser_is_told_of_a_move_and_reads_it(service: Receiver) -> None:
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        made, browsers = await slow_match(at), [Browser(), Browser()]
        for seat, handle in ((0, "Anja"), (1, "Bo")):
            client = await at.client()
            session = await noted(client, made, seat, handle)
            told = await client.ask(naming(session, service, browsers[seat]), NoticesTold)
            assert (len(told.push_key), [row.kind for row in told.channels]) == (87, ["push"])
            service.url = service.url + str(seat)
        for player in await begun(at, made):
            await player.client.connection.close()
        seat = await moved(at, made)
        await service.until(1)
        headers, body = service.got[0]
        read = json.loads(browsers[seat].read(body))
        assert read["title"] == "It is your move"
        assert read["body"].startswith(f"Sunday against {('Bo', 'Ada')[seat]}, until ")
        assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "86400")
        assert (read["match"], headers["Topic"]) == (made.match, "moves")


@live
async def test_a_subscription_that_is_over_is_forgotten(service: Receiver) -> None:
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        client, browser = await at.client(), Browser()
        made = await slow_match(at)
        sessions = [await noted(client, made, seat, handle) for seat, handle in ((0, "Anja"), (1, "Bo"))]
        for session in sessions:
            await client.ask(naming(session, service, browser), NoticesTold)
        service.statuses = [410] * 50
        for player in await begun(at, made):
            await player.client.connection.close()
        person = person_of(at, sessions[await moved(at, made)])
        while at.store.notices.channels(person):
            await anyio.sleep(0.01)
        assert at.store.notices.waits(person, "push") == []


@live
async def test_a_test_message_says_whether_it_was_taken_and_is_bounded(service: Receiver) -> None:
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        client, browser = await at.client(), Browser()
        session = await signed_up(client, "Anja")
        (channel,) = (await client.ask(naming(session, service, browser), NoticesTold)).channels
        service.statuses = [201, 500]
        wish = TryChannel(session=session, channel=channel.channel)
        assert [(await client.ask(wish, ChannelTried)).taken for _ in range(2)] == [True, False]
        assert json.loads(browser.read(service.got[0][1]))["body"].startswith("This is a test")
        service.statuses = [201] * 9
        for _ in range(4):
            await client.ask(wish, ChannelTried)
        assert "in an hour" in await refusal(client, wish)
        assert "no such channel" in await refusal(client, TryChannel(session=session, channel="push-x"))


@live
@pytest.mark.parametrize(
    "endpoint", ["http://push.example/", "https://127.0.0.1/x", "https://localhost/", "https://[::1]/"]
)
async def test_an_endpoint_of_this_machine_or_without_tls_is_refused(endpoint: str) -> None:
    async with table(notices=replace(PUSHES, private=False), limits=FREE, intervals=SOON) as at:
        client, told = await at.client(), Browser().subscription
        session = await signed_up(client, "Anja")
        wish = NamePush(session=session, endpoint=endpoint, p256dh=told.p256dh, auth=told.auth)
        assert "address" in await refusal(client, wish)


@live
async def test_a_name_that_means_this_machine_is_not_connected_to(service: Receiver) -> None:
    """The guard of webhooks looks at the address that a name means at the moment of the connection."""
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        client, browser = await at.client(), Browser()
        session = await signed_up(client, "Anja")
        (channel,) = (await client.ask(naming(session, service, browser), NoticesTold)).channels
        at.lobby.channel_posts.settings = replace(PUSHES, private=False)
        answer = await client.ask(TryChannel(session=session, channel=channel.channel), ChannelTried)
        assert (answer.taken, service.connections) == (False, 0)


@live
async def test_servers_of_one_store_sign_with_one_key() -> None:
    async with (
        table(notices=PUSHES, limits=FREE, intervals=SOON) as at,
        table(at.store, notices=PUSHES, limits=FREE, intervals=SOON) as other,
    ):
        client, session = await at.client(), ""
        session = await signed_up(client, "Anja")
        keys = [
            (await (await where.client()).ask(ReadNotices(session=session), NoticesTold)).push_key
            for where in (at, other)
        ]
        assert keys[0] == keys[1] != ""


def renewal(former: NamePush, endpoint: str, fresh: Browser, secret: str = "") -> RenewPush:
    """A browser's word that it has another subscription now."""
    told = fresh.subscription
    return RenewPush(
        former=former.endpoint, secret=secret or former.auth, endpoint=endpoint, p256dh=told.p256dh, auth=told.auth
    )


@live
async def test_a_subscription_that_its_browser_has_renewed_is_followed(service: Receiver) -> None:
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        client, fresh = await at.client(), Browser()
        session = await signed_up(client, "Anja")
        former = naming(session, service, Browser())
        (channel,) = (await client.ask(former, NoticesTold)).channels
        worker = await at.client()
        wish = renewal(former, f"{service.url}&renewed", fresh)
        assert "former subscription" in await refusal(worker, renewal(former, wish.endpoint, fresh, "A" * 22))
        assert "former subscription" in await refusal(worker, renewal(former, former.endpoint, Browser()))
        await worker.ask(wish, Done)
        assert "former subscription" in await refusal(worker, wish)
        now = await client.ask(ReadNotices(session=session), NoticesTold)
        assert [(one.channel, one.address) for one in now.channels] == [(channel.channel, wish.endpoint)]
        again = NamePush(session=session, endpoint=wish.endpoint, p256dh=wish.p256dh, auth=wish.auth)
        assert len((await client.ask(again, NoticesTold)).channels) == 1
        assert (await client.ask(TryChannel(session=session, channel=channel.channel), ChannelTried)).taken
        assert json.loads(fresh.read(service.got[0][1]))["body"].startswith("This is a test")


@live
async def test_all_persons_whom_one_browser_tells_are_told_by_its_renewed_subscription(service: Receiver) -> None:
    async with table(notices=PUSHES, limits=FREE, intervals=SOON) as at:
        client, browser, fresh = await at.client(), Browser(), Browser()
        sessions = [await signed_up(client, handle) for handle in ("Anja", "Bo")]
        for session in sessions:
            await client.ask(naming(session, service, browser), NoticesTold)
        endpoint = f"{service.url}&renewed"
        await client.ask(renewal(naming(sessions[0], service, browser), endpoint, fresh), Done)
        for session in sessions:
            told = await client.ask(ReadNotices(session=session), NoticesTold)
            assert [one.address for one in told.channels] == [endpoint]
