"""A person gets in with a device, a session or a code, each as long as it holds, and nobody else does."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from herald_client import Key
from replay.store.memory import MemoryStore
from server.people.accounts import CHANGES, PAIRING_MS, RESERVED_MS, SESSION_MS, Accounts
from server.people.codes import pairing_number
from server.people.errors import AccountRefused, SignInRefused
from tests.server.people.signing import proof, signed_up

LOW_ORDER = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def store() -> Iterator[MemoryStore]:
    made = MemoryStore()
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(store: MemoryStore, clock: Clock) -> Accounts:
    return Accounts(store.people, store.devices, clock)


def test_who_signed_up_signs_in_by_the_same_key(accounts: Accounts) -> None:
    key, first = signed_up(accounts)
    second = accounts.sign_in(proof(key))
    assert second.person == first.person
    assert second.token != first.token
    assert accounts.session(second.token).key == key.public
    assert (bool(first.recovery), second.recovery) == (True, "")


def test_unknown_wrong_and_revoked_keys_are_answered_alike(accounts: Accounts) -> None:
    key, entered = signed_up(accounts)
    other = Key()
    shown = proof(key)
    wrong = [
        proof(other),
        replace(shown, signature=proof(other).signature),
        replace(shown, message=b""),
        replace(proof(key, challenge="D" * 43), message=shown.message),
        replace(proof(key, "sign-up", "Anja"), message=shown.message),
        replace(shown, key=LOW_ORDER),
        replace(shown, key="A"),
    ]
    accounts.revoke(entered.person, key.public)
    answers = set()
    for each in (*wrong, shown):
        with pytest.raises(SignInRefused) as refused:
            accounts.sign_in(each)
        answers.add(str(refused.value))
    assert len(answers) == 1


def test_nobody_signs_up_without_a_signature(accounts: Accounts) -> None:
    key = Key()
    with pytest.raises(SignInRefused):
        accounts.sign_up(replace(proof(key, "sign-up", "Anja"), signature=proof(Key()).signature), "Anja", "")
    with pytest.raises(SignInRefused):
        accounts.sign_up(replace(proof(key, "sign-up", "Anja"), message=b""), "Anja", "")


@pytest.mark.parametrize("alike", ["Anja", "ANJA", "Аnja", "anjа"])
def test_two_handles_that_look_alike_are_one(accounts: Accounts, alike: str) -> None:
    signed_up(accounts)
    with pytest.raises(AccountRefused, match="looks like it"):
        signed_up(accounts, alike)


def test_a_key_has_one_account(accounts: Accounts) -> None:
    key, _ = signed_up(accounts)
    with pytest.raises(AccountRefused, match="sign in with it"):
        signed_up(accounts, "Bert", key)


@pytest.mark.parametrize(("passed", "holds"), [(SESSION_MS - 1, True), (SESSION_MS, False)])
def test_a_session_lasts_thirty_days(accounts: Accounts, clock: Clock, passed: int, holds: bool) -> None:
    _, entered = signed_up(accounts)
    clock.ms += passed
    if holds:
        assert accounts.session(entered.token).person == entered.person
    else:
        with pytest.raises(SignInRefused):
            accounts.session(entered.token)


def test_a_revoked_device_is_out_of_every_session_at_once(accounts: Accounts) -> None:
    key, entered = signed_up(accounts)
    accounts.revoke(entered.person, key.public)
    with pytest.raises(SignInRefused):
        accounts.session(entered.token)
    with pytest.raises(AccountRefused):
        accounts.revoke(entered.person, key.public)


def test_signing_out_ends_one_session(accounts: Accounts) -> None:
    key, first = signed_up(accounts)
    second = accounts.sign_in(proof(key))
    accounts.sign_out(first.token)
    with pytest.raises(SignInRefused):
        accounts.session(first.token)
    assert accounts.session(second.token).person == first.person


def test_the_recovery_code_lets_a_new_device_in_once_however_it_is_written(
    accounts: Accounts, store: MemoryStore
) -> None:
    _, entered = signed_up(accounts)
    code, new = entered.recovery, Key()
    assert len(code.replace("-", "")) * 5 == 160
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    back = accounts.recover(proof(new, "recover", typed), typed, "new phone")
    assert back.person == entered.person
    assert back.recovery not in {"", code}
    with pytest.raises(SignInRefused):
        accounts.recover(proof(Key(), "recover", code), code, "")
    assert [(row.what, row.about) for row in store.people.notices(entered.person)] == [("recovered", new.public)]


def test_a_renewed_recovery_code_takes_the_former_one_s_place(accounts: Accounts) -> None:
    _, entered = signed_up(accounts)
    fresh = accounts.renew_code(entered.person)
    with pytest.raises(SignInRefused):
        accounts.recover(proof(Key(), "recover", entered.recovery), entered.recovery, "")
    assert accounts.recover(proof(Key(), "recover", fresh), fresh, "").person == entered.person


def test_a_new_device_is_added_when_the_old_one_confirms_its_number(accounts: Accounts, store: MemoryStore) -> None:
    old, entered = signed_up(accounts)
    new = Key()
    code, _ = accounts.offer_pairing(entered.person)
    number = accounts.ask_pairing(proof(new, "ask-pairing", code), code, "tablet")
    assert number == pairing_number(code, new.public) != pairing_number(code, old.public)
    with pytest.raises(SignInRefused):
        accounts.sign_in(proof(new))
    accounts.pair(entered.person, new.public)
    assert accounts.sign_in(proof(new)).person == entered.person
    assert store.people.notices(entered.person)[0].what == "device-added"


@pytest.mark.parametrize(("passed", "holds"), [(PAIRING_MS - 1, True), (PAIRING_MS, False)])
def test_a_code_for_a_device_lasts_ten_minutes(accounts: Accounts, clock: Clock, passed: int, holds: bool) -> None:
    _, entered = signed_up(accounts)
    new = Key()
    code, _ = accounts.offer_pairing(entered.person)
    accounts.ask_pairing(proof(new, "ask-pairing", code), code, "")
    clock.ms += passed
    if holds:
        accounts.pair(entered.person, new.public)
    else:
        with pytest.raises(AccountRefused):
            accounts.pair(entered.person, new.public)


def test_a_deleted_account_takes_no_other_handle(accounts: Accounts, store: MemoryStore) -> None:
    _, entered = signed_up(accounts)
    store.people.forget(entered.person)
    with pytest.raises(AccountRefused, match="deleted"):
        accounts.rename(entered.person, "Cleo")


def test_a_handle_is_changed_a_few_times_and_its_former_ones_are_kept(accounts: Accounts, clock: Clock) -> None:
    _, entered = signed_up(accounts)
    for n in range(CHANGES):
        accounts.rename(entered.person, f"Anja {n}")
    with pytest.raises(AccountRefused, match="too often"):
        accounts.rename(entered.person, "Anja once more")
    with pytest.raises(AccountRefused, match="looks like it"):
        signed_up(accounts, "Anja")
    accounts.rename(entered.person, f"ANJA {CHANGES - 1}")
    clock.ms += RESERVED_MS
    signed_up(accounts, "Anja")
    accounts.rename(entered.person, "Anja once more")
