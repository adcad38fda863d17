// Glyph sheets, escutcheons and the hatchings that name a seat's tincture without colour
// (Petra Sancta system: azure = horizontal, gules = vertical, vert = diagonal, purpure = the other diagonal).
import { s } from "./dom.js";

let defs, have = new Set();

// the client's own drawings: outlines of its buttons, patterns of terrain
export const drawings = {};
export const ico = name => s("svg", { viewBox: "0 0 24 24", "aria-hidden": true, class: "ico" }, s("path", { d: drawings.icons[name] }));

export async function initGlyphs() {
	const inline = document.getElementById("drawings");
	Object.assign(drawings, inline ? JSON.parse(inline.textContent) : await (await fetch("/client.json")).json());
	const line = (id, d, w, k = 1) => s("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: `scale(${k})` },
		s("path", { d, stroke: "#fff", "stroke-opacity": ".28", "stroke-width": w, fill: "none" }));
	defs = s("defs", null, drawings.hatches.map((d, i) => [line("hx" + i, d, 1.6), line("hd" + i, d, 1.7, 1.7)]));
	for (const el of document.querySelectorAll("[data-ico]")) el.append(ico(el.dataset.ico));
	document.body.prepend(s("svg", { width: 0, height: 0, "aria-hidden": true, class: "defs" }, defs));
}

export function addSheet(sheet) {
	for (const name in sheet) if (!have.has(name)) defs.append(s("symbol", { id: "g-" + name, viewBox: "0 0 512 512" }, [].concat(sheet[name]).map(d => s("path", { d, fill: "currentColor" }))));
	for (const name in sheet) have.add(name);
}

export const glyph = (name, cls = "g") => s("svg", { class: cls, viewBox: "0 0 512 512", "aria-hidden": true }, s("use", { href: "#g-" + name }));

// A charge on a field of the owner's tincture. form: shield | token; tier 0..2 adds rims.
export function emblem(name, seat, { form = "shield", tier = 0, cls = "" } = {}) {
	const token = form !== "shield", d = token ? drawings.tokens[seat] || drawings.tokens[0] : drawings.shield, [mid, x, y, size] = token ? [50, 19, 19, 62] : [54, 20, 16, 60];
	return s("svg", { class: `emb ${cls} tier${tier}`, viewBox: `0 0 100 ${token ? 100 : 115}`, "aria-hidden": true },
		s("path", { d, class: "fld" }), seat < 4 && s("path", { d, fill: `url(#${token ? "hd" : "hx"}${seat})` }), tier > 0 && s("path", { d, class: "rim2", transform: `translate(50 ${mid}) scale(.87) translate(-50 -${mid})` }),
		s("path", { d, class: "rim" }), s("use", { href: "#g-" + name, class: "chg", x, y, width: size, height: size }));
}
