"""Webhooks: signed, sent again, bounded, never to a private address, and without anything secret."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import Server

from domain.kernel import Asked, Result, Seat, State, Table, TimeControl
from replay.store.matches import AT_ONCE, NEVER
from replay.store.memory import MemoryStore
from replay.store.side_tables.webhooks import WebhookRow
from server.errors import Misconfigured
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.notifications.seat_webhooks import SeatWebhooks
from server.operations.intervals import Intervals
from server.operations.settings import Webhook
from server.webhooks import delivery as webhook
from server.webhooks.delivery import Hook, Lapsed, Messenger, Notice, checked, is_public, signature
from server.webhooks.errors import HookRefused
from server.webhooks.reminder_rules import ReminderRules
from server.wire.act_messages import Resign
from server.wire.client import View, connected, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import Accepted, Create, Created, HeldSeat, ListTurns, Notified, Notify, SeatWish, Turns
from tests.replay.store.stored import commit, create
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, live, table
from tests.server.webhooks.delivery import Receiver
from tests.skirmish.game import GAME

NOTICE = Notice("your-move", "m", "skirmish", "Skirmish", 9, 1, "Bo")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


ASKED = tuple(Asked(number, Seat(seat), "Play", {}) for number, seat in ((1, 0), (2, 1)))
WAITING = State(players=("Ada", "Bo"), begun=True, number=2, asked=ASKED)


def url_of(server: Server) -> str:
    return f"ws://127.0.0.1:{port_of(server)}/ws"


def hook(receiver: Receiver) -> Hook:
    return Hook(receiver.url, "shh", private=True)


def test_a_message_is_signed_so_that_its_receiver_can_tell(receiver: Receiver) -> None:
    @live
    async def told() -> None:
        messenger = Messenger(lambda: 1_234)
        messenger.tell(hook(receiver), NOTICE)
        await receiver.until(1)
        await messenger.close()

    told()
    headers, body = receiver.got[0]
    assert json.loads(body) == {
        "event": "your-move",
        "match": "m",
        "game": "skirmish",
        "title": "Skirmish",
        "line": 9,
        "seat": 1,
        "name": "Bo",
    }
    assert headers["Herald-Time"] == "1234"
    made = signature("shh", 1_234, headers["Herald-Delivery"], body)
    assert headers["Herald-Signature"] == f"sha256={made}"
    assert made != signature("shh", 1_235, headers["Herald-Delivery"], body)
    assert made != signature("other", 1_234, headers["Herald-Delivery"], body)
    assert b"shh" not in body


def test_a_failed_delivery_is_tried_again_as_the_same_one(receiver: Receiver) -> None:
    receiver.statuses = [500, 302]

    @live
    async def told() -> None:
        messenger = Messenger(lambda: 0, delays_s=(0.01, 0.01, 0.01))
        messenger.tell(hook(receiver), NOTICE)
        await receiver.until(3)
        await anyio.sleep(0.1)
        await messenger.close()

    told()
    assert len(receiver.got) == 3, "a redirection is no success, and is not followed"
    assert len({headers["Herald-Delivery"] for headers, _ in receiver.got}) == 1


@pytest.mark.parametrize(("statuses", "attempts"), [([410] * 9, 1), ([503] * 9, 3)])
def test_it_ends_when_the_receiver_is_gone_or_patience_is(
    receiver: Receiver, statuses: list[int], attempts: int
) -> None:
    receiver.statuses = statuses

    @live
    async def told() -> None:
        messenger = Messenger(lambda: 0, delays_s=(0.01, 0.01))
        messenger.tell(hook(receiver), NOTICE)
        await receiver.until(attempts)
        while messenger._under_way:
            await anyio.sleep(0.01)
        await anyio.sleep(0.05)
        await messenger.close()

    told()
    assert len(receiver.got) == attempts


def test_what_waits_is_bounded_and_newer_news_replace_older() -> None:
    nowhere = Hook("http://127.0.0.1:1/", "s", private=True)

    @live
    async def told() -> None:
        messenger = Messenger(lambda: 0, delays_s=(60.0,), most=3)
        for line in range(5):
            messenger.tell(nowhere, Notice("your-move", "m", "g", "t", line, 0))
        assert len(messenger._under_way) == 1
        for match in "abcd":
            messenger.tell(nowhere, Notice("result", match, "g", "t", 1))
        assert (len(messenger._under_way), messenger.dropped) == (3, 2)
        await messenger.close()
        assert not messenger._under_way

    told()


@pytest.mark.parametrize("turns", range(6))
def test_an_answer_that_comes_as_the_server_stops_does_not_hold_it_up(
    turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @live
    async def told() -> None:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def sent(send: object) -> int:
            return await answer

        monkeypatch.setattr(asyncio, "to_thread", sent)
        messenger = Messenger(lambda: 0, delays_s=(60.0,))
        messenger.tell(Hook("http://127.0.0.1:1/", "s", private=True), NOTICE)
        await anyio.sleep(0.01)
        answer.set_result(500)
        for _ in range(turns):
            await asyncio.sleep(0)
        with anyio.fail_after(50):  # less than the delay before the next attempt
            await messenger.close()

    told()


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.0.0.1",
            "192.168.1.1",
            "172.16.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
        ),
        *(
            "::1",
            "fe80::1%eth0",
            "fc00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::a00:1",
            "::ffff:0:7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "ff02::1",
        ),
    ],
)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


def test_a_name_that_means_a_private_address_is_not_connected_to(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolved(host: str, port: int, **_: Any) -> list[Any]:
        found = ("93.184.216.34", "127.0.0.1")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("connected"))
    post = webhook.Post(Hook("https://club.example/", "s"), b"{}", {})
    with pytest.raises(PermissionError):
        post.send()


@pytest.mark.parametrize(
    "url",
    [
        "http://club.example/",
        "ftp://x/",
        "https://",
        "https://me:pw@club.example/",
        "https://x:99999/",
        f"https://x/{'y' * 500}",
        "https://ex ample.com/",
        "https://club.example/a b",
        "https://clüb.example/",
        "https://club..example/",
        "https://-club.example/",
        f"https://{'x' * 64}.example/",
        "https://127.0.0.1/x",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://10.0.0.7./",
        "https://[::1]/",
        "https://[::ffff:192.168.0.1]/",
        "https://localhost/",
        "https://me.LOCALHOST./",
    ],
)
def test_addresses_that_are_not_used(url: str) -> None:
    with pytest.raises(Misconfigured):
        checked(Hook(url, "s"))


@pytest.mark.parametrize(
    "url",
    [
        "https://club.example/",
        "https://xn--clb-hoa.example:8443/a%20b?c=d",
        "https://my_club.example./",
        f"https://{'x' * 63}.example/",
        "https://93.184.216.34/",
        "https://[2606:4700::1111]/",
        "https://localhost.example/",
        "https://127.0.0.1.nip.example/",
    ],
)
def test_addresses_that_may_be_reached_are_used(url: str) -> None:
    assert checked(Hook(url, "s")).url == url


@pytest.mark.parametrize("url", ["https://127.0.0.1/x", "http://localhost:8080/", "http://[::1]/", "http://club/"])
def test_where_the_operator_means_a_private_address_it_is_used(url: str) -> None:
    assert checked(Hook(url, "s", private=True)).url == url
    with pytest.raises(Misconfigured):
        checked(Hook("http://ex ample.com/", "s", private=True))


def test_an_address_needs_a_secret_and_shows_none() -> None:
    with pytest.raises(Misconfigured, match="secret"):
        checked(Hook("https://club.example/", ""))
    assert repr(Hook("https://club.example/token", "shh")) == "Hook(club.example)"
    assert "shh" not in repr(Webhook("https://club.example/token", "shh"))


def test_two_servers_over_one_store_know_each_other_s_addresses() -> None:
    store = MemoryStore()
    create(store, "m")
    one, two = (SeatWebhooks(store, Webhook(url="https://club.example/", secret="s", seats=True)) for _ in range(2))
    secret = one.name("m", 0, "https://club.example/seat")
    assert two.addresses_of("m") == [
        (None, Hook("https://club.example/", "s")),
        (0, Hook("https://club.example/seat", secret)),
    ]
    two.name("m", 0, "")
    assert one.addresses_of("m") == [(None, Hook("https://club.example/", "s"))]


def test_seats_are_told_only_where_the_operator_allows_it() -> None:
    store = MemoryStore()
    create(store, "m")
    with pytest.raises(HookRefused, match="operator"):
        SeatWebhooks(store).name("m", 1, "https://club.example/")
    kept = SeatWebhooks(store, Webhook(seats=True))
    for url in ("http://club.example/", "nonsense", "https://127.0.0.1/x", "https://ex ample.com/"):
        with pytest.raises(HookRefused):
            kept.name("m", 1, url)
    secret = kept.name("m", 1, "https://club.example/")
    assert (kept.addresses_of("m"), kept.matches()) == ([(1, Hook("https://club.example/", secret))], {"m"})
    assert (SeatWebhooks(store).addresses_of("m"), SeatWebhooks(store).matches()) == ([], set())
    assert SeatWebhooks(store, Webhook("https://club.example/", "s")).matches() is None
    kept.name("m", 0, "https://club.example/")
    assert kept.name("m", 0, "") == ""
    assert [seat for seat, _ in kept.addresses_of("m")] == [1]


def test_no_address_is_named_beyond_the_most_or_for_a_match_that_is_over() -> None:
    store = MemoryStore()
    create(store, "m")
    kept = SeatWebhooks(store, Webhook(seats=True), most=1)
    kept.name("m", 0, "https://club.example/")
    with pytest.raises(HookRefused, match="as many addresses"):
        kept.name("m", 1, "https://club.example/")
    store.append(commit("m", 1, status="finished"))
    with pytest.raises(HookRefused, match="is over"):
        kept.name("m", 0, "https://club.example/")
    assert kept.name("m", 0, "") == ""


@pytest.mark.parametrize("later", [500, 200])
def test_a_result_whose_message_was_lost_with_the_server_is_told_again_under_the_same_id(
    receiver: Receiver, later: int
) -> None:
    store = MemoryStore()

    def lobby() -> Lobby:
        hook = Webhook(receiver.url, "shh", private=True)
        return Lobby(store, FACES, webhook=hook, intervals=Intervals(remind_s=0.1))

    @live
    async def played() -> None:
        receiver.statuses = [200, 200, 500]
        async with running(lobby()) as server, connected(url_of(server)) as client:
            created = await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
            await receiver.until(2)
            await enter(client, created.match, created.tokens["0"])
            await client.send(Resign("r"))
            await receiver.until(3)
        receiver.statuses = [later]
        async with running(lobby()):
            await receiver.until(4)
            while later == 200 and store.webhooks.overdue(NEVER):
                await anyio.sleep(0.01)
        assert bool(store.webhooks.overdue(AT_ONCE)) == (later == 500)

    played()
    told = [(json.loads(body)["event"], headers["Herald-Delivery"]) for headers, body in receiver.got]
    assert [event for event, _ in told] == ["your-move", "your-move", "result", "result"]
    assert told[2] == told[3]


def test_a_result_that_nobody_was_told_because_the_server_died_is_told_once_after_the_restart(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()

    def lobby(remind_s: float = 30.0) -> Lobby:
        hook = Webhook(receiver.url, "shh", private=True)
        return Lobby(store, FACES, webhook=hook, intervals=Intervals(remind_s=remind_s, held_ms=50))

    @live
    async def played() -> None:
        killed = lobby()
        # Between the commit and what follows it.
        monkeypatch.setattr(killed.notifications, "_carry_out", lambda *_: None)
        async with running(killed) as server, connected(url_of(server)) as client:
            created = await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
            await enter(client, created.match, created.tokens["0"])
            await client.ask(Resign("r"), Accepted)
        await anyio.sleep(0.1)
        for pause_s, told in ((900.0, 0), (0.1, 1), (0.1, 1)):
            async with running(lobby(pause_s)):
                await receiver.until(told)
                while told and store.webhooks.overdue(NEVER):
                    await anyio.sleep(0.01)
                await anyio.sleep(0.3)
        # The first of them stops before it tells anything, the second tells it, the third has nothing to tell again.
        assert [json.loads(body) for _, body in receiver.got] == [
            {
                "event": "result",
                "match": created.match,
                "game": GAME.name,
                "title": GAME.spec.title,
                "line": store.head(created.match).seq,
                "result": "seat 1: resigned",
            }
        ]

    played()


def test_a_result_is_settled_where_seats_share_an_address_or_nobody_is_to_be_told(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "is_public", lambda _: True)

    @live
    async def told() -> None:
        store = MemoryStore()
        lobby = Lobby(store, FACES, webhook=Webhook(receiver.url, "shh", private=True, seats=True))
        for seat in (0, 1):
            store.webhooks.set_address("m", WebhookRow(seat, receiver.url, f"shh{seat}"), 9)
        for match in ("m", "n"):
            store.webhooks.remind(match, 7, NEVER - 1)
            lobby.notifications.tell(match, [Notice("result", match, "g", "t", 7)], 7)
        while store.webhooks.overdue(NEVER):
            await anyio.sleep(0.01)
        assert (lobby.notifications.in_hand, store.webhooks.matches()) == (set(), [])
        await lobby.close()

    told()


def test_a_result_that_is_given_up_is_not_told_at_the_next_start(receiver: Receiver) -> None:
    ended: list[int] = []

    @live
    async def told() -> None:
        receiver.statuses = [500, 500, 500]
        messenger = Messenger(lambda: 1, delays_s=(0.0,))
        messenger.tell(hook(receiver), Notice("result", "m", "g", "t", 1), lambda: ended.append(1))
        await receiver.until(2)
        while not ended:
            await anyio.sleep(0.01)
        await messenger.close()
        slow = Messenger(lambda: 1, delays_s=(9.0,))
        slow.tell(hook(receiver), Notice("result", "m", "g", "t", 1), lambda: ended.append(2))
        await receiver.until(3)
        await slow.close()

    told()
    assert ended == [1], "what is closed before it is told waits for the next start"


def test_who_is_not_there_is_told_of_the_move_and_of_the_end(receiver: Receiver) -> None:
    @live
    async def played() -> None:
        lobby = Lobby(MemoryStore(), FACES, webhook=Webhook(receiver.url, "shh", private=True))
        async with running(lobby) as server:
            url = f"ws://127.0.0.1:{port_of(server)}/ws"
            async with connected(url) as client:
                time = TimeControl("days", 86_400_000)
                created = await client.ask(Create(GAME.name, TWO_PEOPLE, time=time, title="Duel"), Created)
                await receiver.until(2)
                ada = Player(client, View(GAME, await enter(client, created.match, created.tokens["0"])))
                await ada.until(lambda: bool(ada.view.asked()))
                assert isinstance(await ada.choose(), Accepted)
                await client.send(Resign("r"))
                await receiver.until(3)
        tokens = [token.encode() for token in created.tokens.values()]
        assert not any(token in body for token in tokens for _, body in receiver.got)

    played()
    told = [json.loads(body) for _, body in receiver.got]
    assert sorted((each["event"], each.get("seat")) for each in told[:2]) == [("your-move", 0), ("your-move", 1)]
    assert told[0]["due_ms"] > 1_700_000_000_000
    assert (told[2]["event"], told[2]["result"], told[2]["title"]) == ("result", "seat 1: resigned", "Duel")


@pytest.mark.parametrize("time", [TimeControl("days", 86_400_000), None])
def test_a_move_whose_message_was_lost_with_the_server_is_told_again_under_the_same_id(
    receiver: Receiver, time: TimeControl | None
) -> None:
    receiver.statuses = [500, 500]
    store = MemoryStore()

    @live
    async def played() -> None:
        hooks = Webhook(receiver.url, "shh", private=True)
        async with running(Lobby(store, FACES, webhook=hooks)) as server, connected(url_of(server)) as client:
            created = await client.ask(Create(GAME.name, TWO_PEOPLE, time=time or TimeControl()), Created)
            await receiver.until(2)
        async with running(Lobby(store, FACES, webhook=hooks, intervals=Intervals(remind_s=0.1))):
            await receiver.until(4)
        lobby = Lobby(store, FACES, webhook=hooks, intervals=Intervals(remind_s=3600.0))
        async with running(lobby) as server, connected(url_of(server)) as client:
            await enter(client, created.match, created.tokens["0"])
            while not lobby.takeover._reminders:
                await anyio.sleep(0.01)
            await lobby.takeover.remind(0.0)
            await receiver.until(5)

    played()
    told = [(json.loads(body), headers["Herald-Delivery"]) for headers, body in receiver.got]
    seats = [(each["seat"], delivery) for each, delivery in told]
    assert sorted(seats[:2]) == sorted(seats[2:4])
    assert {*seats[4:]} == {max(seats)}, "who is connected is not told"
    assert len({delivery for _, delivery in seats}) == 2
    assert all(each["decision"] for each, _ in told)


def test_what_is_told_again_is_what_still_waits() -> None:
    paused, ended = (replace(WAITING, table=Table(paused=True)), replace(WAITING, result=Result(None, "drawn")))
    calls = ReminderRules("m", "skirmish", "Skirmish", WAITING)
    assert [notice.seat for notice in calls.again(WAITING, None, 9, ())] == [0, 1]
    assert [notice.seat for notice in calls.again(WAITING, None, 9, (0,))] == [1]
    assert [notice.seat for notice in calls.again(replace(WAITING, table=Table(bots=(Seat(1),))), None, 9, ())] == [0]
    assert calls.again(paused, None, 9, ()) == calls.again(ended, None, 9, ()) == []


def test_a_move_that_was_made_while_its_message_waited_is_not_told_any_more(receiver: Receiver) -> None:
    receiver.statuses = [500, 500]

    @live
    async def played() -> None:
        lobby = Lobby(MemoryStore(), FACES, webhook=Webhook(receiver.url, "shh", private=True))
        lobby.notifications.messenger = Messenger(lambda: 1, delays_s=(3600.0,))
        async with running(lobby) as server, connected(url_of(server)) as client:
            created = await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
            await receiver.until(2)
            ada = Player(client, View(GAME, await enter(client, created.match, created.tokens["0"])))
            await ada.until(lambda: bool(ada.view.asked()))
            assert len(lobby.notifications.messenger._under_way) == 2
            assert isinstance(await ada.choose(), Accepted)
            assert [seat for _, _, seat in lobby.notifications.messenger._under_way] == [1]
            assert isinstance(await client.ask(Resign("r"), Accepted), Accepted)
            await receiver.until(3)
            assert 1 not in [seat for _, _, seat in lobby.notifications.messenger._under_way], "the match is over"

    played()


def test_of_two_decisions_of_a_seat_the_one_that_waits_is_still_told() -> None:
    nowhere = Hook("http://127.0.0.1:1/", "s", private=True)

    @live
    async def told() -> None:
        messenger = Messenger(lambda: 0, delays_s=(3600.0,))
        messenger.tell(nowhere, Notice("your-move", "m", "g", "t", 9, 1, decision=5))
        for lapsed in (Lapsed("m", 1, 3), Lapsed("m", 0, 5), Lapsed("n", 1, 5)):
            messenger.drop(lapsed)
        assert len(messenger._under_way) == 1
        messenger.drop(Lapsed("m", 1, 5))
        assert not messenger._under_way
        await messenger.close()

    told()


def test_what_waits_no_longer_lapses_whether_it_was_answered_or_a_bot_took_the_seat() -> None:
    answered, ended = replace(WAITING, asked=ASKED[1:]), replace(WAITING, result=Result(None, "drawn"))
    for state, lapsed in (
        (WAITING, []),
        (answered, [Lapsed("m", 0, 1)]),
        (replace(WAITING, table=Table(bots=(Seat(1),))), [Lapsed("m", 1, 2)]),
        (replace(WAITING, table=Table(paused=True)), []),
        (ended, [Lapsed("m", 0, 1), Lapsed("m", 1, 2)]),
    ):
        calls = ReminderRules("m", "skirmish", "Skirmish", WAITING)
        assert calls.after((), state, None, 9, ()) == lapsed
        assert calls.after((), state, None, 10, ()) == []


@live
async def test_the_own_moves_are_listed_for_who_holds_the_seats() -> None:
    async with table() as at:
        first = await at.create()
        second = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        client = await at.client()
        held = tuple(
            HeldSeat(match, token)
            for match, token in (
                (first.match, first.tokens["0"]),
                (second.match, second.tokens["0"]),
                (first.match, "x" * 43),
                ("A" * 22, first.tokens["0"]),
            )
        )
        turns = (await client.ask(ListTurns(held), Turns)).turns
        assert [(turn.match, turn.seat, turn.yours) for turn in turns] == [
            (first.match, 0, True),
            (second.match, 0, False),
        ]
        player = await at.player(first, 0)
        await player.choose()
        assert not (await client.ask(ListTurns(held[:1]), Turns)).turns[0].yours


@live
async def test_a_seat_names_an_address_and_who_watches_does_not() -> None:
    async with table(webhook=Webhook(seats=True)) as at:
        created = await at.create()
        player, watcher = await at.player(created, 0), await at.spectator(created)
        answer = await player.client.ask(Notify("https://club.example/"), Notified)
        assert len(answer.secret) == 43
        assert "secret" not in repr(answer)
        assert (await player.client.ask(Notify(""), Notified)).secret == ""
        with pytest.raises(NotAdmitted, match="https"):
            await player.client.ask(Notify("http://club.example/"), Notified)
        with pytest.raises(NotAdmitted, match="grant-refused"):
            await watcher.client.ask(Notify("https://club.example/"), Notified)


def test_the_loop_is_not_held_up_by_a_slow_receiver() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"

        @live
        async def told() -> None:
            messenger = Messenger(lambda: 0)
            messenger.tell(Hook(url, "s", private=True), NOTICE)
            with anyio.fail_after(5):  # half of what an attempt may take
                await asyncio.sleep(0.1)
            await messenger.close()

        told()


@live
async def test_receivers_that_never_answer_keep_nobody_from_the_store() -> None:
    with socket.socket() as silent, ThreadPoolExecutor(2) as few:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        hook = Hook(f"http://127.0.0.1:{silent.getsockname()[1]}/", "s", private=True)
        asyncio.get_running_loop().set_default_executor(few)
        hanging = [asyncio.create_task(webhook.posted(hook, b"", {})) for _ in range(4)]
        await asyncio.sleep(0.05)
        with anyio.fail_after(5):  # half of what an attempt may take
            await asyncio.to_thread(time.monotonic)
        for each in hanging:
            each.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)


LITERAL_LOOPBACK = (
    "127.0.0.1",
    "127.0.0.9",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[::]",
    "0.0.0.0",
    "[fec0::1]",
    "[feff:ffff::1]",
    "[fe80::1]",
    "[fc00::1]",
    "localhost",
    "a.localhost.",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.0.0.1.",
)


@pytest.mark.parametrize("host", LITERAL_LOOPBACK)
def test_no_way_to_write_a_private_address_reaches_a_listener_of_this_machine(host: str, receiver: Receiver) -> None:
    url = f"https://{host}:{receiver.port}/"
    with pytest.raises(Misconfigured):
        checked(Hook(url, "secret"))
    # As if it had been named before it was refused: the attempt itself connects to nothing either.
    with pytest.raises(OSError):  # noqa: PT011 - refused here, or by the look-up of what is no name
        webhook.Post(Hook(url, "secret"), b"{}", {}).send()
    assert receiver.got == []
    assert receiver.connections == 0


@pytest.mark.parametrize("order", [("127.0.0.1", "192.0.2.7"), ("192.0.2.7", "127.0.0.1")], ids=["first", "second"])
def test_a_name_with_a_private_address_among_its_own_is_not_connected_to(
    order: tuple[str, str], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, receiver.port)) for address in order]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(PermissionError):
        webhook.Post(Hook(f"https://rebinding.example:{receiver.port}/", "secret"), b"{}", {}).send()
    assert receiver.connections == 0


def test_a_name_that_means_another_address_a_moment_later_is_connected_to_where_it_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    connected_to: list[str] = []

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, receiver.port))]

    def connect(place: tuple[str, int], *_: Any) -> socket.socket:
        connected_to.append(place[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        webhook.Post(Hook(f"https://rebinding.example:{receiver.port}/", "secret"), b"{}", {}).send()
    assert connected_to == ["93.184.216.34"]
    assert receiver.connections == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_no_way_to_another_listener(status: int, receiver: Receiver) -> None:
    receiver.statuses = [status]
    receiver.location = f"http://127.0.0.1:{receiver.port}/secret"
    post = webhook.Post(Hook(f"http://127.0.0.1:{receiver.port}/", "secret", private=True), b"{}", {})
    assert post.send() == status
    assert receiver.connections == 1
    assert len(receiver.got) == 1
