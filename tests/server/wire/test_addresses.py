"""The websocket's addresses, and that every client finds the same for a match."""

import json
import subprocess
from pathlib import Path

import pytest

from herald_client.links import socket_at
from server.wire.addresses import hash_in, is_socket, short_hash, socket_path

CONNECTION = Path(__file__).parents[3] / "server" / "web" / "client" / "connection.js"
VECTORS = {"": 0x811C9DC5, "a": 0xE40C292C, "foobar": 0xBF9CF968}
"""Of the hash's authors: http://www.isthe.com/chongo/src/fnv/test_fnv.c."""
MATCHES = ("AAAAAAAAAAAAAAAAAAAAAA", "-_b9Zq0Yl3kQwE7rTuIoPg", "é€")


@pytest.mark.parametrize(("text", "value"), VECTORS.items())
def test_the_hash_is_fnv_1a_of_32_bits(text: str, value: int) -> None:
    assert short_hash(text) == value


def test_a_path_holds_the_hash_in_eight_digits() -> None:
    assert socket_path("foobar") == "/ws/bf9cf968"
    assert hash_in("/ws/bf9cf968") == 0xBF9CF968
    assert hash_in("/ws/0000002a") == 42


@pytest.mark.parametrize("path", ["/ws", "/ws/00000000", "/ws/ffffffff"])
def test_a_websocket_is_to_be_had(path: str) -> None:
    assert is_socket(path)


@pytest.mark.parametrize(
    "path",
    ["/ws/", "/ws/0000000", "/ws/000000000", "/ws/0000000g", "/ws/0000000A", "/ws/00000000/", "/ws/00000000\n", "/w"],
)
def test_no_websocket_is_to_be_had_elsewhere(path: str) -> None:
    assert not is_socket(path)
    assert hash_in(path) is None


def test_the_python_library_enters_a_match_at_its_path() -> None:
    for match in MATCHES:
        assert socket_at("ws://h/ws", match) == f"ws://h{socket_path(match)}"
    assert socket_at("ws://h/ws", "") == "ws://h/ws"


@pytest.mark.node
def test_the_browser_and_the_typescript_library_enter_a_match_at_its_path() -> None:
    script = (
        f"import {{ socketAt }} from {json.dumps(CONNECTION.as_uri())};"
        f"console.log(JSON.stringify({json.dumps(MATCHES)}.map(match => socketAt(match, 'ws://h/ws'))));"
        "console.log(socketAt('', 'ws://h/ws'));"
    )
    told = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    ).stdout.splitlines()
    assert json.loads(told[0]) == [f"ws://h{socket_path(match)}" for match in MATCHES]
    assert told[1] == "ws://h/ws"
