"""A question of Disciples: Legacy on a phone: what one has chosen, and what may be chosen next, is in sight."""

import pytest

from tests.web.browser import Page
from tests.web.playing import FAST, card_of
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(300), pytest.mark.whole]

MOVE = "herald.prompt.p?.ask?.startsWith('Which of your Leaders') && herald.prompt.mine()"
LEADER = "herald.prompt.fields()[0].options.find(o => o.at?.length > 1)?.at[0]"
TOP = (
    "document.querySelector('#prompt {0}').getBoundingClientRect().top - herald.prompt.root.getBoundingClientRect().top"
)
SEEN = "(({top}) >= 0 && ({top}) < herald.prompt.root.clientHeight / 2)"


def answer(page: Page, words: str) -> None:
    page.wait(f"herald.prompt.mine() && herald.prompt.fields()[0].options?.some(o => o.label === {words!r})")
    page.evaluate(
        f"(f => herald.prompt.choose(f, f.options.find(o => o.label === {words!r}).id))(herald.prompt.fields()[0])"
    )


def test_what_a_tap_leads_to_is_in_sight_on_a_phone(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.size(390, 844, touch=True)
    page.goto(f"{served.url}/")
    first = f"{card_of('disciples_legacy')} .acts .bot"
    page.wait(f"!!document.querySelector({first!r})")
    page.click(first)
    page.wait("window.herald?.prompt?.mine()")
    # what is at stake is not squeezed to nothing by a list longer than the panel
    page.wait("document.querySelector('#prompt p.also')?.clientHeight > 12")
    answer(page, "Hordes A")
    answer(page, "As the deck lists them")
    page.wait(MOVE)
    page.click("#prompt .ask")
    page.wait("document.querySelector('#explain') !== null")
    page.evaluate(f"herald.prompt.enter([{LEADER}])")
    page.wait(SEEN.format(top=TOP.format(".crumb")))
    standing = "document.querySelector('[data-o=\"ahead|always\"]')?.textContent ?? ''"
    assert "Rearrange" not in page.evaluate(standing)
    target = "herald.prompt.fields()[0].options.findLast(o => o.at?.length > 1 && o.grp === 'Attack')"
    page.evaluate(f"herald.prompt.choose(herald.prompt.fields()[0], {target}.id, true)")
    page.wait("herald.prompt.armed")
    page.wait(
        f"({TOP.format('.opt.on')}) >= 0 && document.elementFromPoint(195, document.querySelector("
        "'#prompt .opt.on .lb').getBoundingClientRect().top + 6)?.closest('.opt.on') !== null",
        10,
    )
    assert page.errors == []
