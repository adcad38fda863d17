"""All that is kept of how a person is told and of what a seat has signed ahead: exported, and gone with the account."""

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from herald_client import AccountDoor, Key
from replay.store.postgres.store import PostgresStore
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from server.operations.settings import NoticeSettings
from server.wire.account_messages import Done
from server.wire.notice_messages import ConfirmMail
from tests.postgres import Instance
from tests.replay.store.stored import POSTGRES
from tests.server.notifications.browsers import Browser
from tests.server.notifications.postbox import Postbox, link, postbox
from tests.server.notifications.slow_play import FREE, SOON
from tests.server.table.standing import TAKE, two_who_sign
from tests.server.tabletop import Table, live, table

ADDRESS = "zaunkoenig@home.example"
ENDPOINT = "http://127.0.0.1:1/endpoint-of-anja"
HOOK = "http://127.0.0.1:1/hook-of-anja"
Held = Callable[[], str]


@pytest.fixture(params=["sqlite", POSTGRES])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Held]]:
    """A store, and every byte of its database."""
    if request.param == "sqlite":
        sqlite = SqliteStore(tmp_path / "herald.db")
        yield sqlite, lambda: "".join(file.read_bytes().decode("latin-1") for file in tmp_path.iterdir())
        sqlite.close()
        return
    postgres: Instance = request.getfixturevalue("postgres")
    store = PostgresStore(postgres.emptied())
    yield store, postgres.dumped
    store.close()


async def named_and_deleted(at: Table, box: Postbox, held: Held) -> list[str]:
    """A person names every channel and signs answers ahead, exports it all and deletes the account; words of it."""
    async with two_who_sign(at) as two:
        winner = await two.until_pursued()
        seat = winner.seat or 0
        door = AccountDoor(at.http, Key())
        await door.sign_up("Zaunkoenig", "phone")
        async with door.session() as session:
            entry = await winner.entry(door.key.public)
            await session.keep_seat(two.match, two.tokens[str(seat)], signature=entry)
            keys = Browser().subscription
            await session.ask(dict, "name-push", endpoint=ENDPOINT, p256dh=keys.p256dh, auth=keys.auth)
            await session.ask(dict, "name-hook", url=HOOK, form="plain")
            await session.ask(dict, "name-mail", address=ADDRESS)
            await (await at.client()).ask(ConfirmMail(token=link(await box.until(1), "confirm")), Done)
            await session.ask(dict, "set-quiet", zone="America/St_Johns", begin=60, end=120)
            (answer,) = await winner.keep_ahead(TAKE)
            told = await session.export()
            assert [row["answers"][0]["id"] for row in told["ahead"]] == [answer.id]
            assert {row["address"] for row in told["channels"]} == {ADDRESS, ENDPOINT, HOOK}
            words = ["aunkoenig", ADDRESS, "endpoint-of-anja", "hook-of-anja", "St_Johns", told["person"], answer.id]
            there = await anyio.to_thread.run_sync(held)
            assert [word for word in words if word not in there] == []
            await session.delete("Zaunkoenig")
        assert await winner.kept_ahead() == ()
    return words


@live
async def told_and_forgotten(store: Store, held: Held) -> None:
    with postbox() as box:
        settings: NoticeSettings = box.settings
        async with table(store, notices=settings, limits=FREE, intervals=SOON) as at:
            words = await named_and_deleted(at, box, held)
    there = held()
    assert [word for word in words if word in there] == []


def test_channels_and_answers_ahead_are_exported_and_nowhere_once_the_account_is_deleted(
    kept: tuple[Store, Held],
) -> None:
    told_and_forgotten(*kept)


@live
async def test_what_another_has_signed_ahead_is_neither_shown_to_a_former_holder_nor_dropped_by_one() -> None:
    async with table(limits=FREE) as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        seat = winner.seat or 0
        own, former = [AccountDoor(at.http, Key()) for _ in range(2)]
        await own.sign_up("Anja", "phone")
        await former.sign_up("Bo", "phone")
        for door, entry in ((former, ""), (own, await winner.entry(own.key.public))):
            async with door.session() as session:
                await session.keep_seat(two.match, two.tokens[str(seat)], signature=entry)
        (answer,) = await winner.keep_ahead(TAKE)
        async with former.session() as session:
            assert (await session.export()).get("ahead", []) == []
            await session.delete("Bo")
        async with own.session() as session:
            (ahead,) = (await session.export())["ahead"]
        assert (ahead["answers"][0]["id"], await winner.kept_ahead()) == (answer.id, (answer,))
