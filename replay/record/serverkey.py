"""The server's signing keys (docs/record.md 5): one is current; old ones are kept so that old matches can be
checked.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_sign, crypto_sign_seed_keypair

from replay.record import sealing
from replay.record.errors import KeyInvalid
from replay.record.signing import is_signed

PUBLIC_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
STAMP_BYTES: Final = PUBLIC_BYTES + SIGNATURE_BYTES
_NAME: Final = re.compile(r"(\d{4})-[0-9a-f]{16}\.pem")


def fingerprint(public: bytes) -> str:
    """A short form of a public key for people to compare: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def is_stamped(message: bytes, stamp: bytes) -> bool:
    """Whether the stamp, a public key and a signature, is valid for the message."""
    if len(stamp) != STAMP_BYTES:
        return False
    return is_signed(stamp[:PUBLIC_BYTES], message, stamp[PUBLIC_BYTES:])


class ServerKey:
    """One Ed25519 key."""

    def __init__(self, number: int, private: Ed25519PrivateKey) -> None:
        self.number = number
        # libsodium signs faster, in two thirds of the time; `cryptography` reads and writes the key's file.
        self.public, self._secret = crypto_sign_seed_keypair(private.private_bytes_raw())

    def __repr__(self) -> str:
        return f"ServerKey({self.number}, {self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """See `fingerprint`."""
        return fingerprint(self.public)

    @property
    def text(self) -> str:
        """The public key as base64url."""
        return sealing.b64(self.public)

    def stamp(self, message: bytes) -> bytes:
        """The public key and its signature over the message, as the referee's `sign` needs them."""
        return self.public + crypto_sign(message, self._secret)[:SIGNATURE_BYTES]


class KeyRing:
    """The keys in a directory (0700), one file each (0600); the highest number is current.

    If there is no key, the first is made. Raises `KeyInvalid` for files that others may read or that are no keys, and
    if this user may not read or write.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        with _told(directory):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.keys = tuple(_load(file) for file in key_files(directory))
        if not self.keys:
            self.rotate()

    @classmethod
    def beside(cls, database: Path) -> "KeyRing":
        """The keys of a database, in `<database>.keys`."""
        return cls(database.with_name(database.name + ".keys"))

    @property
    def current(self) -> ServerKey:
        """The key that signs."""
        return self.keys[-1]

    def find(self, public: bytes) -> ServerKey | None:
        """The key with this public part, if it is or was one of this server's."""
        return next((key for key in self.keys if key.public == public), None)

    def rotate(self) -> ServerKey:
        """Make a new key, which signs after the next start; the old ones stay. Raises `KeyInvalid`."""
        number = self.keys[-1].number + 1 if self.keys else 1
        private = Ed25519PrivateKey.generate()
        key = ServerKey(number, private)
        data = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path = self.directory / f"{number:04}-{key.fingerprint}.pem"
        with _told(path), os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        self.keys = (*self.keys, key)
        return key


@contextmanager
def _told(place: Path) -> Iterator[None]:
    """Turn a system error into a `KeyInvalid`."""
    try:
        yield
    except OSError as wrong:
        todo = "give the server's keys to the user who serves"
        raise KeyInvalid(f"{wrong.filename or place}: {wrong.strerror}; {todo}") from wrong


def key_files(directory: Path) -> list[Path]:
    """The files of the keys in a directory, the current one last; none if there is no directory."""
    if not directory.is_dir():
        return []
    return sorted(file for file in directory.iterdir() if _NAME.fullmatch(file.name))


def _load(file: Path) -> ServerKey:
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise KeyInvalid(f"{file} may be read by others than its owner; run: chmod 600 {file}")
    try:
        private = serialization.load_pem_private_key(file.read_bytes(), None)
    except (ValueError, TypeError) as wrong:
        raise KeyInvalid(f"{file} is not a private key: {wrong}") from wrong
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyInvalid(f"{file} is not an Ed25519 key")
    key = ServerKey(int(file.name[:4]), private)
    if key.fingerprint not in file.name:
        raise KeyInvalid(f"{file} holds the key {key.fingerprint}, not the one it is named for")
    return key
