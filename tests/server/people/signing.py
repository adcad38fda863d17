"""Devices as the tests have them: keys that sign what a server asks for."""

from herald_client import Key
from server.people.accounts import Accounts, Entered, Proof
from server.people.challenges import Place, signed_message

PLACE = Place("herald.example", "https://herald.example")


def proof(key: Key, purpose: str = "sign-in", *said: str, challenge: str = "C" * 43) -> Proof:
    """What a device shows that answers a challenge as it should."""
    message = signed_message(purpose, PLACE, challenge, key.public, *said)
    return Proof(key.public, key.sign(message), message)


def signed_up(accounts: Accounts, handle: str = "Anja", key: Key | None = None) -> tuple[Key, Entered]:
    """A new person's device and session."""
    device = key or Key()
    return device, accounts.sign_up(proof(device, "sign-up", handle), handle, "phone")
