"""The speech of a screen reader on a page: the focus by Chromium's accessibility tree, and the texts of live regions.

Run as a program it plays a whole match of each game against the bot by keys alone and writes the transcripts:
`python -m tests.web.reader FOLDER [--german] [--phone] [GAME...]`.
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.web.browser import Browser, Navigated, Page
from tests.web.chromium import Chromium
from tests.web.playing import DISCIPLES, FAST, JOAN, VERA, WAR, card_of, tab_to
from tests.web.serving import Served

LISTEN: Final = """(() => {
    window.heard = [];
    const REGION = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]:not([aria-live=off])";
    const last = new WeakMap();
    const tell = region => {
        const text = region.checkVisibility() ? region.textContent : "";
        if (text !== last.get(region) && text.trim()) heard.push(text.replaceAll("\\u00a0", " ").trim());
        last.set(region, text);
    };
    new MutationObserver(list => {
        const regions = new Set();
        for (const { target, addedNodes } of list) {
            const region = (target.closest ? target : target.parentElement)?.closest(REGION);
            if (region) regions.add(region);
            for (const node of addedNodes) {
                if (node.matches?.(REGION)) regions.add(node);
                node.querySelectorAll?.(REGION).forEach(inner => regions.add(inner));
            }
        }
        regions.forEach(tell);
    }).observe(document, { attributes: true, attributeFilter: ["hidden"], characterData: true, childList: true,
        subtree: true });
})();"""
"""Keeps what live regions say, in order, in `heard`."""
GAMES: Final = (VERA, WAR, DISCIPLES, JOAN)
STATES: Final = ("checked", "disabled", "expanded", "pressed", "selected")
NAMELESS: Final = frozenset({"RootWebArea", "generic", "none"})
"""What may have the focus without a name: the page itself, where nothing is focused."""
WORD: Final = re.compile(r"[^\W\d_]{2}")
KEYS: Final = """[...document.querySelectorAll("#prompt .opt:not([aria-disabled]):not([data-file])")]
    .map(row => (row.querySelector("kbd") ?? row).textContent).filter(key => key.length === 1)"""
"""The keys that are shown; a chip of one sign is its own."""
FALTERS: Final = 8
"""So often another option is chosen after a warning."""
DEPTH: Final = 6
"""More lists than lead to an option."""
SETTLED: Final = "herald.prompt.mine() || herald.prompt.p.mode === 'over'"
GERMAN: Final = "try { localStorage.setItem('herald.language', 'de') } catch {}"
WARNED: Final = "/Choose it again|Noch einmal wählen/.test(herald.prompt.root.querySelector('.refused')?.textContent)"
MOMENT: Final = "new Promise(done => setTimeout(done, 80))"
"""Texts within 50 ms are read together."""


class Reader:
    """Presses keys on a page, and writes down what a screen reader would say after each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []
        self.faults: list[str] = []
        self.told = ""
        self._focus = ""
        self._press = page.press
        vars(page)["press"] = self.press

    def press(self, key: str, *, ctrl: bool = False) -> None:
        """Press a key; what gets the focus by it is read."""
        self.lines.append(f"> {'Ctrl+' if ctrl else ''}{key}")
        self._press(key, ctrl=ctrl)
        self.read_focus()

    def read_focus(self) -> None:
        """Role, name, description and states of what has the focus, where it is news."""
        try:
            found = self.page.call("Runtime.evaluate", expression="document.activeElement ?? document.body")["result"]
            answer = self.page.call("Accessibility.getPartialAXTree", objectId=found["objectId"], fetchRelatives=False)
        except Navigated:
            self.read_focus()  # another page came meanwhile, and what has the focus there is read
            return
        node = answer["nodes"][0]
        said = translated(node)
        if said == self._focus:
            return
        self._focus = said
        role = value(node, "role")
        if role not in NAMELESS:
            self.lines.append(f"  {said}")
            if not value(node, "name").strip():
                self.faults.append(f"without a name: {found['description']}: {said}")

    def hear(self) -> list[str]:
        """What live regions have said since, which is written down."""
        self.page.evaluate(MOMENT)
        told: list[str] = self.page.evaluate("heard.splice(0)")
        self.lines += [f"  « {text} »" for text in told]
        self.told += " ".join(["", *told])
        self.faults += [f"says no word: {text!r}" for text in told if not WORD.search(text)]
        return told

    def check_controls(self) -> None:
        """Every control of the page has a name, whether or not the focus comes to it."""
        for node in self.page.call("Accessibility.getFullAXTree")["nodes"]:
            role = value(node, "role")
            focusable = any(each["name"] == "focusable" for each in node.get("properties", ()))
            if focusable and role not in NAMELESS and not node.get("ignored") and not value(node, "name").strip():
                self.faults.append(f"control without a name: {role} {node.get('backendDOMNodeId')}")


def value(node: dict[str, Any], what: str) -> str:
    """A part of a node of the accessibility tree; "" where there is none."""
    return str(node.get(what, {}).get("value", ""))


