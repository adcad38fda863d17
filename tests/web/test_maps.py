"""A map as hands use it: wheel, drag, two fingers, keys, the overview; areas chosen on it, results given out."""

import json
from typing import Any

import pytest

from tests.web.browser import Browser, Page
from tests.web.hand import ask, given, hand, seen, tap
from tests.web.playing import FAST, JOAN, against_bot, play, tab_to
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
VIEW = "herald.board.maps.views.get('map')"
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SPOT = """(ref => {
    const box = herald.board.geo.slots.get(ref), { u, stage } = herald.board;
    const { left, top } = stage.getBoundingClientRect();
    return [left + (box.x + box.w / 2) * u, top + (box.y + box.h / 2) * u];
})"""
"""The middle of an area on the page."""
UNDER = "document.elementFromPoint(X, Y)?.closest('[data-ref]')?.dataset.ref"


def spot(page: Page, ref: str) -> tuple[float, float]:
    """Where an area is seen."""
    page.evaluate(SETTLED)
    x, y = page.evaluate(f"{SPOT}({json.dumps(ref)})")
    return x, y


def wheel(page: Page, point: tuple[float, float], turns: float) -> None:
    """Turn the wheel at a point; up is less than nothing."""
    x, y = point
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=turns)
    page.evaluate(SETTLED)


def fingers(page: Page, *way: list[tuple[float, float]]) -> None:
    """Put fingers down at the first points, move them over the others, and take them off."""
    for kind, points in (("touchStart", way[0]), *(("touchMove", points) for points in way[1:])):
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=at)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.evaluate(SETTLED)


def zoom(page: Page) -> float:
    return float(page.evaluate(f"{VIEW}.z"))


def middle(page: Page) -> tuple[float, float]:
    """The map point that is in the middle of what is seen."""
    x, y = page.evaluate(f"[{VIEW}.cx, {VIEW}.cy]")
    return x, y


def empty_area(page: Page) -> str:
    """An area of the ground that holds nothing, near the middle of the map."""
    found = page.evaluate("""(() => {
        const held = new Set(Object.values(herald.scene.pieces).map(p => `${p.zone}#${p.slot}`));
        const free = Object.entries(herald.scene.zones.map.geom.areas).filter(([id]) => !held.has(`map#${id}`));
        const { cx, cy } = herald.board.maps.views.get('map');
        const far = ([, a]) => Math.hypot(a.c[0] - cx, a.c[1] - cy);
        return `map#${free.sort((a, b) => far(a) - far(b))[0][0]}`;
    })()""")
    return str(found)


def on_a_phone(browser: Browser, served: Served) -> Page:
    phone = browser.page()
    phone.size(390, 844, touch=True)
    phone.before_load(FAST)
    against_bot(phone, served, game=JOAN)
    return phone


@pytest.fixture
def table(page: Page, served: Served) -> Page:
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served, game=JOAN)
    page.wait("herald.board.maps?.grounds.size === 1")
    return page


def test_the_wheel_zooms_about_the_pointer_and_back_to_the_whole(table: Page) -> None:
    ref = empty_area(table)
    before = spot(table, ref)
    wheel(table, before, -400)
    assert zoom(table) > 1.5
    after = spot(table, ref)
    assert abs(before[0] - after[0]) < 40
    assert abs(before[1] - after[1]) < 40
    assert table.evaluate("!document.querySelector('.mapover').hidden")
    wheel(table, after, 4000)
    assert zoom(table) == 1
    assert table.evaluate("document.querySelector('.mapover').hidden")


def test_a_drag_moves_the_map_and_chooses_nothing(table: Page) -> None:
    ref = empty_area(table)
    ask(table, [{"id": "0", "label": "There", "at": [ref]}])
    wheel(table, spot(table, ref), -600)
    x, y = spot(table, ref)
    here = middle(table)
    hand(table, (x, y), (x + 60, y + 20), (x + 120, y + 60))
    table.evaluate(SETTLED)
    there = middle(table)
    assert there[0] < here[0]
    assert given(table) == []
    hand(table, spot(table, ref))
    assert given(table) == ["0"]


@pytest.mark.whole
def test_what_the_camera_does_not_see_is_cut_at_the_rim_of_the_map(table: Page) -> None:
    wheel(table, spot(table, empty_area(table)), -3000)
    assert zoom(table) == 4
    beyond = table.evaluate("""(() => {
        const { inner } = herald.board.maps.views.get('map'), { u, stage } = herald.board;
        const { left, top } = stage.getBoundingClientRect();
        const inside = e => {
            const r = e.getBoundingClientRect(), [x, y] = [r.x + r.width / 2 - left, r.y + r.height / 2 - top];
            return x > inner.x * u && x < (inner.x + inner.w) * u && y > inner.y * u && y < (inner.y + inner.h) * u;
        };
        const discs = [...document.querySelectorAll('.stage .pc.disc')].filter(e => !inside(e));
        return [discs.length, discs.filter(e => e.style.clipPath.startsWith('inset')).length];
    })()""")
    assert beyond[0] == beyond[1] > 0


