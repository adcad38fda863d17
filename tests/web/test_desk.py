"""A director's desk: what it shows is followed on another page; keyboard and screen reader reach all of it."""

from pathlib import Path
from typing import Any

import anyio
import pytest

import herald_client
from tests.web.browser import Browser
from tests.web.serving import Served
from tests.web.test_wall import AXE, SERIOUS

LONG = 60


async def created(url: str) -> tuple[str, str]:
    """A match of two bots and a token of its director."""
    wishes: dict[str, Any] = {"open_cards": {"s": 1, "events": 0}, "open_cards_sooner": True}
    seats = [herald_client.me("Ada"), herald_client.bot("steady")]
    server = herald_client.Server(url)
    made = await server.create("vera_discordia", seats, **wishes)
    return made.match, made.tokens["0"]
