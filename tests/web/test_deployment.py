"""An army of Disciples: Legacy is deployed on the board: dragged, tapped, changed places, refused, taken back."""

import pytest

from tests.web.browser import Page
from tests.web.comforts import STILL
from tests.web.hand import hand, seen, tap
from tests.web.playing import DISCIPLES, FAST, against_bot
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(600)
PLACES = "herald.prompt.v.choice"
SLOT = "#stagehost [data-ref='q{}#{}']"


@pytest.fixture
def table(page: Page, served: Served) -> Page:
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served, DISCIPLES)
    page.evaluate("herald.prompt.choose(herald.prompt.fields()[0], '0')")
    page.wait("herald.prompt.p.fields?.[0].options?.some(o => o.arrange) && herald.prompt.mine()")
    return page


def lying(page: Page, item: str) -> str:
    said: str = page.evaluate(f"{PLACES}[{item!r}]")
    return said


def key(place: str) -> str:
    number, slot = place.split(".")
    return SLOT.format(number, f"{(int(slot) - 1) % 3},{(int(slot) - 1) // 3}")


def free(page: Page, party: int) -> str:
    """A place of a Party where nobody stands."""
    said: str = page.evaluate(
        f"[1, 2, 3, 4, 5, 6].map(n => '{party}.' + n)"
        f".find(p => !Object.values({PLACES} ?? herald.prompt.arrangement().arrange.draft).includes(p))"
    )
    return said


def test_members_are_dragged_to_other_places_and_the_match_begins_so(table: Page) -> None:
    to = free(table, 0)
    table.screenshot("deployment")
    name = table.evaluate("herald.scene.pieces.q0x1.title")
    hand(table, seen(table, "[data-ref='q0x1']"), seen(table, key(to)))
    table.wait(f"{PLACES}?.['0.1'] === {to!r}")
    table.screenshot("deployment-dragged")
    was, other = lying(table, "0.0"), lying(table, "0.1")
    hand(table, seen(table, "[data-ref='q0x0']"), seen(table, "[data-ref='q0x1']"))
    table.wait(f"{PLACES}['0.0'] === {other!r} && {PLACES}['0.1'] === {was!r}")
    hand(table, seen(table, "#prompt footer .ghost", text="Undo"))
    hand(table, seen(table, "#prompt footer .ghost", text="Undo"))
    assert (lying(table, "0.0"), lying(table, "0.1")) == (was, other)
    hand(table, seen(table, "#prompt footer .go"))
    table.wait("herald.scene.zones.pA1 !== undefined")
    mine = f"p.zone === 'pA1' && p.kind === 'unit' && p.title.startsWith({name!r})"
    stands = f"Object.values(herald.scene.pieces).find(p => {mine}).slot"
    assert key(to).endswith(f"#{table.evaluate(stands)}']")
    assert table.errors == []


@pytest.mark.whole
def test_enter_sends_what_was_arranged_and_takes_back_nothing_that_was_pressed_last(table: Page) -> None:
    to = free(table, 0)
    table.wait(STILL)
    hand(table, seen(table, "[data-ref='q0x1']"))
    hand(table, seen(table, key(to)))
    table.wait(f"{PLACES}?.['0.1'] === {to!r}")
    table.wait(STILL)
    hand(table, seen(table, "[data-ref='q0x1']"))
    table.press("Enter")
    assert table.evaluate(f"{PLACES}?.['0.1'] ?? ''") == "", "taken up, and not put down again by the key"
    table.wait(STILL)
    hand(table, seen(table, key(to)))
    table.wait(f"{PLACES}?.['0.1'] === {to!r}")
    assert table.evaluate("document.activeElement.closest('.stage') !== null")
    table.press("Enter")
    table.wait("herald.scene.zones.pA1 !== undefined")


@pytest.mark.whole
def test_what_the_rules_forbid_is_told_and_the_list_is_still_there(table: Page) -> None:
    hand(table, seen(table, "#prompt .opt", text="In another order"))
    table.wait(f"{PLACES} !== undefined")
    leader = table.evaluate("herald.prompt.fields()[0].legal['0.0']")
    assert {place[0] for place in leader} == {"0"}
    table.evaluate("herald.prompt.answers.values.choice = crowd()".replace("crowd()", CROWD))
    hand(table, seen(table, "#prompt footer .go"))
    assert "DL-" in table.wait("document.querySelector('#prompt .refused')?.textContent")
    table.screenshot("deployment-refused")
    hand(table, seen(table, "#prompt footer .ghost", text="Back to the list"))
    assert table.wait("document.querySelectorAll('#prompt .opt').length") == 2
    table.press("1")
    table.wait("herald.scene.zones.pA1 !== undefined")


CROWD = """(() => {
  const { items, legal, draft } = herald.prompt.fields()[0];
  const units = items.map(i => i.id).filter(id => !id.endsWith('.0'));
  const taken = new Set(Object.entries(draft).filter(([id]) => id.endsWith('.0')).map(([, place]) => place));
  const all = { ...draft };
  for (const id of units) {
    all[id] = legal[id].find(p => p.startsWith('2.') && !taken.has(p)) ?? legal[id].find(p => !taken.has(p));
    taken.add(all[id]);
  }
  return all;
})()"""


@pytest.mark.whole
def test_members_are_placed_with_a_finger(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served, DISCIPLES)
    page.evaluate("herald.prompt.choose(herald.prompt.fields()[0], '0')")
    page.wait("herald.prompt.p.fields?.[0].options?.some(o => o.arrange) && herald.prompt.mine()")
    to = free(page, 0)
    tap(page, seen(page, "#stagehost [data-ref='q0x1']"))
    page.wait(f"herald.prompt.answers.held === '0.1' || {PLACES}?.['0.1']")
    tap(page, seen(page, key(to)))
    page.wait(f"{PLACES}['0.1'] === {to!r}")
    page.screenshot("deployment-390")
    tap(page, seen(page, "#prompt footer .go"))
    page.wait("herald.scene.zones.pA1 !== undefined")
    assert page.errors == []
