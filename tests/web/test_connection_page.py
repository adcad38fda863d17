"""A connection of a page listens to the page until it is stopped: one that watches for days makes many."""

import json
from pathlib import Path
from typing import Final

from tests.web.node import WEB, node

COUNTED: Final = """
globalThis.document = new EventTarget();
const page = new EventTarget();
globalThis.addEventListener = page.addEventListener.bind(page);
globalThis.location = { origin: "http://127.0.0.1" };
const opened = [];
class Silent {
\tconstructor() {
\t\topened.push(this);
\t\tthis.readyState = 3;
\t}
\tclose() {}
}
const { Connection } = await import("CONNECTION");
const restored = Object.assign(new Event("pageshow"), { persisted: true });
const told = [];
const made = new Connection(() => [], { message() {}, state() {} }, "ws://127.0.0.1/ws", Silent);
for (const event of ["pagehide", restored, "online"]) {
\tpage.dispatchEvent(typeof event === "string" ? new Event(event) : event);
\ttold.push(opened.length);
}
made.stop();
for (const event of [new Event("online"), restored]) {
\tpage.dispatchEvent(event);
}
document.dispatchEvent(new Event("visibilitychange"));
console.log(JSON.stringify({ told, after: opened.length }));
"""


def test_a_stopped_connection_hears_nothing_of_its_page_any_more(tmp_path: Path) -> None:
    script = tmp_path / "counted.mjs"
    script.write_text(COUNTED.replace("CONNECTION", (WEB / "client" / "connection.js").as_uri()))
    told = json.loads(node(script))
    assert told["told"] == [1, 2, 3], "put aside it opens nothing, brought back and online it does"
    assert told["after"] == 3