def translated(node: dict[str, Any]) -> str:
    """A node as it is read: its role, name, states and description."""
    held = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    states = [name if held[name] in {True, "true"} else f"not {name}" for name in STATES if name in held]
    name, about = value(node, "name"), value(node, "description")
    more = [part for part in (*states, about) if part not in {"", "not disabled", name}]
    return ", ".join([f'{value(node, "role")} "{name}"', *more])


def answer(reader: Reader, chance: random.Random) -> None:
    """Answer the open question by keys: options by chance, other questions by what comes first.

    What is warned of is left for something else a few times, then chosen all the same.
    """
    page = reader.page
    number, kind = page.evaluate("[herald.prompt.p.id, herald.prompt.fields()[0].type]")
    asked = f"herald.prompt.p.id === '{number}' && herald.prompt.mine()"
    warned = f"{asked} && !!({WARNED})"
    for tries in range(FALTERS):
        if kind == "one":
            choose(reader, chance, asked)
        elif kind == "many":
            take_first(reader)
        else:
            arrange(page)
        if page.evaluate(f"{asked} && !herald.prompt.sent && !({warned})"):
            page.press("Enter", ctrl=True)
        page.wait(f"herald.prompt.p.id !== '{number}' || herald.prompt.refusal")
        reader.hear()
        if not page.evaluate(warned):
            break
        if kind != "one" or tries == FALTERS - 1:
            page.press("Enter", ctrl=True)
            page.wait(f"herald.prompt.p.id !== '{number}'")
            return
    assert not page.evaluate(f"{asked} && herald.prompt.refusal"), "the answer was refused"


def choose(reader: Reader, chance: random.Random, asked: str) -> None:
    """An option by its key, and by those of the lists that it leads to."""
    page = reader.page
    for _ in range(DEPTH):
        keys = page.evaluate(KEYS)
        if not keys or len(set(keys)) < len(keys):
            reader.faults.append(f"keys that are none or doubled: {keys}")
        page.press(chance.choice(keys))
        reader.hear()
        if not page.evaluate(f"{asked} && !herald.prompt.sent && herald.prompt.answers.path.length"):
            return


def take_first(reader: Reader) -> None:
    """As many as must be chosen, each of which is told."""
    for n in range(reader.page.evaluate("herald.prompt.fields()[0].min")):
        reader.page.press(str(n + 1))
        if not reader.hear():
            reader.faults.append("nothing is said of what was chosen")


def arrange(page: Page) -> None:
    """Each thing to the first place that is left."""
    tab_to(page, ".slotrow:not(.on)" if page.evaluate("!!herald.prompt.held") else ".chip")
    page.press("Enter")
    while page.evaluate("herald.prompt.answers.lacks(herald.prompt.fields()[0])"):
        page.press("Enter")


def play_through(reader: Reader, url: str, game: str, most: int) -> Iterator[str]:
    """A whole match from the first page on; of each question, and at last of the result, what was not announced."""
    page, chance = reader.page, random.Random(game)
    page.goto(f"{url}/")
    tab_to(page, f"{card_of(game)} .acts .bot")
    page.press("Enter")
    for n in range(most):
        page.wait(f"window.herald?.prompt?.p && ({SETTLED})")
        ask, mode = page.evaluate("[herald.prompt.p.ask, herald.prompt.p.mode]")
        reader.hear()
        reader.read_focus()
        # The last line of the record may go on with the reason: "Ada wins: no Unit is left."
        if ask.removesuffix(".") not in reader.told:
            yield f"not announced ({mode}): {ask}"
        if mode == "over":
            return
        page.press("o")
        reader.hear()
        reader.told = ""
        if n % 10 == 0:
            reader.check_controls()
        answer(reader, chance)
    yield f"not over after {most} questions"


def transcript(page: Page, url: str, game: str, most: int = 900) -> tuple[list[str], list[str]]:
    """The transcript of a whole match, and its faults."""
    page.before_load(f"{FAST}; {LISTEN}")
    reader = Reader(page)
    silent = list(play_through(reader, url, game, most))
    return reader.lines, [*reader.faults, *silent, *page.errors]


def main(folder: str, *words: str) -> None:
    """Write the transcripts, and print their faults."""
    games = [word for word in words if not word.startswith("--")] or GAMES
    with tempfile.TemporaryDirectory() as name:
        served = Served(Path(name))
        chromium = Chromium(lambda: Path(name, "chromium"))
        served.start()
        try:
            for game in games:
                write(
                    chromium.browser(), served, game, Path(folder), german="--german" in words, phone="--phone" in words
                )
        finally:
            chromium.close()
            served.kill()


def write(browser: Browser, served: Served, game: str, folder: Path, *, german: bool, phone: bool) -> None:
    """Write the transcript of one game; `phone`: on a page as large as a phone's."""
    served.repeat(game)
    browser.repeat(game)
    page = browser.page()
    page.size(*((390, 844) if phone else (1280, 800)))
    if german:
        page.before_load(GERMAN)
    lines, faults = transcript(page, served.url, game)
    name = ".".join((game, *(("de",) if german else ()), *(("phone",) if phone else ()), "txt"))
    (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    sys.stdout.write("\n  ".join((f"{name}: {len(lines)} lines", *(faults or ["nothing wrong"]))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
