"""Passkeys: made and shown for one server, page, connection and device; dropped at once."""

import json
import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from herald_client import Key
from replay.record import sealing
from replay.store.memory import MemoryStore
from server.people.accounts import Accounts, Proof
from server.people.challenges import SigningPlace, signed_message
from server.people.errors import AccountRefused, SignInRefused
from server.people.passkeys import Passkeys
from tests.server.people.signing import PLACE, signed_up

CHALLENGE = "C" * 43
PRESENT, HOLDS_KEY = 1, 64


class Authenticator:
    """A security key with one passkey, which signs what a page asks it for."""

    def __init__(self, site: str = "herald.example", origin: str = PLACE.origin) -> None:
        self.site, self.origin = site, origin
        self.id = secrets.token_bytes(16)
        self._key = Ed25519PrivateKey.generate()

    def _said(self, kind: str, challenge: bytes) -> bytes:
        said = {"type": f"webauthn.{kind}", "challenge": sealing.b64(challenge), "origin": self.origin}
        return json.dumps({**said, "crossOrigin": False}).encode()

    def _data(self, flags: int) -> bytes:
        return sha256(self.site.encode()).digest() + bytes([flags]) + bytes(4)

    def made(self, challenge: bytes) -> dict[str, Any]:
        """A new credential, without attestation."""
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        cose = bytes.fromhex("a4010103272006215820") + public  # OKP, EdDSA, Ed25519, x
        data = self._data(PRESENT | HOLDS_KEY) + bytes(16) + len(self.id).to_bytes(2) + self.id + cose
        attested = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59" + len(data).to_bytes(2) + data
        said = self._said("create", challenge)
        return self._credential(clientDataJSON=sealing.b64(said), attestationObject=sealing.b64(attested))

    def shown(self, challenge: bytes) -> dict[str, Any]:
        """The passkey's signature."""
        said, data = self._said("get", challenge), self._data(PRESENT)
        signature = self._key.sign(data + sha256(said).digest())
        return self._credential(
            clientDataJSON=sealing.b64(said), authenticatorData=sealing.b64(data), signature=sealing.b64(signature)
        )

    def _credential(self, **response: str) -> dict[str, Any]:
        name = sealing.b64(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}


class At:
    """A server with one person, who has a passkey."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.accounts = Accounts(self.store.people, self.store.devices, lambda: 1)
        self.passkeys = Passkeys(self.store, self.accounts, lambda: 1)
        self.key, self.entered = signed_up(self.accounts)
        self.authenticator = Authenticator()
        self.add(self.authenticator)

    def add(self, authenticator: Authenticator) -> None:
        expected = signed_message("add-passkey", PLACE, CHALLENGE, self.key.public)
        self.passkeys.add(self.entered.person, expected, PLACE, authenticator.made(expected), "phone")

    def enter(self, key: Key, place: SigningPlace = PLACE, *, signer: Key | None = None, expected: bytes = b"") -> str:
        """The person whom a new device gets in as; `expected`: what the authenticator is asked to sign."""
        message = signed_message("passkey-in", PLACE, CHALLENGE, key.public)
        proof = Proof(key.public, (signer or key).sign(message), message)
        shown = self.authenticator.shown(expected or message)
        return self.passkeys.enter(proof, message, place, shown, "tablet").person


@pytest.fixture
def at() -> Iterator[At]:
    made = At()
    yield made
    made.store.close()


def test_a_passkey_lets_a_new_device_in(at: At) -> None:
    device = Key()
    assert at.enter(device) == at.entered.person
    assert {row.key for row in at.store.devices.devices(at.entered.person)} == {at.key.public, device.public}
    assert {row.what for row in at.store.people.notices(at.entered.person)} == {"passkey-added", "passkey-used"}


def test_a_passkey_for_another_page_challenge_or_device_lets_nobody_in(at: At) -> None:
    device = Key()
    with pytest.raises(SignInRefused):  # what it signed was for another device's key
        at.enter(device, expected=signed_message("passkey-in", PLACE, CHALLENGE, Key().public))
    with pytest.raises(SignInRefused):
        at.enter(device, expected=signed_message("passkey-in", PLACE, "D" * 43, device.public))
    with pytest.raises(SignInRefused):
        at.enter(device, SigningPlace("herald.example", "https://other.example"))
    with pytest.raises(SignInRefused):
        at.enter(device, SigningPlace("other.example", PLACE.origin))
    with pytest.raises(SignInRefused):  # the device has not signed
        at.enter(device, signer=Key())
    at.authenticator.id = secrets.token_bytes(16)
    with pytest.raises(SignInRefused):
        at.enter(device)
    assert len(at.store.devices.devices(at.entered.person)) == 1


def test_a_dropped_passkey_lets_nobody_in_and_a_stranger_drops_none(at: At) -> None:
    name = sealing.b64(at.authenticator.id)
    with pytest.raises(AccountRefused):
        at.passkeys.drop("somebody", name)
    at.passkeys.drop(at.entered.person, name)
    with pytest.raises(SignInRefused):
        at.enter(Key())


def test_a_passkey_is_of_one_person_and_made_for_this_page(at: At) -> None:
    with pytest.raises(AccountRefused):
        at.add(at.authenticator)
    for wrong in (Authenticator(origin="https://other.example"), Authenticator("other.example")):
        with pytest.raises(AccountRefused):
            at.add(wrong)
    with pytest.raises(AccountRefused):
        at.passkeys.add(at.entered.person, b"", PLACE, Authenticator().made(b""), "phone")


@pytest.mark.parametrize("credential", [{}, {"id": 1}, {"id": "A", "response": {"attestationObject": "AAAA"}}])
def test_what_is_no_credential_is_refused_and_breaks_nothing(at: At, credential: dict[str, Any]) -> None:
    with pytest.raises(AccountRefused):
        at.passkeys.add(at.entered.person, b"x", PLACE, credential, "phone")
    with pytest.raises(SignInRefused):
        at.passkeys.enter(Proof("", "", b""), b"x", PLACE, credential, "phone")


def test_a_deleted_person_has_no_passkey(at: At) -> None:
    at.store.people.forget(at.entered.person)
    with pytest.raises(SignInRefused):
        at.enter(Key())
