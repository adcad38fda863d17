"""Attacks on accounts at a server: floods, guesses, probing for handles, clocks that are wrong."""

from typing import Any, Final

import anyio
import pytest

from herald_client import Key
from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from server.operations.settings import Limits
from server.people.accounts import Accounts
from server.people.challenges import SigningPlace, signed_message
from server.people.errors import SignInRefused
from server.table import clocks
from server.wire.account_messages import (
    AccountTold,
    AskChallenge,
    AskPairing,
    Challenged,
    Deleted,
    DeleteMe,
    Exported,
    ExportMe,
    OfferPairing,
    Pairing,
    PairingOffered,
    ReadAccount,
    Recover,
    Rename,
    RevokeDevice,
    SignedIn,
    SignIn,
    SignUp,
)
from server.wire.client import Client
from server.wire.protocol import Error, Ping, Pong
from server.wire.safety_messages import Report, Reported, SafetyTold, Shun
from tests.postgres import Instance
from tests.server.gate.signing_up import noted
from tests.server.people.signing import proof, signed_up
from tests.server.tabletop import Table, live, play_out, table

HOUR_MS: Final = 3_600_000
FAST: Final = 1e6
"""So many messages a second that no test waits for a connection's own pace."""


async def shown(client: Client, key: Key, make: type[Any], *said: str, **fields: Any) -> Any:
    """The answer to a message that shows a device's signature."""
    asked = await client.ask(AskChallenge(), Challenged)
    place, purpose = SigningPlace(asked.site, asked.origin), str(make.__struct_config__.tag)
    message = signed_message(purpose, place, asked.challenge, key.public, *said)
    await client.send(make(key=key.public, signature=key.sign(message), **fields))
    return await client.receive()


async def sign_up(client: Client, handle: str, key: Key | None = None) -> Any:
    return await shown(client, key or Key(), SignUp, handle, handle=handle, name="phone")


@live
async def test_of_a_thousand_sign_ups_from_one_address_a_few_get_in_and_others_are_served() -> None:
    limits = Limits(sign_ups_per_minute=5, messages_per_s=FAST, message_burst=FAST)
    async with table(limits=limits) as at:
        found: list[Any] = []

        async def flood(client: Client, first: int) -> None:
            for n in range(first, first + 250):
                found.append(await sign_up(client, f"Crowd{n}"))

        clients = [await at.client() for _ in range(4)]
        async with anyio.create_task_group() as tasks:
            for n, client in enumerate(clients):
                tasks.start_soon(flood, client, 250 * n)
            stranger = await at.client()
            await stranger.ask(Ping(1), Pong)
        made = [each for each in found if isinstance(each, SignedIn)]
        refused = [each for each in found if isinstance(each, Error)]
        assert len(made) + len(refused) == 1000
        assert 1 <= len(made) <= 2 * limits.sign_ups_per_minute
        assert {(each.code, "address" in each.why) for each in refused} == {("too-often", True)}
        told = await clients[0].ask(ReadAccount(session=made[0].session), AccountTold)
        assert told.handle == made[0].handle


@live
async def test_handles_are_not_hoarded_and_nobody_takes_one_that_looks_like_another() -> None:
    async with table(limits=Limits(sign_ups_per_minute=60)) as at:
        client = await at.client()
        anja = await sign_up(client, "Anja")
        for n in range(5):
            await client.ask(Rename(session=anja.session, handle=f"Anja{n}"), AccountTold)
        await client.send(Rename(session=anja.session, handle="Anja9"))
        refused: Any = await client.receive()
        assert (type(refused), refused.code) == (Error, "account-refused")
        assert "too often" in refused.why
        for taken in ("Anja", "ANJA4", "\u0410nja", "Anja3"):
            refused = await sign_up(client, taken)
            assert (type(refused), refused.code) == (Error, "account-refused"), taken
        assert isinstance(await sign_up(client, "Bert"), SignedIn)


@live
async def test_a_device_that_is_revoked_is_out_over_a_socket_that_is_open_and_signs_in_no_more() -> None:
    async with table() as at:
        lost, phone, client = Key(), await at.client(), await at.client()
        anja = await sign_up(phone, "Anja", lost)
        new = Key()
        mine = await shown(client, new, Recover, anja.recovery, code=anja.recovery, name="new")
        await client.ask(RevokeDevice(session=mine.session, key=lost.public), AccountTold)
        await phone.send(ReadAccount(session=anja.session))
        refused: Any = await phone.receive()
        assert (type(refused), refused.code) == (Error, "sign-in-refused")
        again = await shown(phone, lost, SignIn)
        assert (type(again), again.code) == (Error, "sign-in-refused")
        assert isinstance(await shown(client, new, SignIn), SignedIn)


