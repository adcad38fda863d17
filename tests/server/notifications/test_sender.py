"""Who is away is told by whichever server writes the line, and by another where that one is gone."""

import json
import logging
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from replay.store.errors import StoreFailed
from replay.store.matches import AT_ONCE, NEVER
from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from replay.store.side_tables.webhooks import WebhookRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from server.errors import Misconfigured
from server.notifications import seat_webhooks, sender
from server.notifications.seat_webhooks import take_over
from server.operations.intervals import Intervals
from server.operations.settings import Webhook
from server.webhooks import delivery
from server.webhooks.delivery import Hook, Messenger, Notice
from server.wire.act_messages import Resign
from server.wire.protocol import Accepted, Created, Join, Joined, Notified, Notify, SeatWish
from tests.postgres import Instance
from tests.replay.store.stored import POSTGRES, commit, create
from tests.server.tabletop import Player, Table, live, table
from tests.server.webhooks.delivery import Receiver

SEATS = Webhook(seats=True)
SOON = Intervals(remind_s=0.05, held_ms=600, look_s=0.05, poll_s=0.02)
Stores = Callable[[], Store]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers look often, take soon what nobody has in hand, and reach this machine for seats too."""
    for module, name, value in (
        (delivery, "is_public", lambda _: True),
        (seat_webhooks, "checked", lambda hook: hook),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    """Each is another server's, over the same matches."""
    shared = MemoryStore()
    with ExitStack() as stack:

        def made() -> Store:
            if request.param == "memory":
                return shared
            found: Store = SqliteStore(tmp_path / "herald.db") if request.param == "sqlite" else PostgresStore(address)
            stack.callback(found.close)
            return found

        if request.param == "postgres":
            instance: Instance = request.getfixturevalue("postgres")
            address = instance.emptied()
        yield made


@asynccontextmanager
async def two(stores: Stores, webhook: Webhook = SEATS) -> AsyncIterator[tuple[Table, Table]]:
    async with (
        table(stores(), is_shared=True, webhook=webhook, intervals=SOON) as one,
        table(stores(), is_shared=True, webhook=webhook, intervals=SOON) as other,
    ):
        yield one, other


async def named(at: Table, created: Created, seat: int, url: str) -> str:
    """Who holds a seat comes, names an address and leaves; the secret."""
    player = await at.player(created, seat)
    secret = (await player.client.ask(Notify(url), Notified)).secret
    await player.client.connection.close()
    return secret


async def waiting(at: Table) -> Created:
    """A match whose second seat is open: when it is taken both are asked."""
    return await at.create(SeatWish("me", "Ada"), SeatWish("open"))


async def joined(at: Table, created: Created) -> Player:
    """Somebody takes the second seat at a server that knows that nobody is there."""
    client = await at.client()
    found = await client.ask(Join(created.match, 1, "Bo"), Joined)
    return await at.player(Created(created.match, {"1": found.token}), 1)


async def until_settled(store: Store, calls: int = 0) -> None:
    while len(await anyio.to_thread.run_sync(store.webhooks.overdue, NEVER)) != calls:
        await anyio.sleep(0.01)


def told(receiver: Receiver) -> list[tuple[str, int | None]]:
    return [(found["event"], found.get("seat")) for found in (json.loads(body) for _, body in receiver.got)]


def die(at: Table) -> None:
    """From now on a server neither tells anything nor says that it has anything in hand."""
    teller: Any = at.lobby.notifications
    teller._carry_out = lambda *_: None

    async def nothing() -> Any:
        return {}

    teller.keep_in_hand = teller.take = nothing
    teller.in_hand = set()


@live
async def test_a_seat_is_told_by_another_server_than_the_one_where_it_named_its_address(
    stores: Stores, receiver: Receiver
) -> None:
    async with two(stores) as (one, other):
        created = await waiting(one)
        secret = await named(one, created, 0, receiver.url)
        bo = await joined(other, created)
        await receiver.until(1)
        assert told(receiver) == [("your-move", 0)]
        assert stores().webhooks.addresses(created.match) == (WebhookRow(0, receiver.url, secret),)
        await until_settled(other.store)
        # And how it ended, after which nothing is left of it anywhere.
        assert isinstance(await bo.client.ask(Resign("r"), Accepted), Accepted)
        await receiver.until(2)
        await until_settled(other.store)
    assert told(receiver) == [("your-move", 0), ("result", None)]
    headers, body = receiver.got[1]
    made = delivery.signature(secret, int(headers["Herald-Time"]), headers["Herald-Delivery"], body)
    assert headers["Herald-Signature"] == f"sha256={made}"
    assert stores().webhooks.matches() == []


