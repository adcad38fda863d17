"""The certificate that a server shows. It is read again when its files have changed, so renewal needs no restart."""

import logging
import ssl
from pathlib import Path

from cryptography import x509

from server.errors import Misconfigured
from server.operations.settings import Tls, tls_context

LOG = logging.getLogger(__name__)
Stamp = tuple[int, int, int]


class Certificate:
    """A certificate with its key; `context` is used for the next connection."""

    def __init__(self, tls: Tls) -> None:
        """Read the files. Raises `Misconfigured`, which names the faulty file, if one cannot be used."""
        self._tls, self._seen = tls, _stamps(tls)
        context = tls_context(tls)
        if context is None:
            raise Misconfigured("TLS needs a certificate and its key; give both --tls-cert and --tls-key.")
        self.context: ssl.SSLContext = context

    def renew(self) -> bool:
        """Read the files again if they have changed; returns whether they have changed and are valid.

        If the files do not belong together, for example during a replacement, the former certificate stays in use.
        """
        stamps = _stamps(self._tls)
        if stamps == self._seen:
            return False
        self._seen = stamps
        try:
            context = tls_context(self._tls)
        except Misconfigured as wrong:
            LOG.error("the certificate on disk has changed and cannot be used, the former one stays: %s", wrong)
            return False
        assert context is not None, "both files are named"
        self.context = context
        LOG.info("the certificate is read anew; it holds until %s", _end(self._tls.cert))
        return True


def certificate_of(tls: Tls) -> Certificate | None:
    """The certificate that the settings name, None without TLS. Raises `Misconfigured` if its files cannot be used."""
    return Certificate(tls) if tls.cert or tls.key else None


def _stamps(tls: Tls) -> tuple[Stamp | None, ...]:
    return tuple(_stamp(Path(name)) for name in (tls.cert, tls.key))


def _stamp(path: Path) -> Stamp | None:
    """Three numbers that change with a file's content or, for a link, with its target."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _end(name: str) -> str:
    """The last day of the first certificate in a file, in UTC; empty if it cannot be read."""
    try:
        return x509.load_pem_x509_certificate(Path(name).read_bytes()).not_valid_after_utc.date().isoformat()
    except (OSError, ValueError):
        return ""
