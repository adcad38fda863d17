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


DAY: Final = """
globalThis.document = new EventTarget();
const listening = new Set();
const page = new EventTarget();
globalThis.addEventListener = (kind, hear, { signal }) => {
\tlistening.add(hear);
\tsignal.addEventListener("abort", () => listening.delete(hear));
\tpage.addEventListener(kind, hear, { signal });
};
globalThis.location = { origin: "http://127.0.0.1" };

let now = 0;
let numbers = 0;
const due = new Map();
const after = (run, ms, of) => {
\tnumbers += 1;
\tdue.set(numbers, { at: now + ms, run, ...of });
\treturn numbers;
};
globalThis.setTimeout = (run, ms) => after(run, ms, { ofPage: true });
globalThis.setInterval = (run, ms) => after(run, ms, { ofPage: true, every: ms });
globalThis.clearTimeout = globalThis.clearInterval = number => due.delete(number);
const timers = () => [...due.values()].filter(({ ofPage }) => ofPage).length;
const most = { timers: 0, open: 0 };
function pass(ms) {
\tconst until = now + ms;
\tfor (;;) {
\t\tmost.timers = Math.max(most.timers, timers());
\t\tconst [first] = [...due].sort(([, one], [, other]) => one.at - other.at);
\t\tif (!first || first[1].at > until) {
\t\t\tbreak;
\t\t}
\t\tconst [number, { every, ...timer }] = first;
\t\tnow = timer.at;
\t\tdue.delete(number);
\t\tif (every) {
\t\t\tdue.set(number, { ...timer, at: now + every, every });
\t\t}
\t\ttimer.run();
\t}
\tnow = until;
}

let server = "away";
let attempts = 0;
const open = new Set();
class Socket {
\tconstructor() {
\t\tattempts += 1;
\t\tthis.readyState = 0;
\t\topen.add(this);
\t\tmost.open = Math.max(most.open, open.size);
\t\tafter(() => this.answer(), 5);
\t}
\tanswer() {
\t\tif (server === "away") {
\t\t\tthis.end(1006);
\t\t} else {
\t\t\tthis.readyState = 1;
\t\t\tthis.isSilent = server === "silent";
\t\t\tthis.onopen();
\t\t}
\t}
\tsend(text) {
\t\tafter(() => this.readyState === 1 && this.reply(JSON.parse(text)), 5);
\t}
\treply({ t, id }) {
\t\tif (this.isSilent) {
\t\t\treturn; // the server that came back does not know this connection
\t\t}
\t\tif (server === "back") {
\t\t\tthis.onmessage({ data: JSON.stringify({ t: t === "hello" ? "welcome" : "pong" }) });
\t\t} else if (server === "full") {
\t\t\tthis.end(4013);
\t\t} else if (server === "busy" && t === "hello") {
\t\t\tthis.onmessage({ data: JSON.stringify({ t: "error", id, code: "try-again", why: "" }) });
\t\t}
\t}
\tend(code) {
\t\tthis.readyState = 3;
\t\topen.delete(this);
\t\tthis.onclose({ code });
\t}
\tclose() {
\t\tthis.readyState = 3;
\t\topen.delete(this);
\t}
}

const { Connection } = await import("CONNECTION");
const heard = [];
const made = new Connection(() => [{ t: "hello" }], { message: m => heard.push(m.t), state() {} }, "ws://x/ws", Socket);
const HOUR = 3_600_000;
const told = {};
function spend(how, ms) {
\tserver = how;
\tconst before = attempts;
\tpass(ms);
\treturn attempts - before;
}
spend("back", 60_000);
for (const how of ["away", "silent", "full", "busy"]) {
\tfor (const socket of [...open]) {
\t\tsocket.end(1006);
\t}
\tconst asked = spend(how, 6 * HOUR);
\theard.length = 0;
\tconst greeted = () => heard.includes("welcome");
\tserver = "back";
\tconst since = now;
\twhile (!greeted() && now - since < HOUR) {
\t\tpass(100);
\t}
\ttold[how] = { asked, back: now - since };
\tpass(HOUR);
}
const listeners = listening.size;
made.stop();
pass(HOUR);
console.log(JSON.stringify({ told, most, listeners, left: [listening.size, timers(), open.size] }));
"""


def test_a_page_comes_back_after_a_day_of_breaks_and_keeps_nothing_of_them(tmp_path: Path) -> None:
    script = tmp_path / "day.mjs"
    script.write_text(DAY.replace("CONNECTION", (WEB / "client" / "connection.js").as_uri()))
    said = json.loads(node(script))
    for how, told in said["told"].items():
        assert 6 * 3600 / 30 < told["asked"] < 6 * 3600 / 5, (how, told)
        assert told["back"] <= 30_000, (how, told)
    assert said["most"]["timers"] <= 3, said
    assert said["most"]["open"] == 1, said
    assert said["listeners"] == 3, "those with which it began"
    assert said["left"] == [0, 0, 0], said
