"""Accounts: sign-up, sign-in, sessions, handles, devices and recovery codes of the persons in a store."""

import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from replay.record import sealing
from replay.record.ed25519 import is_public_key
from replay.record.signing import is_signed_text
from replay.store.errors import RowExists
from replay.store.side_tables.devices import DeviceRow, DeviceStore, PairingRow, SessionRow
from replay.store.side_tables.people import NameRow, NoticeRow, People
from server.people.codes import PAIRING_BITS, RECOVERY_BITS, code_hash, new_code, pairing_number
from server.people.errors import AccountRefused, SignInRefused
from server.people.handles import assert_handle
from server.wire.text import skeleton, visible

DAY_MS: Final = 86_400_000
SESSION_MS: Final = 30 * DAY_MS
PAIRING_MS: Final = 10 * 60_000
RESERVED_MS: Final = 90 * DAY_MS
"""The time for which nobody else may take a handle that its holder has given up."""
CHANGES: Final = 5
"""How often a handle may be changed in `RESERVED_MS`: each change reserves one more handle."""
ID_BYTES: Final = 16
TOKEN_BYTES: Final = 32

NOT_IN: Final = "That does not let you in: the key is not known here, was revoked, or did not sign this challenge."
NO_SESSION: Final = "You are not signed in any more; sign in again."
NO_CODE: Final = "This code opens nothing: it was used, is over, or is not whole."
DELETED: Final = "This account has been deleted."
TAKEN: Final = "Somebody has this handle, or one that looks like it; choose another."
KNOWN: Final = "This key has an account here already; sign in with it."


class Proof(Struct, frozen=True):
    """A device's key, its signature, and the message that it should have signed; empty if no message was requested."""

    key: str
    signature: str
    message: bytes

    def is_right(self) -> bool:
        """Whether the key is valid, so that only one signature fits, and whether it has signed the message."""
        try:
            is_key = is_public_key(sealing.unb64(self.key))
        except (ValueError, TypeError):
            is_key = False
        is_signed = is_signed_text(self.key, self.message, self.signature)
        return is_key and is_signed and bool(self.message)

    def __repr__(self) -> str:
        return f"Proof({self.key!r})"


class Entered(Struct, frozen=True):
    """A new session: its token, its end, the person, and a recovery code; token and code are shown only once."""

    token: str
    until: int
    person: str
    recovery: str = ""

    def __repr__(self) -> str:
        return f"Entered({self.person})"