@pytest.mark.whole
def test_the_overview_leads_where_it_is_pressed(table: Page) -> None:
    wheel(table, spot(table, empty_area(table)), -1500)
    left = seen(table, ".mapover", 0.1)
    hand(table, left)
    table.evaluate(SETTLED)
    west = middle(table)[0]
    hand(table, left, seen(table, ".mapover", 0.9))
    table.evaluate(SETTLED)
    assert middle(table)[0] > west


@pytest.mark.whole
def test_buttons_and_keys_zoom_and_move_the_map(table: Page) -> None:
    hand(table, seen(table, ".mapctl [data-act=zoomIn]"))
    table.evaluate(SETTLED)
    near = zoom(table)
    assert near > 1
    table.press("+")
    table.evaluate(SETTLED)
    assert zoom(table) > near
    start = middle(table)
    for kind in ("rawKeyDown", "keyUp"):
        table.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", windowsVirtualKeyCode=39, modifiers=8)
    table.evaluate(SETTLED)
    assert middle(table)[0] > start[0]
    hand(table, seen(table, ".mapctl [data-act=wholeMap]"))
    table.evaluate(SETTLED)
    assert zoom(table) == 1


@pytest.mark.whole
def test_two_fingers_zoom_one_moves_and_a_tap_still_chooses(browser: Browser, served: Served) -> None:
    phone = on_a_phone(browser, served)
    phone.wait("herald.board.maps?.grounds.size === 1")
    phone.rest()  # what has just changed is deaf to fingers for a moment
    phone.evaluate("document.querySelector('#stagehost').scrollTop = 0")
    phone.screenshot("joan-phone")
    x, y = 195.0, 260.0
    apart = [[(x - d, y), (x + d, y)] for d in (30, 50, 70, 90)]
    fingers(phone, *apart)
    assert zoom(phone) > 1.6
    here = middle(phone)
    fingers(phone, [(x, y)], [(x - 30, y - 30)], [(x - 80, y - 60)])
    assert middle(phone) != here
    under = UNDER.replace("X", str(x)).replace("Y", str(y))
    for _ in range(3):  # a question may move a phone's board to what it asks about
        ref = phone.evaluate(under)
        area = ref if "#" in ref else phone.evaluate(f"(p => `${{p.zone}}#${{p.slot}}`)(herald.scene.pieces[{ref!r}])")
        ask(phone, [{"id": "0", "label": "There", "at": [area]}, {"id": "1", "label": "Elsewhere"}])
        phone.rest()
        if phone.evaluate(under) == ref:
            break
    tap(phone, (x, y))
    if "#" in ref:
        phone.wait("herald.prompt.armed")
    phone.screenshot("joan-phone-zoomed")
    assert phone.errors == []


def test_areas_are_named_buttons_and_the_keyboard_goes_from_one_to_the_next(table: Page) -> None:
    table.evaluate("herald.replay.api.speed(0)")
    areas = table.evaluate("Object.keys(herald.scene.zones.map.geom.areas).map(id => `map#${id}`)")
    named = table.evaluate(
        "[...document.querySelectorAll('.slot.at-area')].map(e => [e.tagName, e.dataset.ref, e.ariaLabel])"
    )
    assert [ref for _, ref, _ in named if ref in areas] == areas, "in the order of the board"
    assert all(tag == "BUTTON" and label for tag, _, label in named)
    ask(table, [{"id": str(n), "label": ref, "at": [ref]} for n, ref in enumerate(areas[:3])])
    tab_to(table, ".slot.at-area.can")
    assert table.evaluate("document.querySelector('.lit-focus')?.isConnected")
    first = table.evaluate("document.activeElement.dataset.ref")
    table.press("ArrowRight")
    assert table.evaluate("document.activeElement.dataset.ref") != first
    table.press("n")
    chosen = table.evaluate("document.activeElement.dataset.ref")
    assert chosen in areas[:3]
    table.press("Enter")
    assert given(table) == [str(areas.index(chosen))]


@pytest.mark.whole
def test_the_keyboard_brings_into_sight_what_it_reaches(table: Page) -> None:
    wheel(table, spot(table, empty_area(table)), -3000)
    far = table.evaluate("""(() => {
        const { seen } = herald.board.maps.views.get('map');
        const areas = Object.entries(herald.scene.zones.map.geom.areas);
        const away = ([, { c: [x, y] }]) => Math.hypot(x - seen.x - seen.w / 2, y - seen.y - seen.h / 2);
        return `map#${areas.sort((a, b) => away(b) - away(a))[0][0]}`;
    })()""")
    ask(table, [{"id": "0", "label": "There", "at": [far]}])
    table.press("n")
    x, y = spot(table, far)
    found = table.evaluate(f"document.elementFromPoint({x}, {y})?.closest('[data-ref], .stage')?.dataset.ref")
    assert found is not None
    table.press("Enter")
    assert given(table) == ["0"]


