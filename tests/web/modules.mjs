// The pure modules in Node: merge patches, the timeline, geometry. Prints nothing when all is well.
import assert from "node:assert/strict";
import { arrange, neighbour, pickLayout } from "../../server/web/js/geom.js";
import { at, emptied, idOf, put, standing, toggled, without } from "../../server/web/js/draft.js";
import { applyStep, Incoming, merge } from "../../server/web/client/patches.js";
import { Timeline } from "../../server/web/js/scene.js";
import { Moments, turnsOf } from "../../server/web/js/moments.js";
import { Pace } from "../../server/web/js/pace.js";

// drafts of armies
const draft = { id: "x", parties: [{ leader: "king", leader_slot: 2, units: { 1: "ogre", 4: "imp" } }, { units: {} }] };
const changed = put(draft, ["parties", 1, "units", "3"], "imp");
assert.deepEqual([at(changed, ["parties", 1, "units"]), at(draft, ["parties", 1, "units"])], [{ 3: "imp" }, {}]);
assert.ok(Array.isArray(changed.parties));
assert.equal(at(draft, ["parties", 7, "units"]), undefined);
assert.deepEqual(put({}, ["a", "b"], 1), { a: { b: 1 } });
assert.deepEqual(emptied(draft, ["parties", 0, "units"], "1").parties[0].units, { 4: "imp" });
assert.deepEqual(["Große Übermacht!", "1. Heer", "ab", ""].map(idOf), ["gro_e_ubermacht", "heer", "army_ab", "army_mine"]);
assert.deepEqual([toggled(["a", "b"], "a"), toggled(["a"], "c"), without(["a", "a", "b"], 1)], [["b"], ["a", "c"], ["a", "b"]]);
const field = { way: ["parties", 0, "units"], lead: ["parties", 0, "leader"], lead_at: ["parties", 0, "leader_slot"], rows: [["1", "2", "3"], ["4", "5", "6"]] };
const there = standing(draft, field, new Map([["ogre", { tall: true }], ["imp", {}]]));
assert.deepEqual([...there].map(([place, who]) => [place, who.id, who.leads, who.behind]).sort(), [
  ["1", "ogre", false, false], ["2", "king", true, false], ["4", "imp", false, false],
]);
const alone = standing(put(draft, field.way, { 1: "ogre" }), field, new Map([["ogre", { tall: true }]]));
assert.deepEqual(alone.get("4"), { id: "ogre", leads: false, behind: true });

// RFC 7396, appendix A
for (const [target, patch, result] of [
  [{ a: "b" }, { a: "c" }, { a: "c" }], [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }], [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }], [{ a: ["b"] }, { a: "c" }, { a: "c" }], [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }], [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [["a", "b"], ["c", "d"], ["c", "d"]], [{ a: "b" }, ["c"], ["c"]], [{ a: "foo" }, null, null], [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }], [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]) assert.deepEqual(merge(target, patch), result);

const first = { n: 0, seq: 5, log: [{ k: "head", t: "begins" }] };
const steps = Array.from({ length: 50 }, (_, i) => ({ seq: 6 + 2 * i, set: { n: i + 1 }, log: i % 10 === 9 ? [{ k: "head", t: `round ${i}` }] : [{ t: "line" }] }));
const time = new Timeline(first, [...steps]);
for (const i of [50, 0, 17, 16, 49, 3, 50]) assert.equal(time.at(i).n, i);
assert.equal(time.at(50).log.length, 51);
assert.equal(time.find(5), 0);
assert.equal(time.find(6), 1);
assert.equal(time.find(7), 2);
assert.equal(time.find(999), 50);
assert.deepEqual(time.headings().map(x => x[0]), [0, 10, 20, 30, 40, 50]);
const whole = { n: 99, seq: 200, log: [] };
time.push({ seq: 200, scene: whole });
time.push({ seq: 201, set: { n: 100 } });
assert.equal(time.at(52).n, 100);
assert.deepEqual(applyStep(first, { seq: 6, set: {} }).log, first.log);

// a patch reaches only the Scene it was made for: the one at its frame's `from` - 1
const taken = [], asked = [], incoming = new Incoming((...all) => taken.push(...all.map(x => x.seq)), () => asked.push(taken.at(-1)));
const frame = (from, to) => incoming.events({ from, to, steps: [{ seq: to }] });
incoming.snapshot({ seq: 30 });
frame(31, 36);
incoming.snapshot({ seq: 36 });
assert.deepEqual(taken, [30, 36]);
incoming.snapshot({ seq: 31 }); // of a server that came back and shows less
frame(32, 37);
incoming.events({ from: 38, to: 39 }); // lines alone
assert.deepEqual([taken, asked], [[30, 36, 31, 37], []]);
frame(36, 37);
assert.deepEqual([taken.length, asked], [4, []]);
frame(40, 41);
frame(42, 43);
frame(38, 44); // what comes before the Scene that was asked for is in it
assert.deepEqual([taken.length, asked], [4, [37]]);
incoming.snapshot({ seq: 44 });
frame(45, 46);
frame(45, 48); // merged, and made for a Scene that is past
incoming.snapshot({ seq: 48 });
assert.deepEqual([taken, asked], [[30, 36, 31, 37, 44, 46, 48], [37, 46]]);

