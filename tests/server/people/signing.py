"""Devices for the tests: keys that sign a server's challenges."""

from herald_client import Key
from server.people.accounts import Accounts, Entered, Proof
from server.people.challenges import SigningPlace, signed_message
from server.wire.account_messages import AskChallenge, Challenged, SignedIn, SignUp
from server.wire.client import Client

PLACE = SigningPlace("herald.example", "https://herald.example")


def proof(key: Key, purpose: str = "sign-in", *said: str, challenge: str = "C" * 43) -> Proof:
    """The right answer of a device to a challenge."""
    message = signed_message(purpose, PLACE, challenge, key.public, *said)
    return Proof(key.public, key.sign(message), message)


def signed_up(accounts: Accounts, handle: str = "Anja", key: Key | None = None) -> tuple[Key, Entered]:
    """A new person's device and session."""
    device = key or Key()
    return device, accounts.sign_up(proof(device, "sign-up", handle), handle, "phone")


async def registered(client: Client, handle: str) -> str:
    """The session of a new person at a server."""
    key, asked = Key(), await client.ask(AskChallenge(), Challenged)
    said = signed_message("sign-up", SigningPlace(asked.site, asked.origin), asked.challenge, key.public, handle)
    wish = SignUp(key=key.public, signature=key.sign(said), handle=handle, name="phone")
    return (await client.ask(wish, SignedIn)).session
