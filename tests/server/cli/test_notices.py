"""`herald notices`: channels are named, shown, tried and dropped in a terminal, and quiet times are said."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from herald_client.notices import Channel, Notices, Quiet
from replay.store.memory import MemoryStore
from server.cli.accounts import enter
from server.cli.errors import Amiss
from server.cli.notices import found_channel, minute_of, notice_lines
from tests.server.cli.commands import fails, run
from tests.server.notifications.postbox import Postbox, link, postbox
from tests.server.tabletop import address_of
from tests.server.webhooks.delivery import Receiver

MAIL = Channel("mail", "mail", "anja@home.example", 1, 2, 0)
HOOK = Channel("hook-x", "hook", "https://h.example/", 1, 2, 0, 3, "slack")


@pytest.fixture
def box() -> Iterator[Postbox]:
    with postbox() as found:
        yield found


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, box: Postbox) -> Iterator[str]:
    """A server that tells, at which this machine is signed in."""
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "first"))
    store = MemoryStore()
    with address_of(store, notices=box.settings) as at:
        asyncio.run(enter(at, "Anja", "laptop", "", ""))
        yield at
    store.close()


def said(*words: str) -> str:
    done = run("notices", *words)
    assert done.exit_code == 0, done.output
    return done.output


def test_channels_are_named_tried_and_dropped(url: str, box: Postbox) -> None:
    assert "herald notices mail ADDRESS" in said("show")
    assert "link" in said("mail", "anja@home.example")
    assert link(box.mails[0], "confirm")
    assert "waits until you open the link" in said("show")
    receiver = Receiver()
    assert "secret" in said("hook", receiver.url)
    assert "was taken" in said("test", receiver.url)
    assert len(receiver.got) == 1
    receiver.close()
    assert "mail" not in said("drop", "mail").splitlines()[0]


def test_quiet_times_are_said_and_shown(url: str) -> None:
    del url
    assert "Quiet from 22:00 to 07:30, Europe/Berlin" in said("quiet", "22:00", "07:30", "--zone", "Europe/Berlin")
    assert "On vacation until" in said("away", "14")
    assert "On vacation" not in said("away", "0")
    assert "with each move" in said("pace", "move")
    assert "Quiet" not in said("quiet", "08:00", "08:00", "--zone", "UTC")


def test_what_cannot_be_is_a_sentence(url: str) -> None:
    del url
    assert "no mail address" in fails("notices", "mail", "anja")
    assert "time zone" in fails("notices", "quiet", "22:00", "07:00", "--zone", "Mars/Base")
    assert "not 7pm" in fails("notices", "quiet", "7pm", "07:00")
    assert "herald notices show" in fails("notices", "test", "carrier-pigeon")


def test_a_mail_is_in_the_language_of_the_command(url: str, box: Postbox) -> None:
    del url
    done = run("--lang", "de", "notices", "mail", "anja@home.example")
    assert done.exit_code == 0, done.output
    assert "Bestätige" in box.mails[0]["Subject"]


def test_lines_say_what_a_channel_does() -> None:
    lines = notice_lines(Notices((MAIL, HOOK), Quiet(), mail=True))
    assert lines[0] == "mail  Mail  anja@home.example  nothing told yet"
    assert lines[1] == "hook-x  Webhook (slack)  https://h.example/  nothing told yet  failed 3 times since"
    assert "no messages" in notice_lines(Notices())[0]


def test_a_channel_is_found_by_name_kind_or_address() -> None:
    told = Notices((MAIL, HOOK))
    assert [found_channel(told, name) for name in ("mail", "anja@home.example", "hook", "hook-x")] == [
        "mail",
        "mail",
        "hook-x",
        "hook-x",
    ]
    with pytest.raises(Amiss):
        found_channel(Notices((HOOK, HOOK)), "hook")


@pytest.mark.parametrize(("text", "minute"), [("00:00", 0), ("23:59", 1439)])
def test_a_time_is_a_minute_of_the_day(text: str, minute: int) -> None:
    assert minute_of(text) == minute


@pytest.mark.parametrize("text", ["24:00", "7:00", "12:60", "", "12:00 "])
def test_another_text_is_no_time(text: str) -> None:
    with pytest.raises(Amiss):
        minute_of(text)
