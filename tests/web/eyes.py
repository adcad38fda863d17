"""The size of a question on the screen: visible words, options in sight, presses that an answer takes.

    python -m tests.web.eyes [EACH]

prints a table over the recorded matches of every game at two sizes: of every EACHth question, each tenth by default.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tests.web.asked import Question, kept, questions
from tests.web.browser import Page
from tests.web.chromium import Chromium
from tests.web.playing import DISCIPLES, FAST, JOAN, VERA, WAR, against_bot
from tests.web.serving import Served

SIZES: Final = {"1280x800": (1280, 800, False), "390x844": (390, 844, True)}
GAMES: Final = (VERA, WAR, DISCIPLES, JOAN)
UNASKED: Final = 6
"""Options that the page may ask about by itself."""
STAND: Final = """(async ({scene, foreseen, before}) => {
    const {view, prompt, connection} = herald;
    const lines = scene.log.map(line => ({line, at: 0}));
    view.api.prompted = scene => scene.prompt;
    view.obey = () => {};
    const shown = scene => {
        const told = lines.slice(0, scene.log.length);
        view.lines = () => told;
        view.show(scene, {instant: true});
    };
    connection.send = m => {
        if (m.t === "foresee") {
            const told = foreseen[m.choice];
            const heard = {t: told ? "foreseen" : "error", id: m.id, decision: m.decision, lines: [], ...told};
            setTimeout(() => connection.on.message(heard));
        }
        return true;
    };
    // what is told of as new is what came since the question before
    if (before) shown(before);
    shown(scene);
    const rest = ms => new Promise(done => setTimeout(done, ms));
    await rest(320);
    const panel = prompt.root;
    const rows = () => [...panel.querySelectorAll(".opt,.chip,.verb")].filter(e => e.checkVisibility());
    const inSight = e => {
        const r = e.getBoundingClientRect();
        const on = document.elementFromPoint(r.x + Math.min(40, r.width / 2), r.y + r.height / 2);
        return e.contains(on);
    };
    const words = () => {
        let n = 0;
        const walk = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
        for (let text = walk.nextNode(); text; text = walk.nextNode()) {
            const on = text.parentElement;
            if (on.checkVisibility() && !on.closest(".vh,kbd,select")) {
                const {right: cut = Infinity, bottom = Infinity} = on.closest(".also")?.getBoundingClientRect() ?? {};
                for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+(?:['’-][\\p{L}]+)*/gu)) {
                    const range = document.createRange();
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + 1);
                    const r = range.getBoundingClientRect();
                    const clipped = on.closest(".sb,.why,.foot,.also,.rs");
                    const hidden = clipped && getComputedStyle(clipped).clipPath.startsWith("inset");
                    n += r.left < cut && r.top < bottom - 2 && !hidden ? 1 : 0;
                }
            }
        }
        return n;
    };
    const step = () => {
        const all = rows();
        return {words: words(), rows: all.length, seen: all.filter(inSight).length};
    };
    const first = step();
    const steps = [first];
    const presses = [];
    const isStep = e => e.matches("[data-way],[data-verb]");
    const goTo = async way => {
        while (prompt.back());
        for (const i of way) {
            rows()[i].click();
            await rest(0);
        }
    };
    const [field] = prompt.fields();
    if (prompt.fields().length === 1 && field.type === "one") {
        // how each option is reached: the first of several presses says what is done, or who does it
        const waiting = [[]];
        while (waiting.length) {
            const way = waiting.shift();
            await goTo(way);
            if (way.length) {
                steps.push(step());
            }
            rows().forEach((row, i) => {
                if (!isStep(row) && row.dataset.o) {
                    presses.push(Math.max(1, way.length));
                } else if (isStep(row) && !row.matches("[data-verb]") || !way.length) {
                    waiting.push([...way, i]);
                }
            });
        }
        await goTo([]);
    }
    return {first, steps, presses, ask: scene.prompt.ask};
})(QUESTION)"""


class Seen(Struct, frozen=True):
    """A question as it is seen. `words`: the most of any step; `whole`: whether all options of each step are in sight;
    `presses`: what each option takes after the verb."""

    question: Question
    words: int
    whole: bool
    presses: tuple[int, ...]
    in_sight: tuple[int, int]


def stand(page: Page, question: Question) -> Seen:
    """Show a question on the table that is open, and look at it."""
    data = json.dumps({"scene": question.scene, "foreseen": question.foreseen, "before": question.before})
    found: dict[str, Any] = page.evaluate(STAND.replace("QUESTION", data))
    steps = found["steps"]
    return Seen(
        question,
        max(step["words"] for step in steps),
        all(step["seen"] == step["rows"] for step in steps),
        tuple(found["presses"]),
        (found["first"]["seen"], found["first"]["rows"]),
    )


def look(page: Page, served: Served, game: str, size: str, asked: Iterable[Question]) -> Iterator[Seen]:
    """All these questions of a game at a size."""
    width, height, touch = SIZES[size]
    page.before_load(FAST)
    page.size(width, height, touch=touch)
    against_bot(page, served, game, quick=True)
    page.evaluate("import('/js/explain.js')")
    page.press("Tab")
    page.evaluate("new Promise(done => setTimeout(done, 500))")
    for question in asked:
        yield stand(page, question)


def share(found: Iterable[bool]) -> float:
    """How many of a hundred."""
    listed = list(found)
    return 100 * sum(listed) / max(1, len(listed))


def ninth(words: list[int]) -> int:
    """The value that nine in ten do not exceed."""
    return sorted(words)[min(len(words) - 1, 9 * len(words) // 10)]


def pressed_once(seen: list[Seen]) -> float:
    """Of how many questions in a hundred an option taken by lot needs no more than one press after the first."""
    return statistics.mean(share(n <= 1 for n in each.presses) for each in seen if each.presses)


def row(name: str, seen: list[Seen]) -> str:
    """The figures of some questions, as a row of a table."""
    words = [each.words for each in seen]
    return (
        f"| {name} | {len(seen)} | {statistics.median(words):.0f} | {ninth(words)} | {max(words)} "
        f"| {share(each.whole for each in seen):.0f} % | {pressed_once(seen):.0f} % |"
    )


def worst(seen: list[Seen], most: int = 12) -> str:
    """Questions of which not all is in sight, and those of most words."""
    hard = sorted(seen, key=lambda one: (one.whole, -one.words))[:most]
    return "".join(f"    {one.words} {one.in_sight} {one.question.scene['prompt']['ask'][:90]}\n" for one in hard)


HEAD: Final = """| Game, size | Decisions | Words: median | nine in ten | most | All options in sight | One press |
|---|---|---|---|---|---|---|"""


def main(each: int) -> None:
    """Print the table."""
    sys.stdout.write(f"{HEAD}\n")
    folder = Path(tempfile.mkdtemp())
    served = Served(folder)
    served.start()
    chromium = Chromium(lambda: Path(tempfile.mkdtemp()))
    try:
        for game in GAMES:
            asked = [q for path in kept(game) for q in questions(path, each=each, foreseen=UNASKED)]
            for size in SIZES:
                browser = chromium.browser()
                seen = list(look(browser.page(), served, game, size, asked))
                sys.stdout.write(f"{row(f'{game} {size}', seen)}\n{worst(seen) if '-v' in sys.argv else ''}")
                sys.stdout.flush()
                browser.close_pages()
    finally:
        chromium.close()
        served.kill()


if __name__ == "__main__":
    main(int(next((a for a in sys.argv[1:] if a.isdigit()), "10")))
