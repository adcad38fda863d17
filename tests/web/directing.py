"""A match whose spectators somebody directs, and what a director writes on the desk."""

import json

import herald_client
from tests.web.browser import Page

NOTE = "document.querySelector('#note').textContent"
"""The director's note on a page that follows."""


async def begun(url: str) -> tuple[str, str, str]:
    """A match of a person and a bot: its id, the token of the seat, and a director's."""
    made = await herald_client.Server(url).create(
        "vera_discordia", [herald_client.me("Ada"), herald_client.bot("steady")]
    )
    async with herald_client.Match(f"ws{url[4:]}/ws", made.match, made.tokens["0"], scenes=False) as match:
        return made.match, made.tokens["0"], await match.grant(directs=True)


async def resign(url: str, match: str, token: str) -> None:
    """End the match: the seat gives up."""
    async with herald_client.Match(f"ws{url[4:]}/ws", match, token, scenes=False) as held:
        await held.resign()


def typed(page: Page, field: str, form: str, text: str) -> None:
    """Write into a field and send its form."""
    page.evaluate(f"document.querySelector('{field}').value = {json.dumps(text)}")
    page.evaluate(f"document.querySelector('{form}').requestSubmit()")
