"""The legibility of the board: the size of every text, names that something covers, missing names."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from tests.web.asked import Question
from tests.web.browser import Page
from tests.web.eyes import SIZES
from tests.web.playing import FAST, against_bot
from tests.web.serving import Served

LEAST: Final = {"1280x800": 11.0, "390x844": 12.0}
"""Pixels of the screen that letters of the board have at least."""
SHOW: Final = """(async scene => {
    const {view} = herald;
    document.documentElement.dataset.motion = "off";
    view.api.prompted = scene => scene.prompt;
    view.lines = () => scene.log.map(line => ({line, at: 0}));
    view.show(scene, {instant: true});
    const rest = ms => new Promise(done => setTimeout(done, ms));
    await rest(60);
    await document.fonts.ready;
    const stage = document.querySelector("#table .stage");
    const rects = text => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
    };
    const texts = [];
    const walk = document.createTreeWalker(document.querySelector("#table"), NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const on = text.parentElement;
        const shown = text.data.trim() && on.checkVisibility({opacityProperty: true, visibilityProperty: true});
        if (shown && !on.closest(".vh,.quiet:empty,defs") && rects(text).some(r => r.width > 0 && r.height > 0)) {
            const matrix = on.getScreenCTM?.();
            const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
            texts.push([text.data.trim(), parseFloat(getComputedStyle(on).fontSize) * scale,
                on.closest("[data-ref]")?.dataset.ref ?? "", on.getAttribute("class") ?? ""]);
        }
    }
    const names = [...stage.querySelectorAll(".pc .nm")].filter(e => e.checkVisibility());
    const over = [...stage.querySelectorAll(".skull svg, .bdg .b, .cnt, .pc.coin, .pc.flag, .pc.cube, .pc, .state")]
        .filter(e => e.checkVisibility());
    const box = e => e.getBoundingClientRect();
    const above = (a, b) => {
        const [pa, pb] = [a.closest(".pc"), b.closest(".pc")];
        if (pa === pb) {
            return a !== pa;
        }
        return pa && Number(getComputedStyle(pa).zIndex || 0) >= Number(getComputedStyle(pb).zIndex || 0)
            && !!(pb.compareDocumentPosition(pa) & 4 || Number(pa.style.zIndex) > Number(pb.style.zIndex));
    };
    const covered = [];
    for (const name of names) {
        const piece = name.closest(".pc");
        const lines = [...name.childNodes].filter(n => n.nodeType === 3).flatMap(rects);
        const seen = box(name);
        for (const each of over) {
            const r = box(each);
            const hides = lines.some(l => Math.min(l.right, r.right) - Math.max(l.left, r.left) > 2
                && Math.min(l.bottom, r.bottom, seen.bottom) - Math.max(l.top, r.top) > 2.5);
            if (hides && each !== piece && above(each, name)) {
                covered.push([name.textContent, each.closest(".pc")?.dataset.ref ?? "", each.getAttribute("class")]);
            }
        }
    }
    const isCut = e => [...e.childNodes].flatMap(rects).some(r => {
        const b = box(e);
        return r.left < b.left - 2 || r.right > b.right + 2 || (r.top + r.bottom) / 2 > b.bottom;
    });
    const cut = names.filter(isCut).map(e => [e.textContent, e.closest(".pc").dataset.ref]);
    const isNamed = ([id, p]) => p.face !== "down" && ["card", "tile"].includes(p.shape) && p.title && !p.ends && !p.on
        && view.board.geo.pieces.has(id);
    const named = Object.entries(scene.pieces).filter(isNamed);
    const isMissing = ([id]) => !view.board.node(id)?.querySelector(".nm")?.checkVisibility();
    const missing = named.filter(isMissing).map(([id, p]) => [p.title, id]);
    const {root, marks} = view.board;
    const can = [...marks.can ?? []].map(ref => view.board.rect(ref)).filter(Boolean);
    const inSight = r => r.y >= root.scrollTop - 1 && r.y + r.h <= root.scrollTop + root.clientHeight + 1;
    const asked = !can.length || can.some(inSight);
    return {texts, covered, missing, cut, asked};
})(SCENE)"""


class Board(Struct, frozen=True):
    """A board as it is seen.

    `texts`: each with its size in pixels of the screen, its ref and its class; `covered`: names, each with the ref and
    the class of what lies over it; `missing`: titles of open cards that show none; `cut`: names of which a part is;
    `asked`: whether some of what can be chosen is in sight.
    """

    question: Question
    texts: list[tuple[str, float, str, str]]
    covered: list[tuple[str, str, str]]
    missing: list[tuple[str, str]]
    cut: list[tuple[str, str]]
    asked: bool

    def small(self, least: float) -> list[tuple[str, float, str, str]]:
        """Texts under a size."""
        return [text for text in self.texts if text[1] < least - 0.05]


def stand(page: Page, question: Question) -> Board:
    """Show a question's table on the page that is open, and look at its board."""
    found: dict[str, Any] = page.evaluate(SHOW.replace("SCENE", json.dumps(question.scene)))
    return Board(question, **found)


def look(page: Page, served: Served, game: str, size: str, asked: Iterable[Question]) -> Iterator[Board]:
    """The boards of all these questions of a game at a size."""
    width, height, touch = SIZES[size]
    page.before_load(FAST)
    page.size(width, height, touch=touch)
    against_bot(page, served, game, quick=True)
    for question in asked:
        yield stand(page, question)
