"""What holds a secret shows nothing when it is printed: every struct of the modules that carry secrets is tried."""

import inspect
from types import ModuleType
from typing import Any, Final, get_type_hints

import pytest
from msgspec import Struct

from replay.files import export
from replay.store import log, matches, seats
from replay.store.side_tables import chat, webhooks
from server.table import audience
from server.wire import protocol

MODULES: Final = (protocol, log, matches, seats, chat, webhooks, export, audience)
CANARY: Final = "canary"
SECRET: Final = frozenset(
    {
        *("token", "tokens", "token_hash", "secret", "secrets", "entropy", "url"),
        *("k_m", "k_n", "hid", "keys", "openings", "held", "items", "line", "lines"),
        *("choice", "text", "scene", "steps"),
    }
)
"""Fields that hold a secret, wherever they stand."""
RAW: Final = ("bytes", "Any")
"""Types that may hold anything: such a field is taken for a secret unless it is one of `OPEN`."""
OPEN: Final = frozenset(
    {
        ("SeatWish", "entropy"),
        ("Join", "entropy"),
        ("Create", "options"),
        ("GameInfo", "options"),
        ("GameInfo", "quick"),
        ("Commit", "head"),
        ("Commit", "checkpoint"),
        ("Commit", "earlier"),
        ("Head", "hash"),
        ("Record", "checkpoints"),
    }
)
"""What everybody may know: commitments, options, hashes, signatures."""


def structs(module: ModuleType) -> list[type[Struct]]:
    return [
        found
        for found in vars(module).values()
        if inspect.isclass(found) and issubclass(found, Struct) and found.__module__ == module.__name__
    ]


def is_secret(kind: type[Struct], name: str, hint: Any) -> bool:
    if (kind.__name__, name) in OPEN:
        return False
    return name in SECRET or any(raw in str(hint) for raw in RAW)


@pytest.mark.parametrize(
    "kind", [kind for module in MODULES for kind in structs(module)], ids=lambda kind: kind.__name__
)
def test_a_struct_that_holds_a_secret_does_not_show_it(kind: type[Struct]) -> None:
    hints = get_type_hints(kind)
    given = {name: CANARY if is_secret(kind, name, hints[name]) else 7 for name in kind.__struct_fields__}
    assert CANARY not in repr(kind(**given))


def test_a_struct_that_shows_a_secret_is_found() -> None:
    class Loose(Struct):
        secret: str
        salt: bytes | None = None

    hints = get_type_hints(Loose)
    assert [is_secret(Loose, name, hints[name]) for name in Loose.__struct_fields__] == [True, True]
    assert CANARY in repr(Loose(CANARY))


def test_what_everybody_may_know_is_there() -> None:
    named = {(kind.__name__, name) for module in MODULES for kind in structs(module) for name in kind.__struct_fields__}
    assert named >= OPEN
    assert {name for _, name in named} >= SECRET
