"""Passkeys: a second way into an account, checked as WebAuthn requires (W3C, level 3) if `webauthn` is installed."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from replay.record import sealing
from replay.store.errors import RowExists
from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.passkeys import PASSKEYS, PasskeyRow
from replay.store.side_tables.people import NoticeRow
from replay.store.store import Store
from server.people.accounts import KNOWN, NOT_IN, Accounts, Entered, Proof
from server.people.challenges import SigningPlace
from server.people.errors import AccountRefused, SignInRefused
from server.wire.text import visible

ID_BYTES: Final = 1023
"""The largest number of bytes of a credential's id (WebAuthn 4)."""
NOT_HERE: Final = "This server takes no passkeys; its operator can install them (herald[passkeys])."
NO_PASSKEY: Final = "The passkey was not made for this page and this challenge, or is known already; try again."
TOO_MANY: Final = f"You have {PASSKEYS} passkeys, and no more are kept; drop one."


def are_possible() -> bool:
    """Whether passkeys can be checked here."""
    return find_spec("webauthn") is not None


class Passkeys:
    """The passkeys of persons. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, store: Store, accounts: Accounts, now: Callable[[], int]) -> None:
        self._store, self._accounts, self._now = store, accounts, now

    def add(self, person: str, expected: bytes, place: SigningPlace, credential: dict[str, Any], name: str) -> None:
        """Store a new passkey that has signed the expected challenge. Raises `AccountRefused`."""
        if not are_possible():
            raise AccountRefused(NOT_HERE)
        made = _registered(expected, place, credential) if expected else None
        if made is None:
            raise AccountRefused(NO_PASSKEY)
        row = PasskeyRow(*made, person, visible(name), self._now(), 0)
        try:
            is_kept = self._store.passkeys.add(row)
        except RowExists as wrong:
            raise AccountRefused(NO_PASSKEY) from wrong
        if not is_kept:
            raise AccountRefused(TOO_MANY)
        self._note(person, "passkey-added", row.name)

    def enter(
        self, proof: Proof, expected: bytes, place: SigningPlace, credential: dict[str, Any], name: str
    ) -> Entered:
        """Add a device by a passkey, and begin its session.

        Raises `SignInRefused` for a wrong proof, and `AccountRefused` for a device that cannot be added.
        """
        if not are_possible():
            raise AccountRefused(NOT_HERE)
        is_right = proof.is_right()
        row = self._store.passkeys.passkey(str(credential.get("id", "")))
        if not is_right or row is None or not _has_signed(row, expected, place, credential):
            raise SignInRefused(NOT_IN)
        at = self._now()
        try:
            if not self._store.passkeys.enter(row.id, DeviceRow(proof.key, row.person, visible(name), at, at), at):
                raise AccountRefused("The passkey was dropped at this moment, or there are devices enough; revoke one.")
        except RowExists as wrong:
            raise AccountRefused(KNOWN) from wrong
        self._note(row.person, "passkey-used", proof.key)
        return self._accounts.begin(row.person, proof.key)

    def drop(self, person: str, name: str) -> None:
        """Revoke a passkey. Raises `AccountRefused`."""
        if not self._store.passkeys.drop(person, name):
            raise AccountRefused("You have no such passkey.")
        self._note(person, "passkey-dropped", name)

    def _note(self, person: str, what: str, about: str) -> None:
        self._store.people.note(NoticeRow(person, self._now(), what, about))


def _rp_id(place: SigningPlace) -> str:
    """The domain that a passkey is for: the site without its port."""
    return urlsplit(f"//{place.site}").hostname or ""


def _registered(expected: bytes, place: SigningPlace, credential: dict[str, Any]) -> tuple[str, bytes] | None:
    """Id and public key of a new credential; None for an invalid one."""
    from webauthn import verify_registration_response  # noqa: PLC0415 - where it is installed

    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=expected,
            expected_rp_id=_rp_id(place),
            expected_origin=place.origin,
        )
    except Exception:  # whatever a stranger's bytes do to a parser, they are no passkey
        return None
    return (
        (sealing.b64(made.credential_id), made.credential_public_key) if len(made.credential_id) <= ID_BYTES else None
    )


def _has_signed(row: PasskeyRow, expected: bytes, place: SigningPlace, credential: dict[str, Any]) -> bool:
    """Whether a known passkey has signed the expected challenge. Its counter is ignored: passkeys that are kept on
    several devices do not count (WebAuthn 6.1.1).
    """
    from webauthn import verify_authentication_response  # noqa: PLC0415 - where it is installed

    try:
        verify_authentication_response(
            credential=credential,
            expected_challenge=expected,
            expected_rp_id=_rp_id(place),
            expected_origin=place.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=0,
        )
    except Exception:  # a parser may fail in any way, as above
        return False
    return bool(expected)