@live
async def test_an_address_that_is_taken_back_at_one_server_is_none_at_any(stores: Stores, receiver: Receiver) -> None:
    async with two(stores) as (one, other):
        created = await waiting(one)
        await named(one, created, 0, receiver.url)
        await named(other, created, 0, "")
        bo = await joined(one, created)
        await until_settled(one.store)
        assert isinstance(await bo.client.ask(Resign("r"), Accepted), Accepted)
        await until_settled(one.store)
    assert receiver.got == []


@pytest.mark.parametrize("webhook", ["seat", "operator"])
@live
async def test_a_result_is_told_once_by_another_server_where_the_one_that_wrote_it_was_killed(
    stores: Stores, receiver: Receiver, webhook: str
) -> None:
    settings = SEATS if webhook == "seat" else Webhook(receiver.url, "shh", private=True)
    async with two(stores, settings) as (one, other):
        created = await one.create()
        if webhook == "seat":
            await named(one, created, 1, receiver.url)
        ada = await one.player(created, 0)
        await until_settled(one.store)
        before = len(receiver.got)
        die(one)
        assert isinstance(await ada.client.ask(Resign("r"), Accepted), Accepted)
        await receiver.until(before + 1)
        await until_settled(other.store)
        await anyio.sleep(0.3)
    assert told(receiver)[before:] == [("result", None)]
    assert stores().webhooks.matches() == []


@live
async def test_a_result_that_waits_to_be_taken_as_its_server_is_killed_is_told_by_another_under_its_id(
    stores: Stores, receiver: Receiver
) -> None:
    async with two(stores) as (one, other):
        one.lobby.notifications.messenger = Messenger(lambda: 1, delays_s=(3600.0,))
        created = await one.create()
        await named(one, created, 1, receiver.url)
        receiver.statuses = [503]
        ada = await one.player(created, 0)
        assert isinstance(await ada.client.ask(Resign("r"), Accepted), Accepted)
        await receiver.until(1)
        await anyio.sleep(1.0)
        assert len(receiver.got) == 1, "while its server is there nobody else tells it"
        die(one)
        await receiver.until(2)
        await until_settled(other.store)
        one.lobby.notifications.messenger = Messenger(lambda: 1)
    assert told(receiver) == [("result", None)] * 2
    assert len({headers["Herald-Delivery"] for headers, _ in receiver.got}) == 1


@live
async def test_a_move_is_told_by_another_server_though_only_people_are_asked_and_nothing_is_due(
    stores: Stores, receiver: Receiver
) -> None:
    async with two(stores) as (one, other):
        created = await waiting(one)
        await named(one, created, 0, receiver.url)
        die(one)
        await joined(one, created)
        assert other.lobby.registry.found(created.match) is None
        await receiver.until(1)
        await until_settled(other.store)
        await anyio.sleep(0.3)
    assert told(receiver) == [("your-move", 0)]


@live
async def test_what_waits_to_be_told_is_not_told_once_it_was_done_or_the_address_taken_back_at_another_server(
    receiver: Receiver,
) -> None:
    store = MemoryStore()
    async with two(lambda: store) as (one, other):
        created = await waiting(one)
        teller = one.lobby.notifications
        teller.messenger = Messenger(lambda: 1, delays_s=(0.4,), is_wanted=teller._is_wanted)
        await named(one, created, 0, receiver.url)
        receiver.statuses = [503] * 9
        await joined(one, created)
        await receiver.until(1)
        (notice,) = [key for key in teller.messenger._under_way if key[1] == created.match]
        assert notice[2] == 0
        store.webhooks.remove_address(created.match, 0)
        await until_settled(store)
        assert len(receiver.got) == 1
        other_ada = await other.player(created, 0)
        told_of = Notice("your-move", created.match, "g", "t", 9, 0, decision=other_ada.asked().number)
        assert await one.lobby.takeover.is_awaited(told_of)
        assert isinstance(await other_ada.choose(), Accepted)
        assert not await one.lobby.takeover.is_awaited(told_of)


