"""Webhooks of persons: in three forms, signed where they are plain, never to this machine, tested by a message."""

import hmac
import json
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from replay.store.memory import MemoryStore
from replay.store.side_tables.notices import ChannelRow, WaitRow
from server.notifications.channel_posts import ChannelPosts
from server.notifications.mail import FAILED, OK
from server.notifications.notice_texts import Move
from server.notifications.own_moves import OwnMove
from server.notifications.person_hooks import Form, HookDetails, translated, written
from server.notifications.quiet import Quiet
from server.operations.settings import NoticeSettings
from server.webhooks.delivery import Notice, signature
from server.wire.notice_messages import ChannelTried, HookNamed, NameHook, NoticesTold, ReadNotices, TryChannel
from tests.server.gate.signing_up import noted, signed_up
from tests.server.notifications.slow_play import FREE, SOON, begun, moved, refusal, slow_match
from tests.server.tabletop import live, table
from tests.server.webhooks.delivery import Receiver

HOOKS = NoticeSettings(webhooks=True, private=True)
MOVE = Move("Sunday", "Skirmish", ("Bo", "Cem"), 1_800_000_000_000)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


@pytest.mark.parametrize(("form", "field"), [("discord", "content"), ("slack", "text")])
def test_a_service_is_told_of_all_moves_in_one_text(form: Form, field: str) -> None:
    (body,) = written(HookDetails(form, "s"), [], [MOVE, MOVE], Quiet("de", "Europe/Berlin"))
    assert json.loads(body)[field] == (
        "Du bist in 2 Partien am Zug\n" + "\n".join(["Sunday gegen Bo, Cem, bis 15.01.2027 09:00"] * 2)
    )


def test_a_plain_webhook_is_told_of_each_move_by_itself() -> None:
    notices = [Notice("your-move", name, "skirmish", "Sunday", 0, 1, "Ada", 5, decision=7) for name in "ab"]
    bodies = written(HookDetails("plain", "s"), notices, [MOVE, MOVE], Quiet())
    assert [json.loads(body)["match"] for body in bodies] == ["a", "b"]


def test_a_name_calls_nobody_and_forms_no_mark() -> None:
    told = json.loads(translated("discord", "@everyone"))
    assert told["allowed_mentions"] == {"parse": []}
    assert (
        json.loads(translated("slack", "<!channel> & <http://x>"))["text"] == "&lt;!channel&gt; &amp; &lt;http://x&gt;"
    )
    assert len(json.loads(translated("discord", "x" * 5000))["content"]) == 1900


@live
async def test_a_plain_webhook_is_signed_with_a_secret_that_is_told_once(receiver: Receiver) -> None:
    async with table(notices=HOOKS, limits=FREE, intervals=SOON) as at:
        made = await slow_match(at)
        secrets, client = [], await at.client()
        for seat, handle in ((0, "Anja"), (1, "Bo")):
            session = await noted(client, made, seat, handle)
            secrets.append((await client.ask(NameHook(session=session, url=receiver.url), HookNamed)).secret)
        for player in await begun(at, made):
            await player.client.connection.close()
        seat = await moved(at, made)
        await receiver.until(1)
        headers, body = receiver.got[0]
        told = json.loads(body)
        assert (told["event"], told["match"], told["seat"], told["title"]) == ("your-move", made.match, seat, "Sunday")
        sent, delivery = int(headers["Herald-Time"]), headers["Herald-Delivery"]
        expected = f"sha256={signature(secrets[seat], sent, delivery, body)}"
        assert hmac.compare_digest(headers["Herald-Signature"], expected)
        assert not any(token in body.decode() for token in made.tokens.values())


@live
async def test_the_test_button_says_whether_the_service_took_it(receiver: Receiver) -> None:
    async with table(notices=HOOKS, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        named = await client.ask(NameHook(session=session, url=receiver.url, form="discord"), HookNamed)
        assert named.secret == ""
        (row,) = (await client.ask(ReadNotices(session=session), NoticesTold)).channels
        assert (row.kind, row.form, row.address) == ("hook", "discord", receiver.url)
        receiver.statuses = [204, 404]
        wish = TryChannel(session=session, channel=row.channel)
        assert [(await client.ask(wish, ChannelTried)).taken for _ in range(2)] == [True, False]
        assert json.loads(receiver.got[0][1])["content"].startswith("This is a test")


@live
@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/", "http://hooks.example/", "https://10.1.2.3/", "x", "https://u@h.example/"]
)
async def test_a_webhook_of_this_network_or_without_tls_is_refused(url: str) -> None:
    async with table(notices=replace(HOOKS, private=False), limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        assert "webhook" in (await refusal(client, NameHook(session=session, url=url))).lower()


@live
async def test_a_server_that_allows_none_says_so() -> None:
    async with table(limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        assert "operator" in await refusal(client, NameHook(session=session, url="https://h.example/"))


@live
async def test_a_slow_service_of_many_moves_is_told_some_at_a_time(receiver: Receiver) -> None:
    row = ChannelRow("p", "hook", "hook", receiver.url, '{"form":"plain","secret":"s"}', 1, 1)
    moves = [
        OwnMove(WaitRow(name, 0, 1, "", 1, 0), MOVE, Notice("your-move", name, "g", "", 1, 0, "Ada")) for name in "abc"
    ]
    status, told = await ChannelPosts(MemoryStore(), HOOKS, lambda: 1, most_s=0).tell(row, Quiet(), moves, "n")
    assert (status, list(told), len(receiver.got)) == (OK, moves[:1], 1)
    receiver.statuses = [204, 503]
    status, told = await ChannelPosts(MemoryStore(), HOOKS, lambda: 1).tell(row, Quiet(), moves, "n")
    assert (status, list(told), len(receiver.got)) == (FAILED, moves[:1], 3)
