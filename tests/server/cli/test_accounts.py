"""An account in a terminal: one key a server, devices that show the same number, a code that is told once."""

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from herald_client import Account, AccountDoor, Closed, Key, Link, OwnMatch, OwnMatches, Refused, Session, me, open_seat
from herald_client.accounts import Device
from herald_client.server import Server
from replay.store.memory import MemoryStore
from server.cli.accounts import (
    _run,
    add_device,
    claim_seat,
    device_lines,
    enter,
    found_device,
    match_lines,
    qr_lines,
    within,
)
from server.cli.errors import Amiss
from server.cli.language import in_language_of
from tests.server.cli.commands import run
from tests.server.tabletop import address_of, live


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "first"))
    store = MemoryStore()
    with address_of(store) as at:
        yield at
    store.close()


@live
async def test_a_login_makes_an_account_and_comes_back_by_its_key(url: str, tmp_path: Path) -> None:
    with pytest.raises(Amiss, match="--handle"):
        await enter(url, "", "laptop", "", "")
    assert "Recovery code" in await enter(url, "Anja", "laptop", "", "")
    assert await enter(url, "", "laptop", "", "") == f"Signed in at {url} as Anja."
    (key,) = (tmp_path / "first" / "accounts").glob("*.key")
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    account = await within(None, Session.account)
    assert [(device.name, device.here) for device in account.devices] == [("laptop", True)]


@live
async def test_another_name_of_the_server_gets_another_key(url: str, tmp_path: Path) -> None:
    await enter(url, "Anja", "laptop", "", "")
    await enter(url.replace("127.0.0.1", "localhost"), "Bert", "laptop", "", "")
    assert len(list((tmp_path / "first" / "accounts").glob("*.key"))) == 2


@pytest.mark.parametrize("is_same", [True, False])
@live
async def test_a_new_device_is_added_where_its_number_is_confirmed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    await enter(url, "Anja", "laptop", "", "")
    lines: list[str] = []
    monkeypatch.setattr("server.cli.accounts._print", lambda *said: lines.extend(said))

    def confirm(question: str) -> bool:
        lines.append(question)
        return is_same

    async with anyio.create_task_group() as both:

        async def wait() -> None:
            lines.append(await add_device(url, confirm, 0.01))

        both.start_soon(wait)
        while not lines:
            await anyio.sleep(0.01)
        door = AccountDoor(url, Key())
        code = lines[0].partition("--code ")[2].split()[0]
        number = await door.ask_pairing(code, "tablet")
    assert number in lines[-2]
    assert (lines[-1] == "tablet is added.") is is_same
    if is_same:
        async with door.session() as session:
            assert session.entered.handle == "Anja"
    else:
        with pytest.raises(Refused):
            async with door.session():
                pass


@live
async def test_the_recovery_code_lets_a_machine_without_a_key_in(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await enter(url, "Anja", "laptop", "", "")
    code = told.partition("shown once: ")[2].split()[0]
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "second"))
    again = await enter(url, "", "new laptop", "", code)
    assert "as Anja" in again
    assert code not in again
    changes = (await within(url, Session.account)).notices
    assert [change.what for change in changes] == ["recovered"]


