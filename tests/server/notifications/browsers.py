"""A browser's side of Web Push: Browser, raw."""

import base64

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.notifications import push
from server.notifications.push import Subscription, private_key, public_text


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A subscription, and the browser's side of it."""

    def __init__(self) -> None:
        self._key, self._auth = private_key(push.new_key()), b"a" * 16
        auth = base64.urlsafe_b64encode(self._auth).rstrip(b"=").decode()
        self.subscription = Subscription(public_text(self._key), auth)

    def read(self, body: bytes) -> bytes:
        """The text of a message (RFC 8291, 3; RFC 8188, 2). Raises `InvalidTag`."""
        salt, size, point = body[:16], int.from_bytes(body[16:20], "big"), body[21 : 21 + body[20]]
        assert len(body) - 21 - len(point) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        shared = self._key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + raw(self.subscription.p256dh) + point
        material = HKDF(hashes.SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(material)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(material)
        told = AESGCM(key).decrypt(nonce, body[21 + len(point) :], None)
        assert told.endswith(b"\x02")
        return told[:-1]
