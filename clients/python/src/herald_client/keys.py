"""A seat's key, which signs its holder's acts (docs/record.md 5), and the place of keys between two sessions."""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol

from nacl.exceptions import CryptoError
from nacl.signing import SigningKey, VerifyKey

from herald_client.errors import BadLink
from herald_client.record import KEY_BYTES, SIGNATURE_BYTES, b64, u8, unb64

PKCS8: Final = bytes.fromhex("302e020100300506032b657004220420")
"""The bytes before the 32 bytes of an Ed25519 key (RFC 8410), as browsers keep it."""


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the Ed25519 signature is the key's over the message."""
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        VerifyKey(key).verify(message, signature)
    except CryptoError:
        return False
    return True


class Key:
    """An Ed25519 key; a new one unless its 32 bytes are given. It must be stored: nobody else has it."""

    def __init__(self, seed: bytes = b"") -> None:
        self._key = SigningKey(seed) if seed else SigningKey.generate()

    @classmethod
    def read(cls, text: str) -> "Key":
        """The key that `text` wrote, or that a seat's link contains (`k=`). Raises `BadLink`."""
        try:
            data = unb64(text)
        except ValueError:
            data = b""
        if len(data) != len(PKCS8) + KEY_BYTES or not data.startswith(PKCS8):
            raise BadLink("The key is not whole; copy the link with it (k=…) again.")
        return cls(data.removeprefix(PKCS8))

    @property
    def text(self) -> str:
        """The private key as base64url of PKCS #8: for a link, or for another machine. Anybody who has it can act as
        the seat.
        """
        return b64(PKCS8 + bytes(self._key))

    @property
    def public(self) -> str:
        """The public key, as the record has it."""
        return b64(bytes(self._key.verify_key))

    def sign(self, message: bytes) -> str:
        """The signature over a message."""
        return b64(self._key.sign(message).signature)

    def share(self, mid: bytes, seat: int) -> bytes:
        """A seat's share of chance, derived from the key, so that only the key has to be kept."""
        return sha256(b"herald share\0" + bytes(self._key) + mid + u8(seat)).digest()

    def __repr__(self) -> str:
        return f"Key({self.public})"


class Keys(Protocol):
    """The store of keys, by the token of their seat."""

    def of(self, token: str) -> Key | None:
        """The key that is kept for a seat."""
        ...

    def keep(self, token: str, key: Key) -> None:
        """Store a seat's key, replacing any other."""
        ...

    def forget(self, token: str) -> None:
        """Forget the key of a seat."""
        ...


class MemoryKeys:
    """Keys in memory, which are lost when the program ends."""

    def __init__(self) -> None:
        self._kept: dict[str, Key] = {}

    def of(self, token: str) -> Key | None:
        """See `Keys`."""
        return self._kept.get(token)

    def keep(self, token: str, key: Key) -> None:
        """See `Keys`."""
        self._kept[token] = key

    def forget(self, token: str) -> None:
        """See `Keys`."""
        self._kept.pop(token, None)


class FileKeys:
    """Keys in a folder, each in a separate file that nobody else may read; the name does not reveal the token."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _file(self, token: str) -> Path:
        return self._folder / f"{sha256(token.encode()).hexdigest()[:32]}.key"

    def of(self, token: str) -> Key | None:
        """See `Keys`. Raises `BadLink` if the file holds no key."""
        with suppress(FileNotFoundError):
            return Key.read(self._file(token).read_text(encoding="ascii").strip())
        return None

    def keep(self, token: str, key: Key) -> None:
        """See `Keys`. The key is written to disk under another name before it replaces the existing one."""
        self._folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        file = self._file(token)
        fresh = file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
            out.write(key.text + "\n")
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(file)

    def forget(self, token: str) -> None:
        """See `Keys`."""
        self._file(token).unlink(missing_ok=True)
