"""Mail to persons: to an address that they have confirmed, one a day at most, left by one click, without a secret."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import anyio
import pytest

from server.notifications.mail import Mailer
from server.notifications.notice_texts import Move
from server.notifications.quiet import Quiet
from server.operations.notice_settings import is_mail_address
from server.operations.settings import NoticeSettings
from server.wire.account_messages import Deleted, DeleteMe, Done, Exported, ExportMe
from server.wire.notice_messages import (
    ConfirmMail,
    DropChannel,
    LeaveMail,
    NameMail,
    NoticesTold,
    ReadNotices,
    SetQuiet,
)
from tests.server.gate.signing_up import signed_up
from tests.server.notifications.postbox import SITE, Postbox, link, mailed, postbox
from tests.server.notifications.slow_play import (
    DAY_MS,
    FREE,
    SOON,
    begun,
    both_sign_up,
    moved,
    person_of,
    refusal,
    slow_match,
)
from tests.server.tabletop import Table, live, table


@pytest.fixture
def box() -> Iterator[Postbox]:
    with postbox() as found:
        yield found


@live
async def test_nothing_is_sent_before_an_address_is_confirmed(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        told = await client.ask(NameMail(session=session, address="anja@home.example"), NoticesTold)
        assert [(row.address, row.confirmed_ms) for row in told.channels] == [("anja@home.example", 0)]
        mail = await box.until(1)
        assert (mail["To"], mail["From"]) == ("anja@home.example", "Herald <herald@club.example>")
        assert "Anja" not in mail.get_content()
        token = link(mail, "confirm")
        assert "opens nothing" in await refusal(client, ConfirmMail(token="x" * 43))
        assert token[:16] not in box.raw[0].decode().partition("\r\n\r\n")[0]
        await client.ask(ConfirmMail(token=token), Done)
        told = await client.ask(ReadNotices(session=session), NoticesTold)
        assert told.channels[0].confirmed_ms > 0


@live
async def test_a_move_is_mailed_to_its_seat_alone_and_once(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        made = await slow_match(at)
        await both_sign_up(at, made, box)
        for player in await begun(at, made):
            await player.client.connection.close()
        seat = await moved(at, made)
        mail = await box.until(3)
        handle, other = (("anja", "Bo"), ("bo", "Ada"))[seat]
        assert (mail["To"], mail["Subject"]) == (f"{handle}@home.example", "Herald: It is your move")
        assert f"Sunday against {other}, until " in mail.get_content()
        await at.lobby.person_sender.look()
        assert len(box.mails) == 3


@live
async def test_a_mail_is_left_by_one_click_and_holds_no_secret(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        made = await slow_match(at)
        await both_sign_up(at, made, box)
        for player in await begun(at, made):
            await player.client.connection.close()
        await moved(at, made)
        mail = await box.until(3)
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = re.fullmatch(rf"<{SITE}(/mail/leave/[A-Za-z0-9_-]{{43}})>", mail["List-Unsubscribe"].strip())
        assert path is not None
        raw = box.raw[2].decode()
        assert not any(secret in raw for secret in (*made.tokens.values(), made.match))
        assert await fetched(at, path[1], "POST") == (HTTPStatus.OK, "")
        assert await fetched(at, path[1], "POST") == (HTTPStatus.NOT_FOUND, "")
        row = at.store.notices.due(1 << 60, 99)
        assert [each for each in row if each.address == mail["To"]] == []


@live
async def test_a_page_that_is_opened_by_the_link_leaves_nothing_yet(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        await mailed(client, session, box)
        row = at.store.notices.channels(person_of(at, session))[0]
        posts = at.lobby.channel_posts
        token = await anyio.to_thread.run_sync(posts.leave_token, row.person, row.channel, row.added)
        assert await fetched(at, f"/mail/leave/{token}", "GET") == (HTTPStatus.FOUND, f"/me#leave={token}")
        assert await fetched(at, "/mail/leave/x%0d%0aSet-Cookie:a=b", "GET") == (HTTPStatus.FOUND, "/me")
        assert (await client.ask(ReadNotices(session=session), NoticesTold)).channels
        await client.ask(LeaveMail(token=token), Done)
        assert (await client.ask(ReadNotices(session=session), NoticesTold)).channels == ()


async def fetched(at: Table, path: str, method: str) -> tuple[int, str]:
    """The status of a request without a following one, and where it leads."""

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    def ask() -> tuple[int, str]:
        data = b"List-Unsubscribe=One-Click" if method == "POST" else None
        try:
            with build_opener(Stay).open(Request(at.http + path, data, method=method)) as answer:
                return answer.status, ""
        except HTTPError as wrong:
            return wrong.code, wrong.headers.get("Location", "")

    return await anyio.to_thread.run_sync(ask)


@live
async def test_a_mailbox_is_asked_once_a_day_whoever_asks(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        for number in range(5):
            client = await at.client()
            session = await signed_up(client, f"Anja{number}")
            tagged = f"Victim+{number}@home.example"
            told = await client.ask(NameMail(session=session, address=tagged), NoticesTold)
            assert [row.address for row in told.channels] == [tagged]
        client = await at.client()
        session = await signed_up(client, "Bo")
        for name in ("a", "b", "c"):
            await client.ask(NameMail(session=session, address=f"{name}@home.example"), NoticesTold)
        assert "tomorrow" in await refusal(client, NameMail(session=session, address="d@home.example"))
        assert [mail["To"] for mail in box.mails] == ["Victim+0@home.example"] + [f"{n}@home.example" for n in "abc"]


@live
async def test_an_address_that_wants_no_mail_is_not_asked_again(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        await client.ask(NameMail(session=session, address="bo@home.example"), NoticesTold)
        await client.ask(LeaveMail(token=link(await box.until(1), "never")), Done)
        at.store.notices.prune(at.lobby.accounts._now() + 2 * DAY_MS, 0, dry=False)
        await client.ask(NameMail(session=session, address="bo@home.example"), NoticesTold)
        assert len(box.mails) == 1


@pytest.mark.parametrize(
    "address",
    [
        "anja",
        "anja@home",
        "anja@home.example\r\nBcc: bo@home.example",
        "anja@home.example, bo@home.example",
        "<anja@home.example>",
        "anja@192.168.0.1",
        "anja@home.example\u2028",
        "änja@home.example",
        '"a b"@home.example',
        "a@" + "b" * 190 + ".example",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert not is_mail_address(address)


@pytest.mark.parametrize("address", ["anja@home.example", "a.b+c@x-y.co.uk", "O'Neill@home.example"])
def test_what_people_have_is_an_address(address: str) -> None:
    assert is_mail_address(address)


def test_no_title_or_name_can_begin_a_header_or_be_a_link() -> None:
    moves = [
        Move("Win\r\nBcc: x@y.example", "skirmish", ("http://evil.example/", "a\u202eb")),
        Move("", "skirmish", ()),
    ]
    mail = Mailer(NoticeSettings(site=SITE, mail_from="h@club.example")).notice(
        "a@b.example", moves, Quiet(), "l", "n", 1
    )
    body = mail.get_content()
    assert (mail["Bcc"], "evil" in body, "\u202e" in body, "x@y" in body) == (None, False, False, False)
    with pytest.raises(ValueError, match="linefeed"):
        Mailer(NoticeSettings(mail_from="h@club.example")).notice(
            "a@b.example\nBcc: x@y.example", moves, Quiet(), "l", "n", 1
        )


@live
async def test_deletion_takes_the_address_along_and_the_export_shows_it(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        await client.ask(SetQuiet(session=session, zone="Europe/Berlin", begin=60, end=120), NoticesTold)
        await mailed(client, session, box)
        person = person_of(at, session)
        told = await client.ask(ExportMe(session=session), Exported)
        assert ([row.address for row in told.channels], told.quiet.zone) == (["anja@home.example"], "Europe/Berlin")
        await client.ask(DeleteMe(session=session, handle="Anja"), Deleted)
        assert (at.store.notices.channels(person), at.store.notices.quiet(person)) == ([], "")


@live
async def test_an_address_that_the_mail_server_refuses_is_forgotten(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        made = await slow_match(at)
        await both_sign_up(at, made, box)
        box.refuses = ["550 no such user"]
        for player in await begun(at, made):
            await player.client.connection.close()
        seat = await moved(at, made)
        person = next(row.person for row in at.store.people.at(made.match) if row.seat == seat)
        while at.store.notices.channels(person):
            await anyio.sleep(0.01)


@live
async def test_a_server_without_mail_says_so(box: Postbox) -> None:
    async with table(limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        assert "sends no mails" in await refusal(client, NameMail(session=session, address="a@b.example"))
        told = await client.ask(ReadNotices(session=session), NoticesTold)
        assert (told.mail, told.push_key, told.hooks) == (False, "", False)
    assert box.mails == []


@live
async def test_a_channel_is_dropped_by_its_person(box: Postbox) -> None:
    async with table(notices=box.settings, limits=FREE, intervals=SOON) as at:
        client = await at.client()
        session = await signed_up(client, "Anja")
        await mailed(client, session, box)
        assert (await client.ask(DropChannel(session=session, channel="mail"), NoticesTold)).channels == ()
