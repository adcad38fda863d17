"""What an operator may set, and what is said when it is wrong."""

import ssl
from pathlib import Path

import msgspec
import pytest

from server.errors import Misconfigured
from server.operations.settings import Limits, Settings, Tls, networks, tls_context
from tests.server.certificates import self_signed


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