@live
async def test_where_the_store_is_away_what_is_to_be_told_is_told_later(receiver: Receiver) -> None:
    class Away(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.webhooks.addresses = self._addresses  # type: ignore[method-assign]
            self.is_away = True

        def _addresses(self, match: str) -> tuple[WebhookRow, ...]:
            if self.is_away:
                raise StoreFailed("it is away")
            return (WebhookRow(1, receiver.url, "shh"),)

    store = Away()
    async with table(store, webhook=SEATS, intervals=SOON) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        assert isinstance(await ada.client.ask(Resign("r"), Accepted), Accepted)
        await anyio.sleep(0.1)
        assert receiver.got == []
        store.is_away = False
        await receiver.until(1)
        await until_settled(store)
    assert told(receiver) == [("result", None)]


@live
async def test_a_call_of_a_match_that_is_not_there_is_settled_and_one_that_cannot_be_read_is_left_for_later() -> None:
    store = MemoryStore()
    store.webhooks.remind("nowhere", 3, AT_ONCE)
    create(store, "m1")  # of a record that nobody can fold
    store.append(commit("m1", 1, status="running", reminder=1))
    async with table(store, webhook=SEATS, intervals=SOON):
        await until_settled(store, calls=1)
        while store.webhooks.overdue(1 << 45) == [("m1", 2)] and store.webhooks.overdue(sender.LATER_MS):
            await anyio.sleep(0.01)
    assert store.webhooks.overdue(NEVER) == [("m1", 2)]


def kept_in_files(folder: Path, match_registry: dict[str, dict[str, Hook]], results: dict[str, Notice]) -> Path:
    path = folder / "herald.db.hooks"
    path.write_bytes(msgspec.json.encode(match_registry))
    path.with_name("herald.db.hooks.results").write_bytes(msgspec.json.encode(results))
    path.with_name("herald.db.hooks.lock").touch()
    return path


def test_what_an_older_herald_kept_in_files_is_taken_over_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    for match, status in (("goes-on", "running"), ("told", "finished"), ("untold", "finished")):
        create(store, match)
        store.append(commit(match, 1, status=status))
    store.webhooks.set_address("goes-on", WebhookRow(1, "https://club.example/newer", "newer"), 9)
    hooks = {str(seat): Hook(f"https://club.example/{seat}", f"shh{seat}") for seat in (0, 1)}
    notice = Notice("result", "untold", "g", "t", 2, result="won")
    path = kept_in_files(
        tmp_path,
        dict.fromkeys(("goes-on", "told", "untold", "nowhere"), hooks),
        {"untold": notice, "nowhere": notice},
    )
    with caplog.at_level(logging.INFO):
        take_over(store, path)
    assert [row.secret for row in store.webhooks.addresses("goes-on")] == ["shh0", "newer"]
    assert [row.secret for row in store.webhooks.addresses("untold")] == ["shh0", "shh1"]
    assert store.webhooks.matches() == ["goes-on", "untold"]
    assert store.webhooks.overdue(AT_ONCE) == [("untold", 2)]
    assert list(tmp_path.iterdir()) == []
    assert "3 addresses of webhooks and 2 results were taken over" in caplog.text
    assert "shh" not in caplog.text
    store.webhooks.remove_address("goes-on", 0)
    take_over(store, path)
    assert [row.secret for row in store.webhooks.addresses("goes-on")] == ["newer"]


@pytest.mark.parametrize("name", ["herald.db.hooks", "herald.db.hooks.results"])
def test_a_file_of_addresses_that_cannot_be_read_is_said(tmp_path: Path, name: str) -> None:
    path = kept_in_files(tmp_path, {}, {})
    (tmp_path / name).write_text("{")
    with pytest.raises(Misconfigured, match=f"{name} cannot be read"):
        take_over(MemoryStore(), path)
    assert path.exists()


def test_addresses_lie_where_only_their_server_can_read_them(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "herald.db")
    store.webhooks.set_address("m", WebhookRow(0, "https://club.example/", "shh"), 9)
    store.close()
    assert stat.S_IMODE((tmp_path / "herald.db").stat().st_mode) == 0o600
