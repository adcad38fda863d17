"""The tray of dice shows a roll whole, however many dice it has and however small the window is."""

import pytest

from tests.web.browser import Page
from tests.web.playing import FAST, JOAN, VERA, WAR, against_bot
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
SIZES = ((1920, 1080), (1280, 800), (1024, 768), (820, 1100), (390, 844), (320, 640))
ROLLED = """(count => {
    const scene = structuredClone(herald.scene);
    const dice = Array.from({ length: count }, () => ({ t: "red", n: 5 }));
    const groups = [{ label: "Attack", owner: 0, dice }, { label: "Defence", owner: 1, dice }];
    for (const { at } of Object.values(scene.layouts)) {
        if (at.tray?.[3] === 1) {
            at.tray[3] = 12;
        }
    }
    scene.zones.tray.geom.roll = { title: "Attack on the Gate of the Tower", groups, result: "2 kills and 1 push" };
    herald.board.render(scene);
    const { left, right, top, bottom } = document.querySelector(".zt-tray").getBoundingClientRect();
    const all = [...document.querySelectorAll(".zt-tray :is(.die, .rl, .rr, .rt)")].filter(el => el.checkVisibility());
    const cut = all.map(el => el.getBoundingClientRect())
        .filter(r => r.left < left - 1 || r.right > right + 1 || r.top < top - 1 || r.bottom > bottom + 1);
    return [all.filter(el => el.matches(".die")).length, cut.length];
})"""
"""Lay a roll in the tray, which has its room then; how many dice are there, and how much is cut off."""


@pytest.mark.parametrize("game", [JOAN, VERA, pytest.param(WAR, marks=pytest.mark.deep)])
def test_no_die_is_cut_off(page: Page, served: Served, game: str) -> None:
    page.before_load(FAST)
    against_bot(page, served, game)
    for width, height in SIZES:
        page.size(width, height)
        page.wait(f"innerWidth === {width}")
        page.evaluate("new Promise(done => setTimeout(done, 150))")
        for count in (3, 4, 6, 12):
            assert page.evaluate(f"{ROLLED}({count})") == [2 * count, 0], (width, count)
    assert page.errors == []