@live
async def test_codes_are_guessed_at_a_pace_and_every_wrong_one_is_answered_alike() -> None:
    limits = Limits(sign_ins_per_minute=12, wrong_token_s=0.0, messages_per_s=FAST, message_burst=FAST)
    async with table(limits=limits) as at:
        client = await at.client()
        anja = await sign_up(client, "Anja")
        guesser, offered = client, await client.ask(OfferPairing(session=anja.session), PairingOffered)
        guesses = [
            (Recover, anja.recovery[:-1]),
            (AskPairing, offered.code[:-1]),
            (Recover, anja.recovery[::-1]),
            (AskPairing, "X"),
        ]
        guesses += [((Recover, AskPairing)[n % 2], f"WRONG-{n}") for n in range(30)]
        found = []
        for n, (make, code) in enumerate(guesses):
            # a connection is closed after ten wrong ones (4003), so whoever guesses comes again
            guesser = guesser if n % 8 else await at.client()
            found.append(await shown(guesser, Key(), make, code, code=code, name="guess"))
        assert {type(each) for each in found} == {Error}
        assert {each.code for each in found} == {"sign-in-refused", "too-often"}
        looked_at = [each.why for each in found if each.code == "sign-in-refused"]
        assert len(looked_at) <= 2 * limits.sign_ins_per_minute
        assert len(set(looked_at)) == 1
        # from this address not even the right code is looked at now, so a flood of guesses finds nothing
        late = await shown(await at.client(), Key(), Recover, anja.recovery, code=anja.recovery, name="mine")
        assert (type(late), late.code) == (Error, "too-often")
        assert (await client.ask(ReadAccount(session=anja.session), AccountTold)).handle == "Anja"


def asked_of(store: MemoryStore) -> tuple[Accounts, list[str]]:
    """Accounts over a store that writes down what it is asked."""
    told: list[str] = []

    class Part:
        def __init__(self, part: object) -> None:
            self._part = part

        def __getattr__(self, name: str) -> Any:
            told.append(name)
            return getattr(self._part, name)

    people: Any = Part(store.people)
    devices: Any = Part(store.devices)
    return Accounts(people, devices, lambda: 1), told


def test_signing_in_asks_the_store_the_same_for_known_unknown_and_revoked_keys() -> None:
    accounts, told = asked_of(MemoryStore())
    (known, _), (revoked, other) = signed_up(accounts, "Anja"), signed_up(accounts, "Bert")
    accounts.revoke(other.person, revoked.public)

    def asked(key: Key, signer: Key) -> list[str]:
        right = proof(signer)
        told.clear()
        try:
            accounts.sign_in(type(right)(key.public, right.signature, proof(key).message))
        except SignInRefused:
            return [*told]
        return [*told]

    stranger = Key()
    assert asked(known, known) == asked(revoked, revoked) == asked(stranger, stranger)
    assert asked(known, stranger) == asked(revoked, stranger) == asked(stranger, known)


@pytest.mark.parametrize("off", [HOUR_MS, -HOUR_MS])
@live
async def test_a_clock_that_is_an_hour_wrong_lets_nobody_in_and_throws_nobody_out(off: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        store, key, right = MemoryStore(), Key(), clocks.now_ms
        async with table(store) as at:
            client = await at.client()
            anja = await sign_up(client, "Anja", key)
            offered = await client.ask(OfferPairing(session=anja.session), PairingOffered)
            asked = await client.ask(AskChallenge(), Challenged)
            patch.setattr(clocks, "now_ms", lambda: right() + off)
            # the challenge was drawn before the clock was set, and another one times it
            said = signed_message("sign-in", SigningPlace(asked.site, asked.origin), asked.challenge, key.public)
            await client.ask(SignIn(key=key.public, signature=key.sign(said)), SignedIn)
        patch.setattr(clocks, "SteadyClock", lambda *_: lambda: right() + off)
        async with table(store) as at:
            client = await at.client()
            assert (await client.ask(ReadAccount(session=anja.session), AccountTold)).handle == "Anja"
            assert isinstance(await shown(client, key, SignIn), SignedIn)
            assert isinstance(await shown(client, Key(), SignIn), Error)
            paired = await shown(client, Key(), AskPairing, offered.code, code=offered.code, name="new")
            # by this server's clock the ten minutes of the code are over, or are not
            assert isinstance(paired, Error if off > 0 else Pairing)


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_a_deleted_person_is_in_no_table_of_a_postgresql(postgres: Instance) -> None:
    store, words = PostgresStore(postgres.emptied()), list[str]()

    @live
    async def deleted() -> None:
        async with table(store) as at:
            await noted_and_deleted(at)

    async def noted_and_deleted(at: Table) -> None:
        made, client = await at.create(), await at.client()
        session = await noted(client, made, 1, "Zaunkoenigin")
        await client.ask(Rename(session=session, handle="Zaunkoenig"), AccountTold)
        anja = await noted(await at.client(), made, 0, "Anja")
        await (await at.client()).ask(Shun(session=anja, kind="block", handle="Zaunkoenig"), SafetyTold)
        ada = await at.player(made, 0)
        await ada.client.ask(Report(why="Slow", who="seat1"), Reported)
        told = await client.ask(ExportMe(session=session), Exported)
        words.extend(("aunkoenig", told.person, told.devices[0].key))
        held = await anyio.to_thread.run_sync(postgres.dumped)
        assert [word for word in words if word in held] == words, "all of it is there before"
        await client.ask(DeleteMe(session=session, handle="Zaunkoenig"), Deleted)
        assert await play_out([await at.player(made, 0), await at.player(made, 1)], 1) > 0

    try:
        deleted()
        held = postgres.dumped()
        assert "Anja" in held
        assert [word for word in words if word in held] == []
    finally:
        store.close()