def test_a_press_on_who_stands_in_an_area_chooses_the_area(table: Page) -> None:
    unit, area = table.evaluate("""Object.entries(herald.scene.pieces)
        .filter(([, p]) => p.zone === 'map' && p.shape === 'disc').map(([id, p]) => [id, `map#${p.slot}`])[0]""")
    ask(table, [{"id": "0", "label": "There", "at": [area]}])
    hand(table, seen(table, f".stage [data-ref={json.dumps(unit)}]"))
    assert given(table) == ["0"]


@pytest.mark.whole
def test_an_area_that_was_pressed_wears_no_outline_of_the_browsers_own(table: Page) -> None:
    area = empty_area(table)
    ask(table, [{"id": "0", "label": "There", "at": [area]}, {"id": "1", "label": "Elsewhere"}])
    hand(table, spot(table, area))
    table.evaluate(f"document.querySelector('.area[data-ref={json.dumps(area)}]').focus()")
    assert table.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"


@pytest.mark.whole
def test_what_is_said_of_a_card_of_the_board_hides_nothing_beside_the_board(table: Page) -> None:
    # what explains is loaded when the page is first touched
    hand(table, spot(table, empty_area(table)))
    table.wait("document.querySelector('#explain') !== null")
    for x, y in ((2.0, 2.0), seen(table, '.stage [data-ref="goal"]')):
        table.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="none")
        table.evaluate(SETTLED)
    table.wait("document.querySelector('#explain')?.hidden === false")
    right, rail = table.evaluate("""[document.querySelector('#explain').getBoundingClientRect().right,
        document.querySelector('#rail').getBoundingClientRect().left]""")
    assert right <= rail


@pytest.mark.whole
def test_the_chronicle_of_a_phone_has_room_and_opens_at_the_newest_line(browser: Browser, served: Served) -> None:
    phone = on_a_phone(browser, served)
    tap(phone, seen(phone, "#sheet [aria-controls=log]"))
    assert phone.wait("document.querySelector('#lines').clientHeight > 100")
    phone.evaluate(SETTLED)
    low, end = phone.evaluate("""[document.querySelector('#lines > :last-child').getBoundingClientRect().bottom,
        document.querySelector('#lines').getBoundingClientRect().bottom]""")
    assert low <= end + 1


RESULTS = [{"label": "To give", "owner": 1, "dice": [{"t": "red", "f": "push", "label": "red push", "st": "hit"}]}]


def test_a_result_is_given_to_a_unit_on_the_map_or_in_its_row(table: Page) -> None:
    units = table.evaluate("""Object.entries(herald.scene.pieces)
        .filter(([, p]) => p.zone === 'map' && p.shape === 'disc').map(([id]) => id).slice(0, 2)""")
    rows: list[dict[str, Any]] = [
        {"id": str(n), "label": unit, "at": [unit], "sub": "1 of 2 HP", "dice": [{"t": "white", "n": 1, "g": "push"}]}
        for n, unit in enumerate(units)
    ]
    ask(table, rows, dice=RESULTS)
    assert table.evaluate("document.querySelectorAll('#prompt .rolled .die.ds-hit').length") == 1
    assert table.evaluate("document.querySelector('#prompt .rolled .die').getBoundingClientRect().width") > 15
    assert table.evaluate("document.querySelectorAll('#prompt .opt .die').length") == 2
    table.screenshot("joan-allocation")
    hand(table, seen(table, f".stage [data-ref={json.dumps(units[1])}]"))
    assert given(table) == ["1"]
    ask(table, rows, dice=RESULTS)
    hand(table, seen(table, "#prompt .opt", text=units[0]))
    assert given(table) == ["0"]


def test_a_match_with_a_map_is_played_and_its_scenes_are_shown_quickly(table: Page) -> None:
    """How long they take depends on the machine: `scripts/web-timings`."""
    made, over = play([table], 40)
    assert made >= 30 or over
    assert len(table.evaluate("metrics.apply")) >= 10
    table.evaluate("new Promise(done => setTimeout(done, 300))")
    table.screenshot("joan-played")
    assert table.errors == []


BARE = """new MutationObserver(() => {
    if (document.querySelector(".mapview") && window.bare === undefined) {
        window.bare = ![...document.styleSheets].some(sheet => sheet.href?.endsWith("/css/map.css"));
    }
}).observe(document, { childList: true, subtree: true })"""
"""Whether a map was drawn before what it looks like was there."""


@pytest.mark.whole
def test_a_map_is_never_drawn_before_its_colours(page: Page, served: Served) -> None:
    """A disc of black lay over it for a moment after a reload."""
    page.before_load(FAST + ";" + BARE)
    against_bot(page, served, game=JOAN)
    for _ in range(3):
        assert page.wait("window.bare !== undefined && String(window.bare)") == "false"
        page.evaluate("window.bare = 'left'")
        page.evaluate("void location.reload()")
        page.wait("window.bare !== 'left' && document.body.dataset.ready")
    assert page.errors == []


@pytest.mark.whole
def test_a_map_is_drawn_where_its_colours_cannot_be_had(page: Page, served: Served) -> None:
    page.call("Network.setBlockedURLs", urls=["*/css/map.css"])
    page.before_load(FAST)
    against_bot(page, served, game=JOAN)
    page.wait("!!document.querySelector('.mapview')")
