"""Web Push (RFC 8030): a payload that only the browser reads (RFC 8291), signed with the server's key (RFC 8292)."""

import base64
import json
import secrets
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct

from server.notifications.errors import NoticeRefused

RECORD: Final = 4096
"""The size in bytes of the one record of which a payload consists."""
PADDED: Final = 3072
"""The size in bytes of every payload, so that its length reveals nothing."""
TTL_S: Final = 86_400
"""The time for which a push service keeps a message for a browser that is off."""
TOKEN_S: Final = 12 * 3600
MOVES: Final = "moves"
"""The name of messages that list all moves which wait: a later one takes the place of one that was not shown yet."""
POINT: Final = 65
AUTH: Final = 16
CURVE: Final = ec.SECP256R1()


class Subscription(Struct, frozen=True):
    """The keys that a browser gave: its public key, and a secret that proves a message is for it."""

    p256dh: str
    auth: str

    def __repr__(self) -> str:
        return "Subscription()"


class Served(Struct, frozen=True):
    """A payload as it is sent, with the headers of its request."""

    body: bytes
    headers: dict[str, str]


def new_key() -> bytes:
    """A fresh secret key of a server, 32 bytes."""
    return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32, "big")


def private_key(secret: bytes) -> ec.EllipticCurvePrivateKey:
    """The key with this secret."""
    return ec.derive_private_key(int.from_bytes(secret, "big"), CURVE)


def public_text(key: ec.EllipticCurvePrivateKey) -> str:
    """The public key in the form that browsers take: the point, uncompressed, as base64url."""
    return _text(_point(key))


def checked(subscription: Subscription) -> Subscription:
    """A subscription for which messages can be encrypted. Raises `NoticeRefused`."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _bytes(subscription.p256dh))
        is_whole = len(_bytes(subscription.p256dh)) == POINT and len(_bytes(subscription.auth)) == AUTH
    except (ValueError, TypeError):
        is_whole = False
    if not is_whole:
        raise NoticeRefused("The browser's subscription is not whole; switch it off there and on again.")
    return subscription


def sealed(payload: bytes, subscription: Subscription, salt: bytes, own: ec.EllipticCurvePrivateKey) -> bytes:
    """A payload for one browser: header and one record (RFC 8188, 2; RFC 8291, 3.4). `salt`, `own`: fresh each time."""
    theirs, auth = _bytes(subscription.p256dh), _bytes(subscription.auth)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    info = b"WebPush: info\x00" + theirs + _point(own)
    material = HKDF(hashes.SHA256(), 32, auth, info).derive(shared)
    key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(material)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(material)
    head = salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + _point(own)
    return head + AESGCM(key).encrypt(nonce, payload + b"\x02", None)


def padded(payload: bytes) -> bytes:
    """A payload of JSON at its one length: JSON may end with spaces."""
    return payload.ljust(PADDED)


def request(
    endpoint: str, subscription: Subscription, told: dict[str, str], vapid: bytes, contact: str, name: str, at: int
) -> Served:
    """The request that sends a notice to a browser. `vapid`: the server's secret key; `name`: the message's name; while
    the browser is off, a later message of the same name replaces it.
    """
    own = ec.generate_private_key(CURVE)
    body = sealed(padded(msgspec.json.encode(told)), subscription, secrets.token_bytes(16), own)
    key = private_key(vapid)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL_S),
        "Urgency": "normal",
        "Topic": name[:32],
        "Authorization": f"vapid t={token(endpoint, key, contact, at)}, k={public_text(key)}",
    }
    return Served(body, headers)


def token(endpoint: str, key: ec.EllipticCurvePrivateKey, contact: str, at: int) -> str:
    """A signed token for the push service at an endpoint (RFC 8292, 2): ES256 (RFC 7515, 3.4)."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": at // 1000 + TOKEN_S, "sub": contact}
    signed = f"{_text(_json({'typ': 'JWT', 'alg': 'ES256'}))}.{_text(_json(claims))}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{signed}.{_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def _json(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, form)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), "-_", validate=True)
