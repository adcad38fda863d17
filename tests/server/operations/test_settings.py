"""What an operator may set, and what is said when it is wrong."""

import datetime
import ssl
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.errors import Misconfigured
from server.operations.settings import Limits, Settings, Tls, networks, tls_context


def self_signed(folder: Path) -> Tls:
    """A certificate of this machine's own, with its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert, pem = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return Tls(str(cert), str(pem))


def test_settings_are_read_from_plain_data_and_an_unknown_name_is_an_error() -> None:
    read = msgspec.convert({"limits": {"connections": 7}, "origins": ["https://club.example"]}, Settings)
    assert (read.limits.connections, read.origins) == (7, ("https://club.example",))
    with pytest.raises(msgspec.ValidationError, match="conections"):
        msgspec.convert({"limits": {"conections": 7}}, Settings)


@pytest.mark.parametrize("table", [{"connections": 0}, {"hello_s": 0}, {"frame_bytes": 10}, {"chat_characters": 501}])
def test_a_limit_out_of_bounds_is_an_error_that_names_it(table: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError, match=next(iter(table))):
        msgspec.convert(table, Limits)


def test_without_files_there_is_no_tls() -> None:
    assert tls_context(Tls()) is None


def test_tls_is_1_2_at_least(tmp_path: Path) -> None:
    context = tls_context(self_signed(tmp_path))
    assert context is not None
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_wrong_tls_files_are_named(tmp_path: Path) -> None:
    tls = self_signed(tmp_path)
    with pytest.raises(Misconfigured, match="both --tls-cert and --tls-key"):
        tls_context(Tls(tls.cert))
    with pytest.raises(Misconfigured, match="no file nowhere"):
        tls_context(Tls(tls.cert, "nowhere"))
    with pytest.raises(Misconfigured, match="do not belong together"):
        tls_context(Tls(tls.cert, tls.cert))


def test_proxies_are_addresses_or_networks() -> None:
    assert [net.prefixlen for net in networks(("127.0.0.1", "10.0.0.0/8", "::1"))] == [32, 8, 128]
    with pytest.raises(Misconfigured, match="as 10"):
        networks(("proxy.example",))