const scene = {
  layouts: { wide: { size: [100, 50], at: { army: [0, 0, 60, 50], hand: [60, 0, 40, 20] } } },
  zones: { army: { geom: { type: "grid", cols: 3, rows: 2 }, slots: {} }, hand: { geom: { type: "row" } }, gone: { geom: { type: "row" } } },
  pieces: { a: { zone: "army", slot: "0,0" }, b: { zone: "army", slot: "2,1" }, o: { on: "a", dock: "br" }, h0: { zone: "hand", slot: 0 }, h1: { zone: "hand", slot: 1 }, x: { zone: "gone", slot: 0 } },
};
assert.equal(pickLayout(scene, 300, 800), "wide");
const { pieces, slots } = arrange(scene, "wide");
assert.deepEqual([...pieces.keys()].sort(), ["a", "b", "h0", "h1", "o"]);
assert.equal(slots.size, 6);
for (const r of pieces.values()) assert.ok(r.x >= -2 && r.y >= -2 && r.x + r.w <= 102 && r.y + r.h <= 52);
assert.ok(pieces.get("h0").x + pieces.get("h0").w <= pieces.get("h1").x);
const board = new Map([...pieces].filter(([id]) => id !== "o"));
assert.equal(neighbour(pieces.get("a"), "ArrowDown", board), "b");
assert.equal(neighbour(pieces.get("a"), "ArrowLeft", board), null);

// a broadcast goes on as late as before when the server keeps nobody behind any more
let clockMs = 0;
const waited = [];
const pace = new Pace(() => clockMs, async ms => { waited.push(ms); clockMs += ms; });
pace.enter({ delay: { s: 10 } });
for (const [at, now] of [[50_000, 0], [51_000, 100], [53_000, 2_000], [56_000, 2_000], [90_000, 5_010]]) {
  clockMs = Math.max(clockMs, now);
  await pace.hear([{ at }]);
}
assert.deepEqual(waited, [3_100, 10_000], "lines so far and those that come in time are shown at once");
for (let at = 90_000; at <= 92_000; at += 100) {
  await pace.hear([{ at }]);
}
const small = waited.splice(2).reduce((sum, ms) => sum + ms, 0);
assert.ok(small >= 1_600 && small <= 2_000, "many lines that each come a little early are not shown at once");
// a page that is late for once, because it draws much, is no later afterwards
pace.enter({ delay: { s: 10 } });
await pace.hear([{ at: 0 }]);
const since = clockMs;
for (let second = 0; second <= 60; second += 1) {
  clockMs = Math.max(clockMs, since + 1000 * second);
  for (let line = 0; line < 10; line += 1) {
    await pace.hear([{ at: 1000 * second }]);
    clockMs += 60;
  }
}
assert.deepEqual([clockMs - since, waited.splice(2)], [60_600, []]);
pace.enter({ delay: null });
await pace.hear([{ at: 1 }]);
await pace.hear([{ at: 99_000 }]);
assert.equal(waited.length, 2);

// a direction does not wait behind lines that are shown later, and a false line stops what waits
const news = (kind, more = {}) => ({ kind, ...more });
const lines = at => news("lines", { lines: [{ at }] });
const shownLate = [];
let release = () => {};
const waits = new Promise(go => { release = go; });
const slow = new Pace(() => 0, () => waits);
const reading = slow.read(
  (async function* told() {
    yield news("entered", { welcome: { delay: { s: 10 } } });
    yield* [lines(0), news("shown", { at: 0 }), lines(1), lines(9_000), news("shown", { at: 9 }), news("directed")];
    await null;
    release();
  })(),
  ({ kind, at }) => shownLate.push(at ?? kind),
);
await reading;
assert.deepEqual(shownLate.toSorted(), [0, 9, "directed", "entered"].toSorted());
assert.ok(shownLate.indexOf("directed") < shownLate.indexOf(9), "a direction comes at once");
const cut = [];
const cutPace = new Pace(() => 0, () => new Promise(go => setTimeout(go, 5)));
await assert.rejects(
  cutPace.read(
    (async function* told() {
      yield* [news("entered", { welcome: { delay: { s: 10 } } }), lines(0), lines(1), lines(9_000), news("shown", { at: 9 })];
      throw new Error("false");
    })(),
    ({ kind, at }) => cut.push(at ?? kind),
  ),
  /false/u,
);
await cutPace.read((async function* next() {})(), () => {});
await new Promise(go => setTimeout(go, 20));
assert.deepEqual(cut, ["entered"], "nothing of a connection that failed is shown after the next has begun");

// moments that are offered to a director
const tray = { geom: { type: "tray", roll: { groups: [{ owner: 0, label: "Pikes" }] } } };
const standing1 = v => ({ seq: v, zones: { tray }, seats: { 0: { name: "Ada", counters: { m: { key: true, label: "MP", v, max: 60 } } } } });
assert.deepEqual([turnsOf(standing1(60), standing1(48)), turnsOf(standing1(60), standing1(49))], [["Ada: MP 60 → 48"], []]);
const offered = new Moments(() => {}, key => key);
const plainLine = line => line?.t ?? "";
offered.see(standing1(60), standing1(60), { seq: 1, log: [{ k: "head", t: "Round 1" }] }, plainLine);
offered.see(standing1(60), { ...standing1(60), seq: 70 }, { seq: 70, log: [{ k: "head", t: "Round 2" }] }, plainLine);
const odd = { k: "roll", odds: [4, 4, 0.7] };
offered.see(standing1(70), standing1(75), { seq: 75, log: [{ t: "..." }], cues: [{ k: "roll" }, odd] }, plainLine);
const falls = [{ k: "banner", t: "Destroyed: La Hire.", tone: "loss" }, { k: "banner", t: "Round 3" }];
offered.see(standing1(75), standing1(76), { seq: 76, log: [{ k: "head", t: "Round 3" }], cues: falls }, plainLine);
assert.deepEqual(offered.list.map(one => [one.kind, one.text, one.line, one.until]), [
  ["section", "Round 3", 75, 0], ["flash", "Destroyed: La Hire.", 75, 76], ["dice", "Ada, Pikes: diceOdd", 70, 75], ["section", "Round 2", 60, 75], ["section", "Round 1", 60, 60],
]);
