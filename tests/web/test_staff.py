"""The page of the staff in a real browser: a report with its evidence, what is done about it, and the log."""

import json
import secrets

import pytest

from replay.store.side_tables.moderation import ReportRow
from replay.store.sqlite.store import SqliteStore
from server.wire.text import skeleton
from tests.server.cli.commands import run
from tests.web.browser import Page
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)

SAID = "document.querySelector('#said').textContent"
LINE = '[[1,1,"players","seat1","Rude Bo","You [fool]"]]'


def signed_up(page: Page, served: Served, handle: str) -> None:
    page.goto(f"{served.url}/me")
    page.wait("!!document.querySelector('#account [name=handle]')")
    page.evaluate(f"document.querySelector('#account [name=handle]').value = {json.dumps(handle)}")
    page.evaluate("document.querySelector('#account [name=handle]').form.requestSubmit()")
    page.wait("!!document.querySelector('#account .code')")


def test_a_report_is_settled_by_the_staff_and_stands_in_the_log(page: Page, served: Served) -> None:
    handle, report = f"Mod {secrets.token_hex(4)}", secrets.token_hex(8)
    page.size(390, 844)
    signed_up(page, served, handle)
    page.goto(f"{served.url}/staff")
    page.wait(f"{SAID}.includes('for the staff')")
    assert run("people", "act", "appoint", handle, "--reason", "Asked to help", "--db", served.db).exit_code == 0
    store = SqliteStore(served.db)
    person = store.people.named(skeleton(handle))
    assert person is not None
    row = ReportRow(report, 1, "", "a/seat0", "A" * 22, "seat1", "Rude Bo", "", "Insults", LINE, 9)
    assert store.moderation.report(row, 9)
    store.close()
    page.goto(f"{served.url}/staff")
    page.wait("!!document.querySelector('#staff .report')")
    shown = page.evaluate("document.querySelector('#staff .report').innerText")
    assert "Rude Bo: You [fool]" in shown
    assert "Insults" in shown
    page.screenshot("staff-390")
    page.evaluate("document.querySelector('#staff .report [name=why]').value = 'Spoken with both'")
    page.evaluate("document.querySelector('#staff .report form').requestSubmit()")
    page.wait(f"{SAID}.includes('Done')")
    page.wait("!document.querySelector('#staff .report')")
    assert "Settle" in page.evaluate("document.querySelector('#staff ul.list:last-of-type').innerText")
    assert page.errors == []