@live
async def test_a_noted_seat_is_among_the_own_matches_until_it_is_forgotten(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")
    created = await Server(url).create("skirmish", [me("Ada"), open_seat()], title="Sunday")
    token = created.tokens["0"]

    async def note(session: Session) -> OwnMatches:
        await session.keep_seat(created.match, token)
        return await session.matches()

    async def forget(session: Session) -> OwnMatches:
        await session.keep_seat(created.match, token, on=False)
        return await session.matches()

    noted = await within(None, note)
    assert [(match.match, match.seat, match.group) for match in noted.matches] == [(created.match, 0, "open")]
    assert match_lines(noted)[0] == "Open: 1"
    assert "Sunday  Ada – …" in match_lines(noted)[1]
    assert not (await within(None, forget)).matches


@live
async def test_an_account_is_renamed_exported_and_deleted(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")

    async def act(session: Session) -> bool:
        assert (await session.rename("Cleo")).handle == "Cleo"
        assert (await session.export())["former"][0]["handle"] == "Anja"
        with pytest.raises(Refused):
            await session.delete("Anja")
        return await session.delete("Cleo")

    assert await within(None, act)
    with pytest.raises(Refused):
        await enter(url, "", "laptop", "", "")


def test_a_device_is_named_by_its_name_or_its_key() -> None:
    account = Account(
        "Anja", (Device("abcd", "phone", 1), Device("abef", "phone", 1), Device("xy", "tablet", 1, revoked_ms=2))
    )
    assert found_device(account, "abc").key == "abcd"
    for named in ("phone", "ab", "tablet", "xy", ""):
        with pytest.raises(Amiss):
            found_device(account, named)
    assert len(device_lines(account)) == 2


def test_a_list_without_matches_says_how_one_comes_into_it() -> None:
    assert match_lines(OwnMatches((), {})) == ["No match is noted yet: herald my seat LINK"]
    ended = OwnMatch("m" * 22, 0, "skirmish", "", "finished", ("Ada", "Bo"), 0, 0, "seat 0: won", 0, "won", 78.6)
    void = OwnMatch("m" * 22, 0, "skirmish", "", "finished", ("Ada", "Bo"), 0, 0, "draw: void: ended", 0, "void")
    lines = match_lines(OwnMatches((ended, void), {"finished": 2}))
    assert (lines[1].endswith("Won  +79"), lines[2].endswith("Void")) == (True, True)


@pytest.mark.parametrize("link", ["nonsense", "http://[::1/play#m=M&t=T", "http://h:x/play#m=M", "x" * 300])
def test_what_is_no_link_is_named_in_a_sentence(link: str) -> None:
    told = run("my", "seat", link)
    assert (told.exit_code, told.exception is None or isinstance(told.exception, SystemExit)) == (1, True)
    assert "no link to a match" in told.output or "no server's address" in told.output


def test_a_refusal_is_a_sentence_in_the_language_of_the_command() -> None:
    async def refused() -> None:
        raise Refused("account-refused", "A handle has 2 to 24 characters.")

    async def closed() -> None:
        raise Closed(0, "[Errno 111] refused")

    with in_language_of(["--lang", "de"]):
        with pytest.raises(Amiss, match=r"^Ein Name hat 2 bis 24 Zeichen\.$"):
            _run(refused())
        with pytest.raises(Amiss, match="nicht zu erreichen"):
            _run(closed())


@live
async def test_a_seat_is_claimed_once_and_then_shown_to_others(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")
    key = Key()
    created = await Server(url).create("skirmish", [me("Ada", key=key), open_seat()])
    at = Link(url, created.match, created.tokens["0"], key.text)
    line = await claim_seat(url, at, "nobody")
    async with Server(url).watch(created.match) as spectator:
        assert await spectator.persons() == ()
        assert await claim_seat(url, at, "everybody") == line
        (told,) = await spectator.persons()
    assert (told.handle, told.line, told.seat) == ("Anja", line, 0)


@live
async def test_a_seat_without_a_key_is_claimed_by_nobody(url: str) -> None:
    await enter(url, "Anja", "laptop", "", "")
    created = await Server(url).create("skirmish", [me("Ada"), open_seat()])
    with pytest.raises(Refused, match="none that is here"):
        await claim_seat(url, Link(url, created.match, created.tokens["0"]), "everybody")


def test_a_qr_code_in_a_terminal_has_a_light_border_and_no_escapes() -> None:
    rows = qr_lines("http://herald.example/me#code=ABCD").splitlines()
    assert {len(row) for row in rows} == {29 + 2 * 2}
    assert rows[0] == "█" * 33
    assert {row[:2] + row[-2:] for row in rows[:-1]} == {"████"}
    assert set("".join(rows)) == set("█▀▄ ")