class Accounts:
    """The persons of a server. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, people: People, devices: DeviceStore, now: Callable[[], int]) -> None:
        self._people, self._devices, self._now = people, devices, now

    def sign_up(self, proof: Proof, handle: str, name: str) -> Entered:
        """A new person with a handle and a first device.

        Raises `SignInRefused` for a wrong proof, and `AccountRefused` for a handle or key that cannot be taken.
        """
        if not proof.is_right():
            raise SignInRefused(NOT_IN)
        assert_handle(handle)
        person, code, at = sealing.b64(secrets.token_bytes(ID_BYTES)), new_code(RECOVERY_BITS), self._now()
        row = NameRow(person, handle, skeleton(handle), at)
        device = DeviceRow(proof.key, person, visible(name), at, at)
        try:
            if not self._people.sign_up(row, device, code_hash("recovery", code)):
                raise AccountRefused(TAKEN)
        except RowExists as wrong:
            raise AccountRefused(KNOWN) from wrong
        return self._entered(person, proof.key, code)

    def sign_in(self, proof: Proof) -> Entered:
        """A session of a known device. Raises `SignInRefused`, with the same words and the same work for every
        cause.
        """
        is_right = proof.is_right()
        device = self._devices.device(proof.key)
        if not is_right:
            raise SignInRefused(NOT_IN)
        return self._entered(device.person if device is not None else "", proof.key)

    def recover(self, proof: Proof, code: str, name: str) -> Entered:
        """A session of a new device, by the recovery code, which is void afterwards; the session comes with a new code.
        Raises as `sign_up`.
        """
        is_right, former = proof.is_right(), code_hash("recovery", code)
        person = self._people.by_recovery(former)
        if not is_right or not person:
            raise SignInRefused(NO_CODE)
        at, fresh = self._now(), new_code(RECOVERY_BITS)
        device = DeviceRow(proof.key, person, visible(name), at, at)
        try:
            if not self._people.recover(device, former, code_hash("recovery", fresh)):
                raise AccountRefused("This code was used at this moment, or there are devices enough; revoke one.")
        except RowExists as wrong:
            raise AccountRefused(KNOWN) from wrong
        self._note(person, "recovered", proof.key)
        return self._entered(person, proof.key, fresh)

    def begin(self, person: str, key: str) -> Entered:
        """A session of a device that was let in just now. Raises `SignInRefused`."""
        return self._entered(person, key)

    def _entered(self, person: str, key: str, recovery: str = "") -> Entered:
        token, at = secrets.token_urlsafe(TOKEN_BYTES), self._now()
        if not self._devices.begin_session(SessionRow(session_hash(token), person, key, at, at + SESSION_MS)):
            raise SignInRefused(NOT_IN)
        return Entered(token, at + SESSION_MS, person, recovery)

    def session(self, token: str) -> SessionRow:
        """The session of a token. Raises `SignInRefused`."""
        found = self._devices.session(session_hash(token), self._now())
        if found is None:
            raise SignInRefused(NO_SESSION)
        return found

    def sign_out(self, token: str) -> None:
        """End a session."""
        self._devices.end_session(session_hash(token))

    def rename(self, person: str, handle: str) -> None:
        """Give a person another handle. Raises `AccountRefused`."""
        assert_handle(handle)
        former = self._people.handles(person)
        if not former:
            raise AccountRefused(DELETED)
        if former[0].handle == handle:
            return
        is_same = former[0].skeleton == skeleton(handle)
        if not is_same and sum(row.until > self._now() for row in former) >= CHANGES:
            raise AccountRefused("You have changed your handle too often; keep this one for a while.")
        row = NameRow(person, handle, skeleton(handle), self._now())
        if not self._people.rename(row, self._now() + RESERVED_MS):
            raise AccountRefused(TAKEN)
        self._note(person, "handle", former[0].handle)

    def revoke(self, person: str, key: str) -> None:
        """Bar a device of the person, from now on and everywhere. Raises `AccountRefused`."""
        if not self._devices.revoke(person, key, self._now()):
            raise AccountRefused("You have no such device, or it was revoked before.")
        self._note(person, "device-revoked", key)

    def renew_code(self, person: str) -> str:
        """A new recovery code, shown only once; the earlier one is void."""
        code = new_code(RECOVERY_BITS)
        self._people.renew_recovery(person, code_hash("recovery", code))
        self._note(person, "code-renewed", "")
        return code

    def offer_pairing(self, person: str) -> tuple[str, int]:
        """A code by which one new device may ask to become the person's, and the end of its validity."""
        code, until = new_code(PAIRING_BITS), self._now() + PAIRING_MS
        self._devices.offer_pairing(PairingRow(code_hash("pairing", code), person, until))
        return code, until

    def ask_pairing(self, proof: Proof, code: str, name: str) -> str:
        """Take a new device's request by a code; returns the number that both devices show. Raises `SignInRefused`."""
        is_right = proof.is_right()
        hashed = code_hash("pairing", code)
        if not is_right or not self._devices.ask_pairing(hashed, proof.key, visible(name), self._now()):
            raise SignInRefused(NO_CODE)
        return pairing_number(code, proof.key)

    def pair(self, person: str, key: str) -> None:
        """Add the device that has asked, once the person has compared the numbers. Raises `AccountRefused`."""
        try:
            is_added = self._devices.pair(person, key, self._now())
        except RowExists as wrong:
            raise AccountRefused(KNOWN) from wrong
        if not is_added:
            raise AccountRefused("No such device waits, its code is over, or you have devices enough; revoke one.")
        self._note(person, "device-added", key)

    def _note(self, person: str, what: str, about: str) -> None:
        self._people.note(NoticeRow(person, self._now(), what, about))


def session_hash(token: str) -> bytes:
    """The hash of a session's token that the store keeps."""
    return sealing.tagged_hash("person/session", token.encode())
