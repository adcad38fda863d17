// Glyph sheets, escutcheons and the hatchings that name a seat's tincture without colour
// (Petra Sancta system: azure = horizontal, gules = vertical, vert = diagonal, purpure = the other diagonal).
import { s } from "./dom.js";

const SHIELD = "M5 5H95V54C95 84 72 102 50 111C28 102 5 84 5 54Z";
const HATCH = ["M0 4H8", "M4 0V8", "M-2 -2L10 10M-2 6L2 10M6 -2L10 2", "M10 -2L-2 10M2 -2L-2 2M10 6L6 10"];
// tokens also differ in outline: disc, square, hexagon, lozenge by seat
const TOKEN = [["circle", { cx: 50, cy: 50, r: 46 }], ["rect", { x: 7, y: 7, width: 86, height: 86, rx: 20 }],
  ["path", { d: "M28 5H72L96 50L72 95H28L4 50Z" }], ["path", { d: "M50 2L98 50L50 98L2 50Z" }]];
let defs, have = new Set();

// the client's own drawings: outlines of its buttons, patterns of terrain
export const drawings = {};
export const ico = name => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "ico" }, s("path", { d: drawings.icons[name] }));

export async function initGlyphs() {
  const inline = document.getElementById("drawings");
  Object.assign(drawings, inline ? JSON.parse(inline.textContent) : await (await fetch("/client.json")).json());
  const line = (id, d, w, k = 1) => s("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: `scale(${k})` },
    s("path", { d, stroke: "#fff", "stroke-opacity": ".28", "stroke-width": w, fill: "none" }));
  defs = s("defs", null, HATCH.map((d, i) => [line("hx" + i, d, 1.6), line("hd" + i, d, 1.7, 1.7)]));
  document.body.prepend(s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "defs" }, defs));
}

export function addSheet(sheet) {
  for (const name in sheet) {
    if (have.has(name)) continue;
    have.add(name);
    defs.append(s("symbol", { id: "g-" + name, viewBox: "0 0 512 512" },
      [].concat(sheet[name]).map(d => s("path", { d, fill: "currentColor" }))));
  }
}

export function glyph(name, cls = "g") {
  const svg = s("svg", { class: cls, viewBox: "0 0 512 512", "aria-hidden": "true" });
  svg.append(s("use", { href: "#g-" + name }));
  return svg;
}

// A charge on a field of the owner's tincture. form: shield | token; tier 0..2 adds rims.
export function emblem(name, seat, { form = "shield", tier = 0, cls = "" } = {}) {
  const token = form !== "shield";
  const [tag, at] = token ? TOKEN[seat] || TOKEN[0] : ["path", { d: SHIELD }];
  const mid = token ? 50 : 54;
  return s("svg", { class: `emb ${cls} tier${tier}`, viewBox: token ? "0 0 100 100" : "0 0 100 115", "aria-hidden": "true" },
    s(tag, { ...at, class: "fld" }), seat < 4 ? s(tag, { ...at, fill: `url(#${token ? "hd" : "hx"}${seat})` }) : null,
    tier ? s(tag, { ...at, class: "rim2", transform: `translate(50 ${mid}) scale(.87) translate(-50 -${mid})` }) : null,
    s(tag, { ...at, class: "rim" }),
    s("use", { href: "#g-" + name, class: "chg", x: token ? 19 : 20, y: token ? 19 : 16, width: token ? 62 : 60, height: token ? 62 : 60 }));
}
