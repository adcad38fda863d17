"""Shared by `test_hand` and other tests: ASK, ask, given, hand, seen, tap."""

import json

from tests.web.browser import Page

SEEN = """(find => {
    const e = find();
    if (!e?.checkVisibility()) return null;
    e.scrollIntoView({ block: "nearest" });
    const r = e.getBoundingClientRect(), x = r.x + r.width * PART, y = r.y + r.height / 2;
    const top = document.elementFromPoint(x, y);
    return top && (e.contains(top) || top.contains(e)) ? [x, y] : null;
})"""
"""Where an element is to be seen, at a part of its width; nothing while it is hidden or something lies over it."""


def seen(page: Page, selector: str, part: float = 0.5, text: str = "") -> tuple[float, float]:
    """A point of the first element with the selector and the text that is seen there."""
    words = json.dumps(text)
    find = f"[...document.querySelectorAll({json.dumps(selector)})].find(e => e.textContent.includes({words}))"
    page.rest()
    x, y = page.wait(f"{SEEN.replace('PART', str(part))}(() => {find})")
    return x, y


def hand(page: Page, *way: tuple[float, float]) -> None:
    """Move to the first point, press, move over the others, let go at the last."""
    for kind, (x, y) in [
        ("mouseMoved", way[0]),
        ("mousePressed", way[0]),
        *(("mouseMoved", point) for point in way[1:]),
        ("mouseReleased", way[-1]),
    ]:
        page.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button="left",
            buttons=int(kind != "mouseReleased"),
            clickCount=1,
        )


def tap(page: Page, point: tuple[float, float]) -> None:
    """A finger, down and up."""
    x, y = point
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


ASK = """((fields, more) => {
    window.given = [];
    herald.prompt.api.answer = (id, choice) => given.push([id, choice]);
    herald.prompt.set({ id: `${Math.random()}`, mode: "you", seat: 0, ask: "Which?", fields, ...more }, SCENE);
    herald.board.mark(herald.prompt.sets());
})"""


def ask(page: Page, options: list[dict[str, object]], scene: str = "herald.scene", **more: object) -> None:
    """Put a question of this test's own; what is answered is kept in the page's `given`."""
    fields = [{"id": "choice", "type": "one", "options": options}]
    page.evaluate(f"{ASK.replace('SCENE', scene)}({json.dumps(fields)}, {json.dumps(more)})")


DOUBLE = """(async ms => {
    const rest = () => new Promise(done => setTimeout(done));
    const {prompt} = herald;
    let now = performance.now() + 1e9;
    performance.now = () => now;
    await import("/js/pressguard.js");
    await rest();
    const press = async () => {
        const [row] = prompt.root.querySelectorAll(".opt");
        const down = new PointerEvent("pointerdown", {bubbles: true});
        Object.defineProperty(down, "timeStamp", {value: now});
        row.dispatchEvent(down);
        row.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1}));
        await rest();
    };
    prompt.back();
    await rest();
    now += 1000;
    await press();
    const opened = prompt.path.length;
    now += ms;
    await press();
    return [opened, given.length];
})(MS)"""
"""Two presses at one place so many ms apart: how deep the first led, and how many answers were given."""


def double(page: Page, ms: int) -> list[int]:
    """Open a list by a press on its first row, and press once more so many ms later."""
    options: list[dict[str, object]] = [
        {"id": f"{one}{n}", "at": [one, f"area{n}"], "label": f"{one} to area {n}."}
        for one in ("Golem", "Dryads")
        for n in range(1, 14)
    ]
    page.evaluate("void ['Golem', 'Dryads'].forEach(label => herald.scene.pieces[label] = { title: label })")
    ask(page, options)
    found: list[int] = page.evaluate(DOUBLE.replace("MS", str(ms)))
    return found


def given(page: Page) -> list[str]:
    return [choice for _, choice in page.evaluate("given")]
