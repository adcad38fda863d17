"""A new person in a browser, by the page of the account."""

import json
import secrets

from tests.web.browser import Page
from tests.web.serving import Served

TITLE = "document.querySelector('#title').textContent"


def submit(page: Page, field: str, text: str) -> None:
    """Send a form of one field."""
    page.evaluate(f"document.querySelector('#account [name={field}]').value = {json.dumps(text)}")
    page.evaluate(f"document.querySelector('#account [name={field}]').form.requestSubmit()")


def signed_up(page: Page, served: Served, name: str = "Anja") -> tuple[str, str]:
    """The handle of the new person, and the recovery code."""
    handle = f"{name} {secrets.token_hex(4)}"
    page.goto(f"{served.url}/me")
    submit(page, "handle", handle)
    code = page.wait("document.querySelector('#account .code')?.textContent")
    page.click("#account .go", "I have written it down")
    page.wait(f"{TITLE} === {json.dumps(handle)}")
    return handle, code
