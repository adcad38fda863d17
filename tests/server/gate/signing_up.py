"""Persons over the wire: a new one, and one who has noted a seat."""

from herald_client import Key
from server.people.challenges import SigningPlace, signed_message
from server.wire.account_messages import AskChallenge, Challenged, Done, KeepSeat, SignedIn, SignUp
from server.wire.client import Client
from server.wire.protocol import Created


async def signed_up(client: Client, handle: str) -> str:
    """The session of a new person."""
    key, asked = Key(), await client.ask(AskChallenge(), Challenged)
    said = signed_message("sign-up", SigningPlace(asked.site, asked.origin), asked.challenge, key.public, handle)
    wish = SignUp(key=key.public, signature=key.sign(said), handle=handle, name="phone")
    return (await client.ask(wish, SignedIn)).session


async def noted(client: Client, created: Created, seat: int, handle: str) -> str:
    """The session of a new person who has noted a seat."""
    session = await signed_up(client, handle)
    token = created.tokens[str(seat)]
    await client.ask(KeepSeat(session=session, match=created.match, token=token), Done)
    return session
