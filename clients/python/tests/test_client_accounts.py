"""An account by a key, against a server of its own."""

import secrets

import pytest
from conftest import live

from herald_client import AccountDoor, Closed, Key, Refused
from herald_client.accounts import pairing_number, signed_message


def fresh_handle() -> str:
    return f"Anja {secrets.token_hex(4)}"


def test_an_account_is_made_entered_and_deleted(url: str) -> None:
    @live
    async def run() -> None:
        door, handle = AccountDoor(url, Key()), fresh_handle()
        entered = await door.sign_up(handle, "phone")
        assert (entered.handle, len(entered.recovery.split("-"))) == (handle, 8)
        with pytest.raises(Refused, match="account-refused"):
            await AccountDoor(url, Key()).sign_up(handle.upper(), "phone")
        async with door.session() as session:
            assert (await session.account()).devices[0].here
            assert await session.delete(handle)
        with pytest.raises(Refused, match="sign-in-refused"):
            async with door.session():
                pass

    run()


def test_a_device_asks_and_is_confirmed_or_comes_by_the_code(url: str) -> None:
    @live
    async def run() -> None:
        door, new = AccountDoor(url, Key()), AccountDoor(url, Key())
        code = (await door.sign_up(fresh_handle(), "phone")).recovery
        async with door.session() as session:
            offered = await session.offer_pairing()
            number = await new.ask_pairing(offered.code.lower(), "tablet")
            asks = (await session.account()).asks
            assert asks is not None
            assert number == pairing_number(offered.code, asks.key)
            assert len((await session.confirm_pairing(asks.key)).devices) == 2
            await session.revoke(new.key.public)
        with pytest.raises(Refused, match="sign-in-refused"):
            async with new.session():
                pass
        back = await AccountDoor(url, Key()).recover(code, "new phone")
        assert back.recovery != code

    run()


def test_nothing_is_signed_for_a_server_that_was_called_otherwise(url: str) -> None:
    @live
    async def run() -> None:
        door = AccountDoor(url, Key())
        door.site = "herald.example"
        with pytest.raises(Refused, match="nothing was signed"):
            await door.sign_up("Anja", "phone")

    run()


def test_where_there_is_no_server_the_account_is_closed() -> None:
    @live
    async def run() -> None:
        with pytest.raises(Closed):
            await AccountDoor("http://127.0.0.1:1", Key()).sign_up("Anja", "phone")

    run()


def test_a_site_is_called_as_a_browser_would_call_it() -> None:
    assert AccountDoor("https://me@herald.example:443/play", Key()).site == "herald.example"
    assert AccountDoor("http://herald.example:8000", Key()).site == "herald.example:8000"


def test_what_is_signed_is_what_the_page_about_people_says() -> None:
    message = signed_message("sign-in", "herald.example", "C" * 43, "K" * 43)
    assert message.hex() == "287468c172b0664c57d7d818a0d3652afd18eec3ca8e0b709a52b60778529d7d"
